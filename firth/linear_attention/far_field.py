"""Near and far: what a distant crowd does to you takes few numbers to say.

    u_i = Σ_j m_j g(|x_i − x_j|)          g(r) = 1/r: all pairs of n particles, n² of them
    g(st) = g(s) g(t)                     a power: what counts is a ratio, g(|x − y|) =
                                          g(|x − c|) g(|1 − t|) with t = (y − c)/(x − c)
    1/|1 − t| = 1 + t + … + t^(p−1) + rest,   and the rest is the share t^p of the whole
    |t| ≤ δ < 1 for all x and y           the set of the y, with centre c, is well separated
    p = ⌈log ε / log δ⌉                   terms then do, for any number of particles

Each term is a number of x times a number of y: p terms are a matrix of rank p. Particles stand on
a line here, as words do. The centre c is called k* where x is a query and y a key.
"""

import numpy as np
from jaxtyping import Float
from numpy import ndarray as Array
from scipy.special import erfc

Places = Float[Array, " n"]


def inverse(x: Places, y: Float[Array, " m"]) -> Float[Array, "n m"]:
    """1/|x_i − y_j|, and 0 where a particle meets itself.

    >>> inverse(np.array([0.0, 4.0]), np.array([0.0, 2.0]))
    array([[0.  , 0.5 ],
           [0.25, 0.5 ]])
    """
    far = np.abs(x[:, None] - y)
    return np.divide(1.0, far, out=np.zeros_like(far), where=far > 0)


def separation(x: Places, y: Float[Array, " m"], c: float) -> float:
    """δ: the farthest y from the centre c, in units of the nearest x's distance from it.

    >>> separation(np.array([4.0, 9.0]), np.array([-1.0, 1.0]), c=0.0)
    0.25
    """
    return float(np.abs(y - c).max() / np.abs(x - c).min())


def terms(delta: float, epsilon: float) -> int:
    """p: how many terms leave no more than the share ε of any pair's force unsaid.

    >>> [terms(1 / 3, epsilon) for epsilon in (0.1, 0.01, 1e-6)]  # two digits: some four terms
    [3, 5, 13]
    """
    if not 0 < delta < 1 or not 0 < epsilon < 1:
        raise ValueError(
            f"The separation δ = {delta:.3g} and the error ε = {epsilon:.3g} must lie between 0 "
            "and 1: sets that are not well separated have no such series."
        )
    return int(np.ceil(np.log(epsilon) / np.log(delta) - 1e-9))


def factors(
    x: Places, y: Float[Array, " m"], c: float, p: int
) -> tuple[Float[Array, "n {p}"], Float[Array, "{p} m"]]:
    """Two thin tables whose product is 1/|x − y| up to the share δ^p.

    The y are summed up by their powers about c, which no x enters; a table of x reads the sums.

    >>> U, W = factors(np.array([4.0]), np.array([1.0]), c=0.0, p=3)
    >>> U @ W, 1 / 3 * (1 - (1 / 4) ** 3)  # the rest is (1/4)³ of the whole
    (array([[0.33]]), 0.328125)
    """
    if p < 1:
        raise ValueError(f"A far field has one term or more, not {p}.")
    if (delta := separation(x, y, c)) >= 1:
        raise ValueError(
            f"Sources reach {delta:.3g} times as far from the centre as the nearest target: "
            "only sets that are well separated (below 1) have a far field."
        )
    t = (x - c)[:, None]
    return np.sign(t) / t ** np.arange(1, p + 1), (y - c) ** np.arange(p)[:, None]


def potentials(x: Places, m: Places) -> Places:
    """u: each particle's potential under all others, pair by pair. The n² that is to be saved.

    >>> potentials(np.array([0.0, 1.0, 3.0]), np.array([1.0, 1.0, 6.0]))
    array([3.  , 4.  , 0.83])
    """
    return inverse(x, x) @ m


def cut(x: Places, m: Places, reach: float) -> Places:
    """u if what lies farther than `reach` is left out: right for a force that dies off, if only.

    >>> x, m = np.array([0.0, 1.0, 3.0]), np.array([1.0, 1.0, 6.0])
    >>> cut(x, m, reach=1.5) / potentials(x, m)  # the share that is left
    array([0.33, 0.25, 0.  ])
    """
    return np.where(np.abs(x[:, None] - x) <= reach, inverse(x, x), 0.0) @ m


def far_field(x: Places, m: Places, cells: int, p: int) -> tuple[Places, int]:
    """u by cells: neighbours pair by pair, every other cell by its p sums; and the products taken.

    A cell of width h is seen from 3h/2 or more from its centre, and reaches h/2: δ = 1/3. This
    is one level of a fast multipole method; all levels together bring n·√n down to n.

    >>> x = (np.arange(200) + 0.5) / 200
    >>> u, products = far_field(x, np.ones(200), cells=10, p=6)
    >>> bool(np.abs(u / potentials(x, np.ones(200)) - 1).max() < 3**-6), products < 200**2
    (True, True)
    """
    if cells < 1 or p < 1:
        raise ValueError(f"Cells and terms are 1 or more, not {cells} and {p}.")
    low, h = x.min(), np.ptp(x) / cells or 1.0
    cell = np.minimum((x - low) // h, cells - 1).astype(int)
    centres = low + h * (np.arange(cells) + 0.5)
    sums = np.zeros((cells, p))
    np.add.at(sums, cell, m[:, None] * (x - centres[cell])[:, None] ** np.arange(p))
    away = np.abs(cell[:, None] - np.arange(cells)) > 1
    r = np.divide(1.0, x[:, None] - centres, out=np.zeros(away.shape), where=away)
    total = np.zeros(away.shape)
    for a in reversed(range(p)):  # Horner: s₀ + r (s₁ + r (s₂ + …))
        total = sums[:, a] + r * total
    u, near = (np.abs(r) * total).sum(axis=1), 0
    for b in range(cells):
        own, around = np.flatnonzero(cell == b), np.flatnonzero(np.abs(cell - b) <= 1)
        u[own] += inverse(x[own], x[around]) @ m[around]
        near += len(own) * len(around)
    return u, near + p * len(x) + p * int(away.sum())


def salt(reach: float) -> float:
    """The potential of an ion in rock salt, all ions within `reach` of it summed one by one.

    Ions of both signs stand on the points of a cubic grid, unlike ones side by side. It is the
    oldest 1/r sum that a cut ruins: the larger the ball, the more its surface decides.

    >>> round(salt(1.0), 2), round(salt(1.5), 2), round(salt(2.0), 2)  # 6 ions, 12 more, 14 more
    (6.0, -2.49, -0.87)
    """
    r, sign = grid(int(reach))
    near = (r > 0) & (r <= reach)
    return -float((sign[near] / r[near]).sum())


def ewald(reach: float, waves: int, alpha: float = 1.0) -> tuple[float, float]:
    """The same potential from a near sum that dies off and a far field of few waves.

    1/r = erfc(αr)/r + erf(αr)/r: the first part may be cut; the second is smooth, and smooth is
    few frequencies (k = π times odd numbers below 2·waves, since signs alternate). It holds a
    term of the ion with itself, 2α/√π, that is taken off. Particle-mesh Ewald sums the waves of
    many particles by a fast Fourier transform on a mesh.

    >>> near, far = ewald(reach=6.0, waves=1)
    >>> round(near + far, 6)  # known: 1.747565
    1.747565
    """
    if reach <= 0 or waves < 1 or alpha <= 0:
        raise ValueError("The reach, the number of waves and α are above 0.")
    r, sign = grid(int(reach))
    keep = (r > 0) & (r <= reach)
    near = -(sign[keep] * erfc(alpha * r[keep]) / r[keep]).sum()
    odd = np.pi * np.arange(1 - 2 * waves, 2 * waves, 2)
    k2 = (odd[:, None, None] ** 2 + odd[:, None] ** 2 + odd**2).ravel()
    far = 2 * alpha / np.sqrt(np.pi) - 4 * np.pi * (np.exp(-k2 / (4 * alpha**2)) / k2).sum()
    return float(near), float(far)


def grid(reach: int) -> tuple[Places, Places]:
    """How far the points of a cubic grid are from its middle, and the signs of their ions."""
    n = np.arange(-reach, reach + 1)
    x, y, z = n[:, None, None], n[:, None], n
    return np.sqrt(x**2 + y**2 + z**2).ravel(), (1.0 - 2 * ((x + y + z) % 2)).ravel()
