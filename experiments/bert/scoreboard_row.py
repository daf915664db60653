"""Measure chapter 6's rows of the scoreboard, and write them.

python -m experiments.bert.scoreboard_row

MiniLM was trained elsewhere; here it only reads. In context: the articles of the scoreboard's
corpus, cut at borders of words into texts of at most 126 pieces; a word's vector is the mean of
what its pieces have become, over 20 occurrences that are drawn once and for all (fewer where there
are fewer). Alone: a word is a whole text, and its vector the mean of all its tokens, as for a
sentence. Only words that the board asks about are read out, which changes none of its numbers.

Which block is shown, 0 (before the first) to 6, is picked as in chapter 1, by the share of desks
told in cross-validation on the headlines to learn from; of those within a hundredth of the best the
lowest is taken. Nothing else was tried.
"""

import argparse
from collections.abc import Iterator

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy import ndarray as Array

from experiments.attention.scoreboard_row import occurrences
from experiments.lsa.scoreboard_row import MIN_COUNT, smallest_of_the_best, told_in_training
from firth.bert import minilm
from firth.lsa import counts
from firth.scoreboard import paired_bootstrap, scoreboard
from firth.store import corpora

PIECES, B, D, BLOCKS = 126, 64, minilm.MINILM.d, minilm.MINILM.blocks
TRAINED_ON = 3_300_000_000  # words of Wikipedia and of books, as its authors give them


def asked() -> set[str]:
    """The words of the pairs, and of all headlines."""
    pairs = [
        *corpora.word_pairs("wordsim353"),
        *corpora.word_pairs("simlex999"),
    ]
    train, _, test, _ = corpora.news()
    return {word for a, b, _ in pairs for word in (a, b)} | {
        word for text in [*train, *test] for word in counts.words(text)
    }


def texts(documents: list[list[str]]) -> Iterator[tuple[list[int], list[int]]]:
    """Texts as pieces, and for each piece its word's place in the whole corpus."""
    numbers, at = minilm.words().numbers, 0
    for words in documents:
        ids, places = [], []
        for word in words:
            pieces = [numbers[piece] for piece in minilm.words().pieces(word)][:PIECES]
            if len(ids) + len(pieces) > PIECES:
                yield ids, places
                ids, places = [], []
            ids, places, at = [*ids, *pieces], [*places, *[at] * len(pieces)], at + 1
        if ids:
            yield ids, places


@torch.no_grad()
def in_context(
    documents: list[list[str]], row: Int[Array, " T"], n: int
) -> Float[Array, "blocks n d"]:
    """The mean state of each word at its occurrences, before the first block and after each."""
    chosen = np.zeros(len(row), bool)
    chosen[occurrences(row)] = True
    CLS, SEP = (minilm.words().numbers[sign] for sign in ("[CLS]", "[SEP]"))
    sums, weights = np.zeros((BLOCKS + 1, n, D), np.float32), np.zeros(n, np.float32)
    cut = [text for text in texts(documents) if chosen[text[1]].any()]
    cut.sort(key=lambda text: len(text[0]))
    for start in range(0, len(cut), B):
        some = cut[start : start + B]
        longest = max(len(ids) for ids, _ in some)
        rows = [[CLS, *ids, SEP] + [0] * (longest - len(ids)) for ids, _ in some]
        mask = torch.tensor(
            [[True] * (len(ids) + 2) + [False] * (longest - len(ids)) for ids, _ in some]
        )
        X = torch.stack(minilm.model().layers(torch.tensor(rows), None, mask)).numpy()
        for i, (_, places) in enumerate(some):
            places = np.array(places)
            here = np.flatnonzero(chosen[places])
            share = 1 / np.bincount(places - places[0])[places[here] - places[0]]  # of its word
            words = row[places[here]]
            np.add.at(weights, words, share)
            for block, states in enumerate(X[:, i]):
                np.add.at(sums[block], words, share[:, None] * states[1 + here])
        if start // B % 20 == 0:
            print(f"{start / len(cut):.0%} read", flush=True)
    return sums / weights[:, None]


def row_of(method: str, settings: str, words: list[str], vectors: Float[Array, "n d"]) -> dict:
    return {
        "method": method,
        "chapter": 6,
        "block": "trained elsewhere",
        "settings": settings,
        **paired_bootstrap.kept(method, words, vectors),
        "words": TRAINED_ON,
        "seconds": 0.0,
        "machine": "its authors'",
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=1)
    torch.set_num_threads(parser.parse_args().threads)
    torch.set_float32_matmul_precision("medium")  # twice as fast where the processor can
    documents = [counts.words(article) for article in corpora.scoreboard()]
    wanted = asked()
    vocabulary = [
        word
        for word in counts.vocabulary((w for words in documents for w in words), MIN_COUNT)
        if word in wanted
    ]
    place = {word: i for i, word in enumerate(vocabulary)}
    row = np.concatenate([counts.word_ids(words, vocabulary) for words in documents])
    print(f"{len(vocabulary):,} words, {len(row):,} places", flush=True)
    H = in_context(documents, row, len(vocabulary)).astype(float)
    results = []
    for block, vectors in enumerate(H):
        results.append((told_in_training(place, vectors), D, {"block": block}))
        print(f"block {block}: {results[-1][0]:.4f} in training", flush=True)
    block = smallest_of_the_best(results)[1]["block"]
    for found in (
        row_of("MiniLM, in context", f"block {block} of {BLOCKS}, d = {D}", vocabulary, H[block]),
        row_of(
            "MiniLM, words alone",
            f"mean of tokens, d = {D}",
            vocabulary,
            minilm.vectors(vocabulary),
        ),
    ):
        print(found, flush=True)
        scoreboard.write(found)


if __name__ == "__main__":
    main()
