"""A translator of the size of a page, and where it looks at every word it says."""

import numpy as np
import traitlets as t

from firth.attention import telephone_numbers
from firth.display import table
from firth.store.results import stored_result
from firth.store.weights import dequantize
from firth.widgets.base import Widget

MOST = 12  # pairs
FIRST = "42 17 24 05"
VIER = 4  # its German word that the question asks about


def Words():
    return t.List(t.Unicode()).tag(sync=True)


class AttentionAlignment(Widget):
    """Where does the decoder look at "vier" in vierundzwanzig? What becomes of it at ten pairs?

    >>> view = AttentionAlignment()
    >>> view
    AttentionAlignment(number='42 17 24 05', word=4)
    >>> shown = view.answer()
    >>> shown["chosen"], shown["most"], shown["wrong"]
    ('vier', 'four', 0)
    """

    english = Words()
    german = Words()
    weights = t.Dict().tag(sync=True)  # one byte each, as they are stored
    number = t.Unicode(FIRST).tag(sync=True, choice=True)
    word = t.Int(VIER, min=0).tag(sync=True, choice=True)  # from 0; beyond the last, the last

    def __init__(self, **choices):
        stored = stored_result("attention/telephone_numbers")
        data = {name: stored[name] for name in ("english", "german", "weights")}
        super().__init__(**data | choices)

    @t.validate("number")
    def _can_be_read_aloud(self, proposal):
        try:
            n = len(telephone_numbers.pairs(proposal["value"]))
        except ValueError as error:
            raise t.TraitError(str(error)) from None
        if n > MOST:
            raise t.TraitError(f"This view reads up to {MOST} pairs, not {n}: shorten the number.")
        return proposal["value"]

    def net(self) -> telephone_numbers.Network:
        """The network whose weights the page has."""
        return telephone_numbers.network(
            {name: dequantize(part) for name, part in self.weights.items()}
        )

    def answer(self) -> dict:
        heard, right = telephone_numbers.spoken(self.number), telephone_numbers.german(self.number)
        said, A = telephone_numbers.translation(self.number, self.net())
        kept = telephone_numbers.kept(said, right)
        at = min(self.word, len(said) - 1)
        bars = A[at] if said else np.zeros(len(heard))
        return {
            "heard": heard,
            "said": said,
            "right": right,
            "kept": kept,
            "met": telephone_numbers.kept(right, said),
            "looks": A.tolist(),
            "at": at,
            "bars": bars.tolist(),
            "chosen": said[at] if said else "",
            "most": heard[bars.argmax()] if said else "",
            "share": float(100 * bars.max()),
            "pairs": len(telephone_numbers.pairs(self.number)),
            "wrong": len(said) - sum(kept),
            "missing": len(right) - sum(kept),
        }

    def fallback(self) -> str:
        shown = self.answer()
        rows = [
            [word, *np.round(a, 2)] for word, a in zip(shown["said"], shown["looks"], strict=True)
        ]
        caption = f"Where the decoder looks as it translates {self.number}"
        return table(rows, ["said", *shown["heard"]], caption)._repr_html_()
