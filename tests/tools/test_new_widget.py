"""`make widget` begins a widget that passes the widgets' tests; the linter reads its JavaScript."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import widget
from notebooks import COURSE
from tree import copy_of_course

OXLINT = Path(sys.executable).parent / "oxlint"
NAME = "linear_attention_square"


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A copy of the course in which a new widget has been begun."""
    root = copy_of_course(tmp_path_factory.mktemp("course"))
    widget.main([NAME], root)
    return root


def run(course, *command):
    paths = {"PYTHONPATH": str(course)}
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST")} | paths
    done = subprocess.run(command, cwd=course, env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_a_new_widget_passes_the_tests_of_the_widgets(course):
    tests = [
        "tests/widgets/test_parity.py",
        "tests/widgets/test_widgets.py",
        "firth/widgets/linear_attention/square.py",
    ]
    chosen = ["-k", "LinearAttentionSquare or strategy or square.js"]
    options = ["-p", "no:cacheprovider", "-n", "0", "-q", *chosen]
    returncode, said = run(course, sys.executable, "-m", "pytest", *options, *tests)
    assert returncode == 0, said
    assert "10 passed" in said


def test_a_new_widget_pleases_both_linters(course):
    *python, script = sorted(widget.files(NAME), key=lambda name: name.endswith(".js"))
    ruff = Path(sys.executable).parent / "ruff"
    for command in (
        [ruff, "check", *python],
        [ruff, "format", "--check", *python],
        [OXLINT, "--deny-warnings", script],
    ):
        returncode, said = run(course, *command)
        assert returncode == 0, said


@pytest.mark.parametrize(
    "name", ["square", "lsa", "lsa_", "lsa_Square", "lsa_low_rank", "../lsa_x"]
)
def test_a_name_without_a_chapter_or_one_that_is_taken_is_refused(name):
    with pytest.raises(SystemExit, match=r"chapter_noun|choose another name"):
        widget.main([name])


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("export const double = (x) => 2 * y;", "no-undef"),
        ('import { svg } from "./controls.js";', "no-unused-vars"),
        ("export const same = (x, y) => x == y;", "eqeqeq"),
        ("export function f(x) { x + 1; }", "no-unused-expressions"),
        ("export function f(x) { let y = x; return y; }", "prefer-const"),
        ("export function f(x) { return x", "Expected"),
        ("export const double = (x) => 2 * x;", ""),
    ],
)
def test_the_linter_finds_what_is_wrong_with_a_script(line, rule, tmp_path):
    (tmp_path / "script.js").write_text(line + "\n")
    command = [OXLINT, "--deny-warnings", "--config", COURSE / ".oxlintrc.json", tmp_path]
    returncode, said = run(COURSE, *command)
    assert (returncode == 0) == (not rule) and rule in said, said
