"""Diagrams: how things are connected, drawn from a few parts that mean the same on every page.

    token        rounded box with a word                 what comes in
    parameters   gold box with a letter                  what is learned
    matrix       blue cells, darker where |x| is larger   hidden values; orange where x is negative
    bar          green bar                               a probability or another output
    arrow        line with a head                        what flows where
    shape        small monospace letters                 the shape of what stands beside it

Each function returns SVG as a string. `diagram` puts such parts on the page as a picture that is at
most 360 units wide, so that on a phone one unit is one pixel and no letter is below 11 pixels.
"""

import math
from collections.abc import Sequence
from html import escape

from firth.plots.pictures import Picture

Number = int | float
# The page's colours, which change in the dark; the second one is for a notebook without our style.
COLOURS = {
    "ink": "currentColor",
    "soft": "var(--firth-soft, #767676)",
    "surface": "var(--firth-surface, transparent)",
    "line": "var(--firth-line, #767676)",
    "word": "var(--firth-word, #d55e00)",
    "blue": "var(--firth-company, #2b6cb0)",
    "orange": "var(--firth-orange, #d55e00)",
    "gold": "var(--firth-gold, #a07800)",
    "green": "var(--firth-good, #009e73)",
}
WIDEST = 360  # units: the width of a small phone
SMALLEST = 11  # pixels: the smallest letters


def element(name: str, content: str = "", **attributes: object) -> str:
    """One SVG element as a string; `_` in the name of an attribute stands for `-`.

    >>> element("circle", r=3.0, stroke_width=2)
    '<circle r="3" stroke-width="2"/>'
    """
    pairs = "".join(
        f' {key.replace("_", "-")}="{f"{value:.5g}" if isinstance(value, float) else value}"'
        for key, value in attributes.items()
    )
    return f"<{name}{pairs}>{content}</{name}>" if content else f"<{name}{pairs}/>"


def text(
    x: Number, y: Number, words: str, size: int = 13, colour: str = "ink", anchor: str = "middle",
    bold: bool = False, family: str = "inherit",
) -> str:  # fmt: skip
    """SVG of a line of text centred at (x, y), or beginning there if the anchor is "start".

    A size below SMALLEST raises a ValueError. Colours are keys of COLOURS.
    """
    if size < SMALLEST:
        raise ValueError(f"Letters of {size} pixels are too small: take {SMALLEST} or more.")
    return element(
        "text", escape(words), x=x, y=y, font_size=size, fill=COLOURS[colour], text_anchor=anchor,
        dominant_baseline="central", font_weight=600 if bold else 400, font_family=family,
    )  # fmt: skip


def shape(x: Number, y: Number, words: str, anchor: str = "middle", size: int = SMALLEST) -> str:
    """SVG of the shape of a table, as in 5 × 6, in small monospaced letters around (x, y)."""
    return text(x, y, words, size, "soft", anchor, family="ui-monospace, monospace")


def box(
    x: Number, y: Number, width: Number, height: Number, fill: str, line: str, tint: Number = 1
) -> str:
    """SVG of a rounded box centred at (x, y).

    `fill` and `line` are keys of COLOURS, for the area and its border; `tint` is the opacity of
    the area.
    """
    return element(
        "rect", x=x - width / 2, y=y - height / 2, width=width, height=height, rx=5,
        fill=COLOURS[fill], fill_opacity=tint, stroke=COLOURS[line],
    )  # fmt: skip


def token(x: Number, y: Number, word: str, width: Number = 64, strong: bool = False) -> str:
    """SVG of a rounded box with a word, centred at (x, y).

    A strong word is bold and coloured: it is the word that the picture is about.
    """
    colour = "word" if strong else "ink"
    return box(x, y, width, 26, "surface", "line") + text(x, y, word, 14, colour, bold=strong)


def parameters(x: Number, y: Number, letter: str, width: Number = 44, height: Number = 30) -> str:
    """SVG of a gold box for learned numbers, centred at (x, y), with the letter of their matrix."""
    return box(x, y, width, height, "gold", "gold", 0.12) + text(
        x, y, letter, 14, "gold", bold=True
    )


def matrix(
    x: Number, y: Number, rows: Sequence[Sequence[Number]], cell: Number = 16, numbers: bool = False
) -> str:
    """SVG of a table of numbers as coloured cells, centred at (x, y): larger |x|, darker cell.

    Positive numbers are blue, negative ones orange. `cell` is the width of a cell. With
    `numbers`, each cell also holds its number, to one decimal where it is no integer.
    """
    largest = max((abs(value) for row in rows for value in row), default=0) or 1
    left, top = x - len(rows[0]) * cell / 2, y - len(rows) * cell / 2
    parts = []
    for i, row in enumerate(rows):
        for j, value in enumerate(row):
            at = {"x": left + j * cell, "y": top + i * cell}
            parts.append(element(
                "rect", **at, width=cell, height=cell, stroke=COLOURS["line"], stroke_width=0.5,
                fill=COLOURS["orange" if value < 0 else "blue"],
                fill_opacity=round(0.04 + 0.6 * abs(value) / largest, 2),
            ))  # fmt: skip
            if numbers:
                shown = round(value, 1) + 0.0  # no −0.0
                digits = f"{shown:.0f}" if value == round(value) else f"{shown:.1f}"
                middle = at["x"] + cell / 2, at["y"] + cell / 2
                parts.append(text(*middle, digits.replace("-", "−"), min(12, SMALLEST)))
    return "".join(parts)


def bar(x: Number, y: Number, share: Number, length: Number = 90, colour: str = "green") -> str:
    """SVG of a bar from x to the right, at height y, filled up to a share between 0 and 1."""
    whole = {"x": x, "y": y - 6, "height": 12, "rx": 2}
    return element("rect", **whole, width=length, fill=COLOURS["line"], fill_opacity=0.4) + element(
        "rect", **whole, width=length * min(max(share, 0), 1), fill=COLOURS[colour]
    )


def arrow(
    x1: Number, y1: Number, x2: Number, y2: Number, width: Number = 1.5, colour: str = "soft",
    bend: Number = 0.0, head: bool = True,
) -> str:  # fmt: skip
    """SVG of an arrow from (x1, y1) to (x2, y2), or of a line without a head if head=False.

    A positive `bend` curves it to its left. `width` is the thickness of the line, which may
    stand for a weight.
    """
    length = math.hypot(x2 - x1, y2 - y1) or 1
    cx = (x1 + x2) / 2 + bend * (y2 - y1) / length
    cy = (y1 + y2) / 2 - bend * (x2 - x1) / length
    line = element(
        "path", d=f"M{x1:g} {y1:g}Q{cx:g} {cy:g} {x2:g} {y2:g}", fill="none",
        stroke=COLOURS[colour], stroke_width=width, stroke_linecap="round",
    )  # fmt: skip
    if not head:
        return line
    angle, size = math.atan2(y2 - cy, x2 - cx), 5 + width
    wings = [
        (x2 - size * math.cos(angle + turn), y2 - size * math.sin(angle + turn))
        for turn in (0.45, -0.45)
    ]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in [(x2, y2), *wings])
    return line + element("polygon", points=points, fill=COLOURS[colour])


def diagram(
    width: Number, height: Number, alt: str, *parts: str, table: object = None, caption: str = ""
) -> Picture:
    """A Picture for the page that joins the parts, each a string of SVG, in one drawing.

    Width and height are in units. `alt` describes the picture in words for readers who cannot
    see it. A width above WIDEST raises a ValueError.

    >>> diagram(100, 30, "The word zorf stands in a box.", token(50, 15, "zorf"))
    Picture: The word zorf stands in a box.
    """
    if width > WIDEST:
        raise ValueError(f"A diagram of {width} units is too wide for a phone: take {WIDEST}.")
    svg = element(
        "svg", "\n".join(parts), viewBox=f"0 0 {width:g} {height:g}", role="img",
        aria_label=escape(alt), fill="currentColor", font_family="var(--firth-sans, sans-serif)",
        style=f"width:100%;max-width:{1.35 * width:.0f}px",
    )  # fmt: skip
    return Picture(svg, alt, table, caption)
