"""Exercise 5, choosing: from scores to the probabilities that the next token is drawn with.

q = softmax(scores / τ);   keep the k likeliest, rescale;   keep the fewest that reach p, rescale

Which tokens remain must not depend on rounding, and a wrong reading must not be right by luck: so
scores are drawn until p is reached in the middle of a step, and each rival says something else.
"""

import math
from collections.abc import Callable

import numpy as np

from firth.checks.activations import softmax
from firth.checks.cases import drawn
from firth.checks.claims import Claim, Exercise, close
from firth.checks.mistakes import fitting


def one_by_one(scores, tau, k, p):
    """The right answer: ask the tokens up, the likeliest first, until there are enough."""
    top = max(scores)
    q = [math.exp((score - top) / tau) for score in scores]
    line = sorted(range(len(q)), key=lambda token: (-q[token], token))[:k]
    whole, kept, so_far = sum(q[token] for token in line), [], 0.0
    for token in line:
        kept.append(token)
        so_far += q[token] / whole
        if so_far >= p:
            break
    answer, whole = np.zeros(len(q)), sum(q[token] for token in kept)
    answer[kept] = [q[token] / whole for token in kept]
    return answer


def ranked(q):
    return np.argsort(-q, kind="stable")


def scaled(q):
    return q / q.sum()


def dropped(q, out):
    q = q.copy()
    q[out] = 0
    return q


def top_k(q, k, order=ranked):
    return scaled(dropped(q, order(q)[k:]))


def unscaled_p(q, p, order=ranked):
    line = order(q)
    return dropped(q, line[1 + np.sum(np.cumsum(q[line]) < p) :])


def top_p(q, p, order=ranked):
    return scaled(unscaled_p(q, p, order))


def chosen(
    warm: Callable = lambda scores, tau: softmax(scores / tau),
    few: Callable = top_k,
    enough: Callable = top_p,
    end: Callable = lambda q: q,
) -> Callable:
    """A way of choosing, the right one by default: temperature, then k, then p."""

    @fitting
    def next_probabilities(scores, tau, k, p):
        return end(enough(few(warm(scores, tau), k), p))

    return next_probabilities


@fitting
def p_first(scores, tau, k, p):
    return top_k(top_p(softmax(scores / tau), p), k)


@fitting
def warmed_last(scores, tau, k, p):
    q = top_p(top_k(softmax(scores), k), p)
    return scaled(np.where(q > 0, softmax(scores / tau), 0))


@fitting
def in_order_of_rank(scores, tau, k, p):
    return np.sort(one_by_one(scores, tau, k, p))[::-1]


def threshold(q, p):
    return scaled(np.where(q >= min(p, q.max()), q, 0))


def without_the_last(q, p):
    line = ranked(q)
    return scaled(dropped(q, line[max(1, np.sum(np.cumsum(q[line]) <= p + 1e-9)) :]))


def before_it(q, p):
    line = ranked(q)
    return scaled(dropped(q, line[max(1, np.sum(np.cumsum(q[line]) < p)) :]))


def by_argmax(q, p):
    line = ranked(q)
    return scaled(dropped(q, line[np.argmax(np.cumsum(q[line]) >= p) + 1 :]))


def past(q, p):
    line = ranked(q)
    return scaled(dropped(q, line[1 + np.sum(np.cumsum(q[line]) <= p) :]))


def ties_stay(q, k):
    return scaled(np.where(q >= np.sort(q)[::-1][min(k, len(q)) - 1], q, 0))


def rising(q):
    return np.argsort(q, kind="stable")


def backwards(q):
    return rising(q)[::-1]


ONE_LEFT = (
    "With p = 1 one token alone is left: what does argmax say where nothing is True, because the"
    " sum is 0.9999…?"
)
FEWER = "One too few is left: by k (what does order[k:] leave out?) or by p (with p = 1 all stay)?"
BELOW_P = "Yours stay below p: does the token belong with which p is reached?"
EQUAL = (
    'Of equals, which is kept? `argsort(…)[::-1]` turns them round: try argsort(-q, kind="stable").'
)
OVERFLOW = "What is exp(1000)? Let softmax do it: it subtracts the greatest score first."
next_probabilities = Exercise(
    name="next_probabilities",
    chapter="05_transformer",
    number="5.6",
    difficulty=2,
    minutes=20,
    hints=(
        "Three steps, each of which hands a list of probabilities that adds up to 1 to the next."
        " For two of them you need the tokens in a row, the likeliest first.",
        'q = softmax(scores / tau). order = np.argsort(-q, kind="stable") are the tokens, the'
        " likeliest first: those after the first k get 0; rescale. np.cumsum(q[order]) is what the"
        " first one, two, three … have together: those after p is reached get 0; rescale.",
        "q = softmax(scores / tau)\n"
        'order = np.argsort(-q, kind="stable")\n'
        "q[order[k:]] = 0\n"
        "q = q / q.sum()\n"
        "few = 1 + np.sum(np.cumsum(q[order]) < …)  # the last one reaches p\n"
        "q[order[few:]] = …\n"
        "return …",
    ),
    right=one_by_one,
    stumbles={
        "out of bounds": "What is taken where there is nothing more: with k = n, or with p = 1,"
        " where the sum of all may be 0.9999…?",
    },
)


PLACES = (
    "order[0] is the likeliest token, and q[0] is token 0: do you put what stands in one order to"
    " what stands in the other?"
)
next_probabilities.mistakes = [
    (
        chosen(warm=lambda scores, tau: softmax(scores)),
        "Does anything change with τ? Divide the scores by it first.",
    ),
    (
        chosen(warm=lambda scores, tau: softmax(scores * tau)),
        "You multiply by τ: should a high temperature make the choice more even, or less?",
    ),
    (chosen(warm=lambda scores, tau: np.exp(scores / tau) / np.exp(scores / tau).sum()), OVERFLOW),
    (warmed_last, "You choose before you warm: which of the three steps comes first?"),
    (
        p_first,
        "p is a share of what k has left: is k first, and is the rest rescaled before you add up?",
    ),
    (chosen(few=lambda q, k: q), "Does anything change with k?"),
    (chosen(enough=lambda q, p: q), "Does anything change with p?"),
    (
        chosen(few=lambda q, k: dropped(q, ranked(q)[k:]), enough=unscaled_p),
        "What you keep does not add up to 1: what is it divided by, after each step?",
    ),
    (
        chosen(enough=unscaled_p),
        "After the cut by p the rest does not add up to 1: what is it divided by?",
    ),
    (chosen(few=lambda q, k: top_k(q, k - 1)), FEWER),
    (chosen(few=lambda q, k: top_k(q, max(1, k - 1))), FEWER),
    (chosen(enough=before_it), BELOW_P),
    (chosen(enough=by_argmax), ONE_LEFT),
    (chosen(few=lambda q, k: top_k(q, k + 1)), "You keep one more than k: which goes first?"),
    (
        chosen(few=lambda q, k: top_k(q, k, rising)),
        "You keep the k least likely: in which direction does argsort sort?",
    ),
    (
        chosen(few=lambda q, k: top_k(q, k, rising), enough=lambda q, p: top_p(q, p, rising)),
        "You keep the least likely: in which direction does argsort sort?",
    ),
    (
        chosen(few=lambda q, k: scaled(dropped(q, slice(k, None)))),
        "You keep the tokens 0 to k − 1: are those the likeliest?",
    ),
    (
        chosen(enough=lambda q, p: top_p(q, p, order=lambda q: np.arange(len(q)))),
        "You add up in the order of the tokens: who comes first, if the fewest are to reach p?",
    ),
    (
        chosen(enough=threshold),
        "You keep each token that has p by itself: is it not what they have together?",
    ),
    (chosen(enough=without_the_last), BELOW_P),
    (chosen(enough=past), "Your tokens have p together, and you take one more: < p or ≤ p?"),
    (
        chosen(enough=lambda q, p: top_p(q, 1 - p)),
        "You reach 1 − p: should p = 1 keep all, or hardly any?",
    ),
    (
        chosen(few=ties_stay),
        "Where two are equal you keep more than k: which of them goes? Count, do not compare.",
    ),
    (
        chosen(few=lambda q, k: top_k(q, k, backwards), enough=lambda q, p: top_p(q, p, backwards)),
        EQUAL,
    ),
    (chosen(few=lambda q, k: top_k(q, k, order=backwards)), EQUAL),
    (chosen(enough=lambda q, p: top_p(q, p, order=backwards)), EQUAL),
    (
        chosen(end=lambda q: np.eye(len(q))[q.argmax()]),
        "You give all to the likeliest: who else is left in the draw?",
    ),
    (
        in_order_of_rank,
        "After sorting, is number 0 still the token 0? Each probability belongs in its place.",
    ),
    (
        chosen(end=lambda q: q[q > 0]),
        "You leave out what has 0: how would one know then which token is which?",
    ),
    (
        chosen(end=lambda q: np.flatnonzero(q)),
        "Those are the tokens' numbers: which probabilities do they have?",
    ),
    (chosen(few=lambda q, k: scaled(np.where(ranked(q) < k, q, 0))), PLACES),
    (chosen(enough=lambda q, p: scaled(np.where(before(q) < p, q, 0))), PLACES),
]
ALL_BUT = 1 - 1e-9  # cuts nothing, and no rounding keeps the sum below it
IN_ORDER = chosen(enough=lambda q, p: top_p(q, p, order=lambda q: np.arange(len(q))))
COMPLEMENT = chosen(enough=lambda q, p: top_p(q, 1 - p))
KEEPS_FEWER, MORE, ALL, FIRST = (
    chosen(few=way)
    for way in (
        lambda q, k: top_k(q, k - 1),
        lambda q, k: top_k(q, k + 1),
        lambda q, k: q,
        lambda q, k: scaled(np.where(np.arange(len(q)) < k, q, 0)),
    )
)
BELOW, ALONE = (chosen(enough=way) for way in (without_the_last, threshold))
RIVALS = [p_first, warmed_last, KEEPS_FEWER, MORE, ALL, FIRST, BELOW, ALONE, IN_ORDER, COMPLEMENT]


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


ENDS_BELOW = [True] * 30 + [False] * 6


def uncut(rng):
    """Scores at some temperatures; then rows whose probabilities, added up, mostly end below 1."""
    for n, tau in ((4, 1.0), (5, 0.4), (6, 2.5), (4, 0.05)):
        yield uneven(rng, n), tau, n, 1.0
    yield uneven(rng, 5) * 900 + 4000.0, 1.0, 5, 1.0
    yield uneven(rng, 5) + 2000.0 * rng.choice([1, 2]), 1.0, 5, 1.0
    for below in ENDS_BELOW:
        ends_below = None
        while ends_below is not below:
            scores = uneven(rng, int(rng.integers(5, 12)))
            ends_below = bool(np.cumsum(scaled(np.sort(softmax(scores))[::-1]))[-1] < 1)
        yield scores, 1.0, len(scores), 1.0


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
    return telling(rng, [BELOW, ALONE, IN_ORDER, COMPLEMENT], alike=[KEEPS_FEWER])


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
