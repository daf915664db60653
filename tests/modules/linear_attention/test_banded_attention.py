"""Banded attention against the dense masked one, word by word and in memory."""

import importlib.util
import re

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st

from firth.linear_attention import banded_attention as module
from firth.linear_attention.banded_attention import band_mask, banded_attention


def asked(n, d=4, k=3, batch=(), seed=0, dtype=torch.float64):
    """Q, K and V."""
    g = torch.Generator().manual_seed(seed)
    return tuple(torch.randn(*batch, n, s, generator=g, dtype=dtype) for s in (d, d, k))


def looped(Q, K, V, w, causal):
    """Each word asks those at most w places away."""
    rows, n = [], len(Q)
    for i in range(n):
        j = slice(max(0, i - w), i + 1 if causal else min(n, i + w + 1))
        rows.append((Q[i] @ K[j].T / Q.shape[1] ** 0.5).softmax(0) @ V[j])
    return torch.stack(rows)


@pytest.mark.parametrize("causal", [False, True])
@given(st.integers(1, 90), st.integers(0, 40), st.integers(0, 99))
@settings(max_examples=40, derandomize=True, database=None)
def test_L5_the_band_is_the_dense_masked_attention(causal, n, w, seed):
    Q, K, V = asked(n, seed=seed)
    mine = banded_attention(Q, K, V, w, causal)
    torch.testing.assert_close(mine, looped(Q, K, V, w, causal))
    mask = band_mask(n, w, causal)
    torch.testing.assert_close(mine, F.scaled_dot_product_attention(Q, K, V, mask))


@pytest.mark.parametrize("causal", [False, True])
def test_L5_batches_and_gradients_are_those_of_the_dense_form(causal):
    Q, K, V = asked(150, d=16, k=8, batch=(2, 4), dtype=torch.float32)
    G = torch.randn(V.shape, generator=torch.Generator().manual_seed(1))
    leaves = [X.requires_grad_() for X in (Q, K, V)]
    mine = banded_attention(Q, K, V, 20, causal)
    right = F.scaled_dot_product_attention(Q, K, V, band_mask(150, 20, causal))
    assert (mine - right).abs().max() < 1e-5
    for a, b in zip(
        torch.autograd.grad(mine, leaves, G), torch.autograd.grad(right, leaves, G), strict=True
    ):
        assert a.isfinite().all() and (a - b).abs().max() < 1e-5


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("n", [1, 2, 33, 70])
def test_L5_a_band_wider_than_the_text_is_softmax_attention(causal, n):
    Q, K, V = asked(n)
    right = F.scaled_dot_product_attention(Q, K, V, is_causal=causal)
    for w in (n - 1, n, 1000):
        torch.testing.assert_close(banded_attention(Q, K, V, w, causal), right)


def test_L5_no_table_of_the_whole_text_is_made():
    largest = []

    class Seen(torch.utils._python_dispatch.TorchDispatchMode):
        def __torch_dispatch__(self, function, types, args=(), kwargs=None):
            out = function(*args, **(kwargs or {}))
            if isinstance(out, torch.Tensor):
                largest.append(out.numel())
            return out

    n, w = 4096, 32
    with Seen():
        banded_attention(*asked(n, d=8, k=8, dtype=torch.float32), w)
    assert max(largest) <= n * (32 + 2 * w) < n * n / 40


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_scored_in_float32(dtype):
    Q, K, V = (X.to(dtype) for X in asked(50, dtype=torch.float32))
    Q, K = 200 * Q, 200 * K  # scores beyond 65,504
    mine = banded_attention(Q, K, V, 5)
    assert mine.dtype == dtype
    right = looped(*(X.double() for X in (Q, K, V)), 5, False)
    torch.testing.assert_close(mine.double(), right, atol=1e-2, rtol=1e-2)


@pytest.fixture(scope="module")
def plain():
    """The module as a reader has it: without the types that these tests turn on."""
    spec = importlib.util.spec_from_file_location(
        "firth.linear_attention.plain_band", module.__file__
    )
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda at: at.banded_attention(*asked(3), w=-1), "0 or more, not -1"),
        (
            lambda at: at.banded_attention(asked(3)[0], *asked(4)[1:], w=1),
            "3 queries, 4 keys and 4 values",
        ),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(plain, make, says):
    with pytest.raises(ValueError, match=re.escape(says)) as refused:
        make(plain)
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 120
