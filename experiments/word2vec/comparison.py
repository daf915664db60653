"""Measure chapter 2's experiments on the scoreboard's corpus, and store them for the page.

    python -m experiments.word2vec.comparison bridge  counting against predicting, all on one corpus
    python -m experiments.word2vec.comparison knobs   skip-gram with one setting changed at a time
    python -m experiments.word2vec.comparison pmi     VUᵀ of trained skip-gram against PMI − log k
    python -m experiments.word2vec.comparison books   a small corpus, few epochs: are words alike?

Each writes its part of firth/data/word2vec/comparison.json and leaves the others; the first two
store every repeat as it comes, and go on where they were stopped. Scores are asked of the test
pairs themselves: these are experiments to look at, and no setting is picked by them.
"""

import argparse
import json
import re
import time
from collections.abc import Callable
from functools import cache

import numpy as np
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

from benchmarks.bench_word2vec_training import gensims
from experiments.lsa.scoreboard_row import machine
from firth.lsa import counts, lsa
from firth.lsa.similarity import nearest, unit
from firth.scoreboard import paired_bootstrap, scoreboard
from firth.store import corpora
from firth.store.results import DATA, stored_result
from firth.word2vec.skipgram import expected, sampled
from firth.word2vec.word2vec import noise

FILE = DATA / "word2vec/comparison.json"
DECK = {  # what the slides show, of a corpus of novels that are not free
    "king": [["kings", 0.897], ["baratheon", 0.810], ["son", 0.764], ["robert", 0.709],
             ["lords", 0.699], ["joffrey", 0.696], ["prince", 0.696], ["brother", 0.685],
             ["aerys", 0.684], ["stannis", 0.683]],
    "queen": [["cersei", 0.943], ["joffrey", 0.934], ["margaery", 0.931], ["sister", 0.929],
              ["prince", 0.927], ["uncle", 0.922], ["varys", 0.918], ["ned", 0.917],
              ["melisandre", 0.915], ["robb", 0.915]],
}  # fmt: skip
MIN_COUNT, D, M, K, EPOCHS, SEEDS = 5, 100, 5, 5, 5, (1, 2, 3)


@cache
def text() -> tuple[list[str], list]:
    """The vocabulary and the documents of the scoreboard's corpus."""
    articles = [counts.words(article) for article in corpora.scoreboard()]
    vocabulary = counts.vocabulary((word for words in articles for word in words), MIN_COUNT)
    return vocabulary, [counts.word_ids(words, vocabulary) for words in articles]


def frequencies() -> np.ndarray:
    vocabulary, documents = text()
    known = np.concatenate([ids[ids >= 0] for ids in documents])
    return np.bincount(known, minlength=len(vocabulary))


def stored() -> dict:
    return stored_result("word2vec/comparison", {})


def store(part: str, value: dict) -> None:
    """Put one part of the file in place of what stood there."""
    whole = json.dumps(dict(sorted((stored() | {part: value}).items())), ensure_ascii=False)
    FILE.write_text(re.sub(r'(?<=[}\]]), (?=\{|"\w+": \{)', ",\n ", whole) + "\n", encoding="utf-8")


def repeated(part: str, about: dict, turns: list[tuple[str, Callable]]) -> None:
    """Measure what is still missing of a part, in the order of `turns`, and store each at once.

    The answers are stored too, so that the page can compare two methods pair by pair.
    """
    rows = stored().get(part, {}).get("rows", {})
    missing = {name: len(found) for name, found in rows.items()}
    for name, program in turns:
        if missing.get(name, 0):
            missing[name] -= 1
            continue
        start = time.process_time()
        vectors = program()
        seconds = round(time.process_time() - start, 1)
        answers = scoreboard.answers(text()[0], vectors)
        found = scoreboard.summary(answers) | {"seconds": seconds}
        print(name, found, flush=True)
        rows.setdefault(name, []).append(found | {"answers": paired_bootstrap.written(answers)})
        store(part, about | {"machine": machine(), "rows": rows})


def counted(shift: float, smoothing: float = 0.75) -> np.ndarray:
    """Shifted PPMI and its singular vectors, each times the root of its singular value."""
    vocabulary, documents = text()
    table = counts.cooccurrence(documents, len(vocabulary), M)
    U, s, _ = lsa.svd(counts.ppmi(table, shift=shift, smoothing=smoothing), D)
    return U * np.sqrt(s)


def gensim(seed: int) -> np.ndarray:
    vocabulary, documents = text()
    known = [[vocabulary[i] for i in ids if i >= 0] for ids in documents]
    frequency = dict(zip(vocabulary, frequencies().tolist(), strict=True))
    return gensims(known, frequency, 1, EPOCHS, seed)


def bridge() -> None:
    """Counting and predicting: by turns, a seed for each turn where there is anything to draw."""
    vocabulary, documents = text()
    given = (documents, len(vocabulary), D)
    turns = [
        ("PPMI + SVD, shift 1", lambda: counted(1.0)),
        ("PPMI + SVD, shift 5", lambda: counted(5.0)),
    ]
    for s in SEEDS:
        turns += [
            ("CBOW", lambda s=s: sampled(*given, "CBOW", epochs=EPOCHS, seed=s)[0]),
            ("skip-gram", lambda s=s: sampled(*given, epochs=EPOCHS, seed=s)[0]),
            ("skip-gram in expectation", lambda s=s: expected(*given, epochs=EPOCHS, seed=s)[0]),
            ("gensim skip-gram", lambda s=s: gensim(s)),
        ]
    settings = {"d": D, "window": M, "k": K, "epochs": EPOCHS, "min_count": MIN_COUNT}
    repeated("bridge", settings | {"words": int(frequencies().sum()), "seeds": SEEDS}, turns)


def knobs() -> None:
    """Skip-gram as it is, and with one setting changed at a time; one seed."""
    vocabulary, documents = text()
    changes = {
        "as it is": {},
        "power 0": {"power": 0.0},
        "power 1": {"power": 1.0},
        "no sub-sampling": {"sample": 0.0},
        "window 2": {"m": 2},
        "window 10": {"m": 10},
        "k = 1": {"k": 1},
        "k = 15": {"k": 15},
    }
    given = {"documents": documents, "n": len(vocabulary), "d": D, "epochs": 3, "seed": 1}
    turns = [
        (name, lambda change=change: sampled(**given, **change)[0])
        for name, change in changes.items()
    ]
    usual = {"d": D, "window": M, "k": K, "power": 0.75, "sample": 1e-3, "epochs": 3, "seed": 1}
    repeated("knobs", usual, turns)


def pmi(least: int = 50, shown: int = 400) -> None:
    """VUᵀ against log X/E, for pairs that met often: all of them by correlation, some to draw.

    The text that is counted is the one that is trained on: nothing is left out (sample = 0), and
    a neighbour at distance δ counts (m + 1 − δ) / m, as windows of 1 to m places make it.
    """
    vocabulary, documents = text()
    n, frequency = len(vocabulary), frequencies()
    within = [counts.cooccurrence(documents, n, m) for m in range(1, M + 1)]
    X = (sum(within) / M).tocoo()  # at distance δ it is in the tables of δ, δ + 1, … m
    often = X.data >= least
    w, c, x = X.row[often], X.col[often], X.data[often]
    row_sums = X.sum(axis=1)
    target = np.log(x / (row_sums[w] * noise(frequency)[c])) - np.log(K)
    some = np.sort(np.random.default_rng(0).choice(len(x), shown, replace=False))
    found = {"pairs": len(x), "least": least, "k": K, "epochs": EPOCHS}
    for name, trainer, d in (("sampled", sampled, D), ("expected", expected, D)):
        V, U = trainer(documents, n, d, m=M, k=K, epochs=EPOCHS, sample=0.0, seed=1)
        score = (V[w] * U[c]).sum(axis=1)
        found[name] = {
            "d": d,
            "correlation": round(float(np.corrcoef(score, target)[0, 1]), 4),
            "mean difference": round(float((score - target).mean()), 4),
            "spread of the difference": round(float((score - target).std()), 4),
            "scores": score[some].astype(float).round(3).tolist(),
        }
        print(name, list(found[name].items())[:4], flush=True)
    met = [[vocabulary[w[i]], vocabulary[c[i]], round(float(target[i]), 3)] for i in some]
    store("pmi", found | {"sample": met, "machine": machine()})


def books(shown: int = 10, drawn: int = 2000) -> None:
    """King and queen among eighteen books, and how near words are that were drawn by chance.

    Stop words out, 128 numbers, window 3, five occurrences or more: as the slides have it, whose
    corpus was another. `random` is the mean cosine of pairs among words drawn evenly; `common` is
    the share of the mean squared length that the mean vector has, which all words share.
    """
    texts = [[w for w in counts.words(b) if w not in ENGLISH_STOP_WORDS] for b in corpora.books()]
    vocabulary = counts.vocabulary((word for words in texts for word in words), MIN_COUNT)
    documents, n = [counts.word_ids(words, vocabulary) for words in texts], len(vocabulary)
    rows, rng = [], np.random.default_rng(0)
    some = rng.choice(n, min(drawn, n), replace=False)
    for method in ("CBOW", "skip-gram"):
        for epochs in (1, 5, 20):
            V, _ = sampled(documents, n, 128, method, m=3, epochs=epochs, seed=1)
            X = unit(V)
            row = {"method": method, "epochs": epochs}
            table = X[some] @ X[some].T
            apart = table[np.triu_indices(len(some), k=1)]
            row["random"] = round(float(apart.mean()), 4)
            row["random, tenth largest of a hundred"] = round(float(np.quantile(apart, 0.9)), 4)
            row["common"] = round(float((V.mean(axis=0) ** 2).sum() / (V**2).sum(axis=1).mean()), 4)
            for name, vectors in (("", X), (", less the mean", unit(V - V.mean(axis=0)))):
                for word in ("king", "queen"):
                    x = vectors[vocabulary.index(word)]
                    best = nearest(vectors, x, shown + 1)[1:]
                    row[word + name] = [
                        [vocabulary[i], round(float(vectors[i] @ x), 3)] for i in best
                    ]
            rows.append(row)
            print(row, flush=True)
    times = {word: sum(words.count(word) for words in texts) for word in ("king", "queen")}
    settings = {"d": 128, "window": 3, "min_count": MIN_COUNT, "k": 5, "vocabulary": n}
    size = sum(map(len, texts))
    store(
        "books", {"settings": settings, "words": size, "times": times, "deck": DECK, "rows": rows}
    )


PARTS = {"bridge": bridge, "knobs": knobs, "pmi": pmi, "books": books}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", choices=PARTS)
    PARTS[parser.parse_args().part]()


if __name__ == "__main__":
    main()
