"""States of the map of personality items."""

from functools import partial

from hypothesis import strategies as st

from firth.store import corpora
from firth.widgets.bert.personality_map import BY, COLOURS, LAYOUTS, LONGEST, BertPersonality

TEXTS = corpora.personality()["text"].tolist()
WORDS = ["Order", " anger ", "NEURO", "zebra", "", "art", "'", "é"]


@st.composite
def seen(draw):
    return partial(
        BertPersonality,
        item=draw(st.sampled_from(TEXTS)),
        by=draw(st.sampled_from(list(BY))),
        laid=draw(st.sampled_from(list(LAYOUTS))),
        colour=draw(st.sampled_from(list(COLOURS))),
        search=draw(st.sampled_from(WORDS) | st.text("aeirst ", max_size=LONGEST)),
    )


STRATEGIES = {BertPersonality: seen()}
