"""States of the view of near and far."""

from functools import partial

import numpy as np
from hypothesis import strategies as st

from firth.widgets.linear_attention.near_far import MADE, MOST, WIDEST, LinearAttentionFmm

STORED = ("forces", "one back", "near", "far", "noise")


@st.composite
def blends(draw):
    chosen = dict(k=draw(st.integers(0, WIDEST)), r=draw(st.integers(0, MOST)))
    chosen |= dict(made=draw(st.sampled_from([*MADE])), name=draw(st.sampled_from(STORED)))
    if draw(st.booleans()):  # a matrix of our own, with entries below 0 too
        rng = np.random.default_rng(draw(st.integers(0, 9)))
        rows = np.rint(1e4 * rng.normal(size=(23, 23))).astype(int).tolist()
        chosen |= dict(name="own", matrices=[{"name": "own", "label": "noise", "rows": rows}])
    return partial(LinearAttentionFmm, **chosen)


STRATEGIES = {LinearAttentionFmm: blends()}
