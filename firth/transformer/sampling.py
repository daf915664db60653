"""From scores to one token: soften, cut, draw.

    p_i ∝ exp(s_i / τ)                 temperature: τ < 1 sharpens, τ > 1 evens out, τ → 0 is greedy
    top k:  the k likeliest stay       however likely the others are
    top p:  of the likeliest, so many stay as are needed for p together      however many that is

They act in this order, and what stays is brought back to a sum of 1. A model spreads a little
probability over tens of thousands of tokens that make no sense, and in sum it is not a little: a
text in which each of 200 tokens goes astray with chance 2 % stays on the road with chance 2 %.
"""

import math

import numpy as np
from jaxtyping import Float
from numpy import ndarray as Array

from firth.runtime.random_numbers import drawn

Number = float | int


def softened(scores: Float[Array, " n"], tau: Number) -> Float[Array, " n"]:
    """p ∝ exp(s / τ); at τ = 0 all of it on the highest score, on the first of equals.

    >>> softened(np.log([0.8, 0.2]), tau=0.5)  # odds of 4 become odds of 16
    array([0.94, 0.06])
    """
    if not (tau >= 0 and math.isfinite(tau)):
        raise ValueError(f"The temperature τ is 0 or more, not {tau}: 1 changes nothing.")
    if not len(scores) or np.isnan(scores).any() or scores.max() in (np.inf, -np.inf):
        raise ValueError("There is nothing to choose from: scores are numbers, one or more.")
    if tau == 0:
        return np.eye(1, len(scores), scores.argmax())[0]
    with np.errstate(over="ignore"):  # a τ of next to nothing: the others' chances are 0
        p = np.exp((scores - scores.max()) / tau)
    return p / p.sum()


def probabilities(
    scores: Float[Array, " n"], tau: Number = 1.0, k: int | None = None, p: Number | None = None
) -> Float[Array, " n"]:
    """How likely each token is to be drawn. k or p = None cuts nothing off.

    Top k keeps a third choice that is absurd and drops a fourth that is as good as the third; top
    p keeps as many as the model is unsure among, and so its tail never adds up.

    >>> scores = np.log([0.5, 0.25, 0.15, 0.1])
    >>> probabilities(scores, k=2)
    array([0.67, 0.33, 0.  , 0.  ])
    >>> probabilities(scores, p=0.8)  # 0.5 + 0.25 do not reach it: one more
    array([0.56, 0.28, 0.17, 0.  ])
    """
    if k is not None and k < 1:
        raise ValueError(f"Top k keeps 1 token or more, not {k}.")
    if p is not None and not 0 < p <= 1:
        raise ValueError(f"Top p keeps a share above 0 and up to 1, not {p}.")
    q = softened(scores, tau)
    order = np.argsort(-q, kind="stable")
    if k is not None:
        q[order[k:]] = 0
        q /= q.sum()
    if p is not None and p < 1:
        before = q[order].cumsum() - q[order]  # what the likelier ones have together
        q[order[before >= p]] = 0
        q /= q.sum()
    return q


def sampled(
    scores: Float[Array, " n"], u: float,
    tau: Number = 1.0, k: int | None = None, p: Number | None = None,
) -> int:  # fmt: skip
    """The token that a number u from 0 up to 1 falls on.

    >>> [sampled(np.log([0.5, 0.25, 0.15, 0.1]), u, k=2) for u in (0.1, 0.6, 0.99)]
    [0, 0, 1]
    """
    cumulative = probabilities(scores, tau, k, p).cumsum()
    return drawn(cumulative, u * cumulative[-1])
