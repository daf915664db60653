"""What known mistakes need, so that each is told from the right answer and from the others.

fitting(way)                 →  a wrong answer that explains nothing where the sizes do not fit it
telling(draw, right, rivals) →  inputs on which each wrong answer differs from the right one
"""

from collections.abc import Callable, Iterator
from functools import wraps

import numpy as np

from firth.checks.answers import plain
from firth.checks.claims import close


def fitting(way: Callable) -> Callable:
    """A way of answering that explains nothing where the sizes of its inputs do not fit it."""

    @wraps(way)
    def tried(*inputs):
        try:
            return way(*inputs)
        except ValueError:
            return np.zeros(0)

    return tried


def telling(
    draw: Callable[[], tuple],
    right: Callable,
    rivals: list[Callable],
    view: Callable = lambda answer: answer,
) -> Iterator[tuple]:
    """Drawn inputs: each rival is wrong on one of them at least, and no answer is right on all."""
    left, seen = list(rivals), []

    def shown(answer, case):
        with np.errstate(all="ignore"):
            return view(plain(answer(*case)))

    for _ in range(2000):
        if not left and not all(close(seen[0], other) for other in seen):
            return
        case = draw()
        wanted = shown(right, case)
        alike = [rival for rival in left if close(shown(rival, case), wanted)]
        if not left or len(alike) < len(left):
            left, seen = alike, [*seen, wanted]
            yield case
    raise ValueError("a rival is never wrong on such inputs: draw others")
