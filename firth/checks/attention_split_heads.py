"""Exercise 4, cutting: the features of every word are dealt out to heads.

head k of a word = its features k·d/heads … (k + 1)·d/heads − 1

The reference takes a slice for each head.
"""

import numpy as np

from firth.checks.attention_claims import leaves
from firth.checks.claims import Exercise
from firth.checks.mistakes import fitting


def sliced(X, heads):
    """The right cut, a head at a time."""
    c = X.shape[1] // heads
    return np.array([X[:, k * c : (k + 1) * c] for k in range(heads)])


@fitting
def reshaped(X, heads):
    return X.reshape(heads, len(X), -1)


@fitting
def strided(X, heads):
    return np.array([X[:, k::heads] for k in range(heads)])


RESHAPE = (
    "reshape reads row after row, and so your heads hold words cut up and mixed: first"
    " (n, heads, d/heads), and which two axes change places then?"
)
WHOLE = (
    "`/` makes 2.0 of 4 / 2, and shapes and slices want whole numbers: which division keeps them"
    " whole?"
)
split_heads = Exercise(
    name="split_heads",
    chapter="04_attention",
    number="4.5",
    difficulty=2,
    minutes=10,
    hints=(
        "Draw X with two words and four features, and two heads. Which four numbers belong to head"
        " 0? Do they stand one after the other when X is read row by row?",
        "reshape to (n, heads, d/heads) cuts each row and moves nothing. Then the axis of the heads"
        " must come first: np.swapaxes, or transpose.",
        "n, d = X.shape\ncut = X.reshape(n, heads, d // heads)\nreturn np.swapaxes(cut, …)",
    ),
    right=sliced,
    stumbles={
        "cannot reshape": "How many numbers has X, and how many has the shape that you ask for?",
        "'float' object": WHOLE,
        "slice indices": WHOLE,
        "equal division": "np.split cuts along axis 0 unless told: what is shared out, the words or"
        " their features?",
        "inhomogeneous": "Are your heads equally wide? How many features should each have?",
        "axes don't match": "How many axes has your table after reshape, and how many do you name?",
    },
)
split_heads.mistakes = [
    (reshaped, RESHAPE),
    (
        strided,
        "Head k takes features that lie `heads` apart: should its features not stand side by side?",
    ),
    (
        lambda X, heads: np.swapaxes(sliced(X, heads), 0, 1),
        "Your first axis counts words: which should come first, so that each head is a table?",
    ),
    (
        lambda X, heads: np.swapaxes(sliced(X, heads), 1, 2),
        "In each of your heads the words stand in columns: should they not be rows, as in X?",
    ),
    (
        lambda X, heads: sliced(X, heads)[::-1],
        "The right heads, the last one first: which features belong to head 0?",
    ),
    (
        lambda X, heads: np.array([X] * heads),
        "Every head has all features: how many should each of them have?",
    ),
    (
        lambda X, heads: sliced(X, heads)[0],
        "That is head 0; and the others?",
    ),
    (
        lambda X, heads: sliced(X, X.shape[1] // heads),
        "You make heads of `heads` features each: is `heads` their number or their size?",
    ),
    (
        fitting(lambda X, heads: X.T.reshape(heads, len(X), -1)),
        "Your heads hold the right numbers, but their rows are features, read on as words: which"
        " axes change places?",
    ),
    (
        fitting(lambda X, heads: np.array(np.split(X, heads, axis=0))),
        "You share out the words: does not every head look at every word?",
    ),
    (
        lambda X, heads: sliced(X, heads)[:, ::-1],
        "In your heads the last word comes first: who turned them round?",
    ),
    (
        lambda X, heads: X.reshape(heads, -1),
        "A table for each head was asked for, with a row for each word: where did the words go?",
    ),
]


def words(rng, *sizes):
    for n, heads, c in sizes:
        yield rng.normal(size=(n, heads * c)), heads


split_heads.agrees(
    "cuts the features of a single word into equal pieces, in order, a head for each",
    "One word with the features 1 2 3 4 5 6, two heads: what is head 0, and what is its shape?",
    lambda rng: words(rng, (1, 2, 3), (1, 3, 2), (1, 3, 4)),
)
split_heads.agrees(
    "keeps the words apart: row i of every head comes from row i of X",
    "Two words, 1 2 3 4 and 5 6 7 8, two heads: which numbers has head 0 of the second word?",
    lambda rng: words(rng, (4, 2, 2), (6, 3, 2), (3, 3, 3), (4, 4, 2), (4, 2, 3)),
)
leaves(
    split_heads,
    "takes one head, or one feature a head, and leaves X as it was",
    "Do you write into X, or change its shape? `X.shape = …` is felt by whoever owns X.",
    lambda rng: words(rng, (3, 1, 4), (4, 3, 1), (2, 4, 1), (4, 2, 3)),
    special="One head: it is a stack of one table, (1, n, d). One feature a head: (heads, n, 1)."
    " What shapes are yours?",
)
