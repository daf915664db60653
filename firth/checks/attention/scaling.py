"""Exercise 4, the root: how far scores spread, and what that does to the weights and to learning.

scores = scale · Q Kᵀ      their variance; each row's greatest weight a; its slope a(1 − a)
"""

import statistics

import numpy as np

from firth.checks.claims import Exercise

from .claims import UNSTABLE, steady
from .row_softmax import row_by_row, shares


def measured(Q, K, scale):
    """The right three, a number at a time."""
    rows = [[scale * float(sum(q * k)) for k in K] for q in Q]
    tops = [max(shares(row)) for row in rows]
    return np.array(
        [
            statistics.pvariance([score for row in rows for score in row]),
            statistics.fmean(tops),
            statistics.fmean([a * (1 - a) for a in tops]),
        ]
    )


def spread_out(
    score=lambda Q, K, scale: scale * (Q @ K.T),
    variance=lambda scores, A: scores.var(),
    weights=row_by_row,
    top=lambda A: A.max(axis=-1),
    middle=np.mean,
    slope=lambda a, A: (a * (1 - a)).mean(),
    give=lambda *three: three,
):
    """A way of measuring, the right one by default."""

    def sharpness(Q, K, scale):
        scores = score(Q, K, scale)
        A = weights(scores)
        a = top(A)
        return give(variance(scores, A), middle(a), slope(a, A))

    return sharpness


def naive(scores):
    return np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)


def unscaled(Q, K, scale):
    """Right weights, and the variance of scores that nobody has scaled."""
    return spread_out()(Q, K, 1.0)[:1] + spread_out()(Q, K, scale)[1:]


def unscaled_weights(Q, K, scale):
    """The other way round."""
    return spread_out()(Q, K, scale)[:1] + spread_out()(Q, K, 1.0)[1:]


def columns(scores):
    return row_by_row(scores.T).T


sharpness = Exercise(
    name="sharpness",
    chapter="04_attention",
    number="4.7",
    difficulty=2,
    minutes=12,
    hints=(
        "One table of scores, one table of weights. Which of the three numbers looks at the first,"
        " which at the second?",
        "scores.var() is the variance of all of them. The softmax of each row has a greatest"
        " weight: a = A.max(axis=-1), one for each query. Then the mean of a, and the mean of"
        " a · (1 − a).",
        "scores = scale * (Q @ K.T)\n"
        "a = softmax(scores).max(axis=-1)\n"
        "return scores.var(), a.mean(), …",
    ),
    right=measured,
    stumbles={
        "makes no table": "Three single numbers were asked for: is each of yours one?",
        "matmul": "Which of the two tables must be turned, so that every query meets every key?",
        "'list' object": "Does your softmax return a list? What does np.array make of it?",
    },
)
TOPS = (
    "You have the greatest weight of the whole table: should it not be each query's, and then the"
    " mean?"
)
sharpness.mistakes = [
    (unscaled, "Does scale change your first number?"),
    (unscaled_weights, "Does scale change your weights?"),
    (spread_out(score=lambda Q, K, scale: Q @ K.T), "Does scale change anything in your numbers?"),
    (
        spread_out(score=lambda Q, K, scale: Q @ K.T / scale),
        "You divide by scale: is it asked to multiply or to divide?",
    ),
    (
        spread_out(score=lambda Q, K, scale: Q @ K.T / Q.shape[1] ** 0.5),
        "You divide by √d by yourself: which number were you handed for that?",
    ),
    (
        spread_out(score=lambda Q, K, scale: scale * (Q @ K.T) / Q.shape[1] ** 0.5),
        "You scale twice, by what was handed to you and by √d: which is asked for?",
    ),
    (
        spread_out(score=lambda Q, K, scale: scale * (Q @ Q.T)),
        "The queries meet each other: where are the keys?",
    ),
    (
        spread_out(variance=lambda scores, A: scores.std()),
        "That is the standard deviation: how does one get the variance from it?",
    ),
    (
        spread_out(variance=lambda scores, A: scores.var(ddof=1)),
        "You divide by one less than there are scores: the variance asked for is a plain mean of"
        " squares. What does ddof=1 do?",
    ),
    (
        spread_out(variance=lambda scores, A: (scores**2).mean()),
        "A mean of squares: from where are the distances counted, from 0 or from the mean?",
    ),
    (
        spread_out(variance=lambda scores, A: scores.var(axis=-1).mean()),
        "You take each row's variance and then the mean: does that see how rows differ from each"
        " other?",
    ),
    (
        spread_out(variance=lambda scores, A: A.var()),
        "That is the variance of the weights: which table comes before softmax?",
    ),
    (
        spread_out(variance=lambda scores, A: scores.var() / scores.size),
        "You divide by the number of scores a second time: is `var` not a mean already?",
    ),
    (
        spread_out(variance=lambda scores, A: scores.var() * scores.size),
        "You add the squared distances up: how does one get their mean?",
    ),
    (
        spread_out(weights=lambda scores: row_by_row(scores.ravel()).reshape(scores.shape)),
        "All your weights together add up to 1: should not each query's?",
    ),
    (
        spread_out(weights=columns, top=lambda A: A.max(axis=0)),
        "Your columns add up to 1: along which axis do the keys stand?",
    ),
    (
        spread_out(weights=columns),
        "Your columns add up to 1: along which axis do the keys stand?",
    ),
    (
        spread_out(top=lambda A: A.max(axis=0)),
        "You take the greatest weight that each key gets: whose look is sharp, the query's?",
    ),
    (spread_out(top=lambda A: A.max()), TOPS),
    (spread_out(middle=np.sum), "You add the greatest weights up: should it not be their mean?"),
    (spread_out(top=lambda A: A.min(axis=-1)), "That is the least weight: which is asked for?"),
    (
        spread_out(top=lambda A: A.mean(axis=-1)),
        "The mean of a row's weights is always 1 over their number: which weight is asked for?",
    ),
    (
        spread_out(weights=lambda scores: scores, slope=lambda a, A: (a * (1 - a)).mean()),
        "You look at the greatest scores: where is the softmax?",
    ),
    (
        spread_out(slope=lambda a, A: a.mean() * (1 - a.mean())),
        "a(1 − a) of the mean is not the mean of a(1 − a): which comes first?",
    ),
    (
        spread_out(slope=lambda a, A: (A * (1 - A)).mean()),
        "You take a(1 − a) of every weight: whose slope is asked for, the greatest's?",
    ),
    (
        spread_out(slope=lambda a, A: (A * (1 - A)).sum(axis=-1).mean()),
        "You add up a(1 − a) of all weights of a row: whose slope is asked for, the greatest's?",
    ),
    (
        spread_out(slope=lambda a, A: (1 - a).mean()),
        "That is the mean of 1 − a: where is a itself?",
    ),
    (
        spread_out(slope=lambda a, A: (a * (1 - a)).sum()),
        "You add the slopes up: should it not be their mean?",
    ),
    *(
        (
            spread_out(give=lambda *three, order=order: [three[k] for k in order]),
            "The right three: in which order are they asked for?",
        )
        for order in ((0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0))
    ),
    (
        spread_out(give=lambda variance, top, slope: (variance, top)),
        "Those are two; and the slope?",
    ),
    (spread_out(weights=naive), UNSTABLE),
]


def looks(rng, *sizes):
    """Queries and keys whose scores have a mean, and a scale that is not 1/√d."""
    for n, m, d in sizes:
        Q, K = rng.normal(size=(n, d)) + 0.5, rng.normal(size=(m, d)) + 0.5
        Q *= np.linspace(0.3, 1.2, n)[:, None]  # some queries are sharper than others
        yield Q, K, float(rng.uniform(0.3, 0.8))


def usual(rng):
    return looks(rng, (4, 4, 3), (5, 3, 6), (3, 6, 2))


def loud(rng):
    """The greatest score in the thousands, close to the second."""
    for n, m, d in ((4, 5, 3), (6, 3, 4)):
        Q, K = rng.normal(size=(n, d)), rng.normal(size=(m, d))
        Q[:, 0], K[:, 0] = 1000.0, 8.0 + 0.001 * K[:, 0]
        yield Q, K, float(rng.uniform(0.3, 0.8))


sharpness.agrees(
    "gives first the variance of all scores, scale · Q Kᵀ",
    "One query, the scores 0 and 2: what is their mean, and the mean of the squared distances?",
    usual,
    view=lambda answer, right: answer[:1],
)
sharpness.agrees(
    "gives second the mean of each query's greatest weight",
    "The scores 0 and log 3: which two weights are those, and which is the greater?",
    usual,
    view=lambda answer, right: answer[1:2],
)
sharpness.agrees(
    "gives third the mean of a(1 − a), where a is a query's greatest weight",
    "a = 3/4: how much is a(1 − a)?",
    usual,
    view=lambda answer, right: answer[2:],
)
steady(
    sharpness,
    "stays exact with scores in the thousands, and leaves Q and K as they were",
    loud,
    untouched="Do you write into what you were handed, as `Q *= scale` does? Who needs it next?",
)
