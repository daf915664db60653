"""Exercise 4.6: attention with several heads, whose results are put side by side and mixed.

multi_head(X) = Z W_Oᵀ,   Z = the heads' softmax(Q Kᵀ / √(d/heads)) V side by side

Each head sees whole word vectors: its Q, K and V are made by its own rows of W_Q, W_K and W_V. The
reference calculates one head after the other in this way.
"""

from collections.abc import Callable, Iterator

import numpy as np

from firth.checks.claims import Exercise, close
from firth.checks.mistakes import fitting
from firth.checks.rnn.relations import agrees_or_fits

from .claims import rounded
from .joined_heads import ask_about_joined_heads
from .row_softmax import row_softmax, softmax_of_columns, softmax_of_everything
from .scaled_dot_product import attention_by_word, transpose
from .split_heads import (
    NUMBER_OR_SIZE,
    RESHAPE,
    SIDE_BY_SIDE,
    mistake_every_other_column,
    mistake_reshape_alone,
    split_by_slices,
)


def side_by_side(Z):
    """The tables of all heads side by side in one table: the right way to join them."""
    return np.concatenate(list(Z), axis=1)


def reference(X, W_Q, W_K, W_V, W_O, heads):
    """The right `multi_head`: each head by itself, with its own rows of the matrices."""
    c, found = X.shape[1] // heads, []
    for k in range(heads):
        rows = slice(k * c, (k + 1) * c)
        found.append(attention_by_word(X @ W_Q[rows].T, X @ W_K[rows].T, X @ W_V[rows].T))
    return np.concatenate(found, axis=1) @ W_O.T


def multi_head_function(
    project=lambda X, W: X @ W.T,
    split=split_by_slices,
    scale=lambda d, heads: (d / heads) ** 0.5,
    weights=row_softmax,
    join=side_by_side,
    end=lambda Y, W: Y @ W.T,
    roles=lambda Q, K, V: (Q, K, V),
) -> Callable:
    """A function `multi_head(X, W_Q, W_K, W_V, W_O, heads)`: right, or a mistake in one part.

    `project` multiplies X by a matrix, `split` and `join` cut into heads and back, `end` is the
    product with W_O, and `roles` says which table is used as Q, K and V.
    """

    @fitting
    def multi_head(X, W_Q, W_K, W_V, W_O, heads):
        tables = roles(*(project(X, W) for W in (W_Q, W_K, W_V)))
        Q, K, V = (split(table, heads) for table in tables)
        return end(join(weights(Q @ transpose(K) / scale(X.shape[1], heads)) @ V), W_O)

    return multi_head


def mistake_of_slices(part: Callable, join: Callable, root: bool) -> Callable:
    """A wrong `multi_head` whose head k sees only its own slice of each word vector.

    `part(W, columns)` is the part of a matrix that the slice is multiplied by. With `root`, the
    scores are divided by the root of the length of a query, and otherwise by the root of d.
    """

    @fitting
    def multi_head(X, W_Q, W_K, W_V, W_O, heads):
        c, found = X.shape[1] // heads, []
        for k in range(heads):
            mine = slice(k * c, (k + 1) * c)
            Q, K, V = (X[:, mine] @ part(W, mine).T for W in (W_Q, W_K, W_V))
            d = Q.shape[1] if root else X.shape[1]
            found.append(row_softmax(Q @ K.T / d**0.5) @ V)
        return join(np.array(found)) @ W_O.T

    return multi_head


def mistake_words_in_columns(X, W_Q, W_K, W_V, W_O, heads):
    """The mistake of W_Q @ X.T, with the root that `attention` then divides by."""
    Q, K, V = (split_by_slices(W @ X.T, heads) for W in (W_Q, W_K, W_V))
    return side_by_side(row_softmax(Q @ transpose(K) / Q.shape[-1] ** 0.5) @ V) @ W_O.T


def mistake_of_an_identity(name: str) -> Callable:
    """A wrong `multi_head` in which X itself is used in the place of its product with a matrix."""

    def multi_head(X, W_Q, W_K, W_V, W_O, heads):
        matrices = {"W_Q": W_Q, "W_K": W_K, "W_V": W_V} | {name: np.eye(len(W_O))}
        return reference(X, *matrices.values(), W_O, heads)

    return multi_head


def mistake_softmax_over_heads(scores):
    """The mistake of a softmax along the axis of the heads."""
    return np.swapaxes(row_softmax(np.swapaxes(scores, 0, -1)), 0, -1)


def joined_by_reshape(Z):
    """The mistake of joining by reshape alone, which reads one head after the other."""
    return Z.reshape(Z.shape[1], -1)


BY_COLUMNS = (
    "X @ W multiplies each word by the columns of W. Here the output for a word x is W x. Which"
    " product is that for all rows of X?"
)
SLICES = (
    "Head k sees only a slice of each word vector in your function. Every head should see the whole"
    " vector. Which comes first, the product with the matrix or the cut?"
)
MEAN = (
    "You take the mean or the sum of the heads, so W_O cannot tell them apart. How should their"
    " results be joined?"
)
BELOW = (
    "You put the tables of the heads below each other. Should they stand side by side, with a row"
    " for each word?"
)
STACK = (
    "You multiply the stack of the heads by W_O, but a head has only d/heads columns. How do you"
    " put the heads side by side first?"
)
WORDS_IN_COLUMNS = (
    "In W_Q @ X.T each word is a column. Which product gives the queries with a row for each word?"
)
ONE_HEAD = (
    "You calculate one head, whatever `heads` says. Which part of Q, K and V belongs to each head?"
)
ROOT = "You divide by the root of d. How many numbers has a query of one head?"
MISTAKES = {
    "all by columns": (
        multi_head_function(project=lambda X, W: X @ W, end=lambda Y, W: Y @ W), BY_COLUMNS),
    "X by columns": (multi_head_function(project=lambda X, W: X @ W), BY_COLUMNS),
    "W_O by columns": (
        multi_head_function(end=lambda Y, W: Y @ W),
        "At the end you multiply by the columns of W_O. Which product is W_O x for all rows x?"),
    "no W_O": (
        multi_head_function(end=lambda Y, W: Y),
        "You put the heads side by side, but nothing mixes them. Where is W_O?"),
    "root of d": (multi_head_function(scale=lambda d, heads: d**0.5), ROOT),
    "no root": (
        multi_head_function(scale=lambda d, heads: 1),
        "Your scores are not divided by a root. How many numbers has a query of one head?"),
    "divided twice": (
        multi_head_function(scale=lambda d, heads: d / heads),
        "You divide twice by the root. Does your `attention` not divide already?"),
    "root of heads": (
        multi_head_function(scale=lambda d, heads: heads**0.5),
        "You divide by the root of the number of heads. How many numbers has a query of one head?"),
    "slices and blocks": (
        mistake_of_slices(lambda W, mine: W[mine, mine], side_by_side, root=True), SLICES),
    "slices and blocks, root of d": (
        mistake_of_slices(lambda W, mine: W[mine, mine], side_by_side, root=False), SLICES),
    "slices and columns, added": (
        mistake_of_slices(lambda W, mine: W[:, mine], lambda Z: Z.sum(axis=0), root=True), SLICES),
    "slices and columns, mean": (
        mistake_of_slices(lambda W, mine: W[:, mine], lambda Z: Z.mean(axis=0), root=True), SLICES),
    "slices and first rows": (
        mistake_of_slices(
            lambda W, mine: W[: mine.stop - mine.start, mine], side_by_side, root=True), SLICES),
    "mean of heads, repeated": (
        multi_head_function(join=lambda Z: np.tile(Z.mean(axis=0), len(Z))), MEAN),
    "sum of heads, repeated": (
        multi_head_function(join=lambda Z: np.tile(Z.sum(axis=0), len(Z))), MEAN),
    "mean of heads, no W_O": (
        multi_head_function(join=lambda Z: Z.mean(axis=0), end=lambda Y, W: Y), MEAN),
    "sum of heads, no W_O": (
        multi_head_function(join=lambda Z: Z.sum(axis=0), end=lambda Y, W: Y), MEAN),
    "heads below each other": (
        multi_head_function(join=lambda Z: np.concatenate(list(Z)), end=lambda Y, W: Y),
        BELOW),
    "reshape alone, both ways": (
        multi_head_function(split=mistake_reshape_alone, join=joined_by_reshape),
        "You split by reshape alone, and you join by reshape alone. Both mix different words. Which"
        " two axes change places each time?"),
    "split by reshape alone": (multi_head_function(split=mistake_reshape_alone), RESHAPE),
    "joined by reshape alone": (
        multi_head_function(join=joined_by_reshape),
        "You join by reshape alone, which reads one head after the other. Which two axes change"
        " places first, so that the heads of a word stand side by side?"),
    "words and columns exchanged": (
        multi_head_function(join=lambda Z: transpose(Z).reshape(Z.shape[1], -1)),
        "Before you join, you exchange the words with the columns. Which axis should stand between"
        " them?"),
    "heads of a word attend": (
        multi_head_function(
            split=lambda X, heads: X.reshape(len(X), heads, -1),
            join=lambda Z: Z.reshape(len(Z), -1)),
        "The first axis of your stack counts the words, so the heads of a word attend to each"
        " other. Which axis should come first, so that words attend to words?"),
    "size for number": (
        multi_head_function(
            split=lambda X, heads: split_by_slices(X, X.shape[1] // heads),
            scale=lambda d, heads: heads**0.5), NUMBER_OR_SIZE),
    "every other column": (multi_head_function(split=mistake_every_other_column), SIDE_BY_SIDE),
    "last head first": (
        multi_head_function(join=lambda Z: side_by_side(Z[::-1])),
        "The last head stands first in your result. In which order should the heads stand?"),
    "columns of heads in turn": (
        multi_head_function(join=lambda Z: np.moveaxis(Z, 0, -1).reshape(Z.shape[1], -1)),
        "The columns of the heads take turns in your result: first column 0 of every head. Should"
        " all columns of head 0 not come first?"),
    "one head, root of d": (
        multi_head_function(split=lambda X, heads: X[None], scale=lambda d, heads: d**0.5),
        ONE_HEAD),
    "one head": (multi_head_function(split=lambda X, heads: X[None]), ONE_HEAD),
    "W_Q for keys": (
        multi_head_function(roles=lambda Q, K, V: (Q, Q, V)),
        "Your keys are made with W_Q. Where is W_K?"),
    "W_K for values": (
        multi_head_function(roles=lambda Q, K, V: (Q, K, K)),
        "Your values are made with W_K. Where is W_V?"),
    "no W_Q": (mistake_of_an_identity("W_Q"), "Your queries are X itself. Where is W_Q?"),
    "no W_K": (mistake_of_an_identity("W_K"), "Your keys are X itself. Where is W_K?"),
    "no W_V": (mistake_of_an_identity("W_V"), "Your values are X itself. Where is W_V?"),
    "W_Q and W_K exchanged": (
        multi_head_function(roles=lambda Q, K, V: (K, Q, V)),
        "W_Q and W_K have exchanged their places. Which of them makes the queries?"),
    "softmax over heads": (
        multi_head_function(weights=mistake_softmax_over_heads),
        "Your weights add up to 1 over the heads. Over what should they add up to 1?"),
    "softmax over everything": (
        multi_head_function(weights=softmax_of_everything),
        "All your weights together add up to 1. Which weights of a head should add up to 1?"),
    "softmax of columns": (
        multi_head_function(weights=softmax_of_columns),
        "The weights of each column add up to 1. A query divides its attention over the keys, so"
        " along which axis should they?"),
    "no softmax": (multi_head_function(weights=lambda scores: scores), "Where is the softmax?"),
}  # fmt: skip
NOT_ABOUT_HEADS = (
    "X by columns", "W_O by columns", "all by columns", "no W_O", "root of d", "no root",
    "divided twice", "root of heads", "W_Q for keys", "W_K for values", "no W_Q", "no W_K",
    "no W_V", "W_Q and W_K exchanged",
)  # fmt: skip
SIDES = (
    "Look at the `@` in this line. How many columns has its left side, and how many rows its right"
    " side? X has a word in each row, so the queries are X @ W_Q.T. Every head sees whole words:"
    " multiply first, then cut. Before W_O, the results of all heads stand side by side, d numbers"
    " for each word."
)
LISTS = "Does your split_heads or your attention return a list? What does np.array make of it?"
multi_head = Exercise(
    name="multi_head",
    chapter="04_attention",
    number="4.6",
    difficulty=3,
    minutes=20,
    hints=(
        "You have written all parts but one: the products with the matrices, split_heads and"
        " attention. What undoes split_heads?",
        "Q, K and V are X @ W.T, and split_heads makes stacks of them. `attention` takes the"
        " stacks and divides by the right root itself. In its result, put the axis of the heads"
        " between the words and the columns. Then reshape gives rows of d numbers, and W_O mixes"
        " them.",
        "Q, K, V = (split_heads(X @ W.T, heads) for W in (W_Q, W_K, W_V))\n"
        "Z = attention(Q, K, V)  # heads × n × d/heads\n"
        "joined = np.swapaxes(Z, …).reshape(X.shape)  # which two axes?\n"
        "return joined @ W_O.T",
    ),
    right=reference,
    mistakes=[*MISTAKES.values(), *rounded(multi_head_function())],
    stumbles={
        "matmul": SIDES,
        "'list' object": LISTS,
        "list indices": LISTS,
        "too many values": "split_heads takes a table. How many axes has the array that you give"
        " it?",
        "cannot reshape": "How many numbers are there, and how many has the shape that you ask"
        " for?",
        "makes no table": "Do you return more than one thing? Only the output is asked for, and not"
        " the weights.",
    },
)


def draw_layers(rng, *sizes, mixed=True) -> Iterator[tuple]:
    """Random (X, W_Q, W_K, W_V, W_O, heads) of sizes (n, heads, c), with n words and d = heads · c.

    No two matrices are alike. Unless `mixed`, W_O is the identity matrix.
    """
    for n, heads, c in sizes:
        d = heads * c
        W_Q, W_K, W_V, W_O = rng.normal(size=(4, d, d)) * 1.5 / d**0.5
        yield 1.5 * rng.normal(size=(n, d)), W_Q, W_K, W_V, W_O if mixed else np.eye(d), heads


def one_head(rng) -> Iterator[tuple]:
    """Layers with one head, and W_O is the identity. They catch a wrong W_Q, W_K or W_V."""
    return draw_layers(rng, (3, 1, 4), (4, 1, 2), (5, 1, 3), mixed=False)


def several_heads(rng) -> Iterator[tuple]:
    """Layers with two or three heads, and W_O is the identity.

    They catch wrong cuts and joins, heads that see a slice of the words, and a wrong root.
    """
    return draw_layers(rng, (4, 2, 2), (3, 3, 2), (4, 2, 3), (6, 3, 3), mixed=False)


def layers(rng) -> Iterator[tuple]:
    """Layers with two or three heads and a random W_O."""
    return draw_layers(rng, (4, 2, 2), (3, 3, 2), (6, 3, 3))


def many_heads_and_words(rng) -> Iterator[tuple]:
    """Layers with heads of one number, and longer texts."""
    return draw_layers(rng, (5, 4, 1), (7, 2, 4), (9, 3, 1))


def layers_to_leave(rng) -> Iterator[tuple]:
    """Layers with two or three heads, to see whether the given arrays are changed."""
    return draw_layers(rng, (4, 2, 2), (5, 3, 2))


def mixes_what_it_returns_without_W_O(call, case, answer) -> bool:
    """Whether the answer is W_O times what the learner's own heads return, be they right or wrong.

    So a slip in the heads does not cost the point of W_O.
    """
    *tables, W_O, heads = case
    alone = call(*tables, np.eye(len(W_O)), heads)
    return alone.shape == answer.shape and bool(alone.any()) and close(answer, alone @ W_O.T)


def right_but_for_other_claims(call, case, answer) -> bool:
    """Whether the answer has a known mistake in its root or its matrices, and its heads are right.

    So such a slip does not cost the point of other sizes.
    """
    return any(close(answer, MISTAKES[name][0](*case)) for name in NOT_ABOUT_HEADS)


multi_head.agrees(
    "is attention(X W_Qᵀ, X W_Kᵀ, X W_Vᵀ) if there is one head and W_O is the identity matrix",
    "With one head, which matrix makes the queries? Which product is W_Q x for every row x of X?",
    one_head,
)
multi_head.agrees(
    "lets each head attend with its own part of Q, K and V and its own root, and puts the results"
    " side by side",
    "Let d be 8, with two heads. Which columns of X W_Qᵀ belong to head 1, and which root does it"
    " divide by?",
    several_heads,
)
agrees_or_fits(
    multi_head,
    "mixes the results of all heads with W_O",
    "What does W_O multiply, the numbers of one head or the d numbers of all heads?",
    layers,
    mixes_what_it_returns_without_W_O,
)
agrees_or_fits(
    multi_head,
    "works for as many heads as columns, and for longer texts",
    "Let there be d heads of one number each. Which root does each of them divide by?",
    many_heads_and_words,
    right_but_for_other_claims,
)
multi_head.leaves(
    "does not change X and the four matrices",
    "Does your function write into X or into a matrix? The next text needs the same matrices.",
    layers_to_leave,
)


def columns_of_one_head(X, heads) -> int:
    """How many columns the result of one head has."""
    return X.shape[1] // heads


JOINS = (
    (lambda Z: np.concatenate(list(Z)), BELOW),
    (lambda Z: Z, STACK),
    (lambda Z: Z.sum(axis=0), MEAN),
    (lambda Z: Z.mean(axis=0), MEAN),
)
ask_about_joined_heads(
    multi_head,
    [
        (one_head, lambda X, heads: len(X), mistake_words_in_columns, WORDS_IN_COLUMNS),
        *(
            (several_heads, columns_of_one_head, multi_head_function(join=join), question)
            for join, question in JOINS
        ),
    ],
)
