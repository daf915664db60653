"""Ways to train for one epoch: the right one of exercise 2.5, and mistakes.

step(V, U, w, o, noise, eta) moves the vectors of one pair (w, o) and its noise words in place.
"""

from collections.abc import Callable

import numpy as np

from .gradient import gradient_function
from .negative_sampling import sigma

gradient = gradient_function()


def take_step(V, U, w, o, noise, eta):
    """Changes V and U in place by the right training step for one pair (w, o) and its noise words.

    `noise` holds the ids of the noise words, and eta is the learning rate.
    """
    G = gradient(V[w], U[o], U[noise])
    V[w] -= eta * G[0]
    U[o] -= eta * G[1]
    np.subtract.at(U, noise, eta * G[2:])


def epoch_function(
    step=take_step, order=lambda pairs: pairs, draw=lambda noise: noise, decay=None
) -> Callable:
    """A function `one_epoch(U, V, pairs, noise, eta)`: the reference answer, or a mistake.

    With the default arguments it is the reference answer. `step` changes the vectors of one pair,
    `order` and `draw` change the pairs and the noise words first, and `decay(n, pairs)` is a factor
    of the learning rate for pair n.
    """

    def one_epoch(U, V, pairs, noise, eta):
        U, V = np.array(U, dtype=float), np.array(V, dtype=float)
        pairs, noise = order(np.asarray(pairs)), draw(np.asarray(noise))
        for n, ((w, o), words) in enumerate(zip(pairs, noise, strict=False)):
            step(V, U, w, o, words, eta * (decay(n, len(pairs)) if decay else 1))
        return U, V

    return one_epoch


def mistake_all_at_once(U, V, pairs, noise, eta):
    """U and V after a wrong epoch, which computes every gradient at the vectors of the beginning.

    The gradient of a pair should be computed at the vectors that the pair before has changed.
    """
    U, V = np.array(U, dtype=float), np.array(V, dtype=float)
    old_U, old_V = U.copy(), V.copy()
    for (w, o), words in zip(pairs, noise, strict=True):
        G = gradient(old_V[w], old_U[o], old_U[words])
        V[w] -= eta * G[0]
        U[o] -= eta * G[1]
        np.subtract.at(U, words, eta * G[2:])
    return U, V


def mistake_gradient_taken_twice(V, U, w, o, noise, eta):
    """Changes V and U in place by a wrong step that computes the gradient twice.

    The second time, for the rows of U, v has already changed.
    """
    V[w] -= eta * gradient(V[w], U[o], U[noise])[0]
    G = gradient(V[w], U[o], U[noise])
    U[o] -= eta * G[1]
    np.subtract.at(U, noise, eta * G[2:])


def mistake_v_moved_first(V, U, w, o, noise, eta):
    """Changes V and U in place by a wrong step, in which the rows of U use v after it has changed.

    A learner's `v = V[w]; v -= …` does so, because V[w] is no copy. The error signals are the old
    ones.
    """
    g, h = sigma(U[o] @ V[w]) - 1, sigma(U[noise] @ V[w])
    V[w] -= eta * (g * U[o] + h @ U[noise])
    U[o] -= eta * g * V[w]
    np.subtract.at(U, noise, eta * np.outer(h, V[w]))


def mistake_u_moved_first(V, U, w, o, noise, eta):
    """Changes V and U in place by a wrong step, in which v uses rows of U that have changed.

    A learner's `u = U[o]; u -= …` does so, because U[o] is no copy.
    """
    g, h = sigma(U[o] @ V[w]) - 1, sigma(U[noise] @ V[w])
    U[o] -= eta * g * V[w]
    np.subtract.at(U, noise, eta * np.outer(h, V[w]))
    V[w] -= eta * (g * U[o] + h @ U[noise])


def mistake_other_rows(rows) -> Callable:
    """A wrong step that changes v, u and the noise vectors by the gradients `rows(v, u, noise)`.

    `rows` returns three arrays, and the step changes V and U in place.
    """

    def step(V, U, w, o, noise, eta):
        dv, du, dN = rows(V[w].copy(), U[o].copy(), U[noise])
        V[w] -= eta * dv
        U[o] -= eta * du
        np.subtract.at(U, noise, eta * dN)

    return step


def first_two_exchanged(v, u, noise):
    """The gradients for v, u and the noise words of a wrong answer that exchanges the first two.

    `mistake_other_rows` makes a wrong training step of this function.
    """
    G = gradient(v, u, noise)
    return G[1], G[0], G[2:]


def noise_one_row_early(v, u, noise):
    """The gradients for v, u and the noise words of a wrong answer that takes wrong rows.

    Those for the noise words begin one row too early. `mistake_other_rows` makes a wrong training
    step of this function.
    """
    G = gradient(v, u, noise)
    return G[0], G[1], G[1:-1]


def arguments_exchanged(v, u, noise):
    """The gradients for v, u and the noise words of a wrong answer that uses u as v and v as u.

    `mistake_other_rows` makes a wrong training step of this function.
    """
    G = gradient(u, v, noise)
    return G[0], G[1], G[2:]


def mistake_moved_once(V, U, w, o, noise, eta):
    """Changes V and U in place by a wrong step with `U[noise] -= …`.

    NumPy changes the row of a noise word only once then, even if it was drawn twice.
    """
    G = gradient(V[w], U[o], U[noise])
    V[w] -= eta * G[0]
    U[o] -= eta * G[1]
    U[noise] -= eta * G[2:]


def mistake_overwritten(V, U, w, o, noise, eta):
    """Changes V and U in place by a wrong step with `U[i] = old row − …`.

    The old rows are those before the step, so only the last change of a row counts if it has
    several.
    """
    v, u, drawn = V[w].copy(), U[o].copy(), U[noise].copy()
    G = gradient(v, u, drawn)
    V[w] = v - eta * G[0]
    U[o] = u - eta * G[1]
    U[noise] = drawn - eta * G[2:]


def mistake_context_not_moved_as_noise(V, U, w, o, noise, eta):
    """Changes V and U in place by a wrong step that ignores noise words that are the context word.

    Their gradient is computed, but their row of U is changed only for the positive pair.
    """
    G = gradient(V[w], U[o], U[noise])
    V[w] -= eta * G[0]
    U[o] -= eta * G[1]
    others = noise != o
    np.subtract.at(U, noise[others], eta * G[2:][others])


def mistake_context_left_out_of_noise(V, U, w, o, noise, eta):
    """Changes V and U in place by a wrong step without the noise words that are the context word.

    They are left out before the gradient is computed.
    """
    take_step(V, U, w, o, noise[noise != o], eta)


def mistake_step_for_each_noise_word(V, U, w, o, noise, eta):
    """Changes V and U in place by a whole step, pair included, for each noise word: a mistake."""
    for word in noise:
        take_step(V, U, w, o, np.array([word]), eta)


def mistake_all_in_V(V, U, w, o, noise, eta):
    """Changes V in place by a wrong step that takes all vectors from V."""
    take_step(V, V, w, o, noise, eta)


def mistake_noise_in_V(V, U, w, o, noise, eta):
    """Changes V and U in place by a wrong step that takes the vectors of the noise words from V."""
    G = gradient(V[w], U[o], V[noise])
    V[w] -= eta * G[0]
    U[o] -= eta * G[1]
    np.subtract.at(V, noise, eta * G[2:])


def mistake_factors(v=1, u=1, noise=1) -> Callable:
    """A wrong step that multiplies its changes by these factors for v, u and the noise words.

    0 means no change, and −1 a change in the opposite direction. The step changes V and U in place.
    """

    def step(V, U, w, o, words, eta):
        G = gradient(V[w], U[o], U[words])
        V[w] -= v * eta * G[0]
        U[o] -= u * eta * G[1]
        np.subtract.at(U, words, noise * eta * G[2:])

    return step
