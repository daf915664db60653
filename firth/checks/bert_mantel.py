"""Exercise 6, the Mantel test: do two opinions on what is alike agree more than luck makes them?

r   = correlation of s_ij with t_ij over all pairs i < j
r_o = the same with rows and columns of T in the order o
p   = (1 + how many r_o are as far out as r) / (1 + how many orders there are)

Whether "as far out" asks for one side or for both differs from student to student
(firth.checks.variants).
"""

from functools import partial
from itertools import chain

import numpy as np

from firth.checks.bert import telling
from firth.checks.bert_luck import (
    BOTH_SIDES,
    EXAMPLE,
    ONE_SIDE,
    Side,
    mistakes,
    one_by_one,
    tested,
)
from firth.checks.claims import Exercise


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
