"""The plain recurrent network: one step, used again for each word, computes the next hidden state.

    h_t = tanh(W x_t + U h_{t−1} + b)              the hidden state after step t
    J   = mean over t of −log softmax(s_t)[y_t]    s_t: the scores, such as O h_t
    δ_t = (g_t + Uᵀ δ_{t+1}) ∘ (1 − h_t²)          g_t: gradient of step t's own loss w.r.t. h_t

W is (d × e) for d units and e inputs, U is (d × d), b is (d). The weights are the same at every
step, so their gradients are sums over the steps: of δ_t x_tᵀ, of δ_t h_{t−1}ᵀ, of δ_t. Each step
back multiplies δ by U and by slopes of at most 1. `jacobian_norms` says how large δ can become.

Time comes first in every array, any batch axes next: X is (T × batch × e), H is (T × batch × d).
"""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray as Array


def step(
    x: Float[Array, "*batch e"],
    h: Float[Array, "*batch d"],
    W: Float[Array, "d e"],
    U: Float[Array, "d d"],
    b: Float[Array, " d"],
) -> Float[Array, "*batch d"]:
    """The next hidden state tanh(W x + U h + b).

    The code multiplies from the right, h Uᵀ instead of U h, so that each row of a batch is a state.

    >>> x, h = np.array([1.0]), np.array([0.0, 0.5])
    >>> step(x, h, W=np.array([[0.5], [0.0]]), U=np.array([[0.0, 1], [1, 0]]), b=np.zeros(2))
    array([0.76, 0.  ])
    """
    return np.tanh(x @ W.T + h @ U.T + b)


def states(
    X: Float[Array, "T *batch e"],
    h: Float[Array, "*batch d"],
    W: Float[Array, "d e"],
    U: Float[Array, "d d"],
    b: Float[Array, " d"],
) -> Float[Array, "T *batch d"]:
    """The hidden state after each step of a sequence that starts from h.

    X Wᵀ + b needs no hidden state, so it is computed for all steps at once. The last hidden state
    can start the next run: a long sequence in pieces gives the same hidden states.

    >>> X = np.array([[1.0], [0.0], [0.0]])  # one input, then zeros
    >>> states(X, np.zeros(1), W=np.array([[2.0]]), U=np.array([[1.0]]), b=np.zeros(1))
    array([[0.96],
           [0.75],
           [0.63]])
    """
    if not len(X):
        raise ValueError("The sequence is empty: give it one step or more.")
    H = X @ W.T + b
    for t in range(len(X)):
        H[t] += h @ U.T
        h = np.tanh(H[t], out=H[t, ...])
    return H


def deltas(
    G: Float[Array, "T *batch d"], H: Float[Array, "T *batch d"], U: Float[Array, "d d"]
) -> Float[Array, "T *batch d"]:
    """The gradients δ_t of J with respect to the sum inside the tanh of each step.

    A hidden state acts on J twice: on the loss of its own step, whose gradient is G[t], and through
    the next hidden state on all later losses. So this loop of backpropagation through time walks
    from the last step to the first.

    >>> G, H = np.array([[0.0], [0.0], [1.0]]), np.array([[0.5], [0.5], [0.0]])  # loss at h_3
    >>> deltas(G, H, U=np.array([[2.0]])).T  # 1, then times 2 · (1 − 0.5²) at each step back
    array([[2.25, 1.5 , 1.  ]])
    """
    delta = (1 - H * H) * G
    for t in reversed(range(len(H) - 1)):
        delta[t] += (1 - H[t] * H[t]) * (delta[t + 1] @ U)
    return delta


def gradients(
    G: Float[Array, "T *batch d"],
    X: Float[Array, "T *batch e"],
    h: Float[Array, "*batch d"],
    W: Float[Array, "d e"],
    U: Float[Array, "d d"],
    H: Float[Array, "T *batch d"],
) -> tuple[
    Float[Array, "T *batch e"],
    Float[Array, "*batch d"],
    Float[Array, "d e"],
    Float[Array, "d d"],
    Float[Array, " d"],
]:
    """The gradients of J with respect to X, h, W, U and b, where G[t] is that of step t's own loss.

    H is the result of `states`. The second gradient allows the first hidden state to be learned.

    >>> X, h, W, U = np.array([[2.0]]), np.array([0.5]), np.array([[0.3]]), np.array([[-1.2]])
    >>> H = states(X, h, W, U, b=np.zeros(1))  # tanh(0.6 − 0.6) = 0, where the slope is 1
    >>> [float(d.item()) for d in gradients(np.array([[1.0]]), X, h, W, U, H)]
    [0.3, -1.2, 2.0, 0.5, 1.0]
    """
    delta = deltas(G, H, U)
    rows = delta.reshape(-1, len(U))
    before = np.concatenate([h[None], H[:-1]])
    dW, dU = (rows.T @ A.reshape(-1, A.shape[-1]) for A in (X, before))
    return delta @ W, delta[0] @ U, dW, dU, rows.sum(axis=0)


def contributions(
    G: Float[Array, "T d"], h: Float[Array, " d"], U: Float[Array, "d d"], H: Float[Array, "T d"]
) -> Float[Array, "T d d"]:
    """The part δ_t h_{t−1}ᵀ that the use of U at each step contributes to ∂J/∂U.

    Row t of G is the gradient of the loss at step t alone with respect to h_t; h is h_0, and the
    rows of H are h_1 to h_T. U is used T times. If only h_4 has a loss, so that G is 0 elsewhere,
    ∂J/∂U is still the sum of four parts. If the first of them are small, the network learns little
    from the first words.

    >>> G, H = np.array([[0.0], [0.0], [1.0]]), np.array([[0.5], [0.5], [0.0]])
    >>> contributions(G, np.array([0.0]), np.array([[0.4]]), H).ravel()  # 0.09 · 0, 0.3 · 0.5, 0.5
    array([0.  , 0.15, 0.5 ])
    """
    return deltas(G, H, U)[:, :, None] * np.concatenate([h[None], H[:-1]])[:, None, :]


def jacobians(H: Float[Array, "T d"], U: Float[Array, "d d"]) -> Float[Array, "T d d"]:
    """∂h_t/∂h_{t−1} at each step: U, with each row multiplied by its unit's slope of tanh.

    >>> jacobians(np.array([[0.5]]), np.array([[2.0]]))
    array([[[1.5]]])
    """
    return (1 - H * H)[:, :, None] * U


def jacobian_norms(J: Float[Array, "T n n"]) -> Float[Array, " T+1"]:
    """The norms ‖∂h_T/∂h_t‖ for T − t = 0, 1, … T: how much a change of h_t can still change h_T.

    J holds the Jacobian of each of the T steps, for any cell. ∂h_T/∂h_t is the product of the last
    T − t of them. Its norm is the largest length that a change of length 1 can reach. If all
    Jacobians have norms below 1, it falls exponentially and the gradient vanishes.

    >>> jacobian_norms(np.array([[[0.5]], [[0.5]]]))
    array([1.  , 0.5 , 0.25])
    """
    product = np.eye(J.shape[1])
    products = [product, *(product := product @ J_t for J_t in J[::-1])]
    return np.linalg.norm(products, ord=2, axis=(1, 2))


def sequence_loss(
    scores: Float[Array, "*places n"],
    y: Int[Array, "*places"],
    mask: Bool[Array, "..."] | None = None,
) -> tuple[float, Float[Array, "*places n"]]:
    """The mean over time of the cross-entropy, and its gradient with respect to the scores.

    `mask` is False where a sequence is padding. These positions count neither in the numerator nor
    in the denominator of the mean, and their gradient is 0.

    >>> J, dscores = sequence_loss(np.zeros((2, 4)), np.array([1, 3]))
    >>> print(f"{J:.3f}, log 4 = {np.log(4):.3f}")  # four equally likely letters
    1.386, log 4 = 1.386
    >>> dscores  # (softmax − one-hot) / 2 positions
    array([[ 0.12, -0.38,  0.12,  0.12],
           [ 0.12,  0.12,  0.12, -0.38]])
    """
    mask = np.ones(y.shape, dtype=bool) if mask is None else mask
    if mask.shape != y.shape:
        raise ValueError(f"The mask has shape {mask.shape} and y {y.shape}: make them the same.")
    if not mask.any():
        raise ValueError(
            "Every position is masked: a mean needs at least one position that counts."
        )
    n, wanted = scores.shape[-1], y[mask]
    if wanted.min() < 0 or wanted.max() >= n:
        raise ValueError(
            f"There are scores for the ids 0 … {n - 1}, but y goes from {wanted.min()} to "
            f"{wanted.max()}: mask what is padding, or check the vocabulary."
        )
    s = scores[mask]
    s = s - s.max(axis=-1, keepdims=True)  # does not change the softmax, and exp cannot overflow
    log_p = s - np.log(np.exp(s).sum(axis=-1, keepdims=True))
    place = np.arange(len(wanted))
    d = np.exp(log_p)
    d[place, wanted] -= 1
    dscores = np.zeros_like(scores)
    dscores[mask] = d / len(wanted)
    return float(-log_p[place, wanted].mean()), dscores


def clip_gradients(
    gradients: Sequence[Float[Array, "..."]], most: float
) -> tuple[list[Float[Array, "..."]], float]:
    """The gradients, scaled down to a joint norm of at most `most`, and their norm before.

    All gradients are multiplied by the same factor, so their common direction stays. A cliff in the
    loss then leads to a step of ordinary length.

    >>> clip_gradients([np.array([3.0]), np.array([0.0, 4.0])], most=1.0)
    ([array([0.6]), array([0. , 0.8])], 5.0)
    """
    if not most > 0:
        raise ValueError(f"Gradients are clipped to a length above 0, not {most}: change most.")
    largest = max((float(abs(g).max(initial=0)) for g in gradients), default=0.0)
    if not np.isfinite(largest):
        raise ValueError(
            "A gradient is NaN or infinite: clipping cannot repair that; lower the learning rate."
        )
    scale = largest or 1.0  # the squares of exploded gradients could overflow
    norm = scale * float(np.sqrt(sum(np.square(g / scale, dtype=float).sum() for g in gradients)))
    shrink = min(1.0, most / norm) if norm else 1.0
    return [g * shrink for g in gradients], norm
