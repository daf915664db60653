"""Exercise 1.8: choose the number of dimensions on some pairs, and report on other pairs.

rho(k, pairs) = Spearman's correlation of the cosines in space k with people's ratings
k             = the smallest of those with the largest rho(k, validation);   report rho(k, test)

In the first claim, inputs are drawn until everybody who chooses by something else has chosen
another k at least once. In the second claim, validation and test pairs agree about the best k, and
in the third one all measures of similarity agree about it, so that a slip that another claim is
about costs no point there. The second claim also has contests in which another k is best on the
test pairs. They judge the correlation only where the k is right.
"""

import math

import numpy as np

from firth.checks.claims import Exercise

from .neighbours import told_apart


def ranks(numbers):
    """The rank of each number from 0; equal numbers have the mean of their ranks."""
    numbers = np.asarray(numbers, dtype=float)
    order = np.sort(numbers)
    return (order.searchsorted(numbers, "left") + order.searchsorted(numbers, "right") - 1) / 2


def row_cosine(x, y):
    """The cosine of each row of x with the same row of y."""
    return (x * y).sum(axis=1) / np.sqrt((x * x).sum(axis=1) * (y * y).sum(axis=1))


def rated(pairs, rank=ranks):
    """Two arrays of word numbers, and the ratings as ranks less their mean."""
    i, j, ratings = np.array(pairs).T
    b = rank(ratings)
    return i.astype(int), j.astype(int), b - b.sum() / len(b)


def correlation(vectors, ratings, rank=ranks, measure=row_cosine):
    """Spearman's correlation of the cosines with `rated` pairs."""
    i, j, b = ratings
    a = rank(measure(vectors[i], vectors[j]))
    a = a - a.sum() / len(a)
    return a @ b / math.sqrt((a @ a) * (b @ b))


def rank_agreement(vectors, pairs, rank=ranks, measure=row_cosine):
    """Spearman's correlation; with another rank or measure, a mistake."""
    return correlation(vectors, rated(pairs, rank), rank, measure)


def draw_pairs(rng, V, number):
    """Random pairs of words with random ratings, far apart at the top.

    So the correlation of the ratings themselves, and not of their ranks, finds another k.
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
    """Ten pairs, redrawn until no two spaces agree equally well with them.

    That holds for the pairs alone, and for them together with those of `before`. `accepted` is
    asked about the correlations {k: rho} of both.
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
    """Four random spaces for nine words."""
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
    """The k that is asked for, and those of everybody who chooses by something else.

    They choose by the test pairs, by all pairs, by the lowest and by the strongest correlation, by
    another measure, the largest k and the smallest k.
    """
    lists = map(rated, (validation, test, [*validation, *test]))
    by, *others = ({k: correlation(spaces[k], ratings) for k in spaces} for ratings in lists)
    others += [{k: -rho for k, rho in by.items()}, {k: abs(rho) for k, rho in by.items()}]
    for other in OTHER_MEASURES:
        others.append({k: rank_agreement(spaces[k], validation, **other) for k in spaces})
    return [*(max(rho, key=rho.get) for rho in [by, *others]), max(spaces), min(spaces)]


def contests(rng):
    """As many contests as it takes until all other ways to choose have chosen another k."""
    cases, seen = [], []
    while not cases or not all(seen):
        cases.append(contest(rng, draw_spaces(rng)))
        right, by_test, by_both, lowest, strongest, *others = choices(*cases[-1])
        ways = [k != right for k in (by_test, by_both, lowest, strongest, *others)]
        ways.append(lowest != strongest)
        seen = [was or now for was, now in zip(seen or ways, ways, strict=True)]
    return cases


def contests_with_negative_correlations(rng):
    """Contests; then two where all correlations are below 0, and one where the only one is −1."""
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
    """Two spaces, of 5 and 2 dimensions, whose correlations with the ratings are −1 exactly."""
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
    """The best space once more with columns of zeros: both agree equally well.

    In the last case both correlations are −1. In the others, all measures of similarity find these
    two best. The lowest correlation, the strongest one, the best by the test pairs, the largest k
    and the smallest k: each of them is another space in at least one of the cases.
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


def choosing_function(
    choose=max, on=lambda validation, test: validation, report=None, order=sorted, **how
):
    """The reference answer; with another argument, a mistake.

    `choose` picks a k from {k: rho}, `on` gives the pairs that choose, `report` those that are
    reported on, `order` is the order of the ks, and `how` another rank or measure.
    """

    def choose_k(spaces, validation, test):
        pairs = on(validation, test)
        rho = {k: round(rank_agreement(spaces[k], pairs, **how), 12) for k in order(spaces)}
        k = choose(rho, key=rho.get)
        reported = report(validation, test) if report else test
        return k, rank_agreement(spaces[k], reported, **how)

    return choose_k


def mistake_beginning_at(lowest, order=sorted):
    """The mistake of beginning with best = `lowest` and the first k, and replacing it by > only."""

    def choose_k(spaces, validation, test):
        k, best = next(iter(order(spaces) if lowest == 0 else spaces)), lowest
        for other in order(spaces):
            rho = rank_agreement(spaces[other], validation)
            if rho > best + 1e-12:
                k, best = other, rho
        return k, rank_agreement(spaces[k], test)

    return choose_k


def mistake_best_on_test(spaces, validation, test):
    """The mistake of reporting the largest correlation on the test pairs, whichever k has it."""
    k, _ = choosing_function()(spaces, validation, test)
    return k, max(rank_agreement(vectors, test) for vectors in spaces.values())


def mistake_place_of_k(order):
    """The mistake of returning the place of the best k in the order, counted from 0."""

    def choose_k(spaces, validation, test):
        k, rho = choosing_function()(spaces, validation, test)
        return list(order(spaces)).index(k), rho

    return choose_k


def largest_of_ties(rho, key):
    """The last k among those with the largest correlation."""
    return max(reversed(rho), key=key)


def all_pairs(validation, test):
    """The validation pairs and the test pairs together."""
    return [*validation, *test]


ON_TEST = (
    "You use the test pairs to choose k. Which pairs are then left to find out how well your choice"
    " does on new pairs?"
)
PLACE = (
    "Your first number is the place of the best k in a list, counted from 0. Which value of k"
    " stands there?"
)
BELOW = "Can every correlation be below 0, or even −1? Which k does your function choose then?"
A_DISTANCE = "A distance is small for similar words. Is a cosine small for them, too?"
MISTAKES = {
    "chosen on the test pairs": (choosing_function(on=lambda validation, test: test), ON_TEST),
    "chosen on all pairs": (choosing_function(on=all_pairs), ON_TEST),
    "reported on the validation pairs": (
        choosing_function(report=lambda validation, test: validation),
        "You report the correlation on the pairs that chose k. Does that number tell how well k"
        " does on new pairs?",
    ),
    "reported on all pairs": (
        choosing_function(report=all_pairs),
        "You report on the validation and the test pairs together. Which pairs had no part in the"
        " choice?",
    ),
    "best on the test pairs": (
        mistake_best_on_test,
        "You choose k with the validation pairs, but then you report the largest correlation on the"
        " test pairs, which can belong to another k. Which k should the second number belong to?",
    ),
    "place of k": (mistake_place_of_k(sorted), PLACE),
    "place of k, not sorted": (mistake_place_of_k(list), PLACE),
    "everything on all pairs": (choosing_function(on=all_pairs, report=all_pairs), ON_TEST),
    "lowest": (
        choosing_function(choose=min),
        "You keep the k with the lowest correlation. Should it be the lowest or the highest?",
    ),
    "largest k": (
        choosing_function(choose=lambda rho, key: max(rho)),
        "You return the largest k. Where do you use the correlations?",
    ),
    "smallest k": (
        choosing_function(choose=lambda rho, key: min(rho)),
        "You return the smallest k. Where do you use the correlations?",
    ),
    "strongest": (
        choosing_function(choose=lambda rho, key: max(rho, key=lambda k: abs(rho[k]))),
        "You take the absolute value. Is a correlation near −1 good?",
    ),
    "first of ties": (
        choosing_function(order=list),
        "Two values of k agree equally well, and you keep the one that comes first in `spaces`."
        " Which one is asked for?",
    ),
    "largest of ties": (
        choosing_function(choose=largest_of_ties),
        "Two values of k agree equally well, and you keep the larger one. Which one is asked for?",
    ),
    "correlation of the ratings": (
        choosing_function(rank=lambda numbers: np.asarray(numbers, dtype=float)),
        "That is Pearson's correlation, of the numbers themselves. What does Spearman's correlation"
        " use instead of the numbers?",
    ),
    "dot product": (
        choosing_function(measure=lambda x, y: (x * y).sum(axis=1)),
        "You compare words by the dot product, so long vectors win. Which measure is asked for?",
    ),
    "minus the distance": (
        choosing_function(measure=lambda x, y: -np.linalg.norm(x - y, axis=1)),
        "You compare words by distance, so long vectors lose. Which measure is asked for?",
    ),
    "distance": (
        choosing_function(measure=lambda x, y: np.linalg.norm(x - y, axis=1)),
        A_DISTANCE,
    ),
    "cosine distance": (choosing_function(measure=lambda x, y: 1 - row_cosine(x, y)), A_DISTANCE),
    "wrong order": (
        lambda spaces, validation, test: choosing_function()(spaces, validation, test)[::-1],
        "You return the right two numbers. In which order are they asked for?",
    ),
    "k alone": (
        lambda spaces, validation, test: choosing_function()(spaces, validation, test)[0],
        "You return k. What is its correlation on the test pairs?",
    ),
    "best = 0": (mistake_beginning_at(0), BELOW),
    "best = 0, not sorted": (mistake_beginning_at(0, order=list), BELOW),
    "best = −1": (mistake_beginning_at(-1), BELOW),
}
choose_k = Exercise(
    name="choose_k",
    chapter="01_lsa",
    number="1.8",
    difficulty=3,
    minutes=20,
    hints=(
        "There are two lists of pairs. One of them chooses, and the other one tests the choice.",
        "For each k, take the cosines of the validation pairs, and their Spearman correlation with"
        " the ratings. Keep the k with the highest one, and the smaller k if two are equal. Then"
        " use the test pairs once, with this k.",
        "def rho(k, pairs):\n"
        "    closeness = [cosine(spaces[k][i], spaces[k][j]) for i, j, rating in pairs]\n"
        "    ratings = [rating for i, j, rating in pairs]\n"
        "    return spearman(np.array(closeness), np.array(ratings))\n"
        "\n"
        "k = max(sorted(spaces), key=…)  # which pairs choose?\n"
        "return k, …  # which pairs report?",
    ),
    right=choosing_function(),
    mistakes=[*MISTAKES.values()],
    stumbles={
        "KeyError": f"Which keys has `spaces`? {BELOW}",
        "out of bounds": "`spaces[k]` has a row for each word, and already k columns. Do you take"
        " away rows, or use k as the number of a row?",
        "UnboundLocalError": BELOW,
        "other than numbers": BELOW,
    },
)
choose_k.agrees(
    "chooses the k whose cosines agree best with people on the validation pairs",
    "Take each k by itself. What is spearman(cosines, ratings) on the validation pairs?",
    contests_with_negative_correlations,
    view=lambda answer, right: answer[:1],
    points=2,
)
choose_k.agrees(
    "reports, for that k, the agreement on the test pairs, which had no part in the choice",
    "Which pairs had no part in the choice of k? With the k that you return, what is"
    " spearman(cosines, ratings) on them?",
    contests_to_report,
    view=reported,
)
choose_k.agrees(
    "takes the smaller k where two agree equally well",
    "max keeps the first of equal numbers. In which order do you go through the values of k?",
    ties,
    view=lambda answer, right: answer[:1],
)
