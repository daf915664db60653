"""Pre-trained first, told what to look for second; and what a share of right answers hides.

    X              n × d     what a frozen encoder says of n texts, or of n words
    p              = σ(X w + b)                          a probe: one weight a feature, no more
    calibrated     P(y = 1 | p = q) = q                  of letters called 90 % spam, 90 % are spam
    ECE            = Σ_k (n_k / n) |ȳ_k − p̄_k|           over bins k of p: how far from that
    precision      = r β / (r β + f (1 − β))             r: share of spam found,  f: share of the
                                                         rest accused,  β: how much is spam at all

The encoder was trained once, on text without labels, at great cost; the probe on the few labels
that one has, in a second. If so simple a thing finds the answer in X, the answer stood there.
ECE is the expected calibration error of Guo and others (2017), with p for the label 1.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray as Array

Vectors = Float[Array, "n d"]
Shares, Labels = Float[Array, " n"], Int[Array, " n"]


class Probe(NamedTuple):
    """Logistic regression on features that were brought to one size."""

    w: Float[Array, "d k"]  # a column for each class; two classes need one
    b: Float[Array, " k"]
    classes: tuple

    def scores(self, X: Vectors) -> Float[Array, "n k"]:
        return X @ self.w + self.b

    def probabilities(self, X: Vectors) -> Float[Array, "n classes"]:
        """How sure the probe is of each class."""
        scores = self.scores(X)
        if len(self.classes) == 2:
            scores = np.hstack([np.zeros_like(scores), scores])
        p = np.exp(scores - scores.max(axis=1, keepdims=True))
        return p / p.sum(axis=1, keepdims=True)

    def told(self, X: Vectors) -> list:
        """The likeliest class of each row."""
        return [self.classes[k] for k in self.probabilities(X).argmax(axis=1)]


def probe(X: Vectors, y: Sequence, C: float = 1.0) -> Probe:
    """A probe fitted to labels; the smaller C, the smaller the weights.

    >>> X = np.array([[2.0, 0.0], [1.0, 1.0], [-2.0, 0.0], [-1.0, 1.0]])
    >>> probe(X, ["spam", "spam", "ham", "ham"]).told(np.array([[3.0, 0.5], [-3.0, 0.5]]))
    ['spam', 'ham']
    """
    from sklearn.linear_model import LogisticRegression  # a slow import, for who fits only

    if len(X) != len(y):
        raise ValueError(f"There are {len(X)} texts and {len(y)} labels: each has one.")
    if len(set(y)) < 2:
        raise ValueError("All labels are the same: there is nothing to tell apart.")
    mean, sd = X.mean(axis=0), X.std(axis=0) + 1e-9
    fitted = LogisticRegression(C=C, max_iter=500).fit((X - mean) / sd, y)
    w = fitted.coef_.T / sd[:, None]
    return Probe(w, fitted.intercept_ - mean @ w, tuple(fitted.classes_.tolist()))


class Bin(NamedTuple):
    """What was claimed between two bounds, and what came true."""

    claimed: float  # p̄: the mean of the probabilities
    true: float  # ȳ: the share of label 1
    count: int


def reliability(p: Shares, y: Labels, bins: int = 10) -> list[Bin]:
    """Claims sorted into bins of equal width; empty ones are left out.

    >>> for row in reliability(np.array([0.9, 0.95, 0.1, 0.99]), np.array([1, 0, 0, 1])):
    ...     print(f"{row.claimed:.2f} {row.true:.2f} {row.count}")
    0.10 0.00 1
    0.95 0.67 3
    """
    if len(p) != len(y) or not len(p):
        raise ValueError(f"{len(p)} probabilities for {len(y)} labels: each label has one.")
    if not ((p >= 0) & (p <= 1)).all():
        raise ValueError("A probability lies between 0 and 1.")
    k = np.minimum((p * bins).astype(int), bins - 1)  # 1 belongs to the last
    return [
        Bin(float(p[k == i].mean()), float(y[k == i].mean()), int((k == i).sum()))
        for i in np.unique(k)
    ]


def calibration_error(p: Shares, y: Labels, bins: int = 10) -> float:
    """ECE: by how much claims and truth differ, in the mean over all claims.

    >>> round(calibration_error(np.array([0.9, 0.95, 0.1, 0.99]), np.array([1, 0, 0, 1])), 3)
    0.235
    """
    rows = reliability(p, y, bins)
    return sum(row.count * abs(row.true - row.claimed) for row in rows) / len(p)


def temperature(scores: Float[Array, " n"], y: Labels) -> float:
    """By what to divide scores so that σ(score / τ) claims what is true, on labels kept for it.

    No verdict changes, only how sure it is: the cheapest cure of Guo and others (2017).

    >>> bool(temperature(np.array([5.0, 5.0, -5.0, -5.0]), np.array([1, 0, 0, 0])) > 2)
    True
    """
    tau = np.geomspace(0.1, 10, 401)
    loss = np.logaddexp(0, np.where(y == 1, -1, 1) * scores / tau[:, None]).mean(axis=1)
    return float(tau[loss.argmin()])


class Verdicts(NamedTuple):
    """Spam found and missed; the rest accused and left alone."""

    found: int
    missed: int
    accused: int
    left: int

    @property
    def accuracy(self) -> float:
        return (self.found + self.left) / sum(self)

    @property
    def recall(self) -> float:
        """r: the share of spam that is found."""
        return self.found / (self.found + self.missed)

    @property
    def false_alarms(self) -> float:
        """f: the share of the rest that is accused."""
        return self.accused / (self.accused + self.left)


def verdicts(y: Labels, told: Labels | Bool[Array, " n"]) -> Verdicts:
    """The four numbers that one share of right answers is made of.

    >>> verdicts(np.array([1, 1, 0, 0, 0]), np.array([1, 0, 1, 0, 0]))
    Verdicts(found=1, missed=1, accused=1, left=2)
    """
    y, told = np.asarray(y, bool), np.asarray(told, bool)
    return Verdicts(*(int(n.sum()) for n in (y & told, y & ~told, ~y & told, ~y & ~told)))


def accuracy(r: float, f: float, base: float) -> float:
    """The share of right verdicts where a share `base` is spam: never crying "spam" scores 1 − β.

    >>> round(accuracy(0.0, 0.0, base=0.01), 2)
    0.99
    """
    return r * base + (1 - f) * (1 - base)


def precision(r: float, f: float, base: float) -> float:
    """Of what is called spam, the share that is. It depends on β, which the classifier cannot know.

    >>> [round(precision(0.99, 0.01, base), 2) for base in (0.5, 0.1, 0.01)]
    [0.99, 0.92, 0.5]
    """
    called = r * base + f * (1 - base)
    if not called:
        raise ValueError("Nothing is called spam, so no share of it can be right.")
    return r * base / called


def cost(r: float, f: float, base: float, missed: float, accused: float) -> float:
    """What a letter costs in the mean, if a missed spam and a lost letter cost so much each.

    >>> round(cost(0.9, 0.02, base=0.5, missed=1.0, accused=50.0), 2)
    0.55
    """
    return (1 - r) * base * missed + f * (1 - base) * accused


CHOICES = ("first", "last", "sum of all", "second to last", "sum of last four", "last four, joined")


def choice(states: Float[Array, "layers n d"], name: str) -> Float[Array, "n _"]:
    """One vector for each token, out of what stands before the first block and after each.

    >>> states = np.arange(7.0).reshape(7, 1, 1)  # of a network of six blocks
    >>> [choice(states, name).tolist() for name in CHOICES]
    [[[0.0]], [[6.0]], [[21.0]], [[5.0]], [[18.0]], [[3.0, 4.0, 5.0, 6.0]]]
    """
    if len(states) < 5:
        raise ValueError(f"The last four layers of {len(states) - 1} cannot be had: give 4 blocks.")
    made = {
        "first": lambda: states[0],
        "last": lambda: states[-1],
        "sum of all": lambda: states[1:].sum(axis=0),
        "second to last": lambda: states[-2],
        "sum of last four": lambda: states[-4:].sum(axis=0),
        "last four, joined": lambda: np.concatenate(list(states[-4:]), axis=-1),
    }
    if name not in made:
        raise ValueError(f"There is no choice {name!r}: take one of {', '.join(CHOICES)}.")
    return made[name]()


def marked(tags: Sequence[str]) -> set[tuple[int, int, str]]:
    """The names in a sentence: first word, last word, kind.

    A tag I- that does not go on with a name of its kind begins one, as judges of 2003 had it.

    >>> sorted(marked(["B-ORG", "O", "B-PER", "I-PER", "I-LOC"]))
    [(0, 0, 'ORG'), (2, 3, 'PER'), (4, 4, 'LOC')]
    """
    found, start = set(), 0
    for i, tag in enumerate(tags):
        kind, after = tag[2:], tags[i + 1] if i + 1 < len(tags) else "O"
        if tag[:1] == "B" or i == 0 or tags[i - 1][2:] != kind:
            start = i
        if kind and after != f"I-{kind}":
            found.add((start, i, kind))
    return found


def f1(given: Sequence[Sequence[str]], told: Sequence[Sequence[str]]) -> float:
    """Of names, whole and of the right kind: twice those agreed on, by those given plus told.

    >>> f1([["B-PER", "I-PER", "O"]], [["B-PER", "O", "O"]]), f1([["B-PER"]], [["B-PER"]])
    (0.0, 1.0)
    """
    pairs = [(marked(a), marked(b)) for a, b in zip(given, told, strict=True)]
    shared, all_ = sum(len(a & b) for a, b in pairs), sum(len(a) + len(b) for a, b in pairs)
    return 2 * shared / all_ if all_ else 1.0
