"""The choice of settings: where the search goes, and what follows from the stored rows."""

import pytest

from experiments.word2vec import tuning
from experiments.word2vec.training import COUNTING, PREDICTING, stored


def peaked(best_rate: float, window: int = 5, epochs: int = 5):
    """An accuracy that is largest at these settings, and the settings that were asked for."""
    asked = []

    def accuracy(settings):
        asked.append(settings)
        far = abs(settings["rate"] / best_rate - 1) + abs(settings["window"] - window) / 10
        return 0.6 - 0.1 * far - 0.2 * max(0, epochs - settings["epochs"]) / epochs

    return accuracy, asked


@pytest.mark.parametrize("rate", [0.025, 0.1, 0.4, 0.8, 0.0125 / 2])
@pytest.mark.parametrize(("window", "epochs"), [(2, 5), (10, 10), (5, 20)])
def test_the_search_finds_the_best_rate_window_and_epochs(rate, window, epochs):
    accuracy, _ = peaked(rate, window, epochs)
    found = tuning.searched(accuracy)
    assert found["rate"] == pytest.approx(rate)
    assert (found["window"], found["epochs"]) == (window, epochs)


def test_a_rate_at_the_end_of_the_list_is_followed_until_it_gets_worse():
    accuracy, asked = peaked(0.8)
    tuning.best_rate(accuracy, tuning.START, tuning.RATES)
    assert max(settings["rate"] for settings in asked) == 1.6


def test_half_and_twice_the_rate_are_tried_again_with_the_chosen_window_and_epochs():
    accuracy, asked = peaked(0.05, 10, 10)
    tuning.searched(accuracy)
    rates = {s["rate"] for s in asked if (s["window"], s["epochs"]) == (10, 10)}
    assert {0.025, 0.05, 0.1} <= rates


def test_a_larger_window_must_be_better_by_more_than_luck():
    near = {2: 0.5, 5: 0.6, 10: 0.609}
    assert tuning.smallest_window(lambda s: near[s["window"]], tuning.START)["window"] == 5
    near[10] = 0.611
    assert tuning.smallest_window(lambda s: near[s["window"]], tuning.START)["window"] == 10


def test_a_large_window_may_be_good_with_half_the_rate_only():
    best = {"window": 10, "rate": 0.025, "epochs": 5}
    assert tuning.smallest_window(lambda s: 0.5 + 0.1 * (s == best), tuning.START) == best


def test_epochs_are_doubled_only_while_that_helps_and_never_beyond_twenty():
    assert tuning.doubled_epochs(lambda s: 0.5, {"epochs": 5}) == {"epochs": 5}
    assert tuning.doubled_epochs(lambda s: s["epochs"] / 40, {"epochs": 5}) == {"epochs": 20}


def test_of_all_settings_the_best_with_the_smallest_good_window_is_taken():
    every = [{"window": 2, "power": 0.5}, {"window": 5, "power": 0.0}, {"window": 5, "power": 0.5}]
    assert tuning.smallest_of(list(zip((0.50, 0.595, 0.60), every, strict=True))) == every[2]
    assert tuning.smallest_of(list(zip((0.592, 0.595, 0.60), every, strict=True))) == every[0]


@pytest.mark.parametrize("method", [*COUNTING, *PREDICTING])
def test_the_stored_choice_follows_from_the_stored_rows(method):
    rows = [row for row in stored("tuning")["rows"] if row["method"] == method]

    def accuracy(settings):
        return next(row["accuracy"] for row in rows if settings.items() <= row.items())

    if method in COUNTING:
        found = tuning.smallest_of([(accuracy(each), each) for each in tuning.listed(method)])
    else:
        found = tuning.searched(accuracy)
    assert found == stored("tuning")["chosen"][method]
