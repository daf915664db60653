"""Exercise 6, facets: does an item's nearest neighbour measure the same, and how often by luck?

accuracy = share of i whose nearest other item, by cosine, has i's facet
chance   = mean over i of (n_i − 1) / (n − 1)        n_i: how many items have i's facet
"""

from functools import partial

import numpy as np

from firth.checks.claims import Exercise
from firth.checks.mistakes import telling

from .mean_pooling import unit


def one_by_one(V, facets):
    """The right answer, an item at a time."""
    n, right, luck = len(V), 0, 0.0
    for i in range(n):
        others = [*range(i), *range(i + 1, n)]
        near = [V[i] @ V[j] / np.sqrt((V[i] @ V[i]) * (V[j] @ V[j])) for j in others]
        right += facets[others[int(np.argmax(near))]] == facets[i]
        luck += sum(facets[j] == facets[i] for j in others) / (n - 1)
    return np.array([right / n, luck / n])


def alike(V):
    return unit(V) @ unit(V).T


def but_itself(S, instead=-np.inf):
    return np.where(np.eye(len(S), dtype=bool), instead, S)


def share_by_luck(facets, n=1, own=1):
    return (((facets[:, None] == facets).sum(axis=1) - own) / (len(facets) - n)).mean()


def in_company(facets):
    """Leaves those out of the mean who are alone in their facet."""
    same = (facets[:, None] == facets).sum(axis=1) - 1
    return same[same > 0].mean() / (len(facets) - 1)


def each_facet(hits, facets):
    return np.mean([hits[facets == facet].mean() for facet in np.unique(facets)])


def judged(
    near=alike,
    among=but_itself,
    pick=lambda S: S.argmax(axis=1),
    count=lambda hits, facets: hits.mean(),
    luck=share_by_luck,
    told=lambda accuracy, chance: [accuracy, chance],
):
    """A way of judging, the right one by default."""

    def nearest_facet(V, facets):
        hits = facets[pick(among(near(V)))] == facets
        return np.array(told(count(hits, facets), luck(facets)), dtype=float)

    return nearest_facet


def to_the_mean(V, facets):
    """The facet whose mean vector is nearest; the item itself has a part in its own."""
    kinds = np.unique(facets)
    means = np.array([unit(V)[facets == kind].mean(axis=0) for kind in kinds])
    hits = kinds[(unit(V) @ unit(means).T).argmax(axis=1)] == facets
    return np.array([hits.mean(), share_by_luck(facets)])


def distances(V):
    return -np.sqrt(((V[:, None] - V) ** 2).sum(axis=-1))


def earlier(S):
    return np.where(np.tri(len(S), k=-1) > 0, S, -2)


ITSELF = "Every item is nearest to itself: is it one of the *other* items?"
NOBODY = "With 0 for an item's own cosine, who is nearest if all are below 0? Take −∞ instead."
LENGTHS = "Is it the cosine? A long vector should be no nearer, and no farther, than a short one."
nearest_facet = Exercise(
    name="nearest_facet",
    chapter="06_bert",
    number="6.5",
    difficulty=2,
    minutes=15,
    hints=(
        "First the table of cosines: each item with each. Who may not be its own neighbour? Then"
        " one question for each item: has the nearest its facet? For luck, count how many of the"
        " others have it.",
        "Rows of length 1: S = U @ U.T holds the cosines. np.fill_diagonal(S, -np.inf) takes each"
        " item itself out of the running; S.argmax(axis=1) are the nearest. The accuracy is the"
        " mean of facets[nearest] == facets. For chance: how many of the n − 1 others have it?",
        "U = V / np.linalg.norm(V, axis=1, keepdims=True)\n"
        "S = U @ U.T\n"
        "np.fill_diagonal(S, -np.inf)\n"
        "accuracy = (facets[S.argmax(axis=1)] == facets).mean()\n"
        "same = (facets[:, None] == facets).sum(axis=1)  # how many have it, with the item itself\n"
        "return accuracy, …",
    ),
    right=one_by_one,
    stumbles={"NoneType": "np.fill_diagonal writes into S and returns None: what is S then?"},
)
nearest_facet.mistakes = [
    (judged(among=lambda S: S + 1e-9 * np.eye(len(S))), ITSELF),
    (judged(among=lambda S: but_itself(S, 0)), NOBODY),
    (judged(near=lambda V: V @ V.T), LENGTHS),
    (judged(near=distances), LENGTHS),
    (
        judged(among=lambda S: but_itself(S, np.inf), pick=lambda S: S.argmin(axis=1)),
        "You take the item that is farthest: argmax or argmin of the cosines?",
    ),
    (
        judged(near=lambda V: abs(alike(V))),
        "You drop the cosine's sign: is the opposite direction near?",
    ),
    (
        judged(among=earlier),
        "You look among the earlier items alone: may the nearest not come later?",
    ),
    (
        judged(count=each_facet),
        "You take each facet's mean, and then the mean of those: has each item as much say?",
    ),
    (
        to_the_mean,
        "You compare with the mean of each facet, itself included: which single item is nearest?",
    ),
    (
        judged(count=lambda hits, facets: hits.sum()),
        "That is how many are right: what share of the items is it?",
    ),
    (
        judged(count=lambda hits, facets: 1 - hits.mean()),
        "That is the share of the wrong ones: which is asked for?",
    ),
    (
        judged(luck=lambda facets: 1 / len(np.unique(facets))),
        "One in so many facets: is a facet of many items not met more often than one of few?",
    ),
    (
        judged(luck=lambda facets: share_by_luck(facets, n=0, own=0)),
        "By luck, too, an item is not its own neighbour: how many *others* have its facet?",
    ),
    (
        judged(luck=lambda facets: share_by_luck(facets, n=1, own=0)),
        "Among the n − 1 others: how many have the item's facet?",
    ),
    (
        judged(luck=lambda facets: share_by_luck(facets, n=0, own=1)),
        "One item in how many is drawn? The item itself is not among them.",
    ),
    (
        judged(luck=in_company),
        "An item alone in its facet has the chance 0: does it not count in the mean?",
    ),
    (
        judged(luck=lambda facets: np.unique(facets, return_counts=True)[1].max() / len(facets)),
        "That is the share of the largest facet: what does a neighbour drawn by lot achieve?",
    ),
    (
        judged(luck=lambda f: np.mean((np.unique(f, return_counts=True)[1] - 1) / (len(f) - 1))),
        "You take a mean over the facets, and a large one has more items: has each as much say?",
    ),
    (
        judged(told=lambda accuracy, chance: [chance, accuracy]),
        "The right two: in which order are they asked for? The accuracy first.",
    ),
    (
        judged(told=lambda accuracy, chance: accuracy),
        "That is the accuracy: how high would it be by luck?",
    ),
    (
        judged(told=lambda accuracy, chance: [accuracy, accuracy - chance]),
        "You take chance off the accuracy: can you return the two themselves?",
    ),
]
NEAR = [mistake for mistake, _ in nearest_facet.mistakes[4:11]]
BY_LUCK = [mistake for mistake, _ in nearest_facet.mistakes[11:18]]


def items(rng, sizes, d=4, longest=1.0):
    """Vectors about the middle of their facet, in any order, and facets of any number."""
    names = rng.permutation(40)[: len(sizes)]
    facets = rng.permutation(np.repeat(names, np.asarray(sizes, np.intp)))
    middles = dict(zip(names, rng.normal(size=(len(sizes), d)), strict=True))
    V = np.array([middles[facet] for facet in facets]) + 1.2 * rng.normal(size=(len(facets), d))
    return unit(V) * rng.uniform(1, longest, size=(len(V), 1)), facets


def first(answer, right=None):
    return answer[:1]


def second(answer, right=None):
    return answer[1:]


def directions(rng):
    """Rows of length 1: whichever the measure, who looks at the nearest is right."""
    rivals = [judged(among=lambda S: S + 1e-9 * np.eye(len(S))), *NEAR]
    return telling(partial(items, rng, (5, 3, 2, 4)), one_by_one, rivals, first)


def lengths(rng):
    rivals = [*(mistake for mistake, _ in nearest_facet.mistakes[2:4]), *NEAR]
    draw = partial(items, rng, (4, 4, 3, 2), longest=6.0)
    return telling(draw, one_by_one, rivals, first)


def uneven(rng):
    draw = lambda: items(rng, rng.integers(1, 7, size=4))  # noqa: E731
    return telling(draw, one_by_one, BY_LUCK, second)


def lonely(rng):
    """Few items, none near any other, and of some facets there is one."""
    rivals = [judged(among=lambda S: but_itself(S, 0)), *NEAR]
    return telling(partial(items, rng, (1, 1, 3, 2, 1)), one_by_one, rivals, first)


nearest_facet.agrees(
    "returns first the share of items whose nearest other item, by cosine, has their facet",
    "Three items, the first two alike and of one facet: whose nearest has the right one?",
    directions,
    view=first,
)
nearest_facet.agrees(
    "minds directions only: a longer vector is no nearer and no farther",
    "Does the claim above hold? If so: is it the cosine that you compare?",
    lengths,
    view=first,
)
nearest_facet.agrees(
    "returns second how often a neighbour drawn by lot from the others has the facet, on average"
    " over the items",
    "Five items, two of facet a, three of b: how many of an item's four others have its facet?",
    uneven,
    view=second,
)
nearest_facet.agrees(
    "is right where an item is near to none, or alone in its facet; and leaves vectors and"
    " facets as they were",
    "Do the claims above hold? If so: who is nearest, if all cosines are below 0?",
    lonely,
    untouched="Do you write into V or facets? Others may need them as they were.",
)
