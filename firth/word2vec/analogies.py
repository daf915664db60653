"""Analogies: a is to b as c is to whom?

    d = argmax over words x of cos(x, b − a + c)          rows first brought to length 1

king − man + woman is a place among the vectors, and the answer is the word nearest to it. What is
nearest is mostly one of the three words asked with, so custom leaves those out of the answers
(`exclude`). To see how much of the arithmetic is custom, ask both ways.

A test set holds questions (a, b, c, d) by category. Accuracy is the share answered with d, of those
whose four words are known: it says nothing of the others, so each line says how many it asked.
"""

from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray as Array

from firth.lsa.similarity import unit

Vectors = Float[Array, "n d"]
Word = int | np.integer
CELLS = 20_000_000  # cosines at a time: 80 MB of float32


def targets(X: Vectors, asked: Int[Array, "q 3"]) -> Float[Array, "q d"]:
    """The places b − a + c for rows X of length 1: where the answers should be.

    >>> targets(np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]), np.array([[0, 1, 2]]))
    array([[0., 1.]])
    """
    a, b, c = asked.T
    return unit(X[b] - X[a] + X[c])


def analogy(
    vectors: Vectors, a: Word, b: Word, c: Word, n: int = 1, exclude: bool = True
) -> tuple[Int[Array, " best"], Float[Array, " best"]]:
    """The n words nearest to b − a + c, best first, with their cosines.

    >>> man, woman, king = 0, 1, 2
    >>> X = np.array([[4.0, 3.0], [3.0, 4.0], [1.0, 0.0], [0.8, 0.3]])  # and queen
    >>> print(analogy(X, man, woman, king)[0])
    [3]
    """
    asked = np.array([a, b, c])
    if not 0 <= asked.min() <= asked.max() < len(vectors):
        raise ValueError(f"Words are asked with by ids from 0 to {len(vectors) - 1}.")
    if not 1 <= n <= len(vectors) - 3 * exclude:
        raise ValueError(f"Ask for 1 to {len(vectors) - 3 * exclude} answers, not {n}.")
    X = unit(vectors)
    cosines = X @ targets(X, asked[None])[0]
    if exclude:
        cosines[asked] = -np.inf
    best = np.argsort(-cosines, kind="stable")[:n]
    return best, cosines[best]


def answers(vectors: Vectors, asked: Int[Array, "q 3"], exclude: bool = True) -> Int[Array, " q"]:
    """The best word for each question (a, b, c): a matrix product for many questions at a time.

    >>> X = np.array([[4.0, 3.0], [3.0, 4.0], [1.0, 0.0], [0.8, 0.3]])
    >>> answers(X, np.array([[0, 1, 2], [1, 0, 3]]))
    array([3, 2])
    """
    X = unit(vectors).astype(np.float32)
    places = targets(X, asked)
    size = max(1, CELLS // len(X))
    best = np.empty(len(asked), dtype=np.int64)
    for begin in range(0, len(asked), size):
        some = slice(begin, begin + size)
        cosines = places[some] @ X.T
        if exclude:
            np.put_along_axis(cosines, asked[some], -np.inf, axis=1)
        best[some] = cosines.argmax(axis=1)
    return best


def accuracy(
    words: Sequence[str],
    vectors: Vectors,
    questions: Mapping[str, Sequence[tuple[str, str, str, str]]],
    exclude: bool = True,
) -> dict[str, tuple[int, int, int]]:
    """For each category how many questions were answered rightly, asked, and given; then "all".

    >>> X = np.array([[4.0, 3.0], [3.0, 4.0], [1.0, 0.0], [0.8, 0.3]])
    >>> family = [("man", "woman", "king", "queen"), ("man", "woman", "boy", "girl")]
    >>> accuracy(["man", "woman", "king", "queen"], X, {"family": family})
    {'family': (1, 1, 2), 'all': (1, 1, 2)}
    """
    if len(words) != len(vectors):
        raise ValueError(f"{len(words)} words and {len(vectors)} vectors: give each word one row.")
    place = {word: i for i, word in enumerate(words)}
    known = {
        name: [[place[word] for word in four] for four in some if {*four} <= place.keys()]
        for name, some in questions.items()
    }
    every = np.array(list(chain.from_iterable(known.values())), dtype=np.int64).reshape(-1, 4)
    if not len(every):
        raise ValueError("No question has four words that are known: take more words.")
    right = answers(vectors, every[:, :3], exclude) == every[:, 3]
    table, begin = {}, 0
    for name, some in known.items():
        end = begin + len(some)
        table[name] = int(right[begin:end].sum()), len(some), len(questions[name])
        begin = end
    return table | {"all": (int(right.sum()), len(every), sum(map(len, questions.values())))}
