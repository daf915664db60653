"""A model writes: what it has drawn it reads, and draws again.

    s     = the scores after all that was read        (`gpt`)
    w     ~ softmax(s / τ), its tail cut off          (`sampling`)
    text  ← text, w                                   and so on

Reading costs the same whether it is a prompt that is read or what the model has said itself: to it
there is no difference.
"""

from collections.abc import Iterator, Sequence

import torch

from firth.runtime.random_numbers import uniform

from .gpt import GPT, Cache
from .sampling import Number, sampled


def continued(
    net: GPT, ids: Sequence[int], n: int,
    tau: Number = 1.0, k: int | None = None, p: Number | None = None, seed: int = 0,
) -> Iterator[int]:  # fmt: skip
    """The next n tokens, one at a time: whoever takes them may stop at any.

    When the context is full, its older half is forgotten, and the newer half is read once more
    from place 0 on.

    >>> from firth.transformer.gpt import Shape
    >>> net = GPT(Shape(n=7, d=8, blocks=1, heads=2, inner=32, context=4))
    >>> len(list(continued(net, [3, 1], 9)))
    9
    """
    read, new, u, cache = list(ids), list(ids), uniform(seed), Cache()
    for _ in range(n):
        if 0 < len(cache) > net.shape.context - len(new):
            new, cache = read[-max(net.shape.context // 2, 1) :], Cache()
        with torch.no_grad():
            X = net.states(torch.tensor([new], dtype=torch.long), cache)
            scores = net.scores(X[:, -1:])[0, 0].double().numpy()
        new = [sampled(scores, u(), tau, k, p)]
        read += new
        yield new[0]
