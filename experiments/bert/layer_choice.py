"""Which layer knows a name when it sees one? The slide's six choices on CoNLL-2003; store all.

    python -m experiments.bert.layer_choice

A word's vector is that of its first piece, chosen out of MiniLM's seven layers in the six ways of
the slide; a linear probe tells its tag. Learned from: 1,500 sentences of CoNLL-2003, three times,
no sentence twice. C is chosen on 500 further ones, for each way. Scored on: the 3,250 sentences of
the slide's figures, whole names of the right kind. Beside it, without a network: the tag that the
word had most often. Intervals are from drawing the sentences scored on again, 2,000 times.
"""

import argparse
import json
import time
from collections import Counter, defaultdict
from hashlib import sha256

import numpy as np
import torch

from experiments.conditions import conditions
from firth.bert import downstream_tasks, linear_probe, minilm
from firth.store.results import DATA

FILE = DATA / "bert/layer_choice.json"
DRAWS, SIZE, FURTHER = 3, 1500, 500
PENALTIES = (0.001, 0.01, 0.1)
Sentence = tuple[tuple[str, ...], tuple[str, ...]]


def states(sentences: list[Sentence]) -> np.ndarray:
    """Each word's first piece, before the first block and after each: 7 × words × 384."""
    words, found = minilm.words(), [None] * len(sentences)
    rows = []
    for sentence, _ in sentences:
        pieces = [words.pieces(word) or ["[UNK]"] for word in sentence]
        starts = 1 + np.cumsum([0] + [len(part) for part in pieces[:-1]])
        rows.append((["[CLS]", *(p for part in pieces for p in part), "[SEP]"], starts))
    order = sorted(range(len(rows)), key=lambda i: len(rows[i][0]))
    for few in (order[i : i + 32] for i in range(0, len(order), 32)):
        n = max(len(rows[i][0]) for i in few)
        ids = [[words.numbers[p] for p in rows[i][0]] for i in few]
        mask = torch.arange(n) < torch.tensor([len(row) for row in ids])[:, None]
        filled = torch.tensor([row + [0] * (n - len(row)) for row in ids])
        with torch.no_grad():
            X = torch.stack(minilm.model().layers(filled, None, mask))
        for k, i in enumerate(few):
            found[i] = X[:, k, rows[i][1]].numpy()
    return np.concatenate(found, axis=1)


def told(fitted: linear_probe.Probe, X: np.ndarray, sentences: list[Sentence]) -> list[list[str]]:
    """A tag for each word, sentence by sentence."""
    tags = iter(fitted.told(X))
    return [[next(tags) for _ in sentence] for sentence, _ in sentences]


def remembered(learned: list[Sentence], asked: list[Sentence]) -> list[list[str]]:
    """The tag that each word had most often; O for one never seen."""
    seen: dict[str, Counter] = defaultdict(Counter)
    for sentence, tags in learned:
        for word, tag in zip(sentence, tags, strict=True):
            seen[word][tag] += 1
    best = {word: tags.most_common(1)[0][0] for word, tags in seen.items()}
    return [[best.get(word, "O") for word in sentence] for sentence, _ in asked]


def counts(asked: list[Sentence], tags: list[list[str]]) -> np.ndarray:
    """Sentence by sentence: names agreed on, and names given plus told."""
    pairs = [
        (linear_probe.marked(a), linear_probe.marked(b))
        for (_, a), b in zip(asked, tags, strict=True)
    ]
    return np.array([(2 * len(a & b), len(a) + len(b)) for a, b in pairs])


def measured(draws: int = DRAWS, size: int = SIZE, further: int = FURTHER, scored=None) -> list:
    """A row for each way: F1 in each draw, an interval of their mean, and against two ways."""
    pool, asked = downstream_tasks.names("train"), list(downstream_tasks.names("dev")[:scored])
    order = np.random.default_rng(0).permutation(len(pool))
    cuts = [[pool[i] for i in order[k * size : (k + 1) * size]] for k in range(draws)]
    choosing = [pool[i] for i in order[draws * size : draws * size + further]]
    Z, W, X = states(asked), states(choosing), [states(cut) for cut in cuts]
    labels = [[tag for _, tags in cut for tag in tags] for cut in cuts]
    marks, chosen, seconds = {}, {}, {}
    for name in linear_probe.CHOICES:
        begin = time.process_time()
        V = [linear_probe.choice(x, name) for x in X]
        f = {
            C: linear_probe.f1([tags for _, tags in choosing],
                        told(linear_probe.probe(V[0], labels[0], C), linear_probe.choice(W, name),
                        choosing))
            for C in PENALTIES
        }  # fmt: skip
        C = chosen[name] = max(f, key=f.get)
        fitted = (linear_probe.probe(v, y, C) for v, y in zip(V, labels, strict=True))
        z = linear_probe.choice(Z, name)
        marks[name] = np.array([counts(asked, told(one, z, asked)) for one in fitted])
        seconds[name] = round(time.process_time() - begin, 1)
        print(name, C, marks[name].sum(axis=1), seconds[name], flush=True)
    marks["the word's usual tag"] = np.array([counts(asked, remembered(c, asked)) for c in cuts])
    rng = np.random.default_rng(0)
    drawn = rng.integers(0, len(asked), (2000, len(asked)))
    again = {name: f1(np.array([m[:, rows].sum(axis=1) for rows in drawn])).mean(axis=1)
             for name, m in marks.items()}  # fmt: skip
    bounds = lambda x: np.quantile(x, [0.025, 0.975]).round(4).tolist()  # noqa: E731
    return [
        {"what": name, "C": chosen.get(name), "F1": f1(m.sum(axis=1)).round(4).tolist()}
        | {"interval": bounds(again[name])}
        | {f"less {k}": bounds(again[name] - again[k]) for k in ("last", "sum of last four")}
        | {"seconds": seconds.get(name)}
        for name, m in marks.items()
    ]


def f1(sums: np.ndarray) -> np.ndarray:
    return sums[..., 0] / sums[..., 1].clip(1)


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    torch.set_num_threads(1)
    torch.set_float32_matmul_precision("medium")
    inputs = sha256(
        json.dumps([downstream_tasks.names("train"), downstream_tasks.names("dev")]).encode()
    ).hexdigest()
    about = {"command": "python -m experiments.bert.layer_choice", "inputs": inputs}
    stored = conditions() | about | {"rows": measured()}
    FILE.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
