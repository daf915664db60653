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
    n, d = draw(st.integers(2, 6)), draw(st.integers(1, 6))
    line = st.lists(st.sampled_from([0, 0, 1, 2, 3]), min_size=d, max_size=d)
    X = draw(st.lists(line, min_size=n, max_size=n))
    X[0][0] = 1  # so that no table is empty
    rows, columns = [f"r{i}" for i in range(n)], [f"c{j}" for j in range(d)]
    data = dict(rows=rows, columns=columns, X=X, weights=[1 + j / 4 for j in range(d)])
    choices = dict(k=draw(st.integers(1, min(n, d))), original=draw(st.booleans()))
    if draw(st.booleans()):
        asked = st.lists(st.sampled_from(columns), unique=True).map(sorted)
        data |= dict(texts=[f"Text {i}." for i in range(n)], query=draw(asked))
    else:
        data |= dict(strip=draw(st.permutations(rows)), without=draw(st.sampled_from(rows[1:])))
        choices["left_out"] = draw(st.booleans())
    return partial(LsaRank, data, **choices)


@st.composite
def arrows(draw):
    arrow = st.lists(st.integers(4 * LOW, 4 * HIGH).map(lambda n: n / 4), min_size=2, max_size=2)
    question = draw(st.integers(0, len(QUESTIONS) - 1))
    since = [draw(arrow), draw(arrow)]
    return partial(LsaSimilarity, x=draw(arrow), y=draw(arrow), question=question, since=since)


STRATEGIES = {LsaWindow: windows(), LsaRank: ranks(), LsaSimilarity: arrows()}
