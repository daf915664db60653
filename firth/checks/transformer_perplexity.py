"""Exercise 5, judging: how many tokens a model hesitates between, on average.

perplexity = exp(−mean log softmax(scores_t)[ids_{t+1}])      t = 0 … T − 2
"""

import math

import numpy as np

from firth.checks.activations import softmax
from firth.checks.claims import Exercise
from firth.checks.mistakes import fitting


def one_by_one(scores, ids):
    """The right answer, a token at a time."""
    losses = []
    for row, token in zip(scores[:-1], ids[1:], strict=True):
        top = max(row)
        losses.append(top + math.log(sum(math.exp(x - top) for x in row)) - row[token])
    return math.exp(sum(losses) / len(losses))


def logs(scores, axis=-1):
    shifted = scores - scores.max(axis=axis, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))


def judged(
    log=logs,
    rows=lambda scores, ids: (scores[:-1], ids[1:]),
    end=lambda losses: np.exp(losses.mean()),
    pick=lambda which, tokens: which[np.arange(len(tokens)), tokens],
):
    """A way of judging, the right one by default."""

    @fitting
    def perplexity(scores, ids):
        which, tokens = rows(log(scores), ids)
        return end(-pick(which, tokens))

    return perplexity


def unstable(scores):
    return np.log(np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True))


def lifted(n, how=np.add):
    """A little is added to each probability, or the least are raised to it, lest one be 0."""
    return lambda scores: np.log(how(softmax(scores), n))


LITTLE = [*(10.0**-n for n in range(5, 17)), np.finfo(float).eps]
LIFTED = (
    "Do you add a little to each probability, or raise the least? Then a token that had hardly any"
    " costs too little: what does softmax give it?"
)
SHORT = (
    "A pair is missing: the sum goes from 0 to T − 2, and T − 2 belongs to it. Where does"
    " range(T - 2) end?"
)
SAME = "You judge row t by token t, which it has seen: which token does it foretell?"
COUNTED = "How many tokens are foretold, in a text of T? You divide by one more."
OVERFLOW = "What is exp(1000)? Subtract from each row its greatest score: does that change softmax?"
perplexity = Exercise(
    name="perplexity",
    chapter="05_transformer",
    number="5.7",
    difficulty=2,
    minutes=12,
    hints=(
        "A text of three tokens: which of them does the model foretell, and from which rows? Which"
        " row has nothing to be judged by?",
        "Rows 0 to T − 2 (scores[:-1]) are judged by tokens 1 to T − 1 (ids[1:]). Take of each row"
        " the log-probability of its token; then exp of minus the mean.",
        "p = softmax(scores[:-1])\n"
        "right = p[np.arange(len(ids) - 1), …]  # the token that came\n"
        "return np.exp(-np.log(right).…)",
    ),
    right=one_by_one,
    stumbles={
        "out of bounds": "Rows and tokens: how many pairs are there, in a text of T?",
        "broadcast": "As many rows as tokens to judge them by: which row is left over?",
    },
)
perplexity.mistakes = [
    (judged(rows=lambda logs, ids: (logs, ids)), SAME),
    (judged(rows=lambda logs, ids: (logs[:-1], ids[:-1])), SAME),
    (judged(rows=lambda logs, ids: (logs[1:], ids[1:])), SAME),
    (
        judged(rows=lambda logs, ids: (logs[1:], ids[:-1])),
        "You judge a row by the token before: does the model foretell the past?",
    ),
    (
        judged(rows=lambda logs, ids: (logs, np.roll(ids, -1))),
        "The last row is judged by the first token (np.roll goes round): what comes after the end?",
    ),
    *(
        (judged(rows=lambda logs, ids: (logs[:-2], ids[1:-1]), end=end), SHORT)
        for end in (
            lambda losses: np.exp(losses.sum() / max(1, len(losses))),
            lambda losses: np.exp(losses.sum() / (len(losses) + 1)),
        )
    ),
    (
        judged(pick=lambda which, tokens: which * np.eye(which.shape[1])[tokens]),
        "You divide by all entries of the table, and most are 0: how many tokens are foretold?",
    ),
    (judged(end=lambda losses: losses.mean()), "That is the mean loss: where is exp?"),
    (
        judged(end=lambda losses: np.exp(-losses.mean())),
        "Yours is below 1: the better the model, the smaller it should be. Which sign is in exp?",
    ),
    (judged(end=lambda losses: losses.sum()), "That is the sum of the losses: mean, then exp?"),
    (
        judged(end=lambda losses: np.exp(losses.sum())),
        "You add up over the text: should a longer text be so much worse? Take the mean first.",
    ),
    (judged(end=lambda losses: np.exp(losses.sum() / (len(losses) + 1))), COUNTED),
    (
        judged(end=lambda losses: 2 ** losses.mean()),
        "2 to the power of a natural logarithm? Which base undoes log?",
    ),
    (
        judged(end=lambda losses: np.exp(losses.mean() / np.log(2))),
        "e to the power of bits? Which base undoes log2?",
    ),
    (
        judged(end=lambda losses: np.exp(losses).mean()),
        "You take the mean of 1/p: first the mean of the losses, then exp?",
    ),
    (
        judged(end=lambda losses: 1 / np.exp(-losses).mean()),
        "You take the mean of the probabilities: first log, then the mean?",
    ),
    (
        judged(end=lambda losses: np.exp(np.median(losses))),
        "The median? It forgives the one token that nobody expected: is it not the mean?",
    ),
    (judged(end=lambda losses: np.exp(losses)), "One number is asked for: what of the mean?"),
    (
        judged(log=lambda scores: scores),
        "You take the scores themselves: where is the softmax?",
    ),
    (
        judged(log=softmax),
        "You take the probabilities: where is the log?",
    ),
    (
        judged(log=lambda scores: logs(scores, axis=0)),
        "Along which axis do the probabilities add up to 1: the time, or the tokens?",
    ),
    (
        judged(pick=lambda which, tokens: which[:, tokens]),
        "You take from every row the probabilities of all tokens that came. One number a"
        " row: what does [np.arange(T - 1), ids[1:]] take?",
    ),
    (
        judged(pick=lambda which, tokens: which),
        "You take the mean over the whole row: which of its tokens came?",
    ),
    (judged(log=unstable), OVERFLOW),
    (judged(log=lambda x: x - np.log(np.exp(x).sum(axis=-1, keepdims=True))), OVERFLOW),
    *((judged(log=lifted(n, how)), LIFTED) for n in LITTLE for how in (np.add, np.maximum)),
]


def texts(rng):
    for T, n in ((5, 4), (4, 6), (7, 5)):
        yield 1.5 * rng.normal(size=(T, n)), rng.integers(0, n, size=T)


def undecided(rng):
    """Every token is as likely as any: then it makes no difference which rows are judged."""
    for T in (2, 5, 4):
        n = int(rng.integers(3, 60))
        yield np.full((T, n), rng.normal()), rng.integers(0, n, size=T)


def steep(rng):
    """Rows thousands high or low, and once what comes is what hardly anything spoke for.

    No probability is too small for a float: softmax and then log may be taken.
    """
    for T, n in ((4, 5), (6, 3)):
        scores = 1.5 * rng.normal(size=(T, n)) - 4000
        yield scores + 2000.0 * rng.permutation(T)[:, None], rng.integers(0, n, size=T)
    scores, ids = 1.5 * rng.normal(size=(5, 4)) + 3000, rng.integers(0, 4, size=5)
    scores[np.arange(4), ids[1:]] -= rng.uniform(45, 60, size=4)
    yield scores, ids


perplexity.agrees(
    "is n where the model holds all n tokens for equally likely",
    "Two tokens, equally likely: what is −log of 1/2, and exp of that?",
    undecided,
)
perplexity.agrees(
    "judges each row by the token that came next, and the last row by none",
    "Row 0 was made after token 0 had been read: which token does it foretell?",
    texts,
)
perplexity.agrees(
    "is right where scores are in the thousands, and where a token comes that had hardly any"
    " probability; and leaves scores and ids as they were",
    "Scores 3000 and 2970: what are the two probabilities, and what is −log of the lesser one?",
    steep,
    untouched="Do you write into the scores? Somebody may still need them.",
)
