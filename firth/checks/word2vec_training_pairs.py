"""Exercise 2, pairs: which word is asked to foretell which.

training_pairs(ids, reach) = [(ids[p], ids[q]), …]   for 0 < |p − q| ≤ reach[p], both words known

Each place has a reach of its own, as word2vec draws it.

The right answer is a loop over all pairs of places: too plain to be wrong.
"""

import numpy as np

from firth.checks.claims import Exercise


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


class Pairs(Exercise):
    """Says how many pairs are too many, where nothing else is known of an answer."""

    def compared(self, call, cases, view):
        outcome, heard = super().compared(call, cases, view), []
        if isinstance(outcome, str) and outcome.startswith("It has"):
            wanted = map(len, cases.answers(self.right))
            heard = [(call(*case), n) for case, n in zip(cases, wanted, strict=True)]
        for pairs, wanted in heard:
            if call.open and pairs.shape[1:] == (2,) and len(pairs) != wanted:
                which = "should not be there" if len(pairs) > wanted else "are missing"
                return f"You list {len(pairs)} pairs where {wanted} are wanted: which {which}?"
        return outcome


TAKEN_OUT = (
    "Do you take the −1 away before you measure how far? Who becomes whose neighbour by that?"
)
STOPS = "What comes after a −1: do you stop there, or go on? (`break` or `continue`?)"
PLACES = "You list places; which words stand there?"
HALF = "One number of each pair is a place, and not a word: which word stands there?"
ONE_STEP = "How far do you look with a reach of 1? It should be one place on each side."
BOTH_KNOWN = "A pair has two words, and either may be −1: do you look at both of them?"
ONCE = (
    "If two words meet three times, how often should the network see them? You list each pair once."
)
ORDER = (
    "The right pairs, in another order. Centre by centre through the text, and for each centre its"
    " company from left to right: which pair comes first?"
)
training_pairs = Pairs(
    name="training_pairs",
    chapter="02_word2vec",
    number="2.1",
    difficulty=2,
    minutes=15,
    hints=(
        "Put a finger on a word. How far may you look from there, to the left and to the right, and"
        " where does the text end?",
        "Two loops: over the places p of the text, and over the places q from p − reach[p] to"
        " p + reach[p] that exist, without p itself. If both words are known, append the pair.",
        "pairs = []\n"
        "for p, centre in enumerate(ids):\n"
        "    for q in range(max(0, p - reach[p]), min(len(ids), p + reach[p] + 1)):\n"
        "        …  # what must be true of p and q, and of both words, before you append a pair?\n"
        "return np.array(pairs)",
    ),
    right=paired(),
)
training_pairs.mistakes = [
    (
        paired(near=lambda p, q, reach: abs(p - q) <= reach[p]),
        "Is a word asked to foretell itself? What happens where q is p?",
    ),
    (
        listed(lambda pairs: [pair[::-1] for pair in pairs]),
        "Who is the centre of a pair and who is its company? The centre is asked for first.",
    ),
    (
        paired(near=lambda p, q, reach: 0 < q - p <= reach[p]),
        "You look to the right only: who stands to the left of the word?",
    ),
    (
        paired(near=lambda p, q, reach: 0 < p - q <= reach[p]),
        "You look to the left only: who stands to the right of the word?",
    ),
    (
        paired(near=lambda p, q, reach: q != p and -reach[p] <= q - p < reach[p]),
        "With a reach of 2, do you come to the second word to the right? Where does a range or"
        " slice end?",
    ),
    (
        paired(near=lambda p, q, reach: 0 < abs(p - q) < reach[p]),
        ONE_STEP,
    ),
    (paired(near=lambda p, q, reach: 0 < abs(p - q) <= reach[p] + 1), ONE_STEP),
    (
        paired(near=lambda p, q, reach: q != p and -reach[p] < q - p <= reach[p]),
        "With a reach of 2, do you come to the second word to the left? Where does a range or"
        " slice begin?",
    ),
    (
        paired(given=lambda ids, reach: (ids, np.take(reach, ids, mode="wrap"))),
        "There is a reach for each place: do you look it up by the place or by the word?",
    ),
    (
        paired(near=lambda p, q, reach: 0 < abs(p - q) <= reach[p] <= min(p, len(reach) - 1 - p)),
        "You leave a place out if its window goes past an end: which part of that window is there?",
    ),
    (
        listed(lambda pairs: pairs[:1]),
        "You list one pair: where does your `return` stand, inside a loop or after it?",
    ),
    (
        paired(near=lambda p, q, reach: 0 < abs(p - q) <= reach[p] and p < len(reach) - 1),
        "The text's last word is never your centre: where does the loop over the places end?",
    ),
    (
        paired(near=lambda p, q, reach: 0 < abs(p - q) <= reach[p] and p > 0),
        "The text's first word is never your centre: where does the loop over the places begin?",
    ),
    (
        other_than_the_word,
        "A place is not its own company: do you compare q with the place p, or with a word?",
    ),
    (
        paired(near=lambda p, q, reach: 0 < abs(p - q) <= reach[q]),
        "Whose reach counts, that of the centre or that of its company? You take the company's.",
    ),
    (
        paired(near=lambda p, q, reach: 0 < abs(p - q) <= max(reach)),
        "You give every place the longest reach of all: which entry of reach belongs to place p?",
    ),
    (
        paired(near=lambda p, q, reach: 0 < abs(p - q) <= reach[0]),
        "You give every place the reach of the first: which entry of reach belongs to place p?",
    ),
    (
        paired(near=lambda p, q, reach: 0 < abs(p - q) <= reach[p] // 2),
        "Is the reach the width of the whole window, or how far it goes on each side?",
    ),
    (slices_from_below_zero, "What is `ids[a:b]` when a is below 0?"),
    (wrapped, "What is ids[-2] at the beginning of the text?"),
    (paired(given=without_unknown), TAKEN_OUT),
    (paired(given=without_unknown_words), TAKEN_OUT),
    (up_to_the_first_unknown, STOPS),
    (windows_up_to_an_unknown, STOPS),
    (
        paired(known=lambda centre, other: centre > 0 and other > 0),
        "Words are numbered from 0 on: is word 0 a word?",
    ),
    (
        paired(near=lambda p, q, reach: 0 < abs(p - q) <= reach[p] and q < len(reach) - 1),
        "You stop one place short of the end: is the text's last word ever in anybody's company?",
    ),
    (
        paired(near=lambda p, q, reach: 0 < abs(p - q) <= reach[p] and q > 0),
        "You begin one place late: is the text's first word ever in anybody's company?",
    ),
    (places_of(lambda word: word >= 0), PLACES),
    (places_of(lambda word: True), PLACES),
    (places_of(lambda word: word >= 0, lambda ids, p, q: (p, ids[q])), HALF),
    (places_of(lambda word: word >= 0, lambda ids, p, q: (ids[p], q)), HALF),
    (
        paired(known=lambda centre, other: True),
        "Should the network learn to foretell −1, or foretell from it? An unknown word gives no"
        " pair.",
    ),
    (paired(known=lambda centre, other: centre >= 0), BOTH_KNOWN),
    (paired(known=lambda centre, other: other >= 0), BOTH_KNOWN),
    (paired(known=lambda centre, other: centre >= 0 or other >= 0), BOTH_KNOWN),
    (
        paired(known=lambda centre, other: centre >= 0 and other >= 0 and centre != other),
        "In “tick tick tick” a word stands beside itself. Do you compare the words, or the places?",
    ),
    (
        listed(lambda pairs: [turn for pair in pairs for turn in (pair, pair[::-1])]),
        "You add every pair both ways round: does the other word not get its turn as a centre?",
    ),
    (listed(sorted), ORDER),
    (paired(table=lambda pairs: sorted(pairs, key=lambda pq: (pq[0], abs(pq[0] - pq[1])))), ORDER),
    (paired(table=lambda pairs: sorted(pairs, key=lambda pq: (pq[0], pq[0] > pq[1]))), ORDER),
    (paired(table=lambda pairs: sorted(pairs, key=lambda pq: pq[::-1])), ORDER),
    (paired(table=lambda pairs: sorted(pairs, key=lambda pq: abs(pq[0] - pq[1]))), ORDER),
    (listed(lambda pairs: list(dict.fromkeys(map(tuple, pairs)))), ONCE),
    (listed(lambda pairs: sorted(set(map(tuple, pairs)))), ONCE),
]


def reaches(rng, length):
    """A reach for each place; some go past an end of the text, and some over two places."""
    reach = rng.integers(1, 5, size=length)
    reach[[0, 1, 5]] = 1, 3, 2
    return reach


def one_text(rng):
    for length in (9, 12, 10):
        yield rng.permutation(length), reaches(rng, length)


def unknown_words(rng):
    for length in (12, 14):
        ids = 1 + rng.permutation(length)
        ids[[3, 7, 8]] = -1
        ids[rng.choice([0, 1, 5])] = 0  # between words that are known: it is one like others
        yield ids, reaches(rng, length)


def repeating(rng):
    for length in (13, 15, 14):
        ids = rng.integers(0, 3, size=length)
        ids[5] = ids[4]
        yield ids, reaches(rng, length)


def in_any_order(pairs, right):
    """The pairs without their order: how often there is each."""
    return pairs[np.lexsort(pairs.T[::-1])]


training_pairs.agrees(
    "pairs each word with those within its own reach, on both sides",
    "Take the text 0 1 2 with the reaches 1 2 1, on paper: which four pairs are there?",
    one_text,
    view=in_any_order,
)
training_pairs.agrees(
    "lists them centre by centre, the company from left to right",
    "Read your list aloud: do the centres come as in the text, and their company too?",
    one_text,
)
training_pairs.agrees(
    "lets an unknown word (−1) keep its place and give no pair, and leaves ids as it was",
    "Take the text 0 −1 2 with the reaches 1 1 1: is there any pair?",
    unknown_words,
    view=in_any_order,
    untouched="Do you write into ids or reach? The next cell still needs them.",
)
training_pairs.agrees(
    "lists a pair as often as it is met, also of a word with another copy of itself",
    "Take the text 1 1 0 1 with reaches of 1: how often is there 1 1, how often 0 1?",
    repeating,
    view=in_any_order,
)
