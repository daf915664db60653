"""States of the view of attention's heads."""

import json
from functools import partial

from hypothesis import strategies as st

from firth.widgets.bert_heads import BLOCKS, FILE, HEADS, KEYS, BertHeads

TEXTS = [row["text"] for row in json.loads(FILE.read_text(encoding="utf-8"))]

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
