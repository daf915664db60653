"""Exercise 7, neighbours: softmax over a band, and nothing computed outside of it.

y_i = Σ_j a_ij v_j,   a_i = softmax(q_iᵀk_j / √d)   over |i − j| ≤ w, or over i − w ≤ j ≤ i

Which of the two differs from student to student (firth.checks.variants).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy import isfinite

from firth.checks.answers import copied, plain
from firth.checks.attention.claims import OVERFLOW
from firth.checks.claims import Exercise, close
from firth.checks.mistakes import fitting

from .claims import spares, survives
from .feature_map import ELU, RELU, SOFTPLUS


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


def row_of_all(band: Band) -> Callable:
    """A row at a time, but of all scores: −∞ outside of the band."""

    @fitting
    def banded_attention(Q, K, V, w):
        rows, j = [], np.arange(len(K))
        for i, q in enumerate(Q):
            seen = (j >= i - w) & (j <= i + band.ahead * w)
            with np.errstate(all="ignore"):
                rows.append(share(np.where(seen, K @ q / np.sqrt(len(q)), -np.inf)) @ V)
        return np.array(rows)

    return banded_attention


def padded(band: Band) -> Callable:
    """With zeros for the words that are missing at the ends."""

    @fitting
    def banded_attention(Q, K, V, w):
        K, V = (np.pad(table, ((w, band.ahead * w), (0, 0))) for table in (K, V))
        near = [slice(i, i + w + band.ahead * w + 1) for i in range(len(Q))]
        return np.array(
            [share(K[j] @ q / np.sqrt(len(q))) @ V[j] for q, j in zip(Q, near, strict=True)]
        )

    return banded_attention


def everything(n, i, w, ahead):
    return slice(0, n)


ROOT = "By what are the scores divided? √ of the number of features of a query."
FAR = "A word far outside of the band is ∞: does it reach yours? What is 0 times ∞?"
FEATURES = "Is a weight a product here? Q and K are queries and keys: softmax of their scores."
WAYS = [
    (row_by_row(everything), "Every word sees the whole text: where does the band end?"),
    (
        row_by_row(lambda n, i, w, ahead: slice(0, i + ahead * w + 1)),
        "Your words see back to the first one: where does the band begin?",
    ),
    (
        row_by_row(lambda n, i, w, ahead: places(n, i, w // 2, ahead)),
        "Your band is half as wide as it should be: how many places does w reach on one side?",
    ),
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
    (
        row_by_row(
            lambda n, i, w, ahead: slice(max(0, i - w), min(n - 1, i + ahead * w + 1)),
        ),
        "No slice of yours holds the last word of the text: a slice ends before its second number,"
        " so how large may that be?",
    ),
    (
        row_by_row(
            lambda n, i, w, ahead: np.clip(np.arange(i - w, i + ahead * w + 1), 0, n - 1),
        ),
        "At the ends you count the outermost word more than once: how many words are seen there?",
    ),
    (
        row_by_row(lambda n, i, w, ahead: np.arange(i - w, i + ahead * w + 1) % n),
        "Your text is a ring: does the first word see the last?",
    ),
    (
        lambda band: lambda Q, K, V, w: row_by_row()(band)(K, Q, V, w),
        "Your keys ask the queries: with whose vector does word i look around?",
    ),
    (row_by_row(score=lambda q, K: K @ q), ROOT),
    (row_by_row(score=lambda q, K: K @ q / len(q)), ROOT),
    (row_by_row(score=lambda q, K: K @ q / np.sqrt(len(K))), ROOT),
    (row_by_row(weights=lambda x: np.exp(x) / np.exp(x).sum()), OVERFLOW),
    (row_by_row(weights=lambda x: np.exp(x - x.mean()) / np.exp(x - x.mean()).sum()), OVERFLOW),
    (
        row_by_row(weights=lambda x: np.full(len(x), 1 / len(x))),
        "All neighbours weigh the same: where is the softmax of the scores?",
    ),
    (row_by_row(weights=lambda x: x), "Where is the softmax? Weights are shares."),
    (row_by_row(values=lambda K, V: K), "You mix the keys: what do the weights mix?"),
    *(
        (
            row_by_row(score=lambda q, K, phi=phi: phi(K) @ phi(q), weights=lambda x: x / x.sum()),
            FEATURES,
        )
        for phi in (lambda x: x, ELU.phi, SOFTPLUS.phi, RELU.phi)
    ),
    (row_of_all, FAR),
    (padded, "What weighs a word that is not there? e⁰ is 1."),
    (
        masked(0.0),
        "Outside of the band your scores are 0: what is e⁰, and what should such a word weigh?",
    ),
    (
        masked(0.0, late=True),
        "You cut off weights when the sharing is over: do the rows still add up to 1?",
    ),
]


TABLE = (
    "For a long text you hold a table with a number for each pair of words. How many words does one"
    " word see? The scores of one word's neighbours are enough; the next word needs none of them."
)


def texts(rng, *sizes, lift=0.0, spread=1.5):
    """Scores of a usual size; or lifted, whole rows far above or below each other; or spread."""
    for n, d, k, w in sizes:
        Q, K, V = (rng.normal(size=(n, s)) for s in (d, d, k))
        Q *= spread
        if lift:
            Q[:, 0], K[:, 0] = lift * (-1) ** np.arange(n), 1
        yield Q, K, V, w


def ordinary(rng):
    return texts(rng, (6, 3, 3, 2), (7, 4, 2, 1), (9, 2, 2, 4))


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
            "out of bounds": "A place is asked for that no word has: where do the places of a text"
            " begin and end?",
            "zero-size": "One of your slices is empty: where does it begin for the first words?",
        },
    )
    exercise.mistakes = [
        (row_by_row()(other), band.other),
        *((made(band), question) for made, question in WAYS),
    ]
    exercise.agrees(
        "mixes the values of the words in the band, with the softmax of their scores",
        "Three words, w = 1: whom does the one in the middle see, and whom the first? What do the"
        " weights of each add up to?",
        ordinary,
    )
    exercise.agrees(
        "is right for a band of 0, for one wider than the text, and for a single word",
        "The first word with w = 2: whom does it see? And whom, if w is larger than the text?",
        lambda rng: texts(rng, (4, 3, 2, 0), (4, 2, 3, 9), (1, 2, 2, 1), (6, 1, 4, 4)),
    )
    survives(
        exercise,
        "stays exact for scores in the thousands",
        "Two scores, 1000 and 1001: which shares have they, and which have 0 and 1?",
        OVERFLOW,
        lambda rng: [
            *texts(rng, (6, 4, 3, 4), (7, 3, 2, 1), lift=4000.0),
            *texts(rng, (6, 4, 3, 3), spread=4000.0),
        ],
    )

    def looks_no_further(call, rng):
        """Words outside of the band hold ∞, and only those who see them may notice."""
        for Q, K, V, w in texts(rng, (9, 3, 2, 1), (12, 2, 3, 2)):
            K[[0, -1]] = V[[0, -1]] = np.inf
            answer, right = call(Q, K, V, w), plain(exercise.right(*copied((Q, K, V, w))))
            far = isfinite(right).all(axis=1)
            if answer.shape != right.shape or not close(answer[far], right[far]):
                return FAR
        return True

    spares(
        exercise,
        "computes nothing outside of the band, and holds no table of words by words",
        TABLE,
        lambda rng, n: next(texts(rng, (n, 2, 1, 2))),
        looks_no_further,
    )
    exercise.leaves(
        "leaves Q, K and V as they were",
        "Do you write into Q, K or V?",
        ordinary,
    )
    return exercise


banded_attention = asked(BOTH)
banded_attention.forms = (asked(BACK),)
