"""Exercise 4.8: how much the output of attention depends on the order of the words.

gap = max |f(X[order] + P) − f(X + P)[order]|,   f(X) = softmax(X Xᵀ) X

Without position embeddings, P = 0, the gap is 0: f is permutation equivariant.
"""

from collections.abc import Callable, Iterator

import numpy as np

from firth.checks.cases import drawn
from firth.checks.claims import Claim, Exercise

from .claims import add_claim_about_unchanged_inputs, rounded
from .row_softmax import row_softmax, softmax_of_columns, softmax_of_row


def self_attention_by_word(X):
    """The output softmax(X Xᵀ) X, one word after the other."""
    rows = []
    for x in X:
        a = softmax_of_row([float(sum(x * other)) for other in X])
        rows.append(sum(weight * other for weight, other in zip(a, X, strict=True)))
    return np.array(rows)


def reference(X, P, order):
    """The right `order_gap`, one number after the other."""
    new = self_attention_by_word(np.array([X[j] for j in order]) + P)
    old = self_attention_by_word(X + P)
    return max(abs(a - b) for i, j in enumerate(order) for a, b in zip(new[i], old[j], strict=True))


def self_attention(X, V=None, scale=1.0):
    """softmax(scale · X Xᵀ) V, where V is X itself unless it is given."""
    return row_softmax(X @ X.T * scale) @ (X if V is None else V)


def gap_function(
    new=lambda f, X, P, order: f(X[order] + P),
    old=lambda f, X, P, order: f(X + P)[order],
    f=self_attention,
    measure=lambda difference: np.abs(difference).max(),
) -> Callable:
    """A function `order_gap(X, P, order)`: the reference answer, or with another part a mistake.

    `new` and `old` make the two tables, and `measure` makes one number of their difference.
    """

    def order_gap(X, P, order):
        order = np.asarray(order)
        return measure(new(f, X, P, order) - old(f, X, P, order))

    return order_gap


BOTH_OR_NONE = (
    "In your function, words and position embeddings move together, or both stay. Which of them"
    " should move, and which should stay?"
)
POSITIONS_MOVE = "P[order] moves the position embeddings. Should they move, or the words?"
INVERSE = (
    "You use the inverse of `order`. Row i of the new text is row order[i] of the old text. Is this"
    " true of your new text?"
)
NO_GAP = (
    "Your gap is 0, also with position embeddings. A position embedding belongs to its position,"
    " whatever word stands there. Do you add P before or after you reorder the words?"
)
NO_POSITIONS = "One of your two tables has no position embeddings. Should P be in both?"
COPY = (
    "`Y = X` makes no copy, so `Y += P` changes X as well. Does X still hold the words alone when"
    " you use it again?"
)
MISTAKES = {
    "reordered with positions": (
        gap_function(new=lambda f, X, P, order: f((X + P)[order])), NO_GAP),
    "no positions": (
        gap_function(lambda f, X, P, order: f(X[order]), lambda f, X, P, order: f(X)[order]),
        NO_GAP),
    "P added to the outputs": (
        gap_function(
            lambda f, X, P, order: f(X[order]) + P, lambda f, X, P, order: (f(X) + P)[order]),
        "You add P to the outputs. Can it still change the scores then?"),
    "words and positions move": (
        gap_function(
            lambda f, X, P, order: f(X[order] + P[order]), lambda f, X, P, order: f(X + P)),
        BOTH_OR_NONE),
    "positions move, words do not": (
        gap_function(
            lambda f, X, P, order: f(X + P)[order], lambda f, X, P, order: f(X + P[order])),
        POSITIONS_MOVE),
    "positions move in the old text": (
        gap_function(old=lambda f, X, P, order: f(X + P[order])[order]), POSITIONS_MOVE),
    "X changed": (
        gap_function(new=lambda f, X, P, order: f((X + P)[order] + P)), COPY),
    "words alone mixed": (
        gap_function(
            lambda f, X, P, order: self_attention(X[order] + P, X[order]),
            lambda f, X, P, order: self_attention(X + P, X)[order]),
        "Your scores contain P, but you mix the words without P. What does f mix?"),
    "rows of X mixed": (
        gap_function(
            lambda f, X, P, order: self_attention(X[order] + P, X),
            lambda f, X, P, order: self_attention(X + P, X)[order]),
        "Your weights always mix the rows of X, without P and in the old order. Which table does f"
        " mix?"),
    "old text not reordered": (
        gap_function(old=lambda f, X, P, order: f(X + P)),
        "You compare a word with the word that stood at its position before. Which rows belong to"
        " the same word?"),
    "old text in the inverse order": (
        gap_function(old=lambda f, X, P, order: f(X + P)[np.argsort(order)]),
        "You put the rows of the old text into the inverse order. Into which order should they"
        " go?"),
    "new text in the inverse order": (
        gap_function(new=lambda f, X, P, order: f(X[np.argsort(order)] + P)), INVERSE),
    "inverse order": (
        gap_function(
            lambda f, X, P, order: f(X[np.argsort(order)] + P),
            lambda f, X, P, order: f(X + P)[np.argsort(order)]),
        INVERSE),
    "no positions in the old text": (
        gap_function(old=lambda f, X, P, order: f(X)[order]), NO_POSITIONS),
    "no positions in the new text": (
        gap_function(new=lambda f, X, P, order: f(X[order])), NO_POSITIONS),
    "root": (
        gap_function(f=lambda X: self_attention(X, scale=X.shape[1] ** -0.5)),
        "Your scores are divided by √d. Is there a root in f?"),
    "no softmax": (gap_function(f=lambda X: X @ X.T @ X), "Where is the softmax in your f?"),
    "columns": (
        gap_function(f=lambda X: softmax_of_columns(X @ X.T) @ X),
        "The weights of each column add up to 1. A word divides its attention over all words, so"
        " along which axis should they?"),
    "weights": (
        gap_function(f=lambda X: row_softmax(X @ X.T)),
        "You compare weights. What do the weights mix in f?"),
    "no absolute value": (
        gap_function(measure=lambda x: x.max()),
        "A difference can be negative, and then its size counts. What do you do with the sign?"),
    "maximum of each table": (
        gap_function(
            lambda f, X, P, order: f(X[order] + P).max(), lambda f, X, P, order: f(X + P).max()),
        "You take the largest number of each table and then their difference. In which order is it"
        " asked for?"),
    "norm with inf": (
        gap_function(measure=lambda x: np.linalg.norm(x, np.inf)),
        "For a table, norm with inf adds up the numbers of each row first. Is the largest sum asked"
        " for, or the largest number?"),
    "mean": (
        gap_function(measure=lambda x: np.abs(x).mean()),
        "You take the mean of the differences. Which of them is asked for?"),
    "sum": (
        gap_function(measure=lambda x: np.abs(x).sum()),
        "You add up the differences. Which of them is asked for?"),
    "length": (
        gap_function(measure=lambda x: (x**2).sum() ** 0.5),
        "You take the length of the difference, over all numbers. Which single number of it is"
        " asked for?"),
    "square": (
        gap_function(measure=lambda x: (x**2).max()),
        "You return the square of a difference. Which number is asked for?"),
    "longest row": (
        gap_function(measure=lambda x: np.linalg.norm(x, axis=1).max()),
        "You return the length of the longest row of the difference. Which single number of it is"
        " asked for?"),
    "all differences": (
        gap_function(measure=np.abs),
        "You return all differences. Which one of them is asked for?"),
}  # fmt: skip
order_gap = Exercise(
    name="order_gap",
    chapter="04_attention",
    number="4.8",
    difficulty=2,
    minutes=12,
    hints=(
        "You need two tables with a row for each word, both in the new order. In one of them the"
        " words are reordered before f, and in the other one the outputs after f. Which is which?",
        "Write f as a small function of its own: softmax(X @ X.T) @ X. One table is f of the"
        " reordered words plus P. The other one is f of the words plus P, and then its rows are"
        " reordered. Take the largest absolute value of their difference.",
        "def f(X):\n    return softmax(X @ X.T) @ X\n\nreturn np.abs(f(X[order] + P) - …).max()",
    ),
    right=reference,
    mistakes=[*MISTAKES.values(), *rounded(gap_function())],
    stumbles={
        "matmul": "X @ X.T has a row and a column for each word. How many rows and columns have the"
        " two sides of `@` in this line?",
        "only integer": "Which of the three inputs contains row numbers?",
        "list indices": "`order` is a list. X[order] takes rows in a new order if X is an array. Is"
        " it one here?",
    },
)


def draw_order(rng, n) -> list[int]:
    """A random order of n rows that moves every row, and that is not its own inverse."""
    rows = rng.permutation(n)
    order = np.zeros(n, dtype=int)
    order[rows] = np.roll(rows, 1)
    return [int(j) for j in order]


def draw_texts(rng, *sizes) -> Iterator[tuple]:
    """Random (X, P, order) of sizes (n, d), and each again with −X and −P.

    In one of the two the difference of largest size is negative. So a sign that counts is caught.
    """
    for n, d in sizes:
        X, P = rng.normal(size=(2, n, d))
        order = draw_order(rng, n)
        yield X, P, order
        yield -X, -P, order


def short_texts(rng) -> Iterator[tuple]:
    """Inputs (X, P, order) with three to five words. They catch every wrong table and measure."""
    return draw_texts(rng, (3, 3), (4, 2), (5, 4), (4, 4))


def longer_texts(rng) -> Iterator[tuple]:
    """Inputs (X, P, order) with six to eight words, to see whether they are changed."""
    return draw_texts(rng, (6, 3), (7, 2), (8, 5))


def zero_only_without_positions(call, rng) -> bool | str:
    """True if the gap is 0 without position embeddings and above 0 with them, or a question.

    A mistake that explains the whole answer has its own question.
    """
    outcome = compared_with_zero(call, rng)
    if outcome is True:
        return True
    known = order_gap.compared(call, drawn(short_texts, rng), order_gap.view)
    return known if isinstance(known, str) else outcome


def compared_with_zero(call, rng) -> bool | str:
    """True if the gap is 0 without position embeddings and above 0 with them, or a question."""
    for X, P, order in draw_texts(rng, (3, 3), (4, 2), (5, 4)):
        with_them, without = call(X, P, order), call(X, 0 * P, order)
        if with_them.shape or without.shape:
            return "One number is asked for. Which one of all differences is it?"
        if not abs(without) < 1e-5:
            return (
                "Without position embeddings, P = 0, your gap is not 0. Are the rows of a word in"
                " both tables compared with each other?"
            )
        if not with_them > 1e-5:
            return NO_GAP
    return True


order_gap.claims.append(
    Claim(
        "is 0 without position embeddings, and above 0 with them",
        "Take two words and P = 0 on paper. Which row of f(X) belongs to which row of f(X[order])?",
        zero_only_without_positions,
        1,
    )
)
order_gap.agrees(
    "is the largest difference between a number of f(X[order] + P) and of f(X + P)[order]",
    "Take two words of one number each on paper. What are the two tables, and what is their"
    " largest difference?",
    short_texts,
    points=2,
)
add_claim_about_unchanged_inputs(
    order_gap,
    "works for longer texts, and does not change X, P and order",
    "Does your function write into X, P or order? `X += P` and `order.sort()` change what was"
    " given.",
    longer_texts,
    special="These texts have six words or more. Does your function work only for fewer?",
)
