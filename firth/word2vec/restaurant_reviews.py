"""Ten restaurant reviews: a small network (embedding, flatten, dense) that learns an embedding.

    x  = [E[w_1]; E[w_2]; …; E[w_T]]           the rows of T words, one after the other
    p  = σ(w · x + b)                          the predicted probability of label 1
    J  = −mean(y log p + (1 − y) log(1 − p))

The embedding E (n × e), the weights w (T·e) and b are all learned from the same gradient. A hash
chooses the row of a word, so no vocabulary is stored, and two words may share a row. Texts get the
same length by padding with 0, which is no word. Flattening gives each position its own weights, so
a word that moves by one position meets other weights. The network fits ten texts with 433
parameters, so its accuracy on these ten means nothing; each text has to be predicted by a network
that has not seen it.
"""

from collections.abc import Sequence
from hashlib import md5

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray as Array

Ids = Int[Array, "m T"]
Weights = tuple[Float[Array, "n e"], Float[Array, " T*e"], float]


def hashed(word: str, n: int) -> int:
    """The row of the embedding matrix for a word, chosen by a hash, from 1 to n − 1.

    Row 0 is for padding. Python's own `hash` of a text changes with every start of Python. MD5
    stays the same.

    >>> hashed("horrible", 50) == hashed("horrible", 50) and 1 <= hashed("horrible", 50) < 50
    True
    """
    if n < 2:
        raise ValueError(
            f"With {n} rows there is none for words beside that of padding: take n ≥ 2."
        )
    return int(md5(word.encode(), usedforsecurity=False).hexdigest(), 16) % (n - 1) + 1


def collisions(words: Sequence[str], n: int) -> list[list[str]]:
    """Lists of different words that have the same row of n, so that the network confuses them.

    >>> collisions(["cold", "food", "cold"], n=2)  # one row for all
    [['cold', 'food']]
    """
    groups: dict[int, list[str]] = {}
    for word in dict.fromkeys(words):
        groups.setdefault(hashed(word, n), []).append(word)
    return [group for group in groups.values() if len(group) > 1]


def padded(texts: Sequence[Sequence[int]], T: int, before: bool = False) -> Ids:
    """A row of T ids for each text: zeros are appended to short texts, and long texts are cut.

    With `before`, zeros stand before the words and long texts lose their beginning, as in Keras
    by default. That matters to a network that reads its output from the last position.

    >>> padded([[18, 39, 17], [6, 9, 11, 21, 5]], T=4)
    array([[18, 39, 17,  0],
           [ 6,  9, 11, 21]])
    >>> padded([[18, 39, 17], [6, 9, 11, 21, 5]], T=4, before=True)
    array([[ 0, 18, 39, 17],
           [ 9, 11, 21,  5]])
    """
    if T < 1:
        raise ValueError(f"A padded text has one position or more, not {T}.")
    rows = np.zeros((len(texts), T), dtype=int)
    for row, text in zip(rows, texts, strict=True):
        if before:
            row[max(0, T - len(text)) :] = text[-T:]
        else:
            row[: len(text)] = text[:T]
    return rows


def probabilities(ids: Ids, E: Float[Array, "n e"], w: Float[Array, " T*e"], b: float) -> Array:
    """An array with the predicted probability of label 1 for each text."""
    return 1 / (1 + np.exp(-(E[ids].reshape(len(ids), -1) @ w + b)))


def gradients(
    ids: Ids, y: Int[Array, " m"], E: Float[Array, "n e"], w: Float[Array, " T*e"], b: float
) -> Weights:
    """The gradients ∂J/∂E, ∂J/∂w and ∂J/∂b; each position of a word adds to its row of ∂J/∂E."""
    error = (probabilities(ids, E, w, b) - y) / len(y)  # ∂J/∂(score)
    dE = np.zeros_like(E)
    np.add.at(dE, ids, error[:, None, None] * w.reshape(ids.shape[1], -1))
    return dE, error @ E[ids].reshape(len(ids), -1), float(error.sum())


def train(
    ids: Ids,
    y: Int[Array, " m"],
    n: int = 50,
    e: int = 8,
    steps: int = 500,
    learning_rate: float = 1.0,
    seed: int = 0,
) -> Weights:
    """E, w and b after gradient descent from small random values.

    >>> E, w, b = train(np.array([[1, 2], [3, 2]]), np.array([1, 0]), n=4, e=2)
    >>> probabilities(np.array([[1, 2], [3, 2]]), E, w, b) > 0.5
    array([ True, False])
    """
    if ids.min() < 0 or ids.max() >= n:
        raise ValueError(f"Word ids lie in 0 … {n - 1}, not {ids.min()} … {ids.max()}: check n.")
    rng = np.random.default_rng(seed)
    E, w, b = rng.normal(0, 0.1, (n, e)), rng.normal(0, 0.1, ids.shape[1] * e), 0.0
    for _ in range(steps):
        dE, dw, db = gradients(ids, y, E, w, b)
        E, w, b = E - learning_rate * dE, w - learning_rate * dw, b - learning_rate * db
    return E, w, b


def predict_left_out(ids: Ids, y: Int[Array, " m"], seed: int = 0, **options) -> Int[Array, " m"]:
    """An array with a label for each text, predicted by a network trained on all other texts.

    `options` are those of `train`. This is leave-one-out cross-validation.
    """
    predicted = np.zeros_like(y)
    for i in range(len(y)):
        rest = np.arange(len(y)) != i
        weights = train(ids[rest], y[rest], seed=seed, **options)
        predicted[i] = probabilities(ids[i : i + 1], *weights)[0] > 0.5
    return predicted
