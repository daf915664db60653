"""A kernel guessed by chance: exact beside estimated, and how the error falls with R features."""

import math
from functools import cache

import numpy as np
import traitlets as t
from jaxtyping import Float
from numpy import ndarray as Array

from firth.display import table
from firth.linear_attention import random_features
from firth.runtime import random_numbers
from firth.widgets.base import Widget, within

POINTS, TURNS = 24, 1.75  # of a spiral in the plane
MOST = 1000  # features
TENTHS = 30  # of a power of 10: R = 1 … 1000
COUNTS = [2, 4, 6, 10, 16, 26, 40, 64, 100, 160, 250, 400, 630, MOST]  # where the error is measured
DRAWS = 16  # of all features, in whose mean it is measured
PHASES = 1000  # a draw's phases come from a seed so much further on
KINDS = {  # by kernel, then by feature
    "phase": ("Gaussian kernel", "cosines with a phase"),
    "pair": ("Gaussian kernel", "cosine and sine"),
    "pair orthogonal": ("Gaussian kernel", "cosine and sine, orthogonal ω"),
    "positive": ("Gaussian kernel", "positive"),
    "positive orthogonal": ("Gaussian kernel", "positive, orthogonal ω"),
    "laplace": ("Laplace kernel", "cosine and sine, Cauchy ω"),
}
REACH = {
    "tenths": (0, TENTHS),
    "scale": (0.25, 2),
    "row": (1, POINTS),
    "seed": (1, random_numbers.SEEDS),
}


Points = Float[Array, "n 2"]


def spiral() -> Float[Array, "n 2"]:
    """Points along a spiral: a neighbour is near, and so is a point of the next turn."""
    share = np.linspace(0, 1, POINTS)
    r, angle = 0.5 + 1.5 * share, 2 * np.pi * TURNS * share
    return np.stack([r * np.cos(angle), r * np.sin(angle)], axis=1).round(3)


@cache
def drawn(kind: str, seed: int) -> tuple[Float[Array, "m 2"], Float[Array, " m"]]:
    """Frequencies ω, whose density is the kernel's Fourier transform, and phases, by the seed."""
    u, v, z = (
        random_numbers.uniform(seed),
        random_numbers.uniform(seed + PHASES),
        random_numbers.normal(seed),
    )
    phases = 2 * np.pi * np.array([v() for _ in range(MOST)])
    if kind == "laplace":  # then it is Cauchy's density
        return np.tan(np.pi * (np.array([[u(), u()] for _ in range(MOST)]) - 0.5)), phases
    omega = np.array([[z(), z()] for _ in range(MOST)])
    if kind.endswith("orthogonal"):  # every second keeps its length and stands at a right angle
        first, second = omega[0::2], omega[1::2]
        ratio = np.linalg.norm(second, axis=1) / np.linalg.norm(first, axis=1)
        omega[1::2] = ratio[:, None] * np.stack([-first[:, 1], first[:, 0]], axis=1)
    return omega, phases


def frequencies(kind: str, R: int) -> int:
    """How many frequencies R features take: a cosine and a sine share one."""
    return R if kind.startswith(("phase", "positive")) else max(1, R // 2)


def estimated(kind: str, X: Points, seed: int, R: int) -> Float[Array, "n r"]:
    """Z, whose products Z Zᵀ guess the kernel."""
    m = frequencies(kind, R)
    omega, phases = (array[:m] for array in drawn(kind, seed))
    if kind == "phase":
        return random_features.cosine_features(X, omega, phases)
    if kind.startswith("positive"):  # of exp(xᵀy): what is left of it is divided out
        return shrink(X)[:, None] * random_features.positive_features(X, omega)
    return random_features.paired_features(X, omega)


def shrink(X: Points) -> Float[Array, " n"]:
    """exp(−‖x‖²/2): exp(xᵀy) becomes the Gaussian kernel by that of x and that of y."""
    return np.exp(-(X**2).sum(axis=1) / 2)


def kernel(kind: str, X: Points) -> Float[Array, "n n"]:
    """What is to be guessed, and nothing drawn."""
    exact = random_features.laplace_kernel if kind == "laplace" else random_features.gaussian_kernel
    return exact(X, X)


def expected(kind: str, X: Points) -> Float[Array, "n n"]:
    """The variance of an estimate from one feature, as if all ω were independent."""
    if kind.startswith("positive"):
        size = shrink(X) ** 2
        return random_features.positive_variance(X, X, 1) * size[:, None] * size
    variance = (
        random_features.cosine_variance if kind == "phase" else random_features.paired_variance
    )
    return variance(kernel(kind, X), kernel(kind, 2 * X), 1)


class LinearAttentionFeatures(Widget):
    """How many random features does it take until a kernel's matrix is there? Do they go below 0?

    Errors are over all pairs of two different points. Where the curve is measured, everything is
    drawn sixteen times.

    >>> lab = LinearAttentionFeatures(tenths=20)
    >>> shown = lab.answer()
    >>> round(shown["error"], 2), shown["negative"], round(shown["slope"], 2)
    (0.07, 22, -0.49)
    """

    X = t.List().tag(sync=True)
    kind = t.Enum([*KINDS], "phase").tag(sync=True, choice=True)
    tenths = t.Int(10).tag(sync=True, choice=True)  # of a power of 10: R
    scale = t.Float(1.0).tag(sync=True, choice=True)
    row = t.Int(1).tag(sync=True, choice=True)
    seed = t.Int(1).tag(sync=True, choice=True)

    def __init__(self, **choices):
        super().__init__(**{"X": spiral().tolist()} | choices)

    _is_within_reach = within(REACH)

    def answer(self) -> dict:
        X, kind, R = self.scale * np.array(self.X), self.kind, round(10 ** (self.tenths / 10))
        K, others = kernel(kind, X), ~np.eye(len(X), dtype=bool)
        Z = estimated(kind, X, self.seed, R)
        estimate = Z @ Z.T
        off = (estimate - K)[others]
        return {
            "R": Z.shape[1],  # an even number of them where a cosine has its sine
            "frequencies": frequencies(kind, R),
            "kernel": K.tolist(),
            "estimate": estimate.tolist(),
            "error": float(np.sqrt(np.mean(off**2))),
            "worst": float(abs(off).max()),
            "negative": int((estimate < 0).sum()),
            "of": len(X) ** 2,
            "total": float(K[self.row - 1].sum()),
            "guess": float(estimate[self.row - 1].sum()),
            **self.fall(X, K, others),
        }

    def fall(self, X, K, others) -> dict:
        """How the error falls with R: measured, by the formula, and by the slope of a line."""
        kind, squares = self.kind, np.zeros(len(COUNTS))
        for i, R in enumerate(COUNTS):
            for draw in range(1, DRAWS + 1):
                Z = estimated(kind, X, random_numbers.SEEDS + draw, R)
                squares[i] += np.mean((Z @ Z.T - K)[others] ** 2) / DRAWS
        measured, mean = np.sqrt(squares), expected(kind, X)[others].mean()
        return {
            "measured": measured.tolist(),
            "expected": [math.sqrt(mean / R) for R in COUNTS],
            "slope": float(np.polyfit(np.log(COUNTS), np.log(measured), 1)[0]),
        }

    def fallback(self) -> str:
        shown = self.answer()
        rows = zip(COUNTS, shown["measured"], shown["expected"], strict=True)
        kernel, feature = KINDS[self.kind]
        caption = f"{kernel}, {feature}: error over all pairs of {len(self.X)} points"
        return table(rows, ["features", "measured", "by the formula"], caption, 3)._repr_html_()
