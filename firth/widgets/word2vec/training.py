"""Vectors of two numbers that train in the page, one pair of words after the other."""

from functools import lru_cache

import numpy as np
import traitlets as t

from firth.display import table
from firth.lsa import counts
from firth.lsa.similarity import cosine
from firth.runtime.random_numbers import SEEDS, drawn, uniform
from firth.widgets.base import Widget
from firth.word2vec import word2vec

TEXT = """\
A red star gave a thin light.
A white star gave a cold light.
The red star gave a cold light.
The white star gave a thin light.
The pilot spoke to the ship.
The captain spoke to the ship.
The ship answered the pilot.
The ship answered the captain.
The wind crossed the dark sea.
The wind crossed the dark sky.
The sea was dark under the wind.
The sky was dark under the wind."""
WORDS = (
    *("red", "white", "star", "gave", "thin", "cold", "light"),
    *("pilot", "captain", "spoke", "ship", "answered"),
    *("wind", "crossed", "dark", "sea", "sky"),
)
COMPARED = (
    *(("red", "white"), ("thin", "cold"), ("pilot", "captain"), ("sea", "sky")),
    *(("red", "pilot"), ("sea", "captain")),
)
MOST = 5  # noise words a pair


class Word2vecTraining(Widget):
    """What does one step do, and why do words that share company end up together?

    Skip-gram with negative sampling in two dimensions, so that what is drawn is what is learned.
    The view shows step number `step` of the training, and the vectors after it.

    >>> training = Word2vecTraining(step=1)
    >>> training
    Word2vecTraining(first=0.2, k=1, seed=1, step=1)
    >>> shown = training.answer()
    >>> shown["word"], shown["asked"][0], round(shown["loss"], 2), training.total
    ('red', 'star', 1.39, 2720)
    >>> training.step = training.total
    >>> [round(now, 1) for _, now in training.answer()["cosines"]][:2]  # red, white; thin, cold
    [1.0, 1.0]
    """

    texts = t.List(t.List(t.Unicode())).tag(sync=True)
    words = t.List(t.Unicode()).tag(sync=True)
    compared = t.List(t.List(t.Unicode())).tag(sync=True)
    m = t.Int(2, min=1, max=5).tag(sync=True)
    passes = t.Int(40, min=1, max=200).tag(sync=True)
    total = t.Int(1).tag(sync=True)  # steps: a pass has one for each pair
    seed = t.Int(1, min=1, max=SEEDS).tag(sync=True, choice=True)
    k = t.Int(1, min=1, max=MOST).tag(sync=True, choice=True)
    first = t.Float(0.2, min=0.01, max=1).tag(sync=True, choice=True)
    step = t.Int(1, min=1).tag(sync=True, choice=True)

    def __init__(self, text=TEXT, words=WORDS, compared=COMPARED, m=2, passes=40, **choices):
        texts = [counts.words(line) for line in text.splitlines()]
        words = list(words)
        if len(set(words)) < len(words) or len(words) < 2:
            raise ValueError(f"The words must differ, and be two or more, not {words}.")
        said = {word for line in texts for word in line}
        if absent := [word for word in words if word not in said]:
            raise ValueError(f"The text never says {absent}: choose words that it has.")
        if unknown := [word for pair in compared for word in pair if word not in words]:
            raise ValueError(f"Compare words that are trained: {unknown} are not.")
        pairs = len(read(texts, words, m)[1])
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

    def after(self, t: int) -> dict:
        """Step number t, and the vectors when it has been taken."""
        texts = tuple(map(tuple, self.texts))
        ids, pairs = read(texts, self.words, self.m)
        settings = (self.m, self.passes, self.k, self.first, self.seed)
        V, U, losses, noise = trained(texts, tuple(self.words), *settings)
        done, place = divmod(t - 1, len(pairs))
        w, o = ids[pairs[place]]
        asked = [o, *noise[t - 1]]
        v, u = V[t - 1 : t + 1, w], U[t - 1 : t + 1, asked]  # before and after
        before, after = word2vec.sigmoid(np.einsum("tjd,td->tj", u, v))
        a = word2vec.learning_rate((t - 1) / self.total, self.first)
        e = before - (np.arange(len(asked)) == 0)
        passed = t // len(pairs)
        return {
            "V": V[t].tolist(),
            "U": U[t].tolist(),
            "trails": V[: t + 1 : len(pairs)].tolist(),
            "losses": losses[: passed * len(pairs)]
            .reshape(passed, len(pairs))
            .mean(axis=1)
            .tolist(),
            "loss": float(losses[t - 1]),
            "a": a,
            "turn": done + 1,  # the pass that this step belongs to
            "centre": int(pairs[place, 0]),
            "other": int(pairs[place, 1]),
            "word": self.words[w],
            "asked": filled([self.words[j] for j in asked]),
            "before": filled(before.tolist()),
            "after": filled(after.tolist()),
            "pulls": (-a * e[:, None] * u[0]).tolist(),  # what each of them does to v_w
            "pushes": (-a * e[:, None] * v[0]).tolist(),  # and v_w to each of them
            "cosines": [self.cosines(V[[0, t]], pair) for pair in self.compared],
            "company": [self.company(ids[pairs], pair) for pair in self.compared],
        }

    def cosines(self, V, pair) -> list[float]:
        """How alike the two words are before the first step, and now."""
        a, b = map(self.words.index, pair)
        return cosine(V[:, a], V[:, b]).tolist()

    def company(self, pairs, pair) -> list[int]:
        """How often the two stand side by side, and how many words both stand beside."""
        a, b = map(self.words.index, pair)
        of_a, of_b = (pairs[pairs[:, 0] == word, 1] for word in (a, b))
        return [int((of_a == b).sum()), len({*of_a} & {*of_b})]

    def fallback(self) -> str:
        last = self.after(self.total)
        lines = zip(self.compared, last["company"], last["cosines"], strict=True)
        rows = [[" · ".join(pair), *together, *alike] for pair, together, alike in lines]
        header = ["pair", "side by side", "shared company", "cosine at first", "at the end"]
        caption = f"Before and after {self.passes} passes over {len(self.texts)} sentences"
        return table(rows, header, caption)._repr_html_()


def filled(asked: list) -> list:
    """One place for each word that a step may ask about, whether or not this one has so many."""
    return asked + [None] * (1 + MOST - len(asked))


def read(texts, words, m: int):
    """The id of each word of the text, −1 if it is not trained, and the pairs, as places in it.

    >>> ids, pairs = read([["a", "star"], ["a", "ship", "fell"]], ["star", "ship", "fell"], m=2)
    >>> ids, pairs
    (array([-1,  0, -1,  1,  2], dtype=int32), array([[3, 4],
           [4, 3]]))
    """
    ids = counts.word_ids([word for line in texts for word in line], words)
    places = np.where(ids < 0, -1, np.arange(len(ids)))
    ends = np.cumsum([len(line) for line in texts])
    return ids, word2vec.pairs(np.split(places, ends[:-1]), m)


@lru_cache(maxsize=8)
def trained(texts, words, m: int, passes: int, k: int, first: float, seed: int):
    """V and U before the first step and after each, the loss of each, and its noise words.

    A noise word that is the very word that was seen is drawn anew, as in word2vec.c it is left out.
    """
    ids, pairs = read(texts, words, m)
    seen, u, n = ids[pairs], uniform(seed), len(words)
    cumulative = np.cumsum(word2vec.noise(np.bincount(ids[ids >= 0], minlength=n)))
    total = passes * len(pairs)
    V, U = np.zeros((2, total + 1, n, 2))
    V[0] = [[(u() - 0.5) / 2, (u() - 0.5) / 2] for _ in range(n)]
    losses, noise = np.zeros(total), np.zeros((total, k), dtype=int)
    for step in range(total):
        w, o = seen[step % len(pairs)]
        for i in range(k):
            while (word := drawn(cumulative, u())) == o:
                pass
            noise[step, i] = word
        a = word2vec.learning_rate(step / total, first)
        J, dU, dV = word2vec.negative_sampling(U[step], V[step], w, o, noise[step])
        U[step + 1], V[step + 1], losses[step] = U[step] - a * dU, V[step] - a * dV, J
    return V, U, losses, noise
