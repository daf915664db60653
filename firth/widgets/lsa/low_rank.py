"""A small table rebuilt from k of its patterns, with what that loses and what it reveals."""

import numpy as np
import traitlets as t

from firth.display import table
from firth.lsa import counts, lsa
from firth.lsa.similarity import cosine, nearest
from firth.store import corpora
from firth.widgets.base import Widget

TERMS = (
    *("human", "interface", "computer", "user", "system", "response"),
    *("time", "eps", "survey", "trees", "graph", "minors"),
)
LABELS = ("c1", "c2", "c3", "c4", "c5", "m1", "m2", "m3", "m4")  # computers; mathematics
PAIRS = (("human", "user"), ("human", "minors"))
SHOWN = 5
DIGITS = 6  # of U, s and Vᵀ, so that a page is the same whichever machine made it


def Numbers():
    return t.List(t.List(t.Float())).tag(sync=True)


class LsaRank(Widget):
    """How much of a table can k patterns keep, and what do they say that the counts did not?

    >>> ranked = LsaRank(k=2, item="human")
    >>> ranked
    LsaRank(item='human', k=2)
    >>> ranked.answer()["neighbours"]
    ['eps', 'interface', 'system', 'user', 'computer']
    >>> [[round(r, 2) for r in pair] for pair in ranked.answer()["correlations"]]
    [[-0.38, 0.94], [-0.29, -0.83]]
    """

    terms = t.List(t.Unicode()).tag(sync=True)
    documents = t.List(t.Unicode()).tag(sync=True)
    titles = t.List(t.Unicode()).tag(sync=True)
    X = Numbers()  # terms × documents
    U = Numbers()  # terms × patterns
    s = t.List(t.Float()).tag(sync=True)
    Vt = Numbers()  # patterns × documents
    pairs = t.List(t.List(t.Unicode())).tag(sync=True)
    k = t.Int(2, min=1).tag(sync=True, choice=True)
    item = t.Unicode().tag(sync=True, choice=True)

    def __init__(self, titles=None, terms=TERMS, documents=LABELS, pairs=PAIRS, **choices):
        titles = corpora.deerwester() if titles is None else list(titles)
        terms, documents = list(terms), list(documents)
        if len(titles) != len(documents):
            raise ValueError(
                f"Each title needs a label: there are {len(titles)} and {len(documents)}."
            )
        if len({*terms, *documents}) < len(terms) + len(documents):
            raise ValueError(
                "Terms and labels must all differ, for the reader chooses one by name."
            )
        ids = [counts.word_ids(counts.words(title), terms) for title in titles]
        X = counts.term_document(ids, len(terms)).toarray()
        if not X.any(axis=1).all():
            raise ValueError("Each term must stand in some title: leave out those that do not.")
        parts = (part.round(DIGITS) + 0.0 for part in lsa.svd(X, min(X.shape)))
        U, s, Vt = (part.tolist() for part in parts)
        pairs, choices = [list(pair) for pair in pairs], {"item": terms[0]} | choices
        data = dict(terms=terms, documents=documents, titles=titles, pairs=pairs)
        super().__init__(X=X.astype(float).tolist(), U=U, s=s, Vt=Vt, **data, **choices)

    @t.validate("k")
    def _is_a_rank(self, proposal):
        if proposal["value"] > len(self.s):
            raise t.TraitError(f"The table has {len(self.s)} patterns: k cannot be more.")
        return proposal["value"]

    @t.validate("item")
    def _is_known(self, proposal):
        if proposal["value"] not in self.terms + self.documents:
            raise t.TraitError(f"{proposal['value']!r} is neither a term nor a document here.")
        return proposal["value"]

    def answer(self) -> dict:
        X, U, s, Vt = map(np.array, (self.X, self.U, self.s, self.Vt))
        k = self.k
        rebuilt = lsa.low_rank(U[:, :k], s[:k], Vt[:k])
        if self.item in self.terms:
            names, points, counted = self.terms, U[:, :k] * s[:k], X
        else:
            names, points, counted = self.documents, Vt[:k].T * s[:k], X.T
        chosen = names.index(self.item)
        tied = lambda X, x: cosine(X, x).round(6)  # noqa: E731  equal up to rounding: a tie
        order = nearest(points, points[chosen], len(names), tied)
        near = order[order != chosen][:SHOWN]
        return {
            "reconstruction": rebuilt.tolist(),
            "singular_values": self.s,
            "error": float(lsa.error(s, k)),
            "energy": float(100 * (1 - (lsa.error(s, k) / lsa.error(s, 0)) ** 2)),
            "neighbours": [names[i] for i in near],
            "cosines": tied(points, points[chosen])[near].tolist(),
            "counted": cosine(counted, counted[chosen])[near].tolist(),
            "correlations": [
                [self.correlation(rows, pair) for rows in (X, rebuilt.round(9))]
                for pair in self.pairs
            ],
        }

    def correlation(self, rows, pair) -> float:
        """The cosine of two terms' rows, each with its mean taken away."""
        x, y = (rows[self.terms.index(term)] for term in pair)
        return float(cosine(x - x.mean(), y - y.mean()))

    def fallback(self) -> str:
        rows = zip(self.terms, self.answer()["reconstruction"], strict=True)
        caption = f"The counts rebuilt from {self.k} of their {len(self.s)} patterns"
        header = ["word", *self.documents]
        return table([[w, *row] for w, row in rows], header, caption)._repr_html_()
