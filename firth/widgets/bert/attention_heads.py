"""Where the 72 heads of a real encoder look: one at a time, and each by its habits."""

import numpy as np
import traitlets as t
from jaxtyping import Bool, Float
from numpy import ndarray as Array

from firth.display import table
from firth.store.results import DATA, stored_result
from firth.store.weights import dequantize
from firth.widgets.base import Widget

FILE = DATA / "bert/attention_heads.json"
BLOCKS, HEADS = 6, 12
PARTS = 255  # that a token's attention is stored in
IT = 9  # the token that the question asks about
TIRED = "The cat did not cross the street because it was too tired."
HABITS = [  # a key, and where the weight goes
    ["cls", "[CLS]"],
    ["sep", "[SEP]"],
    ["itself", "itself"],
    ["before", "the token before"],
    ["after", "the token after"],
    ["same", "the same word elsewhere"],
    ["spread", "so many tokens, in effect"],
]
KEYS = [key for key, _ in HABITS]
BEST = 3


class BertHeads(Widget):
    """Is there a head that knows what "it" stands for? Does it, where the street is too wide?

    >>> tired, wide = BertHeads(), BertHeads(text=TIRED.replace("tired", "wide"))
    >>> for view in (tired, wide):
    ...     print(view.answer()["said"], round(view.answer()["weights"][2]))
    In block 4, head 2, “it” looks most at “cat” 76
    In block 4, head 2, “it” looks most at “[CLS]” 24
    """

    texts = t.List(t.Dict()).tag(sync=True)  # the weights in parts of 255
    habits = t.List(t.List(t.Unicode())).tag(sync=True)
    text = t.Unicode(TIRED).tag(sync=True, choice=True)
    block = t.Int(4, min=1, max=BLOCKS).tag(sync=True, choice=True)
    head = t.Int(2, min=1, max=HEADS).tag(sync=True, choice=True)
    token = t.Int(IT, min=0).tag(sync=True, choice=True)  # beyond the last, the last
    habit = t.Enum(KEYS, "before").tag(sync=True, choice=True)

    def __init__(self, **choices):
        texts = stored_result("bert/attention_heads")
        super().__init__(**{"texts": texts, "habits": HABITS} | choices)

    @t.validate("text")
    def _is_there(self, proposal):
        if all(row["text"] != proposal["value"] for row in self.texts):
            raise t.TraitError(f"This view has {len(self.texts)} texts: choose one of them.")
        return proposal["value"]

    def chosen(self) -> dict:
        """What is stored of the text."""
        return next(row for row in self.texts if row["text"] == self.text)

    def weights(self) -> Float[Array, "6 12 n n"]:
        """Who looks at whom, in shares of 1."""
        return dequantize(self.chosen()["weights"]) / PARTS

    def answer(self) -> dict:
        pieces, A = self.chosen()["pieces"], self.weights()
        at, (b, h) = min(self.token, len(pieces) - 1), (self.block - 1, self.head - 1)
        row, habits = A[b, h, at], measured(A, pieces)
        best = {key: order(values.ravel())[:BEST] for key, values in habits.items()}
        grid = habits[self.habit].ravel()
        return {
            "pieces": pieces,
            "at": at,
            "weights": (100 * row).tolist(),
            "said": f"In block {b + 1}, head {h + 1}, “{pieces[at]}” looks most at "
            f"“{pieces[row.argmax()]}”",
            "share": float(100 * row.max()),
            "mine": [number(habits[key][b, h]) for key in KEYS],
            "best": [named(best[key][:1]) for key in KEYS],
            "most": [number(habits[key].max()) for key in KEYS],
            "grid": [number(value) for value in grid],
            "asked": dict(self.habits)[self.habit],
            "leaders": named(best[self.habit]),
        }

    def fallback(self) -> str:
        pieces, A = self.chosen()["pieces"], self.weights()
        rows = zip(pieces, np.rint(100 * A[self.block - 1, self.head - 1]).astype(int), strict=True)
        caption = f"Block {self.block}, head {self.head}: where each token looks, in %"
        header = ["token", *pieces]
        return table([[piece, *row] for piece, row in rows], header, caption)._repr_html_()


def measured(A: Float[Array, "6 12 n n"], pieces: list[str]) -> dict[str, Float[Array, "6 12"]]:
    """How much of its weight a head gives to each goal, in %, a mean over the tokens that have it.

    The last is no share: e to the entropy is the number of tokens that a head looks at, if it
    looked at each of them alike.
    """
    names, n = np.array(pieces), len(pieces)
    i = np.arange(n)
    other, words = i[:, None] != i, ~np.isin(names, ["[CLS]", "[SEP]"])
    goals = {
        "cls": np.tile(names == "[CLS]", (n, 1)),
        "sep": np.tile(names == "[SEP]", (n, 1)),
        "itself": ~other,
        "before": i[:, None] - 1 == i,
        "after": i[:, None] + 1 == i,
        "same": (names[:, None] == names) & other & words,
    }
    logs = np.log(np.where(A > 0, A, 1))
    return {key: share(A, goal) for key, goal in goals.items()} | {
        "spread": np.exp(-(A * logs).sum(axis=-1)).mean(axis=-1)
    }


def share(A: Float[Array, "6 12 n n"], goal: Bool[Array, "n n"]) -> Float[Array, "6 12"]:
    """The mean weight in % that goes to a goal, of the tokens that have one; else not a number."""
    having = goal.any(axis=1)
    if not having.any():
        return np.full(A.shape[:2], np.nan)
    return 100 * (A * goal).sum(axis=-1)[..., having].mean(axis=-1)


def order(values: Float[Array, "72"]) -> list[int]:
    """The heads with the most of something, the first of equals first; none if it is no number."""
    return [] if np.isnan(values).any() else np.argsort(-values.round(6), kind="stable").tolist()


def named(heads: list[int]) -> list[str]:
    """Heads as one says them: 4.2 is head 2 of block 4."""
    return [f"{i // HEADS + 1}.{i % HEADS + 1}" for i in heads]


def number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
