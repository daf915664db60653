"""Exercise 4.1: the softmax, which turns each row of scores into weights.

a_j = exp(z_j) / Σ_k exp(z_k)      along the last axis
"""

from collections.abc import Callable, Iterator

import numpy as np

from firth.checks.claims import Exercise

from .claims import OVERFLOW, add_claim_about_large_scores, rounded, sixteenths
from .row_softmax import row_softmax, softmax_of_everything, softmax_without_maximum


def largest(x):
    """The largest number of each row, with an axis of length 1 in the place of the last one."""
    return x.max(axis=-1, keepdims=True)


def total(x):
    """The sum of each row, with an axis of length 1 in the place of the last one."""
    return x.sum(axis=-1, keepdims=True)


def softmax_function(shift=largest, power=np.exp, whole=total) -> Callable:
    """A function `softmax(scores)`: the reference answer, or with another part a mistake.

    `shift` gives what is subtracted from the scores, `power` what becomes of each difference, and
    `whole` by what the results are divided.
    """

    def softmax(scores):
        powers = power(scores - shift(scores))
        return powers / whole(powers)

    return softmax


def nothing(x):
    """The number 0: no score is changed."""
    return 0


def column_totals(x):
    """The sums along the first axis, which is a mistake for a table."""
    return x.sum(axis=0, keepdims=True)


def totals_along_axis_1(x):
    """The sums along axis 1, which is the last axis of a table only: a mistake for a stack."""
    return x.sum(axis=min(1, x.ndim - 1), keepdims=True)


ALL_TOGETHER = (
    "All your weights together add up to 1. Which weights should add up to 1, those of the whole"
    " array or those of each row?"
)
NOT_1 = "Do the weights of each row add up to 1? By what do you divide?"
COLUMNS = "The weights of each column add up to 1. Along which axis should they?"
DIVIDED = (
    "You divide the scores by the largest score. Does that leave their differences as they were?"
    " Softmax depends on these differences only."
)
MISTAKES = {
    "no maximum": (softmax_without_maximum, OVERFLOW),
    "largest score of the array": (
        softmax_function(shift=lambda x: x.max()),
        "You subtract the largest score of the whole array. In a row whose scores are all lower by"
        " a thousand, every exp becomes 0. Whose largest score should you subtract?"),
    "largest score of the column": (
        softmax_function(shift=lambda x: x.max(axis=0, keepdims=True)),
        "You subtract the largest score of each column. Are the differences within a row still the"
        " same afterwards?"),
    "mean": (
        softmax_function(shift=lambda x: x.mean(axis=-1, keepdims=True)),
        "You subtract the mean of each row. If a row has the scores 1000 and −1000, which scores"
        " are left?"),
    "clipped": (
        softmax_function(nothing, lambda x: np.exp(np.clip(x, -500, 500))),
        "You clip the scores at a limit. Are the scores 1000 and 2000 still different then?"),
    "divided by the largest score": (
        lambda scores: row_softmax(scores / largest(scores)), DIVIDED),
    "divided by the largest score of the array": (
        lambda scores: row_softmax(scores / scores.max()), DIVIDED),
    "divided by the largest size": (
        lambda scores: row_softmax(scores / np.abs(scores).max()), DIVIDED),
    "small number added": (
        softmax_function(whole=lambda powers: total(powers) + 1e-6),
        "You add a small number to the sum, so the weights add up to less than 1. One of the powers"
        " is e⁰. Can the sum be 0 at all?"),
    "everything together": (softmax_of_everything, ALL_TOGETHER),
    "maximum of the row, sum of everything": (softmax_function(whole=np.sum), ALL_TOGETHER),
    "not divided": (softmax_function(whole=lambda powers: 1), NOT_1),
    "not divided, no maximum": (softmax_function(nothing, whole=lambda powers: 1), NOT_1),
    "divided by the mean": (
        softmax_function(whole=lambda powers: powers.mean(axis=-1, keepdims=True)), NOT_1),
    "divided by the largest power": (softmax_function(whole=largest), NOT_1),
    "nan replaced by 0": (
        lambda scores: np.nan_to_num(softmax_without_maximum(scores)),
        "inf / inf is nan, and you replace it by 0. What are the weights of the scores 1000 and"
        " 1000?"),
    "columns": (
        softmax_function(lambda x: x.max(axis=0, keepdims=True), whole=column_totals), COLUMNS),
    "columns, maximum of the row": (softmax_function(whole=column_totals), COLUMNS),
    "axis 1": (
        softmax_function(nothing, whole=totals_along_axis_1),
        "Axis 1 is the last axis of a table, but not of a stack of tables. Which number names the"
        " last axis of every array?"),
    "no exp": (
        softmax_function(nothing, lambda x: x),
        "You divide the scores themselves by their sum. A score can be negative. Where is exp?"),
    "powers of 2": (
        softmax_function(power=lambda x: 2.0**x),
        "You calculate powers of 2. Powers of which number stand in the formula?"),
    "minus": (
        softmax_function(lambda x: x.min(axis=-1, keepdims=True), lambda x: np.exp(-x)),
        "In your result the largest score has the smallest weight. Is there a minus too many?"),
    "logarithm": (
        lambda scores: np.log(row_softmax(scores)),
        "These are the logarithms of the weights. Can you return the weights?"),
    "everything to the largest": (
        softmax_function(power=lambda x: x == 0),
        "The largest score gets the whole weight. What do the other scores of the row get by the"
        " formula?"),
    "sigmoid": (
        softmax_function(nothing, lambda x: (1 + np.tanh(x / 2)) / 2),
        "You divide values of the sigmoid by their sum. Which function stands in the formula?"),
}  # fmt: skip
softmax = Exercise(
    name="softmax",
    chapter="04_attention",
    number="4.1",
    difficulty=1,
    minutes=8,
    hints=(
        "Write the plain formula for a single row first. The weights do not change if you subtract"
        " the same number from all scores of a row. Which number would you choose?",
        "Subtract from each row its own largest score. Then apply exp, and divide by the sum of the"
        " row. `axis=-1` is the last axis of every array. With `keepdims=True`, max and sum keep"
        " this axis with length 1, so that the shapes fit.",
        "shifted = scores - scores.max(axis=-1, keepdims=True)\n"
        "powers = np.exp(shifted)\n"
        "return powers / …  # which sum, and along which axis?",
    ),
    right=row_softmax,
    mistakes=[*MISTAKES.values(), *rounded(row_softmax)],
    stumbles={
        "could not be broadcast": "max and sum along an axis remove this axis, so the shapes in"
        " this line do not fit. What does keepdims=True do?",
        "not iterable": "A loop over `scores` goes along the first axis. What does it find if"
        " `scores` is a single row?",
        "Python scalars": "`math.exp` takes one number. Which exp takes a whole array?",
        "truth value": "Python's own `max` compares whole rows with each other. Which max can go"
        " along an axis?",
        "out of bounds": "A single row has no axis 1. Which number names the last axis of every"
        " array?",
    },
)


def tables(rng) -> Iterator[tuple]:
    """Inputs (scores,): tables of small scores. They catch what is wrong in the plain formula."""
    for n, m in ((3, 4), (4, 2), (3, 3)):
        yield (rng.normal(size=(n, m)) * 1.5,)


def arrays_of_all_shapes(rng) -> Iterator[tuple]:
    """Inputs (scores,): single rows, tables and stacks. They catch an axis that is not the last."""
    for shape in ((5,), (2, 3, 4), (3, 4, 2), (2, 3, 2, 3), (1,), (1, 4)):
        yield (rng.normal(size=shape) * 1.5,)


def large_scores(rng) -> Iterator[tuple]:
    """Inputs (scores,): scores up to 3,000, in rows that lie thousands apart.

    They catch exp without a maximum, the maximum of the whole array, a mean that is subtracted,
    and scores that are clipped or divided. One row has equal scores. The last input has weights
    that are exactly 1 and 0, which catches a small number that is added to the sum.
    """
    for m in (3, 5):
        near = sixteenths(rng, 4, m)
        wide = 1000.0 * rng.choice([-1, 1], size=m)
        wide[:2] = 1000, -1000
        lift = np.array([[1500.0], [-1500.0], [0.0], [-3000.0]])
        yield (np.vstack([near + lift, wide, np.full(m, rng.choice([-1000.0, 1000.0]))]),)
    yield (np.array([2000.0, 1999.0, 1000.0]) + sixteenths(rng, 3, scale=1.0),)
    yield (1000.0 * np.array([rng.permutation(4), rng.permutation(4)]),)


def exact_where_the_weight_is_0_or_1(answer, right):
    """The answer; where the right weight is exactly 0 or 1, ten times the answer's error."""
    return np.where((right == 0) | (right == 1), 10 * (answer - right), answer)


softmax.agrees(
    "divides eˣ of each score by the sum of its row",
    "Take the scores 0 and log 3 on paper. What are e⁰ and e to the power of log 3, and what is"
    " their sum?",
    tables,
)
softmax.agrees(
    "works along the last axis of a row, a table or a stack of tables, and does not change it",
    "Which axis is the last one of a single row, and which of a stack of tables?",
    arrays_of_all_shapes,
    untouched="`scores -= …` changes the array that was given. Somebody else may need it. How do"
    " you make a new array instead?",
)
add_claim_about_large_scores(
    softmax,
    "is exact for scores in the thousands, also if all scores of a row are equal",
    large_scores,
    untouched="",
    view=exact_where_the_weight_is_0_or_1,
)
