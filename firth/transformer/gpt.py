"""A decoder alone: every place sees itself and what stands before it, and says what comes next.

    X      = tokens[ids] (+ places)                     what each place starts as
    A      = softmax(QKᵀ / √(d / heads))  over j ≤ i    a place looks at no later one
    X      ← X + O(A V)                                 Q, K and V made of norm_1(X): mixing
    X      ← X + down(gelu(up(norm_2(X))))              place by place: using
    scores = norm(X) tokensᵀ                            the same table reads and writes

The middle lines are a block, and there are `blocks` of them. Each change since 2017 is a field of
`Shape`, and small. GPT-2 (2019) norms before each half of a block, learns a vector for each place,
and bends with gelu. Llama (2023) norms by length alone (`Norm`), turns queries and keys (`turned`),
lets the feed-forward layer gate itself and leaves out biases; in its larger sizes several heads ask
the same keys (`Block`). The rest is the decoder of 2017 without the encoder.
"""

from dataclasses import dataclass
from math import inf, sqrt
from typing import Literal

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from .positional_encoding import frequencies, positions

Ids, Text, Scores = Int[Tensor, "B T"], Float[Tensor, "B T d"], Float[Tensor, "B T n"]
Turn = Float[Tensor, "2 T _"]  # cosines and sines


@dataclass(frozen=True)
class Shape:
    """All that is to be said about a model before its weights."""

    n: int  # tokens in the vocabulary
    d: int
    blocks: int
    heads: int
    inner: int  # width of the feed-forward layer
    context: int  # places at most
    kv_heads: int | None = None  # heads of keys and values; None: as many as of queries
    norm: Literal["layer", "rms"] = "layer"
    position: Literal["learned", "sinusoidal", "rotary", "none"] = "learned"
    feed: Literal["gelu", "relu", "swiglu"] = "gelu"
    bias: bool = True
    tied: bool = True  # are the rows that are read also those that the scores are made with?
    base: float | int = 10000.0  # of the angles, where positions are sinusoidal or rotary
    eps: float = 1e-5

    def __post_init__(self):
        if min(self.n, self.d, self.blocks, self.heads, self.inner, self.context, self.kv) < 1:
            raise ValueError("Every size of a model is 1 or more.")
        if self.d % self.heads:
            raise ValueError(f"{self.d} features do not divide evenly among {self.heads} heads.")
        if self.heads % self.kv:
            raise ValueError(f"{self.heads} heads cannot share {self.kv} heads of keys evenly.")
        known = "layer rms learned sinusoidal rotary none gelu relu swiglu".split()
        if strange := {self.norm, self.position, self.feed} - {*known}:
            raise ValueError(f"There is no {strange.pop()!r}: see what the fields of Shape may be.")
        if {"sinusoidal": self.d, "rotary": self.e}.get(self.position, 2) % 2:
            raise ValueError("Angles turn features in pairs: an odd number of them cannot pair up.")

    @property
    def e(self) -> int:  # features of one head
        return self.d // self.heads

    @property
    def kv(self) -> int:
        return self.heads if self.kv_heads is None else self.kv_heads


GPT_2 = {  # Radford and others (2019), by their names today; see `parameters`
    "small": Shape(50257, d=768, blocks=12, heads=12, inner=3072, context=1024),
    "medium": Shape(50257, d=1024, blocks=24, heads=16, inner=4096, context=1024),
    "large": Shape(50257, d=1280, blocks=36, heads=20, inner=5120, context=1024),
    "XL": Shape(50257, d=1600, blocks=48, heads=25, inner=6400, context=1024),
}


def parameters(shape: Shape) -> int:
    """How many numbers are learned: counted by hand, before anything is built.

    >>> {name: round(parameters(shape) / 1e6, 1) for name, shape in GPT_2.items()}
    {'small': 124.4, 'medium': 354.8, 'large': 774.0, 'XL': 1557.6}
    """
    s, b, kv = shape, int(shape.bias), shape.kv * shape.e
    norm = s.d * (2 if s.norm == "layer" and s.bias else 1)
    attention = 2 * s.d * (s.d + b) + 2 * kv * (s.d + b)  # Q and O; K and V
    ways_up = 2 if s.feed == "swiglu" else 1
    feed = ways_up * s.inner * (s.d + b) + s.d * (s.inner + b)
    tables = s.n * s.d * (1 if s.tied else 2) + s.context * s.d * (s.position == "learned")
    return tables + s.blocks * (attention + feed + 2 * norm) + norm


def turned(X: Float[Tensor, "B h T e"], turn: Turn) -> Float[Tensor, "B h T e"]:
    """Each pair of features turned by its place's angle: rotary positions (Su and others, 2021).

    A dot product of two vectors that were turned depends on how far apart they stand, not on
    where: q at place 7 meets k at place 4 as at places 3 and 0. Nothing is added to the text.

    >>> turned(torch.tensor([[[[2.0, 1.0]]]]), torch.tensor([[[0.0]], [[1.0]]]))  # a quarter turn
    tensor([[[[-1.,  2.]]]])
    """
    (a, b), (cos, sin) = (X[..., 0::2], X[..., 1::2]), turn
    return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)


class Norm(nn.Module):
    """Each place's vector brought to one size, feature by feature rescaled.

    "layer" takes away the mean and divides by the standard deviation (Ba and others, 2016). "rms"
    only divides, by the root of the mean square, and has no bias (Zhang and Sennrich, 2019).
    """

    def __init__(self, shape: Shape):
        super().__init__()
        self.centred, self.eps = shape.norm == "layer", shape.eps
        self.weight = nn.Parameter(torch.ones(shape.d))
        self.bias = nn.Parameter(torch.zeros(shape.d)) if self.centred and shape.bias else None

    def forward(self, X: Text) -> Text:
        if self.centred:
            return nn.functional.layer_norm(X, X.shape[-1:], self.weight, self.bias, self.eps)
        return nn.functional.rms_norm(X, X.shape[-1:], self.weight, self.eps)


class Cache:
    """Keys and values of all places read so far, block by block: what the next place looks at.

    However the text goes on, those of a place stay what they are, for it never sees a later one. A
    next token then costs one place's work, and not the whole text's.
    """

    def __init__(self):
        self.blocks: dict[int, tuple[Tensor, Tensor]] = {}

    def __len__(self) -> int:
        return self.blocks[0][0].shape[1] if self.blocks else 0

    def joined(self, i: int, *new: Float[Tensor, "_ T e"]) -> tuple[Tensor, Tensor]:
        """Block i's keys and values, the new ones at the end."""
        if i in self.blocks:
            if len(self.blocks[i][0]) != len(new[0]):
                raise ValueError("A cache goes on with the texts it has read: take a fresh one.")
            new = tuple(torch.cat(pair, dim=1) for pair in zip(self.blocks[i], new, strict=True))
        self.blocks[i] = new
        return new


class Block(nn.Module):
    """Mixing, then using: what a place gathers from others, and what it makes of it alone.

    Where several heads of queries share keys and values (Ainslie and others, 2023), the cache is
    smaller by that factor. gelu(x) = x Φ(x) is relu with a soft knee (by tanh, as in GPT-2). With
    "swiglu" a second table says how much of each inner feature passes (Shazeer, 2020).
    """

    def __init__(self, shape: Shape):
        super().__init__()
        self.shape, d, kv, bias = shape, shape.d, shape.kv * shape.e, shape.bias
        self.norm_1, self.norm_2 = Norm(shape), Norm(shape)
        self.Q, self.O = nn.Linear(d, d, bias), nn.Linear(d, d, bias)
        self.K, self.V = nn.Linear(d, kv, bias), nn.Linear(d, kv, bias)
        self.up, self.down = nn.Linear(d, shape.inner, bias), nn.Linear(shape.inner, d, bias)
        if shape.feed == "swiglu":
            self.gate = nn.Linear(d, shape.inner, bias)

    def forward(self, X: Text, *where) -> Text:
        X = X + self.mixed(self.norm_1(X), *where)
        return X + self.used(self.norm_2(X))

    def mixed(self, X: Text, i: int, mask: Tensor, turn: Turn | None, cache: Cache | None) -> Text:
        """O of what every head has taken, in the shares it gives to the places it may see."""
        e = self.shape.e
        Q, K, V = (f(X).unflatten(2, (-1, e)).transpose(1, 2) for f in (self.Q, self.K, self.V))
        if turn is not None:
            Q, K = turned(Q, turn), turned(K, turn)
        K, V = K.flatten(0, 1), V.flatten(0, 1)
        if cache is not None:
            K, V = cache.joined(i, K, V)
        # Queries that share keys lie one below the other: one product serves them all.
        scores = torch.baddbmm(mask, Q.reshape(len(K), -1, e), K.mT, alpha=1 / sqrt(e))
        Z = (scores.softmax(-1) @ V).reshape(Q.shape)
        return self.O(Z.transpose(1, 2).flatten(2))

    def used(self, X: Text) -> Text:
        """Up to the inner width, bent, and down again: each place by itself."""
        if self.shape.feed == "swiglu":
            return self.down(nn.functional.silu(self.gate(X)) * self.up(X))
        X, soft = self.up(X), self.shape.feed == "gelu"
        return self.down(nn.functional.gelu(X, approximate="tanh") if soft else X.relu())


class GPT(nn.Module):
    """A model that continues texts: ids in, a score for every token that could come next out.

    >>> net = GPT(Shape(n=7, d=8, blocks=2, heads=2, inner=32, context=5))
    >>> net(torch.tensor([[3, 1, 4]])).shape  # a guess after each of the three
    torch.Size([1, 3, 7])
    """

    def __init__(self, shape: Shape):
        super().__init__()
        self.shape = shape
        self.tokens = nn.Embedding(shape.n, shape.d)
        if shape.position == "learned":
            self.places = nn.Embedding(shape.context, shape.d)
        self.blocks = nn.ModuleList(Block(shape) for _ in range(shape.blocks))
        self.norm = Norm(shape)
        if not shape.tied:
            self.out = nn.Linear(shape.d, shape.n, bias=False)
        for name, weight in self.named_parameters():
            if weight.dim() == 2:
                adds = name.endswith(("O.weight", "down.weight"))  # the more do, the less each
                nn.init.normal_(weight, std=0.02 / sqrt(2 * shape.blocks if adds else 1))
            elif name.endswith("bias"):
                nn.init.zeros_(weight)

    def forward(self, ids: Ids, cache: Cache | None = None) -> Scores:
        """Scores of what comes after each place. With a cache, `ids` are only the new ones."""
        return self.scores(self.states(ids, cache))

    def scores(self, X: Text) -> Scores:
        """How well every token's vector agrees with each place's."""
        return X @ (self.tokens if self.shape.tied else self.out).weight.T

    def states(self, ids: Ids, cache: Cache | None = None) -> Text:
        """What every place has become after the last block: most of the work, and no scores yet."""
        s, start = self.shape, 0 if cache is None else len(cache)
        stop = start + ids.shape[1]
        if not ids.numel():
            raise ValueError("The prompt is empty: give one token or more.")
        if stop > s.context:
            raise ValueError(f"{stop} tokens do not fit the context of {s.context}: shorten it.")
        if ids.min() < 0 or ids.max() >= s.n:
            raise ValueError(f"An id lies outside of the vocabulary: ids are 0 … {s.n - 1}.")
        X, turn = self.tokens(ids), None
        if s.position == "learned":
            X = X + self.places.weight[start:stop]
        elif s.position == "sinusoidal":
            X = X + torch.tensor(positions(stop, s.d, s.base)[start:]).to(X)
        elif s.position == "rotary":
            turn = torch.tensor(np.arange(start, stop)[:, None] * frequencies(s.e, s.base))
            turn = torch.stack([turn.cos(), turn.sin()]).to(X)
        mask = (
            torch.full((stop - start, stop), -inf).triu(start + 1).repeat(s.heads // s.kv, 1).to(X)
        )
        for i, block in enumerate(self.blocks):
            X = block(X, i, mask, turn, cache)
        return self.norm(X)
