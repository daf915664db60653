"""Exercise 3, padding: the ways of counting what a batch costs, the right one and the wrong ones.

J = −Σ mask · log softmax(scores)[y] / Σ mask      over time and texts together

The reference is a loop over single places: too plain to be wrong.
"""

import math

import numpy as np


def surprise(row, y):
    """−log of the probability that a row of scores gives to y, safe for any scores."""
    top = max(row)
    return top + math.log(sum(math.exp(score - top) for score in row)) - row[y]


def mean_surprise(scores, y, mask):
    """The right answer, a place at a time."""
    T, B = y.shape
    costs = [surprise(scores[t, n], y[t, n]) for t in range(T) for n in range(B) if mask[t, n]]
    return sum(costs) / len(costs)


def stable(scores, axis=-1):
    """Log-probabilities along an axis."""
    shifted = scores - scores.max(axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))


def naive(scores):
    return np.log(np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True))


def costed(
    log=stable,
    pick=lambda logs, y: -np.take_along_axis(logs, y[..., None], -1)[..., 0],
    prepare=lambda scores, mask: scores,
    mean=lambda costs, mask: (costs * mask).sum() / mask.sum(),
):
    """A way of reckoning the cost, the right one by default."""

    def masked_loss(scores, y, mask):
        return mean(pick(log(prepare(scores, mask)), y), mask)

    return masked_loss


def each_text(costs, mask):
    return ((costs * mask).sum(axis=0) / mask.sum(axis=0)).mean()


def each_step(costs, mask):
    return ((costs * mask).sum(axis=1) / mask.sum(axis=1)).mean()


def levelled(scores, mask):
    return scores * mask[..., None]


def prefixes(costs, mask):
    """As many places of each text as it has words, from its beginning."""
    return costs[np.arange(len(mask))[:, None] < mask.sum(axis=0)].mean()


def cut_off(least):
    """Log-probabilities that are nowhere below the log of something small."""
    return lambda scores: np.log(np.exp(stable(scores)) + least)


def unshifted(scores):
    return scores - np.log(np.exp(scores).sum(axis=-1, keepdims=True))
