"""Latent semantic analysis: the best picture of a table that k directions can give.

    X ≈ U diag(s) Vᵀ

X has n rows (terms) and m columns (documents, or words again). U (n, k) holds a row of
coordinates for each term, V (m, k) one for each document; their columns are orthonormal. The k
singular values s, largest first, say how much of the table each direction carries. No other
table of rank k comes nearer to X (Eckart and Young, 1936): what is missed is the rest of s.

A direction may be turned round, U and V together, without changing the product. So that a result
is always the same, the largest entry of each column of U is made positive. If two singular
values are equal, their two directions may be turned in their plane as well: nothing fixes those.
"""

from typing import Union

import numpy as np
from jaxtyping import Float, Num
from numpy import ndarray as Array

# A sparse table is named and not imported: scipy.sparse would double the time of the import.
Table = Union[Num[Array, "n m"], "scipy.sparse.sparray", "scipy.sparse.spmatrix"]  # noqa: F821
Triple = tuple[Float[Array, "n k"], Float[Array, " k"], Float[Array, "k m"]]

SMALL = 1_000_000  # cells; up to here the exact answer takes a second at most
EXTRA = 20  # directions carried along beside the k asked for, and dropped at the end
PASSES = 5


def svd(X: Table, k: int, seed: int = 0) -> Triple:
    """The k largest singular values of X, and the directions that go with them.

    A small table is decomposed exactly, and cut. A large one is nearly all zeros, and exact
    methods would fill them in; `sketch` touches X only through products with a few columns. Its
    answer is float32, and of what the best k directions hold it misses less than a hundredth
    where singular values fall slowly, and next to nothing where they fall fast.

    >>> X = np.array([[2, 2, 0], [1, 1, 0], [0, 0, 3]])  # ship, sea; star
    >>> U, s, Vt = svd(X, k=2)
    >>> s
    array([3.16, 3.  ])
    >>> low_rank(U, s, Vt).round(2) + 0.0  # two directions are enough for these three rows
    array([[2., 2., 0.],
           [1., 1., 0.],
           [0., 0., 3.]])
    """
    n, m = X.shape
    if not 1 <= k <= min(n, m):
        raise ValueError(f"A {n} × {m} table has 1 to {min(n, m)} directions, not {k}: change k.")
    size = abs(X).max()
    if not np.isfinite(size):
        raise ValueError("The table holds NaN or infinity: find out where it came from.")
    if n * m <= SMALL:
        dense = X.toarray() if hasattr(X, "toarray") else X
        U, s, Vt = np.linalg.svd(dense.astype(float), full_matrices=False)
    elif size == 0:
        return np.eye(n, k, dtype=np.float32), np.zeros(k, np.float32), np.eye(k, m, dtype=np.float32)
    elif n < m:  # sketch the shorter side
        V, s, Ut = sketch(X.T / size, k, seed)
        U, s, Vt = Ut.T, s * size, V.T
    else:
        U, s, Vt = sketch(X / size, k, seed)
        s = s * size
    sign = signs(U[:, :k])
    return U[:, :k] * sign, s[:k], Vt[:k] * sign[:, None]
