"""Exercise 6, ways of training a probe: the right one, and what goes wrong.

p = σ(X w + b);   w ← w − rate · Xᵀ(p − y)/n,   b ← b − rate · mean(p − y),   from zeros
"""

import math

import numpy as np

from firth.checks.bert import fitting, sigmoid


def one_by_one(X, y, steps, rate):
    """The right answer, an example at a time."""
    n, d = X.shape
    line = [0.0] * (d + 1)
    for _ in range(steps):
        gradient = [0.0] * (d + 1)
        for x, label in zip(X, y, strict=True):
            x = [*x, 1.0]
            score = sum(w * feature for w, feature in zip(line, x, strict=True))
            error = (1 + math.tanh(score / 2)) / 2 - label
            gradient = [g + error * feature / n for g, feature in zip(gradient, x, strict=True)]
        line = [w - rate * g for w, g in zip(line, gradient, strict=True)]
    return np.array(line)


def trained(
    chance=sigmoid,
    score=lambda X, w, b: X @ w + b,
    wanted=lambda y: y,
    error=lambda p, y: p - y,
    share=lambda X: len(X),
    share_b=None,
    slope=lambda X, error: X.T @ error,
    sign=-1,
    bias=1.0,
    start=0.0,
    many=lambda steps: steps,
    end=lambda w, b, X: np.append(w, b),
):
    """A way of training, the right one by default."""

    @fitting
    def linear_probe(X, y, steps, rate):
        X, w, b = np.asarray(X, dtype=float), np.full(X.shape[1], start), start
        for _ in range(many(steps)):
            e = error(chance(score(X, w, b)), wanted(y))
            of_b = e.sum() / (share_b or share)(X)
            w, b = w + sign * rate * slope(X, e) / share(X), b + sign * rate * bias * of_b
        return end(w, b, X)

    return linear_probe


def line_by_line(X, y, steps, rate):
    """Moves b by what is still wrong after w has moved."""
    w, b = np.zeros(X.shape[1]), 0.0
    for _ in range(steps):
        w = w - rate * X.T @ (sigmoid(X @ w + b) - y) / len(y)
        b = b - rate * (sigmoid(X @ w + b) - y).mean()
    return np.append(w, b)


def errors_once(X, y, steps, rate):
    """Works p out before the loop: so many steps are one that is as many times as long."""
    return one_by_one(X, y, 1, steps * rate)


def without_rate(X, y, steps, rate):
    return one_by_one(X, y, steps, 1.0)


def bias_first(X, y, steps, rate):
    w, b = np.zeros(X.shape[1]), 0.0
    for _ in range(steps):
        b = b - rate * (sigmoid(X @ w + b) - y).mean()
        w = w - rate * X.T @ (sigmoid(X @ w + b) - y) / len(y)
    return np.append(w, b)


def one_example_at_a_time(X, y, steps, rate):
    w, b = np.zeros(X.shape[1]), 0.0
    for _ in range(steps):
        for x, label in zip(X, y, strict=True):
            e = sigmoid(x @ w + b) - label
            w, b = w - rate * e * x, b - rate * e
    return np.append(w, b)
