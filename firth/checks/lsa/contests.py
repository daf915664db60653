"""The inputs of exercise 1.8: spaces of several sizes, and rated pairs for validation and test.

rank_agreement(vectors, pairs) = Spearman's correlation of the cosines with people's ratings

In `contests`, inputs are drawn until everybody who chooses by something else has chosen another k
at least once. In `contests_with_one_winner`, validation and test pairs agree about the best k, and
in `ties` all measures of similarity agree about it, so that a slip that another claim is about
costs no point there. `contests_to_report` also has contests in which another k is best on the test
pairs. They judge the correlation only where the k is right.
"""

import math

import numpy as np

from .neighbours import told_apart


def ranks(numbers):
    """An array with the rank of each number, counted from 0; equal numbers get their mean rank."""
    numbers = np.asarray(numbers, dtype=float)
    order = np.sort(numbers)
    return (order.searchsorted(numbers, "left") + order.searchsorted(numbers, "right") - 1) / 2


def row_cosine(x, y):
    """An array with the cosine of each row of x with the same row of y."""
    return (x * y).sum(axis=1) / np.sqrt((x * x).sum(axis=1) * (y * y).sum(axis=1))


def rated(pairs, rank=ranks):
    """Three arrays for pairs (i, j, rating): all i, all j, and the centred ranks of the ratings.

    A centred rank is the rank less the mean of all ranks. `rank` is the function that ranks.
    """
    i, j, ratings = np.array(pairs).T
    b = rank(ratings)
    return i.astype(int), j.astype(int), b - b.sum() / len(b)


def correlation(vectors, ratings, rank=ranks, measure=row_cosine):
    """Spearman's correlation of the pairs' cosines with their ratings, as one number.

    `ratings` is what `rated` returns for the pairs. Another rank or measure makes it another
    correlation.
    """
    i, j, b = ratings
    a = rank(measure(vectors[i], vectors[j]))
    a = a - a.sum() / len(a)
    return a @ b / math.sqrt((a @ a) * (b @ b))


def rank_agreement(vectors, pairs, rank=ranks, measure=row_cosine):
    """Spearman's correlation of the pairs' cosines with their ratings, as one number.

    `pairs` holds (i, j, rating). With another rank or measure, the result is that of a mistake.
    """
    return correlation(vectors, rated(pairs, rank), rank, measure)


def draw_pairs(rng, V, number):
    """A list of different random word pairs (i, j, rating), as many as `number` says.

    V is the number of words. The largest ratings are far apart. So the correlation of the
    ratings themselves, and not of their ranks, finds another k.
    """
    all_pairs = [(i, j) for i in range(V) for j in range(i)]
    picked = rng.permutation(len(all_pairs))[:number]
    ratings = (rng.permutation(number) + rng.random(number) / 2) ** 3
    return [(*all_pairs[p], float(rating)) for p, rating in zip(picked, ratings, strict=True)]


OTHER_MEASURES = (
    {"measure": lambda x, y: (x * y).sum(axis=1)},
    {"measure": lambda x, y: -np.linalg.norm(x - y, axis=1)},
    {"rank": lambda numbers: np.asarray(numbers, dtype=float)},
)


def draw_pairs_without_ties(rng, spaces, *before, accepted):
    """A list of ten pairs (i, j, rating) with which no two spaces correlate equally well.

    That holds for the pairs alone, and for them together with those of `before`: they are drawn
    again until the absolute correlations differ and `accepted(rho)` is true of both
    dictionaries rho = {k: correlation}.
    """
    V = len(next(iter(spaces.values())))
    while True:
        pairs = draw_pairs(rng, V, 10)
        lists = [pairs, [pair for some in (*before, pairs) for pair in some]][: 1 + bool(before)]
        for ratings in map(rated, lists):
            rho = {k: correlation(spaces[k], ratings) for k in spaces}
            if not accepted(rho) or not told_apart(np.abs([*rho.values()])):
                break
        else:
            return pairs


def draw_spaces(rng):
    """Word vectors for nine words in four spaces: {k: array of shape (9, k)} for k = 5, 2, 8, 3."""
    return {k: rng.normal(size=(9, k)) * rng.random((9, 1)) for k in (5, 2, 8, 3)}


def contest(rng, spaces):
    """The spaces with validation and test pairs; the best correlation is above 0.

    No other measure ties on the validation pairs: rounding would decide what it chooses.
    """
    tied = True
    while tied:
        validation = draw_pairs_without_ties(
            rng, spaces, accepted=lambda rho: max(rho.values()) > 0
        )
        by_others = (
            [rank_agreement(vectors, validation, **other) for vectors in spaces.values()]
            for other in OTHER_MEASURES
        )
        tied = not all(map(told_apart, by_others))
    return spaces, validation, draw_pairs_without_ties(rng, spaces, validation, accepted=bool)


def choices(spaces, validation, test):
    """A list of ten values of k: the right one first, then those that nine wrong rules choose.

    The wrong rules are, in this order: the best correlation on the test pairs and on all pairs,
    the lowest and the strongest correlation, the best by the three of OTHER_MEASURES, the
    largest k and the smallest k.
    """
    lists = map(rated, (validation, test, [*validation, *test]))
    by, *others = ({k: correlation(spaces[k], ratings) for k in spaces} for ratings in lists)
    others += [{k: -rho for k, rho in by.items()}, {k: abs(rho) for k, rho in by.items()}]
    for other in OTHER_MEASURES:
        others.append({k: rank_agreement(spaces[k], validation, **other) for k in spaces})
    return [*(max(rho, key=rho.get) for rho in [by, *others]), max(spaces), min(spaces)]


def contests(rng):
    """A list of inputs (spaces, validation, test) that refute each wrong rule of `choices`.

    Each rule chooses another k than the right one on at least one of them. On at least one, the
    lowest and the strongest correlation also choose different values of k.
    """
    cases, seen = [], []
    while not cases or not all(seen):
        cases.append(contest(rng, draw_spaces(rng)))
        right, by_test, by_both, lowest, strongest, *others = choices(*cases[-1])
        ways = [k != right for k in (by_test, by_both, lowest, strongest, *others)]
        ways.append(lowest != strongest)
        seen = [was or now for was, now in zip(seen or ways, ways, strict=True)]
    return cases


def contests_with_negative_correlations(rng):
    """Inputs (spaces, validation, test): those of `contests`, and three with negative correlations.

    In two of the three, all correlations are below 0. In the last one, the only correlation is
    −1.
    """
    yield from contests(rng)
    for best in (5, 2):
        rho = {best: 1.0}
        while (largest := max(rho, key=rho.get)) != best or not -1 < rho[largest] < -0.01:
            whole = rng.normal(size=(9, 8))
            spaces = {k: whole[:, :k] for k in (8, 2, 5)}
            near = [(i, j, whole[i] @ whole[j]) for i, j, _ in draw_pairs(rng, 9, 10)]
            against = [(i, j, float(3 * rng.normal() - dot)) for i, j, dot in near]
            rho = {k: rank_agreement(spaces[k], against) for k in spaces}
            rho = rho if told_apart([*rho.values()]) else {best: 1.0}
        yield spaces, against, draw_pairs(rng, 9, 10)
    spaces, opposed, others = opposed_ratings(rng)
    yield {2: spaces[2]}, opposed, others


def opposed_ratings(rng):
    """One input (spaces, validation, test) whose validation correlations are −1 exactly.

    The two spaces have 5 and 2 dimensions.
    """
    angles = np.sort(rng.uniform(0.1, 3, size=8))
    circle = np.array([[1, 0], *zip(np.cos(angles), np.sin(angles), strict=True)])
    turned = np.linalg.qr(rng.normal(size=(5, 5)))[0][:2]
    opposed = [(0, j, float(j)) for j in range(1, 8)]  # rounding does not alter the −1 of 7 pairs
    return {5: 2 * circle @ turned, 2: circle}, opposed, draw_pairs(rng, 9, 7)


def contests_with_one_winner(rng):
    """Contests in which validation pairs, test pairs and all pairs have the same best k.

    The dot product finds it, too.
    """
    cases = []
    while len(cases) < 3:
        case = contest(rng, draw_spaces(rng))
        right, by_test, by_both, lowest, strongest, by_dot, *_ = choices(*case)
        if right in (3, 5) and {by_test, by_both, strongest, by_dot} == {right} != {lowest}:
            cases.append(case)
    return cases


def contests_to_report(rng):
    """Contests with one winner, and contests in which another k is best on the test pairs.

    In the second kind the k that is asked for is the smallest or the largest one, and in the first
    kind it is not: `reported` tells the two kinds apart by it.
    """
    cases = []
    while len(cases) < 2:
        case = contest(rng, draw_spaces(rng))
        right, by_test, *_ = choices(*case)
        if right in (2, 8) and by_test != right:
            cases.append(case)
    return [*contests_with_one_winner(rng), *cases]


def reported(answer, right):
    """The answer; or the right one if k is wrong where another k is best on the test pairs."""
    return right if right[0] in (2, 8) and answer[0] != right[0] else answer


def ties(rng):
    """Inputs (spaces, validation, test) in which two values of k have the same largest correlation.

    The vectors of the larger k are those of the smaller k with columns of zeros. In the last
    input both correlations are −1. In the others, all measures of similarity find these two
    best. The lowest correlation, the strongest one, the best by the test pairs, the largest k
    and the smallest k: each of them is another space in at least one of the inputs.
    """
    for more, k, lowest in ((6, 3, 2), (7, 5, 9)):
        spaces = {d: rng.normal(size=(9, d)) for d in (9, k, 2)}
        by_test = 11 - lowest

        def best_and_lowest(rho, k=k, lowest=lowest):
            ends = max(rho, key=rho.get), min(rho, key=rho.get)
            return ends == (k, lowest) and rho[k] > 0 and (rho[k] < -rho[lowest]) == (lowest == 2)

        def best_by_test(rho, by_test=by_test):
            return max(rho, key=rho.get) == by_test

        found = {0}
        while found != {k}:
            validation = draw_pairs_without_ties(rng, spaces, accepted=best_and_lowest)
            rho = [
                {d: rank_agreement(spaces[d], validation, **other) for d in spaces}
                for other in OTHER_MEASURES
            ]
            found = {max(each, key=each.get) for each in rho}
        test = draw_pairs_without_ties(rng, spaces, validation, accepted=best_by_test)
        padded = np.pad(spaces[k], ((0, 0), (0, more - k)))
        spaces = {9: spaces[9], more: padded, k: spaces[k], 2: spaces[2]}
        yield spaces, validation, test
        yield dict(reversed(spaces.items())), validation, test
    yield opposed_ratings(rng)
