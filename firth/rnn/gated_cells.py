"""LSTM and GRU: gates between 0 and 1 decide what is kept, what is written and what is shown.

    LSTM   i, f, o = σ(W x_t + U h_{t−1} + b)    g = tanh(W x_t + U h_{t−1} + b)    own rows each
           c_t = f ∘ c_{t−1} + i ∘ g             h_t = o ∘ tanh(c_t)
    GRU    r, z = σ(W x_t + b + U h_{t−1} + b_h)
           n = tanh(W x_t + b + r ∘ (U h_{t−1} + b_h))      reset "after" (PyTorch, Keras), or
           n = tanh(W x_t + b + U (r ∘ h_{t−1}) + b_h)      reset "before" (Cho and others, 2014)
           h_t = (1 − z) ∘ n + z ∘ h_{t−1}

The weights of all gates lie in one matrix, in PyTorch's order: an LSTM's W (4d × e) has the rows of
i, f, g and o, a GRU's W (3d × e) those of r, z and n. PyTorch's two biases of an LSTM are only ever
added, so b is their sum. The update gate z is the share that is kept; other texts call 1 − z by
this name. Time comes first, then any batch axes: X is (T × batch × e).
"""

from typing import Literal

import numpy as np
from jaxtyping import Float
from numpy import ndarray as Array

Input, Inputs = Float[Array, "*batch e"], Float[Array, "T *batch e"]
State, States = Float[Array, "*batch d"], Float[Array, "T *batch d"]
Gates = Float[Array, "T *batch 4 d"]
W4, U4, b4 = Float[Array, "4*d e"], Float[Array, "4*d d"], Float[Array, " 4*d"]  # an LSTM's
W3, U3, b3 = Float[Array, "3*d e"], Float[Array, "3*d d"], Float[Array, " 3*d"]  # a GRU's
Reset = Literal["after", "before"]


def sigmoid(z: Float[Array, "*n"]) -> Float[Array, "*n"]:
    """The logistic function 1 / (1 + exp(−z)), computed as ½ + ½ tanh(z / 2) to avoid an overflow.

    >>> sigmoid(np.array([-1000.0, 0.0, 1.0]))
    array([0.  , 0.5 , 0.73])
    """
    return 0.5 + 0.5 * np.tanh(0.5 * z)


def product(X: Inputs, W: Float[Array, "k e"]) -> Float[Array, "T *batch k"]:
    """X Wᵀ for every step of every sequence, computed as one large product."""
    if not len(X):
        raise ValueError("The sequence is empty: give it one step or more.")
    return (X.reshape(-1, W.shape[1]) @ W.T).reshape(*X.shape[:-1], len(W))


def states_before(h: State, H: States) -> States:
    """The hidden state before each step: h, and then all of H but the last."""
    return np.concatenate([h[None], H[:-1]])


def weight_gradients(D: Float[Array, "T *batch k"], *inputs: Float[Array, "T *batch _"]) -> tuple:
    """The gradients with respect to the weights of each input, and with respect to the bias.

    D holds the gradients with respect to W x + b at each step; each result is a sum over the steps.
    """
    rows = D.reshape(-1, D.shape[-1])
    return *(rows.T @ A.reshape(len(rows), -1) for A in inputs), rows.sum(axis=0)


def lstm_step(x: Input, h: State, c: State, W: W4, U: U4, b: b4) -> tuple[State, State]:
    """The next hidden state and the next cell state of an LSTM.

    >>> W, U, b = np.zeros((4, 1)), np.zeros((4, 1)), np.array([-9.0, 9.0, 0.0, 9.0])
    >>> lstm_step(np.array([1.0]), np.array([0.0]), np.array([0.5]), W, U, b)  # i ≈ 0, f ≈ o ≈ 1
    (array([0.46]), array([0.5]))
    """
    i, f, g, o = np.split(x @ W.T + h @ U.T + b, 4, axis=-1)
    c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
    return sigmoid(o) * np.tanh(c), c


def lstm(X: Inputs, h: State, c: State, W: W4, U: U4, b: b4) -> tuple[States, States, Gates]:
    """The hidden states H, the cell states C and the gates i, f, g, o of every step.

    This is `lstm_step` along the sequence, made fast: the products with the inputs are computed at
    once, and a step is one product for its four gates and one tanh, since σ(z) = ½ + ½ tanh(z / 2).
    H[-1] and C[-1] can start the next run.

    >>> W, U, b = np.zeros((4, 1)), np.zeros((4, 1)), np.array([-99.0, 0.0, 0.0, 99.0])
    >>> H, C, gates = lstm(np.ones((3, 1)), np.zeros(1), np.ones(1), W, U, b)
    >>> C.T, gates[0].T  # nothing written, half kept
    (array([[0.5 , 0.25, 0.12]]), array([[0. , 0.5, 0. , 1. ]]))
    """
    half = np.repeat(np.array([0.5, 0.5, 1, 0.5], X.dtype), h.shape[-1])
    rest = 1 - half
    A = product(X, W * half[:, None])
    A += b * half
    U = (U * half[:, None]).T
    gates = A.reshape(*X.shape[:-1], 4, h.shape[-1])
    H, C = np.empty((2, *gates[..., 0, :].shape), A.dtype)
    for t in range(len(X)):
        a = A[t, ...]
        a += h @ U
        np.tanh(a, out=a)
        a *= half
        a += rest
        i, f, g, o = (gates[t, ..., k, :] for k in range(4))
        c = np.multiply(f, c, out=C[t, ...])
        c += i * g
        h = np.multiply(o, np.tanh(c), out=H[t, ...])
    return H, C, gates


def lstm_slopes(c: State, C: States, gates: Gates) -> tuple[Gates, States]:
    """Two arrays for backpropagation: D, the slopes at the gates of each step, and ∂h_t/∂c_t.

    A pre-activation a is the sum inside the σ or tanh of a gate. D has ∂c_t/∂a for i, f and g, and
    ∂h_t/∂a for o.
    """
    i, _, g, o = np.moveaxis(gates, -2, 0)
    tanh_c = np.tanh(C)
    D = 1 - gates  # in place from here on, because new large arrays are slow
    D *= gates  # the slopes of σ, and for g of tanh
    D[..., 2, :] = 1 - g * g
    for k, factor in enumerate((g, states_before(c, C), i, tanh_c)):
        D[..., k, :] *= factor
    return D, o * (1 - tanh_c * tanh_c)


def lstm_gradients(
    G: States,
    X: Inputs,
    h: State,
    c: State,
    W: W4,
    U: U4,
    H: States,
    C: States,
    gates: Gates,
    dc: State | float = 0.0,
) -> tuple[Inputs, State, State, W4, U4, b4]:
    """The gradients of J with respect to X, h, c, W, U and b; G[t] is that of step t's own loss.

    H, C and the gates are the result of `lstm`. Two gradients travel back: dh through U, as in any
    recurrent network, and dc along the cell state, where each step only multiplies it by f. `dc` is
    the gradient with respect to the last cell state, if J depends on it directly.

    >>> X, h, c, W, U = np.zeros((2, 1)), np.zeros(1), np.ones(1), np.ones((4, 1)), np.zeros((4, 1))
    >>> run = lstm(X, h, c, W, U, b=np.zeros(4))  # every σ is ½
    >>> lstm_gradients(np.zeros((2, 1)), X, h, c, W, U, *run, dc=np.ones(1))[2]  # ½ · ½
    array([0.25])
    """
    D, shown = lstm_slopes(c, C, gates)
    f = gates[..., 1, :]
    dh, dc = np.zeros_like(h), np.zeros_like(c) + dc
    for t in reversed(range(len(X))):
        dh += G[t]
        dc += dh * shown[t]
        D[t, ..., :3, :] *= dc[..., None, :]
        D[t, ..., 3, :] *= dh
        dh = D[t].reshape(*h.shape[:-1], len(U)) @ U
        dc *= f[t]
    rows = D.reshape(*X.shape[:-1], len(U))
    return product(rows, W.T), dh, dc, *weight_gradients(rows, X, states_before(h, H))


def gru_gates(
    x: Input, h: State, W: W3, U: U3, b: b3, b_h: b3, reset: Reset = "after"
) -> tuple[State, State, State]:
    """The reset gate r, the update gate z and the candidate n of a GRU step.

    >>> x, h, W, U, b = np.ones(1), np.ones(1), np.zeros((3, 1)), np.zeros((3, 1)), np.zeros(3)
    >>> gru_gates(x, h, W, U, b, b_h=np.array([0.0, 0.0, 2.0]))  # n: tanh(½ · 2)
    (array([0.5]), array([0.5]), array([0.76]))
    >>> gru_gates(x, h, W, U, b, b_h=np.array([0.0, 0.0, 2.0]), reset="before")[2]  # n: tanh(2)
    array([0.96])
    """
    if reset not in ("after", "before"):
        raise ValueError(f'The reset gate comes "after" or "before" U, not {reset!r}.')
    d = h.shape[-1]
    a = x @ W.T + b
    r, z = np.split(sigmoid(a[..., : 2 * d] + h @ U[: 2 * d].T + b_h[: 2 * d]), 2, axis=-1)
    U_n, b_n = U[2 * d :], b_h[2 * d :]
    past = r * (h @ U_n.T + b_n) if reset == "after" else (r * h) @ U_n.T + b_n
    return r, z, np.tanh(a[..., 2 * d :] + past)


def gru_step(x: Input, h: State, W: W3, U: U3, b: b3, b_h: b3, reset: Reset = "after") -> State:
    """The next hidden state of a GRU: z times the old one plus 1 − z times the candidate.

    >>> W, U, b = np.zeros((3, 1)), np.zeros((3, 1)), np.array([0.0, -9.0, 9.0])  # z ≈ 0, n ≈ 1
    >>> gru_step(np.ones(1), np.zeros(1), W, U, b, b_h=np.zeros(3))
    array([1.])
    """
    _, z, n = gru_gates(x, h, W, U, b, b_h, reset)
    return (1 - z) * n + z * h


def gru(X: Inputs, h: State, W: W3, U: U3, b: b3, b_h: b3, reset: Reset = "after") -> States:
    """The hidden states of a GRU after each step; H[-1] alone can start the next run.

    >>> W, U, b = np.zeros((3, 1)), np.zeros((3, 1)), np.zeros(3)  # z is ½, and n is 0
    >>> gru(np.ones((3, 1)), np.ones(1), W, U, b, b_h=np.zeros(3)).T
    array([[0.5 , 0.25, 0.12]])
    """
    if not len(X):
        raise ValueError("The sequence is empty: give it one step or more.")
    return np.stack([h := gru_step(x, h, W, U, b, b_h, reset) for x in X])


def gru_slopes(
    X: Inputs, h: States, W: W3, U: U3, b: b3, b_h: b3, reset: Reset = "after"
) -> tuple[Float[Array, "T *batch 3*d"], States, States]:
    """Three arrays for backpropagation: D, the slopes at r, z and n of each step; and r and z.

    A pre-activation a is the sum inside the σ or tanh of a gate. D has ∂h_t/∂a for z and n. For r
    it has the derivative of the part of the past that the candidate n sees.
    """
    U_n, b_n = U[-h.shape[-1] :], b_h[-h.shape[-1] :]
    r, z, n = gru_gates(X, h, W, U, b, b_h, reset)
    seen = h @ U_n.T + b_n if reset == "after" else h  # what r multiplies
    D = [seen * r * (1 - r), (h - n) * z * (1 - z), (1 - z) * (1 - n * n)]
    return np.concatenate(D, axis=-1), r, z


def gru_gradients(
    G: States, X: Inputs, h: State, W: W3, U: U3, b: b3, b_h: b3, H: States, reset: Reset = "after"
) -> tuple[Inputs, State, W3, U3, b3, b3]:
    """The gradients of J with respect to X, h, W, U, b and b_h; G[t] is that of step t's own loss.

    H is the result of `gru`. All hidden states are known, so the gates of all steps are computed at
    once. Then dh travels back in four ways: through the share z that is kept, through the two
    gates, and through the candidate.

    >>> X, h, W, U, b = np.ones((2, 1)), np.ones(1), np.zeros((3, 1)), np.zeros((3, 1)), np.zeros(3)
    >>> H = gru(X, h, W, U, b, b)
    >>> gru_gradients(np.array([[0.0], [1.0]]), X, h, W, U, b, b, H)[1]  # ½ · ½
    array([0.25])
    """
    d, h_before, after = len(U) // 3, states_before(h, H), reset == "after"
    D, r, z = gru_slopes(X, h_before, W, U, b, b_h, reset)
    d_r, d_z, d_n = (D[..., k * d : (k + 1) * d] for k in range(3))
    U_rz, U_n = U[: 2 * d], U[2 * d :]
    dh = np.zeros_like(h)
    for t in reversed(range(len(X))):
        dh = dh + G[t]
        d_n[t] *= dh
        d_z[t] *= dh
        d_seen = d_n[t] if after else d_n[t] @ U_n
        d_r[t] *= d_seen
        d_seen = d_seen * r[t]
        dh = dh * z[t] + D[t, ..., : 2 * d] @ U_rz + (d_seen @ U_n if after else d_seen)
    dW, db = weight_gradients(D, X)
    dU_rz, db_rz = weight_gradients(D[..., : 2 * d], h_before)
    dU_n, db_n = (
        weight_gradients(d_n * r, h_before) if after else weight_gradients(d_n, r * h_before)
    )
    dU, db_h = np.concatenate([dU_rz, dU_n]), np.concatenate([db_rz, db_n])
    return product(D, W.T), dh, dW, dU, db, db_h
