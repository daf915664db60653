"""Exercise 3, ways of forecasting a step ahead: the right one, and what goes wrong.

The right one goes through the hours one by one: too plain to be wrong.
"""

from collections.abc import Callable

import numpy as np


def rows(y, hours, lags, constant=1.0):
    """What is known of each hour when it comes: a constant, and what was seen so long before."""
    return np.array([[constant, *(y[t - lag] for lag in lags)] for t in hours])


def fitted(past, lags, constant=1.0):
    hours = range(max(lags), len(past))
    return np.linalg.lstsq(rows(past, hours, lags, constant), past[max(lags) :])[0]


def told(
    learn: Callable = lambda past, future: past,
    change: Callable = lambda lags: lags,
    seen: Callable = lambda past, future: np.concatenate([past, future]),
    constant: float = 1.0,
    answer: Callable = lambda predictions, past, future: predictions,
) -> Callable:
    """A way of forecasting, the right one by default."""

    def forecast(past, future, lags):
        past, future = np.asarray(past, dtype=float), np.asarray(future, dtype=float)
        lags = change([int(lag) for lag in lags])
        w = fitted(learn(past, future), lags, constant)
        y, n = seen(past, future), len(past)
        predictions = rows(y, range(n, n + len(future)), lags, constant) @ w
        return answer(predictions, past, future)

    return forecast


def begun(first: Callable) -> Callable:
    """Fits from another hour than max(lags) on."""

    def forecast(past, future, lags):
        hours = range(first(lags), len(past))
        w = np.linalg.lstsq(rows(past, hours, lags), past[hours.start :])[0]
        y, n = np.concatenate([past, future]), len(past)
        return rows(y, range(n, len(y)), lags) @ w

    return forecast


def again_each_hour(past, future, lags):
    """Fits anew for each hour, on all that has come to be known."""
    y, hours = np.concatenate([past, future]), range(len(past), len(past) + len(future))
    return np.array([rows(y, [t], lags)[0] @ fitted(y[:t], lags) for t in hours])


def on_its_own(past, future, lags):
    """Feeds its own forecasts back, as if nothing of the future came to be known."""
    w, y = fitted(past, lags), list(past)
    for _ in future:
        y.append(rows(y, [len(y)], lags)[0] @ w)
    return np.array(y[len(past) :])


def rolled(past, future, lags):
    """What np.roll does at the edge: the end comes back at the beginning."""
    table = np.stack([np.ones(len(past)), *(np.roll(past, lag) for lag in lags)], axis=1)
    w = np.linalg.lstsq(table, past)[0]
    y, n = np.concatenate([past, future]), len(past)
    return rows(y, range(n, len(y)), lags) @ w


def without_past(past, future, lags):
    """Begins the future with an empty memory."""
    y = np.concatenate([np.zeros(max(lags)), future])
    return rows(y, range(max(lags), len(y)), lags) @ fitted(past, lags)


def centred(past, future, lags):
    """Takes off the mean of everything, and leaves the constant out."""
    mean = np.concatenate([past, future]).mean()
    return told(constant=0.0)(past - mean, future - mean, lags) + mean


def centred_by_the_past(past, future, lags):
    """Takes off the mean of the past, and leaves the constant out."""
    return told(constant=0.0)(past - past.mean(), future - past.mean(), lags) + past.mean()


def seasonal(past, future, lags):
    """The baseline itself."""
    y, n = np.concatenate([past, future]), len(past)
    return np.array([y[t - max(lags)] for t in range(n, len(y))])
