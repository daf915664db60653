"""Near and far: slow sums as oracles, the promised ranks and errors, and what a cut does to 1/r."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firth.linear_attention.far_field import (
    cut,
    ewald,
    factors,
    far_field,
    inverse,
    potentials,
    salt,
    separation,
    terms,
)
from firth.linear_attention.hierarchical_matrix import (
    Block,
    compressed,
    numerical_rank,
    partition,
    product,
    ranks,
    share,
    stored,
)

MADELUNG = 1.747564594633182  # of rock salt, from the literature
EPSILONS = 10.0 ** -np.arange(1, 13)


def particles(n, seed=0):
    rng = np.random.default_rng(seed)
    return np.sort(rng.uniform(0, 1, n)), rng.uniform(0.5, 1.5, n)


def well_separated(n):
    return np.linspace(2, 3, n), np.linspace(0, 1, n)


# Forces


def test_potentials_are_the_sum_over_pairs():
    x, m = particles(20)
    slow = [sum(m[j] / abs(x[i] - x[j]) for j in range(20) if j != i) for i in range(20)]
    np.testing.assert_allclose(potentials(x, m), slow)
    np.testing.assert_allclose(cut(x, m, 1.0), slow)


@given(
    st.lists(st.floats(-0.4, 0.4), min_size=1, max_size=9),
    st.lists(st.floats(1.1, 9.0), min_size=1, max_size=9),
    st.sampled_from([-1.0, 1.0]),
    st.integers(1, 12),
)
@settings(max_examples=80)
def test_L7_what_p_terms_leave_unsaid_is_exactly_the_share_t_to_the_p_of_each_pair(y, x, side, p):
    x, y = side * np.array(x), np.array(y)
    U, W = factors(x, y, 0.0, p)
    whole, t = inverse(x, y), y / x[:, None]
    np.testing.assert_allclose(U @ W, whole * (1 - t**p), rtol=1e-9)
    assert np.linalg.matrix_rank(U @ W) <= p
    assert np.abs(U @ W / whole - 1).max() <= separation(x, y, 0.0) ** p + 1e-12


def test_L7_a_power_is_what_makes_the_ratio_all_that_counts():
    s, t = np.array([0.3, 2.0]), np.array([1.7, 0.9])
    for g, holds in [(lambda r: 1 / r, True), (np.sqrt, True), (lambda r: np.exp(-r), False)]:
        assert np.allclose(g(s * t), g(s) * g(t)) is holds


def test_L7_the_rank_of_a_far_block_grows_by_the_digit_and_not_with_the_particles():
    p = {n: [numerical_rank(inverse(*well_separated(n)), e) for e in EPSILONS] for n in (48, 160)}
    np.testing.assert_allclose(p[48], p[160], atol=1)
    slope, start = np.polyfit(-np.log10(EPSILONS), p[160], 1)
    assert 0.4 < slope < 0.7  # a rank for some two digits
    assert np.abs(slope * -np.log10(EPSILONS) + start - p[160]).max() < 0.7  # a straight line
    delta = separation(*well_separated(160), 0.5)
    assert all(rank <= terms(delta, e) for rank, e in zip(p[160], EPSILONS, strict=True))


def test_L7_a_block_on_the_diagonal_or_one_that_touches_it_needs_more_and_more():
    x = np.linspace(0, 1, 257)
    grid = {n: inverse(x[: n + 1], x[: n + 1]) for n in (64, 256)}
    assert [numerical_rank(A, 1e-6) for A in grid.values()] == [65, 257]
    touching = [numerical_rank(A[: len(A) // 2, len(A) // 2 :], 1e-6) for A in grid.values()]
    assert touching[0] < touching[1]  # a little, by the logarithm


@pytest.mark.parametrize("g", [np.log, np.sqrt, lambda r: 1 / r**3, lambda r: np.exp(-(r**2))])
def test_L7_other_smooth_forces_are_as_short_and_one_that_oscillates_is_not(g):
    x, y = well_separated(128)
    r = x[:, None] - y
    assert numerical_rank(g(r), 1e-6) <= 8
    assert numerical_rank(np.exp(-r), 1e-12) == 1  # a sum in an exponent is a product
    assert numerical_rank(np.cos(200 * r**2), 1e-2) > 60


def test_L7_in_space_the_rank_grows_with_the_square_of_the_digits():
    rng = np.random.default_rng(0)
    X, Y = rng.uniform(0, 1, (300, 3)) + np.array([2, 0, 0]), rng.uniform(0, 1, (300, 3))
    K = 1 / np.linalg.norm(X[:, None] - Y, axis=2)
    digits = np.arange(2, 8)
    p = [numerical_rank(K, 10.0**-d) for d in digits]
    slope = np.polyfit(np.log(digits), np.log(p), 1)[0]
    assert 1.5 < slope < 2.6 and p[-1] > 3 * numerical_rank(inverse(*well_separated(300)), 1e-7)


@pytest.mark.parametrize("p", [1, 2, 4, 8])
@pytest.mark.parametrize("cells", [1, 2, 3, 10, 40])
def test_L7_cells_and_p_sums_leave_at_most_a_third_to_the_p(cells, p):
    x, m = particles(500)
    u, whole = far_field(x, m, cells, p)[0], potentials(x, m)
    assert np.abs(u / whole - 1).max() <= 3.0**-p + 1e-12
    if cells < 4:
        np.testing.assert_allclose(far_field(x, m, 2, p)[0], whole)  # all are neighbours


def test_L7_one_level_of_cells_takes_products_as_n_to_the_three_halves_not_n_squared():
    products = []
    for n in (500, 2000):
        x, m = particles(n)
        products.append(far_field(x, m, cells=int(np.sqrt(n)), p=4)[1])
    assert 1.3 < np.log(products[1] / products[0]) / np.log(4) < 1.65
    assert products[1] < 2000**2 / 4


def test_products_are_those_that_are_taken():
    x, m = np.arange(6.0), np.ones(6)
    assert far_field(x, m, cells=3, p=2)[1] == (16 + 12) + 2 * 6 + 2 * 4
    assert far_field(np.zeros(3), np.ones(3), cells=2, p=1)[1] == 9 + 3  # all in one place


def test_L7_cutting_off_is_harmless_for_a_force_that_dies_off_and_ruinous_for_one_over_r():
    lost = {}
    for n in (200, 800):  # a longer and longer line of ones, a step apart
        x, m = np.arange(float(n)), np.ones(n)
        lost[n] = 1 - cut(x, m, 20.0)[n // 2] / potentials(x, m)[n // 2]
    assert 0.25 < lost[200] < lost[800] and lost[800] > 0.4
    assert np.exp(-np.arange(21.0, 400)).sum() / np.exp(-np.arange(1.0, 400)).sum() < 1e-8


def test_L7_a_cut_through_a_salt_crystal_never_settles_and_ewalds_two_sums_do():
    direct = [salt(r) for r in np.arange(2.0, 12.0)]
    assert max(abs(u - MADELUNG) for u in direct[-3:]) > 3  # no better at the end than before
    for alpha in (0.9, 1.0, 1.1):
        assert sum(ewald(6.0, 2, alpha)) == pytest.approx(MADELUNG, abs=1e-8)
    errors = [abs(sum(ewald(r, 2)) - MADELUNG) for r in (2.0, 3.0, 4.0, 5.0)]
    assert all(after < before / 10 for before, after in pairwise(errors))


def test_ions_within_reach_are_summed_one_by_one():
    slow = 0.0
    for x in range(-3, 4):
        for y in range(-3, 4):
            for z in range(-3, 4):
                r = (x * x + y * y + z * z) ** 0.5
                if 0 < r <= 3:
                    slow -= (-1) ** (x + y + z) / r
    assert salt(3.0) == pytest.approx(slow)


# Blocks


@given(st.integers(1, 90), st.integers(1, 9))
@settings(max_examples=60)
def test_a_partition_covers_each_entry_once_and_far_blocks_are_far(n, least):
    blocks = partition(n, min(least, n))
    seen = np.zeros((n, n), int)
    for b in blocks:
        seen[b.i : b.i + b.rows, b.j : b.j + b.columns] += 1
        gap = max(b.j - b.i - b.rows, b.i - b.j - b.columns)
        assert b.far == (gap >= max(b.rows, b.columns))
        assert b.far or max(b.rows, b.columns) <= least
    assert (seen == 1).all()


def test_L7_an_h_matrix_of_forces_stores_an_ever_smaller_share_and_multiplies_as_well():
    shares = []
    for n in (128, 512):
        x = np.linspace(0, 1, n)
        A, blocks = inverse(x, x), partition(n, 8)
        p = ranks(A, blocks, 1e-4)
        assert max(rank for b, rank in zip(blocks, p, strict=True) if b.far) <= 4
        shares.append(share(blocks, p))
        H, v = compressed(A, blocks, p), particles(n)[1]
        np.testing.assert_allclose(product(H, v), A @ v, rtol=1e-3)
        kept = sum(left.size + (0 if right is None else right.size) for _, left, right in H)
        assert kept / n**2 == pytest.approx(shares[-1])
    assert shares[1] < 0.5 * shares[0] < 0.25


def test_noise_has_no_far_field():
    A, blocks = np.random.default_rng(0).normal(size=(64, 64)), partition(64, 4)
    p = ranks(A, blocks, 1e-2)
    assert share(blocks, p) > 0.95 and max(p) >= 15


def test_numerical_rank_is_the_least_that_comes_so_near():
    A = np.random.default_rng(1).normal(size=(9, 7))
    U, s, Wt = np.linalg.svd(A)
    p = numerical_rank(A, 0.4)
    left = [np.linalg.norm(A - U[:, :k] * s[:k] @ Wt[:k], 2) for k in (p - 1, p)]
    assert left[1] <= 0.4 * s[0] < left[0]
    assert numerical_rank(A, 0.4, size=2 * s[0]) == (s > 0.8 * s[0]).sum()
    assert stored(Block(0, 8, 4, 4, True), 1) == 8 and stored(Block(0, 8, 4, 4, True), 3) == 16


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (lambda: factors(np.array([1.0]), np.array([2.0]), 0.0, 3), "only sets that are well sep"),
        (lambda: factors(np.array([3.0]), np.array([1.0]), 0.0, 0), "one term or more, not 0"),
        (lambda: terms(1.0, 0.1), "between 0 and 1"),
        (lambda: far_field(np.arange(3.0), np.ones(3), 0, 2), "1 or more, not 0 and 2"),
        (lambda: ewald(1.0, 0), "are above 0"),
        (lambda: partition(3, 4), "Blocks of 4 do not fit a matrix of 3"),
        (lambda: numerical_rank(np.ones((2, 2)), 0.0), "ε is above 0"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(asked, says):
    with pytest.raises(ValueError, match=says) as refused:
        asked()
    assert "\n" not in str(refused.value)
