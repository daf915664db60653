"""Four questions to a series, with the same days of electricity: what comes, which kind, when, odd?

    forecasting         what will the next half-hours be?         `firth.rnn.forecasting`
    classification      a whole day's curve → was it a workday?
    event detection     half-hour after half-hour → has a hot day begun?
    anomaly detection   a day unlike what a good forecast made of it → which days are odd?

Each has a guess that needs no learning, and has to beat it: the commonest label, an event on no
day, no day odd. Every threshold is drawn from January to August; what is shown comes later.
"""

from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int, Num
from numpy import ndarray as Array

from .forecasting import DAY, known, linear, periods

HOT = 30.0  # °C in Melbourne


class Found(NamedTuple):
    """What was looked for and what was found, a row a day."""

    day: Array
    truth: Int[Array, " n"]
    found: Int[Array, " n"]
    asked: Bool[Array, " n"]

    @property
    def accuracy(self) -> float:
        """The share of the asked days that were told."""
        return float((self.truth == self.found)[self.asked].mean())

    @property
    def commonest(self) -> float:
        """The same, for whoever says every day what is most often so."""
        return float(max(np.bincount(self.truth[self.asked])) / self.asked.sum())

    @property
    def precision(self) -> float:
        """Of the asked days that were reported, the share that was so; NaN if none was."""
        reported = self.asked & (self.found == 1)
        return float(self.truth[reported].mean()) if reported.any() else float("nan")

    @property
    def recall(self) -> float:
        """Of the asked days that were so, the share that was reported."""
        there = self.asked & (self.truth == 1)
        return float(self.found[there].mean()) if there.any() else float("nan")

    def mistaken(self) -> list[str]:
        """The asked days that were told wrongly."""
        return [str(day) for day in self.day[self.asked & (self.truth != self.found)]]


def curves(x: Num[Array, " n"]) -> Float[Array, "days 48"]:
    """A series as days, one a row.

    >>> curves(np.arange(96)).shape
    (2, 48)
    """
    if len(x) % DAY:
        raise ValueError(f"{len(x)} half-hours are no whole days: cut the series at midnight.")
    return x.reshape(-1, DAY).astype(float)


def by_day(table: dict[str, Array]) -> tuple[Array, dict[str, Bool[Array, " days"]]]:
    """The dates, and which of them are the past, for choosing, and the test."""
    return table["time"][::DAY].astype("datetime64[D]"), {
        name: part[::DAY] for name, part in periods(table["time"]).items()
    }


def workdays(table: dict[str, Array]) -> Found:
    """Classification: a workday or not, from the shape of the day's demand, its mean taken off."""
    from sklearn.linear_model import LogisticRegression  # takes a second, and few ask it

    day, parts = by_day(table)
    shapes = curves(table["demand"])
    shapes -= shapes.mean(axis=1, keepdims=True)
    truth = table["workday"][::DAY].astype(int)
    model = LogisticRegression(C=10.0, max_iter=2000).fit(
        shapes[parts["past"]], truth[parts["past"]]
    )
    return Found(day, truth, model.predict(shapes).astype(int), ~parts["past"])


def heat(table: dict[str, Array], run: int = 4) -> Found:
    """Event detection: a hot day, from demand alone, as soon as it shows.

    Demand is compared with the median of the same half-hour on the last four days of that kind; an
    event begins when it has been so far above for `run` half-hours. How far is chosen on the past:
    the height with the best F, the harmonic mean of precision and recall.
    """
    day, parts = by_day(table)
    truth = (curves(table["temperature"]).max(axis=1) >= HOT).astype(int)
    height = sustained(excess(table), run)
    past = parts["past"]
    levels = np.unique(height[past])
    level = max(levels, key=lambda x: f_score(truth[past], height[past] >= x))
    return Found(day, truth, (height >= level).astype(int), ~past)


def excess(table: dict[str, Array]) -> Float[Array, "days 48"]:
    """Each day's demand above the median of the four days of its kind (workday or not) before."""
    shapes, kind = curves(table["demand"]), table["workday"][::DAY]
    above = np.zeros_like(shapes)
    for i, shape in enumerate(shapes):
        before = np.flatnonzero(kind[:i] == kind[i])[-4:]
        if len(before):
            above[i] = shape - np.median(shapes[before], axis=0)
    return above


def sustained(x: Float[Array, "days steps"], run: int) -> Float[Array, " days"]:
    """The height that each day keeps up for `run` half-hours on end.

    >>> sustained(np.array([[5.0, 0.0, 3.0, 2.0]]), run=2)
    array([2.])
    """
    return np.lib.stride_tricks.sliding_window_view(x, run, axis=1).min(axis=2).max(axis=1)


def f_score(truth: Int[Array, " n"], found: Bool[Array, " n"]) -> float:
    """2 hits / (2 hits + false alarms + misses).

    >>> f_score(np.array([1, 1, 0]), np.array([True, False, True]))
    0.5
    """
    hits = (truth * found).sum()
    return float(2 * hits / max(1, truth.sum() + found.sum()))


def holidays(table: dict[str, Array], spreads: float = 3.0) -> Found:
    """Anomaly detection: the Mondays to Fridays on which people used far less than was forecast.

    The forecaster, linear and a day ahead, knows the weather and believes that everyone works from
    Monday to Friday. Odd is a day whose mean error lies `spreads` spreads below 0. The spread is
    had from the median error of the past, so that the odd days do not widen it themselves.
    """
    day, parts = by_day(table)
    weekday = (day.astype(int) + 3) % 7 < 5  # day 0 of NumPy's calendar was a Thursday
    believed = table | {"workday": np.repeat(weekday, DAY).astype(int)}
    y, past = table["demand"], periods(table["time"])["past"]
    error = curves(y - linear(known(believed, DAY, "covariates"), y, past)).mean(axis=1)
    told = ~np.isnan(error)
    spread = 1.4826 * np.median(abs(error[told & parts["past"]]))  # 1 for a normal deviation of 1
    odd = weekday & (error < -spreads * spread)
    holiday = weekday & (table["workday"][::DAY] == 0)
    return Found(day, holiday.astype(int), odd.astype(int), told & ~parts["past"])
