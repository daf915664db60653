"""Pictures of the LSTM and the GRU, built up piece by piece.

Each function draws the cell up to a part; the arrows that this part adds are in the colour of a
word in question. Gold boxes have parameters, and a circle combines two vectors cell by cell.
"""

from firth.plots.diagrams import COLOURS, Number, arrow, box, diagram, element, parameters, text
from firth.plots.pictures import Picture
from firth.plots.rnn import PAPER, hidden_state, symbol

LSTM_PARTS = (
    "The cell state goes straight from one step to the next.",
    "The forget gate f scales what the cell state keeps.",
    "The input gate i scales the candidate g before it is added.",
    "The output gate o scales what the hidden state shows.",
)
GRU_PARTS = (
    "The update gate z scales what the hidden state keeps.",
    "The candidate n gets the remaining share, 1 − z.",
    "The reset gate r scales what the candidate sees of the past.",
)
PATH = 36  # height of the cell state's path in the picture


def operation(x: Number, y: Number, sign: str) -> str:
    """SVG of a circle centred at (x, y) with the sign of an operation on two vectors."""
    circle = element("circle", cx=x, cy=y, r=11, fill=PAPER,
                     stroke=COLOURS["blue"], stroke_width=1.5)  # fmt: skip
    return circle + text(x, y, sign, 16, "blue", bold=True)


def gate(x: Number, y: Number, letter: str, name: str) -> str:
    """SVG of a gold box for a gate or a candidate, centred at (x, y), with its name below."""
    gold = parameters(x, y, "", 40, 28) + symbol(x, y - 1, letter, "t", "gold")
    return gold + text(x, y + 23, name, 12, "soft")


def path(letter: str) -> str:
    """SVG of the thick blue path from a state at t − 1 to the same state at t."""
    line = element("path", d=f"M46 {PATH}H300", stroke=COLOURS["blue"], stroke_width=4)
    head = arrow(296, PATH, 306, PATH, 4, "blue")
    return (
        line
        + head
        + hidden_state(26, PATH, "t−1", 44, letter)
        + hidden_state(326, PATH, "t", 36, letter)
    )


def lstm_cell(part: int = len(LSTM_PARTS)) -> Picture:
    """A picture of the LSTM up to a part: 1 cell state, 2 forget, 3 input, 4 output gate."""
    if not 1 <= part <= len(LSTM_PARTS):
        raise ValueError(f"The LSTM has the parts 1 to {len(LSTM_PARTS)}, not {part}.")
    new = ["word" if part == n else "soft" for n in range(5)]
    drawn = [path("c")]
    if part >= 2:
        drawn += [
            hidden_state(26, 168, "t−1", 44), box(26, 204, 44, 28, "surface", "line"),
            symbol(26, 203, "x", "t"),
            arrow(78, 178, 78, 154, 1.5, new[2]), gate(78, 122, "f", "forget"),
            arrow(78, 107, 78, PATH + 12, 1.5, new[2]), operation(78, PATH, "×"),
        ]  # fmt: skip
    if part >= 3:
        drawn += [
            arrow(134, 178, 134, 154, 1.5, new[3]), gate(134, 122, "i", "input"),
            arrow(190, 178, 190, 154, 1.5, new[3]), gate(190, 122, "g", "candidate"),
            arrow(138, 107, 154, 87, 1.5, new[3]), arrow(186, 107, 170, 87, 1.5, new[3]),
            arrow(162, 69, 162, PATH + 12, 1.5, new[3]), operation(162, 79, "×"),
            operation(162, PATH, "+"),
        ]  # fmt: skip
    if part >= 4:
        drawn += [
            arrow(248, 178, 248, 154, 1.5, new[4]), gate(248, 122, "o", "output"),
            arrow(290, PATH, 290, 60, 1.5, new[4]), box(290, 70, 40, 18, "surface", "line"),
            text(290, 69, "tanh", 12),
            arrow(290, 79, 290, 95, 1.5, new[4]), arrow(269, 115, 279, 110, 1.5, new[4]),
            operation(290, 106, "×"), arrow(290, 118, 290, 152, 1.5, new[4]),
            hidden_state(290, 168, "t", 36),
        ]  # fmt: skip
    if part >= 2:
        end = (78, 190, 248)[part - 2]
        joined = f"M48 168L60 186M48 204L60 186M60 186H{end}"
        stems = "".join(f"M{x} 186V178" for x in (78, 134, 190, 248) if x <= end)
        drawn.append(element("path", d=joined + stems, fill="none", stroke=COLOURS["soft"],
                             stroke_width=1.5))  # fmt: skip
    caption, height = LSTM_PARTS[part - 1], 224 if part > 1 else 72
    return diagram(350, height, f"An LSTM, part {part} of 4. {caption}", *drawn, caption=caption)


def gru_cell(part: int = len(GRU_PARTS)) -> Picture:
    """A picture of the GRU up to a part: 1 update gate, 2 candidate, 3 reset gate."""
    if not 1 <= part <= len(GRU_PARTS):
        raise ValueError(f"The GRU has the parts 1 to {len(GRU_PARTS)}, not {part}.")
    new = ["word" if part == n else "soft" for n in range(4)]
    end = 84 if part == 1 else 246
    drawn = [
        path("h"),
        hidden_state(26, 178, "t−1", 44), box(26, 214, 44, 28, "surface", "line"),
        symbol(26, 213, "x", "t"),
        arrow(48, 178, end - 12, 178, head=False), arrow(48, 214, end, 214, head=False),
        arrow(72, 178, 72, 154, 1.5, new[1]), arrow(84, 214, 84, 154, 1.5, new[1]),
        gate(78, 122, "z", "update"), arrow(78, 107, 78, PATH + 12, 1.5, new[1]),
        operation(78, PATH, "×"),
    ]  # fmt: skip
    if part >= 2:
        drawn += [
            arrow(234, 178, 234, 154, 1.5, new[2]), arrow(246, 214, 246, 154, 1.5, new[2]),
            gate(240, 122, "n", "candidate"), arrow(240, 107, 240, 89, 1.5, new[2]),
            operation(240, 78, "×"), arrow(240, 66, 240, PATH + 12, 1.5, new[2]),
            operation(240, PATH, "+"), arrow(99, 112, 228, 80, 1.5, new[2]),
            element("rect", x=132, y=86, width=42, height=18, fill=PAPER),
            text(153, 95, "1 − z", 13, "gold"),
        ]  # fmt: skip
    if part >= 3:
        drawn += [
            arrow(140, 178, 140, 164, 1.5, new[3]), arrow(152, 214, 152, 164, 1.5, new[3]),
            gate(146, 132, "r", "reset"), arrow(167, 142, 197, 169, 1.5, new[3]),
            operation(206, 178, "×"),
        ]  # fmt: skip
    caption = GRU_PARTS[part - 1]
    return diagram(350, 234, f"A GRU, part {part} of 3. {caption}", *drawn, caption=caption)
