"""Exercise 3, forecasting: the next hour from the last one and the last days.

ŷ_t = w_0 + Σ_k w_k y_{t − lag_k},   w by least squares on the past;   t in the future, a step ahead

The right answer goes through the hours one by one: too plain to be wrong.
"""

from collections.abc import Callable

import numpy as np

from firth.checks.claims import Claim, Exercise, close


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


def series(rng, n, period, noise=0.5):
    """A course that comes back each period, about a level far from 0, and disturbances that last.

    Also the part of each value that nobody could have known the hour before.
    """
    course = np.cumsum(rng.normal(size=period))
    course = 3 * (course - course.mean()) / course.std()
    news, lasting = rng.normal(size=n) * noise, np.zeros(n)
    for t in range(n):
        lasting[t] = (0.9 * lasting[t - 1] if t else 0) + news[t]
    return rng.uniform(60, 90) + np.resize(course, n) + lasting, news


FUTURE = "You fit on the future as well: who knows next week's numbers when the fit is made?"
forecast = Exercise(
    name="forecast",
    chapter="03_rnn",
    number="3.7",
    difficulty=3,
    minutes=20,
    hints=(
        "Write down, for one hour, what you know when it comes: a 1, and the values so many hours"
        " before as lags says. That is a row. Which hours of the past have a whole row?",
        "A row for each hour t of the past from max(lags) on; w = np.linalg.lstsq(rows, values)[0]."
        " Then a row for each hour of the future, from past and future joined, times w.",
        "y, n, first = np.concatenate([past, future]), len(past), max(lags)\n"
        "def rows(hours):\n"
        "    return np.array([[1.0, *(y[t - lag] for lag in lags)] for t in hours])\n"
        "w = np.linalg.lstsq(rows(range(first, …)), y[first:…])[0]  # where does the past end?\n"
        "return rows(range(n, len(y))) @ w",
    ),
    right=told(),
    stumbles={
        "out of bounds": "Which is the first hour that has a value max(lags) hours before it?",
        "must match exactly": "Which hours have all the values that lags asks for? Has each of"
        " your columns a row for just those?",
        "ncompatible dimensions": "Is there one value of the past for each row of your table?",
        "makes no table": "np.linalg.lstsq returns four things: which are the weights?",
        "inhomogeneous": "np.linalg.lstsq returns four things: do you take the first, the weights?",
    },
)
forecast.mistakes = [
    (told(learn=lambda past, future: np.concatenate([past, future])), FUTURE),
    (told(learn=lambda past, future: future), FUTURE),
    (
        told(change=lambda lags: [lag - 1 for lag in lags]),
        "You look one place too late: with the lag 1, does your row hold the very value that you"
        " want to foretell?",
    ),
    (
        told(change=lambda lags: [lag + 1 for lag in lags]),
        "You look one hour too far back: with the lag 1, which value stands in your row?",
    ),
    (
        on_its_own,
        "You feed your own forecasts back: when hour t comes, is the true value of the hour before"
        " not known?",
    ),
    (
        told(constant=0.0),
        "Where is the constant? Without a column of 1 the line must go through 0.",
    ),
    (
        again_each_hour,
        "You fit anew for each hour: on what alone is the fit to be made?",
    ),
    (
        begun(lambda lags: lags[-1]),
        "Your fit begins at hour lags[-1]: is the last lag of a list in any order the greatest?",
    ),
    (
        begun(lambda lags: max(lags) + 1),
        "You leave out the first hour that can be fitted: with the lag 1, has hour 1 no hour before"
        " it?",
    ),
    (
        centred_by_the_past,
        "You take off the mean of the past and leave the constant out: have the columns of your"
        " table that same mean?",
    ),
    (centred, "You take off a mean that the future has helped to make: whose mean may you know?"),
    (rolled, "np.roll brings the end of the past to its beginning: which rows may you fit on?"),
    (
        without_past,
        "At the first hours of the future, the hours before them lie in the past: do you have 0"
        " there?",
    ),
    (
        told(change=lambda lags: lags[:1]),
        "You use one lag alone: where are the others?",
    ),
    (
        told(change=lambda lags: list(range(1, max(lags) + 1))),
        "You use every hour back to the greatest lag: which ones were asked for?",
    ),
    (
        told(change=lambda lags: lags[::-1], answer=lambda p, past, future: p[::-1]),
        "The right forecasts, the last hour first: which hour comes first?",
    ),
    (
        told(answer=lambda predictions, past, future: future - predictions),
        "Those are the errors: what is the forecast itself?",
    ),
    (
        told(answer=lambda predictions, past, future: predictions - future),
        "Those are the errors, with a minus: what is the forecast itself?",
    ),
    (
        lambda past, future, lags: np.r_[
            rows(past, range(max(lags), len(past)), lags) @ fitted(past, lags),
            told()(past, future, lags),
        ],
        "You forecast the past as well: from which hour on are you asked?",
    ),
    (
        lambda past, future, lags: (
            rows(past, range(max(lags), len(past)), lags) @ fitted(past, lags)
        ),
        "You forecast the past: which hours are asked for?",
    ),
    (seasonal, "That is the seasonal naive forecast, which is to be beaten: where is the fit?"),
    (
        lambda past, future, lags: np.concatenate([past[-1:], future[:-1]]),
        "That is the value of the hour before: where is the fit?",
    ),
    (
        lambda past, future, lags: fitted(past, lags),
        "Those are the weights: what do they say of each hour of the future?",
    ),
]


def pasts(rng):
    """Short series with lags in any order, and a future that is not like the past."""
    for lags in ([1, 4], [6, 1, 3], [2, 5, 1]):
        y, _ = series(rng, 60, max(lags))
        yield y[:42], y[42:] + np.linspace(0, 4, 18) + 3 * rng.normal(size=18), lags


def without_hindsight(call, rng):
    """Whether a forecast stays as it was when only what comes after it is changed."""
    for past, future, lags in pasts(rng):
        k = int(rng.integers(5, 10))
        other = np.r_[future[:k], future[k:] + rng.uniform(5, 20, size=len(future) - k)]
        first, second = call(past, future, lags), call(past, other, lags)
        if first.shape != future.shape or second.shape != future.shape:
            return "How many hours has the future, and how many forecasts do you return?"
        if not close(second[: k + 1], first[: k + 1]):
            return False
        if close(second[k + 1 : k + 2], first[k + 1 : k + 2]):
            return (
                "The hour before has changed, and your forecast has not: do you look at what has"
                " come to be known?"
            )
    return True


def better(call, rng):
    """Whether the errors are smaller than the baseline's, and as large as chance makes them."""
    for period in (8, 6):
        y, news = series(rng, 80 * period, period)
        past, future = y[: 40 * period], y[40 * period :]
        answer = call(past, future, [1, period, period + 1])
        if answer.shape != future.shape:
            return "How many hours has the future, and how many forecasts do you return?"
        error = np.abs(answer - future).mean()
        if error < 0.5 * np.abs(news[40 * period :]).mean():
            return (
                "This is too good to be true: a part of each value is chance, which nobody can know"
                " the hour before. Do you look at the value that you foretell?"
            )
        if not error < 6 / 7 * np.abs(seasonal(past, future, [period]) - future).mean():
            return False
    return True


forecast.agrees(
    "fits a constant and a weight for each lag on the past, by least squares, and applies them to"
    " each hour of the future",
    "Lags 1 and 2, the past 3 1 4 1 5: which three rows can you write down, and which three values"
    " should they give?",
    pasts,
    points=2,
)
forecast.claims.append(
    Claim(
        "knows nothing of what comes later, and all that has come before",
        "When the end of the future is changed, the forecasts before it change too: what of the"
        " future has got into the fit, or into the row?",
        without_hindsight,
        1,
    )
)
forecast.claims.append(
    Claim(
        "on a made-up rhythm whose day has P hours, with the lags 1, P and P + 1, has an error at"
        " least a seventh below that of the value P hours ago, and is not too good to be true",
        "What did the last hour's surprise tell you, which the value of P hours ago could not"
        " know?",
        better,
        1,
    )
)
forecast.leaves(
    "leaves the past, the future and the lags as they were",
    "`past -= …` and `lags.sort()` write into what you were handed: which of your lines does so?",
    pasts,
)
