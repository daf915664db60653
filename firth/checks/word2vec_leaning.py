"""Exercise 2, ways of scoring a bias: the right one, and what goes wrong.

s(w) = mean of cos(w, a) over A − mean of cos(w, b) over B,   score = mean over X − mean over Y
"""

from itertools import product

import numpy as np


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
