"""Exercise 2.1: the training pairs of a text.

training_pairs(ids, sizes) = all (ids[p], ids[q]) with 0 < |p − q| ≤ sizes[p], both words known

Each position p has a window size of its own, as in word2vec. The reference answer is a loop over
all pairs of positions.

Only the first claim depends on where a window ends. In the others, every window is wider than the
text, or the gaps in the text are wider than the window. So a window that ends one position too
early costs one point.
"""

from collections.abc import Iterator

import numpy as np

from firth.checks.claims import Exercise

from .pairing import (
    is_known,
    mistake_break_in_text,
    mistake_break_in_window,
    mistake_negative_index,
    mistake_negative_slice,
    mistake_position_compared_with_word_id,
    mistake_positions_returned,
    pairing_function,
)


class Pairs(Exercise):
    """The exercise `training_pairs`; after an unknown mistake it says how many pairs there are."""

    def compared(self, call, cases, view):
        """What Exercise.compared returns, but a question about shapes becomes one about the pairs.

        That question says how many pairs there are and how many there should be. `call` is the
        learner's function, `cases` are the inputs, and `view` is the part of an answer that is
        compared.
        """
        outcome, answers = super().compared(call, cases, view), []
        if isinstance(outcome, str) and outcome.startswith("It has"):
            wanted = map(len, cases.answers(self.right))
            answers = [(call(*case), n) for case, n in zip(cases, wanted, strict=True)]
        for pairs, n in answers:
            if call.open and pairs.shape[1:] == (2,) and len(pairs) != n:
                which = "should not be there" if len(pairs) > n else "are missing"
                return f"You list {len(pairs)} pairs, but there are {n}. Which {which}?"
        return outcome


REMOVED = (
    "Do you remove the unknown words first? Then two words may come closer to each other than they"
    " are in the text."
)
BREAK = "After a −1 you stop. Should your loop end there, or skip one word? (`break`, `continue`)"
POSITIONS = "Your pairs hold positions. Which words stand at these positions?"
ONE_POSITION = "One number of each pair is a position. Which word stands there?"
SIZE_1 = "How far does your window reach if its size is 1? It should be one position on each side."
ONE_UNKNOWN = "A pair has two words, and each of them may be −1. Do you look at both?"
ONCE = "Two words meet three times. How often should the pair be in your list?"
ORDER = (
    "These are the right pairs in another order. Go through the centre words from left to right,"
    " and for each of them through its window from left to right. Which pair comes first?"
)
MISTAKES = {
    "own position": (
        pairing_function(lambda p, q, sizes: abs(p - q) <= sizes[p]),
        "You pair each word with itself. What does your loop do where q is p?",
    ),
    "by the position of the context": (
        pairing_function(order=lambda found: sorted(found, key=lambda pq: pq[::-1])),
        ORDER,
    ),
    "context first": (
        pairing_function(table=lambda pairs: [pair[::-1] for pair in pairs]),
        "The context word comes first in your pairs. Which of the two should come first?",
    ),
    "right side only": (
        pairing_function(lambda p, q, sizes: 0 < q - p <= sizes[p]),
        "You look at the words on the right only. Which words stand on the left?",
    ),
    "left side only": (
        pairing_function(lambda p, q, sizes: 0 < p - q <= sizes[p]),
        "You look at the words on the left only. Which words stand on the right?",
    ),
    "end of a range": (
        pairing_function(lambda p, q, sizes: q != p and -sizes[p] <= q - p < sizes[p]),
        "With the size 2, do you reach the second word on the right? A range or slice ends before"
        " its second number.",
    ),
    "start of a range": (
        pairing_function(lambda p, q, sizes: q != p and -sizes[p] < q - p <= sizes[p]),
        "With the size 2, do you reach the second word on the left? Where does your range or slice"
        " begin?",
    ),
    "window too narrow": (
        pairing_function(lambda p, q, sizes: 0 < abs(p - q) < sizes[p]),
        SIZE_1,
    ),
    "window too wide": (
        pairing_function(lambda p, q, sizes: 0 < abs(p - q) <= sizes[p] + 1),
        SIZE_1,
    ),
    "size looked up by word": (
        pairing_function(
            prepare=lambda ids, sizes: (ids, np.take(sizes, np.asarray(ids, np.intp), mode="wrap"))
        ),
        "You look up the size by the number of the word. Does `sizes` have a number for each word,"
        " or for each position?",
    ),
    "full windows only": (
        pairing_function(
            lambda p, q, sizes: 0 < abs(p - q) <= sizes[p] <= min(p, len(sizes) - 1 - p)
        ),
        "You leave out a position whose window reaches beyond an end of the text. Which part of"
        " this window is inside the text?",
    ),
    "first pair only": (
        pairing_function(table=lambda pairs: pairs[:1]),
        "You return one pair. Is your `return` inside a loop, or after all loops?",
    ),
    "last centre left out": (
        pairing_function(lambda p, q, sizes: 0 < abs(p - q) <= sizes[p] and p < len(sizes) - 1),
        "The last word of the text is never a centre word. Where does your loop over the positions"
        " end?",
    ),
    "first centre left out": (
        pairing_function(lambda p, q, sizes: 0 < abs(p - q) <= sizes[p] and p > 0),
        "The first word of the text is never a centre word. Where does your loop over the positions"
        " begin?",
    ),
    "position compared with word": (
        mistake_position_compared_with_word_id,
        "A position is not its own neighbour. Do you compare q with the position p, or with the"
        " number of a word?",
    ),
    "size of the context word": (
        pairing_function(lambda p, q, sizes: 0 < abs(p - q) <= sizes[q]),
        "You use the window size of the context word. Whose size should count, that of the centre"
        " word or that of the context word?",
    ),
    "largest size everywhere": (
        pairing_function(lambda p, q, sizes: 0 < abs(p - q) <= max(sizes)),
        "Every position has the largest window size in your function. Which entry of `sizes`"
        " belongs to position p?",
    ),
    "first size everywhere": (
        pairing_function(lambda p, q, sizes: 0 < abs(p - q) <= sizes[0]),
        "Every position has the first window size in your function. Which entry of `sizes` belongs"
        " to position p?",
    ),
    "half the window": (
        pairing_function(lambda p, q, sizes: 0 < abs(p - q) <= sizes[p] // 2),
        "Your window has as many positions in all as its size says. Should it not have so many on"
        " each side?",
    ),
    "negative slice": (mistake_negative_slice, "What is `ids[a:b]` when a is negative?"),
    "negative index": (
        mistake_negative_index,
        "What is ids[-2] in Python? Is there a position before the first word of a text?",
    ),
    "unknown words removed": (
        pairing_function(prepare=lambda ids, sizes: (ids[ids >= 0], sizes[ids >= 0])),
        REMOVED,
    ),
    "unknown words removed, sizes kept": (
        pairing_function(prepare=lambda ids, sizes: (ids[ids >= 0], sizes)),
        REMOVED,
    ),
    "break in the text": (mistake_break_in_text, BREAK),
    "break in the window": (mistake_break_in_window, BREAK),
    "word 0 unknown": (
        pairing_function(known=lambda centre, context: centre > 0 and context > 0),
        "Word 0 is in none of your pairs. Which numbers stand for a known word?",
    ),
    "last context left out": (
        pairing_function(lambda p, q, sizes: 0 < abs(p - q) <= sizes[p] and q < len(sizes) - 1),
        "The last word of the text is never a context word. Where does your window stop there?",
    ),
    "first context left out": (
        pairing_function(lambda p, q, sizes: 0 < abs(p - q) <= sizes[p] and q > 0),
        "The first word of the text is never a context word. Where does your window begin there?",
    ),
    "positions": (mistake_positions_returned(is_known), POSITIONS),
    "positions, also of unknown words": (
        mistake_positions_returned(lambda word: True),
        POSITIONS,
    ),
    "position of the centre": (
        mistake_positions_returned(is_known, lambda ids, p, q: (p, ids[q])),
        ONE_POSITION,
    ),
    "position of the context": (
        mistake_positions_returned(is_known, lambda ids, p, q: (ids[p], q)),
        ONE_POSITION,
    ),
    "unknown words used": (
        pairing_function(known=lambda centre, context: True),
        "Some of your pairs contain −1. Should the model learn to predict −1?",
    ),
    "unknown context": (pairing_function(known=lambda centre, context: centre >= 0), ONE_UNKNOWN),
    "unknown centre": (pairing_function(known=lambda centre, context: context >= 0), ONE_UNKNOWN),
    "one known word is enough": (
        pairing_function(known=lambda centre, context: centre >= 0 or context >= 0),
        ONE_UNKNOWN,
    ),
    "words instead of positions": (
        pairing_function(
            known=lambda centre, context: -1 not in (centre, context) and centre != context
        ),
        "In “tick tick tick” a word is a neighbour of its own copies. Do you compare the words, or"
        " their positions?",
    ),
    "everything twice": (
        pairing_function(
            table=lambda pairs: [both for pair in pairs for both in (pair, pair[::-1])]
        ),
        "You add each pair in both directions. Will the other word not be a centre word itself?",
    ),
    "sorted by word": (pairing_function(table=sorted), ORDER),
    "near words first": (
        pairing_function(
            order=lambda found: sorted(found, key=lambda pq: (pq[0], abs(pq[0] - pq[1])))
        ),
        ORDER,
    ),
    "right side first": (
        pairing_function(order=lambda found: sorted(found, key=lambda pq: (pq[0], pq[0] > pq[1]))),
        ORDER,
    ),
    "by distance": (
        pairing_function(order=lambda found: sorted(found, key=lambda pq: abs(pq[0] - pq[1]))),
        ORDER,
    ),
    "each pair once": (pairing_function(table=lambda pairs: list(dict.fromkeys(pairs))), ONCE),
    "set of pairs": (pairing_function(table=lambda pairs: sorted(set(pairs))), ONCE),
}
training_pairs = Pairs(
    name="training_pairs",
    chapter="02_word2vec",
    number="2.1",
    difficulty=2,
    minutes=15,
    hints=(
        "Put a finger on one word of the text. Which positions may you look at, on the left and on"
        " the right? Which of them are outside the text?",
        "Write two loops: over the positions p of the text, and over the positions q of the window"
        " from p − sizes[p] to p + sizes[p]. Leave out p itself, and positions that do not exist."
        " If both words are known, append the pair of words.",
        "pairs = []\n"
        "for p, centre in enumerate(ids):\n"
        "    for q in range(max(0, p - sizes[p]), min(len(ids), p + sizes[p] + 1)):\n"
        "        …  # what must be true of p, of q and of both words, before you append a pair?\n"
        "return np.array(pairs)",
    ),
    right=pairing_function(),
    mistakes=MISTAKES,
)


def texts_with_narrow_windows(rng) -> Iterator[tuple]:
    """Inputs (ids, sizes): a text in which each word occurs once, with window sizes from 1 to 4.

    The first three sizes are 1, 3 and 4 and the sixth is 2. So some windows reach beyond the
    beginning, the sizes of two neighbours differ, and a window that is too narrow or too wide loses
    or gains a pair.
    """
    for length in (9, 12, 10):
        sizes = rng.integers(1, 5, size=length)
        sizes[[0, 1, 2, 5]] = 1, 3, 4, 2
        yield rng.permutation(length), sizes


def texts_with_wide_windows(rng) -> Iterator[tuple]:
    """Inputs (ids, sizes): a text of different words, each window at least twice as wide as it.

    So mistakes about the ends of a window cost no point, and only the order of the pairs matters.
    The ids are not in increasing order, which catches a sorted list. They begin at 1, so that a
    sorted list differs from a list of positions.
    """
    for length in (5, 7, 6):
        ids = 1 + rng.permutation(length)
        ids[:2] = max(ids[:2]), min(ids[:2])
        yield ids, rng.integers(2 * length, 3 * length, size=length)


def texts_with_unknown_words(rng) -> Iterator[tuple]:
    """Inputs (ids, sizes): one text with single unknown words (−1) and two gaps of eight of them.

    The sizes are 6 and 7. So the words on both sides of a gap do not meet, unless the unknown words
    are removed first. A single −1 stands between two known words, which must meet even with half
    the window. Word 0 is one of the known words. No id near the beginning equals a position nearby,
    so that a mistake with positions costs no point here.
    """
    for _ in range(2):
        words, gap = rng.permutation([2, 4, 5, 6, 7, 8]), [-1] * 8
        start, end = [words[0], words[1], -1, words[2]], [words[4], -1, words[5]]
        ids = np.array([*start, *gap, *rng.permutation([0, words[3]]), *gap, *end])
        yield ids, rng.integers(6, 8, size=len(ids))


def texts_with_repeated_words(rng) -> Iterator[tuple]:
    """Inputs (ids, sizes): short texts of the words 0, 1 and 2, with windows wider than the text.

    Words stand beside copies of themselves, and most pairs occur several times. The first text is
    the same for every seed, so that a mistake with copies is found under each of them.
    """
    yield np.array([1, 1, 0, 1, 2]), rng.integers(10, 15, size=5)
    for length in (8, 7):
        yield rng.integers(0, 3, size=length), rng.integers(16, 20, size=length)


def in_any_order(pairs, right) -> np.ndarray:
    """The rows of the answer, sorted, so that their order does not matter but their number does.

    Two claims compare answers by this function. `right`, the right answer, is not used.
    """
    return pairs[np.lexsort(pairs.T[::-1])]


def symmetric_pairs(pairs, right) -> np.ndarray:
    """A table of words: 1 where two different ones are a pair in either direction, and 0 elsewhere.

    The last row and column are those of −1. One claim compares answers by this table. There it does
    not matter which word comes first, how often a pair is listed, or whether a word is paired with
    itself. `right`, the right answer, is not used.
    """
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        return pairs
    table = np.zeros((12, 12))
    rows, columns = np.clip(pairs, -1, 10).astype(int).T
    table[rows, columns] = table[columns, rows] = rows != columns
    return table


symmetric_pairs.every_shape = True


training_pairs.agrees(
    "pairs each word with those in its own window, on both sides",
    "Take the text 0 1 2 with the window sizes 1 2 1 on paper. Which four pairs are there?",
    texts_with_narrow_windows,
    view=in_any_order,
)
training_pairs.agrees(
    "lists the pairs by centre word, and for each centre from left to right",
    "Read your list aloud. Do the centre words come as in the text, and their neighbours, too?",
    texts_with_wide_windows,
)
training_pairs.agrees(
    "lets an unknown word (−1) keep its position and be in no pair, and does not change the text",
    "Take the text 0 −1 2 with the window sizes 1 1 1. Are there any pairs?",
    texts_with_unknown_words,
    view=symmetric_pairs,
    untouched="Does your function write into ids or sizes? The next cell still needs them.",
)
training_pairs.agrees(
    "lists a pair as often as it is met, also a word with another copy of itself",
    "Take the text 1 1 0 1 with the window sizes 1 1 1 1. How often do you list 1 1, and how often"
    " 0 1?",
    texts_with_repeated_words,
    view=in_any_order,
)
