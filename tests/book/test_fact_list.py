"""Every fact that a test's name begins with is explained, and every explained fact has its test."""

import ast
import re
from collections import Counter

import pytest
from chapter_pages import CHAPTERS
from notebooks import COURSE
from prose_counts import SLIDES, WORDS, places

PAGE = COURSE / "reference" / "facts.md"
ROW = re.compile(r"^\| ([A-Z]\d+) \| (.+) \|$", re.MULTILINE)
UNTESTED = re.compile(r"\*Not tested yet: .{20,}\*$")


def facts(text):
    """The id and the statement of each fact on the page."""
    return ROW.findall(text)


def ids(source):
    """The ids of facts that the names of a file's tests begin with, as in test_S9_S10_shares."""
    names = [n.name for n in ast.walk(ast.parse(source)) if isinstance(n, ast.FunctionDef)]
    begin = (re.match(r"test_((?:[A-Z]\d+_)+)", name) for name in names)
    return {one for match in begin if match for one in match[1].split("_")[:-1]}


def ids_in_tests():
    files = (COURSE / "tests").rglob("test_*.py")
    return set().union(*(ids(path.read_text(encoding="utf-8")) for path in files))


def faults(text, tested):
    """What is wrong with a list of facts, beside the ids that tests have."""
    listed = facts(text)
    times = Counter(name for name, _ in listed)
    marked = {name for name, statement in listed if UNTESTED.search(statement)}
    return {
        "twice": {name for name, n in times.items() if n > 1},
        "not explained": tested - {*times},
        "without a test": {*times} - tested - marked,
        "tested after all": marked & tested,
    }


def test_each_fact_is_explained_once_and_tested_or_said_not_to_be():
    assert not any(found := faults(PAGE.read_text(encoding="utf-8"), ids_in_tests()).values()), (
        found
    )


def test_facts_stand_under_the_chapters_in_order_and_no_row_is_lost():
    text = PAGE.read_text(encoding="utf-8")
    linked = re.findall(r"^## (\d) · .+\n\n\[.+\]\(\.\./(chapters/\w+\.ipynb)\)\.$", text, re.M)
    assert linked == [(path.stem[1], f"chapters/{path.name}") for path in CHAPTERS]
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert len(rows) == len(facts(text)) + rows.count("| id | statement |")


def test_statements_are_whole_sentences_in_the_words_of_the_field():
    text = PAGE.read_text(encoding="utf-8")
    for name, statement in facts(text):
        assert re.match(r"[A-Z]", statement) and statement.endswith((".", ".*")), name
    patterns = [SLIDES, *(word["pattern"] for word in WORDS["private"])]
    assert not [place for pattern in patterns for place in places(pattern, text)]


LIST = "| id | statement |\n|---|---|\n| Z1 | One is one. |\n| Z2 | Two is two. |\n"


@pytest.mark.parametrize(
    ("more", "names", "fault"),
    [
        ("", {"Z1", "Z2"}, None),
        ("", {"Z1", "Z2", "Z3"}, "not explained"),
        ("", {"Z1"}, "without a test"),
        ("| Z1 | One is one, again. |\n", {"Z1", "Z2"}, "twice"),
        ("| Z3 | Three. *Not tested yet: nobody can count so far.* |\n", {"Z1", "Z2"}, None),
        ("| Z3 | Three. *Not tested yet: .* |\n", {"Z1", "Z2"}, "without a test"),
        (
            "| Z3 | Three. *Not tested yet: nobody can count so far.* |\n",
            {"Z1", "Z2", "Z3"},
            "tested after all",
        ),
    ],
)
def test_a_fault_in_the_list_is_found(more, names, fault):
    assert [what for what, found in faults(LIST + more, names).items() if found] == (
        [fault] if fault else []
    )


def test_ids_are_read_from_the_names_of_tests():
    source = (
        "def test_Z1_Z22_two(): ...\ndef test_a_Z3_later(): ...\n@x\ndef test_Z4_of_GPT_2(): ...\n"
    )
    assert ids(source) == {"Z1", "Z22", "Z4"}
