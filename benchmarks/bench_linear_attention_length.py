"""Linear attention against softmax attention: a long text, one training step, one token more.

Both answer the same queries, keys and values, 4 heads of 64, in float32 on one thread. They are not
the same function, so what is compared of the answers is linear attention's own two forms. The peer
is PyTorch's fused attention; for a token, the same with a cache of keys and values.
"""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from benchmarks.timing import Row, fingerprint, interleaved, keep_memory, main
from firth.linear_attention.linear_attention import (
    causal_chunks,
    causal_steps,
    elu_features,
    linear_attention,
    smoothed,
    state,
    step,
)

SMALL = {
    "n": 2048,
    "n_training": 1024,
    "repeats": 3,
}  # a test runs it so: its direction is the same
HEADS, D = 4, 64


def drawn(n: int) -> list[Tensor]:
    """Q, K and V."""
    return [torch.randn(1, HEADS, n, D) for _ in range(3)]


def apart(answer: Tensor, other: Tensor) -> str:
    far = (answer - other).abs().max().item()
    assert far < 1e-4, far
    return f"linear attention's two forms at most {far:.0e} apart"


def timed(
    what: str, goal: float, peer: str, ours: Callable, theirs: Callable, near: str, *, n: int,
    repeats: int, inputs: list[Tensor],
) -> Row:  # fmt: skip
    seconds = interleaved({"ours": ours, "theirs": theirs}, repeats)
    what = f"{what}, N = {n:,}, {HEADS} heads of {D}"
    hashed = fingerprint(*(X.detach().numpy() for X in inputs))
    return Row(what, peer, goal, seconds["ours"], seconds["theirs"], near, hashed)


def training(n: int, repeats: int) -> Row:
    """Forwards, and the gradients by Q, K and V."""
    QKV, G = [X.requires_grad_() for X in drawn(n)], torch.randn(1, HEADS, n, D)
    answer = {}

    def ours():
        answer["ours"] = torch.autograd.grad(causal_chunks(*QKV), QKV, G)

    def theirs():
        Y = scaled_dot_product_attention(*QKV, is_causal=True)
        torch.autograd.grad(Y, QKV, G)

    ours()
    part = [X[..., :256, :] for X in QKV]  # of a causal text, the start can be had alone
    right = torch.autograd.grad(causal_steps(*part), QKV, G[..., :256, :])[0]
    near = apart(answer["ours"][0][..., :256, :], right[..., :256, :])
    return timed("causal linear attention trained", 8, "PyTorch's fused softmax", ours, theirs,
                 near, n=n, repeats=repeats, inputs=QKV)  # fmt: skip


@torch.no_grad()
def read(n: int, repeats: int) -> list[Row]:
    """A whole text, causal and not."""
    Q, K, V = QKV = drawn(n)
    near = apart(causal_chunks(*QKV), causal_steps(*QKV))
    how = {"n": n, "repeats": repeats, "inputs": QKV}
    dense = smoothed(elu_features(Q[..., :64, :]) @ elu_features(K).mT, V)
    peer = "PyTorch's fused softmax"
    return [
        timed("causal linear attention", 30, peer, lambda: causal_chunks(*QKV),
              lambda: scaled_dot_product_attention(*QKV, is_causal=True), near, **how),
        timed("linear attention", 60, peer, lambda: linear_attention(*QKV),
              lambda: scaled_dot_product_attention(*QKV),
              apart(linear_attention(*QKV)[..., :64, :], dense), **how),
    ]  # fmt: skip


@torch.no_grad()
def token(n: int, repeats: int, times: int = 50) -> Row:
    """The n-th token, when all before it are a state here, and a cache there."""
    QKV = drawn(n)
    S, z = state(*(X[..., :-1, :] for X in QKV[1:]))
    q, k, v = (X[..., -1, :] for X in QKV)
    cached = [X.clone() for X in QKV[1:]]

    def ours():
        for _ in range(times):
            step(q, k, v, S, z)

    def theirs():
        for _ in range(times):
            for cache, new in zip(cached, (k, v), strict=True):
                cache[..., -1, :] = new
            scaled_dot_product_attention(q.unsqueeze(-2), *cached)

    near = apart(step(q, k, v, S, z)[0], linear_attention(*QKV)[..., -1, :])
    return timed("one token more", 45, "the same with a KV cache", ours, theirs, near, n=n,
                 repeats=repeats, inputs=QKV)  # fmt: skip


def rows(
    n: int = 16_384, n_training: int = 4096, n_token: int = 16_384, repeats: int = 9
) -> list[Row]:
    torch.set_num_threads(1)
    keep_memory()
    torch.manual_seed(0)
    return [*read(n, repeats), training(n_training, repeats), token(n_token, repeats)]


if __name__ == "__main__":
    main(rows)
