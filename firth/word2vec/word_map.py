"""Vectors of the most frequent words, small enough for a page, and their places on a map.

    cosine(w, c) = x_w · x_c / (|x_w| |x_c|)      x_w: the word vector of w, a byte for each number

A cosine depends on directions alone. So each vector is scaled until its largest number is ±127, and
is rounded to whole numbers. `experiments/word2vec/projector_vectors.py` measures what this changes.

The places come from t-SNE (van der Maaten and Hinton, 2008), which keeps near words near. Distances
across the whole map, and the directions of its axes, mean nothing.
"""

from collections.abc import Callable, Sequence

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray as Array

from firth.lsa import counts
from firth.store import corpora
from firth.store.results import DATA
from firth.store.weights import quantize

from .skipgram import sampled

SIZE = 5_000  # words on the map
MIN_COUNT = 5
SIDE = 2_000  # places are whole numbers from 0 to SIDE
SETTINGS = {"d": 100, "m": 10, "k": 5, "epochs": 5, "first": 0.05, "sample": 1e-3, "seed": 1}


def frequent_words() -> list[str]:
    """The words of the map, most frequent first: those of `firth/data/word2vec/word_counts.txt`.

    >>> frequent_words()[:3]
    ['the', 'of', 'and']
    """
    text = (DATA / "word2vec/word_counts.txt").read_text(encoding="utf-8")
    return text.splitlines()[0].split(" ")[:SIZE]


def trained_vectors(say: Callable[[str], None] = print) -> tuple[list[str], Float[Array, "n d"]]:
    """The vocabulary, most frequent word first, and V, trained with skip-gram on the corpus.

    Before each step, `say` is called with a line that names the step.
    """
    say("Reading the corpus …")
    articles = [counts.words(article) for article in corpora.scoreboard()]
    vocabulary = counts.vocabulary((word for words in articles for word in words), MIN_COUNT)
    documents = [counts.word_ids(words, vocabulary) for words in articles]
    say("Training skip-gram, which takes one to three minutes …")
    V, _ = sampled(documents, len(vocabulary), **SETTINGS)
    return vocabulary, V.astype(float)


def quantized_directions(X: Float[Array, "n d"]) -> dict:
    """A dict of the rows of X in bytes; each row is scaled so that its largest entry becomes ±127.

    Only its direction is kept.

    >>> quantized_directions(np.array([[2.0, -1.0], [0.0, 3.0]]))
    {'shape': [2, 2], 'scale': [1.0], 'bytes': 'f8AAfw=='}
    """
    return quantize(127 * X / abs(X).max(axis=1, keepdims=True), scale=1.0)


def vectors_for_the_page(V: Float[Array, "n d"]) -> dict:
    """A dict with the key vectors: those of all words of the map, in bytes; row i is the i-th word.

    The page loads it when a reader asks for another word.
    """
    return {"vectors": quantized_directions(V[:SIZE])}


def vectors_for_a_notebook(V: Float[Array, "n d"], rows: Sequence[int]) -> dict:
    """A dict of the vectors of a few words, in bytes, and of their `rows` on the map.

    A notebook holds it. Row 0 of the vectors belongs to the word that the first view asks about.

    >>> vectors_for_a_notebook(np.array([[1.0], [-2.0], [3.0]]), [2, 0])["rows"]
    [2, 0]
    """
    return {"rows": list(rows), "vectors": quantized_directions(V[list(rows)])}


def map_coordinates(places: Float[Array, "n 2"]) -> Int[Array, "n 2"]:
    """The places as integers from 0 to 2,000, centred, with one scale for both axes.

    >>> map_coordinates(np.array([[0.0, 0.0], [1.0, 4.0]]))
    array([[ 750,    0],
           [1250, 2000]])
    """
    low, high = places.min(axis=0), places.max(axis=0)
    scale = SIDE / (high - low).max()
    return np.rint(SIDE / 2 + scale * (places - (low + high) / 2)).astype(int)
