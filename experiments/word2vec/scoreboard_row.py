"""Measure chapter 2's rows of the scoreboard, and write them.

    python -m experiments.word2vec.scoreboard_row

CBOW, skip-gram and skip-gram in expectation have the rate, the window and the epochs that
`experiments.word2vec.tuning` has chosen on the headlines to learn from, as chapter 1's rows have
settings that were chosen there. The vectors are those of `experiments.word2vec.comparison` with its
first seed. That `expected` takes pieces of 25 words from all over the text, ten to a step, was
settled with a look at WordSim-353. Seconds are of CPU time, on one thread.

GloVe's vectors (Pennington, Socher and Manning, 2014) were trained elsewhere, on 6,000,000,000
words. Nothing is chosen here for them. How long their training took is not known here: 0 seconds.
"""

import argparse
from collections.abc import Sequence

import numpy as np

from experiments.lsa.scoreboard_row import machine
from experiments.word2vec.training import SEED, D, corpus, vectors
from experiments.word2vec.tuning import chosen
from firth.scoreboard import paired_bootstrap, scoreboard
from firth.store import pretrained_vectors

METHODS = {
    "word2vec CBOW": "CBOW",
    "word2vec skip-gram": "skip-gram",
    "word2vec skip-gram, expected": "skip-gram in expectation",
}


def trained_here(methods: Sequence[str]) -> None:
    vocabulary, documents = corpus()
    for method in methods:
        settings = chosen(METHODS[method])
        V, seconds = vectors(METHODS[method], **settings, seed=SEED)
        row = {
            "method": method,
            "chapter": 2,
            "block": "trained here",
            "settings": written(settings),
            **paired_bootstrap.kept(method, vocabulary, V),
            "words": int(sum((ids >= 0).sum() for ids in documents)),
            "seconds": round(seconds, 1),
            "machine": machine(),
        }
        print(row, flush=True)
        scoreboard.write(row)


def written(settings: dict) -> str:
    """The settings as a row of the scoreboard has them.

    >>> written({"rate": 0.05, "window": 10, "epochs": 5})
    'window 10, rate 0.05, d = 100, 5 epochs'
    """
    rate, window, epochs = (settings[name] for name in ("rate", "window", "epochs"))
    return f"window {window}, rate {rate:g}, d = {D}, {epochs} epochs"


def trained_elsewhere() -> None:
    words, vectors = pretrained_vectors.glove()
    row = {
        "method": "GloVe 6B",
        "chapter": 2,
        "block": "trained elsewhere",
        "settings": f"d = {vectors.shape[1]}, {len(words):,} words known",
        **paired_bootstrap.kept("GloVe 6B", words, np.asarray(vectors)),
        "words": 6_000_000_000,
        "seconds": 0.0,
        "machine": "its authors'",
    }
    print(row, flush=True)
    scoreboard.write(row)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("method", nargs="*", help=f"default: GloVe and {', '.join(METHODS)}")
    methods = parser.parse_args().method
    if not methods:
        trained_elsewhere()
    trained_here(methods or list(METHODS))


if __name__ == "__main__":
    main()
