"""Fine-tuning: the last blocks learn along with the classifier; what lies below stays.

    H  = states after the blocks that stay                       once for each text
    X  = block_6(… H)                                            the last ones, copied, to be tuned
    p  = σ(w · mean_t x_t + b)                                   mean pooling, then a probe
    J  = −mean (y log p + (1 − y) log(1 − p))                    w, b and the blocks follow −∇J

A probe may only weigh the features that are there; tuning makes new ones for the task. It has
millions of numbers to turn where the probe has 385, so it takes small steps and stops early.
"""

from collections.abc import Sequence
from copy import deepcopy

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor, nn

from . import minilm

PIECES = 62  # of a text's opening: with [CLS] and [SEP], 64


def opening(text: str, pieces: int = PIECES) -> str:
    """As many of the first words as have so many pieces; a letter says early what it wants."""
    kept, count = [], 0
    for word in text.split():
        count += len(minilm.words().pieces(word))
        if count > pieces:
            break
        kept.append(word)
    return " ".join(kept)


class Tuned(nn.Module):
    """The last blocks of MiniLM, and one weight for each feature of the mean."""

    def __init__(self, blocks: int = 2):
        super().__init__()
        bert = minilm.model()
        if not 1 <= blocks <= len(bert.encoder.blocks):
            raise ValueError(f"Of {len(bert.encoder.blocks)} blocks 1 or more are tuned.")
        self.blocks = deepcopy(bert.encoder.blocks[-blocks:]).requires_grad_(True)
        self.out = nn.Linear(bert.shape.d, 1)

    def forward(self, H: Float[Tensor, "B n d"], mask: Tensor) -> Float[Tensor, " B"]:
        for block in self.blocks:
            H = block(H, mask[:, None])
        return self.out(minilm.pooled(H, mask)).squeeze(-1)


def below(texts: Sequence[str], blocks: int = 2) -> list[Float[Tensor, "n d"]]:
    """H of each text: what the last blocks will read, computed once for all epochs."""
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
    found: list = [None] * len(texts)
    for few in (order[i : i + 32] for i in range(0, len(order), 32)):
        ids, segments, mask = minilm.batch([texts[i] for i in few])
        with torch.no_grad():
            H = minilm.model().layers(ids, segments, mask)[-1 - blocks]
        for i, row, seen in zip(few, H, mask, strict=True):
            found[i] = row[seen].clone()
    return found


def padded(H: Sequence[Float[Tensor, "_ d"]]) -> tuple[Float[Tensor, "B n d"], Tensor]:
    """Texts side by side, and the mask that is False where a row has been filled up."""
    lengths = torch.tensor([len(row) for row in H])
    mask = torch.arange(int(lengths.max())) < lengths[:, None]
    return nn.utils.rnn.pad_sequence(list(H), batch_first=True), mask


def tuned(
    H: Sequence[Float[Tensor, "_ d"]], y: Sequence[int], blocks: int = 2, epochs: int = 4,
    rate: float = 1e-4, size: int = 16, seed: int = 0,
) -> Tuned:  # fmt: skip
    """The last blocks and the classifier after so many epochs; the steps shrink to 0."""
    torch.manual_seed(seed)
    net = Tuned(blocks)
    slow = [weight for name, weight in net.named_parameters() if not name.startswith("out")]
    groups = [{"params": slow, "rate": rate}, {"params": net.out.parameters(), "rate": 10 * rate}]
    optimiser = torch.optim.AdamW(groups, lr=rate, weight_decay=0.01)
    labels = torch.tensor(y, dtype=torch.float32)
    steps, done = epochs * -(-len(y) // size), 0
    for _ in range(epochs):
        for rows in torch.randperm(len(y)).split(size):
            for group in optimiser.param_groups:  # up over the first tenth, then down
                group["lr"] = group["rate"] * min((done + 1) * 10 / steps, 1 - done / steps)
            scores = net(*padded([H[i] for i in rows]))
            J = nn.functional.binary_cross_entropy_with_logits(scores, labels[rows])
            optimiser.zero_grad()
            J.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimiser.step()
            done += 1
    return net.eval()


def probabilities(net: Tuned, H: Sequence[Float[Tensor, "_ d"]]) -> Float[np.ndarray, " m"]:
    """p of each text."""
    p = []
    with torch.no_grad():
        for i in range(0, len(H), 64):
            p.append(net(*padded(H[i : i + 64])).double().sigmoid())
    return torch.cat(p).numpy()
