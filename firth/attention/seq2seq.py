"""Sequence to sequence: one network reads a text, a second says another, and looks back or not.

    1  embed the last word, y_{t−1}; before the first stands the border
    2  s_t  = GRU(y_{t−1}, s_{t−1})         s_0: the encoder's last state
    3  a_tj = softmax_j(score(s_t, h_j))    attention: C_t = Σ_j a_tj h_j
    4, 5    o_t = tanh(F [s_t; C_t] + f)    concatenate, feed forward
    6  p_t  = softmax(O o_t + o)            the next word

    score   sᵀh (dot),  sᵀW h (general),  vᵀtanh(W s + U h) (additive)
    None    C_t is the encoder's last state at every step: all that was read, in one vector

With "dot" and with None the parameters are the same ones, to the last. The encoder reads in both
directions: d/2 of h_j have read up to word j, d/2 back to it. A batch is (texts × words × …), and
a shorter text is padded with word 0, which is neither read nor looked at.
"""

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from numpy import ndarray as Array
from torch import Tensor, nn

from firth.runtime.progress import progress
from firth.store.results import DATA, stored_result

from . import telephone_numbers
from .telephone_numbers import ENGLISH, GERMAN, german, ids, spoken

Score = Literal["dot", "general", "additive"]
Texts, States, Encoded = Int[Tensor, "B m"], Float[Tensor, "B n d"], Float[Tensor, "B m d"]
Looks = Float[Tensor, "B n m"]
Guess = Callable[[Texts, Int[Tensor, "B n"]], Float[Tensor, "B n G"]]  # scores, from X and before
NOTHING = -100  # what the loss passes over
RUNS = DATA / "attention/accuracy_by_length.json"


def padded(texts: Sequence[list[str]], words: tuple[str, ...], fill: int = 0) -> Int[Tensor, "B m"]:
    """The ids of several texts, one a row; after the end of a shorter one stands `fill`.

    >>> padded([["forty", "two"], ["ten"]], ENGLISH)
    tensor([[23,  3],
            [11,  0]])
    """
    if not texts or not all(texts):
        raise ValueError("There is no text, or one without a word: give each one word or more.")
    rows = [torch.tensor(ids(text, words)) for text in texts]
    return nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=fill)


class Translator(nn.Module):
    """An encoder, a decoder, and between them attention or a single vector."""

    def __init__(self, e: int = 32, d: int = 64, score: Score | None = "dot"):
        super().__init__()
        if d % 2 or min(e, d) < 1:
            raise ValueError(f"Half of the state reads each way: d is an even number, not {d}.")
        self.score = score
        self.E, self.D = nn.Embedding(len(ENGLISH), e), nn.Embedding(len(GERMAN), e)
        self.encoder = nn.GRU(e, d // 2, bidirectional=True, batch_first=True)
        self.decoder = nn.GRU(e, d, batch_first=True)
        self.F, self.O = nn.Linear(2 * d, d), nn.Linear(d, len(GERMAN))
        if score in ("general", "additive"):
            self.W = nn.Linear(d, d, bias=False)
        if score == "additive":
            self.U, self.v = nn.Linear(d, d, bias=False), nn.Linear(d, 1, bias=False)

    def read(self, X: Texts) -> tuple[Encoded, Float[Tensor, "B d"]]:
        """H, a row for every word, and the last states of both directions side by side."""
        x = nn.utils.rnn.pack_padded_sequence(
            self.E(X), (X > 0).sum(dim=1).cpu(), batch_first=True, enforce_sorted=False
        )
        H, last = self.encoder(x)
        H, _ = nn.utils.rnn.pad_packed_sequence(H, batch_first=True, total_length=X.shape[1])
        return H, torch.cat([*last], dim=-1)

    def scores(self, S: States, H: Encoded) -> Looks:
        """How well every h_j fits every s_t."""
        if self.score == "additive":
            return self.v(torch.tanh(self.W(S)[:, :, None] + self.U(H)[:, None]))[..., 0]
        return (S @ self.W.weight if self.score == "general" else S) @ H.mT

    def looks(self, S: States, H: Encoded, words: Bool[Tensor, "B m"]) -> Looks:
        """A: each row shares 1 out among the words of a text; a network without attention, 0."""
        if self.score is None:
            return torch.zeros(*S.shape[:2], H.shape[1])
        return self.scores(S, H).masked_fill(~words[:, None], -torch.inf).softmax(dim=-1)

    def words(self, S: States, C: States) -> Float[Tensor, "B n G"]:
        """A score for every German word, from the state and from what it has seen."""
        return self.O(torch.tanh(self.F(torch.cat([S, C], dim=-1))))

    def forward(
        self, X: Texts, Y: Int[Tensor, "B n"], A: Looks | None = None
    ) -> tuple[Float[Tensor, "B n G"], Looks]:
        """Scores for the word after each of Y, and A; an A that is given is put in its place."""
        H, last = self.read(X)
        S, _ = self.decoder(self.D(Y), last[None])
        A = self.looks(S, H, X > 0) if A is None else A
        return self.words(S, last[:, None].expand_as(S) if self.score is None else A @ H), A

    def tables(self) -> dict[str, nn.Parameter]:
        """The parameters by the names of `telephone_numbers.network`, which has no others."""
        if self.score not in ("dot", None):
            raise ValueError(f"NumPy's network scores by a dot product, not by {self.score!r}.")
        tables = {"E": self.E.weight, "D": self.D.weight, "F": self.F.weight, "f": self.F.bias}
        tables |= {"O": self.O.weight, "o": self.O.bias}
        directions = *self.encoder.all_weights, self.decoder.all_weights[0]
        for cell, parts in zip(telephone_numbers.CELLS, directions, strict=True):
            tables |= {f"{cell}.{k}": part for k, part in zip("WUbc", parts, strict=True)}
        return tables

    def weights(self) -> dict[str, Array]:
        """What `firth.attention.telephone_numbers` needs to run this network without torch."""
        return {k: table.detach().double().numpy() for k, table in self.tables().items()}


@torch.no_grad()
def loaded(weights: dict[str, Array]) -> Translator:
    """The translator that has these weights: what `Translator.weights` has given.

    >>> net = Translator(4, 6)
    >>> torch.equal(loaded(net.weights()).F.weight, net.F.weight)
    True
    """
    net = Translator(e=weights["E"].shape[1], d=len(weights["f"]))
    for name, table in net.tables().items():
        table.copy_(torch.tensor(weights[name]))
    return net


def trained(
    net: nn.Module, numbers: Sequence[str], steps: int = 400, batch: int = 128,
    rate: float = 5e-3, most: float = 1.0, warm: int = 50,
    betas: tuple[float, float] = (0.9, 0.999), guess: Guess | None = None,
) -> list[float]:  # fmt: skip
    """The loss of each step: the mean −log p of the right next word, after right words.

    At each step the decoder is told what should have stood before (teacher forcing), so that all
    words of a text are learned from at once. Adam's rate rises for `warm` steps, then goes down on
    a line; gradients longer than `most` are clipped. What is drawn is torch's to seed. A network
    that is not asked as this module's is, says by `guess` how it is asked.
    """
    if steps < 1 or batch < 1:
        raise ValueError("Training takes one step or more, of one number or more.")
    X = padded([spoken(number) for number in numbers], ENGLISH)
    after = padded([german(number) for number in numbers], GERMAN, NOTHING)
    before = nn.functional.pad(after.clamp(min=0), (1, 0))
    ends = (after >= 0).sum(dim=1, keepdim=True)
    after = nn.functional.pad(after, (0, 1), value=NOTHING).scatter(1, ends, 0)
    adam, losses = torch.optim.Adam(net.parameters(), betas=betas), []
    guess = guess or (lambda X, before: net(X, before)[0])
    with progress("Training a translator …") as say:
        for t in range(steps):
            adam.param_groups[0]["lr"] = rate * min((t + 1) / warm, max(1 - t / steps, 0.02))
            rows = torch.randint(len(X), (batch,))
            m, n = (X[rows] > 0).sum(dim=1).max(), ends[rows].max() + 1
            scores = guess(X[rows, :m], before[rows, :n])
            J = nn.functional.cross_entropy(scores.mT, after[rows, :n], ignore_index=NOTHING)
            adam.zero_grad()
            J.backward()
            nn.utils.clip_grad_norm_(net.parameters(), most)
            adam.step()
            losses.append(J.item())
            say(f"Training a translator … {(t + 1) / steps:.0%}")
    return losses


@torch.no_grad()
def translated(
    net: Translator, sources: Sequence[list[str]]
) -> tuple[list[list[str]], list[Float[Tensor, "t m"]]]:
    """What the network says to each English text, the likeliest word each time; and its A.

    >>> words, A = translated(loaded(telephone_numbers.stored()), [spoken("42 17")])
    >>> " ".join(words[0]), A[0].shape  # a row for each word said, a column for each word heard
    ('zwei und vierzig siebzehn', torch.Size([4, 3]))
    """
    X = padded(sources, ENGLISH)
    H, last = net.read(X)
    s, y = last[None], torch.zeros(len(X), 1, dtype=torch.long)
    over, said, looked = torch.zeros(len(X), 1, dtype=torch.bool), [], []
    for _ in range(2 * X.shape[1] + 4):  # longer than any right text
        S, s = net.decoder(net.D(y), s)
        A = net.looks(S, H, X > 0)
        y = net.words(S, last[:, None] if net.score is None else A @ H).argmax(dim=-1)
        over |= y == 0
        if over.all():
            break
        said.append(y.masked_fill(over, 0))
        looked.append(A)
    if not said:
        return [[] for _ in sources], [torch.zeros(0, len(text)) for text in sources]
    rows, A = torch.cat(said, dim=1), torch.cat(looked, dim=1)
    texts = [[GERMAN[i] for i in row if i] for row in rows.tolist()]
    sizes = zip(A, texts, sources, strict=True)
    return texts, [a[: len(text), : len(source)] for a, text, source in sizes]


def accuracy(net: Translator, pairs: int = 4, n: int = 500, seed: int = 0) -> tuple[float, float]:
    """Of n held-out numbers, the share that is right as a whole; and of words, in their place."""
    numbers = telephone_numbers.drawn(pairs, n, seed, held=True)
    said, _ = translated(net, [spoken(number) for number in numbers])
    right = [german(number) for number in numbers]
    same = [
        sum(a == b for a, b in zip(*both, strict=False)) for both in zip(said, right, strict=True)
    ]
    whole = [a == b for a, b in zip(said, right, strict=True)]
    return sum(whole) / n, sum(same) / sum(map(len, right))


def measured(kind: str, what: str = "numbers") -> Float[Array, "runs 12"]:
    """Shares right by length, as stored: a row for each run, a column for 1 to 12 pairs.

    >>> measured("dot").shape  # five seeds, 1 to 12 pairs
    (5, 12)
    """
    stored = stored_result("attention/accuracy_by_length")["rows"]
    found = [[at[what] for at in row["lengths"]] for row in stored if row["kind"] == kind]
    if not found:
        known = ", ".join(dict.fromkeys(row["kind"] for row in stored))
        raise ValueError(f"There is no run of kind {kind!r}: choose one of {known}.")
    return np.array(found)
