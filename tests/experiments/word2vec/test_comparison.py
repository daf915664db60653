"""Counting beside predicting: what is stored follows from the chosen settings and from the runs."""

import numpy as np
import pytest

from experiments.word2vec import comparison, knobs, scoreboard_row
from experiments.word2vec.training import COUNTING, GENSIM, PREDICTING, counted, stored
from experiments.word2vec.training import corpus as corpus_of_the_scoreboard
from firth.scoreboard import paired_bootstrap, scoreboard


def difference(first: str, second: str) -> dict:
    """The stored row of two methods: the first less the second."""
    (found,) = (
        row
        for row in stored("comparison")["differences"]
        if (row["first"], row["second"]) == (first, second)
    )
    return found


def test_scores_and_differences_have_the_intervals_of_the_paired_bootstrap():
    rng, given = np.random.default_rng(0), paired_bootstrap.given()
    one = given["PPMI + SVD"]
    other = {name: found.copy() for name, found in given["counts + SVD"].items()}
    third = {name: found + rng.normal(size=len(found)) / 9 for name, found in one.items()}
    third["news"] = one["news"]
    runs = {"one": [one, third], "other": [other]}
    scores, (row,) = comparison.compared(runs)
    assert (row["first"], row["second"]) == ("one", "other")
    for name, (low, high) in paired_bootstrap.lead([one, third], [other]).items():
        assert row[name][1:] == pytest.approx([low, high], abs=6e-5)
        means = [each[name][0] for each in scores]
        assert row[name][0] == pytest.approx(means[0] - means[1], abs=2e-4)
        for each in scores:
            assert each[name][1] < each[name][0] < each[name][2]


def test_every_method_is_stored_with_its_chosen_settings_and_every_seed():
    rows, chosen = stored("comparison")["rows"], stored("tuning")["chosen"]
    for method in (*COUNTING, *PREDICTING):
        own = [row for row in rows if row["name"] == method]
        assert all(row["settings"] == chosen[method] for row in own)
        seeds = [row["seed"] for row in own if "seed" in row]
        assert seeds == ([] if method in COUNTING else list(comparison.SEEDS))
    defaults = {row["name"]: row["settings"] for row in rows if row["name"].endswith("settings")}
    assert defaults == {name: settings for name, (_, settings) in comparison.DEFAULTS.items()}


def test_the_stored_scores_are_means_of_the_rows_and_their_differences_fit():
    found = stored("comparison")
    mean = {
        (name, asked): np.mean([row[asked] for row in found["rows"] if row["name"] == name])
        for name in comparison.wanted() for asked in (*scoreboard.PAIRS, "news")
    }  # fmt: skip
    for row in found["scores"]:
        for asked in (*scoreboard.PAIRS, "news"):
            value, low, high = row[asked]
            assert value == pytest.approx(mean[row["name"], asked], abs=1e-4)
            assert low < value < high
    for row in found["differences"]:
        for asked in (*scoreboard.PAIRS, "news"):
            value, low, high = row[asked]
            apart = mean[row["first"], asked] - mean[row["second"], asked]
            assert value == pytest.approx(apart, abs=1e-4) and low <= value <= high


def test_the_scoreboard_has_the_first_seed_of_the_comparison():
    board = {row["method"]: row for row in scoreboard.read()}
    for name, method in scoreboard_row.METHODS.items():
        rows = stored("comparison")["rows"]
        (first,) = (row for row in rows if row["name"] == method and row["seed"] == 1)
        for asked in (*scoreboard.PAIRS, "news"):
            assert board[name][asked] == first[asked]
        assert board[name]["settings"] == scoreboard_row.written(first["settings"])


def test_counting_and_predicting_are_level_once_both_have_their_settings():
    found = difference("PPMI + SVD", "skip-gram")
    for asked in scoreboard.PAIRS:
        _, low, high = found[asked]
        assert low < 0.005 and high > -0.005
    assert abs(found["news"][0]) < 0.03
    default = difference("PPMI + SVD", "skip-gram, default settings")
    assert default["wordsim353"][1] > 0 and default["news"][1] > 0, "counting seemed to win"


def test_the_settings_of_skip_gram_matter_more_than_the_choice_of_skip_gram_or_counting():
    tuned = difference("skip-gram", "skip-gram, default settings")
    assert tuned["wordsim353"][1] > 0 and tuned["news"][1] > 0
    counting = difference("PPMI + SVD", "skip-gram")
    for asked in ("wordsim353", "news"):
        assert tuned[asked][0] > 2 * abs(counting[asked][0])


@pytest.mark.parametrize("cbow", ["CBOW", "corrected CBOW"])
def test_cbow_is_behind_skip_gram_on_all_three_with_a_rate_for_each(cbow):
    found = difference(cbow, "skip-gram")
    assert all(found[asked][2] < 0 for asked in (*scoreboard.PAIRS, "news"))
    level = difference("CBOW", "corrected CBOW")
    assert all(level[asked][1] < 0 < level[asked][2] for asked in scoreboard.PAIRS)


def test_skip_gram_is_as_good_as_gensims_with_the_same_settings():
    found = {row["name"]: row for row in stored("comparison")["scores"]}
    for asked in (*scoreboard.PAIRS, "news"):
        assert found["skip-gram"][asked][0] > found[GENSIM][asked][0] - 0.02


def test_a_counting_row_is_measured_again():
    """The table and its SVD have no seed, so one row can be made anew in a few seconds."""
    method = "PPMI + SVD"
    (row,) = (row for row in stored("comparison")["rows"] if row["name"] == method)
    found = scoreboard.score(corpus_of_the_scoreboard()[0], counted(method, **row["settings"]))
    for asked in (*scoreboard.PAIRS, "news"):
        assert found[asked] == pytest.approx(row[asked], abs=0.002)


def test_every_knob_is_turned_alone():
    usual = knobs.USUAL | {"window": 5, "rate": 0.1, "epochs": 5}
    every = knobs.changes(usual)
    single = every[1 : -len(knobs.SEVERAL)]
    assert every[0] == {} and all(len(change) == 1 for change in single)
    assert not any(change.items() <= usual.items() for change in single)
    assert [row["change"] for row in stored("knobs")["rows"]] == knobs.changes(
        stored("knobs")["usual"]
    )


def test_strong_sub_sampling_does_harm_only_with_too_little_training():
    rows = stored("knobs")["rows"]
    usual, few, faster, longer = (
        next(row["wordsim353"] for row in rows if row["change"] == change)
        for change in ({}, *knobs.SEVERAL)
    )
    assert few < 0.3 < 0.5 < min(usual, faster, longer)
    alone = next(row["wordsim353"] for row in rows if row["change"] == {"sample": 1e-5})
    assert alone > usual - 0.03
