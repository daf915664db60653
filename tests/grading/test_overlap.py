"""A copy is found among honest answers, the honest are left alone, and the page is safe."""

import csv
import json
import re
import sys

import pytest
from answers import EXERCISES, SOLUTIONS, code
from grading_fakes import Handed
from grading_hands import HANDS
from hypothesis import given
from hypothesis import strategies as st
from notebooks import COURSE

from firth.grading.results import overlap_page
from firth.grading.results.compared import (
    NoTool,
    Overlaps,
    Pair,
    definitions,
    merged,
    overlap,
    written,
)
from firth.grading.results.overlap import report
from firth.grading.results.record import Grades

pytest.importorskip("copydetect")
RELEASED = COURSE / "exercises" / "01_lsa.ipynb"
BLANK = [
    "".join(cell["source"])
    for cell in json.loads(RELEASED.read_text(encoding="utf-8"))["cells"]
    if cell["cell_type"] == "code"
]
THEIRS = r"\b(table|text|distance|weights|expected|total|scores|here|quality|space|best)\b"


def handed_in(answers):
    """A notebook as it comes back: all that was released, and the answers in one cell more."""
    return [*BLANK, answers]


def disguised(answers):
    """Other names, other comments in other places, other spaces, other texts."""
    answers = re.sub(THEIRS, lambda found: f"my_{found[0][::-1]}", answers)
    answers = re.sub(r'""".*?"""', '"""In my own words."""', answers)
    answers = re.sub(r"(?m)^( +)(return|for|if)", r"\1# so that it works\n\1\2", answers)
    return answers.replace("    ", "  ").replace(" + ", "+")


def mixed(first, second, n):
    """The first n functions of one, and the rest of another."""
    ours, theirs = (
        {name: text for name, text, _ in definitions([HANDS[hand]])} for hand in (first, second)
    )
    names = [name for name in EXERCISES if name in ours]
    return "\n\n\n".join([*(ours[x] for x in names[:n]), *(theirs[x] for x in names[n:])])


HONEST = {hand: handed_in(text) for hand, text in HANDS.items()}


def test_independent_right_answers_do_not_stand_out_not_even_from_the_published_ones():
    found = overlap(HONEST | {"the published solution": code(SOLUTIONS[0])}, BLANK)
    assert found.compared == 10 and not found.pairs
    # Far from it: even at half of the threshold nobody is named.
    assert not overlap(HONEST, BLANK, threshold=found.threshold / 2).pairs


def test_a_copy_with_other_names_comments_and_texts_is_found_and_nobody_else():
    copy = disguised(HANDS["ada"])
    assert copy.count("# so that it works") > 10 and "weights" not in copy
    found = overlap(HONEST | {"eve": handed_in(copy)}, BLANK)
    (pair,) = found.pairs
    assert {pair.one, pair.other} == {"ada", "eve"}
    assert pair.overlap > 0.95 and pair.alone > 0.5 and found.median < 0.2


def test_a_short_copy_is_found_whoever_of_the_two_comes_first():
    functions = [text for _, text, _ in definitions([HANDS["ada"]])]
    part = handed_in("\n\n\n".join(functions[: len(functions) // 2]))
    whole_first = overlap({"ada": HONEST["ada"], "eve": part}, BLANK).pairs
    part_first = overlap({"eve": part, "ada": HONEST["ada"]}, BLANK).pairs
    for (pair,) in (whole_first, part_first):
        assert pair.overlap > 0.95


def test_half_a_copy_is_found_and_so_is_one_in_another_order_under_another_name():
    half = mixed("ada", "bob", 4)
    found = overlap({"ada": HONEST["ada"], "dora": HONEST["dora"], "eve": handed_in(half)}, BLANK)
    assert [{pair.one, pair.other} for pair in found.pairs] == [{"ada", "eve"}]
    backwards = "\n\n".join(text for _, text, _ in reversed(list(definitions([HANDS["bob"]]))))
    renamed = backwards.replace("def cosine", "def helper")
    found = overlap(HONEST | {"eve": handed_in(renamed)}, BLANK)
    assert [{pair.one, pair.other} for pair in found.pairs] == [{"bob", "eve"}]


def test_what_was_released_gives_nothing_and_neither_does_one_textbook_line():
    line = "def fold_in(q, U, s):\n    return q @ U / s"
    class_ = {"a": BLANK, "b": BLANK, "c": handed_in(line), "d": handed_in(line)}
    found = overlap(class_, BLANK)
    assert not found.pairs and found.code["a"] == "" and "q @ U" in found.code["c"]


def test_what_everybody_wrote_is_usual_and_nobodys_alone():
    found = overlap({f"s{n}": HONEST["ada"] for n in range(5)}, BLANK)
    assert len(found.pairs) == 10 and found.median == 1
    assert {pair.alone for pair in found.pairs} == {0}


def test_a_released_function_counts_once_it_was_rewritten():
    search = next(cell for cell in BLANK if cell.startswith("def search"))
    assert not written([search], BLANK)
    assert "sorted(range" in written([search.replace("query, k, n):", "query, k, n):\n"
                                      "    print(sorted(range(n)))")], BLANK)  # fmt: skip


def test_code_that_no_python_reads_is_compared_all_the_same():
    cells = ["%time x = 1\ndef f(x):\n    return x\n!ls", "def g(:\n    no", "h = lambda x: x"]
    cells += ["def nul(): '\0'", "def f(x):\r\n    return 2 * x", "(" * 5000, "x = '\\d'"]
    cells += ["def deep():\n    return " + "1 + " * 3000 + "1", "k = lambda: " + "-" * 3000 + "1"]
    text = written(cells, [])
    assert "# deep" in text and "# h\n" in text and "# g\ndef g(:" in text and "\r" not in text
    assert "return 2 * x" in text and "return x\n" not in text  # the last of a name counts


@pytest.mark.parametrize(
    "around", ["if True:\n", "for _ in [0]:\n", "try:\n", "with x:\n", "while 1:\n  if 1:\n"]
)
def test_code_below_an_if_a_loop_or_a_try_is_compared(around):
    text = (
        around + "    def f(x):\n        return 2 * x\n" + "except: pass\n" * (around == "try:\n")
    )
    assert "# f\n    def f(x):\n        return 2 * x" in written([text], [])
    assert "inner" not in written(["def f():\n    def inner(): pass"], []).split("\n")[0]


def test_who_copies_the_published_solution_is_found_beside_it():
    solution = code(SOLUTIONS[0])
    found = overlap(
        HONEST | {"eve": handed_in(disguised("\n\n".join(solution)))},
        BLANK,
        references={"the solution": solution},
    )
    (pair,) = found.pairs
    assert {pair.one, pair.other} == {"eve", "the solution"} and pair.overlap > 0.9
    # What is usual in the class is counted without it.
    alone = overlap(HONEST | {"eve": handed_in(disguised("\n\n".join(solution)))}, BLANK)
    assert found.median == alone.median and found.compared == alone.compared + 5
    html = overlap_page.page(found, "01_lsa")
    assert "5 students with each other, and each with the solution." in html
    assert len(re.findall("(?s)<pre>(.*?)</pre>", html)) == 2


def test_two_references_are_not_compared_with_each_other():
    found = overlap({"ada": HONEST["ada"]}, BLANK, references={n: HONEST["bob"] for n in "xy"})
    assert found.compared == 2 and not found.pairs


@pytest.mark.parametrize(
    "cells", [["exec('def f(): return 1')"], ["#" * 30_001 + "\ndef f(): return 1"], BLANK]
)
def test_who_has_points_and_no_code_to_compare_is_named(tmp_path, cells):
    made = json.dumps({"cells": [{"cell_type": "code", "source": cell} for cell in cells]})
    class_ = [Handed("mallory", made), Handed("eve", made)]
    scores = [{"student": "mallory", "score": 30}, {"student": "eve", "score": 0}]
    said = report(Grades(tmp_path), class_, "01_lsa", True, scores)
    assert said[0].startswith("mallory: there are points and no functions that could be compared")
    assert not any(line.startswith("eve") for line in said)
    html = (tmp_path / "overlap.html").read_text()
    assert "2 wrote no function of their own. Of them, these have points: <bdi" in html


@given(st.dictionaries(st.text(max_size=5), st.lists(st.text(max_size=99), max_size=3), max_size=4))
def test_no_cell_of_any_student_stops_the_report(class_):
    class_ = {who: [*cells, *(f"def f(): {c}" for c in cells)] for who, cells in class_.items()}
    found = overlap(class_, [], threshold=0.0)
    assert overlap_page.page(found, "01_lsa").startswith("<!DOCTYPE html>")


@given(st.lists(st.tuples(st.integers(-3, 40), st.integers(-3, 40)), max_size=6))
def test_runs_are_in_order_within_the_code_and_apart(runs):
    found = merged([[a for a, _ in runs], [b for _, b in runs]], "x" * 30)
    ends = [place for run in found for place in run]
    assert ends == sorted(set(ends)) and all(0 <= place <= 30 for place in ends)


def test_hostile_names_and_code_are_inert_on_the_page_and_in_the_sheet(tmp_path):
    evil = '</pre><script>alert(1)</script><img src="http://x" onerror=alert(2)>\u202e\x1b[2J'
    copy = HANDS["ada"].replace('"""How often', f'"""{evil} How often')
    names = ["=cmd()", '"><script>alert(3)</script>']
    found = overlap({name: handed_in(copy) for name in names}, BLANK)
    grades = Grades(tmp_path)
    overlap_page.write(grades, found, "01_lsa")
    html = (tmp_path / "overlap.html").read_text(encoding="utf-8")
    assert not re.search("<(script|img)", html) and "&lt;script&gt;alert(3)" in html
    assert "\u202e" not in html and "\x1b" not in html and "⟨U+202E⟩" in html
    assert "default-src 'none'; style-src 'sha256-" in html
    assert not re.search(r"<[^>]*\s(on\w+|style|src|href)=", html)
    with open(tmp_path / "overlap.csv", encoding="utf-8-sig", newline="") as file:
        header, row = csv.reader(file)
    assert row[0] == "'=cmd()" and row[2:] == ["100", row[3], "100", "100"] and len(header) == 6


def test_the_page_marks_what_two_have_in_common_and_says_what_that_means():
    found = overlap(HONEST | {"eve": handed_in(disguised(HANDS["ada"]))}, BLANK)
    html = overlap_page.page(found, "01_lsa")
    assert "1 pair worth a look" in html and "What a number means" in html
    assert "10 pairs were compared: 5 students with each other." in html
    marked = "".join(re.findall("(?s)<mark>(.*?)</mark>", html))
    assert "np.outer(C.sum(axis=1), C.sum(axis=0))" in marked
    listed = re.findall("(?s)<pre>(.*?)</pre>", html)
    assert len(listed) == 2 and all("def choose_k" in code for code in listed)


def test_the_page_of_a_class_that_copied_throughout_stays_readable():
    pairs = [Pair(f"a{n}", f"b{n}", 1.0, 500, 1.0, ([], [])) for n in range(120)]
    everybody = {name: "def f(): pass" for pair in pairs for name in (pair.one, pair.other)}
    html = overlap_page.page(Overlaps(pairs, everybody, 1.0, 120, 0.4), "01_lsa")
    assert html.count("<details>") == 50 and "And 70 more in overlap.csv" in html


def submission(student, cells):
    cells = [{"cell_type": "code", "source": cell, "metadata": {}, "outputs": []} for cell in cells]
    data = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    return Handed(student, data)


# The published solution of exercise 1 is compared with each of the five.
@pytest.mark.parametrize("exercise, pairs", [("01_lsa", 15), ("99_of_ones_own", 10)])
def test_a_class_is_reported_with_its_notebook_found_or_guessed(tmp_path, exercise, pairs):
    class_ = [submission(student, cells) for student, cells in HONEST.items()]
    class_ += [submission("eve", handed_in(disguised(HANDS["ada"]))), Handed("mallory", "{")]
    said = report(Grades(tmp_path), class_, exercise, quiet=True)
    assert f"1 pair of {pairs} worth a look" in said[-1] and "overlap.html" in said[-1]
    assert len(said) == 1 + (exercise != "01_lsa")
    html = (tmp_path / "overlap.html").read_text(encoding="utf-8")
    assert "def nearest_words" not in html and "ada" in html and "mallory" not in html


def test_without_the_tool_the_command_is_told_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "copydetect", None)
    with pytest.raises(NoTool, match="pip install"):
        overlap(HONEST, BLANK)
