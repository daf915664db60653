"""`firth grade` as an instructor meets it: what it takes, what it leaves, what it says."""

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile

import pytest
from notebooks import COURSE

from firth.__main__ import main
from firth.checks.variants import variant_of
from firth.grading import command
from firth.grading.release.release import release
from firth.grading.run.questions import asked
from firth.grading.supervisor import sandbox
from firth.grading.supervisor.session import working

CHECKS = """
from firth.checks.claims import Exercise, Written

double = Exercise("double", "00_tests", 1, 1, ("Look.", "Think.", "Write."), lambda x: 2 * x)
double.agrees("is twice the number", "Twice?", lambda rng: [(rng.normal(),)], points=3)
double.agrees("is 0 for 0", "What is 2 · 0?", lambda rng: [(0.0,)])
why = Written("why", "00_tests", 1, 1, ("says why", "says how"))
"""
RIGHT = "def double(x):\n    return 2 * x"
WRONG = "def double(x):\n    return x * x"


def notebook(*cells, answer="*Write your answer here.*"):
    made = [{"cell_type": "code", "source": cell, "metadata": {}, "outputs": []} for cell in cells]
    text = f"**Your answer** (`why`)\n\n{answer}"
    made.append({"cell_type": "markdown", "source": text, "metadata": {}})
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


@pytest.fixture
def class_of_three(tmp_path):
    (tmp_path / "checks").mkdir()
    (tmp_path / "checks" / "mine.py").write_text(CHECKS)
    folder = tmp_path / "submissions"
    folder.mkdir()
    (folder / "ada.ipynb").write_text(notebook(RIGHT, answer="Because."))
    (folder / "Zoë 🌟.ipynb").write_text(notebook(WRONG))
    (folder / "broken.ipynb").write_text("{")
    return tmp_path


def grade(root, *more, exercise="00_tests"):
    words = [exercise, str(root / "submissions"), "--checks", str(root / "checks")]
    return main(["grade", *words, "--out", str(root / "grades"), "--jobs", "1", *more])


def rows(root, name="grades.csv"):
    with open(root / "grades" / name, encoding="utf-8-sig", newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


def records(root):
    found = [json.loads(path.read_text()) for path in (root / "grades" / "records").glob("*.json")]
    return {record["student"]: record for record in found}


def test_a_class_is_graded_once_and_then_not_again(class_of_three, capsys):
    root = class_of_three
    assert grade(root) == 1  # one of the three cannot be read
    said = capsys.readouterr()
    assert "unreadable: broken.ipynb" in said.err
    assert "3 graded now, 0 already there; unreadable: 1." in said.out
    table = rows(root)
    assert {name: row["score"] for name, row in table.items()} == {
        "ada": "4",
        "Zoë 🌟": "1",
        "broken": "",
    }
    made = {path.relative_to(root / "grades").parts[0] for path in (root / "grades").rglob("*")}
    assert made == {
        "records",
        "feedback",
        "gradescope",
        "grades.csv",
        "changes.csv",
        "checks.csv",
        "checks.html",
        "marking.csv",
        "overrides.csv",
        "extensions.csv",
        "standings.json",
        "seed",
        "lock",
    }
    before = {path: path.read_bytes() for path in (root / "grades" / "records").glob("*")}
    assert grade(root) == 1
    assert "Nothing to do: all 3 were graded before" in capsys.readouterr().out
    assert before == {path: path.read_bytes() for path in before}
    (root / "submissions" / "broken.ipynb").write_text(notebook(RIGHT))
    assert grade(root) == 0
    assert "1 graded now, 2 already there." in capsys.readouterr().out


@pytest.mark.parametrize("name", ["IPython.__main__", "numpy.f2py.__main__"])
def test_a_module_that_a_student_imports_ends_nobody_elses_grading(class_of_three, name):
    root = class_of_three
    (root / "submissions" / "broken.ipynb").write_text(notebook(f"import {name}", RIGHT))
    assert grade(root, "--timeout", "2") == 0
    assert {name: row["score"] for name, row in rows(root).items()} == {
        "ada": "4",
        "Zoë 🌟": "1",
        "broken": "4",
    }


def test_the_secret_is_the_instructors_alone(class_of_three):
    grade(class_of_three)
    seed = class_of_three / "grades" / "seed"
    assert seed.stat().st_mode & 0o077 == 0 and len(seed.read_text()) == 64
    secret = seed.read_text()
    for path in (class_of_three / "grades").rglob("*"):
        assert path == seed or path.is_dir() or secret not in path.read_text(errors="replace")


def test_marks_of_readers_are_added_when_it_is_run_again(class_of_three):
    root = class_of_three
    grade(root, "--quiet")
    path = root / "grades" / "marking.csv"
    with path.open(encoding="utf-8-sig", newline="") as file:
        table = list(csv.DictReader(file))
    (row,) = [row for row in table if row["answer"] == "Because."]
    for column in [name for name in row if "says" in name]:
        row[column] = "1"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, row.keys())
        writer.writeheader()
        writer.writerows(table)
    grade(root, "--quiet")
    assert rows(root)["ada"]["total"] == "6"


def test_explain_shows_what_went_in_and_what_came_out(class_of_three, capsys):
    root = class_of_three
    grade(root, "--quiet")
    with_checks = ["--out", str(root / "grades"), "--checks", str(root / "checks")]
    assert main(["grade", "--explain", "Zoë 🌟", "double.1", *with_checks]) == 0
    said = capsys.readouterr().out
    assert "double.1, of Zoë 🌟" in said and "It does not hold: Twice?" in said
    number = float(said.partition("double(")[2].partition(")")[0])
    returned = said.partition("returned array(")[2].partition(")")[0]
    reference = said.partition("reference array(")[2].partition(")")[0]
    assert float(returned) == pytest.approx(number**2, abs=1e-5)
    assert float(reference) == pytest.approx(2 * number, abs=1e-5)
    path = str(root / "submissions" / "ada.ipynb")
    assert main(["grade", "--explain", path, "double.2", *with_checks]) == 0
    assert "It holds" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words, said",
    [
        (["--explain", "nobody", "double.1"], "'nobody' should name one record"),
        (["--explain", "ada", "double"], "say for example cosine.2"),
        (["--explain", "ada", "double.9"], "There is no claim double.9; there are double.1–2"),
        (["--explain", "ada", "double.1", "--seed-file", "SEED"], "with another seed"),
    ],
)
def test_what_cannot_be_explained_is_said(class_of_three, capsys, words, said):
    root = class_of_three
    grade(root, "--quiet")
    (root / "seed").write_text("another secret")
    words = [str(root / "seed") if word == "SEED" else word for word in words]
    with_checks = ["--out", str(root / "grades"), "--checks", str(root / "checks")]
    assert main(["grade", *words, *with_checks]) == 2
    assert said in capsys.readouterr().err


def test_a_record_of_other_checks_is_not_explained_with_these(class_of_three, capsys):
    root = class_of_three
    grade(root, "--quiet")
    (root / "checks" / "mine.py").write_text(CHECKS + "\n# changed")
    with_checks = ["--out", str(root / "grades"), "--checks", str(root / "checks")]
    assert main(["grade", "--explain", "ada", "double.1", *with_checks]) == 2
    assert "with another checks" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words, said",
    [
        ([], "Say what to grade"),
        (["99_nothing", "SUBMISSIONS"], "the exercises are 01_lsa"),
        (["01_lsa", "NOWHERE"], "NOWHERE"),
        (["01_lsa", "SUBMISSIONS", "--checks", "EMPTY"], "There are no checks"),
        (["01_lsa", "SUBMISSIONS", "--checks", "NOWHERE"], "--checks wants a folder"),
        (["01_lsa", "SUBMISSIONS", "--seed-file", "NOWHERE"], "cannot be read"),
        (["01_lsa", "SUBMISSIONS", "--seed-file", "SHORT"], "too short to be secret"),
        (["01_lsa", "SUBMISSIONS", "--student", "("], "is no regular expression"),
        (["01_lsa", "SUBMISSIONS", "--timeout", "0"], "--timeout wants"),
        (["01_lsa", "SUBMISSIONS", "--forms", "SHORT"], "was not written by firth release"),
        (["01_lsa", "INSIDE"], "which students' code can read: move it"),
        (["01_lsa", "SUBMISSIONS", "--seed-file", "INSIDE"], "students' code can read: move it"),
        (["01_lsa", "SUBMISSIONS", "--checks", "INSIDE"], "students' code can read: move it"),
    ],
)
def test_wrong_use_is_answered_with_what_to_do(tmp_path, capsys, words, said):
    (tmp_path / "EMPTY").mkdir()
    (tmp_path / "SHORT").write_text("abc")
    (tmp_path / "SUBMISSIONS").mkdir()
    (tmp_path / "SUBMISSIONS" / "ada.ipynb").write_text(notebook(RIGHT))
    places = {name: str(tmp_path / name) for name in ("EMPTY", "SHORT", "SUBMISSIONS", "NOWHERE")}
    places["INSIDE"] = str(sandbox.COURSE / "data")
    words = [places.get(word, word) for word in words]
    status = main(["grade", *words, "--out", str(tmp_path / "grades")])
    heard = capsys.readouterr().err
    assert status == 2 and said in heard and "Traceback" not in heard
    assert not (tmp_path / "grades" / "records").exists()


def test_grades_of_two_exercises_do_not_share_a_folder(class_of_three, capsys):
    grade(class_of_three, "--quiet")
    assert grade(class_of_three, exercise="01_lsa") == 2
    assert "holds grades of 00_tests" in capsys.readouterr().err


def test_without_a_sandbox_nothing_is_run(class_of_three, capsys, monkeypatch):
    monkeypatch.setattr(sandbox, "installed", lambda name: name == "none")
    working.cache_clear()
    assert grade(class_of_three) == 2
    assert "apt install bubblewrap" in capsys.readouterr().err
    assert not list((class_of_three / "grades").glob("records/*"))
    assert grade(class_of_three, "--run-without-a-sandbox", "--quiet") == 1
    assert {record["sandbox"] for record in records(class_of_three).values()} >= {"none"}
    working.cache_clear()


@pytest.mark.parametrize("name", ["bubblewrap", "sandlock"])
@pytest.mark.parametrize("ordinary", [False, True], ids=["as you are", "as an ordinary user"])
def test_it_works_for_everybody_in_either_sandbox(class_of_three, name, ordinary):
    if not sandbox.installed(name):
        pytest.skip(f"{name} is not installed: it is not tried")
    if ordinary and shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed: an ordinary user cannot be played here")
    root = class_of_three
    user = "bwrap --bind / / --dev-bind /dev /dev --proc /proc --unshare-user --unshare-pid --uid"
    words = [*user.split(), "1000", "--gid", "1000"] if ordinary else []
    words += [sys.executable, "-m", "firth", "grade", "00_tests", str(root / "submissions")]
    words += ["--checks", str(root / "checks"), "--out", str(root / "grades"), "--sandbox", name]
    done = subprocess.run(words, capture_output=True, text=True, cwd=COURSE)
    assert done.returncode == 1, done.stderr
    found = records(root)
    assert {student: record["score"] for student, record in found.items()} == {
        "ada": 4,
        "Zoë 🌟": 1,
        "broken": 0,
    }
    assert found["ada"]["sandbox"] == name


@pytest.mark.parametrize("name", ["bubblewrap", "sandlock", "none"])
def test_nothing_stays_in_the_folder_of_temporary_files(class_of_three, name):
    if not sandbox.installed(name):
        pytest.skip(f"{name} is not installed: it is not tried")
    root = class_of_three
    (root / "temporary").mkdir()
    chosen = ["--run-without-a-sandbox"] if name == "none" else ["--sandbox", name]
    words = [sys.executable, "-m", "firth", "grade", "00_tests", str(root / "submissions"), *chosen]
    words += ["--checks", str(root / "checks"), "--out", str(root / "grades"), "--quiet"]
    variables = os.environ | {"TMPDIR": str(root / "temporary")}
    assert subprocess.run(words, env=variables, capture_output=True, cwd=COURSE).returncode == 1
    end = time.monotonic() + 10
    while list((root / "temporary").iterdir()) and time.monotonic() < end:
        time.sleep(0.1)
    assert not list((root / "temporary").iterdir())


def test_an_interruption_is_gone_on_from(class_of_three):
    root = class_of_three
    (root / "submissions" / "mallory.ipynb").write_text(
        notebook(*["import time\ntime.sleep(100)"] * 9)
    )
    words = [sys.executable, "-m", "firth", "grade", "00_tests", str(root / "submissions")]
    words += ["--checks", str(root / "checks"), "--out", str(root / "grades"), "--jobs", "1"]
    with subprocess.Popen(words, stderr=subprocess.PIPE, cwd=COURSE, text=True) as running:
        end = time.monotonic() + 60
        while not list(root.glob("grades/records/*.json")) and time.monotonic() < end:
            time.sleep(0.1)
        os.kill(running.pid, signal.SIGINT)
        said = running.stderr.read()
        assert running.wait(30) == 130
    assert "Give the same command again to go on." in said
    assert "mallory.ipynb" in said.partition("Under way when it was interrupted: ")[2]
    assert not list(root.glob("grades/**/.part-*"))
    # Who was graded by then has a row.
    assert "have what was graded so far" in said and set(rows(root)) == set(records(root))
    assert grade(root, "--timeout", "0.5", "--quiet") == 1
    assert set(records(root)) == {"ada", "Zoë 🌟", "broken", "mallory"}


def test_an_export_of_a_learning_system_comes_back_as_its_sheet(class_of_three):
    root = class_of_three
    with zipfile.ZipFile(root / "submissions" / "export.zip", "w") as archive:
        archive.writestr("lovelaceada_12345_678_work.ipynb", notebook(RIGHT))
        archive.writestr("hopgrace_LATE_23456_679_work.ipynb", notebook(WRONG))
    for path in (root / "submissions").glob("*.ipynb"):
        path.unlink()
    assert grade(root, "--quiet", "--title", "Tests (99)") == 0
    with open(root / "grades" / "canvas.csv", encoding="utf-8", newline="") as file:
        table = [row for row in csv.DictReader(file) if row["ID"]]
    assert {row["ID"]: row["Tests (99)"] for row in table} == {"12345": "4", "23456": "1"}


def test_each_student_is_graded_in_their_own_form(tmp_path, capsys):
    (tmp_path / "roster.csv").write_text("student\nada\nsofja\nbob\n")
    release(COURSE, tmp_path / "out", students=tmp_path / "roster.csv")
    table = next((tmp_path / "out-handouts").glob("*.csv"))
    (ppmi,) = [answer for answer in asked("01_lsa").answers if answer.name == "ppmi"]
    (tmp_path / "submissions").mkdir()
    for student in ("ada", "sofja", "eve"):
        cell = "from firth.checks import questions\nfrom firth.checks.variants import variant_of\n"
        cell += f"ppmi = variant_of(questions()['ppmi'], {student!r}).right"
        (tmp_path / "submissions" / f"{student}.ipynb").write_text(notebook(cell))
    words = ["grade", "01_lsa", str(tmp_path / "submissions"), "--out", str(tmp_path / "grades")]
    assert main([*words, "--quiet"]) == 0  # in the first forms: to be done again in their own
    assert main([*words, "--forms", str(table)]) == 1
    assert f"eve is not in {table}: the first forms count." in capsys.readouterr().err
    found = records(tmp_path)
    for student in ("ada", "sofja"):
        assert found[student]["score"] == ppmi.points
        assert found[student]["variant"]["ppmi"] == variant_of(ppmi, student).form
    assert found["eve"]["variant"] == {}
    explain = ["grade", "--explain", "ada", "ppmi.1", "--out", str(tmp_path / "grades")]
    assert main(explain) == 2
    assert "give the same --forms as then" in capsys.readouterr().err
    assert main([*explain, "--forms", str(table)]) == 0
    assert "It holds" in capsys.readouterr().out


def test_a_fault_of_the_grader_is_not_taken_for_one_of_the_class(
    class_of_three, capsys, monkeypatch
):
    def broken(*_):
        raise RuntimeError("of our own making")

    monkeypatch.setattr(command, "asked", broken)
    assert grade(class_of_three) == 3
    said = capsys.readouterr().err
    assert "of our own making" in said and "a fault of the program" in said


def test_what_was_never_run_is_not_explained(class_of_three, capsys):
    root = class_of_three
    grade(root, "--quiet")
    capsys.readouterr()
    with_checks = ["--out", str(root / "grades"), "--checks", str(root / "checks")]
    assert main(["grade", "--explain", "broken", "double.1", *with_checks]) == 2
    said = capsys.readouterr().err
    assert "breaks off" in said and "Traceback" not in said


@pytest.mark.parametrize("words", [["--help"], ["grade", "--help"], ["release", "--help"]])
def test_help_helps(capsys, words):
    with pytest.raises(SystemExit) as end:
        main(words)
    said = capsys.readouterr().out
    assert end.value.code == 0 and "usage: firth" in said
    if "grade" in words:
        options = {word for word in command.__doc__.split() if word.startswith("--")}
        assert all(option in said for option in options)
        assert "firth grade 01_lsa submissions/ --out grades/" in said
        tables = {"marking.csv", "overrides.csv", "extensions.csv", "changes.csv", "checks.html"}
        assert all(table in said for table in tables)
