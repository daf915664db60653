"""Vectors as strips of coloured cells, one for each step: as SVG on a page, as text in a terminal.

cell_strips(["a", "b"], [[0.9, -0.9], [0.1, -1]], "Hidden states")

A number near 1 is blue, near −1 orange, and near 0 it has hardly any colour. In a terminal, a
number is one of the characters of SIGNS.
"""

from collections.abc import Sequence
from html import escape

import numpy as np

CELL, ROW, LEFT = 6, 18, 30  # the width of a cell, the height of a strip, the place for a name
SIGNS = "▼▽·△▲"  # −1, −1/2, 0, 1/2, 1


class CellStrips:
    """A strip for each vector, one below the other, each with its name before it."""

    def __init__(self, names: Sequence[str], vectors: Sequence | np.ndarray, caption: str):
        self.names, self.caption = list(names), caption
        self.vectors = np.asarray(vectors, dtype=float)
        if self.vectors.ndim != 2 or len(self.vectors) != len(self.names):
            raise ValueError(f"{len(self.names)} names need as many vectors of one length.")
        if not (np.abs(self.vectors) <= 1).all():
            raise ValueError("Every number of a strip lies between −1 and 1.")

    def cells(self, sign: int) -> str:
        """The cells of all numbers of one sign as SVG; the further from 0, the more colour."""
        return "".join(
            f'<rect x="{LEFT + k * CELL}" y="{n * ROW + 1}" width="{CELL - 1}" height="{ROW - 2}"'
            f' fill-opacity="{abs(self.vectors[n, k]):.2f}"/>'
            for n, k in np.argwhere(sign * self.vectors >= 0.005)
        )

    def _repr_html_(self) -> str:
        names = "".join(
            f'<text x="{LEFT - 10}" y="{n * ROW + 13}">{escape(name)}</text>'
            for n, name in enumerate(self.names)
        )
        strips = "".join(
            f'<g style="fill:var(--firth-{variable}, {colour})">{self.cells(sign)}</g>'
            for sign, variable, colour in ((1, "blue", "#0072b2"), (-1, "orange", "#d55e00"))
        )
        width, caption = LEFT + self.vectors.shape[1] * CELL, escape(self.caption)
        return (
            f'<figure class="firth-cell-strips"><svg viewBox="0 0 {width} {len(self.names) * ROW}"'
            f' role="img" aria-label="{caption}" font-size="13"'
            f' style="width:100%;max-width:{3 * width // 2}px">'
            f'<g fill="currentColor" text-anchor="end">{names}</g>{strips}</svg>'
            f"<figcaption>{caption}</figcaption></figure>"
        )

    def __repr__(self) -> str:
        wide = max(map(len, self.names))
        signs = np.array(list(SIGNS))[np.rint(2 * self.vectors).astype(int) + 2]
        lines = (f"{n:>{wide}}  {''.join(row)}" for n, row in zip(self.names, signs, strict=True))
        return "\n".join([self.caption, *lines])


def cell_strips(names: Sequence[str], vectors: Sequence | np.ndarray, caption: str) -> CellStrips:
    """Vectors of numbers from −1 to 1 as strips of cells, blue above 0 and orange below 0.

    >>> cell_strips(["a", "b"], [[0.9, -0.9, 0.1], [0.4, -1, 0]], "Two hidden states")
    Two hidden states
    a  ▲▼·
    b  △▼·
    """
    return CellStrips(names, vectors, caption)
