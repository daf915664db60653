"""Exercise 2, CBOW: which word is likely in the middle of this company.

h = mean of the company's rows of V      p = softmax(U h)

Whether the company's vectors are averaged or added up may differ from student to student
(firth.checks.variants); word2vec has both, as `cbow_mean` 1 and 0.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from firth.checks.claims import Exercise
from firth.checks.variants import printed


def softmax(x):
    e = np.exp(x - x.max())
    return e / e.sum()


def mean(rows):
    return rows.mean(axis=0)


def total(rows):
    return rows.sum(axis=0)


def guessed(gather, known=lambda company: company[company >= 0], chances=softmax, swapped=False):
    """A way of guessing: how vectors are gathered, of which words, and scores made chances."""

    def cbow_forward(U, V, company):
        U, V = (V, U) if swapped else (U, V)
        return chances(U @ gather(V[known(np.asarray(company))]))

    return cbow_forward


def one_at_a_time(gather):
    """A guess for each word of the company, and only then the mean."""

    def cbow_forward(U, V, company):
        return np.mean([softmax(U @ gather(V[[w]])) for w in company if w >= 0], axis=0)

    return cbow_forward


def divided_by_places(U, V, company):
    company = np.asarray(company)
    return softmax(U @ V[company[company >= 0]].sum(axis=0) / len(company))


def one_table(gather, table):
    return lambda U, V, company: guessed(gather)(table(U, V), table(U, V), company)


ONE_TABLE = (
    "Each word has two vectors: which table holds those of the company, and which those of the"
    " words to be guessed? You use one table twice."
)
UNDIVIDED = "Do your chances add up to 1? What must be divided by?"
NOT_CHANCES = "Those are scores: what turns them into chances, above 0 and together 1?"


def mistakes(gather: Callable, other: list) -> list:
    """What goes wrong in guessing, with the mean or with the sum."""
    return [
        (
            guessed(gather, chances=lambda x: np.exp(x) / np.exp(x).sum()),
            "What is e to the power of 800 in NumPy? Softmax stays the same if the greatest score"
            " is taken off all of them first: how do you use that?",
        ),
        (
            guessed(gather, chances=lambda x: np.exp(x - x.min()) / np.exp(x - x.min()).sum()),
            "You take the least score off, and the greatest may still be 1600: which one should it"
            " be, so that no exponent is above 0?",
        ),
        (
            guessed(gather, chances=lambda x: np.exp(x - x.mean()) / np.exp(x - x.mean()).sum()),
            "You take something off, but not the greatest: how far may that lie above the mean?",
        ),
        (
            guessed(gather, chances=lambda x: np.exp(x - x[0]) / np.exp(x - x[0]).sum()),
            "You take off the score of some one word, and not the greatest: how far may the"
            " greatest lie above it?",
        ),
        (
            guessed(gather, chances=lambda x: np.exp(x - x.max()) / np.exp(x).sum()),
            "You take the greatest score off in the numerator: and in the sum below?",
        ),
        (
            guessed(gather, known=lambda company: company[company > 0]),
            "Words are numbered from 0 on: is word 0 not known?",
        ),
        (
            guessed(gather, swapped=True),
            "You look the company up in U and compare with V: which table holds the words as"
            " company that is given, and which the words that are guessed?",
        ),
        (one_table(gather, lambda U, V: V), ONE_TABLE),
        (one_table(gather, lambda U, V: U), ONE_TABLE),
        (
            guessed(gather, known=lambda company: company),
            "Which row is V[-1]? A word numbered −1 has no vector and is left out.",
        ),
        (
            guessed(gather, known=lambda company: np.maximum(company, 0)),
            "You take word 0 for a word that is not known: should it not be left out?",
        ),
        (
            guessed(gather, known=lambda company: np.unique(company[company >= 0])),
            "If a word stands in the window twice, how often does its vector count?",
        ),
        (
            guessed(gather, known=lambda company: company[company >= 0][:1]),
            "You look at the first word alone: what do the others in the window say?",
        ),
        (guessed(gather, chances=lambda x: x), NOT_CHANCES),
        (
            guessed(gather, chances=lambda x: 1 / (1 + np.exp(-x))),
            "σ treats every word on its own: do your chances add up to 1?",
        ),
        (guessed(gather, chances=np.exp), UNDIVIDED),
        (guessed(gather, chances=lambda x: np.exp(x - x.max())), UNDIVIDED),
        (
            guessed(gather, chances=lambda x: x / x.sum()),
            "Scores may be below 0, and so may their sum: where does e come in?",
        ),
        (
            guessed(gather, chances=lambda x: softmax(-x)),
            "The word with the least score gets the greatest chance: which sign does the score have"
            " in the exponent?",
        ),
        (
            guessed(gather, chances=lambda x: np.log(softmax(x))),
            "Those are logarithms of chances: is it the chances themselves that are asked for?",
        ),
        (
            guessed(gather, chances=lambda x: -np.log(softmax(x))),
            "Those are losses, −log of each chance: is it the chances themselves that are asked"
            " for?",
        ),
        (
            guessed(gather, chances=lambda x: softmax(x) @ np.arange(len(x))),
            "You return one number: should every word of the vocabulary not have a chance?",
        ),
        (
            guessed(gather, chances=lambda x: np.argmax(x)),
            "You return the best guess: how sure is the network, and of every other word?",
        ),
        (
            one_at_a_time(gather),
            "You guess from each word of the company alone and put the guesses together: what"
            " should be put together before anything is guessed?",
        ),
        *other,
    ]


class Gathering(NamedTuple):
    """How the company's vectors become one, and what it is called in each place."""

    form: str
    gather: Callable
    noun: str
    code: str
    by_hand: str
    scores: str
    other: list[tuple[Callable, str]]  # what comes of gathering in another way


MEAN = Gathering(
    "mean of the company",
    mean,
    "mean",
    "mean(axis=0)",
    "(0.5, 0.5)",
    "1, 0 and −1",
    [
        (
            guessed(total),
            "You add the company up: should four words shout four times as loud as one?",
        ),
        (
            divided_by_places,
            "You divide by the width of the window: by how many words that are known?",
        ),
    ],
)
SUM = Gathering(
    "sum of the company",
    total,
    "sum",
    "sum(axis=0)",
    "(1, 1)",
    "2, 0 and −2",
    [(guessed(mean), "You take the mean: is it the mean or the sum that is asked for?")],
)


def tables(rng, n, d=4):
    return rng.normal(size=(2, n, d)) * 1.3


def companies(rng):
    for n, words in ((5, 2), (8, 4), (6, 3)):
        U, V = tables(rng, n)
        yield U, V, rng.permutation([0, *(1 + rng.permutation(n - 1)[: words - 1])])


def great_scores(rng):
    """One word of company, and scores near 800 or near −800: all of them, or some and some.

    Where more are great than small, the mean may be taken off them; where fewer, it may not. The
    first and the last are great where few are, and small where many are great.
    """
    some = [sign * np.r_[1, rng.permutation([1, -1, -1, -1, -1, -1]), 1] for sign in (1, -1)]
    for n, sign in ((7, 1), (9, -1), (8, some[0]), (8, some[1])):
        U, V = tables(rng, n)
        U[:, 0], V[:, 0] = sign * 28.4, 28.4  # 28.4² is beyond 709, where e to the power ends
        yield U, V, rng.integers(1, n, size=1)


def unknown_words(rng):
    for n in (7, 9):
        U, V = tables(rng, n)
        words = rng.permutation(np.arange(1, n - 1))[:2]
        yield U, V, np.array([words[0], -1, words[1]])
        yield U, V, np.array([-1, words[1], words[0], -1])


def twice(rng):
    for n in (7, 9):
        U, V = tables(rng, n)
        a, b = 1 + rng.permutation(n - 1)[:2]
        yield U, V, np.array([a, b, a])


def worked(right: Callable) -> np.ndarray:
    """The example of the notebook."""
    U = np.array([[2, 0], [0, 0], [0, -2]])
    return right(U, np.eye(3, 2), np.array([0, 1])).round(2)


def passages(asked: Gathering, right: Callable) -> tuple[str, ...]:
    """What the notebook says of the gathering, and the example that is worked by hand there."""
    p = worked(right)
    chances = ", ".join(f"{x:.2f}" for x in p)
    return (
        f"the **{asked.noun}** of the company's rows",
        f"$h$ = {asked.by_hand}, the scores are {asked.scores}, and their softmax is {chances}.",
        f"from the {asked.noun} of its company.",
        printed(p),
    )


def question(asked: Gathering) -> Exercise:
    """The question, with all that belongs to it, for the mean or the sum."""
    right = guessed(asked.gather)
    cbow_forward = Exercise(
        name="cbow_forward",
        chapter="02_word2vec",
        number="2.2",
        difficulty=2,
        minutes=12,
        hints=(
            "The company becomes one vector; then every word of the vocabulary is asked how well it"
            " goes with that vector.",
            f"Keep the company's numbers that are not −1, take the {asked.noun} of their rows of V,"
            " multiply U by it, and give the scores to softmax: e to the power of each score (less"
            " the greatest), divided by their sum.",
            f"h = V[company[company >= 0]].{asked.code}\n"
            "scores = U @ h\n"
            "e = np.exp(scores - …)  # what keeps e from overflowing?\n"
            "return e / e.sum()",
        ),
        right=right,
        mistakes=mistakes(asked.gather, asked.other),
        form=asked.form,
        passages=passages(asked, right),
    )
    cbow_forward.agrees(
        f"is the softmax of U h, with h the {asked.noun} of the company's rows of V",
        "For a company of two words, on paper: what is h, what is its dot product with each row"
        " of U?",
        companies,
    )
    cbow_forward.agrees(
        "holds chances that add up to 1 even where the scores are 800 or −800",
        "What is e to the power of 800 in NumPy, and what of −800? Which number may be taken off"
        " all the scores first?",
        great_scores,
    )
    cbow_forward.agrees(
        "leaves a word that is not known (−1) out of the company",
        "Which row is V[-1], and should it have a say?",
        unknown_words,
    )
    cbow_forward.agrees(
        "lets a word that stands in the window twice count twice",
        "Does your company hold numbers of words, or did a set swallow one?",
        twice,
    )
    return cbow_forward


cbow_forward = question(MEAN)
cbow_forward.forms = (question(SUM),)
