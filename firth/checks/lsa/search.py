"""Exercise 1.7: find the texts that are nearest to a query.

find_documents = the n columns v of Vt with the largest cosine(fold_in(q, U, s) · s, v · s)

The cosine of q itself with a column of the rank-k table has the same order. That answer is right.
"""

from collections.abc import Callable, Iterator

import numpy as np

from firth.checks.claims import Exercise

from .folding_in import draw_table_and_svd
from .neighbours import clearly_different, cosines


def search_function(
    query=lambda q, U, s: q @ U,
    documents=lambda s, Vt: Vt.T * s,
    measure=cosines,
    pick=lambda order, n: order[:n],
) -> Callable:
    """A function `find_documents(q, U, s, Vt, n)`: the reference answer, or a mistake.

    With the default arguments it is the reference answer. `query` and `documents` give the vectors
    that `measure` compares. `pick` takes n of `order`, which holds the indices of all texts, sorted
    by the measure, the largest first.
    """

    def find_documents(q, U, s, Vt, n):
        order = np.argsort(-measure(documents(s, Vt), query(q, U, s)), kind="stable")
        return pick(order, n)

    return find_documents


def mistake_cosines_returned(q, U, s, Vt, n) -> np.ndarray:
    """The n largest cosines: a wrong answer, because the indices of the texts are asked for."""
    return np.sort(cosines(Vt.T * s, q @ U))[::-1][:n]


def mistake_words_for_texts(q, U, s, Vt, n) -> np.ndarray:
    """The indices of the n nearest words: a wrong answer, because texts are asked for."""
    return np.argsort(-cosines(U * s, q @ U), kind="stable")[:n]


NOT_SCALED = (
    "You compare the folded-in query with the columns of Vt as they are. There, all directions have"
    " the same weight. By what must you multiply both, so that they have the weights of X?"
)
HALF_SCALED = (
    "The query and the texts are not on the same scale. Which of the two do you multiply by s, and"
    " which not?"
)
TOO_OFTEN = "You multiply by s once too often. Where is s already contained?"
DOT = "You rank by the dot product, so long texts win. Which measure looks at the direction only?"
MISTAKES = {
    "not scaled": (
        search_function(query=lambda q, U, s: q @ U / s, documents=lambda s, Vt: Vt.T),
        NOT_SCALED,
    ),
    "query scaled": (search_function(documents=lambda s, Vt: Vt.T), HALF_SCALED),
    "texts scaled": (search_function(query=lambda q, U, s: q @ U / s), HALF_SCALED),
    "query scaled twice": (search_function(query=lambda q, U, s: q @ U * s), HALF_SCALED),
    "dot product": (search_function(measure=lambda texts, q: texts @ q), DOT),
    "both scaled twice": (
        search_function(lambda q, U, s: q @ U * s, lambda s, Vt: Vt.T * s**2),
        TOO_OFTEN,
    ),
    "texts scaled twice": (search_function(documents=lambda s, Vt: Vt.T * s**2), TOO_OFTEN),
    "dot product, not scaled": (
        search_function(
            query=lambda q, U, s: q @ U / s,
            documents=lambda s, Vt: Vt.T,
            measure=lambda texts, q: texts @ q,
        ),
        DOT,
    ),
    "absolute value": (
        search_function(measure=lambda texts, q: abs(cosines(texts, q))),
        "You take the absolute value. Is a text in the opposite direction near the query?",
    ),
    "distance": (
        search_function(measure=lambda texts, q: -np.linalg.norm(texts - q, axis=1)),
        "You rank by distance, and a query has few words. Does the length matter to the cosine?",
    ),
    "farthest": (
        search_function(pick=lambda order, n: order[::-1][:n]),
        "Your list begins with the farthest text. In which direction does argsort sort?",
    ),
    "best last": (
        search_function(pick=lambda order, n: order[:n][::-1]),
        "These are the right texts, but the best should come first. Which one is it?",
    ),
    "sorted by number": (
        search_function(pick=lambda order, n: np.sort(order[:n])),
        "These are the right texts, sorted by their numbers. Which of them is the nearest?",
    ),
    "best left out": (
        search_function(pick=lambda order, n: order[1 : n + 1]),
        "You leave out the best text, as for the neighbours of a word. Is the query one of the"
        " texts?",
    ),
    "numbered from 1": (
        search_function(pick=lambda order, n: order[:n] + 1),
        "Each number is too large by one. Does the first text have the number 0 or 1?",
    ),
    "all texts": (
        search_function(pick=lambda order, n: order),
        "You return all texts. Where do you use n?",
    ),
    "cosines returned": (
        mistake_cosines_returned,
        "Those are the cosines. Can you return the numbers of the texts instead?",
    ),
    "words for texts": (
        mistake_words_for_texts,
        "You compare the query with the rows of U, which are words. Where are the texts?",
    ),
}
find_documents = Exercise(
    name="find_documents",
    chapter="01_lsa",
    number="1.7",
    difficulty=2,
    minutes=12,
    hints=(
        "The query has a vector, and each text has one. Which texts have nearly the same direction"
        " as the query?",
        "Fold in the query. Multiply its numbers by s, and the numbers of each text (a column of"
        " Vt) as well. Take the cosines. Sort the numbers of the texts, the largest cosine first.",
        "query = fold_in(q, U, s) * s\n"
        "texts = Vt.T * s\n"
        "closeness = [cosine(query, text) for text in texts]\n"
        "return …  # the numbers of the n largest, the largest first",
    ),
    right=search_function(),
    mistakes=MISTAKES,
    stumbles={
        "mismatch": "Vt has a column for each text and a row for each direction. Does your loop go"
        " through its columns?",
        "broadcast": "s has a number for each direction. Are the directions the rows or the columns"
        " of Vt?",
    },
)


def searches(rng) -> Iterator[tuple]:
    """Six inputs (q, U, s, Vt, n): a query q of three words, the SVD of a table, and a number n.

    Each of three table shapes comes twice: n is the number of all texts, then 3. No two texts have
    nearly the same cosine with the query. Two of the shapes have negative entries, which catch an
    answer that ranks by the absolute value of the cosine.
    """
    for n, m, k, subtracted in ((6, 9, 3, 0), (12, 8, 2, 1.7), (10, 10, 4, 1.7)):
        for asked in (m, 3):
            closeness = np.zeros(2)
            while not clearly_different(closeness):
                _, U, s, Vt = draw_table_and_svd(rng, n, m, k, subtracted)
                q = np.zeros(n)
                q[rng.permutation(n)[:3]] = rng.integers(1, 3, size=3)
                closeness = cosines(Vt.T * s, q @ U)
            yield q, U, s, Vt, asked


def texts_with_one_common_word(rng) -> Iterator[tuple]:
    """Inputs (q, U, s, Vt, 1): q is a text of a table in which all texts share only one word.

    Its own text is then the nearest one, whether or not the vectors are multiplied by s. The common
    word has another count in each text, so that no other two texts are equally near.
    """
    for m in (4, 5):
        X = np.zeros((2 * m, m))
        for j, size in enumerate(rng.permutation(m)):
            X[2 * j : 2 * j + 2, j] = size + 1 + 0.3 * rng.random(2)
        X = np.vstack([X, 0.1 + 0.1 * rng.permutation(m)])
        X = X[rng.permutation(len(X))]
        U, s, Vt = np.linalg.svd(X, full_matrices=False)
        yield from ((X[:, j], U, s, Vt, 1) for j in range(m))


find_documents.agrees(
    "names the n texts with the largest cosine, the best first",
    "Take two directions and two texts on paper. Where is the query, and where are the texts?",
    searches,
    points=2,
)
find_documents.agrees(
    "finds a text by its own words",
    "Take a column of X as the query. Which text should come first?",
    texts_with_one_common_word,
)
