"""Exercise 1, the space: words as points.

X ≈ U diag(s) Vt     terms × texts, k columns of U, k numbers s, k rows of Vt
vectors = U s        a row for each word
"""

import numpy as np

from firth.checks.claims import Exercise


def placed(place=lambda U, s, Vt, k: U[:, :k] * s[:k], table=lambda X: X):
    """A way of reading vectors off the SVD, the words' by default."""

    def word_vectors(X, k):
        U, s, Vt = np.linalg.svd(table(np.asarray(X, dtype=float)), full_matrices=False)
        return place(U, s, Vt, k)

    return word_vectors


def same_signs(vectors, right):
    """The vectors with each axis turned as in the right ones: an SVD may turn any of them."""
    return vectors * np.where((vectors * right).sum(axis=0) < 0, -1, 1)


TEXTS = "Those are the columns' vectors, the texts': which factor has a row for each word?"
AXES = "The rows of Vt are axes, not words: which factor has a row for each word?"
word_vectors = Exercise(
    name="word_vectors",
    chapter="01_lsa",
    number="1.4",
    difficulty=1,
    minutes=8,
    hints=(
        "np.linalg.svd gives three things. Which of them has a row for each word?",
        "U has the words; each axis still wants its weight.",
        "U, s, Vt = np.linalg.svd(X, full_matrices=False)\n"
        "return U[:, :k] * …  # stretched by what?",
    ),
    right=placed(),
    stumbles={
        "broadcast": "Each column of U that you keep has one number of s: are there as many of the"
        " one as of the other, and do the numbers stand along the columns?"
    },
    view=same_signs,
)
word_vectors.mistakes = [
    (placed(lambda U, s, Vt, k: U[:, :k]), "All axes weigh the same: where did s go?"),
    (placed(lambda U, s, Vt, k: Vt[:k].T * s[:k]), TEXTS),
    (placed(lambda U, s, Vt, k: Vt[:k].T), TEXTS),
    (placed(lambda U, s, Vt, k: Vt[:, :k] * s[:k]), AXES),
    (placed(lambda U, s, Vt, k: Vt[:k]), AXES),
    (
        placed(lambda U, s, Vt, k: U[:k] * s),
        "U[:k] keeps k words: is it words you want fewer of, or axes?",
    ),
    (placed(lambda U, s, Vt, k: U[:k]), "U[:k] keeps k words: is it words you want fewer of?"),
    (
        placed(lambda U, s, Vt, k: U[:, -k:] * s[-k:]),
        "You keep the last k axes: where are the great singular values, first or last?",
    ),
    (
        placed(lambda U, s, Vt, k: (U[:, :k] * s[:k])[:, ::-1]),
        "The axes stand in rising order: which should come first?",
    ),
    (
        placed(lambda U, s, Vt, k: U[:, 1 : k + 1] * s[1 : k + 1]),
        "You leave the first axis out: does Python count from 0 or from 1?",
    ),
    (placed(lambda U, s, Vt, k: U * s), "You keep all the axes: where does k come in?"),
    (
        placed(lambda U, s, Vt, k: U[:, :k] * np.sqrt(s[:k])),
        "You stretch by √s? The chapter tries √s too; here it is s, which keeps the dot products"
        " of X.",
    ),
    (
        placed(lambda U, s, Vt, k: U[:, :k] * s[:k] ** 2),
        "You stretch by s²: is s already in, perhaps because of X Xᵀ?",
    ),
    (placed(lambda U, s, Vt, k: U[:, :k] / s[:k]), "You divide by s: stretch or shrink?"),
    (
        placed(lambda U, s, Vt, k: U[:, :k] * s[:k] @ Vt[:k]),
        "That is the rank-k picture of X itself; how many numbers does each of its rows have,"
        " and how many are asked for?",
    ),
    (
        placed(table=lambda X: X - X.mean(axis=0)),
        "You subtract the columns' means: that is principal components. Who asked for it?",
    ),
    (
        placed(table=lambda X: X - X.mean(axis=1, keepdims=True)),
        "You subtract the rows' means: that is principal components. Who asked for it?",
    ),
    (
        placed(
            lambda U, s, Vt, k: (
                U[:, :k] * s[:k] / np.linalg.norm(U[:, :k] * s[:k], axis=1, keepdims=True)
            )
        ),
        "All vectors have length 1: should a word keep its length here?",
    ),
]


def rectangles(rng):
    for n, m, k in ((7, 5, 2), (5, 8, 3), (6, 6, 4)):
        yield rng.poisson(1.5, size=(n, m)) + rng.random((n, m)), k


word_vectors.agrees(
    "is the first k columns of U, each times its singular value (the sign of an axis is free)",
    "Which factor of the SVD has a row for each word, and what is each of its columns times?",
    rectangles,
)


word_vectors.agrees(
    "keeps, with all the axes, every dot product between two rows of X",
    "With k as great as it can be, is vectors @ vectors.T the same table as X @ X.T?",
    lambda rng: [(X, X.shape[1]) for X, _ in rectangles(rng) if len(X) >= X.shape[1]],
    view=lambda vectors, right: vectors @ vectors.T,
)
word_vectors.agrees(
    "gives k numbers a word, the axis that matters most first",
    "How long is each column of your answer? Is it the singular values, the greatest first?",
    rectangles,
    view=lambda vectors, right: np.linalg.norm(vectors, axis=0),
)
