"""Train skip-gram with gensim and with this package, with equal settings and three seeds each.

    python -m experiments.word2vec.library

Both read the scoreboard's articles without the words that occur fewer than five times. A row has
WordSim-353 (Spearman's correlation) and the share of 2,000 headlines that are right, a number for
each seed.
"""

import argparse

from gensim.models import Word2Vec

from experiments.word2vec.training import corpus, store
from firth.scoreboard import scoreboard
from firth.word2vec.skipgram import sampled

SEEDS = (1, 2, 3)
SETTINGS = {"d": 100, "m": 5, "k": 5, "epochs": 3, "rate": 0.05}


def gensim_vectors(documents: list[list[str]], vocabulary: list[str], seed: int):
    """The word vectors that gensim trains, one row for each word of the vocabulary."""
    given = {"vector_size": SETTINGS["d"], "window": SETTINGS["m"], "negative": SETTINGS["k"]}
    given |= {"epochs": SETTINGS["epochs"], "alpha": SETTINGS["rate"]}
    model = Word2Vec(documents, sg=1, min_count=1, workers=1, seed=seed, **given)
    return model.wv[vocabulary]


def our_vectors(documents: list, n: int, seed: int):
    """The word vectors that this package trains, with the same settings."""
    given = {name: value for name, value in SETTINGS.items() if name != "rate"}
    return sampled(documents, n, first=SETTINGS["rate"], seed=seed, **given)[0]


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    vocabulary, ids = corpus()
    known = [line[line >= 0] for line in ids]
    texts = [[vocabulary[i] for i in line] for line in known]
    programs = {
        "gensim": lambda seed: gensim_vectors(texts, vocabulary, seed),
        "firth": lambda seed: our_vectors(known, len(vocabulary), seed),
    }
    rows = []
    for program, vectors in programs.items():
        found = [scoreboard.score(vocabulary, vectors(seed)) for seed in SEEDS]
        names = ("wordsim353", "news")
        rows.append({"program": program} | {n: [round(f[n], 4) for f in found] for n in names})
        print(rows[-1], flush=True)
    store("gensim", {"settings": SETTINGS, "seeds": SEEDS}, rows=rows)


if __name__ == "__main__":
    main()
