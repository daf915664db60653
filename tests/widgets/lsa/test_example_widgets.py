"""The widgets of chapter 1 that work on its twenty sentences."""

import numpy as np
import pytest

from firth.lsa import example
from firth.widgets.lsa.best_line import LsaBestLine
from firth.widgets.lsa.context_window import COLUMNS, LsaWindow
from firth.widgets.lsa.first_sentences import LsaFirstSentences
from firth.widgets.lsa.weighting import LsaWeighting


def test_tea_leads_from_the_first_sentence_to_the_last():
    view = LsaFirstSentences()
    assert view.reading == 0 and not any(view.answer()["cosines"])
    first, met = [], []
    for view.reading in range(1, 6):
        tea, *others = view.answer()["cosines"]
        assert tea > 2 * max(others)
        first.append(round(tea, 2))
        met.append(view.answer()["met"])
    assert first == [0.69, 0.69, 0.61, 0.69, 0.69]
    assert met == [["poured", "cup"], [], ["cup"], ["poured"], []]


def test_after_its_five_sentences_the_row_of_zorf_is_that_of_the_table():
    counted = LsaFirstSentences(reading=5).answer()["counts"]
    np.testing.assert_array_equal(counted, example.table(the=False)[0])


@pytest.mark.parametrize("m", range(1, 6))
def test_at_the_end_the_window_has_counted_the_table(m):
    shown = LsaWindow(m=m, centre=119).answer()
    np.testing.assert_array_equal(shown["counts"], example.table(m=m))
    assert shown["passed"] == shown["total"] == 120


def test_in_the_narrowest_window_hardly_anything_but_the_is_left():
    columns = np.array(LsaWindow(m=1, centre=119).answer()["counts"]).sum(axis=0)
    counted = {word: n for word, n in zip(COLUMNS, columns.tolist(), strict=True) if n}
    assert counted == {"hot": 3, "loud": 3, "the": 12}


def test_the_window_stops_at_the_end_of_a_sentence():
    shown = LsaWindow(m=5, centre=6).answer()
    assert (shown["word"], shown["neighbours"]) == ("cup", "she poured the zorf into a".split()[1:])
    shown = LsaWindow(m=5, centre=7).answer()
    assert (shown["word"], shown["neighbours"]) == ("we", "drank the zorf after dinner".split())


def test_the_most_similar_row_is_found_with_its_cosine():
    whole = {word: LsaWindow(centre=119, reading=word).answer() for word in example.WORDS}
    nearest = {word: shown["nearest"] for word, shown in whole.items()}
    assert nearest["zorf"] == "tea" and nearest["violin"] == "drum"
    assert whole["zorf"]["cosine"] == pytest.approx(0.78, abs=0.005)
    start = LsaWindow().answer()
    assert start["nearest"] == "no word yet" and start["cosine"] is None


@pytest.mark.parametrize(
    ("scheme", "cosines"),
    [
        ("counts", [0.78, 0.42, 0.42, 0.56]),
        ("idf", [0.66, 0, 0, 0.07]),
        ("PPMI", [0.58, 0.01, 0.01, 0.01]),
    ],
)
def test_a_weight_takes_away_the_similarity_that_the_made(scheme, cosines):
    assert np.round(LsaWeighting(scheme=scheme).answer()["cosines"], 2).tolist() == cosines


def test_idf_leaves_nothing_of_the_and_less_of_cup_than_of_the_others():
    view = LsaWeighting(scheme="idf")
    assert view.answer()["feet"] == ["1.32", "0.74", "1.32", "1.32", "1.32", "1.32", "0.00"]
    assert not any(row[-1] for row in view.answer()["weighted"])


@pytest.mark.parametrize(
    ("scheme", "cell", "line"),
    [
        ("counts", [4, 1], "drum – cup: they have met 1 time"),
        ("idf", [0, 1], "zorf – cup: 2 × log₂(5 / 3) = 2 × 0.74 = 1.47"),
        ("PPMI", [1, 2], "tea – hot: log₂(2 · 41 / (13 · 4)) = log₂ 1.58 = 0.66"),
        ("PPMI", [2, 2], "coffee – hot: log₂(2 · 41 / (6 · 4)) = log₂ 3.42 = 1.77"),
        ("PPMI", [0, 2], "zorf – hot: they have never met, so the cell is 0"),
        (
            "PPMI",
            [1, 6],
            "tea – the: log₂(3 · 41 / (13 · 13)) = log₂ 0.73 = −0.46, "
            "which is below 0, so the cell is 0",
        ),
    ],
)
def test_a_cell_shows_how_it_is_computed(scheme, cell, line):
    assert LsaWeighting(scheme=scheme, cell=cell).answer()["computation"] == line


@pytest.mark.parametrize(("angle", "total"), [(0, 13), (20, 10.4), (45, 9), (90, 13)])
def test_a_turned_line_loses_what_stands_on_paper(angle, total):
    assert LsaBestLine(angle=angle).answer()["total"] == pytest.approx(total, abs=0.05)


def test_the_best_line_is_the_diagonal_and_zorf_and_coffee_land_on_one_foot():
    shown = LsaBestLine(angle=45).answer()
    assert shown["optimum"] == pytest.approx(45) and shown["kept"] == pytest.approx(100 * 17 / 26)
    assert shown["feet"] == [[1.5, 1.5], [2, 2], [1.5, 1.5]]
    assert min(LsaBestLine(angle=angle).answer()["total"] for angle in range(91)) == shown["total"]


def test_the_least_so_far_is_what_the_best_angle_lost():
    shown = LsaBestLine(angle=0, best=20).answer()
    assert shown["total"] == pytest.approx(13) and shown["least"] == pytest.approx(10.4, abs=0.05)
