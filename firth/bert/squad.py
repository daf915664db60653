"""Where in the passage is the answer? A head on a BERT points at its first and its last token.

    X    = states of  [CLS] question [SEP] passage [SEP]
    s_t  = w_s · x_t + c_s,   e_t = w_e · x_t + c_e           for every token t of the passage
    a, b = argmax s_a + e_b   over  a ≤ b < a + longest       the answer is the passage from a to b
    J    = −½ log softmax(s)_a − ½ log softmax(e)_b           of the answer that a person gave

The answer is a stretch of the passage, letter for letter: nothing is made up, and nothing that the
passage does not say can be answered. The encoder is MiniLM, its tables kept as they are; beside
each a narrow path is learned (Hu and others, 2021), whose two tables together have a fifteenth of
the numbers or fewer:

    W x  →  W x + U (D x)          D: r × d,  U: d′ × r,  U = 0 at first
"""

import re
import string
from collections import Counter
from copy import deepcopy
from functools import cache
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor, nn

from firth.store.results import DATA, stored_result
from firth.store.weights import dequantize

from . import minilm
from .bert import BERT

FILE = DATA / "bert/squad.json"
LONGEST = 20  # tokens of an answer; of a hundred in SQuAD, 98 are shorter
PLACES = 512
WORD = re.compile(r"[\w\u0300-\u036f]+|[^\w\s]")
SMALL = frozenset(
    "a an and are as at be been but by did do does for from had has have he her his how i in is it"
    " its of on or she than that the their them then there they this to was were what when where"
    " which who whom whose why will with would you".split()
)


class Reading(NamedTuple):
    """A question and a passage as a BERT reads them, and where each piece stands in the passage."""

    ids: list[int]
    segments: list[int]
    places: list[tuple[int, int] | None]  # None: [CLS], [SEP] and the question's own pieces


class Answer(NamedTuple):
    """A stretch of a passage, and how likely the model finds its two ends."""

    text: str
    start: int
    probability: float


def reading(question: str, passage: str) -> Reading:
    """Pieces of both texts. A word of the passage is where all its pieces are.

    BERT leaves signs of currency and the like with their number, £20 and 32°C. Here they stand
    alone, so that an answer may begin or end at them.
    """
    words = minilm.words()
    ids, _ = words.encoded(question)
    places: list[tuple[int, int] | None] = [None] * len(ids)
    first = len(ids)
    for word in WORD.finditer(passage):
        for piece in words.pieces(word[0]):
            ids.append(words.numbers[piece])
            places.append(word.span())
    if len(ids) == first or first == 2:
        raise ValueError("A question and a passage have a word each, or more.")
    if len(ids) >= PLACES:
        raise ValueError(f"This takes {len(ids) + 1} tokens, and BERT has {PLACES} places.")
    end = [words.numbers["[SEP]"]]
    return Reading(ids + end, [0] * first + [1] * (len(ids) + 1 - first), [*places, None])


class Beside(nn.Module):
    """A linear layer that stays as it is, and a narrow path past it that learns."""

    def __init__(self, linear: nn.Linear, r: int):
        super().__init__()
        self.linear = linear
        self.D = nn.Parameter(torch.randn(r, linear.in_features) / linear.in_features**0.5)
        self.U = nn.Parameter(torch.zeros(linear.out_features, r))

    def forward(self, X: Float[Tensor, "*batch d"]) -> Float[Tensor, "*batch e"]:
        return self.linear(X) + X @ self.D.T @ self.U.T


class Finder(nn.Module):
    """MiniLM with narrow paths, and the two vectors that point."""

    def __init__(self, bert: BERT, r: int = 8):
        super().__init__()
        self.bert, self.ends = deepcopy(bert).requires_grad_(False), nn.Linear(bert.shape.d, 2)
        for block in self.bert.encoder.blocks:
            for part, names in ((block.attention, "QKVO"), (block.feed, "03")):
                for name in names:
                    setattr(part, name, Beside(getattr(part, name), r))

    def forward(self, ids: Tensor, segments: Tensor, mask: Tensor, inside: Tensor):
        """s and e of every token; those outside of the passage, and of padding, are never it."""
        scores = self.ends(self.bert(ids, segments, mask)).masked_fill(~inside[..., None], -1e4)
        return scores.unbind(-1)

    def learned(self) -> dict[str, Tensor]:
        """What training changes: everything else is MiniLM's."""
        return {name: w for name, w in self.named_parameters() if w.requires_grad}


def batch(readings: list[Reading]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Ids, segments, which tokens are no padding, and which are of the passage."""
    n = max(len(reading.ids) for reading in readings)
    fill = lambda rows, pad: torch.tensor([[*row, *[pad] * (n - len(row))] for row in rows])  # noqa: E731
    inside = fill([[place is not None for place in r.places] for r in readings], False)
    mask = fill([[True] * len(r.ids) for r in readings], False)
    return fill([r.ids for r in readings], 0), fill([r.segments for r in readings], 0), mask, inside


def best(
    s: Float[np.ndarray, " n"], e: Float[np.ndarray, " n"], longest: int = LONGEST
) -> tuple[int, int]:
    """The first and the last token of the stretch that scores highest.

    >>> best(np.array([0.0, 3.0, 1.0]), np.array([4.0, 0.0, 2.0]))  # not the best of each
    (1, 2)
    """
    after = np.arange(len(s)) - np.arange(len(s))[:, None]  # b − a
    total = np.where((after >= 0) & (after < longest), s[:, None] + e, -np.inf)
    a, b = np.unravel_index(total.argmax(), total.shape)
    return int(a), int(b)


@cache
def finder() -> Finder:
    """The finder that the course has trained (`python -m experiments.bert.squad`)."""
    stored = stored_result("bert/squad")
    net = Finder(minilm.model(), stored["settings"]["r"])
    weights = {name: torch.tensor(dequantize(part)) for name, part in stored["weights"].items()}
    weights |= {name: U.T for name, U in weights.items() if name.endswith("U")}  # long rows pack
    net.load_state_dict(net.state_dict() | weights)
    return net.requires_grad_(False).eval()


def answers(asked: list[tuple[str, str]], net: Finder | None = None) -> list[Answer]:
    """The best stretch for each question and passage, thirty-two at a time."""
    net, found = net or finder(), []
    readings = [reading(*pair) for pair in asked]
    for i in range(0, len(asked), 32):
        few = readings[i : i + 32]
        with torch.no_grad():
            s, e = (part.double().numpy() for part in net(*batch(few)))
        for (_, passage), read, s_row, e_row in zip(asked[i:], few, s, e, strict=False):
            a, b = best(s_row, e_row)
            start, end = read.places[a][0], read.places[b][1]
            p = np.exp(
                s_row[a] + e_row[b] - np.logaddexp.reduce(s_row) - np.logaddexp.reduce(e_row)
            )
            found.append(Answer(passage[start:end], start, float(p)))
    return found


def answer(question: str, passage: str) -> Answer:
    """The stretch of the passage that the course's finder takes for the answer."""
    return answers([(question, passage)])[0]


def nearby(question: str, passage: str) -> Answer:
    """Without learning: the run of words in whose sentence the question's words stand nearest.

    Runs end at signs, at small words and at words of the question. Each word of the question in
    the same sentence counts the more, the rarer it is in the passage and the nearer to the run.
    """
    asked = {word for word in WORD.findall(question.lower())} - SMALL
    words = [(m[0].lower(), *m.span()) for m in WORD.finditer(passage)]
    often = Counter(word for word, _, _ in words)
    runs, run, sentence, sentences = [], [], 0, []
    for i, (word, _, _) in enumerate(words):
        sentence += i > 0 and words[i - 1][0] in ".!?"
        sentences.append(sentence)
        if word in SMALL or word in asked or not word[0].isalnum():
            runs, run = runs + [run] * bool(run), []
        else:
            run = [*run, i]
    runs += [run] * bool(run)
    hints = [i for i, (word, _, _) in enumerate(words) if word in asked]
    score = lambda run: sum(  # noqa: E731
        np.log1p(1 / often[words[i][0]]) / min(abs(i - run[0]), abs(i - run[-1]))
        for i in hints
        if sentences[i] == sentences[run[0]]
    )
    top = max(runs, key=score, default=[0])
    start, end = words[top[0]][1], words[top[-1]][2]
    return Answer(passage[start:end], start, float("nan"))


def plain(text: str) -> list[str]:
    """The words of an answer as SQuAD compares them: without capitals, signs and articles.

    >>> plain("The  cat's cradle!")
    ['cats', 'cradle']
    """
    bare = "".join(letter for letter in text.lower() if letter not in string.punctuation)
    return re.sub(r"\b(a|an|the)\b", " ", bare).split()


def exact(told: str, answers: list[str]) -> bool:
    """Whether somebody gave just this answer."""
    return any(plain(told) == plain(answer) for answer in answers)


def overlap(told: str, answers: list[str]) -> float:
    """F1 of the words told and given, for the answer that it agrees with best.

    >>> round(overlap("within a dark cloud", ["a cloud", "within a cloud"]), 2)
    0.8
    """
    best = 0.0
    for answer in answers:
        said, given = Counter(plain(told)), Counter(plain(answer))
        shared = (said & given).total()
        if shared:
            best = max(best, 2 * shared / (said.total() + given.total()))
    return best
