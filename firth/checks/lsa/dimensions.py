"""Exercise 1.8: choose the number of dimensions on some pairs, and report on other pairs.

rho(k, pairs) = Spearman's correlation of the cosines in space k with people's ratings
k             = the smallest of those with the largest rho(k, validation);   report rho(k, test)
"""

import numpy as np

from firth.checks.claims import Exercise

from .contests import (
    contests_to_report,
    contests_with_negative_correlations,
    contests_with_ties,
    excuse_wrong_k,
    rank_agreement,
    row_cosine,
)


def choosing_function(
    choose=max, on=lambda validation, test: validation, report=None, order=sorted, **how
):
    """A function `choose_k(spaces, validation, test)`: the reference answer, or a mistake.

    That function returns k and a correlation. With the default arguments it is the reference
    answer. `choose` picks k from {k: correlation}, `on` gives the pairs that choose, `report` the
    pairs of the returned correlation, `order` sorts the values of k, and `how` holds another `rank`
    or `measure`.
    """

    def choose_k(spaces, validation, test):
        pairs = on(validation, test)
        rho = {k: round(rank_agreement(spaces[k], pairs, **how), 12) for k in order(spaces)}
        k = choose(rho, key=rho.get)
        reported = report(validation, test) if report else test
        return k, rank_agreement(spaces[k], reported, **how)

    return choose_k


def mistake_beginning_at(lowest, order=sorted):
    """A wrong `choose_k` that starts with best = `lowest` and looks only for a higher correlation.

    If no correlation is above `lowest`, it keeps the first k. `order` gives the order in which the
    values of k are tried.
    """

    def choose_k(spaces, validation, test):
        k, best = next(iter(order(spaces) if lowest == 0 else spaces)), lowest
        for other in order(spaces):
            rho = rank_agreement(spaces[other], validation)
            if rho > best + 1e-12:
                k, best = other, rho
        return k, rank_agreement(spaces[k], test)

    return choose_k


def mistake_best_on_test(spaces, validation, test):
    """Two results of a wrong answer: the right k, and the highest correlation on the test pairs.

    That correlation may belong to another k. `spaces` maps each k to its word vectors.
    """
    k, _ = choosing_function()(spaces, validation, test)
    return k, max(rank_agreement(vectors, test) for vectors in spaces.values())


def mistake_index_of_k(order):
    """A wrong `choose_k` that returns the index of the best k in the list of all k, not k itself.

    `order` gives this list: sorted, or as in `spaces`.
    """

    def choose_k(spaces, validation, test):
        k, rho = choosing_function()(spaces, validation, test)
        return list(order(spaces)).index(k), rho

    return choose_k


def largest_of_ties(rho, key):
    """The last k of {k: correlation} with the best correlation: a mistake if two k are equal.

    The task asks for the smaller one. `rho` is the dict, and `key` gives the correlation of a k.
    """
    return max(reversed(rho), key=key)


def validation_and_test(validation, test) -> list:
    """A list of all pairs (i, j, rating). To choose k or to report on this list is a mistake.

    The test pairs must have no part in the choice, and the validation pairs none in the report.
    """
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
    "chosen on all pairs": (choosing_function(on=validation_and_test), ON_TEST),
    "reported on the validation pairs": (
        choosing_function(report=lambda validation, test: validation),
        "You report the correlation on the pairs that chose k. Does that number tell how well k"
        " does on new pairs?",
    ),
    "reported on all pairs": (
        choosing_function(report=validation_and_test),
        "You report on the validation and the test pairs together. Which pairs had no part in the"
        " choice?",
    ),
    "best on the test pairs": (
        mistake_best_on_test,
        "You choose k with the validation pairs, but then you report the largest correlation on the"
        " test pairs, which can belong to another k. Which k should the second number belong to?",
    ),
    "place of k": (mistake_index_of_k(sorted), PLACE),
    "place of k, not sorted": (mistake_index_of_k(list), PLACE),
    "everything on all pairs": (
        choosing_function(on=validation_and_test, report=validation_and_test),
        ON_TEST,
    ),
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
    mistakes=MISTAKES,
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
    view=excuse_wrong_k,
)
choose_k.agrees(
    "takes the smaller k where two agree equally well",
    "max keeps the first of equal numbers. In which order do you go through the values of k?",
    contests_with_ties,
    view=lambda answer, right: answer[:1],
)
