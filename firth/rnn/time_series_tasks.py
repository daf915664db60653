"""Four questions to a series, asked of the same days of electricity demand.

    forecasting         what will the next half-hours be?   `firth.rnn.forecasting`
    classification      was this whole day a workday?       logistic regression on its shape
    event detection     has a hot day begun?                a threshold on the demand
    anomaly detection   which days differ from a forecast?  a line and a threshold

Each has a baseline that needs no learning: always the more frequent label, never an event, no odd
day. Every threshold is chosen on January to August; what the page shows comes later.
"""

from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int, Num
from numpy import ndarray as Array

from .forecasting import DAY, known, linear, periods

HOT = 30.0  # °C in Melbourne


class Found(NamedTuple):
    """For each day: what was true, what was found, and whether the day counts in the test."""

    day: Array
    truth: Int[Array, " n"]
    found: Int[Array, " n"]
    asked: Bool[Array, " n"]

    @property
    def accuracy(self) -> float:
        """The share of the tested days that were classified correctly."""
        return float((self.truth == self.found)[self.asked].mean())

    @property
    def commonest(self) -> float:
        """The accuracy of a baseline that gives every tested day the more frequent label."""
        return float(max(np.bincount(self.truth[self.asked])) / self.asked.sum())

    @property
    def precision(self) -> float:
        """The share of the reported days that really have the event; NaN if none was reported."""
        reported = self.asked & (self.found == 1)
        return float(self.truth[reported].mean()) if reported.any() else float("nan")

    @property
    def recall(self) -> float:
        """The share of the days with the event that were reported; NaN if there is none."""
        there = self.asked & (self.truth == 1)
        return float(self.found[there].mean()) if there.any() else float("nan")

    def mistaken(self) -> list[str]:
        """A list of the dates of the tested days that were classified wrongly."""
        return [str(day) for day in self.day[self.asked & (self.truth != self.found)]]


def curves(x: Num[Array, " n"]) -> Float[Array, "days 48"]:
    """An array with a row of 48 half-hours for each day of a series.

    >>> curves(np.arange(96)).shape
    (2, 48)
    """
    if len(x) % DAY:
        raise ValueError(f"{len(x)} half-hours are no whole days: cut the series at midnight.")
    return x.reshape(-1, DAY).astype(float)


def days_and_periods(table: dict[str, Array]) -> tuple[Array, dict[str, Bool[Array, " days"]]]:
    """The dates of all days, and a dict of three masks that say which days belong to a period.

    The models are fitted to "past", settings are chosen on "choice" (the validation), and "test" is
    the rest. `table` has the column "time".
    """
    return table["time"][::DAY].astype("datetime64[D]"), {
        name: part[::DAY] for name, part in periods(table["time"]).items()
    }


def workdays(table: dict[str, Array]) -> Found:
    """The result of a classification: is a day a workday, judged by the shape of its demand?

    A logistic regression learns it on the past. The shape is the demand minus its mean.
    """
    from sklearn.linear_model import LogisticRegression  # takes a second to import

    day, parts = days_and_periods(table)
    shapes = curves(table["demand"])
    shapes -= shapes.mean(axis=1, keepdims=True)
    truth = table["workday"][::DAY].astype(int)
    model = LogisticRegression(C=10.0, max_iter=2000).fit(
        shapes[parts["past"]], truth[parts["past"]]
    )
    return Found(day, truth, model.predict(shapes).astype(int), ~parts["past"])


def heat(table: dict[str, Array], run: int = 4) -> Found:
    """The result of an event detection: days of 30 °C and more, detected from the demand alone.

    Demand is compared with the median of the same half-hour on the last four days of that kind. A
    day is reported once its demand has stayed above a level for `run` half-hours.
    """
    day, parts = days_and_periods(table)
    truth = (curves(table["temperature"]).max(axis=1) >= HOT).astype(int)
    level = heat_level(
        truth[parts["past"]], sustained_height(excess_demand(table), run)[parts["past"]]
    )
    return Found(
        day,
        truth,
        (sustained_height(excess_demand(table), run) >= level).astype(int),
        ~parts["past"],
    )


def heat_level(truth: Int[Array, " n"], height: Float[Array, " n"]) -> float:
    """The level with the best F score: days that stay above it are reported as hot.

    `truth` is 1 for a hot day, and `height` is the demand that a day keeps up, from
    `sustained_height`.

    >>> heat_level(np.array([0, 1, 1]), np.array([1.0, 2.0, 3.0]))
    2.0
    """
    return float(max(np.unique(height), key=lambda x: f_score(truth, height >= x)))


def heat_delays(table: dict[str, Array], run: int = 4) -> Float[Array, " n"]:
    """The hours from the first 30 °C of a hot day to its report, for each reported hot day.

    Only days of the test are used. A negative number is a report before the heat: demand rises with
    the first warm hours of the day.
    """
    found, past = heat(table, run), days_and_periods(table)[1]["past"]
    level = heat_level(found.truth[past], sustained_height(excess_demand(table), run)[past])
    above = np.lib.stride_tricks.sliding_window_view(excess_demand(table), run, axis=1).min(axis=2)
    hot = curves(table["temperature"]) >= HOT
    both = found.asked & (found.truth == 1) & (found.found == 1)
    reported = (above >= level)[both].argmax(axis=1) + run - 1
    return (reported - hot[both].argmax(axis=1)) / 2


def excess_demand(table: dict[str, Array]) -> Float[Array, "days 48"]:
    """Each day's demand minus the median of the last four days of its kind, workday or not."""
    shapes, kind = curves(table["demand"]), table["workday"][::DAY]
    above = np.zeros_like(shapes)
    for i, shape in enumerate(shapes):
        before = np.flatnonzero(kind[:i] == kind[i])[-4:]
        if len(before):
            above[i] = shape - np.median(shapes[before], axis=0)
    return above


def sustained_height(x: Float[Array, "days steps"], run: int) -> Float[Array, " days"]:
    """The largest value that each day does not fall below for `run` half-hours in a row.

    >>> sustained_height(np.array([[5.0, 0.0, 3.0, 2.0]]), run=2)
    array([2.])
    """
    return np.lib.stride_tricks.sliding_window_view(x, run, axis=1).min(axis=2).max(axis=1)


def f_score(truth: Int[Array, " n"], found: Bool[Array, " n"]) -> float:
    """The F score of a detection: 2 hits / (2 hits + false alarms + misses).

    >>> f_score(np.array([1, 1, 0]), np.array([True, False, True]))
    0.5
    """
    hits = (truth * found).sum()
    return float(2 * hits / max(1, truth.sum() + found.sum()))


def holidays(table: dict[str, Array], spreads: float = 3.0) -> Found:
    """The result of an anomaly detection: weekdays with far less demand than was forecast for them.

    The forecast is linear and a day ahead. It knows the weather and assumes that people work from
    Monday to Friday. A day is an anomaly if its mean error lies `spreads` spreads below 0. The
    spread comes from the median error of the past, so that the anomalies themselves do not make it
    larger. Days of the weekend are not tested.
    """
    day, parts = days_and_periods(table)
    weekday = (day.astype(int) + 3) % 7 < 5  # day 0 of NumPy's calendar was a Thursday
    believed = table | {"workday": np.repeat(weekday, DAY).astype(int)}
    y, past = table["demand"], periods(table["time"])["past"]
    error = curves(y - linear(known(believed, DAY, "covariates"), y, past)).mean(axis=1)
    has_forecast = ~np.isnan(error)
    spread = 1.4826 * np.median(
        abs(error[has_forecast & parts["past"]])
    )  # 1 for a normal deviation of 1
    odd = weekday & (error < -spreads * spread)
    holiday = weekday & (table["workday"][::DAY] == 0)
    return Found(day, holiday.astype(int), odd.astype(int), has_forecast & ~parts["past"] & weekday)
