"""The glossary is in order, links lead into it, and rewritten pages link to plain entries."""

import json
import re

import prose
import pytest
from chapter_pages import PAGES
from notebooks import COURSE
from prose_counts import WORDS, places

GLOSSARY = COURSE / "reference" / "glossary.md"
LINK = re.compile(r"glossary\.md#([\w-]+)")


def entries(text):
    """The name and the text of each entry, in the order of the page."""
    parts = re.split(r"(?m)^## ", text)[1:]
    return [(name.strip(), body.strip()) for name, _, body in (p.partition("\n") for p in parts)]


def anchor(name):
    """The end of an address that leads to an entry: term–document matrix is termdocument-matrix."""
    return re.sub(r"[^\w -]", "", name.lower()).replace(" ", "-")


def linked(path):
    """The anchors of the glossary to which a page links."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        text = "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])
    return {*LINK.findall(text)}


def faults(text):
    """What an entry has that the language of rewritten pages has not."""
    plain = re.sub(r"\[Chapter \d\]\([^)]*\)\.", "", text).strip()
    found = [word["pattern"] for word in WORDS["private"] if places(word["pattern"], plain)]
    return found + ["no full stop"] * (not plain.endswith("."))


ENTRIES = entries(GLOSSARY.read_text(encoding="utf-8"))


def test_entries_are_in_alphabetical_order_and_each_has_a_text():
    names = [name.lower() for name, _ in ENTRIES]
    assert names == sorted({*names}) and all(text for _, text in ENTRIES)


def test_every_link_into_the_glossary_leads_to_an_entry():
    pages = [*PAGES, *COURSE.glob("*.md"), *COURSE.glob("reference/*.md")]
    pages += COURSE.glob("solutions/*.ipynb")
    there = {anchor(name) for name, _ in ENTRIES}
    assert {a for path in pages for a in linked(path)} <= there


def test_entries_to_which_a_rewritten_page_links_are_in_plain_language():
    wanted = {a for path in prose.rewritten() for a in linked(path)}
    assert {n: f for n, text in ENTRIES if anchor(n) in wanted and (f := faults(text))} == {}


@pytest.mark.parametrize(
    ("text", "fine"),
    [
        ("A table of counts has a row for each word. [Chapter 1](../chapters/01_lsa.ipynb).", True),
        ("The table is drawn by reckoning.", False),
        ("A table of counts that has a row for each word", False),
    ],
)
def test_a_fault_in_an_entry_is_found(text, fine):
    assert (faults(text) == []) is fine


def test_a_link_of_a_notebook_is_found_and_one_in_an_output_is_not(tmp_path):
    source = ["See [rank](../reference/", "glossary.md#rank)."]
    path = tmp_path / "page.ipynb"
    path.write_text(json.dumps({"cells": [{"source": source, "outputs": "glossary.md#x"}]}))
    assert linked(path) == {"rank"}
