"""Chance that Python and JavaScript throw alike: the same seed, the same numbers, on every page.

    x ← (1664525 x + 1013904223) mod 2³²,    u = x / 2³²

NumPy's generators are better, and no browser has them. This one needs 32 bits (`chance.js`).
"""

from collections.abc import Callable

import numpy as np

SEEDS = 99  # a seed is a number from 1 to this


def uniform(seed: int) -> Callable[[], float]:
    """A function that gives the next number from 0 to 1, without 1, at every call.

    Neighbouring seeds are first sent far apart, or else they would begin alike.

    >>> u = uniform(1)
    >>> [round(u(), 3) for _ in range(3)]
    [0.261, 0.911, 0.248]
    """
    x = seed * 2654435769 % 2**32

    def following() -> float:
        nonlocal x
        x = (1664525 * x + 1013904223) % 2**32
        return x / 2**32

    return following


def drawn(cumulative: np.ndarray, u: float) -> int:
    """The place that u falls on when the probabilities, added up, lie side by side from 0 to 1.

    >>> [drawn(np.array([0.5, 0.75, 1.0]), u) for u in (0.2, 0.5, 0.9)]
    [0, 1, 2]
    """
    found = int(np.searchsorted(cumulative, u, side="right"))
    return min(found, len(cumulative) - 1)  # the sum may end a rounding below 1
