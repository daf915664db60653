"""`make quick` finds the tests of a change by itself, and stays within its two minutes."""

import subprocess
import sys
from functools import cache

import pytest
import quick
import times
from address import files
from notebooks import COURSE

PATHS = {p.relative_to(COURSE).as_posix() for p in files(COURSE) if p.parent.name != "__pycache__"}
SOURCES = ("firth/", "tools/", "chapters/", "exercises/", "solutions/")
DOCUMENTS = (".md", ".toml", ".txt", ".html", ".css")


@cache
def users():
    return quick.users(PATHS)


def reached(path, most=4):
    """The files of tests that a change in this file reaches in a few steps."""
    found = quick.steps({path}, users())
    return {name for name, (far, _) in found.items() if far <= most and "/test_" in f"/{name}"}


def test_every_module_notebook_and_stored_file_has_a_test_near():
    bare = [
        path
        for path in sorted(PATHS)
        if path.startswith(SOURCES)
        and not path.endswith((*DOCUMENTS, "__init__.py"))
        and (COURSE / path).stat().st_size
        and not reached(path)
    ]
    assert bare == []


def test_a_module_is_used_by_whoever_imports_it_and_by_who_uses_those(monkeypatch, tmp_path):
    texts = {
        "firth/one.py": "",
        "firth/two.py": "def f():\n    from . import one",
        "firth/data/table.json": "[]",
        "firth/widgets/view.js": "",
        "firth/widgets/view.py": "VIEW = esm()",
        "tests/hands.py": "from firth.two import f",
        "tests/test_two.py": "import hands",
        "tests/test_table.py": "open(DATA / 'table.json')",
        "tests/test_view.py": "from firth.widgets import view",
        "tests/test_other.py": "import json",
    }
    for path, text in texts.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    monkeypatch.setattr(quick, "COURSE", tmp_path)
    used = quick.users({*texts})

    def near(path):
        found = quick.steps({path}, used)
        return {name: far for name, (far, _) in found.items() if name.startswith("tests/test_")}

    assert near("firth/one.py") == {"tests/test_two.py": 3}
    assert near("firth/data/table.json") == {"tests/test_table.py": 1}
    assert near("firth/widgets/view.js") == {"tests/test_view.py": 2}
    assert near("tests/test_other.py") == {"tests/test_other.py": 0}


def test_who_looks_for_modules_is_concerned_by_each_of_them():
    assert "firth/checks/__init__.py" in users()[next(p for p in PATHS if "firth/checks/" in p)]


@pytest.mark.parametrize("seconds", [0.4, 7.0, 60.0])
def test_what_is_chosen_never_takes_more_than_the_workers_have(seconds):
    names = [f"tests/test_{n}.py" for n in range(300)]
    run = quick.chosen({name: n % 4 for n, name in enumerate(names)}, dict.fromkeys(names, seconds))
    assert run and len(run) * seconds <= quick.WORKERS * quick.SECONDS
    assert (len(run) + 1) * seconds > quick.WORKERS * quick.SECONDS or len(run) == len(names)


def test_a_change_is_seen_before_and_after_it_is_committed(tmp_path, monkeypatch):
    monkeypatch.setattr(quick, "COURSE", tmp_path)
    who = ["-c", "user.name=test", "-c", "user.email=test@localhost"]

    def git(*arguments):
        subprocess.run(["git", *who, *arguments], cwd=tmp_path, check=True, capture_output=True)

    def commit(name):
        (tmp_path / name).write_text(name)
        git("add", "-A")
        git("commit", "-q", "-m", name)

    git("init", "-q", "-b", "main")
    commit("old.py")
    git("checkout", "-q", "-b", "mine")
    commit("committed.py")
    git("checkout", "-q", "main")
    commit("theirs.py")
    git("checkout", "-q", "mine")
    (tmp_path / "old.py").write_text("edited")
    (tmp_path / "new.py").write_text("")
    assert quick.changed() == {"committed.py", "new.py", "old.py"}


def test_nearly_every_file_of_tests_has_been_measured():
    named = {path for path in PATHS if path.startswith("tests/") and "/test_" in path}
    assert len(named & times.stored().keys()) > 0.8 * len(named), "run make times"


def test_a_module_that_its_package_imports_may_be_the_first_that_is_tested():
    first = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider"]
    paths = ["firth/checks/claims.py", "tests/checks/test_questions.py"]
    done = subprocess.run([*first, *paths], cwd=COURSE, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
