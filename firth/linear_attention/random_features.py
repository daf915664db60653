"""Random features: a kernel as an expectation, and the expectation as a mean of R draws.

    k(x, y) = E_ω[exp(iωᵀ(x − y))] = E_ω[cos ωᵀ(x − y)]       Bochner: ω from k's spectrum
    exp(−‖x − y‖²/2)   ω ~ N(0, I)       exp(−‖x − y‖₁)   ω ~ Cauchy, each coordinate by itself
    z(x)ᵀz(y) ≈ k(x, y)    z(x) = √(2/R) cos(ωᵀx + b)             R draws of ω, b ~ U(0, 2π)
                           z(x) = √(2/R) (cos ωᵀx, sin ωᵀx)       R/2 draws of ω: R features too
    exp(xᵀy) = e^{‖x‖²/2} exp(−‖x − y‖²/2) e^{‖y‖²/2}             what softmax makes of a score
             = E_ω[exp(ωᵀx − ‖x‖²/2) exp(ωᵀy − ‖y‖²/2)]           the same with features above 0

R counts features: numbers that stand for a point. Only the expectation of z(x)ᵀz(y) is k(x, y); its
variance falls as 1/R, so its error as 1/√R. X is (n × d), a table of frequencies W is (R × d).
"""

from typing import Literal

import numpy as np
from jaxtyping import Float
from numpy import ndarray as Array

Points, Others = Float[Array, "n d"], Float[Array, "m d"]
Kernel, Features, Frequencies = Float[Array, "n m"], Float[Array, "n R"], Float[Array, "R d"]


def gaussian_kernel(X: Points, Y: Others) -> Kernel:
    """exp(−‖x − y‖²/2): 1 for a point and itself, and next to nothing three units away.

    >>> gaussian_kernel(np.zeros((1, 2)), np.array([[0.0, 0.0], [0.0, 1.0], [0.0, 3.0]]))
    array([[1.  , 0.61, 0.01]])
    """
    squares = (X * X).sum(axis=1)[:, None] + (Y * Y).sum(axis=1) - 2 * X @ Y.T
    return np.exp(-np.maximum(squares, 0) / 2)  # rounding may leave a square below 0


def laplace_kernel(X: Points, Y: Others) -> Kernel:
    """exp(−‖x − y‖₁): a sharp peak and a long tail, and so a spectrum with long tails, Cauchy's.

    >>> laplace_kernel(np.zeros((1, 2)), np.array([[0.0, 0.0], [0.0, 1.0], [0.0, 3.0]]))
    array([[1.  , 0.37, 0.05]])
    """
    return np.exp(-np.abs(X[:, None] - Y).sum(axis=2))


def frequencies(
    R: int,
    d: int,
    rng: np.random.Generator,
    spectrum: Literal["gaussian", "cauchy"] = "gaussian",
    orthogonal: bool = False,
) -> Frequencies:
    """R draws of ω: for the Gaussian kernel from a Gaussian, for Laplace's from Cauchy's law.

    Orthogonal draws share out the directions: d rows of a random rotation, each as long as a fresh
    Gaussian vector, so that each row alone is as before. Two that look the same way are a waste.

    >>> W = frequencies(2, 2, np.random.default_rng(0), orthogonal=True)
    >>> print(f"{abs(W[0] @ W[1]):.6f}")  # at right angles
    0.000000
    """
    if R < 1:
        raise ValueError(f"An estimate needs one draw or more, not {R}.")
    if spectrum == "cauchy":
        if orthogonal:
            raise ValueError("Only a Gaussian looks alike in all directions: none to share out.")
        return rng.standard_cauchy((R, d))
    W = rng.normal(size=(R, d))
    if not orthogonal:
        return W
    blocks = rng.normal(size=(-(-R // d), d, d))
    Q, T = np.linalg.qr(blocks)
    Q *= np.sign(np.diagonal(T, axis1=1, axis2=2))[:, None, :]  # all rotations as likely
    return Q.swapaxes(1, 2).reshape(-1, d)[:R] * np.linalg.norm(W, axis=1, keepdims=True)


def cosine_features(X: Points, W: Frequencies, b: Float[Array, " R"]) -> Features:
    """√(2/R) cos(ωᵀx + b): one number for each draw; the random phase b stands in for the sine.

    >>> cosine_features(np.zeros((1, 1)), np.ones((2, 1)), np.array([0.0, np.pi]))
    array([[ 1., -1.]])
    """
    return np.sqrt(2 / len(W)) * np.cos(X @ W.T + b)


def paired_features(X: Points, W: Float[Array, "half d"]) -> Float[Array, "n R"]:
    """(cos ωᵀx, sin ωᵀx) / √(R/2): two numbers for each draw, so R/2 draws make R features.

    cos a cos b + sin a sin b = cos(a − b): the estimate depends on x − y alone, and is 1 for x = y.

    >>> Z = paired_features(np.array([[5.0]]), np.array([[1.0], [2.0]]))
    >>> Z.shape, (Z @ Z.T).round(6)
    ((1, 4), array([[1.]]))
    """
    angles = X @ W.T
    return np.concatenate([np.cos(angles), np.sin(angles)], axis=1) / np.sqrt(len(W))


def positive_features(X: Points, W: Frequencies) -> Features:
    """exp(ωᵀx − ‖x‖²/2) / √R: products estimate exp(xᵀy), and none is below 0 (Performer, 2021).

    For exp(qᵀk/√d) give it Q/d^¼ and K/d^¼. Where exp(xᵀy) is near 0, so are the features, and
    with them the error: the weights that decide nothing are the ones that are nearly right.

    >>> X = np.array([[0.0], [1.0]])
    >>> positive_features(X, np.array([[1.0]]))  # exp(0), exp(1 − ½)
    array([[1.  ],
           [1.65]])
    """
    return np.exp(X @ W.T - (X * X).sum(axis=1)[:, None] / 2) / np.sqrt(len(W))


def trigonometric_features(X: Points, W: Float[Array, "half d"]) -> Float[Array, "n R"]:
    """e^{‖x‖²/2} (cos ωᵀx, sin ωᵀx) / √(R/2): products estimate exp(xᵀy) too, but may be below 0.

    >>> Z = trigonometric_features(np.array([[2.0], [-1.0]]), np.array([[1.0]]))
    >>> print(f"{Z[0] @ Z[1]:.2f}, {np.exp(-2):.2f}")  # e^(4/2) cos(3) e^(1/2), and exp(xᵀy)
    -12.06, 0.14
    """
    return np.exp((X * X).sum(axis=1)[:, None] / 2) * paired_features(X, W)


def cosine_variance(k: Kernel, k_2: Kernel, R: int) -> Kernel:
    """The variance of `cosine_features`' estimate: (1 + ½ k(2δ) − k(δ)²)/R, δ = x − y.

    k is k(δ) and k_2 is k(2δ): for the Gaussian, k⁴. At δ = 0 it is 1/(2R): the phase is still a
    matter of chance.

    >>> k = np.array([[1.0, 0.5, 0.0]])
    >>> cosine_variance(k, k**4, R=1)
    array([[0.5 , 0.78, 1.  ]])
    """
    return (1 + k_2 / 2 - k * k) / R


def paired_variance(k: Kernel, k_2: Kernel, R: int) -> Kernel:
    """The variance of `paired_features`' estimate with R features: (1 + k(2δ) − 2 k(δ)²)/R.

    Half as many draws, each of variance ½ (1 + k(2δ)) − k(δ)². It wins by (k(δ)² − ½ k(2δ))/R over
    the cosines, so wherever k(2δ) < 2 k(δ)²: everywhere, for both kernels here.

    >>> k = np.array([[1.0, 0.5, 0.0]])
    >>> paired_variance(k, k**4, R=1)
    array([[0.  , 0.56, 1.  ]])
    """
    return (1 + k_2 - 2 * k * k) / R


def positive_variance(X: Points, Y: Others, R: int) -> Kernel:
    """The variance of `positive_features`' estimate: exp(2xᵀy) (exp(‖x + y‖²) − 1)/R.

    It vanishes where exp(xᵀy) does, y = −x, and grows fast for long vectors that agree.

    >>> x = np.array([[1.0]])
    >>> positive_variance(x, np.array([[-1.0], [0.0], [1.0]]), R=1)
    array([[  0.  ,   1.72, 396.04]])
    """
    summed = ((X[:, None] + Y) ** 2).sum(axis=2)
    return np.exp(2 * X @ Y.T) * np.expm1(summed) / R


def trigonometric_variance(X: Points, Y: Others, R: int) -> Kernel:
    """The variance of `trigonometric_features`' estimate: largest where exp(xᵀy) is smallest.

    e^{‖x‖² + ‖y‖²} times that of the pair.

    >>> x = np.array([[1.0]])
    >>> trigonometric_variance(x, np.array([[-1.0], [0.0], [1.0]]), R=1)
    array([[7.12, 1.09, 0.  ]])
    """
    k = gaussian_kernel(X, Y)
    squares = (X * X).sum(axis=1)[:, None] + (Y * Y).sum(axis=1)
    return np.exp(squares) * paired_variance(k, k**4, R)
