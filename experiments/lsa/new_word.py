"""Measure how well a table of counts places a word that it has met only a few times.

    python -m experiments.lsa.new_word

200 words of the Wikipedia articles each get a second, invented name in 1, 2, 5, 20 or 100 of their
passages. A passage is the word with five words on either side, and no two passages of the new name
come from the same article. What else of the word stands in these articles is left out, so that the
new name and the true word share no article. Then the table is made from the changed text, and the
question is: how many of the real words are nearer to the new name than the true word is?

A word's vector is the sum over its neighbours c of weight(c) · vector(c). Each weight is tried
with each kind of vector:

    weights    none; idf: the logarithm of V / the words that have met c; PPMI: one for each cell
    vectors    one-hot (then the sum is the row of the table); k random numbers; k numbers from the
               SVD of the PPMI table, scaled by a power of s, as they are or with length 1

The true words get their vectors in the same way. With the vectors of the SVD they are also
represented by their own rows of U, in which the new name is not counted. Two controls show the
limits: passages of another word under the new name, and all passages of half of the articles.

The settings that the page shows are chosen on other words than those that are measured. A draw is
kept in the cache as soon as it is done, and a run that was interrupted goes on where it stopped.
What is stored in the end holds for each method its median rank and its shares in every draw.
"""

import argparse
import json
from itertools import product
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array, diags_array

from experiments.conditions import conditions
from firth.lsa import counts, lsa
from firth.lsa.similarity import unit
from firth.store import cache, corpora
from firth.store.results import DATA

FILE = DATA / "lsa/new_word.json"
DRAWS = "lsa_new_word_draws.json"  # in the cache
SETTINGS = {
    "words": 200,
    "window": 5,
    "min_count": 5,
    "articles": [300, 4000],  # in which a word has to stand
    "letters": 4,
    "smoothing": 0.75,
}
PASSAGES = (1, 2, 5, 20, 100)
HALF = 10**6  # as many passages as half of the word's articles can lend
CHOOSING, MEASURING = (100, 101), range(10)  # seeds of the draws
WEIGHTS = ("none", "idf", "PPMI")
SIZES, POWERS = (100, 300), (0.0, 0.5)
SHOWN = ("median", "top 10", "top 100")


class Corpus:
    """The articles as one row of word numbers, with a gap of −1 between two articles."""

    def __init__(self):
        articles = [counts.words(article) for article in corpora.scoreboard()]
        every = (word for words in articles for word in words)
        self.vocabulary = counts.vocabulary(every, SETTINGS["min_count"])
        gap = np.full(SETTINGS["window"], -1, dtype=np.int32)
        ids = [counts.word_ids(words, self.vocabulary) for words in articles]
        self.text = np.concatenate([part for document in ids for part in (document, gap)])
        lengths = [len(document) + len(gap) for document in ids]
        self.article = np.repeat(np.arange(len(ids)), lengths)
        order = np.argsort(self.text, kind="stable")
        ends = np.searchsorted(self.text[order], np.arange(len(self.vocabulary) + 1))
        self.positions = np.split(order, ends)[1:-1]

    def candidates(self) -> np.ndarray:
        """The numbers of the words that stand in enough articles, shuffled."""
        low, high = SETTINGS["articles"]
        found = [
            i
            for i, (word, places) in enumerate(zip(self.vocabulary, self.positions, strict=True))
            if len(word) >= SETTINGS["letters"] and word.isalpha() and len(places) >= low
            if low <= len(np.unique(self.article[places])) <= high
        ]
        return np.random.default_rng(0).permutation(found)


def renamed(
    corpus: Corpus, words: np.ndarray, lenders: np.ndarray, n: int, rng: np.random.Generator
) -> np.ndarray:
    """The text in which the i-th new name, V + i, stands in n passages of the i-th lender.

    Articles are taken at random, at most half of the lender's, and each lends one passage. The true
    word is unknown (−1) in these articles. Usually the lender is the true word itself.
    """
    text, V = corpus.text.copy(), len(corpus.vocabulary)
    for i, (word, lender) in enumerate(zip(words, lenders, strict=True)):
        places = rng.permutation(corpus.positions[lender])
        _, first = np.unique(corpus.article[places], return_index=True)
        chosen = places[rng.permutation(first)[: min(n, len(first) // 2)]]
        own = corpus.positions[word]
        text[own[np.isin(corpus.article[own], corpus.article[chosen])]] = -1
        text[chosen] = V + i
    return text


def ranks(names: np.ndarray | csr_array, vectors: np.ndarray | csr_array, words: np.ndarray):
    """For each new name, how many of the vectors are nearer to it than the true word's."""
    cosines = of_length_1(names) @ of_length_1(vectors).T
    cosines = cosines.toarray() if isinstance(cosines, csr_array) else cosines
    return (cosines > cosines[np.arange(len(words)), words][:, None]).sum(axis=1)


def of_length_1(X: np.ndarray | csr_array) -> np.ndarray | csr_array:
    """The rows of a table, each divided by its length."""
    if not isinstance(X, csr_array):
        return unit(X)
    lengths = np.sqrt(X.multiply(X).sum(axis=1))
    return csr_array(diags_array(1 / np.maximum(lengths, 1e-12)) @ X)


def measured(text: np.ndarray, words: np.ndarray, V: int):
    """Pairs of a method, which is a dict of settings, and the ranks of the true words by it."""
    size, rng = V + len(words), np.random.default_rng(0)
    C = counts.cooccurrence(text, size, SETTINGS["window"]).astype(np.float32)
    P = counts.ppmi(C, smoothing=SETTINGS["smoothing"]).astype(np.float32)
    idf = np.log(size / np.maximum(np.diff(C.tocsc().indptr), 1)).astype(np.float32)
    tables = {"none": C, "idf": csr_array(C @ diags_array(idf)), "PPMI": P}
    U, s, Vt = lsa.svd(P, max(SIZES))
    for weight, table in tables.items():
        yield {"weight": weight, "vectors": "one-hot"}, ranks(table[V:], table[:V], words)
        for k in SIZES:
            sums = table @ unit(rng.normal(size=(size, k))).astype(np.float32)
            yield {"weight": weight, "vectors": "random", "k": k}, ranks(sums[V:], sums[:V], words)
        for k, power, length in product(SIZES, POWERS, ("as it is", "1")):
            neighbours = Vt[:k].T * s[:k] ** power
            sums = table @ (unit(neighbours) if length == "1" else neighbours).astype(np.float32)
            method = {"weight": weight, "vectors": "SVD", "k": k, "power": power, "length": length}
            yield method | {"true": "sum"}, ranks(sums[V:], sums[:V], words)
            own = U[:V, :k] * s[:k] ** power
            yield method | {"true": "own row"}, ranks(sums[V:], own, words)


def summary(found: np.ndarray) -> dict:
    """The median of some ranks, and the shares of ranks among the first 10 and the first 100."""
    shares = {f"top {m}": round(float((found < m).mean()), 3) for m in (10, 100)}
    return {"median": float(np.median(found))} | shares


def draw(corpus: Corpus, candidates: np.ndarray, n: int, seed: int, lender: str) -> list[dict]:
    """A row for each method: the ranks of 200 words of which the new names have n passages."""
    rng, V = np.random.default_rng([seed, n]), len(corpus.vocabulary)
    words = rng.choice(candidates, SETTINGS["words"], replace=False)
    lenders = words if lender == "the word" else rng.permutation(words)
    text = renamed(corpus, words, lenders, n, rng)
    about = {"n": n, "seed": seed, "passages of": lender}
    return [about | method | summary(found) for method, found in measured(text, words, V)]


def gathered(rows: list[dict]) -> list[dict]:
    """A row for each method, number of passages and kind of draw, with a list over the draws."""
    found: dict[str, dict] = {}
    for row in rows:
        same = {name: value for name, value in row.items() if name not in ("seed", *SHOWN)}
        same["words"] = "chosen on" if row["seed"] in CHOOSING else "measured on"
        lists = found.setdefault(json.dumps(same), same | {name: [] for name in SHOWN})
        for name in SHOWN:
            lists[name].append(row[name])
    return list(found.values())


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    kept = cache.folder() / DRAWS
    old = json.loads(kept.read_text()) if kept.exists() else {}
    rows = old["rows"] if old.get("settings") == SETTINGS else []
    done = {(row["n"], row["seed"], row["passages of"]) for row in rows}
    wanted = [(n, seed, "the word") for n, seed in product(PASSAGES, CHOOSING)]
    wanted += [(n, seed, "the word") for seed, n in product(MEASURING, (*PASSAGES, HALF))]
    wanted += [(5, seed, "another word") for seed in MEASURING]
    corpus = Corpus()
    others, candidates = np.split(corpus.candidates(), [SETTINGS["words"]])
    print(f"{len(candidates)} words to measure, {len(others)} others to choose settings")
    for n, seed, lender in (one for one in wanted if one not in done):
        new = draw(corpus, others if seed in CHOOSING else candidates, n, seed, lender)
        rows += new
        cache.place(written(kept.with_suffix(".part"), {"settings": SETTINGS, "rows": rows}), kept)
        best = min(row["median"] for row in new)
        print(f"{n} passages of {lender}, draw {seed}: best median rank {best:.0f}", flush=True)
    lines = ",\n".join(json.dumps(row) for row in gathered(rows))
    about = {"command": "python -m experiments.lsa.new_word", "settings": SETTINGS}
    about |= {"vocabulary": len(corpus.vocabulary), "measured words": len(candidates)}
    text = json.dumps(conditions() | about, indent=1, ensure_ascii=False)
    FILE.write_text(f'{text[:-2]},\n "rows": [\n{lines}\n]}}\n', encoding="utf-8")


def written(path: Path, value: dict) -> Path:
    """The path, after the value was written there as JSON."""
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


if __name__ == "__main__":
    main()
