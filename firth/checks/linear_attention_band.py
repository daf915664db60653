"""Exercise 7, neighbours: softmax over a band, and nothing computed outside of it.

y_i = Σ_j a_ij v_j,   a_i = softmax(q_iᵀk_j / √d)   over |i − j| ≤ w, or over i − w ≤ j ≤ i

Which of the two differs from student to student (firth.checks.variants); what they write stands in
linear_attention_neighbours.
"""

import numpy as np
from numpy import isfinite

from firth.checks.answers import copied, plain
from firth.checks.attention_claims import UNSTABLE
from firth.checks.claims import Exercise, close
from firth.checks.linear_attention_claims import spares, survives
from firth.checks.linear_attention_neighbours import BACK, BOTH, FAR, WAYS, Band, row_by_row

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
        UNSTABLE,
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
