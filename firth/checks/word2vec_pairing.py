"""Exercise 2, ways of listing pairs: the right one, and what goes wrong.

for place p, for place q:   (ids[p], ids[q])   if 0 < |p − q| ≤ reach[p] and both words are known

The right answer is a loop over all pairs of places: too plain to be wrong.
"""

import numpy as np


def paired(
    near=lambda p, q, reach: 0 < abs(p - q) <= reach[p],
    known=lambda centre, other: centre >= 0 and other >= 0,
    given=lambda ids, reach: (ids, reach),
    table=list,
):
    """A way of pairing, right by default: who is near, who is known, in which text, how listed."""

    def training_pairs(ids, reach):
        ids, reach = given(np.asarray(ids), np.asarray(reach))
        places = range(len(ids))
        pairs = [(p, q) for p in places for q in places if near(p, q, reach)]
        words = [(int(ids[p]), int(ids[q])) for p, q in table(pairs) if known(ids[p], ids[q])]
        return np.array(words, dtype=int).reshape(-1, 2)

    return training_pairs


def listed(table):
    """The right pairs, listed in another way."""
    return lambda ids, reach: np.array(table(paired()(ids, reach).tolist()))


def without_unknown(ids, reach):
    return ids[ids >= 0], reach[ids >= 0]


def without_unknown_words(ids, reach):
    """The text is shorter, and the reaches stay where they were."""
    return ids[ids >= 0], reach


def windows_up_to_an_unknown(ids, reach):
    """What `break` does in the inner loop."""

    def near(p, q, reach):
        return 0 < abs(p - q) <= reach[p] and (ids[max(0, p - reach[p]) : q] >= 0).all()

    return paired(near=near)(ids, reach)


def other_than_the_word(ids, reach):
    """Compares a place with the number of a word, where it should be left out itself."""
    return paired(near=lambda p, q, reach: abs(p - q) <= reach[p] and q != ids[p])(ids, reach)


def up_to_the_first_unknown(ids, reach):
    """What `break` does where `continue` is meant."""
    centres = np.cumsum(ids < 0) == 0
    return paired(near=lambda p, q, reach: centres[p] and 0 < abs(p - q) <= reach[p])(ids, reach)


def wrapped(ids, reach):
    """What ids[q] does where q is below 0: Python counts from the end."""
    around = [(p, q) for p in range(len(ids)) for q in range(p - reach[p], p + reach[p] + 1)]
    words = [(ids[p], ids[q]) for p, q in around if q != p and q < len(ids)]
    return np.array([pair for pair in words if min(pair) >= 0]).reshape(-1, 2)


def places_of(known, named=lambda ids, p, q: (p, q)):
    """The right places, and not the words that stand there, or not both of them."""

    def training_pairs(ids, reach):
        places = paired()(np.arange(len(ids)), reach)
        return np.array([named(ids, p, q) for p, q in places if known(ids[p]) and known(ids[q])])

    return training_pairs


def slices_from_below_zero(ids, reach):
    """What ids[p - m : p] does where p − m is below 0: Python counts from the end."""
    pairs = []
    for p, centre in enumerate(ids):
        company = [*ids[p - reach[p] : p], *ids[p + 1 : p + reach[p] + 1]]
        pairs += [(centre, other) for other in company if centre >= 0 and other >= 0]
    return np.array(pairs, dtype=int).reshape(-1, 2)
