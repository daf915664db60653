"""The scoreboard: every way of making word vectors, on one corpus, asked the same three questions.

    related?   Spearman's ρ between cosines and people's ratings, WordSim-353
    similar?   the same, SimLex-999
    useful?    of 2,000 headlines, the share whose desk is told from the mean of their word vectors

A row is one method. Methods that learned from `corpora.scoreboard()` alone stand in one block, and
those that were trained elsewhere, on more text, in another. Pairs with a word that the method does
not know are left out, and a row says how many it could answer.

For the third question each word vector gets length 1, a headline is the mean of those it knows,
features are standardised on the 5,000 headlines to learn from, and logistic regression (L2, C = 1)
does the rest. The ten desks are equally frequent: guessing scores 0.10.
"""

import json
import math
import os
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from jaxtyping import Bool, Float, Num
from numpy import ndarray as Array

from firth.lsa.counts import words
from firth.lsa.similarity import cosine, spearman, unit
from firth.store import corpora
from firth.store.results import DATA

FILE = DATA / "scoreboard/scoreboard.json"
PAIRS = ("wordsim353", "simlex999")
BLOCKS = ("trained here", "trained elsewhere")
COLUMNS = {
    "method": str,
    "chapter": int,
    "block": str,
    "settings": str,
    "wordsim353": float,
    "wordsim353_pairs": int,
    "simlex999": float,
    "simlex999_pairs": int,
    "news": float,
    "words": int,  # trained on
    "seconds": float,
    "machine": str,
}

Answers = dict[str, Float[Array, " n"]]  # to each question by its name, one for each thing asked


def score(vocabulary: Sequence[str], vectors: Num[Array, "V d"]) -> dict[str, float | int]:
    """How well a method answers, whose vector of the i-th word is the i-th row."""
    return summary(answers(vocabulary, vectors))


def answers(vocabulary: Sequence[str], vectors: Num[Array, "V d"]) -> Answers:
    """A cosine for each pair of words, NaN where one is unknown; 1 for each headline told, or 0."""
    vectors = np.asarray(vectors, dtype=float)
    if len(vocabulary) != len(vectors):
        raise ValueError(
            f"{len(vocabulary)} words and {len(vectors)} vectors: give each word one row."
        )
    if not np.isfinite(vectors).all():
        raise ValueError("The vectors hold NaN or infinity: find out where it came from.")
    place = {word: i for i, word in enumerate(vocabulary)}
    found = {}
    for name in PAIRS:
        pairs = corpora.word_pairs(name)
        known = np.array([{a, b} <= place.keys() for a, b, _ in pairs])
        if known.sum() < 2:
            raise ValueError(
                f"The vocabulary knows {known.sum()} of the pairs of {name}: "
                "two or more are needed."
            )
        asked = [pair for pair, both in zip(pairs, known, strict=True) if both]
        x, y = (vectors[[place[pair[side]] for pair in asked]] for side in (0, 1))
        found[name] = np.full(len(pairs), np.nan)
        found[name][known] = cosine(x, y)
    return found | {"news": news_told(place, unit(vectors)).astype(float)}


def summary(found: Answers) -> dict[str, float | int]:
    """What the answers are worth: agreement with people, how many pairs, and the share told."""
    scores = {}
    for name in PAIRS:
        known = np.flatnonzero(np.isfinite(found[name]))
        scores[name] = round(spearman(found[name][known], ratings(name)[known]), 4)
        scores[f"{name}_pairs"] = len(known)
    return scores | {"news": round(float(np.mean(found["news"])), 4)}


def ratings(name: str) -> Float[Array, " n"]:
    """What people say of the pairs."""
    return np.array([rating for _, _, rating in corpora.word_pairs(name)])


def classifier():
    """What reads a desk off a mean word vector; the same for every method."""
    from sklearn.linear_model import LogisticRegression  # takes a second, and only this asks it
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000))


def news_told(place: dict[str, int], vectors: Float[Array, "V d"]) -> Bool[Array, " n"]:
    """Of which headlines to be scored on the classifier tells the desk."""
    train, train_labels, test, test_labels = corpora.news()
    fitted = classifier().fit(text_vectors(train, place, vectors), train_labels)
    return fitted.predict(text_vectors(test, place, vectors)) == np.asarray(test_labels)


def text_vectors(
    texts: Sequence[str], place: dict[str, int], vectors: Float[Array, "V d"]
) -> Float[Array, "n d"]:
    """The mean vector of the words of each text; zeros where none is known.

    >>> text_vectors(["Red star!", "quasar"], {"red": 0, "star": 1}, np.array([[2.0], [4.0]]))
    array([[3.],
           [0.]])
    """
    means = np.zeros((len(texts), vectors.shape[1]))
    for mean, text in zip(means, texts, strict=True):
        if known := [place[word] for word in words(text) if word in place]:
            mean[:] = vectors[known].mean(axis=0)
    return means


def checked(row: dict) -> dict:
    """The row, once every column is there and holds what its name says."""
    if problem := [f"no {name}" for name in COLUMNS if name not in row]:
        raise ValueError(
            f"A row of the scoreboard needs every column, and has {', '.join(problem)}."
        )
    if unknown := sorted(row.keys() - COLUMNS):
        raise ValueError(
            f"The scoreboard has no column {unknown[0]!r}: it has {', '.join(COLUMNS)}."
        )
    for name, kind in COLUMNS.items():
        right = type(row[name]) is kind or (kind is float and type(row[name]) is int)
        if not right or (kind is float and not math.isfinite(row[name])):
            raise ValueError(
                f"The column {name!r} holds {row[name]!r}: it takes one {kind.__name__}."
            )
    if row["block"] not in BLOCKS:
        raise ValueError(f"The block is {row['block']!r}: it is one of {', '.join(BLOCKS)}.")
    return {name: row[name] for name in COLUMNS}


def order(row: dict) -> tuple[int, int, str]:
    """Where a row stands: its block, its chapter, its name. No two rows share all three."""
    return BLOCKS.index(row["block"]), row["chapter"], row["method"]


def read(file: Path = FILE) -> list[dict]:
    """The rows of the scoreboard, in their order; an empty list before the first is written."""
    if not file.exists():
        return []
    try:
        return sorted(map(checked, json.loads(file.read_text(encoding="utf-8"))), key=order)
    except json.JSONDecodeError:
        raise ValueError(f"{file} is not JSON: take it from the repository again.") from None


def write(row: dict, file: Path = FILE) -> None:
    """Add a row to the scoreboard, in place of an earlier one of the same method."""
    row = checked(row)
    rows = sorted([row, *(old for old in read(file) if order(old) != order(row))], key=order)
    replace(file, json.dumps(rows, indent=2, ensure_ascii=False) + "\n")


def replace(file: Path, text: str) -> None:
    """Put a text in place of another in one step: whoever reads sees the old one or the new."""
    with tempfile.TemporaryDirectory(prefix=".", dir=file.parent) as beside:
        fresh = Path(beside, file.name)
        fresh.write_text(text, encoding="utf-8")
        os.replace(fresh, file)


def board(rows: Iterable[dict], last: int = 7) -> tuple[list[list], list[str]]:
    """Lines and header of the table of all methods up to a chapter, ready for `display.table`.

    A chapter asks for the rows up to its own, and later ones do not change what it shows.

    >>> lines, header = board(read(), last=1)
    >>> {len(line) for line in lines} == {len(header)}
    True
    """
    header = ["method", "settings", "WordSim", "SimLex", "news", "seconds"]
    lines = [
        [
            row["method"],
            row["settings"],
            f"{row['wordsim353']:.2f} ({row['wordsim353_pairs']})",
            f"{row['simlex999']:.2f} ({row['simlex999_pairs']})",
            row["news"],
            row["seconds"] or None,  # how long others took is not known here
        ]
        for row in rows
        if row["chapter"] <= last
    ]
    return lines, header
