"""States of the two widgets of chapter 5 that run the mini GPT."""

from functools import partial

from hypothesis import strategies as st

from firth.transformer import austen_gpt
from firth.widgets.transformer.austen_gpt import LONGEST, TransformerAusten
from firth.widgets.transformer.block import KEYS, TransformerBlock
from firth.widgets.transformer.block import LONGEST as WALKED

LETTERS = austen_gpt.ALPHABET[1:]  # a box of one line has no "\n"
WORDS = ["Emma was handsome", "She", "It is a truth", '"Oh!" said he; "a", b', "x", " "]


def texts(least, most):
    some = st.sampled_from(WORDS).map(lambda text: text[:most])
    return some | st.text(LETTERS, min_size=least, max_size=most)


@st.composite
def written(draw):
    tau, k = draw(st.integers(0, 15)) / 10, draw(st.integers(1, len(austen_gpt.ALPHABET)))
    short = st.integers(1, 20)
    length = draw(short | short | short | st.sampled_from([125, 131]))  # beyond a context or not
    seed = draw(st.integers(0, 10**8))
    return partial(
        TransformerAusten, draw(texts(0, LONGEST)), tau=tau, k=k, seed=seed, length=length
    )


@st.composite
def walks(draw):
    part = st.integers(1, 4)
    chosen = dict(stage=draw(st.sampled_from(KEYS)), block=draw(part), head=draw(part))
    letter = draw(st.integers(1, WALKED))
    return partial(TransformerBlock, draw(texts(1, WALKED)), letter=letter, **chosen)


STRATEGIES = {TransformerAusten: written(), TransformerBlock: walks()}
