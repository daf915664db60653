"""States of LsaFirstSentences that a reader may reach."""

from functools import partial

from hypothesis import strategies as st

from firth.widgets.lsa.first_sentences import LsaFirstSentences

WORDS = ("zorf", "tea", "poured", "cup", "the")


@st.composite
def views(draw):
    words = st.lists(st.sampled_from(WORDS), max_size=9)
    own = [*draw(words), "zorf", *draw(words)]
    sentences = [
        " ".join(own).capitalize() + ".",
        *map(" ".join, draw(st.lists(words, max_size=4))),
    ]
    read = draw(st.integers(0, sum("zorf" in sentence.lower() for sentence in sentences)))
    given = dict(known=["tea", "the"], columns=["poured", "cup"], m=draw(st.integers(1, 5)))
    return partial(LsaFirstSentences, sentences, reading=read, **given)


STRATEGIES = {LsaFirstSentences: views()}
