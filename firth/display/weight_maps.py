"""Attention weights as maps of coloured cells: as SVG on a page, as tables in a terminal.

weight_maps(["a", "b"], {"head 0": [[1, 0], [0.5, 0.5]]}, "Weights")

Each map has a row for every word that attends and a column for every word that it attends to. The
larger a weight, the more colour has its cell. A masked cell is crossed out.
"""

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np

from .tables import table

Number = int | float
CELL, LETTER, LINE = 24, 7.5, 18  # pixels: of a cell, a letter, a heading
LARGEST = 1.4  # how many times larger than drawn a picture becomes at most


class WeightMaps:
    """One or more square maps of weights from 0 to 1, side by side where there is room."""

    def __init__(
        self,
        words: Sequence[str],
        maps: Mapping[str, Sequence | np.ndarray],
        caption: str,
        mask: np.ndarray | None = None,
    ):
        self.words, self.caption, n = list(words), caption, len(words)
        self.maps = {name: np.asarray(weights, dtype=float) for name, weights in maps.items()}
        self.mask = np.ones((n, n), dtype=bool) if mask is None else np.asarray(mask, dtype=bool)
        if not self.maps or self.mask.shape != (n, n):
            raise ValueError(f"A map and a mask are tables of {n} rows and {n} columns.")
        for name, weights in self.maps.items():
            if weights.shape != (n, n):
                raise ValueError(f"{name!r} has the shape {weights.shape}, not {(n, n)}.")
            if not ((weights >= -1e-6) & (weights <= 1 + 1e-6)).all():
                raise ValueError(f"A weight of {name!r} is not between 0 and 1.")

    def cell(self, weights: np.ndarray, i: int, j: int, x: Number, y: Number) -> str:
        """The square of one weight as SVG, with its words and its number for the pointer."""
        if not self.mask[i, j]:
            return f'<path d="M{x + 6},{y + 6} l12,12 m0,-12 l-12,12" stroke-opacity="0.4"/>'
        says = escape(f"{self.words[i]} → {self.words[j]}: {weights[i, j]:.2f}")
        return (
            f'<rect x="{x + 0.5}" y="{y + 0.5}" width="{CELL - 1}" height="{CELL - 1}"'
            f' fill-opacity="{max(weights[i, j], 0):.2f}"><title>{says}</title></rect>'
        )

    def drawing(self, name: str) -> str:
        """One map as SVG, with its name above it."""
        n, wide, weights = len(self.words), max(map(len, self.words)) * LETTER, self.maps[name]
        left, top = wide + 8, LINE + wide + 8
        parts = [f'<text x="{left:.0f}" y="12" font-weight="bold">{escape(name)}</text>']
        for k, word in enumerate(self.words):
            middle = k * CELL + 16  # of a row or a column, for the foot of a letter
            parts.append(
                f'<text x="{wide:.0f}" y="{top + middle:.0f}" text-anchor="end">'
                f"{escape(word)}</text>"
                f'<text transform="translate({left + middle:.0f} {top - 6:.0f}) rotate(-90)">'
                f"{escape(word)}</text>"
            )
        squares = "".join(
            self.cell(weights, i, j, left + j * CELL, top + i * CELL) for i, j in np.ndindex(n, n)
        )
        width, height = left + n * CELL + 1, top + n * CELL + 1
        return (
            f'<svg viewBox="0 0 {width:.0f} {height:.0f}" role="img" font-size="13"'
            f' aria-label="{escape(self.in_words(name))}"'
            f' style="flex:1 1 {width:.0f}px;min-width:0;max-width:{LARGEST * width:.0f}px">'
            f'<g fill="currentColor">{"".join(parts)}</g>'
            '<g style="fill:var(--firth-blue, #0072b2)" stroke="currentColor"'
            f' stroke-opacity="0.25">{squares}</g></svg>'
        )

    def _repr_html_(self) -> str:
        return (
            '<figure class="firth-weight-maps"><div style="display:flex;flex-wrap:wrap;gap:1em">'
            f"{''.join(map(self.drawing, self.maps))}</div>"
            f"<figcaption>{escape(self.caption)}</figcaption></figure>"
        )

    def in_words(self, name: str) -> str:
        """What a map shows, for those who do not see it: the largest weight of each row."""
        pairs = (
            f"{word} to {self.words[row.argmax()]} {row.max():.2f}"
            for word, row in zip(self.words, self.maps[name], strict=True)
        )
        return f"{self.caption}. Largest weights of {name}: {', '.join(pairs)}."

    def __repr__(self) -> str:
        blocks = [self.caption]
        for name, weights in self.maps.items():
            cells = np.where(self.mask, weights, np.nan)  # a masked cell becomes a dash
            rows = [(word, *row) for word, row in zip(self.words, cells, strict=True)]
            lines = repr(table(rows, [name, *self.words], self.caption)).splitlines()
            blocks += lines[1:]
        return "\n".join(blocks)


def weight_maps(
    words: Sequence[str],
    maps: Mapping[str, Sequence | np.ndarray],
    caption: str,
    mask: np.ndarray | None = None,
) -> WeightMaps:
    """Maps of attention weights side by side, each under its name; the words attend to each other.

    Where `mask` is False, the key is masked, and its cell is crossed out.

    >>> weight_maps(["a", "b"], {"one": [[1, 0], [0.25, 0.75]]}, "Weights", np.tri(2))
    Weights
    one     a     b
    a    1.00     –
    b    0.25  0.75
    """
    return WeightMaps(words, maps, caption, mask)
