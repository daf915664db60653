"""Train the vectors of the map of words, find the words' places, and write the files of both.

    python -m experiments.word2vec.projector_vectors

`site/_static/word2vec/map/vectors.json` holds the vectors of 5,000 words in bytes: the book
publishes this file, and a notebook does not install it. `firth/data/word2vec/map.json` holds

    places          x and y of each word in turn, in the order of `word_map.frequent_words()`
    first           the vectors that the first view of the map needs
    rows            Spearman's correlation of cosines with people's ratings, on WordSim-353 and
                    SimLex-999, with the exact vectors and with those in bytes; and the share of
                    words whose nearest word is the same with both

Another processor may give a float32 product other last digits, and t-SNE other places.
"""

import argparse
import json

import numpy as np
from jaxtyping import Float
from numpy import ndarray as Array
from sklearn.manifold import TSNE

from experiments.conditions import conditions
from firth.lsa.similarity import cosine, spearman, unit
from firth.store import corpora
from firth.store.results import DATA
from firth.store.weights import dequantize
from firth.widgets.word2vec.word_map import FIRST, SHOWN
from firth.word2vec import word_map

FILE = DATA / "word2vec/map.json"
PAGE_FILE = DATA.parents[1] / "site/_static/word2vec/map/vectors.json"


def nearest(V: Float[Array, "n d"], i: int, n: int) -> list[int]:
    """The rows of the n vectors with the largest cosines to row i, which is left out."""
    X = unit(V)
    order = np.argsort(-(X @ X[i]), kind="stable")
    return [int(j) for j in order if j != i][:n]


def measured(V: Float[Array, "n d"], words: list[str]) -> list[dict]:
    """What the bytes change: a row for each list of pairs, and one for the nearest words."""
    exact, small = unit(V), unit(dequantize(word_map.quantized_directions(V)))
    number = {word: i for i, word in enumerate(words)}
    rows = []
    for name in ("wordsim353", "simlex999"):
        pairs = [pair for pair in corpora.word_pairs(name) if {*pair[:2]} <= number.keys()]
        first, second, ratings = zip(*pairs, strict=True)
        x, y = ([number[word] for word in some] for some in (first, second))
        found = {
            kind: round(spearman(cosine(X[x], X[y]), np.array(ratings)), 3)
            for kind, X in (("exact", exact), ("bytes", small))
        }
        rows.append({"pairs": name, "n": len(pairs)} | found)
    ours, theirs = ((X @ X.T - 2 * np.eye(len(X))).argmax(axis=1) for X in (exact, small))
    return [*rows, {"nearest": "the same", "share": round(float((ours == theirs).mean()), 3)}]


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    vocabulary, V = word_map.trained_vectors()
    words, V = vocabulary[: word_map.SIZE], V[: word_map.SIZE]
    if words != word_map.frequent_words():
        raise ValueError("The corpus has other words than word_counts.txt: make that file anew.")
    print("Finding the places …", flush=True)
    places = TSNE(metric="cosine", init="pca", random_state=1).fit_transform(unit(V))
    i = words.index(FIRST)
    stored = conditions() | {
        "command": "python -m experiments.word2vec.projector_vectors",
        "settings": word_map.SETTINGS,
        "places": word_map.map_coordinates(places).ravel().tolist(),
        "first": word_map.vectors_for_a_notebook(V, [i, *nearest(V, i, SHOWN)]),
        "rows": measured(V, words),
    }
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in stored.items()]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    PAGE_FILE.parent.mkdir(parents=True, exist_ok=True)
    PAGE_FILE.write_text(json.dumps(word_map.vectors_for_the_page(V)) + "\n", encoding="utf-8")
    print(*stored["rows"], sep="\n")


if __name__ == "__main__":
    main()
