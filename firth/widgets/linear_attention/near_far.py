"""Near and far in one matrix: a band, a few directions, and what each saves."""

import numpy as np
import traitlets as t

from firth.display import table
from firth.linear_attention.band_plus_low_rank import band, error, low_rank, weights
from firth.store.results import DATA, stored_result
from firth.widgets.base import Widget, within

FILE = DATA / "linear_attention/far_field.json"
MADE = ("rest", "whole")  # what the far field is made of: A − D, or A
WIDEST, MOST = 12, 20  # the reach of k and r


class LinearAttentionFmm(Widget):
    """At one number of stored numbers: which matrix needs a band, which directions, which both?

    >>> view = LinearAttentionFmm(name="one back", k=1, r=2)
    >>> shown = view.answer()
    >>> [round(shown["error"])] + [round(rival["error"]) for rival in shown["rivals"].values()]
    [18, 71, 57]
    """

    matrices = t.List(t.Dict()).tag(sync=True)  # rows in ten-thousandths
    name = t.Unicode("one back").tag(sync=True, choice=True)
    k = t.Int(1).tag(sync=True, choice=True)
    r = t.Int(2).tag(sync=True, choice=True)
    made = t.Unicode("rest").tag(sync=True, choice=True)

    def __init__(self, **choices):
        stored = stored_result("linear_attention/far_field")
        super().__init__(**{"matrices": stored["matrices"]} | choices)

    @t.validate("name")
    def _is_there(self, proposal):
        names = [matrix["name"] for matrix in self.matrices]
        if proposal["value"] not in names:
            raise t.TraitError(f"This view has the matrices {', '.join(names)}: choose one.")
        return proposal["value"]

    @t.validate("made")
    def _is_a_way(self, proposal):
        if proposal["value"] not in MADE:
            raise t.TraitError(f"The far field is made of one of {', '.join(MADE)}.")
        return proposal["value"]

    _is_within_reach = within({"k": (0, WIDEST), "r": (0, MOST)})

    def matrix(self) -> np.ndarray:
        """A, as it is stored."""
        rows = next(matrix["rows"] for matrix in self.matrices if matrix["name"] == self.name)
        return np.array(rows) / 1e4

    def label(self) -> str:
        """What A is."""
        return next(matrix["label"] for matrix in self.matrices if matrix["name"] == self.name)

    def answer(self) -> dict:
        A, k, r = self.matrix(), self.k, self.r
        n, D = len(A), band(A, k)
        near, far = inside(n, k), 2 * n * r
        L = low_rank(A - D if self.made == "rest" else A, r)
        w1, w2 = weights(A, D, L)
        wide = max(q for q in range(n) if inside(n, q) <= near + far)
        rank = min(n, (near + far) // (2 * n))
        spectra = [np.linalg.svd(B, compute_uv=False) for B in (A, A - D)]
        return {
            "label": self.label(),
            "n": n,
            "L": L.tolist(),
            "w1": w1,
            "w2": w2,
            "error": 100 * error(A, w1 * D + w2 * L),
            "near": near,
            "far": far,
            "share": 100 * (near + far) / n**2,
            "sums": [100 * B.sum() / A.sum() for B in (w1 * D, w2 * L)],
            "rivals": {
                "band": {"size": wide, "error": 100 * error(A, band(A, wide))},
                "rank": {"size": rank, "error": 100 * error(A, low_rank(A, rank))},
            },
            "spectra": [(s / spectra[0][0]).tolist() for s in spectra],
            "left": [
                100 * float(np.linalg.norm(s[r:]) / np.linalg.norm(spectra[0])) for s in spectra
            ],
        }

    def fallback(self) -> str:
        shown = self.answer()
        rivals = shown["rivals"]
        rows = [
            (f"band {self.k} and rank {self.r}", shown["error"]),
            (f"band {rivals['band']['size']} alone", rivals["band"]["error"]),
            (f"rank {rivals['rank']['size']} alone", rivals["rank"]["error"]),
        ]
        caption = (
            f"What is missed of {self.label()}, by what is kept, each time at most "
            f"{shown['near'] + shown['far']} numbers"
        )
        shares = [(what, f"{share:.1f}") for what, share in rows]
        return table(shares, ["kept", "missed, %"], caption)._repr_html_()


def inside(n: int, k: int) -> int:
    """How many entries of n × n lie within k places of the diagonal.

    >>> inside(4, 0), inside(4, 1), inside(4, 3)
    (4, 10, 16)
    """
    return n * (2 * k + 1) - k * (k + 1)
