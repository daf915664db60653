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
CELL, GAP, LETTER, LINE = 24, 22, 7.5, 18  # of a cell, between maps, of a letter, of a heading
LARGEST = 1.5  # how many times larger than drawn a picture becomes at most


class WeightMaps:
    """One or more square maps of weights from 0 to 1, side by side, with the same words."""

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

    def _repr_html_(self) -> str:
        n, wide = len(self.words), max(len(word) for word in self.words) * LETTER
        side, left, top = n * CELL, wide + 10, LINE + wide + 8
        parts = [
            f'<text x="{wide:.0f}" y="{top + i * CELL + 16:.0f}" text-anchor="end">'
            f"{escape(word)}</text>"
            for i, word in enumerate(self.words)
        ]
        squares = []
        for k, (name, weights) in enumerate(self.maps.items()):
            x = left + k * (side + GAP)
            parts.append(f'<text x="{x:.0f}" y="12" font-weight="bold">{escape(name)}</text>')
            parts += [
                f'<text transform="translate({x + j * CELL + 16:.0f} {top - 6:.0f}) rotate(-90)">'
                f"{escape(word)}</text>"
                for j, word in enumerate(self.words)
            ]
            squares += [
                self.cell(weights, i, j, x + j * CELL, top + i * CELL) for i, j in np.ndindex(n, n)
            ]
        width = left + len(self.maps) * (side + GAP) - GAP + 1
        caption = escape(self.caption)
        return (
            f'<figure class="firth-weight-maps"><svg viewBox="0 0 {width:.0f} {top + side + 1:.0f}"'
            f' role="img" aria-label="{caption}. {escape(self.in_words())}" font-size="13"'
            f' style="width:100%;max-width:{LARGEST * width:.0f}px">'
            f'<g fill="currentColor">{"".join(parts)}</g>'
            '<g style="fill:var(--firth-blue, #0072b2)" stroke="currentColor"'
            f' stroke-opacity="0.25">{"".join(squares)}</g></svg>'
            f"<figcaption>{caption}</figcaption></figure>"
        )

    def in_words(self) -> str:
        """The word with the largest weight of each row, for those who do not see the picture."""
        sentences = []
        for name, weights in self.maps.items():
            pairs = (
                f"{word} to {self.words[row.argmax()]} {row.max():.2f}"
                for word, row in zip(self.words, weights, strict=True)
            )
            sentences.append(f"Largest weights, {name}: {', '.join(pairs)}.")
        return " ".join(sentences)

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
