"""A language model: an LSTM reads a text and predicts the next word at each position.

    x_t = E[w_t]
    h_t, c_t = LSTM(x_t, h_{t−1}, c_{t−1})
    p(w_{t+1} = j) ∝ q_j exp(u_j·h_t)           q: how likely j is to be drawn as noise
    J = −log exp(u_o·h_t) / (exp(u_o·h_t) + Σᵢ exp(u_i·h_t))     o: what came, i: k noise words

A word has two vectors, as in word2vec: its row of E when it is read, and its row u of U when it is
predicted. The softmax over all n words would cost n products at each position. So J distinguishes
the word that came from k noise words, which all positions of a batch share. J is smallest where
u_j·h_t = log p_j/q_j plus a constant.

The gradient goes back T words (truncated backpropagation); the state goes on into the next T. Id n
stands for unknown words and for the end of a document: it is read and never predicted.
"""

from collections.abc import Sequence

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy import ndarray as Array
from torch import Tensor, nn

from firth.runtime.progress import progress
from firth.word2vec.word2vec import learning_rate, text

State = tuple[Float[Tensor, "1 B d"], Float[Tensor, "1 B d"]]  # h, c
Text = Int[Array, " _"] | Sequence[Int[Array, " _"]]


def streams(documents: Text, n: int, B: int = 1) -> Int[Tensor, "L B"]:
    """All documents as one long sequence of ids, cut into B columns, for truncated backpropagation.

    Each column continues where the one before ends, and some consecutive rows are a batch of B
    sequences. n is the size of the vocabulary; the id n stands for an unknown word (−1) and for the
    end of a document. Ids that do not fill the last row are left out.

    >>> streams([np.array([0, 1, -1]), np.array([2])], n=3, B=2)
    tensor([[0, 3],
            [1, 2],
            [3, 3]])
    """
    row = text(documents, 1, n)
    L = len(row) // B
    if L < 2:
        raise ValueError(
            f"{len(row)} words in {B} columns leave none to predict: take a longer text."
        )
    return torch.tensor(np.where(row < 0, n, row)[: L * B].reshape(B, L).T.copy())


class NextWord(nn.Module):
    """An LSTM language model. U starts at 0, so that at first all words have the same score."""

    def __init__(self, n: int, e: int = 100, d: int = 100):
        super().__init__()
        self.E = nn.Embedding(n + 1, e, sparse=True)
        self.lstm = nn.LSTM(e, d)
        self.U = nn.Embedding(n, d, sparse=True)
        # Larger, and rare words would stay where chance has put them.
        nn.init.normal_(self.E.weight, std=0.01)
        nn.init.zeros_(self.U.weight)

    def forward(
        self, ids: Int[Tensor, "T B"], state: State | None = None
    ) -> tuple[Float[Tensor, "T B d"], State]:
        """The LSTM's hidden state at each position, and the state that starts the next run."""
        n = len(self.U.weight)
        if not (ids.numel() and 0 <= ids.min() and ids.max() <= n):
            raise ValueError(f"Ids lie in 0 … {n}, and there is one or more: see `streams`.")
        return self.lstm(self.E(ids), state)

    def loss(
        self, H: Float[Tensor, "T B d"], ids: Int[Tensor, "T B"], drawn: Int[Tensor, " k"]
    ) -> Float[Tensor, ""]:
        """The mean loss J over the positions with a known next word; 0 if there is none.

        H holds the hidden states, `ids` the next words and `drawn` the noise words.

        >>> net = NextWord(n=9)
        >>> H, _ = net(torch.tensor([[0], [1]]))
        >>> J = net.loss(H, torch.tensor([[1], [2]]), drawn=torch.tensor([5, 6, 7]))
        >>> print(round(J.exp().item(), 2))  # one word and three noise words with equal scores
        4.0
        """
        known = ids < len(self.U.weight)
        if not len(drawn):
            raise ValueError(
                "With k = 0 noise words there is nothing to distinguish: draw one or more."
            )
        H, o = H[known], ids[known]
        seen = (H * self.U(o)).sum(-1, keepdim=True)
        scores = torch.cat([seen, H @ self.U(drawn).T], dim=-1)
        return (scores.logsumexp(-1) - seen[:, 0]).sum() / max(len(o), 1)

    def log_probabilities(
        self, H: Float[Tensor, "*batch d"], chance: Float[Tensor, " n"]
    ) -> Float[Tensor, "*batch n"]:
        """log p of each next word by the exact softmax, which training does not compute.

        H holds hidden states, and `chance` the probability of each word as noise.
        """
        return (H @ self.U.weight.T + chance.log()).log_softmax(-1)


def train(
    net: NextWord, columns: Int[Tensor, "L B"], chance: Float[Array, " n"], k: int = 512,
    T: int = 40, epochs: int = 3, first: float = 1e-2, last: float = 1e-3,
) -> list[float]:  # fmt: skip
    """Trains the network in place and returns the mean loss J of each epoch.

    `columns` is the text from `streams`, `chance` the probability of each word as noise, and k the
    number of noise words. Adam's learning rate falls linearly from `first` to `last`. Rows of E and
    U that a batch does not contain are not changed, and neither are Adam's means for them: changing
    all n would be slow.
    """
    if min(k, T, epochs) < 1:
        raise ValueError("Training takes 1 or more of k, of T and of epochs.")
    if len(columns) < 2:
        raise ValueError("One word in each column leaves none to predict: take a longer text.")
    if len(chance) != len(net.U.weight):
        raise ValueError(
            f"{len(chance)} noise probabilities and {len(net.U.weight)} words: give each word one."
        )
    tables = torch.optim.SparseAdam([net.E.weight, net.U.weight])
    cell = torch.optim.Adam(net.lstm.parameters())
    q = torch.tensor(chance)
    starts, losses = range(0, len(columns) - 1, T), []
    with progress("Training a language model …") as say:
        for epoch in range(epochs):
            state, total = None, 0.0
            for i, t in enumerate(starts):
                done = (epoch + i / len(starts)) / epochs
                for group in tables.param_groups + cell.param_groups:
                    group["lr"] = learning_rate(done, first, last)
                piece = columns[t : t + T + 1]
                H, state = net(piece[:-1], state)
                state = tuple(s.detach() for s in state)  # kept, but no gradient goes further back
                J = net.loss(H, piece[1:], torch.multinomial(q, k, replacement=True))
                tables.zero_grad()
                cell.zero_grad()
                J.backward()
                nn.utils.clip_grad_norm_(net.lstm.parameters(), 1.0)
                tables.step()
                cell.step()
                total += J.item()
                say(f"Training a language model … {done:.0%}")
            losses.append(total / len(starts))
    return losses
