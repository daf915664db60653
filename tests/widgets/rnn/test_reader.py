"""The widget in which a small trained network reads words and predicts the next one."""

import js
import numpy as np
import pytest
from traitlets import TraitError

from firth.rnn import rnn, small_text
from firth.widgets.rnn.reader import LONGEST, PHRASES, SENTENCES, RnnReader
from tests.widgets.test_parity import assert_same


def shown(text: str) -> dict:
    return RnnReader(text.split()).answer()


def test_the_network_reads_a_full_stop_and_then_word_by_word():
    view = RnnReader("dog bites man".split())
    W, U, b = (np.array(rows) for rows in (view.W, view.U, view.b))
    h = np.zeros(len(b))
    for word, state in zip(". dog bites man".split(), view.answer()["states"], strict=True):
        x = np.array([float(word == other) for other in small_text.WORDS])
        h = rnn.step(x, h, W, U, b)
        assert state == pytest.approx(h)


def test_the_shares_are_probabilities_and_the_verbs_are_counted_once():
    view = RnnReader("dogs".split())
    answer, verbs = view.answer(), {*view.plural_verbs, *view.singular_verbs}
    assert len(verbs) == 16 and verbs <= {*view.vocabulary}
    assert 0 < answer["plural"] + answer["singular"] < 100
    assert answer["top_shares"] == sorted(answer["top_shares"], reverse=True)
    assert answer["top"][0] == answer["likely"][1]
    assert answer["top_shares"][0] == pytest.approx(answer["likely_shares"][1])


@pytest.mark.parametrize(
    ("text", "plural"),
    [
        ("dogs near the old station", True),
        ("dog near the old stations", False),
        ("dogs near the cat behind the house near the river", True),
    ],
)
def test_the_verb_agrees_with_the_first_noun_whatever_the_last_one_is(text, plural):
    answer = shown(text)
    right, wrong = (answer[n] for n in ("plural", "singular")[:: 1 if plural else -1])
    assert right > 40 and wrong < 1


def test_the_order_of_the_same_words_leads_to_other_hidden_states():
    one, other = (shown(text)["states"][-1] for text in ("dog bites man", "man bites dog"))
    assert np.linalg.norm(np.subtract(one, other)) > 0.5


def test_the_sentences_to_choose_from_have_words_that_the_network_knows():
    for words in (*SENTENCES, *(phrase.split() for phrase in PHRASES)):
        assert {*words} <= {*small_text.WORDS} and len(words) <= LONGEST


def test_after_five_phrases_with_cat_the_network_has_lost_the_plural_of_dogs():
    answers = [shown("dogs" + " near the cat" * phrases) for phrases in range(6)]
    assert all(answer["plural"] > 9 * answer["singular"] for answer in answers[:5])
    assert answers[5]["singular"] > 95 > 5 > answers[5]["plural"]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("[vocabulary[0], ...sentence]", "[vocabulary[1], ...sentence]"),
        ("Math.tanh(W[k][x] + dot(U[k], before)", "Math.tanh(W[k][x]"),
        ("all(plural_verbs)", "all(singular_verbs)"),
    ],
)
def test_a_script_that_reads_wrongly_is_caught(right, wrong):
    view = RnnReader()
    script = view._esm.replace(right, wrong)
    assert script != view._esm
    with pytest.raises(AssertionError):
        assert_same(view.answer(), js.call(script, "answer", view.state()))


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: RnnReader(["zorf"]), "knows 42 words, and not 'zorf'"),
        (lambda: RnnReader(more="near zorf"), "knows 42 words, and not 'zorf'"),
        (lambda: RnnReader(["dog"] * (LONGEST + 1)), "at most 20 words"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(make, says):
    with pytest.raises(TraitError, match=says) as refused:
        make()
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 250


def test_a_change_is_heard_in_plain_sentences():
    view = RnnReader([])
    sentence = js.call(view._esm, "spoken", view.answer(), view.state())
    assert sentence.startswith("At the beginning, the next word: ")
    view.sentence = ["dogs", "near"]
    sentence = js.call(view._esm, "spoken", view.answer(), view.state())
    assert sentence.startswith("After dogs near, the next word: the 100 %")
    assert sentence.endswith("Plural verbs 0 %, singular verbs 0 %.")
