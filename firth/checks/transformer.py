"""Exercise 5, the transformer: what its questions share, and the one that is answered in words.

softmax(x) = eˣ / Σ eˣ along the last axis;   norm(x) = (x − mean) / √(variance + 1e-5)

The questions themselves have modules of their own, transformer_positions to transformer_cache.
"""

from dataclasses import replace

import numpy as np

from firth.checks.answers import Stopped
from firth.checks.claims import Claim, Written
from firth.checks.rnn import fitting

__all__ = ["EPS", "explain_generation", "fitting", "normed", "softmax", "told"]

EPS = 1e-5


def softmax(x, axis=-1):
    """Shares that add up to 1; safe for any scores."""
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def normed(X, gain, shift, axis=-1):
    """Each vector with mean 0 and standard deviation 1, then stretched and moved."""
    Z = X - X.mean(axis=axis, keepdims=True)
    return gain * Z / np.sqrt((Z * Z).mean(axis=axis, keepdims=True) + EPS) + shift


def told(claim: Claim, question: str) -> Claim:
    """The same claim; but an answer of unequal parts is asked this, not only called no table."""

    def holds(call, rng):
        try:
            return claim.holds(call, rng)
        except Stopped as reason:
            if "makes no table" not in reason.heard:
                raise
            return question

    return replace(claim, holds=holds)


explain_generation = Written(
    name="explain_generation",
    chapter="05_transformer",
    number="5.9",
    difficulty=2,
    minutes=15,
    rubric=(
        "says that in training the whole text is known, so that all places are computed at once,"
        " and that the mask keeps each from seeing what it is to foretell",
        "says that in writing a token must be chosen before the next one can be computed: as many"
        " rounds as tokens, one after the other",
        "says why keys and values may be kept: with the mask, nothing that comes later changes what"
        " an earlier place has computed",
        "says what the cache saves, with a number: one row a step instead of all so far, n instead"
        " of n(n + 1)/2 rows",
        "says what it costs or leaves: memory that grows with the text (two rows a block and"
        " token), or that each new token still looks at all before it",
    ),
)
