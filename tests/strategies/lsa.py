"""States of chapter 1's widgets."""

from functools import partial

from hypothesis import strategies as st

from firth.widgets.lsa.context_window import LsaWindow
from firth.widgets.lsa.low_rank import LsaRank
from firth.widgets.lsa.similarity import HIGH, LOW, QUESTIONS, LsaSimilarity


@st.composite
def windows(draw):
    word = st.sampled_from("tea hot cup the a".split())
    sentences = draw(st.lists(st.lists(word, min_size=1, max_size=9), min_size=1, max_size=4))
    said = sorted({word for words in sentences for word in words})
    some = st.lists(st.sampled_from(said), min_size=1, unique=True)
    rows, columns = draw(some), draw(some)
    centre = draw(st.integers(0, sum(map(len, sentences)) - 1))
    choices = dict(m=draw(st.integers(1, 5)), centre=centre, reading=draw(st.sampled_from(rows)))
    gap = draw(st.sampled_from([" ", ", ", " — "]))
    texts = [gap.join(words).capitalize() + "." for words in sentences]
    return partial(LsaWindow, texts, rows, columns, **choices)


@st.composite
def ranks(draw):
    titles = draw(st.lists(st.text("abcde ", min_size=0).map(" ".join), min_size=2, max_size=7))
    titles[0] += " a b"  # so that no table is empty
    terms = sorted({word for title in titles for word in title.split()})
    documents = [f"d{j}" for j in range(len(titles))]
    pairs = draw(st.lists(st.tuples(*[st.sampled_from(terms)] * 2), max_size=2))
    item = draw(st.sampled_from(terms + documents))
    k = draw(st.integers(1, min(len(terms), len(titles))))
    return partial(LsaRank, titles, terms, documents, pairs, k=k, item=item)


@st.composite
def arrows(draw):
    arrow = st.lists(st.integers(4 * LOW, 4 * HIGH).map(lambda n: n / 4), min_size=2, max_size=2)
    question = draw(st.integers(0, len(QUESTIONS) - 1))
    since = [draw(arrow), draw(arrow)]
    return partial(LsaSimilarity, x=draw(arrow), y=draw(arrow), question=question, since=since)


STRATEGIES = {LsaWindow: windows(), LsaRank: ranks(), LsaSimilarity: arrows()}
