"""The transformer of 2017: tokens look at each other, then each thinks for itself, and again.

    block(X)     X ← X + attention(X)        X ← X + feed(X)         two ways past
    attention    Z = softmax(QKᵀ/√d_h) V in every head, side by side, times W_O
                 Q = X W_Qᵀ,  K = Y W_Kᵀ,  V = Y W_Vᵀ               Y = X, or another text
    feed         W_2 relu(W_1 x + b_1) + b_2                         each token by itself
    norm         g ∘ (x − mean) / sd + b                             each token by itself

Where the norm stands is a choice: after each way past (`pre=False`, as in 2017), or before each
attention and feed and once at the end (`pre=True`, as nearly all do now: what runs along the way
past then is never scaled). A decoder's block looks twice: back at its own text, and at the
encoder's. A mask is True where something may be seen.
"""

from collections.abc import Callable

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

Tokens, Others = Float[Tensor, "B n d"], Float[Tensor, "B m d"]
Mask, OwnMask = Bool[Tensor, "*#B #n #m"], Bool[Tensor, "*#B #n #n"]


def head_width(d: int, heads: int) -> int:
    """How many features each head gets: d / heads, which has no remainder."""
    if d < 1 or heads < 1 or d % heads:
        raise ValueError(f"{d} features cannot be shared out among {heads} heads in equal parts.")
    return d // heads


def causal_mask(n: int) -> Bool[Tensor, "{n} {n}"]:
    """Each token may see itself and all before it.

    >>> causal_mask(3).int()
    tensor([[1, 0, 0],
            [1, 1, 0],
            [1, 1, 1]], dtype=torch.int32)
    """
    return torch.ones(n, n, dtype=torch.bool).tril()


class LayerNorm(nn.Module):
    """Each token's vector gets mean 0 and sd 1, whatever the other tokens are; then g and b.

    >>> LayerNorm(4)(torch.tensor([[1.0, 1.0, 3.0, 3.0], [10.0, 10.0, 30.0, 30.0]])).round().int()
    tensor([[-1, -1,  1,  1],
            [-1, -1,  1,  1]], dtype=torch.int32)
    """

    def __init__(self, d: int, eps: float = 1e-5):
        super().__init__()
        self.g, self.b = nn.Parameter(torch.ones(d)), nn.Parameter(torch.zeros(d))
        self.eps = eps  # a vector of equal numbers has sd 0

    def forward(self, X: Float[Tensor, "*batch d"]) -> Float[Tensor, "*batch d"]:
        X = X - X.mean(dim=-1, keepdim=True)
        sd = (X.square().mean(dim=-1, keepdim=True) + self.eps).sqrt()
        return self.g * X / sd + self.b


class Attention(nn.Module):
    """Chapter 4's heads: X asks (Q), Y is asked (K) and gives (V); `A` keeps the last weights."""

    def __init__(self, d: int, heads: int, dropout: float = 0.0):
        super().__init__()
        self.heads, self.width = heads, head_width(d, heads)
        self.Q, self.K, self.V, self.O = (nn.Linear(d, d) for _ in range(4))
        self.drop = nn.Dropout(dropout)

    def forward(self, X: Tokens, Y: Others, mask: Mask | None = None) -> Tokens:
        split = lambda Z: Z.unflatten(-1, (self.heads, self.width)).transpose(1, 2)  # noqa: E731
        Q, K, V = split(self.Q(X)), split(self.K(Y)), split(self.V(Y))  # B heads n width
        scores = Q @ K.transpose(-2, -1) / self.width**0.5
        if mask is None:
            A = scores.softmax(dim=-1)
        else:  # Not −∞: a row that sees nothing would be 0/0. It gets weights of 0.
            unseen = ~mask.unsqueeze(-3)
            A = scores.masked_fill(unseen, torch.finfo(scores.dtype).min).softmax(dim=-1)
            A = A.masked_fill(unseen, 0.0)
        self.A = A.detach()
        return self.O((self.drop(A) @ V).transpose(1, 2).flatten(start_dim=2))


class Feed(nn.Sequential):
    """What a token makes of what it has seen: wider, what is below 0 cut off, narrow again."""

    def __init__(self, d: int, inner: int, dropout: float = 0.0):
        super().__init__(nn.Linear(d, inner), nn.ReLU(), nn.Dropout(dropout), nn.Linear(inner, d))


class Past(nn.Module):
    """The way past: what `f` says is added to what was there, and the norm stands where it must."""

    def __init__(self, d: int, dropout: float = 0.0, pre: bool = False):
        super().__init__()
        self.norm, self.drop, self.pre = LayerNorm(d), nn.Dropout(dropout), pre

    def forward(self, X: Tokens, f: Callable[[Tensor], Tensor]) -> Tokens:
        if self.pre:
            return X + self.drop(f(self.norm(X)))
        return self.norm(X + self.drop(f(X)))


class EncoderBlock(nn.Module):
    """Look at each other; think. (B × n × d) in, (B × n × d) out: so they can be stacked."""

    def __init__(self, d: int, heads: int, inner: int, dropout: float = 0.0, pre: bool = False):
        super().__init__()
        self.attention, self.feed = Attention(d, heads, dropout), Feed(d, inner, dropout)
        self.past = nn.ModuleList(Past(d, dropout, pre) for _ in range(2))

    def forward(self, X: Tokens, mask: OwnMask | None = None) -> Tokens:
        X = self.past[0](X, lambda X: self.attention(X, X, mask))
        return self.past[1](X, self.feed)


class DecoderBlock(nn.Module):
    """Look back at what is written; look at what is to be translated (Y); think."""

    def __init__(self, d: int, heads: int, inner: int, dropout: float = 0.0, pre: bool = False):
        super().__init__()
        self.attention, self.cross = (Attention(d, heads, dropout) for _ in range(2))
        self.feed = Feed(d, inner, dropout)
        self.past = nn.ModuleList(Past(d, dropout, pre) for _ in range(3))

    def forward(
        self, X: Tokens, Y: Others, mask: OwnMask | None = None, Y_mask: Mask | None = None
    ) -> Tokens:
        X = self.past[0](X, lambda X: self.attention(X, X, mask))
        X = self.past[1](X, lambda X: self.cross(X, Y, Y_mask))
        return self.past[2](X, self.feed)


class Stack(nn.Module):
    """Blocks of one kind, each with weights of its own; with `pre`, a norm after the last."""

    Block: type[nn.Module]

    def __init__(
        self, d: int, heads: int, inner: int, blocks: int, dropout: float = 0.0, pre: bool = False
    ):
        super().__init__()
        if min(inner, blocks) < 1:
            raise ValueError(f"A stack has 1 block and 1 inner feature or more: {blocks}, {inner}.")
        make = (self.Block(d, heads, inner, dropout, pre) for _ in range(blocks))
        self.d, self.blocks = d, nn.ModuleList(make)
        self.norm = LayerNorm(d) if pre else nn.Identity()

    def check(self, X: Tensor, Y: Tensor, mask: Tensor | None) -> None:
        """One sentence on what does not fit, before torch says it in ten."""
        for d in (X.shape[-1], Y.shape[-1]):
            if d != self.d:
                raise ValueError(f"A token has {d} features, and the blocks are made for {self.d}.")
        if len(X) != len(Y):
            raise ValueError(f"There are {len(X)} texts to write and {len(Y)} to read.")
        wanted = (len(X), X.shape[1], Y.shape[1])
        if mask is not None and any(
            k not in (1, n) for k, n in zip(mask.shape[::-1], wanted[::-1], strict=False)
        ):
            raise ValueError(
                f"A mask of {tuple(mask.shape)} says nothing of {wanted[1]} tokens that look at "
                f"{wanted[2]} in {wanted[0]} texts."
            )


class Encoder(Stack):
    """Encoder(d, heads, inner, blocks)(X, mask): every token's vector, with the others in it."""

    Block = EncoderBlock

    def forward(
        self, X: Float[Tensor, "B n _"], mask: Bool[Tensor, "*_ _ _"] | None = None
    ) -> Tokens:
        self.check(X, X, mask)
        for block in self.blocks:
            X = block(X, mask)
        return self.norm(X)


class Decoder(Stack):
    """Decoder(d, heads, inner, blocks)(X, Y, mask, Y_mask): X is being written, Y was read."""

    Block = DecoderBlock

    def forward(
        self,
        X: Float[Tensor, "B n _"],
        Y: Float[Tensor, "_ m _"],
        mask: Bool[Tensor, "*_ _ _"] | None = None,
        Y_mask: Bool[Tensor, "*_ _ _"] | None = None,
    ) -> Tokens:
        self.check(X, X, mask)
        self.check(X, Y, Y_mask)
        for block in self.blocks:
            X = block(X, Y, mask, Y_mask)
        return self.norm(X)


def parameters(
    d: int, heads: int, inner: int, blocks: int, decoder: int = 0, pre: bool = False, words: int = 0
) -> int:
    """How many numbers are learned: `blocks` of an encoder, `decoder` of a decoder, `words` rows.

    The heads cut d up and add nothing; neither do positions, which are not learned.

    >>> parameters(512, 8, 2048, blocks=6)
    18914304
    """
    head_width(d, heads)
    attention = 4 * (d * d + d)  # W_Q, W_K, W_V, W_O and their biases
    feed = d * inner + inner + inner * d + d
    norm = 2 * d  # g, b
    encoder_block = attention + feed + 2 * norm
    decoder_block = 2 * attention + feed + 3 * norm
    last = norm * ((blocks > 0) + (decoder > 0)) if pre else 0
    return blocks * encoder_block + decoder * decoder_block + last + words * d
