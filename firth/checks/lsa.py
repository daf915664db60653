"""Exercise 1, the space: words as points, a place for a new text, and what it means.

X ≈ U diag(s) Vt     terms × texts, k columns of U, k numbers s, k rows of Vt
vectors = U s        a row for each word
fold_in = q U / s    a place for a text that was not in X, beside the columns of Vt

What comes before and after has modules of its own, lsa_counts to lsa_dimensions.
"""

import numpy as np

from firth.checks.claims import Exercise, Written


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


def collection(rng, n, m, k, usual=0.0):
    """A random table of weighted counts, less what is usual, and its first k axes."""
    X = rng.poisson(1.2, size=(n, m)) + rng.random((n, m)) - usual
    U, s, Vt = np.linalg.svd(X, full_matrices=False)
    return X, U[:, :k], s[:k], Vt[:k]


fold_in = Exercise(
    name="fold_in",
    chapter="01_lsa",
    number="1.6",
    difficulty=1,
    minutes=6,
    hints=(
        "A text of X is a column x = U diag(s) v. You know x, U and s: solve for v.",
        "The columns of U are at right angles and have length 1, so x U = s v, number by number.",
        "return q @ U …  # and what takes s away again?",
    ),
    right=lambda q, U, s: q @ U / s,
    stumbles={
        "mismatch": "U has a row for each word, q a number for each word: on which side of U does"
        " q stand?",
        "must be square": "U need not be square, and then has no inverse: what is Uᵀ U, with"
        " columns at right angles and of length 1?",
        "broadcast": "s has a number for each axis: does an axis of U go across or down?",
    },
)
fold_in.mistakes = [
    (
        lambda q, U, s: q @ U,
        "You have s v: what is left to do to get v, the scale of the columns of Vt?",
    ),
    (lambda q, U, s: q @ U * s, "You multiply by s: from s v to v, which way is it?"),
    (lambda q, U, s: q @ U / np.sqrt(s), "Where does the root come from? s v, divided by s …"),
    (lambda q, U, s: q @ U / s**2, "You divide by s twice: which one is too many?"),
    (
        lambda q, U, s: q @ (U * s) @ np.diag(s),
        "You multiply by s: from s v to v, which way is it?",
    ),
    (
        lambda q, U, s: q @ U / s / max(np.linalg.norm(q @ U / s), 1e-300),
        "Should a text of twice the words not lie twice as far out? You give it length 1.",
    ),
    (
        lambda q, U, s: q @ U / s / max(q.sum(), 1),
        "You divide by the number of words: should a text of twice the words not lie twice as far?",
    ),
    (
        lambda q, U, s: q @ U / s / max(np.linalg.norm(q), 1e-300),
        "You shorten q to length 1 first: should a text of twice the words not lie twice as far?",
    ),
    (lambda q, U, s: (q > 0) @ U / s, "A word that is in the text twice: does it count once?"),
    (lambda q, U, s: q @ U @ U.T, "You go into the space and come out again: where do you stop?"),
]


def queries(rng):
    for n, m, k in ((6, 5, 2), (9, 7, 3), (5, 8, 1)):
        _, U, s, _ = collection(rng, n, m, k)
        q = rng.integers(0, 3, size=n).astype(float)
        q[0] = 2
        yield q, U, s


def own_columns(rng):
    for n, m, k in ((6, 5, 2), (9, 7, 3)):
        X, U, s, _ = collection(rng, n, m, k)
        yield from ((X[:, j], U, s) for j in range(m))


def queries_tripled(rng):
    for q, U, s in queries(rng):
        yield q, U, s
        yield 3 * q, U, s
        yield 0 * q, U, s


fold_in.agrees(
    "is q U ÷ s, one number for each axis",
    "For q with a single word: is it that word's row of U, each number divided by its s?",
    queries,
)


fold_in.agrees(
    "puts a text that is in X onto its own column of Vt",
    "Fold in a column of X: do you come out at the column of Vt?",
    own_columns,
)
fold_in.agrees(
    "puts a text of three times the words three times as far out, and an empty text at the origin",
    "Fold in q, 3 q, and no word at all: are the places right, and is the second three times the"
    " first, the third 0?",
    queries_tripled,
)


explain_lsa = Written(
    name="explain_lsa",
    chapter="01_lsa",
    number="1.9",
    difficulty=2,
    minutes=20,
    rubric=(
        "says that “human” and “user” never stand in one title, so that counting together finds"
        " nothing",
        "says that they share company: names at least one word that stands with both",
        "says what the first k axes keep: what many rows and columns have in common",
        "says what is lost or blurred by dropping the other axes, with an example",
        "names a limit that no k removes (one vector a word, no order, a word never seen)",
    ),
)
