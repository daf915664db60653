"""One generator of chance for Python and JavaScript."""

import js
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firth.runtime.random_numbers import drawn, normal, uniform
from firth.widgets.scripts import HERE, esm

FIRST = "\nexport const first = (seed, n) => Array.from({ length: n }, uniform(seed));"

NORMAL = FIRST.replace("uniform", "normal")


@given(st.integers(0, 2**32 - 1))
def test_javascript_gives_the_same_numbers(seed):
    u = uniform(seed)
    assert [u() for _ in range(5)] == js.call(
        esm(HERE / "random_numbers.js") + FIRST, "first", seed, 5
    )


@given(st.integers(0, 2**32 - 1))
def test_javascript_gives_the_same_normal_numbers(seed):
    z = normal(seed)
    theirs = js.call(esm(HERE / "random_numbers.js") + NORMAL, "first", seed, 5)
    assert theirs == pytest.approx([z() for _ in range(5)], abs=1e-12)


def test_normal_numbers_have_the_normal_distribution_and_neighbours_nothing_in_common():
    from scipy.stats import kstest

    z = normal(7)
    x = np.array([z() for _ in range(20_000)])
    assert kstest(x, "norm").pvalue > 0.01
    assert abs(np.corrcoef(x[::2], x[1::2])[0, 1]) < 0.03


def test_the_first_numbers_of_neighbouring_seeds_are_evenly_spread_and_have_nothing_in_common():
    first = np.array([uniform(seed)() for seed in range(4000)])
    assert abs(np.bincount((first * 10).astype(int)) - 400).max() < 100
    assert abs(np.corrcoef(first[:-1], first[1:])[0, 1]) < 0.05


def test_chance_is_even_in_every_tenth_whatever_the_seed():
    for seed in range(1, 100):
        u = uniform(seed)
        tenths = np.bincount([int(10 * u()) for _ in range(2000)], minlength=10)
        assert len(tenths) == 10 and (abs(tenths - 200) < 75).all()  # more than 5 deviations


def test_words_are_drawn_as_often_as_their_probability_says():
    p, u = np.array([0.5, 0.3, 0.0, 0.2]), uniform(3)
    cumulative = np.cumsum(p)
    seen = np.bincount([drawn(cumulative, u()) for _ in range(20_000)], minlength=4) / 20_000
    np.testing.assert_allclose(seen, p, atol=0.015)
    assert seen[2] == 0 and drawn(cumulative - 1e-16, 1 - 1e-17) == 3
