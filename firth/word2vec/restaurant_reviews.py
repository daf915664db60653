"""Ten reviews of a restaurant: the smallest network that learns an embedding, by heart.

    x  = [E[w_1]; E[w_2]; …; E[w_T]]           the rows of T words, end to end
    p  = σ(w · x + b)                          the probability of label 1
    J  = −mean(y log p + (1 − y) log(1 − p))

E (n × e) is learned with w (T·e) and b, all by the same gradient. A word's row is found by a hash,
so no vocabulary is kept, and two words may share a row without anyone being told. Texts get the
same length by padding with 0, which is no word. Flattening gives every place its own weights: a
word that moved by one is a new word. With ten texts and 433 numbers to fit them, being right on
the ten means nothing; each must be told by a network that has not seen it.
"""

from collections.abc import Sequence
from hashlib import md5

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray as Array

Ids = Int[Array, "m T"]
Weights = tuple[Float[Array, "n e"], Float[Array, " T*e"], float]


def hashed(word: str, n: int) -> int:
    """A place from 1 to n − 1 for any word, always the same one; 0 is kept for padding.

    Python's own `hash` of a text is salted: it changes whenever Python starts. MD5 does not.

    >>> hashed("horrible", 50) == hashed("horrible", 50) and 1 <= hashed("horrible", 50) < 50
    True
    """
    if n < 2:
        raise ValueError(f"With {n} rows there is none for a word beside padding: take n ≥ 2.")
    return int(md5(word.encode(), usedforsecurity=False).hexdigest(), 16) % (n - 1) + 1


def collisions(words: Sequence[str], n: int) -> list[list[str]]:
    """The words that share a row, in groups: what the network can no longer tell apart.

    >>> collisions(["cold", "food", "cold"], n=2)  # one row for all
    [['cold', 'food']]
    """
    groups: dict[int, list[str]] = {}
    for word in dict.fromkeys(words):
        groups.setdefault(hashed(word, n), []).append(word)
    return [group for group in groups.values() if len(group) > 1]


def padded(texts: Sequence[Sequence[int]], T: int, before: bool = False) -> Ids:
    """Every text T places long: zeros after its words, and what is too long cut at the end.

    `before` pads and cuts at the beginning, as Keras does unless told otherwise. For a network
    whose last state is asked, that makes a difference.

    >>> padded([[18, 39, 17], [6, 9, 11, 21, 5]], T=4)
    array([[18, 39, 17,  0],
           [ 6,  9, 11, 21]])
    >>> padded([[18, 39, 17], [6, 9, 11, 21, 5]], T=4, before=True)
    array([[ 0, 18, 39, 17],
           [ 9, 11, 21,  5]])
    """
    if T < 1:
        raise ValueError(f"A padded text is 1 place long or more, not {T}.")
    rows = np.zeros((len(texts), T), dtype=int)
    for row, text in zip(rows, texts, strict=True):
        if before:
            row[max(0, T - len(text)) :] = text[-T:]
        else:
            row[: len(text)] = text[:T]
    return rows


def probabilities(ids: Ids, E: Float[Array, "n e"], w: Float[Array, " T*e"], b: float) -> Array:
    """How sure the network is of label 1, text by text."""
    return 1 / (1 + np.exp(-(E[ids].reshape(len(ids), -1) @ w + b)))


def gradients(
    ids: Ids, y: Int[Array, " m"], E: Float[Array, "n e"], w: Float[Array, " T*e"], b: float
) -> Weights:
    """dJ/dE, dJ/dw and dJ/db. A row of E gets a share from every place where its word stands."""
    error = (probabilities(ids, E, w, b) - y) / len(y)  # dJ/d(score)
    dE = np.zeros_like(E)
    np.add.at(dE, ids, error[:, None, None] * w.reshape(ids.shape[1], -1))
    return dE, error @ E[ids].reshape(len(ids), -1), float(error.sum())


def trained(
    ids: Ids,
    y: Int[Array, " m"],
    n: int = 50,
    e: int = 8,
    steps: int = 500,
    rate: float = 1.0,
    seed: int = 0,
) -> Weights:
    """E, w and b after so many steps against the gradient, from small random numbers.

    >>> E, w, b = trained(np.array([[1, 2], [3, 2]]), np.array([1, 0]), n=4, e=2)
    >>> probabilities(np.array([[1, 2], [3, 2]]), E, w, b) > 0.5
    array([ True, False])
    """
    if ids.min() < 0 or ids.max() >= n:
        raise ValueError(f"Ids lie in 0 … {n - 1}; these go from {ids.min()} to {ids.max()}.")
    rng = np.random.default_rng(seed)
    E, w, b = rng.normal(0, 0.1, (n, e)), rng.normal(0, 0.1, ids.shape[1] * e), 0.0
    for _ in range(steps):
        dE, dw, db = gradients(ids, y, E, w, b)
        E, w, b = E - rate * dE, w - rate * dw, b - rate * db
    return E, w, b


def left_out(ids: Ids, y: Int[Array, " m"], seed: int = 0, **options) -> Int[Array, " m"]:
    """Each text's label as told by a network that was trained on all the others."""
    told = np.zeros_like(y)
    for i in range(len(y)):
        rest = np.arange(len(y)) != i
        p = probabilities(ids[i : i + 1], *trained(ids[rest], y[rest], seed=seed, **options))
        told[i] = p[0] > 0.5
    return told
