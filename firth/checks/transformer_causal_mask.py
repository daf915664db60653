"""Exercise 5, the mask: no token sees what comes after it.

weights_i = softmax(scores_i) over j ≤ i, and 0 for j > i
"""

import math

import numpy as np

from firth.checks.activations import softmax
from firth.checks.claims import Exercise
from firth.checks.mistakes import fitting


def looking_back(scores):
    """The right answer, a row at a time: only what is seen is looked at."""
    n, weights = scores.shape[-1], np.zeros(scores.shape)
    for index in np.ndindex(scores.shape[:-1]):
        seen = scores[index][: index[-1] + 1]
        e = [math.exp(score - max(seen)) for score in seen]
        weights[index][: len(seen)] = np.array(e) / sum(e)
    return weights.reshape(*scores.shape[:-1], n)


def seen(scores, k=0):
    """True on and below the diagonal."""
    return np.tril(np.ones(scores.shape[-2:], dtype=bool), k)


def masked(
    mask=seen,
    before=lambda scores, mask: np.where(mask, scores, -np.inf),
    share=softmax,
    after=lambda weights, mask: weights,
):
    """A way of masking, the right one by default: before the softmax, the softmax, after it."""

    @fitting
    def causal_weights(scores):
        allowed = mask(scores)
        return after(share(before(scores, allowed)), allowed)

    return causal_weights


def unchanged(scores, mask):
    return scores


def far_below(scores, mask):
    return np.where(mask, scores, -1e9)


def taken_down(scores, mask):
    return scores - 1e9 * ~mask


def rescaled(weights, mask):
    weights = weights * mask
    return weights / weights.sum(axis=-1, keepdims=True)


def unstable(x):
    return np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True)


AFTER = (
    "You set weights to 0 after the softmax: what do the others of the row add up to? Mask the"
    " scores, before."
)
RESCUED = (
    "You mask after the softmax and rescale: what is left to rescale, where a later score is a"
    " thousand higher than those that may be seen? Mask the scores, before."
)
NAMED = (
    "A score of 0 that may be seen is hidden: do you know the mask from the scores, or from the"
    " places?"
)
TIMES = "It holds nan: 0 · ∞ is no number. What if you choose with np.where instead of multiplying?"
INFINITE = (
    "It holds nan: what is a score below 0, times −∞? What if you choose with np.where instead of"
    " multiplying?"
)
DIAGONAL = "Your tokens do not see themselves, and the first sees nothing: is the diagonal seen?"
HIDDEN = "You hide what may be seen: what does True in your mask mean?"
ZERO = "A score of 0 is a score like others, e⁰ = 1: which one becomes a weight of 0?"
OVERFLOW = "What is exp(1000)? Let softmax do it: it subtracts each row's greatest score first."
causal_weights = Exercise(
    name="causal_weights",
    chapter="05_transformer",
    number="5.3",
    difficulty=1,
    minutes=8,
    hints=(
        "Which score turns into a weight of exactly 0? What is e to the power of minus infinity?",
        "np.tril(np.ones((n, n), dtype=bool)) is True on the diagonal and below. np.where(mask,"
        " scores, -np.inf) keeps the scores there. Then the softmax of each row.",
        "n = scores.shape[-1]\n"
        "seen = np.tril(np.ones((n, n), dtype=bool))\n"
        "return softmax(np.where(seen, …, …))",
    ),
    right=looking_back,
    stumbles={
        "broadcast": "An array of heads × n × n: how many tokens are there? (shape[-1])",
        "unpack": "A table may come in, or a stack of tables: what is shape[-1] in both?",
        "out of bounds": "A stack comes in: scores[..., i, :i + 1].",
    },
)
causal_weights.mistakes = [
    (masked(before=unchanged), "Your tokens see all others: where is the mask?"),
    (masked(before=unchanged, after=lambda weights, mask: weights * mask), AFTER),
    (masked(before=unchanged, after=rescaled), RESCUED),
    (masked(before=unchanged, share=unstable, after=rescaled), RESCUED),
    (masked(before=lambda scores, mask: scores * mask), ZERO),
    (masked(before=lambda scores, mask: scores * mask, after=lambda w, mask: w * mask), ZERO),
    (
        masked(before=lambda scores, mask: np.where(mask, scores, -1)),
        "Is your number for “unseen” below every score there may be? −∞ is.",
    ),
    (
        masked(before=lambda scores, mask: np.where(mask, scores, -10)),
        "Is your number for “unseen” below every score there may be? −∞ is.",
    ),
    (
        masked(before=lambda scores, mask: np.where(mask, scores, -1000)),
        "Is your number for “unseen” below every score there may be? −∞ is.",
    ),
    *(
        (
            masked(before=lambda scores, mask, n=n: scores - n * ~mask),
            "You take a number off: is it enough where scores are in the thousands? Take −np.inf.",
        )
        for n in (10, 100, 1000)
    ),
    (masked(before=lambda scores, mask: scores - np.inf * ~mask), TIMES),
    (masked(mask=lambda scores: seen(scores) & (scores != 0)), NAMED),
    (masked(before=lambda scores, mask: scores * np.where(mask, 1, -np.inf)), INFINITE),
    (masked(mask=lambda scores: seen(scores, -1)), DIAGONAL),
    (masked(mask=lambda scores: seen(scores, -1), before=far_below), DIAGONAL),
    (masked(mask=lambda scores: seen(scores, -1), before=taken_down), DIAGONAL),
    (
        masked(mask=lambda scores: seen(scores, -1), after=lambda w, mask: np.nan_to_num(w)),
        DIAGONAL,
    ),
    (
        masked(mask=lambda scores: seen(scores, 1)),
        "Each token sees the next one: what would be left to foretell?",
    ),
    (
        masked(mask=lambda scores: np.triu(np.ones(scores.shape[-2:], dtype=bool))),
        "Your tokens see what comes after them, and nothing before: tril or triu?",
    ),
    (masked(mask=lambda scores: ~seen(scores)), HIDDEN),
    (masked(mask=lambda scores: ~seen(scores), before=far_below), HIDDEN),
    (masked(mask=lambda scores: ~seen(scores), before=taken_down), HIDDEN),
    (
        masked(share=lambda x: softmax(x, axis=-2)),
        "Your columns add up to 1: row i is for token i. Along which axis is the softmax?",
    ),
    (
        masked(share=lambda x: softmax(x.reshape(1, -1)).reshape(x.shape)),
        "All your weights together add up to 1: should not each row?",
    ),
    (
        masked(before=lambda scores, mask: np.where(mask, 0.0, -np.inf)),
        "Each token looks at all before it alike: where do the scores come in?",
    ),
    (masked(share=lambda x: x), "Those are scores still: where is the softmax?"),
    (
        masked(share=lambda x: np.exp(x - x.max(axis=-1, keepdims=True))),
        "Your rows do not add up to 1: what is each divided by?",
    ),
    (masked(share=unstable), OVERFLOW),
]


def tables(rng):
    """In two of them a score that may be seen is exactly 0: it is a score like others."""
    for n in (3, 4, 6):
        scores = 1.5 * rng.normal(size=(n, n))
        scores[n - 1, : n - 3] = 0
        yield (scores,)


def stacks(rng):
    for heads, n in ((2, 3), (5, 4), (3, 5)):
        yield (1.5 * rng.normal(size=(heads, n, n)),)


def steep(rng):
    """What comes later is worth thousands, and so, now and then, is what was before."""
    for n in (3, 5, 4):
        scores = rng.normal(size=(n, n))
        scores[np.triu_indices(n, 1)] += rng.uniform(2000, 5000)
        yield (scores,)
        for high in (1, -1):
            yield (rng.normal(size=(n, n)) + high * rng.uniform(2000, 5000),)


causal_weights.agrees(
    "shares out each row among the token itself and those before it, and later ones get 0",
    "Two tokens, all scores 0: which weights has the first, and which the second?",
    tables,
)
causal_weights.agrees(
    "does so for every head, where a stack of tables is handed in",
    "How many tables are there in an array of heads × n × n, and how large is each? (shape[-1])",
    stacks,
)
causal_weights.agrees(
    "gives the same when what may not be seen scores thousands, and leaves the scores alone",
    "What stands where a score is hidden: is it below every score there may be? And what is"
    " exp(1000)? Let softmax do it.",
    steep,
    untouched="`scores[…] = -np.inf` writes into what you were handed: who else may need it?",
)
