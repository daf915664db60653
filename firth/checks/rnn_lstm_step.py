"""Exercise 3, the belt: one step of an LSTM, whose gates stand in one matrix, a block for each.

i, f, g, o = the blocks of W x + U h + b;   c′ = σ(f) ∘ c + σ(i) ∘ tanh(g);   h′ = σ(o) ∘ tanh(c′)

In which order the blocks stand differs from library to library, and here from student to student
(firth.checks.variants).
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from firth.checks.activations import sigmoid
from firth.checks.claims import Exercise
from firth.checks.mistakes import fitting
from firth.checks.rnn_step import IN_A_ROW


@dataclass(frozen=True)
class Order:
    """An order of the four blocks, and whose it is."""

    form: str
    letters: str
    whose: str

    @property
    def spoken(self) -> str:
        return ", ".join(self.letters)


PYTORCH = Order("blocks i, f, g, o", "ifgo", "PyTorch's and Keras's")
ONNX = Order("blocks i, o, f, g", "iofg", "that of the exchange format ONNX")
TENSORFLOW = Order("blocks i, g, f, o", "igfo", "that of the first TensorFlow")
ORDERS = (PYTORCH, ONNX, TENSORFLOW)


def gated(
    letters: str,
    belt: Callable = lambda i, f, g, o, c: sigmoid(f) * c + sigmoid(i) * np.tanh(g),
    shown: Callable = lambda o, c, new: sigmoid(o) * np.tanh(new),
    pair: Callable = lambda h, c: (h, c),
    inside: Callable = lambda x, h, W, U, b: W @ x + U @ h + b,
    blocks: Callable = lambda a: np.split(a, 4),
) -> Callable:
    """A way of taking an LSTM's step, the right one by default."""

    @fitting
    def lstm_step(x, h, c, W, U, b):
        i, f, g, o = (blocks(inside(x, h, W, U, b))[letters.index(name)] for name in "ifgo")
        new = belt(i, f, g, o, c)
        return pair(shown(o, c, new), new)

    return lstm_step


def mistakes(asked: Order) -> list[tuple[Callable, str]]:
    """What goes wrong in a step, with the blocks in one order or another."""

    def way(**how):
        return gated(asked.letters, **how)

    # With i and f in each other's place, the formula may be what is wrong.
    left_out = {asked.letters, asked.letters.translate(str.maketrans("if", "fi"))}
    return [
        (
            way(blocks=lambda a: [a[n::4] for n in range(4)]),
            "You take every fourth number: does a gate's block stand in one piece?",
        ),
        (
            way(belt=lambda i, f, g, o, c: sigmoid(i) * c + sigmoid(f) * np.tanh(g)),
            "Which gate stands before the old c, and which before what is new? Is the formula"
            " right, and do you read the blocks in the order they are stored?",
        ),
        (
            way(belt=lambda i, f, g, o, c: (1 - sigmoid(f)) * c + sigmoid(i) * np.tanh(g)),
            "f is the share that is kept: should f = 1 not keep all of c?",
        ),
        (
            way(belt=lambda i, f, g, o, c: sigmoid(f) * c + (1 - sigmoid(f)) * np.tanh(g)),
            "You let in what f leaves free, as a GRU does: where is the gate i?",
        ),
        (
            way(belt=lambda i, f, g, o, c: sigmoid(f) * c + sigmoid(i) * sigmoid(g)),
            "Could your belt ever take something away? g may be below 0: σ or tanh?",
        ),
        (
            way(belt=lambda i, f, g, o, c: sigmoid(f) * c + sigmoid(i) * g),
            "What is new goes onto the belt unsquashed: where is the tanh of g?",
        ),
        (
            way(belt=lambda i, f, g, o, c: np.tanh(f) * c + np.tanh(i) * np.tanh(g)),
            "A gate is between shut, 0, and open, 1: is that σ or tanh?",
        ),
        (
            way(belt=lambda i, f, g, o, c: f * c + i * np.tanh(g)),
            "A gate is between shut, 0, and open, 1: where is the σ?",
        ),
        (
            way(
                belt=lambda i, f, g, o, c: np.tanh(sigmoid(f) * c + sigmoid(i) * np.tanh(g)),
                shown=lambda o, c, new: sigmoid(o) * new,
            ),
            "You put the belt itself through a tanh at each step: is it not just that which the"
            " LSTM avoids?",
        ),
        (
            way(belt=lambda i, f, g, o, c: sigmoid(f) * c),
            "Nothing new comes onto your belt: where are i and g?",
        ),
        (
            way(belt=lambda i, f, g, o, c: sigmoid(i) * np.tanh(g)),
            "Your belt starts anew at each step: where is the old c?",
        ),
        (
            way(belt=lambda i, f, g, o, c: c + sigmoid(i) * np.tanh(g)),
            "All of the old c stays on your belt: where is the gate f?",
        ),
        (
            way(belt=lambda i, f, g, o, c: sigmoid(f) * c + np.tanh(g)),
            "All that is new goes onto your belt: where is the gate i?",
        ),
        (
            way(belt=lambda i, f, g, o, c: sigmoid(f) * (c + sigmoid(i) * np.tanh(g))),
            "Does f let fade what is new as well? Mind the brackets.",
        ),
        (
            way(shown=lambda o, c, new: sigmoid(o) * new),
            "h is what the output gate lets through of tanh(c): where is the tanh?",
        ),
        (
            way(shown=lambda o, c, new: np.tanh(sigmoid(o) * new)),
            "Is o inside your tanh? It stands before it: o ∘ tanh(c).",
        ),
        (
            way(shown=lambda o, c, new: sigmoid(o) * np.tanh(c)),
            "You show the belt as it was before this step: which c does h see?",
        ),
        (
            way(shown=lambda o, c, new: np.tanh(o) * np.tanh(new)),
            "The output gate is a gate like the others: σ or tanh?",
        ),
        (
            way(shown=lambda o, c, new: o * np.tanh(new)),
            "The output gate is a gate like the others: where is the σ?",
        ),
        (way(shown=lambda o, c, new: np.tanh(new)), "Where is the output gate, o?"),
        (
            way(pair=lambda h, c: (c, h)),
            "Do the two stand in the order that is asked for, h first?",
        ),
        (way(pair=lambda h, c: h), "That is h; what will the next step's belt start from?"),
        (way(pair=lambda h, c: c), "That is c; and what does the cell show, h?"),
        (
            way(pair=lambda h, c: np.concatenate([h, c])),
            IN_A_ROW,
        ),
        (way(inside=lambda x, h, W, U, b: W @ x + U @ h), "Where did b go?"),
        (way(inside=lambda x, h, W, U, b: W @ x + b), "Do your gates not look at h?"),
        (way(inside=lambda x, h, W, U, b: U @ h + b), "Do your gates not look at x?"),
        (
            way(inside=lambda x, h, W, U, b: U @ x + W @ h + b),
            "W and U have each other's place: which of them meets x?",
        ),
        *(
            (
                gated("".join(letters)),
                f"You read the blocks as {', '.join(letters)}: in which order do they stand here?",
            )
            for letters in permutations("ifgo")
            if "".join(letters) not in left_out
        ),
    ]


def cells(rng):
    for d in (2, 3, 4):  # x as long as h: every mix-up runs, and only the numbers tell
        W, U = rng.normal(size=(2, 4 * d, d))
        x, h, c = rng.normal(size=(3, d)) * [[1], [0.5], [1.5]]
        yield x, h, c, W, U, rng.normal(size=4 * d)


def uneven_cells(rng):
    for d, e in ((2, 5), (3, 1), (1, 2)):
        W, U = rng.normal(size=(4 * d, e)), rng.normal(size=(4 * d, d))
        x, h, c = rng.normal(size=e), rng.uniform(-0.5, 0.5, size=d), rng.normal(size=d) * 2
        yield x, h, c, W, U, rng.normal(size=4 * d)


def question(asked: Order) -> Exercise:
    """The question, with all that belongs to it, for one order of the blocks."""

    def extremes(rng):
        """Gates wide open or tight shut: what is on the belt stays, or goes, and nothing else."""
        for keep in (1, -1, 1):
            for d in (2, 3):
                b = {name: rng.normal(size=d) for name in "ifgo"}
                b |= {"f": np.full(d, 900.0 * keep), "i": np.full(d, -900.0)}
                x, h, c = rng.normal(size=(3, d)) * [[1], [0.5], [2]]
                W, U = rng.normal(size=(2, 4 * d, d)) / 4
                yield x, h, c, W, U, np.concatenate([b[name] for name in asked.letters])

    by_hand = {"i": "1", "f": "3", "g": "2", "o": "1"}
    lstm_step = Exercise(
        name="lstm_step",
        chapter="03_rnn",
        number="3.4",
        difficulty=2,
        minutes=15,
        hints=(
            "First all the matrix products at once, then four pieces, then two lines for c and h."
            " Which pieces become gates (σ), and which one is what might be written down (tanh)?",
            "a = W x + U h + b has four times as many numbers as h. Cut it into four equal blocks,"
            f" {asked.spoken}. c becomes σ(f) c + σ(i) tanh(g); then h becomes σ(o) tanh(c), with"
            " the new c.",
            f"{asked.spoken} = np.split(W @ x + U @ h + b, 4)\n"
            "new = sigmoid(f) * c + …  # what is let in?\n"
            "return sigmoid(o) * np.tanh(new), new",
        ),
        right=gated(asked.letters),
        mistakes=mistakes(asked),
        stumbles={
            "broadcast": "How many numbers has a block, if W has four times as many rows as h has"
            " numbers?",
            "dimension": "Which matrix has as many columns as x has numbers? And which as many as"
            " h?",
            "equal division": "Into how many equal blocks is W x + U h + b cut?",
            "sigmoid": "σ is not in NumPy: 1 / (1 + np.exp(-a)).",
        },
        form=asked.form,
        passages=(
            f"in the order **{asked.spoken}** ({asked.whose})",
            f"blocks {asked.spoken} of W, U and b",
            "np.log([" + ", ".join(by_hand[name] for name in asked.letters) + "])",
            f'ORDER = "{asked.letters}"',
        ),
    )
    lstm_step.agrees(
        f"writes onto the belt: c becomes σ(f) ∘ c + σ(i) ∘ tanh(g), the blocks {asked.spoken}",
        "For one number each, on paper: which four numbers are in W x + U h + b, and what does each"
        " of them do to c?",
        cells,
        view=lambda answer, right: answer[1:],
    )
    lstm_step.agrees(
        "shows of it h = σ(o) ∘ tanh(c), with the new c, and returns h first",
        "What of the belt does the output gate let through?",
        cells,
        view=lambda answer, right: answer[:1],
    )
    lstm_step.agrees(
        "keeps c to the last digit where f is open and i is shut, and drops it where both are shut",
        "With f = 1 and i = 0, what is left of f ∘ c + i ∘ tanh(g)?",
        extremes,
        view=lambda answer, right: answer[1:],
    )
    lstm_step.agrees(
        "takes an x longer or shorter than h, and leaves h and c as they were",
        "Do the claims above hold? If so, what is different here, where x is longer or shorter than"
        " h?",
        uneven_cells,
        untouched="Do you write into h or c? `c *= f` changes what you were handed.",
    )
    return lstm_step


lstm_step = question(PYTORCH)
lstm_step.forms = (question(ONNX), question(TENSORFLOW))
