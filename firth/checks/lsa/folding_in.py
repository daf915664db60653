"""Exercise 1.6: fold in a text that is not in the table.

X ≈ U diag(s) Vt     one row of X for each word, one column for each text
fold_in = q U / s    the vector of a new text q, to be compared with the columns of Vt
"""

from collections.abc import Iterator

import numpy as np

from firth.checks.claims import Claim, Exercise, close


def draw_table_and_svd(rng, n, m, k, subtracted=0.0) -> tuple[np.ndarray, ...]:
    """A random table X (n × m) and its first k directions: U (n × k), s (k) and Vt (k × m).

    Each entry of X is a random count plus a random fraction, minus `subtracted`.
    """
    X = rng.poisson(1.2, size=(n, m)) + rng.random((n, m)) - subtracted
    U, s, Vt = np.linalg.svd(X, full_matrices=False)
    return X, U[:, :k], s[:k], Vt[:k]


TIMES_S = "You multiply by s. How do you get from s v to v?"
SHORTER = "Should a text with every word three times not get numbers three times as large?"
MISTAKES = {
    "not divided": (
        lambda q, U, s: q @ U,
        "You have s v. What is left to do to get v, so that it can be compared with Vt?",
    ),
    "multiplied": (lambda q, U, s: q @ U * s, TIMES_S),
    "divided by the root": (
        lambda q, U, s: q @ U / np.sqrt(s),
        "You divide by √s. By what must you divide s v to get v?",
    ),
    "divided twice": (
        lambda q, U, s: q @ U / s**2,
        "You divide by s twice. Which of the two is too much?",
    ),
    "multiplied twice": (lambda q, U, s: q @ (U * s) @ np.diag(s), TIMES_S),
    "divided by the sum": (
        lambda q, U, s: q @ U / s.sum(),
        "You divide all numbers by the same sum. Does each direction not have its own number in s?",
    ),
    "result of length 1": (
        lambda q, U, s: q @ U / s / max(np.linalg.norm(q @ U / s), 1e-300),
        f"You give the result the length 1. {SHORTER}",
    ),
    "shares": (
        lambda q, U, s: q @ U / s / max(q.sum(), 1),
        f"You divide by the number of words. {SHORTER}",
    ),
    "query of length 1": (
        lambda q, U, s: q @ U / s / max(np.linalg.norm(q), 1e-300),
        f"You give q the length 1 first. {SHORTER}",
    ),
    "met or not": (
        lambda q, U, s: (q > 0) @ U / s,
        "A word stands in the text twice. Does it count once in your function?",
    ),
    "first words only": (
        lambda q, U, s: q[: len(s)] @ U[: len(s)] / s,
        "You use the first k words only. Does q not have a number for each row of U?",
    ),
    "there and back": (
        lambda q, U, s: q @ U @ U.T,
        "Your result has a number for each word again. Which step is too much?",
    ),
}
fold_in = Exercise(
    name="fold_in",
    chapter="01_lsa",
    number="1.6",
    difficulty=1,
    minutes=6,
    hints=(
        "A text of the table is a column x = U diag(s) v. You know x, U and s. How do you find v?",
        "The columns of U have length 1 and are at right angles to each other. So x U = s v, number"
        " by number. Divide by s.",
        "return q @ U …  # what removes s again?",
    ),
    right=lambda q, U, s: q @ U / s,
    mistakes=MISTAKES,
    stumbles={
        "mismatch": "U has a row for each word, and q has a number for each word. Should q stand on"
        " the left or on the right of U?",
        "must be square": "U need not be square, and then it has no inverse. What is Uᵀ U, if the"
        " columns of U have length 1 and are at right angles?",
        "broadcast": "s has a number for each direction. Is a direction a row or a column of U?",
    },
)


def queries(rng) -> Iterator[tuple]:
    """Inputs (q, U, s) of three sizes, one with k = 1: q holds random counts of a new text.

    The first word occurs twice, which catches an answer that only asks whether a word occurs.
    """
    for n, m, k in ((6, 5, 2), (9, 7, 3), (5, 8, 1)):
        _, U, s, _ = draw_table_and_svd(rng, n, m, k)
        q = rng.integers(0, 3, size=n).astype(float)
        q[0] = 2
        yield q, U, s


def texts_of_the_table(rng) -> Iterator[tuple]:
    """Inputs (q, U, s): each q is a column of the very table that was decomposed into U, s and Vᵀ.

    The folded-in vector of column j must have the direction of column j of Vᵀ. Answers that divide
    by the wrong singular values, or by none, give another direction.
    """
    for n, m, k in ((6, 5, 2), (9, 7, 3)):
        X, U, s, _ = draw_table_and_svd(rng, n, m, k)
        yield from ((X[:, j], U, s) for j in range(m))


def unit_vector(v, right) -> np.ndarray:
    """The answer v divided by its norm; a vector of zeros stays as it is.

    One claim compares answers by this function, so that only their directions matter. `right`, the
    right answer, is not used.
    """
    length = np.linalg.norm(v)
    return v / length if length > 0 else v


def grows_with_the_text(call, rng) -> bool:
    """True if `call` gives three times the result for 3 q, and zeros for an empty text, else False.

    `call(q, U, s)` is the learner's `fold_in`. It must also return one entry for each direction,
    and not only zeros for q.
    """
    for q, U, s in queries(rng):
        once, thrice, empty = (call(times * q, U, s) for times in (1, 3, 0))
        if once.shape != s.shape or empty.shape != s.shape or empty.any() or not once.any():
            return False
        if not close(thrice, 3 * once):
            return False
    return True


fold_in.agrees(
    "is q U ÷ s, one number for each direction",
    "Let q have a single word. Is your result this word's row of U, each number divided by its s?",
    queries,
)
fold_in.agrees(
    "gives a text that is in X the direction of its own column of Vt",
    "Fold in a column of X. Does the result have the direction of its column of Vt?",
    texts_of_the_table,
    view=unit_vector,
)
fold_in.claims.append(
    Claim(
        "gives three times the numbers for a text with every word three times, and zeros for an"
        " empty text",
        "Fold in q, 3 q and a text without words. Is the second result three times the first, and"
        " the third one 0?",
        grows_with_the_text,
        points=1,
    )
)
