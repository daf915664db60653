"""Bias: do two groups of words keep different company with two sets of attributes?

    s(w)   = mean over a in A of cos(w, a) − mean over b in B of cos(w, b)
    effect = (mean s over X − mean s over Y) / standard deviation of s over X and Y together
    p      = share of all ways to halve X and Y anew whose difference is at least as large

This is the word embedding association test (Caliskan, Bryson and Narayanan, 2017). X and Y are two
groups of equally many words (flowers, insects), A and B two sets of attributes (pleasant,
unpleasant). s > 0 says that w is nearer to A. An effect lies between −2 and 2 and says how clearly
X and Y part, not how far: it is measured in spreads. A small p says that not every division of
these words would have parted so; who chose the words, it does not ask.
"""

from itertools import combinations
from math import comb

import numpy as np
from jaxtyping import Float
from numpy import ndarray as Array

from firth.lsa.similarity import cosine_table

Group = Float[Array, "_ d"]
EXACT = 20_000  # ways to halve the words: up to here all are tried


def association(W: Group, A: Group, B: Group) -> Float[Array, " _"]:
    """How much nearer each row of W is to A than to B, by mean cosine.

    >>> A, B = np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]])
    >>> association(np.array([[5.0, 0.0], [3.0, 4.0], [1.0, 1.0]]), A, B)
    array([ 1. , -0.2,  0. ])
    """
    if not (len(A) and len(B)):
        raise ValueError("A set of attributes is empty: give each some words that are known.")
    return cosine_table(W, A).mean(axis=1) - cosine_table(W, B).mean(axis=1)


def effect_size(X: Group, Y: Group, A: Group, B: Group) -> float:
    """How far apart X and Y stand, in standard deviations: positive if X is nearer to A.

    >>> right, up = np.array([[1.0, 0.0]] * 2), np.array([[0.0, 1.0]] * 2)
    >>> effect_size(right, up, A=right, B=up)
    2.0
    """
    s = scores(X, Y, A, B)
    half = len(X)
    if np.ptp(s) < 1e-9:
        raise ValueError("All words stand alike to A and B: there is no spread to measure by.")
    return float((s[:half].mean() - s[half:].mean()) / s.std())


def scores(X: Group, Y: Group, A: Group, B: Group) -> Float[Array, " _"]:
    """s of the words of X and then of those of Y, equally many."""
    if len(X) != len(Y) or len(X) < 2:
        raise ValueError(
            f"Give X and Y two words or more, equally many, not {len(X)} and {len(Y)}."
        )
    return association(np.concatenate([X, Y]), A, B)


def p_value(
    X: Group, Y: Group, A: Group, B: Group, draws: int = 10_000, seed: int = 0
) -> tuple[float, int]:
    """The share of halves that differ as much as X and Y do, and of how many halves that is.

    The first half is X itself, so p is never 0. If there are too many ways to halve the words, a
    sample of `draws` stands for them; p then has a standard error of √(p (1 − p) / draws).

    >>> right, up = np.array([[1.0, 0.0]] * 2), np.array([[0.0, 1.0]] * 2)
    >>> p_value(right, up, A=right, B=up)  # one of the six ways to take two of four
    (0.16666666666666666, 6)
    """
    s, half = scores(X, Y, A, B), len(X)
    if draws < 1:
        raise ValueError(f"A permutation test takes one draw or more, not {draws}.")
    ways = comb(2 * half, half)
    if ways <= EXACT:
        halves = np.array(list(combinations(range(2 * half), half)))
    else:
        shuffled = np.random.default_rng(seed).permuted(
            np.tile(np.arange(2 * half), (draws, 1)), axis=1
        )
        halves = np.concatenate([np.arange(half)[None], shuffled[:, :half]])
    sums = s[halves].sum(axis=1)
    return float((sums >= sums[0] - 1e-12).mean()), len(halves)
