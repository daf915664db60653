"""Exercise 4, order: attention does not know it, until places have vectors of their own.

gap = max |f(X[order] + P) − f(X + P)[order]|,   f(X) = softmax(X Xᵀ) X
"""

import numpy as np

from firth.checks.claims import Claim, Exercise

from .claims import leaves
from .row_softmax import row_by_row, shares


def gathered(X):
    """Each word as the mixture of all of them that it looks at, one by one."""
    rows = []
    for x in X:
        a = shares([float(sum(x * other)) for other in X])
        rows.append(sum(weight * other for weight, other in zip(a, X, strict=True)))
    return np.array(rows)


def widest(X, P, order):
    """The right gap, number by number."""
    new = gathered(np.array([X[j] for j in order]) + P)
    old = gathered(X + P)
    return max(abs(a - b) for i, j in enumerate(order) for a, b in zip(new[i], old[j], strict=True))


def mixture(X, V=None, scale=1.0):
    return row_by_row(X @ X.T * scale) @ (X if V is None else V)


def compared(
    new=lambda f, X, P, order: f(X[order] + P),
    old=lambda f, X, P, order: f(X + P)[order],
    f=mixture,
    measure=lambda difference: np.abs(difference).max(),
):
    """A way of measuring the gap, the right one by default."""

    def order_gap(X, P, order):
        order = np.asarray(order)
        return measure(new(f, X, P, order) - old(f, X, P, order))

    return order_gap


def outside(f, X, P, order):
    return f(X[order]) + P


ALIKE = "Words and places move together in yours, or neither does: who should move, and who stay?"
PLACES = "P[order] moves the places: which should move, they or the words?"
INVERSE = (
    "The words of your first table stand in the order that undoes this one: is row 0 of X[order]"
    " the word order[0]?"
)
ZERO = (
    "Your gap is 0 with positions as well. A place keeps its vector, whichever word comes to stand"
    " there: when do you add P, before the words change places or after?"
)
order_gap = Exercise(
    name="order_gap",
    chapter="04_attention",
    number="4.8",
    difficulty=2,
    minutes=12,
    hints=(
        "Two tables, each with a row for each word in the new order. Which of them reorders first"
        " and looks then, and which looks first?",
        "Write f as a small function: softmax(X @ X.T) @ X. One table is f of the reordered text"
        " plus P; the other is f of the text plus P, its rows reordered. Then the greatest of all"
        " distances, number by number.",
        "def f(X):\n    return softmax(X @ X.T) @ X\n\nreturn np.abs(f(X[order] + P) - …).max()",
    ),
    right=widest,
    stumbles={
        "only integer": "Which of the three inputs numbers the rows?",
        "list indices": "`order` is a list: X[order] takes rows in a new order, if X is an array."
        " Is it?",
    },
)
order_gap.mistakes = [
    (compared(new=lambda f, X, P, order: f((X + P)[order])), ZERO),
    (
        compared(new=lambda f, X, P, order: f(X[order]), old=lambda f, X, P, order: f(X)[order]),
        ZERO,
    ),
    (
        compared(new=outside, old=lambda f, X, P, order: (f(X) + P)[order]),
        "You add P when the looking is over: how could it change who looks at whom?",
    ),
    (
        compared(
            new=lambda f, X, P, order: f(X[order] + P[order]), old=lambda f, X, P, order: f(X + P)
        ),
        ALIKE,
    ),
    (
        compared(
            new=lambda f, X, P, order: f(X + P)[order], old=lambda f, X, P, order: f(X + P[order])
        ),
        PLACES,
    ),
    (compared(old=lambda f, X, P, order: f(X + P[order])[order]), PLACES),
    (
        compared(
            new=lambda f, X, P, order: mixture(X[order] + P, X[order]),
            old=lambda f, X, P, order: mixture(X + P, X)[order],
        ),
        "Your scores know the positions, and what they mix does not: what does f mix?",
    ),
    (
        compared(old=lambda f, X, P, order: f(X + P)),
        "You compare a word with whichever stood at its place before: whose row should be compared"
        " with whose?",
    ),
    (
        compared(old=lambda f, X, P, order: f(X + P)[np.argsort(order)]),
        "You put the rows back where they came from: into which order should they go?",
    ),
    (
        compared(new=lambda f, X, P, order: f(X[np.argsort(order)] + P)),
        INVERSE,
    ),
    (
        compared(
            new=lambda f, X, P, order: f(X[np.argsort(order)] + P),
            old=lambda f, X, P, order: f(X + P)[np.argsort(order)],
        ),
        INVERSE,
    ),
    (
        compared(old=lambda f, X, P, order: f(X)[order]),
        "One of your tables knows no positions: should P not be in both?",
    ),
    (
        compared(new=lambda f, X, P, order: f(X[order])),
        "One of your tables knows no positions: should P not be in both?",
    ),
    (
        compared(f=lambda X: mixture(X, scale=X.shape[1] ** -0.5)),
        "Where does the root come from? In this f the words look as they are.",
    ),
    (compared(f=lambda X: X @ X.T @ X), "Where is the softmax?"),
    (
        compared(f=lambda X: row_by_row((X @ X.T).T).T @ X),
        "Your columns add up to 1: each word shares out its own look. Along which axis?",
    ),
    (
        compared(f=lambda X: row_by_row(X @ X.T)),
        "You compare weights: what do the weights mix?",
    ),
    (
        compared(measure=lambda x: x.max()),
        "A difference may be below 0: which sign should not count?",
    ),
    (
        compared(
            new=lambda f, X, P, order: f(X[order] + P).max(),
            old=lambda f, X, P, order: f(X + P)[order].max(),
        ),
        "You take the greatest number of each table and then their distance: which comes first?",
    ),
    (
        compared(measure=lambda x: np.linalg.norm(x, np.inf)),
        "Of a table, norm with inf adds up each row first: is the greatest sum asked for?",
    ),
    (
        compared(measure=lambda x: np.abs(x).mean()),
        "That is the mean of the distances: which of them is asked for?",
    ),
    (
        compared(measure=lambda x: np.abs(x).sum()),
        "You add up the distances: which of them is asked for?",
    ),
    (
        compared(measure=lambda x: (x**2).sum() ** 0.5),
        "That is the length of the difference: asked for is the greatest number in it, is it not?",
    ),
    (
        compared(measure=lambda x: (x**2).max()),
        "You take squares: what must come after, or instead?",
    ),
    (
        compared(measure=lambda x: np.linalg.norm(x, axis=1).max()),
        "That is the longest row of the difference: asked for is the greatest number, is it not?",
    ),
    (compared(measure=np.abs), "Those are all distances: can you make one number of them?"),
]


def turn(rng, n):
    """An order that leaves no word where it was, and does not undo itself."""
    places = rng.permutation(n)
    order = np.zeros(n, dtype=int)
    order[places] = np.roll(places, 1)
    return [int(j) for j in order]


def orders(rng, *sizes):
    """Texts and their mirrors: the greatest difference is below 0 in one of each two."""
    for n, d in sizes:
        X, P = rng.normal(size=(2, n, d))
        order = turn(rng, n)
        yield X, P, order
        yield -X, -P, order


def only_with_positions(call, rng):
    """Whether the gap is 0 without positions, and what it should be with them."""
    for X, P, order in orders(rng, (3, 3), (4, 2), (5, 4)):
        with_them, without = call(X, P, order), call(X, 0 * P, order)
        if with_them.shape or without.shape:
            return "One number is asked for: how do you make it of a table of differences?"
        if not abs(without) < 1e-6:
            return "Without positions, P = 0, there is a gap in yours: whose row belongs to whom?"
        if not with_them > 1e-6:
            return ZERO
    return True


order_gap.claims.append(
    Claim(
        "is 0 without positions, and wide open with them",
        "On paper, two words and P = 0: which row of f(X) belongs to which row of f(X[order])?",
        only_with_positions,
        1,
    )
)
order_gap.agrees(
    "is the greatest distance between f(X[order] + P) and f(X + P)[order]",
    "Two words of one number each, on paper: what are the two tables, and how far apart?",
    lambda rng: orders(rng, (3, 3), (4, 2), (5, 4), (4, 4)),
    points=2,
)
leaves(
    order_gap,
    "takes longer texts, and leaves X, P and order as they were",
    "Do you write into what you were handed, as `X += P` and `order.sort()` do? Whose positions has"
    " X when it is used again?",
    lambda rng: orders(rng, (6, 3), (7, 2), (8, 5)),
    special="These texts have six words and more: does anything in yours count on fewer?",
)
