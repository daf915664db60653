"""The shape of a chapter: one question, five to seven sections to its answer, and the same close.

The rules hold for the chapters that tools/prose_words.toml lists as rewritten. Every deeper page
is of this edition and has to be listed there, too.
"""

import json
import re

import prose
import pytest
from chapter_pages import CHAPTERS, PAGES, chapter_of, deeper_page_of, is_deeper
from notebooks import shown
from prose_counts import FENCE

CLOSE = ["With the library", "Since then", "What to remember"]
SECTIONS = range(5, 8)  # between the opening and the close
EXAMPLES = "Worked examples"  # the one heading of a deeper page that asks nothing
REWRITTEN = [path for path in PAGES if path.resolve() in prose.rewritten()]
each_page = pytest.mark.parametrize("path", REWRITTEN, ids=shown)


def text_of(path):
    """The text cells of a notebook, one after the other, without code in fences."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    text = "\n\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
    return FENCE.sub("", text)


def headings(text, marks):
    return [heading.strip() for heading in re.findall(rf"(?m)^{marks} +(.*)$", text)]


def faults(path):
    """What is missing from the shape of a chapter or of a deeper page, each in a sentence."""
    text = text_of(path)
    links = {target.partition("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", text)}
    found = faults_of_deeper_page(text) if is_deeper(path) else faults_of_chapter(text)
    if is_deeper(path):
        needed = {chapter_of(path).name}
    else:
        needed = {f"../exercises/{path.name}", deeper_page_of(path).name}
    return found + [f"There is no link to {name}." for name in sorted(needed - links)]


def faults_of_chapter(text):
    """What is wrong with the title and the sections of a chapter."""
    found, sections = [], headings(text, "##")
    between = [heading for heading in sections if heading not in CLOSE]
    if not re.fullmatch(r"\d+ · [^:]+: .+\?", "\n".join(headings(text, "#"))):
        found.append("The title is not a number, a name, a colon and a question.")
    if sections != [*between, *CLOSE]:
        found.append(f"The last sections are not {', '.join(CLOSE)}.")
    if len(between) not in SECTIONS:
        found.append(f"There are {len(between)} sections before the close, and not five to seven.")
    return found


def faults_of_deeper_page(text):
    """What is wrong with the title and the headings of a deeper page."""
    found = []
    if not re.fullmatch(r"\d+ · [^:]+, deeper: .+\?", "\n".join(headings(text, "#"))):
        found.append("The title is not a number, a name, “deeper”, a colon and a question.")
    asked = [heading for heading in headings(text, "##") if heading != EXAMPLES]
    if not asked or not all(heading.endswith("?") for heading in asked):
        found.append("A heading asks no question.")
    return found


@each_page
def test_a_rewritten_page_has_the_shape_of_its_kind(path):
    assert faults(path) == []


def unpaired(pages, rewritten):
    """The pages that stand alone: a rewritten chapter, a deeper page, or one that is not listed."""
    chapters, deeper = ([p for p in pages if is_deeper(p) is kind] for kind in (False, True))
    return [
        *(path for path in chapters if path in rewritten and deeper_page_of(path) not in deeper),
        *(path for path in deeper if chapter_of(path) not in chapters or path not in rewritten),
    ]


def test_a_rewritten_chapter_has_a_deeper_page_and_every_deeper_page_has_a_chapter():
    assert unpaired(PAGES, REWRITTEN) == []


# Made-up pages show that the rules can fail

TITLE = "# 8 · Made up: can a page be made up?"
EXERCISE, MORE = "[do](../exercises/08_made_up.ipynb)", "[more](08_made_up_deeper.ipynb#why)"
LINKS = f"{EXERCISE} {MORE}"
GOOD = [TITLE, *["## How does it go on?"] * 5, *(f"## {heading}" for heading in CLOSE), LINKS]
DEEPER = ["# 8 · Made up, deeper: what else?", "Of [chapter 8](08_made_up.ipynb).", "## Why?"]


@pytest.fixture
def page(tmp_path):
    def written(name, *cells):
        path = tmp_path / f"{name}.ipynb"
        cells = [{"cell_type": "markdown", "source": [cell]} for cell in cells]
        path.write_text(json.dumps({"cells": cells}), encoding="utf-8")
        return path

    return written


def without(lines, *gone):
    return [line for line in lines if line not in gone]


def swapped(lines, one, other):
    return [{one: other, other: one}.get(line, line) for line in lines]


@pytest.mark.parametrize("more", [0, 2])
def test_a_chapter_of_five_or_seven_sections_has_no_fault(page, more):
    assert faults(page("08_made_up", *GOOD[:2], *GOOD[1:2] * more, *GOOD[2:])) == []


SHAPES = {
    "a title without a question": (["# 8 · Made up: a page", *GOOD[1:]], "The title is not"),
    "a title without a colon": (["# 8 · Can it be made up?", *GOOD[1:]], "The title is not"),
    "two titles": ([TITLE, *GOOD[1:], "# Another title"], "The title is not"),
    "four sections": ([TITLE, *GOOD[2:]], "There are 4 sections"),
    "eight sections": ([TITLE, *GOOD[1:2] * 3, *GOOD[1:]], "There are 8 sections"),
    "a section in a fence": ([TITLE, "```md\n## How?\n```", *GOOD[2:]], "There are 4 sections"),
    "no library": (without(GOOD, "## With the library"), "The last sections are not"),
    "a library twice": ([TITLE, "## With the library", *GOOD[1:]], "The last sections are not"),
    "the close in another order": (
        swapped(GOOD, "## Since then", "## What to remember"),
        "The last sections are not",
    ),
    "a section behind the close": (
        [*without(GOOD, LINKS)[:1], *GOOD[2:], "## One more?"],
        "The last sections are not",
    ),
    "no exercise": ([*GOOD[:-1], MORE], "no link to ../exercises/08"),
    "another chapter's exercise": (
        [*GOOD[:-1], LINKS.replace("exercises/08", "exercises/07")],
        "no link to ../exercises/08",
    ),
    "no deeper page": (
        [*GOOD[:-1], EXERCISE],
        "no link to 08_made_up",
    ),
}


@pytest.mark.parametrize("what", SHAPES)
def test_a_fault_in_the_shape_of_a_chapter_is_found(page, what):
    cells, fault = SHAPES[what]
    [found] = faults(page("08_made_up", *cells))
    assert fault in found


def test_a_deeper_page_has_no_fault_until_a_heading_asks_nothing_or_a_link_is_missing(page):
    name = "08_made_up_deeper"
    assert faults(page(name, *DEEPER)) == faults(page(name, *DEEPER, f"## {EXAMPLES}")) == []
    for cells, fault in (
        ([TITLE, *DEEPER[1:]], "The title is not"),
        ([*DEEPER, "## Costs"], "A heading asks no question."),
        (DEEPER[:2], "A heading asks no question."),
        ([DEEPER[0], DEEPER[2]], "no link to 08_made_up.ipynb"),
    ):
        [found] = faults(page(name, *cells))
        assert fault in found


@pytest.mark.parametrize(
    ("names", "listed", "alone"),
    [
        (["08_a", "08_a_deeper"], ["08_a", "08_a_deeper"], []),
        (["08_a"], [], []),
        (["08_a"], ["08_a"], ["08_a"]),
        (["08_a", "09_b_deeper"], ["09_b_deeper"], ["09_b_deeper"]),
        (["08_a", "08_a_deeper"], ["08_a"], ["08_a_deeper"]),
    ],
)
def test_a_page_that_stands_alone_is_found(page, names, listed, alone):
    pages, rewritten, found = ([page(n) for n in some] for some in (names, listed, alone))
    assert unpaired(pages, rewritten) == found


# The seven headings of the chapters that are not yet rewritten. This part goes with the last one.

VERBS = ["See it", "Say it", "By hand", "Read it", "Break it", "Use it", "Check yourself"]
EARLIER = [path for path in CHAPTERS if path not in REWRITTEN]


@pytest.mark.parametrize("path", EARLIER, ids=shown)
def test_a_chapter_that_is_not_rewritten_goes_through_its_seven_verbs_in_order(path):
    found = headings(text_of(path), "#+")
    verbs = [verb for heading in found for verb in VERBS if heading.startswith(verb)]
    assert list(dict.fromkeys(verbs)) == VERBS
