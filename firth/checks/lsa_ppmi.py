"""Exercise 1, weighing: which company is more than chance.

PPMI[i, j] = max(0, log( C[i, j] · N / (C[i, :].sum() · C[:, j].sum()) )),   N = C.sum()

Which logarithm is asked for may differ from student to student (firth.checks.variants).

The right answer is a loop over single entries: too plain to be wrong.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from firth.checks.claims import Exercise
from firth.checks.variants import printed


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


class Logarithm(NamedTuple):
    """A logarithm that may be asked for, and what it is called in each place."""

    form: str
    log: Callable
    notebook: str
    claim: str
    sign: str
    tex: str
    others: tuple[tuple[Callable, str], ...]  # what another one makes of everything

    @property
    def hint(self) -> str:
        return self.claim.removeprefix("natural ")


NATURAL = Logarithm(
    *("natural logarithm", np.log, "**natural** logarithm", "natural log", "log", r"\log"),
    ((np.log2, "too large by 1/log 2 = 1.44"), (np.log10, "too small by a factor of 2.30")),
)
BASE_2 = Logarithm(
    *("base 2", np.log2, "logarithm to **base 2**", "log to base 2", "log₂", r"\log_2"),
    ((np.log, "too small by log 2 = 0.69"), (np.log10, "too small by a factor of 3.32")),
)
BASE_10 = Logarithm(
    *("base 10", np.log10, "logarithm to **base 10**", "log to base 10", "log₁₀", r"\log_{10}"),
    ((np.log, "too large by log 10 = 2.30"), (np.log2, "too large by a factor of 3.32")),
)


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
        table[0] += 1
        table[0, 1], table[1:, -1] = 0, table[1:, -1] + 1
        yield (table.astype(float),)


def tables_with_strangers(rng):
    for shape in ((5, 5), (4, 6)):
        table = rng.integers(1, 9, size=shape).astype(float)
        table[2], table[:, 3] = 0, 0
        yield (table,)
    yield (np.zeros((3, 3)),)


WORKED = np.array([[1, 3], [2, 0]])


def passages(asked, P):
    """What the notebook says of the logarithm, and the example that is worked by hand there."""
    log = asked.sign
    return (
        rf"\max\Bigl(0,\ {asked.tex} \frac",
        f"with the {asked.notebook},",
        f"Top left: {log}(",
        f"Top right: {log}(3 · 6 / (4 · 3)) = {log} 3/2 = {P[0, 1].round(2):g}.",
        f"Bottom left: {log}(2 · 6 / (2 · 3)) = {log} 2 = {P[1, 0].round(2):g}.",
        printed(P.round(2)),
    )


def question(asked: Logarithm) -> Exercise:
    """The question, with all that belongs to it, for one logarithm."""
    right = surprise(asked.log)
    P = right(WORKED)
    ppmi = Exercise(
        name="ppmi",
        chapter="01_lsa",
        number="1.2",
        difficulty=2,
        minutes=15,
        hints=(
            "How often would i and j meet if the table had the same row and column sums, but words"
            " met by chance? Compare the count with that.",
            "By chance you expect row sum × column sum ÷ total. PMI is the"
            f" {asked.hint} of count ÷ expected."
            " Take the log only where the count is above 0; then replace what is below 0 by 0.",
            "expected = C.sum(axis=1, keepdims=True) * C.sum(axis=0, keepdims=True) / C.sum()\n"
            "P = np.zeros(C.shape)\n"
            "met = C > 0\n"
            f"P[met] = …  # the {asked.hint} of a ratio, clipped below at 0",
        ),
        right=right,
        stumbles={
            "broadcast": "Row sums go down the side, column sums along the top: what shapes must"
            " they have so that every row sum meets every column sum?",
            "math domain": ZEROS,
            "expected a positive input": ZEROS,
            "ambiguous": COMPARED,
            "integer scalar": COMPARED,
        },
        form=asked.form,
        passages=passages(asked, P),
        mistakes=mistakes(asked.log, asked.others, f"{P[P % 1 > 0].max():.2f}"),
    )
    ppmi.agrees(
        f"is the {asked.claim} of count × total ÷ (row sum × column sum), where that is above 0",
        "For one pair, on paper: its count, its row sum, its column sum, the total. What is the"
        f" {asked.hint} of count × total ÷ (row sum × column sum)?",
        tables,
        view=lambda P, right: np.where(right > 0, P, 0),
    )
    ppmi.agrees(
        "is 0 where a pair meets less often than by chance",
        "Where count × total ÷ (row sum × column sum) is below 1, do you get 0? And where it is"
        " above 1, more than 0?",
        tables,
        view=signs,
    )
    ppmi.agrees(
        "is 0, not −∞, where a pair never meets",
        "Is every cell 0 where C has a 0? And is it above 0 where two words met, if only once, more"
        " often than by chance?",
        tables_with_gaps,
        view=signs,
    )
    ppmi.agrees(
        "is 0, not nan, for a word that was never counted",
        "Where a whole row or column is 0, is your table 0 as well? And is it above 0 where two"
        " words met more often than by chance?",
        tables_with_strangers,
        view=signs,
    )
    ppmi.leaves(
        "is a new table, and leaves the counts as they were",
        "Are you writing into C? Whoever called ppmi may still need the counts.",
        tables_with_gaps,
    )
    return ppmi


ppmi = question(NATURAL)
ppmi.forms = (question(BASE_2), question(BASE_10))
