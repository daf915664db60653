"""King and queen on a shelf of eighteen novels and other books, after 1, 5 and 20 epochs.

    python -m experiments.word2vec.books

The slides trained gensim (version 1 to 3) on novels that are not free, with

    Word2Vec(sentences, size=128, window=3, min_count=5)

whose other settings are CBOW, 5 epochs, rate 0.025, 5 noise words and sub-sampling at 0.001. Here
the books are free ones. Stop words and words with fewer than five occurrences are taken out before
windows are formed, and a window stops at the end of a sentence, as in gensim.

    random    the mean cosine of pairs of words that were drawn at random
    common    the share of the mean squared length that the mean of all word vectors has
    king …    the ten nearest words, as the vectors are and after the mean vector was subtracted
"""

import argparse
import itertools
import re

import numpy as np
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from experiments.word2vec.training import store
from firth.lsa import counts
from firth.lsa.similarity import nearest, unit
from firth.store import corpora
from firth.word2vec.skipgram import sampled

DECK = {  # what the slides show
    "king": [["kings", 0.897], ["baratheon", 0.810], ["son", 0.764], ["robert", 0.709],
             ["lords", 0.699], ["joffrey", 0.696], ["prince", 0.696], ["brother", 0.685],
             ["aerys", 0.684], ["stannis", 0.683]],
    "queen": [["cersei", 0.943], ["joffrey", 0.934], ["margaery", 0.931], ["sister", 0.929],
              ["prince", 0.927], ["uncle", 0.922], ["varys", 0.918], ["ned", 0.917],
              ["melisandre", 0.915], ["robb", 0.915]],
}  # fmt: skip
SETTINGS = {"d": 128, "window": 3, "min_count": 5, "k": 5, "rate": 0.025, "sample": 1e-3}
METHODS, EPOCHS, SEEDS = ("CBOW", "skip-gram"), (1, 5, 20), (1, 2, 3)
SHOWN, DRAWN = 10, 2000
SENTENCE_END = re.compile(r"""(?<=[.!?])["')\]]*\s+|\n\s*\n""")


def sentences(book: str) -> list[list[str]]:
    """The sentences of a book, each as a list of its words without stop words.

    >>> sentences("The king rode. 'Who rode?' asked the queen.")
    [['king', 'rode'], ['rode'], ['asked', 'queen']]
    """
    found = (counts.words(part) for part in SENTENCE_END.split(book))
    kept = ([word for word in words if word not in ENGLISH_STOP_WORDS] for words in found)
    return [words for words in kept if words]


def measured(V: np.ndarray, vocabulary: list[str]) -> dict:
    """How alike random words are, and which words are nearest to king and to queen."""
    some = np.random.default_rng(0).choice(len(V), min(DRAWN, len(V)), replace=False)
    X, spaces = unit(V), {"": V, ", less the mean": V - V.mean(axis=0)}
    apart = (X[some] @ X[some].T)[np.triu_indices(len(some), k=1)]
    found = {"random": round(float(apart.mean()), 4)}
    found["common"] = round(float((V.mean(axis=0) ** 2).sum() / (V**2).sum(axis=1).mean()), 4)
    for (name, space), word in itertools.product(spaces.items(), ("king", "queen")):
        vectors = unit(space)
        x = vectors[vocabulary.index(word)]
        best = nearest(vectors, x, SHOWN + 1)[1:]
        found[word + name] = [[vocabulary[i], round(float(vectors[i] @ x), 3)] for i in best]
    return found


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    texts = [words for book in corpora.books() for words in sentences(book)]
    every = [word for words in texts for word in words]
    vocabulary = counts.vocabulary(every, SETTINGS["min_count"])
    ids = (counts.word_ids(words, vocabulary) for words in texts)
    documents = [line[line >= 0] for line in ids]
    given = {"m": SETTINGS["window"], "k": SETTINGS["k"], "sample": SETTINGS["sample"]}
    rows = []
    for seed, method, epochs in itertools.product(SEEDS, METHODS, EPOCHS):
        V, _ = sampled(
            documents, len(vocabulary), SETTINGS["d"], method, epochs=epochs, seed=seed,
            first=SETTINGS["rate"], **given,
        )  # fmt: skip
        about = {"method": method, "epochs": epochs, "seed": seed}
        rows.append(about | measured(V, vocabulary))
        print(rows[-1], flush=True)
    about = {
        "settings": SETTINGS,
        "words": len(every),
        "sentences": len(texts),
        "vocabulary": len(vocabulary),
        "occurrences": {word: every.count(word) for word in ("king", "queen")},
        "deck": DECK,
    }
    store("books", about, rows=rows)


if __name__ == "__main__":
    main()
