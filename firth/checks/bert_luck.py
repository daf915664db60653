"""Exercise 6, ways of testing by Mantel: the right one, for one side or both, and what goes wrong.

r_o = the correlation over all pairs, with rows and columns of T in the order o
p   = (1 + how many r_o are as far out as r) / (1 + how many orders there are)
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

TIE = 1e-9


@dataclass(frozen=True)
class Side:
    """Which r are as far out as the one at hand, and how each place speaks of it."""

    form: str
    spoken: str
    far: Callable
    code: str
    hand: str
    asked: str


ONE_SIDE = Side(
    "one side",
    "at least as **high** as $r$",
    lambda found, r: found >= r - TIE,
    ">= r",
    "$r$ = 0.548, and the three are 0.548, −0.548 and 0: one of them is as high, so $p$ = 2/4",
    "as high as",
)
BOTH_SIDES = Side(
    "both sides",
    "at least as **far from 0** as $r$, above or below",
    lambda found, r: abs(found) >= abs(r) - TIE,
    ">= abs(r)",
    "$r$ = 0.548, and the three are 0.548, −0.548 and 0: two of them are as far from 0, so $p$ ="
    " 3/4",
    "as far from 0 as",
)
EXAMPLE = (
    np.array([[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], dtype=float),
    np.array([[1, 1, -1, 0], [1, 1, 1, 0], [-1, 1, 1, -1], [0, 0, -1, 1]], dtype=float),
    np.array([[1, 2, 3, 0], [2, 0, 3, 1], [0, 3, 1, 2]]),
)


def one_by_one(asked: Side) -> Callable:
    """The right answer, a pair at a time."""

    def correlation(S, T, order):
        n = len(S)
        x = [S[i, j] for i in range(n) for j in range(i)]
        y = [T[order[i], order[j]] for i in range(n) for j in range(i)]
        x, y = np.array(x) - sum(x) / len(x), np.array(y) - sum(y) / len(y)
        return sum(x * y) / np.sqrt(sum(x * x) * sum(y * y))

    def mantel(S, T, orders):
        r = correlation(S, T, range(len(S)))
        found = np.array([correlation(S, T, order) for order in orders])
        return np.array([r, (1 + asked.far(found, r).sum()) / (1 + len(orders))])

    return mantel


def pairs(S):
    return S[np.triu_indices(len(S), 1)]


def with_diagonal(S):
    return S[np.triu_indices(len(S))]


def pearson(x, y):
    x, y = x - x.mean(), y - y.mean()
    return x @ y / np.sqrt((x @ x) * (y @ y))


def as_numpy_does(x, y):
    """The same, to the last digit what most people's comes to."""
    return np.corrcoef(x, y)[0, 1]


def back(orders):
    return np.argsort(orders, axis=1)


def in_a_row(orders):
    """Each order upon the one before."""
    return list(accumulate(orders, lambda before, order: before[order]))


def tested(
    asked: Side,
    take=pairs,
    agree=pearson,
    turn=lambda S, T, order: (S, T[np.ix_(order, order)]),
    through=lambda orders: orders,
    far=None,
    share=lambda count, n: (1 + count) / (1 + n),
    told=lambda r, p: [r, p],
) -> Callable:
    """A way of testing, the right one by default."""

    def mantel(S, T, orders):
        r = agree(take(S), take(T))
        found = np.array([agree(*map(take, turn(S, T, order))) for order in through(orders)])
        return np.array(told(r, share((far or asked.far)(found, r).sum(), len(orders))))

    return mantel


def shuffled_pairs(asked: Side) -> Callable:
    """Shuffles the pairs one by one, as if they were independent."""

    def mantel(S, T, orders):
        x, y, found = pairs(S), pairs(T), []
        for order in orders:
            key = np.resize(order, len(y)) + len(order) * (np.arange(len(y)) // len(order))
            found.append(pearson(x, y[np.argsort(key, kind="stable")]))
        r = pearson(x, y)
        return np.array([r, (1 + asked.far(np.array(found), r).sum()) / (1 + len(orders))])

    return mantel


def mistakes(asked: Side) -> dict[str, tuple[Callable, str]]:
    """What goes wrong, whichever side is asked for."""

    def way(question, **how):
        return tested(asked, **how), question

    one_sided = asked is ONE_SIDE
    size = (lambda r: r) if one_sided else abs
    equal = (
        f"An r_o that is equal to r is {asked.asked} r: `>` or `>=`? And 10⁻⁹ less than r is"
        " enough: r - 1e-9."
    )
    rename = "Rows alone, or columns alone? An item takes both to its new place: T[o][:, o]."
    many = (
        "How many orders are there, and is the one at hand counted among them? (1 + count)/(1 + n)"
    )
    diagonal = "Is an item a pair with itself? The diagonal has no part in r."
    side = (
        "You count those that are as far below 0 as well: is that asked for here?"
        if one_sided
        else "You count those on one side alone: what of an r_o as far from 0 on the other?"
    )
    return {
        "side": (tested(BOTH_SIDES if one_sided else ONE_SIDE), side),
        "diagonal": way(diagonal, take=with_diagonal),
        "all": way(diagonal, take=np.ravel),
        "cosine": way(
            "That is the cosine of the two lists: what is taken off first, for a correlation?",
            agree=lambda x, y: x @ y / np.sqrt((x @ x) * (y @ y)),
        ),
        "ranks": way(
            "You compare ranks (Spearman): are not the numbers themselves asked for (Pearson)?",
            agree=lambda x, y: pearson(*(np.argsort(np.argsort(one)) for one in (x, y))),
        ),
        "rows": way(rename, turn=lambda S, T, order: (S, T[order])),
        "columns": way(rename, turn=lambda S, T, order: (S, T[:, order])),
        "zeros": way(
            "np.triu leaves zeros below the diagonal, and you correlate these as well: which"
            " numbers are the pairs? np.triu_indices(n, 1)",
            take=lambda S: np.triu(S, 1).ravel(),
        ),
        "covariance": way(
            "That is the covariance: by what is it divided, for a correlation?",
            agree=lambda x, y: np.cov(x, y)[0, 1],
        ),
        "both": way(
            "To you every order is as far out as r, and p = 1: does one table stay as it is, and"
            " which way round do you compare?",
            turn=lambda S, T, order: (S[np.ix_(order, order)], T[np.ix_(order, order)]),
        ),
        "back": way(
            "You move S, or use the inverse order: which row of T comes first? T is to move, and"
            " T[o] has row o[0] first.",
            through=back,
        ),
        "row": way(
            "Does each order begin with T as it was given, or with the table of the order before?",
            through=in_a_row,
        ),
        "pairs": (
            shuffled_pairs(asked),
            "You shuffle the pairs one by one: should not all pairs of an item move together?",
        ),
        "without": way(many, share=lambda count, n: count / n),
        "never": way(many, share=lambda count, n: count / (1 + n)),
        "over": way(many, share=lambda count, n: (1 + count) / n),
        "count": way(
            "That is how many there are: which share is it of all orders, with the one at hand?",
            share=lambda count, n: 1 + count,
        ),
        "equal": way(equal, far=lambda found, r: size(found) > size(r) + TIE),
        "more": way(equal, agree=as_numpy_does, far=lambda found, r: size(found) > size(r)),
        "hair": way(
            "Rounding may take a hair off an r_o that is equal: do you let 10⁻⁹ less than r be"
            " enough? r - 1e-9.",
            agree=as_numpy_does,
            far=lambda found, r: size(found) >= size(r),
        ),
        "low": way(
            f"You count those at most {asked.asked} r: which way round is it?",
            far=lambda found, r: size(found) <= size(r) + TIE,
        ),
        "nearer": way(
            "You count the others: those that do *not* reach yours. Which way round is it?",
            far=lambda found, r: ~asked.far(found, r),
        ),
        "rest": way(
            "You return 1 − p: what does a small p say?",
            share=lambda count, n: 1 - (1 + count) / (1 + n),
        ),
        "turned": way(
            "The right two: in which order are they asked for? r first.",
            told=lambda r, p: [p, r],
        ),
        "p": way("That is p: how strong is the relation? r, too.", told=lambda r, p: p),
        "r": way("That is r: how often does luck do as well? p, too.", told=lambda r, p: r),
        "size": way(
            "r has a sign: do the two tables go together, or against each other?",
            told=lambda r, p: [abs(r), p],
        ),
        "square": way(
            "That is r²: is not r itself asked for, with its sign?", told=lambda r, p: [r * r, p]
        ),
    }
