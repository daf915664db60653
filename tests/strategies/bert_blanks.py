"""States of the comparer of blanks."""

from functools import partial

from hypothesis import strategies as st

from firth.widgets.bert.fill_mask import CHARTS, COUNTS, BertBlanks

VIEW = BertBlanks()
NAMES = [row["name"] for row in VIEW.rows]
WORDS = VIEW.words.split(" ")


@st.composite
def comparers(draw):
    typed = st.sampled_from(["", " ", "Cattle", "zorf", "a\u00a0b", "<b>"])
    return partial(
        BertBlanks,
        pair=draw(st.sampled_from(NAMES)),
        count=draw(st.sampled_from(COUNTS)),
        chart=draw(st.sampled_from(CHARTS)),
        word=draw(st.sampled_from(WORDS) | typed),
    )


STRATEGIES = {BertBlanks: comparers()}
