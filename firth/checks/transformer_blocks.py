"""Exercise 5, the block: what is claimed of it, half by half.

With W₂ = 0 and b₂ = 0 the second half adds nothing, with O = 0 and b_O = 0 the first: so what is
wrong in one half does not spoil the claim about the other.
"""

from firth.checks.transformer_block import encoder_block, linear, norm, stacked

PART = "You norm what is added, and not the sum: X + … first, and then the norm of what?"
encoder_block.mistakes += [
    (stacked(first=lambda X, f, w: X + norm(f(X), w, 1)), PART),
    (stacked(second=lambda X, f, w, start: X + norm(f(X), w, 2)), PART),
    (
        stacked(line=lambda X, w, name: X if name in ("Q", "K", "V") else linear(X, w, name)),
        "Your tokens are compared and mixed as they came: where are W_Q, W_K, W_V?",
    ),
]


def weights(rng, d, inner):
    """A block's numbers, of a size for which no softmax and no ReLU is idle."""
    sizes = {"Q": (d, d), "K": (d, d), "V": (d, d), "O": (d, d), "1": (inner, d), "2": (d, inner)}
    w = {name: 1.4 * rng.normal(size=size) / size[1] ** 0.5 for name, size in sizes.items()}
    w |= {f"b_{name}": 0.7 * rng.normal(size=size[0]) for name, size in sizes.items()}
    for n in "12":
        w |= {f"gain_{n}": rng.uniform(0.5, 2, size=d), f"shift_{n}": 0.5 * rng.normal(size=d)}
    return w


def without(w, name):
    """The same, where one matrix and its bias are zero."""
    return w | {name: 0 * w[name], f"b_{name}": 0 * w[f"b_{name}"]}


def blocks(rng, *settings, off=""):
    for n, d, heads, inner in settings:
        w = weights(rng, d, inner)
        yield 1.5 * rng.normal(size=(n, d)), without(w, off) if off else w, heads


encoder_block.agrees(
    "with one head: norm₁(X + O(softmax(QKᵀ/√d) V)), and a feed-forward that adds nothing",
    "On paper, two tokens of two numbers: which shapes have Q, QKᵀ and the weights?",
    lambda rng: blocks(rng, (3, 4, 1, 4), (5, 4, 1, 4), (4, 6, 1, 6), off="2"),
)
encoder_block.agrees(
    "with several: each has d/heads columns of Q, K and V, and √(d/heads); side by side before O",
    "d = 6 and three heads: which columns has head 0, and by what are its scores divided?",
    lambda rng: blocks(rng, (4, 6, 3, 6), (5, 8, 2, 8), (3, 8, 4, 8), off="2"),
)
encoder_block.agrees(
    "then norm₂(X + W₂ relu(W₁ x + b₁) + b₂), each token by itself",
    "Where the attention adds nothing: what does one token go through?",
    lambda rng: blocks(rng, (3, 4, 1, 4), (5, 4, 1, 4), (4, 6, 1, 6), off="O"),
)
encoder_block.agrees(
    "does both, one after the other, as PyTorch's block does, with a wider layer inside",
    "Are all shapes n × d from step to step, however wide the inner layer is?",
    lambda rng: blocks(rng, (4, 6, 2, 9), (3, 8, 4, 5), (6, 6, 3, 24)),
)
encoder_block.leaves(
    "leaves X and the weights as they were",
    "`X += …` writes into what you were handed: who may still need it?",
    lambda rng: blocks(rng, (4, 6, 2, 8), (2, 4, 4, 5)),
)
