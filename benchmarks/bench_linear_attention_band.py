"""Banded attention against the dense form with a mask, and against a package of its own.

A text of N words, 4 heads of 64, every word sees those at most w places away. The dense form is
PyTorch's fused attention with a mask. The package is `local-attention`, where it is installed: it
drags in others, and this course does not ask for it.
"""

from importlib.util import find_spec

import torch
from torch.nn.functional import scaled_dot_product_attention

from benchmarks.timing import Row, fingerprint, interleaved, keep_memory, main
from firth.linear_attention.banded_attention import band_mask, banded_attention

SMALL = {"n": 1024, "repeats": 3}  # a test runs it so: its direction is the same


@torch.no_grad()
def rows(n: int = 4096, w: int = 64, heads: int = 4, d: int = 64, repeats: int = 15) -> list[Row]:
    torch.set_num_threads(1)
    keep_memory()
    torch.manual_seed(0)
    QKV, mask = [torch.randn(1, heads, n, d) for _ in range(3)], band_mask(n, w)
    programs = {
        "ours": lambda: banded_attention(*QKV, w),
        "PyTorch's fused softmax, masked": lambda: scaled_dot_product_attention(*QKV, mask),
    }
    if find_spec("local_attention"):
        from local_attention import LocalAttention

        local = LocalAttention(w, exact_windowsize=True, use_rotary_pos_emb=False)
        programs["local-attention"] = lambda: local(*QKV)
    seconds = interleaved(programs, repeats)
    result = []
    for peer, goal in [("PyTorch's fused softmax, masked", 8), ("local-attention", 1)]:
        if peer in programs:
            far = (programs["ours"]() - programs[peer]()).abs().max().item()
            assert far < 1e-5, far
            result.append(
                Row(
                    f"banded attention, w = {w}, N = {n:,}, {heads} heads of {d}",
                    peer,
                    goal,
                    seconds["ours"],
                    seconds[peer],
                    f"at most {far:.0e} apart",
                    fingerprint(*(X.numpy() for X in QKV)),
                )
            )
    return result


if __name__ == "__main__":
    main(rows)
