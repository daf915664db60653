"""The stored runs of all context sizes are whole, and each has the best of the rates it tried."""

import pytest
import torch

from experiments.attention import context_size
from experiments.attention.context_size import FIRST_RATE, KINDS, RATES, TRIAL_SEEDS
from firth.attention.seq2seq import Translator
from firth.store.results import stored_result

STORED = stored_result("attention/context_size")
ROWS = STORED["rows"]


def tried(d, kind, losses, seed=TRIAL_SEEDS[0]):
    """Rows of runs that tried a rate, with these validation losses by rate."""
    about = {"part": "rate", "d": d, "kind": kind, "seed": seed}
    return [about | {"rate": rate, "validation loss": loss} for rate, loss in losses.items()]


def test_rates_are_tried_until_the_best_one_has_a_worse_neighbour_on_each_side():
    low, here, high = RATES[2:5]
    first, _ = TRIAL_SEEDS
    assert context_size.next_trial([], 64, "none") == (first, FIRST_RATE)
    rows = tried(64, "none", {here: 2.0})
    assert context_size.next_trial(rows, 64, "none") == (first, low)
    rows += tried(64, "none", {low: 3.0})
    assert context_size.next_trial(rows, 64, "none") == (first, high)
    assert context_size.next_trial(rows + tried(64, "none", {high: 2.5}), 64, "none") is None
    rows += tried(64, "none", {high: 1.0})
    assert context_size.next_trial(rows, 64, "none") == (first, RATES[5])
    assert context_size.next_trial(rows, 32, "none") == (first, high)  # the best of the next size
    assert context_size.next_trial(rows, 32, "dot") == (first, FIRST_RATE)


def test_rates_that_are_nearly_equal_try_a_second_seed_and_the_mean_decides():
    low, here, high = RATES[2:5]
    _, second = TRIAL_SEEDS
    rows = tried(64, "none", {low: 3.0, here: 2.0, high: 2.01})
    rows += tried(64, "none", {RATES[5]: 4.0})
    assert context_size.next_trial(rows, 64, "none") == (second, here)
    rows += tried(64, "none", {here: 2.5}, second)
    assert context_size.next_trial(rows, 64, "none") == (second, high)
    rows += tried(64, "none", {high: 2.2}, second)
    assert context_size.next_trial(rows, 64, "none") is None
    assert context_size.chosen_rate(rows, 64, "none") == high


def test_at_the_end_of_the_rates_there_is_none_to_try():
    rows = tried(64, "dot", {RATES[-1]: 1.0, RATES[-2]: 2.0})
    assert context_size.next_trial(rows, 64, "dot") is None


def test_the_whole_grid_has_every_seed_once_and_no_run_is_repeated():
    rows, best = [], 0.03
    while wanted := context_size.next_run(rows):
        assert wanted not in {row["run"] for row in rows}
        about = dict(zip(("part", "d", "kind", "seed", "rate"), wanted, strict=True))
        rows.append(about | {"run": wanted, "validation loss": abs(wanted[-1] - best)})
    compared = [row for row in rows if row["part"] == "comparison"]
    assert len(compared) == 2 * (5 + 5 + 5 + 3)
    assert {row["d"] for row in compared if row["seed"] == 4} == {32, 64, 128}
    assert [row["run"][1:4] for row in rows if row["part"] == "longer"] == [*context_size.LONG]


def test_the_rate_of_every_stored_run_is_the_best_tried_and_not_at_the_edge():
    for row in ROWS:
        if row["part"] != "rate":
            assert row["rate"] == context_size.chosen_rate(ROWS, row["d"], row["kind"])
            losses = context_size.losses_by_rate(ROWS, row["d"], row["kind"])
            assert min(losses) < row["rate"] < max(losses)


def test_both_kinds_have_the_same_seeds_parameters_and_steps_at_every_size():
    compared = [row for row in ROWS if row["part"] == "comparison"]
    for d in {row["d"] for row in compared if row["kind"] == "dot"}:
        mine = [row for row in compared if row["d"] == d]
        seeds = [{row["seed"] for row in mine if row["kind"] == kind} for kind in KINDS]
        assert seeds[0] == seeds[1] and len(seeds[0]) >= 3
        assert len({row["parameters"] for row in mine}) == 1
        assert {row["steps"] for row in mine} == {STORED["settings"]["steps"]}


def test_every_compared_run_has_all_lengths_and_how_far_its_loss_still_fell():
    for row in (row for row in ROWS if row["part"] != "rate"):
        assert [at["pairs"] for at in row["lengths"]] == list(range(1, 13))
        found = row["validation losses"]
        assert len(found) == context_size.LOOKS
        fall = context_size.fall_in_last_third(found)
        assert row["fall in the last third"] == pytest.approx(fall, abs=1e-4)


def test_validation_numbers_are_held_out_and_the_loss_of_a_new_network_is_that_of_guessing():
    torch.manual_seed(0)
    net = Translator(4, 6, None)
    words = net.O.out_features
    assert context_size.validation_loss(net, 50) == pytest.approx(
        torch.tensor(words).log().item(), abs=0.2
    )


def test_validation_on_the_way_does_not_change_the_training(monkeypatch):
    small = {"numbers": 50, "batch": 8, "e": 4}
    monkeypatch.setattr(context_size, "SETTINGS", context_size.SETTINGS | small)
    _, losses, found = context_size.train(4, "dot", 0, 0.01, 15)
    assert len(losses) == len(found) == context_size.LOOKS
    monkeypatch.setattr(context_size, "LOOKS", 1)
    _, again, once = context_size.train(4, "dot", 0, 0.01, 15)
    assert again == losses and once == found[-1:]
