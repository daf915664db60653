"""What chapter 3 owes its facts, looked for where the reader will look: among the outputs."""

import re

import pytest
from pages import page, shows

CHAPTER = "03_rnn"


def test_R1_a_row_of_units_for_each_step_and_not_one_flat_row():
    shows(CHAPTER, "states: (100, 64) glued end to end: (6400,)")


def test_R2_the_slides_step_cannot_run_and_the_mended_one_is_the_modules():
    shows(CHAPTER, "s is read before it is set True")


def test_R3_the_gradient_is_the_sum_of_the_contributions_of_all_steps():
    shows(CHAPTER, "∂J/∂U is the sum of its parts: True")
    shows(CHAPTER, "by X, h₀, W, U and b as PyTorch has it: [True, True, True, True, True]")
    parts = re.search(r"length of the four parts: \[([\d. ]+)\]", page(CHAPTER))
    assert len(parts[1].split()) == 4


def test_R5_only_the_reset_after_the_product_is_pytorchs():
    shows(
        CHAPTER, "reset after : equal to PyTorch's True", "reset before: equal to PyTorch's False"
    )


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
    shows(CHAPTER, row)


def test_R8_all_states_or_the_last_and_a_batch_has_an_axis():
    shows(CHAPTER, "all: (8, 120, 16) the last: (8, 16)")


def test_R4_a_loss_is_a_mean_over_time():
    each, mean = re.search(
        r"each step: \[([\d. ]+)\] mean over time: ([\d.]+)", page(CHAPTER)
    ).groups()
    each = [float(x) for x in each.split()]
    assert abs(sum(each) / len(each) - float(mean)) < 0.01


def test_R11_invented_names_are_counted_before_any_are_left_out():
    rows = re.findall(r"(0\.30|0\.50|0\.70|1\.00|1\.30) (\d+)% (\d+)% ([\d.]+)", page(CHAPTER))
    assert len(rows) == 5
    assert all(float(distance) > 1 for *_, distance in rows)
    assert re.search(r"720, accents 1\.\d\d 1\.\d\d", page(CHAPTER))
    assert re.search(r"2,378, folded 1\.\d\d 1\.\d\d", page(CHAPTER))


def test_R12_three_models_stand_beside_naive_and_seasonal_naive():
    shows(CHAPTER, "naive, as it was then", "naive, as a week ago")
    for learner in ("linear", "GRU"):
        for model in ("own past", "covariates", "several series"):
            assert re.search(rf"{learner}, {model} 0\.\d\d\d 0\.\d\d\d", page(CHAPTER))


def test_R12_whoever_knows_the_future_does_too_well():
    honest, shuffled, smoothed, without = map(
        float,
        re.search(
            r"honest ([\d.]+) shuffled ([\d.]+) honest split, smoothed column ([\d.]+) "
            r"honest split, without it ([\d.]+)",
            page(CHAPTER),
        ).groups(),
    )
    assert shuffled < honest and smoothed < without / 3


@pytest.mark.parametrize(
    "what",
    [
        "bag of words",
        "tf-idf",
        "LSA, k = 300",
        "mean of GloVe",
        "LSTM",
        "LSTM, both directions",
        "LSTM, two layers",
        "LSTM, recurrent dropout too",
        "LSTM, dropout, GloVe tuned",
    ],
)
def test_R13_networks_and_baselines_stand_side_by_side(what):
    share = re.search(rf" {re.escape(what)} (0\.\d\d) 0\.\d\d–0\.\d\d", page(CHAPTER))
    assert 0.5 < float(share[1]) < 1


def test_R14_four_tasks_each_have_their_example():
    told, commonest = re.search(
        r"told (\d+)%; always the commonest: (\d+)%", page(CHAPTER)
    ).groups()
    assert int(told) > int(commonest)
    shows(CHAPTER, "has a day of 30 °C and more begun", "which working days were odd?")
    assert "2014-12-25" in page(CHAPTER)


def test_R15_a_run_is_resumed_from_its_states_and_an_lstm_has_two():
    shows(CHAPTER, "resumed with both states, as in one go: True")
    shows(CHAPTER, "resumed with h alone: False")
    shows(CHAPTER, "from words to units, W 800,000", "from units to units, U 10,000")


def test_a_closed_gate_forgets_and_an_open_one_does_not():
    row = r" {} \S+ \S+ \S+ (\d)e([+-]\d\d)"
    closed = re.search(row.format("LSTM"), page(CHAPTER))
    opened = re.search(row.format("LSTM, forget gate open"), page(CHAPTER))
    assert int(closed[2]) < -10 <= 0 <= int(opened[2])
