"""A new word's row of counts after each of its sentences, and its cosine with known words."""

import numpy as np
import traitlets as t
from jaxtyping import Int

from firth.display import table
from firth.lsa import counts, example
from firth.lsa.similarity import cosine
from firth.store import corpora
from firth.widgets.base import Widget


class LsaFirstSentences(Widget):
    """How many sentences does a table of counts need, until a new word is like a known one?

    `rows` are the known words' counts in the whole text; the new word has only the first
    `reading` of its own sentences.

    >>> view = LsaFirstSentences(reading=1)
    >>> view
    LsaFirstSentences(reading=1)
    >>> view.answer()["counts"], [round(c, 2) for c in view.answer()["cosines"]]
    ([1, 1, 0, 0, 0, 0], [0.69, 0.0, 0.0, 0.19])
    """

    word = t.Unicode().tag(sync=True)
    sentences = t.List(t.Unicode()).tag(sync=True)
    columns = t.List(t.Unicode()).tag(sync=True)
    known = t.List(t.Unicode()).tag(sync=True)
    rows = t.List(t.List(t.Int())).tag(sync=True)
    m = t.Int(example.M, min=1).tag(sync=True)
    reading = t.Int(0, min=0).tag(sync=True, choice=True)

    def __init__(self, sentences=None, word=example.WORDS[0], known=example.WORDS[1:], **given):
        text = corpora.zorf() if sentences is None else list(sentences)
        own = [sentence for sentence in text if word in counts.words(sentence)]
        if not own:
            raise ValueError(f"No sentence has the word {word!r}.")
        columns = list(given.pop("columns", example.NEIGHBOURS))
        rows = example.count_neighbours(text, list(known), columns, given.get("m", example.M))
        data = dict(word=word, known=list(known), columns=columns, rows=rows.tolist())
        super().__init__(sentences=own, **data, **given)

    @t.validate("reading")
    def _is_a_sentence(self, proposal):
        if proposal["value"] > len(self.sentences):
            raise t.TraitError(f"There are {len(self.sentences)} sentences with {self.word!r}.")
        return proposal["value"]

    def answer(self) -> dict:
        read = self.sentences[: self.reading]
        [row], [met] = self.count(read), self.count(read[-1:])
        return {
            "counts": row.tolist(),
            "met": [word for word, times in zip(self.columns, met, strict=True) if times],
            "cosines": self.cosines(row),
            "number": max(1, self.reading),
            "total": len(self.sentences),
        }

    def count(self, sentences: list[str]) -> Int[np.ndarray, "1 _"]:
        """The counts of the new word's neighbours in these sentences, as an array with one row."""
        return example.count_neighbours(sentences, [self.word], self.columns, self.m)

    def cosines(self, row) -> list[float]:
        """A list with the cosine between `row`, a row of counts, and the row of each known word."""
        return [float(cosine(np.array(known), row)) for known in self.rows]

    def fallback(self) -> str:
        rows = []
        for n, sentence in enumerate(self.sentences, start=1):
            [row] = self.count(self.sentences[:n])
            rows.append([sentence, *self.cosines(row)])
        caption = f"Cosine of {self.word} with known words after each sentence"
        return table(rows, ["sentence", *self.known], caption)._repr_html_()
