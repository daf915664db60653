"""word2vec: a vector for each word, learned by guessing words from the company they keep.

    CBOW               J = −u_w·h + log Σⱼ exp(uⱼ·h)             h: the mean of v_c over the company
    skip-gram          J = −Σₒ u_o·v_w + c log Σⱼ exp(uⱼ·v_w)    c: how many words the company has
    negative sampling  J = −log σ(u_o·v_w) − Σᵢ log σ(−u_i·v_w)  i: the k noise words drawn

Every one of n words has two vectors of d numbers: v_w (a row of V) says what the word is like, u_w
(a row of U) what company likes it. The first two objectives are exact: j runs over all n words,
which is why nobody trains with them on a large vocabulary. The third asks only to tell a word o
that was seen beside w from k words that were drawn by chance; σ is the logistic function.

Every gradient is an error signal e, what was guessed less what was there, times the vector on the
other side. A step is U −= a ∂J/∂U, V −= a ∂J/∂V. `firth.word2vec.skipgram` does the same fast.
"""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float, Int, Num
from numpy import ndarray as Array

from firth.lsa.counts import windows

Vectors = Float[Array, "n d"]
Ids = Int[Array, " c"]
Word = int | np.integer
Text = Int[Array, " _"] | Sequence[Int[Array, " _"]]
Gradients = tuple[float, Float[Array, "n d"], Float[Array, "n d"]]  # J, ∂J/∂U, ∂J/∂V


def text(documents: Text, m: int, n: int = 2**31) -> Int[Array, " _"]:
    """The documents in one row, m unknown words (−1) after each: no window spans two.

    >>> text([np.array([0, 1]), np.array([2])], m=2)
    array([ 0,  1, -1, -1,  2, -1, -1])
    """
    if m < 1:
        raise ValueError(f"A window of {m} words holds no company: take m of 1 or more.")
    documents = [documents] if isinstance(documents, Array) else documents
    gap = np.full(m, -1)
    row = np.concatenate([gap[:0], *(part for ids in documents for part in (ids, gap))])
    if not (row >= 0).any():
        raise ValueError("The text is empty: there is no known word in it to learn from.")
    if row.min() < -1 or row.max() >= n:
        raise ValueError(f"Ids lie in −1 … {n - 1}, not {row.min()} … {row.max()}: check n.")
    return row


def pairs(ids: Text, m: int) -> Int[Array, "_ 2"]:
    """Every word with each word of its company: what skip-gram learns from, in reading order.

    An unknown word (−1) keeps its place and is in no pair; no pair crosses from one document of
    a list into the next.

    >>> pairs(np.array([0, 1, 2]), m=1)  # the ship sank
    array([[0, 1],
           [1, 0],
           [1, 2],
           [2, 1]])
    """
    row = text(ids, m)
    around = np.concatenate([np.full(m, -1), row])
    window = np.lib.stride_tricks.sliding_window_view(around, 2 * m + 1)
    company = np.delete(window, m, axis=1)
    centre = np.broadcast_to(window[:, [m]], company.shape)
    known = (centre >= 0) & (company >= 0)
    return np.column_stack([centre[known], company[known]])


def softmax(x: Num[Array, "*batch n"]) -> Float[Array, "*batch n"]:
    """Scores as probabilities, along the last axis: exp(x_j) over the sum of them all.

    A constant added to all changes nothing; with the largest at 0, no exponential overflows.

    >>> softmax(np.array([1000.0, 1000.0, 0.0]))
    array([0.5, 0.5, 0. ])
    """
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def sigmoid(x: Num[Array, "*batch"]) -> Float[Array, "*batch"]:
    """A score as the probability of a yes: σ(x) = 1 / (1 + exp(−x)), without an overflow."""
    return (1 + np.tanh(x / 2)) / 2


def checked(n: int, others: Ids, *words: Word) -> None:
    """Complain of ids that name no row: of −1 above all, which NumPy would take for the last."""
    if not len(others):
        raise ValueError("The company is empty: there is nothing to guess, or to guess from.")
    for word in [*others, *words]:
        if not 0 <= word < n:
            raise ValueError(f"There is no word {word}: the {n} words have the ids 0 … {n - 1}.")


def cbow(U: Vectors, V: Vectors, company: Ids, w: Word) -> Gradients:
    """Guess the word from its company: J, and its gradients for U and V.

    p = softmax(U h) is the guess, so log Σ exp has the gradient Σⱼ pⱼ uⱼ for h, and pⱼ h for uⱼ.
    With e = p − (1 at w, else 0): ∂J/∂U = e hᵀ, ∂J/∂h = Uᵀe, a c-th of which each v_c gets.

    >>> U, V = np.array([[1.0], [0.0]]), np.array([[0.0], [2.0]])
    >>> J, dU, dV = cbow(U, V, company=np.array([1]), w=0)  # scores 2 and 0
    >>> print(round(J, 2), dU.ravel(), dV.ravel())
    0.13 [-0.24  0.24] [ 0.   -0.12]
    """
    checked(len(U), company, w)
    h = V[company].mean(axis=0)
    p = softmax(U @ h)
    e = p.copy()
    e[w] -= 1
    dV = np.zeros_like(V)
    np.add.at(dV, company, U.T @ e / len(company))  # a word that is there twice gets it twice
    return float(np.logaddexp.reduce(U @ h) - U[w] @ h), np.outer(e, h), dV


def skip_gram(U: Vectors, V: Vectors, w: Word, company: Ids) -> Gradients:
    """Guess each word of the company from the word: J, and its gradients for U and V.

    The guess p = softmax(U v_w) is the same for all c of them. With e = c p − (how often each word
    is in the company): ∂J/∂U = e v_wᵀ, ∂J/∂v_w = Uᵀe.

    >>> U, V = np.array([[1.0], [0.0]]), np.array([[0.0], [2.0]])
    >>> J, dU, dV = skip_gram(U, V, w=1, company=np.array([0, 0]))
    >>> print(round(J, 2), dU.ravel(), dV.ravel())  # twice what cbow gave
    0.25 [-0.48  0.48] [ 0.   -0.24]
    """
    checked(len(U), company, w)
    v, c = V[w], len(company)
    e = c * softmax(U @ v) - np.bincount(company, minlength=len(U))
    dV = np.zeros_like(V)
    dV[w] = U.T @ e
    J = c * np.logaddexp.reduce(U @ v) - (U[company] @ v).sum()
    return float(J), np.outer(e, v), dV


def negative_sampling(U: Vectors, V: Vectors, w: Word, o: Word, noise: Ids) -> Gradients:
    """Tell the word o, seen beside w, from the noise words: J, and its gradients for U and V.

    −log σ(x) has the derivative σ(x) − 1 and −log σ(−x) has σ(x). So e = σ(u_j·v_w) − (1 if j
    is o, 0 if noise): ∂J/∂u_j = e_j v_w, ∂J/∂v_w = Σⱼ e_j u_j. Only 1 + k rows of U have one.

    >>> U, V = np.array([[1.0], [0.0], [0.0]]), np.array([[0.0], [2.0], [0.0]])
    >>> J, dU, dV = negative_sampling(U, V, w=1, o=0, noise=np.array([2]))
    >>> print(round(J, 2), dU.ravel(), dV.ravel())  # U[1] was not asked
    0.82 [-0.24  0.    1.  ] [ 0.   -0.12  0.  ]
    """
    if not len(noise):
        raise ValueError("With k = 0 noise words every score may grow for ever: draw one or more.")
    checked(len(U), noise, w, o)
    asked, v = np.append(o, noise), V[w]
    score = U[asked] @ v
    e = sigmoid(score)
    e[0] -= 1
    dU, dV = np.zeros_like(U), np.zeros_like(V)
    np.add.at(dU, asked, np.outer(e, v))  # a noise word drawn twice counts twice
    dV[w] = e @ U[asked]
    score[0] *= -1
    return float(np.logaddexp(0, score).sum()), dU, dV


def noise(counts: Num[Array, " n"], power: float = 0.75) -> Float[Array, " n"]:
    """How likely each word is to be drawn as noise: its count to a power, over the sum.

    1 draws words as often as they occur, 0 all alike; 3/4 was found by trying.

    >>> noise(np.array([81, 16, 0]), power=0.75)  # 27 : 8
    array([0.77, 0.23, 0.  ])
    """
    if not 0 <= power <= 1:
        raise ValueError(f"The power lies between 0 (all alike) and 1 (as counted), not {power}.")
    if not (counts.min(initial=0) >= 0 and 0 < counts.sum() < np.inf):
        raise ValueError("noise needs counts of 0 or more, and one above 0: look at counts.")
    weight = np.where(counts > 0, counts, 1.0) ** power * (counts > 0)
    return weight / weight.sum()


def kept(counts: Num[Array, " n"], sample: float = 1e-3) -> Float[Array, " n"]:
    """How likely an occurrence of each word is to be kept: frequent words lose most of theirs.

    √(s/f) + s/f, at most 1, where f is the word's share of the text and s is `sample`. That is
    what word2vec.c does; the paper prints √(s/f) alone. With sample = 0 everything is kept.

    >>> kept(np.array([9_990, 9, 1]))
    array([0.03, 1.  , 1.  ])
    """
    if not 0 <= sample < np.inf:
        raise ValueError(f"sample is a share of the text, such as 0.001, and not {sample}.")
    ratio = (sample or 1) * counts.sum() / np.maximum(counts, 1)
    return np.minimum(1, np.sqrt(ratio) + ratio)


def rate(done: float, first: float = 0.025, last: float = 1e-4) -> float:
    """The learning rate when a share `done` of the training is over: on a line down to `last`.

    >>> rate(0.5, first=0.1, last=0.0)
    0.05
    """
    if not 0 <= done <= 1:
        raise ValueError(f"What is done of the training is a share from 0 to 1, not {done}.")
    return first + (last - first) * done


def initial(n: int, d: int, seed: int = 0) -> tuple[Vectors, Vectors]:
    """U and V before the first step: U is 0, V small and random, or all words would stay alike."""
    return np.zeros((n, d)), (np.random.default_rng(seed).random((n, d)) - 0.5) / d


def trained(
    ids: Text, n: int, d: int, m: int, method: str = "negative sampling",
    epochs: int = 50, k: int = 5, first: float = 0.1, seed: int = 0,
) -> tuple[Vectors, Vectors, Float[Array, " epochs"]]:  # fmt: skip
    """U, V and the mean J of every epoch, a step for each example in reading order.

    To read, and for texts of a few hundred words. Negative sampling draws anew for each pair.

    >>> U, V, losses = trained(np.array([0, 1, 2, 1] * 9), n=3, d=2, m=1, method="CBOW", first=0.5)
    >>> print(losses[[0, -1]].round(2), (V[[0, 2]] @ U.T).argmax(axis=1))  # both say: 1
    [0.7  0.35] [1 1]
    """
    if method not in ("CBOW", "skip-gram", "negative sampling"):
        raise ValueError(f"{method!r} is not CBOW, skip-gram or negative sampling: take one.")
    if min(n - 1, d, epochs, k) < 1:
        raise ValueError("Training takes two words, and 1 or more of d, of epochs and of k.")
    row = text(ids, m, n)
    chance = noise(np.bincount(row[row >= 0], minlength=n))
    rng = np.random.default_rng(seed)
    U, V = initial(n, d, seed)
    todo = list(pairs(ids, m))
    if not todo:
        raise ValueError(f"No two known words stand within {m} places: take a longer text.")
    if method != "negative sampling":  # all of the company at once
        near = [(w, np.array(company)) for w, company in windows(row.tolist(), m) if w >= 0]
        todo = [(w, company[company >= 0]) for w, company in near if (company >= 0).any()]
    losses = np.zeros(epochs)
    for step in range(epochs * len(todo)):
        w, company = todo[step % len(todo)]
        if method == "CBOW":
            J, dU, dV = cbow(U, V, company, w)
        elif method == "skip-gram":
            J, dU, dV = skip_gram(U, V, w, company)
        else:
            J, dU, dV = negative_sampling(U, V, w, company, rng.choice(n, k, p=chance))
        U -= rate(step / (epochs * len(todo)), first) * dU
        V -= rate(step / (epochs * len(todo)), first) * dV
        losses[step // len(todo)] += J / len(todo)
    return U, V, losses
