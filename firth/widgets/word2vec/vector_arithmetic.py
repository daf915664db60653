"""Arithmetic with real vectors: a is to b as c is to whom?

The view draws the plane through the ends of the three vectors, which have length 1. It contains the
target b − a + c. The other words are projected onto it.
"""

import json
import re

import numpy as np
import traitlets as t

from firth.display import table
from firth.lsa import counts
from firth.lsa.similarity import unit
from firth.store import corpora, pretrained_vectors
from firth.store.results import DATA, stored_result
from firth.store.weights import dequantize
from firth.widgets.base import Widget
from firth.widgets.spelling import spelled_like
from firth.word2vec import analogies
from firth.word2vec.word_map import quantized_directions

FILE = DATA / "word2vec/glove.json"
FREQUENT = 5_000
EXAMPLES = (  # a, b, c, and what people would say; not all of them succeed
    ("man", "king", "woman", "queen"),
    ("paris", "france", "tokyo", "japan"),
    ("fast", "faster", "slow", "slower"),
    ("walk", "walked", "go", "went"),
    ("france", "wine", "germany", "beer"),
    ("bird", "fly", "fish", "swim"),
    ("pilot", "plane", "captain", "ship"),
)
SHOWN = 10
LONGEST = 40  # letters of a word
DIGITS, SMALL = 9, 1e-6


class Word2vecAnalogy(Widget):
    """How near to the target b − a + c is the answer of an analogy, and which words are nearer?

    a is to b as c is to the word with the largest cosine to b − a + c. Mostly, the three input
    words are left out of the answers.

    >>> asked = Word2vecAnalogy(a="man", b="king", c="woman")
    >>> asked
    Word2vecAnalogy(a='man', b='king', c='woman', exclude=True)
    >>> asked.answer()["best"][:3]
    ['queen', 'prince', 'daughter']
    >>> asked.exclude = False
    >>> asked.answer()["best"][:3]
    ['king', 'queen', 'prince']
    >>> asked.c = "womman"
    >>> asked.answer()["said"]
    '“womman” is not among the 5,475 words here. Spelled like it: woman, women, common.'
    """

    words = t.Unicode().tag(sync=True)  # with a blank between two
    vectors = t.Dict().tag(sync=True)  # as `quantized_directions` gives them
    examples = t.List(t.List(t.Unicode())).tag(sync=True)
    a = t.Unicode("man").tag(sync=True, choice=True)
    b = t.Unicode("king").tag(sync=True, choice=True)
    c = t.Unicode("woman").tag(sync=True, choice=True)
    exclude = t.Bool(True).tag(sync=True, choice=True)

    def __init__(self, words=None, X=None, examples=EXAMPLES, **choices):
        if words is None:
            stored = stored_result("word2vec/glove")
            names, vectors = stored["words"], stored["vectors"]
        else:
            names, X = " ".join(words), np.asarray(X, dtype=float)
            if len(names.split()) != len(words) or len({*words}) < len(words) or len(words) < 4:
                raise ValueError("Give four words or more, all different, with no blanks in them.")
            if len(words) != len(X):
                raise ValueError(f"{len(words)} words, {len(X)} vectors: give each word one row.")
            if not X.any(axis=1).all():
                raise ValueError("A vector of zeros has no direction: leave its word out.")
            vectors = quantized_directions(X)
        if wrong := [example for example in examples if len(example) != 4]:
            raise ValueError(f"An example has four words, a b c d, and this one not: {wrong[0]}.")
        examples = [list(example) for example in examples]
        super().__init__(words=names, vectors=vectors, examples=examples, **choices)

    @t.validate("a", "b", "c")
    def _is_short(self, proposal):
        if len(proposal["value"]) > LONGEST:
            raise t.TraitError(f"A word here has at most {LONGEST} letters.")
        return proposal["value"]

    def answer(self) -> dict:
        words = self.words.split(" ")
        asked = [word.strip().lower() for word in (self.a, self.b, self.c)]
        suggested = [[] if word in words else spelled_like(word, words) for word in asked]
        expected = next((d for *abc, d in self.examples if abc == asked), "")
        shown = {"suggested": suggested, "expected": expected, "rank": None}
        shown |= {"corners": [], "hoped": None}
        if any(suggested):
            said = [
                unknown_word_message(*pair, len(words))
                for pair in zip(asked, suggested, strict=True)
            ]
            empty = dict.fromkeys(("best", "cosines", "places"), [None] * SHOWN)
            return shown | empty | {"said": " ".join(dict.fromkeys(filter(None, said)))}
        X = dequantize(self.vectors)
        found, cosines = self.nearest(X, words, asked, self.exclude)
        drawn = found[:SHOWN] + [expected] * (expected in found)
        ends = unit(X[[words.index(word) for word in asked + drawn]])
        corners, places = project_on_plane(*ends[:3], ends[3:])
        if expected in found:
            shown |= {"rank": 1 + found.index(expected), "hoped": places.pop()}
        lists = {"best": found[:SHOWN], "cosines": cosines[:SHOWN].tolist(), "places": places}
        shown["corners"] = corners  # of a, b, c and the target
        filled = {name: (values + [None] * SHOWN)[:SHOWN] for name, values in lists.items()}
        said = "{} is to {} as {} is to {}.".format(*asked, found[0])
        return shown | filled | {"said": said}

    def nearest(self, X, words, asked, exclude: bool):
        """A list of all words that may be answers, nearest to b − a + c first, and their cosines.

        `asked` holds the words a, b and c. With `exclude`, they are no answers.
        """
        a, b, c = map(words.index, asked)
        found, cosines = analogies.analogy(X, a, b, c, len(X) - 3 * exclude, exclude)
        return [words[i] for i in found], cosines

    def fallback(self) -> str:
        words = self.words.split(" ")
        X, rows = dequantize(self.vectors), []
        for *asked, d in (four for four in self.examples if {*four[:3]} <= {*words}):
            best = [self.nearest(X, words, asked, exclude)[0][0] for exclude in (True, False)]
            rows.append(["{} : {} :: {}".format(*asked), d, *best])
        header = ["a : b :: c", "people say", "nearest, the three left out", "nearest of all"]
        return table(rows, header, "The word nearest to b − a + c")._repr_html_()


def project_on_plane(a, b, c, others) -> tuple[list, list]:
    """Two lists of points: a, b, c and the target b − a + c in their plane, and the others in it.

    The point of a is the origin, b lies on the first axis, and c above it.

    >>> x, y, z = np.eye(3)
    >>> project_on_plane(z, z + x, z + 2 * y, np.array([x + y]))
    ([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0], [1.0, 2.0]], [[1.0, 1.0]])
    """
    first = unit_or_zeros(b - a)
    second = unit_or_zeros(c - a - ((c - a) @ first) * first)
    axes = np.array([first, second]).T
    corners = (np.array([a, b, c, b - a + c]) - a) @ axes
    return corners.round(DIGITS).tolist(), ((others - a) @ axes).round(DIGITS).tolist()


def unit_or_zeros(x: np.ndarray) -> np.ndarray:
    """x scaled to norm 1, or zeros if x is 0 except for rounding errors."""
    length = np.linalg.norm(x)
    return x / length if length > SMALL else np.zeros_like(x)


def unknown_word_message(word: str, suggested: list[str], n: int) -> str:
    """A sentence for the reader about a word that has no vector, or "" for a word that has one.

    `suggested` holds words with a similar spelling, or nothing if the word is known.
    """
    if not word:
        return "Type a word into each of the three boxes."
    known = f"“{word}” is not among the {n:,} words here. Spelled like it: {', '.join(suggested)}."
    return known if suggested else ""


def glove_file_text() -> str:
    """The text of the stored file of GloVe vectors: for 5,000 frequent words and for our examples.

    The frequent words have only letters from a to z. The examples are the words of the analogies
    and of the passage. Of each vector only the direction is kept, in 8 bits an entry: its largest
    becomes ±127.
    """
    words, X = pretrained_vectors.glove()
    asked = {word for some in corpora.analogies().values() for four in some for word in four}
    asked |= {*counts.words(corpora.passage())}
    plain = [i for i, word in enumerate(words) if re.fullmatch("[a-z]+", word)]
    chosen = sorted({*plain[:FREQUENT]} | {i for i, word in enumerate(words) if word in asked})
    stored = {
        "words": " ".join(words[i] for i in chosen),
        "vectors": quantized_directions(X[chosen]),
    }
    return json.dumps(stored) + "\n"
