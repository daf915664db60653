"""States of the view of attention's heads."""

from functools import partial

from hypothesis import strategies as st

from firth.store.results import stored_result
from firth.widgets.bert.attention_heads import BLOCKS, HEADS, KEYS, BertHeads

TEXTS = [row["text"] for row in stored_result("bert/attention_heads")]

heads = st.fixed_dictionaries(
    {
        "text": st.sampled_from(TEXTS),
        "block": st.integers(1, BLOCKS),
        "head": st.integers(1, HEADS),
        "token": st.integers(0, 18),
        "habit": st.sampled_from(KEYS),
    }
).map(lambda choices: partial(BertHeads, **choices))

STRATEGIES = {BertHeads: heads}
