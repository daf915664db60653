"""Private checks of an exercise of the usual size, four answers and eight claims: 00_numpy.

    mixture = softmax(Q Kᵀ ÷ √d) V, a cosine for each pair of rows, the centred table

`firth grade --checks DIR` takes this very file. Its functions are the right answers, and what the
benchmark's students hand in.
"""

import numpy as np

from firth.checks.claims import Exercise

EXERCISE = "00_numpy"
HINTS = ("What does it add up to?", "Write it for one row.", "Then for all at once, …")


def softmax_table(x):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def mixture(Q, K, V):
    return softmax_table(Q @ K.T / Q.shape[1] ** 0.5) @ V


def cosines(X, Y):
    lengths = np.sqrt((X * X).sum(axis=1))[:, None] * np.sqrt((Y * Y).sum(axis=1))
    return X @ Y.T / lengths


def centred(x):
    return x - x.mean(axis=0)


ANSWERS = (softmax_table, mixture, cosines, centred)


def tables(rng):
    return [(rng.normal(size=shape),) for shape in ((4, 6), (3, 2), (1, 5))]


def large_tables(rng):
    return [(1_000 + 5 * table,) for (table,) in tables(rng)]


def queries(rng):
    return [tuple(rng.normal(size=(n, 8)) for n in (3, 5, 5)) for _ in range(3)]


def one_key(rng):
    return [tuple(rng.normal(size=(n, 4)) for n in (3, 1, 1))]


def pairs(rng):
    return [tuple(rng.normal(size=(n, 3)) for n in (4, 6)) for _ in range(3)]


def long_pairs(rng):
    return [(X * 7, Y / 3) for X, Y in pairs(rng)]


def means(answer, right):
    return answer.mean(axis=0)


EXERCISES = {f.__name__: Exercise(f.__name__, EXERCISE, 1, 5, HINTS, f) for f in ANSWERS}
of_rows, of_queries, of_pairs, of_tables = EXERCISES.values()  # questions are found by these names
of_rows.agrees("is exp(x), over what its row adds up to", "By what is each divided?", tables)
of_rows.agrees("copes with large numbers", "What is exp(1000)?", large_tables)
of_queries.agrees("is the rows of V, mixed for each query", "What is divided by √d?", queries)
of_queries.agrees(
    "is V itself where there is one key", "What is the softmax of one number?", one_key
)
of_pairs.agrees("is x · y over both lengths", "By what is each divided?", pairs)
of_pairs.agrees("does not mind lengths", "If you double y, what may change?", long_pairs)
of_tables.agrees("takes the mean off each column", "Which axis?", tables)
of_tables.agrees("leaves columns whose mean is 0", "Which axis?", tables, view=means)
