"""Points and deadlines that a teacher corrects by hand stand everywhere, and stay."""

import csv
import json
from datetime import UTC, datetime, timedelta

import pytest

from firth.grading.inbox.students import people
from firth.grading.results.cells import sheet
from firth.grading.results.changes import table as change_table
from firth.grading.results.extensions import extensions
from firth.grading.results.overrides import CHANGED
from firth.grading.results.publish import publish
from firth.grading.results.record import Grades, key
from firth.grading.results.teacher_tables import Names
from tests.grading.test_sheets import claim, graded

RUBRICS = {"why": ("says one thing", "says another")}
ROSTER = {"ada": "ada", "lovelace, ada": "ada", "1001": "ada", "eve": "eve", "bob": "bob"}


def hand_ins(**changes):
    """A student of all three platforms, and one who has the same points and is never corrected."""
    ids = {"canvas": "11", "moodle": "21", "gradescope": "31"}
    claims = claim("a"), claim("b", 2, False, "Why?")
    return [
        graded("ada", *claims, ids=ids, text="so", owner="ada", **changes),
        graded("eve", *claims, ids={"canvas": "12", "moodle": "22"}, text="", owner="eve"),
    ]


def filled_in(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(sheet(rows, excel=True))


def overridden(folder, *rows, records=None, absent=()):
    grades = Grades(folder)
    filled_in(grades.overrides, [["student", "check", "points", "reason"], *rows])
    return published(folder, records, absent)


def published(folder, records=None, absent=()):
    return publish(Grades(folder), records or hand_ins(), RUBRICS, "", ROSTER, absent)


def table(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def row(folder, name, **where):
    ((column, value),) = where.items()
    (found,) = [each for each in table(folder / name) if each[column.replace("_", " ")] == value]
    return found


def marked(folder):
    """A reader gives the first line of Ada's rubric a point, and the second none."""
    publish(Grades(folder), hand_ins(), RUBRICS)
    rows = table(folder / "marking.csv")
    for each in rows:
        if each["student"] == "ada":
            each |= {"why 1: says one thing": "1", "why 2: says another": "0"}
    filled_in(folder / "marking.csv", [list(rows[0]), *(list(each.values()) for each in rows)])


@pytest.mark.parametrize(
    "check, points, total",
    [
        ("cosine", "2.5", "3.5"),
        ("cosine.2", "1,5", "3.5"),
        ("cosine.1", "0", "1"),
        ("why", "2", "3"),
    ],
)
def test_an_override_stands_in_every_sheet_and_on_the_page(tmp_path, check, points, total):
    marked(tmp_path)
    found = overridden(tmp_path, ["ada", check, points, "The claim was <b>unclear</b>."])
    assert not found.slips
    mine = row(tmp_path, "grades.csv", student="ada")
    assert mine["total"] == total and "The claim was <b>unclear</b>." in mine["notes"]
    assert row(tmp_path, "canvas.csv", ID="11")["01_lsa"] == total
    moodle = row(tmp_path, "moodle.csv", Identifier="Participant 21")
    assert moodle["Grade"] == total and "unclear" in moodle["Feedback comments"]
    name = key("ada", "ada.ipynb")
    result = json.loads((tmp_path / "gradescope" / name / "results.json").read_text())
    assert f"{result['score']}" == total
    assert any("The claim was" in test["output"] for test in result["tests"])
    page = (tmp_path / "feedback" / f"{name}.html").read_text()
    assert f"{total} of 5 points" in page and "The claim was &lt;b&gt;unclear&lt;/b&gt;." in page
    # Nobody else's points have moved, and the line taken away gives the old ones back.
    assert row(tmp_path, "grades.csv", student="eve")["total"] == "1"
    overridden(tmp_path)
    assert row(tmp_path, "grades.csv", student="ada")["total"] == "2"


@pytest.mark.parametrize("name", ["ada", "1001", "Lovelace, Ada"])
def test_a_student_may_be_called_as_in_the_roster(tmp_path, name):
    found = overridden(tmp_path, [name, "cosine", "3", "Right in the talk."])
    assert not found.slips and row(tmp_path, "grades.csv", student="ada")["score"] == "3"


@pytest.mark.parametrize(
    "line, said",
    [
        (["adda", "cosine", "1", "r"], "row 2: the student “adda” is nobody in grades.csv"),
        (["ada", "cosin", "1", "r"], "there is no check “cosin”; there are cosine, why, and the"),
        (["ada", "cosine.3", "1", "r"], "there is no check “cosine.3”"),
        (["ada", "cosine", "4", "r"], "the points “4” is not between 0 and 3"),
        (["ada", "cosine", "-1", "r"], "is not between 0 and 3"),
        (["ada", "cosine", "two", "r"], "the points “two” is no number"),
        (["ada", "cosine", "", "r"], "the column points is empty"),
        (["ada", "cosine", "1", " "], "the student reads the reason"),
        (["bob", "cosine", "1", "r"], "bob has no graded hand-in"),
    ],
)
def test_a_wrong_line_is_named_and_changes_nothing(tmp_path, line, said):
    found = overridden(tmp_path, line, ["eve", "cosine", "3", "A slip."], absent=["bob"])
    assert len(found.slips) == 1 and said in found.slips[0]
    assert str(tmp_path / "overrides.csv") in found.slips[0]
    assert row(tmp_path, "grades.csv", student="ada")["score"] == "1"
    assert row(tmp_path, "grades.csv", student="eve")["score"] == "3"


def test_two_lines_about_the_same_points_are_named(tmp_path):
    found = overridden(tmp_path, ["ada", "cosine", "3", "r"], ["1001", "cosine", "0", "r"])
    assert "row 3: row 2 sets the same points" in found.slips[0]
    assert row(tmp_path, "grades.csv", student="ada")["score"] == "3"


def test_a_table_that_is_none_is_left_as_it_is(tmp_path):
    (tmp_path / "overrides.csv").write_text("who,what\nada,3\n")
    found = published(tmp_path)
    assert "should have the columns student, check, points, reason" in found.slips[0]
    assert (tmp_path / "overrides.csv").read_text() == "who,what\nada,3\n"


def test_both_tables_are_begun_for_the_teacher_to_fill_in(tmp_path):
    assert not published(tmp_path).slips
    for name, first in (("overrides.csv", "student,check"), ("extensions.csv", "student,until")):
        text = (tmp_path / name).read_text("utf-8-sig").replace('"', "")
        assert text.startswith(first) and text.count("\n") == 1


def test_another_hand_in_keeps_the_override_and_asks_for_a_look(tmp_path):
    overridden(tmp_path, ["ada", "cosine", "3", "Right in the talk."])
    again = hand_ins(sha256="another")
    found = published(tmp_path, again)
    assert row(tmp_path, "grades.csv", student="ada")["score"] == "3"
    assert any("row 2" in line and CHANGED in line for line in found.said)
    rows = table(tmp_path / "overrides.csv")
    assert rows[0]["note"] == CHANGED
    # The teacher has looked, and empties the cell.
    rows[0]["note"] = ""
    filled_in(tmp_path / "overrides.csv", [list(rows[0]), list(rows[0].values())])
    assert not [line for line in published(tmp_path, again).said if CHANGED in line]


# Extensions


def extended(folder, *rows, records, absent=()):
    filled_in(Grades(folder).extensions, [["student", "until", "reason"], *rows])
    return published(folder, records, absent)


def late(**ids):
    return [graded("ada", claim("a"), file="ada_LATE_11_2_a.ipynb", ids={"canvas": "11", **ids})]


def test_an_extension_replaces_the_word_of_being_late(tmp_path):
    extended(tmp_path, ["ada", "2026-11-20", "illness"], records=late())
    (mine,) = table(tmp_path / "grades.csv")
    assert mine["notes"].startswith("Late, extended until 2026-11-20 (illness); its time is not in")
    extended(tmp_path, records=late())
    assert table(tmp_path / "grades.csv")[0]["notes"] == "Handed in late."


@pytest.mark.parametrize("later, words", [(-1, "in time"), (1, "after that")])
def test_where_the_export_has_a_time_it_is_compared(tmp_path, later, words):
    until = datetime(2026, 11, 20, 12, tzinfo=UTC)
    time = until + timedelta(hours=later)
    told = people(
        f"submission_4:\n  :submitters:\n  - :name: Ada\n  :created_at: {time:%Y-%m-%d %H:%M:%S}"
        ".123456000 Z\n  :score: 1.0"
    )
    (person,) = told["submission_4"]
    records = [graded("ada", claim("a"), ids={"gradescope": "4"} | person)]
    extended(tmp_path, ["ada", until.isoformat(" "), ""], records=records)
    (mine,) = table(tmp_path / "grades.csv")
    said = f"; handed in at {time:%Y-%m-%d %H:%M} UTC, {words}."
    assert mine["notes"] == f"Extended until {until.isoformat(' ')}{said}"


def test_who_has_handed_in_nothing_yet_may_have_an_extension(tmp_path):
    extended(tmp_path, ["bob", "2026-11-20", ""], records=hand_ins(), absent=["bob"])
    mine = row(tmp_path, "grades.csv", student="bob")
    assert mine["notes"].endswith("was found. Extended until 2026-11-20.") and mine["total"] == ""


@pytest.mark.parametrize(
    "line, said",
    [
        (["adda", "2026-11-20", ""], "row 2: the student “adda” is nobody"),
        (["ada", "20.11.2026", ""], "row 2: “20.11.2026” is no date such as 2026-11-20."),
    ],
)
def test_a_wrong_extension_is_named(tmp_path, line, said):
    (slip,) = extended(tmp_path, line, records=late()).slips
    assert said in slip and "extensions.csv" in slip


def test_a_second_row_for_a_student_is_named(tmp_path):
    rows = [["student", "until", "reason"], ["ada", "2026-11-20", ""], ["ada", "2026-11-21", ""]]
    filled_in(Grades(tmp_path).extensions, rows)
    found, (said,) = extensions(Grades(tmp_path), Names.of(late(), {}))
    assert found["ada"].written == "2026-11-20" and "row 3" in said


# Changes


def changed(folder):
    return {each["student"]: each for each in table(folder / "changes.csv")}


def test_the_first_run_names_everybody_and_an_equal_one_nobody(tmp_path):
    published(tmp_path)
    assert changed(tmp_path)["ada"] == {
        "student": "ada", "old points": "", "new points": "1", "why": "new hand-in"
    }  # fmt: skip
    assert published(tmp_path).changes == [] and table(tmp_path / "changes.csv") == []


REASONS = {
    "new hand-in": {"sha256": "another"},
    "new check": {"checks": "another"},
    "other forms": {"variant": {"cosine": "base 2"}},
    "other seed": {"seed": "another"},
    "graded again": {},
}


@pytest.mark.parametrize("why", REASONS)
def test_a_change_has_its_reason(tmp_path, why):
    published(tmp_path)
    ada, eve = hand_ins()
    claims = [claim("a"), claim("b", 2, True)]
    better = graded("ada", *claims, ids=ada["ids"], text="so", owner="ada")
    published(tmp_path, [better | REASONS[why], eve])
    assert changed(tmp_path) == {
        "ada": {"student": "ada", "old points": "1", "new points": "3", "why": why}
    }


def test_another_claim_of_the_courses_own_is_a_new_check(tmp_path):
    published(tmp_path)
    ada, eve = hand_ins()
    claims = [claim("a"), claim("b", 2, False), claim("c")]
    published(tmp_path, [graded("ada", *claims, ids=ada["ids"], text="so", owner="ada"), eve])
    assert changed(tmp_path)["ada"]["why"] == "new check"


def test_a_mark_and_an_override_are_reasons(tmp_path):
    marked(tmp_path)
    published(tmp_path)
    assert changed(tmp_path)["ada"]["why"] == "marked by a reader"
    found = overridden(tmp_path, ["ada", "cosine", "3", "r"])
    assert changed(tmp_path)["ada"]["why"] == "override"
    assert change_table(found.changes)[1].split() == ["ada", "2", "4", "override"]


def test_what_can_be_graded_now_was_handed_in_anew(tmp_path):
    ada, eve = hand_ins()
    broken = graded("ada", status="unreadable", notes=["No JSON."], ids=ada["ids"], sha256="1")
    published(tmp_path, [broken, eve])
    published(tmp_path, [ada, eve])
    assert changed(tmp_path) == {
        "ada": {
            "student": "ada",
            "old points": "unreadable",
            "new points": "1",
            "why": "new hand-in",
        }
    }
