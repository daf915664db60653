"""The three kinds of masks that exercise 4.2 may ask about, and softmax functions with a mask.

`seen` is always a table of bools that is True where a query may attend to a key. Each student has
one kind of mask (firth.checks.variants).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy import isfinite


@dataclass(frozen=True)
class Mask:
    """A kind of mask: how to write one from `seen`, how to read it, and what the notebook says."""

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
    "is `True` where a query **may attend** to a key, and `False` where it may not, as in PyTorch's"
    " `scaled_dot_product_attention`",
    write=lambda seen: seen,
    read=lambda mask: mask == 1,
    hint="Where the mask is False, replace the score by −np.inf. np.where can do this.",
    nearly="scores = np.where(mask, Q @ K.T / …, -np.inf)",
    example="[[True, True, False], [False, False, False]]",
    code="return visible",
)
HIDDEN = Mask(
    "True is hidden",
    "is `True` where a key is **masked** for a query, and `False` where the query may attend to it,"
    " as in PyTorch's `nn.MultiheadAttention`",
    write=lambda seen: ~seen,
    read=lambda mask: mask != 1,
    hint="Where the mask is True, replace the score by −np.inf. np.where can do this.",
    nearly="scores = np.where(mask, -np.inf, Q @ K.T / …)",
    example="[[False, False, True], [True, True, True]]",
    code="return ~visible",
)
ADDED = Mask(
    "0 or −∞ is added",
    "is **added** to the scores: it is 0 where a query may attend to a key, and −∞ where it may"
    " not, as in the masks that PyTorch's `nn.Transformer` makes",
    write=lambda seen: np.where(seen, 0.0, -np.inf),
    read=isfinite,
    hint="Add the mask to the scores. A score plus −∞ is −∞, whatever the score was.",
    nearly="scores = Q @ K.T / … + mask",
    example="[[0, 0, -np.inf], [-np.inf, -np.inf, -np.inf]]",
    code="return np.where(visible, 0.0, -np.inf)",
)
MASKS = (SEEN, HIDDEN, ADDED)


def divide_by_sums(powers, axis=-1):
    """The powers divided by their sums along an axis, and 0 where such a sum is 0."""
    sums = powers.sum(axis=axis, keepdims=True)
    return np.divide(powers, sums, out=np.zeros_like(powers), where=sums > 0)


def masked_softmax(scores, seen, axis=-1):
    """The right weights, from scores: a softmax over the keys that a query may attend to."""
    scores = np.where(seen, scores, -np.inf)
    top = scores.max(axis=axis, keepdims=True)
    return divide_by_sums(np.exp(scores - np.where(isfinite(top), top, 0)), axis)


def plain_softmax(scores):
    """The softmax of each row, which is nan in a row of scores −∞."""
    top = scores.max(axis=-1, keepdims=True)
    powers = np.exp(scores - top)
    return powers / powers.sum(axis=-1, keepdims=True)


def mistake_of_a_low_score(low: float) -> Callable:
    """The mistake of giving masked keys the score `low`, and doing nothing else about them."""
    return lambda scores, seen: plain_softmax(np.where(seen, scores, low))


def mistake_of_adding(low: float) -> Callable:
    """The mistake of adding `low` to the scores of masked keys, and doing nothing else."""
    return lambda scores, seen: plain_softmax(np.where(seen, scores, scores + low))


def mistake_no_maximum(scores, seen):
    """The mistake of exp without a maximum: inf or 0 for scores in the thousands."""
    powers = np.exp(np.where(seen, scores, -np.inf))
    sums = powers.sum(axis=-1, keepdims=True)
    return np.where(sums > 0, powers / sums, 0)


def mistake_masked_after_exp(scores, seen):
    """The mistake of masking after exp: next to a large masked score all others become 0."""
    return divide_by_sums(np.exp(scores - scores.max(axis=-1, keepdims=True)) * seen)


def mistake_divided_again(scores, seen):
    """The mistake of masking the weights and dividing again: 0/0 next to a large masked score."""
    weights = plain_softmax(scores) * seen
    return weights / weights.sum(axis=-1, keepdims=True)


def mistake_maximum_of_everything(scores, seen):
    """The mistake of subtracting one maximum from all rows: in low rows every exp becomes 0."""
    scores = np.where(seen, scores, -np.inf)
    return divide_by_sums(np.exp(scores - scores.max()))


def mistake_infinity_times_0(scores, seen):
    """The mistake of masking after exp with the right maximum: a large masked score gives ∞ · 0."""
    top = np.where(seen, scores, -np.inf).max(axis=-1, keepdims=True)
    powers = np.exp(scores - np.where(isfinite(top), top, 0)) * seen
    sums = powers.sum(axis=-1, keepdims=True)
    return powers / np.where(sums == 0, 1, sums)
