"""Exercise 7, chance: a kernel as a mean of random draws, and how far such a mean is off.

c_r = cos ω_rᵀ(x − y)     estimate = mean of c     its variance ≈ Σ (c_r − mean)² / (R − 1) / R
"""

import math

import numpy as np

from firth.checks.claims import Exercise
from firth.checks.mistakes import fitting


def draw_by_draw(X, Y, W):
    """The right answer, a pair and a draw at a time."""
    means, variances = [], []
    for x, y in zip(X, Y, strict=True):
        c = [math.cos(sum(w * (x - y))) for w in W]
        mean = sum(c) / len(c)
        means.append(mean)
        variances.append(sum((one - mean) ** 2 for one in c) / (len(c) - 1) / len(c))
    return np.array([means, variances])


def drawn(
    wave=lambda X, Y, W: np.cos((X - Y) @ W.T),
    mean=lambda c: c.mean(axis=1),
    variance=lambda c: c.var(axis=1, ddof=1) / c.shape[1],
    give=lambda mean, variance: (mean, variance),
):
    """A way of estimating, the right one by default."""

    @fitting
    def kernel_estimate(X, Y, W):
        c = wave(X, Y, W)
        return np.array(give(mean(c), variance(c)))

    return kernel_estimate


def sizes_met(*sizes):
    """What an error says of tables that do not fit each other, and what to ask then."""
    column = "The means are a row's: as a column, m[:, None]."
    product = "Not W number by number: a row of W times a row of X − Y, summed: @ W.T."
    return {f"({n},{R}) ({n},)": column for n, _, R in sizes} | {
        f"({n},{d}) ({R},{d})": product for n, d, R in sizes
    }


ORDINARY, UNEVEN = ((3, 3, 3), (4, 2, 6), (2, 3, 5)), ((1, 1, 2), (5, 1, 4), (1, 4, 7))
ONE = "That is how far one draw spreads: a mean of R draws spreads less. What is divided by R?"
SPREAD = "That is the standard deviation: is that asked for, or its square?"
kernel_estimate = Exercise(
    name="kernel_estimate",
    chapter="07_linear_attention",
    number="7.6",
    difficulty=1,
    minutes=12,
    hints=(
        "For one pair: R cosines. Their mean is the estimate; how much they differ from each other"
        " says how far to trust the mean.",
        "(X - Y) @ W.T is n × R: a row of R angles for each pair. The cosines' mean and variance"
        " along axis 1; .var(axis=1, ddof=1) divides by R − 1. A mean of R draws has an R-th of"
        " one draw's variance.",
        "c = np.cos((X - Y) @ W.T)\n"
        "estimate = c.mean(axis=1)\n"
        "variance = c.var(axis=1, ddof=1) / …\n"
        "return np.array([…, …])",
    ),
    right=draw_by_draw,
    stumbles={
        "matmul": "Which shapes meet? X − Y is n × d, W is R × d: one of them must be turned.",
        "inhomogeneous": "Your rows are not equally long: along which axis of the cosines do the"
        " draws lie?",
        **sizes_met(*ORDINARY, *UNEVEN),
    },
)
kernel_estimate.mistakes = [
    (drawn(lambda X, Y, W: np.cos((X + Y) @ W.T)), "You add y: on what does the kernel depend?"),
    (
        drawn(lambda X, Y, W: np.cos(X @ W.T) * np.cos(Y @ W.T)),
        "cos a cos b is half of cos(a − b): what else belongs to it?",
    ),
    (
        drawn(lambda X, Y, W: 2 * np.cos(X @ W.T) * np.cos(Y @ W.T)),
        "2 cos a cos b is cos(a − b) + cos(a + b): which of the two is too many?",
    ),
    (
        drawn(lambda X, Y, W: np.sin((X - Y) @ W.T)),
        "That is the sine: what is it at x = y?",
    ),
    (
        drawn(lambda X, Y, W: np.cos(np.sum(X * Y, axis=1)[:, None] + 0 * (X @ W.T))),
        "Where do the frequencies come in?",
    ),
    (drawn(mean=lambda c: c.sum(axis=1)), "You add the draws up: what does a mean divide by?"),
    (
        drawn(
            mean=lambda c: c.mean(axis=0),
            variance=lambda c: c.var(axis=0) * len(c) / max(len(c) - 1, 1) / c.shape[1],
        ),
        "Yours is a mean over the pairs, for each draw: over what is one asked, and for each what?",
    ),
    (drawn(variance=lambda c: c.var(axis=1, ddof=1)), ONE),
    (drawn(variance=lambda c: c.var(axis=1)), ONE),
    (
        drawn(variance=lambda c: c.var(axis=1) / c.shape[1]),
        "You divide the squares by R: the mean was made from the same draws, so how many are left?",
    ),
    (drawn(variance=lambda c: c.std(axis=1, ddof=1) / np.sqrt(c.shape[1])), SPREAD),
    (drawn(variance=lambda c: c.std(axis=1, ddof=1)), SPREAD),
    (
        drawn(variance=lambda c: c.var(axis=1, ddof=1) / c.shape[1] ** 2),
        "You divide by R twice: why?",
    ),
    (
        drawn(variance=lambda c: c.var(axis=1, ddof=1) / len(c)),
        "You divide by the number of pairs: how many draws is each mean made of?",
    ),
    (
        drawn(give=lambda mean, variance: (variance, mean)),
        "The right two: in which order are they asked for? The estimate first.",
    ),
    (drawn(give=lambda mean, variance: mean), "That is the estimate alone: and its variance?"),
    (
        drawn(give=lambda mean, variance: np.column_stack([mean, variance])),
        "You give a row for each pair: which two rows are asked for?",
    ),
    (
        lambda X, Y, W: np.array(
            [np.exp(-((X - Y) ** 2).sum(axis=1) / 2), drawn()(X, Y, W)[-1]]
            if X.shape == Y.shape
            else 0
        ),
        "That is the Gaussian kernel itself: how would you estimate it from the draws in W?",
    ),
]


def pairs(rng, *sizes):
    for n, d, R in sizes:
        X, Y = rng.normal(size=(2, n, d))
        yield X, Y, rng.normal(size=(R, d)) * rng.choice([0.5, 1.0])


def ordinary(rng):
    return pairs(rng, *ORDINARY)


kernel_estimate.agrees(
    "gives, in row 0, the mean of the R cosines for each pair",
    "One pair, two frequencies: which two angles, and what is the mean of their cosines?",
    ordinary,
    view=lambda answer, right: answer[:1],
)
kernel_estimate.agrees(
    "gives, in row 1, the variance of that mean, as the draws tell it",
    "Two draws, 1 and 0: their mean is ½, the squares add up to ½. Divided by what, and by what"
    " again?",
    ordinary,
    view=lambda answer, right: answer[1:],
)
kernel_estimate.leaves(
    "takes any number of pairs, features and draws, and leaves X, Y and W as they were",
    "Do you write into X, Y or W?",
    lambda rng: pairs(rng, *UNEVEN),
)
