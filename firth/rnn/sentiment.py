"""Is a review good or bad? A network reads the sentence, and its last hidden state decides.

    x_t = E[w_t]                              a row of the embedding matrix for each word
    h_t, c_t = LSTM(x_t, h_{t−1}, c_{t−1})
    s = w · h_T + b,    P(good) = σ(s)

This is many-to-one: T words, one answer. With two directions, the last hidden states of both,
[h_T; h'_1], decide. A second layer reads the hidden states of the first. Sentences of a batch are
padded to the longest and packed, so that the hidden state after the last word is used and none
after padding. Recurrent dropout sets the same units of h to 0 at every step of a sentence (Gal and
Ghahramani, 2016): other units at each step would wipe out what should be remembered.

Word 0 is padding and word 1 stands for all that are unknown.
"""

import math
import time
from collections.abc import Sequence

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence

from firth.lsa import counts
from firth.store import pretrained_vectors

RESERVED = 2  # ids before the first word of the vocabulary


def encode(texts: Sequence[str], vocabulary: Sequence[str]) -> list[Int[Tensor, " T"]]:
    """A list with the ids of each text's words, ready for `Classifier`.

    An empty text becomes one unknown word.

    >>> encode(["a fine film", ""], ["fine", "a"])
    [tensor([3, 2, 1]), tensor([1])]
    """
    found = (counts.word_ids(counts.words(text), vocabulary) for text in texts)
    return [torch.tensor((ids + RESERVED if len(ids) else np.ones(1)).astype(int)) for ids in found]


class Classifier(nn.Module):
    """An LSTM classifier: word ids in, one score for each sentence."""

    def __init__(
        self,
        n: int,
        e: int = 50,
        d: int = 64,
        directions: int = 1,
        layers: int = 1,
        dropout: float = 0.0,
        recurrent: float = 0.0,
        vectors: Float[Tensor, "n e"] | None = None,
        frozen: bool = False,
    ):
        super().__init__()
        if recurrent and directions * layers > 1:
            raise ValueError("Recurrent dropout is built for one layer in one direction.")
        self.E = nn.Embedding(n + RESERVED, e, padding_idx=0)
        if vectors is not None:
            self.E.weight.data[RESERVED:] = vectors
        self.E.weight.requires_grad_(not frozen)
        self.lstm = nn.LSTM(e, d, layers, bidirectional=directions == 2)
        self.drop, self.recurrent = nn.Dropout(dropout), recurrent
        self.out = nn.Linear(directions * d, 1)

    def forward(self, ids: Int[Tensor, "T m"], lengths: Int[Tensor, " m"]) -> Float[Tensor, " m"]:
        X = self.drop(self.E(ids.to(self.E.weight.device)))  # lengths stay: packing wants them so
        if self.recurrent:
            last = self.last_state_with_dropout(X, lengths)
        else:
            packed = pack_padded_sequence(X, lengths, enforce_sorted=False)
            h = self.lstm(packed)[1][0]  # layers · directions, m, d: the upper layer comes last
            last = torch.cat(tuple(h[-2:] if self.lstm.bidirectional else h[-1:]), dim=-1)
        return self.out(self.drop(last)).squeeze(-1)

    def last_state_with_dropout(
        self, X: Float[Tensor, "T m e"], lengths: Int[Tensor, " m"]
    ) -> Float[Tensor, "m d"]:
        """The last hidden state of each sentence with recurrent dropout, for word vectors X.

        It is a loop over the steps, because `nn.LSTM` cannot do it.
        """
        lstm = self.lstm
        A = X @ lstm.weight_ih_l0.T + lstm.bias_ih_l0 + lstm.bias_hh_l0
        h = c = X.new_zeros(X.shape[1], lstm.hidden_size)
        kept = nn.functional.dropout(torch.ones_like(h), self.recurrent, self.training)
        for t, a in enumerate(A):
            i, f, g, o = (a + (h * kept) @ lstm.weight_hh_l0.T).chunk(4, dim=-1)
            fresh = f.sigmoid() * c + i.sigmoid() * g.tanh()
            on = (t < lengths.to(X.device))[:, None]  # a sentence that is over keeps its state
            c = torch.where(on, fresh, c)
            h = torch.where(on, o.sigmoid() * fresh.tanh(), h)
        return h


def random_batches(texts: Sequence[Tensor], size: int) -> list[list[int]]:
    """A list of random batches, each a list of indices of texts of similar length.

    Sixteen batches of random texts at a time are sorted by length, so that there is less padding.
    Then the batches are shuffled. `size` is the number of texts in a batch.
    """
    order = torch.randperm(len(texts)).tolist()
    blocks = [order[start : start + 16 * size] for start in range(0, len(order), 16 * size)]
    rows = [i for block in blocks for i in sorted(block, key=lambda i: len(texts[i]))]
    cut = [rows[start : start + size] for start in range(0, len(rows), size)]
    return [cut[i] for i in torch.randperm(len(cut))]


def batch(
    texts: Sequence[Tensor], labels: Sequence[int], rows: Sequence[int]
) -> tuple[Int[Tensor, "T m"], Int[Tensor, " m"], Float[Tensor, " m"]]:
    """The ids of the texts in these rows, time first and padded; their lengths; their labels.

    >>> batch([torch.tensor([4, 2]), torch.tensor([3])], [1, 0], [1, 0])[0]
    tensor([[3, 4],
            [0, 2]])
    """
    chosen = [texts[i] for i in rows]
    lengths = torch.tensor([len(ids) for ids in chosen])
    return pad_sequence(chosen), lengths, torch.tensor([float(labels[i]) for i in rows])


def accuracy(net: Classifier, texts: Sequence[Tensor], labels: Sequence[int]) -> float:
    """The share of texts that the network classifies correctly."""
    net.eval()
    with torch.no_grad():
        right = 0
        for start in range(0, len(texts), 500):
            ids, lengths, y = batch(texts, labels, range(len(texts))[start : start + 500])
            right += int(((net(ids, lengths).cpu() > 0) == (y > 0)).sum())
    return right / len(texts)


def interval(share: float, n: int) -> tuple[float, float]:
    """Wilson's 95 % interval for a share that was measured on n texts.

    >>> low, high = interval(0.75, 1000)
    >>> print(f"{low:.3f} to {high:.3f}")
    0.722 to 0.776
    """
    if not (0 <= share <= 1 and n > 0):
        raise ValueError(f"A share lies in 0 … 1 of 1 text or more, not {share} of {n}.")
    z = 1.96
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    width = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return middle - width, middle + width


def train(
    net: Classifier,
    texts: Sequence[Tensor],
    labels: Sequence[int],
    held: tuple[Sequence[Tensor], Sequence[int]],
    epochs: int = 8,
    rate: float = 3e-3,
    size: int = 64,
    patience: int = 2,
    seconds: float = math.inf,
) -> list[float]:
    """Trains the network in place and returns its accuracy on held-out texts after each epoch.

    The network ends with its best weights. Training stops after `patience` epochs without
    improvement, or after `seconds`. `held` holds the held-out texts and their labels.
    """
    optimiser = torch.optim.Adam([w for w in net.parameters() if w.requires_grad], lr=rate)
    end, held_out, best = time.monotonic() + seconds, [], {}
    for _ in range(epochs):
        net.train()
        for rows in random_batches(texts, size):
            ids, lengths, y = batch(texts, labels, rows)
            scores = net(ids, lengths)
            loss = nn.functional.binary_cross_entropy_with_logits(scores, y.to(scores.device))
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimiser.step()
        held_out.append(accuracy(net, *held))
        if held_out[-1] == max(held_out):
            best = {name: w.clone() for name, w in net.state_dict().items()}
        stale = len(held_out) - 1 - held_out.index(max(held_out))
        if stale >= patience or time.monotonic() > end:
            break
    net.load_state_dict(best)
    return held_out


def vocabulary(texts: Sequence[str]) -> list[str]:
    """A list of the words that occur at least twice in the texts; all others are unknown words."""
    return counts.vocabulary((word for text in texts for word in counts.words(text)), 2)


def glove_vectors(vocabulary: Sequence[str], seed: int = 0) -> Float[Tensor, "n 50"]:
    """GloVe's vectors of the words, and small random vectors for words that GloVe does not have."""
    found, vectors = pretrained_vectors.glove()
    place = {word: i for i, word in enumerate(found)}
    rows = 0.1 * np.random.default_rng(seed).normal(size=(len(vocabulary), vectors.shape[1]))
    for row, word in zip(rows, vocabulary, strict=True):
        if word in place:
            row[:] = vectors[place[word]]
    return torch.tensor(rows, dtype=torch.float32)
