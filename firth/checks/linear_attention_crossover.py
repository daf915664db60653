"""Exercise 7, the crossover: from which length on the form that grows more slowly is the faster.

log t = a + p log n, fitted to each;   n* = exp((a_fast − a_slow) / (p_slow − p_fast))
"""

import math

import numpy as np

from firth.checks.claims import Exercise
from firth.checks.mistakes import fitting


def line(x, y):
    """The least squares' intercept and slope, by sums."""
    mx, my = sum(x) / len(x), sum(y) / len(y)
    slope = sum((x - mx) * (y - my)) / sum((x - mx) ** 2)
    return my - slope * mx, slope


def met(
    bend=np.log,
    time=np.log,
    fit=line,
    meet=lambda a, p, b, q: math.exp((b - a) / (p - q)),
):
    """A way of finding where two curves meet, the right one by default."""

    @fitting
    def crossover(n_slow, t_slow, n_fast, t_fast):
        with np.errstate(all="ignore"):
            a, p = fit(bend(n_slow), time(t_slow))
            b, q = fit(bend(n_fast), time(t_fast))
            try:
                return meet(a, p, b, q)
            except OverflowError:
                return math.inf

    return crossover


def first_measured(n_slow, t_slow, n_fast, t_fast):
    both = min(len(n_slow), len(n_fast))
    faster = t_fast[:both] < t_slow[:both]
    return n_fast[int(np.argmax(faster))]


def by_the_ends(x, y):
    slope = (y[-1] - y[0]) / (x[-1] - x[0])
    return y[0] - slope * x[0], slope


def as_whole(rounded):
    """The right answer, as a whole number of words."""
    return lambda *curves: float(rounded(met()(*curves)))


APART = "Each has lengths of its own: n_slow goes with t_slow, n_fast with t_fast."
ROUNDED = "Right, but rounded: who asked for whole words? Return the number itself."
BRACKETS = "Where do your brackets stand? Both differences come before the division."
LOGS = "n^p is no straight line: what makes one of it, and of both axes?"
crossover = Exercise(
    name="crossover",
    chapter="07_linear_attention",
    number="7.8",
    difficulty=1,
    minutes=15,
    hints=(
        "c n^p has the logarithm log c + p log n: a straight line. Two lines meet where both say"
        " the same.",
        "np.polyfit(np.log(n), np.log(t), 1) gives slope and intercept, in this order. From"
        " a + p x = b + q x follows x = (b − a)/(p − q), and x is a logarithm.",
        "p, a = np.polyfit(np.log(n_slow), np.log(t_slow), 1)\n"
        "q, b = np.polyfit(…)\n"
        "return np.exp((b - a) / …)",
    ),
    right=met(),
    stumbles={
        "same length": APART,
        "broadcast": APART,
        "Incompatible dimensions": APART,
        "non-empty": "The two have no length in common: each line is fitted to its own.",
    },
)
crossover.mistakes = [
    (
        met(meet=lambda a, p, b, q: (b - a) / (p - q)),
        "That is the logarithm of the length: which number has it?",
    ),
    (
        met(meet=lambda a, p, b, q: math.exp((a - b) / (p - q))),
        "Yours is one over the length: which way round is a + p x = b + q x solved?",
    ),
    (met(bend=lambda n: n, time=lambda t: t, meet=lambda a, p, b, q: (b - a) / (p - q)), LOGS),
    (met(bend=lambda n: n, meet=lambda a, p, b, q: (b - a) / (p - q)), LOGS),
    (met(time=lambda t: t), LOGS),
    (
        met(meet=lambda a, p, b, q: math.exp(b - a)),
        "You take the slopes for 2 and 1: what do the measurements say?",
    ),
    (
        met(meet=lambda a, p, b, q: math.exp((b - a) / (p + q))),
        "You add the slopes: what of a + p x = b + q x, when all x are on one side?",
    ),
    *(
        (met(meet=meet), BRACKETS)
        for meet in (
            lambda a, p, b, q: math.exp(b - a / (p - q)),
            lambda a, p, b, q: math.exp((b - a) / p - q),
            lambda a, p, b, q: math.exp(b - a / p - q),
        )
    ),
    (
        met(meet=lambda a, p, b, q: 10 ** ((b - a) / (p - q))),
        "You take logarithms to the base e, and raise 10: what undoes them?",
    ),
    (
        met(meet=lambda a, p, b, q: math.exp(a + p * (b - a) / (p - q))),
        "That is the time at which the lines meet: at which length do they? (Lengths are what"
        " polyfit takes first.)",
    ),
    (
        met(bend=np.log10, time=np.log10),
        "You take logarithms to the base 10, and raise e: what undoes them?",
    ),
    (
        met(bend=np.log2, time=np.log2),
        "Yours are logarithms to the base 2: does exp undo them?",
    ),
    (
        first_measured,
        "That is a length that was measured, the first at which the one is faster: where, before"
        " it, do the curves meet?",
    ),
    (met(fit=by_the_ends), "You draw the line through two points: what of the others?"),
    (
        met(fit=lambda x, y: line(x, y)[::-1]),
        "Which comes first from polyfit, slope or intercept?",
    ),
    (as_whole(math.ceil), ROUNDED),
    (as_whole(math.floor), ROUNDED),
    (as_whole(round), ROUNDED),
    (
        met(fit=lambda x, y: line(y, x)),
        "Length depends on time in yours: which of the two is fitted to the other?",
    ),
]


def measured(rng, noise, *sizes):
    """Two power laws that meet at a length between 50 and 2000; with noise, of no common length."""
    for slow, fast in sizes:
        p, q, where = 1.8 + 0.3 * rng.random(), 0.9 + 0.2 * rng.random(), 50 + 1950 * rng.random()
        t = 1e-3 * rng.random() + 1e-4
        cases = []
        for odd, (count, power) in enumerate(((slow, p), (fast, q))):
            n = 2.0 ** (8 + np.arange(count))
            if noise:
                n = 2.0 * np.sort(rng.integers(50, 5000, count)) + odd
            cases += [n, t * (n / where) ** power * np.exp(noise * rng.normal(size=count))]
        yield tuple(cases)


crossover.agrees(
    "finds where two exact power laws meet",
    "With t = 3 n² and t = 600 n on paper: at which n are both the same?",
    lambda rng: measured(rng, 0.0, (4, 4), (3, 3), (5, 5)),
)
crossover.agrees(
    "fits both to all that was measured, each at lengths of its own",
    "Four measurements of the one and six of the other: how many lines, through how many points?",
    lambda rng: measured(rng, 0.1, (5, 7), (6, 6), (4, 6)),
)
crossover.leaves(
    "leaves the measurements as they were",
    "Do you write into the lists of lengths or times?",
    lambda rng: measured(rng, 0.05, (4, 6), (5, 5)),
)
