"""Skip-gram as a module of PyTorch: two look-up tables and a loss, on whatever device there is.

    J = −log σ(u_o·v_w) − Σᵢ log σ(−u_i·v_w)              mean over a batch of pairs (w, o)

The gradient is left to autograd and the step to Adam, which knows nothing of words and moves every
row at every step. On a graphics card a batch of thousands of pairs costs hardly more than one; on
a processor take `firth.word2vec.skipgram`.
"""

import torch
from jaxtyping import Float, Int
from numpy import ndarray as Array
from torch import Tensor, nn
from torch.nn.functional import logsigmoid

from firth.runtime.progress import progress


class SkipGram(nn.Module):
    """Two vectors for each of n words; called with pairs and noise words, it gives J."""

    def __init__(self, n: int, d: int):
        super().__init__()
        self.V, self.U = nn.Embedding(n, d), nn.Embedding(n, d)
        nn.init.uniform_(self.V.weight, -0.5 / d, 0.5 / d)
        nn.init.zeros_(self.U.weight)

    def forward(
        self, w: Int[Tensor, " b"], o: Int[Tensor, " b"], noise: Int[Tensor, "b k"]
    ) -> Float[Tensor, ""]:
        v = self.V(w)
        seen = (self.U(o) * v).sum(dim=-1)
        drawn = (self.U(noise) @ v[:, :, None])[:, :, 0]
        return -(logsigmoid(seen) + logsigmoid(-drawn).sum(dim=-1)).mean()


def fitted(
    model: SkipGram, pairs: Int[Array, "p 2"], chance: Float[Array, " n"], k: int = 5,
    epochs: int = 5, batch: int = 4096, rate: float = 0.01, seed: int = 0,
) -> list[float]:  # fmt: skip
    """The mean J of every epoch, while the model learns from pairs in shuffled batches.

    >>> model = SkipGram(n=2, d=2)
    >>> losses = fitted(model, np.array([[0, 1], [1, 0]]), np.array([0.5, 0.5]), epochs=1)
    >>> round(losses[0], 3)  # 6 log 2: nothing is known yet
    4.159
    """
    if not len(pairs):
        raise ValueError("There is no pair to learn from: take a longer text.")
    device = model.V.weight.device
    draw = torch.Generator().manual_seed(seed)
    todo, weights = torch.as_tensor(pairs), torch.as_tensor(chance)
    step, losses = torch.optim.Adam(model.parameters(), lr=rate), []
    with progress("Training in batches …") as say:
        for epoch in range(epochs):
            total = 0.0
            for some in torch.randperm(len(todo), generator=draw).split(batch):
                noise = weights.multinomial(len(some) * k, True, generator=draw).view(-1, k)
                J = model(*todo[some].T.to(device), noise.to(device))
                step.zero_grad()
                J.backward()
                step.step()
                total += J.item() * len(some)
            losses.append(total / len(todo))
            say(f"Training in batches … {(epoch + 1) / epochs:.0%}")
    return losses
