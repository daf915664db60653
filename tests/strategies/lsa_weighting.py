"""States of LsaWeighting that a reader may reach."""

from functools import partial

import numpy as np
from hypothesis import strategies as st

from firth.widgets.lsa.weighting import FORMULAS, LsaWeighting


@st.composite
def views(draw):
    n, d = draw(st.integers(2, 5)), draw(st.integers(1, 6))
    row = st.lists(st.integers(0, 4), min_size=d, max_size=d)
    C = np.array(draw(st.lists(row, min_size=n, max_size=n)))
    C[:, ~C.any(axis=0)] = 1
    C[~C.any(axis=1)] = 1
    cell = [draw(st.integers(0, n - 1)), draw(st.integers(0, d - 1))]
    names = [f"w{i}" for i in range(n)], [f"c{j}" for j in range(d)]
    return partial(LsaWeighting, C, *names, scheme=draw(st.sampled_from([*FORMULAS])), cell=cell)


STRATEGIES = {LsaWeighting: views()}
