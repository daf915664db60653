"""States of the view that shows where a translator looks."""

from functools import partial

from hypothesis import strategies as st

from firth.widgets.attention.alignment import MOST, NETWORKS, AttentionAlignment


@st.composite
def alignments(draw):
    pairs = st.integers(0, 99).map("{:02}".format)
    number = draw(st.sampled_from([" ", ""])).join(draw(st.lists(pairs, min_size=1, max_size=MOST)))
    network = draw(st.sampled_from(NETWORKS))
    return partial(
        AttentionAlignment, network=network, number=number, word=draw(st.integers(0, 40))
    )


STRATEGIES = {AttentionAlignment: alignments()}
