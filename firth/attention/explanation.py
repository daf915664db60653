"""Is attention an explanation? Two questions that can be put to a trained translator.

    effect_tj = p(y_t | x) − mean over x' of p(y_t | x')     x': x with another word at place j
    A'_t      = another row that sums to 1                    does the network still say y_t?

If A_tj were how much word j matters to y_t, the words most looked at would be those whose change
changes most, and no quite different A' would do as well (Jain and Wallace, 2019). But h_j knows its
neighbours, so to look at one word is to see more of them; and that some other A' does is no proof
that this A means nothing: most others do not (Wiegreffe and Pinter, 2019).
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray as Array
from torch import Tensor

from .seq2seq import Translator, padded, translated
from .telephone_numbers import ENGLISH, GERMAN, TEENS, TENS, UNITS, german, ids, spoken


@dataclass(frozen=True)
class Said:
    """One word that was said, how much each English word was looked at, and what each matters."""

    word: str
    source: tuple[str, ...]
    A: Float[Array, " m"]
    effect: Float[Array, " m"]


def others(word: str) -> list[str]:
    """The other words that could stand there: tens for tens, units for units, none for "oh".

    >>> others("twenty")[:2], len(others("two")), others("oh")
    (['thirty', 'forty'], 8, [])
    """
    kind = next((kind for kind in (UNITS[1:], TEENS, TENS) if word in kind), [])
    return [other for other in kind if other != word]


def after_border(said: list[str], B: int) -> Tensor:
    """What the decoder reads when it says these words: the border, and all of them but the last."""
    return torch.tensor([[0, *ids(said, GERMAN)[:-1]]]).expand(B, -1)


@torch.no_grad()
def effects(net: Translator, numbers: Sequence[str]) -> list[Said]:
    """A and the effects of every word that the network says to these numbers.

    >>> from firth.attention import seq2seq, telephone_numbers
    >>> for row in effects(seq2seq.loaded(telephone_numbers.stored()), ["42"]):
    ...     print(f"{row.word:8}", row.A.round(1), row.effect.round(1) + 0)
    zwei     [0. 1.] [0. 1.]
    und      [0.1 0.9] [0. 0.]
    vierzig  [1. 0.] [1. 0.]
    """
    sources = [spoken(number) for number in numbers]
    rows = []
    for source, said in zip(sources, translated(net, sources)[0], strict=True):
        if not said:
            continue
        changed = [(j, o) for j, word in enumerate(source) for o in others(word)]
        texts = [source, *([*source[:j], o, *source[j + 1 :]] for j, o in changed)]
        scores, A = net(padded(texts, ENGLISH), after_border(said, len(texts)))
        p = scores.softmax(-1)[:, torch.arange(len(said)), ids(said, GERMAN)]  # texts × words
        where = np.array([j for j, _ in changed])
        drop = (p[0] - p[1:]).numpy()
        effect = [drop[where == j].mean(axis=0) if any(where == j) else np.zeros(len(said))
                  for j in range(len(source))]  # fmt: skip
        for t, word in enumerate(said):
            rows.append(Said(word, tuple(source), A[0, t].numpy(), np.array(effect)[:, t]))
    return rows


def concord(rows: Sequence[Said]) -> dict[str, float]:
    """How A and the effects rank the words: the same first, and Kendall's τ over all (mean).

    >>> A, effect = np.array([0.7, 0.2, 0.1]), np.array([0.0, 0.9, 0.1])
    >>> found = concord([Said("elf", ("ten", "ten", "ten"), A, effect)])
    >>> {name: round(number, 2) for name, number in found.items()}
    {'first': 0.0, 'tau': -0.33, 'steps': 1}
    """
    rows = [row for row in rows if len(row.A) > 1]
    if not rows:
        raise ValueError("There is nothing to rank: give words said to two English words or more.")
    first = [row.A.argmax() == row.effect.argmax() for row in rows]
    tau = []
    for row in rows:
        a, b = (np.sign(x[:, None] - x)[np.triu_indices(len(x), 1)] for x in (row.A, row.effect))
        tau.append((a * b).mean())
    return {"first": float(np.mean(first)), "tau": float(np.mean(tau)), "steps": len(rows)}


@torch.no_grad()
def moved(
    net: Translator, numbers: Sequence[str], words: Collection[str] = GERMAN
) -> dict[str, float]:
    """Of these words, the share that stays the same if the decoder is made to look elsewhere.

    "left", "right": A moved by one word. "even": the same everywhere. "alone": all on the word most
    looked at. "another": all on one other word, the mean over them; "some": on the best of those.
    """
    sources = [spoken(number) for number in numbers]
    counts = {name: [] for name in ("left", "right", "even", "alone", "another", "some")}
    for source, said in zip(sources, translated(net, sources)[0], strict=True):
        m, n = len(source), len(said)
        if m < 2 or not n:
            continue
        X, Y = padded([source], ENGLISH), after_border(said, 1)
        word = torch.tensor(ids(said, GERMAN))
        A = net(X, Y)[1][0]
        eye = torch.eye(m)
        looks = [A.roll(-1, 1), A.roll(1, 1), torch.full_like(A, 1 / m), eye[A.argmax(1)]]
        looks += [eye[j].expand(n, m) for j in range(m)]
        scores, _ = net(X.expand(len(looks), -1), Y.expand(len(looks), -1), torch.stack(looks))
        same = scores.argmax(-1) == word
        elsewhere = same[4:].T & (torch.arange(m) != A.argmax(1)[:, None])
        found = [*same[:4], elsewhere.sum(1) / (m - 1), elsewhere.any(1)]
        wanted = torch.tensor([word in words for word in said])
        for row, part in zip(counts.values(), found, strict=True):
            row += part[wanted].tolist()
    if not counts["even"]:
        raise ValueError("None of these words was said to two English words or more.")
    return {name: float(np.mean(row)) for name, row in counts.items()}


def different_numbers(n: int, seed: int) -> tuple[tuple[Tensor, Tensor], tuple[Tensor, Tensor]]:
    """Two batches of n numbers, each as the indices of its English and of its German words.

    The numbers have five pairs, each with a ten and a unit, so all texts are equally long. Row i
    of the second batch has another word at every position of row i of the first, except for "und".

    >>> (X, Y), (X_other, Y_other) = different_numbers(2, seed=0)
    >>> X.shape, Y.shape, bool((X == X_other).any())
    (torch.Size([2, 10]), torch.Size([2, 15]), False)
    """
    rng = np.random.default_rng(seed)
    tens, units = rng.integers(2, 10, size=(n, 5)), rng.integers(2, 10, size=(n, 5))
    shift = rng.integers(1, 8, size=(2, n, 5))
    others = 2 + (tens - 2 + shift[0]) % 8, 2 + (units - 2 + shift[1]) % 8
    batches = []
    for a, b in ((tens, units), others):
        numbers = ["".join(f"{10 * t + u}" for t, u in zip(*row, strict=True))
                   for row in zip(a, b, strict=True)]  # fmt: skip
        batches.append((padded([spoken(number) for number in numbers], ENGLISH),
                        padded([german(number) for number in numbers], GERMAN)))  # fmt: skip
    return tuple(batches)
