"""Feedback: all that helps a student, nothing of the instructor's, and nothing that acts."""

import re
from html.parser import HTMLParser

import pytest
from browser import MISSING, browser, executable
from hypothesis import given
from hypothesis import strategies as st

from firth.checks.claims import WAITS
from firth.grading.results import feedback
from firth.grading.results.record import Grades, key
from tests.grading.test_record import TEXT
from tests.grading.test_sheets import claim, class_of_three, graded, marks

ATTACKS = [
    "<script>document.title='owned'</script>",
    "</style><script>document.title='owned'</script>",
    "<img src=x onerror=\"document.title='owned'\">",
    "\"><svg/onload=document.title='owned'>",
    "' onmouseover='document.title=1",
    "<a href='javascript:alert(1)'>here</a> https://evil.example",
    "<!--", "-->", "]]>", "<base href=//evil>", "<meta http-equiv=refresh content='0;url=//evil'>",
    "\u202egnp.exe", "\0\x1b[2J", "\ud800", "&lt;b&gt;", "`<b>`",
]  # fmt: skip
OURS = {"html", "head", "meta", "title", "style", "body", "main", "header", "footer", "section"}
OURS |= {"h1", "h2", "p", "span", "code", "ol", "ul", "li", "b", "bdi", "blockquote"}
NAMES = {"lang", "charset", "http-equiv", "content", "name", "class", "dir", "aria-hidden"}


class Page(HTMLParser):
    """What a browser would find: tags, the names of their attributes, the text."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.names, self.text, self.open = [], set(), "", []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.names |= {name for name, _ in attributes}
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += "" if self.open[-1:] == ["style"] else data

    def handle_comment(self, data):
        raise AssertionError(data)


def full(text):
    """A record in which everything that a student can reach says this."""
    answers = graded(text, claim("holds"), claim("fails", holds=False, message=text), text=text)
    cells = [{"cell": 1, "status": "error", "message": text, "detail": "THE INPUTS"}]
    return answers | {"file": text, "notes": [text], "cells": cells}


def marked(each, text):
    (own,) = marks("x", 1.0, 0.5, text).values()
    return {key(each["student"], each["file"]): own}


@pytest.mark.parametrize("text", ATTACKS)
def test_nothing_of_a_student_is_active(text):
    each = full(text)
    html = feedback.page(each, marked(each, text)[key(text, text)])
    page = Page(html)
    assert set(page.tags) <= OURS and page.names <= NAMES and not page.open
    assert not re.search("[\u202a-\u202e\u2066-\u2069\\x00-\\x08\\x0b-\\x1f]", html)
    html.encode()


@given(TEXT | st.lists(st.sampled_from([*ATTACKS, "<", '"', "'", "&", ">"])).map("".join))
def test_no_text_breaks_the_page(text):
    page = Page(feedback.page(full(text)))
    assert set(page.tags) <= OURS and page.names <= NAMES and not page.open


def test_the_page_forbids_itself_to_load_or_run_anything():
    html = feedback.page(full("x"))
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)[1]
    assert policy.startswith("default-src 'none'; style-src 'sha256-") and "unsafe" not in policy
    assert html.index("Content-Security-Policy") < html.index("<title>")
    assert "href" not in html and "src=" not in html and "<script" not in html and "on" not in NAMES


def test_what_is_the_instructors_alone_is_not_on_the_page():
    html = feedback.page(full("x") | {"variant": {"k": "THE VARIANT"}, "checks": "THE CHECKS"})
    for secret in ("THE INPUTS", "THE SEED", "THE VARIANT", "THE CHECKS"):
        assert secret not in html


def test_each_claim_has_its_sign_its_word_and_its_question_once():
    question = "What of the lengths?"
    fails = [claim(text, holds=False, message=question) for text in ("b", "c")]
    slow = claim("d", holds=False, message="It took longer than 10 s.") | {"status": "too slow"}
    waits = claim("e", holds=False, message=WAITS)
    text = Page(feedback.page(graded("ada", claim("a"), *fails, slow, waits))).text
    assert "1 of 5 points" in text
    for line in (
        "✓ holds: a",
        "✗ not yet: b",
        "✗ too slow: d",
        "○ waits: e",
        "✗ not yet: cWhat of the lengths?",
    ):
        assert line in text
    assert text.count(question) == 1


@pytest.mark.parametrize("status, says", [("missing", "No function"), ("blank", "Not written")])
def test_what_is_not_there_is_asked_for_and_not_blamed(status, says):
    each = graded("ada", claim("a", holds=False, message="not written yet"))
    each["answers"][0]["status"] = status
    text = Page(feedback.page(each)).text
    assert says in text and "○ asked: a" in text and "✗" not in text


def test_the_skipped_cells_are_named():
    cells = [{"cell": n, "status": "ran", "message": ""} for n in (1, 2)]
    cells += [{"cell": 3, "status": "too slow", "message": "It took longer than 10 s."}]
    text = Page(feedback.page(graded("ada", claim("a")) | {"cells": cells})).text
    assert "Cell 3, too slow: It took longer than 10 s." in text and "Cell 2" not in text
    assert "did not run" not in Page(feedback.page(graded("ada", claim("a")))).text


def test_a_written_answer_is_quoted_with_the_readers_points():
    ada = class_of_three()[0]
    before = Page(feedback.page(ada)).text
    assert "not marked yet" in before and "may grow" in before and "3 of 5 points" in before
    (own,) = marks("ada", 1.0, 0.5, "Good").values()
    after = Page(feedback.page(ada, own)).text
    for line in ("4.5 of 5 points", "1 of 1: says one thing", "0.5 of 1: says another", "Good"):
        assert line in after
    assert "may grow" not in after
    (half,) = marks("ada", 1.0, None).values()
    partly = Page(feedback.page(ada, half)).text
    assert partly.count("not marked yet") == 3 and "1 of 1: says one thing" in partly


@pytest.mark.parametrize("status", ["unreadable", "refused", "not graded"])
def test_who_was_not_graded_reads_why_and_no_points(status):
    text = Page(feedback.page(graded("ada", status=status, notes=["It is empty."]))).text
    assert "It is empty." in text and "points" not in text


def test_a_page_stays_of_a_size_to_be_read():
    long = "x" * 3_000_000
    cells = [{"cell": n, "status": "error", "message": long} for n in range(300)]
    assert len(feedback.page(full(long) | {"cells": cells})) < 1_000_000


def test_every_record_has_its_page_under_its_own_name(tmp_path):
    paths = feedback.write(Grades(tmp_path), class_of_three(), marks("ada", 1.0, 1.0))
    assert [path.stem for path in paths] == [key(n, f"{n}.ipynb") for n in ("ada", "eve", "bob")]
    assert "5 of 5 points" in paths[0].read_text(encoding="utf-8")
    assert {path.parent for path in paths} == {tmp_path / "feedback"}


@pytest.mark.skipif(not executable(), reason=MISSING)
def test_a_browser_shows_it_whole_and_runs_nothing(tmp_path):
    each = full(" ".join(ATTACKS) + "x" * 300)
    (path,) = feedback.write(Grades(tmp_path), [each], marked(each, " ".join(ATTACKS)))
    with browser() as chromium:
        for scheme in ("light", "dark"):
            page = chromium.new_page(viewport={"width": 360, "height": 700}, color_scheme=scheme)
            asked, said = [], []
            page.on("request", lambda request, asked=asked: asked.append(request.url))
            page.on("console", lambda message, said=said: said.append(message.text))
            page.goto(path.as_uri())
            assert asked == [page.url] and not said
            assert page.title() == "01_lsa: 2.5 of 4 points"
            assert page.evaluate("document.documentElement.scrollWidth") <= 360
            colours = page.evaluate(
                "['body', '.whose', '.fails b'].map(name => document.querySelector(name))"
                ".map(e => getComputedStyle(e)).flatMap(s => [s.color, s.backgroundColor])"
            )
            paper = luminance(colours[1])
            for ink in (colours[0], colours[2], colours[4]):
                light, dark = sorted([luminance(ink), paper], reverse=True)
                assert (light + 0.05) / (dark + 0.05) > 4.5


def luminance(colour):
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
