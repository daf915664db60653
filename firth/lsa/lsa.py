"""Latent semantic analysis: the best approximation of a table by k directions.

    X ≈ U diag(s) Vᵀ

X has n rows (words) and m columns (documents or neighbouring words). Each row of U (n, k) belongs
to a word and each row of V (m, k) to a column of X. The columns of U and V are orthonormal. The k
singular values s, largest first, say how much of the table each direction carries. No other table
of rank k is closer to X (Eckart and Young, 1936): the error consists of the dropped singular
values.

The sign of a direction is free: U and V may both be multiplied by −1. So that results are always
the same, the largest entry of each column of U is made positive. If two singular values are equal,
their directions may also be rotated among themselves.
"""

from typing import Union

import numpy as np
from jaxtyping import Float, Num
from numpy import ndarray as Array

# Sparse tables are named, not imported: importing scipy.sparse costs as much as all the rest.
Sparse = Union["scipy.sparse.sparray", "scipy.sparse.spmatrix"]  # noqa: F821
Table = Num[Array, "n m"] | Sparse
Triple = tuple[Float[Array, "n k"], Float[Array, " k"], Float[Array, "k m"]]

SMALL = 1_000_000  # cells: smaller tables are decomposed exactly, in a second at most
EXTRA = 24  # directions computed in addition to k, and dropped at the end
PASSES = 4
GRAIN = 1e-5  # float32 leaves errors of about this size in YᵀY


def svd(X: Table, k: int, seed: int = 0) -> Triple:
    """U, s and Vᵀ of the truncated singular value decomposition with k directions.

    A small table is decomposed exactly. A large table is mostly zeros, which an exact method would
    fill in, so `sketch` multiplies it with a few columns instead. It works in float32 and loses at
    most four hundredths of what the best k directions hold, on tables of PPMI.

    >>> X = np.array([[2, 2, 0], [1, 1, 0], [0, 0, 3]])  # ship, sea, star in three documents
    >>> U, s, Vt = svd(X, k=2)
    >>> s
    array([3.16, 3.  ])
    >>> low_rank(U, s, Vt).round(2) + 0.0  # two equal rows: two directions hold everything
    array([[2., 2., 0.],
           [1., 1., 0.],
           [0., 0., 3.]])
    """
    X = X.tocsr() if hasattr(X, "tocsr") else np.asarray(X)
    if X.ndim != 2 or 0 in X.shape:
        raise ValueError(f"svd needs a table with rows and columns, not one of shape {X.shape}.")
    n, m = X.shape
    if not 1 <= k <= min(n, m):
        raise ValueError(f"A {n} × {m} table has 1 to {min(n, m)} directions, not {k}: change k.")
    largest = abs(X).max()
    if not np.isfinite(largest):
        raise ValueError("The table holds NaN or infinity: look where it was computed.")
    if n * m <= SMALL:
        X = X.toarray() if hasattr(X, "toarray") else X
        U, s, Vt = np.linalg.svd(X.astype(float), full_matrices=False)
    else:
        scale = largest or 1  # no square of a number in −1 … 1 overflows
        X = (X / scale).astype(np.float32)
        U, s, V = sketch(X, k, seed) if n >= m else sketch(X.T, k, seed)[::-1]
        s, Vt = (s * scale).astype(np.float32), V.T
    sign = signs(U[:, :k])
    return U[:, :k] * sign, s[:k], Vt[:k] * sign[:, None]


def sketch(
    X: Table, k: int, seed: int
) -> tuple[Float[Array, "n k"], Float[Array, " k"], Float[Array, "m k"]]:
    """U, s, V of a large table, by products with k + 24 columns (Halko and others, 2011).

    The 24 extra columns hold directions that are nearly as strong as the k-th. Since Q spans the k
    directions of V, the decomposition of X Q is a small problem.
    """
    Q = strong_directions(X, min(k + EXTRA, X.shape[1]), seed)
    U, s, W = thin_svd(X @ Q)
    V = Q @ W.astype(Q.dtype)
    s = np.pad(s[:k], (0, max(0, k - len(s)))).astype(np.float32)
    return completed(U[:, :k], k), s, completed(V[:, :k], k)


def strong_directions(
    X: Table, columns: int, seed: int, careful: bool = False
) -> Float[Array, "m _"]:
    """Orthonormal columns that nearly span the leading right singular vectors of X.

    This is the first half of a randomised truncated SVD. It starts from random columns Q. A product
    with XᵀX multiplies the i-th direction by sᵢ², so after a few products the strong directions
    dominate. The columns are made orthonormal after each of them, because otherwise all would
    become the strongest direction; with `careful` also between X and Xᵀ, so that float32 loses
    fewer weak directions.
    """
    # Subtracting shift · Q changes no direction but widens the gap between strong and weak ones
    # (Feng and others, 2024). Half of the smallest sᵢ² that is kept is a safe shift.
    start = np.random.default_rng(seed).random((X.shape[1], columns), dtype=np.float32) - 0.5
    Q, shift = thin_svd(start)[0], 0.0
    for _ in range(PASSES):
        if careful:
            Q = thin_svd(X.T @ thin_svd(X @ Q)[0])[0]
            continue
        Q, s, _ = thin_svd(X.T @ (X @ Q) - shift * Q)
        if len(s) < columns:  # sᵢ²/s₁² is lost in float32: work with sᵢ/s₁
            return strong_directions(X, columns, seed, careful=True)
        shift = max(shift, float(shift + s[-1]) / 2)
    return Q


def thin_svd(
    Y: Float[Array, "n p"],
) -> tuple[Float[Array, "n r"], Float[Array, " r"], Float[Array, "p r"]]:
    """U, s, W with Y = U diag(s) Wᵀ for a tall Y with few columns, from YᵀY = W diag(s²) Wᵀ.

    YᵀY is only p × p, and U = Y W / s is a matrix product. This is ten times as fast as a QR
    decomposition, which works on one column at a time. Squares need twice the digits, so YᵀY is
    computed in float64. Singular values below 10⁻⁶ of the largest are noise and are left out.

    >>> thin_svd(np.array([[3.0, 0.0], [4.0, 0.0], [0.0, 2.0]]))[1]
    array([5., 2.])
    """
    wide = Y.astype(np.float64)
    squares, W = np.linalg.eigh(wide.T @ wide)
    s = np.sqrt(np.maximum(squares, 0))
    clear = np.flatnonzero(s > 1e-6 * s.max(initial=0))[::-1]  # eigh gives the smallest first
    s, W = s[clear], W[:, clear]
    return Y @ (W / s).astype(Y.dtype), s, W


def completed(U: Float[Array, "n r"], k: int) -> Float[Array, "n {k}"]:
    """U with orthonormal columns added until there are k; they belong to singular values of 0."""
    n, r = U.shape
    if r == k:
        return U
    basis = np.linalg.qr(np.hstack([U, np.zeros((n, k - r), U.dtype)]))[0]
    return np.hstack([U, basis[:, r:]])


def signs(U: Float[Array, "n k"]) -> Float[Array, " k"]:
    """An array with +1 or −1 for each column of U: multiplied by it, the largest entry is positive.

    Among entries within a thousandth of the largest, the first one decides, so that rounding errors
    cannot change the sign.

    >>> signs(np.array([[0.1, 0.5], [-0.9, -0.5]]))
    array([-1.,  1.])
    """
    size = abs(U)
    first = (size >= 0.999 * size.max(axis=0)).argmax(axis=0)
    return np.sign(U[first, np.arange(U.shape[1])])


def low_rank(
    U: Float[Array, "n k"], s: Float[Array, " k"], Vt: Float[Array, "k m"]
) -> Float[Array, "n m"]:
    """The table of rank k that k directions give: U diag(s) Vᵀ.

    >>> low_rank(np.array([[0.6], [0.8]]), np.array([5.0]), np.array([[1.0, 0.0]]))
    array([[3., 0.],
           [4., 0.]])
    """
    return (U * s) @ Vt


def error(s: Float[Array, " r"], k: int) -> float:
    """The error of the best table of rank k: the root of the sum of all dropped s².

    By the theorem of Eckart and Young, ‖X − low_rank(U, s, Vt)‖ cannot be smaller. `s` must
    contain all singular values, not only the first k.

    >>> error(np.array([5.0, 4.0, 3.0]), k=1)
    5.0
    """
    if k < 0:
        raise ValueError(f"A rank is 0 or more, not {k}.")
    return float(np.sqrt((s[k:] ** 2).sum()))


def lost_energy(X: Table, Vt: Float[Array, "k m"]) -> float:
    """The share of ‖X‖² that lies outside the directions Vt: 0 if nothing is lost.

    It does not need the other singular values, so it can be computed for a table of any size.

    >>> lost_energy(np.array([[3, 0], [0, 4]]), np.array([[0.0, 1.0]]))
    0.36
    """
    energy = (X.multiply(X) if hasattr(X, "multiply") else np.square(X)).sum(dtype=float)
    kept = np.square(X @ Vt.T, dtype=float).sum()
    return float(max(0, 1 - kept / energy)) if energy else 0.0


def fold_in(
    q: Num[Array, "*queries n"] | Sparse, U: Float[Array, "n k"], s: Float[Array, " k"]
) -> Float[Array, "*queries k"]:
    """The coordinates of a new document q, without a new decomposition: q U / s.

    X = U diag(s) Vᵀ gives V = Xᵀ U / s, so q is treated as one more column of X, with the same
    weights. A column that X already has gets its own row of V. Where s is 0, the coordinate is 0.
    In a table of several documents, one in each row, a document of unknown words gets zeros.

    >>> U, s, Vt = svd(np.array([[2, 0], [0, 1]]), k=2)
    >>> fold_in(np.array([2, 0]), U, s)
    array([1., 0.])
    """
    if q.ndim == 1 and not abs(q).max():
        raise ValueError("No word of the query is in the vocabulary: use other words.")
    return (q @ U) / np.where(s > 0, s, np.inf)
