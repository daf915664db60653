"""The neighbour explorer: its first state, the files of the page, and what the kernel sends."""

import gzip
import json
import re

import js
import numpy as np
import pytest
from notebooks import COURSE
from strategies.lsa_explorer import WORDS, random_space
from traitlets import TraitError

from firth.lsa import word_space
from firth.lsa.similarity import unit
from firth.lsa.word_space import SIZE, WEIGHTINGS, WINDOWS, K, neighbour_counts
from firth.store import corpora
from firth.store.results import stored_result
from firth.store.weights import dequantize
from firth.widgets.lsa import explorer
from firth.widgets.lsa.explorer import MODES, LsaExplorer
from tests.widgets.test_parity import assert_same

FOLDER = COURSE / "site/_static/lsa/explorer"


def published(m=5, weighting="PPMI"):
    return json.loads((FOLDER / f"{weighting}_{m}.json").read_text(encoding="utf-8"))


@pytest.fixture
def shown():
    made = []

    def make(*arguments, **choices):
        made.append(LsaExplorer(*arguments, **choices))
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_there_is_a_file_for_each_window_and_weighting_and_all_have_the_same_words():
    assert {file.name for file in FOLDER.iterdir()} == {
        f"{weighting}_{m}.json" for weighting in WEIGHTINGS for m in WINDOWS
    }
    words = published()["words"]
    assert len({*words.split(" ")}) == SIZE
    for m in WINDOWS:
        for weighting in WEIGHTINGS:
            space = published(m, weighting)
            assert (space["m"], space["weighting"], space["words"]) == (m, weighting, words)
            assert space["vectors"]["shape"] == [K, SIZE] and len(space["signs"]) == K
            assert space["idf"]["shape"] == [SIZE]
            assert dequantize(space["idf"])[:5].max() < dequantize(space["idf"])[5:].mean() / 3


@pytest.mark.parametrize("mode", MODES)
def test_the_first_state_is_what_the_whole_space_answers(shown, mode):
    first = shown(mode)
    whole = shown(mode, published(), **first.space["only"])
    assert len(first.space["words"].split(" ")) < 40 and "only" not in whole.space
    assert first.answer() == whole.answer()
    assert_same(whole.answer(), js.call(whole._esm, "answer", whole.state()))


@pytest.mark.parametrize("mode", MODES)
def test_a_first_state_answers_its_own_question_until_another_space_is_there(shown, mode):
    first = shown(mode)
    before = first.answer()
    first.word, first.name, first.text, first.m, first.k = "bank", "tea", "A tea.", 10, 7
    assert first.answer() == before


def test_both_scripts_answer_alike_on_the_whole_space(shown):
    one = shown(MODES[0], published(2, "counts"))
    for one.word, one.k in [("bank", 2), ("seven", 3), ("it's", 60)]:
        assert_same(one.answer(), js.call(one._esm, "answer", one.state()))


@pytest.mark.parametrize(
    ("typed", "suggested", "says"),
    [
        ("Teaa ", ["tea"], "“teaa” is not among the 16 most frequent words. Did you mean tea?"),
        ("ste", ["the"], "Did you mean the"),  # two edits, as nothing is nearer
        ("zzzzzz", [], "“zzzzzz” is not among the 16 most frequent words."),
        ("", [], "Type a word."),
    ],
)
def test_an_unknown_word_is_named_with_what_is_spelled_like_it(shown, typed, suggested, says):
    one = shown(MODES[0], random_space(0), word=typed)
    assert one.answer()["suggested"][:1] == suggested and says in one.answer()["said"]
    assert one.answer()["best"] == [None] * 10
    assert_same(one.answer(), js.call(one._esm, "answer", one.state()))


def test_the_new_word_is_the_sum_of_its_neighbours_arrows(shown):
    new = shown(MODES[1], published(), k=20, name="zorf", text=" ".join(corpora.zorf()[:5]))
    words = new.space["words"].split(" ")
    number = {word: i for i, word in enumerate(words)}
    Z, idf = dequantize(new.space["vectors"])[:20].T, dequantize(new.space["idf"])
    x = np.zeros(20)
    for word, n in neighbour_counts(corpora.zorf()[:5], "zorf", number, 5).items():
        x += n * idf[number[word]] * unit(Z[number[word]]) * new.space["signs"][:20]
    expected = [words[i] for i in np.argsort(-(unit(Z) @ unit(x)))[:10]]
    assert new.answer()["best"] == expected
    assert new.answer()["nearby"][:2] == ["poured", "cup"] and new.answer()["times"][:2] == [2, 2]


def test_the_five_sentences_make_zorf_something_to_eat_or_drink(shown):
    best = shown(MODES[1]).answer()["best"]
    assert {"wine", "drink", "bread", "meal"} <= {*best}


def test_distances_on_the_map_are_angles(shown):
    near = shown(MODES[0]).answer()
    angles = np.degrees(np.arccos(near["cosines"]))
    np.testing.assert_allclose(np.hypot(*np.transpose(near["places"])), angles)


@pytest.mark.parametrize(
    ("choices", "says"),
    [
        ({"name": " "}, "Type a new word into the first box."),
        ({"text": "A tea."}, "No sentence contains “zorf”."),
        ({"text": "The zorf."}, "Every word has met the neighbours of “zorf”: they say nothing."),
        ({"text": "Xq zorf yq."}, "None of the neighbours of “zorf” is among the words here."),
    ],
)
def test_what_is_missing_is_said(shown, choices, says):
    new = shown(MODES[1], random_space(0), **({"name": "Zorf", "text": "Zorf tea."} | choices))
    assert new.answer()["said"] == says and new.answer()["best"] == [None] * 10


@pytest.mark.parametrize(
    ("choices", "says"),
    [({"m": 3}, "'m'"), ({"k": 61}, "'k'"), ({"text": "a" * 2001}, "2000 characters")],
)
def test_what_makes_no_sense_is_refused(choices, says):
    with pytest.raises(TraitError, match=says):
        LsaExplorer(**choices)
    with pytest.raises(ValueError, match="The mode is one of"):
        LsaExplorer("words")


def test_a_kernel_says_what_it_does_and_sends_the_space(shown, monkeypatch):
    sent, one = [], shown()
    monkeypatch.setattr(one, "send", lambda content: sent.append(content))
    rng = np.random.default_rng(0)
    articles = [" ".join(rng.choice([f"w{i}" for i in range(99)], 300)) for _ in range(9)]
    monkeypatch.setattr(corpora, "scoreboard", lambda: articles)
    word_space.corpus.cache_clear()
    one._handle_custom_msg({"file": "f", "m": 2, "weighting": "PPMI"}, [])
    word_space.corpus.cache_clear()
    assert {message["file"] for message in sent} == {"f"}
    assert [*sent[0]] == ["file", "says"] and len(sent) == 4
    assert sent[-1]["content"].keys() == published().keys()
    assert sent[-1]["content"]["m"] == 2


def test_a_kernel_that_cannot_compute_the_space_says_why(shown, monkeypatch):
    def fails(*_):
        raise OSError("There is no network.")

    sent, one = [], shown()
    monkeypatch.setattr(one, "send", lambda content: sent.append(content))
    monkeypatch.setattr(explorer, "word_space", fails)
    one._handle_custom_msg({"file": "f", "m": 2, "weighting": "PPMI"}, [])
    assert sent == [{"file": "f", "problem": "There is no network."}]


def test_the_size_that_the_view_names_is_that_of_the_files():
    script = LsaExplorer._esm
    assert f"the vectors of {SIZE:,} words are loaded (${{DOWNLOAD}})" in script
    [size] = re.findall(r'DOWNLOAD = "(\d) MB"', script)
    packed = len(gzip.compress((FOLDER / "PPMI_5.json").read_bytes(), 6))
    assert packed == pytest.approx(int(size) * 1e6, rel=0.1)


def test_what_is_stored_says_why_the_power_is_a_half():
    rows = stored_result("lsa/explorer")["rows"]
    chosen = [row for row in rows if row["weighting"] == "PPMI" and row["pairs"] == "wordsim353"]
    at = {(row["m"], row["power"]): row for row in chosen}
    for m in WINDOWS:
        assert at[m, 0.5]["exact"] > at[m, 1.0]["exact"] + 0.03
    assert max(abs(row["exact"] - row["bytes, rows of length 1"]) for row in rows) < 0.004


def test_random_words_have_no_name_of_their_own():
    assert len({*WORDS}) == len(WORDS) > 11


@pytest.mark.night
def test_the_files_are_what_the_corpus_gives():
    """Ten seconds: the corpus is counted. Another processor may round a number one step away."""
    fresh, stored = word_space.word_space(1, "PPMI"), published(1)
    assert fresh["words"] == stored["words"] and fresh["signs"] == stored["signs"]
    for name in ("idf", "vectors"):
        ours, theirs = dequantize(fresh[name]), dequantize(stored[name])
        assert abs(ours - theirs).max() <= 2.5 * max(stored[name]["scale"])
