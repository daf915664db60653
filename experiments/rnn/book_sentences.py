"""Sentences from books for the probe of the first word: their words as ids, in four parts.

`material` gives the sentences for training, validation and test, and those of the probe, which
begin with one of eight words, equally often. `bigram_perplexity` is the baseline of the networks.
"""

import re
from collections import Counter, defaultdict

import numpy as np

from firth.store import corpora

FIRST = ("i", "the", "and", "but", "he", "it", "you", "she")
SETTINGS = {
    "words": 2000,
    "units": 128,
    "batch": 64,
    "epochs": 3,
    "clip": 1.0,
    "positions": 20,
    "each": 320,
}
END, UNKNOWN = 0, 1  # ids: the end also stands before the first word


def sentences() -> list[list[str]]:
    """Sentences of 5 to 40 words and punctuation marks from the books, in lower case, each once."""
    found = {}
    for book in corpora.books():
        if "\n1:1 " in book[:5000] or "1:2" in book[:5000]:
            continue
        for paragraph in re.split(r"\n\s*\n", book):
            text = " ".join(paragraph.split())
            for one in re.split(r"(?<=[.!?])[\"')\]]*\s+(?=[A-Z\"'(])", text):
                words = re.findall(r"[a-z]+(?:'[a-z]+)?|[.,;:!?]", one.lower())
                if 5 <= len(words) <= 40 and words[0].isalpha():
                    found[tuple(words)] = None
    return [list(words) for words in found]


def material(s: dict = SETTINGS) -> dict:
    """Ids of the sentences for training, validation, test and probe, and the probe's labels."""
    random, everything = np.random.default_rng(0), sentences()
    everything = [everything[i] for i in random.permutation(len(everything))]
    of_class, rest = defaultdict(list), []
    for words in everything:
        taken = of_class[words[0]] if words[0] in FIRST and len(words) > s["positions"] else rest
        (taken if taken is rest or len(taken) < s["each"] else rest).append(words)
    probe = [(words, k) for k, first in enumerate(FIRST) for words in of_class[first]]
    probe = [probe[i] for i in random.permutation(len(probe))]
    common = Counter(word for words in rest for word in words).most_common(s["words"])
    place = {word: i + 2 for i, (word, _) in enumerate(common)}
    ids = lambda words: [place.get(word, UNKNOWN) for word in words]  # noqa: E731
    parts = [ids(words) for words in rest]
    return {
        "validation": parts[:1500], "test": parts[1500:3000], "training": parts[3000:],
        "probe": [ids(words) for words, _ in probe], "labels": np.array([k for _, k in probe]),
        "n": len(place) + 2,
    }  # fmt: skip


def bigram_perplexity(data: dict) -> float:
    """The perplexity of counted bigrams on the test sentences, mixed with single words.

    p = λ(u) · count(u, w) / count(u) + (1 − λ(u)) p(w), where λ(u) = count(u) / (count(u) + k n(u))
    and n(u) is the number of types after u: Witten and Bell's weights with a factor k that is
    chosen on the validation sentences.
    """
    pairs, singles, after = Counter(), Counter(), defaultdict(set)
    for words in data["training"]:
        for u, w in zip([END, *words], [*words, END], strict=True):
            pairs[u, w] += 1
            singles[w] += 1
            after[u].add(w)
    seen = Counter()
    for (u, _), count in pairs.items():
        seen[u] += count
    total = sum(singles.values())

    def measured(parts: list[list[int]], k: float) -> float:
        losses = []
        for words in parts:
            for u, w in zip([END, *words], [*words, END], strict=True):
                share = seen[u] / (seen[u] + k * len(after[u])) if seen[u] else 0.0
                p = share * pairs[u, w] / max(seen[u], 1) + (1 - share) * singles[w] / total
                losses.append(-np.log(p))
        return float(np.exp(np.mean(losses)))

    k = min((0.25, 0.5, 1.0, 2.0, 4.0), key=lambda k: measured(data["validation"], k))
    return round(measured(data["test"], k), 2)
