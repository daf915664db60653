"""Exercise 1, search: which texts are nearest to a question.

find_documents = the n columns v of Vt with the greatest cosine(fold_in(q, U, s) · s, v · s)
"""

import numpy as np

from firth.checks.claims import Exercise
from firth.checks.lsa_folding_in import collection
from firth.checks.lsa_neighbours import cosines, told_apart


def found(
    query=lambda q, U, s: q @ U,
    documents=lambda s, Vt: Vt.T * s,
    closeness=cosines,
    pick=lambda order, n: order[:n],
):
    """A way of finding texts: where the query lies, where they lie, how close that is."""

    def find_documents(q, U, s, Vt, n):
        order = np.argsort(-closeness(documents(s, Vt), query(q, U, s)), kind="stable")
        return pick(order, n)

    return find_documents


def how_close(q, U, s, Vt, n):
    return np.sort(cosines(Vt.T * s, q @ U))[::-1][:n]


UNSCALED = (
    "You compare v with v, where every axis weighs the same; the axes should weigh as in X:"
    " what must both be multiplied by?"
)
HALF_SCALED = (
    "The question and the texts are not on the same scale: which of them is multiplied by s, and"
    " which is not?"
)
TOO_OFTEN = "You multiply by s once too often: where is s already in?"
find_documents = Exercise(
    name="find_documents",
    chapter="01_lsa",
    number="1.7",
    difficulty=2,
    minutes=12,
    hints=(
        "The question has a place, and each text has one: who lies in its direction?",
        "Fold the question in; multiply its numbers, and those of every text (a column of Vt), by"
        " s; take cosines; sort the numbers of the texts from the greatest cosine down.",
        "place = fold_in(q, U, s) * s\n"
        "texts = Vt.T * s\n"
        "closeness = [cosine(place, text) for text in texts]\n"
        "return …  # the numbers of the n greatest, the greatest first",
    ),
    right=found(),
    stumbles={
        "mismatch": "Vt has a column for each text and a row for each axis: do you go through its"
        " columns?",
        "broadcast": "s has a number for each axis: are the axes of Vt its rows or its columns?",
    },
)
find_documents.mistakes = [
    (found(query=lambda q, U, s: q @ U / s, documents=lambda s, Vt: Vt.T), UNSCALED),
    (found(documents=lambda s, Vt: Vt.T), HALF_SCALED),
    (found(query=lambda q, U, s: q @ U / s), HALF_SCALED),
    (found(query=lambda q, U, s: q @ U * s), HALF_SCALED),
    (
        found(closeness=lambda texts, q: texts @ q),
        "You rank by the dot product, so that long texts win: what minds only direction?",
    ),
    (found(lambda q, U, s: q @ U * s, lambda s, Vt: Vt.T * s**2), TOO_OFTEN),
    (found(documents=lambda s, Vt: Vt.T * s**2), TOO_OFTEN),
    (
        found(
            query=lambda q, U, s: q @ U / s,
            documents=lambda s, Vt: Vt.T,
            closeness=lambda texts, q: texts @ q,
        ),
        "You rank by the dot product, so that long texts win: what minds only direction?",
    ),
    (
        found(closeness=lambda texts, q: abs(cosines(texts, q))),
        "Is a text in the opposite direction near to the question?",
    ),
    (
        found(closeness=lambda texts, q: -np.linalg.norm(texts - q, axis=1)),
        "You rank by distance, and a question is short: does the cosine mind length?",
    ),
    (
        found(pick=lambda order, n: order[::-1][:n]),
        "You start with the farthest text: which way does argsort sort?",
    ),
    (
        found(pick=lambda order, n: order[:n][::-1]),
        "The right texts, but the best should come first: which one is it?",
    ),
    (
        found(pick=lambda order, n: np.sort(order[:n])),
        "The right texts, but in the order of their numbers: which of them is the nearest?",
    ),
    (
        found(pick=lambda order, n: order[1 : n + 1]),
        "You drop the best one, as for a word's neighbours: is the question one of the texts?",
    ),
    (
        found(pick=lambda order, n: order[:n] + 1),
        "Every number is one too great: is the first text 0 or 1?",
    ),
    (found(pick=lambda order, n: order), "You return every text: where does n come in?"),
    (how_close, "Those are the similarities: can you return the numbers of the texts instead?"),
    (
        lambda q, U, s, Vt, n: np.argsort(-cosines(U * s, q @ U), kind="stable")[:n],
        "Those are the rows of U, the words: where are the texts?",
    ),
]


def searches(rng):
    """Some tables hold less than usual in places, so that texts point away from the question."""
    for n, m, k, usual in ((6, 9, 3, 0), (12, 8, 2, 1.7), (10, 10, 4, 1.7)):
        for asked in (m, 3):
            closeness = np.zeros(2)
            while not told_apart(closeness):
                _, U, s, Vt = collection(rng, n, m, k, usual)
                q = np.zeros(n)
                q[rng.permutation(n)[:3]] = rng.integers(1, 3, size=3)
                closeness = cosines(Vt.T * s, q @ U)
            yield q, U, s, Vt, asked


def own_searches(rng):
    for n, m, k in ((6, 9, 3), (12, 8, 3)):
        twins = True
        while twins:
            X, U, s, Vt = collection(rng, n, m, k)
            twins = not all(told_apart(cosines(Vt.T * s, text)) for text in Vt.T * s)
        yield from ((X[:, j], U, s, Vt, 1) for j in range(m))


find_documents.agrees(
    "names the n texts with the greatest cosine, the best first",
    "Take two axes and two texts, on paper: where does the question lie, where do they?",
    searches,
    points=2,
)
find_documents.agrees(
    "finds a text by its own words",
    "With a column of X as the question, which text should come first?",
    own_searches,
)
