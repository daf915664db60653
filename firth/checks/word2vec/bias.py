"""Exercise 2.8: a bias score, which compares two lists of words with two lists of attributes.

s(w)  = mean of cos(w, a) over A − mean of cos(w, b) over B
score = mean of s(x) over X − mean of s(y) over Y

In the first and the third claim every list has one word, so a sum in the place of a mean costs one
point. In the first two claims all vectors have length 1, so a dot product costs one point.
"""

from collections.abc import Callable, Iterator
from itertools import product

import numpy as np

from firth.checks.claims import Exercise


def cosine(x, y):
    """The cosine of two vectors."""
    return x @ y / np.sqrt((x @ x) * (y @ y))


def distance(x, y):
    """The Euclidean distance of two vectors."""
    return np.sqrt(((x - y) ** 2).sum())


def score_function(
    near=cosine,
    gather=np.mean,
    over=np.mean,
    side=lambda a, b: a - b,
    whole=lambda x, y: x - y,
) -> Callable:
    """A function `bias_score(vectors, X, Y, A, B)`: the reference answer, or a mistake.

    With the default arguments it is the reference answer. `near` compares two words. For a word w,
    `gather` takes the mean over A and over B, and `side` their difference s(w). `over` takes the
    mean of s over X and over Y, and `whole` the difference of these two.
    """

    def bias_score(vectors, X, Y, A, B):
        vectors = np.asarray(vectors, dtype=float)

        def s(w):
            a, b = ([near(vectors[w], vectors[other]) for other in words] for words in (A, B))
            return side(gather(a), gather(b))

        return whole(over([s(x) for x in X]), over([s(y) for y in Y]))

    return bias_score


def mistake_mean_vector_of_attributes(vectors, X, Y, A, B):
    """The score of a wrong answer that compares each word with the mean vectors of A and of B.

    The right answer takes the mean of the cosines.
    """
    vectors = np.asarray(vectors, dtype=float)
    a, b = vectors[list(A)].mean(axis=0), vectors[list(B)].mean(axis=0)
    s = {w: cosine(vectors[w], a) - cosine(vectors[w], b) for w in (*X, *Y)}
    return np.mean([s[x] for x in X]) - np.mean([s[y] for y in Y])


def mistake_mean_vectors(vectors, X, Y, A, B):
    """The score of a wrong answer with four cosines between the mean vectors of the four lists.

    The right answer takes means of cosines.
    """
    vectors = np.asarray(vectors, dtype=float)
    x, y, a, b = (vectors[list(words)].mean(axis=0) for words in (X, Y, A, B))
    return cosine(x, a) - cosine(x, b) - cosine(y, a) + cosine(y, b)


def mistake_of_four_means(whole, pairs=product) -> Callable:
    """A wrong `bias_score` that makes `whole` of four means of cosines: XA, XB, YA and YB.

    `pairs` says which words of two lists are compared.
    """

    def bias_score(vectors, X, Y, A, B):
        vectors = np.asarray(vectors, dtype=float)

        def mean(one, other):
            return np.mean([cosine(vectors[w], vectors[v]) for w, v in pairs(one, other)])

        return whole(mean(X, A), mean(X, B), mean(Y, A), mean(Y, B))

    return bias_score


def mistake_effect_size(vectors, X, Y, A, B):
    """The score of a wrong answer that divides it by a standard deviation: an effect size.

    It is the standard deviation of s(w) over all words w, where s(w) is the mean cosine with A
    minus the mean cosine with B.
    """
    s = [score_function(whole=lambda x, y: x)(vectors, [w], [w], A, B) for w in (*X, *Y)]
    return score_function()(vectors, X, Y, A, B) / max(np.std(s), 1e-12)


def mistake_unit_columns(vectors, *lists):
    """The score of a wrong answer that divides columns of `vectors`, not rows, by their norms."""
    vectors = np.asarray(vectors, dtype=float)
    lengths = np.sqrt((vectors**2).sum(axis=0))
    return score_function(near=lambda x, y: x @ y)(vectors / lengths, *lists)


def mistake_along_a_direction(vectors, X, Y, A, B):
    """The score of a wrong answer with a single cosine for each word.

    It is the cosine with the difference of the mean vectors of A and of B. The right answer has the
    difference of two mean cosines.
    """
    vectors = np.asarray(vectors, dtype=float)
    step = vectors[list(A)].mean(axis=0) - vectors[list(B)].mean(axis=0)
    x, y = (np.mean([cosine(vectors[w], step) for w in words]) for words in (X, Y))
    return x - y


def mistake_attributes_exchanged(vectors, X, Y, A, B):
    """The score with A and B exchanged: a wrong answer with the opposite sign."""
    return score_function()(vectors, X, Y, B, A)


def mistake_first_words(vectors, X, Y, A, B):
    """The score of a wrong answer that uses only the first word of each list."""
    return score_function()(vectors, X[:1], Y[:1], A[:1], B[:1])


DISTANCE = "You compare words by distance, so the lengths matter. Which measure is asked for?"
SUM = "You add up where a mean is asked for. Should a longer list give a larger score?"
MEAN_VECTORS = (
    "You take the mean of the vectors before you compare. Is the cosine with a mean vector the mean"
    " of the cosines?"
)
MISTAKES = {
    "dot product": (
        score_function(near=lambda x, y: x @ y),
        "You compare words by the dot product, so a frequent word with a long vector counts more."
        " Which measure is asked for?",
    ),
    "minus the distance": (score_function(near=lambda x, y: -distance(x, y)), DISTANCE),
    "distance": (score_function(near=distance), DISTANCE),
    "columns of length 1": (
        mistake_unit_columns,
        "You divide each column by its length. Is a word's vector a row or a column?",
    ),
    "along a direction": (
        mistake_along_a_direction,
        "You take one cosine with the step from B to A. Is that the difference of two cosines?",
    ),
    "sums": (score_function(gather=np.sum, over=np.sum), SUM),
    "sum over the attributes": (score_function(gather=np.sum), SUM),
    "sum over the words": (score_function(over=np.sum), SUM),
    "nearest words": (
        score_function(gather=np.max, over=np.max),
        "You use the largest number of each list. What about the other words?",
    ),
    "median": (
        score_function(gather=np.median, over=np.median),
        "You use the middle number of each list. Is the median or the mean asked for?",
    ),
    "sign": (
        mistake_attributes_exchanged,
        "Your score has the right size and the wrong sign. From which of the two lists is the other"
        " one subtracted?",
    ),
    "A and B added": (
        score_function(side=lambda a, b: a + b),
        "You add the means over A and B. Should they be added or subtracted?",
    ),
    "X and Y added": (
        score_function(whole=lambda x, y: x + y),
        "You add the means over X and Y. Should they be added or subtracted?",
    ),
    "X only": (
        score_function(whole=lambda x, y: x),
        "You use X only. All words may be nearer to A than to B. What about the words of Y?",
    ),
    "A twice": (
        lambda vectors, X, Y, A, B: score_function()(vectors, X, Y, A, A),
        "Your score is always 0. Do you subtract the mean over B, or the mean over A again?",
    ),
    "A only": (score_function(side=lambda a, b: a), "You use A only. Where is B?"),
    "absolute value of the score": (
        score_function(whole=lambda x, y: abs(x - y)),
        "Your score is never negative. What if the words of Y are nearer to A than those of X?",
    ),
    "absolute value of s": (
        score_function(side=lambda a, b: abs(a - b)),
        "Your s(w) is never negative. What if a word is nearer to B than to A?",
    ),
    "brackets": (
        mistake_of_four_means(lambda xa, xb, ya, yb: xa - xb - ya - yb),
        "What is −(s − t) without brackets? One of your four means has the wrong sign.",
    ),
    "two of four": (
        mistake_of_four_means(lambda xa, xb, ya, yb: xa - yb),
        "You use two of the four means. Where are X with B, and Y with A?",
    ),
    "first with first": (
        mistake_of_four_means(lambda xa, xb, ya, yb: xa - xb - ya + yb, pairs=zip),
        "You compare the first word of one list with the first of the other, the second with the"
        " second, and so on. How many pairs of words do lists of three and four words make?",
    ),
    "mean vectors of A and B": (mistake_mean_vector_of_attributes, MEAN_VECTORS),
    "mean vectors of all lists": (mistake_mean_vectors, MEAN_VECTORS),
    "effect size": (
        mistake_effect_size,
        "You divide by a standard deviation, as an effect size does. The task does not ask for it."
        " Can you leave it out?",
    ),
    "first words": (
        mistake_first_words,
        "You use the first word of each list only. What about the others?",
    ),
}
bias_score = Exercise(
    name="bias_score",
    chapter="02_word2vec",
    number="2.8",
    difficulty=1,
    minutes=10,
    hints=(
        "Begin with one word w. How much nearer is it to the words of A than to those of B, on"
        " average?",
        "s(w) is the mean of its cosines with the words of A, minus the mean of its cosines with"
        " those of B. The score is the mean of s over X, minus the mean of s over Y.",
        "def s(w):\n"
        "    near_A = np.mean([cosine(vectors[w], vectors[a]) for a in A])\n"
        "    return near_A - …  # and the words of B?\n"
        "\n"
        "return np.mean([s(x) for x in X]) - …  # and the words of Y?",
    ),
    right=score_function(),
    mistakes=MISTAKES,
)


def random_lists(rng, sizes, longest=1.0) -> tuple:
    """One input (vectors, X, Y, A, B): lists of these sizes, without common words.

    The norms lie between 1 and `longest`. The vectors are drawn again until the words of X are
    nearer to A than those of Y are, and one word is nearer to A and another one to B. So an answer
    with a wrong sign, or without a sign, has another score.
    """
    V, ends = sum(sizes) + 2, np.cumsum(sizes)
    while True:
        rows = rng.normal(size=(V, 4))
        rows /= np.sqrt((rows**2).sum(axis=1, keepdims=True))
        words = [int(w) for w in rng.permutation(V)]
        X, Y, A, B = (words[end - n : end] for n, end in zip(sizes, ends, strict=True))
        s = rows @ (rows[A].mean(axis=0) - rows[B].mean(axis=0))
        x, y = s[X].mean(), s[Y].mean()
        if min(abs(x), abs(y), x - y, s[X + Y].max(), -s[X + Y].min()) > 0.05:
            return rows * rng.uniform(1, longest, size=(V, 1)), X, Y, A, B


def with_groups_exchanged(vectors, X, Y, A, B) -> Iterator[tuple]:
    """The input itself, with a score above 0, and with X and Y exchanged, with a score below 0."""
    yield vectors, X, Y, A, B
    yield vectors, Y, X, A, B


def single_words(rng) -> Iterator[tuple]:
    """Inputs (vectors, X, Y, A, B) with one word in each list and unit vectors.

    Neither means nor norms matter here, only the four cosines and their signs.
    """
    for _ in range(2):
        yield from with_groups_exchanged(*random_lists(rng, (1, 1, 1, 1)))


def longer_lists(rng) -> Iterator[tuple]:
    """Inputs (vectors, X, Y, A, B) with three to five words in each list and unit vectors.

    The four lists differ in size. This catches a sum, a mean of the vectors, a median, and words
    that are compared in pairs.
    """
    for sizes in ((4, 3, 5, 3), (3, 5, 4, 4)):
        yield from with_groups_exchanged(*random_lists(rng, sizes))


def vectors_of_many_norms(rng) -> Iterator[tuple]:
    """Inputs (vectors, X, Y, A, B) with one word in each list and norms between 1 and 8.

    This catches a dot product or a distance, which depend on the norms.
    """
    for _ in range(2):
        yield random_lists(rng, (1, 1, 1, 1), longest=8.0)


bias_score.agrees(
    "is cos(x, a) − cos(x, b) − cos(y, a) + cos(y, b) for lists of one word",
    "Which four cosines are there between x or y and a or b, and which of them are subtracted?",
    single_words,
)
bias_score.agrees(
    "takes the mean over each list, however long it is",
    "Let A have two words. What is the mean of their cosines with x?",
    longer_lists,
)
bias_score.agrees(
    "depends on directions only: a long vector counts no more than a short one",
    "Do you divide each dot product by both lengths?",
    vectors_of_many_norms,
)
