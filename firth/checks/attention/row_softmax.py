"""The softmax of each row, one number at a time: the reference that several questions share.

a_j = exp(z_j) / Σ_k exp(z_k)
"""

import math

import numpy as np


def softmax_of_row(row) -> list[float]:
    """The softmax of one row, as a list of numbers."""
    top = max(row)
    powers = [math.exp(x - top) for x in row]
    return [power / sum(powers) for power in powers]


def row_softmax(scores) -> np.ndarray:
    """The softmax along the last axis, for an array with any number of axes."""
    return np.apply_along_axis(softmax_of_row, -1, np.asarray(scores, dtype=float))


def softmax_without_maximum(scores) -> np.ndarray:
    """The mistake of exp(scores) as it stands: nan for scores in the thousands."""
    return np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)


def softmax_of_columns(scores) -> np.ndarray:
    """The mistake of a softmax along the last axis but one: each column adds up to 1."""
    return np.swapaxes(row_softmax(np.swapaxes(scores, -1, -2)), -1, -2)


def softmax_of_everything(scores) -> np.ndarray:
    """The mistake of one softmax over the whole array: all weights together add up to 1."""
    return row_softmax(np.ravel(scores)).reshape(np.shape(scores))
