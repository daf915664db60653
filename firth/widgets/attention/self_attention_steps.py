"""Words of a sentence pull each other: self-attention with nothing learned, step after step."""

import numpy as np
import traitlets as t

from firth.attention.attention import attention, attention_weights
from firth.display import table
from firth.lsa.similarity import cosine, unit
from firth.widgets.base import Widget

VECTORS = {  # tech, fruitness, other
    "orange": (0, 3, 0),
    "phone": (4, 0, 0),
    "apple": (2, 2, 0),
    "and": (0, 0, 2),
    "an": (0, 0, 3),
    "please": (0, 0, 1),  # from here on chosen for this view: all of it on the third axis
    "buy": (0, 0, 1),
    "unveiled": (0, 0, 2),
    "the": (0, 0, 3),
    "new": (0, 0, 1),
}
SENTENCES = (
    "please buy an apple and an orange",
    "apple unveiled the new phone",
    "an apple and an orange",
    "an apple phone",
)
COUNTED = ("content", "once", "all")
LONGEST = 7  # words of a sentence
LOW, HIGH = 0, 4  # the reach of apple on both axes of the plane
MOST = 20  # steps
TOGETHER = 0.01  # of the first spread: what counts as one point


class AttentionGravity(Widget):
    """Which way does apple move in each sentence, how far, and what is left after twenty steps?

    A score is the cosine of two words; a step replaces every word by the mixture of all words,
    weighted by softmax(scores). Nothing is learned, and a word does not know its place.

    >>> gravity = AttentionGravity(sentence="an apple phone")
    >>> gravity.answer()["words"][:2], np.round(gravity.answer()["weights"][0][:2], 2)
    (['apple', 'phone'], array([0.57, 0.43]))
    >>> np.round(gravity.answer()["after"], 2)
    array([2.85, 1.15, 0.  ])
    """

    vectors = t.Dict().tag(sync=True)
    sentences = t.List(t.Unicode()).tag(sync=True)
    sentence = t.Unicode().tag(sync=True, choice=True)
    counted = t.Enum(COUNTED, "content").tag(sync=True, choice=True)
    apple = t.List(t.Float(), minlen=2, maxlen=2).tag(sync=True, choice=True)
    steps = t.Int(1, min=0, max=MOST).tag(sync=True, choice=True)

    def __init__(self, vectors=VECTORS, sentences=SENTENCES, **choices):
        vectors = {word: list(map(float, vector)) for word, vector in vectors.items()}
        first = {"sentence": sentences[0], "apple": vectors["apple"][:2]}
        super().__init__(vectors=vectors, sentences=list(sentences), **first | choices)

    @t.validate("sentence")
    def _is_a_sentence(self, proposal):
        if proposal["value"] not in self.sentences:
            raise t.TraitError(f"This view has {len(self.sentences)} sentences: see SENTENCES.")
        return proposal["value"]

    @t.validate("apple")
    def _is_in_the_plane(self, proposal):
        if not all(LOW <= value <= HIGH for value in proposal["value"]):
            raise t.TraitError(f"The word apple must stay between {LOW} and {HIGH} on both axes.")
        return proposal["value"]

    def words(self) -> list[str]:
        """The words that count, in the order in which they are said."""
        said = self.sentence.split()
        if self.counted == "content":
            said = [word for word in said if any(self.vectors[word][:2])]
        return said if self.counted == "all" else list(dict.fromkeys(said))

    def answer(self) -> dict:
        words = self.words()
        X = np.array([self.vectors[word] for word in words], dtype=float)
        me = words.index("apple")
        X[me] = [*self.apple, 0.0]
        path = [X]
        for _ in range(MOST):
            path.append(pulled(path[-1]))
        now, before = path[self.steps], path[max(self.steps, 1) - 1]
        spreads = [spread(X) for X in path]
        near = [n for n, wide in enumerate(spreads) if wide <= TOGETHER * spreads[0]]
        others = {name: np.array(self.vectors[name]) for name in ("orange", "phone")}
        padded = [[None] * LONGEST for _ in range(LONGEST)]
        for row, weights in zip(padded, looks(before), strict=False):
            row[: len(words)] = weights.tolist()
        return {
            "words": words + [""] * (LONGEST - len(words)),
            "at": max(self.steps, 1),
            "weights": padded,
            "path": [X.tolist() for X in path[: self.steps + 1]],
            "after": now[me].tolist(),
            "moved": float(np.linalg.norm(now[me] - X[me])),
            "likeness": {
                name: [float(cosine(Z[me], other)) for Z in (X, now)]
                for name, other in others.items()
            },
            "spread": [spreads[0], spreads[self.steps], spreads[-1]],
            "together": near[0] if near else None,
            "end": path[-1][me].tolist(),
        }

    def fallback(self) -> str:
        rows = []
        for sentence in self.sentences:
            view = type(self).restored(self.state() | {"sentence": sentence, "steps": 1})
            shown = view.answer()
            rows.append([sentence, *shown["after"], shown["moved"], shown["together"]])
            view.close()
        header = ["sentence", "tech", "fruitness", "other", "moved", "one point after step"]
        caption = "Where the word apple stands after one step of the pull, in each sentence"
        return table(rows, header, caption)._repr_html_()


def looks(X: np.ndarray) -> np.ndarray:
    """How much of itself and of each other word a word is made of after a step.

    >>> looks(np.array([[2.0, 2.0], [0.0, 3.0]]))
    array([[0.57, 0.43],
           [0.43, 0.57]])
    """
    return attention_weights(unit(X), unit(X), scale=1.0)


def pulled(X: np.ndarray) -> np.ndarray:
    """Every word becomes the mixture of all, by the softmax of their cosines.

    >>> pulled(np.array([[2.0, 2.0], [0.0, 3.0]]))
    array([[1.15, 2.43],
           [0.85, 2.57]])
    """
    return attention(unit(X), unit(X), X, scale=1.0)


def spread(X: np.ndarray) -> float:
    """How far apart the two words are that are farthest apart."""
    return float(np.linalg.norm(X[:, None] - X, axis=-1).max())
