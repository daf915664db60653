"""One step of training with four words, small enough to compute on paper."""

import numpy as np
import traitlets as t

from firth.display import table
from firth.widgets.base import Widget, within
from firth.word2vec import word2vec

WORDS = ("captain", "spoke", "red", "sea")  # the centre word, its context word, two noise words
START = ((1, 0), (0.5, 0.5), (1, -1), (0, -1))  # v of the first, u of the others
MOST = 12  # steps


class Word2vecStep(Widget):
    """What does one step of negative sampling do to a word vector and to three context vectors?

    The pair (captain, spoke) was seen in the text and has the label 1. The words red and sea are
    noise words and have the label 0, or also 1 with `noise=False`. The view shows the vectors
    after `steps` steps, and what the next step changes.

    >>> shown = Word2vecStep().answer()
    >>> print(np.round(shown["errors"], 2), np.round(shown["next_v"], 2))
    [-0.38  0.73  0.5 ] [0.73 0.71]
    """

    words = t.List(t.Unicode(), minlen=4, maxlen=4).tag(sync=True)
    start = t.List(t.List(t.Float(), minlen=2, maxlen=2), minlen=4, maxlen=4).tag(sync=True)
    rate = t.Float(0.5).tag(sync=True, choice=True)
    steps = t.Int(0).tag(sync=True, choice=True)
    noise = t.Bool(True).tag(sync=True, choice=True)

    _is_within_reach = within({"rate": (0.1, 2), "steps": (0, MOST)})

    def __init__(self, words=WORDS, start=START, **choices):
        start = np.array(start, dtype=float).tolist()
        super().__init__(words=list(words), start=start, **choices)

    def answer(self) -> dict:
        labels = np.array([1, 0, 0] if self.noise else [1, 1, 1])
        v, U = np.array(self.start[0]), np.array(self.start[1:])
        for _ in range(self.steps):
            _, dv, dU = step_gradients(v, U, labels)
            v, U = v - self.rate * dv, U - self.rate * dU
        e, dv, dU = step_gradients(v, U, labels)
        next_v, next_U = v - self.rate * dv, U - self.rate * dU
        return {
            "v": v.tolist(),
            "U": U.tolist(),
            "labels": labels.tolist(),
            "scores": (U @ v).tolist(),
            "sigma": word2vec.sigmoid(U @ v).tolist(),
            "errors": e.tolist(),
            "gradient": dv.tolist(),
            "parts": (-self.rate * e[:, None] * U).tolist(),  # of the change of v
            "next_v": next_v.tolist(),
            "next_U": next_U.tolist(),
            "next_scores": (next_U @ next_v).tolist(),
            "loss": step_loss(v, U, labels),
            "next_loss": step_loss(next_v, next_U, labels),
        }

    def fallback(self) -> str:
        shown = self.answer()
        names = ("labels", "scores", "sigma", "errors", "next_scores")
        rows = list(zip(self.words[1:], *(shown[name] for name in names), strict=True))
        header = ["context word", "label", "score", "σ", "error e", "score after"]
        caption = f"One step with the centre word {self.words[0]} and learning rate {self.rate}"
        return table([list(row) for row in rows], header, caption)._repr_html_()


def step_gradients(v: np.ndarray, U: np.ndarray, labels: np.ndarray) -> tuple:
    """The error signals e, and the gradients of the loss with respect to v and to the rows of U.

    The loss is that of negative sampling: a label is 1 for the context word, and 0 for noise words.

    >>> e, dv, dU = step_gradients(np.array([1.0, 0.0]), np.array([[0.0, 1.0]]), np.array([1]))
    >>> print(e, dv, dU)
    [-0.5] [ 0.  -0.5] [[-0.5 -0. ]]
    """
    e = word2vec.sigmoid(U @ v) - labels
    return e, e @ U, np.outer(e, v)


def step_loss(v: np.ndarray, U: np.ndarray, labels: np.ndarray) -> float:
    """The loss of a step: the sum of −log σ(score) for labels 1 and −log σ(−score) for labels 0."""
    return float(np.logaddexp(0, np.where(labels, -1, 1) * (U @ v)).sum())
