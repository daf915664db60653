"""A small table rebuilt from its k strongest directions: its map, its cosines, and a query."""

import numpy as np
import traitlets as t
from jaxtyping import Float

from firth.display import table
from firth.lsa import counts, example, lsa
from firth.lsa.similarity import cosine
from firth.store import corpora
from firth.widgets.base import Widget

TERMS = (
    *("human", "interface", "computer", "user", "system", "response"),
    *("time", "eps", "survey", "trees", "graph", "minors"),
)
LABELS = ("c1", "c2", "c3", "c4", "c5", "m1", "m2", "m3", "m4")  # computers; mathematics
DIGITS = 6  # of U, s, Vᵀ and the weights, so that a page is the same whichever machine made it


def count_table(texts: list[str], words: tuple[str, ...]) -> Float[np.ndarray, "texts words"]:
    """An array with a row for each text and a column for each word: how often it occurs there."""
    ids = [counts.word_ids(counts.words(text), words) for text in texts]
    return counts.term_document(ids, len(words)).toarray().T.astype(float)


def idf(X: Float[np.ndarray, "n d"]) -> Float[np.ndarray, " d"]:
    """The inverse document frequency of each column: log₂(rows / rows where it is not 0).

    It is rounded to six decimals, so that it is the same on every machine.
    """
    return np.log2(len(X) / (X > 0).sum(axis=0)).round(DIGITS)


def word_table() -> dict:
    """The data of LsaRank("words") as a dict: the five words of the example and six neighbours.

    The keys are rows, columns, X (counts, 5 × 6), weights (the idf of each column), strip (the
    words whose cosines are shown) and without (a word that the reader can leave out).
    """
    X = example.table(the=False).astype(float)
    data = dict(rows=example.WORDS, columns=example.NEIGHBOURS, X=X, weights=idf(X))
    return data | dict(strip=example.WORDS, without="tea")


def title_table() -> dict:
    """The data of LsaRank("titles") as a dict: Deerwester's nine titles.

    The keys are rows (the titles' labels), texts, columns (twelve terms), X (counts, 9 × 12) and
    query.
    """
    texts = corpora.deerwester()
    data = dict(rows=LABELS, texts=texts, columns=TERMS, X=count_table(texts, TERMS))
    return data | dict(query=["human", "computer"])


def sentence_table() -> dict:
    """The data of LsaRank("sentences") as a dict: the twenty sentences of the example.

    The keys are rows (the sentences' numbers), texts, columns (eleven content words), X (counts,
    20 × 11), weights (the idf of each column) and query.
    """
    texts, columns = corpora.zorf(), (*example.WORDS, *example.NEIGHBOURS)
    X = count_table(texts, columns)
    rows = [str(n) for n in range(1, len(texts) + 1)]
    data = dict(rows=rows, texts=texts, columns=columns, X=X, weights=idf(X))
    return data | dict(query=["coffee"])


TABLES = {"words": word_table, "titles": title_table, "sentences": sentence_table}


def with_full_svd(rows: list[str], X: Float[np.ndarray, "n d"]) -> dict:
    """A dict with the names `rows`, the table X and its full SVD U, s, Vt, the arrays as lists."""
    parts = (part.round(DIGITS) + 0.0 for part in lsa.svd(X, min(X.shape)))
    U, s, Vt = (part.tolist() for part in parts)
    return {"rows": rows, "X": X.tolist(), "U": U, "s": s, "Vt": Vt}


class LsaRank(Widget):
    """What do k directions keep of a table, and what do they make similar?

    `data` names one of the three tables, or is a dict: `rows`, `columns` and `X`, the counts;
    `weights` of the columns; and either `strip`, words of which the first is compared with the
    others, and `without`, a row that may be left out, or `query`, the columns that are asked for,
    and `texts`, one for each row.

    >>> view = LsaRank(k=2)
    >>> view
    LsaRank(k=2, left_out=False, original=False, query=[])
    >>> [round(c, 2) for c in view.answer()["cosines"]]
    [1.0, 0.99, 0.07, 0.11]
    >>> LsaRank("sentences", k=2).answer()["ranked"][:2]
    ['11. The coffee was hot.', '13. There is no sugar in the coffee.']
    """

    columns = t.List(t.Unicode()).tag(sync=True)
    texts = t.List(t.Unicode()).tag(sync=True)
    weights = t.List(t.Float()).tag(sync=True)
    whole = t.Dict().tag(sync=True)  # rows, X, U, s, Vt
    rest = t.Dict().tag(sync=True)  # the same without one row
    strip = t.List(t.Unicode()).tag(sync=True)
    without = t.Unicode().tag(sync=True)
    k = t.Int(min=1).tag(sync=True, choice=True)
    query = t.List(t.Unicode()).tag(sync=True, choice=True)
    left_out = t.Bool(False).tag(sync=True, choice=True)
    original = t.Bool(False).tag(sync=True, choice=True)

    def __init__(self, data: str | dict = "words", **choices):
        data = {"strip": [], "texts": [], "without": "", "query": []} | (
            TABLES[data]() if isinstance(data, str) else data
        )
        rows, columns, X = list(data["rows"]), list(data["columns"]), np.array(data["X"], float)
        if X.shape != (len(rows), len(columns)):
            raise ValueError(f"{len(rows)} rows and {len(columns)} columns must have names.")
        if len(set(rows)) < len(rows) or len(set(columns)) < len(columns):
            raise ValueError("The names of the rows must differ, and those of the columns too.")
        if unknown := {*data["strip"], data["without"]} - {*rows, ""}:
            raise ValueError(f"{sorted(unknown)} must be rows of the table.")
        weights = np.array(data.get("weights", np.ones(len(columns))))
        whole = with_full_svd(rows, X * weights)
        stays = [i for i, row in enumerate(rows) if row != data["without"]]
        rest = (
            with_full_svd([rows[i] for i in stays], (X * weights)[stays]) if data["without"] else {}
        )
        fixed = dict(columns=columns, weights=weights.tolist(), whole=whole, rest=rest)
        texts = {name: list(data[name]) for name in ("strip", "texts")}
        choices = {"k": len(whole["s"]), "query": list(data["query"])} | choices
        super().__init__(**fixed, **texts, without=data["without"], **choices)

    @t.validate("k")
    def _is_a_rank(self, proposal):
        if proposal["value"] > len(self.whole["s"]):
            raise t.TraitError(f"The table has {len(self.whole['s'])} directions: k is too large.")
        return proposal["value"]

    @t.validate("query")
    def _is_of_columns(self, proposal):
        if unknown := [word for word in proposal["value"] if word not in self.columns]:
            raise t.TraitError(f"The table has no column {unknown}.")
        return proposal["value"]

    def answer(self) -> dict:
        part = self.rest if self.left_out and self.without else self.whole
        X, U, s, Vt = (np.array(part[name]) for name in ("X", "U", "s", "Vt"))
        k = min(self.k, len(s))
        Z = U[:, :k] * s[:k]
        cells = X if self.original else lsa.low_rank(U[:, :k], s[:k], Vt[:k])
        row = {name: i for i, name in enumerate(part["rows"])}
        names, missing = self.whole["rows"], [None] * len(self.columns)  # a row that is left out
        return {
            "rank": k,
            "cells": [cells[row[w]].tolist() if w in row else missing for w in names],
            "values": s.tolist() + [None] * (len(self.whole["s"]) - len(s)),
            "error": float(lsa.error(s, k)),
            "kept": float(100 * (1 - (lsa.error(s, k) / lsa.error(s, 0)) ** 2)),
            "points": [first_two_columns(Z)[row[w]].tolist() if w in row else None for w in names],
            "terms": first_two_columns(Vt[:k].T * s[:k]).tolist() if not self.strip else [],
            "cosines": [
                float(cosine(Z[row[word]], Z[row[self.strip[0]]])) if word in row else None
                for word in self.strip[1:]
            ],
        } | self.query_ranking(X, Z, Vt[:k])

    def query_ranking(self, X, Z, Vt) -> dict:
        """A dict with the query's point and the table's rows, ranked by their cosine with it.

        Its keys are star (the query's point in the map), ranked (texts, the nearest first), near
        (cosines in the order of the rows), compared (the same in the order of the ranking) and
        counted (cosines without SVD in that order). Z has a row for each row of the table, and Vt
        its k directions.
        """
        if self.strip:
            return {"star": None, "ranked": [], "near": [], "compared": [], "counted": []}
        asked = np.array([word in self.query for word in self.columns])
        q = asked * np.array(self.weights)
        folded = (Vt @ q).round(DIGITS) + 0.0
        near = cosine(Z, folded).round(DIGITS)  # equal up to rounding: the rows keep their order
        order = np.argsort(-near, kind="stable")
        names = [f"{row}. {text}" for row, text in zip(self.whole["rows"], self.texts, strict=True)]
        return {
            "star": first_two_columns(folded[None])[0].tolist() if asked.any() else None,
            "ranked": [names[i] for i in order],
            "near": near.tolist(),
            "compared": near[order].tolist(),
            "counted": cosine(X, q)[order].tolist(),
        }

    def fallback(self) -> str:
        if not self.strip:
            shown = self.answer()
            rows = zip(shown["ranked"], shown["compared"], shown["counted"], strict=True)
            asked = ", ".join(self.query) or "of no words"
            caption = f"Cosine with the query {asked}, with {shown['rank']} directions"
            heads = ["text", f"k = {shown['rank']}", "without SVD"]
            return table(rows, heads, caption)._repr_html_()
        rows = []
        for k in range(len(self.whole["s"]), 0, -1):
            view = type(self).restored(self.state() | {"k": k, "left_out": False})
            shown = view.answer()
            view.close()
            cosines = np.round(shown["cosines"], 2) + 0.0  # no minus before a zero
            rows.append([k, shown["kept"], *cosines.tolist()])
        caption = f"Cosine of {self.strip[0]} at rank k, and the squares that are kept, in %"
        return table(rows, ["k", "kept", *self.strip[1:]], caption)._repr_html_()


def first_two_columns(Z: Float[np.ndarray, "n k"]) -> Float[np.ndarray, "n 2"]:
    """The first two columns of Z; the second one is 0 if Z has only one."""
    return np.pad(Z, ((0, 0), (0, 1)))[:, :2]
