"""Exercise 3, order: a recurrent network reads a sequence, and keeps every state.

row t = tanh(W X[t] + U s),   s = row t − 1, and at first the state that came in
"""

import numpy as np

from firth.checks.claims import Claim, Exercise, close
from firth.checks.mistakes import fitting
from firth.checks.rnn_step import SIZES, weights


def unrolled(step=lambda x, s, W, U: np.tanh(W @ x + U @ s), start=lambda s: s, rows=np.array):
    """A way of reading a sequence, the right one by default."""

    @fitting
    def rnn_states(X, s, W, U):
        states, now = [], start(s)
        for x in X:
            now = step(x, now, W, U)
            states.append(now)
        return rows([s, *states][1:]) if len(states) else np.zeros((0, len(s)))

    return rnn_states


@fitting
def from_the_same_start(X, s, W, U):
    """What comes of a state that is never passed on."""
    return np.array([np.tanh(W @ x + U @ s) for x in X])


rnn_states = Exercise(
    name="rnn_states",
    chapter="03_rnn",
    number="3.2",
    difficulty=1,
    minutes=8,
    hints=(
        "One variable for the state, a loop over the rows of X. Which state does the second row"
        " start from?",
        "Before the loop an array of zeros, T × d; in the loop, let the new state take the place of"
        " the old one, and put it into its row; after the loop, return the array.",
        "states = np.zeros((len(X), len(s)))\n"
        "for t, x in enumerate(X):\n"
        "    s = np.tanh(W @ x + U @ s)\n"
        "    …  # keep it\n"
        "return states",
    ),
    right=unrolled(),
    stumbles={
        "dimension": SIZES,
        "not aligned": SIZES,
        "could not be broadcast": "Is it `*`, number by number, or `@`, row by column?",
        "could not broadcast": "How long is a row of states: as long as x, or as s?",
        "makes no table": "Do you return one table, or a table and something beside it?",
    },
)
rnn_states.mistakes = [
    (
        unrolled(rows=np.concatenate),
        "np.concatenate joins all the states into one long row, as on the slide: how do you keep a"
        " row for each step? (np.stack, or np.array of the list)",
    ),
    (from_the_same_start, "Every row starts from the same state: who passes it on?"),
    (
        lambda X, s, W, U: unrolled()(X, s, W, U)[-1],
        "That is the last state; where are those on the way?",
    ),
    (
        lambda X, s, W, U: np.array([s, *unrolled()(X, s, W, U)]),
        "There is a row too many: is the state that came in one of those you were asked for?",
    ),
    (
        lambda X, s, W, U: np.array([s, *unrolled()(X, s, W, U)])[:-1],
        "Row 0 is the state that came in: do you keep the state before you take the step?",
    ),
    (
        lambda X, s, W, U: np.repeat(unrolled()(X, s, W, U)[-1:], len(X), axis=0),
        "Every row is the last state: do you append one array and then write into it?",
    ),
    (
        lambda X, s, W, U: unrolled()(X[:1], s, W, U),
        "There is a row for the first step alone: does `return` stand inside the loop?",
    ),
    (
        lambda X, s, W, U: np.array([s, *unrolled()(X[1:], s, W, U)]),
        "Row 0 is the state that came in, and the first input is never read: which step is it that"
        " row 0 comes after?",
    ),
    (
        lambda X, s, W, U: np.array([0 * s, *unrolled()(X[1:], 0 * s, W, U)]),
        "Row 0 holds zeros: at which row does your loop begin, and which input has not been read?",
    ),
    (
        unrolled(start=np.zeros_like),
        "You start from zeros; which state were you handed?",
    ),
    (
        lambda X, s, W, U: unrolled()(X[::-1], s, W, U),
        "You read the sequence from its end: which row comes first?",
    ),
    (
        lambda X, s, W, U: unrolled()(X, s, W, U)[::-1],
        "The right states, the last one first: which row should be first?",
    ),
    (
        lambda X, s, W, U: unrolled()(X, s, W, U).T,
        "Your states stand in columns: a row for each step was asked for. Is it?",
    ),
    (
        unrolled(lambda x, s, W, U: np.tanh(U @ x + W @ s)),
        "W and U have each other's place: which of them meets x, and which meets the state?",
    ),
    (
        unrolled(lambda x, s, W, U: np.tanh(x @ W + s @ U)),
        "x @ W takes W by its columns: is that W x, which takes it by its rows?",
    ),
    (
        unrolled(lambda x, s, W, U: np.tanh(x @ W + U @ s)),
        "W.T @ x, or x @ W, takes W by its columns: is that W x, which takes it by its rows?",
    ),
    (
        unrolled(lambda x, s, W, U: np.tanh(W @ x + s @ U)),
        "U.T @ s, or s @ U, takes U by its columns: is that U s, which takes it by its rows?",
    ),
    (unrolled(lambda x, s, W, U: W @ x + U @ s), "Where is the tanh?"),
    (
        unrolled(lambda x, s, W, U: np.tanh(W @ x) + U @ s),
        "Is the state's part, U s, inside the tanh? Mind the brackets.",
    ),
    (unrolled(lambda x, s, W, U: np.tanh(W @ x)), "Does your new state know the old one?"),
    (unrolled(lambda x, s, W, U: np.tanh(U @ s)), "Does your new state know x?"),
]


def sequences(rng):
    for T, d in ((4, 3), (6, 2), (5, 4)):  # of T, d and e no two fit by accident where they matter
        W, U = weights(rng, d, d)
        yield rng.normal(size=(T, d)), rng.uniform(-0.9, 0.9, size=d), W, U


def uneven_sequences(rng):
    for T, d, e in ((5, 3, 2), (1, 4, 3), (7, 2, 4)):
        W, U = weights(rng, d, e)
        yield rng.normal(size=(T, e)), rng.uniform(-0.9, 0.9, size=d), W, U


def goes_on(call, rng):
    """Whether two halves, the second begun where the first ended, are the whole."""
    for X, s, W, U in sequences(rng):
        half, d = len(X) // 2, len(s)
        whole, first = call(X, s, W, U), call(X[:half], s, W, U)
        if whole.shape != (len(X), d) or first.shape != (half, d):
            return "Is there a row for each step, and is it as long as the state?"
        second = call(X[half:], first[-1], W, U)
        if not (second.any() and close(np.concatenate([first, second]), whole)):
            return False
    return True


rnn_states.agrees(
    "has a row for each step, the state after it: tanh(W x + U s), s from the row before",
    "Two steps on paper, with a single number for each: what is row 1 made from?",
    sequences,
)
rnn_states.claims.append(
    Claim(
        "can stop and go on: two halves, the second begun with the last row of the first, make the"
        " whole",
        "Read half of a sequence, and the rest from the state where you stopped: is that the same"
        " as reading it in one go? Does your first row start from the s that came in?",
        goes_on,
        1,
    )
)
rnn_states.agrees(
    "works for a single step, for any length of x, and leaves what came in as it was",
    "Do the claims above hold? If so, what is different here, with a single step, or an x longer or"
    " shorter than the state?",
    uneven_sequences,
    untouched="Do you write into s or X? Whoever called rnn_states may read on from there.",
)
