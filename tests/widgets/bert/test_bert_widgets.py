"""Chapter 6's tokenizer in the page, and the viewer of heads: the real ones, and what they show."""

import gzip
import json
import sys
import unicodedata

import js
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies.bert_tokens import settled
from traitlets import TraitError

from experiments.bert import attention_heads
from firth.bert import minilm
from firth.bert.wordpiece import pretokens
from firth.store.downloads import fetch
from firth.store.results import stored_result
from firth.store.weights import dequantize
from firth.widgets.bert.attention_heads import FILE, KEYS, TIRED, BertHeads, measured
from firth.widgets.bert.tokenizer import EXAMPLES, MOST, BertTokens

WIDE = TIRED.replace("tired", "wide")
STORED = stored_result("bert/attention_heads")
TEXTS = [row["text"] for row in STORED]
few = settings(max_examples=60, deadline=None, derandomize=True, database=None)


def pure(widget, name, *args):
    return js.call(widget._esm, name, *args)


# The tokenizer


def test_an_unseen_word_is_seen_in_pieces():
    shown = BertTokens().answer()
    assert shown["chosen"] == "purplish"
    assert [step["found"] for step in shown["steps"]] == ["pu", "##rp", "##lish"]
    assert shown["steps"][0]["failed"] == ["purplish"[:n] for n in range(8, 2, -1)]
    assert shown["pieces"][1:-1] == minilm.words().pieces("merging into a vague, purplish glimmer")


def test_the_list_that_the_page_has_is_berts_and_small():
    words = BertTokens().words
    assert words.split("\n") == minilm.words().tokens and len(words.split("\n")) == 30522
    assert words + "\n" == fetch("minilm_words").read_text(encoding="utf-8")
    assert len(gzip.compress(json.dumps(words).encode())) < 120_000


def test_every_character_is_read_alike_by_a_page_and_by_python():
    """Of those that Python's tables of Unicode know; the browser's may be newer, and know more."""
    every = [chr(code) for code in range(sys.maxunicode + 1)]
    every = [c for c in every if unicodedata.category(c) not in ("Cn", "Co", "Cs")]
    differs = set()
    for start in range(0, len(every), 10_000):
        text = " 1 ".join(f"a{c}a" for c in every[start : start + 10_000])
        ours, theirs = (" ".join(found) for found in (pretokens(text), page_pretokens(text)))
        pairs = zip(ours.split(" 1 "), theirs.split(" 1 "), strict=True)
        differs |= {c for c, pair in zip(every[start:], pairs, strict=False) if len({*pair}) > 1}
    assert not {c for c in differs if settled(c)}


def page_pretokens(text):
    return js.call(BertTokens._esm, "pretokens", text)


def test_what_was_tried_in_vain_is_no_piece_and_what_was_found_is():
    known = {*minilm.words().tokens}
    for text in EXAMPLES:
        for step in BertTokens(text).answer()["steps"]:
            assert not known & {*step["failed"]}
            assert step["found"] is None or step["found"] in known


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "There is nothing to read: write a word."),
        ("the", "“the” is a piece of the list as it is: one token."),
        ("a [MASK]", "[MASK] is a special sign: a token as it stands."),
        ("🙂", "“🙂” cannot be written in pieces of the list: all of it is [UNK]."),
        ("x🙂", "“x🙂” cannot be written in pieces of the list: all of it is [UNK]."),
        ("a" * 101, "A word of over 100 letters is not tried at all: [UNK]."),
        ("Zoë", "“zoe” is a piece of the list as it is: one token."),
    ],
)
def test_what_becomes_of_a_word_is_said_in_a_sentence(text, says):
    view = BertTokens(text, word=5)
    assert view.answer()["said"] == says
    assert pure(view, "answer", view.state())["said"] == says


def test_a_word_of_which_the_rest_has_no_piece_shows_where_it_failed():
    steps = BertTokens("x🙂y").answer()["steps"]
    assert [step["found"] for step in steps] == ["x", None]
    assert steps[1]["failed"] == ["##🙂y", "##🙂"]


def test_capitals_and_accents_are_lost():
    shown = BertTokens("The US told us: polish the Polish.").answer()
    ids = dict(zip(shown["pieces"], shown["ids"], strict=True))
    assert shown["pieces"].count("us") == 2 and shown["pieces"].count("polish") == 2
    assert ids["[CLS]"] == 101 and ids["[SEP]"] == 102
    assert BertTokens("Renée").answer()["read"] == BertTokens("RENEE").answer()["read"]


def test_a_text_of_over_200_letters_is_refused_in_one_sentence():
    assert BertTokens("é" * MOST).answer()["tokens"] == 3
    with pytest.raises(TraitError, match="reads up to 200 letters: shorten the text"):
        BertTokens("a" * (MOST + 1))
    with pytest.raises(TraitError):
        BertTokens(word=-2)


def test_a_text_is_heard_with_the_number_of_its_tokens():
    view = BertTokens("Hm 🙂 x🙂", word=0)
    assert pure(view, "spoken", view.answer(), view.state()) == (
        "“hm” is a piece of the list as it is: one token. In all 5 tokens, 2 of them unknown."
    )


def test_a_page_without_a_script_shows_the_pieces_of_each_word():
    html = BertTokens().fallback()
    assert "pu ##rp ##lish" in html and "16405" in html
    assert "<table" in BertTokens("").fallback()


# The heads


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20).filter(lambda a: sum(a) > 1e-3))
@few
def test_shares_in_whole_parts_add_up_and_none_is_off_by_more_than_one(a):
    a = np.array(a) / sum(a)
    parts = attention_heads.parts(a)
    assert parts.sum() == 255
    assert abs(parts - 255 * a).max() < 1 + 1e-9


@pytest.mark.parametrize("i", range(len(TEXTS)))
def test_what_is_stored_is_what_the_model_does(i):
    texts, row = attention_heads.TEXTS[i], STORED[i]
    pieces, _, A = minilm.layers(*texts)
    assert (row["text"], row["pieces"]) == (" ".join(texts), pieces)
    parts = dequantize(row["weights"])
    assert (parts.sum(axis=-1) == 255).all()
    assert abs(parts - 255 * A).max() < 1.001
    exact, shown = measured(A, pieces), measured(parts / 255, pieces)
    for key in KEYS:
        assert np.allclose(exact[key], shown[key], atol=0.25, rtol=0.05, equal_nan=True), key


def test_what_the_page_carries_is_small():
    assert len(gzip.compress(FILE.read_bytes())) < 100_000


def habit(text, key):
    view = BertHeads(text=text, habit=key)
    return np.array(view.answer()["grid"], float), view.answer()["leaders"]


def test_one_head_looks_at_the_token_before_in_every_text_and_another_at_the_one_after():
    for text in TEXTS:
        before, first = habit(text, "before")
        after, second = habit(text, "after")
        assert (first[0], second[0]) == ("1.3", "2.9")
        assert before.max() > 90 and after.max() > 50


def test_most_heads_look_at_cls_more_than_at_anything_else_by_habit():
    """In the network that the papers looked into, it is [SEP] that gets the weight."""
    shares = {key: np.mean([habit(text, key)[0] for text in TEXTS]) for key in KEYS[:5]}
    assert max(shares, key=shares.get) == "cls" and shares["cls"] > 40 > 10 > shares["sep"]


def test_a_head_takes_it_for_the_cat_but_the_street_it_never_finds():
    views = [BertHeads(text=text) for text in (TIRED, WIDE)]
    cat, street = (STORED[0]["pieces"].index(word) for word in ("cat", "street"))
    tired, wide = (view.answer()["weights"] for view in views)
    assert tired[cat] > 70 > 30 > wide[cat]
    assert max(tired[street], wide[street]) < 15
    A = dequantize(STORED[1]["weights"])[:, :, STORED[1]["pieces"].index("it"), street] / 255
    assert A.max() < 0.3  # in no head of the 72


def test_where_no_word_comes_twice_the_habit_has_no_number():
    view = BertHeads(text="He sat on the river bank.", habit="same", token=99)
    shown, i = view.answer(), KEYS.index("same")
    assert shown["mine"][i] is None and shown["leaders"] == [] == shown["best"][i]
    assert set(shown["grid"]) == {None} and shown["at"] == len(shown["pieces"]) - 1
    assert pure(view, "spoken", shown, view.state()).endswith("no word comes twice here.")


def test_a_look_is_heard_in_two_sentences():
    view = BertHeads()
    assert pure(view, "spoken", view.answer(), view.state()) == (
        "In block 4, head 2, “it” looks most at “cat”, 76 % of its weight. "
        "Of this head, the token before: 4 %, most in 1.3."
    )


@pytest.mark.parametrize(
    ("choices", "says"),
    [
        ({"text": "Nobody said so."}, "This view has 8 texts: choose one of them"),
        ({"block": 7}, "block"),
        ({"head": 0}, "head"),
        ({"token": -1}, "token"),
        ({"habit": "hope"}, "habit"),
    ],
)
def test_what_is_not_there_is_refused(choices, says):
    with pytest.raises(TraitError, match=says):
        BertHeads(**choices)


def test_a_page_without_a_script_shows_the_weights_of_a_head():
    html = BertHeads().fallback()
    assert "<table" in html and "because" in html and ">76<" in html
