"""Exercise 3, learning through time: what each step adds to the gradient of the shared matrix.

∂J/∂U = Σ_t δ_t s_{t−1}ᵀ,   δ_T = g ∘ (1 − s_T²),   δ_t = (Uᵀ δ_{t+1}) ∘ (1 − s_t²)

The right answer multiplies whole Jacobians, step by step: too plain to be wrong.
"""

import numpy as np

from firth.checks.claims import Exercise
from firth.checks.rnn_hidden_states import unrolled
from firth.checks.rnn_step import weights


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


ORDER = "First back through U, or first through the tanh? Which came last, going forwards?"
contributions = Exercise(
    name="contributions",
    chapter="03_rnn",
    number="3.3",
    difficulty=3,
    minutes=20,
    hints=(
        "Go backwards. What would a nudge of the number inside the last tanh do to J? And what a"
        " nudge inside the one before, which reaches J only through the last?",
        "Call δ the nudge's effect inside the tanh of step t. At the last step δ = g (1 − s²); one"
        " step earlier δ = (Uᵀ δ) (1 − s²), with that step's own state s. The share of step t is"
        " the outer product of δ with the state before it, for that is what U was multiplied by.",
        "T = len(S) - 1\n"
        "shares = np.zeros((T, *U.shape))\n"
        "delta = g * (1 - S[T] ** 2)\n"
        "for t in range(T, 0, -1):\n"
        "    shares[t - 1] = np.outer(delta, …)  # which state did U meet in step t?\n"
        "    delta = …  # through U, and through the tanh of step t − 1\n"
        "return shares",
    ),
    right=jacobians,
    stumbles={
        "out of bounds": "S has T + 1 rows, s_0 to s_T: what is the number of the last?",
        "inhomogeneous": "Is it `*`, number by number, or `@`, row by column?",
    },
)
contributions.mistakes = [
    (
        passed_back(back=lambda delta, U, g: U @ delta),
        "Forwards the state goes through U; backwards, through Uᵀ: which do you use?",
    ),
    (
        passed_back(bend=lambda S, t: slope(S[t]) if t < len(S) - 1 else 1),
        "Does g not have to pass the tanh of the last step, too?",
    ),
    (
        passed_back(bend=lambda S, t: 1 + 0 * S[t]),
        "Where is the slope of the tanh, 1 − s²?",
    ),
    (
        passed_back(bend=lambda S, t: slope(S[t]) if t == len(S) - 1 else 1),
        "The last tanh has its slope; and those before it?",
    ),
    (
        by_the_states,
        "Your δ is the gradient by the state; U makes what stands inside the tanh: which slope lies"
        " between the two?",
    ),
    (
        passed_back(bend=lambda S, t: slope(S[t - 1])),
        "The slope of the tanh that made s_t: is it 1 − s² at s_t, or at the state before?",
    ),
    (
        passed_back(bend=lambda S, t: slope(S[min(t + 1, len(S) - 1)])),
        "Going back into step t you pass its own tanh: whose slope do you multiply by?",
    ),
    (
        passed_back(bend=lambda S, t: S[t] * (1 - S[t])),
        "s (1 − s) is the slope of the sigmoid: what is that of tanh?",
    ),
    (
        passed_back(bend=lambda S, t: (1 - S[t]) ** 2),
        "Is it 1 − s², or (1 − s)²? What should it be at s = −1, where tanh is flat?",
    ),
    (
        passed_back(bend=lambda S, t: 1 - S[t]),
        "Is it 1 − s², or 1 − s? What should it be at s = −1, where tanh is flat?",
    ),
    (
        passed_back(bend=lambda S, t: 1 - np.tanh(S[t]) ** 2),
        "S holds the states, tanh and all: do you take tanh of them once more?",
    ),
    (
        passed_back(back=lambda delta, U, g: delta),
        "Between two steps stands U: where is it on the way back?",
    ),
    (
        passed_back(back=lambda delta, U, g: U.T @ delta + g),
        "J hears the last state only: why does g come in again?",
    ),
    (slope_first(0), ORDER),
    (slope_first(1), ORDER),
    (
        once_through_U,
        "You go back through U once, from however far: how many steps lie between step 1 and the"
        " end?",
    ),
    (nothing_passed_back, "Every step has the same g: what of J reaches an earlier step, and how?"),
    (
        passed_back(share=lambda delta, S, t: np.outer(S[t - 1], delta)),
        "Your tables lie on their side: U[i, j] leads from s[j] to δ[i]. Which index is the row?",
    ),
    (
        passed_back(share=lambda delta, S, t: np.outer(delta, S[t])),
        "In step t, U is multiplied by a state: by s_t, or by the one before?",
    ),
    (
        passed_back(share=lambda delta, S, t: delta * S[t - 1]),
        "`*` multiplies number by number; how does every δ meet every number of the state?"
        " (np.outer)",
    ),
    (
        passed_back(whole=lambda shares: shares),
        "The right shares, the last step first: which step should be first?",
    ),
    (
        passed_back(whole=lambda shares: np.repeat(shares[-1:], len(shares), axis=0)),
        "Every table is the first step's: do you append one array and then write into it?",
    ),
    (
        passed_back(whole=lambda shares: [0 * shares[0], *shares[-2::-1]]),
        "The first step's share is 0: does your loop stop before it comes there?",
    ),
    (
        passed_back(whole=lambda shares: shares[::-1] / len(shares)),
        "You divide by the number of steps: is the gradient the sum of the shares, or their mean?",
    ),
    (
        passed_back(whole=last_alone),
        "Only the last step has a share: did the earlier ones have no part in s_T?",
    ),
    (
        passed_back(whole=lambda shares: shares.sum(axis=0)),
        "That is the sum, the whole gradient: can you return the share of each step?",
    ),
    (
        passed_back(whole=lambda shares: np.cumsum(shares, axis=0)[::-1]),
        "Each of your tables holds the later steps' shares as well: do you add to one and keep it?",
    ),
    (
        passed_back(whole=lambda shares: -shares[::-1]),
        "Everything has the other sign: the gradient itself was asked for, or a step against it?",
    ),
]


def histories(rng):
    """States of a network that has really run, and a gradient at its end."""
    for T, d in ((2, 2), (4, 3), (6, 2)):
        W, U = weights(rng, d, d, 1.5)
        s = rng.uniform(-0.9, 0.9, size=d)
        S = np.array([s, *unrolled()(rng.normal(size=(T, d)), s, W, U)])
        yield S, U, rng.normal(size=d) * 2


def single_steps(rng):
    for S, U, g in histories(rng):
        yield S[:2], U, g


contributions.agrees(
    "is, for the last step, the outer product of g (1 − s²) with the state before",
    "For one step and one number each: J = g tanh(w x + u s). What is ∂J/∂u?",
    lambda rng: [*single_steps(rng), *histories(rng)],
    view=lambda shares, right: shares[-1:],
)
contributions.agrees(
    "reaches each earlier step through Uᵀ and the slope of that step's tanh, the first step first",
    "For two steps and one number each: how does s₁ act on J, and how did u act on s₁?",
    histories,
    points=2,
)
contributions.agrees(
    "adds up to the gradient of J: what happens when U is nudged in all steps at once",
    "If you nudge U a little and run the network again, does J change as your sum says?",
    histories,
    view=lambda shares, right: shares.sum(axis=0),
)
contributions.leaves(
    "leaves the states, U and g as they were",
    "Do you write into S, U or g? `delta = g` is no copy: `delta *= …` changes g.",
    histories,
)
