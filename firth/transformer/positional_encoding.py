"""Where a token stands, written as waves: a slow and a fast clock for every pair of features.

    PE(p)_2i   = sin(ω_i p)        ω_i = base^(−2i/d), i = 0 … d/2 − 1
    PE(p)_2i+1 = cos(ω_i p)
    PE(p + k)  = R_k PE(p)         R_k turns pair i by the angle ω_i k, wherever p is
    PE(p)ᵀPE(q) = Σ_i cos(ω_i (p − q))

Attention sees a set of tokens and not their order: what it is to know of the order must stand in
the vectors. These were chosen in 2017, and nothing of them is learned.
"""

import numpy as np
from jaxtyping import Float
from numpy import ndarray as Array

BASE = 10_000.0  # the slowest wave needs 2π base steps to come round, if d is large


def frequencies(d: int, base: float = BASE) -> Float[Array, " {d//2}"]:
    """ω: by what angle each pair of features turns from one position to the next.

    >>> frequencies(4)  # d = 4: a fast hand, and one a hundred times slower
    array([1.  , 0.01])
    """
    if d < 2 or d % 2:
        raise ValueError(f"Positions fill pairs of features: d is even and 2 or more, not {d}.")
    if base <= 0:
        raise ValueError(f"The base of the frequencies is a number above 0, not {base}.")
    return base ** (-np.arange(0, d, 2) / d)


def positions(n: int, d: int, base: float = BASE) -> Float[Array, "n d"]:
    """One row for each position 0 … n − 1: sines and cosines of it, side by side.

    A row does not change when the text grows: that of position 7 is the same in all texts.

    >>> positions(3, 4)
    array([[ 0.  ,  1.  ,  0.  ,  1.  ],
           [ 0.84,  0.54,  0.01,  1.  ],
           [ 0.91, -0.42,  0.02,  1.  ]])
    """
    if n < 1:
        raise ValueError(f"A text has one position or more, not {n}.")
    angles = np.arange(n)[:, None] * frequencies(d, base)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, d)


def rotation(k: int, d: int, base: float = BASE) -> Float[Array, "d d"]:
    """R_k, which moves any position on by k: a matrix, so a linear layer can learn it.

    >>> positions(9, 4)[2] @ rotation(5, 4).T - positions(9, 4)[7]
    array([0., 0., 0., 0.])
    """
    angles = k * frequencies(d, base)
    R, i = np.zeros((d, d)), np.arange(0, d, 2)
    R[i, i] = R[i + 1, i + 1] = np.cos(angles)
    R[i, i + 1] = np.sin(angles)
    R[i + 1, i] = -R[i, i + 1]
    return R


def products(k: Float[Array, " n"], d: int, base: float = BASE) -> Float[Array, " n"]:
    """PE(p)ᵀPE(q) of positions k = p − q apart: d/2 at k = 0, and where p is plays no part.

    >>> products(np.array([0.0, 1.0, -1.0]), 4)
    array([2.  , 1.54, 1.54])
    """
    return np.cos(k[:, None] * frequencies(d, base)).sum(axis=-1)
