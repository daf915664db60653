"""Exercise 3.2: a recurrent network reads a sequence, and we keep every hidden state.

row t = tanh(W X[t] + U h),   where h is row t − 1, and the given h before row 0
"""

from collections.abc import Callable, Iterator

import numpy as np

from firth.checks.activations import sigmoid
from firth.checks.claims import Claim, Exercise, close
from firth.checks.mistakes import fitting

from .step import (
    BOTH_BY_COLUMNS,
    EXCHANGED,
    NO_INPUT,
    NO_OLD_STATE,
    NO_TANH,
    SIGMOID,
    SIZES,
    TANH_CLOSED,
    TWO_TANHS,
    U_BY_COLUMNS,
    W_BY_COLUMNS,
    WHOLE_NUMBERS,
    cast_to_dtype_of,
    draw_weights,
    mistake_W_and_U_exchanged,
)


def reading_function(
    step: Callable = lambda x, h, W, U: np.tanh(W @ x + U @ h),
    start: Callable = lambda h: h,
    rows: Callable = np.array,
) -> Callable:
    """A function `rnn_states(X, h, W, U)`: the reference answer, or with another part a mistake.

    `step` gives the next hidden state, `start` the state before the first step, and `rows` makes
    the result from the list of all hidden states.
    """

    @fitting
    def rnn_states(X, h, W, U):
        states, now = [], start(h)
        for x in X:
            now = step(x, now, W, U)
            states.append(now)
        return rows(states) if states else np.zeros((0, len(h)))

    return rnn_states


right = reading_function()


@fitting
def mistake_always_the_same_start(X, h, W, U):
    """The hidden states of a wrong answer that starts every step from the given h."""
    return np.array([np.tanh(W @ x + U @ h) for x in X])


def mistake_start_kept_as_row_0(X, h, W, U):
    """The hidden states with the given h as a first row: a wrong answer with a row too many."""
    return np.array([h, *right(X, h, W, U)])


def mistake_first_input_not_read(start: Callable) -> Callable:
    """A wrong `rnn_states` whose loop begins at row 1: row 0 is start(h), X[0] is not read."""

    def rnn_states(X, h, W, U):
        return np.array([start(h), *right(X[1:], start(h), W, U)])

    return rnn_states


def mistake_dtype_of_h(X, h, W, U):
    """The hidden states cast to the dtype of h, as a wrong answer has them.

    If h holds integers, fractions are truncated.
    """
    return cast_to_dtype_of(h, right(X, h, W, U))


def mistake_dtype_of_X(X, h, W, U):
    """The hidden states cast to the dtype of X, as a wrong answer has them.

    If X holds integers, fractions are truncated.
    """
    return cast_to_dtype_of(X, right(X, h, W, U))


MISTAKES = {
    "one long row": (
        reading_function(rows=np.concatenate),
        "np.concatenate puts all hidden states into one long row. How do you keep one row for each"
        " step? (np.stack, or np.array of the list)"),
    "squeezed": (
        lambda X, h, W, U: np.squeeze(right(X, h, W, U)),
        "With a single step, your result has no rows any more. np.squeeze removes every axis of"
        " length 1. How many rows and columns should there be?",
    ),
    "always the same start": (
        mistake_always_the_same_start,
        "Every row starts from the given h. Where do you pass the new hidden state on to the next"
        " step?"),
    "last state alone": (
        lambda X, h, W, U: right(X, h, W, U)[-1],
        "That is the last hidden state. Where are those of the earlier steps?"),
    "start kept as row 0": (
        mistake_start_kept_as_row_0,
        "There is one row too many. Is the given h one of the hidden states that are asked for?"),
    "kept before the step": (
        lambda X, h, W, U: mistake_start_kept_as_row_0(X, h, W, U)[:-1],
        "Row 0 is the given h. Do you keep the hidden state before you take the step?"),
    "all rows the last": (
        lambda X, h, W, U: np.repeat(right(X, h, W, U)[-1:], len(X), axis=0),
        "Every row is the last hidden state. Do you append the same array each time, and then write"
        " into it?"),
    "return inside the loop": (
        lambda X, h, W, U: right(X[:1], h, W, U),
        "There is only a row for the first step. Does your `return` stand inside the loop?"),
    "first input not read": (
        mistake_first_input_not_read(lambda h: h),
        "Row 0 is the given h, and the first input is never read. After which step does row 0"
        " stand?"),
    "zeros in row 0": (
        mistake_first_input_not_read(lambda h: 0 * h),
        "Row 0 holds zeros. At which row does your loop begin, and which input is never read?"),
    "starts from zeros": (
        reading_function(start=np.zeros_like),
        "You start from zeros. Which hidden state was given?"),
    "read backwards": (
        lambda X, h, W, U: right(X[::-1], h, W, U),
        "You read the sequence from its end. Which row of X comes first?"),
    "last step first": (
        lambda X, h, W, U: right(X, h, W, U)[::-1],
        "These are the right hidden states, the last one first. Which row should come first?"),
    "states in columns": (
        lambda X, h, W, U: right(X, h, W, U).T,
        "Your hidden states stand in columns. Is a row asked for each step, or a column?"),
    "W and U exchanged": (reading_function(mistake_W_and_U_exchanged), EXCHANGED),
    "both by columns": (
        reading_function(lambda x, h, W, U: np.tanh(x @ W + h @ U)), BOTH_BY_COLUMNS),
    "W by columns": (reading_function(lambda x, h, W, U: np.tanh(x @ W + U @ h)), W_BY_COLUMNS),
    "U by columns": (reading_function(lambda x, h, W, U: np.tanh(W @ x + h @ U)), U_BY_COLUMNS),
    "no tanh": (reading_function(lambda x, h, W, U: W @ x + U @ h), NO_TANH),
    "two tanhs": (
        reading_function(lambda x, h, W, U: np.tanh(W @ x) + np.tanh(U @ h)), TWO_TANHS),
    "tanh closed too early": (
        reading_function(lambda x, h, W, U: np.tanh(W @ x) + U @ h), TANH_CLOSED),
    "sigmoid": (reading_function(lambda x, h, W, U: sigmoid(W @ x + U @ h)), SIGMOID),
    "old state left out": (reading_function(lambda x, h, W, U: np.tanh(W @ x)), NO_OLD_STATE),
    "input left out": (reading_function(lambda x, h, W, U: np.tanh(U @ h)), NO_INPUT),
    "whole numbers": (mistake_dtype_of_h, WHOLE_NUMBERS),
    "whole numbers like X": (
        mistake_dtype_of_X,
        "X may hold whole numbers, such as 0 and 1. An array that you make like X then holds whole"
        " numbers, too. What does it make of 0.76?"),
}  # fmt: skip
rnn_states = Exercise(
    name="rnn_states",
    chapter="03_rnn",
    number="3.2",
    difficulty=1,
    minutes=8,
    hints=(
        "You need one variable for the hidden state, and a loop over the rows of X. From which"
        " hidden state does the second step start?",
        "Before the loop, make an array of zeros with a row for each step. In the loop, replace the"
        " old hidden state by the new one, and write it into its row. After the loop, return the"
        " array.",
        "states = np.zeros((len(X), len(h)))\n"
        "for t, x in enumerate(X):\n"
        "    h = np.tanh(W @ x + U @ h)\n"
        "    …  # keep it\n"
        "return states",
    ),
    right=right,
    mistakes=MISTAKES,
    stumbles={
        "dimension": SIZES,
        "not aligned": SIZES,
        "could not be broadcast": "Is it `*`, number by number, or `@`, row by column?",
        "could not broadcast": "How long is a hidden state: as long as x, or as long as h?",
        "makes no table": "Do you return one array, or an array and something beside it?",
    },
)


def sequences_with_x_as_long_as_h(rng) -> Iterator[tuple]:
    """Inputs (X, h, W, U): x and h have the same size, so that exchanging W and U causes no error.

    The number of steps is never the size of h, so that rows and columns cannot be mixed up, and h
    is never 0, so that a start from zeros is wrong.
    """
    for T, d in ((4, 3), (6, 2), (5, 4)):
        W, U = draw_weights(rng, d, d)
        yield rng.normal(size=(T, d)), rng.uniform(-0.9, 0.9, size=d), W, U


def shape_and_dtype_inputs(rng) -> Iterator[tuple]:
    """Inputs (X, h, W, U) that test only the shape and the dtype of the hidden states.

    All but the last have one step, so an answer that does not pass h to the next step loses no
    point here. X or h holds integers in two of them: this catches `np.zeros_like(X)` and
    `np.zeros_like(h)`, which truncate the states. The size of x varies, which catches states with
    the size of x. The last input has two steps and U = 0: it separates `np.squeeze` from states
    joined in one row.
    """
    for d, e in ((3, 2), (4, 3), (2, 4), (3, 3)):
        W, U = draw_weights(rng, d, e)
        yield rng.normal(size=(1, e)), rng.uniform(-0.9, 0.9, size=d), W, U
    W, U = draw_weights(rng, 3, 3)
    yield np.eye(3, dtype=int)[rng.permutation(3)[:1]], rng.uniform(-0.9, 0.9, size=3), W, U
    yield rng.normal(size=(1, 3)), rng.permutation(3), W, U
    yield rng.normal(size=(2, 3)), rng.uniform(-0.9, 0.9, size=3), W, 0 * U


def two_halves_make_the_whole(call, rng) -> bool | str:
    """True if two calls, for two halves of a sequence, give the states of one call, else False.

    It returns a question if a shape is wrong. `call` is the learner's function. An answer that
    starts every call from zeros fails here. One with another formula can pass.
    """
    for X, h, W, U in sequences_with_x_as_long_as_h(rng):
        half, d = len(X) // 2, len(h)
        whole, first = call(X, h, W, U), call(X[:half], h, W, U)
        if whole.shape != (len(X), d) or first.shape != (half, d):
            return "Is there a row for each step, and is it as long as the hidden state?"
        second = call(X[half:], first[-1], W, U)
        if not (second.any() and close(np.concatenate([first, second]), whole)):
            return False
    return True


rnn_states.agrees(
    "has a row for each step: tanh(W x + U h), with the h of the row before",
    "Take two steps on paper, with a single number for each symbol. What is row 1 made from?",
    sequences_with_x_as_long_as_h,
)
rnn_states.claims.append(
    Claim(
        "gives the same in two calls: the second half of X starts from the last row of the first",
        "Does your first row depend on the h that is given? And does your last row hold the last"
        " hidden state?",
        two_halves_make_the_whole,
        1,
    )
)
rnn_states.agrees(
    "works for a single step, for an x of any length and for whole numbers, and does not change the"
    " given arrays",
    "What is different here, with a single step, with whole numbers, or with an x that is longer or"
    " shorter than h?",
    shape_and_dtype_inputs,
    untouched="Does your function write into h or X? The caller may still need them.",
)
