"""Queries, keys and values in the plane: three matrices, and what they make four words see."""

import numpy as np
import traitlets as t

from firth.attention.attention import attention_weights, projected
from firth.display import table
from firth.widgets.base import Widget

WORDS = {"dog": (1, -1), "dogs": (1, 1), "bark": (-1, 1), "barks": (-1, -1)}
AXES = ("noun 1, verb −1", "plural 1, singular −1")
LOW, HIGH = -2, 2  # the reach of a number in a matrix
SURE = 0.8  # a weight that is a look
I = (1, 0, 0, 1)  # noqa: E741 — the identity has no other name; rows first, as all matrices here
PRESETS = {
    "Identity": dict(W_Q=I, W_K=I, W_V=I),
    "Rotate both": dict(W_Q=(0, -1, 1, 0), W_K=(0, -1, 1, 0), W_V=I),
    "Rotate queries": dict(W_Q=(0, -1, 1, 0), W_K=I, W_V=I),
    "Stretch": dict(W_Q=(2, 0, 0, 2), W_K=I, W_V=I),
    "Shear": dict(W_Q=(1, 1, 0, 1), W_K=I, W_V=I),
    "Project": dict(W_Q=(0, 0, 0, 2), W_K=(0, 0, 0, 1), W_V=I),
    "Keys ignore what queries ask": dict(W_Q=(1, 0, 0, 0), W_K=(0, 0, 0, 1), W_V=I),
    "Look at the other one": dict(W_Q=(-2, 0, 0, 2), W_K=I, W_V=(0, 0, 0, 1)),
}
QUESTIONS = (
    ("Which matrices make every word look at another word than itself?", "other"),
    ("Can you make each word give 0.8 to the other word of its number: dog to barks?", "partner"),
    ("Can you change W_Q and W_K and leave every weight as the identity has it?", "same"),
    ("Can you make all weights alike, with neither W_Q nor W_K nothing but zeros?", "even"),
    ("Can you send all words to one place, though the weights are those of the identity?", "place"),
)


def Matrix():
    """Four numbers, the first row first: W x, and as PyTorch has it, X Wᵀ."""
    return t.List(t.Float(), minlen=4, maxlen=4).tag(sync=True, choice=True)


class AttentionLab(Widget):
    """Which matrices make every word look at another word than itself?

    W_Q turns a word into what it asks, W_K into what it is found by, W_V into what it then says.

    >>> lab = AttentionLab(**PRESETS["Look at the other one"])
    >>> lab.answer()["looks"]
    ['barks', 'bark', 'dogs', 'dog']
    >>> AttentionLab().answer()["looks"]  # the identity: everyone at itself
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
    asking = t.Unicode().tag(sync=True, choice=True)  # the word whose looks are drawn
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
        usual = attention_weights(X, X, scale=scale)
        met = GOALS[goal](A, usual, Y, self.W_Q, self.W_K)
        return {
            "Q": Q.tolist(),
            "K": K.tolist(),
            "V": V.tolist(),
            "scores": (scale * Q @ K.T).tolist(),
            "weights": A.tolist(),
            "outputs": Y.tolist(),
            "looks": [looked_at(row, names) for row in A],
            "product": (matrices[0].T @ matrices[1]).ravel().tolist(),
            "ask": ask,
            "met": bool(met),
        }

    def fallback(self) -> str:
        shown = self.answer()
        rows = [
            [word, *weights, looks]
            for word, weights, looks in zip(
                self.words, shown["weights"], shown["looks"], strict=True
            )
        ]
        header = ["word", *self.words, "looks at"]
        return table(rows, header, "How much each word looks at each")._repr_html_()


def looked_at(weights, names: list[str]) -> str:
    """The word that has the largest weight, or all that share it.

    >>> looked_at(np.array([0.4, 0.4, 0.2]), ["an", "apple", "phone"])
    'an, apple'
    """
    best = [name for name, a in zip(names, weights, strict=True) if a > weights.max() - 1e-6]
    return "all alike" if len(best) == len(names) else ", ".join(best)


# What each question asks of the weights, of those of the identity, of the outputs and matrices.
GOALS = {
    "other": lambda A, usual, Y, W_Q, W_K: all(
        np.delete(row, i).max() > row[i] + 1e-6 for i, row in enumerate(A)
    ),
    "partner": lambda A, usual, Y, W_Q, W_K: min(np.diag(A[:, ::-1])) >= SURE,
    "same": lambda A, usual, Y, W_Q, W_K: (
        W_Q != list(I) and W_K != list(I) and abs(A - usual).max() < 0.005
    ),
    "even": lambda A, usual, Y, W_Q, W_K: (
        any(W_Q) and any(W_K) and abs(A - 1 / len(A)).max() < 0.005
    ),
    "place": lambda A, usual, Y, W_Q, W_K: (
        abs(Y - Y[0]).max() < 0.005 and abs(A - usual).max() < 0.005
    ),
}
