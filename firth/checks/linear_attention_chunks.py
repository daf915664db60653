"""Exercise 7, chunks: inside by the small table, all that came before by the state.

y_i = (φ(q_i)ᵀS + Σ_{j ≤ i} κ_ij v_j) / (φ(q_i)ᵀz + Σ_{j ≤ i} κ_ij),   κ_ij = φ(q_i)ᵀφ(k_j)
"""

import numpy as np

from firth.checks.claims import Exercise
from firth.checks.linear_attention_product_order import DIVIDE, features, mapped_again
from firth.checks.mistakes import fitting


def word_by_word(Q, K, V, S, z):
    """The right answer: the state goes on from word to word."""
    rows = []
    for q, k, v in zip(Q, K, V, strict=True):
        S, z = S + np.outer(k, v), z + k
        rows.append(q @ S / (q @ z))
    return np.array(rows)


def joined(
    seen=np.tril,
    above=lambda W, V, Q, S: W @ V + Q @ S,
    below=lambda W, Q, z: W.sum(axis=1) + Q @ z,
    column=lambda total: total[:, None],
):
    """A way of joining a chunk and what came before, the right one by default."""

    @fitting
    def chunk(Q, K, V, S, z):
        W = seen(Q @ K.T)
        with np.errstate(all="ignore"):
            return above(W, V, Q, S) / column(below(W, Q, z))

    return chunk


def two_means(below=lambda total: total):
    """The mean of the chunk's own words, and that of those before it, added up."""

    @fitting
    def chunk(Q, K, V, S, z):
        W = np.tril(Q @ K.T)
        with np.errstate(all="ignore"):
            return W @ V / W.sum(axis=1)[:, None] + Q @ S / below(Q @ z)[:, None]

    return chunk


BEFORE = "Where are the words before this chunk? S and z hold them, and they weigh in both sums."
chunk = Exercise(
    name="chunk",
    chapter="07_linear_attention",
    number="7.4",
    difficulty=2,
    minutes=15,
    hints=(
        "Two kinds of keys: those before the chunk, of which S and z alone are left, and those in"
        " it, up to the word itself. Each adds to the sum of values and to the sum of weights.",
        "W = np.tril(Q @ K.T) are the weights inside. The sums of values are W @ V and Q @ S; the"
        " sums of weights are W.sum(axis=1) and Q @ z.",
        "W = np.tril(Q @ K.T)\n"
        "above = W @ V + …\n"
        "below = W.sum(axis=1) + …\n"
        "return above / below[:, None]",
    ),
    right=word_by_word,
    stumbles={
        "broadcast": "Your sums of weights are C numbers: as a column, [:, None], each divides its"
        " own row. And Q @ S is C × k, as W @ V is.",
        "matmul": "Which shapes meet? Q is C × R, S is R × k, z has R numbers.",
        "makes no table": "The rows of the chunk alone are asked for: who makes the next state?",
    },
)
chunk.mistakes = [
    (
        two_means(lambda total: np.maximum(total, 1e-300)),
        "You add two means, or two sums, each divided for itself: is that the mean of all?",
    ),
    (
        two_means(),
        "Before the first chunk z is 0: by what do you divide? And do two means add up to one?",
    ),
    (joined(above=lambda W, V, Q, S: W @ V, below=lambda W, Q, z: W.sum(axis=1)), BEFORE),
    (
        joined(above=lambda W, V, Q, S: W @ V),
        "z is in your sum of weights: where is S in the sum of values?",
    ),
    (
        joined(below=lambda W, Q, z: W.sum(axis=1)),
        "S is in your sum of values: where is z in the sum of weights?",
    ),
    (
        joined(above=lambda W, V, Q, S: Q @ S, below=lambda W, Q, z: Q @ z),
        "The words of the chunk itself are missing: which of them may word i see?",
    ),
    (
        joined(below=lambda W, Q, z: Q @ z),
        "Where are the weights inside the chunk in what you divide by?",
    ),
    (
        joined(seen=lambda W: W),
        "Inside the chunk every word sees all others: what must be cut off the table?",
    ),
    (
        joined(seen=np.triu),
        "Your words see what comes after them: which half of the table must go?",
    ),
    (
        joined(seen=lambda W: np.tril(W, -1)),
        "Your words do not see themselves: does the diagonal stay?",
    ),
    (joined(below=lambda W, Q, z: np.ones(len(Q))), DIVIDE),
    (
        joined(column=lambda total: total),
        "Your sums divide the columns: the sum of row i belongs to row i. What does [:, None] do?",
    ),
    (
        joined(below=lambda W, Q, z: W.sum(axis=0) + Q @ z),
        "You add up columns of the weights: where do word i's weights stand?",
    ),
    (
        joined(lambda W: W, above=lambda W, V, Q, S: np.tril(W) @ V + Q @ S),
        "You cut the table for the sums of values: and for the sums of weights?",
    ),
    (
        joined(lambda W: W, below=lambda W, Q, z: np.tril(W).sum(axis=1) + Q @ z),
        "You cut the table for the sums of weights: and for the sums of values?",
    ),
    (
        joined(lambda W: np.where(np.tri(len(W)) > 0, W, -np.inf)),
        "A score of −∞ becomes 0 in a softmax: there is none here, so what hides a weight?",
    ),
    (
        joined(lambda W: np.tril(W.T)),
        "The rows of your table belong to keys: who asks, and whose rows come out?",
    ),
    (
        joined(below=lambda W, Q, z: W.sum(axis=1) + z.sum()),
        "You add up z as it is: what does each query make of it?",
    ),
    *mapped_again(joined()),
]


def chunks(rng, *sizes, state=True):
    """A state that no text has made: whoever does not look at it is found out."""
    for C, R, k in sizes:
        Q, K, V = next(features(rng, (C, C, R, k)))
        S, z = 5 * rng.normal(size=(R, k)), 5 * rng.gamma(2, size=R)
        yield Q, K, V, state * S, state * z


def pieces(rng):
    """Texts in chunks of several lengths, each with the state of all that came before it."""
    for lengths in ((2, 3), (1, 1, 2), (4,)):
        S, z = np.zeros((3, 2)), np.zeros(3)
        for Q, K, V in features(rng, *((C, C, 3, 2) for C in lengths)):
            yield Q, K, V, S, z
            S, z = S + K.T @ V, z + K.sum(axis=0)


chunk.agrees(
    "gives the first chunk, before which there is nothing, the causal rows",
    "S and z are 0: what may word 1 see, and word 2?",
    lambda rng: chunks(rng, (3, 2, 3), (4, 3, 4), state=False),
)
chunk.agrees(
    "adds what S and z hold, to the sum of values and to the sum of weights",
    BEFORE,
    lambda rng: chunks(rng, (3, 2, 3), (1, 3, 2), (4, 3, 4)),
)
chunk.agrees(
    "gives, chunk after chunk of any length, the rows of the whole text",
    "A text of two chunks: what does the second know of the first?",
    pieces,
)
chunk.leaves(
    "leaves its inputs as they were; the next chunk's state is somebody else's affair",
    "Do you write into S or z? The caller makes the next state.",
    lambda rng: chunks(rng, (3, 2, 3), (2, 4, 2)),
)
