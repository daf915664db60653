"""Exercise 6, masking: which tokens a network has to guess, and what it reads in their places.

chosen = u < 0.15, and the token is not a special one
reads  = [MASK] where v < 0.8, another token or the token itself where v ≥ 0.8; split at 0.9

Which of the two comes first differs from code to code, and here from student to student
(firth.checks.variants).
"""

from itertools import pairwise

import numpy as np

from firth.checks.bert_masks import EXAMPLE, RANDOM_FIRST, SAME_FIRST, Order, mistakes, one_by_one
from firth.checks.claims import Exercise
from firth.checks.variants import printed


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
