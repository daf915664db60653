"""Six ways of reading 135 statements about oneself, held against people's answers; and their map.

    python -m experiments.bert.personality

Each way gives a similarity of every two items. What `personality_survey.report` says of it is
stored, for the people themselves as well: that is as much as could be had. LSA and GloVe read an
item as chapter 1's scoreboard reads a headline, by the mean of its words' vectors of length 1;
"words in common" is the cosine of the items' counts of words, and knows nothing of language.

For the page's map the cosines of MiniLM's mean are stored in thousandths, and six layouts: of these
cosines, of the correlations, and of their size; once by classical scaling, and once by t-SNE, which
keeps neighbours together and says nothing by its distances. They are turned to lie on each other.
"""

import argparse
import json

import numpy as np
from jaxtyping import Float
from numpy import ndarray as Array
from sklearn.manifold import TSNE

from experiments.conditions import conditions
from experiments.lsa.scoreboard_row import MIN_COUNT, word_vectors
from firth.bert import minilm, personality_survey
from firth.lsa import counts
from firth.lsa.similarity import cosine_table, unit
from firth.scoreboard import scoreboard
from firth.store import corpora, pretrained_vectors
from firth.store.results import DATA

FILE = DATA / "bert/personality.json"
LSA = {"method": "PPMI + SVD", "k": 100, "window": 5, "smoothing": 1.0}  # the scoreboard's
SIDE = 1000  # a map's places are whole numbers from −SIDE to SIDE


def in_common(texts: list[str]) -> Float[Array, "n n"]:
    """The cosine of counts of words."""
    words = [counts.words(text) for text in texts]
    vocabulary = counts.vocabulary(word for text in words for word in text)
    ids = [counts.word_ids(text, vocabulary) for text in words]
    X = counts.term_document(ids, len(vocabulary)).T.toarray()
    return cosine_table(X, X)


def by_words(texts: list[str], vocabulary: list[str], vectors: Array) -> Float[Array, "n n"]:
    """The cosine of the mean of words' vectors of length 1."""
    place = {word: i for i, word in enumerate(vocabulary)}
    V = scoreboard.text_vectors(texts, place, unit(vectors))
    return cosine_table(V, V)


def lsa_vectors() -> tuple[list[str], Float[Array, "V k"]]:
    """Chapter 1's best vectors, trained anew on the scoreboard's corpus."""
    articles = [counts.words(article) for article in corpora.scoreboard()]
    vocabulary = counts.vocabulary((word for words in articles for word in words), MIN_COUNT)
    documents = [counts.word_ids(words, vocabulary) for words in articles]
    return vocabulary, word_vectors(documents, len(vocabulary), **LSA)


def readings(texts: list[str]) -> dict[str, Float[Array, "n n"]]:
    """The similarity of every two items, for each way of reading them."""
    found = {
        "words in common": in_common(texts),
        "LSA, mean of words": by_words(texts, *lsa_vectors()),
        "GloVe, mean of words": by_words(texts, *pretrained_vectors.glove()),
    }
    for pooling in ("cls", "max", "mean"):
        V = minilm.vectors(texts, pooling)
        found[f"MiniLM, {'[CLS]' if pooling == 'cls' else pooling}"] = cosine_table(V, V)
    return found


def neighbourly(S: Float[Array, "n n"]) -> Float[Array, "n 2"]:
    """t-SNE's places, begun from those of classical scaling: no chance is in it."""
    start, _ = personality_survey.coordinates(S)
    apart = np.sqrt(np.maximum(2 - 2 * S, 0))
    np.fill_diagonal(apart, 0)
    start = start / start[:, 0].std() * 1e-4
    return TSNE(2, metric="precomputed", init=start, perplexity=8).fit_transform(apart)


def turned_to(X: Float[Array, "n 2"], Y: Float[Array, "n 2"]) -> Float[Array, "n 2"]:
    """X turned, or turned over, so that its points come nearest to those of Y; both centred."""
    X, Y = X - X.mean(axis=0), Y - Y.mean(axis=0)
    U, _, Vt = np.linalg.svd(X.T @ Y)
    return X @ U @ Vt


def whole(X: Float[Array, "n 2"]) -> list[list[int]]:
    """Places as whole numbers, the outermost at SIDE."""
    X = X - (X.max(axis=0) + X.min(axis=0)) / 2
    return np.rint(SIDE * X / abs(X).max()).astype(int).tolist()


def maps(S: Float[Array, "n n"], R: Float[Array, "n n"]) -> dict[str, dict]:
    """Six layouts; that of the texts is laid first, and the others are turned towards it."""
    found: dict[str, dict] = {}
    for layout, lay in (
        ("near", neighbourly),
        ("far", lambda T: personality_survey.coordinates(T)[0]),
    ):
        first = lay(S)
        found[layout] = {"words": whole(first)}
        for name, T in (("answers", R), ("size", abs(R))):
            found[layout][name] = whole(turned_to(lay(T), first))
    return found


def rounded(value):
    """Numbers to a ten-thousandth: more would depend on the processor."""
    if isinstance(value, dict):
        return {name: rounded(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(one) for one in value]
    return round(value, 4)


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    items, R = corpora.personality(), corpora.personality_answers()
    found = readings(items["text"].tolist())
    rows = {}
    for name, S in (found | {"people, size": abs(R), "people": R}).items():
        rows[name] = rounded(personality_survey.report(S, items, R))
        print(f"{name:22} told {rows[name]['told']:.2f}, r with size {rows[name]['size']:.2f}")
    S = found["MiniLM, mean"]
    about = conditions() | {"command": "python -m experiments.bert.personality", "rows": rows}
    cosines = np.rint(1000 * personality_survey.pairs(S)).astype(int).tolist()
    stored = about | {"cosines": cosines, "maps": maps(S, R)}
    lines = [f"{json.dumps(name)}: {json.dumps(part)}" for name, part in stored.items()]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
