"""Exercise 6, the layer: chosen on examples held out for it, judged on others.

accuracy(l, part) = share of the part that a probe on layer l, trained on train, gets right
l                 = the lowest of those with the greatest accuracy on held_out; report that on test
"""

from itertools import chain

import numpy as np

from firth.checks.activations import sigmoid
from firth.checks.bert_linear_probe import trained
from firth.checks.claims import Exercise
from firth.checks.mistakes import telling

line = trained()  # the probe of 6.7


def share(scores, y, says):
    return (says == y).mean()


def less_loss(scores, y, says):
    """How unsurprised the probe is by the labels, instead of how often it is right."""
    return -np.logaddexp(0, np.where(y == 1, -scores, scores)).mean()


def chosen(
    fit=lambda train, held_out, test: train,
    on=lambda train, held_out, test: held_out,
    report=lambda train, held_out, test: test,
    again=None,
    choose=lambda found: int(np.argmax(found)),
    yes=lambda scores: scores > 0,
    told=lambda layer, accuracy, n: [layer, accuracy],
    good=share,
    probe=line,
    bias=1.0,
    at_last=lambda best, layers: (best, best),
):
    """A way of choosing, the right one by default: trained, chosen and reported on which part.

    `at_last` says from which layer the probe comes that is reported on, and from which the states.
    """

    def best_layer(layers, y, train, held_out, test, steps, rate):
        parts = [np.asarray(part) for part in (train, held_out, test)]

        def found(learned, asked, learn, part, quality):
            *w, b = probe(learned[learn], y[learn], steps, rate)
            scores = asked[part] @ np.array(w) + bias * b
            return quality(scores, y[part], yes(scores))

        best = choose([found(X, X, fit(*parts), on(*parts), good) for X in layers])
        of, states = (layers[n] for n in at_last(best, layers))
        accuracy = found(of, states, (again or fit)(*parts), report(*parts), share)
        return np.array(told(best, accuracy, len(report(*parts))))

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
MEND = "Does linear_probe hold? First mend it (6.7): best_layer stands on it."
WHOSE = "You report on a probe of the last loop round: of which layer is this probe?"
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
PROBES = [
    trained(share=lambda X: 1),
    trained(share=lambda X: 1, share_b=len),
    trained(share_b=lambda X: 1),
    trained(bias=0.0),
    trained(many=lambda steps: 1),
    trained(chance=lambda score: score),
    trained(end=lambda w, b, X: np.append(b, w)),
]
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
        chosen(told=lambda layer, accuracy, n: [layer + 1, accuracy]),
        "Is the first layer 0 or 1? Yours are counted from 1.",
    ),
    (
        chosen(told=lambda layer, accuracy, n: [accuracy, layer]),
        "The right two: in which order are they asked for? The layer first.",
    ),
    (
        chosen(told=lambda layer, accuracy, n: layer),
        "That is the layer: how good is its probe on the test examples?",
    ),
    (
        chosen(told=lambda layer, accuracy, n: [layer, 1 - accuracy]),
        "That is the share of the wrong ones: which is asked for?",
    ),
    (
        chosen(yes=lambda scores: scores >= 0),
        "A score of exactly 0: is that above 0? What does such a probe say?",
    ),
    (
        chosen(good=less_loss),
        "You choose by the loss on held_out: by what is it asked for? By the share right.",
    ),
    (chosen(bias=0.0), "Where is b? The score is w · x + b."),
    (chosen(at_last=lambda best, layers: (-1, best)), WHOSE),
    (chosen(at_last=lambda best, layers: (-1, -1)), WHOSE),
    (
        chosen(told=lambda layer, accuracy, n: [layer, round(accuracy * n)]),
        "That is how many of test are right: what share of them is it?",
    ),
    *((chosen(probe=probe), MEND) for probe in PROBES),
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
        *w, b = line(X[train], y[train], steps, rate)
        found.append(((X[held_out] @ np.array(w) + b > 0) == y[held_out]).mean())
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


def flat(rng):
    """A layer in which all are alike, and as many 0s as 1s to learn from: its probe stays 0."""
    while True:
        layers, y, train, *rest = states(rng, (0.3, 0.0, 0.2))
        if 2 * y[train].sum() == len(train):
            layers[rng.integers(3)] = rng.integers(1, 6, size=4)
            return layers, y, train, *rest


def first(answer, right=None):
    return np.ravel(answer)[:1]


def second(answer, right=None):
    return np.ravel(answer)[1:]


def against(numbers, view, draw=clear):
    def inputs(rng):
        yield from telling(lambda: draw(rng), chosen(), [WAY[n] for n in numbers], view)
        yield from (draw(rng) for _ in range(4))  # so that one wrong answer is seldom like another

    return inputs


STANDING = range(26, 33)  # on a wrong probe
REPORTS = (0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, *range(21, 25), *STANDING)
even, alike = against((*range(16), *STANDING), np.ravel, level), against((20,), np.ravel, flat)
best_layer.agrees(
    "chooses the layer whose probe, trained on train, gets most of held_out right",
    "For each layer: what does its probe learn from, and on which examples is it tried?",
    against((0, 1, 2, 6, 7, 10, 11, 12, 13, 15, 21, 22, *STANDING), first),
    view=first,
    points=2,
)
best_layer.agrees(
    "reports, for that layer, the share of test that the same probe gets right",
    "Which examples had no part in training or choosing? How many of them are right?",
    against(REPORTS, second),
    view=second,
)
best_layer.agrees(
    "takes the lowest of the layers that do equally well, and a score of exactly 0 for a 0",
    "Do the claims above hold? If so: what is np.argmax of 0.8, 0.9 and 0.9? And is a score of 0"
    " above 0?",
    lambda rng: chain(even(rng), alike(rng)),
)
