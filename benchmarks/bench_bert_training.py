"""Training a mini BERT to fill blanks: ours, against transformers' BertForMaskedLM, same weights.

A training step is the run along B texts with blanks, the gradients, and AdamW. The peer is used as
people use it: float32 as PyTorch sets it up, `torch.optim.AdamW`, labels of −100 where nothing is
asked. Ours is the same mathematics: it scores the vocabulary only at the chosen 15 % of places, has
fused AdamW, a plain softmax, matrix products in "medium" precision; then the same in bfloat16,
where the processor has it. Both take PyTorch's one-call layer norm.
"""

import numpy as np
import torch
from torch import nn

from benchmarks.timing import Row, fingerprint, interleaved, main
from experiments.bert.masked_lm import Fused
from firth.bert.bert import Blanks, Shape
from firth.bert.hugging_face import copied
from firth.bert.pretraining import masked
from firth.transformer.transformer import LayerNorm

SMALL = {"d": 128, "blocks": 2, "B": 8, "repeats": 5}  # a test runs it so


def peers(shape: Shape) -> nn.Module:
    """transformers' BERT of that shape with its head for blanks, without dropout."""
    from transformers import BertConfig, BertForMaskedLM

    s = shape
    config = BertConfig(
        vocab_size=s.words, hidden_size=s.d, num_hidden_layers=s.blocks, intermediate_size=s.inner,
        num_attention_heads=s.heads, max_position_embeddings=s.places, layer_norm_eps=s.eps,
        hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
    )  # fmt: skip
    return BertForMaskedLM(config).train()


def fused(net: Blanks) -> Blanks:
    """The same network with PyTorch's own layer norm."""
    for part in net.modules():
        if isinstance(part, LayerNorm):
            part.__class__ = Fused
    return net


def rows(
    d: int = 256, blocks: int = 4, heads: int = 4, n: int = 8192, T: int = 64, B: int = 32,
    repeats: int = 11,
) -> list[Row]:  # fmt: skip
    torch.set_num_threads(1)
    torch.manual_seed(0)
    shape = Shape(n, d, heads, 4 * d, blocks, places=T)
    theirs = peers(shape)
    nets = {"torch": theirs, "ours": fused(copied(theirs))}
    if torch.ops.mkldnn._is_mkldnn_bf16_supported():
        nets["bf16"] = fused(copied(theirs))
    optimisers = {
        name: torch.optim.AdamW(
            net.parameters(), 1e-3, weight_decay=0.0, **{} if name == "torch" else {"fused": True}
        )
        for name, net in nets.items()
    }
    chance = np.random.default_rng(0)
    texts = np.tile(chance.integers(5, n, (repeats + 1, B, T // 4)), 4)  # each repeats itself
    games = [(ids, *masked(ids, n, chance)) for ids in texts]
    games = [tuple(map(torch.from_numpy, game)) for game in games]
    losses = {name: [] for name in nets}

    def step(name: str):
        net, (right, given, chosen) = nets[name], games[len(losses[name])]
        torch.set_float32_matmul_precision("highest" if name == "torch" else "medium")
        if name == "torch":
            J = net(given, labels=right.masked_fill(~chosen, -100)).loss
        else:
            with torch.autocast("cpu", torch.bfloat16, enabled=name == "bf16"):
                scores = net.scores(net.bert(given)[chosen])
            J = nn.functional.cross_entropy(scores.float(), right[chosen])
        optimisers[name].zero_grad()
        J.backward()
        optimisers[name].step()
        losses[name].append(J.item())

    seconds = interleaved({name: lambda name=name: step(name) for name in nets}, repeats)
    torch.set_float32_matmul_precision("highest")
    result = []
    for name, goal, kind, near in (("ours", 3, "float32", 2e-3), ("bf16", 5, "bfloat16", 2e-2)):
        if name not in nets:
            continue
        apart = np.abs(np.array(losses[name]) / np.array(losses["torch"]) - 1).max()
        assert apart < near, apart
        result.append(
            Row(
                f"mini BERT training step, {B} × {T} tokens, d = {d}, {blocks} blocks, {kind}",
                "transformers BertForMaskedLM",
                goal,
                seconds[name],
                seconds["torch"],
                f"losses of {repeats + 1} steps at most {apart:.0e} of themselves apart",
                fingerprint(texts),
            )
        )
    return result


if __name__ == "__main__":
    main(rows)
