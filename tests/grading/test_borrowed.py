"""Code that comes from the course's own package is named for the teacher; honest code is not."""

import pytest
from grading_hands import HANDS
from notebooks import COURSE

from firth.checks import questions
from firth.grading.inbox.borrowed import from_checks, from_package
from firth.grading.inbox.released import cells_of

NAMES = ["softmax", "attention"]
TAKES = [
    "from firth.checks import questions",
    "from firth import checks",
    "from firth import checks as c",
    "from firth import *",
    "import firth.checks",
    "import firth.checks.lsa.cosine as c",
    "from firth.checks.lsa import cosine",
    "import firth\nfirth.checks.questions()",
    "import importlib\nimportlib.import_module('firth.checks.lsa.cosine')",
    "__import__('firth.checks')",
    "import sys\nsys.modules['firth.checks'].questions()",
    "exec('from firth.checks import questions')",
    "eval(compile(b'import firth.checks', '', 'exec'))",
]


@pytest.mark.parametrize("cell", TAKES)
def test_a_right_answer_taken_from_the_checks_is_pointed_at(cell):
    assert from_checks(["x = 1", cell]) == [2]
    assert from_checks([f"def f():\n    {cell.replace(chr(10), chr(10) + '    ')}"]) == [1]


@pytest.mark.parametrize(
    "cell",
    [
        "from firth.checks import check, hint, rubric, scores, try_it, whose",
        "from firth.lsa.similarity import spearman",
        "def f():\n    '''As firth.checks asks: a number.'''\n    return 1",
        "print('I asked firth.checks and it holds.')",
    ],
)
def test_what_learners_may_use_is_not(cell):
    assert from_checks([cell]) == []


@pytest.mark.parametrize(
    "cells, said",
    [
        (
            ["from firth.attention.attention import softmax"],
            ["`softmax` is not written here: it comes from firth.attention.attention.softmax."],
        ),
        (
            ["import firth.attention.attention as a", "softmax = a.softmax"],
            ["`softmax` is not written here: it comes from firth.attention.attention.softmax."],
        ),
        (
            ["from firth.attention.attention import softmax as s\nattention = s"],
            ["`attention` is not written here: it comes from firth.attention.attention.softmax."],
        ),
        (
            ["from firth.rnn import cells as c\ndef help(x): return c.f(x)\n"
             "def softmax(x): return help(x)"],
            ["`softmax` uses firth.rnn.cells, which the exercise does not import."],
        ),
        (
            ["import firth", "def softmax(x): return firth.attention.attention.softmax(x)"],
            ["`softmax` uses firth, which the exercise does not import."],
        ),
        (["from firth.attention.attention import softmax", "def softmax(x): return x"], []),
        (["from firth.display import table", "def softmax(x): return table(x)"], []),
        (["import numpy as np", "def softmax(x): return np.exp(x)"], []),
    ],
)  # fmt: skip
def test_an_answer_whose_code_comes_from_the_package_is_named(cells, said):
    blank = ["from firth.display import table", "from firth.checks import check"]
    assert from_package(cells, NAMES, blank) == said


def test_without_the_released_notebook_only_whole_answers_are_named():
    cells = ["from firth.lsa.similarity import cosine", "def softmax(x): return cosine(x, x)"]
    assert from_package(cells, NAMES, None) == []
    assert from_package(cells, ["cosine"], None)


@pytest.mark.parametrize("hand", HANDS)
def test_the_honest_are_left_alone(hand):
    blank = cells_of("exercises", "01_lsa")
    names = [name for name, question in questions().items() if question.chapter == "01_lsa"]
    cells = [*blank, HANDS[hand]]
    assert from_package(cells, names, blank) == [] and from_checks(cells) == []


@pytest.mark.parametrize(
    "exercise", [path.stem for path in sorted((COURSE / "solutions").glob("*.ipynb"))]
)
def test_no_published_solution_takes_an_answer_from_the_package(exercise):
    blank, cells = (cells_of(folder, exercise) for folder in ("exercises", "solutions"))
    names = [name for name, question in questions().items() if question.chapter == exercise]
    assert from_package([*cells], names, blank) == [] and from_checks(cells) == []
