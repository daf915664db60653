"""Do attention weights explain the words of a translator? Three tests of a trained network.

    effect_tj = p(y_t | x) − mean over x' of p(y_t | x')     x': x with another word at position j
    A'_t      = other weights that sum to 1                   does the network still write y_t?

If the weight A_tj written how much word j matters to y_t, the largest weight and the largest effect
would be on the same word, and other weights would give another output (Jain and Wallace, 2019).
But h_j also knows the neighbours of word j, and most other weights do change the output (Wiegreffe
and Pinter, 2019).
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float
from numpy import ndarray as Array
from torch import Tensor, nn

from .seq2seq import Translator, padded_batch, translate
from .telephone_numbers import (
    ENGLISH,
    GERMAN,
    TEENS,
    TENS,
    UNITS,
    english_words,
    german_words,
    word_indices,
)


@dataclass(frozen=True)
class WordEffects:
    """A German word, its source text, the attention weights of its step, and the effects."""

    word: str
    source: tuple[str, ...]
    A: Float[Array, " m"]
    effect: Float[Array, " m"]


def words_of_same_kind(word: str) -> list[str]:
    """The other words of the same kind as a list: tens for tens, units for units, none for "oh".

    >>> words_of_same_kind("twenty")[:2], len(words_of_same_kind("two")), words_of_same_kind("oh")
    (['thirty', 'forty'], 8, [])
    """
    kind = next((kind for kind in (UNITS[1:], TEENS, TENS) if word in kind), [])
    return [other for other in kind if other != word]


def decoder_input(written: list[str], B: int) -> Tensor:
    """The indices that the decoder reads to write these words, the same row B times."""
    return torch.tensor([[0, *word_indices(written, GERMAN)[:-1]]]).expand(B, -1)


@torch.no_grad()
def effects(net: Translator, numbers: Sequence[str]) -> list[WordEffects]:
    """A `WordEffects` for every German word of the translations of these numbers, as a list.

    >>> from firth.attention import seq2seq, telephone_numbers
    >>> for row in effects(seq2seq.load_translator(telephone_numbers.stored_weights()), ["42"]):
    ...     print(f"{row.word:8}", row.A.round(1), row.effect.round(1) + 0)
    zwei     [0.2 0.8] [0. 1.]
    und      [0.4 0.6] [0. 0.]
    vierzig  [1. 0.] [1. 0.]
    """
    sources = [english_words(number) for number in numbers]
    rows = []
    for source, written in zip(sources, translate(net, sources)[0], strict=True):
        if not written:
            continue
        changed = [(j, o) for j, word in enumerate(source) for o in words_of_same_kind(word)]
        texts = [source, *([*source[:j], o, *source[j + 1 :]] for j, o in changed)]
        scores, A = net(padded_batch(texts, ENGLISH), decoder_input(written, len(texts)))
        at = torch.arange(len(written)), word_indices(written, GERMAN)
        p = scores.softmax(-1)[:, *at]  # texts × words
        where = np.array([j for j, _ in changed])
        drop = (p[0] - p[1:]).numpy()
        effect = [drop[where == j].mean(axis=0) if any(where == j) else np.zeros(len(written))
                  for j in range(len(source))]  # fmt: skip
        for t, word in enumerate(written):
            rows.append(WordEffects(word, tuple(source), A[0, t].numpy(), np.array(effect)[:, t]))
    return rows


def rank_agreement(rows: Sequence[WordEffects]) -> dict[str, float]:
    """How well weights and effects agree, as a dict of three numbers.

    "first" is the share of rows in which both are largest at the same word, "tau" is the mean of
    Kendall's τ, and "steps" is the number of rows.

    >>> A, effect = np.array([0.7, 0.2, 0.1]), np.array([0.0, 0.9, 0.1])
    >>> found = rank_agreement([WordEffects("elf", ("ten", "ten", "ten"), A, effect)])
    >>> {name: round(number, 2) for name, number in found.items()}
    {'first': 0.0, 'tau': -0.33, 'steps': 1}
    """
    rows = [row for row in rows if len(row.A) > 1]
    if not rows:
        raise ValueError("There is nothing to rank: each text needs two English words or more.")
    first = [row.A.argmax() == row.effect.argmax() for row in rows]
    tau = []
    for row in rows:
        a, b = (np.sign(x[:, None] - x)[np.triu_indices(len(x), 1)] for x in (row.A, row.effect))
        tau.append((a * b).mean())
    return {"first": float(np.mean(first)), "tau": float(np.mean(tau)), "steps": len(rows)}


@torch.no_grad()
def share_unchanged(
    net: Translator, numbers: Sequence[str], words: Collection[str] = GERMAN
) -> dict[str, float]:
    """The share of these words that stay the same under other attention weights, as a dict.

    "left", "right": the weights moved by one word, around the ends. "even": equal weights.
    "alone": all weight on the word with the largest one. "another": all weight on one other word,
    a mean over these words. "some": whether this works for any of them.
    """
    sources = [english_words(number) for number in numbers]
    counts = {name: [] for name in ("left", "right", "even", "alone", "another", "some")}
    for source, written in zip(sources, translate(net, sources)[0], strict=True):
        m, n = len(source), len(written)
        if m < 2 or not n:
            continue
        X, Y = padded_batch([source], ENGLISH), decoder_input(written, 1)
        word = torch.tensor(word_indices(written, GERMAN))
        A = net(X, Y)[1][0]
        eye = torch.eye(m)
        looks = [A.roll(-1, 1), A.roll(1, 1), torch.full_like(A, 1 / m), eye[A.argmax(1)]]
        looks += [eye[j].expand(n, m) for j in range(m)]
        scores, _ = net(X.expand(len(looks), -1), Y.expand(len(looks), -1), torch.stack(looks))
        same = scores.argmax(-1) == word
        elsewhere = same[4:].T & (torch.arange(m) != A.argmax(1)[:, None])
        found = [*same[:4], elsewhere.sum(1) / (m - 1), elsewhere.any(1)]
        wanted = torch.tensor([word in words for word in written])
        for row, part in zip(counts.values(), found, strict=True):
            row += part[wanted].tolist()
    if not counts["even"]:
        raise ValueError("None of these words stands in a text of two English words or more.")
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
        english = padded_batch([english_words(number) for number in numbers], ENGLISH)
        batches.append((english, padded_batch([german_words(n) for n in numbers], GERMAN)))
    return tuple(batches)


@torch.no_grad()
def equal_weights(net: Translator, n: int, seed: int) -> dict[str, tuple[float, float]]:
    """The share of right numerals and of right kinds of words if all attention weights are equal.

    A kind is unit, ten, ten to nineteen or "und". The keys say what comes from another number:
    "nothing", the "start" of the decoder, or the "mean" of the encoder's hidden states.
    """
    (X, Y), (X_2, _) = different_numbers(n, seed)
    before = nn.functional.pad(Y[:, :-1], (1, 0))  # the right words so far
    und = GERMAN.index("und")
    limits = torch.tensor([und, und + 1, GERMAN.index("zwanzig")])  # between the kinds
    (H, s), (H_2, s_2) = net.encode(X), net.encode(X_2)
    shares = {}
    for name, (start, states) in {"nothing": (s, H), "start": (s_2, H), "mean": (s, H_2)}.items():
        S, _ = net.decoder(net.D(before), start[None])
        C = states.mean(dim=1, keepdim=True).expand_as(S)
        written = net.word_scores(S, C).argmax(dim=-1)
        kinds = [torch.bucketize(words, limits, right=True) for words in (written, Y)]
        numerals = (written == Y)[und != Y]
        shares[name] = numerals.float().mean().item(), (kinds[0] == kinds[1]).float().mean().item()
    return shares
