"""Chapter 2's widgets: the real algorithm, real vectors, real counts, and no nonsense let in."""

import re

import js
import numpy as np
import pytest
from traitlets import TraitError

from firth.lsa.similarity import cosine, unit
from firth.store import corpora, pretrained_vectors
from firth.store.weights import dequantize
from firth.widgets.spelling import edits
from firth.widgets.word2vec import noise_sampling, vector_arithmetic
from firth.widgets.word2vec.noise_sampling import Word2vecSampler
from firth.widgets.word2vec.training import COMPARED, Word2vecTraining, read, trained
from firth.widgets.word2vec.vector_arithmetic import Word2vecAnalogy, directions
from firth.word2vec import analogies, word2vec
from tests.widgets.test_parity import assert_same

ENOUGH = 20  # seeds that are looked at


@pytest.fixture(scope="module")
def training():
    shown = Word2vecTraining()
    yield shown
    shown.close()


@pytest.fixture(scope="module")
def analogy():
    shown = Word2vecAnalogy()
    yield shown
    shown.close()


@pytest.fixture(scope="module")
def sampler():
    shown = Word2vecSampler()
    yield shown
    shown.close()


def words_of(shown):
    return shown.words.split(" ")


# ---- vectors that train ----


def test_no_step_of_the_training_differs_from_the_objective_of_the_module(training):
    """Each step is a (v, u) − rate · gradient, and the gradient is that of the printed formula."""
    training.step = step = 700
    shown = training.answer()
    before = training.after(step - 1)
    V, U = np.array(before["V"]), np.array(before["U"])
    names = [name for name in shown["asked"] if name]
    w, asked = training.words.index(shown["word"]), [training.words.index(n) for n in names]

    def J(V, U):
        x = U[asked] @ V[w]
        return -np.log(1 / (1 + np.exp(-x[0]))) - np.log(1 / (1 + np.exp(x[1:]))).sum()

    assert shown["loss"] == pytest.approx(J(V, U))
    for rows, name in ((V, "V"), (U, "U")):
        gradient = np.zeros_like(rows)
        for at in np.ndindex(rows.shape):
            ends = []
            for by in (1e-6, -1e-6):
                rows[at] += by
                ends.append(J(V, U))
                rows[at] -= by
            gradient[at] = (ends[0] - ends[1]) / 2e-6
        np.testing.assert_allclose(rows - shown["a"] * gradient, shown[name], atol=1e-8)


def test_what_pulls_and_pushes_is_the_whole_step(training):
    for step in (1, 2, 333, training.total):
        now = training.after(step)
        before = np.array(training.after(step - 1)["V"] if step > 1 else now["trails"][0])
        w = training.words.index(now["word"])
        V = np.array(now["V"])
        np.testing.assert_allclose(V[w] - before[w], np.sum(now["pulls"], axis=0), atol=1e-12)
        assert (np.delete(V, w, axis=0) == np.delete(before, w, axis=0)).all()


def test_no_noise_word_is_the_word_that_was_seen_and_all_others_come(training):
    texts = tuple(map(tuple, training.texts))
    words = tuple(training.words)
    ids, pairs = read(texts, words, training.m)
    noise = trained(texts, words, training.m, training.passes, 3, 0.2, 1)[3]
    seen = np.resize(ids[pairs[:, 1]], len(noise))
    assert not (noise == seen[:, None]).any()
    chance = word2vec.noise(np.bincount(ids[ids >= 0]))
    often = np.bincount(noise.ravel(), minlength=len(words)) / noise.size
    np.testing.assert_allclose(often, chance, atol=0.03)


def test_a_training_ends_where_the_learning_rate_does(training):
    assert training.after(1)["a"] == 0.2
    assert training.after(training.total)["a"] == pytest.approx(1e-4, rel=1)


def test_the_loss_begins_at_pure_guessing_and_falls(training):
    for k in (1, 3, 5):
        training.k, guessing = k, (1 + k) * np.log(2)
        losses = training.after(training.total)["losses"]
        assert training.after(1)["loss"] == pytest.approx(guessing)
        assert losses[0] == pytest.approx(guessing, rel=0.02)
        assert len(losses) == training.passes and np.mean(losses[-5:]) < 0.8 * guessing
    training.k = 1


def test_words_that_share_company_end_together_for_nearly_every_seed_and_the_others_do_not():
    """The page says so; here is how often, with the settings that the page opens with."""
    same, apart = [], []
    for seed in range(1, ENOUGH + 1):
        shown = Word2vecTraining(seed=seed)
        now = [now for _, now in shown.after(shown.total)["cosines"]]
        same.append(min(now[:4]))
        apart.append(now[4:])
        shown.close()
    assert np.mean(np.array(same) > 0.7) >= 0.85
    assert np.median(np.array(apart)) < 0.3


def test_the_pairs_that_end_together_never_stand_side_by_side(training):
    for (a, b), (beside, shared) in zip(COMPARED, training.after(1)["company"], strict=True):
        assert beside == 0
        assert not any({a, b} <= {*text} for text in training.texts)
        assert (shared > 0) == ((a, b) in COMPARED[:4])


def test_more_noise_words_drive_the_vectors_into_one_half_of_the_plane(training):
    """What the page asks: with k = 5 all v lie on one side, and all u on the other."""

    def together(k):
        training.k = k
        last = training.after(training.total)
        V, U = unit(np.array(last["V"])), unit(np.array(last["U"]))
        return np.linalg.norm(V.mean(axis=0)), float(V.mean(axis=0) @ U.mean(axis=0))

    (few, _), (many, opposed) = together(1), together(5)
    training.k = 1
    assert many > few + 0.2 and opposed < 0


def test_an_error_in_the_update_of_the_page_is_caught(training):
    wrong = training._esm.replace("(i ? -a * p : a * (1 - p))", "(i ? -a * p : a * p)")
    assert wrong != training._esm
    training.step = 300
    with pytest.raises(AssertionError):
        assert_same(training.answer(), js.call(wrong, "answer", training.state()))


@pytest.mark.parametrize("choices", [{}, {"k": 5, "seed": 99, "first": 0.5}])
def test_javascript_trains_as_python_to_the_very_last_step(choices):
    shown = Word2vecTraining(**choices)
    total = shown.total
    for shown.step in (1, 68, 69, total):
        assert_same(shown.answer(), js.call(shown._esm, "answer", shown.state()))
    shown.close()


# ---- analogies ----


def test_the_shipped_vectors_are_what_is_made_of_glove():
    assert vector_arithmetic.FILE.read_text(encoding="utf-8") == vector_arithmetic.shipped()


def test_the_page_knows_the_frequent_words_those_of_the_analogies_and_of_the_passage(analogy):
    words = words_of(analogy)
    assert len(words) == len({*words}) == 5_475
    every, _ = pretrained_vectors.glove()
    plain = [word for word in every if re.fullmatch("[a-z]+", word)]
    assert {*plain[:5_000]} <= {*words}
    asked = {word for some in corpora.analogies().values() for four in some for word in four}
    assert {*words} - {*plain[:5_000]} <= asked | {*re.findall("[a-z]+", corpora.passage().lower())}
    assert asked <= {*words} and "captain" in words


def test_eight_bits_change_one_or_two_answers_in_a_hundred_and_no_more(analogy):
    words = words_of(analogy)
    place = {word: i for i, word in enumerate(words)}
    every, X = pretrained_vectors.glove()
    rows = {word: i for i, word in enumerate(every)}
    exact = X[[rows[word] for word in words]]
    eight = dequantize(analogy.vectors)
    assert cosine(exact, eight).min() > 0.9995
    questions = [four for some in corpora.analogies().values() for four in some]
    ids = np.array([[place[word] for word in four] for four in questions[::4]])
    a, b = (analogies.answers(vectors, ids[:, :3]) for vectors in (exact, eight))
    assert 0.98 < (a == b).mean() < 0.995
    assert (a == ids[:, 3]).mean() == pytest.approx((b == ids[:, 3]).mean(), abs=0.004)


def test_S13_king_less_man_and_woman_is_near_queen_and_nearest_is_king_itself(analogy):
    shown = analogy.answer()
    assert shown["said"] == "man is to king as woman is to queen."
    assert shown["cosines"][0] == pytest.approx(0.852, abs=2e-3) and shown["rank"] == 1
    analogy.exclude = False
    assert analogy.answer()["best"][:2] == ["king", "queen"] and analogy.answer()["rank"] == 2
    analogy.exclude = True


def test_some_examples_succeed_and_some_fail(analogy):
    ranks = []
    for a, b, c, _ in analogy.examples:
        analogy.set_trait("a", a), analogy.set_trait("b", b), analogy.set_trait("c", c)
        ranks.append(analogy.answer()["rank"])
    assert ranks[:3] == [1, 1, 1] and all(rank > 1 for rank in ranks[3:])
    analogy.a, analogy.b, analogy.c = "man", "king", "woman"


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("Kign", "“kign” is not among the 5,475 words here. Spelled like it: king,"),
        ("  WOMAN ", "man is to king as woman is to queen."),
        ("", "Type a word into each of the three boxes."),
        ("<b>", "“<b>” is not among the 5,475 words here."),
        ("İstanbul", "is not among the 5,475 words here."),
    ],
)
def test_what_is_typed_is_folded_and_an_unknown_word_is_named_with_its_likes(typed, says):
    shown = Word2vecAnalogy(c=typed)
    assert says in shown.answer()["said"]
    assert_same(shown.answer(), js.call(shown._esm, "answer", shown.state()))
    shown.close()


def test_two_unknown_words_are_both_named_and_nothing_is_offered_as_an_answer():
    shown = Word2vecAnalogy(a="qqq", b="zzzz").answer()
    assert shown["said"].count("is not among") == 2 and shown["best"] == [None] * 10
    assert list(map(len, shown["suggested"])) == [3, 3, 0]


@pytest.mark.parametrize(
    ("a", "b", "edit"),
    [("", "sea", 3), ("sea", "sea", 0), ("see", "sea", 1), ("esa", "sea", 1), ("sae", "seas", 2)],
)
def test_edits_are_counted(a, b, edit):
    assert edits(a, b) == edits(b, a) == edit


def test_vectors_survive_the_bytes_that_carries_them():
    X = np.random.default_rng(0).normal(size=(30, 7))
    assert cosine(dequantize(directions(X)), X).min() > 0.999


# ---- the sampler ----


def test_the_shipped_counts_are_those_of_the_scoreboard():
    assert noise_sampling.FILE.read_text(encoding="utf-8") == noise_sampling.shipped()


def test_the_sampler_counts_as_the_module_does(sampler):
    counts = sampler.counts()
    assert len(counts) == len(words_of(sampler)) == 32_901 and counts[-1] == 5
    sampler.power, sampler.exponent = 0.75, -4.0
    shown = sampler.answer()
    noise, kept = word2vec.noise(counts), word2vec.kept(counts, 1e-4)
    rows = np.array(sampler.shown) - 1
    np.testing.assert_allclose(shown["as_noise"], 1e6 * noise[rows])
    np.testing.assert_allclose(shown["kept"], 100 * kept[rows])
    assert sum(shown["tenths"]) == pytest.approx(100)
    assert shown["left"] == pytest.approx(100 * (counts * kept).sum() / counts.sum())


def test_the_power_takes_from_the_frequent_and_gives_to_the_rare(sampler):
    tops = []
    for sampler.power in (0.0, 0.5, 0.75, 1.0):
        tops.append(sampler.answer()["top"])
        assert_same(sampler.answer(), js.call(sampler._esm, "answer", sampler.state()))
    assert tops == sorted(tops) and tops[0] == pytest.approx(100 * 100 / 32_901)
    assert tops[-1] == pytest.approx(sampler.answer()["top_in_text"])
    sampler.power = 0.75
    shown = sampler.answer()
    gained = np.array(shown["as_noise"]) > shown["in_text"]
    assert not gained[:6].any() and gained[6:].all()  # ranks to 300, and from 1,000 on


def test_other_seeds_draw_other_words_and_the_same_seed_the_same(sampler):
    sampler.seed = 1
    first = sampler.answer()["drawn"]
    assert first == sampler.answer()["drawn"] and len(first) == 20
    sampler.seed = 2
    assert sampler.answer()["drawn"] != first
    sampler.seed = 1


# ---- all three ----


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (
            lambda: Word2vecTraining(step=1, compared=[("red", "white")]),
            "Step 1 of 2720: red meets star, 50 % likely before and 50 % after; loss 1.39; "
            "red–white −0.95.",
        ),
        (
            lambda: Word2vecAnalogy(),
            "man is to king as woman is to queen. Cosine 0.85; "
            "then prince 0.76, daughter 0.74, elizabeth 0.74.",
        ),
        (lambda: Word2vecAnalogy(a=""), "Type a word into each of the three boxes."),
        (
            lambda: Word2vecSampler(),
            "Power 0.75: the 100 most frequent words get 16.6 % of the draws, such as monarchy, "
            "the, passing, 1129, ciphertext; sub-sampling keeps 78.4 % of the text.",
        ),
    ],
)
def test_a_change_is_heard_as_one_sentence(make, sentence):
    view = make()
    assert js.call(view._esm, "spoken", view.answer(), view.state()) == sentence
    view.close()


X = np.eye(4)
TEN = {f"w{i}": 1 + i for i in range(10)}


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Word2vecTraining("a b", ["a"]), "two or more"),
        (lambda: Word2vecTraining("a b", ["a", "a"]), "must differ"),
        (lambda: Word2vecTraining("a b", ["a", "c"]), "never says ['c']"),
        (lambda: Word2vecTraining("a b", ["a", "b"]), "['red', 'white'"),
        (lambda: Word2vecTraining("a\nb", ["a", "b"], []), "within 2 places"),
        (lambda: Word2vecTraining(step=2721), "2720 steps"),
        (lambda: Word2vecTraining(k=6), "'k'"),
        (lambda: Word2vecTraining(first=0.0), "'first'"),
        (lambda: Word2vecTraining(seed=100), "'seed'"),
        (lambda: Word2vecAnalogy(a="a" * 41), "at most 40 letters"),
        (lambda: Word2vecAnalogy(["a", "b", "c"], X[:3]), "four words"),
        (lambda: Word2vecAnalogy(["a", "b", "c", "c"], X), "all different"),
        (lambda: Word2vecAnalogy(["a", "b", "c", "d e"], X), "no blanks"),
        (lambda: Word2vecAnalogy(["a", "b", "c", "d", "e"], X), "5 words, 4 vectors"),
        (lambda: Word2vecAnalogy(["a", "b", "c", "d"], 0 * X), "no direction"),
        (lambda: Word2vecAnalogy(examples=[["man", "king"]]), "four words"),
        (lambda: Word2vecSampler({"a": 1}), "10 words"),
        (lambda: Word2vecSampler(TEN | {"w0": 0}), "count of 1"),
        (lambda: Word2vecSampler(TEN | {"a b": 2}), "no blank"),
        (lambda: Word2vecSampler(TEN, shown=[11]), "[11] is no rank"),
        (lambda: Word2vecSampler(power=1.25), "'power'"),
        (lambda: Word2vecSampler(exponent=0.0), "'exponent'"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(make, says):
    with pytest.raises((ValueError, TraitError)) as refused:
        make()
    message = str(refused.value)
    assert says in message and "\n" not in message and len(message) < 200


def test_a_page_pays_at_most_450_kilobytes_for_all_three(training, analogy, sampler):
    import gzip
    import json

    states = [json.dumps(view.state()).encode() for view in (training, analogy, sampler)]
    sizes = [len(gzip.compress(state)) / 1000 for state in states]
    assert sizes[1] < 300 and sum(sizes) < 450
