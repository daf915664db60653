"""The diagrams of chapter 1, drawn from the numbers that they are given."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy import ndarray as Array

from firth.plots.diagrams import (
    COLOURS,
    Number,
    arrow,
    bar,
    diagram,
    element,
    matrix,
    shape,
    text,
    token,
)  # fmt: skip
from firth.plots.pictures import Picture

Point = Sequence[Number] | Array

STEPS = ("counts, with “the”", "weighted", "two directions")


def plane(
    left: Number, bottom: Number, unit: Number, x: str, y: str, size: Point
) -> tuple[Callable, str]:
    """A function that maps a point to its (x, y) in a picture, and the SVG of two named axes.

    The origin lies at (left, bottom). `unit` is the length of 1 in the picture, x and y are the
    names of the axes, and `size` holds the length of each axis in these units.
    """
    wide, high = (unit * side for side in size)
    axes = arrow(left, bottom, left + wide, bottom, 1) + arrow(left, bottom, left, bottom - high, 1)
    axes += text(left + wide, bottom - 12, x, 12, "soft", "end")
    axes += text(left + 6, bottom - high - 2, y, 12, "soft", "start")
    return (lambda point: (left + unit * point[0], bottom - unit * point[1])), axes


def arrows(rows: Mapping[str, Point], strong: str) -> Picture:
    """A picture of words as arrows from the origin; their coordinates are counts of two neighbours.

    `rows` maps each word to its two counts. The arrow of the word `strong` is coloured, and the
    angle between it and the next arrow is marked: the cosine measures it.
    """
    at, parts = plane(40, 190, 62, "poured", "cup", (4, 2.7))
    for word, row in rows.items():
        x, y = at(row)
        colour = "word" if word == strong else "blue"
        parts += arrow(40, 190, x, y, 2.5, colour)
        parts += text(x + 8, y - 10, word, 14, colour, "start", bold=word == strong)
    x, y = np.array([rows[word] for word in rows if word != strong], dtype=float)[0]
    a, b = (np.array(v) / np.hypot(*v) for v in (rows[strong], (x, y)))
    (x1, y1), (x2, y2) = at(1.1 * a), at(1.1 * b)
    parts += arrow(x1, y1, x2, y2, 1.2, "soft", bend=4, head=False)
    parts += text(*np.add(at(1.35 * (a + b) / np.hypot(*(a + b))), (4, 0)), "θ", 13, "soft")
    words = " and ".join(rows)
    alt = f"The rows of {words} as arrows. A small angle lies between {strong} and the next word."
    return diagram(
        320,
        214,
        alt,
        parts,
        caption="A frequent word has a long arrow. Words with similar company point the same way.",
    )


def connections(
    table: Array, words: Sequence[str], neighbours: Sequence[str], path: Sequence[str]
) -> Picture:
    """A picture of words on the left, neighbours on the right, and a line for each count above 0.

    `table` holds the counts, with a row for each word. `path` alternates between words and
    neighbours; the lines between them are coloured.
    """
    left = {word: (52, 26 + 44 * i) for i, word in enumerate(words)}
    right = {word: (300, 18 + 36 * j) for j, word in enumerate(neighbours)}
    steps = {frozenset(step) for step in pairwise(path)}
    lines, marked = [], []
    for i, word in enumerate(words):
        for j, neighbour in enumerate(neighbours):
            on_path = frozenset((word, neighbour)) in steps
            (x1, y1), (x2, y2) = left[word], right[neighbour]
            if table[i, j]:
                colour = "word" if on_path else "blue"
                line = arrow(x1 + 34, y1, x2 - 38, y2, float(table[i, j]), colour, head=False)
                (marked if on_path else lines).append(line)
    boxes = [token(*left[word], word, 68, strong=word == path[0]) for word in words]
    boxes += [token(*right[word], word, 76) for word in neighbours]
    alt = f"Lines join words and their neighbours. One path leads through {', '.join(path)}."
    caption = "A line is as thick as its count. The path joins two words that share no neighbour."
    return diagram(348, 224, alt, *lines, *marked, *boxes, caption=caption)


def blocks(table: Array, U: Array, s: Array, Vt: Array) -> Picture:
    """A picture of a truncated SVD: the table, approximately equal to U times diag(s) times Vᵀ.

    All four are drawn as matrices, with their shapes.
    """
    (n, m), k, cell = table.shape, len(s), 15
    middle, parts, x = 52, [], 8.0
    pieces = ((table, "A", "≈"), (U, "U", "·"), (np.diag(s), "S", "·"), (Vt, "Vᵀ", ""))
    for piece, name, sign in pieces:
        rows, columns = piece.shape
        centre = x + columns * cell / 2
        parts.append(matrix(centre, middle, piece.tolist(), cell))
        parts.append(text(centre, 112, name, 15, bold=True))
        parts.append(shape(centre, 130, f"{rows} × {columns}"))
        x += columns * cell
        if sign:
            parts.append(text(x + 11, middle, sign, 18))
            x += 22
    parts.append(text(x / 2, 150, "words × neighbours ≈ words · strength · neighbours", 11, "soft"))
    alt = f"A table of {n} × {m} numbers is nearly the product of tables of {n} × {k}, {k} × {k} "
    return diagram(x + 8, 164, f"{alt}and {k} × {m}.", *parts)


def before_and_after(
    table: Array, rebuilt: Array, words: Sequence[str], neighbours: Sequence[str]
) -> Picture:
    """A picture of a table above the same table rebuilt from a few directions, with all numbers."""
    cell, left, parts, y = 36, 70, [], 14
    wide, high = cell * len(neighbours), cell * len(words)
    for name, rows in (("before", table), ("after", rebuilt)):
        parts.append(text(4, y, name, 13, anchor="start", bold=True))
        for j, neighbour in enumerate(neighbours):
            parts.append(text(left + (j + 0.5) * cell, y, neighbour, 11, "soft"))
        for i, word in enumerate(words):
            parts.append(text(left - 8, y + 14 + (i + 0.5) * cell, word, 13, anchor="end"))
        parts.append(matrix(left + wide / 2, y + 14 + high / 2, rows.tolist(), cell, numbers=True))
        y += high + 40
    alt = f"A table of {len(words)} × {len(neighbours)} numbers before and after the SVD."
    return diagram(left + wide + 8, y - 20, alt, *parts)


def steps(cosines: Mapping[str, Point], word: str) -> Picture:
    """A picture of bars: cosines of `word` with other words after counting, weighting and the SVD.

    `cosines` maps each other word to three cosines, one after each of these three steps.
    """
    parts, y = [], 14
    for i, step in enumerate(STEPS):
        parts.append(text(4, y, step, 13, anchor="start", bold=True))
        for other, values in cosines.items():
            y += 19
            parts.append(text(74, y, other, 12, anchor="end"))
            parts.append(bar(84, y, values[i], 190, "blue"))
            parts.append(text(282, y, f"{values[i]:.2f}".replace("-", "−"), 12, anchor="start"))
        y += 28
    others = ", ".join(cosines)
    alt = f"Bars for the cosine of {word} with {others}, in three steps: {', '.join(STEPS)}."
    return diagram(320, y - 14, alt, *parts, caption=f"Cosine with {word}")


def sum_of_arrows(
    arrows: Sequence[tuple[str, Point]], others: Mapping[str, Point], name: str
) -> Picture:
    """A picture of a new word's vector as the sum of its neighbours' arrows, beside known words.

    `arrows` holds pairs of a neighbour and its two coordinates, and each arrow begins where the
    last one ended. `others` maps known words to their points, and `name` is the new word.
    """
    ends = np.cumsum([step for _, step in arrows], axis=0)
    points = np.array([*ends, *others.values()], dtype=float)
    unit = 270 / max(points[:, 0].max(), 1.6 * points[:, 1].max())
    at, parts = plane(30, 200, unit, "direction 1", "direction 2", (300 / unit, 172 / unit))
    for (word, _), start, end in zip(arrows, [np.zeros(2), *ends[:-1]], ends, strict=True):
        (x1, y1), (x2, y2) = at(start), at(end)
        parts += arrow(x1, y1, x2, y2, 2.5, "gold")
        parts += text((x1 + x2) / 2, y1 - 13, word, 12, "gold")
    x, y = at(ends[-1])
    parts += text(x + 4, y + 15, name, 14, "word", bold=True)
    for word, point in others.items():
        x, y = at(np.array(point))
        parts += element("circle", cx=float(x), cy=float(y), r=4, fill=COLOURS["blue"])
        parts += text(x + 10, y + 14, word, 13, "blue", "start")
    alt = f"The arrows of {', '.join(word for word, _ in arrows)} laid end to end lead to {name}."
    return diagram(350, 232, alt, parts)


def hidden_word() -> Picture:
    """A picture of the experiment that replaces a word by an invented name in some articles."""
    articles = [
        ("the captain of the", "zib", "left"),
        ("a storm sank the", "zib", "and"),
        ("the", "ship", "sailed from"),
        ("a merchant", "ship", "in"),
    ]
    parts = []
    for i, (before, word, after) in enumerate(articles):
        y = 20 + 34 * i
        parts += [
            text(4, y, f"article {i + 1}", 12, "soft", "start"),
            text(206, y, before, 13, anchor="end"),
            token(234, y, word, 46, strong=word == "zib"),
            text(264, y, after, 13, anchor="start"),
        ]
    alt = "In two articles the name zib stands in the place of the word ship, in two it does not."
    return diagram(350, 142, alt, *parts, caption="The word ship, hidden behind the name zib.")
