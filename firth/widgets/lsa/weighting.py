"""A table of counts under three weightings: as counted, with idf, and with PPMI."""

from math import log2

import numpy as np
import traitlets as t
from jaxtyping import Float

from firth.display import table
from firth.lsa import counts, example
from firth.lsa.similarity import cosine
from firth.widgets.base import Widget

COLUMNS = (*example.NEIGHBOURS, "the")
FORMULAS = {  # what each scheme puts into a cell
    "counts": "how often the neighbour stands near the word",
    "idf": "count × log₂(number of rows / rows that have met the neighbour)",
    "PPMI": "log₂(count · sum of all counts / (sum of the row · sum of the column)), if above 0",
}


class LsaWeighting(Widget):
    """What becomes of a neighbour that every word has met, and of the cosines that it made?

    >>> view = LsaWeighting(scheme="idf", cell=[0, 6])
    >>> view
    LsaWeighting(cell=[0, 6], scheme='idf')
    >>> view.answer()["computation"]
    'zorf – the: 3 × log₂(5 / 5) = 3 × 0.00 = 0.00'
    >>> [round(c, 2) for c in view.answer()["cosines"]]
    [0.66, 0.0, 0.0, 0.07]
    """

    rows = t.List(t.Unicode()).tag(sync=True)
    columns = t.List(t.Unicode()).tag(sync=True)
    counted = t.List(t.List(t.Int())).tag(sync=True)
    scheme = t.Enum([*FORMULAS], "counts").tag(sync=True, choice=True)
    cell = t.List(t.Int(min=0), [0, 0], minlen=2, maxlen=2).tag(sync=True, choice=True)

    def __init__(self, counted=None, rows=example.WORDS, columns=COLUMNS, **choices):
        counted = example.table() if counted is None else np.array(counted)
        if counted.shape != (len(rows), len(columns)):
            raise ValueError(f"{len(rows)} rows and {len(columns)} columns must have names.")
        if not (counted.any(axis=0).all() and counted.any(axis=1).all()):
            raise ValueError("Each row and each column must have met another: leave out the rest.")
        data = dict(rows=list(rows), columns=list(columns), counted=counted.tolist())
        super().__init__(**data, **choices)

    @t.validate("cell")
    def _is_in_the_table(self, proposal):
        i, j = proposal["value"]
        if i >= len(self.rows) or j >= len(self.columns):
            raise t.TraitError(f"The table has {len(self.rows)} × {len(self.columns)} cells.")
        return proposal["value"]

    def weighted_table(self) -> Float[np.ndarray, "rows columns"]:
        """The table of counts under the present weighting scheme, as an array.

        It is rounded to 12 decimals, so that a zero is exactly 0.
        """
        C = np.array(self.counted, dtype=float)
        if self.scheme == "idf":  # the rows are the documents in which a neighbour stands
            C = counts.tf_idf(C.T).T.toarray() / np.log(2)
        elif self.scheme == "PPMI":
            C = counts.ppmi(C).toarray() / np.log(2)
        return C.round(12) + 0.0

    def answer(self) -> dict:
        C, W = np.array(self.counted), self.weighted_table()
        met = (C > 0).sum(axis=0)
        idf = self.scheme == "idf"
        foot = [two_decimals(log2(len(C) / n)) for n in met] if idf else C.sum(axis=0).astype(str)
        plain = self.scheme == "counts"
        shown = [[str(int(w)) if plain or w < 0.005 else two_decimals(w) for w in row] for row in W]
        return {
            "weighted": W.tolist(),
            "shown": shown,
            "cosines": [float(cosine(row, W[0])) for row in W[1:]],
            "formula": FORMULAS[self.scheme],
            "foot": "idf" if idf else "sum",
            "feet": list(map(str, foot)),
            "computation": f"{self.rows[self.cell[0]]} – {self.columns[self.cell[1]]}: "
            + self.computation(C, *self.cell),
        }

    def computation(self, C, i: int, j: int) -> str:
        """A line of text that shows how the weight in row i and column j is computed.

        C is the table of counts.
        """
        n, met = C[i, j], int((C[:, j] > 0).sum())
        if self.scheme == "counts":
            return f"they have met {n} {'time' if n == 1 else 'times'}"
        if self.scheme == "idf":
            weight = log2(len(C) / met)
            line = f"{n} × log₂({len(C)} / {met}) = {n} × {two_decimals(weight)}"
            return f"{line} = {two_decimals(n * weight)}"
        if n == 0:
            return "they have never met, so the cell is 0"
        row, column = C[i].sum(), C[:, j].sum()
        ratio = float(n * C.sum() / (row * column))
        line = f"log₂({n} · {C.sum()} / ({row} · {column})) = log₂ {two_decimals(ratio)}"
        below = ", which is below 0, so the cell is 0" if ratio < 1 else ""
        return f"{line} = {two_decimals(log2(ratio))}{below}"

    def fallback(self) -> str:
        rows = zip(self.rows, self.answer()["shown"], strict=True)
        caption = f"The table of co-occurrences: {FORMULAS[self.scheme]}"
        return table([[w, *row] for w, row in rows], ["word", *self.columns], caption)._repr_html_()


def two_decimals(value: float) -> str:
    """A number as text with two decimals and a true minus sign, but no minus before a zero.

    >>> two_decimals(-0.4619), two_decimals(-0.001)
    ('−0.46', '0.00')
    """
    text = f"{abs(value):.2f}"
    return f"−{text}" if value < 0 and float(text) else text
