"""Measure chapter 4's row of the scoreboard, and write it.

python -m experiments.attention.scoreboard_row

Chapter 2's best vectors, trained as they were there, and then one look around, with no weights to
learn: at 20 occurrences of each word, drawn once and for all (fewer where there are fewer), the
word asks itself and m words on either side, x_i' = Σ_j softmax(scale · x_iᵀx_j) x_j, and its new
vector is the mean of the answers. No look crosses from one article into the next, and words that
are not known may not be seen.

The window m and the scale, 1/√d or 1, are picked as in chapter 1, by the share of desks told in
cross-validation on the headlines to learn from; of those within a hundredth of the best the
smallest window is taken. Words by themselves, without a look, are not among them: they have their
row. The six were drawn up before any had a score, and none was added after. Seconds are of CPU
time, on one thread, those of chapter 2's training included.
"""

import argparse
import time

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray as Array

from experiments.lsa.scoreboard_row import (
    MIN_COUNT,
    machine,
    smallest_of_the_best,
    told_in_training,
)
from experiments.word2vec.scoreboard_row import SEED, D
from firth.attention.attention import attention
from firth.lsa import counts
from firth.scoreboard import paired_bootstrap, scoreboard
from firth.store import corpora
from firth.word2vec.skipgram import expected
from firth.word2vec.word2vec import text

WINDOW = 10  # chapter 2's, picked there
WIDTHS, SCALES = (2, 5, 10), {"1/√d": D**-0.5, "1": 1.0}
MOST, PART = 20, 10_000  # occurrences of a word; of all words, at a time


def occurrences(row: Int[Array, " T"], most: int = MOST, seed: int = SEED) -> Int[Array, " _"]:
    """Where each word stands, at up to `most` places by chance: the same however wide the gaps.

    >>> row = np.array([0, 1, 0, -1, 0, 0])
    >>> np.bincount(row[occurrences(row, most=2)])
    array([2, 1])
    """
    places = np.random.default_rng(seed).permutation(np.flatnonzero(row >= 0))
    places = places[np.argsort(row[places], kind="stable")]
    first = np.searchsorted(row[places], row[places])
    return np.sort(places[np.arange(len(places)) - first < most])


def looked(
    V: Float[Array, "n d"], row: Int[Array, " T"], m: int, scale: float
) -> Float[Array, "n d"]:
    """The mean answer that each word gets where it stands: itself and m words either side.

    >>> looked(np.array([[9.0, 0.0], [0.0, 9.0]]), np.array([0, 1, -1]), m=1, scale=0.0)
    array([[4.5, 4.5],
           [4.5, 4.5]])
    """
    around = np.concatenate([np.full(m, -1), row, np.full(m, -1)])
    windows = np.lib.stride_tricks.sliding_window_view(around, 2 * m + 1)
    sums, places = np.zeros(V.shape), occurrences(row)
    for start in range(0, len(places), PART):
        here = places[start : start + PART]
        seen, w = windows[here], row[here]
        X = V[seen]  # that of −1 is some word's, and is masked
        answers = attention(V[w][:, None], X, X, (seen >= 0)[:, None], scale)
        np.add.at(sums, w, answers[:, 0])
    return sums / np.bincount(row[places], minlength=len(V))[:, None]


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    articles = [counts.words(article) for article in corpora.scoreboard()]
    vocabulary = counts.vocabulary((word for words in articles for word in words), MIN_COUNT)
    documents = [counts.word_ids(words, vocabulary) for words in articles]
    place, n = {word: i for i, word in enumerate(vocabulary)}, len(vocabulary)
    start = time.process_time()
    V, _ = expected(documents, n, D, m=WINDOW, seed=SEED)
    training = time.process_time() - start
    print("without a look:", scoreboard.score(vocabulary, V.astype(float)), flush=True)
    tried, results = {}, []
    for m in WIDTHS:
        for name, scale in SCALES.items():
            start = time.process_time()
            vectors = looked(V, text(documents, m, n), m, scale)
            tried[m, name] = vectors, training + time.process_time() - start
            results.append((told_in_training(place, vectors), D, {"window": m, "scale": name}))
            print(f"window {m:2}, scale {name:5} {results[-1][0]:.4f} in training", flush=True)
    _, chosen = smallest_of_the_best(results)
    vectors, seconds = tried[chosen["window"], chosen["scale"]]
    row = {
        "method": "word2vec, one look around",
        "chapter": 4,
        "block": "trained here",
        "settings": f"window {chosen['window']}, scale {chosen['scale']}, d = {D}",
        **paired_bootstrap.kept("word2vec, one look around", vocabulary, vectors),
        "words": int(sum((ids >= 0).sum() for ids in documents)),
        "seconds": round(seconds, 1),
        "machine": machine(),
    }
    print(row, flush=True)
    scoreboard.write(row)


if __name__ == "__main__":
    main()
