"""Exercise 4, several looks at once: each head looks by itself, and what they find is joined.

multi_head(X) = Z W_Oᵀ,   Z = the heads' softmax(Q Kᵀ / √(d/heads)) V side by side

The reference goes head by head, with the rows of the matrices that are its own.
"""

import numpy as np

from firth.checks.claims import Exercise
from firth.checks.mistakes import fitting

from .row_softmax import row_by_row
from .scaled_dot_product import turned, word_by_word
from .split_heads import RESHAPE, reshaped, sliced, strided


def aside(Z):
    """The right way to join: a word's heads beside each other."""
    return np.concatenate(list(Z), axis=1)


def head_by_head(X, W_Q, W_K, W_V, W_O, heads):
    """The right answer: every head by itself, with its rows of the matrices."""
    c, found = X.shape[1] // heads, []
    for k in range(heads):
        mine = slice(k * c, (k + 1) * c)
        found.append(word_by_word(X @ W_Q[mine].T, X @ W_K[mine].T, X @ W_V[mine].T))
    return np.concatenate(found, axis=1) @ W_O.T


def several(
    project=lambda X, W: X @ W.T,
    split=sliced,
    scale=lambda d, heads: (d / heads) ** 0.5,
    weights=row_by_row,
    join=aside,
    end=lambda Y, W: Y @ W.T,
    whose=lambda Q, K, V: (Q, K, V),
):
    """A way of looking with several heads, the right one by default."""

    @fitting
    def multi_head(X, W_Q, W_K, W_V, W_O, heads):
        tables = whose(*(project(X, W) for W in (W_Q, W_K, W_V)))
        Q, K, V = (split(table, heads) for table in tables)
        return end(join(weights(Q @ turned(K) / scale(X.shape[1], heads)) @ V), W_O)

    return multi_head


def across(scores):
    return np.swapaxes(row_by_row(np.swapaxes(scores, 0, -1)), 0, -1)


JOIN = (
    "The way back is missing: your heads lie one after another, and reshape reads them so. Which"
    " axes change places before a word's heads stand side by side?"
)
multi_head = Exercise(
    name="multi_head",
    chapter="04_attention",
    number="4.6",
    difficulty=3,
    minutes=20,
    hints=(
        "You have written every part but one: project, split_heads, attention. What undoes"
        " split_heads?",
        "Q, K and V are X @ W.T, each cut by split_heads into a stack. `attention` takes a stack,"
        " and divides by the root of a head's own size. Then the heads' axis goes back between"
        " words and features, the heads are joined to rows of d numbers, and W_O mixes them.",
        "Q, K, V = (split_heads(X @ W.T, heads) for W in (W_Q, W_K, W_V))\n"
        "Z = attention(Q, K, V)  # heads × n × d/heads\n"
        "joined = np.swapaxes(Z, …).reshape(X.shape)  # which axis goes between words and"
        " features?\n"
        "return joined @ W_O.T",
    ),
    right=head_by_head,
    stumbles={
        "matmul": "Do the matrices meet all d features of a word, or one head's share? Which comes"
        " first, the matrix or the cut?",
        "'list' object": "Does your split_heads return a list of tables, or your attention? What"
        " does np.array or np.stack make of it?",
        "list indices": "Does your split_heads return a list of tables, or your attention? What"
        " does np.array or np.stack make of it?",
        "too many values": "split_heads takes a table: how many axes has what you hand it?",
        "cannot reshape": "How many numbers are there, and how many has the shape you ask for?",
    },
)
multi_head.mistakes = [
    (
        several(project=lambda X, W: X @ W),
        "X @ W takes W by its columns: the matrices stand as in W x. Which product is that for all"
        " rows of X?",
    ),
    (
        several(project=lambda X, W: X @ W, end=lambda Y, W: Y @ W),
        "X @ W takes W by its columns: the matrices stand as in W x. Which product is that for all"
        " rows of X?",
    ),
    (
        several(end=lambda Y, W: Y @ W),
        "The end takes W_O by its columns: which product is W_O x for all rows?",
    ),
    (several(end=lambda Y, W: Y), "Your heads lie side by side, unmixed: where is W_O?"),
    (
        several(scale=lambda d, heads: d**0.5),
        "You divide by the root of d: how many numbers has a query of one head?",
    ),
    (
        several(scale=lambda d, heads: 1),
        "Where is the root? How many numbers has one head's query?",
    ),
    (
        several(scale=lambda d, heads: d / heads),
        "You divide by the number of features, which is twice by its root: does `attention` not"
        " divide already?",
    ),
    (
        several(scale=lambda d, heads: heads**0.5),
        "You divide by the root of the number of heads: how many numbers has a query of one head?",
    ),
    (
        several(split=reshaped, join=lambda Z: Z.reshape(Z.shape[1], -1)),
        "Words are cut up and mixed by reshape when you split, and again when you join: which axes"
        " change places?",
    ),
    (several(split=reshaped), "You split by reshape alone: " + RESHAPE),
    (several(join=lambda Z: Z.reshape(Z.shape[1], -1)), JOIN),
    (
        several(join=lambda Z: turned(Z).reshape(Z.shape[1], -1)),
        "On the way back you exchange words and features: which axis should go between them?",
    ),
    (
        several(
            split=lambda X, heads: X.reshape(len(X), heads, -1),
            join=lambda Z: Z.reshape(len(Z), -1),
        ),
        "Your stack counts words first, and so the heads of a word look at each other: which axis"
        " should be first, so that words look at words?",
    ),
    (
        several(
            split=lambda X, heads: sliced(X, X.shape[1] // heads), scale=lambda d, heads: heads**0.5
        ),
        "You make heads of `heads` features each: is `heads` their number or their size?",
    ),
    (
        several(split=strided),
        "Head k takes features that lie `heads` apart: should its features not stand side by side?",
    ),
    (
        several(join=lambda Z: aside(Z[::-1])),
        "The last head stands first: which should W_O meet first?",
    ),
    (
        several(join=lambda Z: np.moveaxis(Z, 0, -1).reshape(Z.shape[1], -1)),
        "You lay the heads' features between each other, as one shuffles cards: should head 0 not"
        " come first as a whole?",
    ),
    (
        several(split=lambda X, heads: X[None], scale=lambda d, heads: d**0.5),
        "That is one head, however many are asked for: what does each head look at by itself?",
    ),
    (
        several(split=lambda X, heads: X[None]),
        "That is one head, however many are asked for: what does each head look at by itself?",
    ),
    (
        several(whose=lambda Q, K, V: (Q, Q, V)),
        "Your keys are made by W_Q: where is W_K?",
    ),
    (
        several(whose=lambda Q, K, V: (Q, K, K)),
        "Your values are made by W_K: where is W_V?",
    ),
    (
        lambda X, W_Q, W_K, W_V, W_O, heads: head_by_head(
            X, np.eye(len(W_Q)), W_K, W_V, W_O, heads
        ),
        "The queries are still X itself: where is W_Q?",
    ),
    (
        lambda X, W_Q, W_K, W_V, W_O, heads: head_by_head(
            X, W_Q, np.eye(len(W_K)), W_V, W_O, heads
        ),
        "The keys are still X itself: where is W_K?",
    ),
    (
        lambda X, W_Q, W_K, W_V, W_O, heads: head_by_head(
            X, W_Q, W_K, np.eye(len(W_V)), W_O, heads
        ),
        "The values are still X itself: where is W_V?",
    ),
    (
        several(whose=lambda Q, K, V: (K, Q, V)),
        "Queries and keys have each other's place: who looks?",
    ),
    (
        several(weights=across),
        "Your weights add up to 1 over the heads: should it not be over the keys?",
    ),
    (
        several(weights=lambda scores: turned(row_by_row(turned(scores)))),
        "Your columns add up to 1: each query shares out its own look. Along which axis?",
    ),
    (several(weights=lambda scores: scores), "Where is the softmax?"),
]


def layers(rng, *sizes, mixed=True):
    """A text and four matrices; no two of them alike."""
    for n, heads, c in sizes:
        d = heads * c
        W_Q, W_K, W_V, W_O = rng.normal(size=(4, d, d)) * 1.5 / d**0.5
        yield 1.5 * rng.normal(size=(n, d)), W_Q, W_K, W_V, W_O if mixed else np.eye(d), heads


multi_head.agrees(
    "is attention(X W_Qᵀ, X W_Kᵀ, X W_Vᵀ), where there is one head and W_O changes nothing",
    "One head: which matrix makes the queries, and which product is W_Q x for every row x of X?",
    lambda rng: layers(rng, (3, 1, 4), (4, 1, 2), (5, 1, 3), mixed=False),
)
multi_head.agrees(
    "lets each head look with its own features, divided by its own root, and puts what they find"
    " side by side",
    "d = 8 and two heads: which columns of X W_Qᵀ belong to head 1, and what is the root?",
    lambda rng: layers(rng, (4, 2, 2), (3, 3, 2), (4, 2, 3), (6, 3, 3), mixed=False),
)
multi_head.agrees(
    "mixes the heads at the end with W_O",
    "What of a word meets W_O: one head's numbers, or those of all heads, d of them?",
    lambda rng: layers(rng, (4, 2, 2), (3, 3, 2), (6, 3, 3)),
)
multi_head.agrees(
    "works for as many heads as features, and for longer texts",
    "d heads of one feature each: what is √1?",
    lambda rng: layers(rng, (5, 4, 1), (7, 2, 4), (9, 3, 1)),
)
multi_head.leaves(
    "leaves X and the four matrices as they were",
    "Do you write into X or a matrix? The next text needs the same matrices.",
    lambda rng: layers(rng, (4, 2, 2), (5, 3, 2)),
)
