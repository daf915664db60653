"""The view of two translators: its own German, its marks, and what it refuses."""

import js
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from traitlets import TraitError

from firth.attention import telephone_numbers
from firth.store.weights import quantize
from firth.widgets.attention.alignment import AttentionAlignment
from tests.modules.attention.test_telephone_numbers import few, numbers, words

LONG = "42 17 24 05 93 60 38 11 59 76"


VIEW = AttentionAlignment(network="attention", number="42 17 24 05", word=4)


def pure(name, *args):
    return js.call(VIEW._esm, name, *args)


def test_at_vier_the_decoder_attends_to_four():
    shown = VIEW.answer()
    assert (shown["chosen"], shown["most"], shown["at"]) == ("vier", "four", 4)
    assert shown["share"] > 50 and not shown["wrong"] and not shown["missing"]
    assert shown["written"] == shown["right"] and all(shown["correct"])


def test_with_one_vector_a_long_number_goes_wrong_and_with_attention_it_does_not():
    shown = AttentionAlignment().answer()
    assert shown["wrong"] > 0
    right = {name: int(score.split()[0]) for name, score in shown["scores"].items()}
    assert right["one vector"] < right["attention"] == len(shown["right"])
    assert not np.any(shown["attention"]) and shown["most"] == ""


def test_at_ten_pairs_words_are_missing_and_those_that_are_right_are_marked():
    shown = AttentionAlignment(network="attention", number=LONG).answer()
    assert shown["missing"] > 3 and sum(shown["correct"]) == sum(shown["found"])
    assert shown["missing"] == len(shown["right"]) - sum(shown["found"])
    assert shown["wrong"] == len(shown["written"]) - sum(shown["correct"])


@given(numbers, st.integers(0, 40))
@few
def test_the_bars_are_the_weights_at_the_word_chosen_and_sum_to_1(number, word):
    view = AttentionAlignment(network="attention", number=number, word=word)
    shown = view.answer()
    view.close()
    assert shown["row"] == shown["attention"][shown["at"]]
    assert sum(shown["row"]) == pytest.approx(1)
    assert shown["share"] == pytest.approx(100 * max(shown["row"]))
    assert shown["at"] == min(word, len(shown["written"]) - 1)


@given(numbers)
@settings(max_examples=200, deadline=None, derandomize=True, database=None)
def test_the_page_reads_numbers_aloud_as_python_does(number):
    assert pure("englishWords", number, VIEW.english) == telephone_numbers.english_words(number)
    assert pure("germanWords", number, VIEW.german) == telephone_numbers.german_words(number)


@given(words, words)
@settings(max_examples=100, deadline=None, derandomize=True, database=None)
def test_the_page_marks_words_as_python_does(said, right):
    assert pure("correctWords", said, right) == telephone_numbers.correct_words(said, right)


@pytest.mark.parametrize(
    "text", ["", "  ", "4", "421", "42-17", "star", "4²", "“1", "☎1", "12" * 13, "+49 30", "½½"]
)
def test_what_is_no_number_is_refused_in_one_sentence_in_the_words_of_python(text):
    with pytest.raises(TraitError) as refused:
        AttentionAlignment(number=text)
    message = str(refused.value)
    assert pure("refusal", text) == message
    assert "\n" not in message and len(message) < 100 and message.endswith(".")


@given(numbers)
@settings(max_examples=50, deadline=None, derandomize=True, database=None)
def test_every_number_of_up_to_twelve_pairs_is_taken(number):
    assert pure("refusal", number) == ""


def test_a_word_before_the_first_is_refused():
    with pytest.raises(TraitError):
        AttentionAlignment(word=-1)


def test_a_network_that_writes_nothing_shows_nothing():
    only_the_border = np.eye(len(telephone_numbers.GERMAN))[0] * 1000
    silent = VIEW.weights | {"o": quantize(only_the_border)}
    view = AttentionAlignment(weights=silent, network="attention", number="42 17 24 05")
    shown = view.answer()
    assert shown["written"] == [] and shown["chosen"] == "" and shown["share"] == 0
    assert pure("answer", view.state()) == shown
    assert pure("spoken", shown, view.state()) == "The network writes nothing. 9 words are missing."


def test_a_change_is_heard_as_the_text_the_weights_and_the_verdict():
    sentence = pure("spoken", VIEW.answer(), VIEW.state())
    assert sentence.startswith("zwei und vierzig siebzehn vier und zwanzig null fünf. At vier, ")
    assert "the decoder attends to four with " in sentence and sentence.endswith(
        "9 words are right."
    )


def test_the_picture_without_a_script_has_the_right_words_and_those_of_both_networks():
    html = VIEW.fallback()
    assert all(word in html for word in ["vierzig", "siebzehn", "one vector", "attention"])


def test_what_the_page_carries_is_small():
    assert sum(len(part["bytes"]) for part in VIEW.state()["weights"].values()) < 150_000
