"""Exercise 3.6: forecast the next hour from the last hour and from earlier days.

ŷ_t = w_0 + Σ_k w_k y_{t − lag_k}      w by least squares on the past, t in the future

The reference answer goes through the hours one by one.
"""

from collections.abc import Callable, Iterator

import numpy as np

from firth.checks.claims import Claim, Exercise, close

from .step import cast_to_dtype_of


def table_of_lags(y, hours, lags, constant=1.0):
    """A table with a row for each of these hours: the constant, then y[hour − lag] for each lag."""
    return np.array([[constant, *(y[t - lag] for lag in lags)] for t in hours])


def least_squares(past, lags, constant=1.0):
    """The weights of the least-squares fit on the past, from hour max(lags) on.

    The first weight belongs to the constant, the others to the lags.
    """
    hours = range(max(lags), len(past))
    return np.linalg.lstsq(table_of_lags(past, hours, lags, constant), past[max(lags) :])[0]


def forecasting_function(
    learn: Callable = lambda past, future: past,
    change: Callable = lambda lags: lags,
    seen: Callable = lambda past, future: np.concatenate([past, future]),
    constant: float = 1.0,
    answer: Callable = lambda predictions, past, future: predictions,
) -> Callable:
    """A function `forecast(past, future, lags)`: the reference answer, or with arguments a mistake.

    The reference fits weights to the past and predicts each value of the future from the values
    `lags` hours before it. Each argument replaces one part: `learn` gives the series on which the
    weights are fitted, `change` the lags that are used, `seen` the series that the predictions of
    the future are made from, and `answer` what is returned. `constant` is the input of the
    intercept; with 0 there is no intercept.
    """

    def forecast(past, future, lags):
        past, future = np.asarray(past, dtype=float), np.asarray(future, dtype=float)
        lags = change([int(lag) for lag in lags])
        w = least_squares(learn(past, future), lags, constant)
        y, n = seen(past, future), len(past)
        predictions = table_of_lags(y, range(n, n + len(future)), lags, constant) @ w
        return answer(predictions, past, future)

    return forecast


reference = forecasting_function()


def mistake_other_first_hour(first: Callable, series: Callable = lambda past, y: past) -> Callable:
    """A wrong `forecast` that fits from hour first(lags) on instead of max(lags).

    `series` gives y for the fit: the past alone, or past and future joined.
    """

    def forecast(past, future, lags):
        hours, y, n = range(first(lags), len(past)), np.concatenate([past, future]), len(past)
        w = np.linalg.lstsq(table_of_lags(series(past, y), hours, lags), past[hours.start :])[0]
        return table_of_lags(y, range(n, len(y)), lags) @ w

    return forecast


def mistake_negative_index(series: Callable) -> Callable:
    """A wrong `forecast` that fits from hour 0 on, where y[t − lag] counts from the end of y.

    `series` gives y: the past alone, or past and future joined. For the past alone, the result is
    that of np.roll.
    """

    def forecast(past, future, lags):
        n, y = len(past), np.concatenate([past, future])
        w = np.linalg.lstsq(table_of_lags(series(past, y), range(n), lags), past)[0]
        return table_of_lags(y, range(n, len(y)), lags) @ w

    return forecast


def mistake_fitted_again_each_hour(past, future, lags):
    """The forecasts of a wrong answer that fits new weights for each hour of the future.

    It fits them on the values of the future before that hour, too.
    """
    y, hours = np.concatenate([past, future]), range(len(past), len(past) + len(future))
    return np.array([table_of_lags(y, [t], lags)[0] @ least_squares(y[:t], lags) for t in hours])


def mistake_own_forecasts_as_input(past, future, lags):
    """The forecasts of a wrong answer that uses its own forecasts as earlier values.

    It should use the true values.
    """
    w, y = least_squares(past, lags), list(past)
    for _ in future:
        y.append(table_of_lags(y, [len(y)], lags)[0] @ w)
    return np.array(y[len(past) :])


def mistake_zeros_for_the_past(past, future, lags):
    """The forecasts of a wrong answer that puts zeros where the last values of the past belong.

    The first hours of the future have lags that reach back into the past. This answer fills them
    with 0.
    """
    y = np.concatenate([np.zeros(max(lags)), future])
    return table_of_lags(y, range(max(lags), len(y)), lags) @ least_squares(past, lags)


def mistake_mean_of_everything_subtracted(past, future, lags):
    """The forecasts of a wrong answer without a constant.

    It subtracts the mean of past and future instead.
    """
    mean = np.concatenate([past, future]).mean()
    return forecasting_function(constant=0.0)(past - mean, future - mean, lags) + mean


def mistake_mean_of_the_past_subtracted(past, future, lags):
    """The forecasts of a wrong answer that fits no intercept.

    It subtracts the mean of the past from both series, and adds it to the forecasts again.
    """
    mean = past.mean()
    return forecasting_function(constant=0.0)(past - mean, future - mean, lags) + mean


def mistake_dtype_of_the_future(past, future, lags):
    """The forecasts cast to the dtype of `future`: a wrong answer, which truncates fractions.

    That happens if `future` holds integers.
    """
    return cast_to_dtype_of(future, reference(past, future, lags))


def mistake_forecast_of_the_past(past, future, lags):
    """The fitted values of the past: a wrong answer, because the future is asked for."""
    hours = range(max(lags), len(past))
    return table_of_lags(past, hours, lags) @ least_squares(past, lags)


def seasonal_forecast(past, future, lags):
    """The baseline: for each hour of the future, the value max(lags) hours earlier."""
    y, n = np.concatenate([past, future]), len(past)
    return np.array([y[t - max(lags)] for t in range(n, len(y))])


ON_THE_FUTURE = (
    "Your line is fitted on the future as well. Which values are known when the line is fitted?"
)
NEGATIVE_INDEX = (
    "In the first hours, t − lag is below 0. What is y[-1] in Python? It is the last value, and"
    " np.roll brings it to the beginning, too. Which is the first hour that has a value max(lags)"
    " hours earlier?"
)
LAST_LAG = (
    "Your fit begins at hour lags[-1]. The lags can be in any order. Is the last one always the"
    " largest?"
)
HOW_MANY = "How many hours has the future, and how many forecasts do you return?"
MISTAKES = {
    "fitted on everything": (
        forecasting_function(learn=lambda past, future: np.concatenate([past, future])),
        ON_THE_FUTURE),
    "fitted on the future": (
        forecasting_function(learn=lambda past, future: future), ON_THE_FUTURE),
    "lags too short": (
        forecasting_function(change=lambda lags: [lag - 1 for lag in lags]),
        "You look one hour too late. With the lag 1, does your row hold the very value that you"
        " want to forecast?"),
    "lags too long": (
        forecasting_function(change=lambda lags: [lag + 1 for lag in lags]),
        "You look one hour too far back. With the lag 1, which value should stand in the row?"),
    "own forecasts as input": (
        mistake_own_forecasts_as_input,
        "You use your own forecasts as earlier values. When you forecast hour t, is the true value"
        " of the hour before not known?"),
    "no constant": (
        forecasting_function(constant=0.0),
        "Where is the constant w_0? Without a column of 1, a row of zeros always gives 0."),
    "fitted again each hour": (
        mistake_fitted_again_each_hour,
        "You fit a new line for each hour. On which values should the line be fitted?"),
    "from the last lag on": (mistake_other_first_hour(lambda lags: lags[-1]), LAST_LAG),
    "from the last lag on, joined": (
        mistake_other_first_hour(lambda lags: lags[-1], lambda past, y: y), LAST_LAG),
    "first hour left out": (
        mistake_other_first_hour(lambda lags: max(lags) + 1),
        "You leave out the first hour that can be used. With the lag 1, does hour 1 not have an"
        " hour before it?"),
    "negative index": (mistake_negative_index(lambda past, y: past), NEGATIVE_INDEX),
    "negative index into the future": (mistake_negative_index(lambda past, y: y), NEGATIVE_INDEX),
    "mean of the past subtracted": (
        mistake_mean_of_the_past_subtracted,
        "You subtract the mean of the past, and leave out the constant. Do the columns of your"
        " table have that same mean?"),
    "mean of everything subtracted": (
        mistake_mean_of_everything_subtracted,
        "You subtract a mean that contains the future. Which values are known when the line is"
        " fitted?"),
    "zeros before the future": (
        mistake_zeros_for_the_past,
        "Before the first hour of the future stands the past. Do you have zeros there?"),
    "one lag": (
        forecasting_function(change=lambda lags: lags[:1]),
        "You use the first lag only. Where are the others?"),
    "all hours up to the largest lag": (
        forecasting_function(change=lambda lags: list(range(1, max(lags) + 1))),
        "You use every hour back to the largest lag. Which hours are asked for?"),
    "last hour first": (
        forecasting_function(answer=lambda predictions, past, future: predictions[::-1]),
        "These are the right forecasts, the last hour first. Which hour should come first?"),
    "errors": (
        forecasting_function(answer=lambda predictions, past, future: future - predictions),
        "You return the errors. What are the forecasts themselves?"),
    "errors, other sign": (
        forecasting_function(answer=lambda predictions, past, future: predictions - future),
        "You return the errors with the other sign. What are the forecasts themselves?"),
    "past and future": (
        lambda past, future, lags: np.r_[
            mistake_forecast_of_the_past(past, future, lags), reference(past, future, lags)],
        "You return forecasts for the past as well. From which hour on are they asked for?"),
    "past": (
        mistake_forecast_of_the_past,
        "You return forecasts for the past. Which hours are asked for?"),
    "seasonal": (
        seasonal_forecast,
        "You return the value that stands max(lags) hours earlier. That is a baseline. Where is the"
        " line?"),
    "value of the hour before": (
        lambda past, future, lags: np.concatenate([past[-1:], future[:-1]]),
        "You return the value of the hour before. That is a baseline. Where is the line?"),
    "weights": (
        lambda past, future, lags: least_squares(past, lags),
        "Those are the weights. What do they give for each hour of the future?"),
    "whole numbers": (
        mistake_dtype_of_the_future,
        "past and future may hold whole numbers. An array that you make like past or future then"
        " holds whole numbers, too. What does it make of a forecast of 30.6?"),
}  # fmt: skip
forecast = Exercise(
    name="forecast",
    chapter="03_rnn",
    number="3.6",
    difficulty=3,
    minutes=20,
    hints=(
        "Take one hour. Write down a 1, and the values that stand so many hours earlier as the lags"
        " say. That is a row. Which hours of the past have a whole row?",
        "Make a row for each hour t of the past from max(lags) on. The weights are"
        " np.linalg.lstsq(rows, values)[0]. Then make a row for each hour of the future, from past"
        " and future joined, and multiply the rows by the weights.",
        "y, n, first = np.concatenate([past, future]), len(past), max(lags)\n"
        "def rows(hours):\n"
        "    return np.array([[1.0, *(y[t - lag] for lag in lags)] for t in hours])\n"
        "w = np.linalg.lstsq(rows(range(first, …)), y[first:…])[0]  # where does the past end?\n"
        "return rows(range(n, len(y))) @ w",
    ),
    right=reference,
    mistakes=MISTAKES,
    stumbles={
        "out of bounds": "Which is the first hour that has a value max(lags) hours earlier?",
        "must match exactly": "Which hours have all the values that the lags ask for? Has each of"
        " your columns a row for exactly these hours?",
        "Cannot cast": "`*=` and `-=` write into the array itself, and this one holds whole"
        " numbers. Does your function write into past, future or lags?",
        "ncompatible dimensions": "Is there one value of the past for each row of your table?",
        "makes no table": "np.linalg.lstsq returns four things. Which one is the weights?",
        "inhomogeneous": "np.linalg.lstsq returns four things. Do you take the first, the weights?",
    },
)


def draw_series(rng, n, period, noise=0.5) -> tuple[np.ndarray, np.ndarray]:
    """A random periodic series of n values, and the part of each value that nobody can predict.

    The level is far from 0, so that a fit without a constant fails. A disturbance lasts for some
    hours, so that the value of the hour before helps. `noise` is its size.
    """
    course = np.cumsum(rng.normal(size=period))
    course = 3 * (course - course.mean()) / course.std()
    news, lasting = rng.normal(size=n) * noise, np.zeros(n)
    for t in range(n):
        lasting[t] = (0.9 * lasting[t - 1] if t else 0) + news[t]
    return rng.uniform(60, 90) + np.resize(course, n) + lasting, news


def short_series(rng) -> Iterator[tuple]:
    """Inputs (past, future, lags): short series; the future has another level than the past.

    The lags are in any order. Because past and future differ, a fit that uses the future has other
    weights. Because the past is short, one hour more or less in the fit changes them, too.
    """
    for lags in ([1, 4], [6, 1, 3], [2, 5, 1]):
        y, _ = draw_series(rng, 60, max(lags))
        yield y[:42], y[42:] + np.linspace(0, 4, 18) + 3 * rng.normal(size=18), lags


def series_of_all_kinds(rng) -> Iterator[tuple]:
    """Inputs (past, future, lags): those of `short_series`, and series of integers.

    The latter catch an array with the integer dtype of the past or of the future.
    """
    yield from short_series(rng)
    for past, future, lags in short_series(rng):
        yield np.rint(past).astype(int), np.rint(future).astype(int), lags


def later_values_change_nothing_before(call, rng) -> bool | str:
    """True if forecasts do not depend on later values of the future; or False, or a question.

    `call` is the learner's function. The question is about the number of forecasts, or about
    forecasts that do not depend on the future at all.
    """
    for past, future, lags in short_series(rng):
        k = int(rng.integers(5, 10))
        other = np.r_[future[:k], future[k:] + rng.uniform(5, 20, size=len(future) - k)]
        first, second = call(past, future, lags), call(past, other, lags)
        if first.shape != future.shape or second.shape != future.shape:
            return HOW_MANY
        if not close(second[: k + 1], first[: k + 1]):
            return False
        if close(second[k + 1 :], first[k + 1 :]):
            return (
                "We changed some hours of the future, and your later forecasts stayed the same. Do"
                " you use the true values of the hours before?"
            )
    return True


def better_than_the_baseline(call, rng) -> bool | str:
    """True if the mean error is a seventh below that of the baseline; or False, or a question.

    The baseline is `seasonal_forecast`. `call` is the learner's function. The question is about the
    number of forecasts, or about an error so small that only an answer that knows the future can
    have it.
    """
    for period in (8, 6):
        y, news = draw_series(rng, 80 * period, period)
        past, future = y[: 40 * period], y[40 * period :]
        answer = call(past, future, [1, period, period + 1])
        if answer.shape != future.shape:
            return HOW_MANY
        error = np.abs(answer - future).mean()
        if error < 0.5 * np.abs(news[40 * period :]).mean():
            return (
                "Your errors are too small to be possible. A part of each value is random, and"
                " nobody can know it an hour before. Do you use the value that you forecast?"
            )
        if not error < 6 / 7 * np.abs(seasonal_forecast(past, future, [period]) - future).mean():
            return False
    return True


forecast.agrees(
    "fits a constant and a weight for each lag on the past, by least squares, and uses them for"
    " each hour of the future",
    "Take the lags 2 and 1, and the past 3 1 4 1 5. Which three rows can you write down, and which"
    " three values should they give?",
    short_series,
    points=2,
)
forecast.claims.append(
    Claim(
        "uses for each forecast only what is known by then, but also the true hours just before",
        "We changed the end of the future, and earlier forecasts changed as well. What part of the"
        " future do you use in the fit, or in the rows?",
        later_values_change_nothing_before,
        1,
    )
)
forecast.claims.append(
    Claim(
        "has an error at least a seventh below that of the baseline that repeats the value P hours"
        " earlier, on an invented series with the period P and the lags 1, P and P + 1",
        "The series repeats after P hours, but a disturbance lasts for some hours. Which of the"
        " three lags tells you about the disturbance?",
        better_than_the_baseline,
        1,
    )
)
forecast.agrees(
    "is right for whole numbers, too, and leaves the past, the future and the lags as they were",
    "What is different here, where past and future hold whole numbers?",
    series_of_all_kinds,
    untouched="Does your function write into past, future or lags? `past -= …` and `lags.sort()`"
    " do.",
)
