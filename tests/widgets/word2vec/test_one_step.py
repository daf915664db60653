"""One step with four words: the numbers that the chapter computes on paper."""

import js
import numpy as np
import pytest
from traitlets import TraitError

from firth.widgets.word2vec.one_step import START, Word2vecStep
from firth.word2vec import word2vec
from tests.widgets.test_parity import assert_same


def test_the_first_step_is_the_one_on_paper():
    shown = {name: np.round(value, 2).tolist() for name, value in Word2vecStep().answer().items()}
    assert shown["scores"] == [0.5, 1, 0] and shown["sigma"] == [0.62, 0.73, 0.5]
    assert shown["errors"] == [-0.38, 0.73, 0.5] and shown["gradient"] == [0.54, -1.42]
    assert shown["next_v"] == [0.73, 0.71]
    assert shown["next_U"] == [[0.69, 0.5], [0.63, -1], [-0.25, -1]]
    assert shown["next_scores"] == [0.86, -0.25, -0.89]
    assert (shown["loss"], shown["next_loss"]) == (2.48, 1.27)


def test_a_step_is_that_of_the_chapters_module():
    v, U = np.array(START[0], dtype=float), np.array(START[1:], dtype=float)
    V = np.vstack([v, np.zeros((2, 2))])
    J, dU, dV = word2vec.negative_sampling(U, V, 0, 0, np.array([1, 2]))
    shown = Word2vecStep(rate=0.5).answer()
    np.testing.assert_allclose(shown["gradient"], dV[0])
    np.testing.assert_allclose(shown["next_v"], v - 0.5 * dV[0])
    np.testing.assert_allclose(shown["next_U"], U - 0.5 * dU)
    assert shown["loss"] == pytest.approx(J)


def test_the_dotted_parts_lead_to_where_the_step_ends():
    shown = Word2vecStep(rate=1.3, steps=2).answer()
    np.testing.assert_allclose(np.sum([shown["v"], *shown["parts"]], axis=0), shown["next_v"])


def test_the_steps_follow_one_another():
    two, three = (Word2vecStep(steps=steps).answer() for steps in (2, 3))
    np.testing.assert_allclose(two["next_v"], three["v"])
    np.testing.assert_allclose(two["next_U"], three["U"])


def test_with_noise_words_only_the_seen_pair_gets_a_high_score():
    scores = Word2vecStep(steps=12).answer()["scores"]
    assert scores[0] > 2 and max(scores[1:]) < -2


def test_without_noise_words_everything_grows_in_one_direction():
    """Every score rises at every step, and after twelve steps the model says yes to all."""
    lengths, before = [], np.zeros(3)
    for steps in range(13):
        shown = Word2vecStep(steps=steps, noise=False).answer()
        assert (np.array(shown["next_scores"]) > shown["scores"]).all()
        all_vectors = np.array([shown["v"], *shown["U"]])
        lengths.append(np.linalg.norm(all_vectors, axis=1).sum())
        before = all_vectors
    assert (np.diff(lengths) > 0).all()
    unit = before / np.linalg.norm(before, axis=1, keepdims=True)
    assert (unit[1:] @ unit[0]).min() > 0.75 and min(shown["sigma"]) > 0.95


def test_a_label_that_the_page_forgets_is_caught():
    shown = Word2vecStep()
    wrong = shown._esm.replace("noise ? [1, 0, 0]", "noise ? [1, 1, 0]")
    assert wrong != shown._esm
    with pytest.raises(AssertionError):
        assert_same(shown.answer(), js.call(wrong, "answer", shown.state()))


def test_a_change_is_heard_in_plain_sentences():
    shown = Word2vecStep()
    assert js.call(shown._esm, "spoken", shown.answer(), shown.state()) == (
        "After 0 steps. The next step changes the score of spoke from 0.50 to 0.86, red from 1.00 "
        "to −0.25, sea from 0.00 to −0.89, and the loss from 2.48 to 1.27."
    )


@pytest.mark.parametrize("choices", [{"rate": 2.1}, {"steps": 13}, {"words": ["a"]}])
def test_what_makes_no_sense_is_refused(choices):
    with pytest.raises(TraitError):
        Word2vecStep(**choices)
