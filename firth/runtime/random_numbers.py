"""Chance that Python and JavaScript throw alike: the same seed, the same numbers, on every page.

    a ← a + 0x6D2B79F5,  u = mixed(a) / 2³²            (mulberry32: 32 bits, stirred twice)
    √(−2 log(1 − u)) · (cos 2πv, sin 2πv)              two normal numbers from two even ones

NumPy's generators are better, and no browser has them. `firth/widgets/random_numbers.js` is its
twin.
"""

import math
from collections.abc import Callable

import numpy as np
from jaxtyping import Float
from numpy import ndarray as Array

ALL = 0xFFFFFFFF  # 32 bits
SEEDS = 99  # a widget offers seeds from 1 to this


def uniform(seed: int) -> Callable[[], float]:
    """A function that gives the next number from 0 up to 1 at every call.

    >>> u = uniform(1)
    >>> [round(u(), 4) for _ in range(3)]
    [0.6271, 0.0027, 0.5274]
    """
    a = seed

    def following() -> float:
        nonlocal a
        a = (a + 0x6D2B79F5) & ALL
        t = (a ^ a >> 15) * (a | 1) & ALL
        t ^= (t + ((t ^ t >> 7) * (t | 61) & ALL)) & ALL
        return (t ^ t >> 14) / 2**32

    return following


def normal(seed: int) -> Callable[[], float]:
    """A function that gives a normal number of mean 0 and variance 1 at every call.

    Two of them are a point in the plane whose direction is even, and half of whose squared length
    falls off as e^−x: so each is made from one even number (Box and Muller, 1958).

    >>> z = normal(1)
    >>> [round(z(), 4) for _ in range(3)]
    [1.4043, 0.0241, 1.2158]
    """
    u, kept = uniform(seed), []

    def following() -> float:
        if not kept:
            r, angle = math.sqrt(-2 * math.log(1 - u())), 2 * math.pi * u()
            kept.extend((r * math.sin(angle), r * math.cos(angle)))
        return kept.pop()

    return following


def drawn(cumulative: Float[Array, " n"], u: float) -> int:
    """The place that u falls on when the probabilities, added up, lie side by side.

    >>> [drawn(np.array([0.5, 0.75, 1.0]), u) for u in (0.2, 0.5, 0.9)]
    [0, 1, 2]
    """
    found = int(np.searchsorted(cumulative, u, side="right"))
    return min(found, len(cumulative) - 1)  # the sum may end a rounding below
