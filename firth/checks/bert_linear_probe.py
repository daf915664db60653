"""Exercise 6, the probe: what a straight line through a layer's states can tell.

p = σ(X w + b);   w ← w − rate · Xᵀ(p − y)/n,   b ← b − rate · mean(p − y),   from zeros
"""

import math

import numpy as np

from firth.checks.activations import sigmoid
from firth.checks.claims import Exercise
from firth.checks.mistakes import fitting


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


MOVED = (
    "You move w before you know where b goes (or the other way round): are both gradients not those"
    " of the line as it was?"
)
FEATURES = "You divide by the number of features: over what is the mean taken?"
AXIS = (
    "One and the same slope for all of w: along which axis is the mean taken? Over the examples"
    " alone; each feature has its own."
)
ONCE = "You take one step, however many are asked for: where is the loop, and where its `return`?"


def added_up(X, error):
    """One number where each feature has its own."""
    return np.full(X.shape[1], (X.T @ error).sum())


linear_probe = Exercise(
    name="linear_probe",
    chapter="06_bert",
    number="6.7",
    difficulty=1,
    minutes=15,
    hints=(
        "With w = 0 and b = 0 every chance is 1/2. For each example, by how much is that too high,"
        " or too low? Those numbers, p − y, push w and b.",
        "Each step: error = sigmoid(X @ w + b) - y, a number for each example. w moves by −rate"
        " times X.T @ error / n, b by −rate times the mean of error. At the end"
        " np.append(w, b).",
        "w, b = np.zeros(X.shape[1]), 0.0\n"
        "for _ in range(steps):\n"
        "    error = sigmoid(X @ w + b) - y\n"
        "    w = w - rate * …  # how much has each feature to do with the errors, on average?\n"
        "    b = b - rate * error.mean()\n"
        "return np.append(w, b)",
    ),
    right=one_by_one,
    stumbles={
        "matmul": "Which shapes meet? X is n × d: X @ w takes d numbers, X.T @ error takes n.",
        "broadcast": "w has a number for each feature, the errors one for each example: X.T @"
        " error?",
        "makes no table": "One array is asked for, w and b behind it: what does np.append do?",
    },
)
linear_probe.mistakes = [
    (
        trained(share=lambda X: 1),
        "You add up over the examples: should twice as many push twice as hard? Divide by n.",
    ),
    (
        trained(share=lambda X: 1, share_b=len),
        "You add up over the examples for w, and take the mean for b alone: is it not the mean for"
        " both? Divide by n.",
    ),
    (
        trained(share_b=lambda X: 1),
        "You add up over the examples for b, and take the mean for w alone: is it not the mean for"
        " both? Divide by n.",
    ),
    (trained(share=lambda X: X.shape[1]), FEATURES),
    (trained(share=lambda X: X.shape[1], share_b=len), FEATURES),
    (trained(share=np.size, slope=added_up, share_b=len), AXIS),
    (trained(share=lambda X: X.shape[1], slope=added_up, share_b=len), AXIS),
    (trained(many=lambda steps: 1), ONCE),
    (trained(many=lambda steps: min(steps, 1)), ONCE),
    (
        trained(sign=1),
        "You climb: is the loss to become smaller or larger? Against the gradient.",
    ),
    (
        trained(bias=0.0),
        "b stays 0: which slope has the loss with respect to b?",
    ),
    (
        errors_once,
        "Every step of yours is like the first: is p worked out anew, where w and b have moved?",
    ),
    (
        trained(score=lambda X, w, b: X @ w),
        "Where is b in the score? The chance is σ(w · x + b).",
    ),
    (without_rate, "Your steps have the length of the gradient: where is `rate`?"),
    (
        trained(chance=lambda score: score),
        "Where is σ? You fit a straight line to 0 and 1; a chance is asked for.",
    ),
    (
        trained(chance=np.tanh),
        "That is tanh, between −1 and 1: where is σ, between 0 and 1?",
    ),
    (
        trained(chance=lambda score: (score > 0).astype(float)),
        "You decide at every step, 0 or 1: how sure is the line? σ says it.",
    ),
    (
        trained(error=lambda p, y: (p - y) * p * (1 - p)),
        "That is the slope of the squared error: with −log p as the loss, what is left of σ's"
        " slope?"
        " (p − y alone.)",
    ),
    (
        trained(error=lambda p, y: 2 * (p - y)),
        "You take every step twice as long: where does the 2 come from?",
    ),
    (
        trained(wanted=lambda y: 2 * y - 1),
        "The labels are 0 and 1: why do you make −1 and 1 of them?",
    ),
    (
        trained(wanted=lambda y: 1 - y),
        "Which label has the chance p, 1 or 0? Yours are exchanged.",
    ),
    (line_by_line, MOVED),
    (bias_first, MOVED),
    (
        one_example_at_a_time,
        "You move after each example: is a step not taken once for all of them, by their mean?",
    ),
    (
        trained(many=lambda steps: steps + 1),
        "You take one step more than are asked for: where does your range end?",
    ),
    (
        trained(many=lambda steps: max(0, steps - 1)),
        "You take one step fewer than are asked for: where does your range begin?",
    ),
    (trained(start=1.0), "Where does the line start? All zeros."),
    (
        trained(end=lambda w, b, X: np.append(b, w)),
        "b comes first in yours: where is it asked for? Behind w.",
    ),
    (trained(end=lambda w, b, X: w), "That is w: and b, behind it?"),
    (trained(bias=0.0, end=lambda w, b, X: w), "That is w, learned without b: and b, behind it?"),
    (
        trained(end=lambda w, b, X: sigmoid(X @ w + b)),
        "Those are the chances of the examples: what has been learned, w and b?",
    ),
    (
        trained(share=lambda X: len(X) - 1),
        "n − 1? It is a mean over all n examples. Over how many do you take it?",
    ),
]


def examples(rng, n, d, scale=1.0):
    """As many 0s as 1s, more or less, never apart; and features that do not cancel out."""
    y = np.arange(n) % 2
    y[:2] = 1
    X = rng.normal(size=(n, d)) * scale + 0.8 * y[:, None] + 0.5
    return X, rng.permutation(y) if n > 4 else y


def first_step(rng):
    for n, d in ((6, 3), (8, 2), (7, 7)):
        yield *examples(rng, n, d), 1, float(rng.choice([0.5, 0.2]))


def many_steps(rng):
    for n, d, steps in ((6, 3, 5), (9, 4, 40), (8, 2, 12)):
        yield *examples(rng, n, d), steps, float(rng.choice([0.5, 0.3]))


def odd(rng):
    """No step at all, a single feature, features of which some are a hundred times as large."""
    yield *examples(rng, 5, 3), 0, 0.5
    yield *examples(rng, 7, 1), 20, 0.4
    X, y = examples(rng, 8, 3)
    yield X * np.array([1.0, 100.0, 0.01]), y, 6, 0.1


linear_probe.agrees(
    "takes the first step from zeros: there p is 1/2, and w and b move against their mean gradient",
    "Two examples, x = 1 with y = 1 and x = 3 with y = 0: what are p − y, and the mean of (p −"
    " y) x?",
    first_step,
)
linear_probe.agrees(
    "takes as many steps as are asked for, w and b at once, and returns w with b behind it",
    "After the first step, what is p for each example?",
    many_steps,
)
linear_probe.agrees(
    "stays at zeros where no step is asked for, copes with large features, and leaves X and y as"
    " they were",
    "Do the claims above hold? If so: what comes of steps = 0, of one feature, of large ones?",
    odd,
    untouched="Do you write into X or y? Others may need them.",
)
