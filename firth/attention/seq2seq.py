"""Sequence to sequence: an encoder reads a text and a decoder writes another, word by word.

    1  embed the last word, y_{t−1}; before the first word it is the border, word 0
    2  s_t  = GRU(y_{t−1}, s_{t−1})         s_0: the encoder's last hidden states
    3  a_tj = softmax_j(score(s_t, h_j))    attention weights; context C_t = Σ_j a_tj h_j
    4, 5    o_t = tanh(F [s_t; C_t] + f)    concatenate, one feed-forward layer
    6  p_t  = softmax(O o_t + o)            probability of each next word

    score   sᵀh (dot),  sᵀW h (general),  vᵀtanh(W s + U h) (additive)
    None    no attention: C_t = s_0 at every step, one context vector for the whole text

Networks with "dot" and with None have the same parameters. The encoder is a GRU in each direction,
so d/2 numbers of h_j depend on the words up to j and d/2 on the words from j on. Batches are
(texts × words × …). Shorter texts are padded with word 0, which has no weight in any computation.
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
from .telephone_numbers import ENGLISH, GERMAN, english_words, german_words, word_indices

Score = Literal["dot", "general", "additive"]
Texts, States, Encoded = Int[Tensor, "B m"], Float[Tensor, "B n d"], Float[Tensor, "B m d"]
Weights = Float[Tensor, "B n m"]
WordScores = Callable[[Texts, Int[Tensor, "B n"]], Float[Tensor, "B n G"]]
NOTHING = -100  # the loss ignores this index
RUNS = DATA / "attention/accuracy_by_length.json"


def padded_batch(
    texts: Sequence[list[str]], words: tuple[str, ...], fill: int = 0
) -> Int[Tensor, "B m"]:
    """The indices of the words of several texts, a text in each row, padded with `fill`.

    >>> padded_batch([["forty", "two"], ["ten"]], ENGLISH)
    tensor([[23,  3],
            [11,  0]])
    """
    if not texts or not all(texts):
        raise ValueError("There is no text, or one without a word: give each one word or more.")
    rows = [torch.tensor(word_indices(text, words)) for text in texts]
    return nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=fill)


class Translator(nn.Module):
    """An encoder and a decoder, with attention between them or a single context vector."""

    def __init__(self, e: int = 32, d: int = 64, score: Score | None = "dot"):
        super().__init__()
        if d % 2 or min(e, d) < 1:
            raise ValueError(f"Each direction has d/2 numbers: d is an even number, not {d}.")
        self.score = score
        self.E, self.D = nn.Embedding(len(ENGLISH), e), nn.Embedding(len(GERMAN), e)
        self.encoder = nn.GRU(e, d // 2, bidirectional=True, batch_first=True)
        self.decoder = nn.GRU(e, d, batch_first=True)
        self.F, self.O = nn.Linear(2 * d, d), nn.Linear(d, len(GERMAN))
        if score in ("general", "additive"):
            self.W = nn.Linear(d, d, bias=False)
        if score == "additive":
            self.U, self.v = nn.Linear(d, d, bias=False), nn.Linear(d, 1, bias=False)

    def encode(self, X: Texts) -> tuple[Encoded, Float[Tensor, "B d"]]:
        """H, with a row for each word, and s_0, the last hidden states of both directions."""
        x = nn.utils.rnn.pack_padded_sequence(
            self.E(X), (X > 0).sum(dim=1).cpu(), batch_first=True, enforce_sorted=False
        )
        H, last = self.encoder(x)
        H, _ = nn.utils.rnn.pad_packed_sequence(H, batch_first=True, total_length=X.shape[1])
        return H, torch.cat([*last], dim=-1)

    def scores(self, S: States, H: Encoded) -> Weights:
        """The score of each s_t with each h_j."""
        if self.score == "additive":
            return self.v(torch.tanh(self.W(S)[:, :, None] + self.U(H)[:, None]))[..., 0]
        return (S @ self.W.weight if self.score == "general" else S) @ H.mT

    def attention_weights(self, S: States, H: Encoded, words: Bool[Tensor, "B m"]) -> Weights:
        """A, in which each row sums to 1; without attention all weights are 0.

        `words` is False at padding.
        """
        if self.score is None:
            return torch.zeros(*S.shape[:2], H.shape[1])
        return self.scores(S, H).masked_fill(~words[:, None], -torch.inf).softmax(dim=-1)

    def word_scores(self, S: States, C: States) -> Float[Tensor, "B n G"]:
        """A score for each German word, from hidden states and context vectors."""
        return self.O(torch.tanh(self.F(torch.cat([S, C], dim=-1))))

    def forward(
        self, X: Texts, Y: Int[Tensor, "B n"], A: Weights | None = None
    ) -> tuple[Float[Tensor, "B n G"], Weights]:
        """Scores for the word after each word of Y, and A; an A that is given replaces it."""
        H, last = self.encode(X)
        S, _ = self.decoder(self.D(Y), last[None])
        A = self.attention_weights(S, H, X > 0) if A is None else A
        return self.word_scores(S, last[:, None].expand_as(S) if self.score is None else A @ H), A

    def parameters_by_name(self) -> dict[str, nn.Parameter]:
        """A dict of the parameters, with the names that `telephone_numbers.network` expects."""
        if self.score not in ("dot", None):
            raise ValueError(f"NumPy's network scores by a dot product, not by {self.score!r}.")
        tables = {"E": self.E.weight, "D": self.D.weight, "F": self.F.weight, "f": self.F.bias}
        tables |= {"O": self.O.weight, "o": self.O.bias}
        directions = *self.encoder.all_weights, self.decoder.all_weights[0]
        for cell, parts in zip(telephone_numbers.CELLS, directions, strict=True):
            tables |= {f"{cell}.{k}": part for k, part in zip("WUbc", parts, strict=True)}
        return tables

    def weights(self) -> dict[str, Array]:
        """The parameters as arrays, for `telephone_numbers.network`, which needs no torch."""
        named = self.parameters_by_name().items()
        return {name: table.detach().double().numpy() for name, table in named}


@torch.no_grad()
def load_translator(weights: dict[str, Array]) -> Translator:
    """The translator with these weights, which `Translator.weights` has returned.

    >>> net = Translator(4, 6)
    >>> torch.equal(load_translator(net.weights()).F.weight, net.F.weight)
    True
    """
    net = Translator(e=weights["E"].shape[1], d=len(weights["f"]))
    for name, table in net.parameters_by_name().items():
        table.copy_(torch.tensor(weights[name]))
    return net


def train_translator(
    net: nn.Module, numbers: Sequence[str], steps: int = 400, batch: int = 128,
    rate: float = 5e-3, clip: float = 1.0, warmup: int = 50,
    betas: tuple[float, float] = (0.9, 0.999), word_scores: WordScores | None = None,
) -> list[float]:  # fmt: skip
    """The loss of each training step: the mean of −log p over the right next words.

    The decoder reads the right words so far (teacher forcing). Adam's learning rate rises over
    `warmup` steps and then falls linearly. Gradients longer than `clip` are shortened to it.
    `word_scores` computes the scores of a network that is not a `Translator` of this module.
    """
    if steps < 1 or batch < 1:
        raise ValueError("Training takes one step or more, of one number or more.")
    X = padded_batch([english_words(number) for number in numbers], ENGLISH)
    after = padded_batch([german_words(number) for number in numbers], GERMAN, NOTHING)
    before = nn.functional.pad(after.clamp(min=0), (1, 0))
    ends = (after >= 0).sum(dim=1, keepdim=True)
    after = nn.functional.pad(after, (0, 1), value=NOTHING).scatter(1, ends, 0)
    adam, losses = torch.optim.Adam(net.parameters(), betas=betas), []
    word_scores = word_scores or (lambda X, before: net(X, before)[0])
    with progress("Training a translator …") as say:
        for t in range(steps):
            adam.param_groups[0]["lr"] = rate * min((t + 1) / warmup, max(1 - t / steps, 0.02))
            rows = torch.randint(len(X), (batch,))
            m, n = (X[rows] > 0).sum(dim=1).max(), ends[rows].max() + 1
            scores = word_scores(X[rows, :m], before[rows, :n])
            J = nn.functional.cross_entropy(scores.mT, after[rows, :n], ignore_index=NOTHING)
            adam.zero_grad()
            J.backward()
            nn.utils.clip_grad_norm_(net.parameters(), clip)
            adam.step()
            losses.append(J.item())
            say(f"Training a translator … {(t + 1) / steps:.0%}")
    return losses


@torch.no_grad()
def translate(
    net: Translator, sources: Sequence[list[str]]
) -> tuple[list[list[str]], list[Float[Tensor, "t m"]]]:
    """The German words for each English text and their attention weights, as two lists.

    At each step the decoder writes the word with the largest score.

    >>> net = load_translator(telephone_numbers.stored_weights())
    >>> words, A = translate(net, [english_words("42 17")])
    >>> " ".join(words[0]), A[0].shape  # a row for each German word, a column for each English one
    ('zwei und vierzig siebzehn', torch.Size([4, 3]))
    """
    X = padded_batch(sources, ENGLISH)
    H, last = net.encode(X)
    s, y = last[None], torch.zeros(len(X), 1, dtype=torch.long)
    over, written, rows = torch.zeros(len(X), 1, dtype=torch.bool), [], []
    for _ in range(2 * X.shape[1] + 4):  # longer than any right text
        S, s = net.decoder(net.D(y), s)
        A = net.attention_weights(S, H, X > 0)
        y = net.word_scores(S, last[:, None] if net.score is None else A @ H).argmax(dim=-1)
        over |= y == 0
        if over.all():
            break
        written.append(y.masked_fill(over, 0))
        rows.append(A)
    if not written:
        return [[] for _ in sources], [torch.zeros(0, len(text)) for text in sources]
    indices, A = torch.cat(written, dim=1), torch.cat(rows, dim=1)
    texts = [[GERMAN[i] for i in row if i] for row in indices.tolist()]
    sizes = zip(A, texts, sources, strict=True)
    return texts, [a[: len(text), : len(source)] for a, text, source in sizes]


def accuracy(net: Translator, pairs: int = 4, n: int = 500, seed: int = 0) -> tuple[float, float]:
    """Two shares for n held-out numbers: of numbers without an error, and of words in place."""
    numbers = telephone_numbers.random_numbers(pairs, n, seed, held_out=True)
    written, _ = translate(net, [english_words(number) for number in numbers])
    right = [german_words(number) for number in numbers]
    both = list(zip(written, right, strict=True))
    in_place = sum(a == b for texts in both for a, b in zip(*texts, strict=False))
    return sum(a == b for a, b in both) / n, in_place / sum(map(len, right))


def stored_accuracy(kind: str, what: str = "numbers") -> Float[Array, "runs 12"]:
    """Shares right, with a row for each stored run and a column for each of 1 to 12 pairs.

    >>> stored_accuracy("dot").shape  # five seeds
    (5, 12)
    """
    stored = stored_result("attention/accuracy_by_length")["rows"]
    found = [[at[what] for at in row["lengths"]] for row in stored if row["kind"] == kind]
    if not found:
        known = ", ".join(dict.fromkeys(row["kind"] for row in stored))
        raise ValueError(f"There is no run of kind {kind!r}: choose one of {known}.")
    return np.array(found)
