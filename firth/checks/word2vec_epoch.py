"""Exercise 2, training: a text read once, a small step after each pair.

for (w, o), noise in the order given:   x ← x − rate · ∂J/∂x   for x = v_w, u_o and each u_k

All gradients of a step are taken before any of its vectors moves. The words of the noise are
handed in, so that everybody's vectors end in the same place.
"""

import numpy as np

from firth.checks.claims import Exercise
from firth.checks.word2vec_gradient import pushed
from firth.checks.word2vec_negative_sampling import sigma

GRADIENT = pushed()


def moved(V, U, w, o, noise, rate):
    """One step, in place; a noise word that was drawn twice is moved twice."""
    rows = GRADIENT(V[w], U[o], U[noise])
    V[w] -= rate * rows[0]
    U[o] -= rate * rows[1]
    np.subtract.at(U, noise, rate * rows[2:])


def trained(step=moved, order=lambda pairs: pairs, draw=lambda noise: noise, speed=None):
    """A way of reading the pairs once, right by default: how to step, in which order, how fast."""

    def one_epoch(U, V, pairs, noise, rate):
        U, V = np.array(U, dtype=float), np.array(V, dtype=float)
        pairs, noise = order(np.asarray(pairs)), draw(np.asarray(noise))
        for n, ((w, o), ks) in enumerate(zip(pairs, noise, strict=False)):
            step(V, U, w, o, ks, rate * (speed(n, len(pairs)) if speed else 1))
        return U, V

    return one_epoch


def all_at_once(U, V, pairs, noise, rate):
    """Every gradient at the vectors that the epoch began with."""
    U, V = np.array(U, dtype=float), np.array(V, dtype=float)
    old_U, old_V = U.copy(), V.copy()
    for (w, o), ks in zip(pairs, noise, strict=True):
        rows = GRADIENT(old_V[w], old_U[o], old_U[ks])
        V[w] -= rate * rows[0]
        U[o] -= rate * rows[1]
        np.subtract.at(U, ks, rate * rows[2:])
    return U, V


def in_two_steps(V, U, w, o, noise, rate):
    """Moves the centre, and then asks again which way its company is pushed."""
    V[w] -= rate * GRADIENT(V[w], U[o], U[noise])[0]
    rows = GRADIENT(V[w], U[o], U[noise])
    U[o] -= rate * rows[1]
    np.subtract.at(U, noise, rate * rows[2:])


def centre_moved_first(V, U, w, o, noise, rate):
    """What u and v are after `v -= …`, where v = V[w]: the errors are old, and v is new."""
    g, h = sigma(U[o] @ V[w]) - 1, sigma(U[noise] @ V[w])
    V[w] -= rate * (g * U[o] + h @ U[noise])
    U[o] -= rate * g * V[w]
    np.subtract.at(U, noise, rate * np.outer(h, V[w]))


def company_moved_first(V, U, w, o, noise, rate):
    g, h = sigma(U[o] @ V[w]) - 1, sigma(U[noise] @ V[w])
    U[o] -= rate * g * V[w]
    np.subtract.at(U, noise, rate * np.outer(h, V[w]))
    V[w] -= rate * (g * U[o] + h @ U[noise])


def with_rows(rows):
    """The right step, from the gradient's rows in another place."""

    def step(V, U, w, o, noise, rate):
        dv, du, others = rows(V[w].copy(), U[o].copy(), U[noise])
        V[w] -= rate * dv
        U[o] -= rate * du
        np.subtract.at(U, noise, rate * others)

    return step


def rows_exchanged(v, u, drawn):
    G = GRADIENT(v, u, drawn)
    return G[1], G[0], G[2:]


def rows_too_early(v, u, drawn):
    G = GRADIENT(v, u, drawn)
    return G[0], G[1], G[1:-1]


def asked_the_wrong_way(v, u, drawn):
    G = GRADIENT(u, v, drawn)
    return G[0], G[1], G[2:]


def once_a_word(V, U, w, o, noise, rate):
    """What U[noise] −= … does: a word that was drawn twice is moved once."""
    rows = GRADIENT(V[w], U[o], U[noise])
    V[w] -= rate * rows[0]
    U[o] -= rate * rows[1]
    U[noise] -= rate * rows[2:]


def step_by_noise_word(V, U, w, o, noise, rate):
    """A whole step for each noise word, in which the pair itself comes again and again."""
    for word in noise:
        moved(V, U, w, o, np.array([word]), rate)


def all_in_V(V, U, w, o, noise, rate):
    moved(V, V, w, o, noise, rate)


def noise_as_centres(V, U, w, o, noise, rate):
    rows = GRADIENT(V[w], U[o], V[noise])
    V[w] -= rate * rows[0]
    U[o] -= rate * rows[1]
    np.subtract.at(V, noise, rate * rows[2:])


def partly(centre=1, company=1, others=1):
    """Some of the vectors move, and some do not, or the other way."""

    def step(V, U, w, o, noise, rate):
        rows = GRADIENT(V[w], U[o], U[noise])
        V[w] -= centre * rate * rows[0]
        U[o] -= company * rate * rows[1]
        np.subtract.at(U, noise, others * rate * rows[2:])

    return step


FIRST_PAIR = "You stop after one pair: where does your `return` stand, inside the loop or after it?"
STALE = "In one step all the gradients are taken first, and only then do vectors move: which vector"
one_epoch = Exercise(
    name="one_epoch",
    chapter="02_word2vec",
    number="2.5",
    difficulty=3,
    minutes=18,
    hints=(
        "A pair and its noise words make one small step. Do step after step, on copies of U and V.",
        "Copy U and V. For each pair (w, o) with its row of noise: take the gradient at V[w], U[o]"
        " and U[row]; then move V[w] and U[o] by −rate times their rows, and each noise word by its"
        " own, one at a time, so that a word drawn twice moves twice.",
        "U, V = U.copy(), V.copy()\n"
        "for (w, o), row in zip(pairs, noise):\n"
        "    G = negative_gradient(V[w], U[o], U[row])\n"
        "    V[w] -= rate * G[0]\n"
        "    U[o] -= …\n"
        "    for word, g in zip(row, G[2:]):\n"
        "        U[word] -= …\n"
        "return U, V",
    ),
    right=trained(),
)
one_epoch.mistakes = [
    (
        trained(step=partly(-1, -1, -1)),
        "Your vectors climb: the gradient points to where the loss grows. Which sign has a step?",
    ),
    (
        all_at_once,
        "You take every gradient at the vectors of the beginning: what should the second pair find"
        " when it comes, the old vectors or those that the first has moved?",
    ),
    (trained(step=in_two_steps), f"{STALE} has moved before U's gradient was taken?"),
    (trained(step=centre_moved_first), f"{STALE} has moved before U's gradient was taken?"),
    (trained(step=company_moved_first), f"{STALE} has moved before V's gradient was taken?"),
    (
        trained(step=with_rows(rows_exchanged)),
        "The first row of the gradient is v's, the second u's: which moves V[w], and which U[o]?",
    ),
    (
        trained(step=with_rows(rows_too_early)),
        "In which row of the gradient does the noise begin? Who has the first two?",
    ),
    (
        trained(step=with_rows(asked_the_wrong_way)),
        "A gradient is asked for v, u and the noise: which of them is the centre's vector?",
    ),
    (
        trained(step=lambda V, U, *rest: moved(U, V, *rest)),
        "You look the centre up in U and its company in V: which table holds which?",
    ),
    (
        trained(step=lambda *given: moved(*given[:-1], 1)),
        "You take the whole gradient for a step: what is `rate` for?",
    ),
    (
        trained(draw=lambda noise: [np.unique(row) for row in noise]),
        "You take a noise word once, however often it was drawn: how often does it stand in the"
        " loss?",
    ),
    (
        trained(step=once_a_word),
        "A noise word that was drawn twice: how often does it move? (`U[row] -= …` moves it once;"
        " see `np.subtract.at`, or go through the row word by word.)",
    ),
    (
        trained(step=step_by_noise_word),
        "With two noise words, how often does u_o move for one pair? You take a whole step for each"
        " noise word.",
    ),
    (
        trained(step=all_in_V),
        "You take all vectors from one table. Company and noise: are their vectors in V?",
    ),
    (
        trained(step=noise_as_centres),
        "A noise word takes the place of the company: in which table are its vectors, U or V?",
    ),
    (
        trained(step=partly(others=0)),
        "The noise words do not move: which rows of the gradient are theirs? And U[row] is a copy:"
        " if you write into that, does U itself change?",
    ),
    (
        trained(step=partly(others=-1)),
        "The noise words move towards the centre: which sign has a step?",
    ),
    (
        trained(step=partly(company=0)),
        "The company's vector does not move: which row of the gradient is its own?",
    ),
    (
        trained(step=partly(company=0, others=0)),
        "U is as it was: which of its rows are in a pair's loss?",
    ),
    (
        trained(step=partly(centre=0)),
        "V is as it was: which of its rows is in a pair's loss?",
    ),
    (
        lambda *given: trained()(*given)[::-1],
        "The right two tables: in which order are they asked for?",
    ),
    (trained(order=lambda pairs: pairs[:1]), FIRST_PAIR),
    (
        trained(draw=lambda noise: np.broadcast_to(noise[0], noise.shape)),
        "You give every pair the noise of the first: which row of noise belongs to pair p?",
    ),
    (
        trained(draw=lambda noise: noise[:, :1]),
        "You take one noise word from each row: what of the others?",
    ),
    (
        trained(order=lambda pairs: pairs[:, ::-1]),
        "A pair is (centre, company): which of the two has its vector in V?",
    ),
    (
        trained(order=lambda pairs: pairs[::-1], draw=lambda noise: noise[::-1]),
        "You begin with the last pair: in which order are they given?",
    ),
    (
        trained(speed=lambda n, steps: 1 / steps),
        "You divide the rate by the number of pairs: is one step taken a pair, or one in all?",
    ),
    (
        trained(speed=lambda n, steps: 1 - n / steps),
        "Your steps grow smaller on the way: who asked for that in a single epoch?",
    ),
]


def vectors(rng, n, d=3):
    return rng.normal(size=(2, n, d))


def noise_for(rng, pairs, n, k):
    """Different words for each pair, none of them its company, as word2vec draws them."""
    return np.array([rng.permutation([w for w in range(n) if w != o])[:k] for _, o in pairs])


def one_pair(rng):
    for n, k in ((6, 2), (7, 3)):
        pairs = rng.permutation(n)[None, :2]
        yield *vectors(rng, n), pairs, noise_for(rng, pairs, n, k), rng.uniform(0.3, 0.8)


def some_pairs(rng):
    """A few pairs in which words come again, so that a later step meets what an earlier moved."""
    for n, k in ((5, 2), (6, 3)):
        a, b, c = rng.permutation(n)[:3]
        pairs = np.array([[a, b], [c, b], [a, c], [b, a]])
        yield *vectors(rng, n), pairs, noise_for(rng, pairs, n, k), rng.uniform(0.3, 0.8)


def drawn_twice(rng):
    for n in (6, 5):
        pairs = rng.permutation(n)[None, :2]
        x, y = noise_for(rng, pairs, n, 2)[0]
        yield *vectors(rng, n), pairs, np.array([[x, y, x]]), rng.uniform(0.3, 0.8)


def read_often(rng):
    """Words 0 and 1 keep the same company, 2 and 3; words 4 and 5 keep that of each other."""
    text = np.array([[0, 2], [0, 3], [1, 2], [1, 3], [4, 5], [5, 4]])
    for _ in range(2):
        pairs = np.concatenate([rng.permutation(text) for _ in range(10)])
        U, V = vectors(rng, 6) * 0.5
        yield U, V, pairs, noise_for(rng, pairs, 6, 2), 0.3


def alike(answer, right):
    """Every cosine between two words' vectors in V."""
    V = answer[1]
    lengths = np.sqrt((V**2).sum(axis=1, keepdims=True))
    with np.errstate(all="ignore"):
        return V @ V.T / (lengths * lengths.T)


one_epoch.agrees(
    "moves the vectors of one pair and of its noise words against their gradients",
    "For one pair: which rows of U and V are in its loss? Do they move by −rate times the gradient,"
    " all taken before the first of them moves?",
    one_pair,
)
one_epoch.agrees(
    "goes through the pairs in order, each step from where the last one has ended",
    "With two pairs: at which vectors is the second one's gradient taken?",
    some_pairs,
)
one_epoch.agrees(
    "moves a noise word twice if it was drawn twice",
    "What does `U[[3, 3]] -= 1` do to U[3], and what should it do here?",
    drawn_twice,
)
one_epoch.agrees(
    "brings words of the same company together when the text is read ten times",
    "After many steps, which two rows of V point nearly the same way? Should they?",
    read_often,
    view=alike,
)
one_epoch.leaves(
    "returns new tables, and leaves U and V as they were",
    "Do you write into U or V? Whoever called you may want to begin once more from the same place.",
    some_pairs,
)
