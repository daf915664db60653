"""Exercise 7, near and far: how much of a band and of a low rank makes an attention matrix.

w₁, w₂ ≥ 0 with the least Σ_ij (A_ij − w₁ D_ij − w₂ L_ij)²
"""

import numpy as np
from numpy import isfinite

from firth.checks.cases import Cases, drawn
from firth.checks.claims import Claim, Exercise
from firth.checks.mistakes import fitting


def dots(D, L, A):
    """Products of the three, as of long vectors."""
    D, L, A = D.ravel(), L.ravel(), A.ravel()
    return D @ D, D @ L, L @ L, D @ A, L @ A


def free(D, L, A):
    """The least squares, whatever their signs."""
    dd, dl, ll, da, la = dots(D, L, A)
    det = dd * ll - dl * dl
    return np.array([(da * ll - la * dl) / det, (la * dd - da * dl) / det])


def alone(D, L, A):
    """Each fitted as if the other were not there."""
    dd, _, ll, da, la = dots(D, L, A)
    return np.array([da / dd, la / ll])


def best_of_all(D, L, A):
    """The right answer: of all that might be it, the one with the least error."""
    with np.errstate(all="ignore"):
        both, (near, far) = free(D, L, A), np.maximum(alone(D, L, A), 0)
    candidates = [np.zeros(2), np.array([near, 0.0]), np.array([0.0, far]), both]
    candidates = [w for w in candidates if isfinite(w).all() and w.min() >= 0]
    errors = [((A - w[0] * D - w[1] * L) ** 2).sum() for w in candidates]
    return candidates[int(np.argmin(errors))]


def through(way, end=lambda w: w):
    @fitting
    def blend(D, L, A):
        with np.errstate(all="ignore"):
            return end(way(D, L, A))

    return blend


def divided(D, L, A):
    """Right wherever the determinant is not 0."""
    return np.where(isfinite(free(D, L, A)), best_of_all(D, L, A), np.nan)


def shifted(D, L, A):
    """With a constant besides."""
    columns = np.column_stack([D.ravel(), L.ravel(), np.ones(D.size)])
    return np.linalg.lstsq(columns, A.ravel(), rcond=None)[0][:2]


def one_after_the_other(D, L, A):
    """D first, as if it were alone; L is fitted to what that leaves."""
    near = alone(D, L, A)[0]
    return np.array([near, alone(D, L, A - near * D)[1]])


def none_at_all(D, L, A):
    """Right, but for nothing beside a table of zeros."""
    return best_of_all(D, L, A) * (D.any() and L.any())


def by_rows(D, L, A):
    """Of the sums of the rows alone."""
    return free(D.sum(axis=1), L.sum(axis=1), A.sum(axis=1))


SIGN = "One of your weights is below 0: what is the least it may be, and what then of the other?"
ZEROS = "D·D is 0 there: by what do you divide? (lstsq does not mind.)"
AGAIN = (
    "The weight below 0 has become 0; but the other was made for two together. How much of it, when"
    " it is alone?"
)
FIRST = "D takes first whatever it can, L gets the rest: would L first give the same?"
FOUR = "np.linalg.lstsq returns four things: which of them are the weights?"
blend = Exercise(
    name="blend",
    chapter="07_linear_attention",
    number="7.7",
    difficulty=2,
    minutes=18,
    hints=(
        "A, D and L are tables, but for a sum of squares they are three long vectors: two of them,"
        " weighted, shall come near to the third. That is least squares.",
        "np.linalg.lstsq takes the two as columns: np.column_stack([D.ravel(), L.ravel()]). Should"
        " a weight be below 0, it is 0; then fit the other alone: one column, one weight, and 0 if"
        " that is below 0 as well.",
        "X, y = np.column_stack([D.ravel(), L.ravel()]), A.ravel()\n"
        "w = np.linalg.lstsq(X, y)[0]\n"
        "if w.min() < 0:\n"
        "    w[w.argmin()], other = 0, …\n"
        "    w[other] = max(0, …)  # lstsq once more, of one column\n"
        "return w",
    ),
    right=best_of_all,
    stumbles={
        "Singular": ZEROS,
        "tuple that makes no table": FOUR,
        "'tuple' object has no attribute": FOUR,
        "dimension": "lstsq wants one column for each of the two, and A as one vector: .ravel().",
        "mismatch": "lstsq wants as many rows as there are cells: .ravel() all three.",
    },
)
blend.mistakes = [
    (through(divided), ZEROS),
    (through(free), SIGN),
    (through(free, lambda w: np.maximum(w, 0)), AGAIN),
    (through(free, np.abs), "The sign is gone: a weight of −0.3 is not one of 0.3. What is best?"),
    (
        through(alone),
        "Each of your weights is made as if the other were not there: how often is counted what"
        " both explain?",
    ),
    (
        through(alone, lambda w: np.maximum(w, 0)),
        "Each of your weights is made as if the other were not there: how often is counted what"
        " both explain?",
    ),
    (through(one_after_the_other), FIRST),
    (through(one_after_the_other, lambda w: np.maximum(w, 0)), FIRST),
    (
        through(none_at_all),
        "If one table is all zeros, you give the other one no weight either: how much of it is"
        " best?",
    ),
    (
        through(best_of_all, lambda w: w / w.sum()),
        "Your weights add up to 1: was that asked for?",
    ),
    (
        through(best_of_all, lambda w: w[::-1]),
        "The weights have each other's place: whose comes first?",
    ),
    (
        through(shifted),
        "You fit a constant besides: who will add it, when there are two weights alone?",
    ),
    (
        through(shifted, lambda w: np.maximum(w, 0)),
        "You fit a constant besides: who will add it, when there are two weights alone?",
    ),
    (
        through(by_rows),
        "You compare sums of rows: is every cell of A met so?",
    ),
    (
        lambda D, L, A: np.array([0.5, 0.5]),
        "Half of each, whatever A is: which weights come nearest to this A?",
    ),
    (
        through(best_of_all, lambda w: w**2),
        "Those are the squares of the weights: must you square?",
    ),
]


def fields(rng, *wanted, noise=0.05):
    """A band, a low rank, and what is made of them; the band has 0 outside of it."""
    for n, near, far in wanted:
        i, j = np.indices((n, n))
        D = rng.gamma(1, size=(n, n)) * (abs(i - j) <= 1)
        L = rng.gamma(1, size=(n, 1)) * rng.gamma(1, size=n)
        yield D, L, near * D + far * L + noise * rng.normal(size=(n, n))


def positive(rng):
    return fields(rng, (4, 0.7, 0.4), (5, 0.2, 1.5), (3, 1.1, 0.9))


def negative(rng):
    """One below 0, from a little to much; at last by more than the other is above."""
    wanted = (4, -0.2, 1.0), (5, 1.0, -0.2), (4, 1.2, -0.1), (5, -0.1, 0.8), (4, -0.4, 1.5)
    wanted += (5, -0.6, 0.5), (4, -0.7, 0.6)
    return fields(rng, *wanted, noise=0.02)


def neither(rng):
    """Both below 0, or one so far that the other, alone, would be as well."""
    wanted = (4, -0.5, -0.6), (3, -1.0, -0.2), (4, -6.0, 0.2), (5, 0.2, -6.0), (4, 0.1, -4.0)
    return fields(rng, *wanted, noise=0.02)


def empty(rng):
    """One of the two is nothing, or says nothing that the other does not say."""
    (D, L, A), *_ = fields(rng, (4, 0.7, 0.4))
    none = 0 * D
    yield from ((none, L, A), (D, none, A), (none, none, A), (D, 2 * D, A), (L / 2, L, A))
    yield from ((none, L, -A), (D, none, -A))


def shown(D, L):
    """Of two weights what can be told: the blend, what is below 0, and the weight of nothing."""

    def view(w, right):
        nothing = w * [not D.any(), not L.any()]
        return np.concatenate([(w[0] * D + w[1] * L).ravel(), np.minimum(w, 0), nothing])

    return view


def stays_finite(call, rng):
    for case in drawn(empty, rng):
        if not isfinite(call(*case)).all():
            return ZEROS
        outcome = blend.compared(call, Cases([case]), shown(*case[:2]))
        if outcome is not True:
            return outcome
    return True


blend.agrees(
    "finds the two weights with the least squares, where both are above 0",
    "Let A be 0.7 D + 0.4 L exactly: which two weights leave nothing?",
    positive,
)
blend.agrees(
    "sets to 0 a weight that would be below 0, and fits the other alone; both, if neither helps",
    "If D must not count at all, how much of L is best? If L must not, how much of D? And what if A"
    " is below 0 throughout?",
    lambda rng: [*negative(rng), *neither(rng)],
)
blend.claims.append(
    Claim(
        "stays finite, and best, if D or L is all zeros or a multiple of the other",
        "If D is all zeros, how much of L is best, and which weight has D? (D·D is 0.)",
        stays_finite,
        1,
    )
)
blend.leaves(
    "leaves D, L and A as they were",
    "Do you write into D, L or A?",
    lambda rng: [*positive(rng), *negative(rng)],
)
