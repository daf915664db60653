"""Feedback that goes back by itself: archives under the names that Canvas and Moodle look for."""

import json
import re
import zipfile

import pytest

from firth.grading.inbox.students import system_owner
from firth.grading.results.publish import publish
from firth.grading.results.record import Grades
from tests.grading.test_sheets import claim, graded

ATTACK = "<script>1</script> [a](http://x) $x$\n\n# not a heading\n\n`code`"


def of_canvas(student, number, file, **more):
    return graded(student, claim("a"), ids={"canvas": number}, file=file, **more)


def of_moodle(student, number, **more):
    file = f"{student}_{number}_assignsubmission_file_/01_lsa.ipynb"
    ids = {"moodle": number, "name": student}
    return graded(student, claim("a"), ids=ids, file=file, **more)


def entries(path):
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name).decode() for name in archive.namelist()}


def for_canvas(name):
    """The student and the file that Canvas reads in a name, by the rule of its source."""
    parts = [part for part in name.split("/")[-1].split("_") if part != "LATE"]
    if parts[0] == "anon":
        return parts[1], parts[2]
    return tuple([part for part in parts if re.fullmatch(r"[0-9]+", part)][:2])


def for_moodle(name):
    """The participant and the path that Moodle reads in a name, by the rule of its source."""
    first, _, rest = name.partition("/")
    _, number, kind, plugin = first.split("_", 4)[:4]
    assert (kind, plugin) == ("assignsubmission", "file")
    return number, rest


def test_canvas_finds_the_student_and_the_file_that_was_handed_in(tmp_path):
    records = [
        of_canvas("ada", "1004", "lovelaceada_1004_9004_01_lsa.ipynb"),
        of_canvas("grace", "1003", "x/hoppergrace_LATE_1003_9003_work.zip/01_lsa.ipynb"),
        graded("x7Kq2", claim("a"), ids={"anonymous": "x7Kq2"}, file="anon_x7Kq2_9005_a.ipynb"),
        graded("mail", claim("a"), file="mail.ipynb"),
    ]
    publish(Grades(tmp_path), records, {})
    found = entries(tmp_path / "feedback_canvas.zip")
    assert {for_canvas(name) for name in found} == {
        ("1004", "9004"), ("1003", "9003"), ("x7Kq2", "9005")
    }  # fmt: skip
    assert all(system_owner(name, {}) for name in found)  # we read these names ourselves
    assert not (tmp_path / "feedback_moodle.zip").exists()


def test_what_canvas_hands_out_as_a_notebook_is_one_with_nothing_active_in_it(tmp_path):
    record = of_canvas("ada", "1", "ada_1_2_a.ipynb", text=ATTACK)
    overrides = "student,check,points,reason\nada,why,2,Fine\n"
    (tmp_path / "overrides.csv").write_text(overrides)
    publish(Grades(tmp_path), [record], {"why": ("one", "two")})
    (text,) = entries(tmp_path / "feedback_canvas.zip").values()
    (cell,) = json.loads(text)["cells"]
    (line,) = cell["source"]
    assert line.startswith("<header>") and "\n" not in line and "3 of 3 points" in line
    assert "&lt;script&gt;" in line and "<script" not in line and "$" not in line


def test_moodle_finds_the_participant(tmp_path):
    publish(Grades(tmp_path), [of_moodle("Ada Lovelace", "77"), of_moodle("Eve", "78")], {})
    found = entries(tmp_path / "feedback_moodle.zip")
    assert {for_moodle(name) for name in found} == {
        ("77", "01_lsa feedback.html"), ("78", "01_lsa feedback.html")
    }  # fmt: skip
    assert all("1 of 1 points" in page and "default-src" in page for page in found.values())


@pytest.mark.parametrize(
    "of", [of_moodle, lambda s, n, **m: of_canvas(s, n, f"{s}_{n}_5_a.ipynb", **m)]
)
def test_who_waits_for_a_reader_gets_no_feedback_yet_and_an_old_archive_goes(tmp_path, of):
    grades, rubric = Grades(tmp_path), {"why": ("one", "two")}
    system = "moodle" if of is of_moodle else "canvas"
    path = tmp_path / f"feedback_{system}.zip"
    ada, eve = of("Ada", "7", text="so"), of("Eve", "8", text="")
    lost = of("Kim", "9", status="unreadable", notes=["The file is empty."])
    publish(grades, [ada, eve, lost], rubric)
    names = entries(path)
    assert len(names) == 2 and not any("Ada" in name for name in names)
    assert any("The file is empty." in text for text in names.values())
    before = path.read_bytes()
    publish(grades, [ada, eve, lost], rubric)
    assert path.read_bytes() == before
    publish(grades, [ada], rubric)
    assert not path.exists()


def test_of_several_files_of_a_student_the_one_that_counts_goes_back(tmp_path):
    records = [
        graded("ada", claim("a", holds=False), ids={"canvas": "1"}, file="ada_1_2_a.ipynb"),
        graded("ada", claim("a"), ids={"canvas": "1"}, file="ada_1_3_b.ipynb"),
    ]
    publish(Grades(tmp_path), records, {})
    assert list(entries(tmp_path / "feedback_canvas.zip")) == ["ada_1_3_b.ipynb"]
