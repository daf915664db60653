"""Word vectors that train in the page, one pair of words after the other."""

from functools import lru_cache

import numpy as np
import traitlets as t

from firth.display import table
from firth.lsa import counts, lsa
from firth.lsa.similarity import cosine
from firth.runtime.random_numbers import SEEDS, drawn, uniform
from firth.widgets.base import Widget
from firth.word2vec import word2vec

TEXT = """\
The captain spoke to the ship.
The pilot spoke to the ship.
The ship answered the captain.
The ship answered the pilot.
The wind crossed the dark sea.
The wind crossed the dark sky.
The sea was dark under the wind.
The sky was dark under the wind.
A red star gave a thin light.
A white star gave a cold light.
The red star gave a cold light.
The white star gave a thin light."""
WORDS = (  # in this order, the noise words of the first step are red and sea with seed 8
    *("captain", "pilot", "ship", "spoke", "answered"),
    *("wind", "dark", "sea", "sky", "crossed"),
    *("red", "white", "star", "gave", "thin", "cold", "light"),
)
COMPARED = (("captain", "pilot"), ("captain", "sea"))
MOST = 5  # noise words for each pair
START = 0.25  # at the start, all numbers are drawn between −START and START


class Word2vecTraining(Widget):
    """What does one step of training change, and why do words with the same neighbours end alike?

    Skip-gram with negative sampling. Every word has two vectors of d numbers, and the view draws
    them in a plane. It shows step number `step` of the training, and the vectors after it.

    >>> training = Word2vecTraining()
    >>> training
    Word2vecTraining(k=2, rate=0.3, seed=8, step=1)
    >>> shown = training.answer()
    >>> shown["word"], shown["asked"][:3], training.total
    ('captain', ['spoke', 'red', 'sea'], 2800)
    >>> training.step = training.total
    >>> [round(now, 1) for _, now in training.answer()["cosines"]]  # captain and pilot, and sea
    [1.0, 0.2]
    """

    texts = t.List(t.List(t.Unicode())).tag(sync=True)
    words = t.List(t.Unicode()).tag(sync=True)
    compared = t.List(t.List(t.Unicode())).tag(sync=True)
    d = t.Int(10, min=2, max=20).tag(sync=True)  # numbers in each vector
    m = t.Int(5, min=1, max=5).tag(sync=True)
    passes = t.Int(20, min=1, max=200).tag(sync=True)
    total = t.Int(1).tag(sync=True)  # steps: a pass has one for each pair
    seed = t.Int(8, min=1, max=SEEDS).tag(sync=True, choice=True)
    k = t.Int(2, min=1, max=MOST).tag(sync=True, choice=True)
    rate = t.Float(0.3, min=0.01, max=1).tag(sync=True, choice=True)  # at the first step
    step = t.Int(1, min=1).tag(sync=True, choice=True)

    def __init__(self, text=TEXT, words=WORDS, compared=COMPARED, m=5, passes=20, **choices):
        texts = [counts.words(line) for line in text.splitlines()]
        words = list(words)
        if len(set(words)) < len(words) or len(words) < 3:
            raise ValueError(f"The words must differ, and be three or more, not {words}.")
        said = {word for line in texts for word in line}
        if absent := [word for word in words if word not in said]:
            raise ValueError(f"The text never says {absent}: choose words that it has.")
        if unknown := [word for pair in compared for word in pair if word not in words]:
            raise ValueError(f"Compare words that are trained: {unknown} are not.")
        pairs = len(ids_and_pairs(texts, words, m)[1])
        if not pairs:
            raise ValueError(f"No two of the words stand within {m} places: take a longer text.")
        data = dict(texts=texts, words=words, compared=[list(pair) for pair in compared])
        super().__init__(**data, m=m, passes=passes, total=passes * pairs, **choices)

    @t.validate("step")
    def _is_a_step(self, proposal):
        if proposal["value"] > self.total:
            raise t.TraitError(f"The training has {self.total} steps: step cannot be more.")
        return proposal["value"]

    def answer(self) -> dict:
        return self.after(self.step)

    def training_history(self) -> tuple:
        """The ids and pairs of the text, and V, U, losses and noise words of every training step.

        The tuple has these six arrays. V[t] and U[t] are the matrices after t steps; entry t of the
        losses and of the noise words belongs to step t + 1. The figure can then show any step.
        """
        texts, words = tuple(map(tuple, self.texts)), tuple(self.words)
        settings = (self.d, self.m, self.passes, self.k, self.rate, self.seed)
        return *ids_and_pairs(texts, words, self.m), *train_with_history(texts, words, *settings)

    def after(self, step: int) -> dict:
        """A dict of all that the figure shows for step number `step` and the vectors after it."""
        ids, pairs, V, U, losses, noise = self.training_history()
        done, place = divmod(step - 1, len(pairs))
        w, o = ids[pairs[place]]
        asked = [o, *noise[step - 1]]
        v, u = V[step - 1 : step + 1, w], U[step - 1 : step + 1, asked]  # before and after
        before, after = word2vec.sigmoid(np.einsum("tjd,td->tj", u, v))
        passed = step // len(pairs)
        P = main_directions(V[-1]).T
        moved = np.concatenate([v[:, None], u], axis=1) @ P
        ends = V[: step + 1 : len(pairs)]
        return {
            "V": (V[step] @ P).tolist(),
            "U": (U[step] @ P).tolist(),
            "moves": moved.transpose(1, 0, 2).tolist(),  # of v_w, then of each u: from and to
            "trails": (ends @ P).tolist(),
            "losses": losses[: passed * len(pairs)]
            .reshape(passed, len(pairs))
            .mean(axis=1)
            .tolist(),
            "likeness": [self.cosines(ends, pair) for pair in self.compared],
            "cosines": [self.cosines(V[[0, step]], pair) for pair in self.compared],
            "loss": float(losses[step - 1]),
            "eta": word2vec.learning_rate((step - 1) / self.total, self.rate),
            "turn": done + 1,  # the pass that this step belongs to
            "centre": int(pairs[place, 0]),
            "other": int(pairs[place, 1]),
            "word": self.words[w],
            "asked": pad_with_none([self.words[j] for j in asked]),
            "before": pad_with_none(before.tolist()),
            "after": pad_with_none(after.tolist()),
            "beside": [self.pair_counts(ids[pairs], pair) for pair in self.compared],
        }

    def cosines(self, V, pair) -> list[float]:
        """A list with the cosine of the vectors of two words, the `pair`, in each of several V."""
        a, b = map(self.words.index, pair)
        return cosine(V[:, a], V[:, b]).tolist()

    def pair_counts(self, pairs, pair) -> list[int]:
        """Two counts: how often two words are a training pair, and how many neighbours they share.

        `pair` holds the two words, and `pairs` the word ids of all training pairs.
        """
        a, b = map(self.words.index, pair)
        of_a, of_b = (pairs[pairs[:, 0] == word, 1] for word in (a, b))
        return [int((of_a == b).sum()), len({*of_a} & {*of_b})]

    def fallback(self) -> str:
        last = self.after(self.total)
        lines = zip(self.compared, last["beside"], last["cosines"], strict=True)
        rows = [[" · ".join(pair), *beside, *alike] for pair, beside, alike in lines]
        header = ["words", "pairs", "shared neighbours", "cosine at the start", "at the end"]
        caption = f"Before and after {self.passes} passes over {len(self.texts)} sentences"
        return table(rows, header, caption)._repr_html_()


def pad_with_none(asked: list) -> list:
    """The list, extended with None to the largest number of words that a training step can have."""
    return asked + [None] * (1 + MOST - len(asked))


def main_directions(V: np.ndarray) -> np.ndarray:
    """The two main directions of the rows of V, an array of shape (2, d).

    They are the directions in which the rows differ most from their mean. The first row lies on the
    positive side of both.

    >>> rows = np.array([[2.0, 1.0, 0.0], [-2.0, 1.0, 0.0], [0.0, -2.0, 0.0]])
    >>> main_directions(rows).round(1) + 0.0
    array([[1., 0., 0.],
           [0., 1., 0.]])
    """
    Vt = lsa.svd(V - V.mean(axis=0), 2)[2]
    return Vt * np.where(Vt @ V[0] < 0, -1, 1)[:, None]


def ids_and_pairs(texts, words, m: int):
    """The id of each word of the text, or −1 if it is not trained, and the pairs of positions.

    >>> ids_and_pairs([["a", "star"], ["a", "ship", "fell"]], ["star", "ship", "fell"], m=2)
    (array([-1,  0, -1,  1,  2], dtype=int32), array([[3, 4],
           [4, 3]]))
    """
    ids = counts.word_ids([word for line in texts for word in line], words)
    places = np.where(ids < 0, -1, np.arange(len(ids)))
    ends = np.cumsum([len(line) for line in texts])
    return ids, word2vec.pairs(np.split(places, ends[:-1]), m)


@lru_cache(maxsize=8)
def train_with_history(texts, words, d: int, m: int, passes: int, k: int, first: float, seed: int):
    """V and U before the first step and after each, the loss of each step, and its noise words.

    Both start at random, so that the first step moves both. A noise word that is the context word
    of the pair is drawn anew, as word2vec.c leaves it out. `passes` is the number of epochs and
    `first` the first learning rate.
    """
    ids, pairs = ids_and_pairs(texts, words, m)
    seen, u, n = ids[pairs], uniform(seed), len(words)
    cumulative = np.cumsum(word2vec.noise(np.bincount(ids[ids >= 0], minlength=n)))
    total = passes * len(pairs)
    V, U = np.zeros((2, total + 1, n, d))
    for start in (V[0], U[0]):
        start[:] = [[2 * START * (u() - 0.5) for _ in range(d)] for _ in range(n)]
    losses, noise = np.zeros(total), np.zeros((total, k), dtype=int)
    for step in range(total):
        w, o = seen[step % len(pairs)]
        for i in range(k):
            while (word := drawn(cumulative, u())) == o:
                pass
            noise[step, i] = word
        eta = word2vec.learning_rate(step / total, first)
        J, dU, dV = word2vec.negative_sampling(U[step], V[step], w, o, noise[step])
        U[step + 1], V[step + 1], losses[step] = U[step] - eta * dU, V[step] - eta * dV, J
    return V, U, losses, noise
