"""Exercise 6, ways of reckoning the loss: the right one, and what goes wrong.

scores = E x + b, a row of E for each word;   J = −mean of log softmax(scores)[id] over the chosen
"""

import math

import numpy as np

from firth.checks.bert import fitting


def one_by_one(X, E, b, ids, chosen):
    """The right answer, a chosen token at a time."""
    losses = []
    for x, word, is_chosen in zip(X, ids, chosen, strict=True):
        if is_chosen:
            scores = [math.fsum(e * x) + bias for e, bias in zip(E, b, strict=True)]
            top = max(scores)
            losses.append(top + math.log(sum(math.exp(s - top) for s in scores)) - scores[word])
    return sum(losses) / len(losses)


def logs(scores, axis=-1):
    shifted = scores - scores.max(axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))


def costed(
    score=lambda X, E, b: X @ E.T + b,
    log=logs,
    pick=lambda table, ids: -table[np.arange(len(ids)), ids],
    mean=lambda losses, chosen: losses[chosen].mean(),
    prepare=lambda X, chosen: X,
):
    """A way of reckoning the loss, the right one by default."""

    @fitting
    def mlm_loss(X, E, b, ids, chosen):
        return mean(pick(log(score(prepare(X, chosen), E, b)), ids), chosen)

    return mlm_loss


@fitting
def among_the_chosen(X, E, b, ids, chosen):
    table = logs(X[chosen] @ E.T + b, axis=0)
    return -table[np.arange(len(table)), ids[chosen]].mean()


def naive(scores):
    return np.log(np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True))


def lifted(little):
    return lambda scores: np.log(np.exp(logs(scores)) + little)


def bounded(little):
    return lambda scores: np.log(np.maximum(np.exp(logs(scores)), little))


def half_shifted(scores):
    """Takes the greatest off inside the exponentials, and leaves the score itself as it is."""
    shifted = scores - scores.max(axis=-1, keepdims=True)
    return scores - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def spread(X, E, b, ids, chosen):
    """Takes the columns of all the true words in every row."""
    return -logs(X[chosen] @ E.T + b)[:, ids[chosen]].mean()


@fitting
def first_words(X, E, b, ids, chosen):
    """Cuts the states down to the chosen ones, and takes the ids from the first on."""
    table = logs(X[chosen] @ E.T + b)
    return -table[np.arange(len(table)), ids[: len(table)]].mean()
