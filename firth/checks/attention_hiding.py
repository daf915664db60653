"""Exercise 4, hiding: what goes wrong with weights when not all may be seen.

mistakes(mask)  →  wrong answers, and the question that each deserves
"""

from collections.abc import Callable

import numpy as np
from numpy import isfinite

from firth.checks.attention_claims import UNSTABLE
from firth.checks.attention_masks import ADDED, HIDDEN, Mask
from firth.checks.rnn import fitting


def quotient(parts, axis=-1):
    sums = parts.sum(axis=axis, keepdims=True)
    return np.divide(parts, sums, out=np.zeros_like(parts), where=sums > 0)


def softened(scores, seen, axis=-1):
    """The right weights, from scores."""
    scores = np.where(seen, scores, -np.inf)
    top = scores.max(axis=axis, keepdims=True)
    return quotient(np.exp(scores - np.where(isfinite(top), top, 0)), axis)


def filled(low):
    """Weights in which what is hidden has a low score, and nothing more is thought of."""

    def weights(scores, seen):
        scores = np.where(seen, scores, low)
        parts = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return parts / parts.sum(axis=-1, keepdims=True)

    return weights


def naive(scores, seen):
    parts = np.exp(np.where(seen, scores, -np.inf))
    sums = parts.sum(axis=-1, keepdims=True)
    return np.where(sums > 0, parts / sums, 0)


def late(scores, seen):
    """Greatest score of all, hidden ones too: what is left of the others may be nothing."""
    return quotient(np.exp(scores - scores.max(axis=-1, keepdims=True)) * seen)


def of_all(scores, seen):
    """Greatest score of all rows: in a row that lies far below, nothing is left."""
    scores = np.where(seen, scores, -np.inf)
    return quotient(np.exp(scores - scores.max()))


def weighed(
    read: Callable,
    score: Callable = lambda Q, K: Q @ K.T / Q.shape[1] ** 0.5,
    weights: Callable = softened,
) -> Callable:
    """A way of giving weights, the right one by default."""

    @fitting
    def attention_weights(Q, K, mask):
        return weights(score(Q, K), read(mask))

    return attention_weights


def early(scores, seen):
    """Shifted by what may be seen, and only then hidden: ∞ · 0 is nan."""
    top = np.where(seen, scores, -np.inf).max(axis=-1, keepdims=True)
    parts = np.exp(scores - np.where(isfinite(top), top, 0)) * seen
    sums = parts.sum(axis=-1, keepdims=True)
    return parts / np.where(sums == 0, 1, sums)


def plainly(combine: Callable) -> Callable:
    """Weights of scores with which a mask is combined, whatever it says."""

    def attention_weights(Q, K, mask):
        scores = combine(Q @ K.T / Q.shape[1] ** 0.5, mask)
        parts = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return parts / parts.sum(axis=-1, keepdims=True)

    return attention_weights


def mistakes(asked: Mask) -> list[tuple[Callable, str]]:
    """What goes wrong with weights, whatever a mask says."""

    def way(score=lambda Q, K: Q @ K.T / Q.shape[1] ** 0.5, weights=softened):
        return weighed(asked.read, score, weights)

    everything = np.ones_like
    late_mask = "You take weight away when the sharing is over: do the rows still add up to 1?"
    too_high = (
        "You give what is hidden a low score: what if those that may be seen are lower still?"
    )
    turned = "You hide what may be seen, and see what is hidden: what does this mask say?"
    found = [
        (weighed(lambda mask: ~asked.read(mask)), turned),
        (
            way(weights=late),
            "A hidden score is the greatest in your row, and beside it all others vanish: whose"
            " greatest should be taken away before exp?",
        ),
        (
            way(weights=lambda x, seen: softened(x, everything(seen))),
            "Does the mask change anything in your weights? What may not be seen should have 0.",
        ),
        (
            way(weights=lambda x, seen: softened(x, everything(seen)) * seen),
            late_mask,
        ),
        (way(weights=lambda x, seen: softened(x * seen, everything(seen)) * seen), late_mask),
        (
            way(weights=lambda x, seen: softened(x * seen, everything(seen))),
            "A score of 0 is not nothing, for e⁰ = 1: which score has e to it equal to 0?",
        ),
        (
            way(weights=filled(-np.inf)),
            "A row that may see nothing has become nan: what is −∞ less −∞, and what is 0/0? Zeros"
            " are asked for.",
        ),
        (
            way(weights=lambda x, seen: softened(x, seen | ~seen.any(axis=-1, keepdims=True))),
            "A row that may see nothing looks as if nothing were hidden: should it not be zeros?",
        ),
        (
            way(weights=early),
            "What is hidden is still there when you take exp, and ∞ times 0 is nan: which score"
            " should it have before?",
        ),
        (
            way(weights=filled(-1e9)),
            "A row that may see nothing looks at everything alike: what weights have scores that"
            " are equally low, and which are asked for?",
        ),
        *((way(weights=filled(low)), too_high) for low in (-100.0, -1e4)),
        *(
            (way(weights=lambda x, seen, low=low: filled(low)(x, seen) * seen), too_high)
            for low in (-100.0, -1e4)
        ),
        (way(weights=naive), UNSTABLE),
        (way(weights=lambda x, seen: np.nan_to_num(naive(x, seen))), UNSTABLE),
        (
            way(weights=of_all),
            "You take away the greatest score of all rows. In a row that lies thousands lower every"
            " exp is 0: whose greatest should be taken?",
        ),
        (
            way(weights=lambda x, seen: np.where(seen, x, 0)),
            "Those are the scores: what makes weights of them, in rows that add up to 1?",
        ),
        (
            way(weights=lambda x, seen: np.where(seen, np.exp(x), 0)),
            "Do your rows add up to 1? Divide by what?",
        ),
        (
            way(weights=lambda x, seen: softened(x, seen, axis=0)),
            "Your columns add up to 1: a query shares out its look among the keys. Which axis?",
        ),
        (
            way(weights=lambda x, seen: softened(x.ravel(), seen.ravel()).reshape(x.shape)),
            "All your weights together add up to 1: should not each query's?",
        ),
        (
            lambda Q, K, mask: way(lambda Q, K: Q @ K.T)(Q, K, mask) / Q.shape[1] ** 0.5,
            "You divide by √d when the softmax is over: what should be divided, and when?",
        ),
        (way(lambda Q, K: Q @ K.T), "Where is √d? Your scores are too large by that."),
        (way(lambda Q, K: Q @ K.T / Q.shape[1]), "You divide by d: of what should it be a root?"),
        (
            way(lambda Q, K: Q @ K.T * Q.shape[1] ** 0.5),
            "You multiply by √d: are long vectors' scores too large, or too small?",
        ),
        (
            way(lambda Q, K: Q @ K.T / len(K) ** 0.5),
            "You divide by the root of the number of words: how many numbers has a query?",
        ),
        (
            way(lambda Q, K: Q @ K.T / len(Q) ** 0.5),
            "You divide by the root of the number of queries: how many numbers has one query?",
        ),
        (
            way(lambda Q, K: K @ Q.T / Q.shape[1] ** 0.5),
            "Your rows belong to the keys: whose row should it be, who looks or who is looked at?",
        ),
        (
            way(lambda Q, K: Q @ K / Q.shape[1] ** 0.5),
            "Q @ K meets K by its columns: what must be turned so that query meets key?",
        ),
    ]
    if asked is ADDED:
        found += [
            (plainly(np.multiply), "You multiply by the mask: what is asked to be done with it?"),
            (plainly(np.subtract), "You take the mask away: what is a score less −∞?"),
            (
                lambda Q, K, mask: (
                    way(weights=lambda x, seen: softened(x, everything(seen)))(Q, K, mask) + mask
                ),
                "You add the mask when the sharing is over: to what should it be added?",
            ),
        ]
    else:
        question = "You add the mask, and True counts as 1: how does one make a score −∞ with it?"
        found.append((plainly(np.add), question))
    if asked is HIDDEN:
        found += [
            (
                plainly(np.multiply),
                "You multiply the scores by the mask: is a score of 0 nothing? What is e⁰?",
            ),
            (
                plainly(lambda scores, mask: scores - mask),
                "You take the mask away, and True counts as 1: is a score less 1 hidden?",
            ),
        ]
    question = "All your weights are nan: what is 0 times ∞, and what is ∞ less ∞?"
    return [*found, (way(weights=lambda x, seen: np.full(x.shape, np.nan)), question)]
