"""Exercise 2.3: the loss of negative sampling for one positive pair and its noise words.

J = −log σ(u · v) − Σ_i log σ(−u_i · v)   over the noise words i = 1 … k

v is the word vector of the centre word and u the context vector of the context word. The rows u_i
are the context vectors of the noise words.

In the first claim every noise word is at a right angle to v, and in the second the context word is.
Then σ is 1/2 whatever its sign, so a wrong sign in one half of J costs no point for the other half.
"""

from collections.abc import Callable, Iterator

import numpy as np

from firth.checks.claims import Exercise


def sigma(x):
    """The logistic function 1 / (1 + e^−x) of a number or an array."""
    return 1 / (1 + np.exp(-x))


def log_sigma(x):
    """The logarithm of σ(x), computed without overflow, for a number or an array."""
    return -np.logaddexp(0, -x)


def loss_function(
    pair=log_sigma, noise=lambda x: log_sigma(-x), gather=lambda a, b: -a - b.sum()
) -> Callable:
    """A function `negative_loss(v, u, noise)`: the reference answer, or a mistake.

    With the default arguments it is the reference answer. `pair` and `noise` turn the dot products
    of the context word and of the noise words into log-probabilities a and b, and `gather` makes
    the loss of them.
    """

    def negative_loss(v, u, noise_vectors):
        return gather(pair(u @ v), noise(np.asarray(noise_vectors) @ v))

    return negative_loss


def mistake_softmax(v, u, noise):
    """The loss of a wrong answer: −log softmax over the context word and the noise words.

    The right answer has a σ for each of them.
    """
    scores = np.concatenate([[u @ v], np.asarray(noise) @ v])
    return np.logaddexp.reduce(scores) - scores[0]


def mistake_entry_by_entry(v, u, noise):
    """The loss of a wrong answer that takes σ of the product of each two entries.

    The right answer adds up these products first, to a dot product.
    """
    return -log_sigma(u * v).sum() - log_sigma(-np.asarray(noise) * v).sum()


def mistake_log_of_sigma(x):
    """The logarithm of σ(x), computed in two steps: a mistake, which gives −inf for x = −800."""
    return np.log(sigma(x))


def mistake_added_constant(constant) -> Callable:
    """A wrong function for log σ(x): log(σ(x) + constant), which is never below log(constant)."""
    return lambda x: np.log(sigma(x) + constant)


def mistake_clipped_score(lowest) -> Callable:
    """A wrong function for log σ(x) that replaces every score x below `lowest` by `lowest`."""
    return lambda x: log_sigma(np.maximum(x, lowest))


def mistake_score_of_0(v, u, noise):
    """The loss of a wrong answer in which a noise word with the score 0 adds nothing.

    If the vector of the noise word is orthogonal to v, other mistakes have the same loss: a loss
    without noise words, and a softmax.
    """
    x = np.asarray(noise) @ v
    return -log_sigma(u @ v) - log_sigma(-x[abs(x) > 1e-9]).sum()


LIMIT = (
    "In your loss, no answer costs more than a certain number. What is log(1 + e⁸⁰⁰) on paper?"
    " `np.logaddexp(0, x)` is log(1 + eˣ) for every x."
)
LIMITED = {
    **{f"{c:g} added": mistake_added_constant(c) for c in (1e-15, 1e-12, 1e-10, 1e-9)},
    **{f"cut off at {x}": mistake_clipped_score(x) for x in (-10, -20, -30, -50, -100, -500)},
}
MISTAKES = {
    "overflow": (
        loss_function(mistake_log_of_sigma, lambda x: mistake_log_of_sigma(-x)),
        "What is σ(−800) in NumPy, and what is its logarithm? `np.logaddexp(0, x)` is log(1 + eˣ)"
        " for every x.",
    ),
    **{
        f"{name}, {where}": (loss_function(log, other), LIMIT)
        for name, log in LIMITED.items()
        for where, other in (
            ("everywhere", lambda x, log=log: log(-x)),
            ("in the positive pair", lambda x: log_sigma(-x)),
        )
    },
    "score of 0": (
        mistake_score_of_0,
        "Let a noise word be at a right angle to v. Then its score is 0, and σ(0) is 1/2. How much"
        " should it cost, and how much does it cost in your loss?",
    ),
    "no minus": (
        loss_function(gather=lambda a, b: a + b.sum()),
        "Your loss rises as the model gets better. Which sign has the logarithm of a probability?",
    ),
    "sign of the noise": (
        loss_function(noise=log_sigma),
        "You use σ(u_i · v) for a noise word. That is the probability of “yes”. What is the"
        " probability of “no”?",
    ),
    "sign of the pair": (
        loss_function(pair=lambda x: log_sigma(-x)),
        "You use σ(−u · v) for the positive pair. That is the probability of “no”. Which answer is"
        " the right one for this pair?",
    ),
    "both signs": (
        loss_function(pair=lambda x: log_sigma(-x), noise=log_sigma),
        "You want “no” for the positive pair and “yes” for the noise words. Which of them should"
        " get a probability near 1?",
    ),
    "noise subtracted": (
        loss_function(gather=lambda a, b: -a + b.sum()),
        "A wrong answer about a noise word lowers your loss. Should it raise or lower the loss?",
    ),
    "pair subtracted": (
        loss_function(gather=lambda a, b: a - b.sum()),
        "A wrong answer about the positive pair lowers your loss. Should it raise or lower the"
        " loss?",
    ),
    "pair once for each noise word": (
        loss_function(gather=lambda a, b: -(a + b).sum()),
        "You count the positive pair once for each noise word. How often does it stand in J?",
    ),
    "mean of the noise": (
        loss_function(gather=lambda a, b: -a - b.mean()),
        "You take the mean over the noise words. Is the mean or the sum asked for?",
    ),
    "mean of everything": (
        loss_function(gather=lambda a, b: (-a - b.sum()) / (1 + len(b))),
        "You divide by the number of all terms. Is the mean or the sum asked for?",
    ),
    "first noise word only": (
        loss_function(gather=lambda a, b: -a - b[0]),
        "You use the first noise word only. What about the others?",
    ),
    "last noise word only": (
        loss_function(gather=lambda a, b: -a - b[-1]),
        "You use the last noise word only. Does your loop keep what it has added before?",
    ),
    "no noise": (
        loss_function(gather=lambda a, b: -a),
        "Where are the noise words in your loss? Without them, a model that always says “yes” is"
        " perfect.",
    ),
    "no pair": (
        loss_function(gather=lambda a, b: -b.sum()),
        "Where is the positive pair in your loss? You use the noise words only.",
    ),
    "a row of numbers": (
        loss_function(gather=lambda a, b: -a - b),
        "Your loss is a row of numbers, one for each noise word. How do they become one number?",
    ),
    "noise vectors added": (
        lambda v, u, noise: -log_sigma(u @ v) - log_sigma(-(np.asarray(noise).sum(axis=0) @ v)),
        "You add up the vectors of the noise words first. Should each noise word not have a σ of"
        " its own?",
    ),
    "noise with u": (
        lambda v, u, noise: -log_sigma(u @ v) - log_sigma(-(np.asarray(noise) @ u)).sum(),
        "You multiply a noise word's vector by u. Should it be multiplied by v or by u?",
    ),
    "base 2": (
        loss_function(gather=lambda a, b: (-a - b.sum()) / np.log(2)),
        "Everything is too large by 1/log 2 = 1.44. Which logarithm is asked for?",
    ),
    "no logarithm": (
        loss_function(sigma, lambda x: sigma(-x)),
        "Those are probabilities. Where is the logarithm?",
    ),
    "no logistic function": (
        loss_function(lambda x: x, lambda x: -x),
        "You use the dot products themselves. Where is σ?",
    ),
    "softmax": (
        mistake_softmax,
        "That is a softmax over the context word and the noise words. Here each of them gets a σ of"
        " its own. What is σ of one dot product?",
    ),
    "number by number": (
        mistake_entry_by_entry,
        "You take σ of each product of two numbers. A dot product is one number: do you add up"
        " before you take σ, or afterwards?",
    ),
}
negative_loss = Exercise(
    name="negative_loss",
    chapter="02_word2vec",
    number="2.3",
    difficulty=2,
    minutes=10,
    hints=(
        "The model answers k + 1 questions. For each of them, which answer is right, and what is"
        " the probability that the model gives to it?",
        "The probability of “yes” for the positive pair is σ(u · v), and of “no” for a noise word"
        " σ(−u_i · v). Each costs −log of its probability. −log σ(x) is log(1 + e⁻ˣ), which is"
        " np.logaddexp(0, −x) and never overflows.",
        "pair = np.logaddexp(0, -(u @ v))\n"
        "others = np.logaddexp(0, …)  # which sign has noise @ v here?\n"
        "return pair + others.sum()",
    ),
    right=loss_function(),
    mistakes=MISTAKES,
)


def vectors_with_noise(rng, *sizes, d=4) -> Iterator[tuple]:
    """Inputs (v, u, noise) of random vectors of d entries; `sizes` says how many noise words."""
    for k in sizes:
        v, u = rng.normal(size=(2, d))
        yield v, u, rng.normal(size=(k, d))


def orthogonal_vector(v) -> np.ndarray:
    """A vector of four entries whose dot product with v is 0."""
    return np.array([-v[1], v[0], -v[3], v[2]])


def noise_at_right_angles(rng) -> Iterator[tuple]:
    """Inputs (v, u, noise) with one noise word, whose dot product with v is 0.

    Its part of the loss is log 2, whichever sign the score gets. So only mistakes in the part of
    the positive pair matter, and mistakes of another kind, such as a missing logarithm. The dot
    product of u and v is above 0 in the first and the last input, and below 0 in the second.
    """
    for sign in (1, -1, 1):
        v = rng.choice([-1, 1], size=4) * rng.uniform(0.5, 1.5, size=4)
        u = sign * v * rng.uniform(0.3, 0.9, size=4)
        yield v, u, rng.uniform(0.5, 2) * orthogonal_vector(v)[None] + 0.0


def pairs_at_right_angles(rng) -> Iterator[tuple]:
    """Inputs (v, u, noise) with 3, 5 and 2 noise words, in which the dot product of u and v is 0.

    The positive pair's part of the loss is log 2, whichever sign the score gets. The noise words
    differ, so that the mean, the first one and the last one are different from the sum.
    """
    for v, _, noise in vectors_with_noise(rng, 3, 5, 2):
        noise[0] = abs(noise[0]) * np.sign(v)  # the first two are on different sides of v
        noise[1] = -abs(noise[1]) * np.sign(v)
        yield v, rng.uniform(0.5, 2) * orthogonal_vector(v), noise


def large_dot_products(rng) -> Iterator[tuple]:
    """Inputs (v, u, noise) with one noise word and dot products near 800 and −800.

    The positive pair has −800, the noise word has 800, and then both do. In the last input both are
    right, with 800 and −800. This catches log(σ(x)), where σ(−800) is 0 and its logarithm −inf, and
    a small constant that is added to prevent this.
    """
    for pair, noise in ((-1, 0), (0, 1), (-1, 1), (1, -1)):
        v = rng.choice([-1.0, 1.0], size=4)
        near = rng.uniform(0.1, 1, size=(2, 4)) * v
        far = rng.uniform(190, 210) * v
        yield v, pair * far + near[0], (noise * far + near[1])[None]


negative_loss.agrees(
    "costs −log σ(u · v) for the positive pair, and log 2 for a noise word at a right angle to v",
    "Take v = (1, 0), u = (0, 1) and one noise word (0, 1) on paper. What is σ(0), and what is"
    " −log of it?",
    noise_at_right_angles,
)
negative_loss.agrees(
    "costs −log σ(−u_i · v) for each noise word, all added up",
    "How many terms does J have with three noise words? What does each of them cost?",
    pairs_at_right_angles,
)
negative_loss.agrees(
    "is finite and right where a dot product is 800 or −800",
    "What is −log σ(−800) on paper, about? What do you get in NumPy?",
    large_dot_products,
)
