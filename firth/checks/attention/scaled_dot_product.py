"""Exercise 4.3: attention, the values mixed by the weights, without a loop over words.

softmax(Q Kᵀ / √d) V      for a table of words, or for each table of a stack

The reference is the loop. In the second claim queries and keys have a single number, so that √d is
1, and the third one forgives a wrong scale. So a wrong scale costs one point and not all of them.
"""

from collections.abc import Callable, Iterator

import numpy as np

from firth.checks.claims import Exercise
from firth.checks.mistakes import fitting

from .claims import OVERFLOW, add_claim_about_large_scores, rounded, sixteenths
from .row_softmax import (
    row_softmax,
    softmax_of_columns,
    softmax_of_everything,
    softmax_of_row,
    softmax_without_maximum,
)


def attention_by_word(Q, K, V):
    """The output for one text: each query is compared with every key, and the values are mixed."""
    rows = []
    for q in Q:
        a = softmax_of_row([sum(q * k) / len(q) ** 0.5 for k in K])
        rows.append(sum(weight * value for weight, value in zip(a, V, strict=True)))
    return np.array(rows)


def reference(Q, K, V):
    """The right `attention` for a table or for a stack of tables, one table after the other."""
    if Q.ndim == 2:
        return attention_by_word(Q, K, V)
    return np.array([reference(*tables) for tables in zip(Q, K, V, strict=True)])


def transpose(K):
    """Kᵀ for each table of a stack: the last two axes exchanged."""
    return np.swapaxes(K, -1, -2)


def mistake_softmax_along_axis_1(scores):
    """The mistake of a softmax along axis 1: the keys of a table, but the queries of a stack."""
    return np.swapaxes(row_softmax(np.swapaxes(scores, 1, -1)), 1, -1)


def attention_function(
    score=lambda Q, K: Q @ transpose(K),
    scale=lambda Q, K, V: Q.shape[-1] ** 0.5,
    weights=row_softmax,
    mix=lambda A, V: A @ V,
) -> Callable:
    """A function `attention(Q, K, V)`: the reference answer, or with another part a mistake.

    The scores are divided by `scale`. `weights` makes A of them, and `mix` the output.
    """

    @fitting
    def attention(Q, K, V):
        return mix(weights(score(Q, K) / scale(Q, K, V)), V)

    return attention


@fitting
def mistake_two_results(Q, K, V):
    """The mistake of returning the output and the weights, where both have the same shape."""
    A = attention_function(mix=lambda A, V: A)(Q, K, V)
    return np.stack([A @ V, A])


SHAPES = (
    "Which shapes do the two sides have in this line? Q can have axes before its last two, so count"
    " the axes from the end."
)
LAST_TWO = "K can have two axes or more. Which call names only the last two of them?"
LENGTH = (
    "counts the rows of one table, but the tables of a stack. How many numbers has a query, and on"
    " which axis do they stand?"
)
LAST_AXIS = "Which number names the last axis of every array?"
MISTAKES = {
    "no root": (
        attention_function(scale=lambda Q, K, V: 1),
        "Your scores are too large by the factor √d. Where do you divide by it?"),
    "divided by d": (
        attention_function(scale=lambda Q, K, V: Q.shape[-1]),
        "You divide the scores by d. By which power of d should they be divided?"),
    "root of a value's length": (
        attention_function(scale=lambda Q, K, V: V.shape[-1] ** 0.5),
        "You divide by the root of the length of a value. Which vectors does a score compare?"),
    "root of the number of keys": (
        attention_function(scale=lambda Q, K, V: K.shape[-2] ** 0.5),
        "You divide by the root of the number of keys. How many numbers has one key?"),
    "Q.shape[1]": (
        attention_function(scale=lambda Q, K, V: Q.shape[1] ** 0.5),
        "Q.shape[1] is the length of a query in a table, but the number of queries in a stack. "
        + LAST_AXIS),
    "len(Q)": (
        attention_function(scale=lambda Q, K, V: len(Q) ** 0.5), f"len(Q) {LENGTH}"),
    "len(K)": (
        attention_function(scale=lambda Q, K, V: len(K) ** 0.5), f"len(K) {LENGTH}"),
    "multiplied by the root": (
        attention_function(scale=lambda Q, K, V: Q.shape[-1] ** -0.5),
        "You multiply the scores by √d. Should they become larger or smaller?"),
    "root after the softmax": (
        lambda Q, K, V: attention_function(scale=lambda Q, K, V: 1)(Q, K, V) / Q.shape[-1] ** 0.5,
        "You divide by √d after the softmax. What should be divided by √d?"),
    "no softmax": (
        attention_function(weights=lambda scores: scores),
        "You mix the values with the scores themselves. Where is the softmax?"),
    "columns": (
        attention_function(weights=softmax_of_columns),
        "The weights of each column add up to 1. A query divides its attention over the keys, so"
        " along which axis should they?"),
    "axis 1": (
        attention_function(weights=mistake_softmax_along_axis_1),
        f"Axis 1 has the keys of a table, but the queries of a stack. {LAST_AXIS}"),
    "everything together": (
        attention_function(weights=softmax_of_everything),
        "All your weights together add up to 1. Which weights should add up to 1, those of all"
        " queries or those of each query?"),
    "weights alone": (
        attention_function(mix=lambda A, V: A),
        "These are the attention weights. What do they mix?"),
    "two results": (
        mistake_two_results,
        "You return the output and the weights. Can you return the output alone?"),
    "mean of the values": (
        attention_function(weights=lambda scores: np.full(scores.shape, 1 / scores.shape[-1])),
        "Your output is the mean of all values, whatever the query is. Where are the weights?"),
    "largest weight only": (
        attention_function(weights=lambda x: 1.0 * (x == x.max(axis=-1, keepdims=True))),
        "Each query gets a single value, the one with the largest weight. What do the other values"
        " add to the output?"),
    "columns of A": (
        attention_function(mix=lambda A, V: transpose(A) @ V),
        "You mix the values with the columns of A. Do the weights of one query stand in a row or in"
        " a column?"),
    "softmax of everything mixed": (
        attention_function(weights=lambda x: x, mix=lambda A, V: row_softmax(A @ V)),
        "You mix the values first and take the softmax of the result. Of what should the softmax be"
        " taken?"),
    "V @ A": (
        attention_function(mix=lambda A, V: V @ A),
        "V @ A mixes the columns of V. On which side must A stand to mix the rows of V?"),
    "A * V": (
        attention_function(mix=lambda A, V: A * V),
        "`*` multiplies number by number. Which sign adds up the rows of V with their weights?"),
    "queries in columns": (
        attention_function(mix=lambda A, V: transpose(A @ V)),
        "Each query has a column in your result. Should it have a row or a column?"),
    "all queries added": (
        attention_function(mix=lambda A, V: (A @ V).sum(axis=-2)),
        "You add up the outputs of all queries. Can you return a row for each query?"),
    "keys attend": (
        attention_function(score=lambda Q, K: K @ transpose(Q)),
        "Your table of scores has a row for each key. What should a row belong to?"),
    "K not transposed": (
        attention_function(score=lambda Q, K: Q @ K),
        "Q @ K multiplies a query by the columns of K. Are the keys rows or columns of K?"),
    "no keys": (
        attention_function(score=lambda Q, K: Q @ transpose(Q)),
        "You compare the queries with each other. Where are the keys?"),
    "keys for values": (
        lambda Q, K, V: attention_function()(Q, K, K),
        "You mix the keys. Which vectors does a word hand over when it is attended to?"),
    "no maximum": (attention_function(weights=softmax_without_maximum), OVERFLOW),
}  # fmt: skip
attention = Exercise(
    name="attention",
    chapter="04_attention",
    number="4.3",
    difficulty=2,
    minutes=10,
    hints=(
        "Which product contains all dot products of a query and a key? If a row of A has the"
        " weights of a query, which product mixes the rows of V with them?",
        "np.swapaxes(K, -1, -2) exchanges the last two axes and leaves those before them. `@`"
        " multiplies the tables of a stack one by one. Then your softmax works along the last axis,"
        " and `@ V` mixes the values.",
        "scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])\n"
        "return softmax(scores) @ …  # what is mixed?",
    ),
    right=reference,
    mistakes=[*MISTAKES.values(), *rounded(attention_function())],
    stumbles={
        "matmul": SHAPES,
        "not broadcast": SHAPES,
        "not be broadcast": SHAPES,
        "not aligned": SHAPES,
        "too many values": SHAPES,
        "axes don't match": LAST_TWO,
        "out of bounds": LAST_TWO,
        ".T": "`.T` reverses all axes of a stack. What exchanges only the last two?",
        "'list' object": "Does your softmax return a list? What does np.array make of it?",
        "makes no table": "Do you return more than one thing? Only the output is asked for, and not"
        " the weights.",
    },
)


def draw_stack(rng, *shape, n, m, d, c, scale=1.5) -> tuple:
    """One input (Q, K, V) of random numbers: n queries, m keys and values for each table."""
    return (
        scale * rng.normal(size=(*shape, n, d)),
        rng.normal(size=(*shape, m, d)),
        rng.normal(size=(*shape, m, c)),
    )


def square_tables(rng) -> Iterator[tuple]:
    """Inputs (Q, K, V) with as many words as features, so that no exchange of axes is an error.

    They catch every wrong product, and a wrong power of d.
    """
    for size in (4, 3, 2):
        yield draw_stack(rng, n=size, m=size, d=size, c=size)


def tables_and_stacks(rng) -> Iterator[tuple]:
    """Inputs (Q, K, V) of different sizes, with up to two axes before the last two.

    They catch axes that are counted from the front, and the root of a wrong number. Queries and
    keys have one number, so that the root of d does not matter here.
    """
    yield draw_stack(rng, n=2, m=5, d=1, c=4)
    yield draw_stack(rng, n=4, m=3, d=1, c=1)
    yield draw_stack(rng, 3, n=4, m=4, d=1, c=2)
    yield draw_stack(rng, 2, n=3, m=5, d=1, c=3)
    yield draw_stack(rng, 2, 3, n=3, m=3, d=1, c=4)


def large_scores(rng) -> Iterator[tuple]:
    """Inputs (Q, K, V) with scores near 2,500, whose products are exact in single precision.

    They catch exp without a maximum.
    """
    for shape in ((), (2,)):
        Q, K = sixteenths(rng, *shape, 3, 4), sixteenths(rng, *shape, 4, 4, scale=0.5)
        Q[..., 0], K[..., 0] = 1024, 5 + np.round(2 * K[..., 0]) / 1024
        yield Q, K, rng.normal(size=(*shape, 4, 2))


WRONG_SCALES = ("no root", "divided by d", "multiplied by the root", "root after the softmax")


attention.agrees(
    "is softmax(Q Kᵀ / √d) V for one text",
    "Take one query and two keys on paper. What are the two weights, and what do they mix?",
    square_tables,
)
attention.agrees(
    "works for any number of queries, keys and values, and for each table of a stack",
    "Two texts in one stack have the shape (2, n, d). Which two axes of K should change places?",
    tables_and_stacks,
)
add_claim_about_large_scores(
    attention,
    "is right for scores in the thousands, and does not change Q, K and V",
    large_scores,
    untouched="Does your function write into Q, K or V? `Q /= …` changes the array that was given.",
    forgiven=[MISTAKES[name][0] for name in WRONG_SCALES],
)
