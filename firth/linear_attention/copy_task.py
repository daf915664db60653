"""A task that only memory solves: say it again.

    | x₁ x₂ … x_n | x₁ x₂ … x_n         n random signs of S; each is asked for after the second bar
    J = mean of −log p(asked sign)      chance: log S; and 1 / S are right

A softmax keeps all keys and looks one up. A state Σ φ(k)vᵀ of R × e numbers has room for some R
keys that do not disturb each other, and what a band does not reach is not there. So this is where
attentions that cost less must fail, if they fail; on chapter 5's novels it may not matter.
"""

from collections.abc import Iterator, Sequence

import torch
from jaxtyping import Bool, Int
from torch import Generator, Tensor, nn

from firth.runtime.progress import progress
from firth.transformer.austen_gpt import adam
from firth.transformer.gpt import GPT, Shape

from .fmmformer import KINDS, reader

Asked = tuple[Int[Tensor, "B T"], Bool[Tensor, "B T"]]  # a text, and where its next sign is asked
LIVE = {"n": 16, "S": 16, "d": 32, "heads": 2, "blocks": 2, "band": 4}  # to be watched


def copy(B: int, n: int, S: int, chance: Generator) -> Asked:
    """B texts of n signs, said twice: ids 1 … S, and 0 for the bar.

    >>> ids, asked = copy(B=1, n=3, S=9, chance=torch.Generator().manual_seed(0))
    >>> bool((ids[0, 1:4] == ids[0, 5:]).all()), asked.int().tolist()
    (True, [[0, 0, 0, 0, 1, 1, 1, 0]])
    """
    x = torch.randint(1, S + 1, (B, n), generator=chance)
    bar = torch.zeros(B, 1, dtype=torch.long)
    asked = torch.zeros(B, 2 * n + 2, dtype=torch.bool)
    asked[:, n + 1 : -1] = True
    return torch.cat([bar, x, bar, x], dim=1), asked


def shape(n: int, S: int, d: int = 64, heads: int = 4, blocks: int = 2) -> Shape:
    """A GPT with room for such a text: learned places, and a feed-forward layer of 4 d.

    >>> shape(n=16, S=10).context, shape(n=16, S=10).n
    (33, 11)
    """
    if min(n, S) < 1:
        raise ValueError(f"There are {n} signs to say again, of {S} that exist: give 1 or more.")
    return Shape(S + 1, d, blocks, heads, 4 * d, 2 * n + 1)


def judged(net: GPT, ids: Int[Tensor, "B T"], asked: Bool[Tensor, "B T"]) -> tuple[Tensor, float]:
    """J where a sign was asked for, and how often the likeliest one was right."""
    next_ids = ids[:, 1:][asked[:, :-1]]
    scores = net.scores(net.states(ids[:, :-1])[asked[:, :-1]][None])[0]  # of these places only
    right = (scores.argmax(-1) == next_ids).float().mean().item()
    return nn.functional.cross_entropy(scores, next_ids), right


def training(
    net: GPT, n: int, S: int, steps: int, B: int = 32, rate: float = 2e-3, seed: int = 0
) -> Iterator[tuple[float, float]]:
    """J and the share that was right after each step, on texts that never come again.

    The rate rises for a twentieth of the steps, then goes down on a line to 0. All kinds of
    attention are given the same texts.
    """
    optimiser, warm = adam(net, decay=0.01), max(steps // 20, 1)
    chance = torch.Generator().manual_seed(seed + 1)
    for i in range(steps):
        for group in optimiser.param_groups:
            group["lr"] = rate * min((i + 1) / warm, (steps - i) / max(steps - warm, 1))
        J, right = judged(net, *copy(B, n, S, chance))
        optimiser.zero_grad()
        J.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
        yield J.item(), right


@torch.no_grad()
def examined(net: GPT, n: int, S: int, texts: int = 200) -> tuple[float, float]:
    """J and the share right on fresh texts, the same for all."""
    J, right = judged(net, *copy(texts, n, S, torch.Generator().manual_seed(10**6)))
    return J.item(), right


def live(steps: int = 400, seed: int = 0, kinds: Sequence[str] = KINDS) -> dict[str, list]:
    """Four kinds of attention on a short text while you wait: step, J and the share right."""
    if steps < 10:
        raise ValueError(f"Training is looked at ten times: take 10 steps or more, not {steps}.")
    n, S, band = (LIVE[name] for name in ("n", "S", "band"))
    form = shape(n, S, LIVE["d"], LIVE["heads"], LIVE["blocks"])
    curves: dict[str, list] = {}
    with progress("Four kinds of attention learn to repeat …") as say:
        for kind in kinds:
            net, curves[kind] = reader(form, kind, band, seed=seed), []
            for i, _ in enumerate(training(net, n, S, steps, rate=4e-3, seed=seed), start=1):
                if i % (steps // 10) == 0:
                    curves[kind].append((i, *examined(net, n, S)))
                    say(f"Four kinds of attention learn to repeat … {kind}, step {i} of {steps}")
    return curves
