"""Exercise 1, how many axes: chosen on some pairs of words, reported on others.

rho(k, pairs) = Spearman's correlation of the cosines in space k with people's scores
k             = the smallest of those with the greatest rho(k, validation);   report rho(k, test)

Inputs are drawn until whoever chooses by something else, or measures in another way, has chosen
another k at least once: nobody is to be right by luck.
"""

import math

import numpy as np

from firth.checks.claims import Exercise
from firth.checks.lsa_neighbours import told_apart


def ranks(numbers):
    """Each number's place in the order, equal numbers sharing theirs."""
    numbers = np.asarray(numbers, dtype=float)
    order = np.sort(numbers)
    return (order.searchsorted(numbers, "left") + order.searchsorted(numbers, "right") - 1) / 2


def row_cosine(x, y):
    return (x * y).sum(axis=1) / np.sqrt((x * x).sum(axis=1) * (y * y).sum(axis=1))


def people(pairs, rank=ranks):
    """Two columns of word numbers, and the people's scores as deviations in rank."""
    i, j, scores = np.array(pairs).T
    b = rank(scores)
    return i.astype(int), j.astype(int), b - b.sum() / len(b)


def correlation(vectors, judged, rank=ranks, measure=row_cosine):
    """Spearman's correlation of the model's cosines with people's scores."""
    i, j, b = judged
    a = rank(measure(vectors[i], vectors[j]))
    a = a - a.sum() / len(a)
    return a @ b / math.sqrt((a @ a) * (b @ b))


def rank_agreement(vectors, pairs, rank=ranks, measure=row_cosine):
    return correlation(vectors, people(pairs, rank), rank, measure)


def pairs_of(rng, V, number):
    corners = [(i, j) for i in range(V) for j in range(i)]
    picked = rng.permutation(len(corners))[:number]
    # Far apart at the top: whoever correlates the scores, and not their ranks, finds another k.
    scores = (rng.permutation(number) + rng.random(number) / 2) ** 3
    return [(*corners[p], float(score)) for p, score in zip(picked, scores, strict=True)]


RIVALS = (
    {"measure": lambda x, y: (x * y).sum(axis=1)},
    {"measure": lambda x, y: -np.linalg.norm(x - y, axis=1)},
    {"rank": lambda numbers: np.asarray(numbers, dtype=float)},
)


def drawn(rng, spaces, *before, plain):
    """Pairs with which each space agrees, by them alone and with those before, in a plain way."""
    V = len(next(iter(spaces.values())))
    while True:
        pairs = pairs_of(rng, V, 10)
        lists = [pairs, [pair for some in (*before, pairs) for pair in some]][: 1 + bool(before)]
        for judged in map(people, lists):
            rho = {k: correlation(spaces[k], judged) for k in spaces}
            if not plain(rho) or not told_apart(np.abs([*rho.values()])):
                break
        else:
            return pairs


def contest(rng, spaces):
    """The spaces with pairs about which no two of them agree equally well, by any list or sign.

    The best agreement is above 0, so that whoever begins with best = 0 is found out elsewhere.
    """
    validation = drawn(rng, spaces, plain=lambda rho: max(rho.values()) > 0)
    return spaces, validation, drawn(rng, spaces, validation, plain=bool)


def agreements(spaces, validation, test):
    """For validation, test, and both: each k with its agreement."""
    lists = map(people, (validation, test, [*validation, *test]))
    return [{k: correlation(spaces[k], judged) for k in spaces} for judged in lists]


def choices(spaces, validation, test):
    """The k that is asked for, and those of all who choose by something else."""
    by, *others = agreements(spaces, validation, test)
    others += [{k: -rho for k, rho in by.items()}, {k: abs(rho) for k, rho in by.items()}]
    for rival in RIVALS:
        others.append({k: rank_agreement(spaces[k], validation, **rival) for k in spaces})
    return [*(max(rho, key=rho.get) for rho in [by, *others]), max(spaces), min(spaces)]


def contests(rng):
    """Cases, as many as it takes until those who choose k by something else have chosen another.

    Those who choose the least agreement and those who choose the strongest part ways as well.
    """
    cases, unmasked = [], []
    while not cases or not all(unmasked):
        ks = (5, 2, 8, 3)
        cases.append(contest(rng, {k: rng.normal(size=(9, k)) * rng.random((9, 1)) for k in ks}))
        right, by_test, by_both, least, strongest, *others = choices(*cases[-1])
        ways = [k != right for k in (by_test, by_both, least, strongest, *others)]
        ways.append(least != strongest)
        unmasked = [was or now for was, now in zip(unmasked or ways, ways, strict=True)]
    return cases


def contests_and_all_below(rng):
    """Contests, and people who contradict every space: the best correlation is below 0."""
    yield from contests(rng)
    for best in (5, 2):
        rho = {best: 1.0}
        while (greatest := max(rho, key=rho.get)) != best or not -1 < rho[greatest] < -0.01:
            whole = rng.normal(size=(9, 8))
            spaces = {k: whole[:, :k] for k in (8, 2, 5)}
            near = [(i, j, whole[i] @ whole[j]) for i, j, _ in pairs_of(rng, 9, 10)]
            against = [(i, j, float(3 * rng.normal() - dot)) for i, j, dot in near]
            rho = {k: rank_agreement(spaces[k], against) for k in spaces}
            rho = rho if told_apart([*rho.values()]) else {best: 1.0}
        yield spaces, against, pairs_of(rng, 9, 10)


def ties(rng):
    """The best space once more with idle axes: they agree equally well, and the smaller k wins.

    Whoever takes the least agreement, the strongest, the best by the test pairs, the greatest k or
    the smallest: no two of them name the same k twice. And whoever measures in another way names
    another k.
    """
    for more, k, least in ((6, 3, 2), (8, 5, 9)):
        spaces = {d: rng.normal(size=(9, d)) for d in (9, k, 2)}
        by_test = 11 - least

        def first(rho, k=k, least=least):
            ends = max(rho, key=rho.get), min(rho, key=rho.get)
            return ends == (k, least) and rho[k] > 0 and (rho[k] < -rho[least]) == (least == 2)

        def other(rho, by_test=by_test):
            return max(rho, key=rho.get) == by_test

        deceived = [k]
        while k in deceived:
            validation = drawn(rng, spaces, plain=first)
            rivals = (
                {d: rank_agreement(spaces[d], validation, **rival) for d in spaces}
                for rival in RIVALS
            )
            deceived = [max(rho, key=rho.get) for rho in rivals]
        test = drawn(rng, spaces, validation, plain=other)
        idle = np.pad(spaces[k], ((0, 0), (0, more - k)))
        spaces = {9: spaces[9], more: idle, k: spaces[k], 2: spaces[2]}
        yield spaces, validation, test
        yield dict(reversed(spaces.items())), validation, test


def chosen(choose=max, on=lambda validation, test: validation, report=None, order=sorted, **how):
    """A way of choosing k: by what, on which pairs, and which number is reported for it."""

    def choose_k(spaces, validation, test):
        pairs = on(validation, test)
        rho = {k: round(rank_agreement(spaces[k], pairs, **how), 12) for k in order(spaces)}
        k = choose(rho, key=rho.get)
        reported = report(validation, test) if report else test
        return k, rank_agreement(spaces[k], reported, **how)

    return choose_k


def best_above_zero(rho, key):
    """Begins with best = 0, and with the first k."""
    return max(rho, key=lambda k: max(0.0, rho[k]))


def largest_of_ties(rho, key):
    return max(reversed(rho), key=key)


ON_TEST = (
    "You look at the test pairs to choose k: what is left then to find out how good it is on pairs"
    " it was not chosen for?"
)
BELOW = "Can every correlation be below 0? What is k then?"
choose_k = Exercise(
    name="choose_k",
    chapter="01_lsa",
    number="1.8",
    difficulty=3,
    minutes=20,
    hints=(
        "Two tables of pairs, two jobs: one to choose with, one to be honest with.",
        "For each k, take the cosines of the validation pairs and their Spearman correlation with"
        " the scores; keep the best k, the smaller if two are equal. Only then look at the test"
        " pairs, once, with that k.",
        "def rho(k, pairs):\n"
        "    closeness = [cosine(spaces[k][i], spaces[k][j]) for i, j, score in pairs]\n"
        "    scores = [score for i, j, score in pairs]\n"
        "    return spearman(np.array(closeness), np.array(scores))\n"
        "\n"
        "k = max(sorted(spaces), key=…)  # which pairs choose?\n"
        "return k, …  # and which pairs report?",
    ),
    right=chosen(),
    stumbles={
        "KeyError": f"Which keys has `spaces`? {BELOW}",
        "UnboundLocalError": BELOW,
        "other than numbers": BELOW,
    },
)
choose_k.mistakes = [
    (chosen(on=lambda validation, test: test), ON_TEST),
    (chosen(on=lambda validation, test: [*validation, *test]), ON_TEST),
    (
        chosen(report=lambda validation, test: validation),
        "You report the agreement on the pairs that chose k; is that an honest number?",
    ),
    (
        chosen(
            on=lambda validation, test: [*validation, *test],
            report=lambda validation, test: [*validation, *test],
        ),
        ON_TEST,
    ),
    (chosen(choose=min), "You keep the k that agrees least: min or max?"),
    (chosen(choose=lambda rho, key: max(rho)), "You take the greatest k: is more always better?"),
    (chosen(choose=lambda rho, key: min(rho)), "You take the smallest k: do the pairs have a say?"),
    (
        chosen(choose=lambda rho, key: max(rho, key=lambda k: abs(rho[k]))),
        "Is a strong disagreement (a correlation near −1) a good sign?",
    ),
    (
        chosen(order=list),
        "Two values of k agree equally well with people, and the first you meet wins: which one is"
        " asked for?",
    ),
    (
        chosen(choose=largest_of_ties),
        "Two values of k agree equally well with people: which one is asked for then?",
    ),
    (
        chosen(rank=lambda numbers: np.asarray(numbers, dtype=float)),
        "That is Pearson's correlation, of the numbers: what does Spearman's look at instead?",
    ),
    (
        chosen(measure=lambda x, y: (x * y).sum(axis=1)),
        "You compare words by the dot product, so that long vectors win: cosine?",
    ),
    (
        chosen(measure=lambda x, y: -np.linalg.norm(x - y, axis=1)),
        "You compare words by distance, so that long vectors lose: cosine?",
    ),
    (
        chosen(measure=lambda x, y: np.linalg.norm(x - y, axis=1)),
        "A distance is small where words are alike: would the cosine be?",
    ),
    (
        chosen(measure=lambda x, y: 1 - row_cosine(x, y)),
        "A distance is small where words are alike: would the cosine be?",
    ),
    (
        lambda spaces, validation, test: chosen()(spaces, validation, test)[::-1],
        "The right two numbers: in which order are they asked for?",
    ),
    (
        lambda spaces, validation, test: chosen()(spaces, validation, test)[0],
        "That is k; how well does it do on the test pairs?",
    ),
    (chosen(choose=best_above_zero), BELOW),
    (chosen(choose=best_above_zero, order=list), BELOW),
]


choose_k.agrees(
    "chooses the k whose cosines agree best with people on the validation pairs",
    "For each k by hand: what is spearman(cosines, scores) on the validation pairs?",
    contests_and_all_below,
    view=lambda answer, right: answer[:1],
    points=2,
)
choose_k.agrees(
    "reports, for that k, the agreement on the test pairs, which had no part in the choice",
    "Which pairs had no part in choosing k? With the k that you return, what is spearman(cosines,"
    " scores) on them?",
    contests,
)
choose_k.agrees(
    "takes the smaller k where two agree equally well",
    "max keeps the first of equals: in which order do you go through the ks?",
    ties,
    view=lambda answer, right: answer[:1],
)
