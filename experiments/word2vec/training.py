"""Word vectors of the scoreboard's corpus by every method of chapter 2, and what is kept of them.

    vectors("skip-gram", rate=0.05, window=5, epochs=5, seed=1)  =  a row for each of 32,901 words

A run is kept in the cache, so that the choice of settings, the comparison, the knobs and the
scoreboard share it. Stored results are lists of rows: settings, and what was measured with them.
"""

import json
import tempfile
import time
from functools import lru_cache
from pathlib import Path

import numpy as np
from gensim.models import Word2Vec
from jaxtyping import Float
from numpy import ndarray as Array
from scipy.sparse import csr_array, diags_array

from experiments.conditions import conditions
from firth.lsa import counts, lsa
from firth.lsa.word_space import corpus
from firth.store import cache
from firth.store.results import DATA, stored_result
from firth.word2vec.skipgram import expected, sampled

D, SEED = 100, 1
COUNTING = ("counts + SVD", "idf + SVD", "PPMI + SVD", "shifted PPMI + SVD")
PREDICTING = ("CBOW", "corrected CBOW", "skip-gram", "skip-gram in expectation")
GENSIM = "gensim skip-gram"
LONGEST = 10_000  # words of a text: gensim drops what is beyond
Vectors = Float[Array, "n d"]


@lru_cache(maxsize=1)
def weighted(method: str, window: int, smoothing: float, shift: float) -> csr_array:
    """The table of neighbours in the weighting of a counting method."""
    vocabulary, documents = corpus()
    C = counts.cooccurrence(documents, len(vocabulary), window)
    if "PPMI" in method:
        return counts.ppmi(C, shift=shift, smoothing=smoothing)
    if method == "idf + SVD":  # of a neighbour: how few of the words it has met
        met = np.maximum(np.diff(C.tocsc().indptr), 1)
        return csr_array(C @ diags_array(np.log(len(vocabulary) / met)))
    return csr_array(C)


@lru_cache(maxsize=1)
def directions(method: str, window: int, smoothing: float, shift: float) -> tuple:
    """U and s of the weighted table."""
    U, s, _ = lsa.svd(weighted(method, window, smoothing, shift), D)
    return U, s


def counted(
    method: str, window: int, power: float, smoothing: float = 1.0, shift: float = 1.0
) -> Vectors:
    """Rows of U sᵖ of a counting method's table."""
    U, s = directions(method, window, smoothing, shift)
    return U * s**power


def predicted(
    method: str, rate: float, window: int, epochs: int, seed: int = SEED, d: int = D, **knobs
) -> Vectors:
    """V of a predicting method; `knobs` are other arguments of `sampled`."""
    vocabulary, documents = corpus()
    given = {"m": window, "epochs": epochs, "first": rate, "seed": seed, **knobs}
    if method == GENSIM:
        return gensims_skip_gram(rate, window, epochs, seed)
    if method == "skip-gram in expectation":
        return expected(documents, len(vocabulary), d, **given)[0]
    return sampled(documents, len(vocabulary), d, method, **given)[0]


def gensims_skip_gram(rate: float, window: int, epochs: int, seed: int) -> Vectors:
    """The vectors of gensim's skip-gram; a word that is not in the vocabulary is no position."""
    vocabulary, documents = corpus()
    known = ([vocabulary[i] for i in ids if i >= 0] for ids in documents)
    texts = [
        words[begin : begin + LONGEST] for words in known for begin in range(0, len(words), LONGEST)
    ]
    model = Word2Vec(
        texts, vector_size=D, sg=1, window=window, alpha=rate, epochs=epochs, seed=seed,
        negative=5, sample=1e-3, min_count=1, workers=1,
    )  # fmt: skip
    return model.wv[vocabulary]


def vectors(method: str, **settings) -> tuple[Vectors, float]:
    """The vectors of a method, from the cache if they were made before, and their CPU seconds."""
    if method in COUNTING:
        start = time.process_time()
        return counted(method, **settings), time.process_time() - start
    parts = [method, *(f"{name} {value}" for name, value in sorted(settings.items()))]
    kept = cache.folder() / "word2vec_runs" / f"{', '.join(parts)}.npz"
    if kept.exists():
        with np.load(kept) as old:
            return old["V"], float(old["seconds"])
    start = time.process_time()
    V = predicted(method, **settings)
    seconds = time.process_time() - start
    kept.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=kept.parent) as beside:
        np.savez(Path(beside, "run.npz"), V=V, seconds=seconds)
        cache.place(Path(beside, "run.npz"), kept)
    return V, seconds


def stored(name: str) -> dict:
    """What `firth/data/word2vec/<name>.json` holds; nothing before the first run."""
    return stored_result(f"word2vec/{name}", {})


def store(name: str, about: dict, **tables: list[dict]) -> None:
    """Write tables, a row to a line, and what is to be known about them."""
    about = conditions() | {"command": f"python -m experiments.word2vec.{name}"} | about
    parts = [json.dumps(about, indent=1, ensure_ascii=False)[:-2]]
    for table, rows in tables.items():
        lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
        parts.append(f' "{table}": [\n{lines}\n]')
    file = DATA / f"word2vec/{name}.json"
    with tempfile.TemporaryDirectory(prefix=".", dir=file.parent) as beside:
        fresh = Path(beside, file.name)
        fresh.write_text(",\n".join(parts) + "}\n", encoding="utf-8")
        cache.place(fresh, file)
