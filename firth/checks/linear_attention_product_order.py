"""Exercise 7, the order of multiplication: the sums over all keys are made once.

y_i = φ(q_i)ᵀ Σ_j φ(k_j) v_jᵀ / φ(q_i)ᵀ Σ_j φ(k_j)
"""

import numpy as np

from firth.checks.claims import Exercise
from firth.checks.linear_attention_claims import spares
from firth.checks.linear_attention_feature_map import ELU, RELU, SOFTPLUS
from firth.checks.mistakes import fitting


def folded(Q, K, V):
    """The right answer, a feature at a time."""
    above, below = np.zeros((len(Q), V.shape[1])), np.zeros((len(Q), 1))
    for q, k in zip(Q.T, K.T, strict=True):
        above += np.outer(q, (k[:, None] * V).sum(axis=0))
        below += q[:, None] * k.sum()
    return above / below


def mixed(
    above=lambda Q, K, V: Q @ (K.T @ V),
    below=lambda Q, K, V: (Q @ K.sum(axis=0))[:, None],
):
    """A way of mixing values, the right one by default."""

    @fitting
    def linear_attention(Q, K, V):
        return above(Q, K, V) / below(Q, K, V)

    return linear_attention


def mapped_again(way):
    """With features made of what holds features already: each map, and what to ask."""
    return [
        (
            lambda Q, K, *others, phi=which.phi: way(phi(Q), phi(K), *others),
            "Q and K hold features already: do you map them once more?",
        )
        for which in (ELU, SOFTPLUS, RELU)
    ]


def softmax_of(scores):
    parts = np.exp(scores - scores.max(axis=1, keepdims=True))
    return parts / parts.sum(axis=1, keepdims=True)


TABLE = (
    "For a long text you hold a table with a number for each query and key (or larger still). Which"
    " two of Q, Kᵀ and V can meet first, so that what comes out does not grow with the text?"
)
DIVIDE = "Where are the weights' sums? If all values are alike, a mean gives that value back."
linear_attention = Exercise(
    name="linear_attention",
    chapter="07_linear_attention",
    number="7.2",
    difficulty=1,
    minutes=12,
    hints=(
        "Write it with the table first: weights = Q @ K.T, each row divided by its sum, times V."
        " Then look for what the queries have in common.",
        "Q @ K.T @ V may be bracketed in two ways. The sums of the rows of Q @ K.T are Q times one"
        " vector, which is a sum of rows of K.",
        "S = K.T @ …\nz = K.sum(axis=0)\nreturn (Q @ S) / …  # one number a row: keep it a column",
    ),
    right=folded,
    stumbles={
        "broadcast": "Which shapes meet? A query's sum of weights is one number, and all of them"
        " are n: as a column, [:, None], each divides its own row.",
        "matmul": "Which shapes meet? K.T is R × m, V is m × k; and Q is n × R, so that it wants a"
        " vector of R numbers.",
    },
)
linear_attention.mistakes = [
    (mixed(below=lambda Q, K, V: 1), DIVIDE),
    (
        mixed(below=lambda Q, K, V: len(K)),
        "You divide by the number of keys: do all weigh the same?",
    ),
    (
        mixed(below=lambda Q, K, V: Q @ K.sum(axis=0)),
        "Your sums divide the columns: the sum of row i belongs to row i. What does [:, None] do?",
    ),
    (
        mixed(below=lambda Q, K, V: K.sum()),
        "All rows are divided by one number: whose sums does each query need?",
    ),
    (
        mixed(below=lambda Q, K, V: Q.sum(axis=1, keepdims=True)),
        "You divide by the sum of the query's own features: where are the keys in it?",
    ),
    (
        mixed(below=lambda Q, K, V: (Q @ K.mean(axis=0))[:, None]),
        "Your weights add up to the number of keys: do you divide by their mean?",
    ),
    (
        mixed(below=lambda Q, K, V: (Q @ (K.T @ V)).sum(axis=1, keepdims=True)),
        "You divide by the sum of the answer: what shall add up to 1, answers or weights?",
    ),
    (
        lambda Q, K, V: softmax_of(Q @ K.T) @ V,
        "That is softmax once more: the features take its place. Is there an exp in the formula?",
    ),
    (
        lambda Q, K, V: softmax_of(Q @ K.T / np.sqrt(Q.shape[1])) @ V,
        "That is softmax once more: the features take its place. Is there an exp in the formula?",
    ),
    (
        mixed(above=lambda Q, K, V: Q @ (K.T @ K)),
        "You mix the keys: what do the weights mix?",
    ),
    (
        mixed(
            lambda Q, K, V: K @ (Q.T @ V),
            lambda Q, K, V: (K @ Q.sum(axis=0))[:, None],
        ),
        "Your rows belong to the keys: who asks?",
    ),
    (
        lambda Q, K, V: np.broadcast_to(V.mean(axis=0), (len(Q), V.shape[1])),
        "All keys weigh the same in yours: where do the features come in?",
    ),
    (
        mixed(lambda Q, K, V: Q @ (K.T @ V / K.sum(axis=0)[:, None]), lambda Q, K, V: 1),
        "You divide each feature's row of S by its own sum: is the query in what you divide by?",
    ),
    (
        mixed(lambda Q, K, V: Q @ K.T / (Q @ K.T).sum(axis=0) @ V, lambda Q, K, V: 1),
        "Each key's weights add up to 1 in yours: whose shares are they, a key's or a query's?",
    ),
    *mapped_again(mixed()),
]


def features(rng, *sizes):
    for n, m, R, k in sizes:
        yield rng.gamma(1, size=(n, R)), rng.gamma(1, size=(m, R)), rng.normal(size=(m, k))


def small(rng):
    return features(rng, (4, 4, 4, 4), (3, 3, 3, 3))


def uneven(rng):
    return features(rng, (3, 6, 2, 4), (5, 2, 3, 1), (1, 4, 1, 2), (4, 1, 5, 3))


linear_attention.agrees(
    "gives each query the mean of the values, weighted by the products of the features",
    "Two keys: what are the query's two weights, and what is their sum?",
    small,
)
linear_attention.agrees(
    "works for any number of queries, keys and features, and for a single one",
    "Three queries and six keys: which of your arrays has three rows, and which six?",
    uneven,
)
spares(
    linear_attention,
    "holds no table of queries by keys, however long the text",
    TABLE,
    lambda rng, n: next(features(rng, (n, n, 3, 2))),
)
linear_attention.leaves(
    "leaves Q, K and V as they were",
    "Do you write into Q, K or V? `/=` does.",
    uneven,
)
