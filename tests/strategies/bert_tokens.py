"""States of the tokenizer: any text of characters on which two versions of Unicode agree."""

import unicodedata
from functools import partial

from hypothesis import strategies as st

from firth.widgets.bert.tokenizer import EXAMPLES, MOST, BertTokens

CHANGED = "\U0001171e"  # a mark that takes no room, until a later Unicode gave it some


def settled(letter: str) -> bool:
    """Whether Python's tables of Unicode know the letter as a browser's newer ones do."""
    return unicodedata.category(letter) != "Cn" and letter not in CHANGED


letters = st.characters(exclude_categories=["Cs"]).filter(settled)
common = st.sampled_from("aeioußÉñÇσΣİ .,'-_$#0123456789\n\t\u0301\u200d\u00a0中日🙂ﬁ½")
signs = st.sampled_from(["[MASK]", "[SEP]", "[UNK]", "a" * 101, "purplish", "antidis", " "])
texts = st.one_of(
    st.sampled_from(EXAMPLES),
    st.text(letters, max_size=40),
    st.lists(common | signs, max_size=30).map("".join),
    st.text("abcdefghijklmnopqrstuvwxyz ", max_size=60),
).map(lambda text: text[:MOST])


@st.composite
def tokens(draw):
    return partial(BertTokens, draw(texts), word=draw(st.integers(-1, 12)))


STRATEGIES = {BertTokens: tokens()}
