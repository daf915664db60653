"""Two sentences with a blank in the same place: what a masked language model expects in each."""

import numpy as np
import traitlets as t

from firth.display import table
from firth.store import weights
from firth.store.results import DATA, stored_result
from firth.widgets.base import Widget

FILE = DATA / "bert/fill_mask.json"
COUNTS = ("30", "200", "1000", "5000", "all")  # how many words are shown
CHARTS = ("likelihoods", "differences")
TOP = 8  # words of each list
# Hundredths of a nat: what one step of a byte is worth in the mean, and in half the gap.
MEAN, HALF_GAP = 10.0, 2.0


class BertBlanks(Widget):
    """What does a model expect in one sentence and not in the other, and is it more than chance?

    >>> view = BertBlanks(pair="Texas, New York: buy", count="200")
    >>> view.answer()["shown"], view.answer()["first"]
    (200, 'In Texas they like to buy [MASK].')
    """

    words = t.Unicode().tag(sync=True)  # with a blank between two
    rows = t.List(t.Dict()).tag(sync=True)  # a pair each: kind, name, sentences a, b, tables m, d
    pair = t.Unicode("Texas, New York: buy").tag(sync=True, choice=True)  # its name
    count = t.Unicode("1000").tag(sync=True, choice=True)
    chart = t.Unicode("likelihoods").tag(sync=True, choice=True)
    word = t.Unicode("").tag(sync=True, choice=True)  # one to be pointed at

    def __init__(self, **choices):
        stored = stored_result("bert/fill_mask")
        super().__init__(**{"words": stored["words"], "rows": stored["rows"]} | choices)

    @t.validate("pair")
    def _is_there(self, proposal):
        if all(row["name"] != proposal["value"] for row in self.rows):
            raise t.TraitError(f"This view has {len(self.rows)} pairs: choose one of them.")
        return proposal["value"]

    @t.validate("count", "chart")
    def _is_a_choice(self, proposal):
        choices = COUNTS if proposal["trait"].name == "count" else CHARTS
        if proposal["value"] not in choices:
            raise t.TraitError(f"The {proposal['trait'].name} is one of {', '.join(choices)}.")
        return proposal["value"]

    @t.validate("word")
    def _is_short(self, proposal):
        if len(proposal["value"]) > 40:
            raise t.TraitError("A word here has at most 40 letters.")
        return proposal["value"]

    def row(self) -> dict:
        """What is stored of the pair."""
        return next(row for row in self.rows if row["name"] == self.pair)

    def answer(self) -> dict:
        row, words = self.row(), self.words.split(" ")
        X = hundredths(row["m"], row["d"])  # hundredths below log p = 0
        order = np.lexsort((np.arange(len(words)), X.sum(axis=0), X.min(axis=0)))
        shown = order[: len(words) if self.count == "all" else int(self.count)]
        below, apart = X[:, shown], X[1, shown] - X[0, shown]  # above 0: likelier in the first
        tops = [np.argsort(x, kind="stable")[:TOP] for x in X]
        by_difference = shown[np.lexsort((shown, -apart))]
        most = [by_difference[:TOP], by_difference[::-1][:TOP]]
        gap = (X[1] - X[0]) / 100
        return {
            "first": row["a"],
            "second": row["b"],
            "total": len(words),
            "shown": len(shown),
            "masses": (100 * np.exp(-below / 100).sum(axis=1)).tolist(),
            "r": correlation(*below),
            "apart": float(abs(apart).mean() / 100),
            "tops": [[words[i] for i in top] for top in tops],
            "top_values": [(-x[top] / 100).tolist() for x, top in zip(X, tops, strict=True)],
            "most": [[words[i] for i in ends] for ends in most],
            "most_by": [gap[most[0]].tolist(), (-gap[most[1]]).tolist()],
            **self.pointed(words, X, by_difference),
        }

    def pointed(self, words: list[str], X: np.ndarray, by_difference: np.ndarray) -> dict:
        """What there is to say of the word that the reader points at."""
        name = self.word.strip().lower()
        if name not in words:
            said = f"“{name}” is not among the {len(words):,} words here." if name else ""
            return {"place": None, "said": said}
        x, y = map(int, X[:, words.index(name)])
        place = np.flatnonzero(by_difference == words.index(name))
        ranks = [1 + int((row < own).sum()) for row, own in zip(X, (x, y), strict=True)]
        times = f"{np.exp(abs(y - x) / 100):,.1f} times as likely in the"
        more = "as likely in both" if x == y else f"{times} {'first' if x < y else 'second'}"
        said = (
            f"{name}: log-likelihood {minus(x)} in the first sentence (place {ranks[0]:,}), "
            f"{minus(y)} in the second (place {ranks[1]:,}); {more}."
        )
        return {"place": int(place[0]) if len(place) else None, "said": said}

    def fallback(self) -> str:
        shown = self.answer()
        rows = zip(*(shown["tops"][n] for n in (0, 1)), *shown["most"], strict=True)
        header = ["likeliest in the first", "in the second", "more in the first", "in the second"]
        return table(rows, header, f"{shown['first']} / {shown['second']}")._repr_html_()


def minus(hundredths: int) -> str:
    """A log-likelihood with a true minus sign: so many hundredths below 0.

    >>> minus(410)
    '−4.10'
    """
    return f"−{hundredths / 100:.2f}" if hundredths else "0.00"


def correlation(x: np.ndarray, y: np.ndarray) -> float | None:
    """Pearson's r; None where one side does not vary."""
    x, y = x - x.mean(), y - y.mean()
    size = float(np.sqrt((x * x).sum() * (y * y).sum()))
    return float((x * y).sum()) / size if size else None


def quantized(x: np.ndarray, y: np.ndarray) -> dict[str, dict]:
    """The mean and half the gap of two rows of log-likelihoods, each a table in bytes.

    What sets two sentences apart is small beside how words differ, and is wanted more exactly.

    >>> hundredths(**quantized(np.array([0.0, -3.0]), np.array([-0.32, -4.0])))
    array([[  4, 300],
           [ 36, 400]])
    """
    mean, half_gap = -50 * (x + y), 50 * (x - y)
    return {
        "m": weights.quantize(mean, scale=MEAN, zero=-128),
        "d": weights.quantize(half_gap, scale=HALF_GAP),
    }


def hundredths(m: dict, d: dict) -> np.ndarray:
    """How many hundredths below 0 each word's log-likelihood is, in either sentence."""
    mean, half_gap = (weights.dequantize(part).astype(int) for part in (m, d))
    return np.maximum([mean - half_gap, mean + half_gap], 0)
