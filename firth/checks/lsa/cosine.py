"""Exercise 1.2: the cosine similarity of two vectors.

cosine(x, y) = x · y / (‖x‖ ‖y‖),   and 0 if all numbers of one of the two vectors are 0
"""

from collections.abc import Callable, Iterator

import numpy as np

from firth.checks.claims import Exercise


def similarity_function(measure=lambda x, y: x @ y / np.sqrt((x @ x) * (y @ y))) -> Callable:
    """A function `cosine(x, y)`: the reference answer, or with another `measure` a mistake.

    The function returns 0 if x or y has only zeros, and `measure(x, y)` otherwise.
    """

    def cosine(x, y):
        x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
        return measure(x, y) if x.any() and y.any() else 0.0

    return cosine


def mistake_added_constant(constant) -> Callable:
    """A wrong `cosine` that adds a small constant to the denominator to avoid 0/0."""
    return lambda x, y: x @ y / (np.sqrt((x @ x) * (y @ y)) + constant)


NO_Y = "You divide by the length of x. What about the length of y?"
NO_X = "You divide by the length of y. What about the length of x?"
CONSTANT = (
    "You add a small number to the denominator. It is not small if the vectors are short: what is"
    " the cosine of (0.00003, 0.00004) with itself? Can you return 0 for a vector of zeros instead?"
)
MISTAKES = {
    "any zero": (
        lambda x, y: 0.0 if 0 in x or 0 in y else similarity_function()(x, y),
        "In (3, 0, 4) one number is 0. Are all its numbers 0?",
    ),
    "sum of zero": (
        lambda x, y: 0.0 if x.sum() == 0 or y.sum() == 0 else similarity_function()(x, y),
        "In (3, −3) the numbers add up to 0. Are all of them 0?",
    ),
    "0/0": (lambda x, y: np.float64(x @ y) / np.sqrt((x @ x) * (y @ y)), "What is 0/0 in NumPy?"),
    **{
        f"{constant:g} added": (mistake_added_constant(constant), CONSTANT)
        for constant in (1e-12, 1e-10, 1e-9, 1e-8, 1e-6, 1e-5, 1e-3)
    },
    "lengths of 1 or more": (
        similarity_function(lambda x, y: x @ y / max(1.0, np.sqrt((x @ x) * (y @ y)))),
        "Do the short vectors (0.3, 0.4) and (0.4, 0.3) get the cosine of (3, 4) and (4, 3)?",
    ),
    "rounded": (
        similarity_function(lambda x, y: np.round(x @ y / np.sqrt((x @ x) * (y @ y)), 2)),
        "Your numbers have two decimals. Is a rounded cosine asked for?",
    ),
    "dot product": (
        similarity_function(lambda x, y: x @ y),
        "That is the dot product. By what must you divide it, so that the lengths do not matter?",
    ),
    "divided by √d": (
        similarity_function(lambda x, y: x @ y / np.sqrt(len(x))),
        "You divide by √d, where d is the number of entries. Is that the length of a vector?",
    ),
    "squared lengths": (
        similarity_function(lambda x, y: x @ y / ((x @ x) * (y @ y))),
        "The sum of squares is the square of a length. Where is the root?",
    ),
    "length of x only": (similarity_function(lambda x, y: x @ y / np.sqrt(x @ x)), NO_Y),
    "length of y only": (similarity_function(lambda x, y: x @ y / np.sqrt(y @ y)), NO_X),
    "squared length of x only": (
        similarity_function(lambda x, y: x @ y / (x @ x)),
        f"You divide by x · x, the square of the length of x. Where is the root? {NO_Y}",
    ),
    "squared length of y only": (
        similarity_function(lambda x, y: x @ y / (y @ y)),
        f"You divide by y · y, the square of the length of y. Where is the root? {NO_X}",
    ),
    "brackets": (
        similarity_function(lambda x, y: x @ y / np.sqrt(x @ x) * np.sqrt(y @ y)),
        "In a / b * c, Python divides by b and then multiplies by c. Where are brackets missing?",
    ),
    "lengths added": (
        similarity_function(lambda x, y: x @ y / (np.sqrt(x @ x) + np.sqrt(y @ y))),
        "You add the two lengths. Are they added or multiplied in the formula?",
    ),
    "distance": (
        similarity_function(lambda x, y: 1 - x @ y / np.sqrt((x @ x) * (y @ y))),
        "Your function returns 1 for a right angle: that is a distance. Should two equal vectors"
        " get 1 or 0?",
    ),
    "absolute value": (
        similarity_function(lambda x, y: abs(x @ y) / np.sqrt((x @ x) * (y @ y))),
        "Should two opposite vectors get 1 or −1?",
    ),
    "never negative": (
        similarity_function(lambda x, y: max(0.0, x @ y / np.sqrt((x @ x) * (y @ y)))),
        "Your cosine is never negative. What should (1, 0) get with (−2, 0)?",
    ),
    "degrees": (
        similarity_function(lambda x, y: np.degrees(np.arccos(x @ y / np.sqrt((x @ x) * (y @ y))))),
        "That is the angle in degrees. Is the angle asked for, or its cosine?",
    ),
    "radians": (
        similarity_function(lambda x, y: np.arccos(x @ y / np.sqrt((x @ x) * (y @ y)))),
        "That is the angle itself. Is the angle asked for, or its cosine?",
    ),
    "sums for lengths": (
        similarity_function(lambda x, y: x @ y / (abs(x).sum() * abs(y).sum())),
        "You add up the entries to get a length. What does Pythagoras say?",
    ),
    "correlation": (
        similarity_function(lambda x, y: np.corrcoef(x, y)[0, 1]),
        "That is the correlation, which subtracts the mean first. Should you subtract anything?",
    ),
}
cosine = Exercise(
    name="cosine",
    chapter="01_lsa",
    number="1.2",
    difficulty=1,
    minutes=5,
    hints=(
        "A longer vector has a larger dot product. How can you take the lengths out?",
        "Divide x · y by the length of x and by the length of y. A length is the root of the sum of"
        " squares (np.linalg.norm). If one of the lengths is 0, return 0 before you divide.",
        "lengths = np.linalg.norm(x) * np.linalg.norm(y)\n"
        "return … if lengths > 0 else 0.0  # what do you divide by the lengths?",
    ),
    right=similarity_function(),
    mistakes=MISTAKES,
)


def vectors_of_many_norms(rng) -> Iterator[tuple]:
    """Inputs (x, y): pairs of vectors, some with large norms and some with small norms.

    They catch answers that forget to divide by a norm. In some vectors an entry is 0, and in some
    the entries add up to 0. These catch answers that divide by a sum of entries instead of a norm,
    or take such a vector for zeros.
    """
    for d, length in ((2, 5), (3, 0.02), (7, 3), (2, 0.1)):
        x, y = rng.normal(size=(2, d)) * length
        yield x * rng.uniform(1, 2), y * rng.uniform(1, 2)
    yield x, -y  # one of these two angles is obtuse
    a, b = rng.uniform(1, 5, size=2)
    yield np.array([a, 0, b]), np.array([b, 0, a])
    x, y = np.array([a, -a]), np.array([b, -a - b])
    yield x, y
    yield y, x
    yield 1e-5 * x / a, 1e-5 * y / b  # a constant of 10⁻¹² in the denominator is seen


def vectors_at_known_angles(rng) -> Iterator[tuple]:
    """Inputs (x, y): pairs of vectors at angles of 0°, 180°, 90° and 45°.

    All entries are integers, and so is the norm of x. So the cosine at 0° is exactly 1, and not
    1.0000000002.
    """

    def signed(*coordinates):  # 2² + 4² + 5² + 6² = 9², and 2² + 3² + 6² = 7²
        return rng.permutation(coordinates) * rng.choice([-1.0, 1.0], size=4)

    def factor():
        return rng.integers(2, 9)

    x = signed(2, 4, 5, 6)
    across = np.array([-x[1], x[0], -x[3], x[2]])
    yield x, x * factor()
    yield x, -x * factor()
    yield x, across * factor()
    yield x, x + across
    x = signed(2, 3, 0, 6)
    yield x, x * factor()


def vectors_of_zeros(rng) -> Iterator[tuple]:
    """Inputs (x, y): three pairs in which x, y or both have only zeros, and one ordinary pair.

    A vector of zeros has norm 0, so an answer without a guard divides by 0 and returns nan.
    """
    x, y = rng.normal(size=(2, 3)) * 3
    yield x, np.zeros(3)
    yield np.zeros(3), y
    yield np.zeros(3), np.zeros(3)
    yield abs(x), abs(y)


cosine.agrees(
    "is x · y divided by both lengths",
    "For x = (3, 4) and y = (8, 6), do you get 48/50? Do you get the same if both vectors are a"
    " hundred times shorter?",
    vectors_of_many_norms,
)
cosine.agrees(
    "is 1 for the same direction, 0 for a right angle, −1 for the opposite direction",
    "What does (1, 0) get with (2, 0), with (0, 2), and with (−2, 0)?",
    vectors_at_known_angles,
)
cosine.agrees(
    "is 0 where a vector is all zeros",
    "What do you divide by there?",
    vectors_of_zeros,
    view=lambda answer, right: np.where(right == 0, answer, answer != 0),
)
