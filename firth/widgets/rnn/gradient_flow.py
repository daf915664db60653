"""How a gradient shrinks or grows with distance: a plain network, an LSTM and a GRU."""

import math

import numpy as np
import traitlets as t

from firth.display import table
from firth.rnn import gated_cells, rnn
from firth.widgets.base import Widget, within

UNITS, LONGEST, SEED = (
    8,
    50,
    36,
)  # of 40 seeds, one whose plain network explodes as well as vanishes
REACH = {"rho": (0.5, 1.5), "bias": (-2, 6), "T": (5, LONGEST)}
PATHS = (
    "plain network",
    "LSTM, along the cell state",
    "LSTM, through the hidden state",
    "GRU",
)


def Numbers():
    return t.List().tag(sync=True)


def Slider(value):
    return t.Float(value).tag(sync=True, choice=True)


def Shown(value):
    return t.Bool(value).tag(sync=True, choice=True)


class RnnGradient(Widget):
    """By how much does each step back multiply a gradient, and along which path?

    For the plain network and the GRU the norm is ‖∂h_T/∂h_t‖. For the LSTM, ∂c_T/∂c_t is the sum
    of two parts, whose norms are drawn apart: the path along the cell state, where each step
    multiplies by the forget gate, and all paths that go through a hidden state. U is scaled to
    the spectral radius ρ. The three networks share W and U, row block by row block.

    >>> meter = RnnGradient(T=20, rho=0.5)
    >>> dict(zip(PATHS, (round(x, 2) for x in meter.answer()["factors"])))
    {'plain network': 0.51, 'LSTM, along the cell state': 0.73,
     'LSTM, through the hidden state': 0.86, 'GRU': 0.81}
    """

    U = Numbers()  # input (or reset), forget (or update), candidate, output: each of radius 1
    W = Numbers()
    X = Numbers()
    rho = Slider(0.7)
    bias = Slider(1.0)  # of the forget gate, and of the GRU's update gate
    T = t.Int(LONGEST).tag(sync=True, choice=True)
    plain = Shown(True)
    cell_path = Shown(True)
    hidden_path = Shown(True)
    gru = Shown(False)

    def __init__(self, **choices):
        random = np.random.default_rng(SEED)
        U = random.normal(size=(4, UNITS, UNITS))
        U /= abs(np.linalg.eigvals(U)).max(axis=-1)[:, None, None]
        W = random.normal(size=(4, UNITS, 1)) / 2
        X = random.normal(size=(LONGEST, 1)) / 10
        data = {"U": U.round(3).tolist(), "W": W.round(3).tolist(), "X": X.round(3).tolist()}
        super().__init__(**data | choices)

    _is_within_reach = within(REACH)

    def answer(self) -> dict:
        plain, lstm, gru = self.jacobians()
        norms = [rnn.jacobian_norms(plain), *path_norms(lstm), rnn.jacobian_norms(gru)]
        slopes = [float(np.log10(norm[-1])) / self.T for norm in norms]
        gate = float(gated_cells.sigmoid(np.array([self.bias]))[0])
        return {
            "curves": [[math.log10(x) if x else None for x in norm.tolist()] for norm in norms],
            "ends": [float(np.log10(norm[-1])) for norm in norms],
            "factors": [10**slope for slope in slopes],
            "halves": [-math.log10(2) / slope if slope < 0 else None for slope in slopes],
            "doubles": [math.log10(2) / slope if slope > 0 else None for slope in slopes],
            "gate": gate,
            "keeps": 1 / (1 - gate),
        }

    def jacobians(self) -> list[np.ndarray]:
        """The Jacobians of the T steps of the plain network, the LSTM and the GRU, in a list."""
        X, zero = np.array(self.X[: self.T]), np.zeros(UNITS)
        W, U = np.array(self.W), self.rho * np.array(self.U)
        keep = np.repeat([0.0, self.bias, 0.0, 0.0], UNITS)
        H = rnn.states(X, zero, W[2], U[2], zero)
        rows = lambda blocks, n: np.concatenate(blocks[:n])  # noqa: E731
        return [
            rnn.jacobians(H, U[2]),
            lstm_jacobians(X, rows(W, 4), rows(U, 4), keep),
            gru_jacobians(X, rows(W, 3), rows(U, 3), keep[: 3 * UNITS]),
        ]

    def fallback(self) -> str:
        shown = self.answer()
        far = [curve[-1] for curve in shown["curves"]]
        rows = zip(PATHS, shown["factors"], shown["halves"], far, strict=True)
        header = [
            "path of the gradient",
            "a step multiplies by",
            "half-life in steps",
            "norm at the end, power of 10",
        ]
        caption = f"The norm of a gradient after {self.T} steps, at ρ = {self.rho:g}"
        return table(rows, header, caption)._repr_html_()


def path_norms(J: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Norms of the two parts of ∂c_T/∂c_t for T − t = 0, 1, … T: cell-state path, all other paths.

    J holds the Jacobians of an LSTM, as `lstm_jacobians` returns them. The cell-state path is the
    product of the forget gates. All other paths leave the cell state: they go through a hidden
    state.

    >>> path_norms(np.array([[[0.1, 0.2], [0.3, 0.5]]] * 2))  # f = 0.5, ∂h/∂c = 0.2 / 0.5
    (array([1.  , 0.5 , 0.25]), array([0.  , 0.12, 0.06]))
    """
    d = J.shape[1] // 2
    f = np.diagonal(J[:, d:, d:], axis1=1, axis2=2)
    slopes = np.diagonal(J[:, :d, d:], axis1=1, axis2=2) / f  # ∂h_t/∂c_t
    slopes = np.concatenate([np.zeros((1, d)), slopes[:-1]])  # of the step before; h_0 is fixed
    product, kept = np.eye(2 * d), np.ones(d)
    norms = [(1.0, 0.0)]
    for step in reversed(range(len(J))):
        product, kept = product @ J[step], kept * f[step]
        whole = product[d:, d:] + product[d:, :d] * slopes[step]
        norms.append((kept.max(), np.linalg.norm(whole - np.diag(kept), ord=2)))
    along, around = np.array(norms).T
    return along, around


def lstm_jacobians(X, W, U, b) -> np.ndarray:
    """The Jacobian ∂(h_t, c_t)/∂(h_{t−1}, c_{t−1}) of every step, an array of shape (T, 2d, 2d).

    Row k of a Jacobian is the gradient of entry k of (h_t, c_t). All 2d gradients of all steps are
    computed in one backward pass: each is a sequence of length 1 in a batch.
    """
    d = len(U) // 4
    zero, ask = np.zeros(d), np.eye(2 * d)
    H, C, opened = gated_cells.lstm(X, zero, zero, W, U, b)
    h, c = (np.concatenate([zero[None], A[:-1]]) for A in (H, C))
    spread = lambda A: np.repeat(A[:, None], 2 * d, axis=1)  # noqa: E731  steps × rows × …
    G, dc = (np.tile(half, (len(X), 1, 1)) for half in (ask[:, :d], ask[:, d:]))
    run = (spread(A)[None] for A in (H, C, opened))
    back = gated_cells.lstm_gradients(
        G[None], spread(X)[None], spread(h), spread(c), W, U, *run, dc
    )
    return np.concatenate(back[1:3], axis=-1)


def gru_jacobians(X, W, U, b) -> np.ndarray:
    """The Jacobian ∂h_t/∂h_{t−1} of every step of a GRU, an array of shape (T, d, d).

    It is computed as in `lstm_jacobians`, in one backward pass.
    """
    d = len(U) // 3
    zero, ask = np.zeros(d), np.eye(d)
    H = gated_cells.gru(X, zero, W, U, b, np.zeros(3 * d))
    h = np.concatenate([zero[None], H[:-1]])
    spread = lambda A: np.repeat(A[:, None], d, axis=1)  # noqa: E731
    G = np.tile(ask, (1, len(X), 1, 1))
    X, H = (spread(A)[None] for A in (X, H))
    return gated_cells.gru_gradients(G, X, spread(h), W, U, b, np.zeros(3 * d), H)[1]
