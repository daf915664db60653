"""Exercise 1, closeness: how alike the directions of two arrows are.

cosine(x, y) = x · y / (|x| |y|),   0 where all the numbers of one of the two are 0
"""

import numpy as np

from firth.checks.claims import Exercise


def measured(measure=lambda x, y: x @ y / np.sqrt((x @ x) * (y @ y))):
    """A way of comparing two arrows, the cosine by default; 0 where one of them is zero."""

    def cosine(x, y):
        x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
        return measure(x, y) if x.any() and y.any() else 0.0

    return cosine


DOT = "That is the dot product: what must it be divided by, so that length plays no part?"
cosine = Exercise(
    name="cosine",
    chapter="01_lsa",
    number="1.3",
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
    (
        lambda x, y: 0.0 if 0 in x or 0 in y else measured()(x, y),
        "In (3, 0, 4) one number is 0: is the vector zero throughout?",
    ),
    (
        lambda x, y: 0.0 if x.sum() == 0 or y.sum() == 0 else measured()(x, y),
        "In (3, −3) the numbers add up to 0: is the vector zero throughout?",
    ),
    (lambda x, y: np.float64(x @ y) / np.sqrt((x @ x) * (y @ y)), "What is 0/0 in NumPy?"),
    (
        measured(lambda x, y: x @ y / max(1.0, np.sqrt((x @ x) * (y @ y)))),
        "Do two short arrows, (0.3, 0.4) and (0.4, 0.3), get the cosine of (3, 4) and (4, 3)?",
    ),
    (
        measured(lambda x, y: np.round(x @ y / np.sqrt((x @ x) * (y @ y)), 2)),
        "Your numbers have two decimals: is it the cosine that is asked for, or a rounded one?",
    ),
    (measured(lambda x, y: x @ y), DOT),
    (measured(lambda x, y: x @ y / np.sqrt(len(x))), "Is √d, the dimension, the arrow's length?"),
    (
        measured(lambda x, y: x @ y / ((x @ x) * (y @ y))),
        "The sum of squares is the square of a length: where is the root?",
    ),
    (measured(lambda x, y: x @ y / np.sqrt(x @ x)), "The length of x is out; and that of y?"),
    (measured(lambda x, y: x @ y / np.sqrt(y @ y)), "The length of y is out; and that of x?"),
    (
        measured(lambda x, y: x @ y / np.sqrt(x @ x) * np.sqrt(y @ y)),
        "Python divides by a, then multiplies by b: where are brackets missing?",
    ),
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
    yield x, -y  # of two angles, one is obtuse
    a, b = rng.uniform(1, 5, size=2)
    yield np.array([a, 0, b]), np.array([b, 0, a])  # a zero, but not zero throughout
    x, y = np.array([a, -a]), np.array([b, -a - b])  # and a sum of zero
    yield x, y
    yield y, x


def turned(rng):
    """Arrows of a whole length: their cosines come out as 1 exactly, never as 1.0000000002."""

    def whole(*coordinates):  # 2² + 4² + 5² + 6² = 9², and 2² + 3² + 6² = 7²
        return rng.permutation(coordinates) * rng.choice([-1.0, 1.0], size=4)

    def some():
        return rng.integers(2, 9)

    x = whole(2, 4, 5, 6)
    across = np.array([-x[1], x[0], -x[3], x[2]])
    yield x, x * some()
    yield x, -x * some()
    yield x, across * some()
    yield x, x + across
    x = whole(2, 3, 0, 6)
    yield x, x * some()


def nothing(rng):
    x, y = rng.normal(size=(2, 3)) * 3
    yield x, np.zeros(3)
    yield np.zeros(3), y
    yield np.zeros(3), np.zeros(3)
    yield x, y


cosine.agrees(
    "is x · y divided by both lengths",
    "For x = (3, 4), y = (8, 6): 48/50? And for arrows a hundred times shorter: the same?",
    arrows,
)
cosine.agrees(
    "is 1 for the same direction, 0 for a right angle, −1 for the opposite direction",
    "What does (1, 0) get with (2, 0), with (0, 2), and with (−2, 0)?",
    turned,
)
cosine.agrees(
    "is 0 where a vector is all zeros",
    "What do you divide by there?",
    nothing,
    view=lambda answer, right: np.where(right == 0, answer, answer != 0),
)
