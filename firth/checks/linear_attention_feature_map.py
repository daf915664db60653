"""Exercise 7, feature maps: what a softmax is replaced by.

elu(x) + 1 = x + 1 above 0, eˣ below;   softplus(x) = log(1 + eˣ);   relu(x) + 0.01
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy import allclose

from firth.checks.claims import Exercise
from firth.checks.linear_attention_claims import survives
from firth.checks.variants import printed


def elu(x):
    return np.where(x > 0, x, np.expm1(np.minimum(x, 0)))


def softplus(x):
    return np.logaddexp(0, x)


def relu(x):
    return np.maximum(x, 0)


@dataclass(frozen=True)
class Map:
    """A feature map, and what the notebook says of it."""

    form: str
    formula: str
    phi: Callable
    hand: str
    hints: tuple[str, str, str]


ELU = Map(
    "elu + 1",
    r"$\varphi(x) = x + 1$ for $x > 0$, and $e^{x}$ for $x \le 0$ (elu + 1, as in 2020)",
    lambda x: elu(x) + 1,
    "above 0 one adds 1, so 2 becomes 3; at 0 both sides say 1; and −1 becomes 1/e = 0.37.",
    (
        "Two sides of 0, two formulas; each number of X stands on one side.",
        "np.where(X > 0, …, …) takes for each number the first formula or the second.",
        "return np.where(X > 0, X + 1, …)  # and what below 0?",
    ),
)
SOFTPLUS = Map(
    "softplus",
    r"$\varphi(x) = \log(1 + e^{x})$ (softplus; for large $x$ it is nearly $x$ itself)",
    softplus,
    "log(1 + e²) = log 8.39 = 2.13; at 0 it is log 2 = 0.69; and −1 becomes log 1.37 = 0.31.",
    (
        "First as it stands. Then ask: what is e to the 1000, and what is the logarithm of it?",
        "log(e⁰ + eˣ) without ever making eˣ is what np.logaddexp does.",
        "return np.logaddexp(…, X)  # log(1 + eˣ): of which number is 1 the exp?",
    ),
)
RELU = Map(
    "relu + 0.01",
    r"$\varphi(x) = \max(x, 0) + 0.01$ (relu, lifted a little, as Performer's authors do)",
    lambda x: relu(x) + 0.01,
    "what is above 0 stays, what is below becomes 0, and all are lifted by 0.01:"
    " 2.01, 0.01 and 0.01.",
    (
        "Two steps: cut off what is below 0, then lift everything.",
        "np.maximum(X, 0) cuts; what is added afterwards is added to all.",
        "return np.maximum(X, …) + …",
    ),
)

OTHERS = (
    (elu, "That is elu by itself: below 0 it goes down to −1. What lifts it above 0?"),
    (lambda x: elu(x) + 1, "That is elu + 1: which formula does your notebook give?"),
    (softplus, "That is softplus: which formula does your notebook give?"),
    (relu, "That is relu: what does a word weigh whose features are all 0?"),
    (lambda x: relu(x) + 0.01, "That is relu + 0.01: which formula does your notebook give?"),
    (lambda x: relu(x) + 1, "You lift by 1 what is cut off below 0: what does the formula say?"),
    (
        lambda x: np.log(1 + np.exp(x)),
        "What is exp(1000) to a computer? log(1 + eˣ) can be had without making eˣ.",
    ),
    (
        lambda x: (x > 0) * (x + 1) + (x <= 0) * np.exp(x),
        "0 · ∞ is nan: what is exp(1000), even if 0 is to multiply it?",
    ),
    (np.exp, "That is the exponential on both sides of 0: can it hold x = 1000?"),
    (lambda x: x + 1, "You add 1 on both sides: is −5 + 1 above 0?"),
    (lambda x: x, "X comes back as it was: is every feature above 0?"),
    (np.abs, "Without its sign a number says less: q and −q would be alike. What is asked for?"),
    (lambda x: np.abs(x) + 1, "The sign is gone: q and −q would be alike. What is asked below 0?"),
    (
        lambda x: (1 + np.tanh(x / 2)) / 2,
        "That is the sigmoid: does your formula end at 1?",
    ),
    (lambda x: x * x, "A square is never below 0, but q and −q are alike. What is asked for?"),
    (
        lambda x: np.where(x > 0, np.exp(np.minimum(x, 700)), x + 1),
        "The two sides have each other's formula: which one belongs above 0?",
    ),
    (
        lambda x: np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)) + 1),
        "Below 0 you add 1 to eˣ: at 0, what does either side say? (If you write into a copy, one"
        " side after the other: is what has become eˣ still below 0?)",
    ),
    (lambda x: np.logaddexp(1, x), "Which number has 1 for its exp? You begin from e."),
)


def few(rng):
    for shape in ((3, 4), (5,), (2, 3, 2)):
        X = 1.5 * rng.normal(size=shape)
        X.flat[:3] = 2.0 * rng.random() + 1, -rng.random() - 1, 0.0
        yield (X,)


def large(rng):
    """Thousands, and a few below 0."""
    for n in (3, 6):
        X = 1000 * rng.random(size=(n, 3)) + 800
        X[0] = -1 - rng.random(3)
        yield (X,)


def asked(which: Map) -> Exercise:
    """The question with one of the maps."""
    phi, shown = which.phi, np.array([[2.0, 0.0, -1.0]])
    exercise = Exercise(
        name="feature_map",
        chapter="07_linear_attention",
        number="7.1",
        difficulty=1,
        minutes=8,
        hints=which.hints,
        right=phi,
        form=which.form,
        passages=(which.formula, which.hand, printed(phi(shown).round(2) + 0.0)),
        stumbles={
            "truth value": "`if` and max ask one question of a whole table: np.where and np.maximum"
            " ask each number.",
            "converted": "The functions of math take one number: which module's take a table?",
            "not iterable": "Here X has one axis only: write for any shape.",
            "tuple index": "Here X has one axis only: write for any shape.",
        },
    )
    numbers = np.append(np.linspace(-3, 3, 9), 1000.0)
    with np.errstate(over="ignore", invalid="ignore"):
        exercise.mistakes = [
            (other, question)
            for other, question in OTHERS
            if not allclose(other(numbers), phi(numbers))
        ]
    exercise.agrees(
        "is what the formula says, above 0, below it and at 0, for any shape of X",
        "Take 2, 0 and −1 through your function by hand: what does the formula make of them?",
        few,
    )
    survives(
        exercise,
        "stays finite for numbers in the thousands",
        "Take 1000 and −2 through your function by hand: what does the formula make of each?",
        "What is exp(1000) to a computer? Must it be made at all, to say what the formula says?",
        large,
    )
    exercise.leaves(
        "leaves X as it was",
        "Do you write into X? np.where and np.maximum make something new.",
        few,
    )
    return exercise


feature_map = asked(ELU)
feature_map.forms = (asked(SOFTPLUS), asked(RELU))
