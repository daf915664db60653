"""The encoder–decoder of 2017, whole: words in one language, words in another, a word at a time.

    Y = encoder(√d E_x[x] + PE)                      all words of the source at once
    Z = decoder(√d E_y[0, y_1 … y_t] + PE, Y)        causal: while training, all t at once
    p(y_{t+1} = j) ∝ exp(e_jᵀ z_t)                   e_j: the row of E_y that also reads word j

Id 0 is padding in a source; in a target it is the border before the first word and after the last.
It learns chapter 4's telephone numbers, with chapter 4's functions by their names. There a state
was carried from word to word; here nothing is, and PE alone tells a word where it stands.
"""

from collections.abc import Callable, Sequence
from itertools import takewhile

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from firth.attention import seq2seq, telephone_numbers
from firth.attention.seq2seq import padded_batch
from firth.attention.telephone_numbers import ENGLISH, GERMAN, english_words, german_words

from .positional_encoding import positions
from .transformer import Decoder, Encoder, causal_mask

Sources, Targets = Int[Tensor, "B m"], Int[Tensor, "B n"]
Places = Callable[[int, int, int], Int[Tensor, "B n"]]  # of B texts of n words, up to a longest


class Translator(nn.Module):
    """n_x and n_y words known; the longest text that it is meant for has `longest` words."""

    def __init__(
        self, n_x: int = len(ENGLISH), n_y: int = len(GERMAN), d: int = 64, heads: int = 4,
        inner: int = 128, blocks: int = 2, dropout: float = 0.0, pre: bool = False,
        longest: int = 64,
    ):  # fmt: skip
        super().__init__()
        self.E_x, self.E_y = nn.Embedding(n_x, d), nn.Embedding(n_y, d)
        for E in (self.E_x, self.E_y):  # so that √d E has variance 1
            nn.init.normal_(E.weight, std=d**-0.5)
        self.encoder = Encoder(d, heads, inner, blocks, dropout, pre)
        self.decoder = Decoder(d, heads, inner, blocks, dropout, pre)
        self.drop = nn.Dropout(dropout)
        P = torch.tensor(positions(longest, d), dtype=torch.float32)
        self.register_buffer("P", P, persistent=False)

    def placed(self, ids: Int[Tensor, "B n"], E: nn.Embedding, at: Int[Tensor, "B n"] | None):
        """What each word is, plus where it is: 0, 1, 2 … if `at` does not say otherwise."""
        n = ids.shape[1] if at is None else int(at.max()) + 1
        if not (ids.numel() and 0 <= ids.min() and ids.max() < len(E.weight)):
            raise ValueError(f"Ids lie in 0 … {len(E.weight) - 1}, and there is one or more.")
        if n > len(self.P):
            raise ValueError(f"A text to place {n} is too long: the network has {len(self.P)}.")
        d = self.P.shape[1]
        return self.drop(d**0.5 * E(ids) + (self.P[:n] if at is None else self.P[at]))

    def encoded(
        self, x: Sources, at: Int[Tensor, "B m"] | None = None
    ) -> tuple[Float[Tensor, "B m d"], Bool[Tensor, "B 1 m"]]:
        """The source's vectors, and which of them are words."""
        mask = (x > 0)[:, None]
        return self.encoder(self.placed(x, self.E_x, at), mask), mask

    def decoded(
        self, y: Targets, Y: Float[Tensor, "B m d"], mask: Bool[Tensor, "B 1 m"],
        at: Int[Tensor, "B n"] | None = None,
    ) -> Float[Tensor, "B n V"]:  # fmt: skip
        """A score for each word that could come next, after every word of the target."""
        seen = causal_mask(y.shape[1])
        return self.decoder(self.placed(y, self.E_y, at), Y, seen, mask) @ self.E_y.weight.T

    def forward(
        self, x: Sources, y: Targets,
        x_at: Int[Tensor, "B m"] | None = None, y_at: Int[Tensor, "B n"] | None = None,
    ) -> Float[Tensor, "B n V"]:  # fmt: skip
        """Scores after every word of a target that is known: how it is trained."""
        return self.decoded(y, *self.encoded(x, x_at), y_at)


def trained(
    net: Translator, numbers: Sequence[str], steps: int = 600, batch: int = 64,
    rate: float = 3e-3, most: float = 1.0, where: Places | None = None,
) -> list[float]:  # fmt: skip
    """The loss of each step: the mean −log p of the right next word, after right words.

    As chapter 4's; the rate rises for a hundred steps, since a network as deep as this starts
    rough. `where` says at which places the words of a text stand: as a rule at 0, 1, 2 …
    """

    def guess(x: Sources, y: Targets) -> Float[Tensor, "B n G"]:
        at = [where(*text.shape, len(net.P)) for text in (x, y)] if where else []
        return net(x, y, *at)

    net.train()
    how = {"warmup": 100, "betas": (0.9, 0.98), "word_scores": guess}
    return seq2seq.train_translator(net, numbers, steps, batch, rate, most, **how)


@torch.no_grad()
def translated(
    net: Translator, sources: Sequence[list[str]], start: int = 0
) -> tuple[list[list[str]], list[Float[Tensor, "t m"]]]:
    """The likeliest word each time, and where the last block looked for it: its heads' mean.

    Both texts stand at the places from `start` on: what is right does not depend on it.

    >>> texts, A = translated(Translator(), [english_words("42 17")])
    >>> len(texts[0]) == len(A[0])  # a row for each word said, a column for each word heard
    True
    """
    net.eval()
    X = padded_batch(sources, ENGLISH)
    longest = 2 * X.shape[1] + 4  # more than any right text has
    at = start + torch.arange(longest).expand(len(X), -1)
    Y, mask = net.encoded(X, at[:, : X.shape[1]])
    y = torch.zeros(len(X), 1, dtype=torch.long)
    over = torch.zeros(len(X), dtype=torch.bool)
    while not over.all() and y.shape[1] < longest:
        word = net.decoded(y, Y, mask, at[:, : y.shape[1]])[:, -1].argmax(dim=-1)
        over |= word == 0
        y = torch.cat([y, word[:, None]], dim=1)
    net.decoded(y, Y, mask, at[:, : y.shape[1]])  # once more, so that A has a row for each word
    A = net.decoder.blocks[-1].cross.A.mean(dim=1)
    texts = [[GERMAN[i] for i in takewhile(bool, row)] for row in y[:, 1:].tolist()]
    sizes = zip(A, texts, sources, strict=True)
    return texts, [a[: len(text), : len(source)] for a, text, source in sizes]


def accuracy(
    net: Translator, pairs: int = 4, n: int = 500, seed: int = 0, start: int = 0
) -> tuple[float, float]:
    """Of n held-out numbers, the share that is right as a whole; and of words, in their place."""
    numbers = telephone_numbers.random_numbers(pairs, n, seed, held_out=True)
    said, _ = translated(net, [english_words(number) for number in numbers], start)
    right = [german_words(number) for number in numbers]
    both = list(zip(said, right, strict=True))
    same = sum(a == b for pair in both for a, b in zip(*pair, strict=False))
    return sum(a == b for a, b in both) / n, same / sum(map(len, right))
