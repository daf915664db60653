"""Exercise 1, how many axes: chosen on some pairs of words, reported on others.

rho(k, pairs) = Spearman's correlation of the cosines in space k with people's scores
k             = the smallest of those with the greatest rho(k, validation);   report rho(k, test)
"""

import numpy as np

from firth.checks.claims import Exercise
from firth.checks.lsa_contests import (
    contests,
    contests_and_all_below,
    rank_agreement,
    row_cosine,
    ties,
)


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
