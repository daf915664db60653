"""Exercise 4.4: the additive score of a decoder's hidden state and those of an encoder.

z_j = v · tanh(W s + U h_j)      for each hidden state h_j, a row of H
"""

import math
from collections.abc import Callable, Iterator

import numpy as np

from firth.checks.activations import sigmoid
from firth.checks.claims import Exercise, close
from firth.checks.mistakes import fitting
from firth.checks.rnn.relations import agrees_or_fits

from .claims import add_claim_about_unchanged_inputs, rounded
from .row_softmax import row_softmax


@fitting
def reference(s, H, W, U, v):
    """The right `additive_scores`, one number at a time."""
    scores = []
    for h in H:
        inside = [sum(W[a] * s) + sum(U[a] * h) for a in range(len(v))]
        scores.append(sum(v[a] * math.tanh(inside[a]) for a in range(len(v))))
    return np.array(scores)


def score_function(
    inside=lambda s, H, W, U: W @ s + H @ U.T,
    bend=np.tanh,
    end=lambda T, v: T @ v,
) -> Callable:
    """A function `additive_scores(s, H, W, U, v)`: right, or with another part a mistake.

    `inside` gives a row for each state, `bend` is applied to it, and `end` makes the scores.
    """

    @fitting
    def additive_scores(s, H, W, U, v):
        return end(bend(inside(s, H, W, U)), v)

    return additive_scores


def unbent(x):
    """The numbers as they are: the mistake of leaving out tanh."""
    return x


U_TIMES_H = (
    "U @ H multiplies U by the columns of H. Do the hidden states stand in the rows or in the"
    " columns of H?"
)
TANH_AFTER_V = (
    "You multiply by v before you apply tanh. In the formula, does tanh stand inside or outside the"
    " product with v?"
)
ROOT = "You divide by a root. Does the formula have one?"
MISTAKES = {
    "no tanh": (
        score_function(bend=unbent),
        "Where is the tanh? The demo below shows what goes wrong without it."),
    "sigmoid": (
        score_function(bend=sigmoid),
        "That is the sigmoid, which is never negative. Which function stands in the formula?"),
    "W and U exchanged": (
        score_function(inside=lambda s, H, W, U: U @ s + H @ W.T),
        "W and U have exchanged their places. Which of them belongs to s?"),
    "both by columns": (
        score_function(inside=lambda s, H, W, U: s @ W + H @ U),
        "s @ W multiplies s by the columns of W. Is this W s?"),
    "U by columns": (
        score_function(inside=lambda s, H, W, U: W @ s + H @ U),
        "H @ U multiplies each h by the columns of U. Which product is U h for all rows h of H?"),
    "U @ H, transposed": (
        score_function(inside=lambda s, H, W, U: W @ s + (U @ H).T), U_TIMES_H),
    "U @ H": (score_function(inside=lambda s, H, W, U: W @ s + U @ H), U_TIMES_H),
    "states in columns": (
        score_function(lambda s, H, W, U: W @ s + U @ H.T, end=lambda T, v: v @ T),
        "In U @ H.T, each hidden state is a column. Do you add W s to every column or to every"
        " row?"),
    "no s": (
        score_function(inside=lambda s, H, W, U: H @ U.T),
        "Your scores do not depend on s. Where is W s?"),
    "no h": (
        score_function(inside=lambda s, H, W, U: W @ s + 0 * (H @ U.T)),
        "All hidden states get the same score. Where is U h?"),
    "product": (
        score_function(inside=lambda s, H, W, U: (W @ s) * (H @ U.T)),
        "You multiply W s and U h. Which sign stands between them in the formula?"),
    "dot product": (
        fitting(lambda s, H, W, U, v: (H @ U.T) @ (W @ s)),
        "That is the dot product of W s and U h. Where are the sum, the tanh and v?"),
    "number by number": (
        fitting(lambda s, H, W, U, v: np.tanh(W * s + U * H) @ v),
        "`*` multiplies number by number. Which sign multiplies a matrix and a vector?"),
    "tanh after v": (score_function(bend=unbent, end=lambda T, v: np.tanh(T @ v)), TANH_AFTER_V),
    "tanh after v, then the sum": (
        score_function(bend=unbent, end=lambda T, v: np.tanh(T * v).sum(axis=-1)), TANH_AFTER_V),
    "two tanhs": (
        score_function(lambda s, H, W, U: np.tanh(W @ s) + np.tanh(H @ U.T), bend=unbent),
        "You add two values of tanh. Is it tanh of a sum, or a sum of two tanhs?"),
    "W s outside": (
        score_function(lambda s, H, W, U: W @ s + np.tanh(H @ U.T), bend=unbent),
        "W s stands outside the tanh. Where should the bracket be opened?"),
    "U h outside": (
        score_function(lambda s, H, W, U: np.tanh(W @ s) + H @ U.T, bend=unbent),
        "U h stands outside the tanh. Where should the bracket be closed?"),
    "mean": (
        score_function(end=lambda T, v: (T * v).mean(axis=-1)),
        "You take a mean over the numbers of v. Is a dot product a mean or a sum?"),
    "no sum": (
        score_function(end=lambda T, v: T * v),
        "You return several numbers for each hidden state. A dot product is one number. Where do"
        " you add up?"),
    "no v": (
        score_function(end=lambda T, v: T.sum(axis=-1)),
        "You add up the numbers of tanh as they are. Where is v?"),
    "v @ table": (
        score_function(end=lambda T, v: v @ T),
        "In v @ T, v meets the rows of your table, which belong to the hidden states. v belongs to"
        " the columns. On which side of the table should v stand?"),
    "root of v": (score_function(end=lambda T, v: T @ v / len(v) ** 0.5), ROOT),
    "root of s": (
        lambda s, H, W, U, v: score_function()(s, H, W, U, v) / len(s) ** 0.5, ROOT),
    "weights": (
        score_function(end=lambda T, v: row_softmax(T @ v)),
        "These are the weights, after the softmax. Can you return the scores?"),
    "all states added": (
        score_function(end=lambda T, v: (T @ v).sum()),
        "You return one number, the sum over all hidden states. Can you return a score for each of"
        " them?"),
}  # fmt: skip
NOT_ABOUT_SHAPES = (
    "no tanh", "sigmoid", "product", "tanh after v", "tanh after v, then the sum", "two tanhs",
    "W s outside", "U h outside", "mean", "no v", "root of v", "root of s",
)  # fmt: skip
SIDES = (
    "Look at the `@` in this line. How many columns has its left side, and how many rows its right"
    " side? W has as many columns as s has numbers, and U as many as a row of H. The table inside"
    " tanh has a row for each hidden state and a column for each number of v."
)
additive_scores = Exercise(
    name="additive_scores",
    chapter="04_attention",
    number="4.4",
    difficulty=2,
    minutes=10,
    hints=(
        "Write it for a single hidden state first: two products, their sum, tanh, and a dot"
        " product. Which of these parts is the same for all rows of H?",
        "Calculate W s once. Then H @ U.T is U h for all rows of H, a row for each h. Add both,"
        " apply tanh, and take the dot product of each row with v.",
        "T = np.tanh(W @ s + H @ U.T)  # a row for each hidden state\n"
        "return T @ …  # what makes one number of a row?",
    ),
    right=reference,
    mistakes=[*MISTAKES.values(), *rounded(score_function())],
    stumbles={
        "matmul": SIDES,
        "not aligned": SIDES,
        "Python scalars": "`math.tanh` takes one number. Which tanh takes a whole array?",
        "out of bounds": "How many rows has H, and how far does your loop count?",
        "could not be broadcast": "W s is one row. U h for all hidden states should be a table with"
        " a row for each of them. Is it?",
    },
)


def draw_states(rng, *sizes) -> Iterator[tuple]:
    """Random (s, H, W, U, v): n hidden states of e numbers, s of d numbers and v of a numbers."""
    for n, d, e, a in sizes:
        yield (
            rng.normal(size=d),
            rng.normal(size=(n, e)),
            rng.normal(size=(a, d)) / d**0.5,
            rng.normal(size=(a, e)) / e**0.5,
            rng.normal(size=a) + 0.5,
        )


def states_of_equal_sizes(rng) -> Iterator[tuple]:
    """Inputs (s, H, W, U, v) in which all lengths are equal, so that no wrong product is an error.

    They catch everything that is wrong in the formula.
    """
    return draw_states(rng, (3, 3, 3, 3), (4, 4, 4, 4), (2, 2, 2, 2))


def states_of_all_sizes(rng) -> Iterator[tuple]:
    """Inputs (s, H, W, U, v) in which all lengths differ. They catch rows taken for columns."""
    return draw_states(rng, (5, 2, 3, 4), (3, 6, 2, 5), (4, 3, 5, 2))


def single_states(rng) -> Iterator[tuple]:
    """Inputs (s, H, W, U, v) with one hidden state, or three. They catch an axis that is lost."""
    return draw_states(rng, (1, 3, 2, 4), (3, 3, 3, 3), (1, 2, 2, 2))


def right_but_for_the_formula(call, case, answer) -> bool:
    """Whether the answer has a known mistake in the formula, and its products are right."""
    ways = (MISTAKES[name][0](*case) for name in NOT_ABOUT_SHAPES)
    return bool(answer.any()) and any(close(answer, way) for way in ways)


additive_scores.agrees(
    "gives each row h of H the score v · tanh(W s + U h)",
    "Take one number for each symbol, on paper. What stands inside the tanh for the first h, and"
    " what for the second?",
    states_of_equal_sizes,
)
agrees_or_fits(
    additive_scores,
    "works if s, h and v have different lengths",
    "Let s have 2 numbers, h 3 and v 4. How many rows and columns have W and U?",
    states_of_all_sizes,
    right_but_for_the_formula,
)
add_claim_about_unchanged_inputs(
    additive_scores,
    "works for a single hidden state, and does not change the five given arrays",
    "Does your function write into one of the given arrays? The next step of the decoder needs the"
    " same H.",
    single_states,
    special="Here H has a single row. Which shape has your result, (1,) or ()?",
)
