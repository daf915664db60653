"""Exercise 2.2: the forward pass of CBOW, which predicts a centre word from its context words.

h = mean of the context words' rows of V      p = softmax(U h)

Whether the vectors are averaged or added up depends on the student's form of the question
(firth.checks.variants). word2vec has both, as `cbow_mean` 1 and 0.

Only the first claim sees how long h is. The context words of the second and third claim are a
single known word, and the fourth looks only at the direction of the scores.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from firth.checks.claims import Exercise
from firth.checks.variants import printed

Mistakes = dict[str, tuple[Callable, str]]  # name → the wrong function and its question


def softmax(x):
    """The softmax of the scores x, computed without overflow: probabilities that add up to 1."""
    e = np.exp(x - x.max())
    return e / e.sum()


def mean_of_rows(rows):
    """The mean of the rows, one vector."""
    return rows.mean(axis=0)


def sum_of_rows(rows):
    """The sum of the rows, one vector."""
    return rows.sum(axis=0)


def forward_function(
    gather, known=lambda context: context[context >= 0], output=softmax, swapped=False
) -> Callable:
    """A function `cbow_forward(U, V, context)`: the reference answer, or a mistake.

    With the other default arguments it is the reference answer. `gather` makes h of the rows of V,
    `known` keeps the words that have a row, and `output` turns the scores into the result. If
    `swapped` is true, U and V have changed places.
    """

    def cbow_forward(U, V, context):
        U, V = (V, U) if swapped else (U, V)
        return output(U @ gather(V[known(np.asarray(context))]))

    return cbow_forward


def mistake_one_matrix(gather, matrix) -> Callable:
    """A wrong `cbow_forward` that uses one matrix, `matrix(U, V)`, instead of both.

    `gather` takes the mean or the sum of the context vectors.
    """
    return lambda U, V, context: forward_function(gather)(matrix(U, V), matrix(U, V), context)


def mistake_word_by_word(gather) -> Callable:
    """A wrong `cbow_forward` that predicts from each context word and averages the predictions.

    `gather` takes the mean or the sum, here of a single vector.
    """

    def cbow_forward(U, V, context):
        return np.mean([softmax(U @ gather(V[[w]])) for w in context if w >= 0], axis=0)

    return cbow_forward


def mistake_divided_by_window(U, V, context):
    """The probabilities of a wrong answer that divides by the number of all context words.

    It should divide by the number of those that have a vector.
    """
    context = np.asarray(context)
    return softmax(U @ V[context[context >= 0]].sum(axis=0) / len(context))


ONE_MATRIX = (
    "You use one matrix for everything. Which matrix holds the vectors of the context words, and"
    " which the vectors of the words that are predicted?"
)
NOT_DIVIDED = "Do your numbers add up to 1? By what must you divide them?"


def mistakes(gather: Callable, others: Mistakes) -> Mistakes:
    """The known mistakes as {name: (wrong function, question to its author)}.

    `gather` takes the mean or the sum, as this form of the exercise asks, and `others` holds the
    mistakes that exist in this form only.
    """

    def output(formula):
        return forward_function(gather, output=formula)

    def known(words):
        return forward_function(gather, known=words)

    return {
        "overflow": (
            output(lambda x: np.exp(x) / np.exp(x).sum()),
            "What is e to the power of 800 in NumPy? Softmax gives the same if you first subtract"
            " the largest score from all scores. How do you use that?",
        ),
        "smallest subtracted": (
            output(lambda x: np.exp(x - x.min()) / np.exp(x - x.min()).sum()),
            "You subtract the smallest score, and the largest may still be 1,600. Which score must"
            " you subtract, so that no exponent is above 0?",
        ),
        "mean subtracted": (
            output(lambda x: np.exp(x - x.mean()) / np.exp(x - x.mean()).sum()),
            "You subtract the mean of the scores. How far can the largest score be above the mean?",
        ),
        "first subtracted": (
            output(lambda x: np.exp(x - x[0]) / np.exp(x - x[0]).sum()),
            "You subtract the first score. How far can the largest score be above it?",
        ),
        "subtracted in the numerator only": (
            output(lambda x: np.exp(x - x.max()) / np.exp(x).sum()),
            "You subtract the largest score in the numerator. Do you also subtract it in the sum?",
        ),
        "word 0 unknown": (
            known(lambda context: context[context > 0]),
            "You leave out word 0. Which numbers stand for a known word?",
        ),
        "matrices swapped": (
            forward_function(gather, swapped=True),
            "You take the context words' rows of U, and compare with V. Which matrix holds the"
            " vectors of the context words here?",
        ),
        "V twice": (mistake_one_matrix(gather, lambda U, V: V), ONE_MATRIX),
        "U twice": (mistake_one_matrix(gather, lambda U, V: U), ONE_MATRIX),
        "unknown word in the last row": (
            known(lambda context: context),
            "Which row is V[-1]? The number −1 stands for a word without a vector.",
        ),
        "unknown word as word 0": (
            known(lambda context: np.maximum(context, 0)),
            "You replace an unknown word by word 0. How can you leave it out?",
        ),
        "each word once": (
            known(lambda context: np.unique(context[context >= 0])),
            "A word stands in the context twice. How often does its vector count in your function?",
        ),
        "first word only": (
            known(lambda context: context[context >= 0][:1]),
            "You use the first context word only. What about the others?",
        ),
        "scores": (
            output(lambda x: x),
            "Those are the scores. What turns them into probabilities that add up to 1?",
        ),
        "logistic function": (
            output(lambda x: 1 / (1 + np.exp(-x))),
            "You use σ, which looks at each word by itself. Do your probabilities add up to 1?",
        ),
        "not divided": (output(np.exp), NOT_DIVIDED),
        "largest subtracted, not divided": (output(lambda x: np.exp(x - x.max())), NOT_DIVIDED),
        "no exponential": (
            output(lambda x: x / x.sum()),
            "You divide the scores by their sum. Scores can be negative. Where is e in your"
            " function?",
        ),
        "sign of the scores": (
            output(lambda x: softmax(-x)),
            "The word with the smallest score gets the largest probability. Which sign does the"
            " score have in the exponent?",
        ),
        "log-probabilities": (
            output(lambda x: np.log(softmax(x))),
            "Those are the logarithms of the probabilities. Can you return the probabilities?",
        ),
        "losses": (
            output(lambda x: -np.log(softmax(x))),
            "Those are losses, −log of each probability. Can you return the probabilities?",
        ),
        "one number": (
            output(lambda x: softmax(x) @ np.arange(len(x))),
            "You return one number. Should each word of the vocabulary not have a probability?",
        ),
        "best word": (
            output(lambda x: np.argmax(x)),
            "You return the most probable word. What is the probability of each word?",
        ),
        "word by word": (
            mistake_word_by_word(gather),
            "You predict from each context word by itself and then average. Should the vectors not"
            " be put together first, so that there is one prediction?",
        ),
        **others,
    }


class Gathering(NamedTuple):
    """One form of the question: how the vectors are put together, and the texts that say so."""

    form: str
    gather: Callable
    noun: str
    code: str
    by_hand: str
    scores: str
    others: Mistakes  # what comes of another way of putting them together


MEAN = Gathering(
    "mean of the context",
    mean_of_rows,
    "mean",
    "mean(axis=0)",
    "(0.5, 0.5)",
    "1, 0 and −1",
    {
        "sum": (
            forward_function(sum_of_rows),
            "You add up the vectors of the context words. Where do you divide by how many they"
            " are?",
        ),
        "divided by the window": (
            mistake_divided_by_window,
            "You divide by the number of all context words. How many of them have a vector?",
        ),
    },
)
SUM = Gathering(
    "sum of the context",
    sum_of_rows,
    "sum",
    "sum(axis=0)",
    "(1, 1)",
    "2, 0 and −2",
    {
        "mean": (
            forward_function(mean_of_rows),
            "You take the mean of the context words' vectors. Is the mean or the sum asked for?",
        )
    },
)


def random_matrices(rng, n, d=4) -> np.ndarray:
    """Random matrices U and V with a row of d entries for each of n words, in one array."""
    return rng.normal(size=(2, n, d)) * 1.3


def known_contexts(rng) -> Iterator[tuple]:
    """Inputs (U, V, context): two to four different context words, one of them word 0.

    Word 0 catches an answer that keeps only ids above 0. There are several words, so that the mean,
    the sum and the first word are all different.
    """
    for n, words in ((5, 2), (8, 4), (6, 3)):
        U, V = random_matrices(rng, n)
        yield U, V, rng.permutation([0, *(1 + rng.permutation(n - 1)[: words - 1])])


def large_scores(rng) -> Iterator[tuple]:
    """Inputs (U, V, context) with one context word, and scores near 800 and −800.

    e to the power of 800 is infinite in NumPy, and e to the power of −800 is 0. In the third input
    only few scores are large, so that the largest is far above the mean and above the first one. In
    the fourth, only few are small. This catches an answer that subtracts another number than the
    largest score.
    """
    mixed = [sign * np.r_[1, rng.permutation([1, -1, -1, -1, -1, -1]), 1] for sign in (1, -1)]
    for n, sign in ((7, 1), (9, -1), (8, mixed[0]), (8, mixed[1])):
        U, V = random_matrices(rng, n)
        U[:, 0], V[:, 0] = sign * 28.4, 28.4  # 28.4 · 28.4 = 807
        yield U, V, rng.integers(1, n, size=1)


def contexts_with_unknown_words(rng) -> Iterator[tuple]:
    """Inputs (U, V, context): one known word, and one or two unknown words (−1).

    This catches an answer that takes V[-1], or the row of word 0, for an unknown word. There is a
    single known word, so that mean and sum are equal.
    """
    for n in (7, 9):
        U, V = random_matrices(rng, n)
        word = int(rng.integers(1, n - 1))
        yield U, V, np.array([word, -1])
        yield U, V, np.array([-1, word, -1])


def contexts_with_a_word_twice(rng) -> Iterator[tuple]:
    """Inputs (U, V, context): one word stands twice in the context, and another one once.

    This catches an answer that makes a set of the context words.
    """
    for n in (7, 9):
        U, V = random_matrices(rng, n)
        a, b = 1 + rng.permutation(n - 1)[:2]
        yield U, V, np.array([a, b, a])


def direction_of_scores(p, right) -> np.ndarray:
    """The logarithms of the probabilities p, minus their mean, scaled to norm 1.

    They are the scores before the softmax, without their mean and their scale. The vectors' sum
    gives larger scores than their mean, but in the same direction, so a mistake between the two
    costs no point in this claim. An array that is no probability distribution stays as it is.
    `right`, the right answer, is not used.
    """
    if not (p > 0).all() or abs(p.sum() - 1) > 1e-6:
        return p
    scores = np.log(p) - np.log(p).mean()
    return scores / max(np.linalg.norm(scores), 1e-12)


def worked_example(right: Callable) -> np.ndarray:
    """What `right` returns for the example of the notebook, rounded to two decimals."""
    U = np.array([[2, 0], [0, 0], [0, -2]])
    return right(U, np.eye(3, 2), np.array([0, 1])).round(2)


def passages(asked: Gathering, right: Callable) -> tuple[str, ...]:
    """The phrases of the notebook that differ between mean and sum, as a tuple of strings.

    `asked` is the form of the exercise, mean or sum, and `right` its reference answer.
    """
    p = worked_example(right)
    first, second, third = (f"{x:.2f}" for x in p)
    return (
        f"the **{asked.noun}** of the context words' rows",
        f"$h$ = {asked.by_hand}. The scores are {asked.scores}, and their softmax is {first},"
        f" {second} and {third}.",
        f"from the {asked.noun} of the context.",
        printed(p),
    )


def build_exercise(asked: Gathering) -> Exercise:
    """The Exercise `cbow_forward` for the mean or the sum, with its claims, hints and mistakes.

    `asked` says which of the two a student is asked for, and holds the phrases that depend on it.
    """
    right = forward_function(asked.gather)
    cbow_forward = Exercise(
        name="cbow_forward",
        chapter="02_word2vec",
        number="2.2",
        difficulty=2,
        minutes=12,
        hints=(
            "The context words become one vector h. Then each word of the vocabulary gets a score:"
            " how well does it go with h?",
            f"Keep the numbers that are not −1, and take the {asked.noun} of their rows of V. The"
            " scores are U @ h. For the softmax, subtract the largest score, raise e to the power"
            " of each score, and divide by the sum.",
            f"h = V[context[context >= 0]].{asked.code}\n"
            "scores = U @ h\n"
            "e = np.exp(scores - …)  # which number keeps every exponent at 0 or below?\n"
            "return e / e.sum()",
        ),
        right=right,
        mistakes=mistakes(asked.gather, asked.others),
        form=asked.form,
        passages=passages(asked, right),
    )
    cbow_forward.agrees(
        f"is the softmax of U h, where h is the {asked.noun} of the context words' rows of V",
        "Take a context of two words on paper. What is h, and what is its dot product with each"
        " row of U?",
        known_contexts,
    )
    cbow_forward.agrees(
        "returns probabilities that add up to 1, even if the scores are 800 or −800",
        "What is e to the power of 800 in NumPy, and of −800? Which number can you subtract from"
        " all scores first?",
        large_scores,
    )
    cbow_forward.agrees(
        "leaves out an unknown context word (−1)",
        "Which row is V[-1]? What does your function do with a −1?",
        contexts_with_unknown_words,
    )
    cbow_forward.agrees(
        "counts a word twice that stands in the context twice",
        "Take the context 1 2 1. How often does the vector of word 1 count?",
        contexts_with_a_word_twice,
        view=direction_of_scores,
    )
    return cbow_forward


cbow_forward = build_exercise(MEAN)
cbow_forward.forms = (build_exercise(SUM),)
