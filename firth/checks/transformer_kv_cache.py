"""Exercise 5, the cache: one token more, without reading the whole text again.

q = W_Q x,  k = W_K x,  v = W_V x;   z = softmax([K; k] q / √e) [V; v]

z_t, step by step from an empty cache, is row t of causal attention over the whole text.
"""

import math
from dataclasses import replace

import numpy as np

from firth.checks.activations import softmax
from firth.checks.answers import Stopped
from firth.checks.claims import Claim, Exercise, close, unlike
from firth.checks.mistakes import fitting


def told(claim: Claim, question: str) -> Claim:
    """The same claim; but an answer of unequal parts is asked this, not only called no table."""

    def holds(call, rng):
        try:
            return claim.holds(call, rng)
        except Stopped as reason:
            if "makes no table" not in reason.heard:
                raise
            return question

    return replace(claim, holds=holds)


def one_by_one(x, K, V, W_Q, W_K, W_V):
    """The right answer, a kept token at a time."""
    q, k, v = W_Q @ x, W_K @ x, W_V @ x
    keys, values = [*K, k], [*V, v]
    scores = [sum(q * key) / math.sqrt(len(q)) for key in keys]
    shares = [math.exp(score - max(scores)) for score in scores]
    z = sum(share / sum(shares) * value for share, value in zip(shares, values, strict=True))
    return np.array([z, k, v])


def stepped(
    made=lambda x, W_Q, W_K, W_V: (W_Q @ x, W_K @ x, W_V @ x),
    grown=lambda K, V, k, v: (np.vstack([K, k]), np.vstack([V, v])),
    share=lambda K, q, d: softmax(K @ q / np.sqrt(len(q))),
    take=lambda a, V: a @ V,
    give=lambda z, k, v: (z, k, v),
):
    """A way of taking a step, the right one by default."""

    @fitting
    def cached_step(x, K, V, W_Q, W_K, W_V):
        q, k, v = made(x, W_Q, W_K, W_V)
        keys, values = grown(K, V, k, v)
        if not len(keys):
            return give(np.zeros(len(k)), k, v)
        return give(take(share(keys, q, len(x)), values), k, v)

    return cached_step


@fitting
def made_again(x, K, V, W_Q, W_K, W_V):
    return one_by_one(x, K @ W_K.T, V @ W_V.T, W_Q, W_K, W_V)


ITSELF = "Does the new token see itself? Put k and v with the others before you look."
ROOT = "By what are the scores divided? √ of the number that q and a key have in common."
ALONE = "That is z: what will the next step want to see of this token?"
NEW_ROWS = (
    "Not all that you return is one row. The new rows alone are asked for, z, k and v: whoever"
    " keeps the cache puts k and v into it; and z is one row, the weights' mixture: weights @ V."
)
PLACE = "Which matrix makes q, which k, which v? Two have each other's place."
cached_step = Exercise(
    name="cached_step",
    chapter="05_transformer",
    number="5.8",
    difficulty=2,
    minutes=15,
    hints=(
        "One token asks: a single q. Whom does it ask? All that are kept, and itself.",
        "q, k and v are W_Q @ x, W_K @ x, W_V @ x. np.vstack([K, k]) has the new key below the"
        " others. Scores: that @ q, over √(len(q)). Their softmax times the values is z.",
        "q, k, v = W_Q @ x, W_K @ x, W_V @ x\n"
        "K, V = np.vstack([K, k]), …\n"
        "weights = softmax(K @ q / …)\n"
        "return weights @ V, k, v",
    ),
    right=one_by_one,
    stumbles={
        "matmul": "Which shapes meet? W is e × d and x has d numbers: W @ x. K with k below, by"
        " np.vstack, has e numbers a row: that @ q. A weight for each row of the values:"
        " weights @ V.",
        "attribute 'append'": "K is an array, no list: what makes a new array, with k below?",
        "number of dimensions": "K is a table and k one row: np.vstack([K, k]) puts it below.",
        "broadcast": "Is K still a table? (np.append makes one long row of it; np.vstack([K, k])"
        " puts k below.) And do the weights mix the rows of the values? weights @ V",
    },
)
cached_step.mistakes = [
    (stepped(grown=lambda K, V, k, v: (K, V)), ITSELF),
    (
        stepped(grown=lambda K, V, k, v: (k[None], v[None])),
        "Your token sees itself alone: what is kept in K and V?",
    ),
    (
        stepped(
            grown=lambda K, V, k, v: (np.vstack([*K[:-1], k]), np.vstack([*V[:-1], v])),
        ),
        "The last one kept is gone: does the new token come after it, or in its place?",
    ),
    (
        stepped(grown=lambda K, V, k, v: (np.vstack([k, *K]), np.vstack([*V, v]))),
        "The new key stands first and the new value last: whose value belongs to which key?",
    ),
    (
        stepped(grown=lambda K, V, k, v: (np.vstack([*K, k]), np.vstack([v, *V]))),
        "The new key stands last and the new value first: whose value belongs to which key?",
    ),
    (
        stepped(grown=lambda K, V, k, v: (np.vstack([V, v]), np.vstack([K, k]))),
        "Keys and values have each other's place: which are asked, and which are taken?",
    ),
    (
        stepped(grown=lambda K, V, k, v: (np.vstack([K, k]), np.vstack([K, k]))),
        "You take the keys' own rows: what are the values for?",
    ),
    (
        stepped(grown=lambda K, V, k, v: (np.vstack([K, v]), np.vstack([V, k]))),
        "k and v have each other's place: which of them goes below the keys?",
    ),
    *(
        (stepped(share=lambda K, q, d, root=root: softmax(K @ q / root(len(K), len(q), d))), ROOT)
        for root in (
            lambda m, e, d: 1,
            lambda m, e, d: e,
            lambda m, e, d: 2 * e,  # e ** 1 / 2
            lambda m, e, d: 1 / np.sqrt(e),
            lambda m, e, d: np.sqrt(m),
            lambda m, e, d: np.sqrt(d),
        )
    ),
    (made_again, "K and V hold keys and values, not tokens: do you send them through W_K, W_V?"),
    (
        stepped(share=lambda K, q, d: K @ q / np.sqrt(len(q))),
        "Where is the softmax? Weights are shares.",
    ),
    (
        stepped(share=lambda K, q, d: np.exp(K @ q / np.sqrt(len(q)))),
        "Your weights do not add up to 1: what are they divided by?",
    ),
    (
        stepped(share=lambda K, q, d: np.full(len(K), 1 / len(K))),
        "All kept tokens count alike: where does q come in?",
    ),
    (
        stepped(share=lambda K, q, d: softmax(K @ K[-1] / np.sqrt(len(q)))),
        "You ask with k: where is q?",
    ),
    (
        stepped(share=lambda K, q, d: np.eye(len(K))[(K @ q).argmax()]),
        "You take the best match alone: where is the softmax?",
    ),
    (
        stepped(made=lambda x, W_Q, W_K, W_V: (x @ W_Q, x @ W_K, x @ W_V)),
        "x @ W takes W by its columns: is that W x, which takes it by its rows?",
    ),
    (stepped(made=lambda x, W_Q, W_K, W_V: (W_K @ x, W_Q @ x, W_V @ x)), PLACE),
    (stepped(made=lambda x, W_Q, W_K, W_V: (W_Q @ x, W_V @ x, W_K @ x)), PLACE),
    (stepped(made=lambda x, W_Q, W_K, W_V: (W_V @ x, W_K @ x, W_Q @ x)), PLACE),
    (stepped(give=lambda z, k, v: z), ALONE),
    (
        stepped(give=lambda z, k, v: (k, v, z)),
        "The right three: in which order are they asked for? z first.",
    ),
    (
        stepped(give=lambda z, k, v: (z, v, k)),
        "The right three: in which order are they asked for? z, then k, then v.",
    ),
    (
        stepped(give=lambda z, k, v: np.concatenate([z, k, v])),
        "All in one long row: can you return three things, `return a, b, c`?",
    ),
    (
        stepped(give=lambda z, k, v: (z, k)),
        "z and k: and what will be mixed, when a later token looks at this one?",
    ),
]


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
