"""What the model that fills blanks is trained on, and the batches in which it reads it.

Articles of enwik8 as they are read, the passages of SQuAD, headlines of HuffPost. One article in
fifty is held out, chosen by the SHA-256 of its title; it is dropped where SQuAD has passages of it.
"""

import json
from collections.abc import Iterator
from hashlib import sha256

import numpy as np

from firth.store import downloads, wikipedia

CLS, SEP, MASK, SPECIAL = 101, 102, 103, 999  # below 999 stand special and unused tokens
TOKENS = 4096  # of a batch
KINDS = (128, 64, 0), (0.5, 0.25, 0.25)  # lengths of batches, 0: single sentences; their shares
HELD = 50  # one article in so many


def held(title: str) -> bool:
    """Whether an article is kept away from training."""
    return int(sha256(title.encode()).hexdigest(), 16) % HELD == 0


def passages() -> dict[str, list[str]]:
    """The passages of SQuAD by the article that they come from."""
    files = (downloads.fetch(f"squad_{part}").read_text("utf-8") for part in ("train", "dev"))
    articles = [article for file in files for article in json.loads(file)["data"]]
    return {a["title"].replace("_", " "): [p["context"] for p in a["paragraphs"]] for a in articles}


def texts() -> Iterator[tuple[str, bool]]:
    """Each text with whether it is held out."""
    squad = passages()
    for title, source in wikipedia.pages(downloads.fetch("enwik8")):
        paragraphs = wikipedia.prose(source)
        if paragraphs and not (held(title) and title in squad):
            yield " ".join(paragraphs), held(title)
    for paragraphs in squad.values():
        yield " ".join(paragraphs), False
    with downloads.fetch("news").open(encoding="utf-8") as rows:
        for row in map(json.loads, rows):
            yield f"{row['headline']}. {row['short_description']}", False


class Texts:
    """Batches of ids from a stream of tokens: windows of a length, or sentences of one length."""

    def __init__(self, stream: np.ndarray, ends: list[int]):
        self.stream = stream
        stops = np.flatnonzero(np.isin(stream, [*ends, SEP])) + 1
        starts, lengths = stops[:-1], np.diff(stops)
        good = (lengths >= 6) & (lengths <= 40) & (stream[stops[1:] - 1] != SEP)
        self.sentences = {n: starts[good & (lengths == n)] for n in range(6, 41)}
        sizes = np.array([len(s) * n for n, s in self.sentences.items()])
        self.shares = sizes / max(1, sizes.sum())

    def batch(self, rng: np.random.Generator) -> np.ndarray:
        n = rng.choice(KINDS[0], p=KINDS[1])
        if n:
            starts, n = rng.integers(0, len(self.stream) - n, TOKENS // n), n - 2
        else:
            n = rng.choice([*self.sentences], p=self.shares)
            starts = rng.choice(self.sentences[n], TOKENS // (n + 2))
        return self.rows(starts, n)

    def rows(self, starts: np.ndarray, n: int) -> np.ndarray:
        ids = np.empty((len(starts), n + 2), dtype=np.int64)
        ids[:, 0], ids[:, -1] = CLS, SEP
        ids[:, 1:-1] = self.stream[starts[:, None] + np.arange(n)]
        return ids
