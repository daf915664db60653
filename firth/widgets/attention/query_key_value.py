"""Queries, keys and values in the plane: three matrices, and what they make four words see."""

import numpy as np
import traitlets as t

from firth.attention.attention import attention_weights, projected
from firth.display import table
from firth.widgets.base import Widget

WORDS = {"dog": (1, -1), "dogs": (1, 1), "bark": (-1, 1), "barks": (-1, -1)}
AXES = ("noun 1, verb −1", "plural 1, singular −1")
LOW, HIGH = -2, 2  # the reach of a number in a matrix
SURE, HALF = 0.8, 0.45  # weights on the partner that count as enough, with two matrices and one
I = (1, 0, 0, 1)  # noqa: E741 — the identity has no other name; rows first, as all matrices here
PRESETS = {
    "1 Ask for a word like me": dict(W_Q=I, W_K=I, W_V=I),
    "2 The same, sharper": dict(W_Q=(2, 0, 0, 2), W_K=(2, 0, 0, 2), W_V=I),
    "3 Ask for my number": dict(W_Q=(0, 0, 0, 2), W_K=I, W_V=I),
    "4 Ask for the other kind": dict(W_Q=(-2, 0, 0, 0), W_K=I, W_V=I),
}
QUESTIONS = (
    ("Can you give every word 0.8 of its attention to its partner, dog to barks?", "partner"),
    ("How far do you get with W_Q = W_K? Can every partner have 0.45?", "one matrix"),
)


def Matrix():
    """Four numbers, the first row first: W x, and as PyTorch has it, X Wᵀ."""
    return t.List(t.Float(), minlen=4, maxlen=4).tag(sync=True, choice=True)


class AttentionLab(Widget):
    """Which matrices let every verb attend to its subject, and every noun to its verb?

    W_Q makes the query of a word, W_K its key and W_V its value.

    >>> lab = AttentionLab(W_Q=[-2, 0, 0, 2])
    >>> lab.answer()["attends_to"]
    ['barks', 'bark', 'dogs', 'dog']
    >>> AttentionLab().answer()["attends_to"]  # with the identity, every word attends to itself
    ['dog', 'dogs', 'bark', 'barks']
    """

    words = t.Dict().tag(sync=True)
    axes = t.List(t.Unicode()).tag(sync=True)
    presets = t.Dict().tag(sync=True)
    questions = t.List(t.List(t.Unicode())).tag(sync=True)
    W_Q = Matrix()
    W_K = Matrix()
    W_V = Matrix()
    scaled = t.Enum(("scaled", "plain"), "scaled").tag(sync=True, choice=True)
    asking = t.Unicode().tag(sync=True, choice=True)  # the word whose weights are drawn
    question = t.Int(0, min=0).tag(sync=True, choice=True)

    def __init__(self, words=WORDS, axes=AXES, presets=PRESETS, questions=QUESTIONS, **choices):
        floats = lambda numbers: list(map(float, numbers))  # noqa: E731
        data = {
            "words": {word: floats(vector) for word, vector in words.items()},
            "presets": {
                name: {trait: floats(numbers) for trait, numbers in preset.items()}
                for name, preset in presets.items()
            },
        }
        first = {"asking": next(iter(data["words"]))} | next(iter(data["presets"].values()))
        questions = list(map(list, questions))
        super().__init__(axes=list(axes), questions=questions, **data, **first | choices)

    @t.validate("W_Q", "W_K", "W_V")
    def _is_within_reach(self, proposal):
        if not all(LOW <= value <= HIGH for value in proposal["value"]):
            raise t.TraitError(f"A number of a matrix must lie between {LOW} and {HIGH}.")
        return proposal["value"]

    @t.validate("asking")
    def _is_a_word(self, proposal):
        if proposal["value"] not in self.words:
            raise t.TraitError(f"The words of this view are {', '.join(self.words)}.")
        return proposal["value"]

    @t.validate("question")
    def _is_a_question(self, proposal):
        if proposal["value"] >= len(self.questions):
            raise t.TraitError(f"There are {len(self.questions)} questions, counted from 0.")
        return proposal["value"]

    def answer(self) -> dict:
        X = np.array(list(self.words.values()), dtype=float)
        matrices = [np.reshape(W, (2, 2)) for W in (self.W_Q, self.W_K, self.W_V)]
        Q, K, V = (projected(X, W) for W in matrices)
        scale = 2**-0.5 if self.scaled == "scaled" else 1.0
        A = attention_weights(Q, K, scale=scale)
        Y = A @ V
        names = list(self.words)
        ask, goal = self.questions[self.question]
        met = GOALS[goal](np.diag(A[:, ::-1]).min(), self.W_Q == self.W_K)
        return {
            "Q": Q.tolist(),
            "K": K.tolist(),
            "V": V.tolist(),
            "scores": (scale * Q @ K.T).tolist(),
            "weights": A.tolist(),
            "outputs": Y.tolist(),
            "attends_to": [words_with_largest_weight(row, names) for row in A],
            "product": (matrices[0].T @ matrices[1]).ravel().tolist(),
            "ask": ask,
            "met": bool(met),
        }

    def fallback(self) -> str:
        shown = self.answer()
        rows = [
            [word, *weights, attends_to]
            for word, weights, attends_to in zip(
                self.words, shown["weights"], shown["attends_to"], strict=True
            )
        ]
        header = ["word", *self.words, "attends to"]
        return table(rows, header, "Attention weights of each word")._repr_html_()


def words_with_largest_weight(weights, names: list[str]) -> str:
    """The word that has the largest weight, or all that share it.

    >>> words_with_largest_weight(np.array([0.4, 0.4, 0.2]), ["an", "apple", "phone"])
    'an, apple'
    """
    best = [name for name, a in zip(names, weights, strict=True) if a > weights.max() - 1e-6]
    return "all alike" if len(best) == len(names) else ", ".join(best)


# Whether each question is answered, from the smallest weight on a partner and W_Q = W_K.
GOALS = {
    "partner": lambda least, equal: least >= SURE,
    "one matrix": lambda least, equal: equal and least >= HALF,
}
