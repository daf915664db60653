"""States of chapter 2's widgets."""

from functools import cache, partial

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

from firth.runtime.random_numbers import SEEDS
from firth.store.results import stored_result
from firth.store.weights import dequantize
from firth.widgets.word2vec.noise_sampling import Word2vecSampler
from firth.widgets.word2vec.one_step import Word2vecStep
from firth.widgets.word2vec.training import MOST, Word2vecTraining
from firth.widgets.word2vec.vector_arithmetic import EXAMPLES, Word2vecAnalogy
from firth.widgets.word2vec.word_map import Word2vecMap
from firth.word2vec import word_map

from .lsa_explorer import WORDS

seeds = st.integers(1, SEEDS)


@st.composite
def trainings(draw):
    line = st.lists(st.sampled_from("star light red thin sea a".split()), min_size=1, max_size=7)
    texts = draw(st.lists(line, min_size=1, max_size=4))
    said = sorted({word for text in texts for word in text} - {"a"})
    assume(len(said) > 2)
    words = draw(st.lists(st.sampled_from(said), min_size=3, unique=True))
    m, passes = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    known = [[place for place, word in enumerate(text) if word in words] for text in texts]
    pairs = sum(0 < abs(i - j) <= m for places in known for i in places for j in places)
    assume(pairs)
    choices = dict(
        compared=draw(st.lists(st.tuples(*[st.sampled_from(words)] * 2), max_size=3)),
        seed=draw(seeds),
        k=draw(st.integers(1, MOST)),
        rate=draw(st.sampled_from([0.01, 0.2, 0.35, 1.0])),
        d=draw(st.integers(2, 12)),
        step=draw(st.integers(1, passes * pairs)),
    )
    text = "\n".join(map(" ".join, texts))
    return partial(Word2vecTraining, text, words, m=m, passes=passes, **choices)


@cache
def shipped():
    stored = stored_result("word2vec/glove")
    return stored["words"].split(" "), dequantize(stored["vectors"])


@st.composite
def analogies(draw):
    names, X = shipped()
    asked_often = [names.index(word) for four in EXAMPLES[:2] for word in four]
    places = st.integers(0, len(names) - 1) | st.sampled_from(asked_often)
    some = draw(st.lists(places, min_size=4, max_size=30, unique=True))
    words = [names[i] for i in some]
    known = st.sampled_from(words)
    written = known | known.map(str.title) | known.map(lambda word: f" {word} ")
    mistyped = known.map(lambda word: word[1:] + word[:1]) | st.sampled_from(["", "kign", "zz top"])
    examples = draw(st.lists(st.tuples(*[known] * 4), max_size=2))
    asked = draw(
        st.tuples(*[written | written | mistyped] * 3) | st.sampled_from(examples or [words])
    )
    a, b, c = asked[:3]
    exclude = draw(st.booleans())
    return partial(Word2vecAnalogy, words, X[some], examples, a=a, b=b, c=c, exclude=exclude)


@st.composite
def samplers(draw):
    counts = draw(st.lists(st.integers(1, 20) | st.integers(1, 50_000), min_size=2, max_size=300))
    counted = {f"w{i}": count for i, count in enumerate(counts)}
    choices = dict(
        sentence=st.lists(st.sampled_from(list(counted)), max_size=9).map(" ".join),
        power=st.sampled_from([0.0, 0.25, 0.75, 1.0]) | st.floats(0, 1),
        exponent=st.sampled_from([-6.0, -3.0, -1.0]) | st.floats(-6, -1),
        seed=seeds,
    )
    return partial(Word2vecSampler, counted, **draw(st.fixed_dictionaries(choices)))


def random_map(seed: int, n: int, few: bool = False) -> tuple[list[str], list[int], dict]:
    """The words, places and space of a map with random vectors; of a few words, if `few`."""
    rng = np.random.default_rng(seed)
    places = rng.integers(0, word_map.SIDE, 2 * n).tolist()
    V = rng.normal(size=(n, 7))
    space = (
        word_map.vectors_for_a_notebook(V, rng.permutation(n)[: n // 2 + 1].tolist())
        if few
        else None
    )
    return WORDS[:n], places, space or word_map.vectors_for_the_page(V)


def map_of_random_vectors(seed: int, n: int, few: bool, **choices) -> Word2vecMap:
    return Word2vecMap(*random_map(seed, n, few), **choices)


@st.composite
def maps(draw):
    drawn = draw(st.integers(0, 99)), draw(st.integers(2, len(WORDS))), draw(st.booleans())
    typed = draw(st.sampled_from([*WORDS, "", " Tea ", "shpi", "<b>"]))
    return partial(map_of_random_vectors, *drawn, word=typed, zoom=draw(st.booleans()))


@st.composite
def steps(draw):
    number = st.floats(-2, 2) | st.sampled_from([0.0, 0.5, 1.0, -1.0])
    choices = dict(
        start=draw(st.lists(st.tuples(number, number), min_size=4, max_size=4)),
        rate=draw(st.sampled_from([0.1, 0.5, 1.0, 2.0])),
        steps=draw(st.integers(0, 12)),
        noise=draw(st.booleans()),
    )
    return partial(Word2vecStep, **choices)


STRATEGIES = {
    Word2vecStep: steps(),
    Word2vecMap: maps(),
    Word2vecTraining: trainings(),
    Word2vecAnalogy: analogies(),
    Word2vecSampler: samplers(),
}
