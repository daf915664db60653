"""States of the next-token lab."""

from functools import partial

from hypothesis import strategies as st

from firth.widgets.transformer.next_token import KS, TransformerNext

PROMPTS = [row["prompt"] for row in TransformerNext().rows]


@st.composite
def labs(draw):
    tau = draw(st.integers(0, 20)) / 10
    p = draw(st.integers(1, 20)) / 20
    k = draw(st.integers(0, len(KS) - 1))
    prompt = draw(st.sampled_from(PROMPTS))
    return partial(
        TransformerNext, prompt=prompt, tau=tau, k=k, p=p, seed=draw(st.integers(0, 10**8))
    )


STRATEGIES = {TransformerNext: labs()}
