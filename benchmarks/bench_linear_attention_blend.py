"""FMMformer's blend at length, against PyTorch's fused softmax over the same queries and keys.

Not causal, one text, four heads of 64 features, 16,384 words: a band of half-width 20, as in the
authors' language model, and a far field of elu + 1. The peer computes n² scores without storing
them, at the processor's full speed; the blend does not compute them. That the answers differ is the
point, so agreement is checked of the parts: both fields beside their dense forms, where those are
small.
"""

import torch
from torch import nn

from benchmarks.timing import Row, fingerprint, interleaved, main
from firth.linear_attention.banded_attention import band_mask
from firth.linear_attention.fmmformer import FMM
from firth.linear_attention.linear_attention import elu_features, smoothed

SMALL = {"n": 4096, "repeats": 3, "goal": 2.0}  # a test runs it so: its direction is the same


@torch.no_grad()
def rows(
    n: int = 16_384,
    heads: int = 4,
    d: int = 64,
    band: int = 20,
    repeats: int = 5,
    goal: float = 20.0,
) -> list[Row]:
    torch.set_num_threads(1)
    torch.manual_seed(0)
    Q, K, V = torch.randn(3, 1, heads, n, d)
    blend, fused = FMM(heads, band), nn.functional.scaled_dot_product_attention
    programs = {"ours": lambda: blend(Q, K, V), "torch": lambda: fused(Q, K, V)}
    seconds = interleaved(programs, repeats)
    few = [X[:, :, :300] for X in (Q, K, V)]
    w1, w2 = blend.w[..., None, None]
    near = fused(*few, attn_mask=band_mask(300, band))
    far = smoothed(elu_features(few[0]) @ elu_features(few[1]).mT, few[2])
    apart = (w1 * near + w2 * far - blend(*few)).abs().max().item()
    assert apart < 1e-5, apart
    what = f"FMMformer's blend, n = {n:,}, {heads} heads of {d}, band {band}"
    agreement = f"both fields as their dense forms on 300 words, at most {apart:.0e} apart"
    hash_ = fingerprint(Q.numpy(), K.numpy(), V.numpy())
    args = seconds["ours"], seconds["torch"], agreement, hash_
    return [Row(what, "PyTorch fused softmax", goal, *args)]


if __name__ == "__main__":
    main(rows)
