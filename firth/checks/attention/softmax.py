"""Exercise 4, softmax: scores become weights, a row at a time.

a_j = exp(x_j) / Σ_k exp(x_k)
"""

import numpy as np

from firth.checks.claims import Exercise

from .claims import UNSTABLE, steady
from .row_softmax import row_by_row


def greatest(x):
    return x.max(axis=-1, keepdims=True)


def total(x):
    return x.sum(axis=-1, keepdims=True)


def shared(shift=greatest, power=np.exp, whole=total):
    """A way of making shares, the right one by default: shift, raise, divide by a total."""

    def softmax(scores):
        parts = power(scores - shift(scores))
        return parts / whole(parts)

    return softmax


def columns(x):
    return x.sum(axis=0, keepdims=True)


def second(x):
    return x.sum(axis=min(1, x.ndim - 1), keepdims=True)


TOGETHER = "All your numbers together add up to 1: should not each row?"
UNEQUAL = "Do your rows add up to 1? What do you divide by?"
COLUMNS = "Your columns add up to 1: along which axis do you add?"
softmax = Exercise(
    name="softmax",
    chapter="04_attention",
    number="4.1",
    difficulty=1,
    minutes=8,
    hints=(
        "First the plain formula, for a single row. Then ask: which number may be taken from all"
        " scores of a row, so that no exp is ever too large?",
        "Take from each row its own greatest score, raise e to what is left, and divide by the"
        " row's sum. `axis=-1` is the last axis, whatever there is before it; `keepdims=True` keeps"
        " the result broad enough to divide by.",
        "shifted = scores - scores.max(axis=-1, keepdims=True)\n"
        "parts = np.exp(shifted)\n"
        "return parts / …  # which sum, and along which axis?",
    ),
    right=row_by_row,
    stumbles={
        "could not be broadcast": "The sums of the rows have lost an axis: what does"
        " keepdims=True do?",
        "not iterable": "A loop over `scores` takes them along the first axis: what does it find in"
        " a single row?",
        "Python scalars": "`math.exp` takes one number: which exp takes a whole array?",
        "truth value": "Python's `max` compares whole rows with each other: which one takes an"
        " axis?",
        "out of bounds": "You name an axis that one row does not have: what is axis −1?",
    },
)
softmax.mistakes = [
    (shared(shift=lambda x: 0), UNSTABLE),
    (
        shared(shift=lambda x: x.max()),
        "You take away the greatest score of all. In a row that lies a thousand lower every exp is"
        " 0: whose greatest should be taken?",
    ),
    (
        shared(shift=lambda x: x.max(axis=0, keepdims=True)),
        "You take another number from each score of a row, its column's greatest: are the"
        " differences within the row still the same?",
    ),
    (
        shared(shift=lambda x: x.mean(axis=-1, keepdims=True)),
        "You take the mean away: with the scores 1000 and −1000, what is left above it?",
    ),
    (
        shared(shift=lambda x: 0, power=lambda x: np.exp(np.clip(x, -500, 500))),
        "You cut the scores off: are 1000 and 2000 then still different?",
    ),
    (shared(shift=np.max, whole=np.sum), TOGETHER),
    (shared(whole=np.sum), TOGETHER),
    (shared(whole=lambda parts: 1), UNEQUAL),
    (shared(shift=lambda x: 0, whole=lambda parts: 1), UNEQUAL),
    (shared(whole=lambda parts: parts.mean(axis=-1, keepdims=True)), UNEQUAL),
    (
        lambda scores: np.nan_to_num(shared(shift=lambda x: 0)(scores)),
        "∞ divided by ∞ is nan, and you put 0 for it: what are the weights of 1000 and 1000?",
    ),
    (shared(shift=lambda x: x.max(axis=0, keepdims=True), whole=columns), COLUMNS),
    (shared(whole=columns), COLUMNS),
    (
        shared(shift=lambda x: 0, whole=second),
        "Axis 1 is the last one in a table only: which number names the last axis everywhere?",
    ),
    (
        shared(shift=lambda x: 0, power=lambda x: x),
        "You divide the scores by their sum: where is the exp? A share cannot be below 0.",
    ),
    (
        shared(power=lambda x: 2.0**x),
        "You raise 2: which number is raised in softmax?",
    ),
    (
        shared(power=lambda x: np.exp(-x), shift=lambda x: x.min(axis=-1, keepdims=True)),
        "Your greatest score gets the least weight: is there a minus too many?",
    ),
    (
        lambda scores: np.log(row_by_row(scores)),
        "That is the logarithm of the answer: must you take it?",
    ),
    (
        shared(power=lambda x: x == 0),
        "All goes to the greatest score: that is a maximum. What makes it soft?",
    ),
    (
        shared(shift=lambda x: 0, power=lambda x: (1 + np.tanh(x / 2)) / 2),
        "That is the sigmoid, shared out: it stops growing at 1. Which power is asked for?",
    ),
]


def tables(rng):
    for n, m in ((3, 4), (4, 2), (3, 3)):
        yield (rng.normal(size=(n, m)) * 1.5,)


def stacks(rng):
    for shape in ((5,), (2, 3, 4), (3, 4, 2), (2, 3, 2, 3), (1,), (1, 4)):
        yield (rng.normal(size=shape) * 1.5,)


def thousands(rng):
    """Rows far above and far below each other, wide ones, and one of equal numbers."""
    for m in (3, 5):
        near = rng.normal(size=(4, m))
        wide = 1000.0 * rng.choice([-1, 1], size=m)
        wide[:2] = 1000, -1000
        lift = np.array([[1500.0], [-1500.0], [0.0], [-3000.0]])
        yield (np.vstack([near + lift, wide, np.full(m, rng.choice([-1000.0, 1000.0]))]),)
    yield (np.array([2000.0, 1999.0, 1000.0]) + rng.normal(size=3),)


softmax.agrees(
    "gives each score eˣ, divided by the sum of its row's",
    "The scores 0 and log 3 on paper: what is e⁰, what is e to the log 3, and what is their sum?",
    tables,
)
softmax.agrees(
    "works along the last axis, for one row, a table or a stack of tables, and writes into none",
    "What is the last axis of one row? And of two tables that lie on each other?",
    stacks,
    untouched="`scores -= …` writes into what you were handed: who else may need the scores?",
)
steady(
    softmax,
    "stays exact for scores in the thousands, and is even where all are equal",
    thousands,
    untouched="",
)
