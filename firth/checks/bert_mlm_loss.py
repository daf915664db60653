"""Exercise 6, the loss: how surprised a network is by the tokens that it had to guess.

scores = E x + b, a row of E for each word;   J = −mean of log softmax(scores)[id] over the chosen
"""

import math

import numpy as np

from firth.checks.claims import Exercise
from firth.checks.mistakes import fitting


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


ALL = "You take the mean over all tokens: which of them did the network have to guess?"
OVERFLOW = (
    "What is exp(1000), and what is log of 0? Subtract from each row of scores its greatest first;"
    " and log softmax(x) = x − log Σ exp x needs no p."
)
LARGE = (
    "Do the claims above hold? If so: what becomes of exp(x) where x is 1000, and of its log where"
    " x is −1000?"
)
LIFTED = (
    "Do you add a little inside the log, or keep p above a little? Then a word that was thought"
    " impossible costs too little."
)
COLUMNS = "Along which axis do the probabilities add up to 1: the tokens of the text, or the words?"
mlm_loss = Exercise(
    name="mlm_loss",
    chapter="06_bert",
    number="6.3",
    difficulty=2,
    minutes=15,
    hints=(
        "First throw away all that does not count: which rows of X, and which ids, are left? What"
        " remains is the loss of chapter 5, with nothing shifted.",
        "scores = X[chosen] @ E.T + b: a row for each chosen token, a column for each word. Less"
        " each row's greatest, less the log of the sum of exp of that: log softmax. Take in each"
        " row the column of the word that stood there; minus the mean.",
        "scores = X[chosen] @ E.T + b\n"
        "scores = scores - scores.max(axis=1, keepdims=True)\n"
        "logs = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))\n"
        "return -logs[np.arange(len(logs)), …].mean()  # which word stood there?",
    ),
    right=one_by_one,
    stumbles={
        "matmul": "Which shapes meet? X is n × d and E is words × d: X @ E.T.",
        "out of bounds": "Rows and words: a row for each chosen token, and its own id of `ids`?",
        "operands could not be broadcast": "One number for each row, beside a table: does it stand"
        " in a column (keepdims=True, or [:, None])? And are all cut down to the chosen ones?",
        "indexing arrays": "As many rows as ids: are both cut down to the chosen ones?",
        "boolean index": "`chosen` has an entry for each token: which arrays have as many rows?",
    },
)
mlm_loss.mistakes = [
    (costed(mean=lambda losses, chosen: losses.mean()), ALL),
    (costed(mean=lambda losses, chosen: (losses * chosen).mean()), ALL + " And divide by so many."),
    (
        costed(mean=lambda losses, chosen: losses.sum() / chosen.sum()),
        "You divide by the number of the chosen: is the loss of the others still in the sum?",
    ),
    (
        costed(mean=lambda losses, chosen: losses[chosen].sum()),
        "That is the sum: by what is it divided, so that a longer text costs no more?",
    ),
    (
        costed(mean=lambda losses, chosen: losses[~chosen].sum() / (~chosen).sum()),
        "You judge the tokens that nobody has chosen: is that what `~` does there?",
    ),
    (
        costed(
            prepare=lambda X, chosen: X * chosen[:, None],
            mean=lambda losses, chosen: losses.mean(),
        ),
        "A state of zeros still has scores, b, and costs something: leave the others out instead?",
    ),
    (
        costed(
            prepare=lambda X, chosen: X * chosen[:, None],
            mean=lambda losses, chosen: losses.sum() / chosen.sum(),
        ),
        "A state of zeros still has scores, b, and costs something: leave the others out instead?",
    ),
    (
        costed(score=lambda X, E, b: X @ E.T),
        "Where is b? Each word has a number of its own, which is added to its score.",
    ),
    (
        costed(score=lambda X, E, b: X @ E.T - b),
        "b is taken off: is it not added?",
    ),
    (
        costed(score=lambda X, E, b: X @ E + b),
        "X @ E takes E by its columns: is a word not a row of E? X @ E.T",
    ),
    (
        costed(log=lambda scores: scores),
        "You take the score itself: where is the softmax? A score is high only beside the others.",
    ),
    (
        costed(log=lambda scores: np.exp(logs(scores))),
        "You take the probability: where is the log?",
    ),
    (
        costed(pick=lambda table, ids: table[np.arange(len(ids)), ids]),
        "Your loss has the other sign: is log p above or below 0?",
    ),
    (
        costed(mean=lambda losses, chosen: losses[chosen].mean() / np.log(2)),
        "Everything is too large by 1/log 2 = 1.44: which logarithm is asked for?",
    ),
    (
        costed(mean=lambda losses, chosen: losses[chosen].mean() / np.log(10)),
        "Everything is too small by 1/log 10 = 0.43: which logarithm is asked for?",
    ),
    (
        costed(mean=lambda losses, chosen: np.exp(losses[chosen].mean())),
        "That is the perplexity: the loss itself is asked for. What does exp do there?",
    ),
    (
        costed(mean=lambda losses, chosen: losses[chosen]),
        "That is what each chosen token costs: can you make one number of them?",
    ),
    (
        costed(mean=lambda losses, chosen: np.median(losses[chosen])),
        "The median? It forgives the one token that nobody expected: is it not the mean?",
    ),
    (
        costed(pick=lambda table, ids: -table.max(axis=1)),
        "You judge the likeliest word: which word stood there?",
    ),
    (
        costed(pick=lambda table, ids: -table.mean(axis=1)),
        "You take the mean over all words: which one of them stood there?",
    ),
    (
        costed(log=half_shifted),
        "You take the greatest score off inside exp alone: does the score before it keep it?",
    ),
    (costed(log=lambda scores: logs(scores, axis=0)), COLUMNS),
    (among_the_chosen, COLUMNS),
    (
        spread,
        "You take all the true words in each row: is it not one word in each row?"
        " L[np.arange(k), …]",
    ),
    (
        first_words,
        "You take the first ids, as many as are chosen: which words stood at the chosen tokens?"
        " ids[chosen]",
    ),
    (
        costed(mean=lambda losses, chosen: -np.log(np.exp(-losses[chosen]).mean())),
        "You take the mean of the probabilities, and then the log: is it not the mean of the logs?",
    ),
    (
        costed(
            log=lambda scores: np.exp(logs(scores)),
            pick=lambda table, ids: 1 - table[np.arange(len(ids)), ids],
        ),
        "You take how far the probability is from 1: where is the log?",
    ),
    (
        costed(log=lambda scores: scores - scores.max(axis=-1, keepdims=True)),
        "You subtract the greatest score; and the log of the sum of all the exponentials?",
    ),
    (costed(log=naive), OVERFLOW),
    (costed(log=lambda x: x - np.log(np.exp(x).sum(axis=-1, keepdims=True))), OVERFLOW),
    (costed(log=lambda x: naive(x - x.max(axis=-1, keepdims=True))), OVERFLOW),
    (
        costed(log=lambda x: x - x.max() - np.log(np.exp(x - x.max()).sum(-1, keepdims=True))),
        OVERFLOW,
    ),
    *(
        (costed(log=kept(10.0**-n)), LIFTED)
        for kept in (lifted, bounded)
        for n in (*range(9, 13), 15, 16, 300)
    ),
]


def text(rng, n, words, d):
    """States that say something, and at least two tokens chosen and two not."""
    chosen = np.arange(n) < 2
    chosen[2:-2] = rng.random(n - 4) < 0.5
    order = rng.permutation(n)
    while chosen[order][: chosen.sum()].all():  # not the first ones alone
        order = rng.permutation(n)
    X, E, b = rng.normal(size=(n, d)), rng.normal(size=(words, d)), rng.normal(size=words)
    return X, E, b, rng.integers(0, words, size=n), chosen[order]


def single(rng):
    """One token, chosen: nothing is a mean yet."""
    for words, d in ((4, 3), (6, 2), (3, 3)):
        X, E, b, ids, _ = text(rng, 6, words, d)
        yield X[:1], E, b, ids[:1], np.array([True])


def several(rng):
    for n, words, d in ((8, 5, 3), (10, 4, 4), (7, 6, 2)):
        yield text(rng, n, words, d)


def steep(rng):
    """Scores in the thousands, and words that were thought all but impossible."""
    for n, words, d in ((8, 5, 3), (7, 4, 4)):
        X, E, b, ids, chosen = text(rng, n, words, d)
        yield X, E, b + 4000, ids, chosen
        b = b - 2000 * (np.arange(words) == words - 1)  # softmax gives it 0, and it costs 2000
        yield X, E, b, np.where(rng.permutation(n) < n // 2, words - 1, ids), np.ones(n, dtype=bool)
    X, E, b, ids, chosen = text(rng, 8, 5, 3)
    E[:, 0], X[:, 0] = 1, 2000.0 * rng.permutation(8)  # one row's scores lie far below another's
    yield X, E, b, ids, chosen
    X, E, b, ids, chosen = text(rng, 8, 5, 3)
    b = b - 30.0 * (np.arange(5) == 4)
    yield X, E, b, np.full(8, 4), chosen


mlm_loss.agrees(
    "is −log softmax(E x + b) at the word that stood there, where one token is chosen",
    "Two words with the scores 0 and log 3: what is the probability of the second, and minus its"
    " log?",
    single,
)
mlm_loss.agrees(
    "is the mean over the chosen tokens, and no other token has a say",
    "Three tokens cost 1, 2 and 6, and the first two are chosen: what is the loss?",
    several,
)
mlm_loss.agrees(
    "is right where scores are in the thousands, and where a word comes that had hardly any"
    " probability; and leaves all it was given as it was",
    LARGE,
    steep,
    untouched="Do you write into what you were handed? Make new arrays.",
)
