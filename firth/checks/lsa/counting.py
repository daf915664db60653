"""Ways to count which words stand near each other: the right one of exercise 1.1, and mistakes.

weight(d) says how much one time counts at a distance of d positions.
"""

from itertools import product

import numpy as np


def weight_one(d):
    """1 for every distance d: all neighbours in the window count the same."""
    return d**0


def weight_by_distance(d):
    """The weight 1/d, with which GloVe counts a pair of words at distance d."""
    return 1 / d


def counting_function(
    near=lambda p, q, m: 0 < abs(p - q) <= m, texts=list, table=lambda C: C, weight=weight_one
):
    """A function `cooccurrence(texts, V, m)`: the reference answer, or with another step a mistake.

    `near` says whether position q is in the window of position p, `texts` prepares the texts,
    `table` changes the finished table, and `weight(d)` is what a neighbour at distance d adds to
    its entry.
    """

    def cooccurrence(given, V, m):
        C = np.zeros((V, V))
        for text in texts([np.asarray(text, dtype=int) for text in given]):
            for p, centre in enumerate(text):
                for q, neighbour in enumerate(text):
                    if centre >= 0 and neighbour >= 0 and near(p, q, m):
                        C[centre, neighbour] += weight(max(1, abs(p - q)))
        return table(C)

    return cooccurrence


def mistake_last_row(weight):
    """A wrong `cooccurrence` that uses the −1 of an unknown word as the index of the last row.

    `weight(d)` is what a neighbour at distance d adds to its entry.
    """

    def cooccurrence(given, V, m):
        texts = [np.where(np.asarray(text) < 0, V - 1, text) for text in given]
        return counting_function(weight=weight)(texts, V, m)

    return cooccurrence


def mistake_negative_slice(weight):
    """A wrong `cooccurrence` that slices text[p - m : p] even if p − m is negative.

    A negative start counts from the end of the text, so the slice is mostly empty. `weight(d)` is
    what a neighbour at distance d adds to its entry.
    """

    def cooccurrence(given, V, m):
        C = np.zeros((V, V))
        for text in given:
            for p, centre in enumerate(text):
                for side in (text[p - m : p][::-1], text[p + 1 : p + m + 1]):
                    for d, neighbour in enumerate(side, start=1):
                        C[centre, neighbour] += weight(d) * (centre >= 0 and neighbour >= 0)
        return C

    return cooccurrence


def mistake_negative_window(weight, own):
    """A wrong `cooccurrence` that slices text[p - m : p + m + 1] even if p − m is negative.

    The window is then mostly empty. `own` says what the answer does with the word at position p:
    "subtracted" (its count is taken off afterwards), "left out" or "kept". `weight(d)` is what a
    neighbour at distance d adds to its entry.
    """

    def cooccurrence(given, V, m):
        C = np.zeros((V, V))
        for text in given:
            for p, centre in enumerate(text):
                for q, neighbour in list(enumerate(text))[p - m : p + m + 1]:
                    if centre >= 0 and neighbour >= 0 and (own != "left out" or q != p):
                        C[centre, neighbour] += weight(max(1, abs(p - q)))
                C[centre, centre] -= own == "subtracted" and centre >= 0
        return C

    return cooccurrence


def mistake_negative_index(weight):
    """A wrong `cooccurrence` that reads text[q] with negative q, which counts from the end.

    `weight(d)` is what a neighbour at distance d adds to its entry.
    """

    def cooccurrence(given, V, m):
        C = np.zeros((V, V))
        for text in given:
            for p, q in product(range(len(text)), range(-m, len(text))):
                known = text[p] >= 0 and text[q % len(text)] >= 0
                if p != q and -m <= q - p <= m and known:
                    C[text[p], text[q % len(text)]] += weight(abs(p - q))
        return C

    return cooccurrence


def mistake_word_0_unknown(C):
    """The table C with zeros in row 0 and column 0, as a wrong answer does that ignores word 0."""
    C[0], C[:, 0] = 0, 0
    return C


def mistake_whole_text_at_once(weight):
    """A wrong `cooccurrence` that adds with `C[a, b] += …` for arrays a and b of a whole text.

    NumPy then adds only once for a pair that occurs several times in the arrays. `weight(d)` is
    what a neighbour at distance d adds to its entry.
    """

    def cooccurrence(given, V, m):
        C = np.zeros((V, V))
        for text in given:
            for d in range(1, m + 1):
                for a, b in ((text[:-d], text[d:]), (text[d:], text[:-d])):
                    known = (a >= 0) & (b >= 0)
                    C[a[known], b[known]] += weight(d)
        return C

    return cooccurrence


def mistake_whole_window_at_once(weight):
    """A wrong `cooccurrence` that adds with `C[a, b] += …` for all words of a window at once.

    NumPy then adds only once for a word that occurs several times in the window. `weight(d)` is
    what a neighbour at distance d adds to its entry.
    """

    def cooccurrence(given, V, m):
        C = np.zeros((V, V))
        for text in given:
            for p in np.flatnonzero(text >= 0):
                window = np.r_[max(0, p - m) : p, p + 1 : min(len(text), p + m + 1)].astype(int)
                window = window[text[window] >= 0]
                C[text[p], text[window]] += weight(np.abs(window - p))
        return C

    return cooccurrence


def mistake_overwritten(weight):
    """A wrong `cooccurrence` with `C[a, b] = …` instead of `+=`.

    Only the last time that two words meet counts. It then counts `weight(d)`, where d is their
    distance.
    """

    def cooccurrence(given, V, m):
        C = np.zeros((V, V))
        for text in given:
            for p, q in product(range(len(text)), repeat=2):
                if 0 < abs(p - q) <= m and text[p] >= 0 and text[q] >= 0:
                    C[text[p], text[q]] = weight(abs(p - q))
        return C

    return cooccurrence
