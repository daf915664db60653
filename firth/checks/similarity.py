"""Exercise 1, closeness: how alike two words are, and who is nearest.

cosine(x, y) = x · y / (|x| |y|),   0 where one of the two is zero
"""

import numpy as np

from firth.checks.claims import Exercise

CHAPTER = "01_lsa"


# --- cosine(x, y) ----------------------------------------------------------------------------


def measured(measure=lambda x, y: x @ y / np.sqrt((x @ x) * (y @ y))):
    """A way of comparing two arrows, the cosine by default; 0 where one of them is zero."""

    def cosine(x, y):
        x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
        return measure(x, y) if x.any() and y.any() else 0.0

    return cosine


DOT = "That is the dot product: what must it be divided by, so that length plays no part?"
cosine = Exercise(
    name="cosine",
    chapter=CHAPTER,
    difficulty=1,
    minutes=5,
    hints=(
        "The dot product grows with the length of either arrow. Divide that out.",
        "Divide x · y by the length of x and by the length of y; a length is the root of the sum of"
        " squares (np.linalg.norm). If a length is 0, answer 0 before you divide.",
        "lengths = np.linalg.norm(x) * np.linalg.norm(y)\n"
        "return … if lengths > 0 else 0.0  # the dot product over what?",
    ),
    right=measured(),
)
cosine.mistakes = [
    (lambda x, y: np.float64(x @ y) / np.sqrt((x @ x) * (y @ y)), "What is 0/0 in NumPy?"),
    (measured(lambda x, y: x @ y), DOT),
    (measured(lambda x, y: x @ y / np.sqrt(len(x))), "Is √d, the dimension, the arrow's length?"),
    (
        measured(lambda x, y: x @ y / ((x @ x) * (y @ y))),
        "The sum of squares is the square of a length: where is the root?",
    ),
    (measured(lambda x, y: x @ y / np.sqrt(x @ x)), "The length of x is out; and that of y?"),
    (measured(lambda x, y: x @ y / np.sqrt(y @ y)), "The length of y is out; and that of x?"),
    (
        measured(lambda x, y: x @ y / (np.sqrt(x @ x) + np.sqrt(y @ y))),
        "Do the two lengths multiply, or add up, in x · y = |x| |y| cos φ?",
    ),
    (
        measured(lambda x, y: 1 - x @ y / np.sqrt((x @ x) * (y @ y))),
        "That is 1 for a right angle: a distance. What should two equal arrows get, 1 or 0?",
    ),
    (
        measured(lambda x, y: abs(x @ y) / np.sqrt((x @ x) * (y @ y))),
        "What should two opposite arrows get, 1 or −1?",
    ),
    (
        measured(lambda x, y: np.degrees(np.arccos(x @ y / np.sqrt((x @ x) * (y @ y))))),
        "That is the angle in degrees; is it the angle or its cosine that is asked for?",
    ),
    (
        measured(lambda x, y: np.arccos(x @ y / np.sqrt((x @ x) * (y @ y)))),
        "That is the angle itself; is it the angle or its cosine that is asked for?",
    ),
    (
        measured(lambda x, y: x @ y / (abs(x).sum() * abs(y).sum())),
        "You add up the coordinates for a length: what would Pythagoras do?",
    ),
    (
        measured(lambda x, y: np.corrcoef(x, y)[0, 1]),
        "That is the correlation: who asked you to subtract the means?",
    ),
]


def arrows(rng):
    for d, length in ((2, 5), (3, 0.02), (7, 3), (2, 0.1)):
        x, y = rng.normal(size=(2, d)) * length
        yield x * rng.uniform(1, 2), y * rng.uniform(1, 2)


def turned(rng):
    x = rng.normal(size=4) * 3
    across = np.array([-x[1], x[0], -x[3], x[2]])
    yield x, x * rng.uniform(2, 9)
    yield x, -x * rng.uniform(2, 9)
    yield x, across * rng.uniform(2, 9)
    yield x, x + across


def nothing(rng):
    x, y = rng.normal(size=(2, 3)) * 3
    yield x, np.zeros(3)
    yield np.zeros(3), y
    yield np.zeros(3), np.zeros(3)
    yield x, y


cosine.agrees("is x · y divided by both lengths", "For x = (3, 4), y = (4, 3): 24/25?", arrows)
cosine.agrees(
    "is 1 for the same direction, 0 for a right angle, −1 for the opposite direction",
    "If you double y, what may change?",
    turned,
)
cosine.agrees("is 0 where a vector is all zeros", "What do you divide by there?", nothing)


# --- neighbours(vectors, i, n) ---------------------------------------------------------------


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


ITSELF = "Who is nearest to a word? The word itself, which is no news: how do you leave it out?"
NAN = "What is the cosine with a row of zeros, and where does argsort put nan?"
ONE_SHORT = (
    "You return n − 1 words: do you leave the word out after taking n, or end a slice too early?"
)
neighbours = Exercise(
    name="neighbours",
    chapter=CHAPTER,
    difficulty=2,
    minutes=8,
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
    for V, d, n in ((7, 3, 3), (9, 2, 4), (6, 4, 5)):
        vectors, i = np.zeros((V, d)), int(rng.integers(V))
        while not told_apart(cosines(vectors, vectors[i])):
            vectors = rng.normal(size=(V, d)) * rng.uniform(0.2, 5, size=(V, 1))
        yield vectors, i, n


def companions(rng):
    """A word with a companion in its own direction, before it and after it in the table."""
    for i, companion in ((4, 1), (1, 4), (0, 5), (5, 0)):
        vectors = rng.normal(size=(6, 3))
        vectors[companion] = vectors[i] * rng.choice([0.25, 0.5, 2, 4])
        yield vectors, i, int(rng.integers(1, 4))


def unseen(rng):
    for _ in range(3):
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
    ITSELF,
    companions,
)
neighbours.agrees("takes a row of zeros as neither near nor far: cosine 0", NAN, unseen)


neighbours.agrees(
    "leaves the vectors it was given as they were",
    "Do you divide the vectors in place (/=)? Whoever called you may still need their lengths.",
    crowds,
    untouched=True,
)
