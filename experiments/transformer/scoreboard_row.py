"""Measure chapter 5's row of the scoreboard, and write it.

python -m experiments.transformer.scoreboard_row

Two blocks of `firth.transformer.gpt` read the scoreboard's corpus, 64 words at a time and 32 pieces
side by side, and guess each next word among 512 of noise. Tables and loss are those of chapter 3's
LSTM, and only what stands between the tables is new; it carries nothing from one piece into the
next.

Which vectors are shown, those of its input, those of its output, what a word has become after the
last block, in the mean over 20 occurrences, or input and output in one row, is picked as in chapter
1, by the share of desks told in cross-validation on the headlines to learn from; of those within a
hundredth of the best the first is taken, in this order. Of two learning rates for the tables, 0.01
and 0.003, the one with the lower J after 200 steps was taken. Nothing else was tried, and no score
had been seen. Seconds are of CPU time, on one thread, and those of training only, unless
occurrences had to be read too.
"""

import argparse
import time

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy import ndarray as Array
from torch import Tensor, nn

from experiments.attention.scoreboard_row import occurrences
from experiments.lsa.scoreboard_row import (
    MIN_COUNT,
    machine,
    smallest_of_the_best,
    told_in_training,
)
from firth.lsa import counts
from firth.lsa.similarity import unit
from firth.rnn.language_model import NextWord, streams
from firth.scoreboard import paired_bootstrap, scoreboard
from firth.store import corpora
from firth.transformer.gpt import GPT, Shape
from firth.word2vec.word2vec import learning_rate, noise, text

D, B, K, EPOCHS, SEED = 100, 32, 512, 3, 1
SHAPE = {"d": D, "blocks": 2, "heads": 4, "inner": 400, "context": 64}
TABLES, BODY = (1e-2, 1e-3), (2e-3, 2e-4)  # learning rates, first and last


class Reader(NextWord):
    """Chapter 3's two tables and its loss, and a transformer between them instead of an LSTM."""

    def __init__(self, n: int):
        super().__init__(n, D, D)
        del self.lstm
        self.gpt = GPT(Shape(n + 1, **SHAPE))
        self.gpt.tokens = self.E  # small numbers at first, and gradients of the rows read alone

    def forward(self, ids: Int[Tensor, "T B"]) -> Float[Tensor, "T B d"]:
        """What every place has become after the last block. Nothing is carried along."""
        return self.gpt.states(ids.T).transpose(0, 1)


def trained(net: Reader, columns: Int[Tensor, "L B"], chance: Float[Array, " n"]) -> list[float]:
    """The mean J of each epoch; every epoch cuts the text at other places."""
    words = [net.E.weight, net.U.weight]
    others = [weight for name, weight in net.gpt.named_parameters() if name != "tokens.weight"]
    tables, body = torch.optim.SparseAdam(words), torch.optim.AdamW(others, weight_decay=0.01)
    q, T, losses = torch.tensor(chance), SHAPE["context"], []
    for epoch in range(EPOCHS):
        starts, total = range(epoch * T // EPOCHS, len(columns) - 1, T), 0.0
        for i, t in enumerate(starts):
            done = (epoch + i / len(starts)) / EPOCHS
            for optimiser, (first, last) in ((tables, TABLES), (body, BODY)):
                for group in optimiser.param_groups:
                    group["lr"] = learning_rate(done, first, last) * min(1, (1 + i) / 100 + epoch)
            piece = columns[t : t + T + 1]
            J = net.loss(net(piece[:-1]), piece[1:], torch.multinomial(q, K, replacement=True))
            tables.zero_grad()
            body.zero_grad()
            J.backward()
            nn.utils.clip_grad_norm_(others, 1.0)
            tables.step()
            body.step()
            total += J.item()
            if i % 100 == 99:
                print(f"{done:4.0%}  J {total / (i + 1):.3f}", flush=True)
        losses.append(total / len(starts))
    return losses


@torch.no_grad()
def in_context(net: Reader, row: Int[Array, " L"], n: int) -> Float[Array, "n d"]:
    """The mean state of each word at its places, each read after half a context or more."""
    T, half = SHAPE["context"], SHAPE["context"] // 2
    padded = torch.tensor(np.concatenate([np.full(half, n), np.where(row < 0, n, row)]))
    padded = torch.cat([padded, torch.full((-len(padded) % half,), n)])
    asked = np.zeros(len(padded) - half, bool)
    asked[occurrences(row)] = True
    asked, windows = asked.reshape(-1, half), padded.unfold(0, T, half)
    sums, times = np.zeros((n, D)), np.zeros(n)
    for start in range(0, len(windows), 2 * B):
        piece = windows[start : start + 2 * B]
        at = asked[start : start + 2 * B]
        w = piece[:, half:].numpy()[at]
        np.add.at(sums, w, net(piece.T)[half:].transpose(0, 1).numpy()[at])
        np.add.at(times, w, 1)
    return sums / times[:, None]


def measured(reader: type[Reader], method: str, chapter: int) -> dict:
    """Train a reader, pick its vectors by the headlines to learn from, and score them: a row."""
    torch.set_num_threads(1)
    articles = [counts.words(article) for article in corpora.scoreboard()]
    vocabulary = counts.vocabulary((word for words in articles for word in words), MIN_COUNT)
    documents = [counts.word_ids(words, vocabulary) for words in articles]
    place, n = {word: i for i, word in enumerate(vocabulary)}, len(vocabulary)
    known = np.concatenate([ids[ids >= 0] for ids in documents])
    start = time.process_time()
    torch.manual_seed(SEED)
    net = reader(n)
    losses = trained(net, streams(documents, n, B), noise(np.bincount(known, minlength=n)))
    seconds = time.process_time() - start
    print(f"{seconds:.0f} seconds, J by epoch:", *(f"{J:.3f}" for J in losses), flush=True)
    E, U = (table.weight.detach().numpy().astype(float)[:n] for table in (net.E, net.U))
    start = time.process_time()
    H = in_context(net, text(documents, 1, n), n)
    reading = time.process_time() - start
    print(f"{reading:.0f} seconds to read 20 occurrences of each word", flush=True)
    both = np.hstack([unit(E), unit(U)])
    tried = {"input": E, "output": U, "in context": H, "input + output": both}
    results = []
    for vectors_of, vectors in tried.items():
        told = told_in_training(place, vectors)
        results.append((told, vectors.shape[1], {"vectors": vectors_of}))
        print(f"vectors: {vectors_of:14} {told:.4f} in training", flush=True)
    d, chosen = smallest_of_the_best(results)
    return {
        "method": method,
        "chapter": chapter,
        "block": "trained here",
        "settings": f"{chosen['vectors']} vectors, d = {d}, {EPOCHS} epochs",
        **paired_bootstrap.kept(method, vocabulary, tried[chosen["vectors"]]),
        "words": len(known),
        "seconds": round(seconds + reading * (chosen["vectors"] == "in context"), 1),
        "machine": f"{machine()}, torch {torch.__version__}",
    }


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    row = measured(Reader, "transformer, next word", 5)
    print(row, flush=True)
    scoreboard.write(row)


if __name__ == "__main__":
    main()
