"""Exercise 5, the norm: each token's vector brought to one size, whatever the other tokens are.

layer_norm(x) = gain ∘ (x − mean) / √(variance + 1e-5) + shift
"""

import math

import numpy as np

from firth.checks.claims import Exercise
from firth.checks.mistakes import fitting

EPS = 1e-5


def normed(X, gain, shift, axis=-1):
    """Each vector with mean 0 and standard deviation 1, then stretched and moved."""
    Z = X - X.mean(axis=axis, keepdims=True)
    return gain * Z / np.sqrt((Z * Z).mean(axis=axis, keepdims=True) + EPS) + shift


def one_by_one(X, gain, shift):
    """The right answer, a token at a time."""
    tokens = []
    for x in X.reshape(-1, X.shape[-1]):
        mean = sum(x) / len(x)
        variance = sum((number - mean) ** 2 for number in x) / len(x)
        tokens.append(gain * (x - mean) / math.sqrt(variance + EPS) + shift)
    return np.array(tokens).reshape(X.shape)


def sized(
    axis=-1,
    centre=lambda X, mean: X - mean,
    spread=lambda X, axis: X.var(axis=axis, keepdims=True),
    root=lambda variance: np.sqrt(variance + EPS),
    finish=lambda Z, gain, shift: gain * Z + shift,
):
    """A way of norming, the right one by default."""

    @fitting
    def layer_norm(X, gain, shift):
        Z = centre(X, X.mean(axis=axis, keepdims=True))
        return finish(Z / root(spread(X, axis)), gain, shift)

    return layer_norm


def batch_wise(X, gain, shift):
    """Along all axes but the last, as a batch norm would."""
    axes = tuple(range(X.ndim - 1))
    return sized(axis=axes)(X, gain, shift) if axes else sized()(X, gain, shift)


def unbracketed(X, gain, shift):
    mean, variance = X.mean(axis=-1, keepdims=True), X.var(axis=-1, keepdims=True)
    return gain * (X - mean / np.sqrt(variance + EPS)) + shift


ALONG = (
    "You take the mean of each feature over the tokens: should a token's numbers change when"
    " another token does? Along which axis lies one token?"
)
MIDDLE = "A text of a batch is a table: along which axis lies one token? The last: axis=-1."
ALONE = "Does X come as a table here, or as a single token? axis=-1 needs no loop over rows."
BARE = "A token of equal numbers has variance 0: where is the 1e-5?"
layer_norm = Exercise(
    name="layer_norm",
    chapter="05_transformer",
    number="5.2",
    difficulty=1,
    minutes=10,
    hints=(
        "One token is one row. What is the mean of a row, and how do you take it off every number"
        " of that row?",
        "X.mean(axis=-1, keepdims=True) is a mean for each token, of a shape that can be taken off"
        " X. The variance is the mean of the squares of what is left. Add 1e-5, take the root,"
        " divide; then gain and shift.",
        "Z = X - X.mean(axis=-1, keepdims=True)\n"
        "variance = (Z**2).mean(…)\n"
        "return gain * Z / np.sqrt(variance + …) + shift",
    ),
    right=one_by_one,
    stumbles={
        "broadcast": "Has the mean of each row kept its axis (keepdims=True)? gain and shift fit"
        " as they are: a number for each feature.",
        "axis 1": "The last axis is -1, also where there is only one.",
        "not iterable": ALONE,
        "dimension 0": ALONE,
    },
)
layer_norm.mistakes = [
    (batch_wise, ALONG),
    (sized(axis=0), ALONG),
    (sized(axis=-2), ALONG),
    (sized(axis=1), MIDDLE),
    (
        sized(axis=None),
        "You take one mean of all: should a token's numbers change when another token does?",
    ),
    (
        sized(spread=lambda X, axis: X.var(axis=axis, keepdims=True, ddof=1)),
        "You divide the squares by d − 1, as statisticians do: by how many is it here?",
    ),
    (
        sized(spread=lambda X, axis: X.var()),
        "You divide all by one standard deviation: has not each token its own?",
    ),
    (
        sized(spread=lambda X, axis: X.std(axis=axis, keepdims=True)),
        "You take the root of the standard deviation: is that not a root already?",
    ),
    (
        unbracketed,
        "What does Python take first in X - mean / root? Put the difference in brackets.",
    ),
    (
        sized(root=lambda variance: np.sqrt(variance) + EPS),
        "You add 1e-5 to the root: does it stand inside?",
    ),
    (sized(root=np.sqrt), BARE),
    (
        sized(root=lambda variance: np.where(variance > 0, np.sqrt(variance), 1)),
        "You treat variance 0 apart: is that what is asked? A variance near 0 feels the 1e-5, too.",
    ),
    (
        sized(root=lambda variance: np.sqrt(variance + 1e-6)),
        "1e-6, 1e-8, 1e-12: libraries differ. Which number is asked for here?",
    ),
    (
        sized(root=lambda variance: np.sqrt(variance + 1e-8)),
        "1e-6, 1e-8, 1e-12: libraries differ. Which number is asked for here?",
    ),
    (
        sized(root=lambda variance: variance + EPS),
        "You divide by the variance: of what is it the square?",
    ),
    (
        sized(spread=lambda X, axis: X.shape[-1] * X.var(axis=axis, keepdims=True)),
        "You divide by the length of the vector: is the standard deviation a sum, or a mean?",
    ),
    (
        sized(
            centre=lambda X, mean: X,
            spread=lambda X, axis: (X * X).mean(axis=axis, keepdims=True),
        ),
        "You leave the mean where it is (later models do, and call it RMS norm): what is asked?",
    ),
    (sized(centre=lambda X, mean: X), "You divide, but who takes the mean off?"),
    (
        sized(spread=lambda X, axis: (X * X).mean(axis=axis, keepdims=True)),
        "You square the numbers with their mean still in them: what is a variance?",
    ),
    (
        sized(root=lambda variance: 1.0),
        "The mean is gone; and the standard deviation? Divide by it.",
    ),
    (
        sized(finish=lambda Z, gain, shift: gain * (Z + shift)),
        "You shift before you stretch: which comes first?",
    ),
    (
        sized(finish=lambda Z, gain, shift: shift * Z + gain),
        "gain and shift have each other's place: which of them multiplies?",
    ),
    (sized(finish=lambda Z, gain, shift: Z), "Where are gain and shift?"),
    (sized(finish=lambda Z, gain, shift: gain * Z), "Where did shift go?"),
    (sized(finish=lambda Z, gain, shift: Z + shift), "Where did gain go?"),
]


def tokens(rng, *shape, spread=30.0):
    """Tokens with means and spreads all different, and no spread small."""
    X = rng.normal(size=shape)
    X = (X - X.mean(axis=-1, keepdims=True)) / X.std(axis=-1, keepdims=True)
    column = (*shape[:-1], 1)
    return X * rng.uniform(spread / 2, spread, size=column) + 3 * rng.normal(size=column)


def plain_texts(rng):
    for n, d in ((3, 4), (5, 3), (4, 6)):
        yield tokens(rng, n, d), np.ones(d), np.zeros(d)


def scaled_texts(rng):
    for shape in ((4, 3), (3, 5), (2, 3, 4), (3, 2, 5), (6,)):
        gain = rng.uniform(0.4, 2.5, size=shape[-1]) * rng.choice([-1, 1], size=shape[-1])
        yield tokens(rng, *shape), gain, rng.normal(size=shape[-1]) + 1


def flat_texts(rng):
    """Spreads about as small as the root of 1e-5, and a token without any."""
    for n, d in ((3, 4), (4, 3), (5, 6)):
        X = tokens(rng, n, d, spread=6e-3)
        X[int(rng.integers(n))] = float(rng.integers(1, 9))  # sums of whole numbers are exact
        yield X, rng.uniform(1, 2, size=d), rng.normal(size=d)


layer_norm.agrees(
    "gives each token mean 0 and standard deviation 1, whatever the other tokens are",
    "One token, (2, 4, 4, 6): what are its mean and its standard deviation, and what is left?",
    plain_texts,
)
layer_norm.agrees(
    "multiplies each feature by its gain and adds its shift, in a text, a batch, a single token",
    "gain has a number for each feature, and so has shift: which multiplies, which is added?",
    scaled_texts,
)
layer_norm.agrees(
    "adds 1e-5 to the variance under the root, and leaves X as it was",
    "A token of equal numbers has variance 0: by what is it divided, and what comes out?",
    flat_texts,
    untouched="Do you write into X? `X -= …` changes what you were handed.",
)
