"""Sinusoidal positions: the five things wanted of them, and the turn that moves them on."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firth.transformer.positional_encoding import frequencies, positions, products, rotation

widths = st.integers(1, 64).map(lambda half: 2 * half)


def looped(n, d):
    """The formulas of the paper, one number at a time."""
    P = np.zeros((n, d))
    for p in range(n):
        for i in range(d // 2):
            P[p, 2 * i] = math.sin(p / 10000 ** (2 * i / d))
            P[p, 2 * i + 1] = math.cos(p / 10000 ** (2 * i / d))
    return P


@given(st.integers(1, 80), widths)
def test_positions_are_the_papers_formula_one_number_at_a_time(n, d):
    np.testing.assert_allclose(positions(n, d), looped(n, d), atol=1e-12)


# A8: the deck's five criteria, on its own picture of 50 positions and 128 features


def test_A8_every_position_is_unique():
    P = positions(5000, 128)
    squares = (P**2).sum(axis=1)
    apart = squares[:, None] + squares - 2 * P @ P.T
    np.fill_diagonal(apart, np.inf)
    # Neighbours are nearest of all, at every place.
    assert apart.min() == pytest.approx(2 * (64 - products(np.array([1.0]), 128)[0]))
    assert apart.min() > 3.8


def test_A8_the_distance_of_two_positions_hangs_on_how_far_apart_they_are_and_on_nothing_else():
    P, product = positions(50, 128), products(np.arange(50.0), 128)
    for k in range(50):
        apart = np.linalg.norm(P[k:] - P[: 50 - k], axis=1)
        np.testing.assert_allclose(apart, np.sqrt(128 - 2 * product[k]))
        np.testing.assert_allclose((P[k:] * P[: 50 - k]).sum(1), product[k])


def test_A8_a_longer_text_changes_no_position_of_a_shorter_one_and_needs_nothing_new():
    np.testing.assert_array_equal(positions(50, 128), positions(5000, 128)[:50])
    assert len(positions(20_000, 128)) == 20_000


def test_A8_all_numbers_lie_between_minus_1_and_1_and_all_rows_have_one_length():
    P = positions(20_000, 128)
    assert abs(P).max() <= 1
    np.testing.assert_allclose(np.linalg.norm(P, axis=1), 8)


def test_A8_the_same_position_always_has_the_same_numbers():
    np.testing.assert_array_equal(positions(50, 128), positions(50, 128))


@given(st.integers(0, 60), st.integers(-60, 60), widths)
def test_A8_a_move_by_k_is_one_matrix_from_wherever_it_starts(p, k, d):
    P = positions(121, d)
    if 0 <= p + k:
        np.testing.assert_allclose(rotation(k, d) @ P[p], P[p + k], atol=1e-12)


@given(st.integers(-40, 40), st.integers(-40, 40), widths)
def test_A8_the_matrix_turns_and_two_moves_are_one(j, k, d):
    R = rotation(k, d)
    np.testing.assert_allclose(R @ R.T, np.eye(d), atol=1e-12)
    np.testing.assert_allclose(rotation(j, d) @ R, rotation(j + k, d), atol=1e-12)
    assert np.linalg.det(R) == pytest.approx(1)


def test_the_dot_product_tells_near_from_far_and_does_not_only_fall():
    k = np.arange(50.0)
    curve = products(k, 128)
    assert curve[0] == 64 and (curve[1:] < 64).all()
    rises = np.flatnonzero(np.diff(curve) > 0)
    assert len(rises) and rises[0] > 3
    np.testing.assert_allclose(products(-k, 128), curve)  # nor does it tell before from behind


def test_waves_get_slower_by_one_factor_from_pair_to_pair():
    omega = frequencies(128)
    assert omega[0] == 1 and omega[-1] > 1e-4
    np.testing.assert_allclose(omega[1:] / omega[:-1], 10_000 ** (-1 / 64))


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: positions(5, 7), "even and 2 or more, not 7"),
        (lambda: positions(5, 0), "even and 2 or more, not 0"),
        (lambda: rotation(1, 3), "even and 2 or more, not 3"),
        (lambda: positions(0, 8), "one position or more, not 0"),
        (lambda: positions(5, 8, base=0.0), "above 0, not 0"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(make, says):
    with pytest.raises(ValueError, match=says) as refused:
        make()
    assert str(refused.value).count(".") <= 2 and "\n" not in str(refused.value)
