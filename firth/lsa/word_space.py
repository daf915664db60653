"""A word space: short vectors of the most frequent words, small enough for a page.

    A ≈ U_k diag(s) V_kᵀ                    A: the V × V table of all words, counts or PPMI
    z_w = row w of U_k √s, with length 1
    z_new = Σ_c idf(c) · z_c ⊙ σ            over the neighbours c of a new word
    idf(c) = log(V / number of words that have met c)

√s shares each singular value between the words and their neighbours. Its cosines agree better with
people's ratings than those of U s: `experiments/lsa/explorer_vectors.py` measures both.

A neighbour's vector is its row of V_k. A is symmetric, so this is its row of U_k, turned round in
the columns of negative eigenvalues: σ is −1 there and +1 elsewhere. Each number is stored in a byte
with a scale for each column; the first k columns are the space of k directions.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from jaxtyping import Float
from numpy import ndarray as Array
from scipy.sparse import csr_array

from firth.lsa import counts, lsa
from firth.lsa.similarity import unit
from firth.store import corpora
from firth.store.weights import quantize

WINDOWS = (1, 2, 5, 10)
WEIGHTINGS = ("counts", "PPMI")
SIZE = 15_000  # words; with 10,000, poured, dinner and breakfast would be unknown to zorf
K = 60
MIN_COUNT = 5
FULL = 255  # steps of a byte that holds no negative number


@lru_cache(maxsize=1)
def corpus() -> tuple[list[str], list[Array]]:
    """The vocabulary as a list of words, and the articles of the corpus as arrays of word ids."""
    articles = [counts.words(article) for article in corpora.scoreboard()]
    vocabulary = counts.vocabulary((word for words in articles for word in words), MIN_COUNT)
    return vocabulary, [counts.word_ids(words, vocabulary) for words in articles]


def weighted_table(C: csr_array, weighting: str) -> csr_array:
    """The table C itself, or its PPMI if `weighting` is "PPMI".

    PPMI is used without smoothing and shift, so that the table is symmetric like C.
    """
    return counts.ppmi(C) if weighting == "PPMI" else C


def idf(C: csr_array) -> Float[Array, " V"]:
    """The idf of each of the V words: log(V / number of words that occur near it), an array.

    C is the table of counts, with a row and a column for each word.

    >>> idf(csr_array([[0, 1, 3], [1, 0, 0], [3, 0, 0]]))  # log 3/2, log 3/1, log 3/1
    array([0.41, 1.1 , 1.1 ])
    """
    return np.log(C.shape[0] / np.maximum(np.diff(C.indptr), 1))


def eigenvalue_signs(U: Float[Array, "V k"], Vt: Float[Array, "k V"]) -> list[int]:
    """σ, a list of 1 and −1: for each column −1 where U and V have opposite signs, and 1 elsewhere.

    A is symmetric, so these are the signs of its eigenvalues.

    >>> eigenvalue_signs(np.array([[0.6, 0.8], [0.8, -0.6]]), np.array([[0.6, 0.8], [-0.8, 0.6]]))
    [1, -1]
    """
    return [1 if product >= 0 else -1 for product in (U * Vt.T).sum(axis=0)]


def word_space(m: int, weighting: str, say: Callable[[str], None] = print) -> dict:
    """A dict of a word space, as a page gets it: m, weighting, words, idf, signs and vectors.

    m is the window, and `weighting` is "counts" or "PPMI". `words` is one text with a blank between
    two words, and `signs` is the list σ. `vectors` has a row for each direction and a column for
    each word; it and `idf` are quantized to bytes. Before each step, `say` is called with a line
    that names the step.
    """
    say("Reading the corpus …")
    vocabulary, documents = corpus()
    say(f"Counting the neighbours within {m} …")
    C = counts.cooccurrence(documents, len(vocabulary), m)
    say("Finding the directions …")
    U, s, Vt = lsa.svd(weighted_table(C, weighting), K)
    weights = idf(C)[:SIZE]
    return {
        "m": m,
        "weighting": weighting,
        "words": " ".join(vocabulary[:SIZE]),
        "idf": quantize(weights, scale=weights.max() / (FULL - 1), zero=-128),
        "signs": eigenvalue_signs(U, Vt),
        "vectors": quantize(unit((U * np.sqrt(s))[:SIZE]).T.astype(float)),
    }


def neighbour_counts(
    sentences: Sequence[str], name: str, known: dict[str, int], m: int
) -> dict[str, int]:
    """A dict {word: how often it stands within m words of the word `name`}, largest count first.

    Only the words in `known` are counted, and `name` itself is not. The explorer adds up the
    vectors of these neighbours to place a new word.

    >>> neighbour_counts(["Pour the zorf.", "Zorf the zorf!"], "zorf", {"the": 0, "zorf": 1}, m=2)
    {'the': 3}
    """
    found: dict[str, int] = {}
    for sentence in sentences:
        for word, near in counts.windows(counts.words(sentence), m):
            for other in near if word == name else ():
                if other in known and other != name:
                    found[other] = found.get(other, 0) + 1
    return dict(sorted(found.items(), key=lambda pair: -pair[1]))
