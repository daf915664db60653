"""Exercise 4.2: attention weights with a mask.

A = softmax(Q Kᵀ / √d)      masked keys get the weight 0; a row of masked keys only is all zeros

What a mask contains differs from library to library, and here from student to student: see
masks.py. `seen` is a table of bools that is True where a query may attend to a key. The reference
takes one query and one key at a time.

From the second claim to the fourth, queries and keys have a single number, so that √d is 1, and the
last claim forgives a wrong scale. So a wrong scale costs one point and not all of them.
"""

from collections.abc import Callable, Iterator

import numpy as np

from firth.checks.claims import Exercise
from firth.checks.mistakes import fitting

from .claims import OVERFLOW, add_claim_about_unchanged_inputs, rounded
from .masks import (
    ADDED,
    HIDDEN,
    SEEN,
    Mask,
    masked_softmax,
    mistake_divided_again,
    mistake_infinity_times_0,
    mistake_masked_after_exp,
    mistake_maximum_of_everything,
    mistake_no_maximum,
    mistake_of_a_low_score,
    mistake_of_adding,
    plain_softmax,
)
from .row_softmax import softmax_of_row


def divided_by_root(Q, K):
    """The scores Q Kᵀ / √d, a row for each query."""
    return Q @ K.T / Q.shape[1] ** 0.5


def weights_function(
    read: Callable, score: Callable = divided_by_root, weights: Callable = masked_softmax
) -> Callable:
    """A function `attention_weights(Q, K, mask)`: right, or with another part a mistake.

    `read` makes `seen` of a mask, `score` makes the scores, and `weights(scores, seen)` the result.
    """

    @fitting
    def attention_weights(Q, K, mask):
        return weights(score(Q, K), read(mask))

    return attention_weights


def mistake_of_combining(combine: Callable) -> Callable:
    """A wrong `attention_weights` that calculates with the mask, whatever the mask contains."""

    def attention_weights(Q, K, mask):
        return plain_softmax(combine(divided_by_root(Q, K), mask))

    return attention_weights


EXCHANGED = (
    "You mask what a query may attend to, and you let it attend to the rest. What does this mask"
    " contain where a query may attend?"
)
MASKED_WEIGHTS = (
    "You set weights to 0 after the softmax. Do the other weights of the row still add up to 1?"
)
MASKED_LATE = (
    "A masked key has the largest score of a row. Next to it, all other exp become 0. Whose largest"
    " score should you subtract before exp?"
)
SCORE_0 = "You give masked keys the score 0, but e⁰ is 1. For which score is the power of e 0?"
NAN_ROW = (
    "A row in which all keys are masked becomes nan. What is −∞ minus −∞, and what is 0/0? Zeros"
    " are asked for."
)
AS_IF_OPEN = (
    "A row in which all keys are masked gets the weights that it would have without a mask. If you"
    " add the same number to all its scores, their differences stay. Which weights are asked for?"
)
LOW = (
    "Your masked keys have a score that is low, but finite. If all keys of a row are masked, which"
    " weights do they get? And what if the other scores of a row are even lower?"
)
LOW_AND_0 = (
    "Your masked keys have a score that is low, but finite. What if the other scores of the row are"
    " even lower?"
)
MAXIMUM_OF_ALL = (
    "You subtract the largest score of all rows. In a row whose scores are thousands lower, every"
    " exp becomes 0. Whose largest score should you subtract?"
)
TRUE_IS_1 = "You add the mask, and True counts as 1. How can a mask turn a score into −∞?"


def mistakes(asked: Mask) -> dict[str, tuple[Callable, str]]:
    """The known mistakes with one kind of mask: {name: (wrong function, question)}."""

    def way(score=divided_by_root, weights=masked_softmax):
        return weights_function(asked.read, score, weights)

    def unmasked(scores):
        return masked_softmax(scores, np.ones_like(scores, dtype=bool))

    found = {
        "mask exchanged": (weights_function(lambda mask: ~asked.read(mask)), EXCHANGED),
        "masked after exp": (way(weights=mistake_masked_after_exp), MASKED_LATE),
        "no mask": (
            way(weights=lambda x, seen: unmasked(x)),
            "Your weights are the same with every mask. Where do you use it?"),
        "weights set to 0": (way(weights=lambda x, seen: unmasked(x) * seen), MASKED_WEIGHTS),
        "scores and weights set to 0": (
            way(weights=lambda x, seen: unmasked(x * seen) * seen), MASKED_WEIGHTS),
        "scores set to 0": (way(weights=lambda x, seen: unmasked(x * seen)), SCORE_0),
        "nan": (
            way(weights=lambda x, seen: plain_softmax(np.where(seen, x, -np.inf))), NAN_ROW),
        "divided again": (way(weights=mistake_divided_again), MASKED_LATE),
        "row without keys as without mask": (
            way(weights=lambda x, seen: masked_softmax(x, seen | ~seen.any(-1, keepdims=True))),
            AS_IF_OPEN),
        "infinity times 0": (
            way(weights=mistake_infinity_times_0),
            "You mask after exp. The exp of a large masked score is ∞, and ∞ times 0 is nan. Which"
            " score should a masked key have before exp?"),
        **{
            f"score {low:g}": (way(weights=mistake_of_a_low_score(low)), LOW)
            for low in (-1e4, -1e6, -1e9, -1e10, -1e20)},
        **{
            f"score {low:g}, weights set to 0": (
                way(weights=lambda x, seen, low=low: mistake_of_a_low_score(low)(x, seen) * seen),
                LOW_AND_0)
            for low in (-100.0, -1e4, -1e6, -1e9, -1e10, -1e20)},
        **{
            f"{low:g} added": (way(weights=mistake_of_adding(low)), LOW)
            for low in (-1e4, -1e6, -1e9)},
        **{
            f"{low:g} added, weights set to 0": (
                way(weights=lambda x, seen, low=low: mistake_of_adding(low)(x, seen) * seen),
                LOW_AND_0)
            for low in (-1e6, -1e9, -1e10)},
        "score -100": (way(weights=mistake_of_a_low_score(-100.0)), LOW),
        "no maximum": (way(weights=mistake_no_maximum), OVERFLOW),
        "no maximum, nan replaced by 0": (
            way(weights=lambda x, seen: np.nan_to_num(mistake_no_maximum(x, seen))), OVERFLOW),
        "maximum of all rows": (way(weights=mistake_maximum_of_everything), MAXIMUM_OF_ALL),
        "scores": (
            way(weights=lambda x, seen: np.where(seen, x, 0)),
            "These are the scores. Which function turns them into weights that add up to 1?"),
        "powers": (
            way(weights=lambda x, seen: np.where(seen, np.exp(x), 0)),
            "Do the weights of each row add up to 1? By what do you divide?"),
        "two results": (
            lambda Q, K, mask: np.array(
                [way()(Q, K, mask), np.where(asked.read(mask), divided_by_root(Q, K), -1e9)]),
            "You return two tables. Can you return the weights alone?"),
        "first row of the mask": (
            way(weights=lambda x, seen: masked_softmax(x, np.tile(seen[:1], (len(x), 1)))),
            "You use the first row of the mask for every query. Which row belongs to which query?"),
        "columns": (
            way(weights=lambda x, seen: masked_softmax(x, seen, axis=0)),
            "The weights of each column add up to 1. A query divides its attention over the keys,"
            " so along which axis should they?"),
        "everything together": (
            way(weights=lambda x, seen: masked_softmax(x.ravel(), seen.ravel()).reshape(x.shape)),
            "All your weights together add up to 1. Which weights should add up to 1, those of all"
            " queries or those of each query?"),
        "root after the softmax": (
            lambda Q, K, mask: way(lambda Q, K: Q @ K.T)(Q, K, mask) / Q.shape[1] ** 0.5,
            "You divide the weights by √d. What should be divided by √d, the weights or the"
            " scores?"),
        "no root": (
            way(lambda Q, K: Q @ K.T),
            "Your scores are too large by the factor √d. Where do you divide by it?"),
        "divided by d": (
            way(lambda Q, K: Q @ K.T / Q.shape[1]),
            "You divide the scores by d. By which power of d should they be divided?"),
        "multiplied by the root": (
            way(lambda Q, K: Q @ K.T * Q.shape[1] ** 0.5),
            "You multiply the scores by √d. Should they become larger or smaller?"),
        "root of the number of keys": (
            way(lambda Q, K: Q @ K.T / len(K) ** 0.5),
            "You divide by the root of the number of keys. What is d?"),
        "root of the number of queries": (
            way(lambda Q, K: Q @ K.T / len(Q) ** 0.5),
            "You divide by the root of the number of queries. What is d?"),
        "keys attend": (
            way(lambda Q, K: K @ Q.T / Q.shape[1] ** 0.5),
            "Your table has a row for each key. What should a row belong to, a query or a key?"),
        "K not transposed": (
            way(lambda Q, K: Q @ K / Q.shape[1] ** 0.5),
            "Q @ K multiplies a query by the columns of K. Are the keys rows or columns of K?"),
    }  # fmt: skip
    if asked is ADDED:
        found |= {
            "multiplied by the mask": (
                mistake_of_combining(np.multiply),
                "You multiply the scores by the mask. Which operation does the task name?"),
            "mask subtracted": (
                mistake_of_combining(np.subtract),
                "You subtract the mask. What is a score minus −∞?"),
            "mask added to the weights": (
                lambda Q, K, mask: way(weights=lambda x, seen: unmasked(x))(Q, K, mask) + mask,
                "You add the mask to the weights. To what should it be added?"),
        }  # fmt: skip
    else:
        found["mask added"] = (mistake_of_combining(np.add), TRUE_IS_1)
    if asked is HIDDEN:
        found |= {
            "multiplied by the mask": (
                mistake_of_combining(np.multiply),
                "You multiply the scores by the mask, so many scores become 0. But e⁰ is 1. For"
                " which score is the power of e 0?"),
            "mask subtracted": (
                mistake_of_combining(lambda scores, mask: scores - mask),
                "You subtract the mask, and True counts as 1. Is the weight of a key 0 if its score"
                " is lower by 1?"),
        }  # fmt: skip
    found["all nan"] = (
        way(weights=lambda x, seen: np.full(x.shape, np.nan)),
        "All your weights are nan. What is 0 times ∞, and what is ∞ minus ∞?",
    )
    return found


WRONG_SCALES = ("no root", "divided by d", "multiplied by the root", "root after the softmax")


def pair_by_pair(Q, K, seen):
    """The reference answer with `seen` in the place of a mask, one query at a time."""
    A = np.zeros((len(Q), len(K)))
    for i, q in enumerate(Q):
        keys = [j for j in range(len(K)) if seen[i, j]]
        if keys:
            A[i, keys] = softmax_of_row([sum(q * K[j]) / len(q) ** 0.5 for j in keys])
    return A


def draw_texts(rng, *sizes, scale=1.0) -> Iterator[tuple]:
    """Random (Q, K, seen) of sizes (n, m, d): each query may attend to at least two keys.

    In each row one key or more is masked.
    """
    for n, m, d in sizes:
        seen = rng.random((n, m)) < 0.5
        for row in seen:
            row[rng.permutation(m)[:3]] = True, True, False
        yield scale * rng.normal(size=(n, d)), rng.normal(size=(m, d)), seen


def exercise(asked: Mask) -> Exercise:
    """The Exercise `attention_weights` with one kind of mask: claims, hints, mistakes, passages."""

    def written(cases):
        return [(Q, K, asked.write(seen)) for Q, K, seen in cases]

    def nothing_masked(rng):
        """Inputs (Q, K, mask) in which no key is masked. They catch a wrong scale."""
        cases = draw_texts(rng, (4, 4, 4), (3, 5, 2), (5, 3, 6), scale=1.5)
        return written((Q, K, np.ones_like(seen)) for Q, K, seen in cases)

    def some_masked(rng):
        """Inputs (Q, K, mask) in which each query may attend to some keys."""
        return written(draw_texts(rng, (4, 4, 1), (3, 5, 1), (5, 4, 1), (5, 5, 1), scale=1.5))

    def rows_without_keys(rng):
        """Inputs (Q, K, mask) with rows in which all keys are masked. They catch nan."""
        for Q, K, seen in draw_texts(rng, (4, 4, 1), (5, 3, 1), (1, 3, 1)):
            seen[rng.permutation(len(Q))[: max(1, len(Q) // 2)]] = False
            yield Q, K, asked.write(seen)

    def extreme_scores(rng):
        """Inputs (Q, K, mask) in which the last key is masked, and scores are very far apart.

        In the first of each five, rows lie thousands apart. In the next two, the masked score is
        larger than the others by thousands and by 720, whose exp is inf. Then the other scores are
        low: some thousands below 0, and −2¹²⁰. They catch a maximum of the wrong scores, an exp
        that is inf, and a low score in the place of −∞. All products are exact in single precision.
        """
        for n, m in ((4, 5), (3, 4)):
            q, k = 256.0 * np.arange(1, n + 1)[:, None], np.round(2 * rng.normal(size=(m, 1)))
            k /= 1024
            seen = np.ones((n, m), dtype=bool)
            seen[:, -1] = False
            last = np.arange(m)[:, None] == m - 1
            yield q, k + 40, asked.write(seen)
            yield q, np.where(last, 40.0, k), asked.write(seen)
            yield np.ones((n, 1)), np.where(last, 720.0, 1024 * k), asked.write(seen)
            yield q, np.where(last, 0.0, k - 40), asked.write(seen)
            yield np.full((n, 1), 2.0**10), np.where(last, 0.0, -(2.0**110)), asked.write(seen)

    def texts_to_leave(rng):
        """Inputs (Q, K, mask) with more than one number for each query, to see what is changed."""
        return written(draw_texts(rng, (4, 4, 4), (3, 5, 2), (5, 4, 6), scale=1.5))

    known = mistakes(asked)
    attention_weights = Exercise(
        name="attention_weights",
        chapter="04_attention",
        number="4.2",
        difficulty=2,
        minutes=15,
        hints=(
            "First make the table of all scores, with a row for each query. Then use the mask."
            " Which score must a masked key have, so that its weight is 0 and the other weights add"
            " up to 1?",
            f"Divide Q Kᵀ by √d. {asked.hint} Subtract from each row its largest score, but if this"
            " is −∞, subtract 0. Apply exp. Divide each row by its sum, but if this is 0, by 1.",
            f"{asked.nearly}\n"
            "top = scores.max(axis=-1, keepdims=True)\n"
            "powers = np.exp(scores - np.where(np.isfinite(top), top, 0))\n"
            "sums = powers.sum(axis=-1, keepdims=True)\n"
            "return powers / np.where(sums > 0, sums, …)  # which number may divide zeros?",
        ),
        right=lambda Q, K, mask: pair_by_pair(Q, K, asked.read(mask)),
        mistakes=[*known.values(), *rounded(weights_function(asked.read))],
        stumbles={
            "matmul": "How many rows and columns have Q, K and Kᵀ?",
            "could not be broadcast": "The mask has a row for each query and a column for each key."
            " Has your table of scores the same shape?",
            "numpy boolean": "`-` does not work with True and False. Which sign turns True into"
            " False?",
            "'invert' not supported": "`~` needs True and False. What does your mask contain?",
            "bad operand type": "`~` and `-` do not work with every kind of mask. What does yours"
            " contain?",
            "makes no table": "Do you return more than one thing? Only the weights are asked for.",
        },
        form=asked.form,
        passages=(f"`mask` {asked.rule}.", f"mask = np.array({asked.example})", asked.code),
    )
    attention_weights.agrees(
        "is the softmax of each row of Q Kᵀ / √d where no key is masked",
        "Take one query and two keys with d = 4 on paper. What are the two dot products, what are"
        " they divided by √4, and what is the softmax?",
        nothing_masked,
    )
    attention_weights.agrees(
        "gives masked keys the weight 0, and the other weights of the row add up to 1",
        "Three scores are equal, and one of the keys is masked. What are the weights of the other"
        " two?",
        some_masked,
    )
    attention_weights.agrees(
        "gives a query whose keys are all masked a row of zeros, not nan",
        "If all scores of a row are −∞, what is −∞ minus the largest of them? And what is 0/0?",
        rows_without_keys,
    )
    attention_weights.agrees(
        "lets a masked key have no influence, however large its score is and however small the"
        " other scores are",
        "A query may attend to keys with the scores 0 and 1, and a masked key has the score 5000."
        " Which largest score do you subtract?",
        extreme_scores,
    )
    add_claim_about_unchanged_inputs(
        attention_weights,
        "does not change Q, K or the mask",
        "Does your function write into Q, K or the mask? `Q /= …` changes the array that was"
        " given.",
        texts_to_leave,
        forgiven=[known[name][0] for name in WRONG_SCALES],
    )
    return attention_weights


attention_weights = exercise(SEEN)
attention_weights.forms = (exercise(HIDDEN), exercise(ADDED))
