"""Exercise 7, chunks: inside by the small table, all that came before by the state.

y_i = (φ(q_i)ᵀS + Σ_{j ≤ i} κ_ij v_j) / (φ(q_i)ᵀz + Σ_{j ≤ i} κ_ij),   κ_ij = φ(q_i)ᵀφ(k_j)
"""

import numpy as np

from firth.checks.claims import Claim, Exercise, close
from firth.checks.linear_attention_order import DIVIDE, features
from firth.checks.linear_attention_rnn import one_long_sum
from firth.checks.rnn import fitting


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
]


def chunks(rng, *sizes, state=True):
    """A state that no text has made: whoever does not look at it is found out."""
    for C, R, k in sizes:
        Q, K, V = next(features(rng, (C, C, R, k)))
        S, z = 5 * rng.normal(size=(R, k)), 5 * rng.gamma(2, size=R)
        yield Q, K, V, state * S, state * z


def reads_a_text(call, rng):
    """A text in pieces of any length gives the rows of the text in one go."""
    for pieces in ((2, 3), (1, 1, 2), (4,)):
        n = sum(pieces)
        Q, K, V = next(features(rng, (n, n, 3, 2)))
        S, z, rows, start = np.zeros((3, 2)), np.zeros(3), [], 0
        for C in pieces:
            part = slice(start, start + C)
            rows.append(call(Q[part], K[part], V[part], S, z))
            S, z, start = S + K[part].T @ V[part], z + K[part].sum(axis=0), start + C
        try:
            mine = np.concatenate(rows)
        except ValueError:
            return False
        if not close(mine, one_long_sum(Q, K, V)):
            return False
    return True


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
chunk.claims.append(
    Claim(
        "gives, chunk after chunk of any length, the rows of the whole text",
        "A text of two chunks: what does the second know of the first?",
        reads_a_text,
        1,
    )
)
chunk.leaves(
    "leaves its inputs as they were; the next chunk's state is somebody else's affair",
    "Do you write into S or z? The caller makes the next state.",
    lambda rng: chunks(rng, (3, 2, 3), (2, 4, 2)),
)
