"""States of LsaExplorer that a reader may reach."""

from functools import partial

from hypothesis import strategies as st

from firth.widgets.lsa.explorer import LsaExplorer


def made(n: int) -> partial:
    return partial(LsaExplorer, n=n)


STRATEGIES = {LsaExplorer: st.integers(1, 10).map(made)}
