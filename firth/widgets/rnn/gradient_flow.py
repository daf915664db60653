"""How much of a change is still felt after many steps: three cells, the same random weights."""

import math

import numpy as np
import traitlets as t

from firth.display import table
from firth.rnn import gated_cells, rnn
from firth.widgets.base import Widget, within

UNITS, LONGEST, SEED = 8, 50, 36  # of 40 seeds, one whose vanilla cell explodes as well as vanishes
REACH = {"rho": (0.5, 1.5), "bias": (-2, 6), "limit": (0, 3), "T": (5, LONGEST)}
CELLS = ("vanilla", "LSTM", "GRU")


def Numbers():
    return t.List().tag(sync=True)


def Slider(value):
    return t.Float(value).tag(sync=True, choice=True)


class RnnGradient(Widget):
    """By how much does each step multiply what is learned from the past, and who decides it?

    The norm is that of ∂s_T/∂s_t, where s is all that a cell carries: h, for the LSTM h and c. It
    is the most that a change of length 1 can become. U is scaled to spectral radius ρ; all three
    cells share W and U, row block by row block: the candidate's is that of the vanilla cell.

    >>> meter = RnnGradient(T=20, rho=0.5)
    >>> dict(zip(CELLS, (round(x, 2) for x in meter.answer()["factors"])))
    {'vanilla': 0.51, 'LSTM': 0.87, 'GRU': 0.81}
    """

    U = Numbers()  # input gate (reset), forget gate (keep), candidate, output gate: each radius 1
    W = Numbers()
    X = Numbers()
    rho = Slider(0.7)
    bias = Slider(1.0)  # of the gate that keeps: f, z
    limit = Slider(1.0)  # log₁₀ of the length at which a gradient is clipped
    T = t.Int(LONGEST).tag(sync=True, choice=True)
    vanilla = t.Bool(True).tag(sync=True, choice=True)
    lstm = t.Bool(True).tag(sync=True, choice=True)
    gru = t.Bool(True).tag(sync=True, choice=True)

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
        norms = [rnn.jacobian_norms(J) for J in self.jacobians()]
        slopes = [float(np.log10(norm[-1])) / self.T for norm in norms]
        most = 10**self.limit
        return {
            "curves": [np.log10(norm).tolist() for norm in norms],
            "ends": [float(np.log10(norm[-1])) for norm in norms],
            "factors": [10**slope for slope in slopes],
            "halves": [-math.log10(2) / slope if slope < 0 else None for slope in slopes],
            "doubles": [math.log10(2) / slope if slope > 0 else None for slope in slopes],
            "most": most,
            "cut": [int(np.sum(norm > most)) for norm in norms],
        }

    def jacobians(self) -> list[np.ndarray]:
        """What each step of each cell does to a small change: T matrices a cell."""
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
        rows = zip(CELLS, shown["factors"], shown["halves"], far, strict=True)
        header = [
            "cell",
            "a step multiplies by",
            "half-life in steps",
            "norm at the end, power of 10",
        ]
        caption = f"What is left of a small change after {self.T} steps, at ρ = {self.rho:g}"
        return table(rows, header, caption)._repr_html_()


def lstm_jacobians(X, W, U, b) -> np.ndarray:
    """∂(h_t, c_t)/∂(h_{t−1}, c_{t−1}) at every step: row k is the gradient of the k-th number.

    So each step becomes a sequence of one step, run back by all 2d rows at once.
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
    """∂h_t/∂h_{t−1} at every step of a GRU, in the same way."""
    d = len(U) // 3
    zero, ask = np.zeros(d), np.eye(d)
    H = gated_cells.gru(X, zero, W, U, b, np.zeros(3 * d))
    h = np.concatenate([zero[None], H[:-1]])
    spread = lambda A: np.repeat(A[:, None], d, axis=1)  # noqa: E731
    G = np.tile(ask, (1, len(X), 1, 1))
    X, H = (spread(A)[None] for A in (X, H))
    return gated_cells.gru_gradients(G, X, spread(h), W, U, b, np.zeros(3 * d), H)[1]
