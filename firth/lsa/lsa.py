"""Latent semantic analysis: the best picture of a table that k directions can give.

    X ≈ U diag(s) Vᵀ

X has n rows (terms) and m columns (documents, or words again). U (n, k) holds a row of
coordinates for each term, V (m, k) one for each document; their columns are orthonormal. The k
singular values s, largest first, say how much of the table each direction carries. No other
table of rank k comes nearer to X (Eckart and Young, 1936): what is missed is the rest of s.

A direction may be turned round, U and V together, without changing the product. So that a
result is always the same, the largest entry of each column of U is made positive. If singular
values are equal, their directions may also be turned among themselves: nothing fixes those.
"""

from typing import Union

import numpy as np
from jaxtyping import Float, Num
from numpy import ndarray as Array

# Sparse tables are named, not imported: importing scipy.sparse costs as much as all the rest.
Sparse = Union["scipy.sparse.sparray", "scipy.sparse.spmatrix"]  # noqa: F821
Table = Num[Array, "n m"] | Sparse
Triple = tuple[Float[Array, "n k"], Float[Array, " k"], Float[Array, "k m"]]

SMALL = 1_000_000  # cells: up to here the exact answer takes a second at most
EXTRA = 24  # directions carried along beside the k asked for, and dropped at the end
PASSES = 4
GRAIN = 1e-5  # float32 leaves errors of about this size in YᵀY


def svd(X: Table, k: int, seed: int = 0) -> Triple:
    """The k largest singular values of X, and the directions that go with them.

    A small table is decomposed exactly, and cut. Of a large one, nearly all cells are zeros that
    an exact method would fill in; `sketch` only ever multiplies X by a few columns. It works in
    float32, and loses little of what the best k directions hold: where singular values hardly
    fall, as a corpus's do once weighted, up to four hundredths.

    >>> X = np.array([[2, 2, 0], [1, 1, 0], [0, 0, 3]])  # ship, sea, star in three documents
    >>> U, s, Vt = svd(X, k=2)
    >>> s
    array([3.16, 3.  ])
    >>> low_rank(U, s, Vt).round(2) + 0.0  # two rows are alike: two directions hold everything
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
    X: Table, k: int, seed: int, careful: bool = False
) -> tuple[Float[Array, "n k"], Float[Array, " k"], Float[Array, "m k"]]:
    """U, s, V of a large table, by products with k + 24 columns (Halko and others, 2011).

    Why each step: a product with XᵀX multiplies the i-th direction in Q by sᵢ², so after a few
    of them the large directions have outgrown the small, whatever random columns they were in.
    Left alone, all columns would become the largest direction: hence orthonormal columns after
    each pass. The extra ones are for what lies just below the k-th and is not yet outgrown. To
    subtract `shift` · Q changes no direction, but takes most of a small sᵢ² and little of a large
    one, so the gap widens (Feng and others, 2024); half of the smallest sᵢ² kept is safe. In the
    end Q spans the k directions of V, and X Q is a small problem.
    """
    columns = min(k + EXTRA, X.shape[1])
    start = np.random.default_rng(seed).random((X.shape[1], columns), dtype=np.float32) - 0.5
    Q, shift = thin_svd(start)[0], 0.0
    for _ in range(PASSES):
        if careful:
            Q = thin_svd(X.T @ thin_svd(X @ Q)[0])[0]
            continue
        Q, s, _ = thin_svd(X.T @ (X @ Q) - shift * Q)
        if len(s) < columns:  # float32 cannot tell the last sᵢ²/s₁² from 0, so keep to sᵢ/s₁
            return sketch(X, k, seed, careful=True)
        shift = max(shift, float(shift + s[-1]) / 2)
    U, s, W = thin_svd(X @ Q)
    V = Q @ W.astype(Q.dtype)
    s = np.pad(s[:k], (0, max(0, k - len(s)))).astype(np.float32)
    return completed(U[:, :k], k), s, completed(V[:, :k], k)


def thin_svd(
    Y: Float[Array, "n p"],
) -> tuple[Float[Array, "n r"], Float[Array, " r"], Float[Array, "p r"]]:
    """Y = U diag(s) Wᵀ for a tall Y with few columns, by way of YᵀY = W diag(s²) Wᵀ.

    YᵀY is only p × p, and U = Y W / s is a matrix product: ten times as fast as Householder's
    QR, which goes through Y a column at a time. The price is that squares need twice the
    digits, so YᵀY is summed in float64; what is below 10⁻⁶ of the largest is noise, and left out.

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
    """U with orthonormal columns added until there are k: any will do where s is 0."""
    n, r = U.shape
    if r == k:
        return U
    basis = np.linalg.qr(np.hstack([U, np.zeros((n, k - r), U.dtype)]))[0]
    return np.hstack([U, basis[:, r:]])


def signs(U: Float[Array, "n k"]) -> Float[Array, " k"]:
    """+1 or −1 for each column, so that its largest entry becomes positive.

    Of entries within a thousandth of the largest, the first decides: rounding must not.

    >>> signs(np.array([[0.1, 0.5], [-0.9, -0.5]]))
    array([-1.,  1.])
    """
    size = abs(U)
    first = (size >= 0.999 * size.max(axis=0)).argmax(axis=0)
    return np.sign(U[first, np.arange(U.shape[1])])


def low_rank(
    U: Float[Array, "n k"], s: Float[Array, " k"], Vt: Float[Array, "k m"]
) -> Float[Array, "n m"]:
    """The table that the k directions draw: U diag(s) Vᵀ, every cell of it.

    >>> low_rank(np.array([[0.6], [0.8]]), np.array([5.0]), np.array([[1.0, 0.0]]))
    array([[3., 0.],
           [4., 0.]])
    """
    return (U * s) @ Vt


def error(s: Float[Array, " r"], k: int) -> float:
    """How far the best table of rank k stays from X: the root of the dropped s², added up.

    Eckart and Young: ‖X − low_rank(U, s, Vt)‖, over all cells, cannot be smaller. `s` holds all
    the singular values, not only the first k.

    >>> error(np.array([5.0, 4.0, 3.0]), k=1)
    5.0
    """
    if k < 0:
        raise ValueError(f"A rank is 0 or more, not {k}.")
    return float(np.sqrt((s[k:] ** 2).sum()))


def lost_energy(X: Table, Vt: Float[Array, "k m"]) -> float:
    """The share of X's energy, ‖X‖², that lies outside the directions Vt: 0 if nothing is lost.

    It asks nothing of the other singular values, so it can be had for a table of any size.

    >>> lost_energy(np.array([[3, 0], [0, 4]]), np.array([[0.0, 1.0]]))
    0.36
    """
    energy = (X.multiply(X) if hasattr(X, "multiply") else np.square(X)).sum(dtype=float)
    kept = np.square(X @ Vt.T, dtype=float).sum()
    return float(max(0, 1 - kept / energy)) if energy else 0.0


def fold_in(
    q: Num[Array, "*queries n"] | Sparse, U: Float[Array, "n k"], s: Float[Array, " k"]
) -> Float[Array, "*queries k"]:
    """A new document's coordinates, without a new svd: q U / s.

    X = U diag(s) Vᵀ gives V = Xᵀ U / s; so treat q as one column more, weighted as X was. A
    column that X already has comes out at its own row of V. Where s is 0 so is the coordinate.
    In a stack of documents, one a row, a document of unknown words comes out as zeros.

    >>> U, s, Vt = svd(np.array([[2, 0], [0, 1]]), k=2)
    >>> fold_in(np.array([2, 0]), U, s)
    array([1., 0.])
    """
    if q.ndim == 1 and not abs(q).max():
        raise ValueError("No word of the query is in the vocabulary: ask with other words.")
    return (q @ U) / np.where(s > 0, s, np.inf)
