"""Exercise 2.4: the gradient of the loss of negative sampling.

∂J/∂v   = (σ(u · v) − 1) u + Σ_i σ(u_i · v) u_i
∂J/∂u   = (σ(u · v) − 1) v
∂J/∂u_i = σ(u_i · v) v          for each noise word i = 1 … k

Each term is an error signal, σ(score) − label, times the other vector of the dot product.

Three claims look at one kind of row each. The fourth one only asks whether fractions survive where
the inputs are whole numbers.
"""

from collections.abc import Callable, Iterator

import numpy as np

from firth.checks.claims import Exercise

from .negative_sampling import sigma, vectors_with_noise


def gradient_function(
    pair=lambda x: sigma(x) - 1,
    noise=sigma,
    centre=lambda g, u, h, N: g * u + h @ N,
    rows=lambda dv, du, dN: [dv, du, *dN],
) -> Callable:
    """A function `negative_gradient(v, u, noise)`: the reference answer, or a mistake.

    With the default arguments it is the reference answer. `pair` and `noise` turn dot products into
    the error signals g and h, `centre` computes the gradient with respect to v from them, and
    `rows` puts the rows of the result together.
    """

    def negative_gradient(v, u, noise_vectors):
        N = np.asarray(noise_vectors)
        g, h = pair(u @ v), noise(N @ v)
        return np.array(rows(centre(g, u, h, N), g * v, np.outer(h, v)))

    return negative_gradient


def slope_of_sigma(x):
    """The derivative σ(x) (1 − σ(x)) of the logistic function."""
    return sigma(x) * (1 - sigma(x))


def mistake_own_vectors(v, u, noise):
    """The gradient of a wrong answer that multiplies each error signal by the wrong vector.

    It multiplies by u or u_i itself instead of v, the other vector of the dot product.
    """
    G = gradient_function()(v, u, noise)
    return np.array([G[0], (sigma(u @ v) - 1) * u, *(sigma(noise @ v)[:, None] * noise)])


def mistake_integer_gradient(v, u, noise):
    """The gradient of a wrong answer with the dtype of v: if v holds integers, it is truncated."""
    return gradient_function()(v, u, noise).astype(np.asarray(v).dtype)


ROWS = "first v, then u, then the noise words"
MISTAKES = {
    "opposite sign": (
        gradient_function(lambda x: 1 - sigma(x), lambda x: -sigma(x)),
        "Everything has the opposite sign. Does the gradient point to where the loss grows, or to"
        " where it falls?",
    ),
    "sign of the pair": (
        gradient_function(pair=lambda x: 1 - sigma(x)),
        "The error signal of the positive pair has the wrong sign. At a score of 0, is the slope of"
        " −log σ(x) equal to 1/2 or to −1/2?",
    ),
    "label of the pair": (
        gradient_function(pair=sigma),
        "You use σ(u · v) as the error signal of the positive pair. Its label is 1: what is σ minus"
        " the label?",
    ),
    "label of the noise": (
        gradient_function(noise=lambda x: sigma(x) - 1),
        "You use σ(u_i · v) − 1 as the error signal of a noise word. Its label is 0: what is σ"
        " minus the label?",
    ),
    "sign of the noise": (
        gradient_function(noise=lambda x: -sigma(x)),
        "The error signal of the noise words has the wrong sign. Should the dot product of a noise"
        " word with v rise or fall?",
    ),
    "σ(−x) for the noise": (
        gradient_function(noise=lambda x: sigma(-x)),
        "You use σ(−u_i · v) as the error signal of a noise word. If the score is −5, the answer is"
        " nearly right. Should its error signal be near 0 or near 1?",
    ),
    "slope of σ": (
        gradient_function(pair=lambda x: -slope_of_sigma(x), noise=slope_of_sigma),
        "You use σ(1 − σ), the slope of σ. The loss has a logarithm in front of it. What does the"
        " chain rule make of the two?",
    ),
    "no logistic function": (
        gradient_function(lambda x: x - 1, lambda x: x),
        "You use the dot products themselves. Where is σ?",
    ),
    "row of v without noise": (
        gradient_function(centre=lambda g, u, h, N: g * u),
        "In your row of v the noise words are missing. In which dot products does v stand?",
    ),
    "row of v without u": (
        gradient_function(centre=lambda g, u, h, N: h @ N),
        "In your row of v the positive pair is missing. In which dot products does v stand?",
    ),
    "row of v with the last noise word only": (
        gradient_function(centre=lambda g, u, h, N: g * u + h[-1] * N[-1]),
        "In your row of v only the last noise word counts. Does your loop add to the row, or write"
        " over it?",
    ),
    "row of v with the mean of the noise": (
        gradient_function(centre=lambda g, u, h, N: g * u + h @ N / len(N)),
        "In your row of v you take the mean over the noise words. Is it the mean or the sum in the"
        " loss?",
    ),
    "mean of the noise": (
        gradient_function(noise=lambda x: sigma(x) / len(x)),
        "You divide by the number of noise words everywhere. Is it the mean or the sum in the"
        " loss?",
    ),
    "row of v with the noise subtracted": (
        gradient_function(centre=lambda g, u, h, N: g * u - h @ N),
        "In your row of v the noise words have the wrong sign. Is an error signal of a noise word"
        " above or below 0?",
    ),
    "row of v without error signals of the noise": (
        gradient_function(centre=lambda g, u, h, N: g * u + N.sum(axis=0)),
        "In your row of v you add up the noise vectors. By which number should each of them be"
        " multiplied first?",
    ),
    "own vectors": (
        mistake_own_vectors,
        "You multiply each vector by its own error signal. What is the derivative of u · v with"
        " respect to u: u or v?",
    ),
    "u first": (
        gradient_function(rows=lambda dv, du, dN: [du, dv, *dN]),
        f"These are the right rows in another order. The order is {ROWS}. Which row comes first?",
    ),
    "noise first": (
        gradient_function(rows=lambda dv, du, dN: [*dN, du, dv]),
        f"These are the right rows, from the last to the first. The order is {ROWS}. Which row"
        " comes first?",
    ),
    "u last": (
        gradient_function(rows=lambda dv, du, dN: [dv, *dN, du]),
        f"These are the right rows in another order. The order is {ROWS}. Which row comes second?",
    ),
    "noise rows added": (
        gradient_function(rows=lambda dv, du, dN: [dv, du, dN.sum(axis=0)]),
        "You add up the rows of the noise words. How many rows are asked for?"
        f" ({ROWS.capitalize()}, a row for each.)",
    ),
    "no rows for the noise": (
        gradient_function(rows=lambda dv, du, dN: [dv, du]),
        "You return two rows. The noise words have vectors, too: how many rows are asked for?",
    ),
    "row of v only": (
        gradient_function(rows=lambda dv, du, dN: dv),
        "You return the row of v only. Where are the rows of u and of the noise words?",
    ),
    "whole numbers": (
        mistake_integer_gradient,
        "If v holds whole numbers, so does your result. Does it cut −1/2 down to 0? `np.zeros` of a"
        " shape holds fractions, and `np.zeros_like(v)` may not.",
    ),
}
negative_gradient = Exercise(
    name="negative_gradient",
    chapter="02_word2vec",
    number="2.4",
    difficulty=3,
    minutes=18,
    hints=(
        "How far is each answer from its label? And what is the derivative of a dot product with"
        " respect to one of its two vectors?",
        "The error signal of the positive pair is g = σ(u · v) − 1. The row of u is g times v. The"
        " error signal of a noise word is h = σ(u_i · v), and its row is h times v. The vector v"
        " stands in all dot products, so its row is a sum: g times u, plus each h times its u_i.",
        "g = sigmoid(u @ v) - 1\n"
        "h = sigmoid(noise @ v)\n"
        "row_v = g * u + …  # what do all the noise words add?\n"
        "return np.vstack([row_v, g * v, np.outer(h, v)])",
    ),
    right=gradient_function(),
    mistakes=MISTAKES,
)


def several_noise_words(rng) -> Iterator[tuple]:
    """Inputs (v, u, noise) of random vectors, with 3, 5 and 2 noise words.

    There are always several, so that their sum, their mean and the last one alone are different.
    """
    yield from vectors_with_noise(rng, 3, 5, 2)


def one_or_four_noise_words(rng) -> Iterator[tuple]:
    """Inputs (v, u, noise) of random vectors, with one noise word and with four."""
    yield from vectors_with_noise(rng, 1, 4)


def integer_vectors(rng) -> Iterator[tuple]:
    """Inputs (v, u, noise) of small integers, for which no entry of the gradient is an integer.

    This catches an answer that writes its rows into an integer array, such as `np.zeros_like(v)`,
    which truncates every entry. No dot product is 0, where σ is 1/2, and no two are equal or
    opposite, where two values of σ can add up to 1. So the gradients of other wrong answers have
    fractions, too, and these answers lose no point here.
    """
    for k in (2, 3):
        entries, scores = np.zeros(1), np.zeros(1)
        while abs(entries - entries.round()).min() < 1e-3 or len({0, *abs(scores)}) < k + 2:
            v, u, *noise = rng.choice([-2, -1, 1, 2], size=(2 + k, 3))
            entries = gradient_function()(v, u, np.array(noise))
            scores = np.array([u, *noise]) @ v
        yield v, u, np.array(noise)


def has_fractions(rows, right) -> np.ndarray:
    """An array like rows: 1 where an entry is not an integer, and 0 where it is one.

    One claim compares answers by this array, so that wrong values cost no point there. `right`, the
    right answer, is not used.
    """
    return (abs(rows - rows.round()) > 1e-6).astype(float)


negative_gradient.agrees(
    "has the gradient with respect to v in its first row, from the pair and all noise words",
    "In which dot products does v stand? For each of them, what is the error signal, and by which"
    " vector is it multiplied?",
    several_noise_words,
    view=lambda rows, right: rows[0],
)
negative_gradient.agrees(
    "has the gradient with respect to u in its second row",
    "What is the slope of −log σ(x) at x = u · v? By which vector is it multiplied?",
    one_or_four_noise_words,
    view=lambda rows, right: rows[1],
)
negative_gradient.agrees(
    "has a row for each noise word after that, and does not change v, u and noise",
    "What is the slope of −log σ(−x) at x = u_i · v? By which vector is it multiplied?",
    several_noise_words,
    view=lambda rows, right: rows[2:],
    untouched="Does your function write into v, u or noise? In 2.5 they are rows of V and U.",
)
negative_gradient.agrees(
    "has fractions, also where v, u and noise are whole numbers",
    "Take v = (2, 1), u = (−1, 2) and one noise word (−3, 6), as in the example. Is there a −0.5 in"
    " your result?",
    integer_vectors,
    view=has_fractions,
)
