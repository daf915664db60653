"""Two opinions on which things are alike, and whether they agree: texts, and people's answers.

    r      = correlation of s_ij with t_ij over all pairs i > j
    p      = (1 + #{π : r_π ≥ r}) / (1 + P)          r_π: with T's things renamed by π, P times
    told   = share of i whose nearest other thing, argmax_j s_ij, has i's label
    chance = mean over i of (n_i − 1) / (n − 1)       n_i: how many things have i's label

S and T hold how alike every two of n things are: cosines of vectors, correlations of answers. Their
pairs are not independent, for every thing is in n − 1 of them, so no formula for the correlation of
n(n − 1)/2 numbers gives an honest p. Mantel (1967) renames the things instead: all pairs of a thing
move together, and whatever hangs together within S and within T still does. An interval comes from
drawing things, not pairs, with replacement.
"""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray as Array

from firth.lsa.lsa import signs

Alike = Float[Array, "n n"]  # symmetrical
Labels = Sequence | Array
TIE = 1e-12  # what rounding may take from an r that is equal


def pairs(S: Float[Array, "n k"]) -> Float[Array, " m"]:
    """What S says of each pair of different things, once.

    >>> pairs(np.array([[1.0, 0.5, 0.2], [0.5, 1.0, 0.3], [0.2, 0.3, 1.0]]))
    array([0.5, 0.2, 0.3])
    """
    S = np.asarray(S, dtype=float)
    if S.ndim != 2 or len(S) != S.shape[-1] or not np.allclose(S, S.T, equal_nan=True):
        raise ValueError(f"Give a square table that is its own mirror image, not {S.shape}.")
    if not np.isfinite(S).all():
        raise ValueError("The table holds NaN or infinity: find out where it came from.")
    return S[np.tril_indices(len(S), -1)]


def standard(x: Float[Array, "*k m"]) -> Float[Array, "*k m"]:
    """Mean 0, length 1 along the last axis: the product of two such rows is their correlation."""
    x = x - x.mean(axis=-1, keepdims=True)
    length = np.linalg.norm(x, axis=-1, keepdims=True)
    if (length < 1e-9).any():
        raise ValueError("All pairs are alike to the same degree: nothing can go along with that.")
    return x / length


def agreement(S: Alike, T: Float[Array, "k k"]) -> float:
    """r: do the pairs that S calls alike count as alike in T? 1 for yes, 0 for no relation.

    >>> S = np.array([[1.0, 0.5, 0.2], [0.5, 1.0, 0.3], [0.2, 0.3, 1.0]])
    >>> round(agreement(S, 2 * S - 1), 6), round(agreement(S, -S), 6)
    (1.0, -1.0)
    """
    if len(S) != len(T):
        raise ValueError(f"One table is of {len(S)} things and the other of {len(T)}.")
    return float(standard(pairs(S)) @ standard(pairs(T)))


def renamed(S: Alike, T: Alike, P: int = 999, seed: int = 0) -> Float[Array, " P"]:
    """r_π for P random renamings of T's things: what agreement there is by luck alone."""
    agreement(S, T)  # says what is wrong with the two, if anything is
    draw, (i, j) = np.random.default_rng(seed), np.tril_indices(len(S), -1)
    s, t = standard(pairs(S)), np.asarray(T, dtype=float) - pairs(T).mean()
    length = np.linalg.norm(t[i, j])
    orders = (draw.permutation(len(t)) for _ in range(P))
    return np.array([s @ t[order[i], order[j]] for order in orders]) / length


def p_values(r: float, chance: Float[Array, " P"]) -> tuple[float, float]:
    """How often luck does as well as r: in its direction, and in either.

    The r at hand is counted as one of the draws, so no p is ever 0: with 999 draws the smallest is
    a thousandth.

    >>> p_values(0.5, np.array([0.1, -0.6, 0.2]))
    (0.25, 0.5)
    """
    over = [(chance >= r - TIE).sum(), (abs(chance) >= abs(r) - TIE).sum()]
    return tuple(float((1 + n) / (1 + len(chance))) for n in over)


def interval(
    S: Alike, T: Alike, draws: int = 999, seed: int = 0, level: float = 0.95
) -> tuple[float, float]:
    """Where r would lie with other things of the same kind: the middle 95 % of bootstrap samples.

    n things are drawn with replacement, and a thing that came twice is no pair with itself.
    """
    agreement(S, T)
    draw, (i, j) = np.random.default_rng(seed), np.tril_indices(len(S), -1)
    S, T, r = np.asarray(S, dtype=float), np.asarray(T, dtype=float), []
    for _ in range(draws):
        drawn = draw.integers(len(S), size=len(S))
        a, b = drawn[i], drawn[j]
        a, b = a[a != b], b[a != b]
        r.append(standard(S[a, b]) @ standard(T[a, b]))
    low, high = np.quantile(r, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def neighbours(S: Alike) -> Int[Array, " n"]:
    """The nearest other thing of each.

    >>> neighbours(np.array([[1.0, 0.5, 0.2], [0.5, 1.0, 0.7], [0.2, 0.7, 1.0]]))
    array([1, 2, 1])
    """
    pairs(S)
    return np.where(np.eye(len(S), dtype=bool), -np.inf, S).argmax(axis=1)


def told(S: Alike, labels: Labels) -> float:
    """The share of things whose nearest other thing has the same label.

    >>> S = np.array([[1.0, 0.5, 0.2], [0.5, 1.0, 0.7], [0.2, 0.7, 1.0]])
    >>> round(told(S, ["a", "b", "b"]), 2)  # the first item's nearest is one of the others
    0.67
    """
    labels = np.asarray(labels)
    if len(labels) != len(S):
        raise ValueError(f"There are {len(labels)} labels for {len(S)} things: give each one.")
    return float((labels[neighbours(S)] == labels).mean())


def chance(labels: Labels) -> float:
    """What `told` is on average if any other thing is as likely to be the nearest.

    >>> round(chance(["a", "a", "b", "b", "b"]), 3)  # 2 · 1/4 and 3 · 2/4, of 5
    0.4
    """
    _, kind, many = np.unique(labels, return_inverse=True, return_counts=True)
    return float((many[kind] - 1).mean() / (len(kind) - 1))


def told_by_luck(S: Alike, labels: Labels, P: int = 999, seed: int = 0) -> Float[Array, " P"]:
    """What `told` is with shuffled labels, P times: `chance` on average, and how far it strays."""
    draw, labels, near = np.random.default_rng(seed), np.asarray(labels), neighbours(S)
    orders = (draw.permutation(labels) for _ in range(P))
    return np.array([(order[near] == order).mean() for order in orders])


def kinds(labels: Labels, keys: Int[Array, " n"]) -> Int[Array, " m"]:
    """Of each pair: 1 for the same label and the same key, −1 for opposite keys, 0 for two labels.

    The key of an item is −1 if who agrees with it has *less* of what is measured.

    >>> kinds(["anger", "anger", "anger", "order"], np.array([1, -1, 1, 1]))
    array([-1,  1, -1,  0,  0,  0])
    """
    labels, keys = np.asarray(labels), np.asarray(keys)
    i, j = np.tril_indices(len(labels), -1)
    return np.where(labels[i] == labels[j], keys[i] * keys[j], 0)


def turned(R: Alike, keys: Int[Array, " n"]) -> Alike:
    """Correlations as if every reverse-keyed item had been asked the other way round.

    >>> turned(np.array([[1.0, -0.6], [-0.6, 1.0]]), np.array([1, -1]))
    array([[1. , 0.6],
           [0.6, 1. ]])
    """
    return R * np.outer(keys, keys)


def coordinates(S: Alike, d: int = 2) -> tuple[Float[Array, "n d"], float]:
    """Points whose dot products come nearest to S about its centre, and the share of S they hold.

    Classical scaling: take the mean of every row and column from S, and keep the d largest
    directions of what is left. For cosines it is what principal components make of the vectors.

    >>> X, share = coordinates(np.array([[1.0, 0.0], [0.0, 1.0]]), d=1)
    >>> X.round(2), share
    (array([[ 0.71],
           [-0.71]]), 1.0)
    """
    pairs(S)
    if not 1 <= d <= len(S):
        raise ValueError(f"{len(S)} things have 1 to {len(S)} directions, not {d}: change d.")
    B = S - S.mean(axis=0) - S.mean(axis=1)[:, None] + S.mean()
    size, V = np.linalg.eigh(B)  # the smallest first; those below 0 have no place in space
    best, V = np.maximum(size[::-1][:d], 0), V[:, ::-1][:, :d]
    return V * signs(V) * np.sqrt(best), float(best.sum() / abs(size).sum())


def clusters(S: Alike, k: int) -> Int[Array, " n"]:
    """k groups by Ward's method: join those two whose joining moves points least off their mean."""
    from sklearn.cluster import AgglomerativeClustering  # takes a second, and only this asks it

    X, _ = coordinates(S, len(S))
    return AgglomerativeClustering(k).fit_predict(X)


def adjusted_rand(a: Labels, b: Labels) -> float:
    """Do two groupings put the same pairs together? 1 for all of them, 0 for as many as by luck.

    >>> [round(adjusted_rand("xxyy", other), 2) for other in ([1, 1, 2, 2], [1, 2, 1, 2])]
    [1.0, -0.5]
    """
    a, b = (np.unique(list(part), return_inverse=True)[1] for part in (a, b))
    table = np.zeros((a.max() + 1, b.max() + 1))
    np.add.at(table, (a, b), 1)
    both, in_a, in_b, every = (
        float((n * (n - 1) / 2).sum())
        for n in (table, table.sum(axis=1), table.sum(axis=0), np.array([len(a)]))
    )
    luck, most = in_a * in_b / every, (in_a + in_b) / 2
    return 1.0 if most == luck else (both - luck) / (most - luck)


def report(S: Alike, items: dict[str, Array], R: Alike, P: int = 999) -> dict:
    """All that this module asks of one S: of pairs, of nearest items, of groups, of a map.

    Four agreements with R, each with the p of Mantel's test (both sides) and an interval: with its
    numbers, and with their size alone; and the same two for pairs of one facet, without p.
    """
    facets, keys = items["facet"], items["key"]
    same, s, t = kinds(facets, keys), pairs(S), pairs(R)
    row = {"told": told(S, facets), "chance": chance(facets)}
    row["told p"] = p_values(row["told"], told_by_luck(S, facets, P))[0]
    for name, T in (("signed", R), ("size", abs(R))):
        r = agreement(S, T)
        row[name] = r
        row[f"{name} p"] = p_values(r, renamed(S, T, P))[1]
        row[f"{name} interval"] = interval(S, T, P)
        inside = same != 0
        row[f"{name} inside"] = float(standard(s[inside]) @ standard(pairs(T)[inside]))
    for name, which in (
        ("same key", same == 1),
        ("opposite keys", same == -1),
        ("others", same == 0),
    ):
        row[name] = [float(s[which].mean()), float(t[which].mean())]
    five = items["factor"] != ""
    row["facets"] = adjusted_rand(clusters(S, len({*facets})), facets)
    row["factors"] = adjusted_rand(clusters(S[np.ix_(five, five)], 5), items["factor"][five])
    X, row["share"] = coordinates(S)
    row["told on the map"] = told(-((X[:, None] - X[None]) ** 2).sum(axis=2), facets)
    return row
