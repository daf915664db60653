"""Exercise 5, order: where a token stands, as the hands of many clocks.

angle(p, i) = p / 10000^(2i/d);   sin and cos of it, for each pair i = 0 … d/2 − 1

In which columns the two stand differs from code to code, and here from student to student
(firth.checks.variants).
"""

import numpy as np

from firth.checks.claims import Exercise
from firth.checks.transformer_turning import COSINES, HALVES, PAPER, Columns, looped, mistakes
from firth.checks.variants import printed


def sizes(rng):
    for _ in range(4):
        n, pairs = int(rng.integers(5, 30)), int(rng.integers(3, 12))
        yield n, 2 * pairs + 2 * (n == 2 * pairs)


def few(rng):
    for _ in range(2):
        yield int(rng.integers(150, 400)), 4 * int(rng.integers(1, 4)) + 2
    yield int(rng.integers(7, 90)), 2
    yield 1, 2 * int(rng.integers(2, 40))


def question(asked: Columns) -> Exercise:
    """The question, with all that belongs to it, for one order of the columns."""
    right = looped(asked)
    positional_encoding = Exercise(
        name="positional_encoding",
        chapter="05_transformer",
        number="5.1",
        difficulty=1,
        minutes=10,
        hints=(
            "Make the angles first: a table of n rows (positions) and d/2 columns (pairs). Then the"
            " sines of all of it, and the cosines.",
            "np.arange(n)[:, None] is a column of positions; np.arange(0, d, 2) / d are all the"
            " exponents 2i/d. The position divided by 10000 to that exponent is the angle. The"
            f" sines stand {asked.spoken}.",
            "angles = np.arange(n)[:, None] / 10_000 ** (np.arange(0, d, 2) / d)\n"
            "P = np.zeros((n, d))\n"
            f"P[:, {asked.slices[0]}] = np.sin(angles)\n"
            f"P[:, {asked.slices[1]}] = …\n"
            "return P",
        ),
        right=right,
        mistakes=mistakes(asked),
        stumbles={"broadcast": "Is your column of positions a column? np.arange(n)[:, None] is."},
        form=asked.form,
        passages=(
            f"the sines {asked.spoken} ({asked.whose})",
            f"row 2 is {asked.hand}",
            printed(right(3, 4).round(2) + 0.0),
        ),
    )
    positional_encoding.agrees(
        "has for position p and pair i the sine and the cosine of p / 10000^(2i/d)",
        "d = 4: what are the two angles of position 1, and of position 2?",
        sizes,
        view=lambda answer, right: np.sort(answer, axis=-1),
    )
    positional_encoding.agrees(
        f"has the sines {asked.spoken}",
        "d = 4: which two columns hold the sines?",
        sizes,
    )
    positional_encoding.agrees(
        "goes on in the same way for hundreds of positions, for one alone, and for a single pair",
        "Is a position's row the same, however long the text is?",
        few,
    )
    return positional_encoding


positional_encoding = question(PAPER)
positional_encoding.forms = (question(HALVES), question(COSINES))
