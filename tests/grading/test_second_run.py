"""A second run: what it changed, what it would change, and what was withdrawn since the first."""

import zipfile

import pytest

from firth.__main__ import main
from firth.grading.inbox.submissions import submissions
from firth.grading.results.record import Grades
from firth.grading.run.class_run import withdraw_missing
from tests.grading.test_command import (
    RIGHT,
    class_of_three,
    grade,
    notebook,
    records,
    rows,
)
from tests.grading.test_record import record

__all__ = ["class_of_three"]


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_dry_run_says_what_would_change_and_changes_nothing(class_of_three, capsys):
    root = class_of_three
    assert grade(root, "--dry-run") == 1 and not (root / "grades").exists()
    grade(root, "--quiet")
    capsys.readouterr()
    (root / "submissions" / "Zoë 🌟.ipynb").write_text(notebook(RIGHT))
    (root / "grades" / "overrides.csv").write_text(
        "student,check,points,reason\nada,double.1,1,Late\nnobody,double,1,r\n"
    )
    before = contents(root / "grades")
    assert grade(root, "--dry-run") == 1
    said = capsys.readouterr()
    assert contents(root / "grades") == before
    table = [line.split() for line in said.out.splitlines()]
    assert ["student", "old", "points", "new", "points", "why"] in table
    assert ["ada", "4", "2", "override"] in table
    assert ["Zoë", "🌟", "1", "4", "new", "hand-in"] in table
    assert f"This was a dry run: nothing in {root / 'grades'} has changed." in said.out
    # A sentence about a table names the teacher's own, and not the copy.
    assert f"{root / 'grades' / 'overrides.csv'}, row 3" in said.err
    # What was printed is what comes true.
    grade(root)
    assert said.out.partition("student ")[2].partition("\n1 graded")[0] in capsys.readouterr().out
    assert (rows(root)["ada"]["score"], rows(root)["Zoë 🌟"]["score"]) == ("2", "4")


def test_a_hand_in_is_withdrawn_only_if_its_folder_is_given_again_without_it(
    class_of_three, capsys
):
    root = class_of_three
    grade(root, "--quiet")
    capsys.readouterr()
    (root / "submissions" / "broken.ipynb").unlink()
    ada = root / "submissions" / "ada.ipynb"
    whole = ada.read_text()
    ada.unlink()
    # A single file names nobody else.
    words = [str(root / "submissions" / "Zoë 🌟.ipynb"), "--checks", str(root / "checks")]
    assert main(["grade", "00_tests", *words, "--out", str(root / "grades"), "--jobs", "1"]) == 0
    assert {each["status"] for each in rows(root).values()} >= {"graded", "unreadable"}
    assert rows(root)["ada"]["score"] == "4"
    # The folder without the file.
    assert grade(root) == 1
    said = capsys.readouterr()
    assert f"ada has no hand-in any more: {root / 'submissions'} was given again" in said.err
    mine = rows(root)["ada"]
    assert (mine["status"], mine["score"], mine["total"]) == ("withdrawn", "", "")
    assert "was graded again without it" in mine["notes"]
    assert rows(root, "changes.csv")["ada"]["why"] == "withdrawn"
    assert records(root)["ada"]["score"] == 4  # the record is there, marked
    # It is said once; the row stays.
    assert grade(root) == 0 and rows(root)["ada"]["status"] == "withdrawn"
    # Handed in again, it counts, and nothing is graded anew.
    ada.write_text(whole)
    capsys.readouterr()
    assert grade(root) == 0
    assert "Nothing to do" in capsys.readouterr().out
    assert rows(root)["ada"]["score"] == "4" and "withdrawn" not in records(root)["ada"]


@pytest.mark.parametrize("kind", ["folder", "archive", "file"])
def test_a_record_remembers_the_folder_or_archive_it_came_in(tmp_path, kind):
    folder = tmp_path / "submissions"
    folder.mkdir()
    (folder / "ada.ipynb").write_text(notebook(RIGHT))
    with zipfile.ZipFile(tmp_path / "submissions.zip", "w") as archive:
        archive.writestr("ada.ipynb", notebook(RIGHT))
    paths = {
        "folder": folder,
        "archive": tmp_path / "submissions.zip",
        "file": folder / "ada.ipynb",
    }
    (found,) = submissions([paths[kind]])
    assert found.given == ("" if kind == "file" else str(paths[kind]))


def test_a_link_of_a_student_is_not_followed_to_find_the_folder(tmp_path):
    folder, elsewhere = tmp_path / "submissions", tmp_path / "elsewhere"
    folder.mkdir()
    (elsewhere).mkdir()
    (elsewhere / "secret.ipynb").write_text(notebook(RIGHT))
    (folder / "itself.ipynb").symlink_to(folder / "itself.ipynb")
    (folder / "outside.ipynb").symlink_to(elsewhere / "secret.ipynb")
    (tmp_path / "link").symlink_to(folder)
    for given in (folder, tmp_path / "link"):  # the teacher's own may be one
        found = submissions([given])
        assert {each.given for each in found} == {str(folder)} and len(found) == 2
        assert all("link" in each.refused for each in found)


def test_another_folder_withdraws_nothing(tmp_path):
    grades = Grades(tmp_path)
    ours = [record(student="ada", given="/a"), record(student="bob", given="/b")]
    older = record(student="eve")  # of a version that did not keep it
    for each in [*ours, older]:
        grades.write(each)
    gone = withdraw_missing(grades, grades.read(), [], ["/a"])
    assert [each["student"] for each in gone] == ["ada"]
    assert {r["student"]: r.get("withdrawn", False) for r in grades.read()} == {
        "ada": True,
        "bob": False,
        "eve": False,
    }
    assert withdraw_missing(grades, grades.read(), [], ["/a"]) == []
