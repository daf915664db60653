"""The widget that draws place names, and shows the hidden state letter by letter."""

import js
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from traitlets import TraitError

from firth.rnn import place_names
from firth.store import corpora
from firth.widgets.rnn.place_names import LONGEST, RnnNames
from tests.widgets.test_parity import assert_same

PLACES = corpora.places()


def pure(widget, name, *args):
    return js.call(widget._esm, name, *args)


def test_names_are_marked_by_what_the_network_could_have_known():
    view = RnnNames()
    shown = next(name for name in view.places if name not in view.held_out)
    names = [shown.upper(), view.held_out[0], view.elsewhere[0], "Qqq"]
    assert view.kinds_of_names(names) == ["copy", "kept", "elsewhere", "new"]


def test_the_first_draw_shows_what_a_name_looks_like_that_exists_and_most_draws_do_not():
    kinds = RnnNames().kinds_of_names([place_names.sampled(seed) for seed in range(200)])
    assert RnnNames().answer()["existing"] >= 1
    assert 0 < np.mean([kind != "new" for kind in kinds]) < 0.1


def test_the_names_and_the_letters_are_those_of_the_module():
    view = RnnNames(prefix="Vila", tau=0.7, seed=3, read=4)
    shown = view.answer()
    assert shown["names"] == [place_names.sampled(30 + n, 0.7, "Vila") for n in range(10)]
    p = place_names.probabilities(place_names.scores("Vila"), 0.7)
    assert shown["after"] == "Vila"
    assert shown["shares"][0] == pytest.approx(100 * p.max())
    assert sum(shown["shares"]) + shown["rest"] == pytest.approx(100)


def test_letter_by_letter_the_hidden_state_is_that_of_the_module():
    view, net = RnnNames(chosen=2, read=40), place_names.trained_network()
    shown = view.answer()
    name = shown["names"][2]
    assert (shown["after"], shown["number"]) == (name, len(name)) and len(name) < 40
    assert np.shape(shown["hidden"]) == (len(name) + 1, 64)
    for n in (0, 1, 7, len(name)):
        np.testing.assert_allclose(shown["hidden"][n], place_names.state(name[:n], net))
    view.read = 7
    assert view.answer()["hidden"] == shown["hidden"][:8]


def test_some_units_change_with_a_letter_and_most_do_not():
    view = RnnNames()
    for read, changed in ((0, 0), (4, 11)):
        view.read = read
        assert view.answer()["changed"] == changed


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("alphabet[0], ...text]", "alphabet[1], ...text]"),  # a blank in place of the border
        ("slice(0, read)", "slice(0, read + 1)"),
        ("> MUCH", "< MUCH"),
    ],
)
def test_a_script_that_reads_wrongly_is_caught(right, wrong):
    view = RnnNames()
    script = view._esm.replace(right, wrong)
    assert script != view._esm
    with pytest.raises(AssertionError):
        assert_same(view.answer(), js.call(script, "answer", view.state()))


def test_a_cold_network_repeats_itself_and_a_hot_one_does_not():
    cold, hot = (RnnNames(tau=tau).answer()["different"] for tau in (0.2, 1.5))
    assert cold < hot


letters = st.text("abelv Vç'à", max_size=24)


@given(letters | st.sampled_from(PLACES), st.lists(letters, min_size=1, max_size=12))
@settings(max_examples=200, deadline=None, derandomize=True, database=None)
def test_javascript_finds_the_nearest_name_without_filling_the_whole_table(name, names):
    assert tuple(pure(RnnNames, "nearest", name, names)) == place_names.nearest(name, names)


@pytest.mark.parametrize("text", ["w", "Vila7", "Sant 北", 'El "', "ß"])
def test_the_page_refuses_a_beginning_in_the_words_of_python(text):
    with pytest.raises(TraitError) as refused:
        RnnNames(prefix=text)
    assert pure(RnnNames, "refusal", text, RnnNames().alphabet) == str(refused.value)
    assert str(refused.value).startswith("No name in the list has the letter ")


def test_a_beginning_may_be_any_that_a_name_has_and_no_longer_than_the_page_allows():
    view = RnnNames()
    assert not any(pure(view, "refusal", name[:LONGEST], view.alphabet) for name in PLACES)
    with pytest.raises(TraitError, match="20 letters") as refused:
        view.prefix = "a" * (LONGEST + 1)
    assert pure(view, "refusal", "a" * (LONGEST + 1), view.alphabet) == str(refused.value)


def test_the_letter_model_that_the_page_carries_is_small():
    weights = RnnNames().state()["weights"]
    assert sum(len(table["bytes"]) for table in weights.values()) < 300_000


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: RnnNames(tau=0.0), "between 0.2 and 1.5"),
        (lambda: RnnNames(tau=-1.0), "between 0.2 and 1.5"),
        (lambda: RnnNames(seed=-1), "seed"),
        (lambda: RnnNames(chosen=10), "chosen"),
        (lambda: RnnNames(read=-1), "read"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(make, says):
    with pytest.raises(TraitError, match=says) as refused:
        make()
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 200


def test_the_names_are_heard_with_what_is_known_of_them():
    view = RnnNames(prefix="Vila", tau=0.5)
    shown = view.answer()
    sentence = pure(view, "spoken", shown, view.state())
    assert sentence.startswith(f"At τ 0.5: {shown['names'][0]}, ")
    assert f"After Vila, where the last letter changed {shown['changed']} units, " in sentence
    assert f"{shown['letters'][0]} is the most probable next letter" in sentence
    assert f"{shown['existing']} of 10 already exist." in sentence


def test_at_the_beginning_no_letter_has_changed_a_unit():
    view = RnnNames(read=0)
    sentence = pure(view, "spoken", view.answer(), view.state())
    assert "At the beginning, " in sentence and "changed" not in sentence
