"""The span finder: what it may say, how it is marked, and what its training stored."""

import re

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from experiments.bert import squad as training
from firth.bert import downstream_tasks, minilm
from firth.bert.squad import (
    FILE,
    Beside,
    Finder,
    answer,
    answers,
    batch,
    best,
    exact,
    finder,
    nearby,
    overlap,
    plain,
    reading,
)
from firth.store.results import stored_result

STORED = stored_result("bert/squad")
MARKS = {row["what"]: row for row in STORED["scored"]["rows"] + STORED["head"]["rows"]}
numbers = st.lists(st.floats(-9, 9), min_size=1, max_size=12)
RAIN = downstream_tasks.RAIN


@given(numbers, numbers, st.integers(1, 6))
def test_B13_the_best_stretch_is_that_of_a_slow_loop(s, e, longest):
    n = min(len(s), len(e))
    s, e = np.array(s[:n]), np.array(e[:n])
    pairs = [(a, b) for a in range(n) for b in range(a, min(n, a + longest))]
    a, b = best(s, e, longest)
    assert (a, b) in pairs
    assert s[a] + e[b] == pytest.approx(max(s[i] + e[j] for i, j in pairs))


def test_B13_the_three_questions_of_the_slide():
    asked = downstream_tasks.RAIN_ANSWERS
    found = {question: answer(question, RAIN) for question in asked}
    for question, given_ in asked.items():
        told = found[question]
        assert RAIN[told.start : told.start + len(told.text)] == told.text
        assert given_ in RAIN
    right = [exact(found[question].text, [text]) for question, text in asked.items()]
    assert right == STORED["slide"]["right"]


def test_B13_the_pieces_of_both_texts_are_those_of_the_tokenizer_but_for_signs_like_currency():
    equal = 0
    for question in downstream_tasks.questions("dev")[::200]:
        read = reading(question.question, question.passage)
        inside = [at for at in read.places if at]
        assert inside == sorted(inside) and inside[-1][1] <= len(question.passage)
        if not re.search(r"[^\w\s!-~–—‘’“”\u0300-\u036f]", question.passage):
            both = minilm.words().encoded(question.question, question.passage)
            assert (read.ids, read.segments) == both
            equal += 1
    assert equal > 40
    pieces = minilm.words().pieces
    assert pieces("£20") == ["£2", "##0"]
    ids = reading("How much?", "£20").ids
    assert [minilm.words().tokens[i] for i in ids[-3:-1]] == ["£", "20"]


@settings(max_examples=50)
@given(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="[]"), min_size=1))
def test_B13_any_text_is_read_or_said_to_be_empty(text):
    try:
        read = reading("Who?", text)
    except ValueError as problem:
        assert re.search("a word each|512 places", str(problem))
        return
    assert all(0 <= a < b <= len(text) for a, b in filter(None, read.places))


def test_a_finder_that_has_learned_nothing_is_minilm():
    torch.manual_seed(0)
    net = Finder(minilm.model())
    ids, segments, mask, _ = batch([reading("Who?", RAIN), reading("What falls?", RAIN[:60])])
    with torch.no_grad():
        ours, theirs = net.bert(ids, segments, mask), minilm.model()(ids, segments, mask)
    torch.testing.assert_close(ours, theirs, atol=1e-5, rtol=0)
    assert not any(isinstance(part, Beside) for part in minilm.model().modules())


def test_narrow_paths_are_a_table_of_low_rank_added_to_the_kept_one():
    torch.manual_seed(0)
    path = Beside(torch.nn.Linear(6, 5), r=2)
    torch.nn.init.normal_(path.U)
    X = torch.randn(3, 6)
    W = path.linear.weight + path.U @ path.D
    torch.testing.assert_close(path(X), X @ W.T + path.linear.bias)
    assert torch.linalg.matrix_rank(path.U @ path.D) == 2


def test_answers_are_the_same_alone_and_in_a_batch():
    asked = [(q.question, q.passage) for q in downstream_tasks.questions("dev")[:200:40]]
    together = answers(asked)
    for pair, told in zip(asked, together, strict=True):
        alone = answer(*pair)
        assert (alone.text, alone.start) == (told.text, told.start)
        assert alone.probability == pytest.approx(told.probability, abs=1e-4)


words_ = st.lists(st.sampled_from("a the An cat cats, cat's on MAT. x".split()), max_size=6)


@given(words_, words_)
def test_B13_f1_is_that_of_matching_words_one_by_one(told, given_):
    told, given_ = " ".join(told), " ".join(given_)
    said, left = plain(told), plain(given_)
    shared = 0
    for word in said:
        if word in left:
            left.remove(word)
            shared += 1
    total = len(said) + len(plain(given_))
    assert overlap(told, [given_]) == pytest.approx(2 * shared / total if shared else 0)
    if exact(told, [given_]) and plain(told):
        assert overlap(told, ["nothing", given_]) == 1


def test_the_nearest_run_is_a_stretch_without_the_questions_words():
    assert nearby("What falls?", "Rain falls. Snow stays.").text == "Rain"
    for question in downstream_tasks.questions("dev")[::500]:
        told = nearby(question.question, question.passage)
        assert question.passage[told.start : told.start + len(told.text)] == told.text


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: reading("", RAIN), "a word each"),
        (lambda: reading("What falls?", "  "), "a word each"),
        (lambda: reading("What falls?", RAIN * 9), "512 places"),
    ],
)
def test_bad_input_is_answered_with_what_to_do(wrong, said):
    with pytest.raises(ValueError, match=said):
        wrong()


# What is stored


def test_B13_the_finder_beats_what_has_not_learned_by_far_and_is_no_person():
    found = MARKS["MiniLM with narrow paths"]
    for name in ("any one to four words", "nearest run of words", "a head on MiniLM as it is"):
        for mark in ("exact", "F1"):
            assert MARKS[name][mark][2] < found[mark][1], (name, mark)
    assert found["F1"][2] < MARKS["a person, by what others say"]["F1"][1]
    asked = [len(question.answers) for question in training.scored_on()]
    for name, row in MARKS.items():
        alone = asked.count(1) if "person" in name else 0  # nobody to compare with
        assert row["questions"] == 1000 - alone


def test_B13_the_stored_finder_is_the_one_that_was_scored():
    asked = training.scored_on()
    few = [i for i in range(40) if len(asked[i].passage) < 700]
    told = answers([(asked[i].question, asked[i].passage) for i in few])
    for i, one in zip(few, told, strict=True):
        p, right = STORED["scored"]["sure"][i]
        assert one.probability == pytest.approx(p, abs=0.02)
        assert exact(one.text, [text for _, text in asked[i].answers]) == right


def test_its_size_is_what_the_page_says():
    learned = sum(weight.numel() for name, weight in finder().named_parameters()
                  if name.split(".")[-1] in "DU" or name.startswith("ends"))  # fmt: skip
    assert learned == 6 * 8 * (4 * 768 + 2 * 1920) + 2 * 385
    assert FILE.stat().st_size < 700_000


@pytest.mark.night
def test_B13_a_short_training_points_the_same_way(monkeypatch):
    small = {"steps": 25, "B": 8, "tokens": 140, "warm": 5, "rate": 2e-3}
    for name, value in small.items():
        monkeypatch.setitem(training.SETTINGS, name, value)
    monkeypatch.setattr(training, "HELD", 32)
    training.material.cache_clear()
    held = [training.run("short", False, steps, save=None)[1]["curve"][-1][2] for steps in (1, 25)]
    training.material.cache_clear()
    assert held[1] < held[0] - 0.1
    assert STORED["trained"]["curve"][-1][2] < held[1]
