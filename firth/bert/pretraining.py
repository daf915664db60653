"""BERT's two games: fill in what was blanked out, and tell whether B came after A.

    input   [CLS] A [SEP] B [SEP], with segments 0 … 0 1 … 1: token + place + segment, normed
    blanks  15 % of all pieces are chosen: 80 % of them become [MASK], 10 % another, 10 % stay
            J_blanks = mean over the chosen t of −log softmax(scores(x_t))[what stood at t]
    next    half of the B followed their A, the others are from elsewhere
            J_next = mean over the pairs of −log softmax(W pooled(X) + b)[followed or not]

Nobody labels anything: the text holds the answers. Only chosen pieces count. If all of them were
[MASK], a network could rest wherever there is none, and no text that it is ever used on has one.

Here a network small enough to be watched plays both, on eighteen books (`corpora.books`). They are
written in BERT's pieces, of which the most frequent have a number here and all others are [UNK].
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from numpy import ndarray as Array
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from firth.store import corpora
from firth.transformer.positional_encoding import positions

from . import minilm
from .bert import Blanks, Shape
from .wordpiece import SPECIAL

PAD, UNK, CLS, SEP, MASK = range(len(SPECIAL))
PIECES, HALF = 4_000, 30  # pieces with a number; of A, and of B
ASKED = 64  # pairs in a batch that is asked about
SMALL = Shape(len(SPECIAL) + PIECES, 128, heads=4, inner=512, blocks=2, places=2 * HALF + 3)
LARGE = Shape(len(SPECIAL) + 20_000, 384, heads=6, inner=1536, blocks=6, places=2 * HALF + 3)
Documents = Sequence[Int[Array, " _"]]


@dataclass(frozen=True)
class Library:
    """Books as numbers: nine tenths of each to learn from, the last tenth held out."""

    pieces: list[str]
    train: list[Int[Array, " _"]]
    held: list[Int[Array, " _"]]

    def frequencies(self) -> Float[Array, " pieces"]:
        """Each piece's share of what is learned from, each counted once more; signs have none."""
        counts = sum(np.bincount(book, minlength=len(self.pieces)) for book in self.train) + 1.0
        counts[: len(SPECIAL)] = 0
        return counts / counts.sum()

    def unigram(self) -> float:
        """J of one who knows how frequent each piece is, and does not look at the text."""
        held = np.concatenate(self.held)
        return float(-np.log(self.frequencies()[held[held >= len(SPECIAL)]]).mean())


@cache
def library(n: int = PIECES) -> Library:
    """Eighteen books in the n pieces that are most frequent in them."""
    words = minilm.words()
    books = [
        np.array([words.numbers[piece] for piece in words.pieces(book)]) for book in corpora.books()
    ]
    counts = sum(np.bincount(book, minlength=len(words.tokens)) for book in books)
    chosen = np.argsort(-counts, kind="stable")[:n]
    renumbered = np.full(len(words.tokens), UNK)
    renumbered[chosen] = len(SPECIAL) + np.arange(len(chosen))
    parts = [np.split(renumbered[book], [len(book) * 9 // 10]) for book in books]
    train, held = map(list, zip(*parts, strict=True))
    return Library([*SPECIAL, *(words.tokens[i] for i in chosen)], train, held)


def masked(
    ids: Int[Array, "B n"], pieces: int, chance: np.random.Generator, share: float = 0.15,
    mask: int = MASK, first: int = len(SPECIAL),
) -> tuple[Int[Array, "B n"], Bool[Array, "B n"]]:  # fmt: skip
    """What the network is given, and which places were chosen: there it is asked what stood.

    Numbers below `first` are signs, and never chosen or drawn.

    >>> chance = np.random.default_rng(0)
    >>> given, chosen = masked(np.full((1000, 100), 7), pieces=50, chance=chance)
    >>> print(chosen.mean().round(2), (given[chosen] == MASK).mean().round(1))
    0.15 0.8
    >>> print((given[chosen] == 7).mean().round(1), (given[~chosen] == 7).all())
    0.1 True
    """
    if not 0 < share <= 1:
        raise ValueError(f"The share that is chosen lies above 0 and up to 1, and not at {share}.")
    chosen = (chance.random(ids.shape) < share) & (ids >= first)
    lot = chance.random(ids.shape)
    others = chance.integers(first, pieces, ids.shape)
    given = np.where(chosen & (lot < 0.8), mask, ids)
    return np.where(chosen & (lot >= 0.8) & (lot < 0.9), others, given), chosen


def pairs(
    documents: Documents, B: int, chance: np.random.Generator, same: bool = False, half: int = HALF
) -> tuple[Int[Array, "B n"], Int[Array, "B n"], Int[Array, " B"]]:
    """B texts [CLS] a [SEP] b [SEP], their segments, and 1 where b came right after a.

    Where it did not, b is from another document, or with `same` from elsewhere in the same one: the
    first can be told from what the two are about, the second hardly.
    """
    sizes = np.array([len(document) for document in documents])
    if len(sizes) < 2 or sizes.min() < 5 * half:
        raise ValueError(f"Pairs take two documents or more, of {5 * half} pieces or more each.")
    drawn = lambda: chance.choice(len(sizes), p=sizes / sizes.sum())  # noqa: E731
    follows, rows = chance.integers(2, size=B), []
    for after in follows:
        other = k = drawn()
        start = chance.integers(sizes[k] - 2 * half + 1)
        start_b = start + half
        while not after and not same and other == k:
            other = drawn()
        while not after and (other != k or abs(start_b - start) < 2 * half):
            start_b = chance.integers(sizes[other] - half + 1)
            if other != k:
                break
        a, b = documents[k][start : start + half], documents[other][start_b : start_b + half]
        rows.append([CLS, *a, SEP, *b, SEP])
    segments = np.repeat([[0] * (half + 2) + [1] * (half + 1)], B, axis=0)
    return np.array(rows), segments, follows


class Game(NamedTuple):
    """A batch: what is given, what is asked, and the answers."""

    given: Int[Tensor, "B n"]
    segments: Int[Tensor, "B n"]
    chosen: Bool[Tensor, "B n"]
    right: Int[Tensor, " chosen"]
    follows: Int[Tensor, " B"]


def game(
    documents: Documents, pieces: int, B: int, seed: Sequence[int], same: bool = False
) -> Game:
    """Pairs with blanks in them; the same seed gives the same."""
    chance = np.random.default_rng(seed)
    ids, segments, follows = pairs(documents, B, chance, same)
    given, chosen = masked(ids, pieces, chance)
    return Game(*map(torch.from_numpy, (given, segments, chosen, ids[chosen], follows)))


class Pretrained(Blanks):
    """An encoder with both heads. It starts from what can be counted: how frequent each piece is.

    Its places start as sines and cosines, and are learned from there.
    """

    def __init__(self, shape: Shape, frequencies: Float[Array, " pieces"]):
        super().__init__(shape)
        self.next = nn.Linear(shape.d, 2)
        with torch.no_grad():
            self.bias.copy_(torch.tensor(frequencies).clamp(min=1e-9).log())
            self.bert.places.weight.copy_(0.03 * torch.tensor(positions(shape.places, shape.d)))

    def losses(self, game: Game) -> tuple[Float[Tensor, ""], Float[Tensor, ""]]:
        """J_blanks and J_next: BERT is trained on their sum."""
        X = self.bert(game.given, game.segments)
        blanks = cross_entropy(self.scores(X[game.chosen]), game.right)
        return blanks, cross_entropy(self.next(self.bert.pooled(X)), game.follows)


def training(
    net: Pretrained, documents: Documents, steps: int, B: int = 32, rate: float = 1e-3,
    same: bool = False, seed: int = 0,
) -> Iterator[tuple[float, float]]:  # fmt: skip
    """Both J after each step. The rate rises for a tenth of the steps, then falls to 0."""
    adam = torch.optim.AdamW(net.parameters(), betas=(0.9, 0.98), weight_decay=0.01, fused=True)
    where = net.bias.device
    for i in range(steps):
        for group in adam.param_groups:
            group["lr"] = rate * min(10 * (i + 1) / steps, (steps - i) / (0.9 * steps))
        now = game(documents, net.bert.shape.words, B, [seed, i], same)
        J = net.losses(Game(*(part.to(where) for part in now)))
        adam.zero_grad()
        sum(J).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        adam.step()
        yield J[0].item(), J[1].item()


@torch.no_grad()
def measured(net: Pretrained, documents: Documents, batches: int = 16, same: bool = False) -> dict:
    """J_blanks, the share of blanks guessed, and that of pairs told, on texts not learned.

    And J where [MASK] stands: elsewhere whoever looks at the place alone does well.
    """
    found = []
    for i in range(batches):
        now = game(documents, net.bert.shape.words, ASKED, [1, i], same)
        X = net.bert(now.given, now.segments)
        scores, hidden = net.scores(X[now.chosen]), now.given[now.chosen] == MASK
        told = net.next(net.bert.pooled(X)).argmax(dim=1) == now.follows
        hits = (scores.argmax(dim=1) == now.right).double().mean()
        J = cross_entropy(scores, now.right, reduction="none")
        found.append([J.mean().item(), hits.item(), told.double().mean(), J[hidden].mean().item()])
    names = "J", "blanks", "next", "J hidden"
    return dict(zip(names, np.mean(found, axis=0).tolist(), strict=True))


def asked(documents: Documents, batches: int, same: bool = False) -> tuple[Array, Array]:
    """The pairs that `measured` asks of a network, and which of them follow."""
    chances = (np.random.default_rng([1, i]) for i in range(batches))
    ids, _, follows = zip(
        *(pairs(documents, ASKED, chance, same) for chance in chances), strict=True
    )
    return np.concatenate(ids), np.concatenate(follows)


def told_by_words(library: Library, same: bool = False, batches: int = 32) -> float:
    """How many pairs are told by one who only counts which pieces the two halves share.

    Each shared piece counts for −log of its frequency: a rare one tells more. Above the threshold
    that does best on pairs to learn from, b is said to have followed.
    """
    p, found = library.frequencies(), []
    learned = pairs(library.train, ASKED * batches, np.random.default_rng(2), same)
    for ids, follows in (learned[::2], asked(library.held, batches, same)):
        halves = ids[:, 1 : HALF + 1], ids[:, HALF + 2 : -1]
        shared = [np.intersect1d(a, b) for a, b in zip(*halves, strict=True)]
        weight = [-np.log(p[both[both >= len(SPECIAL)]]).sum() for both in shared]
        found.append((np.array(weight), follows == 1))
    (weight, right), (heard, answers) = found
    limit = max(np.unique(weight), key=lambda limit: ((weight >= limit) == right).mean())
    return float(((heard >= limit) == answers).mean())


def told_by_book(library: Library, batches: int = 32) -> float:
    """How many pairs are told by one who guesses each half's book from how often it has each piece.

    b is said to have followed if that is likelier than not: if Σ over the books of p(book | a)
    p(book | b) is above ½. Where both halves are always from one book, this tells nothing.
    """
    counts = np.array([np.bincount(book, minlength=len(library.pieces)) for book in library.train])
    log_p = np.log((counts + 0.1) / (counts + 0.1).sum(axis=1, keepdims=True))
    ids, follows = asked(library.held, batches)
    scores = [log_p[:, half].sum(axis=2) for half in (ids[:, 1 : HALF + 1], ids[:, HALF + 2 : -1])]
    a, b = (np.exp(s - s.max(axis=0)) for s in scores)
    together = ((a / a.sum(axis=0)) * (b / b.sum(axis=0))).sum(axis=0)
    return float(((together > 0.5) == (follows == 1)).mean())
