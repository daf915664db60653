"""Forecasts of a series, and the baselines that a forecast has to beat.

    naive            ŷ_t = y_{t−a}                             a: steps between now and t
    seasonal naive   ŷ_t = y_{t−s}                             s ≥ a: a day, a week
    linear AR        ŷ_t = w₀ + w · (what is known of t at t − a)      least squares on the past
    MAE  = mean |y_t − ŷ_t|
    MASE = MAE / MAE of the weekly naive on the past           below 1: better than "as last week"

y is a series with a number for each step. Every table has one row for each t, with NaN where the
series does not reach back. All that is fitted, scaled or chosen uses the past alone.
`experiments/rnn/forecasting.py` trains an LSTM on the same rows.
"""

from typing import Literal

import numpy as np
from jaxtyping import Bool, Float, Int, Num
from numpy import ndarray as Array

Series = Float[Array, " n"]
Rows = Float[Array, "n p"]
Model = Literal["own past", "covariates", "several series"]

DAY, WEEK = 48, 336  # half-hours
MODELS: tuple[Model, ...] = ("own past", "covariates", "several series")
COMFORT = 18.0  # °C: above it people cool, below it they heat


def periods(time: Array) -> dict[str, Bool[Array, " n"]]:
    """A dict of three masks, one for each use: "past" (training), "choice" (validation) and "test".

    The past is January to August, the choice of a model September and October, the test November
    and December.

    >>> periods(np.array(["2014-03-01", "2014-12-24"], dtype="datetime64[m]"))["past"]
    array([ True, False])
    """
    month = time.astype("datetime64[M]").astype(int) % 12 + 1
    return {"past": month <= 8, "choice": (month == 9) | (month == 10), "test": month >= 11}


def shift(y: Num[Array, " n"], k: int) -> Series:
    """The series shifted by k steps: at t stands y_{t−k}, and NaN where there is none.

    >>> shift(np.array([3.0, 5.0, 4.0]), 1)
    array([nan,  3.,  5.])
    """
    if not 0 <= k < len(y):
        raise ValueError(
            f"{k} steps back is outside a series of {len(y)}: look less far, or take a longer one."
        )
    return np.concatenate([np.full(k, np.nan), y[: len(y) - k]])


def seasonal_naive(y: Num[Array, " n"], a: int, s: int) -> Series:
    """The forecast y_{t−s}, the value one season before; with s = a it is the naive forecast.

    A ValueError says that y_{t−s} is not yet known a steps before t.

    >>> seasonal_naive(np.array([3.0, 5.0, 4.0]), a=1, s=2)
    array([nan, nan,  3.])
    """
    if a < 1:
        raise ValueError(f"A forecast looks 1 step ahead or more, not {a}.")
    if s < a:
        raise ValueError(
            f"{a} steps ahead, what was {s} steps before is not yet known: take s ≥ {a}."
        )
    return shift(y, s)


def mae(y: Series, predicted: Series, part: Bool[Array, " n"]) -> float:
    """The mean absolute error of `predicted`, over the steps of `part` that have a forecast.

    >>> mae(np.array([1.0, 2.0, 4.0]), np.array([np.nan, 1.0, 1.0]), np.array([True, True, True]))
    2.0
    """
    errors = abs(y - predicted)[part & ~np.isnan(predicted)]
    if not len(errors):
        raise ValueError("There is no forecast in that part of the series: take an earlier start.")
    return float(errors.mean())


def mase(y: Series, predicted: Series, part: Bool[Array, " n"], past: Bool[Array, " n"]) -> float:
    """The MAE divided by the MAE of the weekly naive forecast on the past; below 1 it is better."""
    return mae(y, predicted, part) / mae(y, shift(y, WEEK), past)


def standardise(X: Rows, past: Bool[Array, " n"]) -> Rows:
    """The columns of X, shifted and scaled to mean 0 and standard deviation 1 on the past alone.

    >>> standardise(np.array([[1.0], [3.0], [9.0]]), np.array([True, True, False])).T
    array([[-1.,  1.,  7.]])
    """
    known = X[past]
    spread = np.nanstd(known, axis=0)
    return (X - np.nanmean(known, axis=0)) / np.where(spread > 0, spread, 1)


def degrees_above_and_below(temperature: Series) -> Float[Array, "n 2"]:
    """Two columns: the degrees above 18 °C and the degrees below it, each at least 0.

    Cooling and heating both need electricity.

    >>> degrees_above_and_below(np.array([30.0, 10.0]))
    array([[12.,  0.],
           [ 0.,  8.]])
    """
    return np.maximum(np.column_stack([temperature - COMFORT, COMFORT - temperature]), 0)


def known(
    table: dict[str, Array], a: int, model: Model, lags: int = DAY, clocked: bool = True
) -> Rows:
    """The inputs of a forecast for each half-hour t, made a steps before: one row for each t.

    own past         y_{t−a} and the `lags` − 1 values before it; y a day and a week before t, and
                     a steps before those
    covariates       that; the clock (unless not `clocked`) and the workdays of the calendar;
                     and the temperature at t: a weather forecast that is never wrong
    several series   the same calendar, but temperature, like y, only until t − a
    """
    y, temperature, workday = table["demand"], table["temperature"], table["workday"]
    if len(y) <= (least := max(WEEK, lags) + a):
        raise ValueError(
            f"A series of {len(y)} steps is too short to look a week back and {a} steps ahead: "
            f"give more than {least}."
        )
    seasons = sorted({s for s in (DAY, WEEK) if s >= a})
    columns = [shift(y, a + k) for k in range(lags)]
    columns += [shift(y, k) for s in seasons for k in (s, s + a)]
    if model == "own past":
        return np.column_stack(columns)
    columns += [shift(workday, s) for s in (0, *seasons)]
    columns += list(time_of_day(table["time"], workday).T) if clocked else []
    since = [a, *seasons] if model == "several series" else [0, a, *seasons]
    columns += [shift(side, k) for side in degrees_above_and_below(temperature).T for k in since]
    return np.column_stack(columns)


def time_of_day(time: Array, workday: Int[Array, " n"]) -> Float[Array, "n 12"]:
    """The time of day as sines and cosines of three waves a day, and the same on workdays only."""
    t = (time - time.astype("datetime64[D]")) / np.timedelta64(1, "D") * 2 * np.pi
    waves = np.column_stack([f(k * t) for k in (1, 2, 3) for f in (np.sin, np.cos)])
    return np.hstack([waves, waves * workday[:, None]])


def linear(X: Rows, y: Series, past: Bool[Array, " n"]) -> Series:
    """The forecasts of a least-squares fit on the complete rows of the past; NaN for other rows.

    >>> y = np.array([1.0, 2.0, 4.0, 8.0, 16.0])  # it doubles at each step
    >>> linear(shift(y, 1)[:, None], y, np.array([True, True, True, False, False]))
    array([nan,  2.,  4.,  8., 16.])
    """
    X = np.column_stack([np.ones(len(X)), X])
    whole = ~np.isnan(X).any(axis=1)
    if (whole & past).sum() < X.shape[1]:
        raise ValueError(
            f"{(whole & past).sum()} rows of the past cannot fix {X.shape[1]} weights: "
            "take fewer columns or a longer past."
        )
    w = np.linalg.lstsq(X[whole & past], y[whole & past], rcond=None)[0]
    return np.where(whole, X @ w, np.nan)


def smoothed(y: Series, half: int) -> Series:
    """The mean of y over the 2 · half + 1 steps around t, for each t; NaN near the ends.

    It contains the future: never use it as an input.

    >>> smoothed(np.array([1.0, 2.0, 6.0]), half=1)
    array([nan,  3., nan])
    """
    inner = np.convolve(y, np.full(2 * half + 1, 1 / (2 * half + 1)), mode="valid")
    return np.pad(inner, half, constant_values=np.nan)


def alike(X: Rows, y: Series, seen: Bool[Array, " n"], k: int = 5) -> Series:
    """Nearest-neighbour forecasts: for each unseen row, the mean y of the k most similar seen rows.

    `seen` is True for the rows to learn from. They get NaN, and so do incomplete rows.
    """
    from sklearn.neighbors import KNeighborsRegressor  # takes a second to import

    whole = ~np.isnan(X).any(axis=1)
    X = standardise(X, seen & whole)
    model = KNeighborsRegressor(k).fit(X[seen & whole], y[seen & whole])
    predicted = np.full(len(y), np.nan)
    predicted[whole & ~seen] = model.predict(X[whole & ~seen])
    return predicted
