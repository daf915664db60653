"""Exercise 1, counting: who stands near whom.

C[i, j] = how often word j stands within m places of word i

How much a neighbour counts may differ from student to student (firth.checks.variants): always 1,
or 1/d where it stands d places away.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from firth.checks.claims import Exercise
from firth.checks.lsa_counting import OWN, counted, last_meeting, mistakes, nearer, once
from firth.checks.variants import printed


@dataclass(frozen=True)
class Weight:
    """How much a neighbour counts, and how each place speaks of it."""

    form: str
    weight: Callable
    add: str
    counts: str
    on_paper: str
    notebook: str
    promise: str
    by_hand: str
    other: list[tuple[Callable, str]]  # what comes of counting in another way
    stumbles: dict[str, str] = field(default_factory=dict)


ONE = Weight(
    form="each neighbour counts 1",
    weight=once,
    add="1",
    counts="the words within m places",
    on_paper="Take the text 0 1 2 3 and m = 1, on paper: which six entries of the table are 1?",
    notebook="left or to the right. (",
    promise="in texts given as word numbers.",
    by_hand="",
    other=[
        (
            counted(near=lambda p, q, m: abs(p - q) == 1),
            "You reach one place on each side, whatever m is: where does m come in?",
        ),
        (
            counted(weight=nearer),
            "You give near neighbours more weight: does the end of the window not count 1, too?",
        ),
    ],
)
BY_DISTANCE = Weight(
    form="a neighbour d places away counts 1/d",
    weight=nearer,
    add="1/|p − q|",
    counts="1/d for a word d places away, d no more than m",
    on_paper="Take the text 0 1 2 3 and m = 2, on paper: which six entries of the table are 1, and"
    " which four are 1/2?",
    notebook="left or to the right; but the farther away, the less: a word $d$ places away counts"
    " **1/d**. (",
    promise="1/d for each time.",
    by_hand="1 + 1/2 = ",
    other=[
        (
            counted(),
            "Every neighbour counts the same: what should one count that stands two places away?",
        ),
        (
            counted(weight=lambda d: float(d == 1)),
            "Does your table hold fractions, or does it cut 1/2 down to 0? (`np.zeros((V, V))`)",
        ),
        (counted(weight=lambda d: 1 / d**2), "You divide by d twice: what is 1/d for d = 2?"),
        (
            counted(weight=lambda d: 1 / (d + 1)),
            "What is d for the very next word? It should count 1.",
        ),
        (counted(weight=lambda d: d), "Who should count more, the nearer or the farther word?"),
        (
            last_meeting(nearer),
            "If two words meet three times, do the three add up? (`C[a, b] += …`)",
        ),
    ],
    stumbles={"division by zero": OWN},
)


ENDS = (
    "Near its ends a text has no m places on one of the sides: where does your window stop there?"
)


def one_text(rng):
    for m in (1, 2, 3):
        V = int(rng.integers(9, 13))
        yield [rng.permutation(V)], V, m


def repeating(rng):
    yield [np.array([1, 1, 1, 0])], 2, int(rng.integers(1, 4))
    for m in (1, 2, 4):
        yield [rng.integers(0, 4, size=int(rng.integers(12, 18)))], 4, m


def several_texts(rng):
    for m in (2, 3):
        lengths = [*rng.integers(3, 7, size=4), 0, 1]
        rng.shuffle(lengths)
        yield [rng.permutation(6)[:length] for length in lengths], 6, m


def unknown_words(rng):
    for m in (1, 3, 2):
        texts = [rng.permutation(14) for _ in range(2)]
        for text in texts:
            text[rng.permutation(14)[:5]] = -1
        yield texts, 14, m


def short_texts(rng):
    yield [rng.permutation(5)[:4]], 5, int(rng.integers(6, 12))
    yield [rng.permutation(3), rng.permutation(3)[:2]], 6, 4
    yield [rng.permutation(3)], 7, 1
    yield [np.array([], dtype=int), rng.permutation(3)[:2]], 3, 2


def passages(asked: Weight, right: Callable) -> tuple[str, ...]:
    """What the notebook says of the weight, and the example that is worked by hand there."""
    C = right([np.array([0, 1, -1, 0])], 2, 2)
    return (
        asked.notebook,
        f"How often word j stands within m places of word i, {asked.promise}",
        f"$C_{{01}} = C_{{10}} = {asked.by_hand}{C[0, 1]:g}$",
        printed(C),
    )


def question(asked: Weight) -> Exercise:
    """The question, with all that belongs to it, for one weight."""
    right = counted(weight=asked.weight)
    cooccurrence = Exercise(
        name="cooccurrence",
        chapter="01_lsa",
        number="1.1",
        difficulty=2,
        minutes=20,
        hints=(
            "Put a finger on one word. Which places may you look at, to the left and to the right,"
            " and which of them are outside the text?",
            "Three loops: over the texts; over the places p of a text; over the places q from p − m"
            f" to p + m that exist, without p itself. If both words are known, add {asked.add} at"
            " their row and column.",
            "for ids in texts:\n"
            "    for p, centre in enumerate(ids):\n"
            "        for q in range(max(0, p - m), min(len(ids), p + m + 1)):\n"
            "            …  # what must be true of p and q, and of both words, before you add"
            f" {asked.add}?",
        ),
        right=right,
        mistakes=mistakes(asked.weight, asked.other),
        stumbles={"out of bounds": ENDS, **asked.stumbles},
        form=asked.form,
        passages=passages(asked, right),
    )
    cooccurrence.agrees(
        f"counts {asked.counts}, on both sides, without the word's own place",
        asked.on_paper,
        one_text,
    )
    cooccurrence.agrees(
        "counts each meeting, also of a word with another copy of itself",
        "Take the text 1 1 0 and m = 1, on paper: what is C[1, 1]?",
        repeating,
    )
    cooccurrence.agrees(
        "lets no window cross from one text into the next",
        "Take the texts 0 1 and 2 3: what should C[1, 2] be?",
        several_texts,
    )
    cooccurrence.agrees(
        "lets an unknown word (−1) keep its place and count nothing, and leaves the texts as they"
        " were",
        "Take the text 0 −1 2 and m = 1: does anyone meet anyone?",
        unknown_words,
        untouched="Do you write into the texts? The next cell still needs the −1.",
    )
    cooccurrence.agrees(
        "gives V rows and V columns, whatever the text: short, empty, without some of the words",
        "Which places exist in a text of three words when m = 5?",
        short_texts,
    )
    return cooccurrence


cooccurrence = question(ONE)
cooccurrence.forms = (question(BY_DISTANCE),)
