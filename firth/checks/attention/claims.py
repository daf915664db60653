"""Two kinds of claims that exercise 4 makes last, with the claims before them in mind.

Large scores can overflow, and an axis of length 1 can lose its place. But an answer that is wrong
for ordinary inputs has another problem, and its author is asked about that problem instead.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy import isfinite

from firth.checks.answers import Stopped
from firth.checks.cases import drawn
from firth.checks.claims import WAITS, Claim, Exercise, close

OVERFLOW = (
    "What is exp(1000) in NumPy, and what is exp(−1000)? The weights of a row do not change if you"
    " subtract the same number from all its scores. Which number makes every exp safe?"
)
ROUNDED = (
    "You round your result. The example rounds only what it prints. Can you return the numbers as"
    " they are?"
)
LARGE = "For small scores your numbers are right. Which of your steps fails for large ones?"


def sixteenths(rng, *shape, scale: float = 1.5) -> np.ndarray:
    """Random numbers with the standard deviation `scale`, rounded to sixteenths.

    Sums and products of such numbers are exact, also in single precision. So an answer that
    calculates with float32 is as right as one with float64, however large the scores are.
    """
    return np.round(16 * scale * rng.normal(size=shape)) / 16


def questions_of(claims, call, rng) -> Iterator[str]:
    """The question of each claim that does not hold, or WAITS if the answer stops there."""
    for claim in claims:
        try:
            outcome = claim.holds(call, rng)
        except Stopped:
            yield WAITS
        else:
            if outcome is not True:
                yield outcome or claim.question


def first_question(claims, call, rng) -> str:
    """The question of the first claim that does not hold, WAITS if it stops, and "" if all hold."""
    return next(questions_of(claims, call, rng), "")


def rounded(right: Callable) -> list[tuple[Callable, str]]:
    """The known mistakes of rounding the right answer, to two or three decimals."""

    def mistake(decimals: int) -> Callable:
        return lambda *inputs: np.round(right(*inputs), decimals)

    return [(mistake(decimals), ROUNDED) for decimals in (2, 3)]


def agrees_with(call, cases, function) -> bool:
    """Whether an answer gives the same as this function on all cases."""
    with np.errstate(all="ignore"):
        expected = list(cases.answers(function))
    return all(close(call(*case), other) for case, other in zip(cases, expected, strict=True))


def add_claim_about_large_scores(
    exercise: Exercise,
    sentence: str,
    inputs: Callable,
    untouched: str,
    view: Callable | None = None,
    forgiven: Sequence[Callable] = (),
) -> None:
    """Adds a claim worth one point: the answer is also right for large scores.

    A mistake in `forgiven` is another claim's business, so it costs no point here.

    If it is wrong for small scores as well, the question is that of the earlier claim. If an
    exp has overflowed, the question is OVERFLOW, and otherwise LARGE. A question about inputs that
    were changed is `untouched`, unless this is empty.
    """
    earlier, known = list(exercise.claims), {question for _, question in exercise.mistakes}

    def holds(call, rng):
        cases = drawn(inputs, rng)
        outcome = exercise.compared(call, cases, view or exercise.view)
        if call.changed and untouched:
            return untouched
        if outcome is True or any(agrees_with(call, cases, mistake) for mistake in forgiven):
            return True
        if outcome in known:
            return outcome
        if not all(np.all(isfinite(call(*case))) for case in cases):
            return OVERFLOW
        return first_question(earlier, call, rng) or outcome or LARGE

    exercise.claims.append(Claim(sentence, LARGE, holds, 1))


def add_claim_about_unchanged_inputs(
    exercise: Exercise,
    sentence: str,
    question: str,
    inputs: Callable,
    special: str = WAITS,
    forgiven: Sequence[Callable] = (),
) -> None:
    """Adds a claim worth one point: the numbers are right, and the given arrays stay the same.

    The inputs are of a special kind, such as a single row. `special` is asked if the answer is
    wrong for them alone, and it is no known mistake. A mistake in `forgiven` costs no point here.
    A known mistake that an earlier claim asks about is not asked about again: this claim waits.
    """
    earlier, known = list(exercise.claims), {question for _, question in exercise.mistakes}

    def holds(call, rng):
        cases = drawn(inputs, rng)
        outcome = exercise.compared(call, cases, exercise.view)
        if call.changed or outcome is True:
            return not call.changed
        if any(agrees_with(call, cases, mistake) for mistake in forgiven):
            return True
        if outcome in known:
            return WAITS if outcome in questions_of(earlier, call, rng) else outcome
        return WAITS if first_question(earlier, call, rng) else special

    exercise.claims.append(Claim(sentence, question, holds, 1))
