"""Can near and far imitate a trained head? Its matrices are known; half are to learn from.

    A_m = softmax(Q_m K_mᵀ / √d)                  what the head did on text m
    Â_m = w₁ D_m + w₂ L_m                         near: D, its own scores within a band, as they are
    L_m = φ(Q_m)φ(K_m)ᵀ over its row sums         far: φ(q) = exp(U q), φ(k) = exp(W k), r features
    J   = mean over texts and heads of |A_m − Â_m|² / |A_m|²

A budget is of numbers a word: 2 band + 1 of D, r for a query and r for a key of L. All three ways
to spend it, near alone, far alone, both, are learned on some texts and judged on others. What can
be learned, w and 2 d r numbers in U and W, is most where the far field is alone.
"""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from firth.bert import minilm
from firth.transformer import austen_gpt

from .banded_attention import banded_attention
from .linear_attention import answers, state

Queries, Weights = Float[Tensor, "texts heads n d"], Float[Tensor, "texts heads n n"]
BANDS = {"near": 1.0, "far": 0.0, "both": 0.5}  # the share of a budget that the band is given


def observed(n: int, texts: int, block: int) -> tuple[Queries, Queries, Weights]:
    """Queries, keys and matrices of one block of MiniLM's on stretches of a novel, n pieces each.

    A stretch is n − 2 pieces of Persuasion between [CLS] and [SEP], and the next one follows it.
    """
    words, net = minilm.words(), minilm.model()
    pieces = words.pieces(austen_gpt.text()[1][: 8 * n * texts])
    rows = [pieces[i * (n - 2) : (i + 1) * (n - 2)] for i in range(texts)]
    ids = [[words.numbers[piece] for piece in ["[CLS]", *row, "[SEP]"]] for row in rows]
    X, attention = net.layers(torch.tensor(ids))[block], net.encoder.blocks[block].attention
    split = (attention.heads, attention.width)
    Q, K = (table(X).unflatten(-1, split).transpose(1, 2) for table in (attention.Q, attention.K))
    return Q, K, attention.A


def sizes(way: str, budget: int) -> tuple[int, int]:
    """Half-width and rank for a budget of numbers a word; a part that is not there is −1 or 0.

    >>> [sizes(way, 33) for way in ("near", "far", "both")]  # 33 numbers, 32, 17 + 16
    [(16, 0), (-1, 16), (8, 8)]
    """
    if way not in BANDS:
        raise ValueError(f"A budget is spent on one of {', '.join(BANDS)}, not {way!r}.")
    if budget < 5:
        raise ValueError(f"{budget} numbers a word are too few for a band and a rank: give 5.")
    band = round(BANDS[way] * (budget - 1) / 2) if way != "far" else -1
    return band, (budget - (2 * band + 1 if band >= 0 else 0)) // 2


class Imitation(nn.Module):
    """Â for heads whose queries and keys are known, near, far or both, within a budget."""

    def __init__(self, way: str, heads: int, d: int, budget: int, seed: int = 0):
        super().__init__()
        self.band, self.r = sizes(way, budget)
        chance = torch.Generator().manual_seed(seed)
        start = torch.randn(2, heads, d, self.r, generator=chance) / d**0.5
        self.U, self.W = (nn.Parameter(X) for X in start)
        parts = (self.band >= 0) + (self.r > 0)
        self.raw = nn.Parameter(torch.full((parts, heads), 0.0))

    def forward(self, Q: Queries, K: Queries) -> Weights:
        """The matrices themselves, to be compared: what each part makes of V = I."""
        one, parts = torch.eye(Q.shape[-2]).expand(*Q.shape[:-1], Q.shape[-2]), []
        if self.band >= 0:
            parts.append(banded_attention(Q, K, one, self.band))
        if self.r:
            S, z = state(K, one, lambda X: (X @ self.W).clamp(max=30).exp())
            parts.append(answers(Q, S, z, lambda X: (X @ self.U).clamp(max=30).exp()))
        w = nn.functional.softplus(self.raw)[..., None, None]
        return sum(weight * part for weight, part in zip(w, parts, strict=True))


def missed(A: Weights, B: Weights) -> Float[Tensor, " heads"]:
    """|A − B| / |A| of each head, the texts put together.

    >>> A = torch.ones(1, 1, 2, 2)
    >>> missed(A, 0.5 * A)
    tensor([0.5000])
    """
    return ((A - B).square().sum((0, 2, 3)) / A.square().sum((0, 2, 3))).sqrt()


def imitated(
    way: str, Q: Queries, K: Queries, A: Weights, budget: int, steps: int = 150, rate: float = 0.03
) -> Imitation:
    """What has learned from these texts: all heads at once, each with numbers of its own."""
    net = Imitation(way, A.shape[1], Q.shape[-1], budget)
    optimiser = torch.optim.Adam([w for w in net.parameters() if w.numel()], lr=rate)
    for i in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = rate * (1 - i / steps)
        J = missed(A, net(Q, K)).square().mean()
        optimiser.zero_grad()
        J.backward()
        optimiser.step()
    return net.requires_grad_(False)
