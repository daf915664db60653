"""A matrix in blocks: what lies far from the diagonal as two thin factors, what lies near as it is.

    block (I, J) is far      if the gap between the intervals I and J is at least their length
    A_IJ ≈ U Wᵀ              of rank p ≤ p(ε): p (|I| + |J|) numbers instead of |I| |J|
    share  = numbers stored / n²           about p log n / n, if p does not grow with n

Halve the sequence, and its halves, until blocks are far or small (Hackbusch, 1999). Whether the far
blocks of a matrix have low rank is a question to the matrix: forces say yes. Attention is asked.
"""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from numpy import ndarray as Array

Matrix = Float[Array, "n m"]


class Block(NamedTuple):
    """Rows i … i + n − 1 and columns j … j + n − 1 of a matrix."""

    i: int
    j: int
    rows: int
    columns: int
    far: bool

    def of(self, A: Matrix) -> Float[Array, "{self.rows} {self.columns}"]:
        """The block's part of a matrix: a view, nothing is copied."""
        return A[self.i : self.i + self.rows, self.j : self.j + self.columns]


Part = tuple[Block, Array, Array | None]  # a block whole, or its two factors


def partition(n: int, least: int) -> list[Block]:
    """An n × n matrix cut into far blocks and, along the diagonal, near ones of side `least` or so.

    >>> blocks = partition(8, least=1)
    >>> [sum(b.rows * b.columns for b in blocks if b.far is far) for far in (False, True)]
    [22, 42]
    """
    if not 1 <= least <= n:
        raise ValueError(f"Blocks of {least} do not fit a matrix of {n}: take 1 to {n}.")
    blocks, waiting = [], [(0, n, 0, n)]
    while waiting:
        i, rows, j, columns = waiting.pop()
        gap = max(j - i - rows, i - j - columns)
        if (far := gap >= max(rows, columns)) or max(rows, columns) <= least:
            blocks.append(Block(i, j, rows, columns, far))
            continue
        waiting += [(a, b, c, d) for a, b in halves(i, rows) for c, d in halves(j, columns)]
    return sorted(blocks)


def halves(start: int, length: int) -> list[tuple[int, int]]:
    """Where the two halves of an interval start, and how long they are; one alone has no second.

    >>> halves(4, 5), halves(4, 1)
    ([(4, 2), (6, 3)], [(4, 1)])
    """
    half = length // 2
    return [(start, half), (start + half, length - half)] if half else [(start, length)]


def numerical_rank(A: Matrix, epsilon: float, size: float | None = None) -> int:
    """p(ε): how many singular values are larger than ε times the largest, or than ε · size.

    No matrix of lower rank comes nearer than ε · size in the spectral norm (Eckart and Young).

    >>> A = np.diag([1.0, 0.1, 0.001])
    >>> numerical_rank(A, 0.01), numerical_rank(A, 0.01, size=100.0)
    (2, 0)
    """
    if epsilon <= 0:
        raise ValueError(f"The error ε is above 0, not {epsilon}.")
    s = np.linalg.svd(A, compute_uv=False)
    return int((s > epsilon * (s[0] if size is None else size)).sum())


def ranks(
    A: Float[Array, "n n"], blocks: list[Block], epsilon: float, size: float | None = None
) -> list[int]:
    """Each far block's p(ε), by its own norm or by `size`; of a near block, the smaller side.

    >>> ranks(np.ones((8, 8)), partition(8, least=2), 0.01)[:4]
    [2, 2, 1, 1]
    """
    return [
        numerical_rank(b.of(A), epsilon, size) if b.far else min(b.rows, b.columns) for b in blocks
    ]


def stored(block: Block, rank: int) -> int:
    """The numbers that a block takes: two thin factors, or all of it where those are no fewer."""
    return min(rank * (block.rows + block.columns), block.rows * block.columns)


def share(blocks: list[Block], ranks: list[int]) -> float:
    """The share of a matrix's numbers that its blocks store: 1 is no gain.

    >>> blocks = partition(64, least=4)
    >>> round(share(blocks, ranks(np.ones((64, 64)), blocks, 0.01)), 2)
    0.38
    """
    whole = sum(b.rows * b.columns for b in blocks)
    return sum(stored(b, p) for b, p in zip(blocks, ranks, strict=True)) / whole


def compressed(A: Float[Array, "n n"], blocks: list[Block], ranks: list[int]) -> list[Part]:
    """Each block as two thin factors of its rank, or whole where those would be no fewer numbers.

    >>> A = 1 / (1 + np.abs(np.arange(8.0)[:, None] - np.arange(8.0)))
    >>> blocks = partition(8, least=1)
    >>> H = compressed(A, blocks, ranks(A, blocks, epsilon=1e-3))
    >>> bool(np.abs(product(H, np.ones(8)) - A.sum(axis=1)).max() < 0.01)
    True
    """
    parts = []
    for b, p in zip(blocks, ranks, strict=True):
        thin = p * (b.rows + b.columns) < b.rows * b.columns
        if not thin:
            parts.append((b, b.of(A), None))
            continue
        U, s, Wt = np.linalg.svd(b.of(A), full_matrices=False)
        parts.append((b, U[:, :p] * s[:p], Wt[:p]))
    return parts


def product(H: list[Part], v: Float[Array, " n"]) -> Float[Array, " n"]:
    """A v by the blocks: as many products as numbers are stored, and A is never put together."""
    u = np.zeros(len(v))
    for b, left, right in H:
        part = v[b.j : b.j + b.columns]
        u[b.i : b.i + b.rows] += left @ (part if right is None else right @ part)
    return u
