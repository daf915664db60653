"""What the counts of words are used for: noise words are drawn, and frequent words are left out.

noise           P(w) = count(w)^α / Σ count^α
sub-sampling    P(w stays) = √(s/f) + s/f, at most 1        f: the word's share of the text
"""

from collections import Counter
from html import escape

import numpy as np
import traitlets as t

from firth.runtime.random_numbers import SEEDS, drawn, uniform
from firth.store import corpora
from firth.store.results import DATA
from firth.widgets.base import Widget
from firth.word2vec import word2vec

FILE = DATA / "word2vec/word_counts.txt"  # words, most frequent first; then count×how many have it
LEAST = 5  # occurrences, as on the scoreboard
SENTENCE = (  # from an article of the corpus
    "the light emanating from a star was bent by the sun's gravity when it passed close to the sun"
)
DRAWS, MOST_FREQUENT = 20, 100


class Word2vecSampler(Widget):
    """Which noise words does a power of the counts draw, and what does sub-sampling leave out?

    >>> sampler = Word2vecSampler(power=1.0)
    >>> sampler
    Word2vecSampler(exponent=-3.0, power=1.0, seed=1)
    >>> for sampler.power in (0.0, 0.75, 1.0):
    ...     print(sampler.power, round(sampler.answer()["top"], 1))  # % to the 100 most frequent
    0.0 0.3
    0.75 16.6
    1.0 42.2
    >>> sampler.exponent = -5.0
    >>> kept = zip(sampler.sentence, sampler.answer()["kept"])
    >>> print([(word, round(share)) for word, share in kept][:3])  # in percent
    [('the', 1), ('light', 25), ('emanating', 100)]
    """

    words = t.Unicode().tag(sync=True)  # most frequent first, with a blank between two
    tallies = t.List(t.List(t.Int())).tag(sync=True)  # a count, and how many words have it
    sentence = t.List(t.Unicode()).tag(sync=True)
    power = t.Float(0.75, min=0, max=1).tag(sync=True, choice=True)
    exponent = t.Float(-3, min=-6, max=-1).tag(sync=True, choice=True)
    seed = t.Int(1, min=1, max=SEEDS).tag(sync=True, choice=True)

    def __init__(self, counted: dict[str, int] | None = None, sentence=SENTENCE, **choices):
        if counted is not None:
            if len(counted) < 2 or min(counted.values()) < 1:
                raise ValueError("Take two words or more, each with a count of 1 or more.")
            if any(len(word.split()) != 1 for word in counted):
                raise ValueError("A word has no blank in it, and is not empty.")
        text = FILE.read_text(encoding="utf-8") if counted is None else counts_as_text(counted)
        words, tallies = text.splitlines()
        sentence = sentence.split()
        if unknown := {*sentence} - {*words.split(" ")}:
            raise ValueError(f"The sentence has words without a count: {', '.join(unknown)}.")
        tallies = [[int(number) for number in pair.split("×")] for pair in tallies.split()]
        super().__init__(words=words, tallies=tallies, sentence=sentence, **choices)

    def counts(self) -> np.ndarray:
        return np.repeat(*np.array(self.tallies).T)

    def answer(self) -> dict:
        counts, words = self.counts(), self.words.split(" ")
        rank = {word: i for i, word in enumerate(words)}
        text, noise = counts / counts.sum(), word2vec.noise(counts, self.power)
        sample = 10**self.exponent
        stays = word2vec.keep_probability(counts, sample)
        u, cumulative = uniform(self.seed), np.cumsum(noise)
        places = [drawn(cumulative, u()) for _ in range(DRAWS)]
        kept = stays[[rank[word] for word in self.sentence]]
        return {
            "drawn": [words[place] for place in places],
            "ranks": [place + 1 for place in places],
            "top": float(100 * noise[:MOST_FREQUENT].sum()),
            "top_in_text": float(100 * text[:MOST_FREQUENT].sum()),
            "kept": (100 * kept).tolist(),
            "stays": [u() < chance for chance in kept.tolist()],
            "sample": float(sample),
            "left": float(100 * text @ stays),
        }

    def fallback(self) -> str:
        shown = self.answer()
        pairs = zip(self.sentence, shown["kept"], strict=True)
        chances = ", ".join(f"{escape(word)} {share:.0f} %" for word, share in pairs)
        noise = ", ".join(map(escape, shown["drawn"]))
        return (
            f"<p>Sub-sampling with s = {shown['sample']:.2g} keeps {shown['left']:.1f} % of the "
            f"text. Each word of a sentence stays with this probability: {chances}.</p>\n"
            f"<p>Noise words drawn with the power {self.power}: {noise}.</p>"
        )


def corpus_counts() -> str:
    """The text of the stored file of counts: words with five occurrences or more in the corpus."""
    counted = Counter(word for article in corpora.scoreboard() for word in article.split())
    return counts_as_text({word: count for word, count in counted.items() if count >= LEAST})


def counts_as_text(counted: dict[str, int]) -> str:
    """The counts as two lines of text: the words in order, and each count with its number of words.

    >>> counts_as_text({"ship": 5, "the": 20, "sea": 5})
    'the sea ship\\n20×1 5×2\\n'
    """
    words = sorted(counted, key=lambda word: (-counted[word], word))
    tallies = Counter(counted[word] for word in words)
    return f"{' '.join(words)}\n{' '.join(f'{count}×{n}' for count, n in tallies.items())}\n"
