"""Exercise 1, ways of counting who stands near whom: the right one, and what goes wrong.

C[i, j] = sum of weight(d) over all places of i and j that are d ≤ m apart

Each way takes the weight that is asked for: once(d) = 1, or nearer(d) = 1/d. The right one is a
loop over single places: too plain to be wrong.
"""

from collections.abc import Callable
from functools import partial

import numpy as np


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


def different_words(weight):
    """Compares the words where the places were meant."""
    return counted(table=lambda C: C * (1 - np.eye(len(C))), weight=weight)


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
                a, b = text[:-d], text[d:]
                known = (a >= 0) & (b >= 0)
                C[a[known], b[known]] += weight(d)
                C[b[known], a[known]] += weight(d)
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
        (
            slices_from_below_zero(weight),
            "What is `text[a:b]` when a is below 0?",
        ),
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
            different_words(weight),
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
        (
            way(table=np.triu),
            "Half of the table is empty: if i is near j, is j near i?",
        ),
        *other,
    ]
