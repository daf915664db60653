"""The held-out loss: its examples are windows of the text, and it is the loss that is trained."""

import numpy as np
import pytest

from experiments.word2vec import epochs
from experiments.word2vec.training import PREDICTING, stored
from firth.word2vec.word2vec import negative_sampling

TEXTS = [np.array([0, 1, 2, 3, -1, 4]), np.array([5, 6, 7])]


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(epochs, "corpus", lambda: ([*"abcdefgh"], TEXTS))
    monkeypatch.setattr(epochs, "keep_probability", lambda counts: np.ones(len(counts)))


def test_an_example_of_skip_gram_is_a_word_and_a_word_of_its_window_in_the_same_text():
    inputs, asked = epochs.examples(TEXTS, 8, window=2, several=False)
    assert asked.shape == (len(inputs), 1 + epochs.K)
    near = {
        (ids[i], ids[j])
        for ids in TEXTS for i in range(len(ids)) for j in range(len(ids))
        if 0 < abs(i - j) <= 2 and min(ids[i], ids[j]) >= 0
    }  # fmt: skip
    adjacent = {(0, 1), (1, 0), (1, 2), (2, 1), (2, 3), (3, 2), (5, 6), (6, 5), (6, 7), (7, 6)}
    found = {(int(w), int(o)) for w, o in zip(inputs[:, 0], asked[:, 0], strict=True)}
    assert adjacent <= found <= near


def test_an_example_of_cbow_has_the_words_around_the_word_that_is_asked_for():
    inputs, asked = epochs.examples(TEXTS, 8, window=2, several=True)
    company = {
        int(o): set(row[row >= 0].tolist()) for row, o in zip(inputs, asked[:, 0], strict=True)
    }
    assert {0, 1, 2, 3, 5, 6, 7} <= company.keys()
    assert {0, 2} <= company[1] <= {0, 2, 3} and company[6] == {5, 7}
    assert company.get(4, {3}) == {3}, "beyond an unknown word, if the window reaches as far"


def test_the_loss_is_that_of_negative_sampling():
    rng = np.random.default_rng(0)
    V, U = rng.normal(size=(2, 8, 3))
    inputs, asked = np.array([[2], [0]]), np.array([[1, 4, 5], [3, 6, 3]])
    one, _, _ = negative_sampling(U, V, 2, 1, np.array([4, 5]))
    two, _, _ = negative_sampling(U, V, 0, 3, np.array([6]))  # a noise word that is the word: none
    assert epochs.loss(V, U, inputs, asked) == pytest.approx((one + two) / 2)


def test_the_loss_of_cbow_is_that_of_the_mean_vector():
    rng = np.random.default_rng(0)
    V, U = rng.normal(size=(2, 8, 3))
    h = V[[2, 5]].mean(axis=0, keepdims=True)
    J, _, _ = negative_sampling(U, np.repeat(h, 8, axis=0), 0, 1, np.array([4]))
    assert epochs.loss(V, U, np.array([[2, -1, 5]]), np.array([[1, 4]])) == pytest.approx(J)


def test_epochs_are_enough_if_their_last_third_brings_less_than_half_a_percent():
    falling = [4.0 * 0.9**epoch for epoch in range(16)]
    assert not any(epochs.enough(falling, n) for n in range(3, 16))
    flat = [4.0, 3.0, 2.5, 2.4, 2.39, 2.385, 2.384]
    assert [epochs.enough(flat, n) for n in (3, 6)] == [False, True]
    assert epochs.enough([4.0, 2.0, 2.1, 2.2], 3), "a loss that rises does not improve"


@pytest.mark.parametrize("method", PREDICTING)
def test_the_chosen_epochs_are_enough(method):
    chosen = stored("tuning")["chosen"][method]
    rows = [row for row in stored("epochs")["rows"] if row["method"] == method]
    (constant,) = (row for row in rows if row["schedule"] == "constant")
    falling = [row for row in rows if row["schedule"] == "falling"]
    assert {row["epochs"] for row in falling} >= set(epochs.FALLING)
    for row in rows:
        assert (row["rate"], row["window"]) == (chosen["rate"], chosen["window"])
        assert len(row["held out"]) == len(row["learned from"]) == row["epochs"] + 1
        assert row["held out"][0] == pytest.approx(6 * np.log(2), abs=1e-4)
    flat = [n for n in range(3, epochs.EPOCHS + 1) if epochs.enough(constant["held out"], n)]
    assert constant["enough"] == flat and chosen["epochs"] in flat
    at_the_end = {row["epochs"]: row["held out"][-1] for row in falling}
    assert at_the_end[10] > (1 - epochs.ENOUGH) * at_the_end[5]
    assert at_the_end[5] < 0.96 * min(constant["held out"]), "a falling rate brings more"
