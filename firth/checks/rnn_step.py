"""Exercise 3, memory: one step of a recurrent network.

s_t = tanh(W x_t + U s_{t−1})     the same W and U at every step
y_t = V s_t
"""

import numpy as np

from firth.checks.activations import sigmoid
from firth.checks.claims import Exercise
from firth.checks.mistakes import fitting


def stepped(
    state=lambda x, s, W, U: np.tanh(W @ x + U @ s),
    output=lambda s, new, V: V @ new,
    pair=lambda new, y: (new, y),
):
    """A way of taking a step, the right one by default: the new state, the output, the answer."""

    @fitting
    def rnn_step(x, s, W, U, V):
        new = state(x, s, W, U)
        return pair(new, output(s, new, V))

    return rnn_step


SIZES = "Which matrix has as many columns as x has numbers? And which as many as s?"
IN_A_ROW = "Both in one long row: can you return two things, `return a, b`?"
rnn_step = Exercise(
    name="rnn_step",
    chapter="03_rnn",
    number="3.1",
    difficulty=1,
    minutes=10,
    hints=(
        "Read the three lines as Python does: which names have a value when they are needed, and"
        " which value is gone when the function ends?",
        "The state must come in and go out again. Make the new state from x and the state that came"
        " in; make the output from the new state; return both.",
        "new = np.tanh(W @ x + U @ s)\n"
        "y = V @ …  # which state?\n"
        "return …  # what will the next step need, besides the output?",
    ),
    right=stepped(),
    stumbles={
        "dimension": SIZES,
        "not aligned": SIZES,
        "could not be broadcast": "Is it `*`, number by number, or `@`, row by column?",
        "'s'": "Where does the state come from? It has to be handed in.",
        "'h'": "The slide calls one thing by two names: what is h?",
        "makes no table": "Are the state and the output both rows? A matrix `*` a vector is a"
        " matrix.",
    },
)
STAR = "`*` multiplies number by number: which sign multiplies a matrix by a vector?"
SQUASHED = "You squash the output as well: does the slide's second line do so?"
rnn_step.mistakes = [
    (
        stepped(output=lambda s, new, V: V @ s),
        "Your output is made from the state that came in: has it seen x yet?",
    ),
    (
        stepped(lambda x, s, W, U: np.tanh(U @ x + W @ s)),
        "W and U have each other's place: which of them meets x, and which meets the state?",
    ),
    (
        stepped(lambda x, s, W, U: np.tanh(x @ W + s @ U)),
        "x @ W takes W by its columns: is that W x, which takes it by its rows?",
    ),
    (
        stepped(lambda x, s, W, U: np.tanh(x @ W + U @ s)),
        "W.T @ x, or x @ W, takes W by its columns: is that W x, which takes it by its rows?",
    ),
    (
        stepped(lambda x, s, W, U: np.tanh(W @ x + s @ U)),
        "U.T @ s, or s @ U, takes U by its columns: is that U s, which takes it by its rows?",
    ),
    (
        stepped(lambda x, s, W, U: x @ W + s @ U),
        "x @ W takes W by its columns, and where is the tanh?",
    ),
    (
        stepped(output=lambda s, new, V: new @ V),
        "s @ V takes V by its columns: is that V s, which takes it by its rows?",
    ),
    (
        stepped(lambda x, s, W, U: np.tanh(x @ W + s @ U), lambda s, new, V: new @ V),
        "x @ W takes W by its columns: is that W x, which takes it by its rows?",
    ),
    (
        stepped(lambda x, s, W, U: W @ x + U @ s),
        "Where is the tanh? Without it the state may grow without end.",
    ),
    (
        stepped(lambda x, s, W, U: np.tanh(W @ x) + np.tanh(U @ s)),
        "Is it tanh of a sum here, or a sum of two tanhs?",
    ),
    (
        stepped(lambda x, s, W, U: np.tanh(W @ x) + U @ s),
        "Is the state's part, U s, inside the tanh? Mind the brackets.",
    ),
    (
        stepped(lambda x, s, W, U: sigmoid(W @ x + U @ s)),
        "That is the sigmoid, which is never below 0: what is asked for?",
    ),
    (stepped(lambda x, s, W, U: np.tanh(W @ x)), "Does your new state know the old one?"),
    (stepped(lambda x, s, W, U: np.tanh(U @ s)), "Does your new state know x?"),
    (
        stepped(lambda x, s, W, U: s + np.tanh(W @ x + U @ s)),
        "You add the old state to the new one: who asked for the sum?",
    ),
    (stepped(lambda x, s, W, U: np.tanh(W * x + U * s)), STAR),
    (stepped(lambda x, s, W, U: np.tanh(W * x + U * s), lambda s, new, V: V * new), STAR),
    (stepped(output=lambda s, new, V: np.tanh(V @ new)), SQUASHED),
    (stepped(output=lambda s, new, V: sigmoid(V @ new)), SQUASHED),
    (stepped(output=lambda s, new, V: np.exp(V @ new) / np.exp(V @ new).sum()), SQUASHED),
    (
        stepped(output=lambda s, new, V: V @ np.arctanh(new)),
        "Your output is made from what stands inside the tanh: is that the state?",
    ),
    (
        lambda x, s, W, U, V: (s, stepped()(x, s, W, U, V)[1]),
        "You return the state that came in: which one does the next step need?",
    ),
    (
        stepped(lambda x, s, W, U: np.tanh(U @ x + W @ s), pair=lambda new, y: (y, new)),
        "W and U have each other's place, and the output stands first: which matrix meets x here,"
        " and which of the two is asked for first?",
    ),
    (
        stepped(output=lambda s, new, V: V @ s, pair=lambda new, y: (y, new)),
        "Your output stands first, and it is made from the state that came in: has it seen x?",
    ),
    (stepped(output=lambda s, new, V: new), "The output is the state itself: where did V go?"),
    (
        stepped(pair=lambda new, y: (y, new)),
        "Do the two stand in the order that is asked for? State first.",
    ),
    (stepped(pair=lambda new, y: y), "What will the next step start from, if y is all you return?"),
    (stepped(pair=lambda new, y: new), "That is the state; and the output?"),
    (
        stepped(pair=lambda new, y: np.concatenate([new, y])),
        IN_A_ROW,
    ),
]


def weights(rng, d, e, scale=1.0):
    """Matrices of unequal rows and columns, of a size for which the tanh is not flat."""
    return rng.normal(size=(d, e)) * scale / np.sqrt(e), rng.normal(size=(d, d)) * scale / d**0.5


def steps(rng):
    for d in (2, 3, 4):  # x as long as s: every mix-up runs, and only the numbers tell
        W, U = weights(rng, d, d)
        yield rng.normal(size=d), rng.uniform(-0.9, 0.9, size=d), W, U, rng.normal(size=(d, d))


def uneven_steps(rng):
    for d, e in ((3, 5), (4, 2)):
        W, U = weights(rng, d, e)
        yield rng.normal(size=e), rng.uniform(-0.9, 0.9, size=d), W, U, rng.normal(size=(d, d))


rnn_step.agrees(
    "makes the new state tanh(W x + U s), from x and the state that came in",
    "On paper, with a single number for each: what is tanh(W x + U s)?",
    steps,
    view=lambda answer, right: answer[:1],
)
rnn_step.agrees(
    "makes the output V s from the new state, and returns the state first",
    "Which state does the slide's second line want, the one before x or the one after?",
    steps,
    view=lambda answer, right: answer[1:],
)
rnn_step.leaves(
    "takes an x longer or shorter than the state, and leaves the state that came in as it was",
    "Do you write into s? Somebody may want to go back to it.",
    uneven_steps,
)
