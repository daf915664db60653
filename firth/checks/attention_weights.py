"""Exercise 4, weights: whom a query looks at, and how much, where not all may be seen.

A = softmax(Q Kᵀ / √d)      over what may be seen; a row that may see nothing is zeros

What the mask says differs from student to student (firth.checks.variants). The reference looks
from one query to one key at a time.
"""

import numpy as np

from firth.checks.attention import shares
from firth.checks.attention_hiding import mistakes
from firth.checks.attention_masks import ADDED, HIDDEN, SEEN, Mask
from firth.checks.claims import Exercise


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
