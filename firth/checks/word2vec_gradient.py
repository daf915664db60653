"""Exercise 2, the gradient of negative sampling: which way each vector is pushed.

∂J/∂v   = (σ(u · v) − 1) u + Σ_i σ(u_i · v) u_i
∂J/∂u   = (σ(u · v) − 1) v
∂J/∂u_i = σ(u_i · v) v          for each noise word i = 1 … k

Each is (chance given − answer wanted) times the other vector.
"""

import numpy as np

from firth.checks.claims import Exercise
from firth.checks.word2vec_negative_sampling import many_noise_words, sigma, with_noise


def pushed(
    pair=lambda x: sigma(x) - 1,
    noise=sigma,
    centre=lambda g, u, h, N: g * u + h @ N,
    rows=lambda dv, du, dN: [dv, du, *dN],
):
    """A way of finding the gradient: by how much either answer is wrong, and what that pushes."""

    def negative_gradient(v, u, noise_vectors):
        N = np.asarray(noise_vectors)
        g, h = pair(u @ v), noise(N @ v)
        return np.array(rows(centre(g, u, h, N), g * v, np.outer(h, v)))

    return negative_gradient


def other_way(rows):
    return pushed(rows=lambda dv, du, dN: rows(dv, du, np.asarray(dN)))


def slope(x):
    return sigma(x) * (1 - sigma(x))


ROWS = "one for v, one for u, one for each noise word"
negative_gradient = Exercise(
    name="negative_gradient",
    chapter="02_word2vec",
    number="2.4",
    difficulty=3,
    minutes=18,
    hints=(
        "How far is each answer from the one that is wanted? And a dot product has two vectors in"
        " it: when you ask how it changes with one of them, what do you need to know?",
        "For the pair, g = σ(u · v) − 1: it pushes u along v, and v along u. For each noise word,"
        " h = σ(u_i · v): it pushes u_i along v, and v along u_i. v stands in every dot product, so"
        " all its pushes add up.",
        "g = sigmoid(u @ v) - 1\n"
        "h = sigmoid(noise @ v)\n"
        "row_v = g * u + …  # and what do all the noise words add?\n"
        "return np.vstack([row_v, g * v, np.outer(h, v)])",
    ),
    right=pushed(),
)
negative_gradient.mistakes = [
    (
        pushed(lambda x: 1 - sigma(x), lambda x: -sigma(x)),
        "This has the opposite sign: it is the way down. Is the gradient the way up or the way"
        " down?",
    ),
    (
        pushed(pair=lambda x: 1 - sigma(x)),
        "What is the slope of −log σ(x), for instance at x = 0: 1/2 or −1/2? The pair's sign is"
        " turned round.",
    ),
    (
        pushed(pair=sigma),
        "The pair is a true one: how much is missing from σ(u · v) to 1? You use σ(u · v) itself.",
    ),
    (
        pushed(noise=lambda x: sigma(x) - 1),
        "A noise word should get the answer 0, a pair 1: what is σ(u_i · v) less the answer"
        " wanted?",
    ),
    (
        pushed(noise=lambda x: -sigma(x)),
        "Should a noise word's dot product with v rise or fall? The sign of its push is turned"
        " round.",
    ),
    (
        pushed(noise=lambda x: sigma(-x)),
        "The slope of −log σ(−x) is σ(x): what is it for a noise word that is known to be false"
        " already, with x = −5?",
    ),
    (
        pushed(pair=lambda x: -slope(x), noise=slope),
        "σ(1 − σ) is the slope of σ. The loss has a logarithm in front of it: what does the chain"
        " rule make of the two?",
    ),
    (
        pushed(lambda x: x - 1, lambda x: x),
        "Where is σ? A dot product is no chance, and 1 less a dot product no error.",
    ),
    (
        pushed(centre=lambda g, u, h, N: g * u),
        "v stands in the noise's dot products, too: what do they add to its row?",
    ),
    (
        pushed(centre=lambda g, u, h, N: h @ N),
        "v stands in the pair's dot product, too: what does u add to its row?",
    ),
    (
        pushed(centre=lambda g, u, h, N: g * u + h @ N / len(N)),
        "You take the mean over the noise words in v's row: does the loss not add them up?",
    ),
    (
        pushed(noise=lambda x: sigma(x) / len(x)),
        "You take the mean over the noise words: does the loss not add them up?",
    ),
    (
        pushed(centre=lambda g, u, h, N: g * u - h @ N),
        "v is pushed towards u, and which way by the noise? In its row the noise has the wrong"
        " sign.",
    ),
    (
        pushed(centre=lambda g, u, h, N: g * u + N.sum(axis=0)),
        "Does every noise word push v with the same force, however sure the network is of it?",
    ),
    (
        lambda v, u, noise: np.array(
            [
                pushed()(v, u, noise)[0],
                (sigma(u @ v) - 1) * u,
                *(sigma(noise @ v)[:, None] * noise),
            ]
        ),
        "What is the slope of u · v with respect to u: u, or v? You give each vector itself.",
    ),
    (
        other_way(lambda dv, du, dN: [du, dv, *dN]),
        f"The right rows in another order: {ROWS}. Which comes first?",
    ),
    (
        other_way(lambda dv, du, dN: [*dN, du, dv]),
        f"The right rows in another order: {ROWS}. Which comes first?",
    ),
    (
        other_way(lambda dv, du, dN: [dv, *dN, du]),
        f"The right rows in another order: {ROWS}. Which comes second?",
    ),
    (
        other_way(lambda dv, du, dN: [dv, du, dN.sum(axis=0)]),
        f"You add the noise words' rows up: how many rows are asked for? ({ROWS.capitalize()}.)",
    ),
    (
        other_way(lambda dv, du, dN: [dv, du]),
        f"Who else has a vector in this loss? There are 2 + k rows: {ROWS}.",
    ),
    (
        other_way(lambda dv, du, dN: dv),
        f"That is the row of v; what of u and of the noise? There are 2 + k rows: {ROWS}.",
    ),
]


def one_or_many(rng):
    yield from with_noise(rng, 1, 4)


negative_gradient.agrees(
    "has in its first row how the loss changes with v, the pair's part and every noise word's",
    "In which dot products does v stand? What is the slope of each term, and what multiplies it?",
    many_noise_words,
    view=lambda rows, right: rows[0],
    points=2,
)
negative_gradient.agrees(
    "has in its second row how the loss changes with u",
    "What is the slope of −log σ(x) at x = u · v, and by what is it multiplied for u?",
    one_or_many,
    view=lambda rows, right: rows[1],
)
negative_gradient.agrees(
    "has in each further row how the loss changes with one noise word, and leaves v, u and noise"
    " as they were",
    "What is the slope of −log σ(−x) at x = u_i · v, and by what is it multiplied for u_i?",
    many_noise_words,
    view=lambda rows, right: rows[2:],
    untouched="Do you write into v, u or noise? In the training they will be rows of V and U.",
)
