"""Exercise 4, mixing: the values, as a query's weights mix them, without a loop over words.

softmax(Q Kᵀ / √d) V      for a table, or for each table of a stack

The reference is that loop.
"""

from collections.abc import Callable

import numpy as np

from firth.checks.claims import Exercise
from firth.checks.mistakes import fitting

from .claims import UNSTABLE, steady
from .row_softmax import row_by_row, shares


def word_by_word(Q, K, V):
    """The right answer for one text: each query asks every key, and mixes the values."""
    rows = []
    for q in Q:
        a = shares([sum(q * k) / len(q) ** 0.5 for k in K])
        rows.append(sum(weight * value for weight, value in zip(a, V, strict=True)))
    return np.array(rows)


def text_by_text(Q, K, V):
    """The right answer for any stack."""
    if Q.ndim == 2:
        return word_by_word(Q, K, V)
    return np.array([text_by_text(*tables) for tables in zip(Q, K, V, strict=True)])


def turned(K):
    return np.swapaxes(K, -1, -2)


def along(axis: int) -> Callable:
    def weights(scores):
        return np.swapaxes(row_by_row(np.swapaxes(scores, axis, -1)), axis, -1)

    return weights


def looking(
    score=lambda Q, K: Q @ turned(K),
    scale=lambda Q, K, V: Q.shape[-1] ** 0.5,
    weights=row_by_row,
    mix=lambda A, V: A @ V,
):
    """A way of looking, the right one by default: score, scale, weights, mixture."""

    @fitting
    def attention(Q, K, V):
        return mix(weights(score(Q, K) / scale(Q, K, V)), V)

    return attention


def naive(scores):
    return np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)


SHAPES = (
    "Which shapes meet there, and which should? Q may have axes before its last two: what counts"
    " from the end?"
)
LAST_TWO = "K may have two axes, or more: which call names only the last two?"
attention = Exercise(
    name="attention",
    chapter="04_attention",
    number="4.3",
    difficulty=2,
    minutes=10,
    hints=(
        "Which product holds every q · k at once? And if a row of A holds a query's weights, which"
        " product mixes the rows of V with them?",
        "Kᵀ exchanges the last two axes and leaves those before them: np.swapaxes(K, -1, -2). `@`"
        " multiplies the tables of a stack one by one. Then softmax along the last axis, then @ V.",
        "scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])\n"
        "return softmax(scores) @ …  # what is mixed?",
    ),
    right=text_by_text,
    stumbles={
        "matmul": SHAPES,
        "not broadcast": SHAPES,
        "not be broadcast": SHAPES,
        "not aligned": SHAPES,
        "too many values": SHAPES,
        "axes don't match": LAST_TWO,
        "out of bounds": LAST_TWO,
        ".T": "`.T` turns all axes of a stack: what turns the last two alone?",
        "'list' object": "Does your softmax return a list? What does np.array make of it?",
    },
)
attention.mistakes = [
    (looking(scale=lambda Q, K, V: 1), "Where is √d? Your scores are too large by that."),
    (
        looking(scale=lambda Q, K, V: Q.shape[-1]),
        "You divide by d: should it not be its root?",
    ),
    (
        looking(scale=lambda Q, K, V: V.shape[-1] ** 0.5),
        "You divide by the root of a value's length: is it the value that stands in the score?",
    ),
    (
        looking(scale=lambda Q, K, V: K.shape[-2] ** 0.5),
        "You divide by the root of the number of keys: how many numbers has one key?",
    ),
    (
        looking(scale=lambda Q, K, V: Q.shape[1] ** 0.5),
        "Q.shape[1] counts the features of one table, but the rows of a stack's: which number names"
        " the last axis everywhere?",
    ),
    (
        looking(scale=lambda Q, K, V: len(Q) ** 0.5),
        "len(Q) counts rows, or the tables of a stack: how many numbers has a query?",
    ),
    (
        looking(scale=lambda Q, K, V: len(K) ** 0.5),
        "len(K) counts rows, or the tables of a stack: how many numbers has a key?",
    ),
    (
        looking(scale=lambda Q, K, V: Q.shape[-1] ** -0.5),
        "You multiply by √d: are long vectors' scores too large, or too small?",
    ),
    (
        lambda Q, K, V: looking(scale=lambda Q, K, V: 1)(Q, K, V) / Q.shape[-1] ** 0.5,
        "You divide by √d when the softmax is over: what should be divided, and when?",
    ),
    (
        looking(weights=lambda scores: scores),
        "You mix with the scores themselves: where is the softmax?",
    ),
    (
        looking(weights=along(-2)),
        "Your columns add up to 1: each query shares out its own look. Along which axis?",
    ),
    (
        looking(weights=along(1)),
        "Along axis 1 run the keys of one table, but the queries of a stack: which number names"
        " the last axis everywhere?",
    ),
    (
        looking(
            weights=lambda scores: (
                np.exp(scores - scores.max()) / np.exp(scores - scores.max()).sum()
            )
        ),
        "All weights together add up to 1: should not those of each query?",
    ),
    (looking(mix=lambda A, V: A), "Those are the weights; what do they mix?"),
    (
        looking(mix=lambda A, V: turned(A) @ V),
        "You mix with the columns of A: whose weights stand in a row, and whose in a column?",
    ),
    (
        looking(weights=lambda scores: scores, mix=lambda A, V: row_by_row(A @ V)),
        "You take the softmax of what the scores have mixed: where should its bracket close?",
    ),
    (
        looking(mix=lambda A, V: V @ A),
        "V @ A mixes the columns of V, one feature with another: on which side stand the weights"
        " that mix its rows?",
    ),
    (
        looking(mix=lambda A, V: A * V),
        "`*` multiplies number by number: which sign mixes the rows of V?",
    ),
    (
        looking(mix=lambda A, V: turned(A @ V)),
        "Your queries stand in columns: a row for each was asked for. Is it?",
    ),
    (
        looking(mix=lambda A, V: (A @ V).sum(axis=-2)),
        "You add up what the queries find: a row for each of them was asked for. Is it?",
    ),
    (
        looking(score=lambda Q, K: K @ turned(Q)),
        "Your rows belong to the keys: who looks, and who is looked at?",
    ),
    (
        looking(score=lambda Q, K: Q @ K),
        "Q @ K meets K by its columns: what must be turned so that query meets key?",
    ),
    (
        looking(score=lambda Q, K: Q @ turned(Q)),
        "The queries look at each other: where are the keys?",
    ),
    (
        lambda Q, K, V: looking()(Q, K, K),
        "You mix the keys: what is handed over, once it is found?",
    ),
    (looking(weights=naive), UNSTABLE),
]


def stack(rng, *shape, n, m, d, c, scale=1.5):
    """Queries, keys and values; what a query looks like is no surprise to no key."""
    return (
        scale * rng.normal(size=(*shape, n, d)),
        rng.normal(size=(*shape, m, d)),
        rng.normal(size=(*shape, m, c)),
    )


def one_text(rng):
    for size in (4, 3, 2):  # every mix-up runs, and only the numbers tell
        yield stack(rng, n=size, m=size, d=size, c=size)


def many_texts(rng):
    yield stack(rng, n=2, m=5, d=3, c=4)
    yield stack(rng, n=4, m=3, d=5, c=1)
    yield stack(rng, 3, n=4, m=4, d=2, c=2)
    yield stack(rng, 2, n=3, m=5, d=4, c=3)
    yield stack(rng, 2, 3, n=3, m=3, d=2, c=4)


def loud(rng):
    for shape in ((), (2,)):
        Q, K, V = stack(rng, *shape, n=3, m=4, d=4, c=2)
        Q[..., 0] = 1000.0
        K[..., 0] = 5.0 + 0.001 * K[..., 0]
        yield Q, K, V


attention.agrees(
    "is softmax(Q Kᵀ / √d) V for one text",
    "One query and two keys on paper: what are its two weights, and what do they mix?",
    one_text,
)
attention.agrees(
    "does the same for any numbers of queries, keys and features, and for each table of a stack",
    "Two texts that lie on each other, (2, n, d): which axes of K must change places?",
    many_texts,
)
steady(
    attention,
    "stays exact with scores in the thousands, and leaves Q, K and V as they were",
    loud,
    untouched="Do you write into what you were handed, as `Q /= …` does? Who else may need it?",
)
