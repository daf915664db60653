"""States of LsaExplorer that a reader may reach, with small spaces of random vectors."""

from functools import partial

import numpy as np
from hypothesis import strategies as st

from firth.lsa.word_space import WEIGHTINGS, WINDOWS, K
from firth.store.weights import quantize
from firth.widgets.lsa.explorer import MODES, LsaExplorer

WORDS = "the cup tea red star sea drum it's 1914 été ship sail gold rain solo loud".split()


def random_space(seed: int, k: int = K, m: int = 5, weighting: str = "PPMI") -> dict:
    """A space of WORDS with random vectors, idf and signs, in the form of `word_space`."""
    rng = np.random.default_rng(seed)
    idf = np.append(0, rng.uniform(0, 8, len(WORDS) - 1))
    return {
        "m": m,
        "weighting": weighting,
        "words": " ".join(WORDS),
        "idf": quantize(idf, scale=idf.max() / 254, zero=-128),
        "signs": rng.choice([-1, 1], k).tolist(),
        "vectors": quantize(rng.normal(size=(k, len(WORDS)))),
    }


words = st.sampled_from([*WORDS, "zorf", "cpu", "", " Tea ", "<b>", "It’s", "tea cup"])
sentence = st.lists(st.sampled_from([*WORDS, "zorf", "zorf", "poured", "The"]), max_size=9)
stops = st.sampled_from([". ", "\n", "! ", "?", " — "])
text = st.lists(st.tuples(sentence.map(" ".join), stops).map("".join), max_size=5).map("".join)


@st.composite
def explorers(draw):
    only = {"word": draw(words), "name": draw(words), "text": draw(text)}
    only |= {"m": draw(st.sampled_from(WINDOWS)), "weighting": draw(st.sampled_from(WEIGHTINGS))}
    only |= {"k": draw(st.integers(2, K))}
    space = random_space(draw(st.integers(0, 99)), m=draw(st.sampled_from(WINDOWS)))
    space |= {"only": only} if draw(st.booleans()) else {}
    choices = {"word": draw(words), "name": draw(words), "text": draw(text)}
    choices |= {"m": draw(st.sampled_from(WINDOWS)), "k": draw(st.integers(2, K))}
    choices |= {"weighting": draw(st.sampled_from(WEIGHTINGS))}
    return partial(LsaExplorer, draw(st.sampled_from(MODES)), space, **choices)


STRATEGIES = {LsaExplorer: explorers()}
