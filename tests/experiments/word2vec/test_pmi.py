"""V Uᵀ beside PMI − log k: the minimum of the expected loss, and what is measured of the pairs."""

import numpy as np
import pytest

from experiments.word2vec import pmi
from experiments.word2vec.training import stored
from firth.widgets.word2vec.training import WORDS


def row(text: str, **about) -> dict:
    (found,) = (
        row for row in stored("pmi")["rows"] if ({"text": text} | about).items() <= row.items()
    )
    return found


def test_with_enough_dimensions_the_minimum_is_log_of_expected_counts_over_noise():
    rng = np.random.default_rng(0)
    X, E = rng.uniform(0.5, 5, (2, 6, 6))
    J, S = pmi.minimum(X, E, d=6, seed=0)
    np.testing.assert_allclose(S, np.log(X / E), atol=1e-3)
    assert J == pytest.approx((X * np.log1p(E / X) + E * np.log1p(X / E)).sum())
    assert pmi.minimum(X, E, d=1, seed=0)[0] > J


def test_the_twelve_sentences_are_stored_as_they_come_out(monkeypatch):
    monkeypatch.setattr(pmi, "STARTS", 1)
    found, old = pmi.twelve_sentences(), row("twelve sentences")
    assert found["target"] == old["target"] and found["counts"] == old["counts"]
    n = f"d = {len(WORDS)}"
    met = np.array(old["counts"]) > 0
    for each in (found, old):
        scores, target = np.array(each[n]["scores"]), np.array(each["target"], dtype=float)
        np.testing.assert_allclose(scores[met], target[met], atol=0.02)
        assert scores[~met].max() < -10
    assert old["d = 2"]["loss"] <= found["d = 2"]["loss"] + 1e-3
    assert old["d = 2"]["loss"] > 1.2 * old[n]["loss"]


def test_pairs_are_counted_in_bins_of_the_target():
    rng = np.random.default_rng(0)
    target = rng.uniform(-3, 4, 5000)
    x, score = rng.uniform(50, 2000, 5000), target - 0.5 * (target > 2)
    found = pmi.measured(x, target, score)
    assert found["pairs"] == 5000 == np.sum(found["histogram"])
    assert found["mean difference above 2"] == pytest.approx(-0.5)
    assert {part["mean difference"] for part in found["by count"]} == {-0.5}
    assert sum(part["pairs"] for part in found["bins"]) == 5000
    for part in found["bins"]:
        shift = -0.5 if part["from"] >= 2 else 0
        assert part["from"] <= part["mean"] - shift <= part["to"]


def test_the_stored_pairs_follow_the_line_and_end_below_it_at_the_right():
    found = row("Wikipedia", d=100, times=1)
    assert found["correlation"] > 0.85 and found["pairs"] > 30_000
    assert np.sum(found["histogram"]) == found["pairs"]
    assert found["mean difference above 2"] < -0.3
    last = [part for part in found["bins"] if part["pairs"] >= 20][-1]
    assert last["mean"] < last["from"]
