"""Self-attention without matrices: the words of two sentences pull each other, step after step."""

import numpy as np
import traitlets as t

from firth.attention.attention import attention, attention_weights
from firth.display import table
from firth.lsa.similarity import cosine, unit
from firth.widgets.base import Widget

VECTORS = {  # tech, fruit, neither
    "orange": (0, 3, 0),
    "phone": (4, 0, 0),
    "apple": (2, 2, 0),
    "and": (0, 0, 2),
    "an": (0, 0, 3),
    "please": (0, 0, 1),
    "buy": (0, 0, 1),
    "unveiled": (0, 0, 2),
    "the": (0, 0, 3),
    "new": (0, 0, 1),
    "banana": (0, 1, 0),
    "strawberry": (0, 2, 0),
    "lemon": (0, 3, 0),
}
SENTENCES = (  # each with the word that apple is compared with; the first is always shown
    ("please buy an apple and an orange", "orange"),
    ("apple unveiled the new phone", "phone"),
    ("apple banana strawberry lemon", "lemon"),
)
WORDS = ("content", "all")
LONGEST = 7  # words of a sentence
LOW, HIGH = 0, 4  # the limits of apple on both axes
MOST = 20  # steps
ONE_POINT = 0.01  # of the largest distance at the start: less than this counts as one point


class AttentionGravity(Widget):
    """Which way does self-attention move *apple* in each of two sentences, and how far?

    A score is the cosine of two words. A step replaces the vector of each word by the mean of all
    vectors with the weights softmax(scores). Nothing is learned, and the order does not matter.

    >>> left, right = (AttentionGravity().answer()[side] for side in ("left", "right"))
    >>> left["words"][:2], np.round(left["weights"][:2], 2)
    (['apple', 'orange'], array([0.57, 0.43]))
    >>> np.round([left["after"], right["after"]], 2)
    array([[1.15, 2.43, 0.  ],
           [2.85, 1.15, 0.  ]])
    """

    vectors = t.Dict().tag(sync=True)
    sentences = t.List(t.List(t.Unicode())).tag(sync=True)
    beside = t.Unicode().tag(sync=True, choice=True)  # the sentence on the right
    counted = t.Enum(WORDS, "content").tag(sync=True, choice=True)
    apple = t.List(t.Float(), minlen=2, maxlen=2).tag(sync=True, choice=True)
    steps = t.Int(1, min=0, max=MOST).tag(sync=True, choice=True)

    def __init__(self, vectors=VECTORS, sentences=SENTENCES, **choices):
        vectors = {word: list(map(float, vector)) for word, vector in vectors.items()}
        first = {"beside": sentences[1][0], "apple": vectors["apple"][:2]}
        sentences = list(map(list, sentences))
        super().__init__(vectors=vectors, sentences=sentences, **first | choices)

    @t.validate("beside")
    def _is_a_sentence(self, proposal):
        others = [sentence for sentence, _ in self.sentences[1:]]
        if proposal["value"] not in others:
            raise t.TraitError(f"On the right this view has {len(others)} sentences: {others}.")
        return proposal["value"]

    @t.validate("apple")
    def _is_in_the_plane(self, proposal):
        if not all(LOW <= value <= HIGH for value in proposal["value"]):
            raise t.TraitError(f"The word apple must stay between {LOW} and {HIGH} on both axes.")
        return proposal["value"]

    def words(self, sentence: str) -> list[str]:
        """The words of a sentence that take part; content words have some tech or some fruit."""
        words = sentence.split()
        return [word for word in words if self.counted == "all" or any(self.vectors[word][:2])]

    def side(self, sentence: str) -> dict:
        """What the view shows of one sentence, as a dict of words, vectors and numbers."""
        words = self.words(sentence)
        X = np.array([self.vectors[word] for word in words], dtype=float)
        me, partner = words.index("apple"), words.index(dict(self.sentences)[sentence])
        X[me] = [*self.apple, 0.0]
        path = [X]
        for _ in range(MOST):
            path.append(self_attention_step(path[-1]))
        now, before = path[self.steps], path[max(self.steps, 1) - 1]
        distances = [largest_distance(X) for X in path]
        near = [n for n, distance in enumerate(distances) if distance <= ONE_POINT * distances[0]]
        total = now[me].sum()
        padding = LONGEST - len(words)
        return {
            "words": words + [""] * padding,
            "partner": words[partner],
            "weights": cosine_weights(before)[me].tolist() + [None] * padding,
            "path": [X.tolist() for X in path[: self.steps + 1]],
            "after": now[me].tolist(),
            "neither": float(100 * now[me][2] / total) if total else 0.0,
            "cosines": [float(cosine(Z[me], Z[partner])) for Z in (X, now)],
            "distances": [distances[0], distances[self.steps]],
            "one_point": near[0] if near else None,
        }

    def answer(self) -> dict:
        left, right = self.side(self.sentences[0][0]), self.side(self.beside)
        tech, fruit, _ = left["after"]
        met = self.counted == "content" and self.steps == 1 and tech > fruit
        return {"left": left, "right": right, "at": max(self.steps, 1), "met": bool(met)}

    def fallback(self) -> str:
        rows = []
        for sentence, _ in self.sentences:
            shown = self.side(sentence)
            rows.append([sentence, *shown["after"], shown["partner"], *shown["cosines"]])
        header = ["sentence", "tech", "fruit", "neither", "compared with", "cosine before", "after"]
        caption = f"The word apple after {self.steps} step of self-attention, in each sentence"
        return table(rows, header, caption)._repr_html_()


def cosine_weights(X: np.ndarray) -> np.ndarray:
    """The attention weights softmax(cosines), with a row for each word.

    >>> cosine_weights(np.array([[2.0, 2.0], [0.0, 3.0]]))
    array([[0.57, 0.43],
           [0.43, 0.57]])
    """
    return attention_weights(unit(X), unit(X), scale=1.0)


def self_attention_step(X: np.ndarray) -> np.ndarray:
    """The new vectors of all words: means of the old vectors with the weights softmax(cosines).

    >>> self_attention_step(np.array([[2.0, 2.0], [0.0, 3.0]]))
    array([[1.15, 2.43],
           [0.85, 2.57]])
    """
    return attention(unit(X), unit(X), X, scale=1.0)


def largest_distance(X: np.ndarray) -> float:
    """The distance of the two words that are farthest apart."""
    return float(np.linalg.norm(X[:, None] - X, axis=-1).max())
