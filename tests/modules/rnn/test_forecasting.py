"""Forecasts: what may be known, what it is worth, and that nothing looks ahead unsaid."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression

from experiments.rnn import forecasting as training
from firth.rnn import forecasting, time_series_tasks
from firth.rnn.forecasting import (
    DAY,
    MODELS,
    WEEK,
    alike,
    known,
    linear,
    mae,
    mase,
    periods,
    seasonal_naive,
    shift,
    smoothed,
    standardise,
)
from firth.store import corpora
from firth.store.results import stored_result

TABLE = corpora.electricity()
Y, PARTS = TABLE["demand"], periods(TABLE["time"])
STORED = stored_result("rnn/forecasting")["rows"]


def cut(n):
    return {name: values[:n] for name, values in TABLE.items()}


def test_R12_the_three_periods_follow_each_other():
    ends = [TABLE["time"][part] for part in PARTS.values()]
    assert ends[0].max() < ends[1].min() and ends[1].max() < ends[2].min()
    assert sum(part.sum() for part in PARTS.values()) == len(Y)


@pytest.mark.parametrize("model", ["own past", "several series"])
@pytest.mark.parametrize("a", [1, DAY])
def test_R12_no_row_knows_demand_or_temperature_after_the_moment_of_the_forecast(a, model):
    t, now = 1000, 1000 - a
    changed = {name: values.copy() for name, values in cut(1100).items()}
    for name in ("demand", "temperature"):
        changed[name][now + 1 :] += 5
    np.testing.assert_array_equal(known(changed, a, model)[t], known(cut(1100), a, model)[t])
    changed["demand"][now] += 5
    assert (known(changed, a, model)[t] != known(cut(1100), a, model)[t]).any()


def test_R12_covariates_know_the_temperature_at_t_and_say_so():
    changed = cut(1100) | {"temperature": cut(1100)["temperature"].copy()}
    changed["temperature"][1000] += 5
    rows = [known(table, DAY, "covariates")[1000] for table in (changed, cut(1100))]
    assert (rows[0] != rows[1]).any()
    assert "never wrong" in known.__doc__


@given(st.integers(0, 99), st.integers(1, 4))
def test_the_linear_model_is_that_of_scikit_learn(seed, p):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(40, p)), rng.normal(size=40)
    X[:3, 0] = np.nan
    past = np.arange(40) < 25
    theirs = LinearRegression().fit(X[3:25], y[3:25]).predict(X[3:])
    np.testing.assert_allclose(linear(X, y, past)[3:], theirs, atol=1e-9)
    assert np.isnan(linear(X, y, past)[:3]).all()


@given(st.integers(0, 99))
def test_the_future_changes_neither_scaling_nor_weights(seed):
    rng = np.random.default_rng(seed)
    X, y, past = rng.normal(size=(30, 2)), rng.normal(size=30), np.arange(30) < 20
    other = np.where(past[:, None], X, X * 9 + 5)
    np.testing.assert_array_equal(standardise(X, past)[past], standardise(other, past)[past])
    np.testing.assert_array_equal(
        linear(X, y, past)[past], linear(other, np.where(past, y, -y), past)[past]
    )


def test_R12_last_week_is_a_better_guess_than_yesterday_and_both_are_poor_a_step_ahead():
    naive, day, week = (mae(Y, seasonal_naive(Y, 1, s), PARTS["test"]) for s in (1, DAY, WEEK))
    assert naive < week < day
    assert mase(Y, seasonal_naive(Y, 1, WEEK), PARTS["test"], PARTS["past"]) == pytest.approx(
        0.81, abs=0.01
    )


def errors(a):
    return {m: mae(Y, linear(known(TABLE, a, m), Y, PARTS["past"]), PARTS["test"]) for m in MODELS}


def test_R12_three_models_beat_last_week_and_a_known_temperature_helps_a_day_ahead():
    week = mae(Y, seasonal_naive(Y, DAY, WEEK), PARTS["test"])
    ours = errors(DAY)
    assert max(ours.values()) < week
    assert ours["covariates"] < ours["several series"] < ours["own past"]
    assert max(errors(1).values()) < 0.15 * week


def stored(learner, a, model):
    found = [r for r in STORED if (r["learner"], r["ahead"], r["model"]) == (learner, a, model)]
    return [row["test"] for row in found]


def network(a, model):
    """The test errors of the network at the rate that was better on September and October."""
    mine = [r for r in STORED if (r["learner"], r["ahead"], r["model"]) == ("LSTM", a, model)]
    first = {r["rate"]: r["choice"] for r in mine if r["seed"] == 0}
    assert set(first) == set(training.RATES)
    rate = min(first, key=first.get)
    return [r["test"] for r in mine if r["rate"] == rate]


@pytest.mark.parametrize("a", [1, DAY])
@pytest.mark.parametrize("model", MODELS)
def test_R12_every_run_is_stored_and_beats_the_seasonal_naive(a, model):
    assert len(network(a, model)) == 3 and len(stored("trees", a, model)) == 1
    assert max(network(a, model)) < mae(Y, seasonal_naive(Y, a, WEEK), PARTS["test"])


def test_R12_every_network_was_trained_until_its_error_was_flat():
    curves = [row["curve"] for row in STORED if row["learner"] == "LSTM"]
    assert curves and all(training.is_flat(curve, training.SETTINGS) for curve in curves)


def test_R12_with_all_that_is_known_the_network_beats_lines_and_trees_a_day_ahead():
    assert max(network(DAY, "covariates")) < errors(DAY)["covariates"]
    assert max(network(DAY, "covariates")) < min(stored("trees", DAY, "covariates"))
    assert max(network(DAY, "covariates")) < min(network(DAY, "own past"))


def test_R12_break_it_a_shuffled_split_looks_far_better_than_it_is():
    X = known(TABLE, DAY, "covariates", lags=1)
    seen = np.random.default_rng(0).random(len(Y)) < 0.8
    honest = mae(Y, alike(X, Y, PARTS["past"]), PARTS["test"])
    leaky = mae(Y, alike(X, Y, seen), ~seen & PARTS["test"])  # the same months
    assert leaky < 0.7 * honest


def test_R12_break_it_a_centred_mean_knows_the_answer():
    def told(z):
        lags = np.column_stack([shift(z, k) for k in range(1, 49)])
        return mae(Y, linear(lags, Y, PARTS["past"]), PARTS["test"])

    assert told(smoothed(Y, 2)) < told(Y) / 3


@settings(max_examples=20)
@given(st.integers(0, 9), st.integers(1, 3))
def test_a_centred_mean_is_that_of_a_slow_loop(seed, half):
    y = np.random.default_rng(seed).normal(size=20)
    for t, mean in enumerate(smoothed(y, half)):
        inside = half <= t < 20 - half
        assert (
            mean == pytest.approx(y[t - half : t + half + 1].mean()) if inside else np.isnan(mean)
        )


@pytest.mark.night
def test_R12_a_short_training_beats_the_naive_forecast():
    short = dict(least=30, most=30, look=30, batch=8)
    row = training.run(TABLE, 1, "own past", seed=5, rate=0.005, **short)
    assert row["test"] < mae(Y, seasonal_naive(Y, 1, 1), PARTS["test"])


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: known(cut(300), 1, "own past"), "too short to look a week back"),
        (lambda: shift(Y[:3], 3), "look less far"),
        (lambda: seasonal_naive(Y, 48, 24), "take s ≥ 48"),
        (lambda: seasonal_naive(Y, 0, 24), "1 step ahead or more"),
        (lambda: linear(np.ones((3, 4)), np.ones(3), np.array([True] * 3)), "cannot fix 5 weights"),
        (lambda: mae(Y[:3], np.full(3, np.nan), np.array([True] * 3)), "no forecast"),
        (lambda: time_series_tasks.curves(Y[:50]), "no whole days"),
    ],
)
def test_bad_input_is_answered_with_what_to_do(wrong, said):
    with pytest.raises(ValueError, match=said):
        wrong()


def test_R14_classification_a_day_is_told_by_its_shape_and_errs_where_people_were_on_holiday():
    found = time_series_tasks.workdays(TABLE)
    assert found.accuracy > 0.95 > 0.75 > found.commonest
    assert set(found.mistaken()) <= {f"2014-12-{day}" for day in (24, 29, 30, 31)}


def test_R14_event_detection_finds_half_of_the_hot_days_with_few_false_alarms():
    found = time_series_tasks.heat(TABLE)
    assert not (found.asked & PARTS["past"][::DAY]).any()
    assert found.precision > 0.7 and found.recall >= 0.4
    assert found.accuracy > found.commonest


def test_R14_the_report_of_a_hot_day_comes_hours_after_the_heat():
    found, delays = time_series_tasks.heat(TABLE), time_series_tasks.heat_delays(TABLE)
    assert len(delays) == (found.asked & (found.truth == 1) & (found.found == 1)).sum()
    assert 1 < np.median(delays) < 4 and delays.min() >= 0


def test_R14_anomaly_detection_finds_every_holiday_and_accuracy_would_not_show_it():
    found = time_series_tasks.holidays(TABLE)
    assert found.recall == 1 and 0 < found.precision < 0.5
    assert not (found.asked & (found.day < np.datetime64("2014-09-01"))).any()  # nothing learned
    assert found.accuracy < found.commonest  # whoever reports nothing is right more often
    assert {"2014-11-03", "2014-12-24", "2014-12-29"} <= set(
        found.mistaken()
    )  # bridges, no holidays


def test_R14_forecasting_is_the_first_of_the_four():
    assert mae(Y, linear(known(TABLE, 1, "own past"), Y, PARTS["past"]), PARTS["test"]) < 0.035


def test_demand_is_compared_with_days_of_its_kind_before_it():
    above = time_series_tasks.excess_demand(TABLE)
    kind = TABLE["workday"][::DAY]
    shapes = time_series_tasks.curves(Y)
    before = [i for i in range(100) if kind[i] == kind[100]][-4:]
    np.testing.assert_allclose(above[100], shapes[100] - np.median(shapes[before], axis=0))


def test_what_stands_beside_a_module_is_said_in_it():
    assert "MASE" in forecasting.__doc__ and training.FILE.exists()
