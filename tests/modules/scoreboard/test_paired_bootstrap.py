"""Contests: both sides answer the same draws, and luck is told from a lead."""

import json

import numpy as np
import pytest

from firth.scoreboard import paired_bootstrap, scoreboard
from firth.store import corpora


@pytest.fixture
def asked(monkeypatch):
    """200 pairs that are rated by chance, and what somebody answers who is right by halves."""
    rng = np.random.default_rng(0)
    ratings = rng.normal(size=200)
    rated = [("a", "b", rating) for rating in ratings]
    monkeypatch.setattr(corpora, "word_pairs", lambda name: rated)

    def answers(noise, told, seed):
        draw = np.random.default_rng(seed)
        cosines = ratings + noise * draw.normal(size=200)
        news = (draw.random(2000) < told).astype(float)
        return {"wordsim353": cosines, "simlex999": cosines, "news": news}

    return answers


def test_nobody_is_ahead_of_himself(asked):
    one = asked(1.0, 0.5, seed=1)
    assert set(paired_bootstrap.lead([one], [one]).values()) == {(0.0, 0.0)}


def test_whoever_is_ahead_is_so_in_nearly_all_draws_and_the_other_way_round_behind(asked):
    good, poor = asked(0.5, 0.7, seed=1), asked(2.0, 0.5, seed=2)
    ahead, behind = paired_bootstrap.lead([good], [poor]), paired_bootstrap.lead([poor], [good])
    for name, (low, high) in ahead.items():
        assert 0 < low < high
        assert behind[name] == pytest.approx((-high, -low))


def test_the_lead_on_headlines_has_the_standard_error_of_paired_shares(asked):
    a, b = asked(1.0, 0.6, seed=1), asked(1.0, 0.5, seed=2)
    low, high = paired_bootstrap.lead([a], [b], draws=4000)["news"]
    differences = a["news"] - b["news"]
    error = differences.std() / np.sqrt(2000)
    assert (high - low) / (2 * 1.96) == pytest.approx(error, rel=0.06)
    assert (low + high) / 2 == pytest.approx(differences.mean(), abs=error / 5)


def test_what_is_asked_of_both_alike_is_compared_more_finely(asked):
    """Two that share most of their mistakes: as if they had been asked different pairs, level."""
    one = asked(1.0, 0.5, seed=1)
    other = one | {"wordsim353": one["wordsim353"] + np.random.default_rng(9).normal(size=200) / 2}
    low, high = paired_bootstrap.lead([one], [other])["wordsim353"]
    apart = np.sqrt(2 / 197)  # Fisher's standard error of a difference, the pairs being different
    assert 0 < low < high < 1.96 * apart


def test_a_question_that_one_cannot_answer_is_put_to_neither(asked):
    one, other = asked(1.0, 0.5, seed=1), asked(1.0, 0.5, seed=2)
    wild = {name: found.copy() for name, found in other.items()}
    short = {name: found.copy() for name, found in one.items()}
    short["wordsim353"][:100], wild["wordsim353"][:100] = np.nan, 1e9
    blank = {name: found.copy() for name, found in other.items()}
    blank["wordsim353"][:100] = np.nan
    assert paired_bootstrap.lead([short], [wild]) == paired_bootstrap.lead([short], [blank])


def test_several_runs_count_by_their_mean(asked):
    good, poor = asked(0.5, 0.7, seed=1), asked(2.0, 0.5, seed=2)
    both = paired_bootstrap.lead([good, poor], [poor])["wordsim353"]
    assert both == pytest.approx(np.array(paired_bootstrap.lead([good], [poor])["wordsim353"]) / 2)


def test_the_lead_over_nobody_is_refused(asked):
    with pytest.raises(ValueError, match="Nobody"):
        paired_bootstrap.lead([asked(1.0, 0.5, seed=1)], [])


def test_what_is_kept_is_given_again(tmp_path, monkeypatch):
    rated = [("a", "b", 3.0), ("a", "unheard", 9.0), ("a", "c", 2.0)]
    monkeypatch.setattr(corpora, "word_pairs", lambda name: rated)
    monkeypatch.setattr(scoreboard, "news_told", lambda place, vectors: np.array([True, False]))
    words, vectors, file = ["a", "b", "c"], np.array([[1, 0], [2, 0], [0, 1]]), tmp_path / "kept"
    for method in ("later", "first", "later"):
        score = paired_bootstrap.kept(method, words, vectors, file)
    assert score == scoreboard.score(words, vectors)
    found = paired_bootstrap.given(file)
    assert list(found) == ["first", "later"]
    np.testing.assert_array_equal(found["later"]["wordsim353"], [1, np.nan, 0])
    assert json.loads(file.read_text())["first"]["news"] == [1.0, 0.0]


def test_the_committed_answers_are_worth_what_the_board_says():
    told, rows = paired_bootstrap.given(), {row["method"]: row for row in scoreboard.read()}
    assert told.keys() == rows.keys()
    for method, found in told.items():
        for name, worth in scoreboard.summary(found).items():
            assert worth == pytest.approx(rows[method][name], abs=1e-3), (method, name)


def test_the_table_of_leads_is_read_in_the_order_of_the_board():
    lines, header = paired_bootstrap.leads([("PPMI + SVD", "counts + SVD")])
    low, high = (float(x) for x in lines[0][2].split(" to "))
    rows = {row["method"]: row for row in scoreboard.read()}
    lead = rows["PPMI + SVD"]["wordsim353"] - rows["counts + SVD"]["wordsim353"]
    assert len(lines[0]) == len(header) and 0 < low < lead < high
