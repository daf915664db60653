"""Attention against PyTorch and against loops, word by word; and what must always hold."""

import importlib.util
import warnings

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from recurrent import drawn, leaf

from firth.attention import attention as module
from firth.attention.attention import (
    additive_scores,
    attention,
    attention_gradients,
    attention_weights,
    causal_mask,
    dot_scores,
    general_scores,
    join,
    multi_head,
    projected,
    self_attention,
    softmax,
    split,
)

BATCHES = [(), (3,), (2, 3)]
MASKS = ["none", "causal", "random", "one for all", "one for each"]
numbers = st.floats(-50, 50, width=32)
tables = arrays(np.float64, st.tuples(st.integers(1, 4), st.integers(1, 6)), elements=numbers)
seeds = st.integers(0, 2**32 - 1)


def asked(n=4, m=6, d=5, k=3, batch=(), seed=0):
    """Q, K and V."""
    rng = np.random.default_rng(seed)
    return tuple(rng.normal(size=(*batch, *shape)) for shape in [(n, d), (m, d), (m, k)])


def mask_of(kind, n=4, m=6, batch=(), seed=0):
    """Every kind leaves each query at least one key."""
    if kind == "none":
        return None
    if kind == "causal":
        return np.tri(n, m, dtype=bool)
    shape = {"random": (n, m), "one for all": (1, m), "one for each": (*batch, n, m)}[kind]
    mask = np.random.default_rng(seed).random(shape) < 0.5
    mask[..., 0] |= ~mask.any(axis=-1)
    return mask


def looped(Q, K, V, mask=None):
    """softmax(QKᵀ/√d)V as the equation says it, one word and one number at a time."""
    (n, d), (m, k) = Q.shape, V.shape
    Y = np.zeros((n, k))
    for i in range(n):
        seen = [j for j in range(m) if mask is None or mask[i, j]]
        scores = {j: sum(Q[i, a] * K[j, a] for a in range(d)) / d**0.5 for j in seen}
        total = sum(np.exp(s) for s in scores.values())
        for j, s in scores.items():
            for a in range(k):
                Y[i, a] += np.exp(s) / total * V[j, a]
    return Y


# Softmax


@given(tables)
def test_softmax_is_torchs_and_its_rows_sum_to_one(scores):
    shares = softmax(scores)
    assert shares.min() >= 0
    np.testing.assert_allclose(shares.sum(axis=-1), 1)
    np.testing.assert_allclose(shares, torch.softmax(torch.tensor(scores), -1), atol=1e-12)


@given(tables, st.floats(-1e6, 1e6))
def test_softmax_does_not_see_what_is_added_to_all_scores(scores, shift):
    np.testing.assert_allclose(softmax(scores + shift), softmax(scores), atol=1e-8)


@given(tables, seeds)
def test_softmax_of_reordered_scores_is_reordered(scores, seed):
    order = np.random.default_rng(seed).permutation(scores.shape[-1])
    np.testing.assert_allclose(softmax(scores[:, order]), softmax(scores)[:, order], atol=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_scores_however_large_give_shares_and_no_warning(dtype):
    largest = np.finfo(dtype).max
    scores = np.array([[largest, 0, -largest], [-largest] * 3, [1e4, 1e4, -np.inf]], dtype)
    with np.errstate(over="ignore"):  # −max − max is −∞, as it should be
        shares = softmax(scores)
    np.testing.assert_allclose(shares, [[1, 0, 0], [1 / 3] * 3, [0.5, 0.5, 0]], atol=1e-6)


def test_S10_the_decks_two_softmaxes():
    shares = softmax(np.array([[1.0, 0.71], [1.0, -1.0]]))
    np.testing.assert_allclose(shares, [[0.57, 0.43], [0.88, 0.12]], atol=0.005)


# Attention


@pytest.mark.parametrize("kind", MASKS)
def test_A5_attention_is_the_equation_word_by_word(kind):
    mask = mask_of(kind)
    full = None if mask is None else np.broadcast_to(mask, (4, 6))
    np.testing.assert_allclose(attention(*asked(), mask), looped(*asked(), full), atol=1e-14)


@pytest.mark.parametrize("kind", MASKS)
@pytest.mark.parametrize("batch", BATCHES)
def test_A5_attention_is_torchs(batch, kind):
    Q, K, V = asked(batch=batch)
    mask = mask_of(kind, batch=batch)
    theirs = F.scaled_dot_product_attention(
        *map(torch.tensor, (Q, K, V)), attn_mask=None if mask is None else torch.tensor(mask)
    )
    np.testing.assert_allclose(attention(Q, K, V, mask), theirs, atol=1e-12)


@pytest.mark.parametrize("kind", MASKS)
@pytest.mark.parametrize("batch", BATCHES)
def test_gradients_are_autograds(batch, kind):
    given_, mask = asked(batch=batch), mask_of(kind, batch=batch)
    G, leaves = drawn(*batch, 4, 3, seed=5), [leaf(A) for A in given_]
    seen = None if mask is None else torch.tensor(mask)
    F.scaled_dot_product_attention(*leaves, attn_mask=seen).backward(torch.tensor(G))
    for ours, other in zip(attention_gradients(G, *given_, mask), leaves, strict=True):
        np.testing.assert_allclose(ours, other.grad, atol=1e-12)


@pytest.mark.parametrize("scale", [None, 1.0, 0.3])
def test_gradients_are_the_slopes_that_small_changes_show(scale):
    given_, G, mask = asked(), drawn(4, 3, seed=5), mask_of("random")
    mask[2] = False
    for which, gradient in enumerate(attention_gradients(G, *given_, mask, scale)):
        direction = drawn(*given_[which].shape, seed=6)
        up, down = (
            [A + s * direction if i == which else A for i, A in enumerate(given_)]
            for s in (1e-6, -1e-6)
        )
        slope = G * (attention(*up, mask, scale) - attention(*down, mask, scale)) / 2e-6
        assert (gradient * direction).sum() == pytest.approx(slope.sum(), abs=1e-7)


@given(seeds)
def test_the_order_of_the_keys_does_not_matter(seed):
    Q, K, V = asked(seed=seed)
    order = np.random.default_rng(seed).permutation(len(K))
    mask = mask_of("random", seed=seed)
    expected = attention(Q, K, V, mask)
    np.testing.assert_allclose(
        attention(Q, K[order], V[order], mask[:, order]), expected, atol=1e-12
    )


@given(seeds)
def test_A3_self_attention_of_reordered_words_is_reordered_and_otherwise_the_same(seed):
    X = drawn(5, 3, seed=seed)
    order = np.random.default_rng(seed).permutation(5)
    np.testing.assert_allclose(self_attention(X[order]), self_attention(X)[order], atol=1e-12)


def test_A3_self_attention_is_the_softmax_of_words_with_words_and_takes_no_root():
    X = drawn(2, 4, 8)  # the cat is yawning, twice
    x = torch.tensor(X)
    np.testing.assert_allclose(self_attention(X), torch.softmax(x @ x.mT, -1) @ x)
    assert abs(self_attention(X) - attention(X, X, X)).max() > 0.01


@given(seeds)
def test_an_answer_lies_between_the_smallest_and_the_largest_value(seed):
    Q, K, V = asked(seed=seed)
    Y = attention(Q, K, V)
    assert (V.min(axis=0) - 1e-12 <= Y).all() and (Y <= V.max(axis=0) + 1e-12).all()


def test_A4_the_scores_variance_is_d_and_scaled_it_is_one():
    rng = np.random.default_rng(0)
    for d in (4, 64):
        Q, K = rng.normal(size=(2, 1000, d))
        scores = Q @ K.T
        assert scores.var() == pytest.approx(d, rel=0.05)
        assert (scores * d**-0.5).var() == pytest.approx(1, rel=0.05)
        np.testing.assert_allclose(attention_weights(Q, K), softmax(scores / np.sqrt(d)))


def test_A4_words_of_512_features_ask_in_64_and_their_weights_sum_to_one():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4, 512))  # the car is blue
    Q, K = (projected(X, rng.normal(size=(64, 512)) / 512**0.5) for _ in range(2))
    A = attention_weights(Q, K)
    assert Q.shape == (4, 64) and A.shape == (4, 4)
    np.testing.assert_allclose(A.sum(axis=-1), 1)
    np.testing.assert_allclose(A, softmax(Q @ K.T / 8))


# Masks


def test_A11_under_a_causal_mask_no_answer_depends_on_a_later_word():
    X = leaf(drawn(5, 3))
    for i in range(5):
        G = np.zeros((5, 3))
        G[i] = 1
        dQ, dK, dV = attention_gradients(G, *[X.detach().numpy()] * 3, causal_mask(5))
        dX = dQ + dK + dV
        assert (dX[i + 1 :] == 0).all() and (abs(dX[: i + 1]).max(axis=-1) > 1e-6).all()


def test_a_causal_mask_is_what_torch_allows():
    seen = torch.nn.Transformer.generate_square_subsequent_mask(4) == 0
    np.testing.assert_array_equal(causal_mask(4), seen)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_word_that_may_see_nothing_gets_zeros_and_passes_no_gradient_back(dtype):
    Q, K, V = (A.astype(dtype) for A in asked())
    mask = mask_of("random")
    mask[1] = False
    A, Y = attention_weights(Q, K, mask), attention(Q, K, V, mask)
    np.testing.assert_array_equal(A.sum(axis=-1).round(5), [1, 0, 1, 1])
    np.testing.assert_array_equal(Y[1], 0)
    dQ, dK, dV = attention_gradients(np.ones_like(Y), Q, K, V, mask)
    assert all(np.isfinite(D).all() for D in (dQ, dK, dV)) and (dQ[1] == 0).all()
    others = [0, 2, 3]
    expected = attention_gradients(np.ones_like(Y[others]), Q[others], K, V, mask[others])
    np.testing.assert_allclose(dK, expected[1], atol=1e-6)
    np.testing.assert_allclose(dV, expected[2], atol=1e-6)


def test_no_key_at_all_is_nothing_to_see():
    Q, K, V = asked(m=0)
    np.testing.assert_array_equal(attention(Q, K, V), np.zeros((4, 3)))


def test_float32_stays_float32():
    Q, K, V = (A.astype(np.float32) for A in asked(d=6, k=6))
    W, mask = drawn(6, 6).astype(np.float32), mask_of("random")
    found = [
        attention(Q, K, V, mask),
        self_attention(Q),
        *attention_gradients(Q, Q, K, V, mask),
        multi_head(Q, W, W, W, W, 2, mask, K),
        dot_scores(Q[0], K),
        general_scores(Q[0], K, W),
        additive_scores(Q[0], K, W, W, W[0]),
    ]
    assert {A.dtype for A in found} == {np.dtype(np.float32)}
    np.testing.assert_allclose(found[0], attention(*asked(d=6, k=6), mask), atol=1e-6)


def test_nothing_that_is_given_is_changed():
    given_ = [*asked(), mask_of("random")]
    for A in given_:
        A.setflags(write=False)
    attention(*given_)
    attention_gradients(drawn(4, 3), *given_)


# Heads


def torch_heads(d, heads, **options):
    """PyTorch's layer without biases, and its four matrices."""
    torch.manual_seed(0)
    layer = torch.nn.MultiheadAttention(
        d, heads, bias=False, batch_first=True, dtype=torch.float64, **options
    )
    if layer.in_proj_weight is None:
        first = [layer.q_proj_weight, layer.k_proj_weight, layer.v_proj_weight]
    else:
        first = layer.in_proj_weight.chunk(3)
    return layer, [W.detach().numpy() for W in (*first, layer.out_proj.weight)]


@pytest.mark.parametrize("kind", MASKS[:3])
@pytest.mark.parametrize(("d", "heads"), [(12, 3), (12, 1), (4, 4), (512, 8)])
def test_A6_multi_head_attention_is_torchs_with_the_same_weights(d, heads, kind):
    layer, matrices = torch_heads(d, heads)
    X = drawn(2, 5, d)
    mask = mask_of(kind, 5, 5)
    hidden = None if mask is None else torch.tensor(~mask)  # PyTorch's True: may not be seen
    theirs, _ = layer(*[torch.tensor(X)] * 3, attn_mask=hidden)
    np.testing.assert_allclose(multi_head(X, *matrices, heads, mask), theirs.detach(), atol=1e-12)


@pytest.mark.parametrize("options", [{}, {"kdim": 7, "vdim": 7}])
def test_A6_cross_attention_is_torchs_also_where_the_text_looked_at_is_of_another_width(options):
    layer, matrices = torch_heads(12, 3, **options)
    X, Y = drawn(2, 5, 12), drawn(2, 6, options.get("kdim", 12), seed=1)
    there = np.array([[True] * 6, [True] * 4 + [False] * 2])  # the second text is shorter
    theirs, _ = layer(
        torch.tensor(X),
        *[torch.tensor(Y)] * 2,
        key_padding_mask=torch.tensor(~there),
    )
    ours = multi_head(X, *matrices, 3, there[:, None], Y)
    np.testing.assert_allclose(ours, theirs.detach(), atol=1e-12)


def test_A6_heads_as_one_table_are_heads_one_by_one_put_side_by_side():
    """The deck's own case too: three heads of two features make six, and W_O makes them two."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4, 2))
    W_Q, W_K, W_V = rng.normal(size=(3, 3, 2, 2))  # a 2 × 2 matrix for each of three heads
    W_O = rng.normal(size=(2, 6))
    one_by_one = [
        attention(X @ q.T, X @ k.T, X @ v.T) for q, k, v in zip(W_Q, W_K, W_V, strict=True)
    ]
    expected = np.concatenate(one_by_one, axis=-1) @ W_O.T
    found = multi_head(X, *(W.reshape(6, 2) for W in (W_Q, W_K, W_V)), W_O, heads=3)
    np.testing.assert_allclose(found, expected, atol=1e-14)


@given(st.integers(1, 4), st.integers(1, 3), st.sampled_from(BATCHES))
def test_to_split_and_to_join_is_to_change_nothing(heads, width, batch):
    X = drawn(*batch, 5, heads * width)
    Z = split(X, heads)
    assert Z.shape == (*batch, heads, 5, width)
    np.testing.assert_array_equal(Z[..., -1, :, :], X[..., -width:])
    np.testing.assert_array_equal(join(Z), X)


# Scores of decoders


@pytest.mark.parametrize("batch", BATCHES)
def test_A2_decoders_scores_are_their_equations_one_pair_at_a_time(batch):
    s, H = drawn(*batch, 3), drawn(*batch, 6, 4, seed=1)
    W, A, U, v = (drawn(*shape, seed=2) for shape in [(3, 4), (5, 3), (5, 4), (5,)])
    same = drawn(*batch, 6, 3, seed=3)
    for where in np.ndindex(batch):
        for j in range(6):
            at = (*where, j)
            assert dot_scores(s, same)[at] == pytest.approx(s[where] @ same[at])
            assert general_scores(s, H, W)[at] == pytest.approx(s[where] @ W @ H[at])
            additive = v @ np.tanh(A @ s[where] + U @ H[at])
            assert additive_scores(s, H, A, U, v)[at] == pytest.approx(additive)


def test_dot_scores_are_general_ones_with_nothing_learned():
    s, H = drawn(3), drawn(6, 3, seed=1)
    np.testing.assert_allclose(general_scores(s, H, np.eye(3)), dot_scores(s, H))


# What does not fit


@pytest.fixture(scope="module")
def plain():
    """The module as a reader has it: without the types that these tests turn on."""
    spec = importlib.util.spec_from_file_location("plain_attention", module.__file__)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


Q, K, V = asked()


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda at: at.attention(Q[:, :4], K, V), "Queries of shape (4, 4) do not fit keys"),
        (lambda at: at.attention(Q[None], K, V), "all but their numbers of words must agree."),
        (lambda at: at.attention(Q, K, V[:5]), "each key needs one value."),
        (lambda at: at.attention(Q, K, V, np.ones((4, 6))), "A mask holds True where"),
        (lambda at: at.attention(Q, K, V, np.ones((6, 4), bool)), "mask of shape (6, 4) does not"),
        (lambda at: at.attention(Q, K, V, np.ones((2, 4, 6), bool)), "does not fit scores of"),
        (lambda at: at.split(Q, 2), "5 features cannot be shared equally by 2 heads."),
        (lambda at: at.split(Q, 0), "cannot be shared equally by 0 heads."),
        (lambda at: at.multi_head(Q, *[np.eye(5)] * 4, heads=2), "shared equally by 2 heads."),
        (lambda at: at.multi_head(Q, *[np.eye(4)] * 4, heads=2), "takes words of 4 features, and"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_sentence(plain, ask, says):
    with pytest.raises(ValueError) as refused:
        ask(plain)
    sentence = str(refused.value)
    assert says in sentence and sentence.endswith(".") and "\n" not in sentence


def test_no_warning_is_raised_without_types_either(plain):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nothing = plain.attention(Q, K, V, np.zeros((4, 6), bool))
    np.testing.assert_array_equal(nothing, 0)
