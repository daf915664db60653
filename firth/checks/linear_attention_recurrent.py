"""Exercise 7, reading on: causal linear attention is a recurrent network.

S_t = S_{t−1} + φ(k_t) v_tᵀ     z_t = z_{t−1} + φ(k_t)     y_t = φ(q_t)ᵀS_t / φ(q_t)ᵀz_t
"""

import numpy as np

from firth.checks.claims import Exercise
from firth.checks.linear_attention_claims import spares
from firth.checks.linear_attention_product_order import DIVIDE, features, folded, mapped_again
from firth.checks.mistakes import fitting


def read(
    S_next=lambda S, k, v, t: S + np.outer(k, v),
    z_next=lambda z, k, t: z + k,
    late=False,
    asks=lambda q, k: q,
    divided=lambda above, below, t: above / below,
):
    """A way of reading, the right one by default."""

    @fitting
    def linear_rnn(Q, K, V):
        S, z, rows = np.zeros((K.shape[1], V.shape[1])), np.zeros(K.shape[1]), []
        for t, (q, k, v) in enumerate(zip(Q, K, V, strict=True), start=1):
            before = S, z
            S, z = S_next(S, k, v, t), z_next(z, k, t)
            used_S, used_z = before if late else (S, z)
            q = asks(q, k)
            with np.errstate(all="ignore"):
                rows.append(divided(q @ used_S, q @ used_z, t))
        return np.array(rows)

    return linear_rnn


def by_one_number(weight, total):
    """With a z that is one number: what a word adds to it, and what a query divides by."""

    @fitting
    def linear_rnn(Q, K, V):
        S, z, rows = np.zeros((K.shape[1], V.shape[1])), 0.0, []
        for q, k, v in zip(Q, K, V, strict=True):
            S, z = S + np.outer(k, v), z + weight(q, k)
            rows.append(q @ S / total(q, z))
        return np.array(rows)

    return linear_rnn


def one_long_sum(Q, K, V):
    """The right answer, without a state: whatever came so far, folded anew; for short texts."""
    return np.array([folded(Q[t : t + 1], K[: t + 1], V[: t + 1])[0] for t in range(len(Q))])


TABLE = (
    "For a long text you hold a table with a number for each pair of words. How many states does"
    " the next step need?"
)
ONE_NUMBER = "Is your z one number? z has R numbers, one for each feature."
FADES = "What came first weighs less and less in yours: does the formula let anything fade?"
linear_rnn = Exercise(
    name="linear_rnn",
    chapter="07_linear_attention",
    number="7.3",
    difficulty=2,
    minutes=15,
    hints=(
        "Chapter 3: a state that starts at 0, a loop over the words, an answer from the state. The"
        " state here is a table S and a vector z.",
        "In each step, in this order: add np.outer(k, v) to S and k to z; then ask the new S and z"
        " with q.",
        "S, z = np.zeros((K.shape[1], V.shape[1])), np.zeros(K.shape[1])\n"
        "for q, k, v in zip(Q, K, V): …\n"
        "    Y.append(q @ S / …)",
    ),
    right=read(),
    stumbles={
        "broadcast": "S is R × k and np.outer(k_t, v_t) is as well, z is R numbers and q @ z is"
        " one: which shape has yours?",
        "mismatch in its core": "q has R numbers and S has R rows: q @ S. For two vectors k.T @ v"
        " is one number: np.outer.",
        "not aligned": "For two vectors k.T @ v is one number: np.outer.",
        "enough dimensions": ONE_NUMBER,
    },
)
linear_rnn.mistakes = [
    (folded, "Every word sees the whole text in yours: what may word t not see yet?"),
    (
        read(late=True),
        "Your words do not see themselves: is the state asked before or after k and v are added?",
    ),
    (read(divided=lambda above, below, t: above), DIVIDE),
    (
        read(divided=lambda above, below, t: above / t),
        "You divide by the number of words so far: do all weigh the same?",
    ),
    (
        read(S_next=lambda S, k, v, t: np.outer(k, v), z_next=lambda z, k, t: k),
        "Your state is made anew at each step: what has it kept of the words before?",
    ),
    (
        read(S_next=lambda S, k, v, t: np.outer(k, v)),
        "Your S is made anew at each step, and z is not: what has S kept of the words before?",
    ),
    (
        read(z_next=lambda z, k, t: k),
        "Your z is made anew at each step, and S is not: of which words does it count the weights?",
    ),
    (
        read(
            S_next=lambda S, k, v, t: S / 2 + np.outer(k, v) / 2,
            z_next=lambda z, k, t: z / 2 + k / 2,
        ),
        FADES,
    ),
    (read(S_next=lambda S, k, v, t: S / 2 + np.outer(k, v) / 2), FADES),
    (
        read(S_next=lambda S, k, v, t: S + np.outer(v, k)),
        "Your table is turned: what has a row, and what a column? np.outer(k, v): a row for each"
        " feature.",
    ),
    (
        read(S_next=lambda S, k, v, t: S + k * v),
        "k * v multiplies number by number: what makes a table of two vectors? np.outer(k, v): a"
        " row for each feature.",
    ),
    (
        read(S_next=lambda S, k, v, t: S + k @ v),
        "For two vectors k.T @ v is one number: what makes a table of them? np.outer.",
    ),
    (by_one_number(lambda q, k: k.sum(), lambda q, z: q.sum() * z), ONE_NUMBER),
    (by_one_number(lambda q, k: k.sum(), lambda q, z: z), ONE_NUMBER),
    (by_one_number(lambda q, k: q @ k, lambda q, z: z), ONE_NUMBER),
    (read(asks=lambda q, k: k), "You ask with the key: where is q?"),
    (
        lambda Q, K, V: one_long_sum(Q[::-1], K[::-1], V[::-1])[::-1],
        "You read from the end: shall word t see what comes after it, or what came before?",
    ),
    (
        lambda Q, K, V: np.cumsum(V, axis=0) / np.arange(1, len(V) + 1)[:, None],
        "Those are plain means of the values so far: where do the features come in?",
    ),
    (
        lambda Q, K, V: (
            np.cumsum((Q * K).sum(axis=1)[:, None] * V, axis=0)
            / np.cumsum((Q * K).sum(axis=1))[:, None]
        ),
        "Each key meets the query of its own word in yours: whose query asks at word t?",
    ),
    *mapped_again(read()),
    (
        lambda Q, K, V: read()(Q, K, V)[-1],
        "That is the last word's answer alone: what did the others get to know?",
    ),
]


def texts(rng, *sizes):
    return (case for n, R, k in sizes for case in features(rng, (n, n, R, k)))


linear_rnn.agrees(
    "gives word t the mean over words 1 to t, itself included",
    "Two words: what does the first one see, and what the second?",
    lambda rng: texts(rng, (4, 3, 3), (5, 2, 2)),
)
linear_rnn.agrees(
    "works for a single word, and for values and features of any number",
    "One word: its only weight, divided by the sum of all weights, is what?",
    lambda rng: texts(rng, (1, 3, 2), (2, 1, 4), (6, 4, 1), (3, 5, 5)),
)
spares(
    linear_rnn,
    "holds no table of words by words, however long the text",
    TABLE,
    lambda rng, n: next(texts(rng, (n, 3, 2))),
)
linear_rnn.leaves(
    "leaves Q, K and V as they were",
    "Do you write into Q, K or V? The state is an array of its own.",
    lambda rng: texts(rng, (4, 3, 2), (3, 2, 5)),
)
