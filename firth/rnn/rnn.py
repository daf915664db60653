"""Recurrent networks: one small network, used again at every step, that carries a state along.

    h_t = tanh(W x_t + U h_{t−1} + b)                     the state after step t
    J   = mean over t of −log softmax(s_t)[y_t]           s_t: the scores, such as V h_t
    δ_t = (g_t + Uᵀ δ_{t+1}) ∘ (1 − h_t²)                 g_t = ∂J/∂h_t, as J sees h_t itself

W is (d × e): d units, e inputs. U (d × d) and b (d) go with the state. The weights are the same
at every step, so their gradients are sums over the steps: of δ_t x_tᵀ, of δ_t h_{t−1}ᵀ, of δ_t.
Each step back multiplies δ by U and by numbers below 1; what becomes of it, `jacobian_norms` says.

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
    """The next state: what comes in and what is remembered, added up and squashed.

    The product comes from the right, h Uᵀ and not U h, so that it serves a whole batch of rows.

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
    """The state after every step: `step` along the sequence, each time from where it had come to.

    The first products wait for nobody, so all of X Wᵀ + b is had at once. The last state can
    start the next run: a long sequence read in pieces gives the same states as in one go.

    >>> X = np.array([[1.0], [0.0], [0.0]])  # one input, then silence
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
    """∂J/∂(W x_t + U h_{t−1} + b) at every step: backpropagation through time is this loop.

    A state is heard twice: by the loss at its own step (g_t) and by all that comes later, through
    the next state. So walk from the end, carrying what the later steps said.

    >>> G, H = np.array([[0.0], [0.0], [1.0]]), np.array([[0.5], [0.5], [0.0]])  # J hears only h_3
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
    """∂J by X, h, W, U and b, if G is ∂J/∂H: sums of `contributions` over steps and batch.

    H is what `states` gave. The second, ∂J by the first state, lets that be learned as well.

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
    """What the use of U at each step adds to ∂J/∂U: δ_t h_{t−1}ᵀ, before it is summed.

    U is one matrix, used T times. If J hears h_4 alone (G is 0 elsewhere), ∂J/∂U is the sum of
    four of these; how small the first ones are is how little of the past is learned from.

    >>> G, H = np.array([[0.0], [0.0], [1.0]]), np.array([[0.5], [0.5], [0.0]])
    >>> contributions(G, np.array([0.0]), np.array([[0.4]]), H).ravel()  # 0.09 · 0, 0.3 · 0.5, 0.5
    array([0.  , 0.15, 0.5 ])
    """
    return deltas(G, H, U)[:, :, None] * np.concatenate([h[None], H[:-1]])[:, None, :]


def jacobians(H: Float[Array, "T d"], U: Float[Array, "d d"]) -> Float[Array, "T d d"]:
    """∂h_t/∂h_{t−1} at every step: U, each row shrunk by the slope of tanh.

    >>> jacobians(np.array([[0.5]]), np.array([[2.0]]))
    array([[[1.5]]])
    """
    return (1 - H * H)[:, :, None] * U


def jacobian_norms(J: Float[Array, "T n n"]) -> Float[Array, " T+1"]:
    """How far a change of state is felt 0, 1, … T steps later: ‖∂h_T/∂h_t‖ against T − t.

    J holds the T steps' own Jacobians, of any cell; ∂h_T/∂h_t is the product of the last T − t.
    The norm is the longest that a change of length 1 can become: below 1 at every step, it falls
    as a power of the distance (vanishing); above, it may grow as one (exploding).

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
    """The mean over time of the cross-entropy, and its gradient by the scores.

    `mask` is False where a sequence is padding: those places, whatever stands in them, count
    neither in the sum nor in the number that divides it, and get no gradient.

    >>> J, dscores = sequence_loss(np.zeros((2, 4)), np.array([1, 3]))
    >>> print(f"{J:.3f}, log 4 = {np.log(4):.3f}")  # knowing nothing of four letters
    1.386, log 4 = 1.386
    >>> dscores  # (softmax − one-hot) / 2 places
    array([[ 0.12, -0.38,  0.12,  0.12],
           [ 0.12,  0.12,  0.12, -0.38]])
    """
    mask = np.ones(y.shape, dtype=bool) if mask is None else mask
    if mask.shape != y.shape:
        raise ValueError(f"The mask has shape {mask.shape} and y {y.shape}: make them the same.")
    if not mask.any():
        raise ValueError("Every place is masked: a mean needs one place that counts.")
    n, wanted = scores.shape[-1], y[mask]
    if wanted.min() < 0 or wanted.max() >= n:
        raise ValueError(
            f"There are scores for the ids 0 … {n - 1}, but y goes from {wanted.min()} to "
            f"{wanted.max()}: mask what is padding, or check the vocabulary."
        )
    s = scores[mask]
    s = s - s.max(axis=-1, keepdims=True)  # softmax does not see it, and exp cannot overflow
    log_p = s - np.log(np.exp(s).sum(axis=-1, keepdims=True))
    place = np.arange(len(wanted))
    d = np.exp(log_p)
    d[place, wanted] -= 1
    dscores = np.zeros_like(scores)
    dscores[mask] = d / len(wanted)
    return float(-log_p[place, wanted].mean()), dscores


def clipped(
    gradients: Sequence[Float[Array, "..."]], most: float
) -> tuple[list[Float[Array, "..."]], float]:
    """The gradients, all shortened by one factor if their joint norm exceeds `most`; and the norm.

    One factor for all keeps the direction: a cliff in the loss then gives a step of ordinary
    length instead of a leap. The norm is that before clipping, worth watching as one trains.

    >>> clipped([np.array([3.0]), np.array([0.0, 4.0])], most=1.0)
    ([array([0.6]), array([0. , 0.8])], 5.0)
    """
    if not most > 0:
        raise ValueError(f"Gradients are clipped to a length above 0, not {most}: change most.")
    largest = max((float(abs(g).max(initial=0)) for g in gradients), default=0.0)
    if not np.isfinite(largest):
        raise ValueError("A gradient is NaN or infinite: no clipping mends that; lower the rate.")
    scale = largest or 1.0  # the squares of exploded gradients could overflow
    norm = scale * float(np.sqrt(sum(np.square(g / scale, dtype=float).sum() for g in gradients)))
    shrink = min(1.0, most / norm) if norm else 1.0
    return [g * shrink for g in gradients], norm
