"""Exercise 4, a score that is learned: how well a decoder's state and an encoder's fit each other.

x_j = v · tanh(W s + U h_j)      for each state h_j, a row of H
"""

import math

import numpy as np

from firth.checks.activations import sigmoid
from firth.checks.claims import Exercise
from firth.checks.mistakes import fitting

from .claims import leaves
from .row_softmax import row_by_row


@fitting
def state_by_state(s, H, W, U, v):
    """The right answer, a number at a time."""
    scores = []
    for h in H:
        inside = [sum(W[a] * s) + sum(U[a] * h) for a in range(len(v))]
        scores.append(sum(v[a] * math.tanh(inside[a]) for a in range(len(v))))
    return np.array(scores)


def scored(
    inside=lambda s, H, W, U: W @ s + H @ U.T,
    bend=np.tanh,
    end=lambda T, v: T @ v,
):
    """A way of scoring, the right one by default: what is inside, what bends it, what adds up."""

    @fitting
    def additive_scores(s, H, W, U, v):
        return end(bend(inside(s, H, W, U)), v)

    return additive_scores


additive_scores = Exercise(
    name="additive_scores",
    chapter="04_attention",
    number="4.4",
    difficulty=2,
    minutes=10,
    hints=(
        "First for a single state h: two products, their sum, tanh, then a number. Which part of it"
        " is the same for all rows of H?",
        "W s is computed once. U h for all rows at once is H @ U.T, a row for each h. Add, tanh,"
        " and multiply each row by v: a number for each state.",
        "T = np.tanh(W @ s + H @ U.T)  # a row for each state\n"
        "return T @ …  # what makes one number of a row?",
    ),
    right=state_by_state,
    stumbles={
        "matmul": "Which matrix has as many columns as s has numbers? Which as many as a row of H?",
        "not aligned": "Which matrix has as many columns as s has numbers? Which as many as a row"
        " of H?",
        "Python scalars": "`math.tanh` takes one number: which tanh takes a whole array?",
        "out of bounds": "How many rows has H, and how far does your loop count?",
        "could not be broadcast": "W s is one row; U h should be a row for each state. Is it H @"
        " U.T?",
    },
)
BEFORE = "Does tanh come before v or after it? Mind the brackets."
ROOT = "You divide by a root: does the formula? v is learned, and can be as small as it likes."
additive_scores.mistakes = [
    (scored(bend=lambda x: x), "Where is the tanh? Without it s has no say: do you see why?"),
    (scored(bend=sigmoid), "That is the sigmoid, which is never below 0: what is asked for?"),
    (
        scored(inside=lambda s, H, W, U: U @ s + H @ W.T),
        "W and U have each other's place: which of them meets s?",
    ),
    (
        scored(inside=lambda s, H, W, U: s @ W + H @ U),
        "s @ W takes W by its columns: is that W s, which takes it by its rows?",
    ),
    (
        scored(inside=lambda s, H, W, U: W @ s + H @ U),
        "W s is right; H @ U takes U by its columns: what must be turned?",
    ),
    (
        scored(inside=lambda s, H, W, U: W @ s + (U @ H).T),
        "U @ H takes the columns of H for states: where do the states stand?",
    ),
    (
        scored(inside=lambda s, H, W, U: W @ s + U @ H),
        "U @ H takes the columns of H for states: where do the states stand?",
    ),
    (
        scored(inside=lambda s, H, W, U: W @ s + U @ H.T, end=lambda T, v: v @ T),
        "Each state is a column of U @ H.T: do you add W s to every column, or to every row?",
    ),
    (
        scored(inside=lambda s, H, W, U: H @ U.T),
        "Does your score know s? Who is it that looks?",
    ),
    (
        scored(inside=lambda s, H, W, U: W @ s + 0 * (H @ U.T)),
        "All states get the same score: does yours know h?",
    ),
    (
        scored(inside=lambda s, H, W, U: (W @ s) * (H @ U.T)),
        "You multiply the two: why is this score called additive?",
    ),
    (
        scored(bend=lambda x: x, end=lambda T, v: np.tanh(T @ v)),
        BEFORE,
    ),
    (scored(bend=lambda x: x, end=lambda T, v: np.tanh(T * v).sum(axis=-1)), BEFORE),
    (
        scored(inside=lambda s, H, W, U: np.tanh(W @ s) + np.tanh(H @ U.T), bend=lambda x: x),
        "Is it tanh of a sum here, or a sum of two tanhs?",
    ),
    (
        scored(inside=lambda s, H, W, U: W @ s + np.tanh(H @ U.T), bend=lambda x: x),
        "Is W s inside the tanh? Mind the brackets.",
    ),
    (
        scored(inside=lambda s, H, W, U: np.tanh(W @ s) + H @ U.T, bend=lambda x: x),
        "Is U h inside the tanh? Mind the brackets.",
    ),
    (
        scored(end=lambda T, v: (T * v).mean(axis=-1)),
        "You take a mean over the numbers of v: is v · … a mean, or a sum?",
    ),
    (scored(end=lambda T, v: T * v), "A number for each state was asked for: is v · … a sum?"),
    (scored(end=lambda T, v: T.sum(axis=-1)), "You add the numbers up as they are: where is v?"),
    (
        scored(end=lambda T, v: v @ T),
        "v @ … adds up over the states: which axis of your table belongs to v?",
    ),
    (
        scored(end=lambda T, v: T @ v / len(v) ** 0.5),
        ROOT,
    ),
    (lambda s, H, W, U, v: scored()(s, H, W, U, v) / len(s) ** 0.5, ROOT),
    (
        scored(end=lambda T, v: row_by_row(T @ v)),
        "Those are the weights already: what are the scores, before softmax?",
    ),
    (
        scored(end=lambda T, v: (T @ v).sum()),
        "You add up the states' scores: should each not keep its own?",
    ),
]


def meetings(rng, *sizes):
    for n, d, e, a in sizes:
        yield (
            rng.normal(size=d),
            rng.normal(size=(n, e)),
            rng.normal(size=(a, d)) / d**0.5,
            rng.normal(size=(a, e)) / e**0.5,
            rng.normal(size=a) + 0.5,
        )


additive_scores.agrees(
    "gives each row h of H the score v · tanh(W s + U h)",
    "One number for each on paper: what is inside the tanh for the first h, and for the second?",
    lambda rng: meetings(rng, (3, 3, 3, 3), (4, 4, 4, 4), (2, 2, 2, 2)),
)
additive_scores.agrees(
    "takes states of decoder and encoder, and a v, of any lengths",
    "s with 2 numbers, h with 3, v with 4: how many rows and columns have W and U?",
    lambda rng: meetings(rng, (5, 2, 3, 4), (3, 6, 2, 5), (4, 3, 5, 2)),
)
leaves(
    additive_scores,
    "works for a single state too, and leaves all five as they were",
    "Do you write into H or s? The decoder's next step looks at the same H.",
    lambda rng: meetings(rng, (1, 3, 2, 4), (3, 3, 3, 3), (1, 2, 2, 2)),
    special="H has a single row here: what shape has your answer, (1,) or ()?",
)
