"""States of LsaBestLine that a reader may reach."""

from functools import partial

from hypothesis import strategies as st

from firth.widgets.lsa.best_line import LsaBestLine

ANGLES = st.integers(0, 90)
POINTS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=4)


def decided(points) -> bool:
    """Whether one line is closer to the points than every other line."""
    xx, yy, xy = (sum(p[a] * p[b] for p in points) for a, b in ((0, 0), (1, 1), (0, 1)))
    return (xx - yy, xy) != (0, 0)


@st.composite
def views(draw):
    points = {f"w{i}": point for i, point in enumerate(draw(POINTS.filter(decided)))}
    return partial(LsaBestLine, points, angle=draw(ANGLES), best=draw(ANGLES))


STRATEGIES = {LsaBestLine: views()}
