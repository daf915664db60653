"""Exercise 1, company: which words are nearest to a word.

neighbours(vectors, i, n) = the n rows j ≠ i with the greatest cosine(vectors[i], vectors[j])
"""

import numpy as np

from firth.checks.claims import Exercise


def cosines(vectors, x):
    """The cosine of each row with x; 0 for a row of zeros."""
    lengths = np.sqrt((vectors**2).sum(axis=1) * (x @ x))
    return np.where(lengths > 0, vectors @ x / np.where(lengths > 0, lengths, 1), 0.0)


def ranked(closeness=cosines, pick=lambda order, i, n: order[order != i][:n]):
    """A way of naming neighbours, by cosine by default: how close, and whom to pick."""

    def neighbours(vectors, i, n):
        vectors = np.asarray(vectors, dtype=float)
        order = np.argsort(-closeness(vectors, vectors[i]), kind="stable")
        return pick(order, i, n)

    return neighbours


def similarities(vectors, i, n):
    """The numbers themselves, where the words were asked for."""
    return cosines(vectors, vectors[i])[ranked()(vectors, i, n)]


def nan_rows(vectors, x):
    return vectors @ x / (np.linalg.norm(vectors, axis=1) * np.linalg.norm(x))


def from_behind(vectors, i, n):
    """argsort()[::-1] puts nan first."""
    order = np.argsort(nan_rows(vectors, vectors[i]))[::-1]
    return order[order != i][:n]


def itself_at_0(vectors, i, n):
    """Gives the word itself the cosine 0, which is above many others."""
    closeness = cosines(vectors, vectors[i])
    closeness[i] = 0
    return np.argsort(-closeness, kind="stable")[:n]


def itself_opposite(vectors, i, n):
    """Puts the word itself at −1, which is not below every cosine."""
    closeness = cosines(vectors, vectors[i])
    closeness[i] = -1
    return np.argsort(-closeness, kind="stable")[:n]


def itself_opposite_from_behind(vectors, i, n):
    closeness = cosines(vectors, vectors[i])
    closeness[i] = -1
    return np.argsort(closeness, kind="stable")[::-1][:n]


ITSELF = "Who is nearest to a word? The word itself, which is no news: how do you leave it out?"
NAN = (
    "You put a row of zeros before or after all the others: is its cosine 0 there, or nan? Where"
    " does argsort put nan?"
)
ONE_SHORT = (
    "You return n − 1 words: do you leave the word out after taking n, or end a slice too early?"
)
OPPOSITE = (
    "A row that points exactly the other way has the cosine −1: who comes last then, that row or i"
    " itself?"
)
NUMBERED = "Every number is one too great: is the first row 0 or 1?"
UPWARDS = "argsort begins with the smallest: which end is the nearest?"
neighbours = Exercise(
    name="neighbours",
    chapter="01_lsa",
    number="1.5",
    difficulty=2,
    minutes=12,
    hints=(
        "Ask how close every row is to row i; then you only need to put them in order.",
        "Take the cosine of row i with every row (0 for a row of zeros), sort the row numbers by it"
        " from the greatest down, leave out i, keep the first n.",
        "closeness = np.array([cosine(vectors[i], row) for row in vectors])\n"
        "order = np.argsort(-closeness)\n"
        "return order[…][:n]  # without i: where is order different from i?",
    ),
    right=ranked(),
)
neighbours.mistakes = [
    (itself_at_0, "You give i itself the cosine 0: is every other word's cosine above that?"),
    (ranked(pick=lambda order, i, n: order[order != i][:n] + 1), NUMBERED),
    (
        ranked(pick=lambda order, i, n: np.sort(order[order != i][:n])),
        "The right words, but in the order of their numbers: which of them is the nearest?",
    ),
    (itself_opposite, OPPOSITE),
    (itself_opposite_from_behind, OPPOSITE),
    (
        ranked(pick=lambda order, i, n: (order[order != i] - (order[order != i] > i))[:n]),
        "You took row i out: which number does the row after it have now?",
    ),
    (ranked(pick=lambda order, i, n: order[::-1][1 : n + 1]), UPWARDS),
    (ranked(pick=lambda order, i, n: order[1 : n + 1][::-1]), UPWARDS),
    (ranked(pick=lambda order, i, n: order[:n]), ITSELF),
    (
        ranked(pick=lambda order, i, n: order[order != i][::-1][:n]),
        "You start with the farthest: which way does argsort sort?",
    ),
    (
        ranked(pick=lambda order, i, n: order[::-1][:n]),
        "You start with the farthest: which way does argsort sort?",
    ),
    (
        ranked(pick=lambda order, i, n: order[order != i][:n][::-1]),
        "The right words, but the best should come first: which one is it?",
    ),
    (
        ranked(pick=lambda order, i, n: order[:n][::-1]),
        f"The best should come first. And: {ITSELF}",
    ),
    (
        ranked(pick=lambda order, i, n: order[1 : n + 1]),
        "You drop the first in the list. Is it the word itself, or one with the same direction?",
    ),
    (ranked(pick=lambda order, i, n: order[1:n]), ONE_SHORT),
    (ranked(pick=lambda order, i, n: order[:n][order[:n] != i]), ONE_SHORT),
    (
        ranked(pick=lambda order, i, n: order[order != i]),
        "You return all the others: where does n come in?",
    ),
    (
        ranked(lambda vectors, x: -np.linalg.norm(vectors - x, axis=1)),
        "You measure the distance between the tips of the arrows; a frequent word has a long one."
        " Does the cosine mind length?",
    ),
    (
        ranked(lambda vectors, x: vectors @ x),
        "You rank by the dot product, so that long vectors win: what minds only direction?",
    ),
    (
        ranked(lambda vectors, x: np.abs(cosines(vectors, x))),
        "Is a word in the opposite direction a near neighbour?",
    ),
    (similarities, "Those are the similarities: can you return the numbers of the words instead?"),
    (ranked(nan_rows), NAN),
    (from_behind, NAN),
]


def told_apart(closeness):
    """Whether an order is plain to see: no two so close that rounding might decide."""
    return np.diff(np.sort(closeness)).min() > 1e-4


def crowds(rng):
    for V, d, n in ((7, 3, 3), (9, 2, 4), (6, 4, 5), (8, 3, 4), (9, 3, 3)):
        vectors, i = np.zeros((V, d)), int(rng.integers(V))
        while not told_apart(cosines(vectors, vectors[i])):
            vectors = rng.normal(size=(V, d)) * rng.uniform(0.2, 5, size=(V, 1))
        yield vectors, i, n


def opposites(rng):
    """All the others, one of them exactly opposite: in halves, so that −1 comes out to the bit."""
    for i, opposite in ((1, 4), (4, 1), (0, 5)):
        vectors = rng.normal(size=(6, 4))
        vectors[i] = rng.choice([-0.5, 0.5], size=4)
        vectors[opposite] = -4 * vectors[i]
        yield vectors, i, 5


def companions(rng):
    """A word with a companion in its own direction, before it and after it in the table."""
    for i, companion in ((4, 1), (1, 4), (0, 5), (5, 0)):
        vectors = rng.normal(size=(6, 3))
        vectors[companion] = vectors[i] * rng.choice([0.25, 0.5, 2, 4])
        yield vectors, i, int(rng.integers(1, 4))
    yield from opposites(rng)


def unseen(rng):
    for _ in range(5):
        vectors = rng.normal(size=(8, 3))
        vectors[6] = -vectors[2] + 0.1 * rng.normal(size=3)
        vectors[int(rng.choice([0, 4, 7]))] = 0
        yield vectors, 2, 6


neighbours.agrees(
    "names the n nearest by cosine, the best first",
    "Which word has the greatest cosine with word i, after i? Does your list begin with it?",
    crowds,
)
neighbours.agrees(
    "never names the word itself, even where another points the same way",
    "Put a copy of row i, three times as long, into the table: does your list begin with the copy,"
    " and is i nowhere in it?",
    companions,
)
neighbours.agrees(
    "takes a row of zeros as neither near nor far: cosine 0",
    "One row is at an acute angle to row i, one at an obtuse angle, one is all zeros: in which"
    " order do you name them?",
    unseen,
)
neighbours.leaves(
    "leaves the vectors it was given as they were",
    "Do you, or does a function that you call, write into the vectors, as `/=` does in place?"
    " Whoever called you may still need them.",
    crowds,
)
