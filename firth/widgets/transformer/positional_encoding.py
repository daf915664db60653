"""Positions as waves: what changes from one to the next, and what two of them have in common."""

import numpy as np
import traitlets as t

from firth.display import table
from firth.transformer.positional_encoding import frequencies, positions, products
from firth.widgets.base import Widget, within

SHOWN = 100  # positions on the map
REACH = {"p": (0, 50), "k": (0, SHOWN - 51), "base": (0, 4)}  # so that p + k is on the map
WIDEST = 128


class TransformerPositions(Widget):
    """Which numbers change from one position to the next; what does a product know of where it is?

    >>> view = TransformerPositions(p=3, k=4)
    >>> here = view.answer()
    >>> view.p = 30
    >>> there = view.answer()
    >>> here["sine_p"] == there["sine_p"], abs(here["product"] - there["product"]) < 1e-9
    (False, True)
    """

    d = t.Int(WIDEST).tag(sync=True)
    p = t.Int(10).tag(sync=True, choice=True)
    k = t.Int(8).tag(sync=True, choice=True)
    pair = t.Int().tag(sync=True, choice=True)  # of features: 2 · pair and the one after it
    base = t.Float(4.0).tag(sync=True, choice=True)  # as a power of 10

    @t.default("pair")
    def _where_much_happens(self):
        return min(12, self.d // 2 - 1)

    @t.validate("d")
    def _is_even(self, proposal):
        d = proposal["value"]
        if d % 2 or not 4 <= d <= WIDEST:
            raise t.TraitError(f"This view shows an even number of 4 … {WIDEST} features, not {d}.")
        return d

    _is_within_reach = within(REACH)

    @t.validate("pair")
    def _is_a_pair(self, proposal):
        if not 0 <= proposal["value"] < self.d // 2:
            raise t.TraitError(
                f"{self.d} features are {self.d // 2} pairs, from 0 on; "
                f"{proposal['value']} is none."
            )
        return proposal["value"]

    def answer(self) -> dict:
        d, p, i, base = self.d, self.p, self.pair, 10**self.base
        q = p + self.k
        P = positions(SHOWN, d, base)
        omega = frequencies(d, base)
        curve = products(np.arange(float(SHOWN)), d, base)
        return {
            "q": q,
            "even": 2 * i,
            "odd": 2 * i + 1,
            "row_p": P[p].tolist(),
            "row_q": P[q].tolist(),
            "sine_p": float(P[p, 2 * i]),
            "cosine_p": float(P[p, 2 * i + 1]),
            "sine_q": float(P[q, 2 * i]),
            "cosine_q": float(P[q, 2 * i + 1]),
            "share": float(P[p, 2 * i : 2 * i + 2] @ P[q, 2 * i : 2 * i + 2]),
            "shares": (P[p] * P[q]).reshape(-1, 2).sum(axis=1).tolist(),
            "product": float(P[p] @ P[q]),
            "most": d / 2,
            "curve": curve.tolist(),
            "turn": float(np.degrees(omega[i])),
            "turned": float(np.degrees(omega[i] * self.k)),
            "wave": float(2 * np.pi / omega[i]),
            "rival": int(1 + curve[1:].argmax()),
            "highest": float(curve[1:].max()),
        }

    def fallback(self) -> str:
        shown = self.answer()
        steps = [0, 1, 2, 5, 10, 20, 50, SHOWN - 1]
        rows = [(k, shown["curve"][k]) for k in steps]
        header = ["steps apart", "product"]
        caption = f"The product of two positions of {self.d} features, wherever they stand"
        return table(rows, header, caption)._repr_html_()
