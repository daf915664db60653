"""Exercise 3.8: draw the next letter from the scores of a network.

p = exp(scores / τ) / Σ exp(scores / τ);   the first letter k at which p_0 + … + p_k > u
"""

import math
from collections.abc import Callable, Iterator

import numpy as np

from firth.checks.activations import softmax
from firth.checks.claims import Exercise

from .relations import agrees_or_fits


def first_above(p, u):
    """The index of the first letter at which the cumulative probability is above u.

    p holds the probabilities of all letters.
    """
    return int(np.searchsorted(np.cumsum(p), u, side="right"))


def first_true(p, u):
    """The index that `first_above` returns, but 0 if no sum is above u, as np.argmax does."""
    return int(np.argmax(np.cumsum(p) > u))


def first_or_last(p, u):
    """The index that `first_above` returns, but the last one if no sum is above u."""
    return int(np.append(np.flatnonzero(np.cumsum(p) > u), len(p) - 1)[0])


def drawing_function(
    chances: Callable = lambda scores, tau: softmax(scores / tau), pick: Callable = first_above
) -> Callable:
    """A function `next_letter(scores, tau, u)`: the reference answer, or a mistake.

    `chances` gives the probabilities, and `pick` the letter that u chooses.
    """

    def next_letter(scores, tau, u):
        return pick(chances(scores, tau), u)

    return next_letter


def reference(scores, tau, u):
    """The right index of the next letter.

    It subtracts one probability after the other from u, until the rest is below 0.
    """
    top = max(scores)
    weights = [math.exp((score - top) / tau) for score in scores]
    left = u * sum(weights)
    for letter, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return letter
    return len(weights) - 1


def mistake_without_maximum(scores, tau):
    """The probabilities of a wrong answer, exp(scores / τ) as it stands: nan for large scores."""
    return np.exp(scores / tau) / np.exp(scores / tau).sum()


def mistake_without_exp(scores, tau):
    """The probabilities of a wrong answer that divides the scores by their sum, without exp."""
    return (scores - scores.min()) / (scores - scores.min()).sum()


def mistake_most_probable_first(p, u):
    """The letter of a wrong answer whose first interval is that of the most probable letter."""
    return int(np.argsort(-p, kind="stable")[first_above(np.sort(p)[::-1], u)])


NO_TAU = (
    "Nothing changes with τ in your function. A low τ should make probable letters likelier. Where"
    " do you use τ?"
)
BEFORE = (
    "You choose letter 0 nearly always. Is it < or >? And do your sums rise from the first"
    " probability to 1?"
)
DIVIDED = (
    "You divide the probabilities by τ, so they do not add up to 1 any more. Should τ divide the"
    " scores before exp, or the probabilities after it?"
)
NOT_1 = "Your probabilities do not add up to 1. By what must you divide them?"
EQUAL = "Take u = 0, and a first probability of 0. On whose interval is u? Should it be > or ≥?"
NONE_ABOVE = "Is any of your sums above u? If p holds nan, none is. What is exp(1000)?"
OVERFLOW = "What is exp(1000)? Subtract the largest score first. Does that change p?"
MISTAKES = {
    **{
        f"no maximum, {pick.__name__}": (drawing_function(mistake_without_maximum, pick), OVERFLOW)
        for pick in (first_true, first_or_last, first_above)
    },
    "most probable letter": (
        drawing_function(pick=lambda p, u: int(p.argmax())),
        "You always take the most probable letter. Where do you use u?"),
    "equal intervals": (
        drawing_function(pick=lambda p, u: int(u * len(p))),
        "Every letter has an interval of the same length. Where do you use the scores?"),
    "no temperature": (drawing_function(lambda scores, tau: softmax(scores)), NO_TAU),
    "temperature cancelled": (
        drawing_function(
            lambda scores, tau: softmax(scores) / tau / sum(softmax(scores) / tau)), NO_TAU),
    "τ kept from 0": (
        drawing_function(lambda scores, tau: softmax(scores / max(tau, 0.01))),
        "Your function uses a larger number if τ is very small. Is that needed, if you subtract the"
        " largest score first?",
    ),
    "probabilities divided by τ": (
        drawing_function(lambda scores, tau: softmax(scores) / tau), DIVIDED),
    "probabilities divided by τ, first_true": (
        drawing_function(lambda scores, tau: softmax(scores) / tau, first_true), DIVIDED),
    "multiplied by τ": (
        drawing_function(lambda scores, tau: softmax(scores * tau)),
        "You multiply by τ. Should a high temperature make the probabilities more equal, or less"
        " equal?"),
    "not divided by the sum": (drawing_function(lambda scores, tau: np.exp(scores / tau)), NOT_1),
    "not divided by the sum, with maximum": (
        drawing_function(lambda scores, tau: np.exp((scores - scores.max()) / tau)), NOT_1),
    "scores as probabilities": (
        drawing_function(lambda scores, tau: scores / tau),
        "You add up the scores themselves, and they may be below 0. Where is exp?"),
    "scores as probabilities, first_true": (
        drawing_function(lambda scores, tau: scores / tau, first_true),
        "You add up the scores themselves, and they may be below 0. Where is exp?",
    ),
    "shares of the scores": (
        drawing_function(mistake_without_exp), "You divide the scores by their sum. Where is exp?"),
    "letters from 1": (
        drawing_function(pick=lambda p, u: first_above(p, u) + 1),
        "Your number is too large by one. Is the first letter number 0 or 1?"),
    "letter before": (
        drawing_function(pick=lambda p, u: max(0, first_above(p, u) - 1)),
        "You take the last letter whose interval ends before u. On whose interval is u?"),
    "first below": (drawing_function(pick=lambda p, u: int(np.argmax(np.cumsum(p) < u))), BEFORE),
    "first below, or last": (
        drawing_function(
            pick=lambda p, u: int(np.append(np.flatnonzero(np.cumsum(p) < u), len(p) - 1)[0])),
        BEFORE),
    "≥ for >": (drawing_function(pick=lambda p, u: int(np.argmax(np.cumsum(p) >= u))), EQUAL),
    "no sums": (
        drawing_function(pick=lambda p, u: int(np.argmax(p > u))),
        "You compare u with the probability of each letter by itself. Where do you add up the"
        " probabilities of the letters before it?"),
    "most probable letter first": (
        drawing_function(pick=mistake_most_probable_first),
        "You begin with the most probable letter. Which letter has the first interval?"),
    "numbers after sorting": (
        drawing_function(pick=lambda p, u: first_above(np.sort(p)[::-1], u)),
        "You sort the probabilities. Is number 0 still letter 0 then?"),
    "u from the other end": (
        drawing_function(pick=lambda p, u: first_above(p, 1 - u)),
        "You measure u from the end. Which letter should a u near 0 choose?"),
    "probability returned": (
        drawing_function(pick=lambda p, u: p[min(first_above(p, u), len(p) - 1)]),
        "That is the probability of the letter. Can you return its number?"),
    "all probabilities returned": (
        drawing_function(pick=lambda p, u: p),
        "Those are the probabilities. Which letter does u choose?"),
}  # fmt: skip
next_letter = Exercise(
    name="next_letter",
    chapter="03_rnn",
    number="3.8",
    difficulty=2,
    minutes=12,
    hints=(
        "Draw a line from 0 to 1, and give each letter an interval that is as long as its"
        " probability. On which interval is u?",
        "Subtract the largest score, divide by τ, take exp, and divide by the sum. np.cumsum(p)"
        " gives the right end of each interval. The letter is the first whose end is above u.",
        "x = (scores - scores.max()) / tau\n"
        "p = np.exp(x) / np.exp(x).sum()\n"
        "return int(np.argmax(np.cumsum(p) > …))  # the first True",
    ),
    right=reference,
    mistakes=MISTAKES,
    stumbles={
        "math range error": OVERFLOW,
        "returned None": NONE_ABOVE,
        "StopIteration": NONE_ABOVE,
        "out of range": NONE_ABOVE,
        "out of bounds": NONE_ABOVE,
    },
)


def draw_scores(rng, *temperatures) -> Iterator[tuple]:
    """Inputs (scores, tau, u): for each letter, a u near each end of its interval.

    So an answer with intervals of another length or order returns another letter at least once. No
    probability is below 0.03, so that rounding errors do not matter.
    """
    for tau in temperatures:
        for V in (4, 6):
            p = np.zeros(1)
            while p.min() < 0.03:
                x = rng.normal(size=V) * 1.2
                p = softmax(x)
            begins = np.r_[0, np.cumsum(p)]
            for letter in rng.permutation(V):
                for share in (0.02, 0.98):
                    u = begins[letter] + share * p[letter]
                    yield x * tau + rng.normal(), tau, float(u)


def scores_at_temperature_1(rng) -> Iterator[tuple]:
    """Inputs (scores, tau, u) with τ = 1, so that a mistake with τ costs no point here."""
    return draw_scores(rng, 1.0)


def scores_at_other_temperatures(rng) -> Iterator[tuple]:
    """Inputs (scores, tau, u) with τ = 0.4 and τ = 2.5, which catch every wrong use of τ."""
    return draw_scores(rng, 0.4, 2.5)


def large_scores(rng) -> Iterator[tuple]:
    """Inputs (scores, tau, u): scores in the thousands, or a τ of 0.001.

    One letter always wins, or two letters share the probability, 0.3 and 0.7. They catch exp
    without a maximum. In the last two, letter 0 is impossible and u is 0: they catch ≥ instead of
    >.
    """
    us_for_two = (0.1, 0.25), (0.32, 0.42), (0.75, 0.95)
    for scale, tau in ((1.0, 1e-3), (4000.0, 1.0), (4000.0, 0.5)):
        for V in (4, 6):
            scores = scale * (1 + rng.permutation(V) + rng.random(V) / 4)
            yield from ((scores, tau, u) for u in (0.01, 0.99))
            two = np.sort(rng.permutation(V)[:2])
            scores = scores.copy()
            scores[two] = scores.max() + scale + tau * np.log([0.3, 0.7])
            yield from ((scores, tau, float(rng.uniform(*ends))) for ends in us_for_two)
    for V in (4, 6):
        yield np.r_[-2000.0, rng.normal(size=V - 1)], 1.0, 0.0


next_letter.agrees(
    "gives each letter, with τ = 1, an interval as long as its softmax, letter 0 first",
    "The probabilities are 0.2, 0.5 and 0.3. Which letters do u = 0.1, 0.6 and 0.9 choose?",
    scores_at_temperature_1,
)


def right_but_for_the_choice(call, case, answer) -> bool:
    """True if `answer` comes from right probabilities and another known way of choosing a letter.

    The ways are: letters counted from 1, u measured from the other end, and the most probable
    letter first. So these mistakes cost no point in this claim. `case` holds the inputs; `call` is
    not used.
    """
    ways = ("letters from 1", "u from the other end", "most probable letter first")
    return any(answer == MISTAKES[way][0](*case) for way in ways)


agrees_or_fits(
    next_letter,
    "divides the scores by τ: a low τ makes probable letters likelier, a high τ makes all letters"
    " more equal",
    "The scores are 0 and log 3. What are the probabilities with τ = 1, and with τ = 1/2?",
    scores_at_other_temperatures,
    right_but_for_the_choice,
)
next_letter.agrees(
    "works with scores in the thousands, with a very small τ, and with u = 0",
    "Add 4,000 to every score, or divide the scores and τ by 1,000. Should the letter change? And"
    " does it?",
    large_scores,
)
