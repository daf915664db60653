"""Python in the page of an exercise, used as a reader does: clicked, typed and read in a browser.

By day one exercise is done; at night every cell of all seven gives what its notebook stores. A test
takes some seconds, because each reader starts a Python.
"""

import contextlib
import io
import json
import re

import pytest
from exercise_page import ExercisePage, shown_cells, stored_outputs
from notebooks import COURSE
from python import archives as parts

from tests.book.test_book import TAGS, fits, refused

EXERCISES = sorted(path.stem for path in (COURSE / "exercises").glob("*.ipynb"))
MEGABYTES = 10  # over the wire, for one exercise
SCRIPT = 10_000  # bytes of script before the click
MOVES = 8  # pixels that the text below an editor may move when it opens

RIGHT = """def cosine(x, y):
    lengths = np.linalg.norm(x) * np.linalg.norm(y)
    return x @ y / lengths if lengths else 0"""
WRONG = "def cosine(x, y):\n    return x @ y"
ADDED = "round(float(cosine(np.ones(2), np.ones(2))), 6)"
QUESTION = "By what must you divide it"
LOOP = "print('It begins.')\nwhile True:\n    pass"

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")


@pytest.fixture
def exercise(visit):
    def opened(name="01_lsa", **options):
        return ExercisePage(visit(**options), name)

    return opened


def test_before_the_click_neither_python_nor_an_editor_is_loaded(visit):
    reader, asked = visit(), []
    reader.context.on("request", lambda request: asked.append(request.url))
    page = reader.open("exercises/01_lsa")
    reader.scroll()
    assert page.get_by_role("button", name="Do it here").is_visible()
    assert not [url for url in asked if re.search(r"_static/python/|codemirror|wasm", url)]
    (script,) = [url for url in asked if "do_it_here" in url]
    assert len(page.request.get(script).body()) <= SCRIPT


def test_an_exercise_is_done_and_stays_after_the_page_is_closed(exercise):
    one = exercise()
    page, reader = one.page, one.reader
    reader.scroll()  # what the page itself loads late has come
    promised = float(re.search(r"([\d.]+) MB", page.locator(".do-it-here").inner_text())[1])
    before = reader.weight
    one.begin()
    loaded = (reader.weight - before) / 1e6
    assert loaded <= MEGABYTES and loaded == pytest.approx(promised, abs=0.1)

    one.run(one.cell("from difflib"))
    answer, check = one.cell("def cosine(x, y)"), one.cell("check(cosine)")
    one.run(answer)
    assert "not written yet" in one.run(check)
    one.write(answer, WRONG)
    one.run(answer)
    assert QUESTION in one.run(check)
    answer.locator(".cm-content").click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type(RIGHT.replace("\n    ", "\n"))  # the editor indents
    one.run(answer)
    assert "cosine: 3 of 3 points" in one.run(check)
    answer.locator(".cm-content").press("End")
    page.keyboard.type(" ")
    assert "Unchecked: cosine has changed since." in check.locator(".cell_output").inner_text()

    free = one.add(check, ADDED)
    assert one.run(free) == "1.0"
    page.get_by_label("Your answer (explain_lsa)").fill("Both have met *cup*.")
    one.page = page = reader.open(f"exercises/{one.name}")
    one.begin()
    assert one.text(one.cell("def cosine(x, y)")) == RIGHT + " "
    assert one.text(one.below(one.cell("check(cosine)"))) == ADDED
    assert page.get_by_label("Your answer (explain_lsa)").input_value() == "Both have met *cup*."

    page.once("dialog", lambda dialog: dialog.accept())
    with page.expect_navigation():
        one.button("Erase my answers").click()
    one.begin()
    assert 'raise NotImplementedError("write me")' in one.text(one.cell("def cosine(x, y)"))
    assert page.get_by_label("Your answer (explain_lsa)").input_value() == ""
    assert reader.complaints == []


def test_an_endless_loop_is_stopped_and_what_had_run_runs_again(exercise):
    one = exercise().begin()
    first = one.cell("from difflib")
    one.write(first, "import numpy as np\nkept = 3\nkept")
    assert one.run(first) == "3"
    loop = one.add(first, LOOP)
    loop.locator(".cm-content").press("Shift+Enter")
    loop.locator(".cell_output").get_by_text("It begins.").wait_for()
    assert one.button("Stop").is_enabled()
    one.button("Stop").click()
    assert one.page.locator(".do-it-running").count() == 0  # at once
    assert "It begins." in loop.locator(".cell_output").inner_text()
    assert "Before the stop:" in first.locator(".cell_output").inner_text()
    assert one.text(loop) == LOOP
    one.button("Run again what had run").click()
    first.locator(".do-it-older").wait_for(state="detached")
    one.write(loop, "kept + 1")
    assert one.run(loop) == "4"
    assert one.reader.complaints == []


SAYS = {  # code: words that the page answers with
    "input('Your name?')": "Write the value into the code",
    "import torch": "There is no torch in this page",
    "from urllib.request import urlopen\nurlopen('http://127.0.0.1:1/')": "has no network",
    "%timeit 1": "commands of Jupyter",
    "np.ones((100_000, 100_000))": "needs more memory",
    "[np.empty(100_000_000) for _ in range(9)]": "needs more memory",
    "1 / 0": "ZeroDivisionError",
    "exit()": "SystemExit",
    "1;": "",
    "print('a' * 10_000_000)": "shows its first 100,000 characters",
    "for i in range(1_000_000): print(i)": "shows its first 100,000 characters",
    "'b' * 10_000_000": "shows its first 100,000 characters",
    "display(table([(1, 2)], ['x', 'y'], 'Two'))\nprint('after')": "after",
}
ASKS = "from pyodide.http import open_url\nopen_url('http://elsewhere.invalid/')"
DEADLY = "class A:\n    def __eq__(self, other):\n        return A() == A()\nA() == A()"


def test_what_a_page_cannot_do_is_said_in_a_sentence(exercise):
    one = exercise().begin()
    first = one.cell("from difflib")
    one.run(first)
    free = one.add(first, "")
    for code, words in SAYS.items():
        one.write(free, code)
        shown = one.run(free)
        assert words in shown and len(shown) < 110_000, code
        assert words or not shown
    assert one.reader.complaints == []
    one.write(free, ASKS)
    one.run(free)  # what Python asks for is seen by `complaints`, so the others asked nobody
    assert "asks for http://elsewhere.invalid/" in one.reader.complaints
    one.write(free, DEADLY)  # the interpreter's last words stand in the browser's console
    one.run(free)
    one.wait_for(re.compile("broke down|is ready"))
    one.write(free, "2 + 2")
    assert one.run(free) == "4"


def test_an_exercise_can_be_done_with_the_keys_on_a_phone_and_in_the_dark(exercise):
    one = exercise(scheme="dark", width=360)
    page = one.page
    tops = """() => [...document.querySelectorAll(".bd-article div.cell")]
      .map((element) => element.getBoundingClientRect().top + scrollY)"""
    one.reader.scroll()  # the formulas are typeset
    before = page.evaluate(tops)
    one.begin()
    moved = [new - old for new, old in zip(page.evaluate(tops), before, strict=True)]
    assert max(map(abs, moved[:-2])) <= MOVES  # the last two stand below the written answer
    fits(page, scrolling=True)
    assert refused(page, runOnly={"type": "tag", "values": TAGS}) == []
    editor = one.cell("def cosine(x, y)").locator(".cm-content")
    editor.focus()
    page.keyboard.press("Tab")
    assert editor.evaluate("(e) => e === document.activeElement")
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Run"
    page.keyboard.press("Enter")
    one.wait_for("An error ended")


def test_a_browser_that_keeps_nothing_says_so_and_the_exercise_works(exercise):
    one = exercise()
    page = one.page
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no'); } })"
    )
    page.reload()
    one.begin()
    assert "lets pages keep nothing" in page.locator(".do-it-bar").inner_text()
    first = one.cell("from difflib")
    one.write(first, "6 * 7")
    assert one.run(first) == "42"


def stored(page, text):
    page.evaluate("(text) => localStorage.setItem('firth-exercise-01_lsa', text)", text)
    page.reload()


def test_answers_of_another_version_are_shown_and_damaged_ones_are_given_up(exercise):
    one = exercise()
    gone = "def gone():\n    return 1"
    old = {"cells": {"gone": gone}, "added": {}, "written": {"lost": "Mine."}}
    stored(one.page, json.dumps(old))
    one.begin()
    left = one.page.get_by_text("From an earlier version").locator("xpath=..").inner_text()
    assert gone in left and "Mine." in left
    stored(one.page, "{damaged")
    one.begin()
    assert "cannot be read" in one.page.locator(".do-it-bar").inner_text()
    assert one.reader.complaints == []


# ---- at night: all seven exercises ----

LISTEN = """import sys
def note_data(event, details, opened=set()):
    if event == "open" and "/firth/data/" in str(details[0]):
        opened.add(str(details[0]).partition("/firth/data/")[2])
sys.addaudithook(note_data)"""

VERDICTS = """import zlib
from firth.checks import questions
from firth.checks.claims import Exercise
said = {
    f"{form.name}, {form.form}, answer {k}": zlib.crc32(
        repr([(v.holds, v.message, v.points) for v in form.judge(answer, 1957)]).encode()
    )
    for item in questions().values() if isinstance(item, Exercise)
    for form in (item, *item.forms)
    for k, answer in enumerate([form.right, *(mistake for mistake, _ in form.mistakes)])
}
print(*said.values())"""

SHOWN = """(outputs) => outputs.map((e) => e.dataset.kind
    ? [e.dataset.kind, e.textContent] : ["html", e.innerHTML])"""
AS_HTML = """(outputs) => outputs.map(([kind, text]) => {
  if (kind !== "html") return [kind, text];
  const inside = Object.assign(document.createElement("div"), { innerHTML: text });
  return [kind, inside.innerHTML];
})"""


@pytest.mark.night
@pytest.mark.parametrize("folder", ["solutions", "exercises"])
@pytest.mark.parametrize("name", EXERCISES)
def test_every_cell_shows_what_its_notebook_stores(exercise, name, folder):
    one = exercise(name).begin()
    stored_cells = shown_cells(f"{folder}/{name}.ipynb")
    assert one.cells().count() == len(stored_cells)
    one.run(one.add(one.cells().first, LISTEN))
    for i, wanted in enumerate(stored_cells):
        cell = one.cells().nth(i + (i > 0))  # behind the first one stands the added one
        one.unfold(cell)
        if folder == "solutions":
            one.write(cell, "".join(wanted["source"]))
        one.run(cell)
        shown = cell.locator(".cell_output > .output").evaluate_all(SHOWN)
        assert shown == one.page.evaluate(AS_HTML, stored_outputs(wanted)), wanted["source"]
    opened = one.run(
        one.add(one.cells().first, "print(*sorted(note_data.__defaults__[0]))")
    ).split()
    listed = parts.table("data")[name]
    assert opened == listed if folder == "solutions" else set(opened) <= set(listed)
    assert one.reader.complaints == []


@pytest.mark.night
def test_every_verdict_in_the_page_is_that_of_an_ordinary_python(exercise):
    one = exercise().begin()
    said = one.run(one.add(one.cell("from difflib"), VERDICTS), timeout=600_000)
    space = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(VERDICTS, space)
    wanted = space["said"]
    assert len(wanted) > 1000
    pairs = zip(wanted.items(), map(int, said.split()), strict=True)
    assert [name for (name, verdict), in_page in pairs if in_page != verdict] == []
