"""The mini GPT's rivals: counts of letters that follow each other, and an LSTM.

p_k(x | c) = (count(c x) − kept) / count(c) + (what was kept of c's) / count(c) · p_{k−1}(x | c′)

c: the k − 1 letters before, c′: all of them but the first. The longest contexts count how often a
letter came, shorter ones after how many different letters (Kneser and Ney, 1995).
"""

import numpy as np
import torch
from torch import nn

from firth.transformer.austen_gpt import ids


def kneser_ney(train: np.ndarray, test: np.ndarray, n: int, V: int) -> float:
    """The mean surprise of interpolated n-grams, with modified Kneser–Ney smoothing.

    The longest contexts count how often a letter came; the shorter ones, after how many different
    letters. Of each count something is kept back, and goes to the context one letter shorter.

    >>> round(kneser_ney(np.array([0, 1, 0, 1, 0]), np.array([0, 1]), n=1, V=2), 4)
    0.7621
    """
    p, after = np.full(len(test) - 1, 1 / V), np.arange(1, len(test))
    for k in range(1, n + 1):
        here = after >= k - 1
        grams = numbers(train, k, V)
        if k < n:  # a shorter context: each different longer gram counts once
            grams = np.unique(numbers(train, k + 1, V)) % V**k
        grams, counts = np.unique(grams, return_counts=True)
        kept = discounts(counts)[np.minimum(counts, 3)]
        contexts, of = np.unique(grams // V, return_inverse=True)
        totals, backs = np.bincount(of, counts), np.bincount(of, kept)
        asked = numbers(test, k, V)[after[here] - k + 1]
        c, found = at(contexts, asked // V)
        g, known = at(grams, asked)
        mine = np.where(known, counts[g] - kept[g], 0) / totals[c] + backs[c] / totals[c] * p[here]
        p[here] = np.where(found, mine, p[here])
    return float(-np.log(p).mean())


def numbers(x: np.ndarray, k: int, V: int) -> np.ndarray:
    """Every k letters in a row as one number, in base V."""
    if len(x) < k:
        return np.zeros(0, np.int64)
    rows = np.lib.stride_tricks.sliding_window_view(x, k)
    return sum(rows[:, i].astype(np.int64) * V ** (k - 1 - i) for i in range(k))


def at(known: np.ndarray, asked: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where each number asked for stands among the known, and whether it is there at all."""
    places = np.minimum(np.searchsorted(known, asked), len(known) - 1)
    return places, known[places] == asked


def discounts(counts: np.ndarray) -> np.ndarray:
    """What is kept back of counts of 1, of 2, of 3 and more (Chen and Goodman, 1999).

    Never nothing, however few the counts: a letter that was not seen must keep a chance.
    """
    n = [max(int((counts == i).sum()), 1) for i in range(5)]
    Y = n[1] / (n[1] + 2 * n[2])
    kept = [i - (i + 1) * Y * n[i + 1] / n[i] for i in (1, 2, 3)]
    return np.array([0.0, *np.clip(kept, 0.1, (1, 2, 3))])


class Recurrent(nn.Module):
    """The rival: letters' vectors, one LSTM, one score for each letter."""

    def __init__(self, n: int, e: int, d: int, dropout: float):
        super().__init__()
        self.E, self.lstm = nn.Embedding(n, e), nn.LSTM(e, d)
        self.drop, self.out = nn.Dropout(dropout), nn.Linear(d, n)

    def forward(self, x, state=None):
        H, state = self.lstm(self.E(x), state)
        return self.out(self.drop(H)), state

    @torch.no_grad()
    def loss(self, text: str) -> float:
        x, state, total = ids(text)[:, None], None, 0.0
        for start in range(0, len(x) - 1, 1000):
            piece = x[start : start + 1001]
            scores, state = self(piece[:-1], state)
            total += nn.functional.cross_entropy(scores[:, 0], piece[1:, 0], reduction="sum").item()
        return total / (len(x) - 1)
