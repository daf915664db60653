"""Exercise 1.5: word vectors from the singular value decomposition.

X ≈ U diag(s) Vt     one row of U for each word, k columns of U, k numbers s, k rows of Vt
vectors = U s        one row for each word, k numbers in a row
"""

from collections.abc import Callable, Iterator

import numpy as np

from firth.checks.claims import Exercise


def vector_function(vectors=lambda U, s, Vt, k: U[:, :k] * s[:k], table=lambda X: X) -> Callable:
    """A function `word_vectors(X, k)`: the reference answer, or with other arguments a mistake.

    `table` changes X before the SVD, and `vectors` computes the word vectors from U, s, Vt and k.
    """

    def word_vectors(X, k):
        U, s, Vt = np.linalg.svd(table(np.asarray(X, dtype=float)), full_matrices=False)
        return vectors(U, s, Vt, k)

    return word_vectors


def same_signs(vectors, right) -> np.ndarray:
    """The learner's vectors with each column multiplied by 1 or −1, to match the right answer.

    The SVD leaves the sign of a column open, so answers are compared after this. If the dot product
    of the two columns is 0 except for rounding, the column stays as it is.
    """
    products = (vectors * right).sum(axis=0)
    return vectors * np.where(products < -1e-9 * (right * right).sum(), -1, 1)


def column_order(vectors, right) -> np.ndarray:
    """Two numbers, each 1 or 0: are the columns sorted by norm, and are they orthogonal?

    The first is 1 if no column has a larger norm than the one before it and none has only zeros.
    One claim compares only these two numbers. `right`, the right answer, is not used.
    """
    products = vectors.T @ vectors
    lengths = np.sqrt(np.diag(products))
    slack = 1e-4 * lengths.max(initial=0)
    sorted_columns = (np.diff(lengths) <= slack).all() and lengths.min(initial=1) > 0
    apart = np.abs(products - np.diag(np.diag(products))).max(initial=0)
    return np.array([sorted_columns, apart <= slack * lengths.max(initial=0)], dtype=float)


def mistake_unit_rows(U, s, Vt, k) -> np.ndarray:
    """The word vectors U s with k columns, each row scaled to norm 1: a wrong answer.

    The task keeps the norm of each word vector.
    """
    vectors = U[:, :k] * s[:k]
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


COLUMNS = "Those vectors belong to the columns of X. Which of U, s, Vt has a row for each word?"
DIRECTIONS = "The rows of Vt are directions and not words. Which factor has a row for each word?"
MEANS = "subtract the means first. The task does not ask for it. Can you leave it out?"
MISTAKES = {
    "s left out": (
        vector_function(lambda U, s, Vt, k: U[:, :k]),
        "All directions have the same weight in your vectors. Where is s?",
    ),
    "columns of X": (vector_function(lambda U, s, Vt, k: Vt[:k].T * s[:k]), COLUMNS),
    "columns of X without s": (vector_function(lambda U, s, Vt, k: Vt[:k].T), COLUMNS),
    "Vt for U": (vector_function(lambda U, s, Vt, k: Vt[:, :k] * s[:k]), DIRECTIONS),
    "rows of Vt": (vector_function(lambda U, s, Vt, k: Vt[:k]), DIRECTIONS),
    "k rows": (
        vector_function(lambda U, s, Vt, k: U[:k] * s),
        "U[:k] keeps k rows. Do you want fewer words, or fewer numbers for each word?",
    ),
    "k rows without s": (
        vector_function(lambda U, s, Vt, k: U[:k]),
        "U[:k] keeps k rows. Do you want fewer words?",
    ),
    "last k columns": (
        vector_function(lambda U, s, Vt, k: U[:, -k:] * s[-k:]),
        "You keep the last k columns. Where are the largest singular values, first or last?",
    ),
    "reversed": (
        vector_function(lambda U, s, Vt, k: (U[:, :k] * s[:k])[:, ::-1]),
        "Your columns begin with the smallest singular value. Which one should come first?",
    ),
    "first column left out": (
        vector_function(lambda U, s, Vt, k: U[:, 1 : k + 1] * s[1 : k + 1]),
        "You leave out the first column. Does Python count from 0 or from 1?",
    ),
    "all columns": (
        vector_function(lambda U, s, Vt, k: U * s),
        "You keep all columns. Where do you use k?",
    ),
    "root of s": (
        vector_function(lambda U, s, Vt, k: U[:, :k] * np.sqrt(s[:k])),
        "You multiply by √s. Here it is s itself. Which of the two keeps the dot products of X?",
    ),
    "square of s": (
        vector_function(lambda U, s, Vt, k: U[:, :k] * s[:k] ** 2),
        "You multiply by s². Is it X that you decompose, or X Xᵀ?",
    ),
    "divided by s": (
        vector_function(lambda U, s, Vt, k: U[:, :k] / s[:k]),
        "You divide by s. Should an important direction get larger or smaller numbers?",
    ),
    "table of rank k": (
        vector_function(lambda U, s, Vt, k: U[:, :k] * s[:k] @ Vt[:k]),
        "That is the table of rank k, with as many columns as X. How many numbers should a word"
        " have?",
    ),
    "means of columns": (
        vector_function(table=lambda X: X - X.mean(axis=0)),
        f"That is a principal component analysis of the columns: you {MEANS}",
    ),
    "means of rows": (
        vector_function(table=lambda X: X - X.mean(axis=1, keepdims=True)),
        f"That is a principal component analysis of the rows: you {MEANS}",
    ),
    "length 1": (
        vector_function(mistake_unit_rows),
        "All your vectors have length 1. Should each word keep its own length here?",
    ),
}
word_vectors = Exercise(
    name="word_vectors",
    chapter="01_lsa",
    number="1.5",
    difficulty=1,
    minutes=8,
    hints=(
        "np.linalg.svd returns three arrays. Which of them has a row for each word?",
        "The rows of U belong to the words. Keep the first k columns. Then multiply each column by"
        " its singular value.",
        "U, s, Vt = np.linalg.svd(X, full_matrices=False)\n"
        "return U[:, :k] * …  # by which k numbers?",
    ),
    right=vector_function(),
    mistakes=MISTAKES,
    stumbles={
        "broadcast": "Each column of U that you keep needs one number of s. Do you keep as many"
        " columns as numbers, and are the numbers multiplied along the columns?"
    },
    view=same_signs,
)


def tables(rng) -> Iterator[tuple]:
    """Inputs (X, k): tables of positive numbers in three shapes, and k, the directions to keep.

    A table with more columns than rows and one with more rows than columns catch answers that take
    the vectors of the columns for those of the rows, or that keep the wrong number of them.
    """
    for n, m, k in ((7, 5, 2), (5, 8, 3), (6, 6, 4)):
        yield rng.poisson(1.5, size=(n, m)) + rng.random((n, m)), k


word_vectors.agrees(
    "is the first k columns of U, each times its singular value (the sign of a column is free)",
    "Which array of the SVD has a row for each word? By what do you multiply its columns?",
    tables,
)
word_vectors.agrees(
    "keeps every dot product between two rows of X if k is as large as possible",
    "With the largest k, is vectors @ vectors.T the same table as X @ X.T?",
    lambda rng: [(X, X.shape[1]) for X, _ in tables(rng) if len(X) >= X.shape[1]],
    view=lambda vectors, right: vectors @ vectors.T,
)
word_vectors.agrees(
    "returns k numbers for each word, the most important direction first",
    "Do you keep k columns of U, and in the order in which np.linalg.svd returns them?",
    tables,
    view=column_order,
)
