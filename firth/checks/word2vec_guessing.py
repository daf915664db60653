"""Exercise 2, ways of guessing a word from its company: the right one, and what goes wrong.

p = softmax(U gather(rows of V)),   gather = mean or total
"""

from collections.abc import Callable

import numpy as np


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
