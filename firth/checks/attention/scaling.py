"""Exercise 4.7: the spread of scores, and what it does to the weights and to their slopes.

scores = scale · Q Kᵀ      their variance; the mean largest weight a; the mean of a (1 − a)
"""

import statistics
from collections.abc import Callable, Iterator

import numpy as np

from firth.checks.claims import Exercise

from .claims import OVERFLOW, add_claim_about_large_scores, rounded, sixteenths
from .row_softmax import (
    row_softmax,
    softmax_of_columns,
    softmax_of_everything,
    softmax_of_row,
    softmax_without_maximum,
)


def reference(Q, K, scale):
    """The right three numbers: variance of the scores, mean of a, and mean of a (1 − a)."""
    rows = [[scale * float(sum(q * k)) for k in K] for q in Q]
    tops = [max(softmax_of_row(row)) for row in rows]
    return np.array(
        [
            statistics.pvariance([score for row in rows for score in row]),
            statistics.fmean(tops),
            statistics.fmean([a * (1 - a) for a in tops]),
        ]
    )


def sharpness_function(
    score=lambda Q, K, scale: scale * (Q @ K.T),
    variance=lambda scores, A: scores.var(),
    weights=row_softmax,
    top=lambda A: A.max(axis=-1),
    middle=np.mean,
    slope=lambda a, A: (a * (1 - a)).mean(),
    give=lambda *three: three,
) -> Callable:
    """A function `sharpness(Q, K, scale)`: the reference answer, or with another part a mistake.

    `top` makes a of the weights A, `middle` is taken of a, and `give` says what is returned of the
    three numbers.
    """

    def sharpness(Q, K, scale):
        scores = score(Q, K, scale)
        A = weights(scores)
        a = top(A)
        return give(variance(scores, A), middle(a), slope(a, A))

    return sharpness


def mistake_variance_without_scale(Q, K, scale):
    """The mistake of taking the variance before the scores are multiplied by scale."""
    return sharpness_function()(Q, K, 1.0)[:1] + sharpness_function()(Q, K, scale)[1:]


def mistake_weights_without_scale(Q, K, scale):
    """The mistake of taking the weights of scores that are not multiplied by scale."""
    return sharpness_function()(Q, K, scale)[:1] + sharpness_function()(Q, K, 1.0)[1:]


COLUMNS = (
    "The weights of each column add up to 1. A query divides its attention over the keys, so along"
    " which axis should they?"
)
MISTAKES = {
    "variance without scale": (
        mistake_variance_without_scale, "Does your first number change with scale? Should it?"),
    "weights without scale": (
        mistake_weights_without_scale, "Do your weights change with scale? Should they?"),
    "no scale": (
        sharpness_function(score=lambda Q, K, scale: Q @ K.T),
        "None of your numbers changes with scale. Where do you use it?"),
    "divided by scale": (
        sharpness_function(score=lambda Q, K, scale: Q @ K.T / scale),
        "You divide by scale. Should you multiply or divide?"),
    "root for scale": (
        sharpness_function(score=lambda Q, K, scale: Q @ K.T / Q.shape[1] ** 0.5),
        "You divide by √d. By what should you multiply instead?"),
    "scale and root": (
        sharpness_function(score=lambda Q, K, scale: scale * (Q @ K.T) / Q.shape[1] ** 0.5),
        "You scale twice, with scale and with √d. Which of the two is asked for?"),
    "no keys": (
        sharpness_function(score=lambda Q, K, scale: scale * (Q @ Q.T)),
        "You compare the queries with each other. Where are the keys?"),
    "standard deviation": (
        sharpness_function(variance=lambda scores, A: scores.std()),
        "Your first number is the standard deviation. How do you get the variance from it?"),
    "ddof=1": (
        sharpness_function(variance=lambda scores, A: scores.var(ddof=1)),
        "You divide by one less than the number of scores. Is that the mean of the squared"
        " distances? What does ddof=1 do?"),
    "mean of squares": (
        sharpness_function(variance=lambda scores, A: (scores**2).mean()),
        "You take the mean of the squared scores. From which number should the distances be"
        " measured?"),
    "variance of each row": (
        sharpness_function(variance=lambda scores, A: scores.var(axis=-1).mean()),
        "You take the variance of each row and then the mean. Of which scores is the variance asked"
        " for?"),
    "variance of the weights": (
        sharpness_function(variance=lambda scores, A: A.var()),
        "Your first number is the variance of the weights. Of which table is it asked for?"),
    "variance divided again": (
        sharpness_function(variance=lambda scores, A: scores.var() / scores.size),
        "You divide the variance by the number of scores. Is a variance not a mean already?"),
    "sum of squared distances": (
        sharpness_function(variance=lambda scores, A: scores.var() * scores.size),
        "Your first number is the sum of the squared distances. How does it become a mean?"),
    "softmax of everything": (
        sharpness_function(weights=softmax_of_everything),
        "All your weights together add up to 1. Which weights should add up to 1, those of all"
        " queries or those of each query?"),
    "columns": (
        sharpness_function(weights=softmax_of_columns, top=lambda A: A.max(axis=0)), COLUMNS),
    "softmax of columns, largest of each row": (
        sharpness_function(weights=softmax_of_columns), COLUMNS),
    "largest of each column": (
        sharpness_function(top=lambda A: A.max(axis=0)),
        "You take the largest weight that each key gets. Whose largest weight is asked for?"),
    "largest of the table": (
        sharpness_function(top=lambda A: A.max()),
        "You take the largest weight of the whole table. Should each query not have its own?"),
    "sum of the largest weights": (
        sharpness_function(middle=np.sum),
        "Your second number is the sum of the largest weights. Is the sum or the mean asked for?"),
    "smallest weight": (
        sharpness_function(top=lambda A: A.min(axis=-1)),
        "You take the smallest weight of each query. Which weight is asked for?"),
    "mean weight": (
        sharpness_function(top=lambda A: A.mean(axis=-1)),
        "You take the mean of the weights of each query, which is always 1 divided by their number."
        " Which weight is asked for?"),
    "largest score": (
        sharpness_function(weights=lambda scores: scores),
        "You take the largest scores. Where is the softmax?"),
    "slope of the mean": (
        sharpness_function(slope=lambda a, A: a.mean() * (1 - a.mean())),
        "You take the mean of a first, and then a (1 − a) of this mean. In which order is it asked"
        " for?"),
    "slopes of all weights": (
        sharpness_function(slope=lambda a, A: (A * (1 - A)).mean()),
        "You take the slopes of all weights. The slope of which weight is asked for?"),
    "slopes of all weights added": (
        sharpness_function(slope=lambda a, A: (A * (1 - A)).sum(axis=-1).mean()),
        "You add up the slopes of all weights of a query. The slope of which weight is asked for?"),
    "1 - a": (
        sharpness_function(slope=lambda a, A: (1 - a).mean()),
        "Your third number is the mean of 1 − a. Where is the factor a?"),
    "sum of the slopes": (
        sharpness_function(slope=lambda a, A: (a * (1 - a)).sum()),
        "Your third number is the sum of the slopes. Is the sum or the mean asked for?"),
    **{
        f"order {order}": (
            sharpness_function(give=lambda *three, order=order: [three[k] for k in order]),
            "These are the right three numbers. In which order are they asked for?")
        for order in ((0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))},
    "two numbers": (
        sharpness_function(give=lambda variance, top, slope: (variance, top)),
        "You return two numbers. Where is the third one, the slope?"),
    "no maximum": (sharpness_function(weights=softmax_without_maximum), OVERFLOW),
}  # fmt: skip
sharpness = Exercise(
    name="sharpness",
    chapter="04_attention",
    number="4.7",
    difficulty=2,
    minutes=12,
    hints=(
        "You need a table of scores and a table of weights. Which of the three numbers are made"
        " from the scores, and which from the weights?",
        "scores.var() is the variance of all scores. For the weights A, A.max(axis=-1) is the"
        " largest weight of each query. Call it a. Then take the mean of a, and the mean of"
        " a (1 − a).",
        "scores = scale * (Q @ K.T)\n"
        "a = softmax(scores).max(axis=-1)\n"
        "return scores.var(), a.mean(), …",
    ),
    right=reference,
    mistakes=[*MISTAKES.values(), *rounded(sharpness_function())],
    stumbles={
        "makes no table": "Is each of your three results a single number?",
        "matmul": "Each query should be compared with every key. Which of the two tables has to be"
        " transposed?",
        "'list' object": "Does your softmax return a list? What does np.array make of it?",
    },
)


def draw_queries_and_keys(rng, *sizes) -> Iterator[tuple]:
    """Random (Q, K, scale) of sizes (n, m, d).

    The mean of the scores is not 0, so that their squares are no variance. Some queries are sharper
    than others, and scale is not 1/√d.
    """
    for n, m, d in sizes:
        Q, K = rng.normal(size=(n, d)) + 0.5, rng.normal(size=(m, d)) + 0.5
        Q *= np.linspace(0.3, 1.2, n)[:, None]
        yield Q, K, float(rng.uniform(0.3, 0.8))


def small_scores(rng) -> Iterator[tuple]:
    """Inputs (Q, K, scale) with small scores. They catch every wrong formula."""
    return draw_queries_and_keys(rng, (4, 4, 3), (5, 3, 6), (3, 6, 2))


def large_scores(rng) -> Iterator[tuple]:
    """Inputs (Q, K, scale) in which the scores of a query are in the thousands, and close together.

    They catch exp without a maximum. All products are exact in single precision.
    """
    for n, m, d in ((4, 5, 3), (6, 3, 4)):
        Q, K = sixteenths(rng, n, d), sixteenths(rng, m, d)
        Q[:, 0], K[:, 0] = 1024.0, 8.0 + np.round(K[:, 0]) / 1024
        yield Q, K, float(rng.choice([0.25, 0.5, 0.75]))


sharpness.agrees(
    "returns first the variance of all scores, scale · Q Kᵀ",
    "Take one query with the scores 0 and 2. What is their mean, and what is the mean of the"
    " squared distances from it?",
    small_scores,
    view=lambda answer, right: answer[:1],
)
sharpness.agrees(
    "returns second the mean of the largest weights of all queries",
    "Take the scores 0 and log 3. Which weights do they get, and which is the largest?",
    small_scores,
    view=lambda answer, right: answer[1:2],
)
sharpness.agrees(
    "returns third the mean of a (1 − a), where a is the largest weight of a query",
    "Let a be 3/4. What is a (1 − a)?",
    small_scores,
    view=lambda answer, right: answer[2:],
)
add_claim_about_large_scores(
    sharpness,
    "is right for scores in the thousands, and does not change Q and K",
    large_scores,
    untouched="Does your function write into Q or K? `Q *= scale` changes the array that was"
    " given.",
)
