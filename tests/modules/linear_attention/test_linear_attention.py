"""Linear attention against a plain loop and the dense n × n table; all its causal forms agree."""

import importlib.util
import re

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st

from firth.attention import attention
from firth.linear_attention import linear_attention as module
from firth.linear_attention.linear_attention import (
    answers,
    causal_chunks,
    causal_steps,
    causal_sums,
    elu_features,
    exponential_kernel,
    linear_attention,
    lstm_weights,
    smoothed,
    state,
    step,
)
from firth.rnn import gated_cells, layers, rnn

CAUSAL = {"steps": causal_steps, "sums": causal_sums, "chunks": causal_chunks}
BATCHES = [(), (3,), (2, 3)]


def asked(n=7, m=None, d=4, k=3, batch=(), seed=0, dtype=torch.float64):
    """Q, K and V."""
    g = torch.Generator().manual_seed(seed)
    m = n if m is None else m
    shapes = [(n, d), (m, d), (m, k)]
    return tuple(torch.randn(*batch, *shape, generator=g, dtype=dtype) for shape in shapes)


def looped(Q, K, V, kernel, causal=False):
    """Σ_j κ(q_i, k_j) v_j / Σ_j κ(q_i, k_j), one word at a time."""
    rows = []
    for i, q in enumerate(Q):
        seen = range(i + 1 if causal else len(K))
        weights = [kernel(q, K[j]) for j in seen]
        rows.append(sum(a * V[j] for a, j in zip(weights, seen, strict=True)) / sum(weights))
    return torch.stack(rows)


def softmax_kernel(q, k):
    return torch.exp(q @ k / len(q) ** 0.5)


def elu_kernel(q, k):
    """φ(q)ᵀφ(k), without PyTorch's elu."""
    phi = [torch.where(x > 0, x + 1, x.exp()) for x in (q, k)]
    return phi[0] @ phi[1]


def dense(Q, K, V, phi=elu_features, causal=False):
    """By the whole n × m table."""
    W = phi(Q) @ phi(K).mT
    W = W.tril() if causal else W
    return W / W.sum(-1, keepdim=True) @ V


# L1


@pytest.mark.parametrize("batch", BATCHES)
def test_L1_softmax_attention_is_a_kernel_smoother(batch):
    Q, K, V = asked(5, 6, batch=batch)
    mine = smoothed(exponential_kernel(Q, K), V)
    torch.testing.assert_close(mine, F.scaled_dot_product_attention(Q, K, V))
    chapter_4 = attention.attention(Q.numpy(), K.numpy(), V.numpy())
    torch.testing.assert_close(mine, torch.tensor(chapter_4))
    if not batch:
        torch.testing.assert_close(mine, looped(Q, K, V, softmax_kernel))


def test_L1_a_mask_takes_keys_out_of_the_mean():
    Q, K, V = asked()
    mask = torch.ones(7, 7, dtype=torch.bool).tril()
    mine = smoothed(exponential_kernel(Q, K), V, mask)
    torch.testing.assert_close(mine, looped(Q, K, V, softmax_kernel, causal=True))


def test_L1_scores_beyond_what_exp_can_hold_are_no_trouble():
    Q, K, V = asked(dtype=torch.float32)
    right = F.scaled_dot_product_attention(1000 * Q, K, V)
    torch.testing.assert_close(smoothed(exponential_kernel(1000 * Q, K), V), right)


# L2


@pytest.mark.parametrize("batch", BATCHES)
def test_L2_the_order_of_multiplication_changes_no_number(batch):
    Q, K, V = asked(5, 6, batch=batch)
    mine = linear_attention(Q, K, V)
    torch.testing.assert_close(mine, dense(Q, K, V))
    torch.testing.assert_close(mine, smoothed(elu_features(Q) @ elu_features(K).mT, V))
    if not batch:
        torch.testing.assert_close(mine, looped(Q, K, V, elu_kernel))


def test_L2_one_state_answers_any_number_of_queries():
    Q, K, V = asked(5, 9)
    S, z = state(K, V)
    assert S.shape == (4, 3) and z.shape == (4,)
    for i in range(5):
        torch.testing.assert_close(
            answers(Q[i : i + 1], S, z), linear_attention(Q, K, V)[i : i + 1]
        )


@given(st.integers(1, 6), st.integers(1, 9), st.integers(1, 5), st.integers(0, 99))
@settings(max_examples=40, derandomize=True, database=None)
def test_L2_every_answer_is_a_mean_of_the_values(n, m, r, seed):
    Q, K, V = asked(n, m, seed=seed)
    Y = linear_attention(Q, K, V, lambda X: elu_features(X, r))
    assert (Y <= V.amax(0) + 1e-9).all() and (Y >= V.amin(0) - 1e-9).all()


def test_L2_the_order_of_the_keys_does_not_matter_and_that_of_a_causal_text_does():
    Q, K, V = asked()
    turned = torch.arange(6, -1, -1)
    torch.testing.assert_close(linear_attention(Q, K, V), linear_attention(Q, K[turned], V[turned]))
    assert not torch.allclose(causal_chunks(Q, K, V), causal_chunks(Q, K[turned], V[turned]))


# L3


def rank(W):
    """How many singular values are more than rounding."""
    s = torch.linalg.svdvals(W)
    return int((s > 1e-10 * s[0]).sum())


@pytest.mark.parametrize("r", range(1, 9))
def test_L3_the_rank_is_that_of_the_features_and_rows_may_be_rescaled(r):
    Q, K, _ = asked(40, 50)
    a = torch.randn(r, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(r))
    for phi, most in [
        (lambda X: (X @ a.T).exp(), r),  # r scalar maps: 1 only for one of them
        (lambda X: elu_features(X, r), 4 * r),
    ]:
        W = phi(Q) @ phi(K).mT
        assert rank(W) == rank(W / W.sum(-1, keepdim=True)) == min(most, 40)


# L4


@pytest.mark.parametrize("form", CAUSAL)
@pytest.mark.parametrize("batch", BATCHES)
def test_L4_every_causal_form_is_the_masked_table(form, batch):
    Q, K, V = asked(batch=batch)
    torch.testing.assert_close(CAUSAL[form](Q, K, V), dense(Q, K, V, causal=True))
    if not batch:
        torch.testing.assert_close(CAUSAL[form](Q, K, V), looped(Q, K, V, elu_kernel, causal=True))


@pytest.mark.parametrize("form", CAUSAL)
def test_L4_in_float32_the_forms_and_their_gradients_agree_to_1e5(form):
    Q, K, V = asked(300, d=16, k=8, batch=(2, 4), dtype=torch.float32)
    G = torch.randn(V.shape, generator=torch.Generator().manual_seed(1))
    leaves = [X.requires_grad_() for X in (Q, K, V)]
    right, mine = dense(Q, K, V, causal=True), CAUSAL[form](Q, K, V)
    assert (mine - right).abs().max() < 1e-5
    for a, b in zip(
        torch.autograd.grad(mine, leaves, G), torch.autograd.grad(right, leaves, G), strict=True
    ):
        assert (a - b).abs().max() < 1e-5


@given(st.integers(1, 20), st.integers(1, 25), st.integers(1, 3), st.integers(0, 99))
@settings(max_examples=50, derandomize=True, database=None)
def test_L4_chunks_of_any_size_give_the_same(n, C, r, seed):
    Q, K, V = asked(n, seed=seed)

    def phi(X):
        return elu_features(X, r)

    torch.testing.assert_close(causal_chunks(Q, K, V, phi, C), causal_steps(Q, K, V, phi))


def test_L4_a_text_can_be_gone_on_with_from_its_state():
    Q, K, V = asked(9, batch=(2,))
    S, z = state(K[:, :5], V[:, :5])
    for t in range(5, 9):
        y, S, z = step(Q[:, t], K[:, t], V[:, t], S, z)
        torch.testing.assert_close(y, causal_chunks(Q, K, V)[:, t])
    for mine, right in zip((S, z), state(K, V), strict=True):
        torch.testing.assert_close(mine, right)


# The circle: chapter 3's code


def test_L4_chapter_3s_lstm_with_its_forget_gate_open_is_causal_linear_attention():
    rng = np.random.default_rng(0)
    X, W_Q, W_K, W_V = (rng.normal(size=s) for s in [(12, 5), (4, 5), (4, 5), (3, 5)])
    W, U, b = lstm_weights(W_K, W_V)
    units = 4 * (3 + 1)
    _, C, _ = gated_cells.lstm(X, np.zeros(units), np.zeros(units), W, U, b)
    C = C.reshape(12, 4, 3 + 1)
    q = gated_cells.sigmoid(X @ W_Q.T)
    mine = np.einsum("tr,trk->tk", q, C)
    tensors = [torch.tensor(Y) for Y in (X @ W_Q.T, X @ W_K.T, np.tanh(X @ W_V.T))]
    right = causal_steps(*tensors, phi=torch.sigmoid)
    np.testing.assert_allclose(mine[:, :3] / mine[:, 3:], right, atol=1e-12)


def test_L4_nothing_that_is_remembered_fades():
    X = np.random.default_rng(0).normal(size=(30, 5))
    W, U, b = lstm_weights(np.eye(2, 5), np.eye(2, 5, k=2))
    _, C, gated = gated_cells.lstm(X, np.zeros(6), np.zeros(6), W, U, b)
    J = layers.lstm_jacobians(np.zeros(6), U, C, gated)[:, 6:, 6:]
    np.testing.assert_array_equal(rnn.jacobian_norms(J), 1)


# Feature maps


def test_elu_features_are_positive_and_each_map_is_one_of_its_own():
    X = asked(30, d=2)[0]
    F = elu_features(X, 4)
    assert F.shape == (30, 8) and (F > 0).all()
    assert rank(F) == 8
    torch.testing.assert_close(F[:, :2], elu_features(X))
    torch.testing.assert_close(F[:, 2:4], elu_features(-X))
    torch.testing.assert_close(F[:, 4:6], elu_features(2 * X))


# What might go wrong


@pytest.mark.parametrize("form", [linear_attention, *CAUSAL.values()])
def test_a_text_of_one_word_answers_with_its_value(form):
    Q, K, V = asked(1)
    torch.testing.assert_close(form(Q, K, V), V)


@pytest.mark.parametrize("form", [linear_attention, *CAUSAL.values()])
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_summed_in_float32(form, dtype):
    # 300 keys with features of 301 each: z passes 65,504, the largest number of float16.
    Q, K, V = (X.to(dtype) for X in asked(300, dtype=torch.float32))
    K = K.abs() * 0 + 300
    assert elu_features(K.double()).sum(0).max() > torch.finfo(torch.float16).max
    mine = form(Q, K, V)
    assert mine.dtype == dtype and mine.isfinite().all()
    right = dense(*(X.double() for X in (Q, K, V)), causal=form is not linear_attention)
    torch.testing.assert_close(mine.double(), right, atol=1e-2, rtol=1e-2)


@pytest.fixture(scope="module")
def plain():
    """The module as a reader has it: without the types that these tests turn on."""
    spec = importlib.util.spec_from_file_location(
        "firth.linear_attention.plain_linear_attention", module.__file__
    )
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


ONES = (torch.ones(3, 1), torch.ones(3, 1), torch.ones(3, 1))


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda at: at.elu_features(ONES[0], 0), "one feature map or more, not 0"),
        (lambda at: at.linear_attention(*ONES, phi=lambda X: -X.abs() + X), "features above 0"),
        (lambda at: at.linear_attention(*ONES, phi=lambda X: X[..., :0]), "features above 0"),
        (lambda at: at.causal_steps(*ONES, phi=torch.zeros_like), "features above 0"),
        (lambda at: at.causal_sums(*ONES, phi=torch.zeros_like), "features above 0"),
        (lambda at: at.causal_chunks(*ONES, phi=torch.zeros_like), "features above 0"),
        (lambda at: at.causal_chunks(*ONES, phi=lambda X: X[..., :0]), "features above 0"),
        (lambda at: at.smoothed(torch.tensor([[1.0, -2.0, 0.0]]), ONES[2]), "features above 0"),
        (lambda at: at.causal_chunks(*ONES, C=0), "one token or more, not 0"),
        (lambda at: at.state(torch.ones(3, 1), torch.ones(4, 1)), "each key needs one value"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(plain, make, says):
    with pytest.raises(ValueError, match=re.escape(says)) as refused:
        make(plain)
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 120
