"""Exercise 5, choosing: what is claimed, on scores that tell every reading from every other.

Which tokens remain must not depend on rounding, and a wrong reading must not be right by luck: so
scores are drawn until p is reached in the middle of a step, and each rival says something else.
"""

import numpy as np

from firth.checks.cases import drawn
from firth.checks.claims import Claim, close
from firth.checks.transformer import softmax
from firth.checks.transformer_choosing import (
    ONE_LEFT,
    chosen,
    next_probabilities,
    one_by_one,
    p_first,
    ranked,
    scaled,
    threshold,
    top_k,
    top_p,
    warmed_last,
    without_the_last,
)

PLACES = (
    "order[0] is the likeliest token, and q[0] is token 0: do you put what stands in one order to"
    " what stands in the other?"
)
next_probabilities.mistakes += [
    (chosen(few=lambda q, k: scaled(np.where(ranked(q) < k, q, 0))), PLACES),
    (chosen(enough=lambda q, p: scaled(np.where(before(q) < p, q, 0))), PLACES),
]
next_probabilities.stumbles["out of bounds"] = (
    "What is taken where there is nothing more: with k = n, or with p = 1, where the sum of all may"
    " be 0.9999…?"
)
ALL_BUT = 1 - 1e-9  # cuts nothing, and no rounding keeps the sum below it
IN_ORDER = chosen(enough=lambda q, p: top_p(q, p, order=lambda q: np.arange(len(q))))
COMPLEMENT = chosen(enough=lambda q, p: top_p(q, 1 - p))
FEWER, MORE, ALL, FIRST = (
    chosen(few=way)
    for way in (
        lambda q, k: top_k(q, k - 1),
        lambda q, k: top_k(q, k + 1),
        lambda q, k: q,
        lambda q, k: scaled(np.where(np.arange(len(q)) < k, q, 0)),
    )
)
BELOW, ALONE = (chosen(enough=way) for way in (without_the_last, threshold))
RIVALS = [p_first, warmed_last, FEWER, MORE, ALL, FIRST, BELOW, ALONE, IN_ORDER, COMPLEMENT]


def before(q):
    """What the likelier ones have together, the likeliest token first."""
    return np.cumsum(np.sort(q)[::-1]) - np.sort(q)[::-1]


def uneven(rng, n):
    """Scores of n tokens, none near another, the likeliest neither first nor last."""
    scores = -np.cumsum(rng.uniform(0.25, 0.6, size=n)) + rng.normal()
    order = rng.permutation(n)
    while order[0] in (0, n - 1) or (np.diff(order) > 0).all():
        order = rng.permutation(n)
    line = np.empty(n)
    line[order] = scores
    return line


def reached(rng, scores, tau, k):
    """A p that is reached in the middle of a token's share, neither the first's nor the last's."""
    q = softmax(scores / tau)
    q = scaled(np.sort(q)[::-1][:k])
    n = int(rng.integers(1, len(q) - 1))
    return float(q[:n].sum() + q[n] * rng.uniform(0.3, 0.7))


def telling(rng, rivals, taus=(1.0,), few=False, alike=()):
    """For each rival a case in which it differs from the right answer, and those alike do not."""
    for n, rival in enumerate(rivals):
        while True:
            scores = uneven(rng, 6 + n % 3)
            tau = float(rng.choice(taus))
            k = int(rng.integers(4, len(scores))) if few else len(scores)
            case = scores, tau, k, reached(rng, scores, tau, k)
            right = one_by_one(*case)
            same = [close(other(*case), right) for other in (rival, *alike)]
            if not same[0] and all(same[1:]):
                yield case
                break


def warmed(rng):
    for n, tau in ((4, 1.0), (5, 0.4), (6, 2.5), (4, 0.05)):
        yield uneven(rng, n), tau, n, 1.0
    yield uneven(rng, 5) * 900 + 4000.0, 1.0, 5, 1.0
    yield uneven(rng, 5) + 2000.0 * rng.choice([1, 2]), 1.0, 5, 1.0


ENDS_BELOW = [True] * 30 + [False] * 6


def whole_rows(rng):
    """Whole rows whose probabilities, added up in floating point, mostly end below 1."""
    for below in ENDS_BELOW:
        ends_below = None
        while ends_below is not below:
            scores = uneven(rng, int(rng.integers(5, 12)))
            ends_below = bool(np.cumsum(scaled(np.sort(softmax(scores))[::-1]))[-1] < 1)
        yield scores, 1.0, len(scores), 1.0


def uncut(rng):
    return [*warmed(rng), *whole_rows(rng)]


def nothing_cut(call, rng):
    cases = drawn(uncut, rng)
    outcome = next_probabilities.compared(call, cases, next_probabilities.view)
    if outcome is not False:
        return outcome
    alone = {np.count_nonzero(call(*case)) == 1 for case in list(cases)[-len(ENDS_BELOW) :]}
    return ONE_LEFT if len(alone) == 2 else False  # in some rows, and in others not


def cut_by_k(rng):
    for n, k in ((5, 2), (6, 4), (4, 3), (5, 1)):
        yield uneven(rng, n), 1.0, k, ALL_BUT


def cut_by_p(rng):
    return telling(rng, [BELOW, ALONE, IN_ORDER, COMPLEMENT], alike=[FEWER])


def cut_by_all(rng):
    return telling(rng, RIVALS, (0.6, 1.6), few=True)


def edges(rng):
    """Equal scores, four or eight of them, so that a half is exactly a half."""
    for n, k, p in ((4, 4, 0.5), (8, 8, 0.25), (8, 4, 0.5), (4, 3, ALL_BUT), (8, 5, ALL_BUT)):
        yield np.full(n, float(rng.integers(-3, 4))), 1.0, k, p
    for n in (4, 5):  # the likeliest alone, however small p is
        yield uneven(rng, n), 2.0, n, 1e-6
    scores = uneven(rng, 5)
    while scores.argmax() != 3:  # whoever keeps the first k, keeps others
        scores = uneven(rng, 5)
    line = ranked(scores)
    scores[line[1:4]] = scores[line[2]]  # the second, third and fourth are equal
    yield scores, 1.0, 2, ALL_BUT
    yield scores, 1.0, 3, ALL_BUT


next_probabilities.claims.append(
    Claim(
        "is softmax(scores / τ), where k = n and p = 1 cut nothing off, also with scores in the"
        " thousands",
        "Scores 0 and log 3: what are the probabilities with τ = 1, and what with τ = 1/2? Do all"
        " stay?",
        nothing_cut,
        1,
    )
)
next_probabilities.agrees(
    "keeps the k likeliest, and rescales them so that they add up to 1",
    "Probabilities 0.2, 0.5 and 0.3, and k = 2: which are left, and what are they then?",
    cut_by_k,
)
next_probabilities.agrees(
    "keeps the fewest of the likeliest that together have p or more, and rescales",
    "Probabilities 0.5, 0.3 and 0.2: how many reach p = 0.6? And p = 0.4?",
    cut_by_p,
)
next_probabilities.agrees(
    "goes in this order: temperature, then k, then p of what k has left",
    "Probabilities 0.4, 0.3, 0.2, 0.1 and k = 2: what are the two by then? How many reach 0.5?",
    cut_by_all,
)
next_probabilities.agrees(
    "keeps of equals the one with the smaller number, stops where p is reached exactly, keeps one"
    " at least, and leaves the scores alone",
    "Four equal scores and p = 1/2: which tokens are left?",
    edges,
    untouched="Do you write into scores? Make a new array.",
)
