"""Skip-gram and CBOW with negative sampling on a corpus: the same objectives, made fast.

    sampled    word by word, in compiled loops:  u_j −= a e_j v_w,  v_w −= a Σⱼ e_j u_j
    expected   T words at once, in NumPy:        G = a (X − (X + E) σ(VUᵀ)),  V += GU,  U += GᵀV

`sampled` is word2vec.c. An e_j is σ(u_j·v_w) − (1 for the word seen, 0 for a word drawn). Frequent
words are left out at random, and the window reaches 1 to m places, at random.

CBOW in word2vec.c gives each of the c words of the company the whole gradient with respect to
their mean h. The chain rule gives a c-th of it to each: "corrected CBOW" (İrsoy, Benton and
Stratos, 2021).

`expected` draws neither windows nor noise. For the distinct words of T, X_wc says how often c is
expected in the window of w, and E_wc = k x_w q_c how often as its noise (x_w is the sum of the
row). Added up over all pairs, the gradient of negative sampling is two products of small
matrices. It is 0 where X = (X + E) σ(VUᵀ), that is, where

    VUᵀ = log X/E = PMI − log k

(Levy and Goldberg, 2014): chapter 1's table, less a constant, is what training heads for.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import no_type_check

import numpy as np
from jaxtyping import Float, Int
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy import ndarray as Array

from firth.runtime.progress import progress

from .word2vec import initial, kept, noise, rate, sigmoid, text

METHODS = ("skip-gram", "CBOW", "corrected CBOW")
Text = Int[Array, " _"] | Sequence[Int[Array, " _"]]
TABLE = 1 << 20  # places in the table of noise words; a power of two, so that bits index it
PIECE = 25  # words in a row, in `expected`: what stands at the seams of pieces does not meet
PART = 20_000  # words between two looks at the learning rate and at the line of progress
AHEAD = 512  # bytes of a row that are asked for ahead: 128 numbers; asking for more harms nobody
LCG = np.uint64(25214903917)  # word2vec.c's random numbers: state ← state · LCG + 11
EDGE = np.float32(7.99)  # a score beyond is as good as certain
SIGMA = sigmoid((np.arange(1024, dtype=np.float32) + 0.5) / 64 - 8)  # an exp takes longer
Pair = tuple[Float[Array, "n d"], Float[Array, "n d"]]  # V, U


def corpus(documents: Text, n: int, m: int, sample: float, power: float) -> tuple:
    """The text in one row, how likely each word is to be kept, and to be drawn as noise."""
    row = text(documents, m, n).astype(np.int32)
    counts = np.bincount(row[row >= 0], minlength=n)
    if counts.max() == counts.sum():
        raise ValueError("The text repeats one single word: take a text with two or more.")
    return row, counts, kept(counts, sample), noise(counts, power)


def vectors(n: int, d: int, k: int, epochs: int, seed: int, start: Pair | None) -> Pair:
    """V and U to start from, in float32: copies of those given, or fresh ones."""
    if min(n - 1, d, k, epochs) < 1:
        raise ValueError("Training takes two words, and 1 or more of d, of epochs and of k.")
    V, U = start or initial(n, d, seed)[::-1]
    if not V.shape == U.shape == (n, d):
        raise ValueError(f"Start from a V and a U of {n} × {d}, not {V.shape} and {U.shape}.")
    return V.astype(np.float32), U.astype(np.float32)


def thinned(row: Int[Array, " T"], keep: Float[Array, " n"], rng) -> Int[Array, " _"]:
    """The text without the occurrences that sub-sampling leaves out; its windows reach further."""
    return row[(row < 0) | (rng.random(len(row)) < keep[row])]


compiled = njit(fastmath=True, nogil=True, cache=True)


@intrinsic
def prefetch(_, address):
    """Nothing: the processor copies 64 bytes to its cache while the program goes on."""

    def instruction(context, builder, _, arguments):
        pointer = builder.inttoptr(arguments[0], cgutils.voidptr_t)
        number = cgutils.int32_t
        kind = ir.FunctionType(ir.VoidType(), [pointer.type, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch", [pointer.type], kind)
        read, keep, data = number(0), number(3), number(1)
        builder.call(function, [pointer, read, keep, data])
        return context.get_dummy_value()

    return types.void(types.intp), instruction


@no_type_check  # numba checks the types of compiled functions
@compiled
def add(x, y):
    """Nothing: x += y, without the copy that NumPy's own addition makes room for."""
    for q in range(len(x)):
        x[q] += y[q]


@no_type_check
@compiled
def draw_noise_words(words, U, table, state):
    """The state after drawing words[1:], the noise words of an example, from the table.

    Waiting for rows of U from memory would take half of the time, so they are asked for here.
    """
    for i in range(len(words)):
        if i:
            state = state * LCG + np.uint64(11)
            words[i] = table[(state >> np.uint64(16)) & np.uint64(TABLE - 1)]
        begin = U.ctypes.data + words[i] * U.strides[0]
        for byte in range(0, AHEAD, 64):
            prefetch(begin + byte)
    return state


@no_type_check
@compiled
def context_words(row, t, reach, context):
    """How many known words stand within `reach` positions of t; `context` receives them."""
    c = 0
    for other in range(max(0, t - reach), min(len(row), t + reach + 1)):
        if other != t and row[other] >= 0:
            context[c] = row[other]
            c += 1
    return c


@no_type_check
@compiled
def move_context_vectors(h, dh, U, words, g, eta):
    """Nothing: the rows of U that belong to one example take a step, and dh receives that of h.

    The example is the input vector h, the word to predict, words[0], and k noise words. g_j is
    −η e_j. All scores come before the first step, which is faster than by turns.
    """
    for i in range(len(words)):
        u, score = U[words[i]], np.float32(0)
        for q in range(len(h)):
            score += h[q] * u[q]
        place = (min(max(score, -EDGE), EDGE) + np.float32(8)) * np.float32(64)
        g[i] = eta * (np.float32(i == 0) - SIGMA[np.int32(place)])
        if i and words[i] == words[0]:  # the word to predict was drawn: it is no noise here
            g[i] = 0
    dh[:] = 0
    for i in range(len(words)):
        u = U[words[i]]
        for q in range(len(h)):
            dh[q] += g[i] * u[q]
            u[q] += g[i] * h[q]


@no_type_check
@compiled
def steps(row, begin, end, V, U, m, k, table, eta, state, method):
    """Nothing: V and U take the steps of all words of row[begin:end]; `state` seeds the draws.

    `method` is the number of the method in `METHODS`. The noise words of all examples of a centre
    word are drawn before the first step, so that their rows arrive in time.
    """
    d = V.shape[1]
    context, words = np.empty(2 * m, np.int32), np.empty((2 * m, k + 1), np.int32)
    g, h, dh = np.empty(k + 1, np.float32), np.empty(d, np.float32), np.empty(d, np.float32)
    for t in range(begin, end):
        if row[t] < 0:
            continue
        state = state * LCG + np.uint64(11)
        reach = 1 + np.int64((state >> np.uint64(16)) % np.uint64(m))
        c = context_words(row, t, reach, context)
        for j in range(min(c, 1) if method else c):
            words[j, 0] = row[t] if method else context[j]
            state = draw_noise_words(words[j], U, table, state)
        if method and c:
            h[:] = 0
            for w in context[:c]:
                add(h, V[w])
            h /= np.float32(c)
            move_context_vectors(h, dh, U, words[0], g, eta)
            if method == 2:  # corrected: word2vec.c leaves this out
                dh /= np.float32(c)
            for w in context[:c]:
                add(V[w], dh)
        elif c:
            v = V[row[t]]
            for j in range(c):
                move_context_vectors(v, dh, U, words[j], g, eta)
                add(v, dh)


def sampled(
    documents: Text, n: int, d: int = 100, method: str = "skip-gram", m: int = 5, k: int = 5,
    epochs: int = 5, first: float = 0.025, sample: float = 1e-3, power: float = 0.75,
    seed: int = 0, threads: int = 1, start: Pair | None = None, last: float = 1e-4,
) -> Pair:  # fmt: skip
    """V and U of n words, trained on the documents as word2vec.c would.

    With one thread the same seed gives the same vectors. Threads take turns without locks: what
    one of them overwrites of another's is little, but it differs from run to run. Training goes
    on from `start`, a V and a U, if it is given. The learning rate goes from `first` to `last`.

    >>> V, U = sampled([np.array([0, 1, 2, 1] * 500)], n=3, d=8, m=1, sample=0.0)
    >>> (V[[0, 2]] @ U.T).argmax(axis=1)  # the company of 0, and of 2
    array([1, 1])
    """
    if method not in METHODS:
        raise ValueError(f"{method!r} is no method: take one of {', '.join(METHODS)}.")
    if threads < 1:
        raise ValueError(f"Training takes one thread or more, not {threads}.")
    row, _, keep, chance = corpus(documents, n, m, sample, power)
    V, U = vectors(n, d, k, epochs, seed, start)
    ends = (chance.cumsum() / chance.sum() * TABLE).round().astype(int)
    table = np.repeat(np.arange(n, dtype=np.int32), np.diff(ends, prepend=0))
    rng = np.random.default_rng(seed)
    with progress(f"Training {method} …") as say, ThreadPoolExecutor(threads) as pool:
        for epoch in range(epochs):
            left = thinned(row, keep, rng)
            begins = range(0, len(left), PART)
            states = rng.integers(1 << 63, size=len(begins), dtype=np.uint64)
            for i in range(0, len(begins), threads):
                done = (epoch + i / len(begins)) / epochs
                say(f"Training {method} … {done:.0%}")
                jobs = [
                    pool.submit(
                        steps, left, b, min(b + PART, len(left)), V, U, m, k, table,
                        np.float32(rate(done, first, last)), state, METHODS.index(method),
                    )
                    for b, state in zip(begins[i : i + threads], states[i:], strict=False)
                ]  # fmt: skip
                for job in jobs:
                    job.result()
    return V, U


def expected(
    documents: Text, n: int, d: int = 100, m: int = 5, k: int = 5, epochs: int = 5,
    first: float = 0.05, sample: float = 1e-3, power: float = 0.75, seed: int = 0,
    pieces: int = 10, start: Pair | None = None, last: float = 1e-4,
) -> Pair:  # fmt: skip
    """V and U of n words, trained by skip-gram in expectation: NumPy alone, and no less fast.

    A word at distance δ is in a window of 1 to m places with chance (m + 1 − δ) / m: that is what
    it counts. The noise at hand is the other words of the same step, so q_c is divided by the
    chance that c is among them. A step takes short `pieces` from all over the text: with words of
    one article for its noise, it would push apart what belongs together.

    >>> V, U = expected([np.array([0, 1, 2, 1] * 500)], n=3, d=8, m=1, pieces=1, sample=0.0)
    >>> (V[[0, 2]] @ U.T).argmax(axis=1)
    array([1, 1])
    """
    row, counts, keep, chance = corpus(documents, n, m, sample, power)
    V, U = vectors(n, d, k, epochs, seed, start)
    f = counts * keep / (counts * keep).sum()
    q = (k * chance / np.maximum(-np.expm1(-pieces * PIECE * f), 1e-12)).astype(np.float32)
    rng = np.random.default_rng(seed)
    with progress("Training skip-gram in expectation …") as say, np.errstate(all="ignore"):
        for epoch in range(epochs):
            left = thinned(row, keep, rng)
            left = np.append(left, np.full(-len(left) % PIECE, -1, np.int32)).reshape(-1, PIECE)
            left = rng.permutation(left)
            for i in range(0, len(left), pieces):
                done = (epoch + i / len(left)) / epochs
                if i // pieces % 200 == 0:
                    say(f"Training skip-gram in expectation … {done:.0%}")
                here, X = expected_counts(left[i : i + pieces], m)
                v, u, E = V[here], U[here], X.sum(axis=1, keepdims=True) * q[here]
                G = np.float32(rate(done, first, last)) * (X - (X + E) * sigmoid(v @ u.T))
                V[here] += G @ u
                U[here] += G.T @ v
    if not (np.isfinite(V).all() and np.isfinite(U).all()):
        raise ValueError(
            "The vectors have grown without end: take a smaller `first` or fewer pieces."
        )
    return V, U


def expected_counts(
    pieces: Int[Array, "b L"], m: int
) -> tuple[Int[Array, " words"], Float[Array, "words words"]]:
    """The different words of some pieces, and how often each is expected beside each.

    >>> expected_counts(np.array([[7, 5, 5], [7, -1, 5]]), m=2)
    (array([5, 7]), array([[2., 2.],
           [2., 0.]], dtype=float32))
    """
    here, w = np.unique(pieces, return_inverse=True)
    w, size = w.reshape(pieces.shape), len(here)
    near = range(1, min(m, pieces.shape[1] - 1) + 1)
    cells = [(w[:, δ:] * size + w[:, :-δ]).ravel() for δ in near]
    weights = np.repeat([(m + 1 - δ) / m for δ in near], [len(cell) for cell in cells])
    X = np.bincount(np.concatenate(cells), weights, size * size).astype(np.float32)
    X = X.reshape(size, size)
    X += X.T
    known = slice(int(here[0] < 0), None)  # −1 comes first, and is no word
    return here[known], X[known, known]
