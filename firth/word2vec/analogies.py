"""Analogies: a is to b as c is to which word d?

    d = argmax over words x of cos(x, b − a + c)          each row is first scaled to length 1

The answer to *man is to woman as king is to …* is the word nearest to woman − man + king. The
nearest of all is mostly one of these three words, so the usual rule leaves the input words out of
the answers (`exclude`). To see how much of an accuracy comes from the rule, ask with and without.

A test set holds questions (a, b, c, d) by category. Accuracy is the share of questions answered
with d, among those whose four words are in the vocabulary.
"""

from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray as Array

from firth.lsa.similarity import unit

Vectors = Float[Array, "n d"]
Word = int | np.integer
COSINES = 20_000_000  # computed at a time: 80 MB of float32


def targets(X: Vectors, questions: Int[Array, "q 3"]) -> Float[Array, "q d"]:
    """The vectors b − a + c, scaled to length 1, for each question (a, b, c) about rows of X.

    The rows of X have length 1.

    >>> targets(np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]), np.array([[0, 1, 2]]))
    array([[0., 1.]])
    """
    a, b, c = questions.T
    return unit(X[b] - X[a] + X[c])


def analogy(
    vectors: Vectors, a: Word, b: Word, c: Word, n: int = 1, exclude: bool = True
) -> tuple[Int[Array, " best"], Float[Array, " best"]]:
    """The ids of the n words nearest to b − a + c, nearest first, and their cosines with it.

    The input words a, b and c are no answers unless `exclude` is False.

    >>> man, woman, king = 0, 1, 2
    >>> X = np.array([[4.0, 3.0], [3.0, 4.0], [1.0, 0.0], [0.8, 0.3]])  # and queen
    >>> print(analogy(X, man, woman, king)[0])
    [3]
    """
    check_question(len(vectors), (a, b, c), n, exclude)
    X = unit(vectors)
    cosines = X @ targets(X, np.array([[a, b, c]]))[0]
    if exclude:
        cosines[[a, b, c]] = -np.inf
    best = np.argsort(-cosines, kind="stable")[:n]
    return best, cosines[best]


def check_question(size: int, words: Sequence[Word], n: int, exclude: bool) -> None:
    """Raises a ValueError if a vocabulary of this size cannot answer with n words.

    With `exclude`, the three input words are no answers.
    """
    if not 0 <= min(words) <= max(words) < size:
        raise ValueError(f"The input words a, b and c have ids from 0 to {size - 1}.")
    most = size - 3 * exclude
    if not 1 <= n <= most:
        raise ValueError(f"Ask for 1 to {most} answers, not {n}.")


def answers(
    vectors: Vectors, questions: Int[Array, "q 3"], exclude: bool = True
) -> Int[Array, " q"]:
    """The id of the best answer to each question (a, b, c), many questions at a time.

    The input words a, b and c are no answers unless `exclude` is False.

    >>> X = np.array([[4.0, 3.0], [3.0, 4.0], [1.0, 0.0], [0.8, 0.3]])
    >>> answers(X, np.array([[0, 1, 2], [1, 0, 3]]))
    array([3, 2])
    """
    X = unit(vectors).astype(np.float32)
    target = targets(X, questions)
    size = max(1, COSINES // len(X))
    best = np.empty(len(questions), dtype=np.int64)
    for begin in range(0, len(questions), size):
        batch = slice(begin, begin + size)
        cosines = target[batch] @ X.T
        if exclude:
            np.put_along_axis(cosines, questions[batch], -np.inf, axis=1)
        best[batch] = cosines.argmax(axis=1)
    return best


def accuracy(
    words: Sequence[str],
    vectors: Vectors,
    questions: Mapping[str, Sequence[tuple[str, str, str, str]]],
    exclude: bool = True,
) -> dict[str, tuple[int, int, int]]:
    """A dict from each category, and from "all", to (right answers, answered, all questions).

    A question is answered if its four words are in the vocabulary.

    >>> X = np.array([[4.0, 3.0], [3.0, 4.0], [1.0, 0.0], [0.8, 0.3]])
    >>> family = [("man", "woman", "king", "queen"), ("man", "woman", "boy", "girl")]
    >>> accuracy(["man", "woman", "king", "queen"], X, {"family": family})
    {'family': (1, 1, 2), 'all': (1, 1, 2)}
    """
    if len(words) != len(vectors):
        raise ValueError(f"{len(words)} words and {len(vectors)} vectors: give each word one row.")
    known = known_questions(words, questions)
    every = np.array(list(chain.from_iterable(known.values())), dtype=np.int64).reshape(-1, 4)
    if not len(every):
        raise ValueError("No question has four words that are known: take more words.")
    right = answers(vectors, every[:, :3], exclude) == every[:, 3]
    table, begin = {}, 0
    for category, ids in known.items():
        end = begin + len(ids)
        table[category] = int(right[begin:end].sum()), len(ids), len(questions[category])
        begin = end
    return table | {"all": (int(right.sum()), len(every), sum(map(len, questions.values())))}


def known_questions(
    words: Sequence[str], questions: Mapping[str, Sequence[tuple[str, str, str, str]]]
) -> dict[str, list[list[int]]]:
    """A dict from each category to its questions whose four words are known, as lists of ids."""
    index = {word: i for i, word in enumerate(words)}
    return {
        category: [[index[word] for word in four] for four in fours if {*four} <= index.keys()]
        for category, fours in questions.items()
    }
