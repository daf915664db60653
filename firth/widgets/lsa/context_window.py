"""A context window moves over sentences, and a table of co-occurrences fills behind it."""

from itertools import chain, islice

import numpy as np
import traitlets as t

from firth.display import table
from firth.lsa import counts, example
from firth.lsa.similarity import cosine
from firth.store import corpora
from firth.widgets.base import Widget

COLUMNS = (*example.NEIGHBOURS, "the")


class LsaWindow(Widget):
    """Which words does the window count, and which rows become similar?

    A pair is counted when the window stands on its first word. The window never crosses the end
    of a sentence, so at the end of the text the table is that of `example.count_neighbours`.

    >>> window = LsaWindow(["The tea was hot.", "Hot tea!"], ["tea"], ["hot", "the"], centre=5)
    >>> window
    LsaWindow(centre=5, m=5, reading='tea')
    >>> window.answer()["neighbours"], window.answer()["counts"]
    (['hot'], [[2, 1]])
    """

    sentences = t.List(t.Unicode()).tag(sync=True)
    rows = t.List(t.Unicode()).tag(sync=True)
    columns = t.List(t.Unicode()).tag(sync=True)
    m = t.Int(example.M, min=1, max=5).tag(sync=True, choice=True)
    centre = t.Int(0, min=0).tag(sync=True, choice=True)
    reading = t.Unicode().tag(sync=True, choice=True)

    def __init__(self, sentences=None, rows=example.WORDS, columns=COLUMNS, **choices):
        sentences = corpora.zorf() if sentences is None else list(sentences)
        rows, columns = list(rows), list(columns)
        for words in (rows, columns):
            if len(set(words)) < len(words) or not words:
                raise ValueError(f"The words must differ, and be one or more, not {words}.")
        text = {word for sentence in sentences for word in counts.words(sentence)}
        if absent := [word for word in rows + columns if word not in text]:
            raise ValueError(f"The text never says {absent}: choose words that it has.")
        data = dict(sentences=sentences, rows=rows, columns=columns)
        super().__init__(**data, **{"reading": rows[0]} | choices)

    def windows(self) -> list[tuple]:
        """A list of pairs (word, list of its neighbours), in the order of the text."""
        each = (counts.windows(counts.words(sentence), self.m) for sentence in self.sentences)
        return list(chain.from_iterable(each))

    @t.validate("centre")
    def _is_a_position(self, proposal):
        total = sum(len(counts.words(sentence)) for sentence in self.sentences)
        if proposal["value"] >= total:
            raise t.TraitError(f"The centre must be below {total}, the number of words.")
        return proposal["value"]

    @t.validate("reading")
    def _is_a_row(self, proposal):
        if proposal["value"] not in self.rows:
            raise t.TraitError(f"The word must have a row: choose one of {self.rows}.")
        return proposal["value"]

    def answer(self) -> dict:
        windows = self.windows()
        seen = np.zeros((len(self.rows), len(self.columns)), dtype=int)
        for word, neighbours in islice(windows, self.centre + 1):
            pairs = [(word, n) for n in neighbours if word in self.rows and n in self.columns]
            changed = [[self.rows.index(word), self.columns.index(n)] for word, n in pairs]
            np.add.at(seen, tuple(np.array(changed, dtype=int).reshape(-1, 2).T), 1)
        word, neighbours = windows[self.centre]
        mine = self.rows.index(self.reading)
        cosines = cosine(seen, seen[mine]).round(6)  # equal up to rounding: the first counts
        cosines[mine] = 0
        nearest = int(cosines.argmax())
        met = bool(cosines[nearest] > 0)
        return {
            "counts": seen.tolist(),
            "changed": changed,
            "nearest": self.rows[nearest] if met else "no word yet",
            "cosine": float(cosines[nearest]) if met else None,
            "word": word,
            "neighbours": neighbours,
            "passed": self.centre + 1,
            "total": len(windows),
        }

    def fallback(self) -> str:
        whole = example.count_neighbours(self.sentences, self.rows, self.columns, self.m).tolist()
        rows = zip(self.rows, whole, strict=True)
        caption = f"How often each neighbour stands within {self.m} words in the same sentence"
        return table([[w, *row] for w, row in rows], ["word", *self.columns], caption)._repr_html_()
