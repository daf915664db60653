"""Banded attention: softmax among neighbours only, and nothing is computed outside of the band.

    y_i = Σ_j A_ij v_j,   A = softmax(QKᵀ / √d) over |i − j| ≤ w          causal: 0 ≤ i − j ≤ w

The dense form makes n² scores and throws most away. Here the text is cut into blocks of C queries,
and a block meets the C + 2w keys (causal: C + w) that any of its queries may see: n (C + 2w)
scores, so time and memory grow as n w. FMMformer's near field (Nguyen and others, 2021) is this.
"""

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from .linear_attention import wide


def band_mask(n: int, w: int, causal: bool = False) -> Bool[Tensor, "{n} {n}"]:
    """True where query i may see key j: at most w places away, and not later if causal.

    >>> band_mask(4, 1).int()
    tensor([[1, 1, 0, 0],
            [1, 1, 1, 0],
            [0, 1, 1, 1],
            [0, 0, 1, 1]], dtype=torch.int32)
    """
    ones = torch.ones(n, n, dtype=torch.bool)
    return ones.tril(0 if causal else w).triu(-w)


def banded_attention(
    Q: Float[Tensor, "*batch n d"],
    K: Float[Tensor, "*batch n d"],
    V: Float[Tensor, "*batch n k"],
    w: int,
    causal: bool = False,
) -> Float[Tensor, "*batch n k"]:
    """softmax(QKᵀ / √d) V over a band of half-width w: what `band_mask` leaves, in O(n w).

    A band wider than the text leaves all of it: this is softmax attention then.

    >>> V = torch.tensor([[0.0], [6.0], [12.0]])
    >>> banded_attention(torch.zeros(3, 1), torch.zeros(3, 1), V, w=1).T
    tensor([[3., 6., 9.]])
    >>> banded_attention(torch.zeros(3, 1), torch.zeros(3, 1), V, w=1, causal=True).T
    tensor([[0., 3., 9.]])
    """
    n = Q.shape[-2]
    if not Q.shape[:-1] == K.shape[:-1] == V.shape[:-1]:
        raise ValueError(
            f"{n} queries, {K.shape[-2]} keys and {V.shape[-2]} values: a band lies along the "
            "diagonal, so each place needs one of each."
        )
    if w < 0:
        raise ValueError(f"A band's half-width is 0 or more, not {w}.")
    w = min(w, max(n - 1, 0))
    C, right = max(32, w), 0 if causal else w
    ahead = -n % C + right
    K, V = (nn.functional.pad(wide(X), (0, 0, w, ahead)) for X in (K, V))
    K, V = (X.unfold(-2, C + w + right, C) for X in (K, V))  # "*batch blocks d C+w+right"
    q = nn.functional.pad(wide(Q), (0, 0, 0, -n % C)).unflatten(-2, (-1, C)) / Q.shape[-1] ** 0.5
    i, j = torch.arange(C)[:, None], torch.arange(C + w + right) - w  # within a block
    places = torch.arange(0, n, C)[:, None, None] + j
    seen = (j >= i - w) & (j <= i + right) & (places >= 0) & (places < n)
    # A finite floor: rows of padding see no key, and softmax of −∞ alone would be NaN.
    scores = (q @ K).masked_fill_(~seen, torch.finfo(K.dtype).min)
    return (scores.softmax(-1) @ V.mT).flatten(-3, -2)[..., :n, :].to(Q.dtype)
