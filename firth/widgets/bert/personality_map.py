"""A map of 135 statements about oneself: what the words say, and what people answer."""

import numpy as np
import traitlets as t

from firth.bert import personality_survey
from firth.display import table
from firth.store import corpora
from firth.store.results import DATA, stored_result
from firth.widgets.base import Widget

FILE = DATA / "bert/personality.json"
SHOWN = 5  # neighbours
LONGEST = 40  # letters to search for
BY = {
    "words": "what the words say",
    "answers": "what people answer",
    "size": "answers, sign left out",
}
LAYOUTS = {"near": "neighbours lie together", "far": "variance is kept"}
COLOURS = {"factor": "the factor", "facet": "the item’s facet"}


class BertPersonality(Widget):
    """Do statements that read alike get like answers, and where do the two part?

    >>> seen = BertPersonality()
    >>> seen
    BertPersonality(by='words', colour='factor', item='Seldom get mad.', laid='near', search='')
    >>> seen.answer()["near"][0], seen.answer()["correlations"][0]
    ('Get angry easily.', -0.645)
    """

    items = t.List(t.Dict()).tag(sync=True)
    cosines = t.Unicode().tag(sync=True)  # of each pair i > j, in thousandths
    answered = t.Unicode().tag(sync=True)  # their correlations, likewise
    maps = t.Dict().tag(sync=True)  # a layout, what it is of → x y x y …
    item = t.Unicode("Seldom get mad.").tag(sync=True, choice=True)
    by = t.Enum(list(BY), "words").tag(sync=True, choice=True)
    laid = t.Enum(list(LAYOUTS), "near").tag(sync=True, choice=True)
    colour = t.Enum(list(COLOURS), "factor").tag(sync=True, choice=True)
    search = t.Unicode("").tag(sync=True, choice=True)

    def __init__(self, **choices):
        stored = stored_result("bert/personality")
        columns = corpora.personality()
        names = ("text", "facet", "key", "factor")
        rows = zip(*(columns[name].tolist() for name in names), strict=True)
        answered = np.rint(1000 * personality_survey.pairs(corpora.personality_answers())).astype(
            int
        )
        shipped = {
            "items": [dict(zip(names, row, strict=True)) for row in rows],
            "cosines": numbers(stored["cosines"]),
            "answered": numbers(answered.tolist()),
            "maps": {
                layout: {by: numbers([z for xy in points for z in xy]) for by, points in of.items()}
                for layout, of in stored["maps"].items()
            },
        }
        super().__init__(**shipped | choices)

    @t.validate("item")
    def _is_there(self, proposal):
        if all(item["text"] != proposal["value"] for item in self.items):
            raise t.TraitError(f"{proposal['value']!r} is none of these {len(self.items)} items.")
        return proposal["value"]

    @t.validate("search")
    def _is_short(self, proposal):
        if len(proposal["value"]) > LONGEST:
            raise t.TraitError(f"Search for {LONGEST} letters at most.")
        return proposal["value"]

    def tables(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Cosines and correlations, square; and whichever of them the map is of."""
        n = len(self.items)
        square = []
        for text in (self.cosines, self.answered):
            S = np.zeros((n, n))
            S[np.tril_indices(n, -1)] = np.array(text.split(" "), dtype=float) / 1000
            square.append(S + S.T + np.eye(n))
        S, R = square
        return S, R, {"words": S, "answers": R, "size": abs(R)}[self.by]

    def answer(self) -> dict:
        S, R, shown = self.tables()
        texts = [item["text"] for item in self.items]
        facets = [item["facet"] for item in self.items]
        i = texts.index(self.item)
        others = np.delete(np.arange(len(texts)), i)
        best = others[np.argsort(-shown[i, others], kind="stable")[:SHOWN]].tolist()
        X = np.array(self.maps[self.laid][self.by].split(" "), dtype=float).reshape(-1, 2)
        apart = ((X[:, None] - X[None]) ** 2).sum(axis=2)
        sought = self.search.strip().lower()
        found = [n for n, one in enumerate(self.items) if sought and matches(one, sought)]
        return {
            "about": about(self.items[i]),
            "terms": BY[self.by],
            "near": [texts[j] for j in best],
            "facets": [facets[j] for j in best],
            "keys": [key(self.items[j]) for j in best],
            "similarities": S[i, best].tolist(),
            "correlations": R[i, best].tolist(),
            "told": round(len(texts) * personality_survey.told(shown, facets)),
            "told_here": round(len(texts) * personality_survey.told(-apart, facets)),
            "luck": len(texts) * personality_survey.chance(facets),
            "found": [texts[n] for n in found],
            "said": "" if not sought else f"{len(found)} of {len(texts)} items found.",
        }

    def fallback(self) -> str:
        rows = []
        for item in self.items[:: len(self.items) // 9]:
            seen = type(self).restored(self.state() | {"item": item["text"]})
            shown = seen.answer()
            seen.close()
            both = [shown[name][0] for name in ("similarities", "correlations")]
            rows.append([item["text"], item["facet"], shown["near"][0], shown["facets"][0], *both])
        header = ["item", "facet", "nearest", "its facet", "cosine", "correlation"]
        return table(rows, header, f"Some items and their nearest, by {BY[self.by]}")._repr_html_()


def key(item: dict) -> str:
    """Whether who agrees with an item has more of its facet, or less."""
    return "for" if item["key"] > 0 else "against"


def about(item: dict) -> str:
    """All that is known of an item, in one line.

    >>> about({"facet": "Order", "key": -1, "factor": ""})
    'speaks against Order; no factor'
    """
    return f"speaks {key(item)} {item['facet']}; {item['factor'] or 'no factor'}"


def matches(item: dict, sought: str) -> bool:
    """Whether what is sought, in lower case, stands in an item or in the names of its scales."""
    return any(sought in item[name].lower() for name in ("text", "facet", "factor"))


def numbers(values: list[int]) -> str:
    """Whole numbers as one line of text, so that a notebook stays short."""
    return " ".join(map(str, values))
