"""Skip-gram and CBOW with negative sampling on a corpus: fast training in two ways.

    sampled    one example after the other, in compiled loops, as the program word2vec.c
    expected   250 words at once, in NumPy:  G = η (X − (X + E) σ(VUᵀ)),  V += GU,  U += GᵀV

Both leave out occurrences of frequent words at random (sub-sampling), and both have windows that
reach 1 to m positions.

`sampled` draws each window and each noise word. `expected` replaces both by their expectation.
Among the distinct words of a step, X_wc is how often c is expected in the window of w, and
E_wc = k x_w q_c is how often c is expected as noise for w. Here x_w is the sum of row w of X, and
q_c is the probability of c as a noise word. Added up over all pairs, the gradient of negative
sampling is then a product of small matrices. It is 0 where X = (X + E) σ(VUᵀ), and that is where

    VUᵀ = log X/E = PMI − log k

(Levy and Goldberg, 2014). So word2vec is on its way to chapter 1's table, less a constant.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray as Array

from firth.runtime.progress import progress

from .compiled_steps import METHODS, TABLE, steps
from .word2vec import initial_vectors, keep_probability, learning_rate, noise, sigmoid, text

Text = Int[Array, " _"] | Sequence[Int[Array, " _"]]
Pair = tuple[Float[Array, "n d"], Float[Array, "n d"]]  # V, U
PIECE = 25  # neighbouring words in a piece of `expected`; its windows end where the piece ends
PART = 20_000  # words between two changes of the learning rate and of the line of progress


def sampled(
    documents: Text, n: int, d: int = 100, method: str = "skip-gram", m: int = 5, k: int = 5,
    epochs: int = 5, first: float = 0.025, sample: float = 1e-3, power: float = 0.75,
    seed: int = 0, threads: int = 1, start: Pair | None = None, last: float = 1e-4,
) -> Pair:  # fmt: skip
    """V and U of n words, d numbers each, trained on documents of word ids as word2vec.c does it.

    Windows reach 1 to m positions, each example has k noise words, and the learning rate falls
    from `first` to `last`. `sample` is the threshold of sub-sampling, and `power` shapes the
    noise. Training begins with `start`, a V and a U, if it is given. With one thread the same seed
    gives the same vectors. Several threads change V and U without locks, so that their results
    differ slightly from run to run.

    >>> V, U = sampled([np.array([0, 1, 2, 1] * 500)], n=3, d=8, m=1, sample=0.0)
    >>> (V[[0, 2]] @ U.T).argmax(axis=1)  # the likeliest context word of 0, and of 2
    array([1, 1])
    """
    if method not in METHODS:
        raise ValueError(f"{method!r} is no method: take one of {', '.join(METHODS)}.")
    if threads < 1:
        raise ValueError(f"Training takes one thread or more, not {threads}.")
    row, _, keep, probability = read_corpus(documents, n, m, sample, power)
    V, U = start_vectors(n, d, k, epochs, seed, start)
    table, rng = noise_table(probability), np.random.default_rng(seed)
    with progress(f"Training {method} …") as say, ThreadPoolExecutor(threads) as pool:
        for epoch in range(epochs):
            words = subsample(row, keep, rng)
            for share, parts in parts_by_turns(len(words), threads, rng):
                done = (epoch + share) / epochs
                say(f"Training {method} … {done:.0%}")
                η = np.float32(learning_rate(done, first, last))
                jobs = [
                    pool.submit(
                        steps, words, begin, end, V, U, m, k, table, η, state,
                        METHODS.index(method),
                    )
                    for begin, end, state in parts
                ]  # fmt: skip
                for job in jobs:
                    job.result()
    return V, U


def read_corpus(documents: Text, n: int, m: int, sample: float, power: float) -> tuple:
    """Four arrays: the ids of all documents in one row, and three with an entry for each word.

    These are the word's count, its probability to be kept by sub-sampling, and its probability to
    be drawn as noise.
    """
    row = text(documents, m, n).astype(np.int32)
    counts = np.bincount(row[row >= 0], minlength=n)
    if counts.max() == counts.sum():
        raise ValueError("The text repeats one single word: take a text with two or more.")
    return row, counts, keep_probability(counts, sample), noise(counts, power)


def start_vectors(n: int, d: int, k: int, epochs: int, seed: int, start: Pair | None) -> Pair:
    """V and U to begin with, in float32: copies of the two in `start`, or new random ones."""
    if min(n - 1, d, k, epochs) < 1:
        raise ValueError("Training takes two words, and 1 or more of d, of epochs and of k.")
    V, U = start or initial_vectors(n, d, seed)[::-1]
    if not V.shape == U.shape == (n, d):
        raise ValueError(f"Start from a V and a U of {n} × {d}, not {V.shape} and {U.shape}.")
    return V.astype(np.float32), U.astype(np.float32)


def noise_table(probability: Float[Array, " n"]) -> Int[Array, " entries"]:
    """An array of word ids in which each word's share of the entries is about its probability.

    A noise word is drawn by looking up a random entry.
    """
    ends = (probability.cumsum() / probability.sum() * TABLE).round().astype(int)
    return np.repeat(np.arange(len(ends), dtype=np.int32), np.diff(ends, prepend=0))


def subsample(
    row: Int[Array, " T"], keep: Float[Array, " n"], rng: np.random.Generator
) -> Int[Array, " _"]:
    """The row of word ids without the occurrences that sub-sampling leaves out.

    An occurrence of word w stays with probability keep[w], and every unknown word (−1) stays. So
    windows reach further.
    """
    return row[(row < 0) | (rng.random(len(row)) < keep[row])]


def parts_by_turns(
    length: int, threads: int, rng: np.random.Generator
) -> Iterator[tuple[float, list[tuple[int, int, np.uint64]]]]:
    """Pairs of the finished share of an epoch and the parts that the threads train on next.

    A part is a tuple: where it begins and ends in the text, and a random state for its own draws.
    """
    begins = range(0, length, PART)
    states = rng.integers(1 << 63, size=len(begins), dtype=np.uint64)
    parts = [(b, min(b + PART, length), state) for b, state in zip(begins, states, strict=True)]
    for i in range(0, len(parts), threads):
        yield i / len(parts), parts[i : i + threads]


def expected(
    documents: Text, n: int, d: int = 100, m: int = 5, k: int = 5, epochs: int = 5,
    first: float = 0.05, sample: float = 1e-3, power: float = 0.75, seed: int = 0,
    pieces: int = 10, start: Pair | None = None, last: float = 1e-4,
) -> Pair:  # fmt: skip
    """V and U of n words, trained by skip-gram on expected counts instead of random draws.

    It needs only NumPy. A step takes short `pieces` from all over the text and uses their other
    words as its noise. With pieces of one article it would push apart words that belong together.
    All other arguments are those of `sampled`.

    >>> V, U = expected([np.array([0, 1, 2, 1] * 500)], n=3, d=8, m=1, pieces=1, sample=0.0)
    >>> (V[[0, 2]] @ U.T).argmax(axis=1)
    array([1, 1])
    """
    row, counts, keep, probability = read_corpus(documents, n, m, sample, power)
    V, U = start_vectors(n, d, k, epochs, seed, start)
    kq = (k * probability / probability_of_presence(counts * keep, pieces)).astype(np.float32)
    rng = np.random.default_rng(seed)
    with progress("Training skip-gram in expectation …") as say, np.errstate(all="ignore"):
        for epoch in range(epochs):
            text_pieces = shuffled_pieces(subsample(row, keep, rng), rng)
            for i in range(0, len(text_pieces), pieces):
                done = (epoch + i / len(text_pieces)) / epochs
                if i % (200 * pieces) == 0:
                    say(f"Training skip-gram in expectation … {done:.0%}")
                words, X = expected_counts(text_pieces[i : i + pieces], m)
                v, u, E = V[words], U[words], X.sum(axis=1, keepdims=True) * kq[words]
                G = np.float32(learning_rate(done, first, last)) * (X - (X + E) * sigmoid(v @ u.T))
                V[words] += G @ u
                U[words] += G.T @ v
    check_finite(V, U)
    return V, U


def probability_of_presence(counts: Float[Array, " n"], pieces: int) -> Float[Array, " n"]:
    """The probability that each word occurs in the pieces of one training step, at least 1e-12.

    `counts` holds the word counts of the text. Only words that are present can be noise in this
    step, so `expected` divides the probabilities of noise words by these.
    """
    frequency = counts / counts.sum()
    return np.maximum(-np.expm1(-pieces * PIECE * frequency), 1e-12)


def shuffled_pieces(row: Int[Array, " T"], rng: np.random.Generator) -> Int[Array, "pieces length"]:
    """The row cut into pieces of 25 words in random order; −1 fills up the last piece."""
    filled = np.append(row, np.full(-len(row) % PIECE, -1, np.int32))
    return rng.permutation(filled.reshape(-1, PIECE))


def expected_counts(
    pieces: Int[Array, "b L"], m: int
) -> tuple[Int[Array, " words"], Float[Array, "words words"]]:
    """The distinct words of some pieces, and X: how often each is expected near each other one.

    A window reaches 1 to m positions, each with the same probability. So a word at distance δ is in
    the window with probability (m + 1 − δ) / m, and that is what it counts.

    >>> expected_counts(np.array([[7, 5, 5], [7, -1, 5]]), m=2)
    (array([5, 7]), array([[2., 2.],
           [2., 0.]], dtype=float32))
    """
    words, w = np.unique(pieces, return_inverse=True)
    w, size = w.reshape(pieces.shape), len(words)
    near = range(1, min(m, pieces.shape[1] - 1) + 1)
    cells = [(w[:, δ:] * size + w[:, :-δ]).ravel() for δ in near]
    weights = np.repeat([(m + 1 - δ) / m for δ in near], [len(cell) for cell in cells])
    X = np.bincount(np.concatenate(cells), weights, size * size).astype(np.float32)
    X = X.reshape(size, size)
    X += X.T
    known = slice(int(words[0] < 0), None)  # −1 comes first, and is no word
    return words[known], X[known, known]


def check_finite(V: Float[Array, "n d"], U: Float[Array, "n d"]) -> None:
    """Raises a ValueError if an entry of V or U is infinite or not a number."""
    if not (np.isfinite(V).all() and np.isfinite(U).all()):
        raise ValueError(
            "The vectors have grown without end: take a smaller `first` or fewer pieces."
        )
