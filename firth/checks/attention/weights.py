"""Exercise 4, weights: whom a query looks at, and how much, where not all may be seen.

A = softmax(Q Kᵀ / √d)      over what may be seen; a row that may see nothing is zeros

What the mask says differs from student to student (firth.checks.variants). The reference looks
from one query to one key at a time.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy import isfinite

from firth.checks.claims import Exercise
from firth.checks.mistakes import fitting

from .claims import UNSTABLE
from .row_softmax import shares


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


def pair_by_pair(Q, K, seen):
    """The right answer for a mask that says what is seen, a query at a time."""
    A = np.zeros((len(Q), len(K)))
    for i, q in enumerate(Q):
        keys = [j for j in range(len(K)) if seen[i, j]]
        if keys:
            A[i, keys] = shares([sum(q * K[j]) / len(q) ** 0.5 for j in keys])
    return A


def texts(rng, *sizes, scale=1.0):
    """Queries and keys, and who may be seen: of each row two at least, and not everything."""
    for n, m, d in sizes:
        seen = rng.random((n, m)) < 0.5
        for row in seen:
            row[rng.permutation(m)[:3]] = True, True, False
        yield scale * rng.normal(size=(n, d)), rng.normal(size=(m, d)), seen


def question(asked: Mask) -> Exercise:
    """The question, with all that belongs to it, for what one mask says."""

    def written(cases):
        return [(Q, K, asked.write(seen)) for Q, K, seen in cases]

    def open_to_all(rng):
        cases = texts(rng, (4, 4, 4), (3, 5, 2), (5, 3, 6), scale=1.5)
        return written((Q, K, np.ones_like(seen)) for Q, K, seen in cases)

    def hidden(rng):
        return written(texts(rng, (4, 4, 4), (3, 5, 2), (5, 4, 6), (5, 5, 3), scale=1.5))

    def blind(rng):
        """Some rows see nothing, some something; and one that sees nothing at all."""
        for Q, K, seen in texts(rng, (4, 4, 4), (5, 3, 2), (1, 3, 4)):
            seen[rng.permutation(len(Q))[: max(1, len(Q) // 2)]] = False
            yield Q, K, asked.write(seen)

    def loud(rng):
        """What is hidden has by far the greatest score, or rows lie thousands apart."""
        for n, m, d in ((4, 5, 3), (3, 4, 4)):
            Q, K = rng.normal(size=(n, d)), rng.normal(size=(m, d))
            Q[:, 0], K[:, 0] = 300.0 * np.arange(1, n + 1), 0.002 * K[:, 0]
            seen = np.ones((n, m), dtype=bool)
            seen[:, -1] = False
            yield Q, K + 40.0 * np.eye(1, d), asked.write(seen)  # no key stands out
            K[-1, 0] = 40.0
            yield Q, K, asked.write(seen)
            far = K - 40.0 * np.eye(1, d)  # the differences are what they were
            yield Q, far, asked.write(seen)

    attention_weights = Exercise(
        name="attention_weights",
        chapter="04_attention",
        number="4.2",
        difficulty=2,
        minutes=15,
        hints=(
            "First the table of all scores, a row for each query. Then the mask: which score must"
            " one have, so that its weight is exactly 0 and the others share out all the rest?",
            "Q Kᵀ, divided by the root of how many numbers a query has. " + asked.hint + " Take"
            " from each row its greatest, unless that is −∞ itself; raise e to what is left; divide"
            " by the row's sum, unless that is 0.",
            asked.nearly + "\n"
            "top = scores.max(axis=-1, keepdims=True)\n"
            "parts = np.exp(scores - np.where(np.isfinite(top), top, 0))\n"
            "sums = parts.sum(axis=-1, keepdims=True)\n"
            "return parts / np.where(sums > 0, sums, …)  # what may one divide zeros by?",
        ),
        right=lambda Q, K, mask: pair_by_pair(Q, K, asked.read(mask)),
        mistakes=mistakes(asked),
        stumbles={
            "matmul": "How many rows and columns have Q, K and Kᵀ?",
            "could not be broadcast": "The mask has a row for each query: has Q Kᵀ, or K Qᵀ?",
            "numpy boolean": "With True and False `-` does not count: which sign turns them round?",
            "'invert' not supported": "`~` wants a mask of True and False: what does yours hold?",
            "bad operand type": "`~` and `-` want another kind of mask: what does yours hold?",
        },
        form=asked.form,
        passages=(f"`mask` {asked.rule}.", f"mask = np.array({asked.example})", asked.code),
    )
    attention_weights.agrees(
        "is, with nothing hidden, the softmax of each row of Q Kᵀ / √d",
        "One query, two keys, d = 4: what are the two scores, divided by √4, and their softmax?",
        open_to_all,
    )
    attention_weights.agrees(
        "gives what is hidden a weight of 0, and lets the others of its row add up to 1",
        "Three equal scores, one of them hidden: what weights have the other two?",
        hidden,
    )
    attention_weights.agrees(
        "is a row of zeros where a query may see nothing, never nan",
        "If all scores of a row are −∞, what is −∞ less the greatest of them, and what is 0/0?",
        blind,
    )
    attention_weights.agrees(
        "gives what is hidden no say, however high its score is or how low the others are",
        "The scores 0 and 1 may be seen, 5000 not: which is the greatest that you take away?",
        loud,
    )
    attention_weights.leaves(
        "leaves Q, K and the mask as they were",
        "Do you write into Q, K or the mask? Another head may want to look with them.",
        hidden,
    )
    return attention_weights


attention_weights = question(SEEN)
attention_weights.forms = (question(HIDDEN), question(ADDED))
