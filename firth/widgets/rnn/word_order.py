"""The path of a tiny network's hidden state while it reads three words in an order of choice.

h_t = tanh(W x_t + U h_{t−1})    two units, h_0 = (0, 0); x_t is one-hot
"""

from itertools import permutations

import numpy as np
import traitlets as t

from firth.display import table
from firth.rnn import rnn
from firth.widgets.base import Widget

WORDS = ("dog", "bites", "man")
INPUT_WEIGHTS = ((1, 0, -1), (0, 1, 0))  # W: a column for each word
RECURRENT_WEIGHTS = ((0.5, -0.5), (0.5, 0.5))


class RnnWordOrder(Widget):
    """Two sentences with the same words: where does a hidden state of two units end?

    The bag of words of `sentence` is compared with that of the words in their given order, and so
    is the last hidden state. `step` is the step whose sum is written out.

    >>> view = RnnWordOrder(["man", "bites", "dog"])
    >>> view
    RnnWordOrder(sentence=['man', 'bites', 'dog'], step=3)
    >>> shown = view.answer()
    >>> shown["counts"], [[round(x, 2) for x in h] for h in shown["states"]]
    ([1, 1, 1], [[-0.76, 0.0], [-0.36, 0.55], [0.5, 0.09]])
    """

    words = t.List(t.Unicode()).tag(sync=True)
    W = t.List(t.List(t.Float())).tag(sync=True)
    U = t.List(t.List(t.Float())).tag(sync=True)
    sentence = t.List(t.Unicode()).tag(sync=True, choice=True)
    step = t.Int(len(WORDS), min=1, max=len(WORDS)).tag(sync=True, choice=True)

    def __init__(self, sentence=WORDS, **choices):
        tables = {"W": INPUT_WEIGHTS, "U": RECURRENT_WEIGHTS}
        weights = {name: np.array(rows, float).tolist() for name, rows in tables.items()}
        super().__init__(words=list(WORDS), sentence=list(sentence), **weights, **choices)

    @t.validate("sentence")
    def _has_each_word_once(self, proposal):
        if sorted(proposal["value"]) != sorted(WORDS):
            raise t.TraitError(f"A sentence has each of these words once: {', '.join(WORDS)}.")
        return proposal["value"]

    def answer(self) -> dict:
        states, first = self.states(self.sentence), self.states(self.words)
        before = np.concatenate([np.zeros((1, 2)), states])[self.step - 1]
        word = self.sentence[self.step - 1]
        counts, counted = ([s.count(w) for w in self.words] for s in (self.sentence, self.words))
        return {
            "states": states.tolist(),
            "first": first.tolist(),
            "ends": [point_text(first[-1]), point_text(states[-1])],
            "counts": counts,
            "counted": counted,
            "apart": float(np.linalg.norm(states[-1] - first[-1])),
            "bags_apart": float(np.linalg.norm(np.subtract(counts, counted))),
            "word": word,
            "from_word": point_text(np.array(self.W)[:, self.words.index(word)]),
            "from_past": point_text(np.array(self.U) @ before),
            "now": point_text(states[self.step - 1]),
        }

    def states(self, sentence) -> np.ndarray:
        """The hidden state after each word of a sentence, as an array of shape (3, 2)."""
        X = np.array([[float(word == other) for other in self.words] for word in sentence])
        return rnn.states(X, np.zeros(2), np.array(self.W), np.array(self.U), np.zeros(2))

    def fallback(self) -> str:
        orders = sorted(permutations(WORDS), key=lambda order: list(order) != self.sentence)
        rows = [[" ".join(order), *map(point_text, self.states(order))] for order in orders]
        caption = "The hidden state after each word, for every order of the same three words"
        header = ["sentence", "after word 1", "after word 2", "after word 3"]
        return table(rows, header, caption)._repr_html_()


def point_text(vector) -> str:
    """The two entries of a vector as text, with two decimals each.

    >>> point_text(np.array([-0.851, 0.0]))
    '(−0.85, 0.00)'
    """
    digits = (f"{round(float(x), 2) + 0.0:.2f}".replace("-", "−") for x in vector)
    return f"({', '.join(digits)})"
