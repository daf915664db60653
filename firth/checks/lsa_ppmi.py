"""Exercise 1, weighing: which company is more than chance.

PPMI[i, j] = max(0, log( C[i, j] · N / (C[i, :].sum() · C[:, j].sum()) )),   N = C.sum()

Which logarithm is asked for may differ from student to student (firth.checks.variants).
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from firth.checks.claims import Exercise
from firth.checks.lsa_weighing import COMPARED, ZEROS, mistakes, surprise
from firth.checks.variants import printed


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
