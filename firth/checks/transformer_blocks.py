"""Exercise 5, the block: what is claimed of it, half by half.

With W₂ = 0 and b₂ = 0 the second half adds nothing, with O = 0 and b_O = 0 the first: so what is
wrong in one half does not spoil the claim about the other.
"""

import numpy as np

from firth.checks.transformer import normed
from firth.checks.transformer_block import encoder_block, linear, norm, stacked


def cut_before(X, w, heads):
    """Each head makes Q, K and V of its own columns of X."""
    e = X.shape[1] // heads
    own = np.kron(np.eye(heads), np.ones((e, e)))
    return stacked()(X, w | {name: own * w[name] for name in "QKV"}, heads)


def out(bias):
    """O, or rather its transpose, and its bias if wanted."""
    return stacked(out=lambda Z, w, name: Z @ w[name] + bias * w["b_" + name])


def normed_by(way):
    return stacked(
        first=lambda X, f, w: way(X + f(X), w["gain_1"], w["shift_1"]),
        second=lambda X, f, w, start: way(X + f(X), w["gain_2"], w["shift_2"]),
    )


BACKWARDS = "O turned round? Z @ W or Z @ Wᵀ: `linear` has it right."
TOKENS = "Your norm takes its means over the tokens: does check(layer_norm) hold?"
PART = "You norm what is added, and not the sum: X + … first, and then the norm of what?"
encoder_block.mistakes += [
    (stacked(first=lambda X, f, w: X + norm(f(X), w, 1)), PART),
    (stacked(second=lambda X, f, w, start: X + norm(f(X), w, 2)), PART),
    (
        stacked(line=lambda X, w, name: X if name in ("Q", "K", "V") else linear(X, w, name)),
        "Your tokens are compared and mixed as they came: where are W_Q, W_K, W_V?",
    ),
    (
        cut_before,
        "Your heads read their own columns of X: Q, K and V are made of all of X. What is cut?",
    ),
    (
        stacked(
            cut=lambda X, heads: np.array(
                [X[:, h:][:, : X.shape[1] // heads] for h in range(heads)]
            )
        ),
        "Your heads overlap: where does head 0 end, and where does head 1 begin?",
    ),
    (
        stacked(root=lambda e, d: np.sqrt(d / e)),
        "You divide by √heads: how many numbers does one head multiply and add up?",
    ),
    (
        stacked(root=lambda e, d: 1 / np.sqrt(e)),
        "You multiply by √(d/heads): should the scores of wide heads get larger, or smaller?",
    ),
    (
        stacked(root=lambda e, d: 2 * e),
        "What does Python take first in x / e ** 1 / 2? np.sqrt(e), or e ** 0.5.",
    ),
    (out(0), BACKWARDS),
    (out(1), BACKWARDS),
    (
        stacked(out=lambda Z, w, name: Z @ w[name].T),
        "O has a bias, too, as the others have: where is b_O? `linear` adds it.",
    ),
    (
        normed_by(lambda X, gain, shift: normed(X, shift, gain)),
        "gain and shift have each other's place: in which order does your layer_norm take them?",
    ),
    (normed_by(lambda X, gain, shift: normed(X, gain, shift, axis=0)), TOKENS),
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
    "`X += …` and `w[…] = …` write into what you were handed: who may still need it?",
    lambda rng: blocks(rng, (4, 6, 2, 8), (2, 4, 4, 5)),
)
