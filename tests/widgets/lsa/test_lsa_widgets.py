"""The views of chapter 1: a window that counts, a table of rank k, two arrows."""

import numpy as np
import pytest

from firth.lsa import counts
from firth.widgets.lsa.context_window import CHOSEN, LsaWindow
from firth.widgets.lsa.low_rank import LsaRank
from firth.widgets.lsa.similarity import FRUIT, LsaSimilarity


@pytest.mark.parametrize("m", range(1, 6))
def test_at_the_end_the_window_has_counted_what_cooccurrence_counts(m):
    window = LsaWindow(m=m)
    window.centre = len(window.words) - 1
    ids = counts.word_ids(window.words, CHOSEN)
    whole = counts.cooccurrence(ids, len(CHOSEN), m).toarray()
    np.testing.assert_array_equal(window.answer()["counts"], whole)
    assert (whole == whole.T).all()


def test_the_row_read_out_stands_in_order_of_its_counts():
    window = LsaWindow(m=2, reading="light")
    window.centre = len(window.words) - 1
    assert window.answer()["company"] == "cold 2, thin 2"


def test_every_chosen_word_has_company_among_the_chosen():
    window = LsaWindow()
    window.centre = len(window.words) - 1
    counted = dict(zip(CHOSEN, window.answer()["counts"], strict=True))
    assert [word for word, row in counted.items() if not any(row)] == []
    assert window.reading == "red" and window.answer()["company"] == "star 4, gave 1"


def test_two_patterns_know_that_human_and_user_belong_together():
    ranked = LsaRank(k=9, item="human")
    (counted, rebuilt), _ = ranked.answer()["correlations"]
    assert counted == pytest.approx(rebuilt, abs=1e-4) == pytest.approx(-0.378, abs=1e-3)
    assert ranked.answer()["error"] == 0
    ranked.k = 2
    (_, rebuilt), (_, other) = ranked.answer()["correlations"]
    assert rebuilt == pytest.approx(0.94, abs=5e-3) and other == pytest.approx(-0.83, abs=5e-3)
    assert "user" in ranked.answer()["neighbours"]


@pytest.mark.parametrize(
    ("pair", "dot", "scaled", "cosine", "angle"),
    [
        (("cherry", "tomato"), 12, 8.49, 0.97, 14),
        (("cherry", "smartphone"), 3, 2.12, 0.24, 76),
        (("tomato", "smartphone"), 0, 0, 0, 90),
    ],
)
def test_S3_S4_S5_the_lab_shows_the_three_measures(pair, dot, scaled, cosine, angle):
    x, y = (list(map(float, FRUIT[word])) for word in pair)
    shown = LsaSimilarity(x=x, y=y).answer()
    assert shown["dot"] == dot and round(shown["scaled"], 2) == scaled
    assert round(shown["cosine"], 2) == cosine and round(shown["angle"]) == angle


@pytest.mark.parametrize(
    ("question", "x", "y", "met"),
    [
        (0, [0, 4], [0, 3], False),  # the cosine grew too
        (0, [1, 4], [0, 4], True),
        (1, [0, 4], [0, 3], False),  # the dot product is as it was
        (1, [1, 3], [0, 3], False),  # it shrank, and so did the cosine
        (1, [0, 2], [0, 3], True),
        (2, [0, 0], [0, 3], False),  # no arrow, no right angle
        (2, [2, 0], [0, 3], True),
        (3, [1, 4], [0, 3], False),  # nothing changed
        (3, [4, 4], [0, 3], True),
        (4, [-2, 0], [0, 3], False),
        (4, [1, -2], [0, 3], True),
    ],
)
def test_a_question_is_answered_by_the_arrows_it_asks_for(question, x, y, met):
    since = [[1, 4], [0, 3]]
    lab = LsaSimilarity(x=x, y=y, question=question, since=since)
    assert lab.answer()["met"] is met
