"""Exercise 0, for the grader alone: four small questions, ten points, and a secret to guard.

q1(x) = 2x     q2(x) = Σ x     q3(n, m)ᵢⱼ = i − j     q4(X) = softmax of each row

An instructor's private folder of checks looks like this; no submission may read it.
"""

import numpy as np

from firth.checks.claims import Exercise

SECRET = "canary-checks-0000"  # stamped anew for every class: it must turn up nowhere else


def softmax(X):
    """The rows of X as shares of one, whatever their size."""
    E = np.exp(X - X.max(axis=1, keepdims=True))
    return E / E.sum(axis=1, keepdims=True)


def question(name, right, *claims):
    exercise = Exercise(
        name=name,
        chapter="00_hostile",
        number=f"0.{name[1:]}",
        difficulty=1,
        minutes=1,
        hints=("Look.", "Think.", "Write."),
        right=right,
    )
    for sentence, points, inputs in claims:
        exercise.agrees(sentence, "What should it be?", inputs, points=points)
    return exercise


q1 = question(
    "q1",
    lambda x: 2 * x,
    ("doubles a number", 1, lambda rng: [(float(rng.normal()),) for _ in range(3)]),
    ("doubles an array", 1, lambda rng: [(rng.normal(size=rng.integers(3, 9)),)]),
)
q2 = question(
    "q2",
    lambda x: np.sum(x),
    ("sums an array", 1, lambda rng: [(rng.normal(size=7),), (rng.normal(size=4),)]),
    # More than a socket holds: to send it, somebody has to read it.
    ("sums a table", 1, lambda rng: [(rng.normal(size=(400, 100)),)]),
)
q3 = question(
    "q3",
    lambda n, m: np.arange(n)[:, None] - np.arange(m),
    ("holds for squares", 1, lambda rng: [(int(n), int(n)) for n in rng.integers(6, 40, 2)]),
    (
        "holds for any n, m",
        2,
        lambda rng: [tuple(map(int, rng.integers(6, 40, 2))) for _ in range(3)],
    ),
)
q4 = question(
    "q4",
    softmax,
    ("gives shares of one", 1, lambda rng: [(rng.normal(size=(4, 3)),)]),
    ("holds for great numbers", 2, lambda rng: [(1000 * rng.normal(size=(3, 6)),)]),
)
