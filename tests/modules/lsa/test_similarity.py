"""Dot products, cosines and neighbours: the book's numbers, and what must hold of any numbers."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import csr_array
from scipy.stats import spearmanr
from sklearn.metrics.pairwise import cosine_similarity

from firth.lsa.similarity import (
    angle,
    cosine,
    cosine_table,
    distance,
    dot,
    nearest,
    nearest_words,
    one_hot,
    ranks,
    scaled_dot,
    spearman,
    table_bytes,
    unit,
)

CHERRY, TOMATO, SMARTPHONE = np.array([[1, 4], [0, 3], [3, 0]])  # tech, fruitness
PAIRS = [(CHERRY, TOMATO), (CHERRY, SMARTPHONE), (TOMATO, SMARTPHONE)]
PLACES = {
    "banana": (6, 5),
    "strawberry": (5, 4),
    "cherry": (6, 4),
    "soccer": (0, 6),
    "basketball": (1, 6),
    "tennis": (1, 5),
    "castle": (1, 2),
    "house": (2, 2),
    "building": (2, 1),
    "bicycle": (5, 1),
    "truck": (6, 1),
    "car": (6, 0),
}
vectors = arrays(float, 4, elements=st.floats(-1e6, 1e6).map(lambda x: round(x, 3)))
numbers = arrays(float, st.integers(2, 20), elements=st.integers(-5, 5).map(float))


def test_S1_one_hot_vectors_of_different_words_have_dot_product_0():
    hotel, motel, cat = one_hot(np.array([7, 2, 0]), V=10)
    assert dot(hotel, motel) == dot(hotel, cat) == dot(motel, cat) == 0
    assert dot(hotel, hotel) == 1
    np.testing.assert_array_equal(one_hot(np.arange(10), V=10), np.eye(10))


def test_S3_dot_products_of_cherry_tomato_and_smartphone():
    assert [dot(x, y) for x, y in PAIRS] == [12, 3, 0]


def test_S4_cosines_of_cherry_tomato_and_smartphone_and_their_angles():
    assert [round(float(cosine(x, y)), 2) for x, y in PAIRS] == [0.97, 0.24, 0]
    assert [round(float(angle(x, y))) for x, y in PAIRS] == [14, 76, 90]


def test_S5_scaling_is_by_the_root_of_the_dimension_and_not_of_the_norm():
    assert [round(float(scaled_dot(x, y)), 2) for x, y in PAIRS] == [8.49, 2.12, 0]
    longer = np.pad(CHERRY, (0, 6)), np.pad(TOMATO, (0, 6))
    assert scaled_dot(*longer) == 12 / np.sqrt(8)  # the same norms, another dimension


def test_S6_apple_at_5_5_lies_nearest_to_the_fruits():
    words, X = list(PLACES), np.array(list(PLACES.values()))
    apple = np.array([5, 5])
    by_distance = nearest(X, apple, 3, measure=lambda X, x: -distance(X, x))
    assert {words[i] for i in by_distance} == {"banana", "strawberry", "cherry"}
    assert {words[i] for i in nearest(X, apple, 3, measure=dot)} == {words[i] for i in by_distance}
    assert words[nearest(X, apple, 1)[0]] == "house"  # the cosine sees the direction alone


def test_S17_one_hot_tables_grow_with_the_square_of_the_vocabulary():
    V, d = 100, 30
    assert table_bytes(V, V) == one_hot(np.arange(V), V).nbytes
    assert table_bytes(V, d) == np.zeros((V, d), np.float32).nbytes
    sizes = [10**4, 10**6, 13 * 10**6]
    assert [table_bytes(V, V) for V in sizes] == [4 * 10**8, 4 * 10**12, 676 * 10**12]
    assert [table_bytes(V, 300) for V in sizes] == [12 * 10**6, 12 * 10**8, 156 * 10**8]


@given(vectors, vectors, st.floats(1e-3, 1e3), st.floats(1e-3, 1e3))
def test_cosine_does_not_change_with_the_lengths_of_the_vectors(x, y, a, b):
    assert cosine(a * x, b * y) == pytest.approx(cosine(x, y), abs=1e-9)
    assert cosine(-x, y) == pytest.approx(-cosine(x, y), abs=1e-9)


@given(vectors)
def test_a_vector_has_cosine_1_and_angle_0_with_itself_unless_it_is_zero(x):
    assert cosine(x, x) == pytest.approx(float(x.any()))
    assert angle(x, x) == pytest.approx(0 if x.any() else 90, abs=1e-5)


@given(vectors, vectors)
def test_distance_and_cosine_agree_on_unit_vectors(x, y):
    x, y = unit(x), unit(y)
    if x.any() and y.any():
        assert distance(x, y) ** 2 == pytest.approx(2 - 2 * cosine(x, y), abs=1e-9)


@pytest.mark.parametrize("measure", [dot, scaled_dot, cosine, angle, distance])
def test_stacks_are_measured_row_by_row_and_one_vector_with_every_row(measure):
    X, Y = np.random.default_rng(0).normal(size=(2, 5, 3))
    np.testing.assert_allclose(
        measure(X, Y), [measure(x, y) for x, y in zip(X, Y, strict=True)], atol=1e-12
    )
    np.testing.assert_allclose(measure(X, Y[0]), [measure(x, Y[0]) for x in X], atol=1e-12)


def test_the_cosine_table_holds_the_cosine_of_every_pair():
    rng = np.random.default_rng(1)
    X, Y = rng.normal(size=(4, 3)), rng.normal(size=(6, 3))
    X[2] = 0
    np.testing.assert_allclose(cosine_table(X, Y), [[cosine(x, y) for y in Y] for x in X])


def test_nearest_gives_the_best_first_and_of_equal_ones_the_earlier():
    X = np.array([[0.0, 1.0], [2.0, 2.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]])
    assert nearest(X, np.array([1.0, 1.0]), 5).tolist() == [1, 2, 0, 3, 4]
    assert nearest(X, np.array([1.0, 1.0]), 9).tolist() == [1, 2, 0, 3, 4]
    assert nearest(X, np.array([1.0, 1.0]), 1, measure=dot).tolist() == [1]


@given(st.data(), numbers)
def test_spearman_agrees_with_scipy_ties_and_all(data, a):
    b = data.draw(arrays(float, len(a), elements=st.integers(-3, 3).map(float)))
    if np.ptp(a) and np.ptp(b):
        assert spearman(a, b) == pytest.approx(spearmanr(a, b).statistic)


@given(numbers)
def test_ranks_add_up_whatever_the_ties(a):
    assert ranks(a).sum() == len(a) * (len(a) + 1) / 2


@pytest.mark.parametrize("b", [[1.0, 1.0, 1.0], [1.0, np.nan, 2.0]])
def test_spearman_of_numbers_without_an_order_says_so(b):
    with pytest.raises(ValueError, match="numbers that differ and are not NaN"):
        spearman(np.array([1.0, 2.0, 3.0]), np.array(b))


def test_nearest_asked_for_no_neighbour_says_so():
    with pytest.raises(ValueError, match="ask for one or more"):
        nearest(np.eye(2), np.ones(2), 0)


def test_the_chapters_numbers_cost_no_import_of_scipy():
    loaded = "import sys, firth.lsa.similarity; print('scipy' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


@pytest.mark.parametrize("kind", [np.asarray, csr_array])
def test_the_nearest_words_of_a_table_are_those_that_scikit_learn_finds(kind):
    rng = np.random.default_rng(0)
    X = rng.poisson(0.5, size=(30, 12)) * rng.choice([1, 100_000], size=(30, 12))  # large squares
    words = [f"w{i}" for i in range(30)]
    cosines = cosine_similarity(X)[7]
    found = nearest_words(kind(X), words, "w7", n=5)
    assert found == [words[i] for i in np.argsort(-cosines, kind="stable")[1:6]]


def test_a_word_without_a_row_has_no_nearest_words():
    with pytest.raises(ValueError, match="'zorf' is not in the vocabulary"):
        nearest_words(np.eye(2), ["tea", "drum"], "zorf")
