"""Exercise 2, a bias score: whose company the words of one list keep rather than another's.

s(w)  = mean of cos(w, a) over A − mean of cos(w, b) over B
score = mean of s(x) over X − mean of s(y) over Y
"""

from itertools import product

import numpy as np

from firth.checks.claims import Exercise


def cosine(x, y):
    return x @ y / np.sqrt((x @ x) * (y @ y))


def distance(x, y):
    return np.sqrt(((x - y) ** 2).sum())


def compared(
    near=cosine,
    gather=np.mean,
    over=np.mean,
    side=lambda a, b: a - b,
    whole=lambda x, y: x - y,
):
    """A way of scoring, right by default: how near two words are, and how numbers become one."""

    def bias_score(vectors, X, Y, A, B):
        vectors = np.asarray(vectors, dtype=float)

        def s(w):
            a, b = ([near(vectors[w], vectors[other]) for other in words] for words in (A, B))
            return side(gather(a), gather(b))

        return whole(over([s(x) for x in X]), over([s(y) for y in Y]))

    return bias_score


def swapped(order):
    return lambda vectors, *sets: compared()(vectors, *(sets[n] for n in order))


def means_first(vectors, X, Y, A, B):
    """One cosine with the mean of a list, and not the mean of the cosines."""
    vectors = np.asarray(vectors, dtype=float)
    a, b = vectors[list(A)].mean(axis=0), vectors[list(B)].mean(axis=0)
    s = {w: cosine(vectors[w], a) - cosine(vectors[w], b) for w in (*X, *Y)}
    return np.mean([s[x] for x in X]) - np.mean([s[y] for y in Y])


def means_everywhere(vectors, X, Y, A, B):
    vectors = np.asarray(vectors, dtype=float)
    x, y, a, b = (vectors[list(words)].mean(axis=0) for words in (X, Y, A, B))
    return cosine(x, a) - cosine(x, b) - cosine(y, a) + cosine(y, b)


def of_four(whole, pairs=product):
    """From the four means of cosines, X and A, X and B, Y and A, Y and B, at once."""

    def bias_score(vectors, X, Y, A, B):
        vectors = np.asarray(vectors, dtype=float)

        def mean(one, other):
            return np.mean([cosine(vectors[w], vectors[v]) for w, v in pairs(one, other)])

        return whole(mean(X, A), mean(X, B), mean(Y, A), mean(Y, B))

    return bias_score


def effect_size(vectors, X, Y, A, B):
    s = [compared(whole=lambda x, y: x)(vectors, [w], [w], A, B) for w in (*X, *Y)]
    return compared()(vectors, X, Y, A, B) / max(np.std(s), 1e-12)


def by_columns(vectors, *lists):
    vectors = np.asarray(vectors, dtype=float)
    lengths = np.sqrt((vectors**2).sum(axis=0))
    return compared(near=lambda x, y: x @ y)(vectors / lengths, *lists)


def along_a_direction(vectors, X, Y, A, B):
    vectors = np.asarray(vectors, dtype=float)
    step = vectors[list(A)].mean(axis=0) - vectors[list(B)].mean(axis=0)
    x, y = (np.mean([cosine(vectors[w], step) for w in words]) for words in (X, Y))
    return x - y


def first_of_each(vectors, X, Y, A, B):
    return compared()(vectors, X[:1], Y[:1], A[:1], B[:1])


DISTANCE = "You compare by distance, in which the length of a vector matters: cosine?"
ADDED = "You add up where a mean is asked for: should a longer list give a greater score?"
MEANS = (
    "Is the mean of the cosines the cosine of the means? You add vectors up before you compare, and"
    " what is asked for is a cosine for each pair of words."
)
SIGN = (
    "The right size, with the wrong sign: which list is compared with which, and what is"
    " subtracted?"
)
bias_score = Exercise(
    name="bias_score",
    chapter="02_word2vec",
    number="2.8",
    difficulty=1,
    minutes=10,
    hints=(
        "First one word: how much nearer is it, on average, to the words of A than to those of B?",
        "s(w) is the mean of its cosines with A, less the mean of its cosines with B. The score is"
        " the mean of s over X, less the mean of s over Y.",
        "def s(w):\n"
        "    near_A = np.mean([cosine(vectors[w], vectors[a]) for a in A])\n"
        "    return near_A - …  # and the words of B?\n"
        "\n"
        "return np.mean([s(x) for x in X]) - …  # and the words of Y?",
    ),
    right=compared(),
)
bias_score.mistakes = [
    (
        compared(near=lambda x, y: x @ y),
        "You compare by dot products, so that a frequent word with its long vector rules the list:"
        " cosine?",
    ),
    (compared(near=lambda x, y: -distance(x, y)), DISTANCE),
    (compared(near=distance), DISTANCE),
    (
        by_columns,
        "You divide each column by its length: is a word's vector a row or a column?",
    ),
    (
        along_a_direction,
        "You take one cosine, with the step from B to A: is that the difference of two cosines?",
    ),
    (compared(gather=np.sum, over=np.sum), ADDED),
    (compared(gather=np.sum), ADDED),
    (compared(over=np.sum), ADDED),
    (
        compared(gather=np.max, over=np.max),
        "You take the nearest word of each list: what do the others say?",
    ),
    (
        compared(gather=np.median, over=np.median),
        "You take the middle one of each list: is it the median or the mean that is asked for?",
    ),
    (swapped((0, 1, 3, 2)), SIGN),
    (
        compared(side=lambda a, b: a + b),
        "How near a word is to A and to B together says nothing of bias: sum, or difference?",
    ),
    (
        compared(whole=lambda x, y: x + y),
        "If X and Y both lean towards A, is that a difference between them? Sum, or difference?",
    ),
    (
        compared(whole=lambda x, y: x),
        "X may lean towards A because everything does: what does Y do?",
    ),
    (
        compared(side=lambda a, b: a),
        "Near A, but compared with what? Where is B?",
    ),
    (
        compared(whole=lambda x, y: abs(x - y)),
        "A score has a sign: who leans which way?",
    ),
    (
        compared(side=lambda a, b: abs(a - b)),
        "Which way does a word lean, to A or to B? You drop the sign.",
    ),
    (
        of_four(lambda xa, xb, ya, yb: xa - xb - ya - yb),
        "What is −(s − t), written out? Of your four cosines, the last has the wrong sign.",
    ),
    (
        of_four(lambda xa, xb, ya, yb: xa - yb),
        "How near is X to B, and Y to A? You use two of the four means.",
    ),
    (
        of_four(lambda xa, xb, ya, yb: xa - xb - ya + yb, pairs=zip),
        "You hold the first word of one list against the first of the other, and so on. How many"
        " cosines are there between three words and four?",
    ),
    (means_first, MEANS),
    (means_everywhere, MEANS),
    (
        effect_size,
        "You divide by a standard deviation, as the chapter's effect size does: who asked for it"
        " here?",
    ),
    (first_of_each, "You look at the first word of each list: what do the others say?"),
]


def lists(rng, *sizes, longest=1.0):
    """Vectors of words, and four lists of them that share none."""
    V = sum(sizes) + 2
    vectors = rng.normal(size=(V, 4))
    vectors /= np.sqrt((vectors**2).sum(axis=1, keepdims=True))
    words, ends = rng.permutation(V), np.cumsum(sizes)
    parts = [
        [int(w) for w in words[end - size : end]] for size, end in zip(sizes, ends, strict=True)
    ]
    return vectors * rng.uniform(1, longest, size=(V, 1)), *parts


def leaning(rng, sizes, longest=1.0):
    """Lists about which nobody is right by luck: words lean either way, and X further than Y."""
    while True:
        vectors, X, Y, A, B = lists(rng, *sizes, longest=longest)
        rows = vectors / np.sqrt((vectors**2).sum(axis=1, keepdims=True))
        s = rows @ (rows[A].mean(axis=0) - rows[B].mean(axis=0))
        x, y = s[X].mean(), s[Y].mean()
        if min(abs(x), abs(y), x - y, s[X + Y].max(), -s[X + Y].min()) > 0.05:
            return vectors, X, Y, A, B


def pairs_of_words(rng):
    """Lists of one word each: nothing has a mean yet."""
    for _ in range(2):
        vectors, X, Y, A, B = leaning(rng, (1, 1, 1, 1))
        yield vectors, X, Y, A, B
        yield vectors, Y, X, A, B


def longer_lists(rng):
    for sizes in ((4, 3, 5, 3), (3, 5, 4, 4)):
        vectors, X, Y, A, B = leaning(rng, sizes)
        yield vectors, X, Y, A, B
        yield vectors, Y, X, A, B


def frequent_words(rng):
    for sizes in ((1, 1, 1, 1), (2, 2, 2, 2)):
        yield leaning(rng, sizes, longest=8.0)


bias_score.agrees(
    "is, for lists of one word, cos(x, a) − cos(x, b) − cos(y, a) + cos(y, b)",
    "Which four cosines are there between x or y and a or b, and which of them are subtracted?",
    pairs_of_words,
)
bias_score.agrees(
    "takes means where the lists are longer, however long each is",
    "For two words in A: what is the mean of their cosines with x?",
    longer_lists,
)
bias_score.agrees(
    "minds directions only: a word that is frequent, with a long vector, counts no more",
    "Do you divide each dot product by both lengths?",
    frequent_words,
)
