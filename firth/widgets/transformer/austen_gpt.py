"""The mini GPT writes in the page: what temperature does to a text, and how far back it sees."""

from html import escape

import numpy as np
import torch
import traitlets as t

from firth.store.results import DATA, stored_result
from firth.store.weights import dequantize
from firth.transformer import austen_gpt
from firth.transformer.gpt import GPT, Shape
from firth.transformer.sampling import probabilities
from firth.widgets.base import Widget

RUNS = DATA / "transformer/austen_gpt_runs.json"
SHOWN = 9  # letters that could come next
LONGEST = 60  # letters of a prompt
PIECE, MOST = 200, 600  # letters written at a time, and in all
WORDS = {"\n": "new paragraph", " ": "blank"}  # letters that cannot be seen


class TransformerAusten(Widget):
    """At which temperature does it write like Austen, and how far back can it remember?

    >>> TransformerAusten("She was ", tau=0, length=8).answer()["seen"]  # of 8 + 8 letters
    16
    """

    alphabet = t.List(t.Unicode()).tag(sync=True)
    shape = t.Dict().tag(sync=True)
    weights = t.Dict().tag(sync=True)  # one byte each, as they are stored
    hers = t.Float().tag(sync=True)  # J of a novel that it has not read, in nats a letter
    prompt = t.Unicode().tag(sync=True, choice=True)
    tau = t.Float(0.8).tag(sync=True, choice=True)
    k = t.Int(len(austen_gpt.ALPHABET), min=1, max=len(austen_gpt.ALPHABET)).tag(
        sync=True, choice=True
    )
    seed = t.Int(1, min=0, max=100_000_000).tag(sync=True, choice=True)
    length = t.Int(PIECE, min=1, max=MOST).tag(sync=True, choice=True)

    def __init__(self, prompt: str = "She was ", **choices):
        data = stored() | {"hers": hers()}
        super().__init__(**data | {"prompt": prompt} | choices)

    @t.validate("prompt")
    def _is_written_in_the_letters_of_the_books(self, proposal):
        return checked(proposal["value"], LONGEST, "A prompt")

    @t.validate("tau")
    def _is_a_temperature(self, proposal):
        if not 0 <= proposal["value"] <= 1.5:
            raise t.TraitError("The temperature τ of this view lies between 0 and 1.5.")
        return proposal["value"]

    def seen(self, n: int) -> int:
        """How many of n letters it sees when it guesses one more: a full context is halved."""
        context = self.shape["context"]
        turn = context + 1 - context // 2  # letters from one forgetting to the next
        return n - turn * max(0, -(-(n - context) // turn))

    @torch.no_grad()
    def answer(self) -> dict:
        gpt, start = network(self.shape, self.weights), self.prompt or "\n"
        text = austen_gpt.written(start, self.length, self.tau, self.seed, self.k, gpt=gpt)
        x, n = austen_gpt.ids(start + text), len(start)
        seen = {i: self.seen(i) for i in range(n, len(x) + 1)}
        # Each stretch of the text that was seen from the same letter on is read once.
        firsts = sorted({i - s for i, s in seen.items()})
        logs = [gpt(x[None, f : f + gpt.shape.context])[0].log_softmax(-1) for f in firsts]
        at = {f: log for f, log in zip(firsts, logs, strict=True)}
        surprise = -sum(at[i - s][s - 1, x[i]].item() for i, s in seen.items() if i < len(x))
        scores = at[len(x) - seen[len(x)]][-1].numpy()
        p = probabilities(scores, self.tau, self.k)
        likely = np.argsort(-p, kind="stable")[:SHOWN]
        return {
            "text": text,
            "seen": seen[len(x)],
            "forgotten": len(x) - seen[len(x)],
            "surprise": surprise / self.length,
            "letters": [WORDS.get(self.alphabet[i], self.alphabet[i]) for i in likely],
            "shares": (100 * p[likely]).tolist(),
            "rest": float(100 * (1 - p[likely].sum())),
        }

    def fallback(self) -> str:
        shown = self.answer()
        text = escape(shown["text"]).replace("\n", "<br/>")
        return (
            f"<p>Written by the network at τ = {self.tau:g}, after “{escape(self.prompt)}”:</p>\n"
            f"<blockquote><p>{escape(self.prompt)}{text}</p></blockquote>"
        )


def stored() -> dict:
    """The alphabet, the shape and the weights, as the course ships them."""
    kept = stored_result("transformer/austen_gpt")
    return {name: kept[name] for name in ("alphabet", "shape", "weights")}


def hers() -> float:
    """J of the second half of Persuasion, by the weights that the course ships."""
    runs = stored_result("transformer/austen_gpt_runs")
    return runs["gpt"]["rows"][-1]["test"]


def network(shape: dict, weights: dict) -> GPT:
    """The network whose weights a page has, in double precision, as its JavaScript counts."""
    with torch.device("meta"):  # no chance is drawn for weights that are replaced at once
        gpt = GPT(Shape(**shape))
    tables = {name: torch.tensor(dequantize(part)) for name, part in weights.items()}
    gpt.load_state_dict(tables, assign=True)
    return gpt.requires_grad_(False)


def checked(text: str, longest: int, what: str) -> str:
    """The text, if it is short enough and of letters that the books have."""
    if len(text) > longest:
        raise t.TraitError(f"{what} may have {longest} letters: shorten it.")
    try:
        austen_gpt.ids(text)
    except ValueError as error:
        raise t.TraitError(str(error)) from None
    return text
