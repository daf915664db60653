"""Bias: are two groups of words associated with two sets of attributes in different ways?

    s(w)   = mean over a in A of cos(w, a) − mean over b in B of cos(w, b)
    effect = (mean s over X − mean s over Y) / standard deviation of s over X and Y together
    p      = share of all divisions of X and Y into two halves with at least this difference

This is the word embedding association test (Caliskan, Bryson and Narayanan, 2017). X and Y are two
groups of equally many words, such as flowers and insects. A and B are two sets of attributes, such
as pleasant and unpleasant words. s(w) > 0 says that w is nearer to A. The effect size lies between
−2 and 2 and measures the difference in standard deviations. A small p says that few other
divisions of the same words differ as much. It says nothing about how the words were chosen.
"""

from itertools import combinations
from math import comb

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray as Array

from firth.lsa.similarity import cosine_table

Group = Float[Array, "_ d"]
EXACT = 20_000  # up to so many divisions into halves are all tried


def association(W: Group, A: Group, B: Group) -> Float[Array, " _"]:
    """An array with s of each row of W: its mean cosine with A minus its mean cosine with B.

    >>> A, B = np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]])
    >>> association(np.array([[5.0, 0.0], [3.0, 4.0], [1.0, 1.0]]), A, B)
    array([ 1. , -0.2,  0. ])
    """
    if not (len(A) and len(B)):
        raise ValueError("A set of attributes is empty: give each some words that are known.")
    return cosine_table(W, A).mean(axis=1) - cosine_table(W, B).mean(axis=1)


def effect_size(X: Group, Y: Group, A: Group, B: Group) -> float:
    """The difference of the mean s of X and of Y, in standard deviations of s over both.

    It is positive if X is nearer to A than Y is.

    >>> right, up = np.array([[1.0, 0.0]] * 2), np.array([[0.0, 1.0]] * 2)
    >>> effect_size(right, up, A=right, B=up)
    2.0
    """
    s = scores(X, Y, A, B)
    half = len(X)
    if np.ptp(s) < 1e-9:
        raise ValueError("All words have the same s: there is no spread to measure by.")
    return float((s[:half].mean() - s[half:].mean()) / s.std())


def scores(X: Group, Y: Group, A: Group, B: Group) -> Float[Array, " _"]:
    """An array with s of each word of X, followed by s of the equally many words of Y."""
    if len(X) != len(Y) or len(X) < 2:
        raise ValueError(
            f"Give X and Y two words or more, equally many, not {len(X)} and {len(Y)}."
        )
    return association(np.concatenate([X, Y]), A, B)


def p_value(
    X: Group, Y: Group, A: Group, B: Group, draws: int = 10_000, seed: int = 0
) -> tuple[float, int]:
    """The p-value of a permutation test, and the number of divisions into halves in it.

    One of the divisions is X and Y itself, so p is never 0. If there are more than 20,000
    divisions, `draws` random ones stand for them. Then p has a standard error of
    √(p (1 − p) / draws).

    >>> right, up = np.array([[1.0, 0.0]] * 2), np.array([[0.0, 1.0]] * 2)
    >>> p_value(right, up, A=right, B=up)  # one of six ways to choose two of four
    (0.16666666666666666, 6)
    """
    if draws < 1:
        raise ValueError(f"A permutation test takes one draw or more, not {draws}.")
    s = scores(X, Y, A, B)
    first = first_halves(len(X), draws, seed)
    sums = s[first].sum(axis=1)
    return float((sums >= sums[0] - 1e-12).mean()), len(first)


def first_halves(half: int, draws: int, seed: int) -> Int[Array, "ways half"]:
    """An array of indices for a permutation test; each row is one half of 2 · `half` words.

    It has all ways to choose the half if they are few, and otherwise `draws` random ones. The first
    row is 0, 1, … half − 1.
    """
    if comb(2 * half, half) <= EXACT:
        return np.array(list(combinations(range(2 * half), half)))
    order = np.tile(np.arange(2 * half), (draws, 1))
    shuffled = np.random.default_rng(seed).permuted(order, axis=1)
    return np.concatenate([np.arange(half)[None], shuffled[:, :half]])
