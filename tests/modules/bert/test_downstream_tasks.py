"""What an encoder is asked to do: the sets are whole, and nothing is learned from and asked."""

import email
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firth.bert import downstream_tasks
from firth.bert.linear_probe import marked


@pytest.mark.parametrize("part", ["train", "dev"])
def test_B13_every_answer_is_a_stretch_of_its_passage(part):
    asked = downstream_tasks.questions(part)
    assert len(asked) == {"train": 87_599, "dev": 10_570}[part]
    for question in asked:
        for start, text in question.answers:
            assert question.passage[start : start + len(text)] == text


def test_B13_no_article_is_learned_from_and_scored_on():
    titles = [
        {question.title for question in downstream_tasks.questions(part)}
        for part in ("train", "dev")
    ]
    assert not titles[0] & titles[1] and [len(part) for part in titles] == [442, 48]


def test_B9_names_of_conll_are_all_there():
    learned, scored = downstream_tasks.names("train"), downstream_tasks.names("dev")
    assert (len(learned), len(scored)) == (14_041, 3_250)
    assert sum(len(words) for words, _ in scored) == 51_362
    assert sum(len(marked(tags)) for _, tags in scored) == 5_942  # as the paper counts them
    assert not {words for words, _ in learned if len(words) > 20} & {words for words, _ in scored}


def test_B8_letters_are_as_many_as_stated_and_each_is_there_once():
    letters = downstream_tasks.mail()
    kinds = [letter.kind for letter in letters]
    assert {kind: kinds.count(kind) for kind in set(kinds)} == {
        "easy": 3_812, "hard": 247, "spam": 1_718
    }  # fmt: skip
    openings = {tuple(re.findall(r"\w+", letter.text.lower())[:30]) for letter in letters}
    assert len(openings) == len(letters)


def test_B8_no_letter_tells_by_its_head_what_it_is():
    heads = re.compile(r"(?im)^(received|return-path|x-spam\S*|delivered-to|message-id):")
    for letter in downstream_tasks.mail():
        assert not heads.match(letter.text) and "\n" not in letter.text
    replies = [letter for letter in downstream_tasks.mail() if re.match(r"(?i)re:", letter.text)]
    assert not replies  # only those who have been written to reply


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ("Subject: x\n\nplain  words", "plain  words"),
        ("Content-Type: text/html\n\n<b>bold</b> &amp; <style>p {}</style>x", " bold  &  x"),
        ("Content-Transfer-Encoding: base64\n\naGVsbG8=", "hello"),
        ("Content-Type: image/png\n\nabc", ""),
        (
            'Content-Type: multipart/alternative; boundary="b"\n\n--b\nContent-Type: text/html\n\n'
            "<i>web</i>\n--b\nContent-Type: text/plain\n\nplain\n--b--",
            "plain",
        ),
    ],
)
def test_B8_of_a_letter_what_can_be_read_is_kept(raw, said):
    assert downstream_tasks.written(email.message_from_string(raw)) == said


def test_B13_five_votes_and_their_majority():
    assert [downstream_tasks.gold(votes) for _, _, votes in downstream_tasks.SNLI] == list("CNCEN")
    assert downstream_tasks.gold("EENNC") == "-"
    with pytest.raises(ValueError, match="Nobody has voted"):
        downstream_tasks.gold("")


@given(st.text("ENC", min_size=1, max_size=9))
def test_B13_a_label_is_gold_only_with_more_than_half(votes):
    over = [label for label in "ENC" if votes.count(label) > len(votes) / 2]
    assert downstream_tasks.gold(votes) == (over[0] if over else "-")


def test_B13_glue_has_nine_tasks_of_one_text_or_two():
    assert len(downstream_tasks.GLUE) == len({task.name for task in downstream_tasks.GLUE}) == 9
    assert [task.name for task in downstream_tasks.GLUE if not task.second] == ["CoLA", "SST-2"]
