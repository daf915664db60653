"""Which words are near a word, and near a word that nobody has met before?

The vectors are rows of U √s of a table of the whole vocabulary: √s, because its similarities agree
better with people's ratings than those of U s. `firth/lsa/word_space.py` says how they are made.

Vectors of 15,000 words are too many for a notebook. It holds those that the first state needs. The
view asks for the others when the reader changes something, with a message {file, m, weighting}. A
page answers with the file of `site/_static/lsa/explorer/` that the message names, and a kernel with
the same content, which it computes from the corpus.
"""

import re

import numpy as np
import traitlets as t
from numpy import ndarray as Array

from firth.display import table
from firth.lsa import counts, lsa
from firth.lsa.similarity import cosine, nearest, unit
from firth.lsa.word_space import WEIGHTINGS, WINDOWS, K, neighbour_counts, word_space
from firth.store.results import stored_result
from firth.store.weights import dequantize
from firth.widgets.base import Widget
from firth.widgets.spelling import spelled_like

EXAMPLES = ("coffee", "london", "seven", "bank", "violin")
MODES = ("a word", "a new word")
SHOWN = 10
LONGEST, LONGEST_TEXT = 40, 2000  # characters
DIGITS = 9  # of a cosine: words that differ by rounding alone are equally near


class LsaExplorer(Widget):
    """What changes with the window, the weighting and the number of directions?

    >>> LsaExplorer().answer()["best"][:4]
    ['tobacco', 'fruits', 'vegetables', 'beef']
    >>> LsaExplorer("a new word").answer()["said"]
    'Nearest to zorf, apart from its neighbours: boiled, bread, wine.'
    """

    mode = t.Enum(MODES, MODES[0]).tag(sync=True)
    space = t.Dict().tag(sync=True)  # as `word_space` gives it, or the part of one for `only`
    examples = t.List(t.Unicode()).tag(sync=True)
    word = t.Unicode().tag(sync=True, choice=True)
    name = t.Unicode().tag(sync=True, choice=True)
    text = t.Unicode().tag(sync=True, choice=True)
    m = t.Enum(WINDOWS, 5).tag(sync=True, choice=True)
    weighting = t.Enum(WEIGHTINGS, "PPMI").tag(sync=True, choice=True)
    k = t.Int(K, min=2, max=K).tag(sync=True, choice=True)

    def __init__(self, mode: str = MODES[0], space: dict | None = None, **choices):
        if mode not in MODES:
            raise ValueError(f"The mode is one of {', '.join(MODES)}, not {mode!r}.")
        space = space or stored_result("lsa/explorer")["first"][mode]
        first = {"examples": list(EXAMPLES)} | space.get("only", {})
        super().__init__(mode=mode, space=space, **(first | choices))
        self.on_msg(self._send_space)

    @t.validate("word", "name", "text")
    def _is_short(self, proposal):
        longest = LONGEST_TEXT if proposal["trait"].name == "text" else LONGEST
        if len(proposal["value"]) > longest:
            raise t.TraitError(f"{proposal['trait'].name} has at most {longest} characters here.")
        return proposal["value"]

    def _send_space(self, _, content: dict, buffers: list) -> None:
        """Sends the view the space that it asks for: a message {file, content}, or {file, problem}.

        `content` has the keys file, m and weighting. While the space is computed, messages
        {file, says} tell the reader what is being done.
        """
        file, m, weighting = (content[name] for name in ("file", "m", "weighting"))
        try:
            space = word_space(m, weighting, lambda line: self.send({"file": file, "says": line}))
            self.send({"file": file, "content": space})
        except Exception as problem:  # whatever it is, the reader sees it beside the controls
            self.send({"file": file, "problem": str(problem)})

    def answer(self) -> dict:
        present = {name: self.space[name] for name in ("m", "weighting")}
        asked = self.state() | present | self.space.get("only", {})
        words = self.space["words"].split(" ")
        Z = dequantize(self.space["vectors"]).T[:, : asked["k"]]
        ask = self.near_word if self.mode == MODES[0] else self.near_new_word
        shown = {"suggested": [], "found": "", "others": 0} | ask(asked, words, Z)
        few = "word" if asked["m"] == 1 else "words"
        settings = "{weighting}, {m} {few} on each side, k = {k}".format(few=few, **asked)
        lists = ("best", "cosines", "met", "nearby", "times", "weights", "lengths")
        filled = {name: (shown.get(name, []) + [None] * SHOWN)[:SHOWN] for name in lists}
        return {"places": []} | shown | filled | {"settings": settings}

    def near_word(self, asked: dict, words: list[str], Z: Array) -> dict:
        """The part of `answer` for a word of the vocabulary: the dict of `shown_neighbours`.

        For a word that is not in it, a dict with the keys said and suggested. `asked` holds the
        reader's choices, and row i of Z is the vector of words[i].
        """
        word = asked["word"].strip().lower()
        if not word:
            return {"said": "Type a word."}
        if word not in words:
            suggested = spelled_like(word, words, 1) or spelled_like(word, words, 2)
            return {
                "said": unknown_word_message(word, suggested, len(words)),
                "suggested": suggested,
            }
        i = words.index(word)
        order = nearest(Z, Z[i], SHOWN + 1, rounded_cosine)
        return shown_neighbours(word, words, Z, Z[i], [j for j in order if j != i][:SHOWN], set())

    def near_new_word(self, asked: dict, words: list[str], Z: Array) -> dict:
        """The part of `answer` for a word that only the reader's sentences contain, as a dict.

        Its keys are those of `shown_neighbours` and, for the known neighbours from whose
        vectors the new word's vector is summed, nearby, times, weights, lengths and others.
        If there are none, its only key is said. `asked` holds the reader's choices, and row
        i of Z is the vector of words[i].
        """
        name = " ".join(counts.words(asked["name"])[:1])
        if not name:
            return {"said": "Type a new word into the first box."}
        sentences = re.split(r"[.!?\n]+", asked["text"])
        if not any(name in counts.words(sentence) for sentence in sentences):
            return {"said": f"No sentence contains “{name}”."}
        known = {word: i for i, word in enumerate(words)}
        times = neighbour_counts(sentences, name, known, asked["m"])
        if not times:
            return {"said": f"None of the neighbours of “{name}” is among the words here."}
        idf, ids = dequantize(self.space["idf"]), [known[word] for word in times]
        lengths = idf[ids] * [*times.values()]
        if not lengths.any():
            return {"said": f"Every word has met the neighbours of “{name}”: they say nothing."}
        x = lengths @ unit(Z[ids]) * self.space["signs"][: asked["k"]]
        longest = np.argsort(-lengths.round(DIGITS), kind="stable")[:SHOWN]
        arrows = {
            "nearby": [[*times][i] for i in longest],
            "times": [[*times.values()][i] for i in longest],
            "weights": [float(idf[ids[i]]) for i in longest],
            "lengths": [float(lengths[i]) for i in longest],
            "others": len(times) - len(longest),
        }
        order = nearest(Z, x, SHOWN, rounded_cosine)
        found = shown_neighbours(name, words, Z, x, list(order), {*times})
        others = [word for word in found["best"] if word not in times][:3]
        said = f"Nearest to {name}, apart from its neighbours: {', '.join(others)}."
        said = said if others else f"The words nearest to {name} are its own neighbours."
        return found | arrows | {"said": said}

    def fallback(self) -> str:
        found = self.answer()
        rows = zip(found["best"], found["cosines"], strict=True)
        rows = [row for row in rows if row[0]] or [["–", None]]
        caption = f"The words nearest to {found['found']}: {found['settings']}"
        return table(rows, ["word", "cosine"], caption)._repr_html_()


def rounded_cosine(X: Array, x: Array) -> Array:
    """An array with the cosine of each row of X with x, rounded to nine decimals.

    So words that differ only by rounding errors are equally near.
    """
    return cosine(X, x).round(DIGITS)


def unknown_word_message(word: str, suggested: list[str], n: int) -> str:
    """A sentence for the reader whose word is not among the n words of the list.

    `suggested` holds words with a similar spelling.

    >>> unknown_word_message("cofee", ["coffee"], 10_000)
    '“cofee” is not among the 10,000 most frequent words. Did you mean coffee?'
    """
    mean = f" Did you mean {' or '.join(suggested)}?" if suggested else ""
    return f"“{word}” is not among the {n:,} most frequent words.{mean}"


def shown_neighbours(word: str, words: list, Z: Array, x: Array, order: list, met: set) -> dict:
    """A dict of what is shown around x: said, found, best, cosines, met and places.

    x is the vector of `word`. `order` holds the indices of the nearest words, which are also
    their rows of Z, and `met` the words that were counted as neighbours.
    """
    cosines = rounded_cosine(Z[order], x)
    return {
        "said": f"The word nearest to {word} is {words[order[0]]}.",
        "found": word,
        "best": [words[i] for i in order],
        "cosines": cosines.tolist(),
        "met": [words[i] in met for i in order],
        "places": map_points(unit(Z[order]), unit(x), cosines).tolist(),
    }


def map_points(Z: Array, x: Array, cosines: Array) -> Array:
    """Points in a plane for the words around x, an array of shape (n, 2).

    A point's distance from the origin is the angle between its word's vector and x, in degrees.
    Words that deviate from x in similar ways lie on the same side: what x does not share with the
    rows of Z is centred, and the two strongest directions of its SVD give the side. `cosines` are
    those of the rows of Z with x.
    """
    rest = Z - cosines[:, None] * x
    U, s, _ = lsa.svd(rest - rest.mean(axis=0), 2)
    return np.degrees(np.arccos(cosines))[:, None] * unit(U * s)
