"""Exercise 4, masks: what one says.

Libraries disagree about it, and so do the forms of `attention_weights`.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy import isfinite


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
