"""Exercise 5, the block: tokens look at each other, then each thinks for itself.

X ← norm₁(X + O(heads side by side)),   head = softmax(Q Kᵀ / √(d/heads)) V
X ← norm₂(X + W₂ relu(W₁ x + b₁) + b₂)

The weights come in a dictionary, as PyTorch lays them: a row for each number that comes out.

With W₂ = 0 and b₂ = 0 the second half adds nothing, with O = 0 and b_O = 0 the first: so what is
wrong in one half does not spoil the claim about the other.
"""

import numpy as np

from firth.checks.activations import softmax
from firth.checks.claims import Exercise
from firth.checks.mistakes import fitting
from firth.checks.transformer_layer_norm import EPS, normed


def linear(X, w, name):
    return X @ w[name].T + w["b_" + name]


def one_token_at_a_time(X, w, heads):
    """The right answer, in loops over heads and tokens."""
    n, d = X.shape
    e = d // heads
    Q, K, V = (np.array([w[name] @ x + w["b_" + name] for x in X]) for name in "QKV")
    Z = np.zeros((n, d))
    for h in range(heads):
        own = slice(h * e, (h + 1) * e)
        for t in range(n):
            scores = np.array([Q[t, own] @ K[j, own] for j in range(n)]) / np.sqrt(e)
            Z[t, own] = sum(a * V[j, own] for j, a in enumerate(softmax(scores)))
    rows = []
    for x, z in zip(X, Z, strict=True):
        x = x + w["O"] @ z + w["b_O"]
        x = w["gain_1"] * (x - x.mean()) / np.sqrt(x.var() + EPS) + w["shift_1"]
        x = x + w["2"] @ np.maximum(w["1"] @ x + w["b_1"], 0) + w["b_2"]
        rows.append(w["gain_2"] * (x - x.mean()) / np.sqrt(x.var() + EPS) + w["shift_2"])
    return np.array(rows)


def split(X, heads):
    return X.reshape(len(X), heads, -1).swapaxes(0, 1)


def joined(Z):
    return Z.swapaxes(0, 1).reshape(Z.shape[1], -1)


def norm(X, w, n):
    return normed(X, w[f"gain_{n}"], w[f"shift_{n}"])


def stacked(
    line=linear,
    cut=split,
    join=joined,
    share=softmax,
    root=lambda e, d: np.sqrt(e),
    scores=lambda Q, K: Q @ K.swapaxes(1, 2),
    take=lambda A, V: A @ V,
    out=linear,
    bend=lambda H: np.maximum(H, 0),
    first=lambda X, f, w: norm(X + f(X), w, 1),
    second=lambda X, f, w, start: norm(X + f(X), w, 2),
):
    """A way of building a block, the right one by default."""

    @fitting
    def encoder_block(X, w, heads):
        def attention(X):
            Q, K, V = (cut(line(X, w, name), heads) for name in "QKV")
            A = share(scores(Q, K) / root(Q.shape[-1], X.shape[-1]))
            return out(join(take(A, V)), w, "O")

        def feed(X):
            return line(bend(line(X, w, "1")), w, "2")

        return second(first(X, attention, w), feed, w, X)

    return encoder_block


def causal(scores):
    return softmax(np.where(np.tril(np.ones(scores.shape)) > 0, scores, -np.inf))


CUT = (
    "You cut the tokens among the heads, not the features: reshape to n × heads × d/heads first,"
    " then swap the first two axes. Which features has head 1?"
)
GLUED = "Before you join the heads, swap the axes back: which numbers belong to token 0?"
encoder_block = Exercise(
    name="encoder_block",
    chapter="05_transformer",
    number="5.4",
    difficulty=3,
    minutes=30,
    hints=(
        "Four steps: look, add and norm, think, add and norm. Write them as four lines, with one"
        " head first; each is a matrix of n × d.",
        "Q, K and V are linear(X, w, …). With e = d/heads, head h has e of their columns: its"
        " softmax(Q Kᵀ / √e) V. np.hstack puts the heads side by side; then O. Norm the sum with X."
        " Then linear “1”, np.maximum(…, 0), linear “2”, and norm the sum again.",
        'Q, K, V = (linear(X, w, name) for name in "QKV")\n'
        "e, Z = X.shape[1] // heads, []\n"
        "for h in range(heads):\n"
        "    own = slice(h * e, (h + 1) * e)\n"
        "    Z.append(softmax(Q[:, own] @ K[:, own].T / …) @ V[:, own])\n"
        'X = layer_norm(X + linear(np.hstack(Z), w, "O"), w["gain_1"], w["shift_1"])\n'
        "return …  # think, add, norm",
    ),
    right=one_token_at_a_time,
    stumbles={
        "matmul": "Which shapes meet? X is n × d, and linear gives n × (rows of its W).",
        "not aligned": "Which shapes meet? X is n × d, and linear gives n × (rows of its W).",
        "KeyError": "The dictionary has Q, K, V, O, 1, 2, each with its b_, and gain_1, shift_1,"
        " gain_2, shift_2: which did you mean?",
        "broadcast": "What is added to what? Both sides of a way past are n × d.",
        "integer": "Is d / heads a whole number to Python? d // heads is.",
    },
)


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
encoder_block.mistakes = [
    (stacked(cut=lambda X, heads: X.reshape(heads, len(X), -1)), CUT),
    (
        stacked(
            cut=lambda X, heads: X.reshape(heads, len(X), -1),
            join=lambda Z: Z.reshape(Z.shape[1], -1),
        ),
        CUT,
    ),
    (stacked(join=lambda Z: Z.reshape(Z.shape[1], -1)), GLUED),
    (
        stacked(cut=lambda X, heads: X.reshape(len(X), -1, heads).transpose(2, 0, 1)),
        "Every second or third number to the same head? A head has its columns in one piece.",
    ),
    (stacked(cut=lambda X, heads: X[None]), "One head, whatever `heads` says: where do you cut?"),
    (
        stacked(root=lambda e, d: np.sqrt(d)),
        "You divide by √d: how many numbers does one head multiply and add up?",
    ),
    (
        stacked(root=lambda e, d: 1.0),
        "Your scores are as if divided by 1: where is the √(d/heads)?",
    ),
    (stacked(root=lambda e, d: e), "By d/heads, or by the root of it?"),
    (
        stacked(scores=lambda Q, K: K @ Q.swapaxes(1, 2)),
        "Your rows are keys: row i is for what token i asks, Q Kᵀ or K Qᵀ?",
    ),
    (
        stacked(share=lambda x: softmax(x, axis=-2)),
        "Your columns add up to 1: along which axis does token i share out its attention?",
    ),
    (
        stacked(share=causal),
        "You hide what comes later: does an encoder, which has the whole text?",
    ),
    (stacked(share=lambda x: x), "Where is the softmax? What is mixed must be shares."),
    (
        stacked(take=lambda A, V: A.swapaxes(1, 2) @ V),
        "A or Aᵀ: whose row of weights does token i use?",
    ),
    (
        stacked(out=lambda Z, w, name: Z),
        "The heads stand side by side; where is O, which mixes them?",
    ),
    (
        stacked(line=lambda X, w, name: X @ w[name] + w["b_" + name]),
        "X @ W or X @ Wᵀ? The rows of W are what comes out: `linear` has it right.",
    ),
    (
        stacked(line=lambda X, w, name: X @ w[name].T),
        "Where are the biases? `linear` adds b_Q, b_K, … for you.",
    ),
    (stacked(bend=lambda H: H), "Two matrices with nothing between are one: where is the ReLU?"),
    (
        stacked(bend=np.tanh),
        "That is tanh: which bend is asked for?",
    ),
    (
        stacked(bend=lambda H: np.abs(H)),
        "ReLU cuts off what is below 0: do you turn it round?",
    ),
    (
        stacked(second=lambda X, f, w, start: norm(X + np.maximum(f(X), 0), w, 2)),
        "A ReLU after the second matrix, too? There is one, between the two.",
    ),
    (
        stacked(first=lambda X, f, w: norm(f(X), w, 1)),
        "Where is the way past the attention, X + …?",
    ),
    (
        stacked(second=lambda X, f, w, start: norm(f(X), w, 2)),
        "Where is the way past the feed-forward, X + …?",
    ),
    (
        stacked(
            first=lambda X, f, w: norm(f(X), w, 1),
            second=lambda X, f, w, start: norm(f(X), w, 2),
        ),
        "Where are the ways past, X + …? Each step adds to what was there.",
    ),
    (
        stacked(second=lambda X, f, w, start: norm(start + f(X), w, 2)),
        "The second way past starts where the first step ended: what is X by then?",
    ),
    (
        stacked(second=lambda X, f, w, start: norm(X + f(start), w, 2)),
        "What does the feed-forward read: the tokens as they came, or as the first step left them?",
    ),
    (
        stacked(
            first=lambda X, f, w: X + f(norm(X, w, 1)),
            second=lambda X, f, w, start: X + f(norm(X, w, 2)),
        ),
        "You norm before each step, as most do now: where did the norm stand in 2017?",
    ),
    (
        stacked(
            first=lambda X, f, w: X + norm(f(X), w, 1),
            second=lambda X, f, w, start: X + norm(f(X), w, 2),
        ),
        "You norm what is added, and not the sum: X + … first, and then the norm of what?",
    ),
    (
        stacked(
            first=lambda X, f, w: X + f(X),
            second=lambda X, f, w, start: X + f(X),
        ),
        "Where are the two norms?",
    ),
    (stacked(first=lambda X, f, w: X + f(X)), "Where is the first norm, after the attention?"),
    (
        stacked(second=lambda X, f, w, start: X + f(X)),
        "Where is the second norm, after the feed-forward?",
    ),
    (
        stacked(second=lambda X, f, w, start: norm(X + f(X), w, 1)),
        "Each norm has its own gain and shift: which belong to the second?",
    ),
    (
        stacked(second=lambda X, f, w, start: X),
        "That is the first half: where does each token think for itself?",
    ),
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
