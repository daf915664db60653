"""Exercise 6, the Mantel test: do two opinions on what is alike agree more than luck makes them?

r   = correlation of s_ij with t_ij over all pairs i < j
r_o = the same with rows and columns of T in the order o
p   = (1 + how many r_o are as far out as r) / (1 + how many orders there are)

Whether "as far out" asks for one side or for both differs from student to student
(firth.checks.variants).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, chain

import numpy as np

from firth.checks.claims import Exercise
from firth.checks.mistakes import telling

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


def tables(rng, n, P, leans, again=0.0, diagonal=4.0):
    """Two tables that agree somewhat, or go against each other, and orders; maybe the same again.

    What stands on the diagonals is no part of it, and may be large.
    """
    A, B = rng.normal(size=(2, n, n))
    S = A + A.T
    T = rng.choice(leans) * S + B + B.T + 0.7
    for table in (S, T):
        np.fill_diagonal(table, diagonal * rng.normal(size=n))
    orders = np.array([rng.permutation(n) for _ in range(P)])
    orders[(orders == np.arange(n)).all(axis=1)] = np.arange(n)[::-1]
    orders[rng.random(P) < again] = np.arange(n)
    return S + 0.5, T, orders


def alike(rng, n, P):
    """To S all items but the last are alike: where it stays, r is the same but for rounding."""
    S, T, orders = tables(rng, n, P, (0.0,))
    S[:-1, :-1], S[-1], S[:, -1] = S[0, 1], S[0, -1], S[0, -1]
    orders[::2] = [[*rng.permutation(n - 1), n - 1] for _ in orders[::2]]
    return S, T, orders


def first(answer, right=None):
    return np.ravel(answer)[:1]


def second(answer, right=None):
    return np.ravel(answer)[1:]


def question(asked: Side) -> Exercise:
    """The question, with all that belongs to it, for one side or for both."""
    right, quick, wrong = one_by_one(asked), tested(asked), mistakes(asked)

    moved = "rows columns both back row pairs ranks diagonal all "
    if asked is BOTH_SIDES:  # the cosine's order is that of r, but not its distance from 0
        moved += "cosine "

    def against(names, view, *drawn, **how):
        rivals = [wrong[name][0] for name in names.split()]

        def inputs(rng):
            draw = partial(tables, rng, *drawn, **how)
            more = (draw() for _ in range(4))  # so that one wrong answer is seldom like another
            return chain(telling(draw, quick, rivals, view), more)

        return inputs

    def rounded(rng):
        return telling(partial(alike, rng, 6, 40), quick, [wrong["hair"][0]], second)

    mantel = Exercise(
        name="mantel",
        chapter="06_bert",
        number="6.6",
        difficulty=2,
        minutes=25,
        hints=(
            "You need one thing over and over: the correlation of two tables' pairs. First for the"
            " tables as they are, then with T in each of the orders. Which of those does luck win?",
            "S[np.triu_indices(len(S), 1)] are the pairs, each once, and np.corrcoef(x, y)[0, 1] is"
            " their correlation. T[o][:, o] has rows and columns in the order o. Count the orders"
            f" whose r is {asked.asked} yours; p is (1 + count) / (1 + len(orders)).",
            "above = np.triu_indices(len(S), 1)\n"
            "\n"
            "def agreement(T):\n"
            "    return np.corrcoef(S[above], T[above])[0, 1]\n"
            "\n"
            "r = agreement(T)\n"
            "found = np.array([agreement(…) for o in orders])  # T in the order o\n"
            f"return r, (1 + np.sum(… {asked.code} - 1e-9)) / (1 + len(orders))",
        ),
        right=right,
        mistakes=list(wrong.values()),
        stumbles={"too many indices": "T[o, o] is only the diagonal: what is T[o][:, o]?"},
        form=asked.form,
        passages=(asked.spoken, asked.hand, f"(0.55, {right(*EXAMPLE)[1]:g})"),
    )
    mantel.agrees(
        "returns first r, the correlation over all pairs of two different items, with its sign",
        "Three items: which three numbers of S are compared with which three of T?",
        against("diagonal all cosine ranks size square", first, 6, 4, (0.6, -0.6)),
        view=first,
    )
    mantel.agrees(
        "returns second p, from tables in which all pairs of an item move together",
        "Three items and the order 1, 2, 0: which row and which column of T come first?",
        against(moved + "without rest nearer", second, 5, 15, (0.25,)),
        view=second,
        points=2,
    )
    mantel.agrees(
        "counts an order that gives r once more, and the tables as they are: p is never 0",
        "No order comes near r, and there are 9 of them: what is p?",
        against("equal without never over rest", second, 7, 9, (3.0,), again=0.3, diagonal=0.0),
        view=second,
    )
    either_way = against(moved + "side without rest nearer", second, 5, 15, (0.2, -0.2))
    mantel.agrees(
        f"counts those that are {asked.asked} r, also where r is below 0 or rounding takes a hair"
        " off, and leaves the tables as they were",
        "r is −0.2, and an order gives 0.5: is it counted? And one that gives r but for the last"
        " digit?",
        lambda rng: chain(either_way(rng), rounded(rng)),
        view=second,
        untouched="Do you write into S or T? T[o][:, o] makes a new table.",
    )
    return mantel


mantel = question(ONE_SIDE)
mantel.forms = (question(BOTH_SIDES),)
