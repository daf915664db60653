"""Exercise 1, weighing: which company is more than chance.

PPMI[i, j] = max(0, log( C[i, j] · N / (C[i, :].sum() · C[:, j].sum()) )),   N = C.sum()

The reference is a loop over single entries: too plain to be wrong.
"""

import numpy as np

from firth.checks.claims import Exercise


def weighed(entry=lambda c, row, column, N: max(0.0, np.log(c * N / (row * column)))):
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


def cut_off(C):
    """What a table of whole numbers makes of 0.69."""
    return weighed()(C).astype(np.asarray(C).dtype)


ZEROS = "What is log 0, and what is 0/0? A pair that never met should simply get 0."
NO_CLIP = "What should become of a negative PMI? The first P of PPMI stands for positive."

BRACKETS = (
    "Python divides by the row sum, then multiplies by the column sum: where are brackets missing?"
)
ppmi = Exercise(
    name="ppmi",
    chapter="01_lsa",
    difficulty=2,
    minutes=15,
    hints=(
        "How often would i and j meet if the table had the same row and column sums, but words met"
        " by chance? Compare the count with that.",
        "By chance you expect row sum × column sum ÷ total. PMI is the log of count ÷ expected."
        " Take the log only where the count is above 0; then replace what is below 0 by 0.",
        "expected = C.sum(axis=1, keepdims=True) * C.sum(axis=0, keepdims=True) / C.sum()\n"
        "P = np.zeros(C.shape)\n"
        "met = C > 0\n"
        "P[met] = …  # the log of a ratio, clipped below at 0",
    ),
    right=weighed(),
    stumbles={
        "broadcast": "Row sums go down the side, column sums along the top: what shapes must they"
        " have so that every row sum meets every column sum?"
    },
)
ppmi.mistakes = [
    (
        lambda C: np.zeros(C.shape),
        "Everything is 0, so that every ratio is 1 or less: is it the count over what chance would"
        " give, row sum × column sum ÷ total? Where does the total stand?",
    ),
    (
        cut_off,
        "C holds whole numbers. Does your new table hold fractions, or does it cut 0.69 down to 0?"
        " (`np.zeros(C.shape)`)",
    ),
    (weighed(lambda x, r, c, N: max(0.0, np.log(x * N / r * c))), BRACKETS),
    (weighed(lambda x, r, c, N: np.log(x * N / (r * c))), NO_CLIP),
    (vectorised(lambda C, r, c, N: np.log(C * N / (r * c))), f"{NO_CLIP} And what is log 0?"),
    (vectorised(lambda C, r, c, N: np.maximum(np.log(C * N / (r * c)), 0)), ZEROS),
    (
        weighed(lambda x, r, c, N: max(0.0, np.log2(x * N / (r * c)))),
        "Everything is too large by 1/log 2 = 1.44: which logarithm is asked for?",
    ),
    (
        weighed(lambda x, r, c, N: max(0.0, np.log10(x * N / (r * c)))),
        "Everything is too small by a factor of 2.30: which logarithm is asked for?",
    ),
    (
        weighed(lambda x, r, c, N: max(0.0, np.log1p(x * N / (r * c)))),
        "log1p(x) is log(1 + x): would a ratio of 1, pure chance, get 0?",
    ),
    (
        weighed(lambda x, r, c, N: x * N / (r * c)),
        "You compare with chance, but where is the logarithm?",
    ),
    (
        weighed(lambda x, r, c, N: max(0.0, x * N / (r * c) - 1)),
        "You compare with chance, but where is the logarithm?",
    ),
    (
        weighed(lambda x, r, c, N: np.log(x / r)),
        "You divide by the row sum only: does it matter how frequent the neighbour is?",
    ),
    (
        weighed(lambda x, r, c, N: max(0.0, np.log(x * N / r))),
        "You divide by the row sum only: does it matter how frequent the neighbour is?",
    ),
    (
        weighed(lambda x, r, c, N: np.log(x / c)),
        "You divide by the column sum only: does it matter how frequent the word itself is?",
    ),
    (
        weighed(lambda x, r, c, N: max(0.0, np.log(x * N / c))),
        "You divide by the column sum only: does it matter how frequent the word itself is?",
    ),
    (
        weighed(lambda x, r, c, N: np.log(x / (r * c))),
        "Where is the total? Counts become probabilities when each is divided by it.",
    ),
    (
        weighed(lambda x, r, c, N: max(0.0, x / N * np.log(x * N / (r * c)))),
        "That is the pair's share of the mutual information: is there a factor too many?",
    ),
    (
        weighed(lambda x, r, c, N: min(0.0, np.log(x * N / (r * c)))),
        "You keep what is below 0 and drop what is above: maximum or minimum?",
    ),
    (
        weighed(lambda x, r, c, N: abs(np.log(x * N / (r * c)))),
        "You turn a negative PMI round: should it become positive, or 0?",
    ),
]


def tables(rng):
    """Tables of counts in which everyone has met, rows and columns of different weight."""
    for shape, kind in (((4, 4), int), ((3, 6), float), ((5, 4), int)):
        table = rng.integers(1, 4, size=shape) + 8 * (rng.random(shape) < 0.3)
        table[0] += np.arange(1, shape[1] + 1)
        table[0, 0] += 40
        yield (table.astype(kind),)


def signs(P, right):
    """What is 0 in the right answer as it stands; of the rest only whether it is above 0."""
    return np.where(right > 1e-9, P > 1e-9, P)


def tables_with_gaps(rng):
    for shape in ((5, 5), (4, 7)):
        table = rng.integers(1, 9, size=shape) * (rng.random(shape) < 0.6)
        np.fill_diagonal(table, rng.integers(1, 9, size=min(shape)))  # nobody is left out
        table[0, 1], table[1:, -1] = 0, table[1:, -1] + 1
        yield (table.astype(float),)


def tables_with_strangers(rng):
    for shape in ((5, 5), (4, 6)):
        table = rng.integers(1, 9, size=shape).astype(float)
        table[2], table[:, 3] = 0, 0
        yield (table,)
    yield (np.zeros((3, 3)),)


ppmi.agrees(
    "is the natural log of count × total ÷ (row sum × column sum), where that is above 0",
    "For one pair, on paper: its count, its row sum, its column sum, the total. What is the log of"
    " count × total ÷ (row sum × column sum)?",
    tables,
    view=lambda P, right: np.where(right > 0, P, 0),
)
ppmi.agrees("is 0 where a pair meets less often than by chance", NO_CLIP, tables, view=signs)
ppmi.agrees("is 0, not −∞, where a pair never meets", ZEROS, tables_with_gaps, view=signs)
ppmi.agrees(
    "is 0, not nan, for a word that was never counted",
    "If a whole row is 0, what do you divide by?",
    tables_with_strangers,
    view=signs,
)
ppmi.leaves(
    "is a new table, and leaves the counts as they were",
    "Are you writing into C? Whoever called ppmi may still need the counts.",
    tables_with_gaps,
)
