"""The training of chapter 2's first page: every step is the objective's, and words end apart."""

import js
import numpy as np
import pytest
from parts import by_day
from traitlets import TraitError

from firth.lsa.similarity import cosine, unit
from firth.widgets.word2vec.training import (
    START,
    Word2vecTraining,
    ids_and_pairs,
    main_directions,
    pad_with_none,
    train_with_history,
)
from firth.word2vec import word2vec
from tests.widgets.test_parity import assert_same

ALIKE = [("captain", "pilot"), ("sea", "sky"), ("red", "white"), ("thin", "cold")]
APART = [("captain", "sea"), ("red", "pilot"), ("red", "sea"), ("white", "sky"), ("thin", "pilot")]


@pytest.fixture
def training():
    shown = Word2vecTraining()
    yield shown
    shown.close()


def test_the_first_step_is_the_one_that_the_chapter_computes(training):
    """The pair (captain, spoke) and the noise words red and sea: the running example."""
    shown = training.answer()
    assert shown["word"] == "captain" and shown["asked"] == pad_with_none(["spoke", "red", "sea"])
    for training.k in (1, 3, 4, 5):
        assert training.answer()["asked"][:2] == ["spoke", "red"]


def test_no_step_of_the_training_differs_from_the_objective_of_the_module(training):
    """Each step is a (v, u) − rate · gradient, and the gradient is that of the printed formula."""
    _, pairs, V, U, losses, noise = training.training_history()
    ids = training.training_history()[0]
    for step in (1, 700, training.total):
        w, o = ids[pairs[(step - 1) % len(pairs)]]
        asked = [o, *noise[step - 1]]

        def J(V, U, w=w, asked=asked):
            x = U[asked] @ V[w]
            return -np.log(1 / (1 + np.exp(-x[0]))) - np.log(1 / (1 + np.exp(x[1:]))).sum()

        before = V[step - 1].copy(), U[step - 1].copy()
        assert losses[step - 1] == pytest.approx(J(*before))
        eta = training.after(step)["eta"]
        for rows, after in zip(before, (V[step], U[step]), strict=True):
            gradient = np.zeros_like(rows)
            for at in np.ndindex(rows.shape):
                ends = []
                for by in (1e-6, -1e-6):
                    rows[at] += by
                    ends.append(J(*before))
                    rows[at] -= by
                gradient[at] = (ends[0] - ends[1]) / 2e-6
            np.testing.assert_allclose(rows - eta * gradient, after, atol=1e-8)


def test_what_the_arrows_show_is_the_whole_step(training):
    for step in (1, 2, 333, training.total):
        now, before = training.after(step), training.training_history()[2:4]
        w = training.words.index(now["word"])
        asked = [training.words.index(name) for name in now["asked"] if name]
        P = main_directions(before[0][-1]).T
        was = [before[0][step - 1, w] @ P, *(before[1][step - 1, asked] @ P)]
        after = [now["V"][w], *(now["U"][j] for j in asked)]
        np.testing.assert_allclose(now["moves"], list(zip(was, after, strict=True)), atol=1e-12)


@pytest.mark.parametrize("step", [1, 2, 3, 10])
def test_the_first_steps_can_be_seen_to_move(training, step):
    """Each arrow is longer than 2 % of the picture; with U = 0 at first, v would not move."""
    now = training.after(step)
    wide = np.ptp([*now["V"], *now["U"]], axis=0).max()
    lengths = np.linalg.norm(np.diff(now["moves"], axis=1)[:, 0], axis=1)
    assert lengths[0] > 0.02 * wide and np.median(lengths) > 0.02 * wide


def test_the_plane_holds_more_of_the_differences_than_any_other(training):
    V = training.training_history()[2][-1]
    centred = V - V.mean(axis=0)
    P = main_directions(V)
    np.testing.assert_allclose(P @ P.T, np.eye(2), atol=1e-12)
    kept = ((centred @ P.T) ** 2).sum()
    best = np.linalg.svd(centred)[1][:2]
    assert kept == pytest.approx((best**2).sum()) and kept > 0.6 * (centred**2).sum()
    assert (P @ V[0] > 0).all()


def test_no_noise_word_is_the_context_word_and_all_others_come(training):
    texts, words = tuple(map(tuple, training.texts)), tuple(training.words)
    ids, pairs = ids_and_pairs(texts, words, training.m)
    noise = train_with_history(texts, words, training.d, training.m, training.passes, 3, 0.2, 1)[3]
    seen = np.resize(ids[pairs[:, 1]], len(noise))
    assert not (noise == seen[:, None]).any()
    chance = word2vec.noise(np.bincount(ids[ids >= 0]))
    often = np.bincount(noise.ravel(), minlength=len(words)) / noise.size
    np.testing.assert_allclose(often, chance, atol=0.03)


def test_a_training_ends_where_the_learning_rate_does(training):
    assert training.after(1)["eta"] == 0.3
    assert training.after(training.total)["eta"] == pytest.approx(1e-4, rel=2)


@pytest.mark.parametrize("k", [1, 3, 5])
def test_the_loss_begins_near_guessing_and_falls(training, k):
    training.k, guessing = k, (1 + k) * np.log(2)
    losses = training.after(training.total)["losses"]
    assert abs(training.training_history()[2][0]).max() <= START
    assert training.after(1)["loss"] == pytest.approx(guessing, rel=0.1)
    assert len(losses) == training.passes and np.mean(losses[-3:]) < 0.6 * guessing


@pytest.mark.parametrize("k", by_day([1, 2, 3, 4, 5], lambda k: k == 2))
def test_words_with_the_same_neighbours_end_alike_and_the_others_apart(k):
    """For nearly every seed and each k: at least .8 for like words, at most .5 for unlike ones.

    Twenty trainings take a second and a half.
    """
    fine = []
    for seed in range(1, 21):
        shown = Word2vecTraining(seed=seed, k=k)
        V, index = shown.training_history()[2][-1], shown.words.index
        alike, apart = (
            [cosine(V[index(a)], V[index(b)]) for a, b in pairs] for pairs in (ALIKE, APART)
        )
        fine.append(min(alike) >= 0.8 and max(apart) <= 0.5)
        shown.close()
    assert sum(fine) >= 19


def test_the_words_that_are_compared_are_never_seen_together(training):
    shown = Word2vecTraining(compared=ALIKE + APART)
    for (a, b), (together, shared) in zip(shown.compared, shown.answer()["beside"], strict=True):
        assert together == 0
        assert not any({a, b} <= {*text} for text in shown.texts)
        assert (shared > 0) == ((a, b) in ALIKE)
    assert training.answer()["beside"] == [[0, 3], [0, 0]]
    shown.close()


def test_more_noise_words_push_word_and_context_vectors_apart(training):
    """With k = 5 most scores must be below 0, so the two kinds of vectors lie on two sides."""

    def side(k):
        training.k = k
        V, U = training.training_history()[2:4]
        return float(unit(V[-1]).mean(axis=0) @ unit(U[-1]).mean(axis=0))

    assert side(5) < side(1) - 0.1 and side(5) < 0


def test_an_error_in_the_update_of_the_page_is_caught(training):
    wrong = training._esm.replace("value - eta * errors[i]", "value + eta * errors[i]")
    assert wrong != training._esm
    training.step = 300
    with pytest.raises(AssertionError):
        assert_same(training.answer(), js.call(wrong, "answer", training.state()))


@pytest.mark.parametrize("choices", [{}, {"k": 5, "seed": 99, "rate": 0.5}])
def test_javascript_trains_as_python_to_the_very_last_step(choices):
    shown = Word2vecTraining(**choices)
    last = shown.total
    for shown.step in (1, 140, 141, last):
        assert_same(shown.answer(), js.call(shown._esm, "answer", shown.state()))
    shown.close()


def test_a_change_is_heard_in_plain_sentences(training):
    said = js.call(training._esm, "spoken", training.answer(), training.state())
    assert said == (
        "Step 1 of 2800: the pair captain and spoke has the probability 0.53 before and 0.55 "
        "after the step; noise words: red, sea; loss 2.04. Cosine of captain and pilot 0.18, "
        "of captain and sea 0.36."
    )


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Word2vecTraining("A star.", words=["star", "sea", "sky"]), "never says"),
        (lambda: Word2vecTraining(words=["red", "sea"]), "three or more"),
        (lambda: Word2vecTraining(words=["red", "red", "sea"]), "must differ"),
        (lambda: Word2vecTraining(compared=[("red", "moon")]), "['moon'] are not"),
        (
            lambda: Word2vecTraining("red.\nsea.\nsky.", ("red", "sea", "sky"), []),
            "within 5 places",
        ),
        (lambda: Word2vecTraining(step=2801), "2800 steps"),
        (lambda: Word2vecTraining(k=6), "'k'"),
        (lambda: Word2vecTraining(step=0), "'step'"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(make, says):
    with pytest.raises((ValueError, TraitError)) as refused:
        make()
    message = str(refused.value)
    assert says in message and "\n" not in message and len(message) < 200
