"""The diagrams of chapter 4: encoder and decoder, one step of attention, queries, keys, heads."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy import ndarray as Array

from firth.plots.diagrams import (
    Number,
    arrow,
    bar,
    box,
    diagram,
    element,
    matrix,
    parameters,
    shape,
    text,
    token,
)
from firth.plots.pictures import COLOURS, Picture, panels, picture

LETTERS = 13  # pixels: these pictures are 360 wide, and a phone shrinks them by a tenth


def numbers(seed: int) -> Array:
    """Four random numbers between −1 and 1, as an example of a hidden state."""
    return np.random.default_rng(seed).uniform(-1, 1, size=4)


def state(x: Number, y: Number, values: Array) -> str:
    """SVG of a hidden state as coloured cells, one for each value, centred at (x, y)."""
    return matrix(x, y, [values.round(2).tolist()], 13)


def encoder_decoder(
    source: Sequence[str],
    target: Sequence[str],
    weights: Sequence[float] | None = None,
    step: int | None = None,
) -> Picture:
    """A picture of an encoder below, a decoder above, and the context vector between them.

    Without `weights` the last hidden state of the encoder is the context of every step. With
    them, the context of one step, counted from 1, is the mean of all hidden states: a line is as
    thick as the weight of its hidden state.
    """
    below = [(360 * (j + 0.5) / len(source), 218) for j in range(len(source))]
    above = [(360 * (t + 0.5) / len(target), 72) for t in range(len(target))]
    middle, parts = (180, 140), []
    for j, ((x, y), word) in enumerate(zip(below, source, strict=True)):
        parts += [token(x, y + 46, word, 96), arrow(x, y + 32, x, y + 10), state(x, y, numbers(j))]
        parts.append(text(x + 31, y - 12, f"h{'₁₂₃₄₅₆₇₈₉'[j]}", 13, "soft", "start"))
    for t, ((x, y), word) in enumerate(zip(above, target, strict=True)):
        strong = t + 1 == step
        parts += [state(x, y, numbers(20 + t)), arrow(x, y - 10, x, y - 30)]
        parts.append(token(x, y - 44, word, 76, strong=strong))
    for line in (below, above):
        parts += [arrow(a + 30, y, b - 30, y) for (a, y), (b, _) in pairwise(line)]
    if weights is None:
        x, y = below[-1]
        parts.append(arrow(x, y - 10, middle[0] + 30, middle[1] + 6, 2.5, "blue"))
        parts += [arrow(middle[0], middle[1] - 10, x, y + 12, 1, "blue") for x, y in above]
        alt, caption = (
            "only the last hidden state leads to the context vector",
            "One vector for all",
        )
    else:
        for (x, y), weight in zip(below, weights, strict=True):
            thick = 0.5 + 7 * weight
            parts.append(arrow(x, y - 10, middle[0], middle[1] + 12, thick, "blue", head=False))
            parts.append(text(x - 31, y - 14, f"{weight:.2f}", LETTERS, "blue", "end"))
        x, y = above[step - 1]
        parts.append(arrow(middle[0], middle[1] - 10, x, y + 12, 2.5, "blue"))
        alt = "all hidden states lead to the context vector of one word, by lines of unequal width"
        caption = "The context of one step is a weighted mean of all hidden states"
    H = np.array([numbers(j) for j in range(len(source))])
    c = H[-1] if weights is None else np.array(weights) @ H
    parts += [state(*middle, c), text(middle[0] + 34, middle[1], "c", 15, bold=True)]
    parts.append(text(4, 238, "encoder", LETTERS, "soft", "start"))
    parts.append(text(4, 96, "decoder", LETTERS, "soft", "start"))
    alt = f"An encoder reads {' '.join(source)}, a decoder writes {' '.join(target)}; {alt}."
    return diagram(360, 282, alt, *parts, caption=f"{caption}.")


def rows_of(numbers: Sequence[float], columns: int = 16) -> list[list[float]]:
    """The numbers as rows of a table with so many columns."""
    return [list(numbers[i : i + columns]) for i in range(0, len(numbers), columns)]


def decoder_step(stored: dict, step: int) -> Picture:
    """A picture of the six parts of one step of a decoder, from a stored translation.

    `stored` has the keys "source" and "steps"; `step` is an index in the steps. Hidden state,
    context, weights and probabilities are the numbers that were stored.
    """
    now, last = stored["steps"][step], stored["steps"][step - 1]["word"]
    said = " ".join(part["word"] for part in stored["steps"][:step])
    names = ("last word", "recurrent net", "attention", "concatenate", "layer", "output")
    heights, tops, y = (44, 54, 78, 78, 44, 72), [], 8
    for height in heights:
        tops.append(y)
        y += height
    middle, parts = 238, []
    for i, (top, height, name) in enumerate(zip(tops, heights, names, strict=True), start=1):
        parts.append(text(4, top + height / 2 - 8, f"{i}  {name}", 13, anchor="start", bold=True))
        if i < 6:
            parts.append(arrow(middle, top + height - 16, middle, top + height + 2))
    parts.append(token(middle, tops[0] + 13, last, 60))
    parts.append(parameters(176, tops[1] + 16, "RNN", 42))
    parts.append(matrix(276, tops[1] + 16, rows_of(now["state"]), 9))
    parts.append(text(354, tops[1] + 16, "s", 14))
    for j, (word, weight) in enumerate(zip(stored["source"], now["weights"], strict=True)):
        line = tops[2] + 8 + 20 * j
        parts.append(text(206, line, word, 13, "word" if weight > 0.5 else "ink", "end"))
        parts.append(bar(214, line, weight, 100, "blue"))
        parts.append(text(320, line, f"{weight:.2f}", LETTERS, anchor="start"))
    both = [*rows_of(now["state"]), *rows_of(now["context"])]
    parts.append(matrix(276, tops[3] + 26, both, 9))
    parts.append(text(354, tops[3] + 16, "s", 14))
    parts.append(text(354, tops[3] + 36, "c", 14))
    parts.append(parameters(middle, tops[4] + 13, "tanh of a matrix", 130))
    for k, (word, share) in enumerate(now["probabilities"].items()):
        line = tops[5] + 8 + 20 * k
        parts.append(text(206, line, word, 13, anchor="end", bold=k == 0))
        parts.append(bar(214, line, share, 100))
        parts.append(text(320, line, f"{share:.2f}", LETTERS, anchor="start"))
    alt = f"Six parts of a step. After {said}, the decoder attends to the word with the largest "
    alt += f"weight and writes {now['word']}."
    caption = f"{' '.join(stored['source'])} → {said} … The decoder writes the next word."
    return diagram(360, y - 4, alt, *parts, caption=caption)


def named(x: Number, y: Number, name: str, colour: str = "ink") -> str:
    """SVG of a name such as W_Q or W_Qᵀ, centred at (x, y), with what follows `_` lowered."""
    letter, _, low = name.partition("_")
    after = element("tspan", low[1:], dy=-4) if low[1:] else ""
    low = element("tspan", low[:1], dy=4, font_size=LETTERS) + after if low else ""
    return text(x, y, "@", 14, colour, bold=True).replace("@", letter + low)


def sheet(
    x: Number, y: Number, width: Number, height: Number, name: str, size: str, gold: bool = False
) -> str:
    """SVG of a matrix as a tinted box with its name, and its shape below; learned ones are gold."""
    colour = "gold" if gold else "blue"
    return (
        box(x, y, width, height, colour, colour, 0.15)
        + named(x, y, name, colour if gold else "ink")
        + shape(x, y + height / 2 + 10, size, size=LETTERS)
    )


def query_key_value(n: int, d: int, d_k: int, d_v: int) -> Picture:
    """A picture of attention for n words as products of matrices, each with its shape."""
    parts, y = [], 40
    for letter, width in (("Q", d_k), ("K", d_k), ("V", d_v)):
        parts += [
            sheet(62, y, 92, 46, "X", f"{n} × {d}"),
            text(122, y, "·", 18),
            sheet(172, y, 64, 46, f"W_{letter}ᵀ", f"{d} × {width}", gold=True),
            text(226, y, "=", 18),
            sheet(284, y, 64, 46, letter, f"{n} × {width}"),
        ]
        y += 76
    parts += [
        text(4, y - 6, "softmax of", LETTERS, "soft", "start"),
        sheet(40, y + 34, 56, 46, "Q Kᵀ", f"{n} × {n}"),
        text(78, y + 34, "/ √", 16),
        text(98, y + 35, "dₖ", 14),
        text(118, y + 34, "=", 18),
        sheet(160, y + 34, 50, 46, "A", f"{n} × {n}"),
        text(198, y + 34, "·", 18),
        sheet(240, y + 34, 56, 46, "V", f"{n} × {d_v}"),
        text(282, y + 34, "=", 18),
        sheet(324, y + 34, 56, 46, "Y", f"{n} × {d_v}"),
    ]
    alt = f"X times three learned matrices gives Q, K and V. Q times K gives {n} × {n} weights A. "
    return diagram(360, y + 76, f"{alt}A times V is the output.", *parts)


def heads(n: int = 6, d: int = 512, number: int = 8) -> Picture:
    """A picture of several heads: each reads all of X with its own matrices, and W_O joins them."""
    d_k, parts = d // number, [sheet(180, 30, 340, 30, "X", f"{n} × {d}")]
    words = np.arange(4)
    maps = (np.eye(4), np.eye(4, k=-1) + 0.1, 1 / (1 + abs(words[:, None] - words[::-1])))
    for i, (x, name) in enumerate(((62, "head 1"), (180, "head 2"), (298, f"head {number}"))):
        parts += [
            arrow(x, 66, x, 84),
            text(x, 94, name, 13, bold=True),
            box(x, 136, 108, 62, "gold", "gold", 0.12),
            *(
                named(x + side, 120, f"W_{letter}", "gold")
                for side, letter in ((-30, "Q"), (0, "K"), (30, "V"))
            ),
            shape(x, 138, f"each {d_k} × {d}", size=LETTERS),
            text(x, 156, "its own", LETTERS, "soft"),
            arrow(x, 170, x, 184),
            matrix(x, 212, maps[i].tolist(), 12),
            arrow(x, 240, x, 256),
            sheet(x, 272, 60, 26, f"Y{'₁₂₈'[i]}", f"{n} × {d_k}"),
            arrow(x, 300, 180 + (x - 180) * 0.9, 318),
        ]
    parts += [text(239, 136, "…", 18), text(239, 272, "…", 18)]
    parts += [
        sheet(180, 336, 340, 26, f"Y₁  Y₂  …  Y{'₀₁₂₃₄₅₆₇₈₉'[number]}", f"{n} × {d}"),
        arrow(180, 368, 180, 380),
        sheet(180, 396, 80, 30, "W_Oᵀ", "", gold=True),
        arrow(180, 412, 180, 424),
        sheet(180, 442, 340, 26, "output", f"{n} × {d}"),
    ]
    alt = f"{number} heads read the whole of X. Their results stand side by side and are mixed."
    return diagram(360, 474, alt, *parts)


def kernel_regression(
    keys: Array, values: Array, query: float, widths: tuple[float, float, float]
) -> Picture:
    """A picture of a curve through points, as a mean of their values weighted by nearness.

    The curve is drawn for three widths of the kernel. The points are as large as their weights
    for the query with the second width.
    """

    def weights(x: Array, width: float) -> Array:
        scores = -0.5 * ((x[:, None] - keys) / width) ** 2
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        return shares / shares.sum(axis=1, keepdims=True)

    figure, axes = panels(height=3.2)
    x = np.linspace(keys.min(), keys.max(), 200)
    for width, name in zip(widths, ("grey", "blue", "gold"), strict=True):
        line = "-" if name == "blue" else "--"
        axes.plot(x, weights(x, width) @ values, line, color=COLOURS[name], label=f"b = {width:g}")
    a = weights(np.array([query]), widths[1])[0]
    axes.scatter(keys, values, 30 + 400 * a, color=COLOURS["blue"], alpha=0.6, lw=0)
    for key, value, weight in zip(keys, values, a, strict=True):
        axes.annotate(f"{weight:.2f}", (key, value), (0, 12), textcoords="offset points",
                      ha="center", fontsize=12)  # fmt: skip
    axes.axvline(query, color=COLOURS["orange"], lw=1)
    axes.plot(query, a @ values, "D", color=COLOURS["orange"])
    axes.set(xlabel="hour of the day (key)", ylabel="temperature (value)", xticks=keys)
    axes.set_ylim(min(values) - 2, max(values) + 4)
    axes.legend(loc="lower center")
    alt = "Six temperatures, the nearest two are largest; curves for three widths run among them."
    caption = "Numbers: the weights for the query, the orange line. The diamond is the answer."
    return picture(figure, alt, caption=caption)
