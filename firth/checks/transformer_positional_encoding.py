"""Exercise 5, order: where a token stands, as the hands of many clocks.

angle(p, i) = p / 10000^(2i/d);   sin and cos of it, for each pair i = 0 … d/2 − 1

In which columns the two stand differs from code to code, and here from student to student
(firth.checks.variants).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from firth.checks.claims import Exercise
from firth.checks.variants import printed


@dataclass(frozen=True)
class Columns:
    """Where the sines and the cosines stand."""

    form: str
    spoken: str  # after "the sines …"
    whose: str
    sine: Callable[[int, int], int]  # the column of pair i's sine, and of its cosine
    cosine: Callable[[int, int], int]
    slices: tuple[str, str]
    hand: str


PAPER = Columns(
    "in turns",
    "in columns 0, 2, 4, …, the cosines in columns 1, 3, 5, …",
    "as in the paper",
    lambda i, d: 2 * i,
    lambda i, d: 2 * i + 1,
    ("0::2", "1::2"),
    "sin 2, cos 2, sin 0.02, cos 0.02",
)
HALVES = Columns(
    "in two halves",
    "in the first d/2 columns, the cosines in the others",
    "as in much of the code that followed",
    lambda i, d: i,
    lambda i, d: d // 2 + i,
    (": d // 2", "d // 2 :"),
    "sin 2, sin 0.02, cos 2, cos 0.02",
)
COSINES = Columns(
    "cosines first",
    "in columns 1, 3, 5, …, the cosines in columns 0, 2, 4, …",
    "as one writes the points of a circle",
    lambda i, d: 2 * i + 1,
    lambda i, d: 2 * i,
    ("1::2", "0::2"),
    "cos 2, sin 2, cos 0.02, sin 0.02",
)
LAYOUTS = (PAPER, HALVES, COSINES)


def looped(asked: Columns) -> Callable:
    """The right answer, a number at a time."""

    def positional_encoding(n, d):
        P = np.zeros((n, d))
        for p in range(n):
            for i in range(d // 2):
                angle = p / 10_000 ** (2 * i / d)
                P[p, asked.sine(i, d)] = math.sin(angle)
                P[p, asked.cosine(i, d)] = math.cos(angle)
        return P

    return positional_encoding


def turning(
    asked: Columns,
    angle: Callable = lambda p, i, d: p / 10_000 ** (2 * i / d),
    waves: tuple[Callable, Callable] = (np.sin, np.cos),
    first: int = 0,
    second: Callable | None = None,
) -> Callable:
    """A way of turning, the right one by default: angles, waves, the first position."""

    def positional_encoding(n, d):
        p, i, P = np.arange(first, n + first)[:, None], np.arange(d // 2), np.zeros((n, d))
        P[:, [asked.sine(j, d) for j in i]] = waves[0](angle(p, i, d))
        P[:, [asked.cosine(j, d) for j in i]] = waves[1]((second or angle)(p, i, d))
        return P

    return positional_encoding


def mistakes(asked: Columns) -> list[tuple[Callable, str]]:
    """What goes wrong, with the columns in one order or another."""

    def way(**how):
        return turning(asked, **how)

    late = asked.sine(0, 2)
    swapped = replace(asked, sine=asked.cosine, cosine=asked.sine)
    return [
        *(
            (
                looped(other),
                f"You put the sines {other.spoken}: in which columns are they asked for here?",
            )
            for other in LAYOUTS
            if other is not asked
        ),
        *(
            []
            if asked is not HALVES
            else [(looped(swapped), "You have the cosines in the first half: which come first?")]
        ),
        (
            way(angle=lambda p, i, d: p / 10_000 ** (i / d)),
            "Your slowest hand is too fast: is the exponent i/d or 2i/d? (Or did you halve it?)",
        ),
        (
            way(angle=lambda p, i, d: p / 10_000 ** (2 * (2 * i) / d)),
            "i counts pairs, not columns: which exponent has the second pair, with d = 4?",
        ),
        (
            way(
                angle=lambda p, i, d: p / 10_000 ** (2 * i / d),
                second=lambda p, i, d: p / 10_000 ** ((2 * i + 1) / d),
            ),
            "Sine and cosine of a pair have unequal angles: are they not one hand of one clock?",
        ),
        (
            way(
                angle=lambda p, i, d: p / 10_000 ** (4 * i / d),
                second=lambda p, i, d: p / 10_000 ** ((4 * i + 2) / d),
            ),
            "Has every column an i of its own? Two of them, a sine and a cosine, share one.",
        ),
        (
            way(angle=lambda p, i, d: p * 10_000 ** (2 * i / d)),
            "Your clocks get faster and faster: is p multiplied by the power, or divided by it?",
        ),
        (
            way(angle=lambda p, i, d: p / 10_000.0 ** (2 * i) / d),
            "What does Python take first in 10000**2*i/d? Put the exponent in brackets.",
        ),
        (
            way(angle=lambda p, i, d: p / (10_000.0 ** (2 * i) / d)),
            "What does Python take first in 10000**(2*i)/d? Put all of the exponent in brackets.",
        ),
        (
            way(angle=lambda p, i, d: p / 10_000 ** (2 * i // d)),
            "`//` drops what is behind the point: is 2i/d not a fraction?",
        ),
        (
            way(angle=lambda p, i, d: p / np.exp(2 * i / d)),
            "Which number is raised to the power 2i/d? Yours is e, not 10000.",
        ),
        (
            way(angle=lambda p, i, d: p / 1_000 ** (2 * i / d)),
            "Which number is raised to the power 2i/d? Yours is 1000: count the zeros.",
        ),
        (way(first=1), "Is the first position 0 or 1? Your first row is that of position 1."),
        (way(waves=(np.sin, np.sin)), "All sines: where are the cosines?"),
        (way(waves=(np.cos, np.cos)), "All cosines: where are the sines?"),
        (
            way(angle=lambda p, i, d: p / len(p) / 10_000 ** (2 * i / d)),
            "You divide p by n: should position 3 be another in a longer text?",
        ),
        (
            way(angle=lambda p, i, d: np.deg2rad(p / 10_000 ** (2 * i / d))),
            "Degrees or radians? Python's sine takes the angle as it is.",
        ),
        (
            lambda n, d: looped(asked)(n, d).T,
            "A column for each position? A row is asked for: the table lies on its side.",
        ),
        (lambda n, d: looped(asked)(n, d)[-1], "That is one position: where are the others?"),
        (
            lambda n, d: looped(asked)(n + 1, d),
            "You have a row too many: the positions are 0 to n − 1. Where does your range end?",
        ),
        *(
            (
                way(angle=lambda p, i, d, last=last: p / 10_000 ** (i / last(d))),
                "Your last exponent is 1, or nearly: which one has the last pair, with d = 4?",
            )
            for last in (lambda d: d // 2 - 1, lambda d: max(1, d // 2 - 1), lambda d: (d - 1) / 2)
        ),
        (
            way(angle=lambda p, i, d: p / 10_000 ** (2 * (i + 1) / d)),
            "Your first clock is slow already: is its pair number 0, or 1?",
        ),
        (
            way(angle=lambda p, i, d: 2 * np.pi * p / 10_000 ** (2 * i / d)),
            "Your clocks go 2π times too fast: is the angle given in turns, or ready for the sine?",
        ),
        (
            looped(replace(asked, sine=lambda i, d: i + late, cosine=lambda i, d: i + 1 - late)),
            "Your pairs write over each other: which two columns does pair 0 take, which pair 1?",
        ),
        (
            lambda n, d: np.reshape(np.split(looped(HALVES)(n, d), 2, axis=1), (n, d)),
            "You reshape all sines and then all cosines: whose are the first d numbers? Each"
            " position's row holds both.",
        ),
    ]


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
