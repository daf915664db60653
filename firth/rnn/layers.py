"""Recurrent layers: batches of unequal length, two directions, several layers; and their size.

    m_ti = [t < length_i]                    the mask: is step t of sequence i a step, or padding?
    s_i  = h_{length_i − 1, i}               its last hidden state
    H    = [ H→(X) ; reversed H←(reversed X) ]             two directions
    H    = H²(H¹(X))                                       two layers
    ∂s_T/∂s_t = J_T J_{T−1} … J_{t+1},  J_t = ∂s_t/∂s_{t−1}      s: all that a cell carries along
    weights = gates · d (e + d + biases)                   what one direction of one layer learns

A layer is here any function from (T × batch × e) to (T × batch × d): `rnn.states`,
`gated_cells.lstm` or `gated_cells.gru`, its weights filled in. Padding comes after a sequence,
never before it, so that a cell that runs forwards meets it only when the sequence's own states are
already written.
"""

from collections.abc import Callable, Sequence
from functools import reduce

import numpy as np
from jaxtyping import Bool, Float, Int, Num
from numpy import ndarray as Array

from .gated_cells import Reset, gru_slopes, lstm_slopes, states_before

Inputs, States = Float[Array, "T batch e"], Float[Array, "T batch d"]
Layer = Callable[[Inputs], States]
GATES = {"rnn": 1, "gru": 3, "lstm": 4}


def padded(
    sequences: Sequence[Num[Array, "_ ..."]], value: int = 0
) -> tuple[Num[Array, "T batch ..."], Int[Array, " batch"]]:
    """The sequences as one array, padded with `value` at their ends, and the length of each.

    >>> X, lengths = padded([np.array([5, 6, 7]), np.array([8])])
    >>> X.T, lengths
    (array([[5, 6, 7],
           [8, 0, 0]]), array([3, 1]))
    """
    lengths = np.array([len(sequence) for sequence in sequences], dtype=int)
    if not len(lengths):
        raise ValueError("There is no sequence to pad: give one or more.")
    if not lengths.all():
        raise ValueError(f"Sequence {lengths.argmin()} is empty: leave it out.")
    first = sequences[0]
    X = np.full((lengths.max(), len(lengths), *first.shape[1:]), value, first.dtype)
    for i, sequence in enumerate(sequences):
        X[: len(sequence), i] = sequence
    return X, lengths


def mask(lengths: Int[Array, " batch"], T: int) -> Bool[Array, "T batch"]:
    """An array with True where a sequence has a step and False where it is padded.

    For sequences sorted by length, the sums of its rows are the batch sizes of PyTorch's packed
    sequences. Packing leaves out the steps that are False here.

    >>> mask(np.array([3, 1]), T=3).sum(axis=1)
    array([2, 1, 1])
    """
    if not len(lengths) or lengths.min() < 1 or lengths.max() > T:
        raise ValueError(f"Lengths must lie in 1 … {T}, the steps of the batch: these are not.")
    return np.arange(T)[:, None] < lengths


def last(H: States, lengths: Int[Array, " batch"]) -> Float[Array, "batch d"]:
    """The hidden state of each sequence after its own last step, before any padding.

    >>> last(np.array([[[1.0], [2.0]], [[3.0], [4.0]]]), np.array([1, 2])).T
    array([[1., 4.]])
    """
    mask(lengths, len(H))
    return H[lengths - 1, np.arange(len(lengths))]


def reverse_padded(
    X: Num[Array, "T batch ..."], lengths: Int[Array, " batch"]
) -> Num[Array, "T batch ..."]:
    """The batch with each sequence reversed within its own steps; padding stays at the end.

    X[::-1] would put the padding first. A network would start with it, and the hidden states of a
    short sequence would depend on the length of the longest one.

    >>> reverse_padded(np.array([[5, 8], [6, 0], [7, 0]]), np.array([3, 1])).T
    array([[7, 6, 5],
           [8, 0, 0]])
    """
    t = np.arange(len(X))[:, None]
    t = np.where(mask(lengths, len(X)), lengths - 1 - t, t)
    return X[t, np.arange(len(lengths))]


def bidirectional(
    there: Layer, back: Layer, X: Inputs, lengths: Int[Array, " batch"]
) -> tuple[Float[Array, "T batch two_d"], Float[Array, "batch two_d"]]:
    """All hidden states of a bidirectional layer, and the last ones of both directions.

    `there` is the layer that reads forwards and `back` the one that reads backwards. At each step
    the first half knows the words before, the second half the words after. *Last* means last
    computed: for the second half, at the first step. Padding gets zeros.

    >>> add = lambda X: X.cumsum(axis=0)  # a layer that only adds up
    >>> H, s = bidirectional(add, add, np.array([[[1.0]], [[2.0]], [[4.0]]]), np.array([3]))
    >>> H[:, 0].T, s
    (array([[1., 3., 7.],
           [7., 6., 4.]]), array([[7., 7.]]))
    """
    forwards, backwards = there(X), back(reverse_padded(X, lengths))
    s = np.concatenate([last(forwards, lengths), last(backwards, lengths)], axis=-1)
    H = np.concatenate([forwards, reverse_padded(backwards, lengths)], axis=-1)
    return H * mask(lengths, len(X))[:, :, None], s


def stack_layers(layers: Sequence[Layer], X: Inputs) -> States:
    """The hidden states of the last layer, when each layer reads those of the layer before.

    >>> add = lambda X: X.cumsum(axis=0)
    >>> stack_layers([add, add], np.ones((3, 1, 1))).ravel()
    array([1., 3., 6.])
    """
    return reduce(lambda H, layer: layer(H), layers, X)


def recurrent_dropout(
    U: Float[Array, "k d"], share: float, rng: np.random.Generator
) -> Float[Array, "k d"]:
    """U with a random share of its columns set to 0 and the others scaled up: recurrent dropout.

    A zero column ignores the past of one unit, and it is the same unit at every step of a run. New
    zeros at each step would wipe out what should be remembered.

    >>> recurrent_dropout(np.ones((2, 4)), 0.5, np.random.default_rng(0))
    array([[2., 0., 0., 0.],
           [2., 0., 0., 0.]])
    """
    if not 0 <= share < 1:
        raise ValueError(f"The share to drop lies between 0 and 1, 1 left out, not {share}.")
    return U * ((rng.random(U.shape[1]) >= share) / (1 - share)).astype(U.dtype)


def lstm_jacobians(
    c: Float[Array, " d"],
    U: Float[Array, "4*d d"],
    C: Float[Array, "T d"],
    gates: Float[Array, "T 4 d"],
) -> Float[Array, "T 2*d 2*d"]:
    """∂(h_t, c_t)/∂(h_{t−1}, c_{t−1}) at each step: d rows and columns for h, then d for c.

    The last d × d block is diag(f): there is no U and no tanh along the cell state. Where forget
    gates are open, a change is passed on as it is. `rnn.jacobian_norms` multiplies the steps.

    >>> C, gates = np.array([[0.5]]), np.array([[[0.5], [0.5], [0.0], [0.5]]])
    >>> lstm_jacobians(np.ones(1), np.zeros((4, 1)), C, gates)  # f, and o (1 − tanh² c) f
    array([[[0. , 0.2],
            [0. , 0.5]]])
    """
    d = len(c)
    D, shown = (A[..., None] for A in lstm_slopes(c, C, gates))
    U, f = U.reshape(4, d, d), gates[:, 1, :, None] * np.eye(d)
    from_gates = (D[:, :3] * U[:3]).sum(axis=1)  # ∂c_t/∂h_{t−1}, by three gates
    top = np.concatenate([shown * from_gates + D[:, 3] * U[3], shown * f], axis=-1)
    return np.concatenate([top, np.concatenate([from_gates, f], axis=-1)], axis=1)


def gru_jacobians(
    X: Float[Array, "T e"],
    h: Float[Array, " d"],
    W: Float[Array, "3*d e"],
    U: Float[Array, "3*d d"],
    b: Float[Array, " 3*d"],
    b_h: Float[Array, " 3*d"],
    H: Float[Array, "T d"],
    reset: Reset = "after",
) -> Float[Array, "T d d"]:
    """∂h_t/∂h_{t−1} at each step of a GRU: diag(z) and the parts of the gates and the candidate.

    >>> W, b = np.zeros((3, 1)), np.zeros(3)
    >>> gru_jacobians(np.ones((1, 1)), np.ones(1), W, W, b, b, H=np.array([[0.5]]))  # z alone
    array([[[0.5]]])
    """
    d = len(h)
    D, r, z = (A[..., None] for A in gru_slopes(X, states_before(h, H), W, U, b, b_h, reset))
    d_r, d_z, d_n = np.split(D, 3, axis=1)
    U_r, U_z, U_n = U.reshape(3, d, d)
    if reset == "after":
        seen = r * U_n + d_r * U_r
    else:
        seen = U_n @ (r * np.eye(d) + d_r * U_r)
    return z * np.eye(d) + d_z * U_z + d_n * seen


def parameters(kind: str, e: int, d: int, biases: int = 2, directions: int = 1) -> int:
    """The number of parameters of a layer from e inputs to d outputs.

    For each gate, and for the candidate, a recurrent layer has a W (d × e), a U (d × d) and a bias.
    PyTorch has two biases where Keras' LSTM has one. An "embedding" of e words has no bias, a
    "dense" layer has one.

    >>> parameters("lstm", 64, 64, biases=1), parameters("lstm", 64, 64)  # Keras, PyTorch
    (33024, 33280)
    >>> parameters("embedding", 5000, 64), parameters("dense", 64, 6)
    (320000, 390)
    """
    kinds = [*GATES, "embedding", "dense"]
    if kind not in kinds:
        raise ValueError(f"There is no layer {kind!r}: take one of {', '.join(kinds)}.")
    if min(e, d, directions) < 1 or biases not in (0, 1, 2):
        raise ValueError("A layer has inputs, outputs and directions, and 0, 1 or 2 biases a gate.")
    if kind not in GATES:
        return d * (e + (kind == "dense"))
    return directions * GATES[kind] * d * (e + d + biases)
