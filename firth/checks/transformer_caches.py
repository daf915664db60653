"""Exercise 5, the cache: what is claimed of a step, alone and in a text read step by step.

z_t, step by step from an empty cache   =   row t of causal attention over the whole text
"""

import numpy as np

from firth.checks.claims import Claim, close, unlike
from firth.checks.transformer import softmax, told
from firth.checks.transformer_cache import ALONE, NEW_ROWS, cached_step, one_by_one


def steps(rng):
    """A cache that no text has made: whoever does not look into it is found out."""
    for m, e in ((3, 3), (5, 4), (2, 5)):  # x as long as q: every mix-up runs
        W_Q, W_K, W_V = rng.normal(size=(3, e, e))
        x, (K, V) = rng.normal(size=e), 1.5 * rng.normal(size=(2, m, e))
        yield x, K, V, W_Q, W_K, W_V


def uneven_steps(rng):
    for m, e, d in ((4, 3, 5), (3, 2, 7), (0, 4, 3)):
        W_Q, W_K, W_V = rng.normal(size=(3, e, d))
        yield rng.normal(size=d), *rng.normal(size=(2, m, e)), W_Q, W_K, W_V


def read(step, X, W_Q, W_K, W_V):
    """All z of a text, read step by step, beginning with an empty cache."""
    K, V, rows = np.zeros((0, len(W_K))), np.zeros((0, len(W_V))), []
    for x in X:
        z, k, v = step(x, K, V, W_Q, W_K, W_V)
        K, V = np.vstack([K, k]), np.vstack([V, v])
        rows.append(z)
    return np.array(rows)


def whole(X, W_Q, W_K, W_V):
    """The same rows at once: causal attention over the whole text."""
    Q, K, V = X @ W_Q.T, X @ W_K.T, X @ W_V.T
    seen = np.tril(np.ones((len(X), len(X)), dtype=bool))
    return softmax(np.where(seen, Q @ K.T / np.sqrt(Q.shape[1]), -np.inf)) @ V


def step_by_step(call, rng):
    texts = []
    for T, d, e in ((4, 3, 2), (6, 2, 3), (5, 6, 4)):
        texts.append((rng.normal(size=(T, d)), *rng.normal(size=(3, e, d))))
    X, *W = texts[0]
    none = np.zeros((0, len(W[0])))
    first = call(X[0], none, none, *W)
    if first.shape == none.shape[1:]:
        return ALONE
    if wrong := unlike(first, one_by_one(X[0], none, none, *W), call.open):
        return wrong
    try:
        mine = [read(call, *text) for text in texts]
    except ValueError:  # one shape for all, whatever comes in
        return False

    def as_mine(rows):
        return all(close(a, b) for a, b in zip(mine, rows, strict=True))

    if as_mine([whole(*text) for text in texts]):
        return True
    for mistake, question in cached_step.mistakes:
        try:
            if as_mine([read(mistake, *text) for text in texts]):
                return question
        except ValueError:  # it gives something else than three rows
            continue
    return False


cached_step.agrees(
    "makes the new token's k and v, for whoever keeps the cache",
    "Which two matrices make what is kept?",
    steps,
    view=lambda answer, right: answer[1:],
)
cached_step.agrees(
    "lets it look at all that is kept and at itself: z, returned first",
    "Two tokens are kept: how many scores does the third have, and whose?",
    steps,
    view=lambda answer, right: answer[:1],
)
cached_step.claims.append(
    Claim(
        "gives, step by step from an empty cache, the rows of causal attention over the whole text",
        "The first token sees itself alone: what is its z? And the second's?",
        step_by_step,
        1,
    )
)
cached_step.leaves(
    "takes an x longer or shorter than a key, and leaves the cache as it was",
    "Do you write into K or V? Return the new rows, and nothing else.",
    uneven_steps,
)
cached_step.claims = [told(claim, NEW_ROWS) for claim in cached_step.claims]
