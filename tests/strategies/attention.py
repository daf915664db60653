"""States of chapter 4's widgets of self-attention."""

from functools import partial

from hypothesis import strategies as st

from firth.widgets.attention.query_key_value import PRESETS, QUESTIONS, WORDS, AttentionLab
from firth.widgets.attention.self_attention_steps import SENTENCES, AttentionGravity
from firth.widgets.attention.self_attention_steps import WORDS as COUNTED

tenths = st.integers(0, 40).map(lambda n: n / 10)


@st.composite
def gravities(draw):
    apple = draw(st.lists(tenths, min_size=2, max_size=2))
    chosen = {
        "beside": [sentence for sentence, _ in SENTENCES[1:]],
        "counted": COUNTED,
        "steps": range(21),
    }
    chosen = {name: draw(st.sampled_from(values)) for name, values in chosen.items()}
    return partial(AttentionGravity, apple=apple, **chosen)


@st.composite
def labs(draw):
    number = st.integers(-20, 20).map(lambda n: n / 10)
    names = ("W_Q", "W_K", "W_V")
    free = {name: draw(st.lists(number, min_size=4, max_size=4)) for name in names}
    matrices = draw(st.sampled_from([free, *PRESETS.values()]))
    chosen = {
        "scaled": ("scaled", "plain"),
        "asking": tuple(WORDS),
        "question": range(len(QUESTIONS)),
    }
    chosen = {name: draw(st.sampled_from(values)) for name, values in chosen.items()}
    return partial(AttentionLab, **{n: list(map(float, W)) for n, W in matrices.items()}, **chosen)


STRATEGIES = {AttentionGravity: gravities(), AttentionLab: labs()}
