"""A map of the course's own word vectors: which words are near a word, and where are they?

The map holds the 5,000 most frequent words of the corpus. `firth/word2vec/word_map.py` says how
their vectors and places are made. A notebook holds the words, the places and the vectors of one
word and its ten nearest. The view asks for all vectors when the reader chooses another word, with a
message {file}. A page answers with the file of `site/_static/word2vec/map/` that the message names,
and a kernel with the same content, for which it trains the vectors on the corpus.
"""

import numpy as np
import traitlets as t

from firth.display import table
from firth.lsa.similarity import cosine, nearest
from firth.store.results import stored_result
from firth.store.weights import dequantize
from firth.widgets.base import Widget
from firth.widgets.spelling import spelled_like
from firth.word2vec import word_map

EXAMPLES = ("sea", "star", "pilot", "red", "bank", "seven")
FIRST = "ship"
SHOWN = 10
LONGEST = 40  # letters of a word
DIGITS = 9  # of a cosine: words that differ by rounding alone are equally near


class Word2vecMap(Widget):
    """Which ten words are nearest to a word, in all numbers of the vectors and on the map?

    >>> shown = Word2vecMap()
    >>> shown
    Word2vecMap(word='ship', zoom=False)
    >>> shown.answer()["said"]
    'The word nearest to ship is ships.'
    """

    words = t.Unicode().tag(sync=True)  # most frequent first, with a blank between two
    places = t.List(t.Int()).tag(sync=True)  # x and y of each word in turn
    space = t.Dict().tag(sync=True)  # all vectors, or with the key rows those of a few words
    examples = t.List(t.Unicode()).tag(sync=True)
    word = t.Unicode(FIRST).tag(sync=True, choice=True)
    zoom = t.Bool(False).tag(sync=True, choice=True)

    def __init__(self, words=None, places=None, space=None, examples=EXAMPLES, **choices):
        if words is None:
            stored = stored_result("word2vec/map")
            words, places = word_map.frequent_words(), stored["places"]
            space = space or stored["first"]
        if len(places) != 2 * len(words):
            raise ValueError(f"{len(words)} words have {2 * len(words)} numbers for their places.")
        rows = space.get("rows", range(len(words)))
        if len(rows) != space["vectors"]["shape"][0] or len(rows) < 2:
            raise ValueError("Give two words or more, and one vector for each of them.")
        examples = [word for word in examples if word in words]
        data = dict(words=" ".join(words), places=places, space=space, examples=examples)
        super().__init__(**data, **choices)
        self.on_msg(self._send_vectors)

    @t.validate("word")
    def _is_short(self, proposal):
        if len(proposal["value"]) > LONGEST:
            raise t.TraitError(f"A word here has at most {LONGEST} letters.")
        return proposal["value"]

    def _send_vectors(self, _, content: dict, buffers: list) -> None:
        """Sends the view all vectors: a message {file, content}, or {file, problem}.

        While the vectors are trained, messages {file, says} tell the reader what is being done.
        """
        file = content["file"]
        try:
            _, V = word_map.trained_vectors(lambda line: self.send({"file": file, "says": line}))
            self.send({"file": file, "content": word_map.vectors_for_the_page(V)})
        except Exception as problem:  # whatever it is, the reader sees it beside the controls
            self.send({"file": file, "problem": str(problem)})

    def answer(self) -> dict:
        words = self.words.split(" ")
        rows = self.space.get("rows", range(len(words)))
        few = "rows" in self.space
        word = words[rows[0]] if few else self.word.strip().lower()
        if word not in words:
            suggested = spelled_like(word, words, 1) or spelled_like(word, words, 2) if word else []
            nothing = [None] * SHOWN
            empty = {"found": "", "best": nothing, "cosines": nothing, "ids": []}
            return empty | {
                "said": unknown_word_message(word, suggested, len(words)),
                "suggested": suggested,
            }
        X = dequantize(self.space["vectors"])
        i = 0 if few else words.index(word)
        order = [j for j in nearest(X, X[i], SHOWN + 1, rounded_cosine) if j != i][:SHOWN]
        best = [words[rows[j]] for j in order]
        cosines = rounded_cosine(X[order], X[i]).tolist()
        empty = [None] * (SHOWN - len(order))
        return {
            "found": word,
            "best": best + empty,
            "cosines": cosines + empty,
            "ids": [int(rows[j]) for j in [i, *order]],  # the word and its nearest on the map
            "said": f"The word nearest to {word} is {best[0]}.",
            "suggested": [],
        }

    def fallback(self) -> str:
        found = self.answer()
        rows = [row for row in zip(found["best"], found["cosines"], strict=True) if row[0]]
        caption = f"The words nearest to {found['found']}" if rows else found["said"]
        return table(rows or [["–", None]], ["word", "cosine"], caption)._repr_html_()


def rounded_cosine(X: np.ndarray, x: np.ndarray) -> np.ndarray:
    """An array with the cosine of each row of X with x, rounded to nine decimals.

    So words that differ only by rounding errors are equally near.
    """
    return cosine(X, x).round(DIGITS)


def unknown_word_message(word: str, suggested: list[str], n: int) -> str:
    """A sentence for the reader whose word is not among the n words of the map.

    `suggested` holds words with a similar spelling.

    >>> unknown_word_message("shpi", ["ship"], 5_000)
    '“shpi” is not among the 5,000 words of this map. Did you mean ship?'
    """
    if not word:
        return "Type a word."
    mean = f" Did you mean {' or '.join(suggested)}?" if suggested else ""
    return f"“{word}” is not among the {n:,} words of this map.{mean}"
