"""What chapter 1 says about its two experiments holds in every draw that is stored."""

import json

import numpy as np
import pytest
from pages import CHAPTERS

from firth.store.results import stored_result

SVD = {"vectors": "SVD", "k": 300, "power": 0.5, "length": "1", "true": "sum"}
COUNTS, IDF, PPMI = ({"vectors": "one-hot", "weight": w} for w in ("none", "idf", "PPMI"))
ROWS = [row for row in stored_result("lsa/new_word")["rows"] if row["words"] == "measured on"]


def places(method: dict, n: int, of: str = "the word") -> np.ndarray:
    """The median place of the hidden word in each draw."""
    wanted = method | {"n": n, "passages of": of}
    (row,) = [row for row in ROWS if wanted.items() <= row.items()]
    return np.array(row["median"]) + 1


def prose(page: str) -> str:
    cells = json.loads((CHAPTERS / f"{page}.ipynb").read_text(encoding="utf-8"))["cells"]
    return " ".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")


def test_there_are_ten_draws_and_settings_that_were_chosen_on_others():
    assert {len(row["median"]) for row in ROWS} == {10}
    assert {row["words"] for row in stored_result("lsa/new_word")["rows"]} == {
        *("chosen on", "measured on")
    }


@pytest.mark.parametrize(
    ("method", "n", "said"), [(COUNTS, 1, 2000), (COUNTS, 5, 130), (IDF, 1, 500), (IDF, 5, 37)]
)
def test_the_page_names_the_places_that_were_measured(method, n, said):
    assert f"place {said:,}" in prose("01_lsa")
    assert places(method, n).mean() == pytest.approx(said, rel=0.06)


def test_five_passages_with_idf_bring_the_hidden_word_among_the_first_hundred():
    assert places(IDF, 5).max() < 100 < places(COUNTS, 5).mean()
    assert places(IDF, 2).min() > 100


def test_after_twenty_passages_it_is_the_first_or_second_guess_but_not_with_ppmi():
    assert places(IDF, 20).max() <= 2.5 and places(COUNTS, 20).mean() <= 3
    assert places(PPMI, 20).min() > 20


@pytest.mark.parametrize("n", [1, 2, 5, 20])
def test_ppmi_does_worst_and_short_vectors_come_no_closer_than_counts_with_idf(n):
    short = places(SVD | {"weight": "idf"}, n)
    assert places(PPMI, n).min() > max(places(COUNTS, n).max(), short.max())
    assert short.mean() > places(IDF, n).mean() - 1


def test_passages_of_another_word_find_little_and_half_of_all_find_everything():
    other = places(IDF, 5, of="another word")
    assert other.min() > 10 * places(IDF, 5).max()
    assert other.mean() == pytest.approx(1000, rel=0.06) and "about place 1,000" in prose("01_lsa")
    assert places(IDF, 1_000_000).max() <= 2


def test_without_a_weight_short_vectors_of_length_1_win_and_random_ones_lose():
    random = {"vectors": "random", "k": 300}
    assert places(SVD | {"weight": "none"}, 5).mean() < places(IDF, 5).mean()
    for weight, plain in (("none", COUNTS), ("idf", IDF), ("PPMI", PPMI)):
        assert places(random | {"weight": weight}, 5).mean() > places(plain, 5).mean()


def agreement(weighting: str, k: int | None, power: float | None = 0.5, m: int = 5) -> dict:
    wanted = {"weighting": weighting, "k": k, "window": m, "pairs": "wordsim353"}
    wanted |= {"power": power if k else None}
    (row,) = [r for r in stored_result("lsa/dimensions")["rows"] if wanted.items() <= r.items()]
    return row


@pytest.mark.parametrize("k", [10, 20, 50, 100, 300])
@pytest.mark.parametrize("weighting", ["PPMI", "PPMI, smoothed"])
def test_from_ten_directions_on_both_kinds_of_ppmi_are_above_the_counts(weighting, k):
    assert agreement(weighting, k)["rho"] > agreement("counts", k)["rho"] + 0.15


def test_the_curve_of_ppmi_is_flat_from_fifty_directions_on():
    curve = [agreement("PPMI", k)["rho"] for k in (50, 100, 200, 300)]
    assert max(curve) - min(curve) < 0.03


def test_the_svd_helps_counts_and_ppmi_clearly_and_smoothed_ppmi_within_its_band():
    for weighting in ("counts", "PPMI"):
        assert agreement(weighting, 300)["low"] > agreement(weighting, None)["rho"]
    smoothed = agreement("PPMI, smoothed", 300)
    assert smoothed["low"] < agreement("PPMI, smoothed", None)["rho"] < smoothed["rho"]


@pytest.mark.parametrize(("weight", "length", "said"), [("idf", "as it is", 26), ("none", "1", 17)])
def test_other_scalings_come_closer_and_the_page_says_so(weight, length, said):
    found = places(SVD | {"weight": weight, "length": length}, 5).mean()
    assert round(found) == said and f"{said}" in prose("01_lsa")
    assert found < places(IDF, 5).mean()
