"""Exercise 3, the belt: the ways of taking an LSTM's step, the right one and those that go wrong.

i, f, g, o = the blocks of W x + U h + b;   c′ = σ(f) ∘ c + σ(i) ∘ tanh(g);   h′ = σ(o) ∘ tanh(c′)
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from firth.checks.rnn import IN_A_ROW, fitting, sigmoid


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
