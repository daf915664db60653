"""Exercise 5, choosing: from scores to the probabilities that the next token is drawn with.

q = softmax(scores / τ);   keep the k likeliest, rescale;   keep the fewest that reach p, rescale
"""

import math
from collections.abc import Callable

import numpy as np

from firth.checks.claims import Exercise
from firth.checks.transformer import fitting, softmax


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
    (
        chosen(warm=lambda scores, tau: np.exp(scores / tau) / np.exp(scores / tau).sum()),
        OVERFLOW,
    ),
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
    (
        chosen(few=lambda q, k: top_k(q, k + 1)),
        "You keep one more than k: which goes first?",
    ),
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
    (
        chosen(enough=past),
        "Your tokens have p together, and you take one more: < p or ≤ p?",
    ),
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
]
