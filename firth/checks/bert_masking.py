"""Exercise 6, masking: which tokens a network has to guess, and what it reads in their places.

chosen = u < 0.15, and the token is not a special one
reads  = [MASK] where v < 0.8, another token or the token itself where v ≥ 0.8; split at 0.9

Which of the two comes first differs from code to code, and here from student to student
(firth.checks.variants).
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from firth.checks.claims import Exercise
from firth.checks.variants import printed


@dataclass(frozen=True)
class Order:
    """What the three stretches of v are for, and how each place speaks of it."""

    form: str
    middle: str  # from 0.8 to 0.9
    last: str  # from 0.9 on
    by_hand: str
    other_when: Callable
    code: str


OTHER, SAME = "another token, that of `other`", "what it was"
RANDOM_FIRST = Order(
    "the other token before the token itself",
    OTHER,
    SAME,
    "0.85 the other token, 70; and 0.95 leaves 14 as it is",
    lambda v: (v >= 0.8) & (v < 0.9),
    "chosen & (v >= 0.8) & (v < 0.9)",
)
SAME_FIRST = Order(
    "the token itself before the other token",
    SAME,
    OTHER,
    "0.85 leaves 13 as it is; and 0.95 gives the other token, 80",
    lambda v: v >= 0.9,
    "chosen & (v >= 0.9)",
)
ORDERS = (RANDOM_FIRST, SAME_FIRST)
EXAMPLE = tuple(
    np.array(row)
    for row in (
        [2, 11, 12, 13, 14, 3],
        [True, False, False, False, False, True],
        [0.01, 0.40, 0.10, 0.12, 0.03, 0.90],
        [0.50, 0.20, 0.30, 0.85, 0.95, 0.10],
        [50, 60, 65, 70, 80, 90],
    )
)


def one_by_one(asked: Order) -> Callable:
    """The right answer, a token at a time."""

    def mask_tokens(ids, special, u, v, other, mask):
        reads, chosen = np.array(ids), np.zeros(np.shape(ids), dtype=bool)
        for place in np.ndindex(reads.shape):
            if special[place] or u[place] >= 0.15:
                continue
            chosen[place] = True
            if v[place] < 0.8:
                reads[place] = mask
            elif asked.other_when(v[place]):
                reads[place] = other[place]
        return reads, chosen

    return mask_tokens


def masked(
    asked: Order,
    choose=lambda special, u: ~special & (u < 0.15),
    to_mask=lambda v, u: v < 0.8,
    to_other=None,
    where=lambda chosen, special, u: chosen,
    other_where=None,
    told=lambda reads, chosen, ids, mask: (reads, chosen),
    other_last=True,
) -> Callable:
    """A way of masking, the right one by default."""

    def mask_tokens(ids, special, u, v, other, mask):
        chosen = choose(special, u)
        reads, swapped = np.array(ids), to_other(v, u) if to_other else asked.other_when(v)
        steps = [
            (where(chosen, special, u) & to_mask(v, u), mask),
            ((other_where or where)(chosen, special, u) & swapped, other),
        ]
        for here, what in steps if other_last else steps[::-1]:
            reads = np.where(here, what, reads)
        return np.array([np.asarray(part) for part in told(reads, chosen, ids, mask)])

    return mask_tokens


def mistakes(asked: Order) -> list[tuple[Callable, str]]:
    """What goes wrong, in one order or the other."""

    def way(**how):
        return masked(asked, **how)

    (sibling,) = (order for order in ORDERS if order is not asked)
    kept = (
        "You tell the network which tokens to guess by what has changed: are those that stay what"
    )
    after = (lambda v, u: v <= 0.9) if asked is RANDOM_FIRST else (lambda v, u: v > 0.9)
    at_the_edge = [  # in the other order 0.8 itself stays what it was, asked or not
        (
            way(to_other=lambda v, u: (v > 0.8) & (v < 0.9)),
            "v = 0.8 exactly: which stretch does it belong to? It begins the second.",
        )
    ]
    return [
        (
            one_by_one(sibling),
            f"From 0.8 to 0.9, and from 0.9 on: which of the two gives {asked.middle} here?",
        ),
        (
            way(to_mask=lambda v, u: v >= 0, to_other=lambda v, u: v < 0),
            "All that are chosen become [MASK]: where does v come in? (A slide said so, too.)",
        ),
        (
            way(to_other=lambda v, u: v >= 0.8),
            "Nothing that is chosen stays as it was: which tenth of v is that for?",
        ),
        (
            way(to_other=lambda v, u: v < 0),
            "No token is replaced by another: which tenth of v is that for?",
        ),
        (
            way(where=lambda chosen, special, u: ~special),
            "You change tokens that nobody has chosen: what must be true of u, too?",
        ),
        (
            way(choose=lambda special, u: u < 0.15),
            "You choose [CLS], [SEP] or [PAD]: who could guess those, and what would it teach?",
        ),
        (
            way(where=lambda chosen, special, u: chosen | special),
            "You do not choose the special tokens, and yet you change them: do you ask both?",
        ),
        (
            way(where=lambda chosen, special, u: u < 0.15),
            "A special token with a small u is changed in what is read: is it chosen?",
        ),
        (
            way(other_where=lambda chosen, special, u: np.ones_like(chosen)),
            "You put the other token wherever v says so: must such a token not be chosen, too?",
        ),
        (
            way(told=lambda reads, chosen, ids, mask: (np.where(reads == mask, 4, reads), chosen)),
            "[MASK] is always 4 in yours: which number is it given as?",
        ),
        (
            way(told=lambda reads, chosen, ids, mask: (np.where(chosen, reads, 0), chosen)),
            "What is not chosen is 0 in what you let it read: which tokens stand there?",
        ),
        (
            way(choose=lambda special, u: special & (u < 0.15)),
            "You choose the special tokens and no others: is a True in `special` not one to leave"
            " alone?",
        ),
        (
            way(told=lambda reads, chosen, ids, mask: (reads, reads != ids)),
            f"{kept} they were not chosen, too?",
        ),
        (
            way(told=lambda reads, chosen, ids, mask: (reads, reads == mask)),
            "You count those with [MASK] alone as chosen: are the others not guessed as well?",
        ),
        (
            way(choose=lambda special, u: ~special & (u <= 0.15)),
            "u = 0.15 exactly: is that below 0.15? And 0.8, and 0.9? `<` throughout.",
        ),
        *(
            (
                way(choose=choose, to_mask=lambda v, u: v <= 0.8, to_other=after, other_last=False),
                "u = 0.15, v = 0.8 and v = 0.9 exactly: which side is each on? `<` throughout.",
            )
            for choose in (lambda special, u: ~special & (u <= 0.15), lambda s, u: ~s & (u < 0.15))
        ),
        (
            way(to_mask=lambda v, u: v <= 0.8, other_last=False),
            "v = 0.8 exactly: is that below 0.8? `<` throughout.",
        ),
        *(at_the_edge if asked is RANDOM_FIRST else []),
        (
            way(
                to_other=lambda v, u: (v >= 0.8) & (v <= 0.9) if asked is RANDOM_FIRST else v > 0.9
            ),
            "v = 0.9 exactly: is that below 0.9? `<` throughout.",
        ),
        (
            way(choose=lambda special, u: ~special & (u > 0.15)),
            "You choose the 85 of 100, and leave the 15: u < 0.15 or u > 0.15?",
        ),
        (
            way(
                to_mask=lambda v, u: u < 0.8 * 0.15,
                to_other=lambda v, u: asked.other_when(u / 0.15),
            ),
            "You let u decide both: what is v for?",
        ),
        (
            way(to_mask=lambda v, u: v < 0.8, to_other=lambda v, u: v < 0.9),
            "What you made [MASK] is overwritten by the other token: is v < 0.9 not also true of"
            " what has v < 0.8?",
        ),
        (
            way(to_mask=lambda v, u: v < 0.8, to_other=lambda v, u: v < 0.1),
            "A tenth of v for the other token: is that v < 0.1, which [MASK] has already, or a"
            " tenth"
            " behind 0.8?",
        ),
        (
            way(told=lambda reads, chosen, ids, mask: reads),
            "That is what the network reads: how is it to be told which tokens to guess?",
        ),
        (
            way(told=lambda reads, chosen, ids, mask: (chosen, reads)),
            "The right two: in which order are they asked for? What is read comes first.",
        ),
        (
            way(told=lambda reads, chosen, ids, mask: (reads, np.where(chosen, ids, -100))),
            "Those are labels as PyTorch takes them, −100 for what is not chosen: here True or"
            " False is asked for, chosen or not?",
        ),
        (
            way(told=lambda reads, chosen, ids, mask: (reads, np.where(chosen, ids, 0))),
            "Those are the tokens to be guessed: here True or False is asked for, chosen or not?",
        ),
        (
            way(told=lambda reads, chosen, ids, mask: (reads, ~chosen)),
            "True for what is *not* chosen: which way round is it asked for?",
        ),
    ]


def text(rng, u, v, special=False):
    """A token for each pair of u and v, in any order, and what else belongs to it."""
    pairs = rng.permutation([(one, other) for one in u for other in v])
    n = len(pairs)
    ids, other = rng.permutation(np.arange(20, 20 + 2 * n)).reshape(2, n)
    there = np.full(n, special)
    return ids, there, pairs[:, 0].copy(), pairs[:, 1].copy(), other, int(rng.integers(5, 15))


def stretches(rng, *ends):
    """A number from each stretch between neighbouring ends, not too near either."""
    return [float(a + (b - a) * rng.uniform(0.1, 0.9)) for a, b in pairwise(ends)]


def drawn(rng, special=False, ends=(0, 0.1, 0.8, 0.85, 0.9, 1)):
    """Tokens of every kind: chosen or not, for every stretch of v."""
    u = stretches(rng, 0, 0.1, 0.12, 0.135, 0.15, 0.4, 0.8, 1)
    return text(rng, u, stretches(rng, *ends), special)


def joined(*texts):
    """Several texts as one, with the [MASK] of the first."""
    columns = zip(*(one[:-1] for one in texts), strict=True)
    return *(np.concatenate(column) for column in columns), texts[0][-1]


def plain_texts(rng):
    for _ in range(2):
        yield drawn(rng)


def with_special(rng):
    """Special tokens of every kind among others that become [MASK], if they are chosen."""
    for _ in range(2):
        *columns, mask = joined(drawn(rng, ends=(0, 0.1, 0.8)), drawn(rng, special=True))
        order = rng.permutation(len(columns[0]))
        yield *(column[order] for column in columns), mask


def batches(rng):
    for rows in (2, 5):
        *columns, mask = joined(drawn(rng), drawn(rng, special=True))
        order = rng.permutation(len(columns[0])).reshape(rows, -1)
        yield *(column[order] for column in columns), mask
    yield text(rng, [0.15, 0.02], [0.1, 0.8, 0.9, 0.95])


def question(asked: Order) -> Exercise:
    """The question, with all that belongs to it, for one order of the stretches."""
    right = one_by_one(asked)
    mask_tokens = Exercise(
        name="mask_tokens",
        chapter="06_bert",
        number="6.2",
        difficulty=1,
        minutes=12,
        hints=(
            "Two questions for each token, one after the other: is it chosen at all, and if so,"
            " what is read in its place? u answers the first, v the second.",
            "chosen = ~special & (u < 0.15) is True or False for each token. np.where(a, b, c)"
            " takes b where a is True and c elsewhere: first [MASK] where chosen & (v < 0.8), then"
            f" the other token where {asked.code}. Return both arrays.",
            "chosen = ~special & (u < 0.15)\n"
            "reads = np.where(chosen & (v < 0.8), mask, ids)\n"
            "reads = np.where(…, other, reads)  # which of the chosen, by v?\n"
            "return reads, chosen",
        ),
        right=right,
        mistakes=mistakes(asked),
        stumbles={
            "truth value": "`and` and `not` ask about one thing: for arrays it is `&` and `~`, and"
            " brackets about each side. ~special & (u < 0.15). And if you go through one text in a"
            " loop: what is u[0] in a batch of texts?",
            "bitwise_and": "& binds more tightly than <: (u < 0.15) & ~special",
            "makes no table": "Two arrays shaped like ids are asked for, and in the second True or"
            " False for each token: do you return the chosen ones alone, or their places?",
        },
        form=asked.form,
        passages=(
            f"from 0.8 to 0.9, {asked.middle}; and from 0.9 on, {asked.last}",
            f"and {asked.by_hand}",
            printed(right(*EXAMPLE, 4)[0]),
        ),
    )
    mask_tokens.agrees(
        "chooses the tokens whose u is below 0.15, also those that stay as they are: returned"
        " second",
        "A token with u = 0.1 and v = 0.95: is it one that the network has to guess?",
        plain_texts,
        view=lambda answer, right: answer[1:],
    )
    mask_tokens.agrees(
        f"reads, in place of a chosen one, [MASK] below v = 0.8, {asked.middle.split(',')[0]} below"
        f" 0.9, {asked.last.split(',')[0]} from there on: returned first",
        "Three tokens are chosen, with v = 0.5, 0.85 and 0.95: what is read in the place of each?",
        plain_texts,
        view=lambda answer, right: answer[:1],
    )
    mask_tokens.agrees(
        "neither chooses nor changes a special token, whatever u and v are",
        "[CLS] has u = 0.01 and v = 0.2: what is read in its place?",
        with_special,
    )
    mask_tokens.agrees(
        "does so for a batch of texts, puts u = 0.15, v = 0.8 and v = 0.9 where they belong, and"
        " leaves ids as it was",
        "Is 0.15 below 0.15? And is anything in your code made for one text only?",
        batches,
        untouched="Do you write into ids? They are what is to be guessed: make a new array.",
    )
    return mask_tokens


mask_tokens = question(RANDOM_FIRST)
mask_tokens.forms = (question(SAME_FIRST),)
