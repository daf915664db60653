"""Exercise 2: each claim is about one thing, and what the exercise says of its data is so."""

import numpy as np
import pytest
from answers import EXERCISES, RIGHT, holds
from learners import word2vec as learners

from firth.checks.answers import Answer
from firth.lsa.counts import word_ids, words
from firth.store import pretrained_vectors
from firth.store.corpora import restaurant


@pytest.mark.parametrize(
    "name, answer, expected",
    [
        ("training_pairs", learners.left_then_right, [True, False, True, True]),
        ("training_pairs", learners.skips_equal_words, [True, True, True, False]),
        ("training_pairs", learners.zeroes_the_unknown, [True, True, False, True]),
        ("cbow_forward", lambda U, V, c: RIGHT["cbow_forward"](U, V, np.unique(c)), [1, 1, 1, 0]),
        ("negative_loss", learners.a_sum, [True, True, False]),
        ("negative_gradient", learners.overwrites, [False, True, True]),
        ("one_epoch", learners.steps(once=True), [True, True, False, True, True]),
        ("one_epoch", learners.whole_batch, [True, False, True, False, False]),
        ("bias_score", learners.scored(gather=np.sum), [True, False, False]),
        ("bias_score", learners.scored(near=np.dot), [True, True, False]),
        ("bias_score", learners.side_by_side, [True, False, False]),
        ("training_pairs", learners.breaks_off, [True, True, False, True]),
        ("cbow_forward", learners.less_a_score(np.mean), [True, False, True, True]),
        ("cbow_forward", learners.less_a_score(lambda x: x[0]), [True, False, True, True]),
        ("negative_loss", learners.cross_entropy, [False, False, False]),
        ("negative_gradient", learners.writes_into_u, [True, True, False]),
        (
            "one_epoch",
            learners.steps(noise_row=lambda noise, p: np.unique(noise[p])),
            [1, 1, 0, 1, 1],
        ),
        ("analogy", learners.normed_in_place, [True, True, False]),
        ("doubts", learners.in_sets, [False, True, True, True]),
        ("doubts", learners.ignores_the_lost, [True, True, True, False]),
        ("doubts", learners.nowhere, [True, True, True, False]),
    ],
)
def test_a_claim_about_one_thing_does_not_fail_for_another(name, answer, expected):
    assert holds(name, answer) == expected


@pytest.mark.parametrize("name", ["negative_gradient", "one_epoch", "doubts", "bias_score"])
def test_single_precision_is_good_enough(name):
    def single(*inputs):
        short = [
            item.astype(np.float32) if getattr(item, "dtype", None) == np.float64 else item
            for item in inputs
        ]
        return RIGHT[name](*short)

    assert all(holds(name, single))


def test_a_gradient_in_three_pieces_is_told_that_it_makes_no_table():
    def pieces(v, u, noise):
        G = RIGHT["negative_gradient"](v, u, noise)
        return G[0], G[1], G[2:]

    said = [verdict.message for verdict in EXERCISES["negative_gradient"].judge(pieces, 3)]
    assert any("makes no table" in message for message in said)


def test_whoever_lists_too_many_pairs_hears_how_many_and_a_grader_gives_no_number_away():
    def twice(ids, reach):
        return np.repeat(RIGHT["training_pairs"](ids, reach), 2, axis=0)[1:]

    exercise = EXERCISES["training_pairs"]
    said = exercise.verdict(0, twice, 3).message
    listed, wanted = (int(word) for word in said.split() if word.isdigit())
    assert listed == 2 * wanted - 1
    secret = Answer(twice)
    secret.open = False
    assert not any(letter.isdigit() for letter in exercise.verdict(0, secret, 3).message)


def test_the_exercises_vectors_are_those_of_glove_in_hundredths():
    few, vectors = pretrained_vectors.glove_few()
    known, rows = pretrained_vectors.glove()
    place = {word: i for i, word in enumerate(known)}
    assert len(set(few)) == len(few) == len(vectors)
    assert abs(rows[[place[word] for word in few]] - vectors).max() < 0.0051


def reviews(names):
    texts, labels = restaurant()
    return texts, [word_ids(words(text), names) for text in texts], np.array(labels)


def test_R9_the_wrong_label_comes_first_among_the_doubts_with_glove_and_not_without_the_mean():
    names, vectors = pretrained_vectors.glove_few()
    texts, numbers, labels = reviews(names)
    doubts = RIGHT["doubts"](vectors, numbers, labels)
    assert texts[np.argmax(doubts)] == "poor work" and labels[np.argmax(doubts)] == 0
    others = RIGHT["doubts"](vectors - vectors.mean(axis=0), numbers, labels)
    assert texts[np.argmax(others)] == "Never coming back!"


def test_R10_of_five_reviews_the_other_nine_say_nothing():
    names, _ = pretrained_vectors.glove_few()
    texts, numbers, labels = reviews(names)
    doubts = np.array(RIGHT["doubts"](np.eye(len(names)), numbers, labels))
    assert {text for text, doubt in zip(texts, doubts, strict=True) if doubt == 0} == {
        "Never coming back!",
        "rude waitress",
        "rocks",
        "poor work",
        "couldn't have done better",
    }
