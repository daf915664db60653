"""Exercise 4.5: a table of queries, keys or values is cut into a table for each head.

head k gets the columns k · d/heads … (k + 1) · d/heads − 1 of X

The reference takes a slice for each head.
"""

from collections.abc import Iterator

import numpy as np

from firth.checks.claims import Exercise
from firth.checks.mistakes import fitting

from .claims import add_claim_about_unchanged_inputs


def split_by_slices(X, heads):
    """The right `split_heads`, one head at a time."""
    c = X.shape[1] // heads
    return np.array([X[:, k * c : (k + 1) * c] for k in range(heads)])


@fitting
def mistake_reshape_alone(X, heads):
    """The mistake of reshape alone: the right shape, with the numbers of several words mixed."""
    return X.reshape(heads, len(X), -1)


@fitting
def mistake_every_other_column(X, heads):
    """The mistake of columns that lie `heads` apart."""
    return np.array([X[:, k::heads] for k in range(heads)])


@fitting
def mistake_reshape_of_columns(X, heads):
    """The mistake of reshaping Xᵀ: the right numbers for each head, in wrong rows."""
    return X.T.reshape(heads, len(X), -1)


@fitting
def mistake_split_words(X, heads):
    """The mistake of dividing the words among the heads."""
    return np.array(np.split(X, heads, axis=0))


RESHAPE = (
    "reshape reads X row by row, so numbers of different words end up in one row of a head. First"
    " make the shape (n, heads, d/heads). Which two axes change places then?"
)
NUMBER_OR_SIZE = (
    "Your heads have `heads` columns each. Is `heads` the number of heads, or the size of a head?"
)
SIDE_BY_SIDE = (
    "Head k takes columns that lie `heads` apart. Should the columns of a head not stand side by"
    " side?"
)
WHOLE = (
    "`/` gives 2.0 for 4 / 2, but shapes and slices need whole numbers. Which division gives a"
    " whole number?"
)
COLUMNS_OF_A_HEAD = "Have all heads the same number of columns? How many should each have?"
MISTAKES = {
    "reshape alone": (mistake_reshape_alone, RESHAPE),
    "every other column": (mistake_every_other_column, SIDE_BY_SIDE),
    "words first": (
        lambda X, heads: np.swapaxes(split_by_slices(X, heads), 0, 1),
        "Your first axis counts the words. Which axis should come first, so that result[k] is the"
        " table of head k?"),
    "words in columns": (
        lambda X, heads: np.swapaxes(split_by_slices(X, heads), 1, 2),
        "In your tables each word is a column. Should it be a row, as in X?"),
    "last head first": (
        lambda X, heads: split_by_slices(X, heads)[::-1],
        "These are the right heads, the last one first. Which columns belong to head 0?"),
    "all columns": (
        lambda X, heads: np.array([X] * heads),
        "Every head gets all columns of X. How many columns should a head get?"),
    "not cut": (
        lambda X, heads: X,
        "You return X itself. Where is the table of each head?"),
    "one head": (
        lambda X, heads: split_by_slices(X, heads)[0],
        "That is head 0. Where are the other heads?"),
    "size for number": (
        lambda X, heads: split_by_slices(X, X.shape[1] // heads), NUMBER_OR_SIZE),
    "reshape of columns": (
        mistake_reshape_of_columns,
        "Each head has the right numbers, but a row holds one column of X, read on as words. Which"
        " axes should change places?"),
    "words split": (
        mistake_split_words,
        "You divide the words among the heads. Should not every head have a row for every word?"),
    "words from the end": (
        lambda X, heads: split_by_slices(X, heads)[:, ::-1],
        "In your heads the last word comes first. Why is the order of the words changed?"),
    "one head squeezed": (
        lambda X, heads: np.squeeze(split_by_slices(X, heads)),
        "np.squeeze removes every axis of length 1. How many axes should the result have with one"
        " head, or with one word?"),
    "no words": (
        lambda X, heads: X.reshape(heads, -1),
        "Each head is one long row. Where are the rows of the words?"),
    "one head without its axis": (
        lambda X, heads: X if heads == 1 else split_by_slices(X, heads),
        "With one head you return a table. Should it not be a stack of one table, with the shape"
        " (1, n, d)?"),
}  # fmt: skip
split_heads = Exercise(
    name="split_heads",
    chapter="04_attention",
    number="4.5",
    difficulty=2,
    minutes=10,
    hints=(
        "Draw X with two words and four columns, and let there be two heads. Which four numbers"
        " belong to head 0? Do they follow each other if you read X row by row?",
        "reshape to (n, heads, d/heads) cuts every row into parts and moves nothing. Then the axis"
        " of the heads must come first: np.swapaxes or transpose can do this.",
        "n, d = X.shape\ncut = X.reshape(n, heads, d // heads)\nreturn np.swapaxes(cut, …)",
    ),
    right=split_by_slices,
    mistakes=[*MISTAKES.values()],
    stumbles={
        "cannot reshape": "How many numbers has X, and how many has the shape that you ask for?",
        "'float' object": WHOLE,
        "slice indices": WHOLE,
        "equal division": "np.split cuts along axis 0 if you do not say otherwise. What should be"
        " cut, the rows or the columns?",
        "inhomogeneous": COLUMNS_OF_A_HEAD,
        "makes no table": COLUMNS_OF_A_HEAD,
        "axes don't match": "How many axes has your array after reshape, and how many do you name?",
    },
)


def draw_tables(rng, *sizes) -> Iterator[tuple]:
    """Random (X, heads) of sizes (n, heads, c): n rows, and c columns for each head."""
    for n, heads, c in sizes:
        yield rng.normal(size=(n, heads * c)), heads


def single_words(rng) -> Iterator[tuple]:
    """Inputs (X, heads) with one row. They catch wrong columns; no words can be mixed here."""
    return draw_tables(rng, (1, 2, 3), (1, 3, 2), (1, 3, 4))


def several_words(rng) -> Iterator[tuple]:
    """Inputs (X, heads) with several rows. They catch reshape alone, and axes in a wrong order."""
    return draw_tables(rng, (4, 2, 2), (6, 3, 2), (3, 3, 3), (4, 4, 2), (4, 2, 3))


def smallest_and_largest_heads(rng) -> Iterator[tuple]:
    """Inputs (X, heads) with one head, or one column for each. They catch an axis that is lost."""
    return draw_tables(rng, (3, 1, 4), (4, 3, 1), (2, 4, 1), (4, 2, 3))


split_heads.agrees(
    "cuts the row of a single word into equal parts, the first part for head 0",
    "Take one word with the row 1 2 3 4 5 6 and two heads. What is head 0, and what is its shape?",
    single_words,
)
split_heads.agrees(
    "keeps the words apart: row i of every head comes from row i of X",
    "Take two words, 1 2 3 4 and 5 6 7 8, and two heads. Which numbers has head 0 of the second"
    " word?",
    several_words,
)
add_claim_about_unchanged_inputs(
    split_heads,
    "works for one head and for heads of one column, and does not change X",
    "Does your function write into X, or change its shape? `X.shape = …` changes the array that"
    " was given.",
    smallest_and_largest_heads,
    special="One head is a stack of one table, with the shape (1, n, d). Heads of one column have"
    " the shape (heads, n, 1). Which shapes are yours?",
)
