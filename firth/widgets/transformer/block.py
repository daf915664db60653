"""A text walks through the mini GPT: every number of it, at every stage, and every shape."""

import numpy as np
import torch
import traitlets as t
from jaxtyping import Float
from numpy import ndarray as Array

from firth.attention.attention import attention, attention_weights, causal_mask, softmax, split
from firth.display import table
from firth.transformer import austen_gpt
from firth.widgets.base import Widget

from .austen_gpt import WORDS, checked, network, stored

LONGEST, FIRST = 20, 6  # letters of a text; numbers of a letter that are shown in figures
STAGES = [  # the key of a stage, its name, its formula and what it does
    ["letters", "Letters", "x", "Each letter is its place in the alphabet: one number."],
    ["embedding", "Embedding", "X = E[x]", "Each letter's own row of a learned table."],
    ["place", "Add the place", "X ← X + P[0 … n−1]", "A learned row for each place is added."],
    ["norm_1", "Norm", "N = norm(X)", "Each letter's numbers: mean 0, variance 1, then rescaled."],
    ["Q", "Queries", "Q = N W_Qᵀ + b", "What this head lets each letter ask."],
    ["K", "Keys", "K = N W_Kᵀ + b", "What each letter can be found by."],
    ["V", "Values", "V = N W_Vᵀ + b", "What each letter has to give."],
    ["scores", "Scores", "S = Q Kᵀ / √e", "Each letter's query meets the key of every letter."],
    ["mask", "Mask", "s_ij ← −∞ for j > i", "What comes later is struck out."],
    ["softmax", "Softmax", "A = softmax(S)", "Each row becomes shares that add up to 1."],
    ["mix", "Mix", "Z = A V", "Each letter takes of the values, in these shares."],
    ["project", "Join and project", "Y = [Z_1 … Z_4] W_Oᵀ + b", "All heads, through one table."],
    ["add_1", "Add", "X ← X + Y", "What was found is added to what the letter was."],
    ["norm_2", "Norm", "N = norm(X)", "Mean 0 and variance 1 once more, then rescaled."],
    ["up", "Up", "U = N W_upᵀ + b", "Each letter's numbers become four times as many."],
    ["gelu", "GELU", "G = gelu(U)", "What is far below 0 becomes 0; what is far above it stays."],
    ["down", "Down", "D = G W_downᵀ + b", "And back to the old width."],
    ["add_2", "Add", "X ← X + D", "The block's last sum goes into the next block."],
    ["norm", "Last norm", "N = norm(X)", "After the last block, norm a last time."],
    ["guess", "Scores of the next", "N Eᵀ", "A score for each letter of the alphabet."],
    ["chances", "Probabilities", "p = softmax(N Eᵀ)", "How likely each letter is to come next."],
]
KEYS = [key for key, *_ in STAGES]
MEET = ["scores", "mask", "softmax", "mix"]
OF_HEAD = ["Q", "K", "V", *MEET]
ALONE = KEYS[: KEYS.index("scores")]  # before letters have met, in the first block
PAIRS, OF_ALPHABET = ["scores", "mask", "softmax"], ["guess", "chances"]


class TransformerBlock(Widget):
    """What shape has the text at each stage, and where do letters see each other?

    >>> view = TransformerBlock("Emma", stage="up")
    >>> view.answer()["size"]
    '4 letters × 384 numbers'
    """

    alphabet = t.List(t.Unicode()).tag(sync=True)
    shape = t.Dict().tag(sync=True)
    weights = t.Dict().tag(sync=True)  # one byte each, as they are stored
    stages = t.List(t.List(t.Unicode())).tag(sync=True)
    text = t.Unicode().tag(sync=True, choice=True)
    stage = t.Enum(KEYS, "softmax").tag(sync=True, choice=True)
    block = t.Int(1, min=1, max=austen_gpt.SHAPE.blocks).tag(sync=True, choice=True)
    head = t.Int(1, min=1, max=austen_gpt.SHAPE.heads).tag(sync=True, choice=True)
    letter = t.Int(LONGEST, min=1, max=LONGEST).tag(sync=True, choice=True)  # or the last there is

    def __init__(self, text: str = "Emma was handsome", **choices):
        super().__init__(**stored() | {"stages": STAGES, "text": text} | choices)

    @t.validate("text")
    def _is_short_and_in_the_letters_of_the_books(self, proposal):
        if not proposal["value"]:
            raise t.TraitError("There is nothing to walk through: write one letter or more.")
        return checked(proposal["value"], LONGEST, "The text")

    @torch.no_grad()
    def values(self) -> Float[Array, "n width"]:
        """The stage's numbers, a row a letter; what is struck out is −∞."""
        gpt, x = network(self.shape, self.weights), austen_gpt.ids(self.text)
        n, key, h = len(x), self.stage, self.head - 1
        if key == "letters":
            return x.numpy()[:, None].astype(float)
        X = gpt.tokens(x)
        run = {"embedding": X, "place": X + gpt.places.weight[:n]}
        X, seen = run["place"][None], causal_mask(n)
        later = torch.zeros(1, n, n).double().masked_fill(~torch.tensor(seen), -torch.inf)
        heads = later.expand(gpt.shape.heads, n, n)
        for i, block in enumerate(gpt.blocks, start=1):
            before, X = X, block(X, i, heads, None, None)
            if i == self.block:
                run |= self.within(block, before, heads)
        norm = gpt.norm(X)
        run |= {"norm": norm[0], "guess": gpt.scores(norm)[0]}
        run = {name: part.numpy() for name, part in run.items()}
        Q, K, V = (split(run[name], gpt.shape.heads)[h] for name in "QKV")
        scores = Q @ K.T / np.sqrt(gpt.shape.e)
        run |= {"Q": Q, "K": K, "V": V, "scores": scores}
        run |= {"mask": np.where(seen, scores, -np.inf), "softmax": attention_weights(Q, K, seen)}
        return (run | {"mix": attention(Q, K, V, seen), "chances": softmax(run["guess"])})[key]

    def within(self, block, X: Float[torch.Tensor, "1 n d"], mask: torch.Tensor) -> dict:
        """What a block makes of X on the way, of all heads."""
        N = block.norm_1(X)
        run = {"norm_1": N, "Q": block.Q(N), "K": block.K(N), "V": block.V(N)}
        run["project"] = block.mixed(N, 0, mask, None, None)
        run["add_1"] = X + run["project"]
        run["norm_2"] = block.norm_2(run["add_1"])
        run["up"] = block.up(run["norm_2"])
        run["gelu"] = torch.nn.functional.gelu(run["up"], approximate="tanh")
        run["down"] = block.down(run["gelu"])
        run["add_2"] = run["add_1"] + run["down"]
        return {name: part[0] for name, part in run.items()}

    def width(self, key: str) -> int:
        """How many numbers a letter has at a stage."""
        shape, n = self.shape, len(self.text)
        e, inner = shape["d"] // shape["heads"], shape["inner"]
        widths = dict.fromkeys(OF_HEAD, e) | dict.fromkeys(PAIRS, n)
        widths |= dict.fromkeys(OF_ALPHABET, shape["n"]) | {
            "letters": 1,
            "up": inner,
            "gelu": inner,
        }
        return widths.get(key, shape["d"])

    def size(self) -> str:
        """The shape in words."""
        n, width = len(self.text), self.width(self.stage)
        of = "letters" if self.stage in PAIRS else "numbers"
        one = of[:-1] if width == 1 else of
        return f"{n} letter{'s' * (n > 1)} × {width} {one}"

    def hears(self, i: int) -> str:
        """Which letters the row of letter i would change with."""
        n = len(self.text)
        if self.stage == "scores" and n > 1:
            return f"on all {n} letters, those to come as well: the mask strikes them out"
        if i == 1 or (self.block == 1 and self.stage in ALONE) or self.stage in ALONE[:3]:
            return "on this letter alone"
        return f"on this letter and the {'one' if i == 2 else i - 1} before it"

    def answer(self) -> dict:
        values, text, i = self.values(), self.text, min(self.letter, len(self.text))
        row, key = values[i - 1], self.stage
        places = [f"{j} {WORDS.get(letter, letter)}" for j, letter in enumerate(text, start=1)]
        names, order = [str(j + 1) for j in range(len(row))], np.arange(len(row))
        if key in PAIRS + OF_ALPHABET:  # the largest are told, not the first
            names = places if key in PAIRS else [WORDS.get(x, x) for x in self.alphabet]
            order = np.argsort(-row, kind="stable")
        order = [j for j in order if row[j] > -np.inf][:FIRST]
        shown = [str(int(row[0]))] if key == "letters" else [float(row[j]) for j in order]
        blanks = [""] * (FIRST - len(order))
        _, name, formula, says = STAGES[KEYS.index(key)]
        return {
            "values": [[v if v > -np.inf else None for v in row] for row in values.tolist()],
            "widths": [self.width(key) for key in KEYS],
            "size": self.size(),
            "count": values.size,
            "name": name,
            "formula": formula,
            "says": says,
            "meeting": "Letters meet here." if key in MEET else "Each letter by itself.",
            "most": float(abs(values[values > -np.inf]).max()),
            "chosen": places[i - 1],
            "hears": self.hears(i),
            "told": "its largest" if key in PAIRS + OF_ALPHABET else "its first",
            "names": [names[j] for j in order] + blanks,
            "shown": shown + blanks,
        }

    def fallback(self) -> str:
        places = [f"{j} {WORDS.get(x, x)}" for j, x in enumerate(self.text, start=1)]
        rows = [
            [STAGES[k][1], STAGES[k][2], f"{len(self.text)} × {self.width(key)}"]
            for k, key in enumerate(KEYS)
        ]
        caption = f"The shape of “{self.text}” at each stage, block {self.block}, head {self.head}"
        return table(rows, ["stage", "formula", f"shape ({places[0]} …)"], caption)._repr_html_()
