"""Functions that several questions need, safe for numbers of any size.

sigmoid(x) = 1 / (1 + e⁻ˣ);   softmax(x) = eˣ / Σ eˣ along an axis
"""

import numpy as np


def sigmoid(a):
    return (1 + np.tanh(a / 2)) / 2  # the same, and no a is too large for it


def softmax(x, axis=-1):
    """Shares that add up to 1; safe for any scores."""
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
