"""Training with word2vec's losses on a short text, one step for each example.

    U −= η ∂J/∂U        V −= η ∂J/∂V

An example is a centre word with its context words, or for negative sampling a positive pair of
words. The learning rate η falls linearly. Each step computes gradients for all of U and V, so this
is for texts of a few hundred words; `firth.word2vec.skipgram` trains on millions.
"""

import numpy as np
from jaxtyping import Float
from numpy import ndarray as Array

from firth.lsa.counts import windows

from .word2vec import (
    Text,
    Vectors,
    cbow,
    initial_vectors,
    learning_rate,
    negative_sampling,
    noise,
    pairs,
    skip_gram,
    text,
)


def train(
    ids: Text, n: int, d: int, m: int, method: str = "negative sampling",
    epochs: int = 50, k: int = 5, first: float = 0.1, seed: int = 0,
) -> tuple[Vectors, Vectors, Float[Array, " epochs"]]:  # fmt: skip
    """U, V and the mean loss of every epoch, trained with one step for each example.

    The examples come in reading order, and the learning rate falls from `first`. Negative sampling
    draws k noise words for each example. This is slow: use it for a few hundred words.

    >>> U, V, losses = train(np.array([0, 1, 2, 1] * 9), n=3, d=2, m=1, method="CBOW", first=0.5)
    >>> print(losses[[0, -1]].round(2), (V[[0, 2]] @ U.T).argmax(axis=1))  # both predict 1
    [0.7  0.35] [1 1]
    """
    if min(n - 1, d, epochs, k) < 1:
        raise ValueError("Training takes two words, and 1 or more of d, of epochs and of k.")
    row = text(ids, m, n)
    probability = noise(np.bincount(row[row >= 0], minlength=n))
    rng, todo = np.random.default_rng(seed), examples(ids, m, method)
    U, V = initial_vectors(n, d, seed)
    losses = np.zeros(epochs)
    for step in range(epochs * len(todo)):
        w, context = todo[step % len(todo)]
        if method == "CBOW":
            J, dU, dV = cbow(U, V, context, w)
        elif method == "skip-gram":
            J, dU, dV = skip_gram(U, V, w, context)
        else:
            J, dU, dV = negative_sampling(U, V, w, context, rng.choice(n, k, p=probability))
        η = learning_rate(step / (epochs * len(todo)), first)
        U -= η * dU
        V -= η * dV
        losses[step // len(todo)] += J / len(todo)
    return U, V, losses


def examples(ids: Text, m: int, method: str) -> list:
    """A list of (centre word, array of its context words), or of positive pairs of words.

    Negative sampling learns from pairs; CBOW and skip-gram take all context words at once.
    """
    if method not in ("CBOW", "skip-gram", "negative sampling"):
        raise ValueError(f"{method!r} is not CBOW, skip-gram or negative sampling: take one.")
    found = list(pairs(ids, m))
    if not found:
        raise ValueError(f"No two known words stand within {m} positions: take a longer text.")
    if method == "negative sampling":
        return found
    around = [(w, np.array(context)) for w, context in windows(text(ids, m).tolist(), m) if w >= 0]
    return [(w, context[context >= 0]) for w, context in around if (context >= 0).any()]
