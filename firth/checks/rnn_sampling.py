"""Exercise 3, writing: draw the next letter from a network's scores.

p = exp(scores / τ) / Σ exp(scores / τ);   the first letter at which p_0 + … + p_k exceeds u
"""

import math

import numpy as np

from firth.checks.claims import Exercise


def softmax(x):
    e = np.exp(x - x.max())
    return e / e.sum()


def first_above(p, u):
    return int(np.searchsorted(np.cumsum(p), u, side="right"))


def first_true(p, u):
    """The same, except that it is letter 0 where no end lies beyond u."""
    return int(np.argmax(np.cumsum(p) > u))


def first_or_last(p, u):
    """The same, except that it is the last letter where no end lies beyond u."""
    return int(np.append(np.flatnonzero(np.cumsum(p) > u), len(p) - 1)[0])


def drawn(chances=lambda scores, tau: softmax(scores / tau), pick=first_above):
    """A way of drawing, the right one by default: the probabilities, and the letter for u."""

    def next_letter(scores, tau, u):
        return pick(chances(scores, tau), u)

    return next_letter


def walked(scores, tau, u):
    """The right answer: walk along the letters until u is used up."""
    top = max(scores)
    weights = [math.exp((score - top) / tau) for score in scores]
    left = u * sum(weights)
    for letter, weight in enumerate(weights):
        left -= weight
        if left < 0:
            return letter
    return len(weights) - 1


IGNORED = "A low τ should make the likely letter likelier: does anything change with τ?"
BEFORE = "You choose letter 0 nearly always: is it < or >, and do your ends rise from 0 to 1?"
DIVIDED = (
    "You divide the probabilities by τ, so that they no longer add up to 1: what is divided by τ,"
    " before exp or after?"
)
LONG = "Your stretches do not add up to 1: what are they divided by?"
EMPTY = "With u = 0 and a first probability of 0, on whose stretch is u: should it be > or ≥?"
NOWHERE = "Does any of your ends lie beyond u? If p holds nan, none does: what is exp(1000)?"
OVERFLOW = "What is exp(1000)? Subtract the greatest score first: does that change p?"
next_letter = Exercise(
    name="next_letter",
    chapter="03_rnn",
    number="3.8",
    difficulty=2,
    minutes=12,
    hints=(
        "Lay the probabilities end to end on a line from 0 to 1, a stretch for each letter. On"
        " whose stretch does u fall?",
        "x = scores / τ, less its maximum; p = exp(x), divided by its sum. np.cumsum(p) is where"
        " each letter's stretch ends: the letter is the first whose end lies beyond u.",
        "x = (scores - scores.max()) / tau\n"
        "p = np.exp(x) / np.exp(x).sum()\n"
        "return int(np.argmax(np.cumsum(p) > …))  # the first True",
    ),
    right=walked,
    stumbles={
        "math range error": OVERFLOW,
        "returned None": NOWHERE,
        "StopIteration": NOWHERE,
        "out of range": NOWHERE,
        "out of bounds": NOWHERE,
    },
)
next_letter.mistakes = [
    *(
        (
            drawn(
                chances=lambda scores, tau: np.exp(scores / tau) / np.exp(scores / tau).sum(),
                pick=pick,
            ),
            OVERFLOW,
        )
        for pick in (first_true, first_or_last, first_above)
    ),
    (
        drawn(pick=lambda p, u: int(p.argmax())),
        "You always take the likeliest letter: where does u come in?",
    ),
    (
        drawn(pick=lambda p, u: int(u * len(p))),
        "Every letter gets a stretch of the same length: where do the scores come in?",
    ),
    (drawn(chances=lambda scores, tau: softmax(scores)), IGNORED),
    (
        drawn(chances=lambda scores, tau: softmax(scores) / tau / sum(softmax(scores) / tau)),
        IGNORED,
    ),
    (drawn(chances=lambda scores, tau: softmax(scores) / tau), DIVIDED),
    (drawn(chances=lambda scores, tau: softmax(scores) / tau, pick=first_true), DIVIDED),
    (
        drawn(chances=lambda scores, tau: softmax(scores * tau)),
        "You multiply by τ: should a high temperature make the choice more even, or less?",
    ),
    (drawn(chances=lambda scores, tau: np.exp(scores / tau)), LONG),
    (drawn(chances=lambda scores, tau: np.exp((scores - scores.max()) / tau)), LONG),
    (
        drawn(chances=lambda scores, tau: scores / tau),
        "You lay the scores themselves end to end, and they may be below 0: where is exp?",
    ),
    (
        drawn(
            chances=lambda scores, tau: (scores - scores.min()) / (scores - scores.min()).sum(),
        ),
        "You share out the scores in proportion: where is exp?",
    ),
    (
        drawn(pick=lambda p, u: first_above(p, u) + 1),
        "Is the first letter 0 or 1? You are one too far.",
    ),
    (
        drawn(pick=lambda p, u: max(0, first_above(p, u) - 1)),
        "You take the last letter whose stretch ends before u: on whose stretch does u lie?",
    ),
    (drawn(pick=lambda p, u: int(np.argmax(np.cumsum(p) < u))), BEFORE),
    (
        drawn(pick=lambda p, u: int(np.append(np.flatnonzero(np.cumsum(p) < u), len(p) - 1)[0])),
        BEFORE,
    ),
    (drawn(pick=lambda p, u: int(np.argmax(np.cumsum(p) >= u))), EMPTY),
    (
        drawn(pick=lambda p, u: int(np.argmax(p > u))),
        "You compare u with each letter's own probability: who adds up the stretches before it?",
    ),
    (
        drawn(
            pick=lambda p, u: int(np.argsort(-p, kind="stable")[first_above(np.sort(p)[::-1], u)])
        ),
        "You lay the likeliest letter first; which letter's stretch should come first?",
    ),
    (
        drawn(pick=lambda p, u: first_above(np.sort(p)[::-1], u)),
        "After sorting, is number 0 still the letter 0?",
    ),
    (
        drawn(pick=lambda p, u: first_above(p, 1 - u)),
        "You measure u from the far end: which letter should a u near 0 give?",
    ),
    (
        drawn(pick=lambda p, u: p[min(first_above(p, u), len(p) - 1)]),
        "That is the letter's probability: can you return its number?",
    ),
    (drawn(pick=lambda p, u: p), "Those are the probabilities: which letter does u choose?"),
]


def draws(rng, *temperatures, scale=1.0):
    """For every letter a u near the beginning of its stretch and one near its end.

    Whoever has other stretches gives another letter somewhere: nobody is right by luck.
    """
    for tau in temperatures:
        for V in (4, 6):
            p = np.zeros(1)
            while p.min() < 0.03:  # no stretch so short that rounding could miss it
                x = rng.normal(size=V) * 1.2
                p = softmax(x)
            begins = np.r_[0, np.cumsum(p)]
            for letter in rng.permutation(V):
                for share in (0.02, 0.98):
                    u = begins[letter] + share * p[letter]
                    yield x * tau + scale * rng.normal(), tau, float(u)


def sharp(rng):
    """Scores in the thousands, or τ next to nothing: one letter always, or one of two."""
    ends_of_both = (0.1, 0.25), (0.32, 0.42), (0.75, 0.95)
    for scale, tau in ((1.0, 1e-3), (4000.0, 1.0), (4000.0, 0.5)):
        for V in (4, 6):
            scores = scale * (1 + rng.permutation(V) + rng.random(V) / 4)
            yield from ((scores, tau, u) for u in (0.01, 0.99))
            two = np.sort(rng.permutation(V)[:2])  # the later letter is the likelier one
            scores = scores.copy()
            scores[two] = scores.max() + scale + tau * np.log([0.3, 0.7])
            yield from ((scores, tau, float(rng.uniform(*ends))) for ends in ends_of_both)
    for V in (4, 6):  # the first letter is impossible, even for the least u
        yield np.r_[-2000.0, rng.normal(size=V - 1)], 1.0, 0.0


next_letter.agrees(
    "gives each letter, with τ = 1, a stretch of length softmax(scores), letter 0 first",
    "Probabilities 0.2, 0.5 and 0.3: which letter do u = 0.1, 0.6 and 0.9 choose?",
    lambda rng: draws(rng, 1.0),
)
next_letter.agrees(
    "divides the scores by τ: a low τ makes likely letters likelier, a high one evens them out",
    "Scores 0 and log 3: what are the probabilities with τ = 1, and what with τ = 1/2?",
    lambda rng: draws(rng, 0.4, 2.5),
)
next_letter.agrees(
    "works with scores in the thousands, and with a τ next to nothing, for any u from 0 on",
    "Add 4,000 to every score, or divide the scores and τ by 1,000: should the letter change, and"
    " does yours?",
    sharp,
)
