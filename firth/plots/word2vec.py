"""The diagrams of chapter 2: word2vec as a network, its pairs, its two matrices, and its heirs."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float
from numpy import ndarray as Array

from firth.plots.diagrams import (
    COLOURS,
    Number,
    arrow,
    box,
    diagram,
    element,
    matrix,
    parameters,
    text,
    token,
)
from firth.plots.pictures import Picture

CELLS = 4  # drawn for the d numbers of a vector
SCORES = 9  # drawn for the n scores


def shape(x: Number, y: Number, words: str, anchor: str = "middle") -> str:
    """SVG of the shape of a table, in letters that are large enough on a phone at this width."""
    return text(x, y, words, 12, "soft", anchor, family="ui-monospace, monospace")


def value_cells(x: Number, y: Number, rows: int, columns: int, seed: int, cell: Number = 14) -> str:
    """SVG of a table of random numbers that stand for hidden values, centred at (x, y)."""
    values = np.random.default_rng(seed).uniform(-1, 1, (rows, columns))
    return matrix(x, y, values.round(2).tolist(), cell)


def probability_bars(x: Number, y: Number, width: Number) -> str:
    """SVG of a row of bars for probabilities, centred at (x, y); the fourth bar is the largest."""
    heights = np.array([3, 6, 2, 24, 4, 3, 7, 2, 4])
    step = width / SCORES
    return "".join(
        element(
            "rect", x=float(x - width / 2 + i * step + 1), y=float(y + 12 - height),
            width=float(step - 2), height=float(height), fill=COLOURS["green"],
        )
        for i, height in enumerate(heights)
    )  # fmt: skip


def network_parts(x: Number, given: Sequence[str], wanted: Sequence[str], mean: bool) -> str:
    """SVG of one network from top to bottom, centred at x, from input words to probabilities.

    `given` holds the input words and `wanted` the words to predict. With `mean`, their vectors are
    averaged, as in CBOW.
    """
    parts, c = [], len(given)
    spread = 84 * (np.arange(c) - (c - 1) / 2)
    targets = 84 * (np.arange(len(wanted)) - (len(wanted) - 1) / 2)
    for dx, word in zip(spread.tolist(), given, strict=True):
        parts += [arrow(x + dx, 75, x + 0.4 * dx, 98), token(x + dx, 62, word, 74)]
    parts += [shape(x + 34, 88, f"{c} ids" if c > 1 else "1 id", "start")]
    parts += [parameters(x, 114, "V", 96), shape(x + 54, 114, "n × d", "start")]
    parts += [arrow(x, 129, x, 151), shape(x + 8, 140, f"{c} × d", "start")]
    parts += [value_cells(x, 152 + 7 * c, c, CELLS, seed=1)]
    top = 154 + 14 * c
    if mean:
        parts += [arrow(x, top, x, 206), shape(x + 8, (top + 206) / 2 - 1, "mean: d", "start")]
        parts += [
            value_cells(x, 214, 1, CELLS, seed=2),
            text(x - 40, 214, "h", 14, "blue", bold=True),
        ]
    else:
        parts += [text(x - 40, 159, "v", 14, "blue", bold=True)]
    parts += [arrow(x, 222 if mean else top, x, 244)]
    parts += [shape(x + 8, 233, "d", "start"), parameters(x, 260, "U", 96)]
    parts += [shape(x + 54, 260, "n × d", "start"), arrow(x, 275, x, 297)]
    parts += [shape(x + 8, 286, "n scores", "start"), value_cells(x, 305, 1, SCORES, seed=3)]
    parts += [arrow(x, 313, x, 336), text(x + 8, 324, "softmax", 12, "soft", "start")]
    parts += [probability_bars(x, 352, 14 * SCORES), shape(x, 376, "n probabilities")]
    for dx, word in zip(targets.tolist(), wanted, strict=True):
        parts += [arrow(x + 0.4 * dx, 385, x + dx, 404), token(x + dx, 418, word, 74, strong=True)]
    return "".join(parts)


def cbow_and_skip_gram(centre: str, neighbours: tuple[str, str]) -> Picture:
    """A picture of the two networks beside each other, with the shape of the values at each arrow.

    CBOW predicts the centre word from its two neighbours, skip-gram the neighbours from the word.
    """
    parts = []
    for x, name, task in ((84, "CBOW", "predicts the centre word"), (262, "Skip-gram", "")):
        parts.append(text(x, 14, name, 15, bold=True))
        parts.append(text(x, 34, task or "predicts the context words", 12, "soft"))
    parts.append(network_parts(88, neighbours, [centre], mean=True))
    parts.append(network_parts(272, [centre], neighbours, mean=False))
    given = " and ".join(neighbours)
    alt = (
        f"Two networks from top to bottom. CBOW takes the rows of V of {given}, averages them, "
        f"multiplies the mean by U and predicts {centre} with a softmax over n words. Skip-gram "
        f"takes the row of V of {centre}, multiplies it by U and predicts {given}."
    )
    caption = "Gold: the parameters V and U. Blue and orange cells: values. Green: probabilities."
    return diagram(352, 436, alt, *parts, caption=caption)


def sliding_window(words: Sequence[str], m: int, centres: Sequence[int]) -> Picture:
    """A picture of a sentence with a window of m words on each side, and its pairs as boxes.

    `centres` holds the positions of the centre words, one line of the picture for each.
    """
    letter = (344 - 20 * len(words)) / sum(map(len, words))
    widths = np.array([20 + letter * len(word) for word in words])
    ends = 4 + np.cumsum(widths)
    parts, y = [], 4
    for centre in centres:
        near = [j for j in range(len(words)) if 0 < abs(j - centre) <= m]
        left, right = min([centre, *near]), max([centre, *near])
        begin, end = float(ends[left] - widths[left]), float(ends[right])
        parts.append(box((begin + end) / 2, y + 18, end - begin, 36, "blue", "blue", 0.12))
        for j, word in enumerate(words):
            wide = float(widths[j])
            place = float(ends[j]) - wide / 2, y + 18
            parts.append(token(*place, word, wide - 8, strong=j == centre))
        x, y = 4.0, y + 55
        for j in near:
            pair = f"{words[centre]}, {words[j]}"
            wide = 10 + 6.5 * len(pair)
            if x + wide > 349:
                x, y = 4.0, y + 26
            parts.append(box(x + wide / 2, y, wide, 22, "surface", "line"))
            parts.append(text(x + wide / 2, y, pair, 12))
            x += wide + 4
        y += 28
    named = ", ".join(words[centre] for centre in centres)
    alt = f"A window of {m} words on each side moves over a sentence. Its centres are {named}. "
    alt += "Each centre word forms a pair with each of the words in its window."
    caption = "Each small box is a training pair: the centre word, and a context word."
    return diagram(352, y - 10, alt, *parts, caption=caption)


def two_matrices(
    V: Float[Array, "n d"], U: Float[Array, "n d"], words: Sequence[str], word: str, context: str
) -> Picture:
    """A picture of V and U with a row for each word, and of the one-hot vector that picks a row.

    The row of `word` in V and the row of `context` in U are marked; their dot product is a score.
    """
    n, d, cell, top = len(words), V.shape[1], 20, 86
    i, j = words.index(word), words.index(context)
    left, right = 66 + d * cell / 2, 292 - d * cell / 2
    height = n * cell
    hot = [[float(row == i) for row in range(n)]]
    parts = [text(4, 14, f"one-hot vector of {word}, times V", 13, anchor="start")]
    parts += [matrix(66 + 11 * n, 36, hot, 22)]
    parts += [text(77 + 22 * row, 36, f"{value:.0f}", 12) for row, value in enumerate(hot[0])]
    parts += [shape(74 + 22 * n, 36, "1 × n", "start")]
    parts += [text(left, 72, "V: word vectors", 13, bold=True)]
    parts += [text(right, 72, "U: context vectors", 13, bold=True)]
    for x, X in ((left, V), (right, U)):
        parts.append(matrix(x, top + height / 2, X.tolist(), cell))
        parts.append(shape(x, top + height + 12, "n × d"))
    for row, name in enumerate(words):
        y = top + (row + 0.5) * cell
        parts.append(text(60, y, name, 12, "word" if row == i else "ink", "end", bold=row == i))
        colour = "blue" if row == j else "ink"
        parts.append(text(298, y, name, 12, colour, "start", bold=row == j))
    low = top + height + 52
    for x, X, row, colour, letter in ((left, V, i, "word", "v"), (right, U, j, "blue", "u")):
        y = top + (row + 0.5) * cell
        frame = {"x": x - d * cell / 2, "y": y - cell / 2, "width": d * cell, "height": cell}
        style = {"fill": "none", "stroke": COLOURS[colour], "stroke_width": 3}
        parts.append(element("rect", **frame, **style))
        parts.append(arrow(x, top + height + 20, x, low - 12))
        parts.append(matrix(x, low, X[[row]].tolist(), cell))
        parts.append(text(x, low + 22, f"{letter} of {words[row]}", 13, colour, bold=True))
    parts += [
        text(179, low, "·", 26, bold=True),
        text(179, low + 62, "score = u · v, one number", 13),
    ]
    parts += [shape(left, low + 40, "1 × d"), shape(right, low + 40, "1 × d")]
    alt = (
        f"Two matrices with {n} rows, one for each word: V with the word vectors and U with the "
        f"context vectors. The one-hot vector of {word} picks the row of {word} from V. The dot "
        f"product of this row and the row of {context} in U is the score of the pair."
    )
    caption = "A one-hot vector times V is a row of V, so a program just reads the row."
    return diagram(352, low + 74, alt, *parts, caption=caption)


def contrastive_learning(first: Sequence[str], second: Sequence[str]) -> Picture:
    """A picture of a batch of pairs, two encoders, and the table of all scores between them.

    Item i of `first` belongs to item i of `second`: these pairs lie on the diagonal, and all
    others in the batch serve as negatives.
    """
    n, cell = len(first), 48
    left, top = 158, 134
    parts = []
    middle = top + n * cell / 2
    across = left + n * cell / 2
    for i, (one, other) in enumerate(zip(first, second, strict=True)):
        y, x = top + (i + 0.5) * cell, left + (i + 0.5) * cell
        parts += [box(34, y, 60, 26, "surface", "line"), text(34, y, one, 12)]
        parts += [box(x, 20, cell - 3, 26, "surface", "line"), text(x, 20, other, 12)]
        parts += [arrow(65, y, 76, y)]
        parts += [arrow(x, 34, x, 46), arrow(x, 80, x, 90)]
        parts += [arrow(110, y, 120, y)]
        parts += [matrix(136, y, [[0.4 - 0.2 * i, 0.3 * i - 0.5]], 13)]
        parts += [matrix(x, 106, [[0.5 - 0.3 * i], [0.2 * i - 0.3]], 13)]
        for j in range(n):
            place = (left + (j + 0.5) * cell, y)
            positive = i == j
            colour = "green" if positive else "line"
            parts.append(box(*place, cell - 4, cell - 4, colour, colour, 0.85 if positive else 0.3))
            sign, ink = ("+", "surface") if positive else ("−", "ink")
            parts.append(text(*place, sign, 20, ink, bold=positive))
    parts += [box(93, middle, 30, n * cell - 8, "gold", "gold", 0.12)]
    parts += [box(across, 63, n * cell - 8, 30, "gold", "gold", 0.12)]
    parts += [text(across, 63, "encoder", 13, "gold", bold=True)]
    upright = text(93, middle, "encoder", 13, "gold", bold=True)
    parts += [element("g", upright, transform=f"rotate(-90 93 {middle:g})")]
    parts += [
        shape(136, top + n * cell + 12, "b × d"),
        shape(across, top + n * cell + 12, "b × b scores"),
    ]
    alt = (
        f"A batch of {n} pairs: {first[0]} belongs to {second[0]}, and so on. Two encoders give "
        "each item a vector. A table holds the score of each vector on the left with each at the "
        "top. The pairs on its diagonal should have high scores, all others low ones."
    )
    caption = (
        "Plus: the pairs of the batch. Minus: all other combinations, which are the negatives."
    )
    return diagram(352, top + n * cell + 26, alt, *parts, caption=caption)
