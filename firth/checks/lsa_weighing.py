"""Exercise 1, ways of weighing counts: the right one, and what goes wrong.

PPMI[i, j] = max(0, log( C[i, j] · N / (C[i, :].sum() · C[:, j].sum()) )),   N = C.sum()

The right one is a loop over single entries: too plain to be wrong. Each way takes the logarithm
that is asked for.
"""

import numpy as np


def weighed(entry):
    """A way of weighing each count by its row, its column and the total; 0 where the count is 0."""

    def ppmi(C):
        C = np.asarray(C, dtype=float)
        rows, columns, N = C.sum(axis=1), C.sum(axis=0), C.sum()
        P = np.zeros(C.shape)
        for i, j in np.argwhere(C > 0):
            P[i, j] = entry(C[i, j], rows[i], columns[j], N)
        return P

    return ppmi


def vectorised(formula):
    """A mistake written with whole arrays, where 0/0 and log 0 do what NumPy does with them."""

    def ppmi(C):
        C = np.asarray(C, dtype=float)
        return formula(C, C.sum(axis=1, keepdims=True), C.sum(axis=0, keepdims=True), C.sum())

    return ppmi


def surprise(log):
    """The right answer, by one logarithm or another."""
    return weighed(lambda x, r, c, N: max(0.0, log(x * N / (r * c))))


def cut_off(log):
    """What a table of whole numbers makes of 0.69."""
    return lambda C: surprise(log)(C).astype(np.asarray(C).dtype)


ZEROS = "What is log 0, and what is 0/0? A pair that never met should simply get 0."
NO_CLIP = "What should become of a negative PMI? The first P of PPMI stands for positive."
COMPARED = "Which function of NumPy takes the greater of two numbers, entry by entry?"
BRACKETS = (
    "Python divides by the row sum, then multiplies by the column sum: where are brackets missing?"
)


def mistakes(log, others, fraction):
    """What goes wrong with one logarithm or another; `fraction` stands in the worked example."""
    by_row = "You divide by the row sum only: does it matter how frequent the neighbour is?"
    by_column = "You divide by the column sum only: does it matter how frequent the word itself is?"
    no_log = "You compare with chance, but where is the logarithm?"
    return [
        (
            lambda C: np.zeros(C.shape),
            "Everything is 0: is none of your ratios above 1? Is it the count over what chance"
            " would give, row sum × column sum ÷ total? Where does the total stand?",
        ),
        (
            cut_off(log),
            "C holds whole numbers. Does your new table hold fractions, or does it cut"
            f" {fraction} down to 0? (`np.zeros(C.shape)`)",
        ),
        (weighed(lambda x, r, c, N: max(0.0, log(x * N / r * c))), BRACKETS),
        (weighed(lambda x, r, c, N: log(x * N / (r * c))), NO_CLIP),
        (vectorised(lambda C, r, c, N: log(C * N / (r * c))), f"{NO_CLIP} And what is log 0?"),
        (vectorised(lambda C, r, c, N: np.maximum(log(C * N / (r * c)), 0)), ZEROS),
        *(
            (surprise(other), f"Everything is {wrong}: which logarithm is asked for?")
            for other, wrong in others
        ),
        (
            weighed(lambda x, r, c, N: max(0.0, log(1 + x * N / (r * c)))),
            "log1p(x) is log(1 + x): would a ratio of 1, pure chance, get 0?",
        ),
        (
            weighed(lambda x, r, c, N: max(0.0, log(r * c / (x * N)))),
            "Is your ratio above 1 where two words meet more often than by chance, or less often?",
        ),
        (weighed(lambda x, r, c, N: x * N / (r * c)), no_log),
        (weighed(lambda x, r, c, N: max(0.0, x * N / (r * c) - 1)), no_log),
        (weighed(lambda x, r, c, N: log(x / r)), by_row),
        (weighed(lambda x, r, c, N: max(0.0, log(x * N / r))), by_row),
        (weighed(lambda x, r, c, N: log(x / c)), by_column),
        (weighed(lambda x, r, c, N: max(0.0, log(x * N / c))), by_column),
        (
            weighed(lambda x, r, c, N: log(x / (r * c))),
            "Where is the total? Counts become probabilities when each is divided by it.",
        ),
        (
            weighed(lambda x, r, c, N: max(0.0, x / N * log(x * N / (r * c)))),
            "That is the pair's share of the mutual information: is there a factor too many?",
        ),
        (
            weighed(lambda x, r, c, N: min(0.0, log(x * N / (r * c)))),
            "You keep what is below 0 and drop what is above: maximum or minimum?",
        ),
        (
            weighed(lambda x, r, c, N: abs(log(x * N / (r * c)))),
            "You turn a negative PMI round: should it become positive, or 0?",
        ),
    ]
