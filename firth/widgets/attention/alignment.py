"""Two small translators in the page: one with a single context vector, one with attention."""

import numpy as np
import traitlets as t

from firth.attention import telephone_numbers
from firth.attention.telephone_numbers import correct_words
from firth.display import table
from firth.store.results import stored_result
from firth.store.weights import dequantize
from firth.widgets.base import Widget

MOST = 12  # pairs
FIRST = "24 17 55 62 39 86"
NETWORKS = ("one vector", "attention")


def Words():
    return t.List(t.Unicode()).tag(sync=True)


class AttentionAlignment(Widget):
    """Which words of a number does a translator get right with one vector, which with attention?

    Both networks have equally many parameters, and both have learned from the same numbers.

    >>> view = AttentionAlignment(network="attention", word=2)
    >>> view
    AttentionAlignment(network='attention', number='24 17 55 62 39 86', word=2)
    >>> shown = view.answer()
    >>> shown["chosen"], shown["most"], shown["wrong"]
    ('zwanzig', 'twenty', 0)
    """

    english = Words()
    german = Words()
    weights = t.Dict().tag(sync=True)  # one byte each, as they are stored
    one_vector = t.Dict().tag(sync=True)  # those of the network without attention
    network = t.Enum(NETWORKS, NETWORKS[0]).tag(sync=True, choice=True)
    number = t.Unicode(FIRST).tag(sync=True, choice=True)
    word = t.Int(0, min=0).tag(sync=True, choice=True)  # from 0; beyond the last, the last

    def __init__(self, **choices):
        stored = stored_result("attention/telephone_numbers")
        data = {name: stored[name] for name in ("english", "german", "weights")}
        super().__init__(one_vector=stored["one vector"], **data | choices)

    @t.validate("number")
    def _can_be_read_aloud(self, proposal):
        try:
            n = len(telephone_numbers.digit_pairs(proposal["value"]))
        except ValueError as error:
            raise t.TraitError(str(error)) from None
        if n > MOST:
            raise t.TraitError(f"This view reads up to {MOST} pairs, not {n}: shorten the number.")
        return proposal["value"]

    def translation(self, network: str) -> tuple[list[str], np.ndarray]:
        """The German words of one of the two networks, and its attention weights."""
        attend = network == "attention"
        parts = (self.weights if attend else self.one_vector).items()
        tables = telephone_numbers.network({name: dequantize(part) for name, part in parts})
        return telephone_numbers.translation(self.number, tables, attend)

    def answer(self) -> dict:
        source = telephone_numbers.english_words(self.number)
        right = telephone_numbers.german_words(self.number)
        both = {name: self.translation(name) for name in NETWORKS}
        marks = {name: correct_words(words, right) for name, (words, _) in both.items()}
        (written, A), correct = both[self.network], marks[self.network]
        A = A if self.network == "attention" else np.zeros((len(written), len(source)))
        at = min(self.word, len(written) - 1)
        row = A[at] if written else np.zeros(len(source))
        return {
            "source": source,
            "written": written,
            "right": right,
            "correct": correct,
            "found": correct_words(right, written),
            "attention": A.tolist(),
            "at": at,
            "row": row.tolist(),
            "chosen": written[at] if written else "",
            "most": source[row.argmax()] if row.any() else "",
            "share": float(100 * row.max()),
            "pairs": len(telephone_numbers.digit_pairs(self.number)),
            "wrong": len(written) - sum(correct),
            "missing": len(right) - sum(correct),
            "scores": {name: f"{sum(good)} of {len(right)}" for name, good in marks.items()},
        }

    def fallback(self) -> str:
        right = telephone_numbers.german_words(self.number)
        rows = [("right", " ".join(right))]
        rows += [(name, " ".join(self.translation(name)[0])) for name in NETWORKS]
        return table(rows, ["translator", "German"], f"Translations of {self.number}")._repr_html_()
