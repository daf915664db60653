"""Exercise 1, counting: who stands near whom.

C[i, j] = how often word j stands within m places of word i

The reference is a loop over single places: too plain to be wrong.
"""

import numpy as np

from firth.checks.claims import Exercise


def counted(near=lambda p, q, m: 0 < abs(p - q) <= m, texts=list, table=lambda C: C):
    """A way of counting, right by default: which places are near, in which texts, how tabled."""

    def cooccurrence(given, V, m):
        C = np.zeros((V, V))
        for text in texts([np.asarray(text, dtype=int) for text in given]):
            for p, centre in enumerate(text):
                for q, neighbour in enumerate(text):
                    if centre >= 0 and neighbour >= 0 and near(p, q, m):
                        C[centre, neighbour] += 1
        return table(C)

    return cooccurrence


def last_word_for_unknown(given, V, m):
    """What C[-1] does: an index of −1 is the last row."""
    return counted()([np.where(np.asarray(text) < 0, V - 1, text) for text in given], V, m)


def different_words(given, V, m):
    """Compares the words where the places were meant."""
    return counted(table=lambda C: C * (1 - np.eye(V)))(given, V, m)


def own_place_on_diagonal(given, V, m):
    return counted(near=lambda p, q, m: abs(p - q) <= m)(given, V, m)


def slices_from_below_zero(given, V, m):
    """What text[p - m : p] does where p − m is below 0: Python counts from the end."""
    C = np.zeros((V, V))
    for text in given:
        for p, centre in enumerate(text):
            company = [*text[p - m : p], *text[p + 1 : p + m + 1]]
            for neighbour in company:
                C[centre, neighbour] += centre >= 0 and neighbour >= 0
    return C


def once_a_shift(given, V, m):
    """What C[a, b] += 1 does with a whole text at once: a pair that comes twice is added once."""
    C = np.zeros((V, V))
    for text in given:
        for d in range(1, m + 1):
            a, b = text[:-d], text[d:]
            known = (a >= 0) & (b >= 0)
            C[a[known], b[known]] += 1
            C[b[known], a[known]] += 1
    return C


def once_a_centre(given, V, m):
    """The same with the window of one place at once."""
    C = np.zeros((V, V))
    for text in given:
        for p in np.flatnonzero(text >= 0):
            company = np.concatenate([text[max(0, p - m) : p], text[p + 1 : p + m + 1]])
            C[text[p], company[company >= 0]] += 1
    return C


def nearness(given, V, m):
    """Weights a neighbour by 1/distance, as some books do and this exercise does not."""
    ahead = (counted(lambda p, q, d: abs(p - q) == d)(given, V, d) / d for d in range(1, m + 1))
    return sum(ahead, np.zeros((V, V)))


ONCE = (
    "Take the text 0 1 0 1 and m = 1: what is C[0, 1]? (`C[a, b] += 1` adds 1 only once where a"
    " pair comes twice; see `np.add.at`.)"
)
cooccurrence = Exercise(
    name="cooccurrence",
    chapter="01_lsa",
    difficulty=2,
    minutes=20,
    hints=(
        "Put a finger on one word. Which places may you look at, to the left and to the right, and"
        " which of them are outside the text?",
        "Three loops: over the texts; over the places p of a text; over the places q from p − m to"
        " p + m that exist, without p itself. If both words are known, add 1 at their row and"
        " column.",
        "for ids in texts:\n"
        "    for p, centre in enumerate(ids):\n"
        "        for q in range(max(0, p - m), min(len(ids), p + m + 1)):\n"
        "            …  # what must be true of p and q, and of both words, before you add 1?",
    ),
    right=counted(),
)
cooccurrence.mistakes = [
    (
        own_place_on_diagonal,
        "Is a word its own company? What happens in your loop when the"
        " neighbour's place is the word's own?",
    ),
    (
        counted(near=lambda p, q, m: 0 < q - p <= m),
        "You look to the right only: who stands to the left of the word?",
    ),
    (
        counted(near=lambda p, q, m: 0 < p - q <= m),
        "You look to the left only: who stands to the right of the word?",
    ),
    (
        counted(near=lambda p, q, m: q != p and -m <= q - p < m),
        "With m = 2, do you reach the second word to the right? Where does a range or slice end?",
    ),
    (
        counted(near=lambda p, q, m: 0 < abs(p - q) < m),
        "How far does your window reach with m = 1? It should reach one place on each side.",
    ),
    (
        slices_from_below_zero,
        "What is `text[a:b]` when a is below 0?",
    ),
    (
        counted(near=lambda p, q, m: abs(p - q) == m),
        "You count the word exactly m places away: who stands in between?",
    ),
    (
        counted(near=lambda p, q, m: 0 < abs(p - q) <= m // 2),
        "Is m the width of the whole window here, or how far it reaches on each side?",
    ),
    (
        counted(texts=lambda texts: [np.concatenate([[], *texts]).astype(int)]),
        "The last word of one text and the first of the next: are they neighbours?",
    ),
    (
        counted(texts=lambda texts: texts[:1]),
        "Take the texts 0 1 and 2 3: what are C[1, 2] and C[2, 3]? Do you reach the second text?",
    ),
    (once_a_shift, ONCE),
    (once_a_centre, ONCE),
    (
        counted(table=lambda C: np.zeros(C.shape) + C.sum(axis=0)),
        "Are your rows V different lists, or one list V times?",
    ),
    (
        counted(texts=lambda texts: [text[text >= 0] for text in texts]),
        "Do you take the unknown words out first? Who becomes whose neighbour by that?",
    ),
    (
        last_word_for_unknown,
        "Which row is C[-1]? A word numbered −1 keeps its place but counts nothing.",
    ),
    (
        different_words,
        "In “tick tick tick” a word stands beside itself. Do you compare the words, or the places?",
    ),
    (
        counted(table=lambda C: (C > 0).astype(float)),
        "If two words meet three times, what should stand in the table? (`C[a, b] += 1` adds 1 only"
        " once where a pair comes twice; see `np.add.at`.)",
    ),
    (
        counted(table=lambda C: C + C.T),
        "Everything is twice too large: does each meeting get counted from both words twice?",
    ),
    (counted(table=np.triu), "Half of the table is empty: if i is near j, is j near i?"),
    (
        nearness,
        "You give near neighbours more weight: does the end of the window not count 1, too?",
    ),
]


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
    for m in (1, 3):
        texts = [rng.permutation(14) for _ in range(2)]
        for text in texts:
            text[rng.permutation(14)[:5]] = -1
        yield texts, 14, m


def short_texts(rng):
    yield [rng.permutation(5)[:4]], 5, int(rng.integers(6, 12))
    yield [rng.permutation(3), rng.permutation(3)[:2]], 6, 4
    yield [rng.permutation(3)], 7, 1
    yield [np.array([], dtype=int), rng.permutation(3)[:2]], 3, 2


cooccurrence.agrees(
    "counts the words within m places, on both sides, without the word's own place",
    "Take the text 0 1 2 3 and m = 1, on paper: which six entries of the table are 1?",
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
    "lets an unknown word (−1) keep its place and count nothing, and leaves the texts as they were",
    "Take the text 0 −1 2 and m = 1: does anyone meet anyone?",
    unknown_words,
    untouched="Do you write into the texts? The next cell still needs the −1.",
)
cooccurrence.agrees(
    "gives V rows and V columns, whatever the text: short, empty, without some of the words",
    "Which places exist in a text of three words when m = 5?",
    short_texts,
)
