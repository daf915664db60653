"""What is made of cells: batches of unequal length, two directions, layers on layers; and its size.

    m_ti = [t < length_i]                    the mask: is step t of sequence i a step, or padding?
    s_i  = h_{length_i − 1, i}               its last state, however long the batch is
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

from .gated_cells import Reset, before, gru_slopes, lstm_slopes

Inputs, States = Float[Array, "T batch e"], Float[Array, "T batch d"]
Layer = Callable[[Inputs], States]
GATES = {"rnn": 1, "gru": 3, "lstm": 4}


def padded(
    sequences: Sequence[Num[Array, "_ ..."]], value: int = 0
) -> tuple[Num[Array, "T batch ..."], Int[Array, " batch"]]:
    """Sequences of unequal length side by side, filled up with `value`; and how long each was.

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
    """True where a sequence has a step, False where it is padded.

    Its rows' sums, for sequences sorted by length, are the batch sizes of PyTorch's packed
    sequences: packing leaves out the steps that are False here, and so saves computing them.

    >>> mask(np.array([3, 1]), T=3).sum(axis=1)
    array([2, 1, 1])
    """
    if not len(lengths) or lengths.min() < 1 or lengths.max() > T:
        raise ValueError(f"Lengths must lie in 1 … {T}, the steps of the batch: these are not.")
    return np.arange(T)[:, None] < lengths


def last(H: States, lengths: Int[Array, " batch"]) -> Float[Array, "batch d"]:
    """Each sequence's state after its own last step; H[-1] would be the state after the padding.

    >>> last(np.array([[[1.0], [2.0]], [[3.0], [4.0]]]), np.array([1, 2])).T
    array([[1., 4.]])
    """
    mask(lengths, len(H))
    return H[lengths - 1, np.arange(len(lengths))]


def reversed_padded(
    X: Num[Array, "T batch ..."], lengths: Int[Array, " batch"]
) -> Num[Array, "T batch ..."]:
    """Each sequence turned round within its own steps; the padding stays behind it.

    To turn the whole batch round, X[::-1], would put the padding first: a cell would start with
    it, and a short sequence's states would depend on how long its neighbours are.

    >>> reversed_padded(np.array([[5, 8], [6, 0], [7, 0]]), np.array([3, 1])).T
    array([[7, 6, 5],
           [8, 0, 0]])
    """
    t = np.arange(len(X))[:, None]
    t = np.where(mask(lengths, len(X)), lengths - 1 - t, t)
    return X[t, np.arange(len(lengths))]


def bidirectional(
    there: Layer, back: Layer, X: Inputs, lengths: Int[Array, " batch"]
) -> tuple[Float[Array, "T batch two_d"], Float[Array, "batch two_d"]]:
    """All states of two layers, one of which reads from the end, side by side; and the last ones.

    At each step the first half knows what came before, the second what comes after. *Last* means
    last computed: for the second half that is at the sequence's first step. Padding holds zeros.

    >>> add = lambda X: X.cumsum(axis=0)  # a layer that only adds up
    >>> H, s = bidirectional(add, add, np.array([[[1.0]], [[2.0]], [[4.0]]]), np.array([3]))
    >>> H[:, 0].T, s
    (array([[1., 3., 7.],
           [7., 6., 4.]]), array([[7., 7.]]))
    """
    forwards, backwards = there(X), back(reversed_padded(X, lengths))
    s = np.concatenate([last(forwards, lengths), last(backwards, lengths)], axis=-1)
    H = np.concatenate([forwards, reversed_padded(backwards, lengths)], axis=-1)
    return H * mask(lengths, len(X))[:, :, None], s


def stacked(layers: Sequence[Layer], X: Inputs) -> States:
    """Layer upon layer: the states of one are the inputs of the next, so all of them are needed.

    >>> add = lambda X: X.cumsum(axis=0)
    >>> stacked([add, add], np.ones((3, 1, 1))).ravel()
    array([1., 3., 6.])
    """
    return reduce(lambda H, layer: layer(H), layers, X)


def dropped(U: Float[Array, "k d"], share: float, rng: np.random.Generator) -> Float[Array, "k d"]:
    """U with a share of its columns zeroed, the others scaled up: dropout for the memory.

    A zero column means that one unit's past is ignored, the same one at every step of a run. Fresh
    zeros at each step would leave no unit in peace for long, and wipe the memory out.

    >>> dropped(np.ones((2, 4)), 0.5, np.random.default_rng(0))
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
    """∂(h_t, c_t)/∂(h_{t−1}, c_{t−1}) at every step: d rows and columns for h, then d for the belt.

    The last d × d cells are diag(f): along the belt no U stands, and no tanh. Where forget gates
    are open, a change is carried on as it is. `rnn.jacobian_norms` multiplies the steps up.

    >>> C, gates = np.array([[0.5]]), np.array([[[0.5], [0.5], [0.0], [0.5]]])
    >>> lstm_jacobians(np.ones(1), np.zeros((4, 1)), C, gates)  # f, and o (1 − tanh² c) f
    array([[[0. , 0.2],
            [0. , 0.5]]])
    """
    d = len(c)
    D, shown = (A[..., None] for A in lstm_slopes(c, C, gates))
    U, f = U.reshape(4, d, d), gates[:, 1, :, None] * np.eye(d)
    heard = (D[:, :3] * U[:3]).sum(axis=1)  # ∂c_t/∂h_{t−1}, by three gates
    top = np.concatenate([shown * heard + D[:, 3] * U[3], shown * f], axis=-1)
    return np.concatenate([top, np.concatenate([heard, f], axis=-1)], axis=1)


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
    """∂h_t/∂h_{t−1} at every step: diag(z), and what the gates and n hear of the past.

    >>> W, b = np.zeros((3, 1)), np.zeros(3)
    >>> gru_jacobians(np.ones((1, 1)), np.ones(1), W, W, b, b, H=np.array([[0.5]]))  # z alone
    array([[[0.5]]])
    """
    d = len(h)
    D, r, z = (A[..., None] for A in gru_slopes(X, before(h, H), W, U, b, b_h, reset))
    d_r, d_z, d_n = np.split(D, 3, axis=1)
    U_r, U_z, U_n = U.reshape(3, d, d)
    if reset == "after":
        seen = r * U_n + d_r * U_r
    else:
        seen = U_n @ (r * np.eye(d) + d_r * U_r)
    return z * np.eye(d) + d_z * U_z + d_n * seen


def parameters(kind: str, e: int, d: int, biases: int = 2, directions: int = 1) -> int:
    """How many numbers a layer from e inputs to d outputs learns.

    A cell has for each gate, or for the state itself, a W (d × e), a U (d × d) and a bias; PyTorch
    gives it two biases where Keras' LSTM has one. A look-up table ("embedding") of e words has
    no bias, a "dense" layer one.

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
