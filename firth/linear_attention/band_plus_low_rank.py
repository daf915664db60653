"""A matrix as near plus far: a band of it as it is, and of the rest what a few directions say.

    D_ij = A_ij  where |i − j| ≤ k, else 0            near: n (2k + 1) numbers, less two corners
    L    = the matrix of rank r nearest to A − D      far: 2 n r numbers
    A    ≈ w₁ D + w₂ L                                w₁, w₂ ≥ 0 by least squares

A band cut out leaves a step along its edge, which is not of low rank even where A is smooth:
`mended` lets L run on below the band, and the band mend what it gets wrong there.

The weights minimise |A − w₁D − w₂L|². Where neither would be negative they solve a 2 × 2 system;
where one would, it is 0 and the other is found alone. D is taken out first, so both are near 1; if
L is made of all of A, as an attention's far field is, each weight says how much its part is needed.
"""

import numpy as np
from jaxtyping import Float
from numpy import ndarray as Array

Matrix = Float[Array, "n n"]


def band(A: Matrix, k: int) -> Matrix:
    """D: what lies within k places of the diagonal.

    >>> band(np.arange(9.0).reshape(3, 3), k=1)
    array([[0., 1., 0.],
           [3., 4., 5.],
           [0., 7., 8.]])
    """
    if not 0 <= k < len(A):
        raise ValueError(f"A band of half-width {k} does not fit {len(A)} rows: take 0 or more.")
    return np.triu(np.tril(A, k), -k)


def low_rank(A: Matrix, r: int) -> Matrix:
    """The matrix of rank r nearest to A: its r largest singular values and their directions.

    >>> low_rank(np.array([[3.0, 0.0], [0.0, 1.0]]), r=1)
    array([[3., 0.],
           [0., 0.]])
    """
    if not 0 <= r <= len(A):
        raise ValueError(f"The rank of {len(A)} rows is 0 to {len(A)}, not {r}.")
    U, s, Vt = np.linalg.svd(A)
    return U[:, :r] * s[:r] @ Vt[:r]


def mended(A: Matrix, k: int, r: int, rounds: int = 60) -> Matrix:
    """L for A ≈ L + D of A − L: of rank r, and judged only by what lies outside of the band.

    In turns: the band holds what L misses there, and L is made anew of the rest. No round can make
    it worse. A fast multipole method has no such trouble: its far blocks end where its cells do.

    >>> A = np.ones((6, 6)) + 9 * np.eye(6)  # a constant, but for its diagonal
    >>> L = mended(A, k=0, r=1)
    >>> D = band(A, 0)
    >>> [round(error(A, B), 2) for B in (D + low_rank(A - D, 1), L + band(A - L, 0))]
    [0.09, 0.0]
    """
    L = low_rank(A - band(A, k), r)
    for _ in range(rounds):
        L = low_rank(A - band(A - L, k), r)
    return L


def weights(A: Matrix, D: Matrix, L: Matrix) -> tuple[float, float]:
    """w₁ and w₂: not below 0, and no other pair comes nearer to A. A part of zeros gets 0.

    >>> D, L = np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[1.0, 1.0], [1.0, 1.0]])
    >>> weights(3 * D + L, D, L)
    (3.0, 1.0)
    >>> weights(L - D, D, L)  # D could only help with a weight below 0
    (0.0, 0.5)
    """
    dd, ll, dl = (D * D).sum(), (L * L).sum(), (D * L).sum()
    da, la = (D * A).sum(), (L * A).sum()
    det = dd * ll - dl * dl
    if det > 1e-12 * dd * ll:  # else one is a multiple of the other, or nothing
        both = (da * ll - la * dl) / det, (la * dd - da * dl) / det
        if min(both) >= 0:
            return float(both[0]), float(both[1])
    alone = [max(0.0, float(a / b)) if b > 0 else 0.0 for a, b in ((da, dd), (la, ll))]
    gains = [w * w * b for w, b in zip(alone, (dd, ll), strict=True)]
    return (alone[0], 0.0) if gains[0] > gains[1] else (0.0, alone[1])


def error(A: Matrix, B: Matrix) -> float:
    """|A − B| / |A|: how much of A is missed, as a share of its length.

    >>> error(np.array([[3.0, 0.0], [0.0, 4.0]]), np.array([[3.0, 0.0], [0.0, 0.0]]))
    0.8
    """
    return float(np.linalg.norm(A - B) / np.linalg.norm(A))
