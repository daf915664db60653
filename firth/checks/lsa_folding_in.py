"""Exercise 1, folding in: a place for a text that was not in the table.

X ≈ U diag(s) Vt     terms × texts, k columns of U, k numbers s, k rows of Vt
fold_in = q U / s    a place for the new text, beside the columns of Vt
"""

import numpy as np

from firth.checks.claims import Exercise


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
