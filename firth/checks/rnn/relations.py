"""A claim that a slip elsewhere in the learner's function does not cost.

    holds = the numbers are right,   or   fits(call, case, answer) for every case

Some parts of an answer can be judged against the learner's own numbers. An output should be V times
the hidden state that was returned, also if this hidden state is wrong. Then one slip costs the
points of one claim, and not of all.
"""

from collections.abc import Callable

import numpy as np
from numpy import isfinite

from firth.checks.answers import Stopped
from firth.checks.cases import drawn
from firth.checks.claims import Claim, Exercise


def agrees_or_fits(
    exercise: Exercise,
    sentence: str,
    question: str,
    inputs: Callable,
    fits: Callable[[Callable, tuple, np.ndarray], bool],
    view: Callable | None = None,
) -> None:
    """Adds a claim worth one point: the answer is right, or it is consistent with itself.

    `sentence`, `question`, `inputs` and `view` are those of Exercise.agrees. `fits(call, case,
    answer)` returns True if an answer of the right shape is consistent with other values that the
    learner's function `call` returns.
    """

    def holds(call, rng):
        cases = drawn(inputs, rng)
        outcome = exercise.compared(call, cases, view or exercise.view)
        return True if outcome is True or all_fit(call, cases) else outcome

    def all_fit(call, cases) -> bool:
        pairs = zip(cases, cases.answers(exercise.right), strict=True)
        try:
            answers = [(case, call(*case), right.shape) for case, right in pairs]
            return all(
                answer.shape == shape and isfinite(answer).all() and fits(call, case, answer)
                for case, answer, shape in answers
            )
        except Stopped:
            return False

    exercise.claims.append(Claim(sentence, question, holds, 1))
