"""BERT: chapter 5's encoder, read from both sides, and trained to fill blanks.

    X⁰     = norm(tokens[ids] + places[0 … n−1] + segments[0 or 1])    what a text starts as
    Xˡ     = block(Xˡ⁻¹),  l = 1 … blocks                              chapter 5's, every token seen
    pooled = tanh(W X_[CLS] + b)                                       one vector for the whole text
    scores = norm(gelu(W′ x + b′)) tokensᵀ + c                         what could stand in x's place

The blocks are those of 2017 with a softer bend: gelu(x) = x Φ(x) for relu. Positions are learned, a
row for each of 512 places. A segment says which of two texts a token belongs to. The table that is
read is also the one that the scores are made with, as in chapter 5's decoder; what differs is that
no token is hidden from any other, so only a token that has been blanked out is worth guessing.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from firth.transformer.transformer import Encoder, LayerNorm
from firth.transformer.transformer import parameters as encoder_parameters

Ids, States = Int[Tensor, "B n"], Float[Tensor, "B n d"]
Segments, Mask = Int[Tensor, "B n"], Bool[Tensor, "_ _"]


@dataclass(frozen=True)
class Shape:
    """All that is to be said about an encoder before its weights."""

    words: int = 30_522  # pieces of words in the vocabulary
    d: int = 768
    heads: int = 12
    inner: int = 3072  # width of the feed-forward layer
    blocks: int = 12
    places: int = 512  # tokens at most
    segments: int = 2
    eps: float = 1e-12


BASE, LARGE = Shape(), Shape(d=1024, heads=16, inner=4096, blocks=24)
MINILM = Shape(d=384, heads=12, inner=1536, blocks=6)


def parameters(shape: Shape) -> int:
    """How many numbers are learned, the layer on [CLS] with them, the head for blanks without.

    >>> [round(parameters(shape) / 1e6, 1) for shape in (MINILM, BASE, LARGE)]
    [22.7, 109.5, 335.1]
    """
    s = shape
    rows = s.words + s.places + s.segments
    blocks = encoder_parameters(s.d, s.heads, s.inner, s.blocks, words=rows)
    return blocks + 2 * s.d + (s.d * s.d + s.d)  # the norm of the sum; W and b of `pooled`


class BERT(nn.Module):
    """Ids in; out, for every token, a vector that has the whole text in it.

    >>> net = BERT(Shape(words=9, d=8, heads=2, inner=16, blocks=3, places=5))
    >>> net(torch.tensor([[1, 7, 2]])).shape
    torch.Size([1, 3, 8])
    """

    def __init__(self, shape: Shape):
        super().__init__()
        self.shape, d = shape, shape.d
        self.tokens, self.places = nn.Embedding(shape.words, d), nn.Embedding(shape.places, d)
        self.segments, self.norm = nn.Embedding(shape.segments, d), LayerNorm(d)
        self.encoder = Encoder(d, shape.heads, shape.inner, shape.blocks)
        self.pool = nn.Linear(d, d)
        for block in self.encoder.blocks:
            block.feed[1] = nn.GELU()
        for part in self.modules():
            if isinstance(part, LayerNorm):
                part.eps = shape.eps
            elif isinstance(part, nn.Linear | nn.Embedding):
                nn.init.normal_(part.weight, std=0.02)
                if isinstance(part, nn.Linear):
                    nn.init.zeros_(part.bias)

    def forward(self, ids: Ids, segments: Segments | None = None, mask: Mask | None = None):
        """The last block's states. `mask` is False where a row has been filled up."""
        return self.layers(ids, segments, mask)[-1]

    def layers(
        self, ids: Ids, segments: Segments | None = None, mask: Mask | None = None
    ) -> list[States]:
        """What every token is before the first block, and after each of them."""
        seen = None if mask is None else mask[:, None]  # by every token of the row alike
        X = [self.embedded(ids, segments)]
        self.encoder.check(X[0], X[0], seen)
        for block in self.encoder.blocks:
            X.append(block(X[-1], seen))
        return X

    def embedded(self, ids: Ids, segments: Segments | None = None) -> States:
        """Token, place and segment, added and brought to one size."""
        n = ids.shape[1]
        if not ids.numel():
            raise ValueError("There is no token to read: give one or more.")
        if n > self.shape.places:
            raise ValueError(f"{n} tokens do not fit {self.shape.places} places: shorten the text.")
        if ids.min() < 0 or ids.max() >= self.shape.words:
            words = self.shape.words - 1
            raise ValueError(f"An id lies outside of the vocabulary: ids are 0 … {words}.")
        X = self.tokens(ids) + self.places.weight[:n]
        return self.norm(X + self.segments(torch.zeros_like(ids) if segments is None else segments))

    def pooled(self, X: States) -> Float[Tensor, "B d"]:
        """One vector for each text, made of what [CLS] has become."""
        return self.pool(X[:, 0]).tanh()

    def attentions(self) -> Float[Tensor, "l B heads n n"]:
        """Who looked at whom when the last batch was read, in every block and head."""
        return torch.stack([block.attention.A for block in self.encoder.blocks])


class Blanks(nn.Module):
    """BERT with the head that guesses: a score for every piece of a word, at the places asked for.

    >>> net = Blanks(Shape(words=9, d=8, heads=2, inner=16, blocks=1, places=5))
    >>> X = net.bert(torch.tensor([[1, 7, 2]]))
    >>> net.scores(X[:, 1]).shape  # only of the blank: the head costs more than the blocks
    torch.Size([1, 9])
    """

    def __init__(self, shape: Shape):
        super().__init__()
        self.bert = BERT(shape)
        self.dense, self.norm = nn.Linear(shape.d, shape.d), LayerNorm(shape.d, shape.eps)
        self.bias = nn.Parameter(torch.zeros(shape.words))

    def scores(self, x: Float[Tensor, "*batch d"]) -> Float[Tensor, "*batch words"]:
        """How well every row of the table of tokens agrees with what is expected in x's place."""
        x = self.norm(nn.functional.gelu(self.dense(x)))
        return nn.functional.linear(x, self.bert.tokens.weight, self.bias)
