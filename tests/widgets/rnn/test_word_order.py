"""The widget in which three words change their order: one bag, several last hidden states."""

from itertools import combinations, permutations

import js
import numpy as np
import pytest
from traitlets import TraitError

from firth.rnn import rnn
from firth.widgets.rnn.word_order import WORDS, RnnWordOrder
from tests.widgets.test_parity import assert_same

BACKWARDS = list(reversed(WORDS))


def shown(*sentence, **choices):
    return RnnWordOrder(sentence, **choices).answer()


def test_the_two_sentences_have_one_bag_and_two_last_hidden_states():
    first, second = shown(*WORDS), shown(*BACKWARDS)
    assert first["counts"] == second["counts"] == [1, 1, 1]
    assert second["bags_apart"] == 0 and second["apart"] == pytest.approx(1.42, abs=0.005)
    assert second["ends"] == ["(−0.85, 0.55)", "(0.50, 0.09)"]
    assert first["apart"] == 0


def test_each_of_the_six_orders_ends_at_a_place_of_its_own_and_inside_the_drawn_plane():
    paths = [np.array(shown(*order)["states"]) for order in permutations(WORDS)]
    for one, other in combinations(paths, 2):
        assert np.linalg.norm(one[-1] - other[-1]) > 0.15
    assert np.concatenate(paths)[:, 1].min() > -0.5  # the plane is drawn down to −0.62


@pytest.mark.parametrize("step", [1, 2, 3])
def test_the_sum_of_a_step_is_that_of_the_step_function(step):
    view = RnnWordOrder(BACKWARDS, step=step)
    h = np.zeros(2)
    for word in BACKWARDS[:step]:
        x = np.array([float(word == other) for other in WORDS])
        past, h = h, rnn.step(x, h, np.array(view.W), np.array(view.U), np.zeros(2))
    answer = view.answer()
    assert answer["states"][step - 1] == pytest.approx(h)
    told = [float(n.replace("−", "-")) for n in answer["from_past"].strip("()").split(", ")]
    assert told == pytest.approx(np.array(view.U) @ past, abs=0.005)


def test_a_script_that_forgets_the_past_is_caught():
    view = RnnWordOrder(BACKWARDS)
    wrong = view._esm.replace("Math.tanh(value + fromPast[i])", "Math.tanh(value)")
    assert wrong != view._esm
    with pytest.raises(AssertionError):
        assert_same(view.answer(), js.call(wrong, "answer", view.state()))


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: RnnWordOrder(["dog", "bites"]), "each of these words once"),
        (lambda: RnnWordOrder(["dog", "bites", "dog"]), "each of these words once"),
        (lambda: RnnWordOrder(step=4), "step"),
        (lambda: RnnWordOrder(step=0), "step"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(make, says):
    with pytest.raises(TraitError, match=says) as refused:
        make()
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 200


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (
            lambda: RnnWordOrder(step=1),
            "dog bites man ends at (−0.85, 0.55). "
            "Step 1, dog: tanh((1.00, 0.00) + (0.00, 0.00)) = (0.76, 0.00).",
        ),
        (
            lambda: RnnWordOrder(BACKWARDS),
            "man bites dog ends at (0.50, 0.09), dog bites man at (−0.85, 0.55). "
            "The bags of words are equal, the hidden states are 1.42 apart. "
            "Step 3, dog: tanh((1.00, 0.00) + (−0.46, 0.09)) = (0.50, 0.09).",
        ),
    ],
)
def test_a_change_is_heard_in_plain_sentences(make, sentence):
    view = make()
    assert js.call(view._esm, "spoken", view.answer(), view.state()) == sentence
