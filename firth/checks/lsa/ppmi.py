"""Exercise 1.3: weight the counts by positive pointwise mutual information.

PPMI[i, j] = max(0, log( C[i, j] · N / (r[i] · c[j]) ))     r, c, N: sums of rows, columns, all

Which logarithm is asked for depends on the student's form of the question (firth.checks.variants).
The reference answer is a loop over single entries.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from firth.checks.claims import Exercise
from firth.checks.mistakes import fitting
from firth.checks.variants import printed

Mistakes = dict[str, tuple[Callable, str]]  # name → the wrong function and its question


def entry_by_entry(weight) -> Callable:
    """A function `ppmi(C)` that computes each entry by itself; a count of 0 stays 0.

    `weight` takes a count, its row sum, its column sum and the total, and returns the entry.
    """

    def ppmi(C):
        C = np.asarray(C, dtype=float)
        rows, columns, N = C.sum(axis=1), C.sum(axis=0), C.sum()
        P = np.zeros(C.shape)
        for i, j in np.argwhere(C > 0):
            P[i, j] = weight(C[i, j], rows[i], columns[j], N)
        return P

    return ppmi


def mistake_with_whole_arrays(formula) -> Callable:
    """A wrong `ppmi`: formula(C, row sums, column sums, total), without a guard for zeros.

    Where C is 0, 0/0 and log 0 give nan and −inf.
    """

    def ppmi(C):
        C = np.asarray(C, dtype=float)
        return formula(C, C.sum(axis=1, keepdims=True), C.sum(axis=0, keepdims=True), C.sum())

    return ppmi


def reference(log) -> Callable:
    """The reference answer, a function `ppmi(C)` with this logarithm."""
    return entry_by_entry(lambda x, r, c, N: max(0.0, log(x * N / (r * c))))


def with_formula(formula, log) -> Callable:
    """A wrong `ppmi`: max(0, log(formula(C, row sums, column sums, total))), and 0 where C is 0."""

    def weights(C, r, c, N):
        with np.errstate(all="ignore"):
            return np.where(C > 0, np.maximum(log(formula(C, r, c, N)), 0), 0)

    return mistake_with_whole_arrays(weights)


def mistake_integer_table(log) -> Callable:
    """A wrong `ppmi` whose table has the integer dtype of C, which truncates fractions."""
    return lambda C: reference(log)(C).astype(np.asarray(C).dtype)


ZEROS = "What is log 0, and what is 0/0? A pair that never met should get 0."
COMPARED = "Which function of NumPy takes the larger of two numbers, entry by entry?"
NO_MAXIMUM = "What should become of a negative logarithm? The first P of PPMI stands for positive."
BY_ROW = (
    "You compare each count with its row only, and not with its column. Should a neighbour count"
    " less if it is frequent everywhere?"
)
BY_COLUMN = (
    "You compare each count with its column only, and not with its row. Does it matter how frequent"
    " the word itself is?"
)
NO_LOGARITHM = "You divide by the count that is expected by chance. Where is the logarithm?"


def mistakes(log, others, fraction) -> Mistakes:
    """The known mistakes as {name: (wrong function, question to its author)}.

    `others` holds pairs (logarithm, its effect); `fraction` is an entry of a right result, as text.
    """
    return {
        "all zeros": (
            lambda C: np.zeros(C.shape),
            "Everything is 0, so none of your ratios is above 1. The expected count is row sum ×"
            " column sum ÷ total. A count divided by its row sum alone is never above 1. What do"
            " you divide by?",
        ),
        "whole numbers": (
            mistake_integer_table(log),
            "C holds whole numbers. Does your new table hold fractions, or does it cut"
            f" {fraction} down to 0? `np.zeros(C.shape)` holds fractions.",
        ),
        "brackets": (
            entry_by_entry(lambda x, r, c, N: max(0.0, log(x * N / r * c))),
            "In a / b * c, Python divides by b and then multiplies by c. Where are brackets"
            " missing?",
        ),
        "no maximum": (entry_by_entry(lambda x, r, c, N: log(x * N / (r * c))), NO_MAXIMUM),
        "no maximum and no guard": (
            mistake_with_whole_arrays(lambda C, r, c, N: log(C * N / (r * c))),
            f"{NO_MAXIMUM} What is log 0?",
        ),
        "no guard": (
            mistake_with_whole_arrays(lambda C, r, c, N: np.maximum(log(C * N / (r * c)), 0)),
            ZEROS,
        ),
        **{
            f"another logarithm, {n}": (
                reference(other),
                f"Everything is {wrong}: which logarithm is asked for?",
            )
            for n, (other, wrong) in enumerate(others)
        },
        "1 added to the ratio": (
            entry_by_entry(lambda x, r, c, N: max(0.0, log(1 + x * N / (r * c)))),
            "You add 1 to the ratio, as log1p does. Does a ratio of 1 still get 0?",
        ),
        "1 added to the counts": (
            lambda C: reference(log)(np.asarray(C) + 1),
            "You add 1 to each count. Then a pair that never met has met once. Can you leave the"
            " counts as they are, and give 0 where C is 0?",
        ),
        "ratio turned over": (
            entry_by_entry(lambda x, r, c, N: max(0.0, log(r * c / (x * N)))),
            "Two words meet more often than by chance. Is your ratio above 1 or below 1 for them?",
        ),
        "no logarithm": (entry_by_entry(lambda x, r, c, N: x * N / (r * c)), NO_LOGARITHM),
        "ratio minus 1": (
            entry_by_entry(lambda x, r, c, N: max(0.0, x * N / (r * c) - 1)),
            NO_LOGARITHM,
        ),
        "share of the row": (entry_by_entry(lambda x, r, c, N: x / r), f"{BY_ROW} {NO_LOGARITHM}"),
        "row only": (entry_by_entry(lambda x, r, c, N: log(x / r)), BY_ROW),
        "row and total": (entry_by_entry(lambda x, r, c, N: max(0.0, log(x * N / r))), BY_ROW),
        "mean of the row": (with_formula(lambda C, r, c, N: C * C.shape[1] / r, log), BY_ROW),
        "column only": (entry_by_entry(lambda x, r, c, N: log(x / c)), BY_COLUMN),
        "column and total": (
            entry_by_entry(lambda x, r, c, N: max(0.0, log(x * N / c))),
            BY_COLUMN,
        ),
        "mean of the column": (with_formula(lambda C, r, c, N: C * C.shape[0] / c, log), BY_COLUMN),
        "column sums twice": (
            fitting(with_formula(lambda C, r, c, N: C * N / (c.T * c), log)),
            "You use the column sums twice. Which axis gives the row sums?",
        ),
        "row sums twice": (
            fitting(with_formula(lambda C, r, c, N: C * N / (r * r.T), log)),
            "You use the row sums twice. Which axis gives the column sums?",
        ),
        "sums without keepdims": (
            fitting(with_formula(lambda C, r, c, N: C * N / (r.T * c), log)),
            "You multiply the first row sum by the first column sum, the second by the second, and"
            " so on. Every row sum should meet every column sum. What does `keepdims=True` do?",
        ),
        "half of the total": (
            entry_by_entry(lambda x, r, c, N: max(0.0, log(x * N / 2 / (r * c)))),
            "You use half of the total. N is the sum of the whole table. Do you count each meeting"
            " once only, or does each half of the table count?",
        ),
        "no total": (
            entry_by_entry(lambda x, r, c, N: log(x / (r * c))),
            "Where is the total N in your formula?",
        ),
        "times the share of the pair": (
            entry_by_entry(lambda x, r, c, N: max(0.0, x / N * log(x * N / (r * c)))),
            "You multiply the logarithm by the share of the pair. Is there a factor too many?",
        ),
        "minimum": (
            entry_by_entry(lambda x, r, c, N: min(0.0, log(x * N / (r * c)))),
            "You keep what is below 0, and drop what is above. Is it the maximum or the minimum?",
        ),
        "absolute value": (
            entry_by_entry(lambda x, r, c, N: abs(log(x * N / (r * c)))),
            "You make a negative logarithm positive. Should it become positive, or 0?",
        ),
    }


class Logarithm(NamedTuple):
    """A logarithm that may be asked for, and its name in each text."""

    form: str
    log: Callable
    notebook: str
    claim: str
    sign: str
    tex: str
    others: tuple[tuple[Callable, str], ...]  # what another one does to everything

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


def full_tables(rng, shapes=((4, 4), (3, 6), (5, 4))) -> Iterator[tuple]:
    """Inputs (C,): tables of counts without a 0, whose rows and columns have different sums.

    No entry is log 0, so only the formula matters. Unequal sums catch answers that use the sum of
    the row twice, or that exchange rows and columns.
    """
    for shape, kind in zip(shapes, (int, float, int), strict=False):
        table = rng.integers(1, 4, size=shape) + 8 * (rng.random(shape) < 0.3)
        table[0] += np.arange(1, shape[1] + 1)
        table[0, 0] += 40
        yield (table.astype(kind),)


def more_than_by_chance(C) -> np.ndarray:
    """An array of booleans: True where count × total > row sum × column sum."""
    return C * C.sum() > C.sum(axis=1, keepdims=True) * C.sum(axis=0)


def square_tables(rng) -> list[tuple]:
    """A list of three inputs (C,): square tables of counts without a 0.

    They are drawn again until 1 added to each count changes which pairs meet more often than by
    chance.
    """
    harmless = True
    while harmless:
        tables = list(full_tables(rng, ((4, 4), (6, 6), (5, 5))))
        harmless = all(
            (more_than_by_chance(C) == more_than_by_chance(C + 1)).all() for (C,) in tables
        )
    return tables


def zeros_and_signs(P, right) -> np.ndarray:
    """P where the right answer is 0, else 1 if P > 0 or 0 if not; one claim compares only this."""
    return np.where(right > 1e-9, P > 1e-9, P)


def two_groups(rng, half) -> np.ndarray:
    """A table of counts of 2 · half words: about 10 within each of two groups, 0 between them.

    Each pair that has met has met more often than by chance, so the right answer is 0 exactly where
    the count is 0.
    """
    table = np.kron(np.eye(2), np.ones((half, half))) * rng.integers(9, 13, size=2 * (2 * half,))
    return table[rng.permutation(2 * half)][:, rng.permutation(2 * half)]


def tables_with_gaps(rng) -> Iterator[tuple]:
    """Inputs (C,): tables of counts in which words of two groups have never met.

    Half of the counts are 0. Answers that take log 0 have −inf in these entries, or cause a
    warning.
    """
    for half in (3, 4):
        yield (two_groups(rng, half),)


def tables_with_empty_rows(rng) -> Iterator[tuple]:
    """Inputs (C,): two tables of counts with a row and a column of zeros, and a table of zeros.

    The sum of an empty row is 0, so an answer without a guard computes 0/0, which is nan.
    """
    for half in (3, 4):
        row, column = rng.integers(0, 2 * half, size=2)
        yield (np.insert(np.insert(two_groups(rng, half), row, 0, axis=0), column, 0, axis=1),)
    yield (np.zeros((3, 3)),)


def zeros_and_nonzeros(P, right) -> np.ndarray:
    """P where the right answer is 0, else 1 if P ≠ 0 or 0 if not; two claims compare only this."""
    return np.where(right > 1e-9, P != 0, P)


def tables_of_all_kinds(rng) -> Iterator[tuple]:
    """Inputs (C,): tables with some counts of 0, whose rows and columns have different sums.

    They catch an answer that writes into the given array.
    """
    for shape in ((5, 5), (4, 7)):
        table = rng.integers(1, 9, size=shape) * (rng.random(shape) < 0.6)
        np.fill_diagonal(table, rng.integers(1, 9, size=min(shape)))  # no row is empty
        table[0] += 1
        table[0, 1], table[1:, -1] = 0, table[1:, -1] + 1
        yield (table.astype(float),)


WORKED = np.array([[1, 3], [2, 0]])


def passages(asked, P) -> tuple[str, ...]:
    """The phrases of the exercise notebook that depend on the logarithm `asked`, as a tuple.

    They stand in the order in which `variants.in_form` replaces them. P is the right answer for the
    worked example.
    """
    log = asked.sign
    return (
        rf"\max\Bigl(0,\ {asked.tex} \frac",
        f"is the {asked.notebook}.",
        f"and {log} 3/2 = {P[0, 1].round(2):g}.",
        f"and {log} 2 = {P[1, 0].round(2):g}.",
        printed(P.round(2)),
    )


def build_exercise(asked: Logarithm) -> Exercise:
    """The Exercise `ppmi` for one logarithm `asked`, with its claims, hints and mistakes."""
    right = reference(asked.log)
    P = right(WORKED)
    ppmi = Exercise(
        name="ppmi",
        chapter="01_lsa",
        number="1.3",
        difficulty=2,
        minutes=15,
        hints=(
            "Suppose that the row and column sums stay as they are, but the words meet by chance."
            " How often would words i and j meet? Compare the count with that number.",
            "By chance you expect row sum × column sum ÷ total. PMI is the"
            f" {asked.hint} of count ÷ expected."
            " Take the logarithm only where the count is above 0. Then replace negative numbers by"
            " 0.",
            "expected = C.sum(axis=1, keepdims=True) * C.sum(axis=0, keepdims=True) / C.sum()\n"
            "P = np.zeros(C.shape)\n"
            "met = C > 0\n"
            f"P[met] = …  # the {asked.hint} of a ratio, but never below 0",
        ),
        right=right,
        stumbles={
            "broadcast": "Is there one row sum for each row and one column sum for each column, or"
            " do you use one of the two twice? Row sums must stand in a column of numbers, so that"
            " every row sum meets every column sum (`keepdims=True`).",
            "out of bounds": "Has every table as many columns as rows? Which of your loops goes"
            " through the columns?",
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
        "Take one pair on paper, with its count, its row sum, its column sum and the total. What is"
        f" the {asked.hint} of count × total ÷ (row sum × column sum)?",
        full_tables,
        view=lambda P, right: np.where(right > 0, P, 0),
    )
    ppmi.agrees(
        "is 0 where a pair meets less often than by chance",
        "Where count × total ÷ (row sum × column sum) is below 1, do you get 0? Where it is above"
        " 1, do you get more than 0?",
        square_tables,
        view=zeros_and_signs,
    )
    ppmi.agrees(
        "is 0, not −∞, where a pair never meets",
        "Is your table 0 everywhere where C is 0? Is it other than 0 where two words have met more"
        " often than by chance?",
        tables_with_gaps,
        view=zeros_and_nonzeros,
    )
    ppmi.agrees(
        "is 0, not nan, for a word that was never counted",
        "Where a whole row or column of C is 0, is your table 0 as well? Is it other than 0 where"
        " two words have met more often than by chance?",
        tables_with_empty_rows,
        view=zeros_and_nonzeros,
    )
    ppmi.leaves(
        "is a new table, and leaves the counts as they were",
        "Does your function write into C? The next cell may still need the counts.",
        tables_of_all_kinds,
    )
    return ppmi


ppmi = build_exercise(NATURAL)
ppmi.forms = (build_exercise(BASE_2), build_exercise(BASE_10))
