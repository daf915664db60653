"""Exercise 1.1: count which words stand near each other.

C[i, j] = how often word j stands at most m positions before or after word i

How much one time counts depends on the student's form of the question (firth.checks.variants): 1,
or 1/d at a distance of d positions. The reference answer is a loop over single positions.

Each claim is about one thing. Only the first one depends on the width of the window: in the others
all windows are wider than the text, or the gaps are wider than the window. The last three look at
who has met whom and not at the numbers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from firth.checks.claims import Exercise
from firth.checks.variants import printed

from .counting import (
    counting_function,
    mistake_last_row,
    mistake_negative_index,
    mistake_negative_slice,
    mistake_negative_window,
    mistake_overwritten,
    mistake_whole_text_at_once,
    mistake_whole_window_at_once,
    mistake_word_0_unknown,
    weight_by_distance,
    weight_one,
)

Mistakes = dict[str, tuple[Callable, str]]  # name → the wrong function and its question


OWN = (
    "You count each word as its own neighbour. What does your loop do at the position of the word"
    " itself?"
)
NEGATIVE_SLICE = "What is text[a:b] when a is negative?"
ONCE = (
    "Take the text 0 1 0 1 and m = 1. What should C[0, 1] be? `C[a, b] += 1` with arrays a and b"
    " adds only 1 where a pair comes twice. What does `np.add.at` do?"
)


def mistakes(weight: Callable, others: Mistakes) -> Mistakes:
    """The known mistakes as {name: (wrong function, question to its author)}.

    `weight(d)` is the weight at distance d of this form of the exercise, and `others` holds the
    mistakes that exist in this form only.
    """
    way = partial(counting_function, weight=weight)
    return {
        "own position": (way(near=lambda p, q, m: abs(p - q) <= m), OWN),
        "right side only": (
            way(near=lambda p, q, m: 0 < q - p <= m),
            "You count the neighbours on the right only. Which words stand on the left?"),
        "left side only": (
            way(near=lambda p, q, m: 0 < p - q <= m),
            "You count the neighbours on the left only. Which words stand on the right?"),
        "end of a range": (
            way(near=lambda p, q, m: q != p and -m <= q - p < m),
            "With m = 2, do you reach the second word on the right? A range or slice ends before"
            " its second number."),
        "window too narrow": (
            way(near=lambda p, q, m: 0 < abs(p - q) < m),
            "How far does your window reach with m = 1? It should reach one position."),
        "negative slice": (mistake_negative_slice(weight), NEGATIVE_SLICE),
        **{
            f"negative window, own word {own}": (
                mistake_negative_window(weight, own), NEGATIVE_SLICE)
            for own in ("subtracted", "left out", "kept")
        },
        "negative index": (
            mistake_negative_index(weight),
            "What is text[-1] in Python? Is there a position before the first word of a text?"),
        "word 0 unknown": (
            way(table=mistake_word_0_unknown),
            "Word 0 has no neighbours in your table. Which numbers stand for a known word?"),
        "distance m only": (
            way(near=lambda p, q, m: abs(p - q) == m),
            "You count the words exactly m positions away. What about the words in between?"),
        "half the window": (
            way(near=lambda p, q, m: 0 < abs(p - q) <= m // 2),
            "Your window has m words in all. Should it not have m words on each side?"),
        "texts joined": (
            way(texts=lambda texts: [np.concatenate([[], *texts]).astype(int)]),
            "Are the last word of one text and the first word of the next text neighbours?"),
        "first text only": (
            way(texts=lambda texts: texts[:1]),
            "Take the texts 0 1 and 2 3. What is C[2, 3]? Does your loop reach the second text?"),
        "last text only": (
            way(texts=lambda texts: texts[-1:]),
            "Take the texts 0 1 and 2 3. What is C[0, 1]? Do you make a new table for each text?"),
        "whole text at once": (mistake_whole_text_at_once(weight), ONCE),
        "whole window at once": (mistake_whole_window_at_once(weight), ONCE),
        "one list for all rows": (
            way(table=lambda C: np.zeros(C.shape) + C.sum(axis=0)),
            "All your rows are equal. Are they V different lists, or one list V times?"),
        "unknown words removed": (
            way(texts=lambda texts: [text[text >= 0] for text in texts]),
            "Do you remove the unknown words first? Then two words may come closer to each other."),
        "unknown in the last row": (
            mistake_last_row(weight),
            "Which row is C[-1]? An unknown word keeps its position but counts nothing. Do you"
            " compare the position with −1, or the word at that position?"),
        "words instead of positions": (
            way(table=lambda C: C * (1 - np.eye(len(C)))),
            "In “tick tick tick” a word is a neighbour of its own copies. Do you compare the"
            " words, or their positions?"),
        "met or not": (
            way(table=lambda C: (C > 0).astype(float)),
            "Two words meet three times. What should stand in the table? `C[a, b] += 1` with"
            " arrays a and b adds only 1 where a pair comes twice. What does `np.add.at` do?"),
        "everything twice": (
            way(table=lambda C: C + C.T),
            "Everything is twice too large. Do you count each meeting from both of its words, and"
            " then again?"),
        "half of the table": (
            way(table=np.triu),
            "Half of your table is empty. If j is a neighbour of i, is i a neighbour of j?"),
        **others,
    }  # fmt: skip


@dataclass(frozen=True)
class Weight:
    """One form of the question: the weight of a neighbour, and the texts that depend on it."""

    form: str
    weight: Callable
    add: str
    counts: str
    on_paper: str
    notebook: str
    docstring: str
    others: Mistakes  # the mistakes that depend on the weight
    by_hand: str = ""


ONE = Weight(
    form="each neighbour counts 1",
    weight=weight_one,
    add="1",
    counts="the words at most m positions away",
    on_paper="Take the text 0 1 2 3 and m = 1 on paper. Which six entries of the table are 1?",
    notebook="Each time counts 1.",
    docstring="Return a table with V rows: how often word j stands near word i.",
    others={
        "m is not used": (
            counting_function(near=lambda p, q, m: abs(p - q) == 1),
            "Your window reaches one position to each side for every m. Where do you use m?"),
        "weighted by distance": (
            counting_function(weight=weight_by_distance),
            "You give near neighbours more weight. Here each neighbour counts 1, is that so?"),
    },
)  # fmt: skip
BY_DISTANCE = Weight(
    form="a neighbour d places away counts 1/d",
    weight=weight_by_distance,
    add="1/|p − q|",
    counts="1/d for a word at a distance d of at most m positions",
    on_paper="Take the text 0 1 2 3 and m = 2 on paper. Which six entries of the table are 1, and"
    " which four are 1/2?",
    notebook="Each time counts **1/d**, where $d$ is the distance in positions: 1 for the next"
    " word, 1/2 for the word after it.",
    docstring="Return a table with V rows: word j at distance d from word i adds 1/d.",
    by_hand="1 + 1/2 = ",
    others={
        "not weighted": (
            counting_function(),
            "Every neighbour counts 1. What should a neighbour two positions away count?"),
        "cut to whole numbers": (
            counting_function(weight=lambda d: float(d == 1)),
            "Your table cuts 1/2 down to 0. Does it hold fractions, as `np.zeros((V, V))` does?"),
        "divided twice": (
            counting_function(weight=lambda d: 1 / d**2),
            "You divide by d twice. What is 1/d for d = 2?"),
        "distance too large": (
            counting_function(weight=lambda d: 1 / (d + 1)),
            "What is d for the very next word? It should count 1."),
        "far words count more": (
            counting_function(weight=lambda d: d),
            "Which word should count more, the nearer or the farther one?"),
        "overwritten": (
            mistake_overwritten(weight_by_distance),
            "Two words meet three times. Do you add up all three, with `C[a, b] += …`?"),
    },
)  # fmt: skip
ENDS = "Near its ends a text has fewer than m words on one side. Where does your window stop there?"


def texts_of_different_words(rng):
    """Inputs (texts, V, m): one text in which each of V words occurs once, with m = 1, 2 and 3.

    Each pair of words has one distance, so an entry shows whether the window reaches it. Answers
    with a window that is too narrow, too wide or on one side only are wrong here.
    """
    for m in (1, 2, 3):
        V = int(rng.integers(9, 13))
        yield [rng.permutation(V)], V, m


def texts_with_repeated_words(rng):
    """Inputs (texts, V, m): one short text with repeated words; m is larger than its length.

    Every word reaches every other one, so the width of the window does not matter. A pair that
    occurs several times catches answers that overwrite a count, or compare words instead of
    positions.
    """
    yield [np.array([1, 1, 1, 0])], 2, int(rng.integers(8, 12))
    for m in (16, 20, 17):
        yield [rng.integers(0, 4, size=int(rng.integers(6, 9)))], 4, m


def several_texts(rng):
    """Inputs (texts, V, m): five texts of two words, one word or none; m is 6 or 9.

    The windows are wider than all texts together. Answers that join the texts, or that count in
    only one of them, are wrong here. An empty text must not cause an error.
    """
    for m in (6, 9):
        words = 1 + rng.permutation(8)
        middle = [words[2:4], words[6:7], words[:0]]
        yield [words[:2], *(middle[n] for n in rng.permutation(3)), words[4:6]], 9, m


def text_with_unknown_words(rng):
    """Inputs (texts, V, m): one text with single unknown words (−1) and gaps of m + 2 of them.

    A single unknown word must keep its position, and words on the two sides of a gap must not meet.
    Answers that remove unknown words, or that count them in the last row, are wrong here.
    """
    for m in (4, 5):
        others, gap = 1 + rng.permutation(7), [-1] * (m + 2)
        a, b, c, d = rng.permutation([0, *others[:3]])
        yield [np.array([a, -1, b, *gap, c, d, *gap, others[3], -1])], 9, m


def short_texts(rng):
    """Inputs (texts, V, m): texts that are shorter than m and lack some of the V words.

    A window that begins before the text becomes a slice with a negative start, which is empty or
    wraps round. The missing words catch answers whose table has too few rows.
    """
    yield [rng.permutation(5)[:4]], 5, int(rng.integers(8, 12))
    yield [rng.permutation(3), rng.permutation(3)[:2]], 6, 6
    yield [rng.permutation(3)], 7, 7
    yield [rng.permutation(3)[:2], np.array([], dtype=int)], 3, 4


def symmetric_pairs(C, right):
    """An array like C: 1 where two different words have met, in either order, and 0 elsewhere.

    Three claims compare answers by this array, so that wrong counts cost no point there. `right`,
    the right answer, is not used.
    """
    return ((C + C.T) * (1 - np.eye(len(C))) > 0).astype(float)


def build_exercise(asked: Weight) -> Exercise:
    """The Exercise `cooccurrence` for one weighting, with its claims, hints and mistakes.

    A weighting says what a neighbour at distance d adds to a count: 1 or 1/d. Each student is asked
    for one of the two, and `asked` holds it together with the phrases of the notebook that depend
    on it.
    """
    right = counting_function(weight=asked.weight)
    C = right([np.array([0, 1, -1, 0])], 2, 2)  # the example that the notebook works by hand
    cooccurrence = Exercise(
        name="cooccurrence",
        chapter="01_lsa",
        number="1.1",
        difficulty=2,
        minutes=20,
        hints=(
            "Put a finger on one word of a text. Which positions may you look at, on the left and"
            " on the right? Which of them are outside the text?",
            "Write three loops: over the texts, over the positions p of a text, and over the"
            " positions q of the window from p − m to p + m. Leave out p itself, and positions"
            f" that do not exist. If both words are known, add {asked.add} in the row of the first"
            " and the column of the second.",
            "for ids in texts:\n"
            "    for p, centre in enumerate(ids):\n"
            "        for q in range(max(0, p - m), min(len(ids), p + m + 1)):\n"
            "            …  # what must be true of p, of q and of both words, before you add"
            f" {asked.add}?",
        ),
        right=right,
        mistakes=mistakes(asked.weight, asked.others),
        stumbles={"out of bounds": ENDS, "division by zero": OWN},
        form=asked.form,
        passages=(
            asked.notebook,
            asked.docstring,
            f"$C_{{01}} = C_{{10}} = {asked.by_hand}{C[0, 1]:g}$",
            printed(C),
        ),
    )
    cooccurrence.agrees(
        f"counts {asked.counts}, on both sides, without the word's own position",
        asked.on_paper,
        texts_of_different_words,
    )
    cooccurrence.agrees(
        "counts each meeting, also of a word with another copy of itself",
        "Take the text 1 1 0 and m = 1 on paper. What is C[1, 1]?",
        texts_with_repeated_words,
    )
    cooccurrence.agrees(
        "lets no window reach from one text into the next",
        "Take the texts 0 1 and 2 3. What should C[1, 2] be?",
        several_texts,
        view=symmetric_pairs,
    )
    cooccurrence.agrees(
        "lets an unknown word (−1) keep its position and count nothing, and does not change the"
        " texts",
        "Take the text 0 −1 2 and m = 1. Do any two words meet?",
        text_with_unknown_words,
        view=symmetric_pairs,
        untouched="Does your function write into the texts? The next cell still needs the −1.",
    )
    cooccurrence.agrees(
        "returns V rows and V columns for every text: short, empty, or without some of the words",
        "Which positions exist in a text of three words when m = 5?",
        short_texts,
        view=symmetric_pairs,
    )
    return cooccurrence


cooccurrence = build_exercise(ONE)
cooccurrence.forms = (build_exercise(BY_DISTANCE),)
