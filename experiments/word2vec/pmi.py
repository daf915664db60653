"""Compare V Uᵀ of trained skip-gram with PMI − log k, on Wikipedia and on twelve sentences.

    python -m experiments.word2vec.pmi

Levy and Goldberg (2014): where the loss of negative sampling is smallest, a pair of words has the
score v_w · u_o = log X_wo / E_wo. X_wo is how often o is expected in the window of w, and E_wo how
often it is expected among the noise words of w:

    E_wo = k x_w q_o,   so that   log X/E = PMI − log k    (x_w: the sum of row w; q: the noise)

Wikipedia: the chosen skip-gram, without sub-sampling, so that the text that is counted is the text
that is trained on. A neighbour at distance δ counts (m + 1 − δ) / m, as windows of 1 to m make it.

    histogram    all pairs with X of 50 or more, by PMI − log k (columns) and score (rows)
    bins         the same pairs by PMI − log k: how many, the mean score, the 10 % and 90 % quantile
    by count     pairs with PMI − log k above 2 by X: the mean of score less PMI − log k
    named        pairs with the largest PMI − log k, and some at random of each whole number

A pair that stays below PMI − log k may lack numbers or lack training. So two further models are
measured, one with three times as many numbers and one with three times as many epochs.

The twelve sentences of the opening widget: the exact minimum of the expected loss, found by L-BFGS,
with as many dimensions as words and with two. A pair that never meets has PMI −∞: its score keeps
falling, so the search ends when the loss changes by less than 10⁻¹².
"""

import argparse
import itertools
from functools import cache, partial

import numpy as np
from jaxtyping import Float
from numpy import ndarray as Array
from scipy.optimize import minimize

from experiments.word2vec.training import SEED, D, corpus, store, stored
from experiments.word2vec.tuning import chosen
from firth.lsa import counts
from firth.widgets.word2vec.training import TEXT, WORDS
from firth.word2vec.skipgram import sampled
from firth.word2vec.word2vec import noise, pairs, sigmoid

LEAST, K, SMALL_K, SMALL_M, STARTS = 50, 5, 2, 2, 100
MODELS = ((D, 1), (3 * D, 1), (D, 3))  # numbers of a word, and how many times the chosen epochs
EDGES = np.arange(-5, 8.01, 0.25)
BY_COUNT = (50, 100, 200, 500, 1000, np.inf)
Table = Float[Array, "n n"]


def minimum(X: Table, E: Table, d: int, seed: int) -> tuple[float, Table]:
    """The smallest expected loss that L-BFGS finds with d dimensions, and V Uᵀ there.

    >>> X, E = np.array([[0.0, 2.0], [2.0, 0.0]]), np.ones((2, 2))
    >>> bool(abs(minimum(X, E, d=2, seed=0)[1][0, 1] - np.log(2)) < 1e-3)
    True
    """
    n = len(X)

    def loss(numbers: Float[Array, " _"]) -> tuple[float, Float[Array, " _"]]:
        V, U = numbers.reshape(2, n, d)
        S = V @ U.T
        G = (X + E) * sigmoid(S) - X
        J = (X * np.logaddexp(0, -S) + E * np.logaddexp(0, S)).sum()
        return J, np.concatenate([(G @ U).ravel(), (G.T @ V).ravel()])

    start = np.random.default_rng(seed).normal(size=2 * n * d) / np.sqrt(d)
    limits = {"maxiter": 20_000, "maxfun": 40_000, "ftol": 1e-12, "gtol": 1e-7}
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options=limits)
    V, U = found.x.reshape(2, n, d)
    return float(found.fun), V @ U.T


def twelve_sentences() -> dict:
    """Counts, PMI − log k and scores of every two words of the opening widget's text."""
    place, n = {word: i for i, word in enumerate(WORDS)}, len(WORDS)
    ids = [
        np.array([place.get(word, -1) for word in counts.words(line)]) for line in TEXT.splitlines()
    ]
    met = pairs(ids, SMALL_M)
    X = np.zeros((n, n))
    np.add.at(X, (met[:, 0], met[:, 1]), 1.0)
    frequency = np.bincount(np.concatenate([line[line >= 0] for line in ids]), minlength=n)
    E = SMALL_K * X.sum(axis=1, keepdims=True) * noise(frequency)
    with np.errstate(divide="ignore"):
        target = np.log(X / E)
    found = {"words": WORDS, "window": SMALL_M, "k": SMALL_K, "starts": STARTS}
    found["target"] = rounded(np.where(X > 0, target, np.nan))
    found["counts"] = X.astype(int).tolist()
    for d in (2, n):
        tries = [minimum(X, E, d, seed) for seed in range(STARTS if d == 2 else 1)]
        J, S = min(tries, key=lambda pair: pair[0])
        apart = (S - target)[X > 0]
        found[f"d = {d}"] = {
            "loss": round(J / X.sum(), 4),
            "losses of all starts": [round(each / X.sum(), 4) for each, _ in tries],
            "largest difference": round(float(np.abs(apart).max()), 4),
            "correlation": round(float(np.corrcoef(S[X > 0], target[X > 0])[0, 1]), 4),
            "largest score of a pair that never met": round(float(S[X == 0].max()), 3),
            "scores": rounded(S),
        }
    return found


def rounded(X: Table) -> list[list[float | None]]:
    return [[None if np.isnan(x) else round(float(x), 2) for x in row] for row in X]


@cache
def often_met() -> tuple[Array, Array, Array, Array]:
    """Pairs with X of `LEAST` or more: both words' numbers, X, and PMI − log k."""
    vocabulary, documents = corpus()
    n, m = len(vocabulary), chosen("skip-gram")["window"]
    # at distance δ a pair is in the tables of δ, δ + 1, … m
    X = (sum(counts.cooccurrence(documents, n, near) for near in range(1, m + 1)) / m).tocoo()
    frequency = np.bincount(np.concatenate([ids[ids >= 0] for ids in documents]), minlength=n)
    often = X.data >= LEAST
    w, o, x = X.row[often], X.col[often], X.data[often]
    return w, o, x, np.log(x / (X.sum(axis=1)[w] * noise(frequency)[o])) - np.log(K)


def wikipedia(d: int, times: int) -> dict:
    """V Uᵀ of skip-gram with d numbers beside PMI − log k, after the chosen epochs some times."""
    vocabulary, documents = corpus()
    settings = chosen("skip-gram")
    given = {"m": settings["window"], "k": K, "first": settings["rate"], "sample": 0.0}
    epochs = settings["epochs"] * times
    V, U = sampled(documents, len(vocabulary), d, epochs=epochs, seed=SEED, **given)
    w, o, x, target = often_met()
    score = np.einsum("pd,pd->p", V[w].astype(float), U[o].astype(float))
    found = settings | {"epochs": epochs, "k": K, "sample": 0.0, "seed": SEED, "least": LEAST}
    found |= measured(x, target, score)
    if (d, times) == MODELS[0]:
        names = [[vocabulary[i], vocabulary[j]] for i, j in zip(w, o, strict=True)]
        found["named"] = named(names, x, target, score)
    else:
        del found["histogram"], found["edges"]
    return found


def measured(x: Float[Array, " p"], target: Float[Array, " p"], score: Float[Array, " p"]) -> dict:
    """How score and target agree: over all pairs, by target, and by count."""
    apart = score - target
    bins = []
    for low, high in itertools.pairwise(EDGES):
        here = (target >= low) & (target < high)
        if here.sum() >= 10:
            tenth, ninth = np.quantile(score[here], [0.1, 0.9])
            values = {"from": low, "to": high, "pairs": int(here.sum())}
            quantiles = {"mean": score[here].mean(), "10 %": tenth, "90 %": ninth}
            bins.append(values | {name: round(float(q), 3) for name, q in quantiles.items()})
    by_count = [
        {"from": low, "to": high if np.isfinite(high) else None, "pairs": int(here.sum())}
        | {"mean difference": round(float(apart[here].mean()), 3)}
        for low, high in itertools.pairwise(BY_COUNT)
        for here in [(target > 2) & (x >= low) & (x < high)]
        if here.any()
    ]
    clipped = (np.clip(values, EDGES[0], EDGES[-1] - 1e-9) for values in (score, target))
    return {
        "pairs": len(x),
        "correlation": round(float(np.corrcoef(score, target)[0, 1]), 4),
        "mean difference": round(float(apart.mean()), 4),
        "spread of the difference": round(float(apart.std()), 4),
        "above 2": int((target > 2).sum()),
        "mean difference above 2": round(float(apart[target > 2].mean()), 4),
        "edges": EDGES.tolist(),
        "histogram": np.histogram2d(*clipped, bins=(EDGES, EDGES))[0].astype(int).tolist(),
        "bins": bins,
        "by count": by_count,
    }


def named(names: list, x: Array, target: Array, score: Array, most: int = 60, each: int = 12):
    """Rows of two words, X, PMI − log k and score: the largest, and some of each whole number."""
    rng = np.random.default_rng(0)
    rows = list(np.argsort(-target)[:most])
    for low in range(-5, 8):
        here = np.flatnonzero((target >= low) & (target < low + 1))
        rows += list(rng.permutation(here)[:each])
    return [
        [*names[i], round(float(x[i]), 1), round(float(target[i]), 3), round(float(score[i]), 3)]
        for i in dict.fromkeys(rows)
    ]


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    rows = stored("pmi").get("rows", [])
    wanted = [({"text": "twelve sentences"}, twelve_sentences)]
    for d, times in MODELS:
        about = {"text": "Wikipedia", "d": d, "times": times}
        wanted.append((about, partial(wikipedia, d, times)))
    for about, program in wanted:
        if not any(about.items() <= row.items() for row in rows):
            rows.append(about | program())
            print(about, [pair for pair in rows[-1].items() if "difference" in pair[0]], flush=True)
            store("pmi", {}, rows=rows)


if __name__ == "__main__":
    main()
