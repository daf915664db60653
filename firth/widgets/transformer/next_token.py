"""What a real model thinks comes next, and what the three knobs leave of it."""

import numpy as np
import traitlets as t

from firth.display import table
from firth.runtime.random_numbers import drawn, uniform
from firth.store.results import DATA, stored_result
from firth.transformer import sampling
from firth.widgets.base import Widget

FILE = DATA / "transformer/next_token.json"
SHOWN = 12  # tokens
DRAWS = 20
KS = (1, 2, 3, 4, 5, 8, 10, 15, 20, 30, 40, 50, 100, 200, 1000, None)  # None: off
SIGNS = str.maketrans({" ": "␣", "\n": "↵", "\t": "⇥"})  # what cannot be seen


class TransformerNext(Widget):
    """Which knob throws away the nonsense, and which throws away the second-best answer as well?

    >>> view = TransformerNext(prompt="The capital of France is", p=0.9)
    >>> view.answer()["labels"][0], view.answer()["kept"] < 50
    ('␣Paris', True)
    """

    counts = t.List(t.Int()).tag(sync=True)  # how many tokens stand at each place of `below`
    rows = t.List(t.Dict()).tag(sync=True)
    prompt = t.Unicode("I want to buy a").tag(sync=True, choice=True)
    tau = t.Float(1.0).tag(sync=True, choice=True)
    k = t.Int(len(KS) - 1).tag(sync=True, choice=True)  # its place in KS
    p = t.Float(1.0).tag(sync=True, choice=True)
    seed = t.Int(1, min=0, max=100_000_000).tag(sync=True, choice=True)

    def __init__(self, **choices):
        stored = stored_result("transformer/next_token")
        super().__init__(**{"counts": stored["counts"], "rows": stored["rows"]} | choices)

    @t.validate("prompt")
    def _is_there(self, proposal):
        if all(row["prompt"] != proposal["value"] for row in self.rows):
            raise t.TraitError(f"This view has {len(self.rows)} prompts: choose one of them.")
        return proposal["value"]

    @t.validate("tau")
    def _is_a_temperature(self, proposal):
        if not 0 <= proposal["value"] <= 2:
            raise t.TraitError("The temperature τ of this view lies between 0 and 2.")
        return proposal["value"]

    @t.validate("k")
    def _is_a_place(self, proposal):
        if not 0 <= proposal["value"] < len(KS):
            raise t.TraitError(f"k is a place in {KS}: 0 … {len(KS) - 1}, and the last is off.")
        return proposal["value"]

    @t.validate("p")
    def _is_a_share(self, proposal):
        if not 0.05 <= proposal["value"] <= 1:
            raise t.TraitError("The share p of this view lies between 0.05 and 1, which is off.")
        return proposal["value"]

    def row(self) -> dict:
        """What is stored of the prompt."""
        return next(row for row in self.rows if row["prompt"] == self.prompt)

    def answer(self) -> dict:
        row, k, p = self.row(), KS[self.k], None if self.p == 1 else self.p
        scores = np.repeat(np.array(row["below"]) / -100, self.counts)
        starts = np.cumsum([0, *self.counts[:-1]])
        own, soft = sampling.probabilities(scores), sampling.probabilities(scores, self.tau)
        top = sampling.probabilities(scores, self.tau, k)
        now = sampling.probabilities(scores, self.tau, k, p)
        cumulative, u = np.add.reduceat(now, starts).cumsum(), uniform(self.seed)
        draws = [drawn(cumulative, u() * cumulative[-1]) for _ in range(DRAWS)]
        tally = np.bincount(draws, minlength=SHOWN)
        likely = now[now > 0]
        entropy = float(-(likely * np.log(likely)).sum()) + 0.0
        return {
            "labels": [token.translate(SIGNS) for token in row["tokens"][:SHOWN]],
            "own": (100 * own[:SHOWN]).tolist(),
            "now": [100 * q if q > 0 else "cut" for q in now[:SHOWN].tolist()],
            "tally": tally[:SHOWN].tolist(),
            "others": {
                "count": len(scores) - SHOWN,
                "own": 100 * float(own[SHOWN:].sum()),
                "now": 100 * float(now[SHOWN:].sum()) if now[SHOWN] > 0 else "cut",
                "tally": int(tally[SHOWN:].sum()),
                "drawn": self.named([i for i in draws if i >= SHOWN]),
            },
            "kept": len(likely),
            "cut": 100 * (1 - float(soft[now > 0].sum())),
            "cut_k": 100 * (1 - float(soft[top > 0].sum())),
            "entropy": entropy,
            "choices": float(np.exp(entropy)),
            "said_k": "off" if k is None else str(k),
            "said_p": "off" if p is None else f"{p:.2f}",
        }

    def named(self, draws: list[int]) -> list[str]:
        """Tokens that were drawn, the likeliest first; those without names are only counted."""
        tokens = self.row()["tokens"]
        names = [tokens[i].translate(SIGNS) for i in sorted(set(draws)) if i < len(tokens)]
        rarer = sum(i >= len(tokens) for i in draws)
        return [*names, *([f"{rarer} rarer"] if rarer else [])]

    def fallback(self) -> str:
        shown = self.answer()
        rows = [
            [label, f"{own:.1f}", now if now == "cut" else f"{now:.1f}"]
            for label, own, now in zip(shown["labels"], shown["own"], shown["now"], strict=True)
        ]
        caption = f"What comes next after “{self.prompt}”"
        return table(rows, ["token", "model, %", "now, %"], caption)._repr_html_()
