"""Exercise 2, negative sampling: what a few yes-or-no answers cost.

J = −log σ(u · v) − Σ_i log σ(−u_i · v)   over the noise words i = 1 … k

v is the centre's vector, u that of a word from its company, the rows u_i those of the noise words.
"""

import numpy as np

from firth.checks.claims import Exercise


def sigma(x):
    return 1 / (1 + np.exp(-x))


def log_sigma(x):
    """log σ(x), also where e to the power of −x is beyond all numbers."""
    return -np.logaddexp(0, -x)


def lost(pair=log_sigma, noise=lambda x: log_sigma(-x), gather=lambda a, b: -a - b.sum()):
    """A way of measuring the loss: what the pair says, what each noise word says, and together."""

    def negative_loss(v, u, noise_vectors):
        return gather(pair(u @ v), noise(np.asarray(noise_vectors) @ v))

    return negative_loss


def shared(v, u, noise):
    """A softmax over the pair and its noise words, which share one chance."""
    scores = np.concatenate([[u @ v], np.asarray(noise) @ v])
    return np.logaddexp.reduce(scores) - scores[0]


def number_by_number(v, u, noise):
    """Takes σ of each product of two numbers, and not of their sum, the dot product."""
    return -log_sigma(u * v).sum() - log_sigma(-np.asarray(noise) * v).sum()


def plainly(x):
    return np.log(sigma(x))


NO_MINUS = (
    "Is a loss not to fall as the guesses get better? Yours rises: which sign has a log of a"
    " chance?"
)
negative_loss = Exercise(
    name="negative_loss",
    chapter="02_word2vec",
    number="2.3",
    difficulty=2,
    minutes=10,
    hints=(
        "One question for the pair: is it a true one? And one for each noise word: is it a false"
        " one? Each answer is a chance, and its cost is −log of it.",
        "The chance that the pair is true is σ(u · v), that a noise word is false σ(−u_i · v)."
        " −log σ(x) is log(1 + e⁻ˣ), which is np.logaddexp(0, −x) and never overflows.",
        "pair = np.logaddexp(0, -(u @ v))\n"
        "others = np.logaddexp(0, …)  # which sign has noise @ v here?\n"
        "return pair + others.sum()",
    ),
    right=lost(),
)
negative_loss.mistakes = [
    (
        lost(plainly, lambda x: plainly(-x)),
        "What is σ(−800) in NumPy, and what is its logarithm? `np.logaddexp(0, x)` is log(1 + eˣ)"
        " without the overflow.",
    ),
    (
        lost(lambda x: np.log(sigma(x) + 1e-9), lambda x: np.log(sigma(-x) + 1e-9)),
        "Something is added to keep the logarithm from 0, and so no mistake costs more than a"
        " certain amount: what is log(1 + e⁸⁰⁰), on paper?",
    ),
    (
        lost(gather=lambda a, b: a + b.sum()),
        NO_MINUS,
    ),
    (
        lost(noise=log_sigma),
        "A noise word should be told to be false: what is the chance of that, σ(u_i · v) or"
        " σ(−u_i · v)?",
    ),
    (
        lost(pair=lambda x: log_sigma(-x)),
        "The pair is a true one: what is the chance of that, σ(u · v) or σ(−u · v)?",
    ),
    (
        lost(pair=lambda x: log_sigma(-x), noise=log_sigma),
        "You ask for the noise and against the pair: which of them should get a chance near 1?",
    ),
    (
        lost(gather=lambda a, b: -a + b.sum()),
        "A noise word that is taken for a true one: should that cost something, or earn something?",
    ),
    (
        lost(gather=lambda a, b: a - b.sum()),
        "A true pair that is taken for a false one: should that cost something, or earn something?",
    ),
    (
        lost(gather=lambda a, b: -(a + b).sum()),
        "You pay for the pair once for each noise word: how often does it stand in the loss?",
    ),
    (
        lost(gather=lambda a, b: -a - b.mean()),
        "You take the mean over the noise words: does each one of them not count in full?",
    ),
    (
        lost(gather=lambda a, b: (-a - b.sum()) / (1 + len(b))),
        "You take the mean over all the answers: is it the mean or the sum that is asked for?",
    ),
    (
        lost(gather=lambda a, b: -a - b[0]),
        "You ask one noise word: what do the others say?",
    ),
    (
        lost(gather=lambda a, b: -a - b[-1]),
        "You count the last noise word alone: what becomes of the others in your loop?",
    ),
    (lost(gather=lambda a, b: -a), "Where is the noise? Without it, all vectors may be alike."),
    (lost(gather=lambda a, b: -b.sum()), "Where is the pair itself? You ask the noise alone."),
    (
        lost(gather=lambda a, b: -a - b),
        "Is the loss one number, or a row of numbers? How do those of the noise words become one?",
    ),
    (
        lambda v, u, noise: -log_sigma(u @ v) - log_sigma(-(np.asarray(noise).sum(axis=0) @ v)),
        "You add up the noise vectors first: should each noise word not be asked on its own?",
    ),
    (
        lambda v, u, noise: -log_sigma(u @ v) - log_sigma(-(np.asarray(noise) @ u)).sum(),
        "With whom is a noise word compared, with the centre v or with its company u?",
    ),
    (
        lost(gather=lambda a, b: (-a - b.sum()) / np.log(2)),
        "Everything is too large by 1/log 2 = 1.44: which logarithm is asked for?",
    ),
    (
        lost(sigma, lambda x: sigma(-x)),
        "Where is the logarithm? Those are chances.",
    ),
    (
        lost(lambda x: x, lambda x: -x),
        "Where is σ? A dot product is no chance.",
    ),
    (
        shared,
        "In a softmax the pair and its noise words share one chance: what is the answer to each"
        " question on its own, true or false?",
    ),
    (
        number_by_number,
        "A dot product is one number: do you add up before you take σ, or afterwards?",
    ),
]


def with_noise(rng, *sizes, d=4):
    for k in sizes:
        v, u = rng.normal(size=(2, d))
        yield v, u, rng.normal(size=(k, d))


def one_noise_word(rng):
    yield from with_noise(rng, 1, 1, 1)


def many_noise_words(rng):
    yield from with_noise(rng, 3, 5, 2)


def certain(rng):
    """Pairs with a dot product of −800, noise words with one of 800; in the last, both right."""
    for pair, noise in ((-1, 0), (0, 1), (-1, 1), (1, -1)):
        v = rng.choice([-1.0, 1.0], size=4)
        near = rng.uniform(0.1, 1, size=(2, 4)) * v
        away = rng.uniform(190, 210) * v
        yield v, pair * away + near[0], (noise * away + near[1])[None]


negative_loss.agrees(
    "is −log σ(u · v) − log σ(−u₁ · v) where there is one noise word",
    "For v = (1, 0), u = (0, 1), u₁ = (0, 1), on paper: what is σ(0), and what is −log of it?",
    one_noise_word,
)
negative_loss.agrees(
    "adds up what every noise word costs",
    "How many questions are there with three noise words? What does each one cost?",
    many_noise_words,
)
negative_loss.agrees(
    "is a number, and the right one, where a dot product is 800 or −800",
    "What is −log σ(−800), on paper, about how large? What does NumPy make of it, and what do you?",
    certain,
)
