"""Exercise 3.4: one step of an LSTM, whose four blocks stand in one matrix, one below the other.

i, f, g, o = the blocks of W x + U h + b
c′ = σ(f) ∘ c + σ(i) ∘ tanh(g)          the new cell state
h′ = σ(o) ∘ tanh(c′)                    the new hidden state

The order of the blocks differs from library to library, and here from student to student
(firth.checks.variants).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from firth.checks.activations import sigmoid
from firth.checks.claims import Exercise, close
from firth.checks.mistakes import fitting

from .relations import agrees_or_fits
from .step import ONE_ROW, in_either_order


@dataclass(frozen=True)
class Order:
    """An order of the four blocks, and which libraries have it."""

    form: str
    letters: str
    whose: str

    @property
    def letters_with_commas(self) -> str:
        """The order of the four LSTM blocks for hints and messages, such as "i, f, g, o"."""
        return ", ".join(self.letters)


PYTORCH = Order("blocks i, f, g, o", "ifgo", "as in PyTorch and Keras")
ONNX = Order("blocks i, o, f, g", "iofg", "as in the exchange format ONNX")
TENSORFLOW = Order("blocks i, g, f, o", "igfo", "as in the first versions of TensorFlow")
ORDERS = (PYTORCH, ONNX, TENSORFLOW)


def cell_function(
    letters: str,
    cell: Callable = lambda i, f, g, o, c: sigmoid(f) * c + sigmoid(i) * np.tanh(g),
    hidden: Callable = lambda o, c, new: sigmoid(o) * np.tanh(new),
    pair: Callable = lambda h, c: (h, c),
    inside: Callable = lambda x, h, W, U, b: W @ x + U @ h + b,
    blocks: Callable = lambda a: np.split(a, 4),
) -> Callable:
    """A function `lstm_step(x, h, c, W, U, b)`: the reference answer, or a mistake.

    `letters` is the order of the blocks. `cell` gives the new cell state, `hidden` the new hidden
    state, and `pair` what is returned. `inside` gives W x + U h + b, and `blocks` splits it.
    """

    @fitting
    def lstm_step(x, h, c, W, U, b):
        i, f, g, o = (blocks(inside(x, h, W, U, b))[letters.index(name)] for name in "ifgo")
        new = cell(i, f, g, o, c)
        return pair(hidden(o, c, new), new)

    return lstm_step


GATE_TANH = "A gate is a number between 0 and 1. Which function gives such numbers, σ or tanh?"
GATE_RAW = "A gate is a number between 0 and 1. Where is the σ?"
SIZES = "Which matrix has as many columns as x has numbers? And which has as many as h?"


def mistakes(asked: Order) -> dict[str, tuple[Callable, str]]:
    """The known mistakes as {name: (wrong function, question to its author)}.

    `asked` is the order of the blocks in this form of the exercise.
    """

    def way(**parts):
        return cell_function(asked.letters, **parts)

    # If i and f are exchanged, the formula may be wrong instead of the order: see "i and f".
    left_out = {asked.letters, asked.letters.translate(str.maketrans("if", "fi"))}
    return {
        "every fourth number": (
            way(blocks=lambda a: [a[n::4] for n in range(4)]),
            "You take every fourth number for a block. Do the numbers of a block not stand"
            " together, one block after the other?"),
        "i and f exchanged": (
            way(cell=lambda i, f, g, o, c: sigmoid(i) * c + sigmoid(f) * np.tanh(g)),
            "Which gate multiplies the old c, and which one the new values? Check the formula, and"
            " the order in which you read the blocks."),
        "forget gate turned round": (
            way(cell=lambda i, f, g, o, c: (1 - sigmoid(f)) * c + sigmoid(i) * np.tanh(g)),
            "With σ(f) = 1, all of c should be kept. What does 1 − σ(f) keep?"),
        "1 − f for the input gate": (
            way(cell=lambda i, f, g, o, c: sigmoid(f) * c + (1 - sigmoid(f)) * np.tanh(g)),
            "You multiply the new values by 1 − σ(f). A GRU couples its gates like that. Where is"
            " the input gate, σ(i)?"),
        "1 − i for the forget gate": (
            way(cell=lambda i, f, g, o, c: (1 - sigmoid(i)) * c + sigmoid(i) * np.tanh(g)),
            "You multiply the old c by 1 − σ(i). A GRU couples its gates like that. Where is the"
            " forget gate, σ(f)?"),
        "1 added to f": (
            way(cell=lambda i, f, g, o, c: sigmoid(f + 1) * c + sigmoid(i) * np.tanh(g)),
            "You add 1 to f. Some libraries start with such a bias. Does b not contain every bias"
            " here?"),
        "sigmoid of g": (
            way(cell=lambda i, f, g, o, c: sigmoid(f) * c + sigmoid(i) * sigmoid(g)),
            "The new values must be able to make c smaller, so they can be negative. Is it σ(g) or"
            " tanh(g)?"),
        "no tanh of g": (
            way(cell=lambda i, f, g, o, c: sigmoid(f) * c + sigmoid(i) * g),
            "You add g to the cell state as it is. Where is the tanh of g?"),
        "gates with tanh": (
            way(cell=lambda i, f, g, o, c: np.tanh(f) * c + np.tanh(i) * np.tanh(g)),
            f"{GATE_TANH} Look at f and i."),
        "gates without sigmoid": (
            way(cell=lambda i, f, g, o, c: f * c + i * np.tanh(g)),
            f"{GATE_RAW} Look at f and i."),
        "tanh of the cell state": (
            way(
                cell=lambda i, f, g, o, c: np.tanh(sigmoid(f) * c + sigmoid(i) * np.tanh(g)),
                hidden=lambda o, c, new: sigmoid(o) * new),
            "You pass the cell state itself through a tanh at each step. Is that tanh not for h"
            " only?"),
        "nothing new": (
            way(cell=lambda i, f, g, o, c: sigmoid(f) * c),
            "Nothing new is added to your cell state. Where are i and g?"),
        "old cell state left out": (
            way(cell=lambda i, f, g, o, c: sigmoid(i) * np.tanh(g)),
            "Your cell state starts anew at each step. Where is the old c?"),
        "no forget gate": (
            way(cell=lambda i, f, g, o, c: c + sigmoid(i) * np.tanh(g)),
            "You keep all of the old c. Where is the forget gate, σ(f)?"),
        "no input gate": (
            way(cell=lambda i, f, g, o, c: sigmoid(f) * c + np.tanh(g)),
            "You add all new values. Where is the input gate, σ(i)?"),
        "forget gate on everything": (
            way(cell=lambda i, f, g, o, c: sigmoid(f) * (c + sigmoid(i) * np.tanh(g))),
            "Your forget gate multiplies the new values, too. Where should the bracket be closed?"),
        "no tanh of c": (
            way(hidden=lambda o, c, new: sigmoid(o) * new),
            "h is the output gate times tanh(c). Where is the tanh?"),
        "output gate inside the tanh": (
            way(hidden=lambda o, c, new: np.tanh(sigmoid(o) * new)),
            "Your output gate stands inside the tanh. Is it not σ(o) ∘ tanh(c)?"),
        "h from the old c": (
            way(hidden=lambda o, c, new: sigmoid(o) * np.tanh(c)),
            "You make h from the old cell state. Which c is asked for?"),
        "output gate with tanh": (
            way(hidden=lambda o, c, new: np.tanh(o) * np.tanh(new)), f"{GATE_TANH} Look at o."),
        "output gate without sigmoid": (
            way(hidden=lambda o, c, new: o * np.tanh(new)), f"{GATE_RAW} Look at o."),
        "no output gate": (
            way(hidden=lambda o, c, new: np.tanh(new)), "Where is the output gate, σ(o)?"),
        "c twice": (
            way(pair=lambda h, c: (c, c)),
            "Both of your results are the cell state. Where is the hidden state h?",
        ),
        "c first": (
            way(pair=lambda h, c: (c, h)),
            "You return the right two results. In which order are they asked for?"),
        "h alone": (
            way(pair=lambda h, c: h),
            "You return h alone. Which cell state can the next step start from?"),
        "c alone": (
            way(pair=lambda h, c: c), "You return the cell state. Where is the hidden state h?"),
        "one long row": (way(pair=lambda h, c: np.concatenate([h, c])), ONE_ROW),
        "no b": (way(inside=lambda x, h, W, U, b: W @ x + U @ h), "Where is the bias b?"),
        "no h": (
            way(inside=lambda x, h, W, U, b: W @ x + b), "Do your four blocks depend on h?"),
        "no x": (
            way(inside=lambda x, h, W, U, b: U @ h + b), "Do your four blocks depend on x?"),
        "W and U exchanged": (
            way(inside=lambda x, h, W, U, b: U @ x + W @ h + b),
            "W and U have exchanged their places. Which of them belongs to x, and which to h?"),
        **{
            f"blocks {''.join(letters)}": (
                cell_function("".join(letters)),
                f"You read the blocks in the order {', '.join(letters)}. In which order do they"
                " stand here?")
            for letters in permutations("ifgo")
            if "".join(letters) not in left_out
        },
    }  # fmt: skip


def cells_with_x_as_long_as_h(rng) -> Iterator[tuple]:
    """Inputs (x, h, c, W, U, b): x and h have the same size, so exchanging W and U is no error.

    All four blocks differ, so that every other order of them and every wrong gate has another
    result.
    """
    for d in (2, 3, 4):
        W, U = rng.normal(size=(2, 4 * d, d))
        x, h, c = rng.normal(size=(3, d)) * [[1], [0.5], [1.5]]
        yield x, h, c, W, U, rng.normal(size=4 * d)


def cells_with_four_equal_blocks(rng) -> Iterator[tuple]:
    """Inputs (x, h, c, W, U, b): x is longer or shorter than h, or h has one entry.

    i, f, g and o are equal here. So a wrong order of the blocks costs no point in this claim;
    another claim tests it.
    """
    for d, e in ((2, 5), (3, 1), (1, 2)):
        W, U, b = (np.tile(rng.normal(size=(d, n)), (4, 1)) for n in (e, d, 1))
        x, h, c = rng.normal(size=e), rng.uniform(-0.5, 0.5, size=d), rng.normal(size=d) * 2
        yield x, h, c, W, U, b[:, 0]


def build_exercise(asked: Order) -> Exercise:
    """The Exercise `lstm_step` for one order of blocks `asked`: its claims, hints and mistakes."""

    def open_and_closed_gates(rng) -> Iterator[tuple]:
        """Inputs (x, h, c, W, U, b) whose input gate is 0, and whose forget gate is 1 or 0.

        The biases are ±900. So c is kept to the last digit, or lost. This catches a tanh of the
        cell state, and a gate made with tanh.
        """
        for keep in (1, -1, 1):
            for d in (2, 3):
                b = {name: rng.normal(size=d) for name in "ifgo"}
                b |= {"f": np.full(d, 900.0 * keep), "i": np.full(d, -900.0)}
                x, h, c = rng.normal(size=(3, d)) * [[1], [0.5], [2]]
                W, U = rng.normal(size=(2, 4 * d, d)) / 4
                yield x, h, c, W, U, np.concatenate([b[name] for name in asked.letters])

    def hidden_state_fits_the_cell_state(call, case, answer) -> bool:
        """True if h is σ(o) ∘ tanh of the cell state in the same answer, else False.

        A wrong cell state passes, so that a mistake in it costs no point of the hidden state.
        `case` holds the inputs.
        """
        x, h, _, W, U, b = case
        o = np.split(W @ x + U @ h + b, 4)[asked.letters.index("o")]
        return bool(answer[1].any()) and close(answer[0], sigmoid(o) * np.tanh(answer[1]))

    by_hand = {"i": "1", "f": "3", "g": "2", "o": "1"}
    lstm_step = Exercise(
        name="lstm_step",
        chapter="03_rnn",
        number="3.4",
        difficulty=2,
        minutes=15,
        hints=(
            "Calculate W x + U h + b once. Then cut it into four blocks, and write one line for c"
            " and one for h. Which blocks are gates, with σ? And which one holds new values, with"
            " tanh?",
            "W x + U h + b has four times as many numbers as h. Cut it into four equal blocks:"
            f" {asked.letters_with_commas}. The new c is σ(f) c + σ(i) tanh(g). The new h is σ(o)"
            " tanh(c), with the new c.",
            f"{asked.letters_with_commas} = np.split(W @ x + U @ h + b, 4)\n"
            "new = sigmoid(f) * c + …  # which part of the new values is added?\n"
            "return sigmoid(o) * np.tanh(new), new",
        ),
        right=cell_function(asked.letters),
        mistakes=mistakes(asked),
        stumbles={
            "broadcast": "How many numbers has a block, if W has four times as many rows as h has"
            " numbers?",
            "dimension": SIZES,
            "equal division": "Into how many equal blocks do you cut W x + U h + b?",
            "sigmoid": "σ is not in NumPy. Run the cell above your function again: does it define"
            " `sigmoid`?",
        },
        form=asked.form,
        passages=(
            f"in the order **{asked.letters_with_commas}**, {asked.whose}",
            f"blocks {asked.letters_with_commas} of W, U and b",
            "np.log([" + ", ".join(by_hand[name] for name in asked.letters) + "])",
            f'ORDER = "{asked.letters}"',
        ),
    )
    lstm_step.agrees(
        f"returns second the new cell state σ(f) ∘ c + σ(i) ∘ tanh(g), with the blocks"
        f" {asked.letters_with_commas}",
        "Take one number for each symbol, on paper. Which four numbers are in W x + U h + b, and"
        " what does each of them do to c?",
        cells_with_x_as_long_as_h,
        view=lambda answer, right: answer[1:],
    )
    agrees_or_fits(
        lstm_step,
        "returns first the new hidden state σ(o) ∘ tanh(c), made from the cell state that it"
        " returns second",
        "Which part of tanh(c) does the output gate let through?",
        cells_with_x_as_long_as_h,
        hidden_state_fits_the_cell_state,
        view=lambda answer, right: answer[:1],
    )
    lstm_step.agrees(
        "keeps c to the last digit if the forget gate is 1 and the input gate is 0, and loses it if"
        " both are 0",
        "With σ(f) = 1 and σ(i) = 0, what is left of σ(f) ∘ c + σ(i) ∘ tanh(g)?",
        open_and_closed_gates,
        view=lambda answer, right: answer[1:],
    )
    lstm_step.agrees(
        "works for an x that is longer or shorter than h, and does not change the given arrays",
        "What is different here, where x is longer or shorter than h, or where they have one"
        " number?",
        cells_with_four_equal_blocks,
        view=in_either_order,
        untouched="Does your function write into h or c? `c *= f` changes the array that was"
        " given.",
    )
    return lstm_step


lstm_step = build_exercise(PYTORCH)
lstm_step.forms = (build_exercise(ONNX), build_exercise(TENSORFLOW))
