"""Exercise 6, the layer: chosen on examples held out for it, judged on others.

accuracy(l, part) = share of the part that a probe on layer l, trained on train, gets right
l                 = the lowest of those with the greatest accuracy on held_out; report that on test
"""

import numpy as np

from firth.checks.bert import sigmoid, telling
from firth.checks.claims import Exercise


def line(X, y, steps, rate):
    """The probe of 6.7."""
    w, b = np.zeros(X.shape[1]), 0.0
    for _ in range(steps):
        error = sigmoid(X @ w + b) - y
        w, b = w - rate * X.T @ error / len(y), b - rate * error.mean()
    return w, b


def chosen(
    fit=lambda train, held_out, test: train,
    on=lambda train, held_out, test: held_out,
    report=lambda train, held_out, test: test,
    again=None,
    choose=lambda found: int(np.argmax(found)),
    yes=lambda scores: scores > 0,
    told=lambda layer, accuracy: [layer, accuracy],
):
    """A way of choosing, the right one by default: trained, chosen and reported on which part."""

    def best_layer(layers, y, train, held_out, test, steps, rate):
        parts = [np.asarray(part) for part in (train, held_out, test)]

        def accuracy(X, learn, part):
            w, b = line(X[learn], y[learn], steps, rate)
            return (yes(X[part] @ w + b) == y[part]).mean()

        found = [accuracy(X, fit(*parts), on(*parts)) for X in layers]
        best = choose(found)
        return np.array(told(best, accuracy(layers[best], (again or fit)(*parts), report(*parts))))

    return best_layer


def both(train, held_out, test):
    return np.concatenate([train, held_out])


def everything(train, held_out, test):
    return np.concatenate([train, held_out, test])


def last_of_equals(found):
    return len(found) - 1 - int(np.argmax(found[::-1]))


ON_TEST = (
    "You look at the test examples to choose the layer: what is left then to find out how good"
    " it is"
    " on what it was not chosen for?"
)
LEARNED = "The probe has learned from examples that it is judged by: what may it learn from?"
HALF = (
    "Where is the border? A score Xw + b above 0 is a chance above 1/2: which of the two do you"
    " hold"
    " against 0.5?"
)
best_layer = Exercise(
    name="best_layer",
    chapter="06_bert",
    number="6.8",
    difficulty=2,
    minutes=15,
    hints=(
        "Three lots of examples, three jobs: one to learn from, one to choose with, one to be"
        " honest"
        " with. Which is looked at last, and how often?",
        "For each layer: line = linear_probe(X[train], y[train], steps, rate), whose last number is"
        " b. An example counts as 1 where its score X @ w + b is above 0. The share of held_out"
        " that"
        " is right chooses the layer; np.argmax takes the first of equals.",
        "def accuracy(X, part):\n"
        "    *w, b = linear_probe(X[train], y[train], steps, rate)\n"
        "    return ((X[part] @ np.array(w) + b > 0) == y[part]).mean()\n"
        "\n"
        "best = int(np.argmax([accuracy(X, …) for X in layers]))  # which part chooses?\n"
        "return best, accuracy(layers[best], …)  # and which part reports?",
    ),
    right=chosen(),
    stumbles={
        "matmul": "linear_probe returns w and, behind it, b: line[:-1] and line[-1].",
        "list indices": "train, held_out and test hold the numbers of examples, for an array:"
        " X[train].",
    },
)
best_layer.mistakes = [
    (chosen(on=lambda train, held_out, test: test), ON_TEST),
    (chosen(on=lambda train, held_out, test: np.concatenate([held_out, test])), ON_TEST),
    (
        chosen(on=lambda train, held_out, test: train),
        "You choose the layer on the examples that its probe has learned by heart: which were held"
        " out for that?",
    ),
    (
        chosen(report=lambda train, held_out, test: held_out),
        "You report the accuracy on the examples that chose the layer: is that an honest number?",
    ),
    (
        chosen(report=lambda train, held_out, test: train),
        "You report the accuracy on what the probe has learned from: is that an honest number?",
    ),
    (
        chosen(again=both),
        "You train once more, with the held-out examples too: many do, but here the probe that was"
        " chosen is asked about. From what has it learned?",
    ),
    (chosen(fit=both), LEARNED),
    (chosen(fit=everything), LEARNED),
    (chosen(again=lambda train, held_out, test: test), LEARNED),
    (
        chosen(choose=last_of_equals),
        "Two layers do equally well, and you take the higher one: which is asked for?",
    ),
    (
        chosen(choose=lambda found: int(np.argmin(found))),
        "You take the layer that does worst: argmax or argmin?",
    ),
    (
        chosen(choose=lambda found: len(found) - 1),
        "You take the last layer, whatever it can do: have the held-out examples a say?",
    ),
    (
        chosen(choose=lambda found: 0),
        "You take the first layer, whatever it can do: have the held-out examples a say?",
    ),
    (chosen(yes=lambda scores: scores > 0.5), HALF),
    (chosen(yes=lambda scores: sigmoid(scores) > 0), HALF),
    (
        chosen(yes=lambda scores: scores < 0),
        "You take a low score for a 1: which side of the line are the 1s on?",
    ),
    (
        chosen(told=lambda layer, accuracy: [layer + 1, accuracy]),
        "Is the first layer 0 or 1? Yours are counted from 1.",
    ),
    (
        chosen(told=lambda layer, accuracy: [accuracy, layer]),
        "The right two: in which order are they asked for? The layer first.",
    ),
    (
        chosen(told=lambda layer, accuracy: layer),
        "That is the layer: how good is its probe on the test examples?",
    ),
    (
        chosen(told=lambda layer, accuracy: [layer, 1 - accuracy]),
        "That is the share of the wrong ones: which is asked for?",
    ),
]
WAY = dict(enumerate(mistake for mistake, _ in best_layer.mistakes))


def states(rng, strengths=(0.5, 1.2, 0.9, 0.0), n=36, d=4):
    """Layers of which each knows the label to some degree, and three lots of examples."""
    y = rng.permutation(np.arange(n) % 2)
    layers = rng.normal(size=(len(strengths), n, d)) + 0.6
    order = rng.permutation(len(strengths))
    layers += np.array(strengths)[order, None, None] * (2 * y[:, None] - 1) / np.sqrt(d)
    parts = np.split(rng.permutation(n), [n // 3, 2 * n // 3])
    return layers, y, *parts, int(rng.integers(4, 9)), 1.0


def held(layers, y, train, held_out, test, steps, rate):
    """What the probe of each layer gets right of the held-out examples."""
    found = []
    for X in layers:
        w, b = line(X[train], y[train], steps, rate)
        found.append(((X[held_out] @ w + b > 0) == y[held_out]).mean())
    return found


def clear(rng):
    """One layer is the best."""
    while True:
        case = states(rng)
        if (found := held(*case)).count(max(found)) == 1:
            return case


def level(rng):
    """Two layers or more are equally good."""
    while True:
        case = states(rng)
        if (found := held(*case)).count(max(found)) > 1:
            return case


def first(answer, right=None):
    return np.ravel(answer)[:1]


def second(answer, right=None):
    return np.ravel(answer)[1:]


def against(numbers, view, draw=clear):
    return lambda rng: telling(lambda: draw(rng), chosen(), [WAY[n] for n in numbers], view)


best_layer.agrees(
    "chooses the layer whose probe, trained on train, gets most of held_out right",
    "For each layer: what does its probe learn from, and on which examples is it tried?",
    against((0, 1, 2, 6, 7, 10, 11, 12, 13, 15), first),
    view=first,
    points=2,
)
best_layer.agrees(
    "reports, for that layer, the share of test that the same probe gets right",
    "Which examples had no part in training or choosing? How many of them are right?",
    against((0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15), second),
    view=second,
)
best_layer.agrees(
    "takes the lowest of the layers that do equally well",
    "np.argmax of 0.8, 0.9 and 0.9 is what?",
    against(range(16), np.ravel, level),
)
