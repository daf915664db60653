"""The inputs of exercise 1.8: spaces of several sizes, and rated pairs for validation and test.

rank_agreement(vectors, pairs) = Spearman's correlation of the cosines with people's ratings

In `contests`, inputs are drawn until each wrong rule has chosen another k than the right rule at
least once. In `contests_with_one_winner`, validation and test pairs have the same best k, and in
`contests_with_ties` all measures of similarity have it, so that a mistake in another claim costs no
point there. `contests_to_report` also has inputs in which another k is best on the test pairs. They
judge the correlation only where the k is right.
"""

import math

import numpy as np

from .neighbours import clearly_different


def ranks(numbers):
    """An array with the rank of each number, from 0; equal numbers get their mean rank."""
    numbers = np.asarray(numbers, dtype=float)
    order = np.sort(numbers)
    return (order.searchsorted(numbers, "left") + order.searchsorted(numbers, "right") - 1) / 2


def row_cosine(x, y):
    """An array with the cosine of each row of x with the row of y at the same index."""
    return (x * y).sum(axis=1) / np.sqrt((x * x).sum(axis=1) * (y * y).sum(axis=1))


def indices_and_ranks(pairs, rank=ranks):
    """Three arrays for pairs (i, j, rating): all i, all j, and the centred ranks of the ratings.

    A centred rank is a rank minus the mean of all ranks. `rank` is the function that ranks numbers.
    """
    i, j, ratings = np.array(pairs).T
    b = rank(ratings)
    return i.astype(int), j.astype(int), b - b.sum() / len(b)


def correlation(vectors, ratings, rank=ranks, measure=row_cosine):
    """Spearman's correlation of the cosines of word pairs with their ratings, a number.

    `ratings` is the result of `indices_and_ranks` for the pairs. With another function as `rank` or
    `measure`, the result is another correlation, which a wrong answer uses.
    """
    i, j, b = ratings
    a = rank(measure(vectors[i], vectors[j]))
    a = a - a.sum() / len(a)
    return a @ b / math.sqrt((a @ a) * (b @ b))


def rank_agreement(vectors, pairs, rank=ranks, measure=row_cosine):
    """Spearman's correlation of the cosines of `pairs` with their ratings, a number.

    `pairs` is a list of tuples (i, j, rating). With another function as `rank` or `measure`, the
    result is another correlation, which a wrong answer uses.
    """
    return correlation(vectors, indices_and_ranks(pairs, rank), rank, measure)


def draw_pairs(rng, V, number):
    """A list of `number` different random word pairs (i, j, rating) from V words.

    The largest ratings are far apart. Therefore Pearson's correlation often chooses another k than
    Spearman's rank correlation, which is the right one.
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
    """A list of ten pairs (i, j, rating) on which no two spaces have the same correlation.

    This holds for the pairs alone, and for them together with the pairs in `before`. The pairs are
    drawn again until the absolute correlations differ and `accepted(rho)` is true for both
    dictionaries rho = {k: correlation}. `spaces` maps each k to its word vectors.
    """
    V = len(next(iter(spaces.values())))
    while True:
        pairs = draw_pairs(rng, V, 10)
        lists = [pairs, [pair for some in (*before, pairs) for pair in some]][: 1 + bool(before)]
        for ratings in map(indices_and_ranks, lists):
            rho = {k: correlation(spaces[k], ratings) for k in spaces}
            if not accepted(rho) or not clearly_different(np.abs([*rho.values()])):
                break
        else:
            return pairs


def draw_spaces(rng):
    """Random vectors of nine words, {k: array of shape (9, k)}, for k = 5, 2, 8 and 3."""
    return {k: rng.normal(size=(9, k)) * rng.random((9, 1)) for k in (5, 2, 8, 3)}


def contest(rng, spaces):
    """One random input (spaces, validation, test), with at least one correlation above 0.

    `spaces` is given and maps each k to its word vectors. The pairs are drawn again until the dot
    product, the distance and Pearson's correlation, too, tell all spaces apart on the validation
    pairs, so that rounding does not decide which k a wrong answer chooses.
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
        tied = not all(map(clearly_different, by_others))
    return spaces, validation, draw_pairs_without_ties(rng, spaces, validation, accepted=bool)


def k_of_each_rule(spaces, validation, test):
    """A list of ten values of k: what the right rule chooses, then what nine wrong rules choose.

    The right rule takes the k with the highest rank correlation on the validation pairs. The wrong
    rules take, in this order: the highest correlation on the test pairs; the highest on all pairs;
    the lowest on the validation pairs; the largest absolute value there; the best by dot product,
    by distance and by Pearson's correlation; the largest k; the smallest k. `spaces` maps each k to
    its word vectors.
    """
    lists = map(indices_and_ranks, (validation, test, [*validation, *test]))
    by, *others = ({k: correlation(spaces[k], ratings) for k in spaces} for ratings in lists)
    others += [{k: -rho for k, rho in by.items()}, {k: abs(rho) for k, rho in by.items()}]
    for other in OTHER_MEASURES:
        others.append({k: rank_agreement(spaces[k], validation, **other) for k in spaces})
    return [*(max(rho, key=rho.get) for rho in [by, *others]), max(spaces), min(spaces)]


def contests(rng):
    """A list of inputs (spaces, validation, test) on which each wrong rule fails at least once.

    The rules are those of `k_of_each_rule`. On at least one input, the lowest correlation and the
    one with the largest absolute value belong to different values of k.
    """
    cases, seen = [], []
    while not cases or not all(seen):
        cases.append(contest(rng, draw_spaces(rng)))
        right, by_test, by_both, lowest, strongest, *others = k_of_each_rule(*cases[-1])
        ways = [k != right for k in (by_test, by_both, lowest, strongest, *others)]
        ways.append(lowest != strongest)
        seen = [was or now for was, now in zip(seen or ways, ways, strict=True)]
    return cases


def contests_with_negative_correlations(rng):
    """The inputs (spaces, validation, test) of `contests`, and three with negative correlations.

    In two of the three, all correlations are below 0. The last input has a single space, whose
    correlation is −1. They catch an answer that starts its search with 0 or −1 as the best value.
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
            rho = rho if clearly_different([*rho.values()]) else {best: 1.0}
        yield spaces, against, draw_pairs(rng, 9, 10)
    spaces, opposed, others = opposed_ratings(rng)
    yield {2: spaces[2]}, opposed, others


def opposed_ratings(rng):
    """One input (spaces, validation, test) whose validation correlations are exactly −1.

    The two spaces have 5 and 2 dimensions.
    """
    angles = np.sort(rng.uniform(0.1, 3, size=8))
    circle = np.array([[1, 0], *zip(np.cos(angles), np.sin(angles), strict=True)])
    turned = np.linalg.qr(rng.normal(size=(5, 5)))[0][:2]
    opposed = [(0, j, float(j)) for j in range(1, 8)]  # rounding does not alter the −1 of 7 pairs
    return {5: 2 * circle @ turned, 2: circle}, opposed, draw_pairs(rng, 9, 7)


def contests_with_one_winner(rng):
    """A list of inputs (spaces, validation, test) on which many wrong rules choose the right k.

    The best k is the same on the validation pairs, the test pairs and all pairs, and by dot
    product. So a wrong choice of k costs no point in the claim about the second number, the
    correlation.
    """
    cases = []
    while len(cases) < 3:
        case = contest(rng, draw_spaces(rng))
        right, by_test, by_both, lowest, strongest, by_dot, *_ = k_of_each_rule(*case)
        if right in (3, 5) and {by_test, by_both, strongest, by_dot} == {right} != {lowest}:
            cases.append(case)
    return cases


def contests_to_report(rng):
    """Inputs (spaces, validation, test): some with one winner, two with another best k on the test.

    In the last two, the right k is the smallest or the largest one; in the others it is neither. By
    this, `excuse_wrong_k` tells the two kinds apart.
    """
    cases = []
    while len(cases) < 2:
        case = contest(rng, draw_spaces(rng))
        right, by_test, *_ = k_of_each_rule(*case)
        if right in (2, 8) and by_test != right:
            cases.append(case)
    return [*contests_with_one_winner(rng), *cases]


def excuse_wrong_k(answer, right):
    """The learner's answer; or the right one if k is wrong and another k is best on the test pairs.

    Both are arrays (k, correlation). One claim compares answers by this function, so that an answer
    that chooses k by the test pairs loses no point there. On inputs of `contests_to_report`, a
    right k of 2 or 8 says that another k is best on the test pairs.
    """
    return right if right[0] in (2, 8) and answer[0] != right[0] else answer


def contests_with_ties(rng):
    """Inputs (spaces, validation, test) in which two values of k have the same best correlation.

    The vectors of the larger k are those of the smaller k with columns of zeros. In the last input
    both correlations are −1. Of the other rules in `k_of_each_rule`, the three other measures find
    the same two values of k, and each of the remaining ones finds another k in at least one input.
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
