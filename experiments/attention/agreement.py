"""Train queries, keys and values until every verb finds its subject; store every run.

    python -m experiments.attention.agreement

    W_Q and W_K apart     W_Q = W_K     W_Q = W_K, and no word attends to itself     no W_Q, W_K
    widths d_k of queries and keys: 1, 2, 8; five seeds; the learning rate of RATES with the
    smallest loss on fresh sentences of the pairs to learn from

The words are vectors of GloVe with length 1. At each noun and verb the network predicts the word
that belongs to it. It is asked about fresh sentences with the pairs to learn from, with held-out
pairs, with more words, and with nouns and verbs that it never saw. Such new words cannot be
predicted, so there only the attention weights are judged: is the largest on the right word?
"""

import argparse
import json
import re
import time

import torch
from torch import Tensor, nn

from experiments.conditions import conditions
from firth.attention import agreement
from firth.store import pretrained_vectors
from firth.store.results import DATA, stored_result

FILE = DATA / "attention/agreement.json"
KINDS = ("apart", "equal", "equal, not itself", "similarity")
WIDTHS, SEEDS, RATES = (1, 2, 8), range(5), (0.02, 0.05, 0.1)
SETTINGS = {"sentences": 3000, "batch": 256, "steps": 400, "asked": 1000}


def word_vectors() -> Tensor:
    """The vectors of the vocabulary from GloVe, a row for each word, with length 1."""
    known, vectors = pretrained_vectors.glove(100_000)
    index = {word: i for i, word in enumerate(known)}
    X = torch.tensor(vectors[[index[word] for word in agreement.vocabulary()]])
    return X / X.norm(dim=1, keepdim=True)


class Attention(nn.Module):
    """One layer of attention whose values are scores for the words of agreement.WORDS."""

    def __init__(self, kind: str, d_k: int, d: int = 50):
        super().__init__()
        self.kind = kind
        self.W_Q = nn.Parameter(torch.randn(d_k, d) / d**0.5)
        self.W_K = nn.Parameter(torch.randn(d_k, d) / d**0.5) if kind == "apart" else self.W_Q
        self.W_V = nn.Parameter(torch.zeros(len(agreement.WORDS), d))

    def forward(self, X: Tensor) -> tuple[Tensor, Tensor]:
        """The scores of all words at each position, and the attention weights."""
        Q, K, V = X @ self.W_Q.T, X @ self.W_K.T, X @ self.W_V.T
        scores = X @ X.mT if self.kind == "similarity" else Q @ K.mT / self.W_Q.shape[0] ** 0.5
        if self.kind == "equal, not itself":
            scores = scores.masked_fill(torch.eye(X.shape[1], dtype=bool), -torch.inf)
        A = scores.softmax(dim=-1)
        return A @ V, A


def trained(kind: str, d_k: int, seed: int, rate: float, X: Tensor) -> Attention:
    """A network after SETTINGS["steps"] steps of Adam."""
    torch.manual_seed(seed)
    net = Attention(kind, d_k)
    words, partners = agreement.as_indices(agreement.sentences(SETTINGS["sentences"], seed))
    adam = torch.optim.Adam(net.parameters(), lr=rate)
    for _ in range(SETTINGS["steps"]):
        rows = torch.randint(len(words), (SETTINGS["batch"],))
        Y, _ = net(X[words[rows]])
        loss = nn.functional.cross_entropy(Y.mT, partners[rows], ignore_index=agreement.NONE)
        adam.zero_grad()
        loss.backward()
        adam.step()
    return net


@torch.no_grad()
def asked(net: Attention, X: Tensor, seed: int, **which) -> dict:
    """Loss, accuracy and share of largest weights that fall on the partner, for fresh sentences."""
    found = agreement.sentences(SETTINGS["asked"], seed, **which)
    words, partners = agreement.as_indices(found)
    Y, A = net(X[words])
    some = partners != agreement.NONE
    pointed = torch.gather(words, 1, A.argmax(dim=-1)) == partners
    row = {"largest weight": pointed[some].float().mean().item()}
    if not which.get("new"):
        loss = nn.functional.cross_entropy(Y.mT, partners, ignore_index=agreement.NONE)
        right = (Y.argmax(dim=-1) == partners)[some].float().mean()
        row |= {"loss": loss.item(), "right": right.item()}
    return {name: round(value, 4) for name, value in row.items()}


def stored_rows() -> list[dict]:
    """The rows that are stored, if they were made with these settings."""
    old = stored_result("attention/agreement", {"rows": []})
    return old["rows"] if old.get("settings") == SETTINGS else []


def store(rows: list[dict]) -> None:
    """Write all rows, with the machine and the settings."""
    about = conditions() | {
        "command": "python -m experiments.attention.agreement",
        "settings": SETTINGS,
    }
    text = json.dumps(about | {"rows": rows}, ensure_ascii=False, indent=1)
    text = re.sub(r"\n {4,}|\n {3}(?=[\]}])", " ", text)
    FILE.write_text(text + "\n", encoding="utf-8")


def run(kind: str, d_k: int, seed: int, loss_of: dict[float, float], X: Tensor) -> dict:
    """The row that is stored for one network, trained with the best of the learning rates."""
    began = time.process_time()
    rate = min(loss_of, key=loss_of.get)
    net = trained(kind, d_k, seed, rate, X)
    row = {"kind": kind, "d_k": d_k, "seed": seed, "rate": rate}
    row["seconds"] = round(time.process_time() - began, 1)
    row["learned pairs"] = asked(net, X, seed=1000)
    row["held-out pairs"] = asked(net, X, seed=1001, held_out=True)
    row["longer"] = asked(net, X, seed=1002, held_out=True, shapes=agreement.LONGER)
    row["new words"] = asked(net, X, seed=1003, new=True)
    return row | {"loss by rate": {str(rate): loss for rate, loss in loss_of.items()}}


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    torch.set_num_threads(1)
    X = word_vectors()
    runs = [(kind, d_k) for d_k in WIDTHS[::-1] for kind in KINDS[:3]] + [(KINDS[3], 1)]
    for kind, d_k in runs:
        done = {row["seed"] for row in stored_rows() if (row["kind"], row["d_k"]) == (kind, d_k)}
        if done >= set(SEEDS):
            continue
        loss_of = {
            rate: asked(trained(kind, d_k, 100, rate, X), X, seed=900)["loss"] for rate in RATES
        }
        for seed in set(SEEDS) - done:
            row = run(kind, d_k, seed, loss_of, X)
            store([*stored_rows(), row])
        print(row, flush=True)


if __name__ == "__main__":
    main()
