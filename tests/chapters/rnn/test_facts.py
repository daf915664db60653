"""What chapter 3 owes its facts, looked for where the reader will look: among the outputs."""

import re

import numpy as np
import pytest
from pages import page, shows

PAGE = "03_rnn_deeper"


def numbers(text: str) -> list[float]:
    return [float(x) for x in re.findall(r"-?\d+\.\d+", text)]


def test_R1_a_row_of_units_for_each_step_and_not_one_flat_row():
    shows(PAGE, "np.stack: (100, 64) np.concatenate: (6400,)")


def test_R2_the_step_with_two_names_for_its_hidden_state_cannot_run():
    shows(PAGE, "cannot access local variable 's'")


def test_R3_the_gradient_is_the_sum_of_the_contributions_of_all_steps():
    parts = re.search(r"length of the four parts: \[([\d. ]+)\]", page(PAGE))
    assert len(parts[1].split()) == 4
    ours, theirs = re.search(
        r"length of their sum: (\d\.\d+) PyTorch's ∂J/∂U: (\d\.\d+)", page(PAGE)
    ).groups()
    assert ours == theirs


def test_R4_a_loss_is_a_mean_over_time():
    each, mean = re.search(
        r"each step: \[([\d. ]+)\] mean over time: ([\d.]+)", page(PAGE)
    ).groups()
    assert abs(np.mean(numbers(each)) - float(mean)) < 0.01


def test_R5_only_the_reset_after_the_product_is_pytorchs_and_the_other_is_a_loops():
    found = {
        name: re.search(rf"{name}: \[([-\d. ]+)\]", page(PAGE))[1].split()
        for name in ("PyTorch", "after", r"\] before", "loop, before")
    }
    assert found["PyTorch"] == found["after"] != found[r"\] before"] == found["loop, before"]


@pytest.mark.parametrize(
    "row",
    [
        "six kinds, Keras 320,000 33,024 33,024 390 386,438",
        "six kinds, PyTorch 320,000 33,280 33,280 390",
        "two directions, Keras 2,560,000 98,816 98,816 129 2,757,761",
        "two directions, PyTorch 2,560,000 99,328 99,328 129",
    ],
)
def test_R6_R7_the_parameters_are_counted_with_one_bias_and_with_two(row):
    shows(PAGE, row)


def test_R8_all_states_or_the_last_and_a_batch_has_an_axis():
    shows(PAGE, "all: (8, 120, 16) the last: (8, 16)")


def test_R11_invented_names_are_counted_before_any_are_left_out():
    rows = re.findall(r"(0\.3|0\.5|0\.7|1\.0|1\.3) (\d+)% (\d+)% ([\d.]+)", page(PAGE))
    assert len(rows) == 5
    assert all(float(distance) > 1 for *_, distance in rows)


def test_R11_the_smoothing_decides_who_wins_between_counts_and_the_network():
    row = r"{} (1\.\d\d) (1\.\d\d) [45] of 5 (1\.\d\d) 0 of 5"
    for names in ("720, accents", "720, folded", "2,378, folded"):
        network, simple, better = map(float, re.search(row.format(names), page(PAGE)).groups())
        assert better < network < simple


def test_R12_three_models_stand_beside_naive_and_seasonal_naive():
    number = r"(0\.\d\d\d)"
    for ahead in ("half an hour ahead", "a day ahead"):
        rows = page(PAGE).partition(f"Mean absolute error in GW, {ahead} forecast")[2]
        naive = re.search(rf"as when last known {number}", rows)
        weekly = re.search(rf"as a week ago {number}", rows)
        line, network = (
            re.search(rf"{name} {number} {number} {number}", rows) for name in ("line", "LSTM")
        )
        assert float(naive[1]) and float(weekly[1])
        assert max(map(float, (*line.groups(), *network.groups()))) < float(naive[1])


def test_R12_a_forecast_that_knows_the_future_is_too_good():
    words = ("five similar, split in time", "five similar, split at random")
    words += ("line, with a smoothed column", "line, split in time")
    found = (re.search(rf"{name} (0\.\d\d)", page(PAGE)) for name in words)
    honest, shuffled, smoothed, without = (float(match[1]) for match in found)
    assert shuffled < 0.7 * honest and smoothed < without / 3


@pytest.mark.parametrize(
    "what",
    [
        "bag of words",
        "tf-idf",
        "mean of GloVe, tuned",
        "LSTM",
        "LSTM, both directions",
        "both directions, dropout, GloVe tuned",
    ],
)
def test_R13_networks_and_baselines_stand_side_by_side(what):
    share = re.search(rf" {re.escape(what)} (0\.\d\d) 0\.\d\d–0\.\d\d", page(PAGE))
    assert 0.5 < float(share[1]) < 1


def test_R13_differences_are_measured_on_the_same_sentences():
    row = r"{} {} [+−-]?0\.\d\d\d ([+-]0\.\d\d\d) to ([+-]0\.\d\d\d)"
    for one, other, clear in (
        ("tf-idf", "LSTM", True),
        ("tf-idf", "LSTM, both directions", True),
        ("both directions, dropout, GloVe tuned", "tf-idf", True),
        ("both directions, dropout, GloVe tuned", "mean of GloVe, tuned", False),
    ):
        low, high = re.search(row.format(one, other), page(PAGE)).groups()
        assert (float(low) > 0) is clear and float(high) > 0


def test_R14_four_tasks_each_have_their_example():
    shows(PAGE, "workdays, from the shape of the day: 85 of 122 days")
    shows(PAGE, "days of 30 °C and more, from demand alone: 12 of 122 days")
    shows(PAGE, "holidays from Monday to Friday, as days unlike their forecast: 3 of 88 days")
    right, usual = re.search(
        r"accuracy (\d+)%; always the more frequent answer (\d+)%", page(PAGE)
    ).groups()
    assert int(right) > int(usual)
    shows(PAGE, "2014-12-25 holiday", "2014-12-26 holiday")
    assert re.search(r"hours from the first 30 °C to the report: \[[\d. ]+\]", page(PAGE))


def test_R15_a_run_is_resumed_from_its_states_and_an_lstm_has_two():
    shows(PAGE, "resumed with h and c: 0.00")
    alone = re.search(r"resumed with h alone: (\d\.\d\d)", page(PAGE))
    assert float(alone[1]) > 0.05
    shows(PAGE, "from words to units, W 800,000", "from units to units, U 10,000")
    start, end = re.findall(r"distance from the wanted state (\d\.\d\d)", page(PAGE))
    assert float(end) < 0.1 < float(start)


def test_R15_the_library_resumes_a_run_in_the_chapter_too():
    shows("03_rnn", "resumed with h and c: off by 0.0")
