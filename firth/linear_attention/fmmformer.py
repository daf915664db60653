"""FMMformer: what is near looked at exactly, what is far in a sum, and learned how much of each.

    D = softmax(QKᵀ / √d) over |i − j| ≤ band       near field: `band`, O(n · band)
    L = φ(Q) φ(K)ᵀ, each row over its sum           far field: `linear_attention`, O(n), rank ≤ R
    Y = (w₁ D + w₂ L) V                             w₁, w₂ > 0, learned for each head

After Nguyen and others (2021), who took it from the fast multipole method. Rows of D and of L sum
to 1, so that those of the blend sum to w₁ + w₂. Nothing n × n is ever made. In chapter 5's block it
takes the place of softmax attention, as either part alone can.
"""

from functools import partial
from math import expm1, log

import torch
from jaxtyping import Float
from torch import Tensor, nn

from firth.transformer.gpt import GPT, Block, Cache, Shape, Text, Turn, turned

from .banded_attention import banded_attention
from .linear_attention import causal_chunks, elu_features, linear_attention

Queries, Keys, Values = (Float[Tensor, f"*batch heads n {e}"] for e in ("d", "d", "k"))
KINDS = ("softmax", "linear", "band", "fmm")
START = (0.1, 1.0)  # w₁ and w₂: the far field, and a little of the near


class FMM(nn.Module):
    """The blend of both fields for all heads, 2 · heads numbers to learn.

    softplus keeps the weights above 0: a part can be left out, but not turned against the other.
    Training begins with the far field and a little of the near: the other way round, a band that is
    of no use at first is soon all that is listened to.

    >>> V = torch.tensor([[[[0.0], [6.0], [12.0]]]])
    >>> blend, same = FMM(heads=1, band=0), torch.zeros(1, 1, 3, 1)
    >>> [round(y, 1) for y in blend(same, same, V).flatten().tolist()]  # a tenth own, and the mean
    [6.0, 6.6, 7.2]
    """

    def __init__(self, heads: int, band: int, maps: int = 1):
        super().__init__()
        if heads < 1 or band < 0 or maps < 1:
            raise ValueError(
                f"{heads} heads, a band of {band} and {maps} feature maps: a blend needs heads and "
                "maps, and a half-width of 0 or more."
            )
        self.band, self.phi = band, partial(elu_features, r=maps)
        start = [[log(expm1(w))] * heads for w in START]  # what softplus takes back to w
        self.raw = nn.Parameter(torch.tensor(start))

    @property
    def w(self) -> Float[Tensor, "2 heads"]:
        """w₁ and w₂ of every head."""
        return nn.functional.softplus(self.raw)

    def forward(self, Q: Queries, K: Keys, V: Values, causal: bool = False) -> Values:
        if Q.shape[-3] != self.raw.shape[1]:
            raise ValueError(
                f"Queries of {Q.shape[-3]} heads came to a blend of {self.raw.shape[1]}."
            )
        w1, w2 = self.w[..., None, None]
        far = causal_chunks if causal else linear_attention
        near = banded_attention(Q, K, V, self.band, causal)
        return w1 * near + w2 * far(Q, K, V, self.phi)


class Mixing(Block):
    """Chapter 5's block with another way to mix: by a band, by a sum, or by the blend of both."""

    def __init__(self, shape: Shape, kind: str, band: int, maps: int = 1):
        super().__init__(shape)
        if kind not in KINDS:
            raise ValueError(f"Attention is one of {', '.join(KINDS)}, not {kind!r}.")
        if shape.kv != shape.heads:
            raise ValueError("Heads that share keys are not for this block: give each its own.")
        self.kind, self.band, self.phi = kind, band, partial(elu_features, r=maps)
        if kind == "fmm":
            self.blend = FMM(shape.heads, band, maps)

    def mixed(self, X: Text, i: int, mask: Tensor, turn: Turn | None, cache: Cache | None) -> Text:
        """O of what every head has taken. `mask` is for softmax only: all of these look back."""
        if self.kind == "softmax":
            return super().mixed(X, i, mask, turn, cache)
        if cache is not None:
            raise ValueError("Only softmax keeps all keys: a cache is of no use to this block.")
        e = self.shape.e
        Q, K, V = (f(X).unflatten(2, (-1, e)).transpose(1, 2) for f in (self.Q, self.K, self.V))
        if turn is not None:
            Q, K = turned(Q, turn), turned(K, turn)
        if self.kind == "linear":
            Z = causal_chunks(Q, K, V, self.phi)
        elif self.kind == "band":
            Z = banded_attention(Q, K, V, self.band, causal=True)
        else:
            Z = self.blend(Q, K, V, causal=True)
        return self.O(Z.transpose(1, 2).flatten(2))


def reader(shape: Shape, kind: str, band: int = 16, maps: int = 1, seed: int = 0) -> GPT:
    """Chapter 5's GPT with this attention; of one seed, all kinds start from the same weights.

    >>> shape = Shape(n=9, d=8, blocks=2, heads=2, inner=16, context=5)
    >>> nets = [reader(shape, kind) for kind in ("softmax", "fmm")]
    >>> [sum(w.numel() for w in net.parameters()) for net in nets]  # 2 weights a head and block
    [1328, 1336]
    """
    torch.manual_seed(seed)
    net = GPT(shape)
    for i, block in enumerate(net.blocks):
        net.blocks[i] = Mixing(shape, kind, band, maps)
        net.blocks[i].load_state_dict(block.state_dict(), strict=False)
    return net
