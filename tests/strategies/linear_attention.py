"""States of chapter 7's views of random features and of what attention costs."""

from functools import partial

from hypothesis import strategies as st

from firth.widgets.linear_attention.crossover import MODES, UNITS, WIDTHS, LinearAttentionCrossover
from firth.widgets.linear_attention.random_features import (
    KINDS,
    POINTS,
    TENTHS,
    LinearAttentionFeatures,
)


@st.composite
def features(draw):
    return partial(
        LinearAttentionFeatures,
        kind=draw(st.sampled_from([*KINDS])),
        tenths=draw(st.integers(0, TENTHS)),
        scale=draw(st.integers(1, 8)) / 4,
        row=draw(st.integers(1, POINTS)),
        seed=draw(st.integers(1, 99)),
    )


@st.composite
def costs(draw):
    some = lambda values: draw(st.sampled_from([*values]))  # noqa: E731
    chosen = dict(mode=some(MODES), what=some(UNITS), d=some(WIDTHS), heads=some([1, 4, 32]))
    power, w = draw(st.integers(24, 80)) / 4, 16 * draw(st.integers(1, 32))
    return partial(LinearAttentionCrossover, power=power, w=w, r=draw(st.integers(1, 8)), **chosen)


STRATEGIES = {LinearAttentionFeatures: features(), LinearAttentionCrossover: costs()}
