"""The comparator finds what differs between two states of a course, and nothing else."""

import json
import subprocess
import sys
from copy import deepcopy
from pathlib import Path

import compare
import pytest
from canonical import STATE
from changes import OTHER, PATHS, SOURCE, WIDGETS, changes
from compare import COLLECTOR, Tree, compared_verdicts
from notebooks import FOLDERS

import firth
import firth.checks
from firth.checks.claims import Exercise

# A course of one question in two forms. Its engine is that of the real course.
PACKAGE = f"__path__.append({str(Path(firth.__file__).parent)!r})\n"
ENGINE = f"""\
__path__.append({str(Path(firth.checks.__file__).parent)!r})
"""
QUESTION = f"""\
from {Exercise.__module__} import Exercise


def asked(factor, form):
    hints = ("Look.", "Think.", "Write.")
    made = Exercise("multiple", "01_tiny", 1, 1, hints, lambda x: factor * x)
    made.form, made.passages = form, (form,)
    made.mistakes = [(lambda x: x + factor, "Do you add?"), (lambda x: -factor * x, "Which sign?")]
    made.agrees("is a multiple", "What is it for 1?", lambda rng: [(rng.normal(),)])
    made.agrees("is one for three", "And 2?", lambda rng: [(rng.normal(size=3),)], points=2)
    return made


multiple = asked(2, "double")
multiple.forms = (asked(3, "triple"),)
"""
FOUND = """

def questions():
    return {"multiple": multiple}
"""
LEARNERS = """\
import numpy as np


def answer(x):
    return 2 * x if np.all(x < 0) else 5 * x


WRONG = {"multiple": [(answer, "below"), (lambda x: x / {}, "divided")]}
"""
CHAPTER = "01_tiny"
FILES = {
    "firth/__init__.py": PACKAGE,
    "firth/checks/__init__.py": ENGINE + QUESTION + FOUND,
    "tests/learners/__init__.py": "",
    "tests/learners/tiny.py": LEARNERS,
    "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["tests"]\n',
    ".gitignore": "__pycache__\n",
}


def git(root, *arguments):
    name = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")
    run = ["git", "-C", root, *name, *arguments]
    return subprocess.run(run, check=True, capture_output=True, text=True).stdout.strip()


def laid(root, files):
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")


@pytest.fixture
def tiny(tmp_path, monkeypatch):
    """The small course in a repository with one commit, and a cache of its own."""
    monkeypatch.setenv("FIRTH_CACHE", str(tmp_path / "cache"))
    root = tmp_path / "course"
    laid(root, FILES | {f"{name}/{CHAPTER}.ipynb": json.dumps(NOTEBOOK) for name in FOLDERS})
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "The first state")
    return root


def changed(root, name, old, new):
    text = (root / name).read_text(encoding="utf-8")
    assert text.count(old) == 1
    laid(root, {name: text.replace(old, new)})


def compared(root):
    """What the comparator lists of the working tree beside its commit, under the seeds 0 and 1."""
    base = Tree(None, git(root, "rev-parse", "HEAD"), root)
    return compared_verdicts(base, Tree(root, "", root), [CHAPTER], seeds=2, jobs=2)


# --- verdicts and questions ------------------------------------------------------------------


def test_two_runs_give_the_same_bytes_and_hold_every_answer(tiny, monkeypatch):
    texts = []
    for hashes in ("1", "2"):
        monkeypatch.setenv("PYTHONHASHSEED", hashes)
        run = [sys.executable, "-P", COLLECTOR, tiny, CHAPTER, "2"]
        texts.append(subprocess.run(run, check=True, capture_output=True).stdout)
    assert texts[0] == texts[1]
    found = json.loads(texts[0])["multiple"]
    assert set(found["students"].values()) == {"double", "triple"} == set(found["forms"])
    for form in found["forms"].values():
        told = {which: answer["verdicts"] for which, answer in form["answers"].items()}
        assert list(told) == ["right", "mistake 1", "mistake 2", "learner 1", "learner 2"]
        assert told["right"]["claim 2"] == {"seed 0": "holds, 2", "seed 1": "holds, 2"}
        assert told["mistake 1"]["claim 1"]["seed 1"] == "asks: Do you add?"
        assert told["learner 2"]["claim 1"]["seed 0"].endswith("— in your line `…`")
        drawn = [digest for seeds in form["inputs"].values() for digest in seeds.values()]
        assert len(drawn) == len(set(drawn)) == 4


def test_modules_that_have_moved_change_nothing(tiny):
    (tiny / "tests/checks").mkdir()
    (tiny / "tests/learners").rename(tiny / "tests/checks/learners")
    start = ENGINE + "from firth.checks.tiny.multiple import multiple\n"
    laid(tiny, {"firth/checks/__init__.py": start + FOUND, "firth/checks/tiny/__init__.py": ""})
    laid(tiny, {"firth/checks/tiny/multiple.py": QUESTION})
    assert compared(tiny) == []


def test_another_question_of_one_mistake_is_found_wherever_it_is_asked(tiny):
    changed(tiny, "firth/checks/__init__.py", "Which sign?", "Is it below 0?")
    assert compared(tiny) == [
        f"multiple · forms · {form} · answers · mistake 2 · {place}"
        for form in ("double", "triple")
        for place in (
            "words\n    Which sign?\n  → Is it below 0?",
            "verdicts · claim 1 · seeds 0, 1\n    asks: Which sign?\n  → asks: Is it below 0?",
            "verdicts · claim 2 · seeds 0, 1\n    asks: Which sign?\n  → asks: Is it below 0?",
        )
    ]


def test_a_verdict_that_changes_under_one_seed_alone_is_found(tiny):
    changed(tiny, "tests/learners/tiny.py", "2 * x if np.all(x < 0) else 5 * x", "5 * x")
    assert compared(tiny) == [
        "multiple · forms · double · answers · learner 1 · verdicts · claim 1 · seeds 1\n"
        "    holds, 1\n  → asks: What is it for 1?"
    ]


def test_what_surrounds_the_verdicts_is_compared(tiny):
    planted = {
        '("Look.': ('("Hint.', "about · hints"),
        "points=2": ("points=3", "claims · claim 2 · points"),
        "(rng.normal(),)": ("(rng.normal() + 1,)", "inputs · claim 1 · seeds 1"),
        "What is it for 1?": ("Is it?", "claims · claim 1 · question"),
    }
    for old, (new, _) in planted.items():
        changed(tiny, "firth/checks/__init__.py", old, new)
    found = compared(tiny)
    for _, place in planted.values():
        assert any(line.startswith(f"multiple · forms · double · {place}\n") for line in found)


def test_a_commit_is_judged_once(tiny):
    assert compared(tiny) == []
    kept = Tree(None, git(tiny, "rev-parse", "HEAD"), tiny)  # without a folder to judge anew
    assert kept.collected(CHAPTER, 2).startswith('{"multiple"')


def test_the_command_fails_for_a_difference_and_leaves_no_tree_behind(tiny, monkeypatch, capsys):
    def status(*arguments):
        monkeypatch.setattr(sys, "argv", ["compare.py", "--base=HEAD", "--seeds=1", *arguments])
        with pytest.raises(SystemExit) as stop:
            compare.main()
        return stop.value.code

    monkeypatch.setattr(compare, "COURSE", tiny)
    assert status() == 0
    changed(tiny, f"chapters/{CHAPTER}.ipynb", "1.25", "1.5")
    assert status("--chapter", "tiny") == 1
    said = capsys.readouterr().out
    assert "chapters/01_tiny.ipynb, cell 3, output 1, text\n    1.25\n  → 1.5\n" in said
    assert status("--chapter", "large") == "There are the chapters tiny."
    assert len(git(tiny, "worktree", "list").splitlines()) == 1


# --- notebooks -------------------------------------------------------------------------------


def code(source, *outputs):
    return {"cell_type": "code", "id": "c", "metadata": {}, "source": source, "outputs": [*outputs]}


def shown(text):
    data = {"text/markdown": f"*From* `firth/lsa.py`*:*\n{text}", "text/plain": text}
    return {"output_type": "display_data", "metadata": {}, "data": data}


NOTEBOOK = {
    "nbformat": 4,
    "nbformat_minor": 5,
    "metadata": {
        "widgets": {
            STATE: {
                "state": {
                    "1": {
                        "model_name": "AnyModel",
                        "state": {
                            "_esm": "export",
                            "_anywidget_id": "firth.widgets.rank.Rank",
                            "rank": 2,
                        },
                    }
                }
            }
        }
    },
    "cells": [
        {"cell_type": "markdown", "metadata": {}, "source": "See `firth/lsa.py`, it has a rank."},
        code("import numpy as np\nfrom firth import lsa\nfrom firth.recall import texts"),
        code(
            "lsa.svd(texts(1), 2)  # in two",
            {"output_type": "stream", "name": "stdout", "text": "1.25"},
        ),
        code("source(lsa.svd)", shown("def svd(X):")),
        code("markdown", shown("The rank is 2.")),
    ],
}
WIDGET = ("metadata", "widgets", STATE, "state", "1", "state")


@pytest.mark.parametrize(
    "place, new, kind",
    [
        (("cells", 0, "source"), "See `firth/lsa/svd.py`, it has a rank.", PATHS),
        (("cells", 0, "source"), "See `firth/lsa.py`, it has no rank.", OTHER),
        (("cells", 1, "source"), "import numpy as np\nfrom firth.lsa import svd as lsa", PATHS),
        (("cells", 1, "source"), "import numpy as np\nprint(np)", OTHER),
        (("cells", 2, "source"), "lsa.svd(\n    texts(1),\n    2,\n)  # in two", PATHS),
        (("cells", 2, "source"), "lsa.svd(texts(1), 3)  # in two", OTHER),
        (("cells", 2, "source"), "lsa.svd(texts(1), 2)  # in 2", OTHER),
        (("cells", 2, "source"), "np.svd(texts(1), 2)  # in two", OTHER),
        (("cells", 2, "metadata"), {"tags": ["remove-input"]}, OTHER),
        (("cells", 2, "outputs", 0, "text"), "1.5", OTHER),
        (("cells", 2, "outputs"), [], OTHER),
        (("cells", 3, "outputs", 0, "data", "text/plain"), "def svd(A):", SOURCE),
        (("cells", 3, "outputs", 0, "data", "text/html"), "<b>2</b>", OTHER),
        (("cells", 4, "outputs", 0, "data", "text/plain"), "The rank is 3.", OTHER),
        ((*WIDGET, "_esm"), "firth/widgets/lsa/rank.js", WIDGETS),
        ((*WIDGET, "_anywidget_id"), "firth.widgets.lsa.rank.Rank", PATHS),
        ((*WIDGET, "_anywidget_id"), "firth.widgets.lsa.rank.Other", OTHER),
        ((*WIDGET, "rank"), 3, OTHER),
        (("metadata", "kernelspec"), {"name": "julia"}, OTHER),
    ],
)
def test_a_change_in_a_notebook_is_of_its_kind(place, new, kind):
    after = deepcopy(NOTEBOOK)
    part = after
    for key in place[:-1]:
        part = part[key]
    part[place[-1]] = new
    assert {change.kind for change in changes(NOTEBOOK, after, {"firth"})} == {kind}


def test_a_module_of_another_name_is_a_path_where_it_is_used():
    after = deepcopy(NOTEBOOK)
    after["cells"][1]["source"] = after["cells"][1]["source"].replace("import lsa", "import svd")
    after["cells"][2]["source"] = after["cells"][2]["source"].replace("lsa.svd", "svd.svd")
    found = list(changes(NOTEBOOK, after, {"firth"}))
    assert [change.kind for change in found] == [PATHS, PATHS]
    assert list(changes(NOTEBOOK, deepcopy(NOTEBOOK), {"firth"})) == []


def test_a_cell_that_comes_between_leaves_the_others_matched():
    after = deepcopy(NOTEBOOK)
    after["cells"].insert(1, code("print(1)"))
    after["cells"][4]["outputs"][0]["data"]["text/plain"] = "def svd(A):"
    found = [(change.kind, change.place) for change in changes(NOTEBOOK, after, {"firth"})]
    assert found == [(OTHER, "cell 2"), (SOURCE, "cell 5, output 1, text/plain")]
