"""Exercise 1, counting: who stands near whom.

C[i, j] = how often word j stands within m places of word i

How much a neighbour counts may differ from student to student (firth.checks.variants): always 1,
or 1/d where it stands d places away. The right answer is a loop over single places.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from firth.checks.claims import Exercise
from firth.checks.variants import printed


def once(d):
    return d**0


def nearer(d):
    """The weight of GloVe, and of word2vec on average nearly: the nearest words say most."""
    return 1 / d


def counted(near=lambda p, q, m: 0 < abs(p - q) <= m, texts=list, table=lambda C: C, weight=once):
    """A way of counting, right by default: which places are near, in which texts, how tabled."""

    def cooccurrence(given, V, m):
        C = np.zeros((V, V))
        for text in texts([np.asarray(text, dtype=int) for text in given]):
            for p, centre in enumerate(text):
                for q, neighbour in enumerate(text):
                    if centre >= 0 and neighbour >= 0 and near(p, q, m):
                        C[centre, neighbour] += weight(max(1, abs(p - q)))
        return table(C)

    return cooccurrence


def last_word_for_unknown(weight):
    """What C[-1] does: an index of −1 is the last row."""

    def cooccurrence(given, V, m):
        texts = [np.where(np.asarray(text) < 0, V - 1, text) for text in given]
        return counted(weight=weight)(texts, V, m)

    return cooccurrence


def slices_from_below_zero(weight):
    """What text[p - m : p] does where p − m is below 0: Python counts from the end."""

    def cooccurrence(given, V, m):
        C = np.zeros((V, V))
        for text in given:
            for p, centre in enumerate(text):
                for company in (text[p - m : p][::-1], text[p + 1 : p + m + 1]):
                    for d, neighbour in enumerate(company, start=1):
                        C[centre, neighbour] += weight(d) * (centre >= 0 and neighbour >= 0)
        return C

    return cooccurrence


def places_from_below_zero(weight):
    """What text[q] does where q is below 0: Python counts from the end."""

    def cooccurrence(given, V, m):
        C = np.zeros((V, V))
        for text in given:
            for p, centre in enumerate(text):
                for q in range(p - m, min(len(text), p + m + 1)):
                    neighbour = text[q % len(text)]
                    if q != p and centre >= 0 and neighbour >= 0:
                        C[centre, neighbour] += weight(abs(p - q))
        return C

    return cooccurrence


def without_word_0(C):
    """What `> 0` for "known" leaves: the most frequent word is numbered 0."""
    C[0], C[:, 0] = 0, 0
    return C


def once_a_shift(weight):
    """What C[a, b] += 1 does with a whole text at once: a pair that comes twice is added once."""

    def cooccurrence(given, V, m):
        C = np.zeros((V, V))
        for text in given:
            for d in range(1, m + 1):
                for a, b in ((text[:-d], text[d:]), (text[d:], text[:-d])):
                    known = (a >= 0) & (b >= 0)
                    C[a[known], b[known]] += weight(d)
        return C

    return cooccurrence


def once_a_centre(weight):
    """The same with the window of one place at once."""

    def cooccurrence(given, V, m):
        C = np.zeros((V, V))
        for text in given:
            for p in np.flatnonzero(text >= 0):
                places = np.r_[max(0, p - m) : p, p + 1 : min(len(text), p + m + 1)].astype(int)
                places = places[text[places] >= 0]
                C[text[p], text[places]] += weight(np.abs(places - p))
        return C

    return cooccurrence


def last_meeting(weight):
    """What C[a, b] = … leaves: the last time counts, and not all of them."""

    def cooccurrence(given, V, m):
        C = np.zeros((V, V))
        for text in given:
            for p, centre in enumerate(text):
                for q in range(max(0, p - m), min(len(text), p + m + 1)):
                    if q != p and centre >= 0 and text[q] >= 0:
                        C[centre, text[q]] = weight(abs(p - q))
        return C

    return cooccurrence


OWN = (
    "Is a word its own company? What happens in your loop when the neighbour's place is the word's"
    " own?"
)
ONCE = (
    "Take the text 0 1 0 1 and m = 1: what is C[0, 1]? (`C[a, b] += 1` adds 1 only once where a"
    " pair comes twice; see `np.add.at`.)"
)


def mistakes(weight: Callable, other: list) -> list:
    """What goes wrong in counting, with one weight or the other."""
    way = partial(counted, weight=weight)
    return [
        (way(near=lambda p, q, m: abs(p - q) <= m), OWN),
        (
            way(near=lambda p, q, m: 0 < q - p <= m),
            "You look to the right only: who stands to the left of the word?",
        ),
        (
            way(near=lambda p, q, m: 0 < p - q <= m),
            "You look to the left only: who stands to the right of the word?",
        ),
        (
            way(near=lambda p, q, m: q != p and -m <= q - p < m),
            "With m = 2, do you reach the second word to the right? Where does a range or slice"
            " end?",
        ),
        (
            way(near=lambda p, q, m: 0 < abs(p - q) < m),
            "How far does your window reach with m = 1? It should reach one place on each side.",
        ),
        (slices_from_below_zero(weight), "What is `text[a:b]` when a is below 0?"),
        (places_from_below_zero(weight), "What is `text[q]` when q is below 0?"),
        (
            way(table=without_word_0),
            "The word numbered 0 meets nobody in your table: which numbers stand for a known word?",
        ),
        (
            way(near=lambda p, q, m: abs(p - q) == m),
            "You count the word exactly m places away: who stands in between?",
        ),
        (
            way(near=lambda p, q, m: 0 < abs(p - q) <= m // 2),
            "Is m the width of the whole window here, or how far it reaches on each side?",
        ),
        (
            way(texts=lambda texts: [np.concatenate([[], *texts]).astype(int)]),
            "The last word of one text and the first of the next: are they neighbours?",
        ),
        (
            way(texts=lambda texts: texts[:1]),
            "Take the texts 0 1 and 2 3: what are C[1, 2] and C[2, 3]? Do you reach the second"
            " text?",
        ),
        (
            way(texts=lambda texts: texts[-1:]),
            "Take the texts 0 1 and 2 3: what is C[0, 1]? Where in your loops is the table made?",
        ),
        (once_a_shift(weight), ONCE),
        (once_a_centre(weight), ONCE),
        (
            way(table=lambda C: np.zeros(C.shape) + C.sum(axis=0)),
            "Are your rows V different lists, or one list V times?",
        ),
        (
            way(texts=lambda texts: [text[text >= 0] for text in texts]),
            "Do you take the unknown words out first? Who becomes whose neighbour by that?",
        ),
        (
            last_word_for_unknown(weight),
            "Which row is C[-1]? A word numbered −1 keeps its place but counts nothing.",
        ),
        (
            way(table=lambda C: C * (1 - np.eye(len(C)))),
            "In “tick tick tick” a word stands beside itself. Do you compare the words, or the"
            " places?",
        ),
        (
            way(table=lambda C: (C > 0).astype(float)),
            "If two words meet three times, what should stand in the table? (`C[a, b] += 1` adds 1"
            " only once where a pair comes twice; see `np.add.at`.)",
        ),
        (
            way(table=lambda C: C + C.T),
            "Everything is twice too large: does each meeting get counted from both words twice?",
        ),
        (way(table=np.triu), "Half of the table is empty: if i is near j, is j near i?"),
        *other,
    ]


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
    other: list[tuple[Callable, str]]  # what comes of counting in another way
    by_hand: str = ""
    stumbles: dict[str, str] = field(default_factory=dict)


ONE = Weight(
    form="each neighbour counts 1",
    weight=once,
    add="1",
    counts="the words within m places",
    on_paper="Take the text 0 1 2 3 and m = 1, on paper: which six entries of the table are 1?",
    notebook="left or to the right. (",
    promise="in texts given as word numbers.",
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


def question(asked: Weight) -> Exercise:
    """The question, with all that belongs to it, for one weight."""
    right = counted(weight=asked.weight)
    C = right([np.array([0, 1, -1, 0])], 2, 2)  # the example that the notebook works by hand
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
        passages=(
            asked.notebook,
            f"How often word j stands within m places of word i, {asked.promise}",
            f"$C_{{01}} = C_{{10}} = {asked.by_hand}{C[0, 1]:g}$",
            printed(C),
        ),
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
