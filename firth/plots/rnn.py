"""The diagrams of chapter 3: recurrent networks, unrolled in time.

Words and other inputs are plain boxes, parameters gold, hidden states blue and outputs green.
"""

from collections.abc import Sequence

from matplotlib.axes import Axes
from numpy import ndarray as Array

from firth.plots import pictures
from firth.plots.diagrams import (
    COLOURS,
    Number,
    arrow,
    box,
    diagram,
    element,
    parameters,
    text,
    token,
)  # fmt: skip
from firth.plots.pictures import Picture

KINDS = (  # a name, an example in two lines, the steps with an input, the steps with an output
    ("one-to-many", "the start of a name", "gives its next letters", (0,), (0, 1, 2, 3)),
    ("many-to-one", "the words of a review", "give one class", (0, 1, 2, 3), (3,)),
    ("many-to-many", "each word of a text", "gives the next word", (0, 1, 2, 3), (0, 1, 2, 3)),
)
PAPER = "var(--firth-paper, Canvas)"  # what lies below a box that hides a line
SYMBOLS = (
    "ABCD"  # of the recall task; the hand of the clock turns by a quarter from each to the next
)


def symbol(
    x: Number, y: Number, letter: str, index: str = "", colour: str = "ink", size: int = 15
) -> str:
    """SVG of a letter with a subscript `index`, centred at (x, y), in a colour such as "ink"."""
    below = element("tspan", index, dy=4, font_size=12, font_style="normal") if index else ""
    return element(
        "text", letter + below, x=x, y=y, font_size=size, fill=COLOURS[colour], font_style="italic",
        text_anchor="middle", dominant_baseline="central",
    )  # fmt: skip


def hidden_state(x: Number, y: Number, index: str, width: Number = 36, letter: str = "h") -> str:
    """SVG of a blue box for a hidden state, centred at (x, y), with its letter and subscript."""
    return box(x, y, width, 30, "blue", "blue", 0.22) + symbol(x, y - 1, letter, index)


def weights(x: Number, y: Number, letter: str) -> str:
    """SVG of a small gold box for a matrix that is used at every step, centred at (x, y)."""
    ground = element("rect", x=x - 10, y=y - 10, width=20, height=20, fill=PAPER)
    return ground + parameters(x, y, letter, 20, 20)


def input_path(x: Number, y: Number, low: Number) -> list[str]:
    """A list of SVG parts: an arrow from an input at height `low` through W to a state at y."""
    middle = (y + low) / 2
    line = arrow(x, low - 14, x, middle + 10, head=False)
    return [line, arrow(x, middle - 10, x, y + 16), weights(x, middle, "W")]


def unrolled(words: Sequence[str]) -> Picture:
    """A picture of a recurrent network with its loop, beside the same network once for each word.

    The letters are those of h_t = tanh(W x_t + U h_{t−1} + b); the bias b is not drawn.
    """
    y, low, left = 66, 148, 34
    parts = [
        element("path", d=f"M{left + 18} {y}H74V20H{left}V{y - 24}", fill="none",
                stroke=COLOURS["soft"], stroke_width=1.5, stroke_linejoin="round"),
        arrow(left, y - 24, left, y - 16), hidden_state(left, y, "t"), weights(54, 20, "U"),
        *input_path(left, y, low), token(left, low, "", 36), symbol(left, low - 1, "x", "t"),
        text(80, 20, "d × d", 12, "soft", "start"), text(58, y + 12, "d", 12, "soft", "start"),
        text(48, 107, "d × e", 12, "soft", "start"), text(56, low, "e", 12, "soft", "start"),
        text(left, 184, "the loop", 12, "soft"),
    ]  # fmt: skip
    wide = 210 / len(words)
    places = [348 - wide * (len(words) - n - 0.5) for n in range(len(words))]
    before = places[0] - max(wide, 66)
    parts.append(hidden_state(before, y, "0", 32))
    for n, (word, x) in enumerate(zip(words, places, strict=True), start=1):
        middle = (before + x) / 2
        parts += [
            arrow(before + 17, y, middle - 10, y, head=False), weights(middle, y, "U"),
            arrow(middle + 10, y, x - 17, y), hidden_state(x, y, str(n), 34),
            *input_path(x, y, low), token(x, low, word, min(60, wide - 8)),
        ]  # fmt: skip
        before = x
    middle = (places[0] + places[-1]) / 2
    parts.append(text(middle, 184, "unrolled: the same W and U at every step", 12, "soft"))
    steps = ", ".join(words)
    alt = (
        f"A network whose hidden state feeds back into it, and the same network unrolled: {steps}."
    )
    return diagram(350, 198, alt, *parts)


def sequence_kinds() -> Picture:
    """A picture of three uses of a recurrent network: which steps have an input or an output."""
    parts = []
    for row, (name, first, second, inputs, outputs) in enumerate(KINDS):
        top = 18 + 128 * row
        parts += [
            text(4, top + 24, name, 14, anchor="start", bold=True),
            text(4, top + 44, first, 12, "soft", "start"),
            text(4, top + 60, second, 12, "soft", "start"),
        ]
        for n in range(4):
            x = 170 + 52 * n
            parts.append(box(x, top + 42, 28, 22, "blue", "blue", 0.22))
            if n < 3:
                parts.append(arrow(x + 14, top + 42, x + 37, top + 42))
            if n in inputs:
                parts += [box(x, top + 84, 28, 22, "surface", "line")]
                parts += [arrow(x, top + 73, x, top + 54)]
            if n in outputs:
                parts += [box(x, top, 28, 22, "green", "green", 0.3)]
                parts += [arrow(x, top + 31, x, top + 12)]
            if n in outputs and n + 1 < 4 and n + 1 not in inputs:  # read at the next step
                parts += [arrow(x + 15, top + 3, x + 42, top + 30, 1.2, "green", bend=-3)]
    key = [("surface", "line", 1, "input"), ("blue", "blue", 0.22, "hidden state")]
    key += [("green", "green", 0.3, "output")]
    for (fill, line, tint, name), x in zip(key, (18, 98, 220), strict=True):
        parts += [
            box(x, 392, 20, 16, fill, line, tint),
            text(x + 16, 392, name, 12, anchor="start"),
        ]
    alt = "Three recurrent networks of four steps: one-to-many, many-to-one and many-to-many."
    return diagram(350, 406, alt, *parts)


def one_unit(words: Sequence[str], h: Sequence[Number], factors: Sequence[Number]) -> Picture:
    """A picture of one unit that reads words, darker where its hidden state h is larger.

    `factors` holds ∂h_t/∂h_{t−1} for every step but the first; the arrows back carry them.
    """
    wide, y, parts = 342 / len(words), 92, []
    places = [4 + wide * (n + 0.5) for n in range(len(words))]
    for n, (x, word, value) in enumerate(zip(places, words, h, strict=True)):
        parts += [
            box(x, y, 44, 34, "blue", "blue", round(0.05 + 0.6 * abs(value), 2)),
            text(x, y, f"{value:.2f}".replace("-", "−"), 14, bold=n == 0),
            arrow(x, 136, x, y + 19), token(x, 150, word, min(66, wide - 6), strong=n == 0),
        ]  # fmt: skip
        if n:
            parts += [
                arrow(places[n - 1] + 22, y, x - 23, y),
                arrow(x - 6, y - 20, places[n - 1] + 6, y - 20, 1.5, "orange", bend=-16),
                text((x + places[n - 1]) / 2, 50, f"× {factors[n - 1]:.2f}", 13, "orange"),
            ]
    parts.append(text(175, 18, "backward: what the gradient is multiplied by", 12, "orange"))
    parts.append(text(175, 182, "forward: the hidden state after each word", 12, "blue"))
    alt = f"One unit reads {', '.join(words)}: its hidden state fades, and so does the gradient."
    return diagram(350, 196, alt, *parts)


def bidirectional(words: Sequence[str], strong: str) -> Picture:
    """A picture of two networks, one reading from the left and one from the right.

    The arrows that reach the word `strong` are blue: its two hidden states together know the
    words before it and those after it.
    """
    wide, forward, backward, parts = 280 / len(words), 116, 74, []
    places = [68 + wide * (n + 0.5) for n in range(len(words))]
    centre = words.index(strong)
    for n, (x, word) in enumerate(zip(places, words, strict=True)):
        parts += [
            arrow(x - 12, 150, x - 12, forward + 15), arrow(x + 16, 150, x + 16, backward + 15),
            box(x - 12, forward, 32, 26, "blue", "blue", 0.22),
            box(x + 12, backward, 32, 26, "blue", "blue", 0.22),
            token(x, 164, word, min(66, wide - 8), strong=n == centre),
        ]  # fmt: skip
        if n:
            before, (there, back) = places[n - 1], (n <= centre, n > centre)
            style = {True: (2.5, "blue"), False: (1.5, "soft")}
            parts += [arrow(before + 4, forward, x - 29, forward, *style[there])]
            parts += [arrow(x - 4, backward, before + 29, backward, *style[back])]
    x = places[centre]
    parts += [
        text(4, forward, "forward →", 12, "soft", "start"),
        text(4, backward, "← backward", 12, "soft", "start"),
        arrow(x + 12, backward - 14, x + 12, 38), arrow(x - 16, forward - 14, x - 16, 38),
        box(x, 24, 66, 26, "green", "green", 0.3), text(x, 24, "both", 13),
    ]  # fmt: skip
    alt = (
        f"Two networks read {' '.join(words)}, one forward and one backward, and meet at {strong}."
    )
    return diagram(350, 182, alt, *parts)


def clock(first: int, answers: str, kept: str, trained: int = 50) -> Picture:
    """A picture of what two trained networks answer at several lengths, as the hands of clocks.

    `answers` holds the plain network's answer after `first` symbols, after one more, and so on;
    `kept` holds those of the LSTM. The right answer is A; the length of the training is framed.
    """
    wide, parts = 342 / len(answers), []
    rows = (("plain network", answers, 40), ("LSTM", kept, 118))
    for name, given, y in rows:
        parts.append(text(6, y - 24, name, 13, anchor="start", bold=True))
        for n, answer in enumerate(given):
            x, colour = 4 + wide * (n + 0.5), "green" if answer == "A" else "orange"
            at = f"rotate({90 * SYMBOLS.index(answer)} {x:g} {y})"
            hand = element("path", d=f"M{x:g} {y}V{y - 8}", stroke=COLOURS[colour], stroke_width=2,
                           stroke_linecap="round", transform=at)  # fmt: skip
            ring = element("circle", cx=x, cy=y, r=10, fill="none", stroke=COLOURS["line"])
            parts += [ring, hand, text(x, y + 20, answer, 13, colour, bold=answer == "A")]
    for n in range(len(answers)):
        if (first + n) % 2 == 0:
            parts.append(text(4 + wide * (n + 0.5), 160, str(first + n), 12, "soft"))
    frame = 4 + wide * (trained - first + 0.5)
    parts.append(element("rect", x=frame - wide / 2, y=26, width=wide, height=142, rx=5,
                         fill="none", stroke=COLOURS["ink"], stroke_width=1.5))  # fmt: skip
    parts.append(text(175, 184, "symbols before the question; framed: the training", 12, "soft"))
    alt = (
        f"Answers after {first} to {first + len(answers) - 1} symbols. Plain network: {answers}; "
        f"LSTM: {kept}. The right answer is A."
    )
    return diagram(350, 196, alt, *parts)


def gradient_lines(axes: Axes, norms: Array, colour: str, label: str) -> Axes:
    """The Axes with a thin line for each row of `norms`: a gradient's norm against distance.

    Row r holds ‖∂h_T/∂h_t‖ of network r for T − t = 0, 1, 2 …, so that 1 is the first number. The
    colour is a key of `pictures.COLOURS`, and the label names all the lines together.
    """
    for n, row in enumerate(norms):
        name = label if n == 0 else None
        axes.plot(row, color=pictures.COLOURS[colour], lw=0.8, alpha=0.5, label=name)
    axes.set_yscale("log")
    return axes
