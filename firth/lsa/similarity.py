"""Measures of how similar two vectors are, and the nearest rows of a table.

    dot(x, y)        = Σᵢ xᵢ yᵢ
    scaled_dot(x, y) = dot(x, y) / √d            d: how many numbers a vector has
    cosine(x, y)     = dot(x, y) / (‖x‖ ‖y‖)     = cos θ
    angle(x, y)      = θ, in degrees

x and y are vectors of d numbers, or tables with one vector in each row. Two tables are compared row
by row, and a single vector is compared with every row. The dot product rewards long vectors, and
frequent words have long vectors. The cosine depends on the directions only. Scaling by √d, the root
of the dimension, keeps the dot products of vectors with more dimensions at the same size.
"""

from collections.abc import Callable, Sequence
from typing import Union

import numpy as np
from jaxtyping import Float, Int, Num
from numpy import ndarray as Array

# Sparse tables are named, not imported: importing scipy.sparse costs as much as all the rest.
Table = Union[Num[Array, "V d"], "scipy.sparse.sparray"]  # noqa: F821

Scores = Float[Array, "*n"] | Int[Array, "*n"] | np.number  # a number for two vectors


def one_hot(ids: Int[Array, " n"], V: int) -> Float[Array, "n {V}"]:
    """One-hot vectors: a row for each id, with a 1 at position id and 0 everywhere else.

    They say which word it is and nothing else. Two different words have the dot product 0.

    >>> one_hot(np.array([2, 0]), V=3)
    array([[0., 0., 1.],
           [1., 0., 0.]], dtype=float32)
    """
    return (np.asarray(ids)[:, None] == np.arange(V)).astype(np.float32)


def table_bytes(V: int, d: int) -> int:
    """The bytes of a table of V vectors with d numbers of four bytes; one-hot vectors have d = V.

    >>> print(f"{table_bytes(10_000, 10_000):,} against {table_bytes(10_000, 300):,}")
    400,000,000 against 12,000,000
    """
    return 4 * V * d


def dot(x: Num[Array, "*#n d"], y: Num[Array, "*#n d"]) -> Scores:
    """The dot product: large if the vectors have large numbers at the same positions.

    >>> cherry, tomato, smartphone = np.array([[1, 4], [0, 3], [3, 0]])  # tech, fruitness
    >>> print(dot(cherry, tomato), dot(cherry, smartphone), dot(tomato, smartphone))
    12 3 0
    """
    return (x * y).sum(axis=-1)


def scaled_dot(x: Num[Array, "*#n d"], y: Num[Array, "*#n d"]) -> Scores:
    """The dot product divided by √d, which does not grow with the number of features.

    If x and y have d independent features of mean 0 and variance 1, their dot product has
    variance d. Dividing by √d brings it back to 1, whatever d is.

    >>> print(scaled_dot(np.array([1, 4]), np.array([0, 3])).round(2))
    8.49
    """
    return dot(x, y) / np.sqrt(x.shape[-1])


def unit(x: Num[Array, "*n d"]) -> Float[Array, "*n d"]:
    """The vectors scaled to length 1; a zero vector has no direction and stays zero.

    >>> unit(np.array([[3, 4], [0, 0]]))
    array([[0.6, 0.8],
           [0. , 0. ]])
    """
    length = np.linalg.norm(x, axis=-1, keepdims=True)
    return x / np.where(length == 0, 1, length)


def cosine(x: Num[Array, "*#n d"], y: Num[Array, "*#n d"]) -> Scores:
    """The cosine of the angle between vectors: 1 for the same direction, −1 for the opposite.

    A zero vector, such as the row of a word that was never seen, gets the cosine 0.

    >>> print(cosine(np.array([1, 4]), np.array([0, 3])).round(2))
    0.97
    """
    return dot(unit(x), unit(y))


def angle(x: Num[Array, "*#n d"], y: Num[Array, "*#n d"]) -> Scores:
    """The angle between the vectors, in degrees.

    >>> print(angle(np.array([1, 4]), np.array([0, 3])).round())
    14.0
    """
    return np.degrees(np.arccos(np.clip(cosine(x, y), -1, 1)))  # rounding may give 1 + 10⁻¹⁶


def distance(x: Num[Array, "*#n d"], y: Num[Array, "*#n d"]) -> Scores:
    """The Euclidean distance between the vectors.

    For vectors of length 1 it gives the same order as the cosine: ‖x − y‖² = 2 − 2 cos θ.

    >>> print(distance(np.array([1, 4]), np.array([4, 0])))
    5.0
    """
    return np.linalg.norm(x - y, axis=-1)


def cosine_table(X: Num[Array, "n d"], Y: Num[Array, "m d"]) -> Float[Array, "n m"]:
    """The cosine of every row of X with every row of Y, as a table.

    >>> words = np.array([[1, 4], [0, 3], [3, 0]])
    >>> cosine_table(words, words)
    array([[1.  , 0.97, 0.24],
           [0.97, 1.  , 0.  ],
           [0.24, 0.  , 1.  ]])
    """
    return unit(X) @ unit(Y).T


def nearest(
    X: Num[Array, "N d"], x: Num[Array, " d"], n: int, measure: Callable = cosine
) -> Int[Array, " best"]:
    """The indices of the n rows of X that are nearest to x, the nearest first.

    `measure(X, x)` gives a number for each row, larger for a nearer row. To use the distance, pass
    `lambda X, x: -distance(X, x)`. If x is a row of X, it is found first.

    >>> fruit = np.array([[6, 5], [5, 4], [6, 0]])  # banana, strawberry, car
    >>> nearest(fruit, np.array([5, 5]), n=2)
    array([0, 1])
    """
    if n < 1:
        raise ValueError(f"nearest cannot return {n} neighbours: ask for one or more.")
    return np.argsort(-measure(X, x), kind="stable")[:n]


def table_cosines(X: Table, x: Num[Array, " d"]) -> Float[Array, " V"]:
    """The cosine of each row of a table with a vector; the table may be sparse.

    >>> table_cosines(np.array([[1, 4], [0, 0]]), np.array([0, 3]))
    array([0.97, 0.  ])
    """
    X = X.astype(float)  # whole numbers of 32 bits are too small for squares of large counts
    squares = (X * X).sum(axis=1)
    lengths = np.sqrt(np.where(squares > 0, squares, np.inf)) * (np.linalg.norm(x) or 1)
    return (X @ x) / lengths


def nearest_words(X: Table, vocabulary: Sequence[str], word: str, n: int = 6) -> list[str]:
    """The n other words whose rows have the largest cosine with the row of `word`.

    >>> nearest_words(np.array([[6, 5], [5, 4], [6, 0]]), ["banana", "cherry", "car"], "cherry", 1)
    ['banana']
    """
    if word not in vocabulary:
        raise ValueError(f"{word!r} is not in the vocabulary: take one of its words.")
    i = vocabulary.index(word)
    row = X[[i]]
    x = np.asarray(row.toarray() if hasattr(row, "toarray") else row)[0]
    order = np.argsort(-table_cosines(X, x), kind="stable")
    return [vocabulary[j] for j in order[: n + 1] if j != i][:n]


def ranks(a: Num[Array, " n"]) -> Float[Array, " n"]:
    """The rank of each number, from 1; equal numbers get the mean of their ranks.

    >>> ranks(np.array([10, 30, 20, 20]))
    array([1. , 4. , 2.5, 2.5])
    """
    _, place, times = np.unique(a, return_inverse=True, return_counts=True)
    last = np.cumsum(times)
    return (last - (times - 1) / 2)[place]


def spearman(a: Num[Array, " n"], b: Num[Array, " n"]) -> float:
    """Spearman's rank correlation: 1 if a and b have the same order, −1 if the reverse order.

    People's ratings of word pairs and the cosines of a model have different scales, but both put
    the pairs in an order. So the correlation is computed from the ranks.

    >>> round(spearman(np.array([1, 2, 3]), np.array([0.1, 0.2, 7.0])), 6)
    1.0
    """
    x, y = ranks(a), ranks(b)
    if np.isnan(a).any() or np.isnan(b).any() or np.ptp(x) == 0 or np.ptp(y) == 0:
        raise ValueError("spearman needs numbers that differ and are not NaN: check a and b.")
    return float(cosine(x - x.mean(), y - y.mean()))
