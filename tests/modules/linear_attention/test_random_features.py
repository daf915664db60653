"""Random features: what they estimate, how far they are off, and what is gained by drawing well."""

import re

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from sklearn.kernel_approximation import RBFSampler
from sklearn.metrics.pairwise import laplacian_kernel, rbf_kernel

from firth.linear_attention.linear_attention import exponential_kernel, linear_attention, smoothed
from firth.linear_attention.random_features import (
    cosine_features,
    cosine_variance,
    frequencies,
    gaussian_kernel,
    laplace_kernel,
    paired_features,
    paired_variance,
    positive_features,
    positive_variance,
    trigonometric_features,
    trigonometric_variance,
)

RNG = np.random.default_rng(0)
X, Y = 0.6 * RNG.normal(size=(6, 4)), 0.6 * RNG.normal(size=(5, 4))
SHORT = X / 2, Y / 2  # positive features of long vectors have tails too long to measure by


def softmax_kernel(A, B):
    return np.exp(A @ B.T)


def phases(R, seed=1):
    return np.random.default_rng(seed).uniform(0, 2 * np.pi, R)


def estimates(form, R, draws, spectrum="gaussian", orthogonal=False, points=(X, Y)):
    """`draws` estimates of the points' kernel, with R features each: all drawn in one table."""
    rng, d = np.random.default_rng(0), X.shape[1]
    waves = 2 if form in (paired_features, trigonometric_features) else 1  # cosines, then sines
    count = R // waves
    assert not orthogonal or count % d == 0, "a rotation would serve two estimates"
    W = frequencies(draws * count, d, rng, spectrum, orthogonal)
    rest = (rng.uniform(0, 2 * np.pi, len(W)),) if form is cosine_features else ()
    tables = [form(A, W, *rest).reshape(len(A), waves, draws, count) for A in points]
    return draws * np.einsum("nwec,mwec->enm", *tables, optimize=True)


def rms(form, R, right, draws, **how):
    """The root of the mean square error, over draws and over pairs."""
    return np.sqrt(np.mean((estimates(form, R, draws, **how) - right) ** 2))


def slope(sizes, errors):
    """Of the line through the points, both axes logarithmic."""
    return np.polyfit(np.log(sizes), np.log(errors), 1)[0]


# Kernels


def test_kernels_are_those_of_scikit_learn():
    np.testing.assert_allclose(gaussian_kernel(X, Y), rbf_kernel(X, Y, gamma=0.5))
    np.testing.assert_allclose(laplace_kernel(X, Y), laplacian_kernel(X, Y, gamma=1.0))
    np.testing.assert_allclose(np.diag(gaussian_kernel(1e6 * X, 1e6 * X)), 1)


# L8


@pytest.mark.parametrize("form", [cosine_features, paired_features])
@pytest.mark.parametrize(
    ("spectrum", "kernel"), [("gaussian", gaussian_kernel), ("cauchy", laplace_kernel)]
)
def test_L8_L11_the_features_expect_the_kernel_of_their_spectrum(form, spectrum, kernel):
    k, k_2 = kernel(X, Y), kernel(2 * X, 2 * Y)
    variance = {cosine_features: cosine_variance, paired_features: paired_variance}[form]
    mean = estimates(form, 100, 400, spectrum).mean(axis=0)
    # 30 cells: with chance 1e-4, one is 4.5 standard errors off.
    assert (abs(mean - k) < 4.5 * np.sqrt(variance(k, k_2, 100 * 400))).all()
    other = laplace_kernel if kernel is gaussian_kernel else gaussian_kernel
    assert abs(mean - other(X, Y)).max() > 0.1  # the deck's kernels are not one another


def test_L8_the_decks_second_kernel_lacks_a_minus_and_a_half():
    mean = estimates(paired_features, 100, 400).mean(axis=0)
    deck = np.exp(cdist(X, Y, "sqeuclidean"))
    assert (deck > 1).all() and (mean < 1).all()
    np.testing.assert_allclose(gaussian_kernel(X, Y), deck**-0.5)


@given(st.integers(1, 9), st.floats(0.01, 3), st.integers(0, 99))
@settings(max_examples=30, derandomize=True, database=None)
def test_L8_the_softmax_kernel_is_a_gaussian_between_two_lengths(d, spread, seed):
    rng = np.random.default_rng(seed)
    A, B = spread * rng.normal(size=(4, d)), spread * rng.normal(size=(3, d))
    lengths = [np.exp((Z * Z).sum(axis=1) / 2) for Z in (A, B)]
    mine = lengths[0][:, None] * gaussian_kernel(A, B) * lengths[1]
    np.testing.assert_allclose(mine, np.exp(A @ B.T), rtol=1e-9)


def test_L8_softmax_attention_is_a_gaussian_smoother_if_all_keys_are_equally_long():
    rng = np.random.default_rng(0)
    Q, keys, V = rng.normal(size=(4, 3)), rng.normal(size=(6, 3)), rng.normal(size=(6, 2))
    keys /= np.linalg.norm(keys, axis=1, keepdims=True)
    attended = smoothed(exponential_kernel(torch.tensor(Q), torch.tensor(keys)), torch.tensor(V))
    W = gaussian_kernel(Q / 3**0.25, keys / 3**0.25)
    np.testing.assert_allclose(W / W.sum(axis=1, keepdims=True) @ V, attended)


# L9


@pytest.mark.parametrize(
    ("form", "variance"), [(cosine_features, cosine_variance), (paired_features, paired_variance)]
)
def test_L9_the_variance_is_what_the_formula_says(form, variance):
    k, k_2 = gaussian_kernel(X, Y), gaussian_kernel(2 * X, 2 * Y)
    seen = estimates(form, 8, 20_000).var(axis=0)
    np.testing.assert_allclose(seen, variance(k, k_2, 8), rtol=0.06)


@pytest.mark.parametrize("form", [cosine_features, paired_features, positive_features])
def test_L9_error_falls_as_one_over_the_root_of_R(form):
    right = (softmax_kernel if form is positive_features else gaussian_kernel)(*SHORT)
    sizes = [16, 64, 256, 1024]
    errors = [rms(form, R, right, 1500, points=SHORT) for R in sizes]
    assert slope(sizes, errors) == pytest.approx(-0.5, abs=0.02)


def test_L9_the_pair_is_better_at_small_distances_and_exact_at_none():
    near = 0.1 * np.arange(1, 6)
    k = np.exp(-(near**2) / 2)[None]
    ratio = paired_variance(k, k**4, 10) / cosine_variance(k, k**4, 10)
    assert (ratio < 0.05).any() and (ratio < 1).all() and (np.diff(ratio) > 0).all()
    W = frequencies(5, 4, np.random.default_rng(0))
    Z = paired_features(X, W)
    np.testing.assert_allclose((Z * Z).sum(axis=1), 1)
    Z = cosine_features(X, W, phases(5))
    assert abs((Z * Z).sum(axis=1) - 1).max() > 0.1


def test_L9_the_pair_draws_half_as_many_frequencies():
    rng = np.random.default_rng(0)
    assert paired_features(X, frequencies(8, 4, rng)).shape == (6, 16)
    assert cosine_features(X, frequencies(16, 4, rng), phases(16)).shape == (6, 16)


def test_L9_cosine_features_are_those_of_scikit_learn():
    theirs = RBFSampler(gamma=0.5, n_components=12, random_state=0).fit(X)
    mine = cosine_features(X, theirs.random_weights_.T, theirs.random_offset_)
    np.testing.assert_allclose(mine, theirs.transform(X))


# L10


def test_L10_the_kernel_matrix_comes_out_of_the_noise_as_R_grows():
    points = np.random.default_rng(0).normal(size=(100, 2))
    right, sizes = gaussian_kernel(points, points), [1, 10, 100, 1000]
    errors = []
    for R in sizes:
        rng = np.random.default_rng(1)
        runs = [
            cosine_features(points, frequencies(R, 2, rng), rng.uniform(0, 2 * np.pi, R))
            for _ in range(30)
        ]
        errors.append(np.sqrt(np.mean([(Z @ Z.T - right) ** 2 for Z in runs])))
        assert np.linalg.matrix_rank(runs[0] @ runs[0].T) <= R
    assert slope(sizes, errors) == pytest.approx(-0.5, abs=0.05)


# L11


@pytest.mark.parametrize("t", [0.0, 0.7, -3.0])
def test_L11_a_random_phase_leaves_nothing_of_the_sum(t):
    # t is ωᵀ(x + y), not ωᵀ(x − y). Equally spaced phases are an exact integral.
    b = 2 * np.pi * np.arange(16) / 16
    assert np.mean(np.cos(t + 2 * b)) == pytest.approx(0, abs=1e-15)
    x, y = t + 0.4, -0.4
    once = 2 * np.cos(x + b) * np.cos(y + b)
    np.testing.assert_allclose(once, np.cos(x - y) + np.cos(x + y + 2 * b))
    assert once.mean() == pytest.approx(np.cos(x - y)) and once.std() > 0.5


def test_L11_the_spectrum_of_laplaces_kernel_is_cauchys():
    # ∫ e^{iωδ} / (π (1 + ω²)) dω = e^{−|δ|}, by a sum over a fine grid of tan.
    u = (np.arange(200_000) + 0.5) / 200_000
    omega = np.tan(np.pi * (u - 0.5))
    for delta in (0.0, 0.3, 1.0, 2.5):
        right = laplace_kernel(np.array([[delta]]), np.zeros((1, 1)))[0, 0]
        assert np.cos(omega * delta).mean() == pytest.approx(right, abs=1e-3)


# L12


@pytest.mark.parametrize(
    ("form", "variance"),
    [
        (positive_features, positive_variance),
        (trigonometric_features, trigonometric_variance),
    ],
)
def test_L12_both_estimate_the_softmax_kernel_and_their_variance_is_known(form, variance):
    guesses = estimates(form, 64, 8000, points=SHORT)
    error = np.sqrt(variance(*SHORT, 64 * 8000))
    assert (abs(guesses.mean(axis=0) - softmax_kernel(*SHORT)) < 4.5 * error).all()
    np.testing.assert_allclose(guesses.var(axis=0), variance(*SHORT, 64), rtol=0.1)


def attended(form, R, seed=0):
    """What 200 queries get of 200 keys whose values are all 1: a mean of ones, if it is a mean."""
    rng = np.random.default_rng(seed)
    Q, keys = rng.normal(size=(2, 200, 8)) * 1.5
    W = frequencies(R // 2 if form is trigonometric_features else R, 8, rng)
    tables = [torch.tensor(form(Z / 8**0.25, W)) for Z in (Q, keys)]
    return tables, torch.tensor(rng.normal(size=(200, 3)))


def test_L12_trigonometric_features_make_negative_weights_which_break_a_softmax():
    (Q, keys), V = attended(trigonometric_features, 16)
    weights = Q @ keys.T
    assert (weights < 0).double().mean() > 0.2
    total = weights.sum(-1, keepdim=True)
    assert (total < 0).any()
    with pytest.raises(ValueError, match="features above 0"):
        linear_attention(Q, keys, V, lambda Z: Z)
    answers = weights @ V / total
    assert answers.abs().max() > 3 * V.abs().max()  # a mean never leaves its values


def test_L12_positive_features_never_do():
    (Q, keys), V = attended(positive_features, 16)
    assert (Q @ keys.T > 0).all()
    answers = linear_attention(Q, keys, V, lambda Z: Z)
    assert (answers <= V.amax(0)).all() and (answers >= V.amin(0)).all()


def test_L12_where_the_weight_is_small_positive_features_are_nearly_right_and_others_are_not():
    x = np.array([[1.2, 0.0]])
    y = np.array([[-1.2, 0.1], [1.2, 0.1]])  # a small weight, a large one
    positive, other = positive_variance(x, y, 1)[0], trigonometric_variance(x, y, 1)[0]
    assert positive[0] < 1e-2 < 1 < other[0]
    assert other[1] < positive[1]


@pytest.mark.parametrize("form", [paired_features, positive_features, trigonometric_features])
@pytest.mark.parametrize("draws_of", [4, 8, 16, 64])
def test_L12_orthogonal_draws_are_better_at_every_R_from_d_on(form, draws_of):
    R = draws_of if form is positive_features else 2 * draws_of
    apart, shared = (
        estimates(form, R, 5000, orthogonal=way, points=SHORT).std(axis=0) for way in (False, True)
    )
    assert (shared / apart).mean() < 0.99


def test_orthogonal_draws_are_at_right_angles_and_as_long_as_gaussian_ones():
    W = frequencies(4000, 4, np.random.default_rng(0), orthogonal=True).reshape(-1, 4, 4)
    products = W @ W.swapaxes(1, 2)
    assert abs(products * (1 - np.eye(4))).max() < 1e-12
    squares = np.diagonal(products, axis1=1, axis2=2)
    assert squares.mean() == pytest.approx(4, rel=0.05)  # chi-squared with 4 degrees of freedom
    assert squares.var() == pytest.approx(8, rel=0.15)
    assert abs(W.mean(axis=0)).max() < 0.1


# What cannot be


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ({"R": 0}, "one draw or more, not 0"),
        ({"R": 3, "spectrum": "cauchy", "orthogonal": True}, "Only a Gaussian"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(how, says):
    with pytest.raises(ValueError, match=re.escape(says)) as refused:
        frequencies(**how, d=2, rng=np.random.default_rng(0))
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 120
