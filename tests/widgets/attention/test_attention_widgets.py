"""Widgets of chapter 4 in which words look at each other: the pull, and queries, keys, values."""

import js
import numpy as np
import pytest
from traitlets import TraitError

from firth.attention.attention import attention, multi_head, softmax
from firth.lsa.similarity import cosine
from firth.widgets.attention.query_key_value import PRESETS, QUESTIONS, WORDS, AttentionLab
from firth.widgets.attention.self_attention_steps import (
    COUNTED,
    MOST,
    SENTENCES,
    VECTORS,
    AttentionGravity,
)

BUY, UNVEILED, FRUIT, PHONE = SENTENCES
GOALS = [goal for _, goal in QUESTIONS]


def weights(**choices):
    """The rows of the table that the page shows, without its empty places."""
    shown = AttentionGravity(**choices).answer()
    n = len([word for word in shown["words"] if word])
    return shown["words"][:n], np.array([row[:n] for row in shown["weights"][:n]])


# The pull


def test_S8_the_cosines_of_the_decks_five_words():
    X = np.array([VECTORS[word] for word in ("orange", "phone", "apple", "and", "an")], float)
    table = [[1, 0, 0.71, 0, 0], [0, 1, 0.71, 0, 0], [0.71, 0.71, 1, 0, 0]]
    table += [[0, 0, 0, 1, 1], [0, 0, 0, 1, 1]]
    np.testing.assert_allclose(cosine(X[:, None], X[None]), table, atol=0.005)


def test_S10_S12_two_words_weigh_057_and_043():
    for sentence, names in [(FRUIT, ["apple", "orange"]), (PHONE, ["apple", "phone"])]:
        words, A = weights(sentence=sentence, counted="content")
        assert words == names
        np.testing.assert_allclose(A, [[0.57, 0.43], [0.43, 0.57]], atol=0.005)


def test_S11_over_the_whole_sentence_every_row_sums_to_one():
    words, A = weights(sentence=FRUIT, counted="once")
    assert words == ["an", "apple", "and", "orange"]
    order = [words.index(word) for word in ("orange", "apple", "and", "an")]
    table = [[0.4, 0.3, 0.15, 0.15], [0.3, 0.4, 0.15, 0.15]] + 2 * [[0.13, 0.13, 0.37, 0.37]]
    np.testing.assert_allclose(A[np.ix_(order, order)], table, atol=0.006)
    np.testing.assert_allclose(A.sum(axis=-1), 1)
    words, A = weights(sentence=FRUIT, counted="all")
    assert words.count("an") == 2
    np.testing.assert_allclose(A.sum(axis=-1), 1)


@pytest.mark.parametrize("counted", COUNTED)
@pytest.mark.parametrize("sentence", SENTENCES)
def test_S12_apple_turns_to_what_the_sentence_speaks_of(sentence, counted):
    shown = AttentionGravity(sentence=sentence, counted=counted).answer()
    near, far = ("orange", "phone") if "orange" in sentence else ("phone", "orange")
    (before, after), (_, other) = shown["likeness"][near], shown["likeness"][far]
    assert after > before > other


def test_S12_where_every_word_counts_function_words_take_nearly_all_of_the_turn():
    turns = [
        np.diff(AttentionGravity(sentence=BUY, counted=way).answer()["likeness"]["orange"])[0]
        for way in COUNTED
    ]
    assert turns[0] > 0.15 and 0.05 < turns[1] < 0.1 and 0 < turns[2] < 0.01


@pytest.mark.parametrize("counted", COUNTED)
@pytest.mark.parametrize("sentence", SENTENCES)
def test_S12_after_three_steps_one_point_is_left(sentence, counted):
    shown = AttentionGravity(sentence=sentence, counted=counted, steps=MOST).answer()
    assert shown["together"] == (2 if counted == "content" else 3)
    assert shown["spread"][1] == shown["spread"][2] < 1e-9 < shown["spread"][0]
    np.testing.assert_allclose(shown["after"], shown["end"])
    assert np.ptp(np.array(shown["path"][-1]), axis=0).max() < 1e-9


def test_with_two_words_the_one_point_is_the_middle_of_the_two():
    shown = AttentionGravity(sentence=PHONE).answer()
    np.testing.assert_allclose(shown["end"], [3, 1, 0], atol=1e-9)


def test_a_step_is_attention_with_directions_for_queries_and_keys():
    shown = AttentionGravity(sentence=UNVEILED, counted="all", steps=3, apple=[0.4, 3.1]).answer()
    for X, after in zip(shown["path"], shown["path"][1:], strict=False):
        U = np.array(X) / np.linalg.norm(X, axis=-1, keepdims=True)
        np.testing.assert_allclose(after, attention(U, U, np.array(X), scale=1.0))
        np.testing.assert_allclose(after, softmax(U @ U.T) @ X)
    moved = np.linalg.norm(np.subtract(shown["path"][3], shown["path"][0])[0])
    assert shown["moved"] == pytest.approx(moved)
    assert shown["at"] == 3


def test_an_apple_of_no_length_has_no_direction_and_still_a_place_to_go():
    shown = AttentionGravity(apple=[0.0, 0.0]).answer()
    assert shown["weights"][0][:2] == [0.5, 0.5]
    np.testing.assert_allclose(shown["after"], [0, 1.5, 0])


# Queries, keys, values


FIRST, SHARPER, NUMBER, KIND = PRESETS
TURN, PARTNER = [0, -1, 1, 0], [-2, 0, 0, 2]


def lab(preset=FIRST, **choices):
    return AttentionLab(**PRESETS[preset] | choices).answer()


@pytest.mark.parametrize("preset", PRESETS)
def test_the_lab_is_one_head_of_attention(preset):
    X = np.array(list(WORDS.values()), float)
    W_Q, W_K, W_V = (np.reshape(PRESETS[preset][name], (2, 2)) for name in ("W_Q", "W_K", "W_V"))
    shown = lab(preset)
    matrices = (W.astype(float) for W in (W_Q, W_K, W_V))
    np.testing.assert_allclose(shown["outputs"], multi_head(X, *matrices, np.eye(2), heads=1))
    np.testing.assert_allclose(softmax(np.array(shown["scores"])), shown["weights"])
    product = X @ np.reshape(shown["product"], (2, 2)) @ X.T
    np.testing.assert_allclose(shown["scores"], product / np.sqrt(2))
    plain = lab(preset, scaled="plain")
    np.testing.assert_allclose(plain["scores"], product)


def test_what_each_preset_makes_the_words_attend_to():
    looks = {preset: lab(preset)["looks"] for preset in PRESETS}
    assert looks[FIRST] == looks[SHARPER] == list(WORDS)
    assert looks[NUMBER] == ["dog, barks", "dogs, bark", "dogs, bark", "dog, barks"]
    assert looks[KIND] == ["bark, barks", "bark, barks", "dog, dogs", "dog, dogs"]
    assert lab(W_Q=PARTNER)["looks"] == ["barks", "bark", "dogs", "dog"]


def test_A7_turning_queries_and_keys_alike_changes_no_weight_and_stretching_makes_them_sharper():
    np.testing.assert_allclose(lab(W_Q=TURN, W_K=TURN)["weights"], lab()["weights"])
    assert lab()["weights"][0][0] == pytest.approx(0.65, abs=0.005)
    assert lab(SHARPER)["weights"][0][0] > 0.95


def test_A7_values_are_chosen_apart_from_what_is_attended_to():
    told = lab(W_Q=PARTNER, W_V=[0, 0, 0, 1])
    assert told["weights"] == lab(W_Q=PARTNER)["weights"]
    nouns = np.array(told["outputs"])  # a number, singular or plural, and nothing else
    np.testing.assert_array_equal(nouns[:, 0], 0)
    assert (np.sign(nouns[:, 1]) == [-1, 1, 1, -1]).all()


@pytest.mark.parametrize("preset", PRESETS)
def test_no_preset_answers_a_question(preset):
    assert not any(lab(preset, question=n)["met"] for n in range(len(GOALS)))


def test_every_question_has_an_answer_and_one_matrix_never_gives_a_partner_more_than_half():
    assert lab(W_Q=PARTNER, question=GOALS.index("partner"))["met"]
    same = {"W_Q": [0, 0, 0, 2], "W_K": [0, 0, 0, 2]}
    assert lab(**same, question=GOALS.index("one matrix"))["met"]
    assert not lab(NUMBER, question=GOALS.index("one matrix"))["met"]
    rng = np.random.default_rng(0)
    for W in rng.uniform(-2, 2, size=(200, 4)).tolist():
        assert np.diag(np.array(lab(W_Q=W, W_K=W)["weights"])[:, ::-1]).min() <= 0.5 + 1e-9


# Both


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: AttentionGravity(sentence="an orange"), "has 4 sentences"),
        (lambda: AttentionGravity(apple=[5.0, 0.0]), "between 0 and 4"),
        (lambda: AttentionGravity(counted="most"), "content"),
        (lambda: AttentionGravity(steps=21), "steps"),
        (lambda: AttentionLab(W_Q=[3, 0, 0, 1]), "between -2 and 2"),
        (lambda: AttentionLab(W_V=[1, 0, 0]), "length"),
        (lambda: AttentionLab(asking="cat"), "dog, dogs, bark, barks"),
        (lambda: AttentionLab(question=2), "2 questions"),
        (lambda: AttentionLab(scaled="by d"), "scaled"),
    ],
)
def test_what_a_view_cannot_show_is_refused(make, says):
    with pytest.raises(TraitError, match=says):
        make()


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (
            lambda: AttentionGravity(sentence=PHONE),
            "an apple phone: after 1 step apple stands at tech 2.85, fruitness 1.15, 1.21 from "
            "its start; cosine with orange 0.37, with phone 0.93; the words are 0.41 apart.",
        ),
        (
            lambda: AttentionLab(W_Q=PARTNER),
            "Done. dog attends to barks; dogs attends to bark; bark attends to dogs; barks attends "
            "to dog. The weights of dog: dog 0.05, dogs 0.00, bark 0.05, barks 0.89.",
        ),
    ],
)
def test_a_change_is_heard(make, sentence):
    view = make()
    assert js.call(view._esm, "spoken", view.answer(), view.state()) == sentence


def test_whole_numbers_from_a_page_do_not_round_what_the_reader_moves():
    view = AttentionGravity(apple=[2.3, 2.0])
    whole = {word: list(map(int, vector)) for word, vector in view.vectors.items()}
    again = AttentionGravity.restored(view.state() | {"vectors": whole})
    assert again.answer() == view.answer()
