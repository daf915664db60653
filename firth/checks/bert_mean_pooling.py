"""Exercise 6, pooling: one vector for a text, where some places of the batch hold no token.

v = Σ_t m_t x_t / Σ_t m_t          m_t: is t a token of the text, or padding?
"""

import numpy as np

from firth.checks.claims import Exercise
from firth.checks.mistakes import fitting


def unit(X):
    """Each row with length 1."""
    return X / np.sqrt((X**2).sum(axis=-1, keepdims=True))


def one_by_one(X, mask):
    """The right answer, text by text and token by token."""
    vectors = []
    for states, tokens in zip(X, mask, strict=True):
        kept = [x for x, is_token in zip(states, tokens, strict=True) if is_token]
        vectors.append(sum(kept) / len(kept))
    return np.array(vectors)


def weighed(X, mask):
    return X * mask[..., None]


def by_length(X, mask):
    """As if the padding stood at the end of each text."""
    return np.array([x[: m.sum()].mean(axis=0) for x, m in zip(X, mask, strict=True)])


def without_ends(X, mask):
    kept = [x[m] for x, m in zip(X, mask, strict=True)]
    return np.array([(x[1:-1] if len(x) > 2 else x).mean(axis=0) for x in kept])


PADDED = "You take the mean over all places: do those where no token stands count?"
mean_pooled = Exercise(
    name="mean_pooled",
    chapter="06_bert",
    number="6.4",
    difficulty=1,
    minutes=8,
    hints=(
        "One text first: which of its rows are tokens? Add those up, and count them.",
        "mask[..., None] has the shape (texts, places, 1), so it multiplies all features of a"
        " place by 1 or 0. Sum over the places, axis 1; divide by how many tokens each text has.",
        "m = mask[..., None]\n"
        "return (m * X).sum(axis=1) / …  # how many tokens has each text? (texts, 1)",
    ),
    right=one_by_one,
    stumbles={
        "broadcast": "mask is texts × places and X is texts × places × d: mask[..., None] has one"
        " axis more, of length 1. And the count of each text, beside its row of d numbers?"
        " keepdims=True, or [:, None].",
        "inhomogeneous": "Texts of unequal length make no table: take the mean of each by itself.",
    },
)
mean_pooled.mistakes = [
    (lambda X, mask: X.mean(axis=1), PADDED),
    (
        lambda X, mask: weighed(X, mask).mean(axis=1),
        "Padding adds nothing, but you divide by all places: how many tokens has each text?",
    ),
    (
        lambda X, mask: weighed(X, mask).sum(axis=1),
        "That is the sum: by what is it divided?",
    ),
    (
        lambda X, mask: X.sum(axis=1) / mask.sum(axis=1, keepdims=True),
        "You divide by the right number: is the padding still in the sum?",
    ),
    (
        lambda X, mask: weighed(X, mask).sum(axis=1) / (weighed(X, mask) != 0).sum(axis=1),
        "You count the numbers that are not 0: may a token's state not hold a 0? Count the mask.",
    ),
    (
        lambda X, mask: weighed(X, mask).sum(axis=1) / (mask.sum(axis=1, keepdims=True) - 1),
        "You divide by one less than the tokens of the text: why not by all of them?",
    ),
    (
        lambda X, mask: weighed(X, mask).sum(axis=1) / mask.sum(),
        "You divide by the tokens of the whole batch: how many has this text?",
    ),
    (
        fitting(
            lambda X, mask: weighed(X, mask).sum(axis=0) / np.maximum(mask.sum(axis=0), 1)[:, None]
        ),
        "You take the mean over the texts: which axis has the places?",
    ),
    (
        fitting(lambda X, mask: X.mean(axis=0)),
        "You take the mean over the texts: which axis has the places?",
    ),
    (
        lambda X, mask: X.mean(axis=-1),
        "You take the mean over the features: should not each feature have a mean of its own?",
    ),
    (
        lambda X, mask: X[:, 0],
        "That is the first place, [CLS]: where is the mean over all tokens?",
    ),
    (
        lambda X, mask: np.where(mask[..., None], X, -np.inf).max(axis=1),
        "That is the largest number of each feature: max pooling. Is it not the mean?",
    ),
    (
        lambda X, mask: unit(one_by_one(X, mask)),
        "Yours have length 1: who asked for that?",
    ),
    (
        lambda X, mask: weighed(X, ~mask).sum(axis=1) / np.maximum((~mask).sum(axis=1), 1)[:, None],
        "You take the padding and leave the tokens out: where is the mask True?",
    ),
    (
        by_length,
        "You take as many places from the start as there are tokens: is padding always at the end?"
        " Ask the mask, place by place.",
    ),
    (
        without_ends,
        "You leave the first and the last token out: does the mask say so?",
    ),
    (
        lambda X, mask: weighed(X, mask)[:, 1:].sum(axis=1) / mask[:, 1:].sum(axis=1)[:, None],
        "You leave the first place out: does the mask say so?",
    ),
    (
        lambda X, mask: np.array([np.median(x[m], axis=0) for x, m in zip(X, mask, strict=True)]),
        "The median? The mean is asked for: what do all tokens together have?",
    ),
    (
        lambda X, mask: one_by_one(X, mask).mean(axis=0),
        "One vector for the whole batch? A row for each text is asked for.",
    ),
]


def full(rng):
    """No padding: what is a mean over the places?"""
    for texts, n, d in ((3, 5, 4), (4, 4, 4), (1, 6, 3)):
        yield rng.normal(size=(texts, n, d)), np.ones((texts, n), dtype=bool)


def padded(rng):
    """Texts of unequal length, a token whose state is 0, and padding that says something."""
    for lengths, d in (((6, 4, 5), 4), ((3, 6, 4, 5, 6), 5)):
        mask = np.arange(6) < np.array(lengths)[:, None]
        X = rng.normal(size=(*mask.shape, d)) + 3 * ~mask[..., None]
        X[1:, 1] = 0
        yield X, mask


def anywhere(rng):
    """Padding before most of the texts, within them, and a text of one token."""
    for n, d in ((6, 3), (7, 5)):
        mask = rng.random((4, n)) < 0.5
        mask[:, 1:3] = True
        mask[:, 0] = np.arange(4) == 0
        mask[1] = np.arange(n) == n - 1
        yield rng.normal(size=(4, n, d)) + 3 * ~mask[..., None], mask


mean_pooled.agrees(
    "is the mean of a text's states, feature by feature, a row for each text",
    "A text of two tokens, (1, 3) and (5, 5): what is the mean of each feature?",
    full,
)
mean_pooled.agrees(
    "leaves padding out of the sum and out of the count, whatever numbers stand there",
    "Two tokens and one place of padding: what is added up, and by what is it divided?",
    padded,
)
mean_pooled.agrees(
    "goes by the mask, wherever the padding is, also for a text of one token; and leaves X as it"
    " was",
    "The mask is False, True, False, True: which two states have a part in the mean?",
    anywhere,
    untouched="Do you write into X or the mask? X * mask[..., None] makes a new array.",
)
