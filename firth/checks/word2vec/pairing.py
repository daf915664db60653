"""Ways to list the training pairs of a text: the right one of exercise 2.1, and mistakes.

near(p, q, sizes) says whether position q is in the window of position p.
"""

from collections.abc import Callable

import numpy as np


def pairing_function(
    near=lambda p, q, sizes: 0 < abs(p - q) <= sizes[p],
    known=lambda centre, context: centre >= 0 and context >= 0,
    prepare=lambda ids, sizes: (ids, sizes),
    order=list,
    table=lambda pairs: pairs,
) -> Callable:
    """A function `training_pairs(ids, sizes)`: the reference answer, or a mistake.

    With the default arguments it is the reference answer. `near` says whether position q is in the
    window of position p, and `known` whether two words make a pair. `prepare` changes the inputs
    first, `order` sorts the pairs of positions, and `table` changes the finished list of pairs of
    words.
    """

    def training_pairs(ids, sizes):
        ids, sizes = prepare(np.asarray(ids), np.asarray(sizes))
        positions = range(len(ids))
        found = order([(p, q) for p in positions for q in positions if near(p, q, sizes)])
        pairs = [(int(ids[p]), int(ids[q])) for p, q in found if known(ids[p], ids[q])]
        return np.array(table(pairs), dtype=int).reshape(-1, 2)

    return training_pairs


def mistake_break_in_window(ids, sizes):
    """The pairs of a wrong answer that leaves the loop over a window at an unknown word (`break`).

    The rest of the window is lost. `sizes` holds the window size of each position.
    """

    def near(p, q, sizes):
        return 0 < abs(p - q) <= sizes[p] and (ids[max(0, p - sizes[p]) : q] >= 0).all()

    return pairing_function(near)(ids, sizes)


def mistake_break_in_text(ids, sizes):
    """The pairs of a wrong answer that leaves the loop over the text at an unknown word (`break`).

    The rest of the text is lost. `sizes` holds the window size of each position.
    """
    before = np.cumsum(ids < 0) == 0
    return pairing_function(lambda p, q, sizes: before[p] and 0 < abs(p - q) <= sizes[p])(
        ids, sizes
    )


def mistake_position_compared_with_word_id(ids, sizes):
    """The (centre, context) pairs of a wrong answer that tests `q != ids[p]` instead of `q != p`.

    It compares the position q with the id of the centre word, when it should leave out the position
    p of the centre word. `sizes` holds the window size of each position.
    """
    return pairing_function(lambda p, q, sizes: abs(p - q) <= sizes[p] and q != ids[p])(ids, sizes)


def mistake_negative_index(ids, sizes):
    """The pairs of a wrong answer that reads ids[q] with negative q, which counts from the end.

    `sizes` holds the window size of each position.
    """
    around = [(p, q) for p in range(len(ids)) for q in range(p - sizes[p], p + sizes[p] + 1)]
    pairs = [(ids[p], ids[q]) for p, q in around if q != p and -len(ids) <= q < len(ids)]
    return np.array([pair for pair in pairs if min(pair) >= 0], dtype=int).reshape(-1, 2)


def mistake_negative_slice(ids, sizes):
    """The pairs of a wrong answer that slices ids[p - m : p] even if p − m is negative.

    A negative start counts from the end of the text, so the slice is mostly empty. m is the entry
    of `sizes` at position p.
    """
    pairs = []
    for p, centre in enumerate(ids):
        window = [*ids[p - sizes[p] : p], *ids[p + 1 : p + sizes[p] + 1]]
        pairs += [(centre, context) for context in window if centre >= 0 and context >= 0]
    return np.array(pairs, dtype=int).reshape(-1, 2)


def mistake_positions_returned(known, entry=lambda ids, p, q: (p, q)) -> Callable:
    """A wrong `training_pairs` with positions instead of word ids, for one word of a pair or both.

    `known` says which words may be in a pair, and `entry` makes a pair of the positions p and q.
    """

    def training_pairs(ids, sizes):
        found = pairing_function()(np.arange(len(ids)), sizes)
        rows = [entry(ids, p, q) for p, q in found if known(ids[p]) and known(ids[q])]
        return np.array(rows, dtype=int).reshape(-1, 2)

    return training_pairs


def is_known(word) -> bool:
    """True if `word` is the id of a known word: 0 or more."""
    return bool(word >= 0)
