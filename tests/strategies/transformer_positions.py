"""States of chapter 5's view of positions."""

from functools import partial

from hypothesis import strategies as st

from firth.widgets.transformer.positional_encoding import TransformerPositions


@st.composite
def places(draw):
    d = 2 * draw(st.integers(2, 64))
    chosen = dict(p=draw(st.integers(0, 50)), k=draw(st.integers(0, 49)))
    pair, base = draw(st.integers(0, d // 2 - 1)), draw(st.integers(0, 8)) / 2
    return partial(TransformerPositions, d=d, pair=pair, base=base, **chosen)


STRATEGIES = {TransformerPositions: places()}
