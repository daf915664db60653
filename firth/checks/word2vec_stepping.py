"""Exercise 2, ways of reading pairs and stepping after each: the right one, and what goes wrong.

for each pair (w, o) and its noise:   x ← x − rate · ∂J/∂x   for x = v_w, u_o and each u_k
"""

import numpy as np

from firth.checks.word2vec_gradient import pushed
from firth.checks.word2vec_negative import sigma

GRADIENT = pushed()


def moved(V, U, w, o, noise, rate):
    """One step, in place; a noise word that was drawn twice is moved twice."""
    rows = GRADIENT(V[w], U[o], U[noise])
    V[w] -= rate * rows[0]
    U[o] -= rate * rows[1]
    np.subtract.at(U, noise, rate * rows[2:])


def trained(step=moved, order=lambda pairs: pairs, draw=lambda noise: noise, speed=None):
    """A way of reading the pairs once, right by default: how to step, in which order, how fast."""

    def one_epoch(U, V, pairs, noise, rate):
        U, V = np.array(U, dtype=float), np.array(V, dtype=float)
        pairs, noise = order(np.asarray(pairs)), draw(np.asarray(noise))
        for n, ((w, o), ks) in enumerate(zip(pairs, noise, strict=False)):
            step(V, U, w, o, ks, rate * (speed(n, len(pairs)) if speed else 1))
        return U, V

    return one_epoch


def all_at_once(U, V, pairs, noise, rate):
    """Every gradient at the vectors that the epoch began with."""
    U, V = np.array(U, dtype=float), np.array(V, dtype=float)
    old_U, old_V = U.copy(), V.copy()
    for (w, o), ks in zip(pairs, noise, strict=True):
        rows = GRADIENT(old_V[w], old_U[o], old_U[ks])
        V[w] -= rate * rows[0]
        U[o] -= rate * rows[1]
        np.subtract.at(U, ks, rate * rows[2:])
    return U, V


def in_two_steps(V, U, w, o, noise, rate):
    """Moves the centre, and then asks again which way its company is pushed."""
    V[w] -= rate * GRADIENT(V[w], U[o], U[noise])[0]
    rows = GRADIENT(V[w], U[o], U[noise])
    U[o] -= rate * rows[1]
    np.subtract.at(U, noise, rate * rows[2:])


def centre_moved_first(V, U, w, o, noise, rate):
    """What u and v are after `v -= …`, where v = V[w]: the errors are old, and v is new."""
    g, h = sigma(U[o] @ V[w]) - 1, sigma(U[noise] @ V[w])
    V[w] -= rate * (g * U[o] + h @ U[noise])
    U[o] -= rate * g * V[w]
    np.subtract.at(U, noise, rate * np.outer(h, V[w]))


def company_moved_first(V, U, w, o, noise, rate):
    g, h = sigma(U[o] @ V[w]) - 1, sigma(U[noise] @ V[w])
    U[o] -= rate * g * V[w]
    np.subtract.at(U, noise, rate * np.outer(h, V[w]))
    V[w] -= rate * (g * U[o] + h @ U[noise])


def with_rows(rows):
    """The right step, from the gradient's rows in another place."""

    def step(V, U, w, o, noise, rate):
        dv, du, others = rows(V[w].copy(), U[o].copy(), U[noise])
        V[w] -= rate * dv
        U[o] -= rate * du
        np.subtract.at(U, noise, rate * others)

    return step


def rows_exchanged(v, u, drawn):
    G = GRADIENT(v, u, drawn)
    return G[1], G[0], G[2:]


def rows_too_early(v, u, drawn):
    G = GRADIENT(v, u, drawn)
    return G[0], G[1], G[1:-1]


def asked_the_wrong_way(v, u, drawn):
    G = GRADIENT(u, v, drawn)
    return G[0], G[1], G[2:]


def once_a_word(V, U, w, o, noise, rate):
    """What U[noise] −= … does: a word that was drawn twice is moved once."""
    rows = GRADIENT(V[w], U[o], U[noise])
    V[w] -= rate * rows[0]
    U[o] -= rate * rows[1]
    U[noise] -= rate * rows[2:]


def step_by_noise_word(V, U, w, o, noise, rate):
    """A whole step for each noise word, in which the pair itself comes again and again."""
    for word in noise:
        moved(V, U, w, o, np.array([word]), rate)


def all_in_V(V, U, w, o, noise, rate):
    moved(V, V, w, o, noise, rate)


def noise_as_centres(V, U, w, o, noise, rate):
    rows = GRADIENT(V[w], U[o], V[noise])
    V[w] -= rate * rows[0]
    U[o] -= rate * rows[1]
    np.subtract.at(V, noise, rate * rows[2:])


def partly(centre=1, company=1, others=1):
    """Some of the vectors move, and some do not, or the other way."""

    def step(V, U, w, o, noise, rate):
        rows = GRADIENT(V[w], U[o], U[noise])
        V[w] -= centre * rate * rows[0]
        U[o] -= company * rate * rows[1]
        np.subtract.at(U, noise, others * rate * rows[2:])

    return step
