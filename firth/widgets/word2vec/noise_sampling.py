"""Chance as word2vec uses it: which words are drawn as noise, and which of the text are kept."""

from collections import Counter

import numpy as np
import traitlets as t

from firth.display import table
from firth.runtime.random_numbers import SEEDS, drawn, uniform
from firth.store import corpora
from firth.store.results import DATA
from firth.widgets.base import Widget
from firth.word2vec import word2vec

FILE = DATA / "word2vec/word_counts.txt"  # words, most frequent first; then count×how many have it
LEAST = 5  # occurrences, as on the scoreboard
SHOWN = (1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000)  # ranks
DRAWS, MOST_FREQUENT, PARTS, MILLION = 20, 100, 10, 1e6


class Word2vecSampler(Widget):
    """Which words does the power of the counts draw as noise, and which does sub-sampling spare?

    >>> sampler = Word2vecSampler(power=1.0)
    >>> sampler
    Word2vecSampler(exponent=-3.0, power=1.0, seed=1)
    >>> for sampler.power in (0.0, 0.75, 1.0):
    ...     print(sampler.power, round(sampler.answer()["top"], 1))  # % to the 100 most frequent
    0.0 0.3
    0.75 16.6
    1.0 42.2
    """

    words = t.Unicode().tag(sync=True)  # most frequent first, with a blank between two
    tallies = t.List(t.List(t.Int())).tag(sync=True)  # a count, and how many words have it
    shown = t.List(t.Int()).tag(sync=True)  # ranks of the words in the table
    power = t.Float(0.75, min=0, max=1).tag(sync=True, choice=True)
    exponent = t.Float(-3, min=-6, max=-1).tag(sync=True, choice=True)
    seed = t.Int(1, min=1, max=SEEDS).tag(sync=True, choice=True)

    def __init__(self, counted: dict[str, int] | None = None, shown=SHOWN, **choices):
        if counted is not None:
            if len(counted) < PARTS or min(counted.values()) < 1:
                raise ValueError(f"Take {PARTS} words or more, each with a count of 1 or more.")
            if any(len(word.split()) != 1 for word in counted):
                raise ValueError("A word has no blank in it, and is not empty.")
        text = FILE.read_text(encoding="utf-8") if counted is None else written(counted)
        words, tallies = text.splitlines()
        n = words.count(" ") + 1
        if wrong := [rank for rank in shown if not 1 <= rank <= n]:
            raise ValueError(f"There are {n} words: {wrong} is no rank among them.")
        tallies = [[int(number) for number in pair.split("×")] for pair in tallies.split()]
        super().__init__(words=words, tallies=tallies, shown=list(shown), **choices)

    def counts(self) -> np.ndarray:
        return np.repeat(*np.array(self.tallies).T)

    def answer(self) -> dict:
        counts, rows = self.counts(), np.array(self.shown, dtype=int) - 1
        words, text = self.words.split(" "), counts / counts.sum()
        noise = word2vec.noise(counts, self.power)
        sample = 10**self.exponent
        kept = word2vec.kept(counts, sample)
        u, cumulative = uniform(self.seed), np.cumsum(noise)
        places = [drawn(cumulative, u()) for _ in range(DRAWS)]
        tenths = np.arange(PARTS) * len(words) // PARTS
        return {
            "drawn": [words[place] for place in places],
            "ranks": [place + 1 for place in places],
            "in_text": (MILLION * text[rows]).tolist(),
            "as_noise": (MILLION * noise[rows]).tolist(),
            "kept": (100 * kept[rows]).tolist(),
            "top": float(100 * noise[:MOST_FREQUENT].sum()),
            "top_in_text": float(100 * text[:MOST_FREQUENT].sum()),
            "tenths": (100 * np.add.reduceat(noise, tenths)).tolist(),
            "sample": float(sample),
            "left": float(100 * text @ kept),
        }

    def fallback(self) -> str:
        shown, words = self.answer(), self.words.split(" ")
        columns = [shown[name] for name in ("in_text", "as_noise", "kept")]
        names = [words[rank - 1] for rank in self.shown]
        rows = [list(row) for row in zip(names, self.shown, *columns, strict=True)]
        header = ["word", "rank", "in a million of the text", "in a million drawn", "% kept"]
        caption = f"Noise with the power {self.power}, sub-sampling with s = {shown['sample']:.2g}"
        return table(rows, header, caption)._repr_html_()


def shipped() -> str:
    """What FILE holds: the words of the scoreboard's corpus that occur five times or more."""
    counted = Counter(word for article in corpora.scoreboard() for word in article.split())
    return written({word: count for word, count in counted.items() if count >= LEAST})


def written(counted: dict[str, int]) -> str:
    """Counts as two lines: the words in order, and each count with how many words have it.

    >>> written({"ship": 5, "the": 20, "sea": 5})
    'the sea ship\\n20×1 5×2\\n'
    """
    words = sorted(counted, key=lambda word: (-counted[word], word))
    tallies = Counter(counted[word] for word in words)
    return f"{' '.join(words)}\n{' '.join(f'{count}×{n}' for count, n in tallies.items())}\n"
