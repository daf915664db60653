"""A window moves over a text, and a table of who is seen with whom fills behind it."""

from itertools import islice

import numpy as np
import traitlets as t

from firth.display import table
from firth.lsa import counts
from firth.store import corpora
from firth.widgets.base import Widget

CHOSEN = (  # red and white, cold and thin, pilot and captain: each pair keeps like company
    *("red", "white", "star", "cold", "thin", "light"),
    *("gave", "sea", "pilot", "captain", "watched", "spoke"),
)


class LsaWindow(Widget):
    """What is the company, and how is it kept? Move the window and watch the counts.

    A pair is counted when the window stands on its first word, so the table becomes symmetric,
    and equal to `counts.cooccurrence`, when the window has reached the end of the text.

    >>> window = LsaWindow("A red star, a white star", chosen=["red", "star"], m=1, centre=2)
    >>> window
    LsaWindow(centre=2, m=1, reading='red')
    >>> window.answer()["neighbours"], window.answer()["counts"]
    (['red', 'a'], [[0, 1], [1, 0]])
    """

    text = t.Unicode().tag(sync=True)
    words = t.List(t.Unicode()).tag(sync=True)
    chosen = t.List(t.Unicode()).tag(sync=True)
    m = t.Int(2, min=1, max=5).tag(sync=True, choice=True)
    centre = t.Int(0, min=0).tag(sync=True, choice=True)
    reading = t.Unicode().tag(sync=True, choice=True)

    def __init__(self, text: str | None = None, chosen=CHOSEN, **choices):
        text = corpora.passage() if text is None else text
        words, chosen = counts.words(text), list(chosen)
        if len(set(chosen)) < len(chosen) or not chosen:
            raise ValueError(f"The chosen words must differ, and be one or more, not {chosen}.")
        if absent := [word for word in chosen if word not in words]:
            raise ValueError(f"The text never says {absent}: choose words that it has.")
        choices = {"reading": chosen[0]} | choices
        super().__init__(text=text, words=words, chosen=chosen, **choices)

    @t.validate("centre")
    def _is_a_place(self, proposal):
        if proposal["value"] >= len(self.words):
            raise t.TraitError(f"The centre must be below {len(self.words)}, the number of words.")
        return proposal["value"]

    @t.validate("reading")
    def _is_chosen(self, proposal):
        if proposal["value"] not in self.chosen:
            raise t.TraitError(f"The word read out must be one of the chosen: {self.chosen}.")
        return proposal["value"]

    def answer(self) -> dict:
        ids = counts.word_ids(self.words, self.chosen).tolist()
        seen = np.zeros((len(self.chosen), len(self.chosen)), dtype=int)
        for centre, company in islice(counts.windows(ids, self.m), self.centre + 1):
            changed = [[centre, other] for other in company if min(centre, other) >= 0]
            np.add.at(seen, tuple(np.array(changed, dtype=int).reshape(-1, 2).T), 1)
        row = seen[self.chosen.index(self.reading)]
        kept = [j for j in np.argsort(-row, kind="stable") if row[j]]
        word, neighbours = next(islice(counts.windows(self.words, self.m), self.centre, None))
        return {
            "counts": seen.tolist(),
            "changed": changed,
            "company": ", ".join(f"{self.chosen[j]} {row[j]}" for j in kept) or "no one yet",
            "word": word,
            "neighbours": neighbours,
            "passed": self.centre + 1,
            "total": len(self.words),
        }

    def fallback(self) -> str:
        ids = counts.word_ids(self.words, self.chosen)
        whole = counts.cooccurrence(ids, len(self.chosen), self.m).toarray().tolist()
        rows = zip(self.chosen, whole, strict=True)
        caption = f"How often two words stand within {self.m} places of each other in the passage"
        return table([[w, *row] for w, row in rows], ["word", *self.chosen], caption)._repr_html_()
