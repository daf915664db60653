"""The first page says what the course is, for whom and how long it takes, and has a model to try.

What it says is computed from README, the chapters and the exercises; the model is loaded when a
reader asks for it, and writes what Python computes.
"""

import html
import json
import re

import course_facts
import landing
import pytest
from notebooks import COURSE

from firth.checks import questions
from firth.widgets.transformer.austen_gpt import TransformerAusten

LINKS = "(all) => all.map((a) => a.href)"
CHAPTERS = course_facts.chapters(COURSE)

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")


def opening():
    """The first paragraph of README.md below its title."""
    title, paragraph, *_ = (COURSE / "README.md").read_text(encoding="utf-8").split("\n\n")
    assert title == "# The Company Words Keep"
    return paragraph


@pytest.fixture
def students(tmp_path):
    """A course as students get it: without the page for instructors, and with one exercise."""
    for name in ("README.md", "pyproject.toml", "CITATION.cff", "_toc.yml", "chapters"):
        (tmp_path / name).symlink_to(COURSE / name)
    (tmp_path / "exercises").mkdir()
    (tmp_path / "exercises" / "01_lsa.ipynb").symlink_to(COURSE / "exercises" / "01_lsa.ipynb")
    return tmp_path


def test_one_sentence_opens_readme_and_the_first_page_and_describes_it(pages):
    text = (pages / "index.html").read_text(encoding="utf-8")
    for kind, name in (("name", "description"), ("property", "og:description")):
        [said] = re.findall(rf'<meta {kind}="{name}" content="([^"]*)"', text)
        assert html.unescape(said) == opening()
    [screen] = re.findall(r'(?s)<div class="first-what">(.*?)<ul', text)
    assert " ".join(re.sub("<[^>]*>", " ", screen).split()) == opening()
    subject = "how a computer learns what a word means from the words around it"
    assert subject in opening()
    assert f"<title>The Company Words Keep &#8212; {subject}</title>" in text
    assert f'"og:title" content="The Company Words Keep: {subject}"' in text


def test_the_hours_are_the_sums_of_what_chapters_and_exercises_name():
    reading = sum(
        course_facts.reading_minutes(course_facts.prose(COURSE / "chapters" / f"{name}.ipynb"))
        for name in CHAPTERS
    )
    exercises = sum(item.minutes for item in questions().values() if item.chapter in CHAPTERS)
    assert reading > 400 and exercises > 400
    said = f"{round(reading / 60)} hours of reading, {round(exercises / 60)} hours of exercises"
    assert said in landing.first_screen(COURSE)


def test_the_hours_to_transformers_are_said_twice_and_are_those_of_the_chapters():
    said = landing.hours_to_transformers(COURSE)
    assert f"chapters 3 to 5, {said} hours" in landing.first_screen(COURSE)
    text = (COURSE / "index.md").read_text(encoding="utf-8")
    [word] = re.findall(r"that is about (\w+) hours of reading", text)
    assert ["three", "four", "five"].index(word) + 3 == said


def test_a_chapter_that_names_no_duration_stops_the_build():
    with pytest.raises(ValueError, match="names no duration"):
        course_facts.reading_minutes("# A chapter\n\n## A section\n\nIt takes 50 minutes.")


def test_three_doors_lead_into_the_book(visit):
    page = visit().open("index")
    doors = page.locator(".first-doors a")
    assert [
        door.split("/")[-1] for door in doors.evaluate_all("(all) => all.map((a) => a.href)")
    ] == [
        "01_lsa.html",
        "03_rnn.html",
        "instructors.html",
    ]
    bottom = doors.last.bounding_box()
    assert bottom["y"] + bottom["height"] < 800  # all of them in the first screen


def test_the_first_page_of_a_students_repository_promises_what_there_is(students):
    screen = landing.first_screen(students)
    assert "Only transformers" in screen and "instructors" not in screen
    assert landing.cards(students).count("for the exercise") == 1
    assert landing.cards(COURSE).count("for the exercise") == len(CHAPTERS)


def test_the_cards_lead_to_every_chapter_and_are_of_one_width(visit):
    page = visit().open("index")
    links = page.locator(".arc a").evaluate_all(LINKS)
    assert [link.rpartition("/")[2] for link in links] == [f"{name}.html" for name in CHAPTERS]
    written = {path.stem for path in (COURSE / "chapters").glob("*.ipynb")}
    assert {name for name in written if not name.endswith("_deeper")} == {*CHAPTERS}
    for width in (1280, 800, 390, 360):
        page.set_viewport_size({"width": width, "height": 800})
        widths = page.locator(".arc li").evaluate_all("(all) => all.map((e) => e.offsetWidth)")
        assert max(widths) - min(widths) <= 1, width
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def loaded(reader):
    """The addresses of the model's file that a reader has asked for so far."""
    asked = []
    reader.page.on("request", lambda request: asked.append(request.url))
    return lambda: [url for url in asked if landing.MODEL in url]


def shown_text(page):
    """What the model has written so far, with the words that it began with."""
    page.wait_for_selector(".first-model .firth-live p.text")
    return page.locator(".first-model p.text").text_content()


def python_text(page):
    """What Python writes for the state that the model on the page has."""
    state = json.loads(
        page.locator(".first-model .firth-widget").evaluate(
            "(e) => JSON.stringify({ ...e.firthModel.toJSON(), _esm: '', _css: '' })"
        )
    )
    return state["prompt"] + TransformerAusten.restored(state).answer()["text"]


def test_the_model_is_loaded_when_it_is_asked_for_and_writes_what_python_computes(visit):
    reader = visit()
    asked = loaded(reader)
    page = reader.open("index")
    page.wait_for_timeout(500)
    assert not asked()
    shown = page.locator(".first-text").text_content()
    assert shown.startswith("She was ") and shown.endswith("…") and len(shown) > 80
    assert "chapter 5" in page.locator(".first-model figcaption").text_content()
    page.click(".first-write")
    first = shown_text(page)
    assert first.startswith(shown.removesuffix(" …")) and len(first) > 100
    assert len(asked()) == 1
    assert page.evaluate("document.activeElement.textContent") == "Continue"
    page.keyboard.press("Enter")
    longer = shown_text(page)
    assert longer.startswith(first) and len(longer) > len(first)
    assert longer == python_text(page)
    assert reader.complaints == []
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_a_model_that_cannot_be_loaded_says_so_and_can_be_asked_for_again(visit):
    page = visit().open("index")
    page.route(f"**/{landing.MODEL}", lambda route: route.abort())
    page.click(".first-write")
    page.wait_for_function(
        "document.querySelector('.first-status').textContent.includes('could not be loaded')"
    )
    page.unroute(f"**/{landing.MODEL}")
    page.click(".first-write")
    assert shown_text(page).startswith("She was ")


def test_each_guess_is_answered_in_one_sentence(visit):
    reader = visit()
    page = reader.open("index")
    answers = []
    for button in page.locator(".first-guess button").all():
        button.click()
        assert page.locator(".first-guess [aria-pressed='true']").count() == 1
        answers.append(page.locator(".first-guess [role='status']").text_content())
    assert len({*answers}) == 3
    assert all("hot drink" in answer and answer.count(".") == 1 for answer in answers)
    assert [answer.startswith("Yes") for answer in answers] == [True, False, False]
    assert reader.complaints == []
