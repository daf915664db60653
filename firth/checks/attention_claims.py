"""Exercise 4, claims that come last: what they say once those before them hold, and until then.

A great score may overflow, and a special case may lose its shape; but an answer that fails on
ordinary inputs has another trouble, and is asked about that one.
"""

import numpy as np
from numpy import isfinite

from firth.checks.answers import Stopped
from firth.checks.cases import drawn
from firth.checks.claims import WAITS, Claim, Exercise

UNSTABLE = (
    "What is exp(1000) to a computer, and what is exp(−1000)? Softmax stays the same when all"
    " scores of a row are shifted alike: by how much would you shift?"
)
LARGE = "With small scores yours is right: which of your steps minds how large they are?"


def failing(claims, call, rng) -> str:
    """What the first of these claims that does not hold has to ask; nothing if all hold."""
    for claim in claims:
        try:
            outcome = claim.holds(call, rng)
        except Stopped:
            return WAITS
        if outcome is not True:
            return outcome or claim.question
    return ""


def steady(exercise: Exercise, sentence: str, inputs, untouched: str) -> None:
    """Claims right numbers for great scores too; asks about exp only where it has overflowed."""
    earlier, known = list(exercise.claims), {question for _, question in exercise.mistakes}

    def holds(call, rng):
        cases = drawn(inputs, rng)
        outcome = exercise.compared(call, cases, exercise.view)
        if call.changed and untouched:
            return untouched
        if outcome is True or outcome in known:
            return outcome
        if not all(np.all(isfinite(call(*case))) for case in cases):
            return UNSTABLE
        return failing(earlier, call, rng) or outcome or LARGE

    exercise.claims.append(Claim(sentence, LARGE, holds, 1))


def leaves(exercise: Exercise, sentence: str, question: str, inputs, special: str) -> None:
    """Claims that inputs stay as they were; asks what is special about them if no more is wrong."""
    earlier = list(exercise.claims)

    def holds(call, rng):
        outcome = exercise.compared(call, drawn(inputs, rng), exercise.view)
        if call.changed or outcome is True:
            return not call.changed
        return WAITS if failing(earlier, call, rng) else special

    exercise.claims.append(Claim(sentence, question, holds, 1))
