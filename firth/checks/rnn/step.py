"""Exercise 3.1: one step of a recurrent network.

h_t = tanh(W x_t + U h_{t−1})     the same W and U at every step
s_t = O h_t                       the output, made from the new hidden state

`O` is the letter of the output matrix in the chapter, too.
"""

# ruff: noqa: E741
from collections.abc import Callable, Iterator

import numpy as np

from firth.checks.activations import sigmoid, softmax
from firth.checks.claims import Exercise, close
from firth.checks.mistakes import fitting

from .relations import agrees_or_fits


def step_function(
    state: Callable = lambda x, h, W, U: np.tanh(W @ x + U @ h),
    output: Callable = lambda h, new, O: O @ new,
    pair: Callable = lambda new, y: (new, y),
) -> Callable:
    """A function `rnn_step(x, h, W, U, O)`: the reference answer, or with another part a mistake.

    `state` gives the new hidden state, `output` gives the output, and `pair` says what is returned.
    """

    @fitting
    def rnn_step(x, h, W, U, O):
        new = state(x, h, W, U)
        return pair(new, output(h, new, O))

    return rnn_step


def mistake_W_and_U_exchanged(x, h, W, U):
    """The hidden state of a wrong answer that exchanges the two matrices: tanh(U x + W h)."""
    return np.tanh(U @ x + W @ h)


def cast_to_dtype_of(h, numbers):
    """Returns `numbers` as an array with the dtype of h, which truncates if h holds integers."""
    return np.asarray(numbers).astype(np.asarray(h).dtype)


def mistake_returns_the_old_state(x, h, W, U, O):
    """The given h and the right output: a wrong answer, because the new h is asked for."""
    return h, step_function()(x, h, W, U, O)[1]


def mistake_dtype_of_h(x, h, W, U, O):
    """The results of a wrong answer whose hidden state has the dtype of h.

    If h holds integers, fractions are truncated.
    """
    new = cast_to_dtype_of(h, np.tanh(W @ x + U @ h))
    return new, O @ new


SIZES = "Which matrix has as many columns as x has numbers? And which has as many as h?"
ONE_ROW = "Your two results stand in one long row. Can you return two things, `return a, b`?"
STAR = "`*` multiplies number by number. Which sign multiplies a matrix by a vector?"
OUTPUT_CHANGED = "You send the output through another function. Is the output more than O h here?"
W_BY_COLUMNS = (
    "x @ W, or W.T @ x, uses the columns of W. W x uses its rows. Which one is asked for?"
)
U_BY_COLUMNS = (
    "h @ U, or U.T @ h, uses the columns of U. U h uses its rows. Which one is asked for?"
)
O_BY_COLUMNS = (
    "h @ O, or O.T @ h, uses the columns of O. O h uses its rows. Which one is asked for?"
)
BOTH_BY_COLUMNS = (
    "x @ W + h @ U uses the columns of both matrices. W x + U h uses their rows. Which one is asked"
    " for?"
)
EXCHANGED = "W and U have exchanged their places. Which of them belongs to x, and which to h?"
NO_TANH = "Where is the tanh? Without it, the numbers of the hidden state may grow without limit."
TANH_CLOSED = "Is U h inside the tanh? Check where the bracket of the tanh is closed."
TWO_TANHS = "You add two tanhs. Is it not the tanh of one sum?"
SIGMOID = "That is the sigmoid, which is never below 0. Which function is asked for?"
NO_OLD_STATE = "Does your new hidden state depend on the h that is given?"
NO_INPUT = "Does your new hidden state depend on x?"
OLD_STATE_IN_OUTPUT = "Your output is made from the old hidden state. Has that one seen x?"
WHOLE_NUMBERS = (
    "The given h may hold whole numbers, such as 0 and 1. An array that you make like h then holds"
    " whole numbers, too. What does it make of 0.76?"
)
MISTAKES = {
    "output from the old state": (step_function(output=lambda h, new, O: O @ h),
        OLD_STATE_IN_OUTPUT),
    "W and U exchanged": (step_function(mistake_W_and_U_exchanged), EXCHANGED),
    "both by columns": (step_function(lambda x, h, W, U: np.tanh(x @ W + h @ U)), BOTH_BY_COLUMNS),
    "W by columns": (step_function(lambda x, h, W, U: np.tanh(x @ W + U @ h)), W_BY_COLUMNS),
    "U by columns": (step_function(lambda x, h, W, U: np.tanh(W @ x + h @ U)), U_BY_COLUMNS),
    "no tanh, by columns": (
        step_function(lambda x, h, W, U: x @ W + h @ U),
        f"{BOTH_BY_COLUMNS} And where is the tanh?"),
    "O by columns": (step_function(output=lambda h, new, O: new @ O), O_BY_COLUMNS),
    "all three by columns": (
        step_function(
            lambda x, h, W, U: np.tanh(x @ W + h @ U), lambda h, new, O: new @ O),
        "x @ W + h @ U uses the columns of both matrices, and h @ O those of O. W x + U h and O h"
        " use the rows. Which one is asked for?"),
    "no tanh": (step_function(lambda x, h, W, U: W @ x + U @ h), NO_TANH),
    "two tanhs": (step_function(lambda x, h, W, U: np.tanh(W @ x) + np.tanh(U @ h)), TWO_TANHS),
    "tanh closed too early": (
        step_function(lambda x, h, W, U: np.tanh(W @ x) + U @ h), TANH_CLOSED),
    "sigmoid": (step_function(lambda x, h, W, U: sigmoid(W @ x + U @ h)), SIGMOID),
    "old state left out": (step_function(lambda x, h, W, U: np.tanh(W @ x)), NO_OLD_STATE),
    "input left out": (step_function(lambda x, h, W, U: np.tanh(U @ h)), NO_INPUT),
    "old state added": (
        step_function(lambda x, h, W, U: h + np.tanh(W @ x + U @ h)),
        "You add the old hidden state to the new one. Where does the formula say so?"),
    "star for the state": (step_function(lambda x, h, W, U: np.tanh(W * x + U * h)), STAR),
    "star for both": (
        step_function(lambda x, h, W, U: np.tanh(W * x + U * h), lambda h, new, O: O * new), STAR),
    "tanh of the output": (
        step_function(output=lambda h, new, O: np.tanh(O @ new)), OUTPUT_CHANGED),
    "sigmoid of the output": (
        step_function(output=lambda h, new, O: sigmoid(O @ new)), OUTPUT_CHANGED),
    "softmax of the output": (
        step_function(output=lambda h, new, O: softmax(O @ new)), OUTPUT_CHANGED),
    "output before the tanh": (
        step_function(output=lambda h, new, O: O @ np.arctanh(new)),
        "Your output is made from W x + U h, before the tanh. Is that the hidden state?"),
    "returns the old state": (
        mistake_returns_the_old_state,
        "You return the h that was given. Which hidden state does the next step need?"),
    "exchanged, output first": (
        step_function(mistake_W_and_U_exchanged, pair=lambda new, y: (y, new)),
        "W and U have exchanged their places, and the output stands first. Which matrix belongs to"
        " x? And which of the two results is asked for first?"),
    "old output first": (
        step_function(output=lambda h, new, O: O @ h, pair=lambda new, y: (y, new)),
        "Your output stands first, and it is made from the old hidden state. Has that one seen x?"),
    "no O": (
        step_function(output=lambda h, new, O: new),
        "Your output is the hidden state itself. Where is O?"),
    "output first": (
        step_function(pair=lambda new, y: (y, new)),
        "You return the right two results. In which order are they asked for?"),
    "output alone": (
        step_function(pair=lambda new, y: y),
        "You return the output alone. Which hidden state can the next step start from?"),
    "state alone": (
        step_function(pair=lambda new, y: new),
        "You return the hidden state. Where is the output?"),
    "one long row": (step_function(pair=lambda new, y: np.concatenate([new, y])), ONE_ROW),
    "whole numbers": (mistake_dtype_of_h, WHOLE_NUMBERS),
}  # fmt: skip
rnn_step = Exercise(
    name="rnn_step",
    chapter="03_rnn",
    number="3.1",
    difficulty=1,
    minutes=10,
    hints=(
        "Read the broken code as Python does. Which names have no value yet when they are used?"
        " And which value is lost when the function ends?",
        "The old hidden state comes in as an argument. Make the new hidden state from x and the old"
        " one. Make the output from the new hidden state. Return both.",
        "new = np.tanh(W @ x + U @ h)\n"
        "output = O @ …  # the old hidden state, or the new one?\n"
        "return …  # what does the next step need, besides the output?",
    ),
    right=step_function(),
    mistakes=MISTAKES,
    stumbles={
        "dimension": SIZES,
        "not aligned": SIZES,
        "could not be broadcast": "Is it `*`, number by number, or `@`, row by column?",
        "'s'": "Which name does the old hidden state have in your function?",
        "'h'": "Where does the old hidden state come from? Is it an argument of your function?",
        "makes no table": "Are the hidden state and the output both vectors? A matrix `*` a vector"
        " is a matrix.",
    },
)


def draw_weights(rng, d, e, scale=1.0) -> tuple[np.ndarray, np.ndarray]:
    """Random matrices W (d × e) and U (d × d), not symmetric, so small that tanh is not flat.

    Where tanh is flat, all sums give nearly the same hidden state, also those of wrong answers.
    """
    return rng.normal(size=(d, e)) * scale / np.sqrt(e), rng.normal(size=(d, d)) * scale / d**0.5


def steps_with_x_as_long_as_h(rng) -> Iterator[tuple]:
    """Inputs (x, h, W, U, O): x and h have the same size, so that exchanging W and U is no error.

    Then an exchange gives wrong numbers, and the question can name the mistake.
    """
    for d in (2, 3, 4):
        W, U = draw_weights(rng, d, d)
        yield rng.normal(size=d), rng.uniform(-0.9, 0.9, size=d), W, U, rng.normal(size=(d, d))


def steps_with_x_of_another_length(rng) -> Iterator[tuple]:
    """Inputs (x, h, W, U, O): x is longer or shorter than h; in the last one, h holds integers.

    They catch a result with the size of x instead of h, and one with the integer dtype of h.
    """
    for d, e in ((3, 5), (4, 2)):
        W, U = draw_weights(rng, d, e)
        yield rng.normal(size=e), rng.uniform(-0.9, 0.9, size=d), W, U, rng.normal(size=(d, d))
    W, U = draw_weights(rng, 3, 2)
    yield rng.normal(size=2), rng.permutation(3), W, U, rng.normal(size=(3, 3))


def in_either_order(answer, right) -> np.ndarray:
    """The answer, with its two rows exchanged if its second row is the right first row.

    So a wrong order of the two results costs no point in this claim; another claim tests it.
    """
    return answer[::-1] if close(answer[1], right[0]) else answer


def output_fits_the_state(call, case, answer) -> bool:
    """True if the output is O times the hidden state in the same answer, right or wrong.

    So a mistake in the hidden state costs only the point of the first claim. A hidden state that is
    the given h, or all zeros, fails. `case` holds the inputs; `call` is not used.
    """
    _, h, _, _, O = case
    return bool(answer[0].any()) and not close(answer[0], h) and close(answer[1], O @ answer[0])


rnn_step.agrees(
    "returns first the new hidden state tanh(W x + U h), made from x and the old hidden state",
    "Take a single number for each symbol, on paper. What is tanh(W x + U h)?",
    steps_with_x_as_long_as_h,
    view=lambda answer, right: answer[:1],
)
agrees_or_fits(
    rnn_step,
    "returns second the output O h, made from the hidden state that it returns first",
    "Which hidden state does the output need, the one before x or the one after x?",
    steps_with_x_as_long_as_h,
    output_fits_the_state,
    view=lambda answer, right: answer[1:],
)
rnn_step.agrees(
    "works for an x that is longer or shorter than h, and for whole numbers, and does not change"
    " the given arrays",
    "What is different here, where x is longer or shorter than h, or h holds whole numbers?",
    steps_with_x_of_another_length,
    view=in_either_order,
    untouched="Does your function write into h? The caller may still need the old hidden state.",
)
