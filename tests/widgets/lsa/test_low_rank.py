"""The tables of chapter 1 rebuilt from k directions: words, titles and sentences."""

import numpy as np
import pytest

from firth.lsa import example
from firth.widgets.lsa.low_rank import LsaRank
from tests.widgets.linear_attention.test_linear_attention_widgets import opened


def cosines(**choices) -> dict[str, float]:
    """The cosine of zorf with each other word, with two digits."""
    found = LsaRank(**choices).answer()["cosines"]
    pairs = zip(example.WORDS[1:], found, strict=True)
    return {word: round(value, 2) + 0.0 for word, value in pairs if value is not None}


def test_at_full_rank_a_view_opens_and_nothing_is_lost():
    for data, k in (("words", 5), ("titles", 9), ("sentences", 11)):
        view = LsaRank(data)
        assert view.k == view.answer()["rank"] == k
        assert view.answer()["error"] == 0 and view.answer()["kept"] == 100
        np.testing.assert_allclose(view.answer()["cells"], view.whole["X"], atol=1e-4)


@pytest.mark.parametrize(
    ("k", "expected"),
    [
        (5, {"tea": 0.66, "coffee": 0, "violin": 0, "drum": 0.07}),
        (3, {"tea": 0.67, "coffee": -0.01, "violin": 0, "drum": 0.07}),
        (2, {"tea": 1, "coffee": 0.99, "violin": 0.07, "drum": 0.11}),
        (1, {"tea": 1, "coffee": 1, "violin": 1, "drum": 1}),
    ],
)
def test_two_directions_bring_zorf_to_coffee_and_one_brings_it_to_everything(k, expected):
    assert cosines(k=k) == expected


def test_without_tea_zorf_stays_away_from_coffee_and_joins_the_drum():
    assert cosines(k=2, left_out=True) == {"coffee": 0, "violin": 1, "drum": 1}
    shown = LsaRank(k=2, left_out=True).answer()
    assert shown["points"][1] is None and shown["cells"][1] == [None] * 6
    assert shown["values"] == pytest.approx([6.06, 3.74, 3.03, 0.70, None], abs=0.005)


def test_the_spectrum_has_a_gap_after_the_second_direction():
    shown = LsaRank(k=2).answer()
    assert np.round(shown["values"], 2).tolist() == [7.24, 6.05, 3.34, 0.75, 0.47]
    assert round(shown["kept"]) == 88
    expected = [[1.87, 0.04], [6.35, -0.33], [2.89, -0.25], [0.19, 3.69], [0.42, 4.78]]
    np.testing.assert_allclose(shown["points"], expected, atol=0.005)


def test_the_original_table_can_be_shown_at_any_rank():
    view = LsaRank(k=1, original=True)
    assert view.answer()["cells"] == view.whole["X"]
    assert view.answer()["error"] > 0


def found(data: str, k: int) -> dict[str, float]:
    """Each row's cosine with the query."""
    view = LsaRank(data, k=k)
    return dict(zip(view.whole["rows"], view.answer()["near"], strict=True))


def test_a_query_finds_titles_that_share_no_word_with_it():
    near = found("titles", k=2)
    assert all((cosine > 0.9) == (title[0] == "c") for title, cosine in near.items())
    shown = LsaRank("titles", k=2).answer()
    counted = dict(zip([text[:2] for text in shown["ranked"]], shown["counted"], strict=True))
    assert shown["ranked"][0].startswith("c3") and counted["c3"] == counted["c5"] == 0


def test_coffee_finds_all_drinks_at_two_directions_and_loses_zorf_at_three():
    two, three = found("sentences", k=2), found("sentences", k=3)
    drinks, music = [str(n) for n in range(1, 14)], [str(n) for n in range(14, 20)]
    assert min(two[n] for n in drinks) == pytest.approx(0.98, abs=0.005)
    assert all(-0.075 < two[n] < -0.025 for n in music)
    assert two["20"] == pytest.approx(0.43, abs=0.005)
    zorf = [three[str(n)] for n in range(1, 6)]
    assert np.round([min(zorf), max(zorf)], 2).tolist() == [-0.64, -0.39]


def test_a_query_lies_where_a_row_with_the_same_words_would_lie():
    view = LsaRank("titles", k=2, query=["human", "interface", "computer"])  # these are title c1
    [star, point] = view.answer()["star"], view.answer()["points"][0]
    np.testing.assert_allclose(star, point, atol=1e-4)
    assert view.answer()["near"][0] == pytest.approx(1, abs=1e-4)


def test_a_query_of_no_words_finds_nothing():
    shown = LsaRank("titles", query=[]).answer()
    assert shown["star"] is None and not any(shown["near"])


def test_a_click_on_a_bar_of_the_spectrum_keeps_so_many_directions(chromium):
    page = opened(chromium, LsaRank("titles"))
    bars = page.locator(".bars li")
    for n in (bars.count() - 1, 1, 0):
        bars.nth(n).click()
        assert page.evaluate("state.k") == n + 1
    page.close()
