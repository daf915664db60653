"""Write the vectors of the neighbour explorer, and measure what the choices in them cost.

    python -m experiments.lsa.explorer_vectors

For each window and weighting, a file of `site/_static/lsa/explorer/` holds the space that
`firth.lsa.word_space` computes: 15,000 words, their idf, and 60 numbers a word. The book publishes
these files, and a notebook does not install them. `firth/data/lsa/explorer.json` holds

    first   of one space, the words that the explorer's first states need
    rows    Spearman's correlation of cosines with people's ratings, on WordSim-353 and SimLex-999

Each row is about vectors U s^p with p = 0, ½ or 1: exact, and in bytes with a scale a column, of
rows as they are or of length 1. With PPMI, p = ½ is better than p = 1 by more than 0.03 on
WordSim-353 in every window, so all files have p = ½. Bytes cost nothing if the rows have length 1
before they are rounded. Otherwise a few frequent words decide the scale and rare words become 0.

Another processor may give a float32 product other last digits, and a byte one step more or less.
"""

import argparse
import base64
import json
from collections.abc import Sequence
from itertools import product

import numpy as np
from jaxtyping import Float
from numpy import ndarray as Array

from experiments.conditions import conditions
from firth.lsa import counts, lsa
from firth.lsa.similarity import cosine, spearman, unit
from firth.lsa.word_space import (
    SIZE,
    WEIGHTINGS,
    WINDOWS,
    K,
    corpus,
    neighbour_counts,
    weighted_table,
    word_space,
)  # fmt: skip
from firth.store import corpora
from firth.store.results import DATA
from firth.store.weights import dequantize, quantize
from firth.widgets.lsa.explorer import MODES, LsaExplorer

FILE = DATA / "lsa/explorer.json"
PAGE_FILES = DATA.parents[1] / "site/_static/lsa/explorer"
POWERS = (0.0, 0.5, 1.0)
PAIRS = ("wordsim353", "simlex999")
SETTINGS = {"m": 5, "weighting": "PPMI", "k": K}  # of the first states
FIRST = {
    MODES[0]: {"word": "coffee"},
    MODES[1]: {"name": "zorf", "text": " ".join(corpora.zorf()[:5])},
}


def in_bytes(X: Float[Array, "n k"]) -> Float[Array, "n k"]:
    """X after it was stored in bytes, with a scale for each column."""
    return dequantize(quantize(X.T.astype(float))).T


def agreement(X: Float[Array, "n k"], vocabulary: Sequence[str], name: str) -> float:
    """Spearman's correlation of the cosines with the ratings of a list of word pairs."""
    number = {word: i for i, word in enumerate(vocabulary[: len(X)])}
    pairs = [pair for pair in corpora.word_pairs(name) if {*pair[:2]} <= number.keys()]
    first, second, ratings = zip(*pairs, strict=True)
    x, y = (X[[number[word] for word in words]] for words in (first, second))
    return round(spearman(cosine(x, y), np.array(ratings)), 3)


def measured(m: int, weighting: str) -> list[dict]:
    """A row for each power of s and list of pairs, for the words that the page has."""
    vocabulary, documents = corpus()
    C = counts.cooccurrence(documents, len(vocabulary), m)
    U, s, _ = lsa.svd(weighted_table(C, weighting), K)
    rows = []
    for power, name in product(POWERS, PAIRS):
        X = U * s**power
        vectors = {
            "exact, all words": X,
            "exact": X[:SIZE],
            "bytes": in_bytes(X[:SIZE]),
            "bytes, rows of length 1": in_bytes(unit(X[:SIZE])),
        }
        found = {kind: agreement(X, vocabulary, name) for kind, X in vectors.items()}
        rows.append({"m": m, "weighting": weighting, "power": power, "pairs": name} | found)
    return rows


def part(space: dict, words: Sequence[str], only: dict) -> dict:
    """The space with these words alone, which answers the question `only` and no other."""
    every = space["words"].split(" ")
    chosen = sorted(every.index(word) for word in words)
    tables = {name: columns(space[name], chosen) for name in ("idf", "vectors")}
    return space | {"words": " ".join(every[i] for i in chosen), "only": only} | tables


def columns(table: dict, chosen: Sequence[int]) -> dict:
    """Some columns of a table in bytes, in the same form.

    >>> dequantize(columns(quantize(np.array([1.0, 2.0, 3.0]), scale=1.0), [0, 2]))
    array([1., 3.])
    """
    q = np.frombuffer(base64.b64decode(table["bytes"]), np.int8).reshape(table["shape"])
    q = q[..., chosen]
    return table | {"shape": list(q.shape), "bytes": base64.b64encode(q.tobytes()).decode()}


def first_state(mode: str, space: dict) -> dict:
    """The part of a space that the explorer's first state in a mode needs."""
    only = SETTINGS | FIRST[mode]
    shown = LsaExplorer(mode, space, **only).answer()
    if mode == MODES[0]:
        return part(space, [only["word"], *shown["best"]], only)
    known = {word: i for i, word in enumerate(space["words"].split(" "))}
    met = neighbour_counts(corpora.zorf()[:5], only["name"], known, only["m"])
    return part(space, {*shown["best"], *met}, only)


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    PAGE_FILES.mkdir(parents=True, exist_ok=True)
    first, rows = {}, []
    for m, weighting in product(WINDOWS, WEIGHTINGS):
        space = word_space(m, weighting)
        text = json.dumps(space, ensure_ascii=False, separators=(",", ":"))
        (PAGE_FILES / f"{weighting}_{m}.json").write_text(text + "\n", encoding="utf-8")
        rows += measured(m, weighting)
        if {"m": m, "weighting": weighting}.items() <= SETTINGS.items():
            first = {mode: first_state(mode, space) for mode in MODES}
    about = {"command": "python -m experiments.lsa.explorer_vectors", "first": first}
    text = json.dumps(conditions() | about, indent=1, ensure_ascii=False)
    lines = ",\n".join(map(json.dumps, rows))
    FILE.write_text(f'{text[:-2]},\n "rows": [\n{lines}\n]}}\n', encoding="utf-8")


if __name__ == "__main__":
    main()
