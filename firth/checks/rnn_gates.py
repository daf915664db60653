"""Exercise 3, the belt: one step of an LSTM, whose gates stand in one matrix, a block for each.

i, f, g, o = the blocks of W x + U h + b;   c′ = σ(f) ∘ c + σ(i) ∘ tanh(g);   h′ = σ(o) ∘ tanh(c′)

In which order the blocks stand differs from library to library, and here from student to student
(firth.checks.variants).
"""

import numpy as np

from firth.checks.claims import Exercise
from firth.checks.rnn_belt import ONNX, PYTORCH, TENSORFLOW, Order, gated, mistakes


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
