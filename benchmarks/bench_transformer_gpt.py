"""Training a mini GPT: ours, against transformers' GPT-2 of the same size, from the same weights.

A training step is the run along B texts, the gradients, and AdamW. The peer is used as people use
it: float32 as PyTorch sets it up, `torch.optim.AdamW`. Ours is the same mathematics with fused
AdamW, a plain softmax and matrix products in "medium" precision; then the same in bfloat16, where
the processor has it. Both are mostly matrix products, which the same library makes for both: where
bfloat16 runs twice as fast, three times is the most, and "medium" may change nothing at all.
"""

import numpy as np
import torch
from torch import nn

from benchmarks.timing import Row, fingerprint, interleaved, main
from firth.transformer.gpt import GPT, Shape

SMALL = {
    "d": 128,
    "blocks": 2,
    "B": 8,
    "repeats": 5,
}  # a test runs it so: its direction is the same


def peers(shape: Shape) -> nn.Module:
    """transformers' GPT-2 of that shape, without dropout."""
    from transformers import GPT2Config, GPT2LMHeadModel

    s = shape
    config = GPT2Config(
        vocab_size=s.n, n_positions=s.context, n_embd=s.d, n_layer=s.blocks, n_head=s.heads,
        n_inner=s.inner, resid_pdrop=0, embd_pdrop=0, attn_pdrop=0, bos_token_id=0, eos_token_id=0,
    )  # fmt: skip
    return GPT2LMHeadModel(config).train()


@torch.no_grad()
def copy(theirs: nn.Module, ours: GPT) -> GPT:
    """Ours, with their weights: what they lay the other way round is turned about."""
    body = theirs.transformer
    ours.tokens.weight.copy_(body.wte.weight)
    ours.places.weight.copy_(body.wpe.weight)
    pairs = [(ours.norm, body.ln_f)]
    for mine, block in zip(ours.blocks, body.h, strict=True):
        pairs += [(mine.norm_1, block.ln_1), (mine.norm_2, block.ln_2)]
        weights, biases = block.attn.c_attn.weight.T.chunk(3), block.attn.c_attn.bias.chunk(3)
        tables = [*zip(weights, biases, strict=True)] + [
            (part.weight.T, part.bias)
            for part in (block.attn.c_proj, block.mlp.c_fc, block.mlp.c_proj)
        ]
        own = (mine.Q, mine.K, mine.V, mine.O, mine.up, mine.down)
        for table, (weight, bias) in zip(own, tables, strict=True):
            table.weight.copy_(weight)
            table.bias.copy_(bias)
    for norm, other in pairs:
        norm.weight.copy_(other.weight)
        norm.bias.copy_(other.bias)
    return ours


def rows(
    d: int = 256,
    blocks: int = 4,
    heads: int = 4,
    n: int = 8192,
    T: int = 64,
    B: int = 32,
    repeats: int = 11,
) -> list[Row]:
    torch.set_num_threads(1)
    torch.manual_seed(0)
    shape = Shape(n, d, blocks, heads, 4 * d, T)
    theirs = peers(shape)
    nets = {"torch": theirs, "ours": copy(theirs, GPT(shape))}
    bf16 = torch.ops.mkldnn._is_mkldnn_bf16_supported()
    if bf16:
        nets["bf16"] = copy(theirs, GPT(shape))
    optimisers = {
        name: torch.optim.AdamW(
            net.parameters(),
            lr=1e-3,
            weight_decay=0.0,
            **({} if name == "torch" else {"fused": True}),
        )
        for name, net in nets.items()
    }
    # Every text repeats itself, so that there is something to learn.
    texts = torch.randint(n, (repeats + 1, B, T // 4)).repeat(1, 1, 5)[..., : T + 1]
    losses = {name: [] for name in nets}

    def step(name: str):
        net, ids = nets[name], texts[len(losses[name])]
        torch.set_float32_matmul_precision("highest" if name == "torch" else "medium")
        if name == "torch":
            scores = net(ids[:, :-1]).logits
        else:
            with torch.autocast("cpu", torch.bfloat16, enabled=name == "bf16"):
                scores = net(ids[:, :-1])
        J = nn.functional.cross_entropy(scores.float().flatten(0, 1), ids[:, 1:].flatten())
        optimisers[name].zero_grad()
        J.backward()
        optimisers[name].step()
        losses[name].append(J.item())

    seconds = interleaved({name: lambda name=name: step(name) for name in nets}, repeats)
    torch.set_float32_matmul_precision("highest")
    result = []
    for name, goal, kind, near in (
        ("ours", 1.05, "float32", 1e-3),
        ("bf16", 1.6, "bfloat16", 2e-2),
    ):
        if name not in nets:
            continue
        apart = np.abs(np.array(losses[name]) / np.array(losses["torch"]) - 1).max()
        assert apart < near, apart
        result.append(
            Row(
                f"mini GPT training step, {B} × {T} tokens, d = {d}, {blocks} blocks, {kind}",
                "transformers GPT-2",
                goal,
                seconds[name],
                seconds["torch"],
                f"losses of {repeats + 1} steps at most {apart:.0e} of themselves apart",
                fingerprint(texts.numpy()),
            )
        )
    return result


if __name__ == "__main__":
    main(rows)
