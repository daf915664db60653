"""The association test against slow loops and cases with a known answer."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firth.word2vec import bias
from firth.word2vec.bias import association, effect_size, p_value

RIGHT, UP = np.array([[1.0, 0.0]] * 4), np.array([[0.0, 1.0]] * 4)


def four_groups(seed, half=3):
    rng = np.random.default_rng(seed)
    return [rng.normal(size=(size, 5)) for size in (half, half, 4, 2)]


def cos(x, y):
    return x @ y / np.sqrt((x @ x) * (y @ y))


def slow_score(w, A, B):
    return sum(cos(w, a) for a in A) / len(A) - sum(cos(w, b) for b in B) / len(B)


@given(st.integers(0, 999))
def test_association_and_effect_are_those_of_a_loop(seed):
    X, Y, A, B = four_groups(seed)
    x, y = ([slow_score(w, A, B) for w in W] for W in (X, Y))
    np.testing.assert_allclose(association(X, A, B), x)
    slow = (sum(x) / len(x) - sum(y) / len(y)) / np.std(x + y)
    assert effect_size(X, Y, A, B) == pytest.approx(slow)


@settings(max_examples=30)
@given(st.integers(0, 999))
def test_the_exact_p_value_goes_through_every_half(seed):
    X, Y, A, B = four_groups(seed)
    s = [slow_score(w, A, B) for w in [*X, *Y]]
    differences = [
        sum(s[i] for i in half) - sum(s[i] for i in range(6) if i not in half)
        for half in combinations(range(6), 3)
    ]
    as_large = sum(other >= differences[0] - 1e-9 for other in differences)
    assert p_value(X, Y, A, B) == (as_large / 20, 20)


@given(st.integers(0, 999))
def test_an_effect_lies_between_minus_2_and_2_and_turns_with_either_pair(seed):
    X, Y, A, B = four_groups(seed)
    effect = effect_size(X, Y, A, B)
    assert -2 <= effect <= 2
    assert effect_size(Y, X, A, B) == pytest.approx(-effect)
    assert effect_size(X, Y, B, A) == pytest.approx(-effect)
    assert effect_size(3 * X, Y, A / 7, B) == pytest.approx(effect)  # lengths do not matter


def test_groups_that_part_wholly_have_effect_2_and_the_smallest_p():
    assert effect_size(RIGHT, UP, RIGHT, UP) == pytest.approx(2)
    assert p_value(RIGHT, UP, RIGHT, UP) == (1 / 70, 70)
    assert effect_size(UP, RIGHT, RIGHT, UP) == pytest.approx(-2)
    assert p_value(UP, RIGHT, RIGHT, UP) == (1, 70)


def test_groups_that_are_alike_have_no_effect_and_a_large_p():
    X = np.concatenate([RIGHT[:2], UP[:2]])
    assert effect_size(X, X, RIGHT, UP) == pytest.approx(0)
    assert p_value(X, X, RIGHT, UP)[0] > 0.5


def test_a_sample_of_halves_comes_near_the_exact_p_and_keeps_to_its_seed(monkeypatch):
    groups = four_groups(1, half=6)
    exact, ways = p_value(*groups)
    assert ways == 924
    monkeypatch.setattr(bias, "EXACT", 0)
    sampled, drawn = p_value(*groups, draws=20_000)
    assert drawn == 20_001
    assert abs(sampled - exact) < 5 * np.sqrt(exact * (1 - exact) / 20_000)
    assert p_value(*groups, draws=500, seed=3) == p_value(*groups, draws=500, seed=3)
    assert p_value(*groups, draws=500, seed=3) != p_value(*groups, draws=500, seed=4)


def test_a_sampled_p_is_never_0(monkeypatch):
    monkeypatch.setattr(bias, "EXACT", 0)
    far = np.concatenate([RIGHT] * 5), np.concatenate([UP] * 5)
    assert p_value(*far, RIGHT, UP, draws=99)[0] == pytest.approx(0.01)


def test_where_nothing_differs_p_values_are_spread_evenly():
    small = np.mean([p_value(*four_groups(seed, half=5))[0] <= 0.1 for seed in range(400)])
    assert 0.06 < small < 0.14


def test_groups_that_cannot_be_compared_are_refused():
    with pytest.raises(ValueError, match="equally many, not 4 and 3"):
        effect_size(RIGHT, UP[:3], RIGHT, UP)
    with pytest.raises(ValueError, match="two words or more, equally many, not 1 and 1"):
        p_value(RIGHT[:1], UP[:1], RIGHT, UP)
    with pytest.raises(ValueError, match="attributes is empty"):
        association(RIGHT, RIGHT[:0], UP)
    with pytest.raises(ValueError, match="no spread to measure by"):
        effect_size(RIGHT, RIGHT, RIGHT, UP)
    with pytest.raises(ValueError, match="one draw or more, not 0"):
        p_value(RIGHT, UP, RIGHT, UP, draws=0)
