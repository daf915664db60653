"""Exercise 7, claims about memory and size: no large table on the way, and no infinity at its end.

In a notebook every array that NumPy makes is counted (tracemalloc), so a table of n × n is seen
however fast the machine. A grader cannot count in another process; there the text is so long that
the table does not fit what a submission may take, not even with numbers of 4 bytes.
"""

import tracemalloc

import numpy as np
from numpy import isfinite

from firth.checks.answers import copied, plain
from firth.checks.cases import drawn
from firth.checks.claims import WAITS, Claim, Exercise, close

COUNTED = 500  # words of a text whose n × n numbers are 2 MB
TABLE = "Unable to allocate"


def most_held(call, case) -> tuple[np.ndarray, int]:
    """An answer, and the most bytes that were held at once while it was made."""
    running = tracemalloc.is_tracing()
    if not running:
        tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        answer = call(*case)
        return answer, tracemalloc.get_traced_memory()[1] - before
    finally:
        if not running:
            tracemalloc.stop()


def length_beyond(memory: int) -> int:
    """The length of a text whose n × n table of float32 numbers takes more than so many MB.

    >>> length_beyond(1024) ** 2 * 4 > 1024 << 20
    True
    """
    return int(((memory << 20) / 4) ** 0.5 * 1.05)


def survives(exercise: Exercise, sentence: str, question: str, overflow: str, inputs) -> None:
    """Claims right numbers for large inputs; whoever gives nan or infinity is asked `overflow`."""

    def holds(call, rng):
        cases = drawn(inputs, rng)
        outcome = exercise.compared(call, cases, exercise.view)
        if outcome in [True, *(known for _, known in exercise.mistakes)]:
            return outcome
        return outcome if all(isfinite(call(*case)).all() for case in cases) else overflow

    exercise.claims.append(Claim(sentence, question, holds, 1))


def nothing(call, rng) -> bool:
    return True


def spares(exercise: Exercise, sentence: str, question: str, inputs, besides=nothing) -> None:
    """Claims right numbers for a long text, inputs(rng, n), made without a table of n × n.

    `besides` is claimed of whoever holds no table: it returns True, or what to ask.
    """

    def holds(call, rng):
        n = COUNTED if call.open else length_beyond(call.memory)
        case = inputs(rng, n)
        right = plain(exercise.right(*copied(case)))
        answer, held = most_held(call, case)
        if not close(answer, right):
            return WAITS
        return besides(call, rng) if held < n * n * 8 / 3 else question

    exercise.stumbles[TABLE] = question
    exercise.claims.append(Claim(sentence, question, holds, 1))
