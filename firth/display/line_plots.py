"""A plot of a few lines, drawn with NumPy alone: as SVG on a page, as a table in a terminal.

line_plot([0, 1, 2], {"loss": [3, 2, 1]}, "names read", "The loss falls")

The lines differ in colour and in dashes, and each has its name at its right end.
"""

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np

from .tables import table

Number = int | float
Numbers = Sequence[Number] | np.ndarray

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 360, 210, 40, 106, 12, 38  # of the picture, its margins
LINE = 16  # the least distance between two names
LARGEST = 540  # pixels: how wide the picture is where there is room
COLOURS = (("#0072b2", "blue"), ("#d55e00", "orange"), ("#009e73", "green"))
DASHES = ("", "7 4", "2 3")


class LinePlot:
    """A few lines over the same numbers, with both axes labelled."""

    def __init__(self, x: Numbers, lines: Mapping[str, Numbers], across: str, caption: str):
        self.x, self.across, self.caption = np.asarray(x, dtype=float), across, caption
        self.lines = {name: np.asarray(y, dtype=float) for name, y in lines.items()}
        if not 1 <= len(self.lines) <= len(DASHES) or len(self.x) < 2:
            raise ValueError(f"A plot needs 1 to {len(DASHES)} lines of at least two points.")
        for name, y in self.lines.items():
            if y.shape != self.x.shape:
                raise ValueError(f"{name!r} has {len(y)} points for {len(self.x)} numbers.")
        if not all(np.isfinite(y).all() for y in (self.x, *self.lines.values())):
            raise ValueError("A point is nan or infinite: look where it was computed.")
        every = np.concatenate([*self.lines.values()])
        self.low, self.high = float(every.min()), float(every.max())

    def positions(self, y: np.ndarray) -> np.ndarray:
        """A row (x, y) in pixels for each point; a larger number stands higher."""
        span = self.high - self.low or 1.0
        right = (self.x - self.x[0]) / (self.x[-1] - self.x[0])
        up = (y - self.low) / span
        across = LEFT + right * (WIDTH - LEFT - RIGHT)
        return np.stack([across, HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM)], axis=1)

    def name_heights(self) -> dict[str, float]:
        """The height of each line's name in pixels: at its end, but no two names overlap."""
        ends = {name: float(self.positions(y)[-1, 1]) for name, y in self.lines.items()}
        least = -np.inf
        for name in sorted(ends, key=lambda name: ends[name]):
            ends[name] = least = max(ends[name], least + LINE)
        return ends

    def _repr_html_(self) -> str:
        heights = self.name_heights()
        floor = HEIGHT - BOTTOM
        parts = [f'<path d="M{LEFT},{TOP} V{floor} H{WIDTH - RIGHT}" stroke="currentColor"/>']
        for (name, y), (colour, variable), dash in zip(
            self.lines.items(), COLOURS, DASHES, strict=False
        ):
            ink = f"var(--firth-{variable}, {colour})"
            points = " ".join(f"{x:.1f},{y:.1f}" for x, y in self.positions(y))
            parts.append(
                f'<polyline points="{points}" style="stroke:{ink}" stroke-width="2"'
                f' stroke-dasharray="{dash}"/>'
                f'<text x="{WIDTH - RIGHT + 8}" y="{heights[name] + 4:.1f}"'
                f' style="fill:{ink}">{escape(name)}</text>'
            )
        for number in (self.low, self.high):
            height = self.positions(np.full(len(self.x), number))[0, 1]
            parts.append(label(LEFT - 8, height + 4, "end", f"{number:.2f}"))
        for n, anchor in ((0, "start"), (-1, "end")):
            across = self.positions(self.x)[n, 0]
            parts.append(label(across, floor + 16, anchor, f"{self.x[n]:,g}"))
        parts.append(label((LEFT + WIDTH - RIGHT) / 2, floor + 32, "middle", self.across))
        caption = escape(self.caption)
        return (
            f'<figure class="firth-line-plot"><svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
            f' aria-label="{caption}" fill="none" font-size="13"'
            f' style="width:100%;max-width:{LARGEST}px">{"".join(parts)}</svg>'
            f"<figcaption>{caption}</figcaption></figure>"
        )

    def __repr__(self) -> str:
        rows = zip((f"{x:,g}" for x in self.x), *self.lines.values(), strict=True)
        return repr(table(rows, [self.across, *self.lines], self.caption))


def label(x: Number, y: Number, anchor: str, words: str) -> str:
    """A text element of SVG; `anchor` says which part of it stands at x."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="currentColor">'
        f"{escape(words)}</text>"
    )


def line_plot(x: Numbers, lines: Mapping[str, Numbers], across: str, caption: str) -> LinePlot:
    """One to three named lines over the numbers x; `across` is the label of the horizontal axis.

    >>> line_plot([0, 1000], {"loss": [3.0, 2.0]}, "names read", "The loss falls")
    The loss falls
    names read  loss
             0  3.00
         1,000  2.00
    """
    return LinePlot(x, lines, across, caption)
