"""Exercise 4, hiding: what a mask says, and what goes wrong with one.

Libraries disagree about what a mask says, and so do the forms of `attention_weights`.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy import isfinite

from firth.checks.attention_claims import UNSTABLE
from firth.checks.rnn import fitting


@dataclass(frozen=True)
class Mask:
    """What a mask says: how to write one from what may be seen, and how to read it again."""

    form: str
    rule: str
    write: Callable
    read: Callable
    hint: str
    nearly: str
    example: str
    code: str


SEEN = Mask(
    "True may be seen",
    "is True where a query **may look**, as in PyTorch's `scaled_dot_product_attention`",
    write=lambda seen: seen,
    read=lambda mask: mask == 1,
    hint="Where the mask is False, put −np.inf in the place of the score (np.where).",
    nearly="scores = np.where(mask, Q @ K.T / …, -np.inf)",
    example="[[True, True, False], [False, False, False]]",
    code="return visible",
)
HIDDEN = Mask(
    "True is hidden",
    "is True where a key is **hidden** from a query, as in PyTorch's `nn.MultiheadAttention`",
    write=lambda seen: ~seen,
    read=lambda mask: mask != 1,
    hint="Where the mask is True, put −np.inf in the place of the score (np.where).",
    nearly="scores = np.where(mask, -np.inf, Q @ K.T / …)",
    example="[[False, False, True], [True, True, True]]",
    code="return ~visible",
)
ADDED = Mask(
    "0 or −∞ is added",
    "is **added** to the scores: 0 where a query may look, −∞ where not, as PyTorch's"
    " `nn.Transformer` makes it for texts that are read from left to right",
    write=lambda seen: np.where(seen, 0.0, -np.inf),
    read=isfinite,
    hint="Add the mask to the scores: whatever the score was, −∞ is left of it.",
    nearly="scores = Q @ K.T / … + mask",
    example="[[0, 0, -np.inf], [-np.inf, -np.inf, -np.inf]]",
    code="return np.where(visible, 0.0, -np.inf)",
)
MASKS = (SEEN, HIDDEN, ADDED)


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


def plainly_added(Q, K, mask):
    scores = Q @ K.T / Q.shape[1] ** 0.5 + mask
    return softened(scores, isfinite(scores))


def multiplied(Q, K, mask):
    scores = Q @ K.T / Q.shape[1] ** 0.5 * mask
    return softened(scores, np.ones(scores.shape, dtype=bool))


def mistakes(asked: Mask) -> list[tuple[Callable, str]]:
    """What goes wrong with weights, whatever a mask says."""

    def way(score=lambda Q, K: Q @ K.T / Q.shape[1] ** 0.5, weights=softened):
        return weighed(asked.read, score, weights)

    everything = np.ones_like
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
            "You take weight away when the sharing is over: do the rows still add up to 1?",
        ),
        (
            way(weights=lambda x, seen: softened(x * seen, everything(seen))),
            "A score of 0 is not nothing, for e⁰ = 1: which score has e to it equal to 0?",
        ),
        (
            way(weights=filled(-np.inf)),
            "A row that may see nothing has become nan, 0/0: should it not be zeros?",
        ),
        (
            way(weights=filled(-1e9)),
            "A row that may see nothing looks at everything alike, for all its scores are equally"
            " low: should it not be zeros?",
        ),
        (
            way(weights=filled(-100.0)),
            "You give what is hidden a low score, −100: what if those that may be seen are lower"
            " still?",
        ),
        (way(weights=naive), UNSTABLE),
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
    if asked is not ADDED:
        question = "You add the mask, and True counts as 1: how does one make a score −∞ with it?"
        found.append((plainly_added, question))
    if asked is HIDDEN:
        question = "You multiply the scores by the mask: is a score of 0 nothing? What is e⁰?"
        found.append((multiplied, question))
    return found
