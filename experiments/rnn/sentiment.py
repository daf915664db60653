"""Good or bad film? Recurrent networks beside what counts words only; store every run.

    python -m experiments.rnn.sentiment

Of the 7,500 sentences to learn from, 1,000 are held out to stop by and to choose by; the 1,000 of
the test are asked once a run. Learned from all the 6,500 others: each network of chapter 3 three
times. Learned from the first 500, 1,000, 2,000 and 4,000 of them: two networks, and all baselines,
for the question whether it is the method or the number of sentences. The vocabulary is what occurs
twice in the sentences learned from. Baselines are logistic regressions, their C chosen on the 1,000
held out; and one network that knows no order: the mean of a sentence's vectors, which are tuned.
Of what learned from all, each answer is kept: `right` has a 1 for each sentence of the test that
was judged rightly, and else a 0, so that two methods can be compared sentence by sentence. Seconds
are of CPU time on one thread. A run that is stored is not repeated.
"""

import argparse
import json
import time
from hashlib import sha256

import numpy as np
import torch
from scipy.sparse import csr_array
from sklearn.linear_model import LogisticRegression

from experiments.conditions import conditions
from firth.lsa import counts, lsa
from firth.rnn.sentiment import (
    RESERVED,
    Classifier,
    accuracy,
    batch,
    encode,
    glove_vectors,
    train,
    vocabulary,
)
from firth.scoreboard.scoreboard import text_vectors
from firth.store import corpora, pretrained_vectors
from firth.store.results import DATA, stored_result

FILE = DATA / "rnn/sentiment.json"
SEEDS, HELD = (0, 1, 2), 1000
SIZES, LARGEST = (500, 1000, 2000, 4000), 6500
UNORDERED = "mean of GloVe, tuned"
NETWORKS = {  # name: what of `Classifier`, which vectors
    UNORDERED: ({"dropout": 0.4}, "GloVe"),
    "LSTM": ({}, "learned"),
    "LSTM, both directions": ({"directions": 2}, "learned"),
    "LSTM, two layers": ({"layers": 2}, "learned"),
    "LSTM, dropout": ({"dropout": 0.4}, "learned"),
    "LSTM, recurrent dropout too": ({"dropout": 0.4, "recurrent": 0.3}, "learned"),
    "LSTM, dropout, GloVe kept": ({"dropout": 0.4, "frozen": True}, "GloVe"),
    "LSTM, dropout, GloVe tuned": ({"dropout": 0.4}, "GloVe"),
    "both directions, dropout, GloVe tuned": ({"dropout": 0.4, "directions": 2}, "GloVe"),
}
CURVES = ("LSTM, dropout", "LSTM, dropout, GloVe tuned")
SETTINGS = {"epochs": 8, "rate": 3e-3, "size": 64, "patience": 2}
DIMENSIONS, PENALTIES = (50, 100, 200, 300), (0.01, 0.1, 1.0, 10.0)


def material(size: int | None = None) -> dict[str, tuple[list[str], list[int]]]:
    """Texts and labels: to learn from (the first `size`), to choose by, to be scored on."""
    texts, labels, test, test_labels = corpora.reviews()
    order = np.random.default_rng(0).permutation(len(texts))
    chosen, learned = order[:HELD], order[HELD:][:size]
    return {
        "learned": ([texts[i] for i in learned], [labels[i] for i in learned]),
        "choice": ([texts[i] for i in chosen], [labels[i] for i in chosen]),
        "test": (test, test_labels),
    }


class Unordered(torch.nn.Module):
    """The mean of a sentence's vectors, and one score: what tuning is worth without any order."""

    def __init__(self, n: int, dropout: float, vectors: torch.Tensor):
        super().__init__()
        self.E = torch.nn.Embedding(n + RESERVED, vectors.shape[1], padding_idx=0)
        self.E.weight.data[RESERVED:] = vectors
        self.drop, self.out = torch.nn.Dropout(dropout), torch.nn.Linear(vectors.shape[1], 1)

    def forward(self, ids: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        mean = self.drop(self.E(ids)).sum(dim=0) / lengths[:, None]  # padding is a row of zeros
        return self.out(self.drop(mean)).squeeze(-1)


def built(name: str, known: list[str], seed: int) -> torch.nn.Module:
    """A network before it has learned."""
    options, vectors = NETWORKS[name]
    if vectors == "GloVe":
        options = options | {"vectors": glove_vectors(known, seed)}
    return (Unordered if name == UNORDERED else Classifier)(len(known), **options)


def judged(net: torch.nn.Module, texts: list[torch.Tensor], labels: list[int]) -> np.ndarray:
    """Of each text, whether its score has the right sign."""
    net.eval()
    ids, lengths, y = batch(texts, labels, range(len(texts)))
    with torch.no_grad():
        return ((net(ids, lengths) > 0) == (y > 0)).numpy()


def marks(right: np.ndarray) -> str:
    """A 1 for each right answer, a 0 for each wrong one.

    >>> marks(np.array([True, False]))
    '10'
    """
    return "".join("01"[int(one)] for one in right)


def network(name: str, size: int | None, seed: int, **other) -> dict:
    """One network, once."""
    parts = material(size)
    known = vocabulary(parts["learned"][0])
    learned, choice, test = ((encode(texts, known), y) for texts, y in parts.values())
    torch.manual_seed(seed)
    net = built(name, known, seed)
    begin = time.process_time()
    longer = max(1, round(LARGEST / len(learned[0])))  # fewer sentences: as many steps, not fewer
    turns = {name: SETTINGS[name] * longer for name in ("epochs", "patience")}
    held_out = train(net, *learned, choice, **(SETTINGS | turns | other))
    right = judged(net, *test)
    return {
        "choice": max(held_out),
        "test": round(float(right.mean()), 4),
        "right": marks(right),
        "learned": round(accuracy(net, *learned), 4),
        "parameters": sum(w.numel() for w in net.parameters() if w.requires_grad),
        "seconds": round(time.process_time() - begin, 1),
        "epochs": held_out,
    }


def tables(parts: dict, known: list[str]) -> dict[str, csr_array]:
    """Words by texts: how often. The transposed table of each part."""
    return {
        name: counts.term_document(
            [counts.word_ids(counts.words(text), known) for text in texts], len(known)
        )
        for name, (texts, _) in parts.items()
    }


def features(parts: dict) -> dict[str, dict]:
    """What baselines see of a text: words, tf-idf, LSA coordinates, its mean GloVe vector."""
    known = vocabulary(parts["learned"][0])
    X = tables(parts, known)
    rare = np.log(X["learned"].shape[1] / np.maximum(np.diff(X["learned"].indptr), 1))
    weighted = {name: table.multiply(rare[:, None]).tocsc() for name, table in X.items()}
    assert abs(weighted["learned"] - counts.tf_idf(X["learned"])).max() < 1e-9
    widest = min(max(DIMENSIONS), X["learned"].shape[1] // 2)
    U, _, _ = lsa.svd(counts.tf_idf(X["learned"]), widest)
    words, vectors = pretrained_vectors.glove()
    place = {word: i for i, word in enumerate(words)}
    return {
        "bag of words": {name: table.minimum(1).T.tocsr() for name, table in X.items()},
        "tf-idf": {name: table.T.tocsr() for name, table in weighted.items()},
        **{
            f"LSA, k = {k}": {name: table.T @ U[:, :k] for name, table in weighted.items()}
            for k in DIMENSIONS
            if k <= widest
        },
        "mean of GloVe": {
            name: text_vectors(texts, place, vectors) for name, (texts, _) in parts.items()
        },
    }


def baselines(size: int | None) -> list[dict]:
    """A row for each kind of features, at the penalty that did best on the held-out sentences."""
    parts = material(size)
    labels = {name: y for name, (_, y) in parts.items()}
    rows = []
    for name, X in features(parts).items():
        begin, best = time.process_time(), None
        for C in PENALTIES:
            model = LogisticRegression(C=C, max_iter=3000).fit(X["learned"], labels["learned"])
            told = model.score(X["choice"], labels["choice"])
            if best is None or told > best["choice"]:
                scores = {part: round(model.score(X[part], labels[part]), 4) for part in X}
                right = marks(model.predict(X["test"]) == np.array(labels["test"]))
                best = scores | {"right": right, "C": C, "parameters": model.coef_.size + 1}
        seconds = round(time.process_time() - begin, 1)
        rows.append({"what": name, "seed": 0} | best | {"seconds": seconds})
    return rows


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    torch.set_num_threads(1)
    inputs = sha256(json.dumps(corpora.reviews()).encode()).hexdigest()
    stored = {
        "command": "python -m experiments.rnn.sentiment",
        "settings": SETTINGS,
        "inputs": inputs,
    }
    old = stored_result("rnn/sentiment", {})
    everything = len(material()["learned"][0])
    rows = old["rows"] if all(old.get(name) == value for name, value in stored.items()) else []
    rows = [row for row in rows if row["size"] < everything or "right" in row]

    def keep(*fresh: dict) -> None:
        for row in fresh:
            if row["size"] < everything:
                del row["right"]
        rows.extend(fresh)
        text = json.dumps(conditions() | stored | {"rows": rows}, indent=1, ensure_ascii=False)
        FILE.write_text(text + "\n", encoding="utf-8")
        for row in fresh:
            print({k: row[k] for k in row if k not in ("epochs", "right")}, flush=True)

    done = {(row["what"], row["size"], row["seed"]) for row in rows}
    for size in (*SIZES, everything):
        if ("bag of words", size, 0) not in done:
            keep(*({"size": size} | row for row in baselines(size)))
    for seed in SEEDS:
        for size in (everything, *SIZES):
            for name in NETWORKS if size == everything else CURVES:
                if (name, size, seed) not in done:
                    row = {"what": name, "size": size, "seed": seed}
                    keep(row | network(name, size, seed))


if __name__ == "__main__":
    main()
