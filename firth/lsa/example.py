"""The running example of chapter 1: twenty sentences in which *zorf* is a word like any other.

    count[i, j] = how often neighbour j stands within m words of word i

Three of the five words are drinks, if zorf is one, and two are instruments. *Zorf* and *coffee*
share no neighbour, because nobody says of zorf that it is hot or sweet. *Tea* has met all the
neighbours of both. The sentences were written for this course.
"""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Int
from numpy import ndarray as Array

from firth.lsa.counts import windows, words
from firth.store import corpora

WORDS = ("zorf", "tea", "coffee", "violin", "drum")
NEIGHBOURS = ("poured", "cup", "hot", "sugar", "played", "loud")  # met by two words or more
M = 5  # words on each side


def count_neighbours(
    sentences: Sequence[str], rows: Sequence[str], columns: Sequence[str], m: int
) -> Int[Array, "rows columns"]:
    """How often each word of `columns` stands within m words of each word of `rows`.

    >>> count_neighbours(["The tea was hot.", "Hot tea!"], ["tea"], ["hot", "the"], m=2)
    array([[2, 1]])
    """
    counts = np.zeros((len(rows), len(columns)), dtype=int)
    for sentence in sentences:
        for word, neighbours in windows(words(sentence), m):
            for neighbour in neighbours:
                if word in rows and neighbour in columns:
                    counts[rows.index(word), columns.index(neighbour)] += 1
    return counts


def table(the: bool = True, m: int = M) -> Int[Array, "5 _"]:
    """The counts of the five words of the example, with a column for each neighbour and for “the”.

    The rows are WORDS and the columns NEIGHBOURS, with “the” at the end unless `the` is False. A
    neighbour stands at most m words away, on either side, in the same sentence.

    >>> table()
    array([[2, 2, 0, 0, 0, 0, 3],
           [3, 2, 2, 3, 0, 0, 3],
           [0, 0, 2, 2, 0, 0, 2],
           [0, 0, 0, 0, 2, 2, 2],
           [0, 1, 0, 0, 2, 3, 3]])
    """
    columns = (*NEIGHBOURS, "the") if the else NEIGHBOURS
    return count_neighbours(corpora.zorf(), WORDS, columns, m)
