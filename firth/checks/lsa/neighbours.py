"""Exercise 1.4: the nearest neighbours of a word.

neighbours(vectors, i, n) = the n rows j ≠ i with the largest cosine(vectors[i], vectors[j])
"""

from collections.abc import Iterator

import numpy as np

from firth.checks.claims import Exercise


def cosines(vectors, x):
    """An array with the cosine of each row of `vectors` with x, and 0 for a row of zeros."""
    lengths = np.sqrt((vectors**2).sum(axis=1) * (x @ x))
    return np.where(lengths > 0, vectors @ x / np.where(lengths > 0, lengths, 1), 0.0)


def ranking_function(measure=cosines, pick=lambda order, i, n: order[order != i][:n]):
    """A function `neighbours(vectors, i, n)`: the reference answer, or with other steps a mistake.

    `measure` is another similarity. `pick` takes n of `order`, which holds all row indices, sorted
    by the measure, the largest first.
    """

    def neighbours(vectors, i, n):
        vectors = np.asarray(vectors, dtype=float)
        order = np.argsort(-measure(vectors, vectors[i]), kind="stable")
        return pick(order, i, n)

    return neighbours


def mistake_cosines_returned(vectors, i, n):
    """The n largest cosines: a wrong answer, because the indices of the rows are asked for."""
    return cosines(vectors, vectors[i])[ranking_function()(vectors, i, n)]


def unguarded_cosines(vectors, x):
    """An array with the cosine of each row with x, and nan (0/0) for a row of zeros: a mistake."""
    return vectors @ x / (np.linalg.norm(vectors, axis=1) * np.linalg.norm(x))


def minus_distance_of_unit_vectors(vectors, x):
    """An array with minus the distance of each row from x, both scaled to norm 1: a mistake.

    A row of zeros stays as it is. Its rank is then wrong, because its distance is 1, as if its
    cosine were 1/2.
    """
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    units = vectors / np.where(lengths > 0, lengths, 1)
    return -np.linalg.norm(units - x / (np.linalg.norm(x) or 1), axis=1)


def mistake_nan_first(vectors, i, n):
    """n row indices of a wrong answer that ranks rows of zeros first.

    Their cosine is nan in it, and `argsort()[::-1]` puts nan first.
    """
    order = np.argsort(unguarded_cosines(vectors, vectors[i]))[::-1]
    return order[order != i][:n]


def mistake_nan_first_with_itself(vectors, i, n):
    """n row indices of a wrong answer that ranks rows of zeros first and keeps row i.

    Their cosine is nan in it, and `argsort()[::-1]` puts nan first.
    """
    return np.argsort(unguarded_cosines(vectors, vectors[i]))[::-1][:n]


def mistake_nan_in_sorted(backwards):
    """A wrong `neighbours` that sorts with Python's `sorted`; a row of zeros has the cosine nan.

    Every comparison with nan is False, so the order is arbitrary. `backwards` says whether it sorts
    cosines with `reverse=True`, or negative cosines.
    """

    def neighbours(vectors, i, n):
        closeness = unguarded_cosines(vectors, vectors[i]) * (1 if backwards else -1)
        others = [j for j in range(len(vectors)) if j != i]
        return sorted(others, key=closeness.__getitem__, reverse=backwards)[:n]

    return neighbours


def mistake_own_cosine(value, backwards=False):
    """A wrong `neighbours` that gives row i the cosine `value`, so that i may be in the result.

    If `backwards` is true, rows with equal cosines come in reversed order.
    """

    def neighbours(vectors, i, n):
        closeness = cosines(vectors, vectors[i])
        closeness[i] = value
        if backwards:
            return np.argsort(closeness, kind="stable")[::-1][:n]
        return np.argsort(-closeness, kind="stable")[:n]

    return neighbours


ITSELF = "The nearest row is row i itself, which tells you nothing. How do you leave it out?"
NAN = (
    "You put a row of zeros before or after all others. Is its cosine 0 in your function, or nan?"
    " Where does argsort put nan?"
)
NAN_IN_SORTED = (
    "You divide by the length of a row of zeros, which is 0, and so its cosine is nan. Where does"
    " sorted put nan? Which cosine should the row have?"
)
NAN_AND_ITSELF = f"{ITSELF} {NAN}"
ONE_SHORT = (
    "You return n − 1 numbers. Do you leave out row i after you have taken n rows? Or does a slice"
    " end too early?"
)
OPPOSITE = (
    "A row in the opposite direction has the cosine −1. Which one comes last in your order, that"
    " row or row i?"
)
UPWARDS = "argsort begins with the smallest number. At which end are the nearest rows?"
BEST_LAST = (
    "These are the right rows, but the best should come first. argsort begins with the smallest"
    " number: at which end of its result are the nearest rows?"
)
FARTHEST = "Your list begins with the farthest row. In which direction does argsort sort?"
MISTAKES = {
    "itself": (ranking_function(pick=lambda order, i, n: order[:n]), ITSELF),
    "own cosine 0": (
        mistake_own_cosine(0),
        "You give row i the cosine 0. Is the cosine of every other row larger than that?",
    ),
    "numbered from 1": (
        ranking_function(pick=lambda order, i, n: order[order != i][:n] + 1),
        "Each number is too large by one. Does the first row have the number 0 or 1?",
    ),
    "sorted by number": (
        ranking_function(pick=lambda order, i, n: np.sort(order[order != i][:n])),
        "These are the right rows, sorted by their numbers. Which of them is the nearest?",
    ),
    "own cosine −1": (mistake_own_cosine(-1), OPPOSITE),
    "own cosine −1, backwards": (mistake_own_cosine(-1, backwards=True), OPPOSITE),
    "renumbered": (
        ranking_function(
            pick=lambda order, i, n: (order[order != i] - (order[order != i] > i))[:n]
        ),
        "You removed row i from the table. Which number does the row after it have now?",
    ),
    "upwards, last left out": (
        ranking_function(pick=lambda order, i, n: order[::-1][1 : n + 1]),
        UPWARDS,
    ),
    "best last, first left out": (
        ranking_function(pick=lambda order, i, n: order[1 : n + 1][::-1]),
        BEST_LAST,
    ),
    "farthest": (ranking_function(pick=lambda order, i, n: order[order != i][::-1][:n]), FARTHEST),
    "farthest, with itself": (
        ranking_function(pick=lambda order, i, n: order[::-1][:n]),
        FARTHEST,
    ),
    "best last": (
        ranking_function(pick=lambda order, i, n: order[order != i][:n][::-1]),
        BEST_LAST,
    ),
    "itself last": (
        ranking_function(pick=lambda order, i, n: order[:n][::-1]),
        f"The best row should come first. {ITSELF}",
    ),
    "first left out": (
        ranking_function(pick=lambda order, i, n: order[1 : n + 1]),
        "You leave out the first row of your order. Is that always row i? Another row may point in"
        " the same direction.",
    ),
    "slice too short": (ranking_function(pick=lambda order, i, n: order[1:n]), ONE_SHORT),
    "left out too late": (
        ranking_function(pick=lambda order, i, n: order[:n][order[:n] != i]),
        ONE_SHORT,
    ),
    "all others": (
        ranking_function(pick=lambda order, i, n: order[order != i]),
        "You return all other rows. Where do you use n?",
    ),
    "distance": (
        ranking_function(lambda vectors, x: -np.linalg.norm(vectors - x, axis=1)),
        "You rank by distance, and a frequent word has a long vector. Does the length matter to"
        " the cosine?",
    ),
    "distance of unit vectors": (
        ranking_function(minus_distance_of_unit_vectors),
        "You rank by the distance of vectors of length 1. A row of zeros has distance 1 to each of"
        " them. At which cosine is the distance 1, and which cosine should a row of zeros have?",
    ),
    "dot product": (
        ranking_function(lambda vectors, x: vectors @ x),
        "You rank by the dot product, so long vectors win. Which measure looks at the direction"
        " only?",
    ),
    "absolute value": (
        ranking_function(lambda vectors, x: np.abs(cosines(vectors, x))),
        "You take the absolute value. Is a row in the opposite direction a near neighbour?",
    ),
    "cosines returned": (
        mistake_cosines_returned,
        "Those are the cosines. Can you return the numbers of the rows instead?",
    ),
    "nan": (ranking_function(unguarded_cosines), NAN),
    "nan first": (mistake_nan_first, NAN),
    "nan first, with itself": (mistake_nan_first_with_itself, NAN_AND_ITSELF),
    "nan in sorted": (mistake_nan_in_sorted(backwards=False), NAN_IN_SORTED),
    "nan in sorted, backwards": (mistake_nan_in_sorted(backwards=True), NAN_IN_SORTED),
}
neighbours = Exercise(
    name="neighbours",
    chapter="01_lsa",
    number="1.4",
    difficulty=2,
    minutes=12,
    hints=(
        "First find out how similar each row is to row i. Then you only have to sort.",
        "Take the cosine of row i with every row. Sort the row numbers by it, the largest cosine"
        " first. Leave out i, and keep the first n.",
        "closeness = np.array([cosine(vectors[i], row) for row in vectors])\n"
        "order = np.argsort(-closeness)\n"
        "return order[…][:n]  # where is order different from i?",
    ),
    right=ranking_function(),
    mistakes=MISTAKES,
)


def clearly_different(numbers):
    """True if any two of the numbers differ by more than 0.0001, more than rounding can change."""
    return np.diff(np.sort(numbers)).min() > 1e-4


def random_tables(rng):
    """Inputs (vectors, i, n) in which no two rows have nearly the same cosine with row i.

    If n is the number of all other rows, one of them is at an obtuse angle to row i, and the dot
    product ranks them in another order than the cosine.
    """
    for V, d, n in ((7, 3, 3), (9, 2, 4), (6, 4, 5), (8, 3, 4), (9, 3, 3)):
        i, accepted = int(rng.integers(V)), False
        while not accepted:
            vectors = rng.normal(size=(V, d)) * rng.uniform(0.2, 5, size=(V, 1))
            closeness, products = cosines(vectors, vectors[i]), vectors @ vectors[i]
            others = np.arange(V) != i
            same = np.argsort(closeness[others]).tolist() == np.argsort(products[others]).tolist()
            accepted = clearly_different(closeness) and (
                n < V - 1 or (closeness.min() < -0.01 and not same)
            )
        yield vectors, i, n


def tables_with_opposites(rng) -> Iterator[tuple]:
    """Inputs (vectors, i, 5) with six rows, so that all other rows are asked for.

    One row has exactly the cosine −1 with row i. This catches an answer that gives row i itself the
    cosine −1 to put it last.
    """
    for i, opposite in ((1, 4), (4, 1), (0, 5)):
        vectors = rng.normal(size=(6, 4))
        vectors[i] = rng.choice([-0.5, 0.5], size=4)  # so that the cosine is −1 exactly
        vectors[opposite] = -4 * vectors[i]
        yield vectors, i, 5


def tables_with_companions(rng):
    """Inputs (vectors, i, n) with six rows and n = 5, in which another row is a multiple of row i.

    That row has the cosine 1 with row i, too. So an answer is caught that leaves out the first row
    of its ranking instead of row i. The inputs of `tables_with_opposites` follow.
    """
    for i, companion in ((4, 1), (1, 4), (0, 5), (5, 0)):
        vectors = rng.normal(size=(6, 3))
        vectors[companion] = vectors[i] * rng.choice([0.25, 0.5, 2, 4])
        yield vectors, i, 5
    yield from tables_with_opposites(rng)


ACUTE, NEAR, ASKED, ZERO, OPPOSITE_ROW, OBTUSE = 0, 1, 2, 4, 6, 7


def tables_with_zeros(rng):
    """Inputs (vectors, i, 7) with eight rows, one of which has only zeros.

    The others include a long row at an acute angle to row i, a long one at an obtuse angle, one
    with nearly the same direction and one with nearly the opposite direction.
    """
    for _ in range(40):
        vectors = rng.normal(size=(8, 3))
        x = vectors[ASKED]
        across = np.cross(x, rng.normal(size=3))
        across *= np.linalg.norm(x) / np.linalg.norm(across)
        vectors[NEAR] = x + rng.uniform(0.1, 0.5) * across
        vectors[ACUTE] = 9 * (x + rng.uniform(2, 4) * across)
        vectors[OBTUSE] = -9 * (x + rng.uniform(2, 4) * across)
        vectors[OPPOSITE_ROW] = -x + 0.1 * rng.normal(size=3)
        vectors[ZERO] = 0
        yield vectors, ASKED, 7


def around_zero(order, right):
    """The row indices ACUTE, ZERO and OBTUSE in the order in which the answer names them.

    They are the rows at an acute angle, of zeros, and at an obtuse angle. One claim compares
    answers by this function, so that all other rows do not matter. `right`, the right answer, is
    not used.
    """
    return order[np.isin(order, (ACUTE, ZERO, OBTUSE))]


neighbours.agrees(
    "names the n nearest by cosine, the best first",
    "Which row has the largest cosine with row i, apart from i? Does your list begin with it?",
    random_tables,
)
neighbours.agrees(
    "never names the word itself, even where another points the same way",
    "Ask for all other rows. Is each of them in your list once, and is i not in it? What happens if"
    " a copy of row i stands in the table?",
    tables_with_companions,
    view=lambda order, right: np.sort(order),
)
neighbours.agrees(
    "takes a row of zeros as neither near nor far: cosine 0",
    "One row is at an acute angle to row i, one is at an obtuse angle, and one is all zeros. In"
    " which order do you name them? What do you get if you divide by the length of the zeros?",
    tables_with_zeros,
    view=around_zero,
)
neighbours.leaves(
    "leaves the vectors it was given as they were",
    "Does your function, or one that it calls, write into the vectors, as `/=` does? The next cell"
    " may still need them.",
    random_tables,
)
