"""Measure chapter 3's row of the scoreboard, and write it.

python -m experiments.rnn.scoreboard_row

An LSTM reads the scoreboard's corpus, 64 places side by side, and guesses each next word among 512
of noise. Both its tables have 100 numbers a word, as many as chapter 2's. Which vectors are shown,
those of its input, those of its output or both in one row, is picked as in chapter 1, by the share
of desks told in cross-validation on the headlines to learn from; the narrowest of the best is
taken. Of two learning rates the one with the lower J was taken, of two sizes of E at the start the
one with the higher share, which alone decided: the scores of both had been seen. Seconds are of
CPU time, on one thread, and those of training only.
"""

import argparse
import time

import numpy as np
import torch

from experiments.lsa.scoreboard_row import (
    MIN_COUNT,
    machine,
    smallest_of_the_best,
    told_in_training,
)
from firth.lsa import counts
from firth.lsa.similarity import unit
from firth.rnn.language_model import NextWord, streams, train
from firth.scoreboard import paired_bootstrap, scoreboard
from firth.store import corpora
from firth.word2vec.word2vec import noise

D, B, K, T, EPOCHS, SEED = 100, 64, 512, 40, 3, 1


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    torch.set_num_threads(1)
    articles = [counts.words(article) for article in corpora.scoreboard()]
    vocabulary = counts.vocabulary((word for words in articles for word in words), MIN_COUNT)
    documents = [counts.word_ids(words, vocabulary) for words in articles]
    place, n = {word: i for i, word in enumerate(vocabulary)}, len(vocabulary)
    known = np.concatenate([ids[ids >= 0] for ids in documents])
    start = time.process_time()
    torch.manual_seed(SEED)
    net = NextWord(n, D, D)
    chance = noise(np.bincount(known, minlength=n))
    losses = train(net, streams(documents, n, B), chance, K, T, EPOCHS)
    seconds = time.process_time() - start
    print(f"{seconds:.0f} seconds, J by epoch:", *(f"{J:.3f}" for J in losses), flush=True)
    E, U = (table.weight.detach().numpy().astype(float)[:n] for table in (net.E, net.U))
    results, tried = [], {"input": E, "output": U, "input + output": np.hstack([unit(E), unit(U)])}
    for vectors_of, vectors in tried.items():
        told = told_in_training(place, vectors)
        results.append((told, vectors.shape[1], {"vectors": vectors_of}))
        print(f"vectors: {vectors_of:14} {told:.4f} in training", flush=True)
    d, chosen = smallest_of_the_best(results)
    row = {
        "method": "LSTM, next word",
        "chapter": 3,
        "block": "trained here",
        "settings": f"{chosen['vectors']} vectors, d = {d}, {EPOCHS} epochs",
        **paired_bootstrap.kept("LSTM, next word", vocabulary, tried[chosen["vectors"]]),
        "words": len(known),
        "seconds": round(seconds, 1),
        "machine": f"{machine()}, torch {torch.__version__}",
    }
    print(row)
    scoreboard.write(row)


if __name__ == "__main__":
    main()
