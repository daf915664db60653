"""Day and night are the whole suite, and so are the parts of either."""

import os
import re
import shutil
import subprocess
from itertools import chain
from types import SimpleNamespace

import pytest
import yaml
from notebooks import COURSE
from parts import fraction, part, selected

NIGHT = SimpleNamespace(name="night")
NAMES = [f"tests/test_a.py::test_{n}" for n in range(400)]
NAMES += [f"chapters/0{k}.ipynb::Cell {n}" for k in range(8) for n in range(9)]


def items():
    """Tests of which every third runs at night."""
    for n, name in enumerate(NAMES):
        yield SimpleNamespace(
            nodeid=name, get_closest_marker=lambda kind, n=n: NIGHT if n % 3 == 0 else None
        )


def chosen(night, share):
    options = {"night": night, "part": share}
    run, left = selected(SimpleNamespace(getoption=options.get), list(items()))
    assert len(run) + len(left) == len(NAMES)
    return [item.nodeid for item in run]


def test_every_test_runs_once_in_day_and_night():
    assert sorted(chosen(False, "1/1") + chosen(True, "1/1")) == sorted(NAMES)


@pytest.mark.parametrize("night", [False, True])
def test_the_parts_are_the_whole_and_about_equal(night):
    parts = [chosen(night, f"{n}/4") for n in (1, 2, 3, 4)]
    assert sorted(chain(*parts)) == sorted(chosen(night, "1/1"))
    assert min(map(len, parts)) > 0.5 * max(map(len, parts))


def test_a_notebook_is_in_one_part():
    cells = [name for name in NAMES if ".ipynb" in name]
    found = {(name[:16], n) for name in cells for n in (1, 2, 3, 4) if part(name, n, 4)}
    assert len(found) == len({name[:16] for name in cells})


@pytest.mark.parametrize("text", ["0/4", "5/4", "1", "1/4/2", "tests/test_a.py"])
def test_what_is_no_part_is_refused(text):
    with pytest.raises(pytest.UsageError, match="no part"):
        fraction(text)


def workflow(name):
    text = (COURSE / ".github" / "workflows" / f"{name}.yml").read_text(encoding="utf-8")
    return yaml.safe_load(text)["jobs"]["test"]


@pytest.mark.parametrize("name", ["test", "night"])
def test_the_jobs_of_a_workflow_run_all_parts(name):
    job = workflow(name)
    shares = job["strategy"]["matrix"]["part"]
    assert {"run": f'bash .ci/run make {name} PART="${{{{ matrix.part }}}}"'} in job["steps"]
    everything = [one for share in shares for one in chosen(name == "night", share)]
    assert sorted(everything) == sorted(chosen(name == "night", "1/1"))


@pytest.fixture
def ci(tmp_path, monkeypatch):
    """Runs .ci/run with `make` and `git` replaced by scripts that print what they are told."""
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")

    def says(name, line):
        (tmp_path / name).write_text(f"#!/bin/sh\n{line}\n")
        (tmp_path / name).chmod(0o755)

    def run(git, *arguments):
        says("git", git)
        script = [shutil.which("bash"), COURSE / ".ci" / "run", *arguments]
        done = subprocess.run(script, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    for name in ("chromium", "bwrap"):
        says(name, "exit 1")
    says("make", 'echo "make $*"')
    return run


def test_ci_runs_the_day_and_then_a_quarter_of_the_night_that_the_commit_chooses(ci):
    for n, commit in enumerate(["0123450abc", "0123451abc", "0123452abc", "0123453abc"], 1):
        assert ci(f"echo {commit}") == ["make test", f"make night PART={n}/4"]


def test_ci_runs_a_quarter_of_the_night_where_there_is_no_history(ci):
    day, night = ci("exit 128")
    assert day == "make test" and re.fullmatch(r"make night PART=[1-4]/4", night)


def test_ci_runs_one_command_alone_where_it_is_given_one(ci):
    assert ci("exit 128", "make", "test", "PART=3/4") == ["make test PART=3/4"]


def test_whatever_replaced_a_test_exists():
    text = (COURSE / "tests" / "REPLACED.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1:3] for line in text.splitlines() if line.startswith("| `")]
    assert rows
    for test, replaced_by in rows:
        cell = test if "the same name" in replaced_by else replaced_by
        names = re.findall(r"`([^`]+)::(test_\w+)`", cell)
        assert names, replaced_by
        for file, name in names:
            assert f"def {name}(" in (COURSE / file).read_text(encoding="utf-8"), name
