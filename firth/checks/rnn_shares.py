"""Exercise 3, learning through time: the ways of going back, the right one and those that go wrong.

∂J/∂U = Σ_t δ_t s_{t−1}ᵀ,   δ_T = g ∘ (1 − s_T²),   δ_t = (Uᵀ δ_{t+1}) ∘ (1 − s_t²)

The reference multiplies whole Jacobians, step by step: too plain to be wrong.
"""

import numpy as np


def slope(s):
    """The slope of tanh where its value is s."""
    return 1 - s**2


def jacobians(S, U, g):
    """Each step's share by the chain rule in full: g · ∂s_T/∂s_t · ∂s_t/∂U."""
    shares = []
    for t in range(1, len(S)):
        back = np.asarray(g, dtype=float)
        for later in range(len(S) - 1, t, -1):
            back = back @ np.diag(slope(S[later])) @ U
        shares.append([[a * b for b in S[t - 1]] for a in back * slope(S[t])])
    return np.array(shares)


def passed_back(
    back=lambda delta, U, g: U.T @ delta,
    bend=lambda S, t: slope(S[t]),
    begin=lambda g, slope: g * slope,
    share=lambda delta, S, t: np.outer(delta, S[t - 1]),
    whole=lambda shares: shares[::-1],
):
    """A way of going back through time, the right one by default."""

    def contributions(S, U, g):
        T, shares = len(S) - 1, []
        delta = begin(g, bend(S, T))
        for t in range(T, 0, -1):
            if t < T:
                delta = back(delta, U, g) * bend(S, t)
            shares.append(share(delta, S, t))
        return whole(np.array(shares))

    return contributions


def nothing_passed_back(S, U, g):
    """The same g at every step."""
    return np.array([np.outer(g * slope(S[t]), S[t - 1]) for t in range(1, len(S))])


def once_through_U(S, U, g):
    """From each step as if the next one were the last."""
    delta = U.T @ (g * slope(S[-1]))
    early = [np.outer(delta * slope(S[t]), S[t - 1]) for t in range(1, len(S) - 1)]
    return np.array([*early, np.outer(g * slope(S[-1]), S[-2])])


def by_the_states(S, U, g):
    """The gradients by the states, where those by what stands inside the tanh are asked for."""
    shares, back = [], g
    for t in range(len(S) - 1, 0, -1):
        shares.append(np.outer(back, S[t - 1]))
        back = U.T @ (back * slope(S[t]))
    return np.array(shares[::-1])


def slope_first(which):
    """Through the tanh before U: with the slope of the step that comes, or of the one before."""

    def contributions(S, U, g):
        T = len(S) - 1
        delta = g * slope(S[T])
        shares = [np.outer(delta, S[T - 1])]
        for t in range(T - 1, 0, -1):
            delta = U.T @ (delta * slope(S[t + which]))
            shares.append(np.outer(delta, S[t - 1]))
        return np.array(shares[::-1])

    return contributions


def last_alone(shares):
    """What is left where the way back is cut after one step."""
    return np.where(np.arange(len(shares))[:, None, None] == 0, shares, 0)[::-1]
