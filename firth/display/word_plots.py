"""A map of words, drawn with NumPy alone: as SVG on a page, as lines of text in a terminal.

word_plot(["sea", "ship"], [[0, 1], [2, 0]], "Two words")  →  the words at their two numbers

On a page, a dot stands before each word. A marked word is bold there, and in brackets in a
terminal.
"""

from collections.abc import Collection, Sequence
from html import escape

import numpy as np

Number = int | float
WIDTH, HEIGHT, LETTER, LINE = 360, 300, 7.2, 14  # of the picture, of a letter, between two lines
DOT = 3  # the radius of a dot
COLUMNS, ROWS = 72, 20  # of the map as text


class WordPlot:
    """Words at their positions, each moved down as far as it takes to be read."""

    def __init__(
        self,
        words: Sequence[str],
        positions: Sequence | np.ndarray,
        caption: str,
        marked: Collection[str] = (),
    ):
        positions = np.asarray(positions, dtype=float)
        if positions.shape != (len(words), 2):
            raise ValueError(f"{len(words)} words need as many pairs, not {positions.shape}.")
        if not np.isfinite(positions).all():
            raise ValueError("A position is nan or infinite: look where it was computed.")
        self.words, self.caption, self.marked = list(words), caption, set(marked)
        low, span = positions.min(axis=0), np.ptp(positions, axis=0)
        self.shares = (positions - low) / np.where(span > 0, span, 1)  # from 0 to 1

    def placed(self, width: Number, height: Number, letter: Number, line: Number) -> list[tuple]:
        """Each word with its left end and its line, such that no two words overlap."""
        done: list[tuple[str, Number, Number]] = []
        for n in np.argsort(-self.shares[:, 1], kind="stable"):
            word, (across, up) = self.words[n], self.shares[n]
            x, y = float(across * (width - len(word) * letter)), float((1 - up) * height)
            while any(
                abs(y - other_y) < line
                and x < other_x + (len(other) + 1) * letter
                and other_x < x + (len(word) + 1) * letter
                for other, other_x, other_y in done
            ):
                y += line / 4
            done.append((word, x, y))
        return done

    def _repr_html_(self) -> str:
        placed = self.placed(WIDTH - 4 * DOT, HEIGHT, LETTER, LINE)  # a dot stands before each word
        height = max(y for _, _, y in placed) + 2 * LINE
        shapes = "".join(
            f'<circle cx="{x + DOT:.1f}" cy="{y + LINE - 4:.1f}" r="{DOT}"/>'
            f'<text x="{x + 3 * DOT:.1f}" y="{y + LINE:.1f}"'
            f"{self.weight(word)}>{escape(word)}</text>"
            for word, x, y in placed
        )
        caption = escape(self.caption)
        return (
            f'<figure class="firth-word-plot"><svg viewBox="0 0 {WIDTH} {height:.0f}" role="img"'
            f' aria-label="{caption}: {escape(", ".join(self.words))}" fill="currentColor"'
            f' font-size="13" style="width:100%;max-width:540px">{shapes}</svg>'
            f"<figcaption>{caption}</figcaption></figure>"
        )

    def weight(self, word: str) -> str:
        """The attribute that makes a marked word bold."""
        return ' font-weight="bold"' if word in self.marked else ""

    def __repr__(self) -> str:
        labels = [f"[{word}]" if word in self.marked else word for word in self.words]
        placed = WordPlot(labels, self.shares, self.caption).placed(COLUMNS, ROWS, 1, 1)
        rows = [[" "] * (COLUMNS + 1) for _ in range(int(max(y for _, _, y in placed)) + 1)]
        for word, x, y in placed:
            rows[int(y)][int(x) : int(x) + len(word)] = word
        return "\n".join([self.caption, *("".join(row).rstrip() for row in rows)])


def word_plot(
    words: Sequence[str],
    positions: Sequence | np.ndarray,
    caption: str,
    marked: Collection[str] = (),
) -> WordPlot:
    """The words as a map, the first number of a position to the right, the second one upwards.

    The words in `marked` are bold on a page, and in brackets in a terminal.

    >>> word_plot(["sea", "ship"], [[0, 1], [2, 0]], "Two words").placed(20, 4, 1, 1)
    [('sea', 0.0, 0.0), ('ship', 16.0, 4.0)]
    """
    return WordPlot(words, positions, caption, marked)
