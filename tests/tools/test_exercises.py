"""Exercises are their solutions without the answers: derived, executed, and worth nothing blank."""

import ast
import doctest
import json
import re
import subprocess
import sys

import pytest
from answers import EXERCISES, SOLUTIONS, code, defined, definitions, functions
from nbformat import write as write_notebook
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from notebooks import COURSE
from parts import by_day

import exercises
from exercises import Unmarked, blanked, is_derived
from firth.checks import questions
from firth.checks.answers import NOT_WRITTEN

NAMES = [path.name for path in SOLUTIONS]
solutions = pytest.mark.parametrize("name", NAMES)


def blank(name):
    return COURSE / "exercises" / name


def text(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return "\n\n".join("".join(cell["source"]) for cell in cells)


def outputs(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [output for cell in cells for output in cell.get("outputs", [])]


@solutions
def test_an_exercise_is_its_solution_without_the_answers(name):
    assert is_derived(COURSE / "solutions" / name, blank(name)), "run make exercises"


def test_every_exercise_has_a_solution():
    assert NAMES and not exercises.orphans(COURSE)


@solutions
def test_a_blank_holds_a_promise_and_no_answer(name):
    left = [node for node in definitions(blank(name)) if getattr(node, "name", "") in EXERCISES]
    assert len(left) == len(functions(COURSE / "solutions" / name)) > 0
    for function in left:
        docstring, *body = map(ast.unparse, function.body)
        assert body == ["raise NotImplementedError('write me')"] and ">>>" in docstring
    answers = re.findall(r"BEGIN SOLUTION -->\n(.*?)<!--", text(COURSE / "solutions" / name), re.S)
    assert answers and not [answer for answer in answers if answer in text(blank(name))]
    assert "SOLUTION" not in text(blank(name))


@pytest.mark.parametrize(
    "name", by_day(NAMES, {"01_lsa.ipynb", "05_transformer.ipynb"}.__contains__)
)
def test_a_blank_runs_from_end_to_end_and_scores_nothing(name, tmp_path):
    copy = tmp_path / name  # alone, as a learner has it
    copy.write_bytes(blank(name).read_bytes())
    tool = [sys.executable, COURSE / "tools" / "notebooks.py", copy]
    done = subprocess.run(tool, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert copy.read_bytes() == blank(name).read_bytes()
    assert not [output for output in outputs(blank(name)) if output["output_type"] == "error"]
    for answer in functions(blank(name)).values():
        verdicts = EXERCISES[answer.__name__].judge(answer, seed=5)
        assert {verdict.message for verdict in verdicts} == {NOT_WRITTEN}
        assert not any(verdict.points or verdict.holds for verdict in verdicts)


@solutions
def test_the_stored_solution_earns_every_point(name):
    reports = [
        "".join(output["data"]["text/plain"])
        for output in outputs(COURSE / "solutions" / name)
        if "firth-report" in "".join(output.get("data", {}).get("text/html", ""))
    ]
    names = functions(COURSE / "solutions" / name)
    assert len(reports) == len(names)
    assert not [report for report in reports if "✗" in report or "○" in report]


@solutions
def test_the_examples_worked_by_hand_come_out(name):
    answers = functions(COURSE / "solutions" / name)
    names = defined(definitions(COURSE / "solutions" / name))
    for function in answers.values():
        (example,) = doctest.DocTestFinder(recurse=False).find(
            function, function.__name__, module=False, globs=dict(names)
        )
        assert example.examples, f"{function.__name__} has no example worked by hand"
        assert not doctest.DocTestRunner(verbose=False).run(example).failed


@solutions
def test_each_question_states_difficulty_minutes_and_points(name):
    stem, prose = name.removesuffix(".ipynb"), text(blank(name))
    here = {key: item for key, item in questions().items() if item.chapter == stem}
    assert {key for key, item in here.items() if item not in EXERCISES.values()}, "one in words"
    for key, item in here.items():
        assert prose.count(key) > 1 and 1 <= item.difficulty <= 3 and item.minutes > 0
    stated = re.findall(r"^\*(Difficulty .* points)\*$", prose, re.MULTILINE)
    assert sorted(stated) == sorted(item.label.capitalize() for item in here.values())


@solutions
def test_every_function_is_checked_once_where_it_is_written(name):
    cells = code(blank(name))
    for function in functions(blank(name)):
        written = next(n for n, cell in enumerate(cells) if f"def {function}(" in cell)
        assert cells[written + 1] == f"check({function})"


def test_what_stands_between_two_written_answers_stays():
    answer = "<!-- BEGIN SOLUTION -->Because.<!-- END SOLUTION -->"
    blanks = blanked(f"{answer}\n\nAnd why else?\n\n{answer}", code=False).split("\n\n")
    assert len(blanks) == 3 and blanks[0] == blanks[2] and blanks[1] == "And why else?"


def test_a_mark_without_its_partner_is_an_error():
    with pytest.raises(Unmarked, match="do not pair up"):
        blanked("def f():\n    # BEGIN SOLUTION\n    return 1\n")
    with pytest.raises(Unmarked, match="do not pair up"):
        blanked("Because.<!-- END SOLUTION -->", code=False)


def small_course(root, answer):
    (root / "solutions").mkdir()
    cells = [
        new_markdown_cell("# Small"),
        new_code_cell(f"def f():\n    # BEGIN SOLUTION\n{answer}\n    # END SOLUTION"),
        new_code_cell("f.__name__"),
    ]
    write_notebook(new_notebook(cells=cells), root / "solutions" / "small.ipynb")
    return root / "solutions" / "small.ipynb"


def tool(*arguments):
    script = [sys.executable, str(COURSE / "tools" / "exercises.py"), *map(str, arguments)]
    return subprocess.run(script, capture_output=True, text=True)


def test_the_command_writes_what_it_checks_and_says_what_is_stale(tmp_path):
    solution = small_course(tmp_path, "    return 1")
    stale = tool("--check", solution)
    assert stale.returncode == 1 and "make exercises" in stale.stderr
    assert not (tmp_path / "exercises").exists()
    assert tool(solution).returncode == 0
    assert "write me" in (tmp_path / "exercises" / "small.ipynb").read_text()
    assert tool("--check", solution).returncode == 0


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("# Small", "# Smaller", "was not run"),
        ("return 1", "return 2", ""),  # nobody sees it in the exercise
        ("f.__name__", "len(f.__name__)", "cells,"),
    ],
    ids=["prose", "an answer", "code"],
)
def test_an_exercise_is_run_again_only_if_its_own_code_has_changed(old, new, says, tmp_path):
    solution = small_course(tmp_path, "    return 1")
    assert tool(solution).returncode == 0
    path = tmp_path / "exercises" / "small.ipynb"
    solution.write_text(solution.read_text().replace(old, new))
    draft = tmp_path / "draft.ipynb"
    draft.write_text(exercises.exercise(solution))
    said = tool(solution).stdout
    assert says in said and bool(said) == bool(says)
    command = [sys.executable, COURSE / "tools" / "notebooks.py", draft]
    assert subprocess.run(command, capture_output=True).returncode == 0
    assert path.read_bytes() == draft.read_bytes()


def test_a_failed_run_leaves_the_old_exercise_whole(tmp_path):
    solution = small_course(tmp_path, "    return 1")
    assert tool(solution).returncode == 0
    path = tmp_path / "exercises" / "small.ipynb"
    before = path.read_bytes()
    broken = solution.read_text().replace("f.__name__", "f.__nothing__")
    solution.write_text(broken)
    failed = tool(solution)
    assert failed.returncode == 1 and "__nothing__" in failed.stderr
    assert path.read_bytes() == before and list(path.parent.iterdir()) == [path]


@solutions
def test_a_question_has_the_number_of_its_section(name):
    headings = re.findall(r"^## ([\d.]+) ", text(blank(name)), re.M)
    here = [q for q in questions().values() if q.chapter == name.removesuffix(".ipynb")]
    assert [question.number for question in here] == headings
    for question in here:
        section = re.split(rf"^## {re.escape(question.number)} ", text(blank(name)), flags=re.M)[1]
        assert f"`{question.name}" in section.partition("\n## ")[0]
