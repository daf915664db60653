"""Exercise 2.5: one epoch of training, a small step for each pair.

for each pair (w, o) and its noise words, in order:   x ← x − η ∂J/∂x   for x = v_w, u_o, each u_i

All gradients of a step are taken before any of its vectors moves. If a row of U is asked for twice,
as a noise word that was drawn twice or as context word and noise word at once, its moves add up.
The noise words are given, so that everybody's vectors end at the same place.
"""

from collections.abc import Iterator

import numpy as np

from firth.checks.claims import Exercise

from .steps import (
    arguments_exchanged,
    epoch_function,
    first_two_exchanged,
    mistake_all_at_once,
    mistake_all_in_V,
    mistake_context_left_out_of_noise,
    mistake_context_not_moved_as_noise,
    mistake_factors,
    mistake_gradient_taken_twice,
    mistake_moved_once,
    mistake_noise_in_V,
    mistake_other_rows,
    mistake_overwritten,
    mistake_step_for_each_noise_word,
    mistake_u_moved_first,
    mistake_v_moved_first,
    noise_one_row_early,
    take_step,
)

MOVED_BEFORE = "In one step, take all gradients first, and then move the vectors. Which vector"
CONTEXT_AS_NOISE = (
    "A noise word can be the context word itself. Then its row of U has two gradients, one as"
    " context word and one as noise word. Does it move by both?"
)
MISTAKES = {
    "uphill": (
        epoch_function(mistake_factors(-1, -1, -1)),
        "Your vectors move to where the loss grows. Which sign has a step?",
    ),
    "all at once": (
        mistake_all_at_once,
        "You take all gradients at the first vectors. When the second pair comes, should it find"
        " the first vectors, or those that the first pair has moved?",
    ),
    "gradient taken twice": (
        epoch_function(mistake_gradient_taken_twice),
        f"{MOVED_BEFORE} has moved here before the gradients of U are taken?",
    ),
    "v moved first": (
        epoch_function(mistake_v_moved_first),
        f"{MOVED_BEFORE} has moved here before the rows of U use it? `V[w]` is no copy.",
    ),
    "u moved first": (
        epoch_function(mistake_u_moved_first),
        f"{MOVED_BEFORE} has moved here before the row of v uses it? `U[o]` is no copy.",
    ),
    "first two rows exchanged": (
        epoch_function(mistake_other_rows(first_two_exchanged)),
        "The first row of the gradient belongs to v, and the second one to u. Which of them moves"
        " V[w], and which U[o]?",
    ),
    "noise one row early": (
        epoch_function(mistake_other_rows(noise_one_row_early)),
        "In which row of the gradient do the noise words begin? The first two belong to v and u.",
    ),
    "arguments exchanged": (
        epoch_function(mistake_other_rows(arguments_exchanged)),
        "You give `negative_gradient` the two vectors in the wrong order. Which one is v, the"
        " vector of the centre word?",
    ),
    "matrices exchanged": (
        epoch_function(lambda V, U, *rest: take_step(U, V, *rest)),
        "You take the centre word from U and the context word from V. Which matrix belongs to"
        " which?",
    ),
    "no learning rate": (
        epoch_function(lambda *given: take_step(*given[:-1], 1)),
        "You subtract the whole gradient. Where is η?",
    ),
    "each noise word once": (
        epoch_function(draw=lambda noise: [np.unique(words) for words in noise]),
        "You use each noise word once, however often it was drawn. How often does it stand in the"
        " loss?",
    ),
    "moved once": (
        epoch_function(mistake_moved_once),
        "A noise word that was drawn twice moves once in your function. `U[words] -= …` moves each"
        " row once. What does `np.subtract.at` do?",
    ),
    "overwritten": (
        epoch_function(mistake_overwritten),
        "Where a row of U has two gradients, your second assignment `U[i] = …` writes over the"
        " first. How can both moves be subtracted?",
    ),
    "step for each noise word": (
        epoch_function(mistake_step_for_each_noise_word),
        "You do a whole step for each noise word. With two noise words, how often does u_o move for"
        " one pair?",
    ),
    "context not moved as noise": (
        epoch_function(mistake_context_not_moved_as_noise),
        CONTEXT_AS_NOISE,
    ),
    "context left out of noise": (
        epoch_function(mistake_context_left_out_of_noise),
        f"You leave out a noise word that is the context word itself. {CONTEXT_AS_NOISE}",
    ),
    "all in V": (
        epoch_function(mistake_all_in_V),
        "You take all vectors from V. Where are the vectors of context and noise words?",
    ),
    "noise in V": (
        epoch_function(mistake_noise_in_V),
        "You take the noise words from V. A noise word stands in the place of a context word: which"
        " matrix has its vector?",
    ),
    "noise not moved": (
        epoch_function(mistake_factors(noise=0)),
        "The noise words do not move. Which rows of the gradient are theirs? `U[words]` is a copy:"
        " if you write into it, does U change?",
    ),
    "noise uphill": (
        epoch_function(mistake_factors(noise=-1)),
        "The noise words move to where the loss grows. Which sign has a step?",
    ),
    "u not moved": (
        epoch_function(mistake_factors(u=0)),
        "The vector of the context word does not move. Which row of the gradient is its own?",
    ),
    "U not moved": (
        epoch_function(mistake_factors(u=0, noise=0)),
        "U stays as it was. Which of its rows are in the loss of a pair?",
    ),
    "V not moved": (
        epoch_function(mistake_factors(v=0)),
        "V stays as it was. Which of its rows is in the loss of a pair?",
    ),
    "V first": (
        lambda *given: epoch_function()(*given)[::-1],
        "These are the right matrices. In which order are they asked for?",
    ),
    "first pair only": (
        epoch_function(order=lambda pairs: pairs[:1]),
        "You stop after one pair. Is your `return` inside the loop, or after it?",
    ),
    "noise of the first pair": (
        epoch_function(draw=lambda noise: np.broadcast_to(noise[0], noise.shape)),
        "Every pair gets the noise words of the first one. Which row of `noise` belongs to pair p?",
    ),
    "one noise word": (
        epoch_function(draw=lambda noise: noise[:, :1]),
        "You use the first noise word of each row. What about the others?",
    ),
    "pair read backwards": (
        epoch_function(order=lambda pairs: pairs[:, ::-1]),
        "A pair is (centre word, context word). Which of the two has its vector in V?",
    ),
    "last pair first": (
        epoch_function(order=lambda pairs: pairs[::-1], draw=lambda noise: noise[::-1]),
        "You begin with the last pair. In which order are they asked for?",
    ),
    "divided by the pairs": (
        epoch_function(decay=lambda n, pairs: 1 / pairs),
        "You divide η by the number of pairs. Is there one step for each pair, or one for all?",
    ),
    "decay": (
        epoch_function(decay=lambda n, pairs: 1 - n / pairs),
        "Your steps get smaller from pair to pair. Is η the same for all pairs here?",
    ),
}
one_epoch = Exercise(
    name="one_epoch",
    chapter="02_word2vec",
    number="2.5",
    difficulty=3,
    minutes=18,
    hints=(
        "One pair and its noise words make one small step. Do one step after the other, on copies"
        " of U and V.",
        "Copy U and V. For each pair (w, o) with its row of noise words, take the gradient at V[w],"
        " U[o] and U[words]. Then subtract η times the first row from V[w] and η times the second"
        " row from U[o]. Subtract the other rows from the rows of the noise words, one after the"
        " other, so that a word that was drawn twice moves twice.",
        "U, V = U.copy(), V.copy()\n"
        "for (w, o), words in zip(pairs, noise):\n"
        "    G = negative_gradient(V[w], U[o], U[words])\n"
        "    V[w] -= eta * G[0]\n"
        "    U[o] -= …\n"
        "    for word, g in zip(words, G[2:]):\n"
        "        U[word] -= …\n"
        "return U, V",
    ),
    right=epoch_function(),
    mistakes=MISTAKES,
)


def random_vectors(rng, n, d=3) -> np.ndarray:
    """Random matrices U and V with a row of d entries for each of n words, in one array."""
    return rng.normal(size=(2, n, d))


def different_noise(rng, pairs, n, k) -> np.ndarray:
    """An array with a row of k different noise words for each pair, without its context word.

    The ids are below n.
    """
    return np.array([rng.permutation([w for w in range(n) if w != o])[:k] for _, o in pairs])


def one_pair(rng) -> Iterator[tuple]:
    """Inputs (U, V, pairs, noise, eta): one pair with two or three different noise words.

    No row of U is used twice, so that only mistakes within a simple step matter.
    """
    for n, k in ((6, 2), (7, 3)):
        pairs = rng.permutation(n)[None, :2]
        noise = different_noise(rng, pairs, n, k)
        yield *random_vectors(rng, n), pairs, noise, rng.uniform(0.3, 0.8)


def pairs_with_common_words(rng) -> Iterator[tuple]:
    """Inputs (U, V, pairs, noise, eta): four pairs that share words, so that their order matters.

    A later step starts from vectors that an earlier one has changed. This catches an answer that
    computes all gradients first, or that begins with the last pair.
    """
    for n, k in ((5, 2), (6, 3)):
        a, b, c = rng.permutation(n)[:3]
        pairs = np.array([[a, b], [c, b], [a, c], [b, a]])
        noise = different_noise(rng, pairs, n, k)
        yield *random_vectors(rng, n), pairs, noise, rng.uniform(0.3, 0.8)


def noise_drawn_twice(rng) -> Iterator[tuple]:
    """Inputs (U, V, pairs, noise, eta): one pair, and one of its noise words was drawn twice.

    This catches `U[words] -= …`, which changes each row only once.
    """
    for n in (6, 5):
        pairs = rng.permutation(n)[None, :2]
        x, y = different_noise(rng, pairs, n, 2)[0]
        yield *random_vectors(rng, n), pairs, np.array([[x, y, x]]), rng.uniform(0.3, 0.8)


def context_among_noise(rng) -> Iterator[tuple]:
    """Inputs (U, V, pairs, noise, eta): one pair whose context word is also one of its noise words.

    This catches an answer that skips such a noise word, and one whose second assignment to the same
    row of U overwrites the first.
    """
    for n, position in ((6, 0), (5, 1)):
        pairs = rng.permutation(n)[None, :2]
        words = different_noise(rng, pairs, n, 2)
        words[0, position] = pairs[0, 1]
        yield *random_vectors(rng, n), pairs, words, rng.uniform(0.3, 0.8)


def rows_with_two_gradients(rng) -> Iterator[tuple]:
    """Inputs (U, V, pairs, noise, eta) in which one row of U has two gradients.

    They are those of `noise_drawn_twice` and of `context_among_noise`.
    """
    yield from noise_drawn_twice(rng)
    yield from context_among_noise(rng)


def matrix_U(answer, right) -> np.ndarray:
    """The first of the two matrices (U, V) of the answer, so that a mistake in V costs no point.

    `right`, the right answer, is not used.
    """
    return answer[0]


def matrix_V(answer, right) -> np.ndarray:
    """The second of the two matrices (U, V) of the answer, so that a mistake in U costs no point.

    `right`, the right answer, is not used.
    """
    return answer[1]


one_epoch.agrees(
    "moves v_w by −η times its gradient",
    "For one pair, which row of V is in its loss? Does it move by −η times the first row of the"
    " gradient?",
    one_pair,
    view=matrix_V,
)
one_epoch.agrees(
    "moves u_o and each u_i by −η times their gradients",
    "For one pair, which rows of U are in its loss? Are all gradients taken before the first vector"
    " moves?",
    one_pair,
    view=matrix_U,
)
one_epoch.agrees(
    "goes through the pairs in order, and each step begins where the last one ended",
    "With two pairs, at which vectors is the gradient of the second pair taken?",
    pairs_with_common_words,
)
one_epoch.agrees(
    "adds up all moves of a word that is drawn twice, or is context word and noise word at once",
    "What does `U[[3, 3]] -= 1` do to U[3], and what should it do here? If the context word is also"
    " a noise word, does its row move twice?",
    rows_with_two_gradients,
    view=matrix_U,
)
one_epoch.leaves(
    "returns new matrices, and does not change U and V",
    "Does your function write into U or V? The next cell may begin again from the same vectors.",
    one_pair,
)
