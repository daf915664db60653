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
from firth.widgets.word2vec.vector_arithmetic import Word2vecAnalogy
from firth.word2vec import analogies, word2vec
from firth.word2vec.word_map import quantized_directions
from tests.widgets.test_parity import assert_same


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


# ---- analogies ----


def test_the_shipped_vectors_are_what_is_made_of_glove():
    assert vector_arithmetic.FILE.read_text(encoding="utf-8") == vector_arithmetic.glove_file_text()


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


def test_the_drawing_is_a_parallelogram_and_its_lengths_are_those_of_the_vectors(analogy):
    words, X = words_of(analogy), unit(dequantize(analogy.vectors))
    man, king, woman, queen = (X[words.index(w)] for w in ("man", "king", "woman", "queen"))
    shown = analogy.answer()
    a, b, c, target = np.array(shown["corners"])
    np.testing.assert_allclose(b - a + c, target, atol=1e-8)
    for one, other, ends in ((a, b, king - man), (a, c, woman - man), (b, c, woman - king)):
        assert np.linalg.norm(one - other) == pytest.approx(np.linalg.norm(ends))
    assert shown["hoped"] == shown["places"][0]
    off = np.linalg.norm(target - shown["hoped"])
    assert off < np.linalg.norm(queen - (king - man + woman))  # what is off the plane is not drawn
    assert off < min(np.linalg.norm(target - place) for place in (a, c)) / 2


def test_a_plane_of_words_on_one_line_is_drawn_without_a_second_axis():
    shown = Word2vecAnalogy(b="man", c="man").answer()
    assert shown["corners"] == [[0, 0]] * 4 and shown["places"] == [[0, 0]] * 10
    shown = Word2vecAnalogy(c="man").answer()
    assert [y for _, y in shown["corners"]] == [0] * 4 and shown["corners"][1][0] > 0.5


def test_an_axis_of_the_page_that_is_not_at_right_angles_is_caught(analogy):
    wrong = analogy._esm.replace("direction(less(up, first, product(up, first)))", "direction(up)")
    assert wrong != analogy._esm
    with pytest.raises(AssertionError):
        assert_same(analogy.answer(), js.call(wrong, "answer", analogy.state()))


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
    assert cosine(dequantize(quantized_directions(X)), X).min() > 0.999


# ---- the sampler ----


def test_the_shipped_counts_are_those_of_the_scoreboard():
    assert noise_sampling.FILE.read_text(encoding="utf-8") == noise_sampling.corpus_counts()


def test_the_sampler_counts_as_the_module_does(sampler):
    counts = sampler.counts()
    assert len(counts) == len(words_of(sampler)) == 32_901 and counts[-1] == 5
    sampler.power, sampler.exponent = 0.75, -4.0
    shown = sampler.answer()
    noise, kept = word2vec.noise(counts), word2vec.keep_probability(counts, 1e-4)
    rows = [words_of(sampler).index(word) for word in sampler.sentence]
    np.testing.assert_allclose(shown["kept"], 100 * kept[rows])
    assert shown["left"] == pytest.approx(100 * (counts * kept).sum() / counts.sum())
    assert shown["top"] == pytest.approx(100 * noise[:100].sum())
    sampler.exponent = -3.0


def test_the_sentence_stands_in_the_corpus():
    assert any(f" {noise_sampling.SENTENCE} " in f" {text} " for text in corpora.scoreboard())


def test_the_words_of_the_sentence_fade_as_the_threshold_falls_the_frequent_ones_first(sampler):
    frequent = ["the", "a", "was", "to", "by"]
    before = np.full(len(sampler.sentence), 101.0)
    for sampler.exponent in (-1.0, -3.0, -4.0, -5.0, -6.0):
        now = np.array(sampler.answer()["kept"])
        assert (now <= before).all()
        before = now
    sampler.exponent = -5.0
    kept = dict(zip(sampler.sentence, sampler.answer()["kept"], strict=True))
    assert max(kept[word] for word in frequent) < 5 and kept["emanating"] == 100
    sampler.exponent = -3.0


def test_words_stay_as_often_as_their_probability_says(sampler):
    stays = []
    for sampler.seed in range(1, 100):
        shown = sampler.answer()
        stays.append(shown["stays"])
    kept = np.array(shown["kept"])
    np.testing.assert_allclose(100 * np.mean(stays, axis=0), kept, atol=15)
    assert np.array(stays)[:, kept == 100].all()
    sampler.seed = 1


def test_the_power_takes_from_the_frequent_words(sampler):
    tops = []
    for sampler.power in (0.0, 0.5, 0.75, 1.0):
        tops.append(sampler.answer()["top"])
        assert_same(sampler.answer(), js.call(sampler._esm, "answer", sampler.state()))
    assert tops == sorted(tops) and tops[0] == pytest.approx(100 * 100 / 32_901)
    assert tops[-1] == pytest.approx(sampler.answer()["top_in_text"])
    sampler.power = 0.75


def test_a_threshold_of_the_page_without_its_second_term_is_caught(sampler):
    wrong = sampler._esm.replace(
        "Math.sqrt(sample / share) + sample / share", "Math.sqrt(sample / share)"
    )
    assert wrong != sampler._esm
    with pytest.raises(AssertionError):
        assert_same(sampler.answer(), js.call(wrong, "answer", sampler.state()))


def test_other_seeds_draw_other_words_and_the_same_seed_the_same(sampler):
    sampler.seed = 1
    first = sampler.answer()["drawn"]
    assert first == sampler.answer()["drawn"] and len(first) == 20
    sampler.seed = 2
    assert sampler.answer()["drawn"] != first
    sampler.seed = 1


# ---- both ----


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (
            lambda: Word2vecAnalogy(),
            "man is to king as woman is to queen. Cosine 0.85; "
            "then prince 0.76, daughter 0.74, elizabeth 0.74.",
        ),
        (lambda: Word2vecAnalogy(a=""), "Type a word into each of the three boxes."),
        (
            lambda: Word2vecSampler(),
            "Power 0.75: the 100 most frequent words get 16.6 % of the draws; noise words: "
            "monarchy, the, passing, 1129, ciphertext. Sub-sampling keeps 78.4 % of the text; of "
            "the sentence: light emanating from star was bent sun's gravity when it passed close "
            "to sun.",
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
        (lambda: Word2vecAnalogy(a="a" * 41), "at most 40 letters"),
        (lambda: Word2vecAnalogy(["a", "b", "c"], X[:3]), "four words"),
        (lambda: Word2vecAnalogy(["a", "b", "c", "c"], X), "all different"),
        (lambda: Word2vecAnalogy(["a", "b", "c", "d e"], X), "no blanks"),
        (lambda: Word2vecAnalogy(["a", "b", "c", "d", "e"], X), "5 words, 4 vectors"),
        (lambda: Word2vecAnalogy(["a", "b", "c", "d"], 0 * X), "no direction"),
        (lambda: Word2vecAnalogy(examples=[["man", "king"]]), "four words"),
        (lambda: Word2vecSampler({"a": 1}), "two words"),
        (lambda: Word2vecSampler(TEN | {"w0": 0}), "count of 1"),
        (lambda: Word2vecSampler(TEN | {"a b": 2}), "no blank"),
        (lambda: Word2vecSampler(TEN, "w1 sun"), "without a count: sun"),
        (lambda: Word2vecSampler(power=1.25), "'power'"),
        (lambda: Word2vecSampler(exponent=0.0), "'exponent'"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(make, says):
    with pytest.raises((ValueError, TraitError)) as refused:
        make()
    message = str(refused.value)
    assert says in message and "\n" not in message and len(message) < 200


def test_a_page_pays_at_most_450_kilobytes_for_both(analogy, sampler):
    import gzip
    import json

    states = [json.dumps(view.state()).encode() for view in (analogy, sampler)]
    sizes = [len(gzip.compress(state)) / 1000 for state in states]
    assert sizes[0] < 300 and sum(sizes) < 450
