"""word2vec: two vectors for each word, learned by predicting words from the words around them.

    CBOW               J = −u_w·h + log Σⱼ exp(uⱼ·h)             h: the mean of the context's v
    skip-gram          J = −Σₒ u_o·v_w + c log Σⱼ exp(uⱼ·v_w)    o: the c context words of w
    negative sampling  J = −log σ(u_o·v_w) − Σᵢ log σ(−uᵢ·v_w)   i: k noise words

Each of n words has a word vector v_w of d numbers, which is a row of V, and a context vector u_w,
which is a row of U. A score u_o·v_w is high if o is likely to stand beside the centre word w.

The first two losses are exact: j runs over the whole vocabulary, which takes too long if it is
large. Negative sampling replaces that sum: it predicts for one positive pair (w, o) and for k
noise words i, or negative samples, whether they stood beside w. σ is the logistic function.

Every gradient is an error signal e, the prediction minus the label, times the vector on the other
side. With the learning rate η a step is U −= η ∂J/∂U, V −= η ∂J/∂V. This module is written to be
read; `firth.word2vec.skipgram` trains on millions of words.
"""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float, Int, Num
from numpy import ndarray as Array

Vectors = Float[Array, "n d"]
Ids = Int[Array, " c"]
Word = int | np.integer
Text = Int[Array, " _"] | Sequence[Int[Array, " _"]]
Gradients = tuple[float, Float[Array, "n d"], Float[Array, "n d"]]  # J, ∂J/∂U, ∂J/∂V


def text(documents: Text, m: int, n: int = 2**31) -> Int[Array, " _"]:
    """One row of word ids: the documents, each followed by m unknown words (−1).

    So no window of m words to each side reaches from one document into another.

    >>> text([np.array([0, 1]), np.array([2])], m=2)
    array([ 0,  1, -1, -1,  2, -1, -1])
    """
    if m < 1:
        raise ValueError(f"A window of {m} words holds no context word: take m of 1 or more.")
    documents = [documents] if isinstance(documents, Array) else documents
    gap, empty = np.full(m, -1), np.zeros(0, int)
    row = np.concatenate([empty, *(part for ids in documents for part in (ids, gap))])
    if not (row >= 0).any():
        raise ValueError("The text is empty: there is no known word in it to learn from.")
    if row.min() < -1 or row.max() >= n:
        raise ValueError(f"Ids lie in −1 … {n - 1}, not {row.min()} … {row.max()}: check n.")
    return row


def pairs(ids: Text, m: int) -> Int[Array, "_ 2"]:
    """The positive pairs (centre word, context word) within windows of m words to each side.

    The pairs are in reading order. An unknown word (−1) keeps its position and is in no pair. No
    pair spans two documents.

    >>> pairs(np.array([0, 1, 2]), m=1)  # the captain spoke
    array([[0, 1],
           [1, 0],
           [1, 2],
           [2, 1]])
    """
    row = np.concatenate([np.full(m, -1), text(ids, m)])
    window = np.lib.stride_tricks.sliding_window_view(row, 2 * m + 1)
    context = np.delete(window, m, axis=1)
    centre = np.broadcast_to(window[:, [m]], context.shape)
    known = (centre >= 0) & (context >= 0)
    return np.column_stack([centre[known], context[known]])


def softmax(x: Num[Array, "*batch n"]) -> Float[Array, "*batch n"]:
    """The probabilities exp(x_j) / Σᵢ exp(x_i), along the last axis of an array of scores.

    Subtracting the largest score changes no probability, and then no exponential overflows.

    >>> softmax(np.array([1000.0, 1000.0, 0.0]))
    array([0.5, 0.5, 0. ])
    """
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def sigmoid(x: Num[Array, "*batch"]) -> Float[Array, "*batch"]:
    """The logistic function of each score: σ(x) = 1 / (1 + exp(−x)), without an overflow."""
    return (1 + np.tanh(x / 2)) / 2


def check_words(n: int, others: Ids, *words: Word, kind: str = "context") -> None:
    """Raises a ValueError if there are no other words, or if an id is not one of n words.

    Without it NumPy would take the unknown word −1 for the last one.
    """
    if not len(others):
        raise ValueError(f"There are no {kind} words: give one or more.")
    for word in [*others, *words]:
        if not 0 <= word < n:
            raise ValueError(f"There is no word {word}: the {n} words have the ids 0 … {n - 1}.")


def cbow(U: Vectors, V: Vectors, context: Ids, w: Word) -> Gradients:
    """The loss J of CBOW and its gradients with respect to U and V.

    The context words predict the centre word w. p = softmax(U h) is the prediction, so log Σ exp
    has the gradient Σⱼ pⱼ uⱼ with respect to h. With e = p − (1 at w, 0 elsewhere), ∂J/∂U = e hᵀ
    and ∂J/∂h = Uᵀe. As h is a mean of c vectors, each v of a context word gets a c-th of ∂J/∂h.

    >>> U, V = np.array([[1.0], [0.0]]), np.array([[0.0], [2.0]])
    >>> J, dU, dV = cbow(U, V, context=np.array([1]), w=0)  # the scores are 2 and 0
    >>> print(round(J, 2), dU.ravel(), dV.ravel())
    0.13 [-0.24  0.24] [ 0.   -0.12]
    """
    check_words(len(U), context, w)
    h = V[context].mean(axis=0)
    score = U @ h
    e = softmax(score)
    e[w] -= 1
    dV = np.zeros_like(V)
    np.add.at(dV, context, U.T @ e / len(context))  # a word that occurs twice gets it twice
    return float(np.logaddexp.reduce(score) - score[w]), np.outer(e, h), dV


def skip_gram(U: Vectors, V: Vectors, w: Word, context: Ids) -> Gradients:
    """The loss J of skip-gram and its gradients with respect to U and V.

    The centre word w predicts its c context words. The prediction p = softmax(U v_w) is the same
    for all of them. With e = c p − (how often each word is in the context), ∂J/∂U = e v_wᵀ and
    ∂J/∂v_w = Uᵀe.

    >>> U, V = np.array([[1.0], [0.0]]), np.array([[0.0], [2.0]])
    >>> J, dU, dV = skip_gram(U, V, w=1, context=np.array([0, 0]))
    >>> print(round(J, 2), dU.ravel(), dV.ravel())  # twice what cbow returned
    0.25 [-0.48  0.48] [ 0.   -0.24]
    """
    check_words(len(U), context, w)
    c, score = len(context), U @ V[w]
    e = c * softmax(score) - np.bincount(context, minlength=len(U))
    dV = np.zeros_like(V)
    dV[w] = U.T @ e
    J = c * np.logaddexp.reduce(score) - score[context].sum()
    return float(J), np.outer(e, V[w]), dV


def negative_sampling(U: Vectors, V: Vectors, w: Word, o: Word, noise: Ids) -> Gradients:
    """The loss J of negative sampling and its gradients with respect to U and V.

    (w, o) is the positive pair. −log σ(x) has the derivative σ(x) − 1, and −log σ(−x) has σ(x).
    With e = σ(u_j·v_w) − (1 if j is o, 0 if j is noise), ∂J/∂u_j = e_j v_w and ∂J/∂v_w = Σⱼ e_j
    u_j. Only 1 + k rows of dU and one row of dV are not zero.

    >>> U, V = np.array([[1.0], [0.0], [0.0]]), np.array([[0.0], [2.0], [0.0]])
    >>> J, dU, dV = negative_sampling(U, V, w=1, o=0, noise=np.array([2]))
    >>> print(round(J, 2), dU.ravel(), dV.ravel())  # word 1 is not among the words: U[1] stays
    0.82 [-0.24  0.    1.  ] [ 0.   -0.12  0.  ]
    """
    check_words(len(U), noise, w, o, kind="noise")
    words, v = np.append(o, noise), V[w]
    score = U[words] @ v
    e = sigmoid(score)
    e[0] -= 1
    dU, dV = np.zeros_like(U), np.zeros_like(V)
    np.add.at(dU, words, np.outer(e, v))  # a noise word that is drawn twice counts twice
    dV[w] = e @ U[words]
    J = np.logaddexp(0, -score[0]) + np.logaddexp(0, score[1:]).sum()
    return float(J), dU, dV


def noise(counts: Num[Array, " n"], power: float = 0.75) -> Float[Array, " n"]:
    """The probability of each word to be drawn as noise: its count to a power, over their sum.

    With power 1 words are drawn as often as they occur, with power 0 all words equally often.
    Mikolov et al. (2013) found 3/4 to work best.

    >>> noise(np.array([81, 16, 0]), power=0.75)  # 27 : 8
    array([0.77, 0.23, 0.  ])
    """
    check_counts(counts, power)
    weight = np.where(counts > 0, counts, 1.0) ** power * (counts > 0)
    return weight / weight.sum()


def check_counts(counts: Num[Array, " n"], power: float) -> None:
    """Raises a ValueError if `noise` cannot make probabilities of these counts."""
    if not 0 <= power <= 1:
        raise ValueError(f"The power lies between 0 (all alike) and 1 (as counted), not {power}.")
    if not (counts.min(initial=0) >= 0 and 0 < counts.sum() < np.inf):
        raise ValueError("noise needs counts of 0 or more, and one above 0: look at counts.")


def keep_probability(counts: Num[Array, " n"], sample: float = 1e-3) -> Float[Array, " n"]:
    """The probability that sub-sampling keeps an occurrence of a word, for each word.

    It is √(s/f) + s/f, at most 1, where f is the relative frequency of the word and s is the
    threshold `sample`. That is the formula of the program word2vec.c; the paper prints another one,
    √(s/f). With s = 0 every occurrence is kept.

    >>> keep_probability(np.array([9_990, 9, 1]))
    array([0.03, 1.  , 1.  ])
    """
    check_threshold(sample)
    ratio = (sample or 1) * counts.sum() / np.maximum(counts, 1)
    return np.minimum(1, np.sqrt(ratio) + ratio)


def check_threshold(sample: float) -> None:
    """Raises a ValueError if `sample`, the threshold of sub-sampling, is no relative frequency."""
    if not 0 <= sample < np.inf:
        raise ValueError(f"sample is a relative frequency, such as 0.001, and not {sample}.")


def learning_rate(done: float, first: float = 0.025, last: float = 1e-4) -> float:
    """The learning rate after a share `done` of the training: it falls linearly to `last`.

    >>> learning_rate(0.5, first=0.1, last=0.0)
    0.05
    """
    if not 0 <= done <= 1:
        raise ValueError(f"The finished share of the training lies in 0 … 1, and is not {done}.")
    return first + (last - first) * done


def initial_vectors(n: int, d: int, seed: int = 0) -> tuple[Vectors, Vectors]:
    """U and V before the first step: zeros, and small random numbers from −1/2d to 1/2d.

    If both were zeros, all gradients would be the same, and all words would stay alike.
    """
    return np.zeros((n, d)), (np.random.default_rng(seed).random((n, d)) - 0.5) / d
