"""Widgets of chapter 4: self-attention without matrices, and queries, keys and values."""

import js
import numpy as np
import pytest
from traitlets import TraitError

from firth.attention.attention import attention, multi_head, softmax
from firth.lsa.similarity import cosine
from firth.widgets.attention.query_key_value import PRESETS, QUESTIONS, WORDS, AttentionLab
from firth.widgets.attention.self_attention_steps import MOST, SENTENCES, VECTORS, AttentionGravity
from firth.widgets.attention.self_attention_steps import WORDS as COUNTED

BUY, UNVEILED, CROWD = (sentence for sentence, _ in SENTENCES)
GOALS = [goal for _, goal in QUESTIONS]


def sides(**choices):
    """What the view shows of both sentences: the left one, and the one chosen on the right."""
    shown = AttentionGravity(**choices).answer()
    return shown["left"], shown["right"]


def weights(side):
    """The attention weights of apple, without the empty places of a short sentence."""
    return [weight for weight in side["weights"] if weight is not None]


# Self-attention without matrices


def test_S8_the_cosines_of_the_decks_five_words():
    X = np.array([VECTORS[word] for word in ("orange", "phone", "apple", "and", "an")], float)
    table = [[1, 0, 0.71, 0, 0], [0, 1, 0.71, 0, 0], [0.71, 0.71, 1, 0, 0]]
    table += [[0, 0, 0, 1, 1], [0, 0, 0, 1, 1]]
    np.testing.assert_allclose(cosine(X[:, None], X[None]), table, atol=0.005)


def test_S10_S12_two_words_weigh_057_and_043_and_apple_ends_in_two_places():
    fruit, phone = sides()
    for side, names, after in [
        (fruit, ["apple", "orange"], [1.15, 2.43, 0]),
        (phone, ["apple", "phone"], [2.85, 1.15, 0]),
    ]:
        assert side["words"][:2] == names and not any(side["words"][2:])
        np.testing.assert_allclose(weights(side), [0.57, 0.43], atol=0.005)
        np.testing.assert_allclose(side["after"], after, atol=0.005)


@pytest.mark.parametrize("counted", COUNTED)
def test_S12_apple_comes_closer_to_the_moved_word_that_its_sentence_is_about(counted):
    for side in sides(counted=counted):
        before, after = side["cosines"]
        assert after > 0.9 > 0.72 > before
        path = np.array(side["path"])
        me, partner = (side["words"].index(word) for word in ("apple", side["partner"]))
        assert after == pytest.approx(cosine(path[1, me], path[1, partner]))


def test_S12_a_crowd_pulls_harder_than_one_word_does():
    (one, _), (_, crowd) = sides(), sides(beside=CROWD)
    assert weights(one)[0] == pytest.approx(0.57, abs=0.005)
    assert weights(crowd)[0] == pytest.approx(0.31, abs=0.005)
    assert crowd["after"][0] < one["after"][0]


def test_S12_where_all_words_count_the_sense_is_diluted_and_not_lost():
    content, _ = sides(counted="content")
    every, _ = sides(counted="all")
    assert content["neither"] == 0 and every["neither"] == pytest.approx(37.1, abs=0.05)
    of = [side["after"][1] / side["after"][0] for side in (content, every)]
    assert of == pytest.approx([of[0]] * 2)  # as much fruit for each bit of technology
    assert every["words"].count("an") == 2 and sum(weights(every)) == pytest.approx(1)


@pytest.mark.parametrize("counted", COUNTED)
@pytest.mark.parametrize("beside", [UNVEILED, CROWD])
def test_S12_after_three_steps_one_point_is_left(beside, counted):
    for side in sides(beside=beside, counted=counted, steps=MOST):
        assert side["one_point"] in (2, 3)
        assert side["distances"][1] < 1e-9 < side["distances"][0]
        assert np.ptp(np.array(side["path"][-1]), axis=0).max() < 1e-9


def test_a_step_is_attention_with_directions_for_queries_and_keys():
    _, shown = sides(counted="all", steps=3, apple=[0.4, 3.1])
    for X, after in zip(shown["path"], shown["path"][1:], strict=False):
        U = np.array(X) / np.linalg.norm(X, axis=-1, keepdims=True)
        np.testing.assert_allclose(after, attention(U, U, np.array(X), scale=1.0))
        np.testing.assert_allclose(after, softmax(U @ U.T) @ X)
    X = np.array(shown["path"][2])
    U = X / np.linalg.norm(X, axis=-1, keepdims=True)
    np.testing.assert_allclose(weights(shown), softmax(U @ U.T)[0])


def test_an_apple_of_no_length_has_no_direction_and_still_a_place_to_go():
    side, _ = sides(apple=[0.0, 0.0])
    assert weights(side) == [0.5, 0.5]
    np.testing.assert_allclose(side["after"], [0, 1.5, 0])
    still, _ = sides(apple=[0.0, 0.0], steps=0)
    assert still["after"] == [0, 0, 0] and still["neither"] == 0


def test_the_task_is_done_from_38_of_tech_on_and_not_before_a_step_is_taken():
    done = [AttentionGravity(apple=[x / 10, 2.0]).answer()["met"] for x in range(41)]
    assert done.index(True) == 38 and all(done[38:])
    assert not AttentionGravity(apple=[4.0, 2.0], steps=0).answer()["met"]
    assert not AttentionGravity(apple=[4.0, 2.0], counted="all").answer()["met"]


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
    attended = {preset: lab(preset)["attends_to"] for preset in PRESETS}
    assert attended[FIRST] == attended[SHARPER] == list(WORDS)
    assert attended[NUMBER] == ["dog, barks", "dogs, bark", "dogs, bark", "dog, barks"]
    assert attended[KIND] == ["bark, barks", "bark, barks", "dog, dogs", "dog, dogs"]
    assert lab(W_Q=PARTNER)["attends_to"] == ["barks", "bark", "dogs", "dog"]


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
        (lambda: AttentionGravity(beside="an orange"), "has 2 sentences"),
        (lambda: AttentionGravity(beside=BUY), "has 2 sentences"),
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
            lambda: AttentionGravity(apple=[4.0, 2.0]),
            "Done. apple after 1 step: beside orange tech 2.54, fruit 2.37, neither 0.00, cosine "
            "with the moved orange 0.95; beside phone tech 4.00, fruit 1.05, neither 0.00, cosine "
            "with the moved phone 1.00.",
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
