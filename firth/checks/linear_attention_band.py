"""Exercise 7, neighbours: softmax over a band, and nothing computed outside of it.

y_i = Σ_j a_ij v_j,   a_i = softmax(q_iᵀk_j / √d)   over |i − j| ≤ w, or over i − w ≤ j ≤ i

Which of the two differs from student to student (firth.checks.variants).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from firth.checks.attention_claims import UNSTABLE
from firth.checks.claims import Exercise
from firth.checks.linear_attention_claims import spares
from firth.checks.rnn import fitting


@dataclass(frozen=True)
class Band:
    """Whom word i may see, as a slice, and what the notebook says of it."""

    form: str
    rule: str
    hand: str
    example: str
    ahead: int  # 1 if it sees as far ahead as back
    other: str


BOTH = Band(
    "w on either side",
    "the words at most $w$ places away, **before and after** it",
    "word 0 sees words 0 and 1, word 1 all three, word 2 words 1 and 2: the means 3, 6 and 9.",
    "array([3., 6., 9.])",
    1,
    "Your words see nothing that comes after them: how far ahead does this band reach?",
)
BACK = Band(
    "w before",
    "itself and the $w$ words **before** it, as a model that writes",
    "word 0 sees itself, word 1 words 0 and 1, word 2 words 1 and 2: the means 0, 3 and 9.",
    "array([0., 3., 9.])",
    0,
    "Your words see what comes after them: which way does this band reach?",
)


def places(n: int, i: int, w: int, ahead: int) -> slice:
    return slice(max(0, i - w), min(n, i + ahead * w + 1))


def share(scores):
    parts = np.exp(scores - scores.max())
    return parts / parts.sum()


def row_by_row(
    where: Callable = places,
    score=lambda q, K: K @ q / np.sqrt(len(q)),
    weights=share,
    values=lambda K, V: V,
) -> Callable:
    """A way of looking at neighbours, for one band or the other."""

    def made(band: Band) -> Callable:
        @fitting
        def banded_attention(Q, K, V, w):
            rows = []
            for i, q in enumerate(Q):
                j = where(len(K), i, w, band.ahead)
                with np.errstate(all="ignore"):
                    rows.append(
                        weights(score(q, K[j])) @ values(K, V)[j] if len(K[j]) else 0 * V[0]
                    )
            return np.array(rows)

        return banded_attention

    return made


def masked(fill: float, late: bool = False) -> Callable:
    """By the whole table, and something else than −∞ outside of the band."""

    def made(band: Band) -> Callable:
        @fitting
        def banded_attention(Q, K, V, w):
            i, j = np.indices((len(Q), len(K)))
            seen = (j >= i - w) & (j <= i + band.ahead * w)
            scores = Q @ K.T / np.sqrt(Q.shape[1])
            scores = scores if late else np.where(seen, scores, fill)
            return np.apply_along_axis(share, 1, scores) * (seen if late else 1) @ V

        return banded_attention

    return made


def everything(n, i, w, ahead):
    return slice(0, n)


ROOT = "By what are the scores divided? √ of the number of features of a query."
TABLE = (
    "For a long text you hold a table with a number for each pair of words. How many words does one"
    " word see? A row of scores for each of them is enough, and of these the next word needs none."
)
WAYS = [
    (row_by_row(everything), "Every word sees the whole text: where does the band end?"),
    (
        row_by_row(lambda n, i, w, ahead: places(n, i, max(w - 1, 0), ahead)),
        "Your band is too narrow by one: is a word w places away still seen?",
    ),
    (
        row_by_row(lambda n, i, w, ahead: places(n, i, w + 1, ahead)),
        "Your band is too wide by one: how far away is the last word that is seen?",
    ),
    (
        row_by_row(lambda n, i, w, ahead: slice(max(0, i - w), i + ahead * w)),
        "The last word of your slice is missing: does a slice hold the place of its second number?",
    ),
    (
        row_by_row(lambda n, i, w, ahead: slice(i - w, i + ahead * w + 1)),
        "For the first words i − w is below 0, and there Python counts from the end: K[-1:2] is"
        " empty. Where does the band begin at least?",
    ),
    (row_by_row(score=lambda q, K: K @ q), ROOT),
    (row_by_row(score=lambda q, K: K @ q / len(q)), ROOT),
    (row_by_row(score=lambda q, K: K @ q / np.sqrt(len(K))), ROOT),
    (row_by_row(weights=lambda x: np.exp(x) / np.exp(x).sum()), UNSTABLE),
    (
        row_by_row(weights=lambda x: np.full(len(x), 1 / len(x))),
        "All neighbours weigh the same: where is the softmax of the scores?",
    ),
    (row_by_row(weights=lambda x: x), "Where is the softmax? Weights are shares."),
    (row_by_row(values=lambda K, V: K), "You mix the keys: what do the weights mix?"),
    (
        masked(0.0),
        "Outside of the band your scores are 0: what is e⁰, and what should such a word weigh?",
    ),
    (
        masked(0.0, late=True),
        "You cut off weights when the sharing is over: do the rows still add up to 1?",
    ),
]


def texts(rng, *sizes, lift=0.0):
    """Scores of a usual size; or, lifted, in rows that lie far above and far below each other."""
    for n, d, k, w in sizes:
        Q, K, V = (rng.normal(size=(n, s)) for s in (d, d, k))
        Q *= 1.5
        if lift:
            Q[:, 0], K[:, 0] = lift * (-1) ** np.arange(n), 1
        yield Q, K, V, w


def ordinary(rng):
    return texts(rng, (6, 3, 3, 2), (7, 4, 2, 1), (5, 2, 2, 2))


def asked(band: Band) -> Exercise:
    """The question with one of the bands."""
    other = BACK if band is BOTH else BOTH
    end = "" if not band.ahead else " + w"
    exercise = Exercise(
        name="banded_attention",
        chapter="07_linear_attention",
        number="7.5",
        difficulty=2,
        minutes=20,
        hints=(
            "One word at a time: whom does word i see? The first and the last words see fewer.",
            f"A slice of K and V, from max(0, i - w) up to i{end}, itself included. Its scores,"
            " their softmax, and with these weights the mean of the same slice of V.",
            "for i in range(len(Q)):\n"
            f"    near = slice(max(0, i - w), i{end} + …)\n"
            "    weights = softmax(K[near] @ Q[i] / …)\n"
            "    Y.append(weights @ …)",
        ),
        right=row_by_row()(band),
        form=band.form,
        passages=(band.rule, band.hand, band.example),
        stumbles={
            "matmul": "Which shapes meet? A few rows of K with one query: K[near] @ Q[i]. As many"
            " weights as rows of V: cut V as you have cut K.",
            "zero-size": "One of your slices is empty: where does it begin for the first words?",
        },
    )
    exercise.mistakes = [
        (row_by_row()(other), band.other),
        *((made(band), question) for made, question in WAYS),
    ]
    exercise.agrees(
        "mixes the values of the words in the band, with the softmax of their scores",
        "The word in the middle, w = 1: which words does it see, and what do its weights add up"
        " to?",
        ordinary,
    )
    exercise.agrees(
        "is right for a band of 0, for one wider than the text, and for a single word",
        "The first word with w = 2: whom does it see? And whom, if w is larger than the text?",
        lambda rng: texts(rng, (4, 3, 2, 0), (4, 2, 3, 9), (1, 2, 2, 1), (3, 1, 4, 2)),
    )
    exercise.agrees(
        "stays exact for scores in the thousands",
        UNSTABLE,
        lambda rng: texts(rng, (6, 4, 3, 2), (7, 3, 2, 1), lift=4000.0),
    )
    spares(
        exercise,
        "holds no table of words by words, however long the text",
        TABLE,
        lambda rng, n: next(texts(rng, (n, 2, 1, 2))),
    )
    exercise.leaves(
        "leaves Q, K and V as they were",
        "Do you write into Q, K or V?",
        ordinary,
    )
    return exercise


banded_attention = asked(BOTH)
banded_attention.forms = (asked(BACK),)
