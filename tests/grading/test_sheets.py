"""Sheets: a number for each student who has one, in the words of each system, and no formula."""

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firth.grading.results import sheets
from firth.grading.results.cells import PLAIN_NUMBER, cell, harmless, sheet, uncell
from firth.grading.results.marking import Mark
from firth.grading.results.record import Grades, key
from tests.grading.test_record import TEXT, record

FORMULAS = ["=1", "+1+1", "-1-1", "@SUM(A1)", "\t=1", "\r=1", "  =1", "\n=1", "＝1", "＠x", "'=1"]
FORMULAS += ["\u00a0=1", "\ufeff=1", "\u200b=1", "\0=1", "=cmd|' /C calc'!A0", '"=1']


def claim(sentence, points=1, holds=True, message=""):
    score = points if holds else 0
    status = "holds" if holds else "fails"
    return {
        "claim": sentence,
        "holds": holds,
        "score": score,
        "points": points,
        "message": message,
        "detail": "THE INPUTS",
        "status": status,
    }


def graded(student, *claims, ids=None, file="", name="cosine", text=None, **changes):
    score, points = (sum(c[kind] for c in claims) for kind in ("score", "points"))
    answer = {"name": name, "score": score, "points": points, "status": "defined"}
    return record(
        student=student,
        file=file or f"{student}.ipynb",
        score=score,
        points=points,
        answers=[answer | {"claims": list(claims)}] if claims else [],
        written=[] if text is None else [{"name": "why", "points": 2, "text": text}],
        ids=ids or {},
        seed="THE SEED",
        graded_at="2026-11-18T16:00:00Z",
        **changes,
    )


def class_of_three():
    half = claim("b", 2, False, "Why?")
    return [
        graded("ada", claim("a"), claim("b", 2), ids={"canvas": "11", "moodle": "21"}, text="so"),
        graded("eve", claim("a"), half, ids={"canvas": "12", "moodle": "22"}, text=""),
        graded(
            "bob", ids={"canvas": "13", "moodle": "23"}, status="unreadable", notes=["No JSON."]
        ),
    ]


def marks(student, first, second, comment=""):
    lines = (("says one thing", first), ("says another", second))
    return {key(student, f"{student}.ipynb"): {"why": Mark(lines, comment)}}


def table(path, encoding="utf-8"):
    return list(csv.reader(io.StringIO(path.read_bytes().decode(encoding), newline="")))


# Cells


@pytest.mark.parametrize("text", FORMULAS)
def test_what_a_spreadsheet_may_take_for_a_formula_is_text(text):
    shown = cell(text)
    assert shown.startswith(("'", "⟨", '"')), shown


@given(TEXT | st.sampled_from(FORMULAS))
def test_no_cell_begins_as_a_formula_and_nothing_is_lost(text):
    shown = cell(text)
    bare = shown.lstrip(" \n\u00a0\u3000")
    assert not bare.startswith(tuple("=+-@\t\r＝＋－＠")) or PLAIN_NUMBER.fullmatch(shown)
    assert uncell(shown) == harmless(text)
    shown.encode()


@pytest.mark.parametrize("number", [-1, 0.5, 26, "-1", "+1.5", "-0,5"])
def test_a_number_stays_a_number(number):
    assert cell(number) == number


@given(st.lists(st.lists(TEXT | st.integers() | st.floats(0, 9), min_size=3, max_size=3)))
def test_the_csv_module_reads_what_was_written(rows):
    read = list(csv.reader(io.StringIO(sheet(rows).decode(), newline="")))
    assert [list(map(uncell, row)) for row in read] == [
        [harmless(value) if isinstance(value, str) else str(value) for value in row] for row in rows
    ]


def test_the_order_of_letters_cannot_be_turned_round_in_a_cell():
    assert (
        cell("ada\u202e\u2066 \u200b\x07\ud800") == "ada⟨U+202E⟩⟨U+2066⟩ ⟨U+200B⟩⟨U+0007⟩⟨U+D800⟩"
    )
    assert harmless("a\r\nb\rc\u2028d") == "a\nb\nc\nd"
    assert (
        harmless("👩\u200d🔬 می\u200cخواهم") == "👩\u200d🔬 می\u200cخواهم"
    )  # joiners belong to words


# grades.csv


def test_grades_has_a_row_for_each_student(tmp_path):
    sheets.write(Grades(tmp_path), class_of_three(), marks("ada", 1.0, 0.5))
    assert (tmp_path / "grades.csv").read_bytes().startswith(b"\xef\xbb\xbf")
    header = "student score points cosine written total of status notes file".split()
    assert table(tmp_path / "grades.csv", "utf-8-sig") == [
        header,
        ["ada", "3", "3", "3", "1.5", "4.5", "5", "graded", "", "ada.ipynb"],
        ["bob", "", "", "", "", "", "", "unreadable", "No JSON.", "bob.ipynb"],
        ["eve", "1", "3", "1", "0", "1", "5", "graded", "", "eve.ipynb"],
    ]


def test_a_reader_who_is_due_is_said(tmp_path):
    for own in ({}, marks("ada", 1.0, None)):
        sheets.write(Grades(tmp_path), class_of_three()[:1], own)
        assert table(tmp_path / "grades.csv", "utf-8-sig")[1][7] == "graded, reader due"


def test_of_several_files_of_a_student_the_one_with_most_points_counts(tmp_path):
    low = graded("ada", claim("a", holds=False), file="a.ipynb", ids={"canvas": "1"})
    high = graded("ada", claim("a"), file="b.ipynb", ids={"canvas": "1"})
    lost = graded("ada", file="c.ipynb", status="refused", ids={"canvas": "1"})
    sheets.write(Grades(tmp_path), [low, high, lost], {})
    (row,) = table(tmp_path / "grades.csv", "utf-8-sig")[1:]
    assert row[0] == "ada" and row[1] == "1" and row[-1] == "b.ipynb"
    assert "a.ipynb" in row[-2] and "c.ipynb" in row[-2]
    assert [r[5] for r in table(tmp_path / "canvas.csv")[2:]] == ["1"]


def test_late_is_noted():
    late = graded("ada", claim("a"), file="x/ada_LATE_1_2_a.ipynb", ids={"canvas": "1"})
    assert sheets.overview([late], {})[1][-2] == "Handed in late."
    early = graded("ada", claim("a"), file="ada_LATE_/a.ipynb", ids={"canvas": "1"})
    assert sheets.overview([early], {})[1][-2] == ""


def test_an_empty_class_gives_an_empty_sheet(tmp_path):
    assert sheets.write(Grades(tmp_path), [], {}) == []
    assert len(table(tmp_path / "grades.csv", "utf-8-sig")) == 1


# Canvas and Moodle


def test_canvas_reads_its_columns_and_the_points_to_be_had(tmp_path):
    said = sheets.write(Grades(tmp_path), class_of_three(), marks("ada", 1.0, 0.5), "Ex 1 (7)")
    assert table(tmp_path / "canvas.csv") == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Ex 1 (7)"],
        ["    Points Possible", "", "", "", "", "5"],
        ["ada", "11", "", "", "", "4.5"],
        ["eve", "12", "", "", "", "1"],
    ]
    assert [s for s in said if "canvas.csv" in s] == [
        f"bob (bob.ipynb) is not in {tmp_path}/canvas.csv: unreadable, so there is no score to hand"
        " over."
    ]


def test_no_student_sets_the_points_possible_of_a_canvas_class(tmp_path):
    mine = graded("Points Possible", claim("a"), ids={"canvas": "1", "name": "Points\r Possible"})
    other = graded("My Points Possible", claim("a"), ids={"canvas": "2"})
    sheets.write(Grades(tmp_path), [mine, other], {})
    assert sum("Points Possible" in row[0] for row in table(tmp_path / "canvas.csv")) == 1


def test_moodle_reads_its_worksheet(tmp_path):
    records = class_of_three()
    records[0]["ids"] |= {"name": "Ada Lovelace", "email": "ada@x.org"}
    own = marks("ada", 1.0, 0.5, "<b>Good</b>\nso far")
    sheets.write(Grades(tmp_path), records, own, since="2026-11-20T10:00:00Z")
    header, ada, eve = table(tmp_path / "moodle.csv")
    row = dict(zip(header, ada, strict=True))
    assert row["Identifier"] == "Participant 21" and row["Full name"] == "Ada Lovelace"
    assert row["Email address"] == "ada@x.org"
    assert (row["Grade"], row["Maximum Grade"], row["Grade can be changed"]) == ("4.5", "5", "Yes")
    assert row["Last modified (grade)"] == "2026-11-20T10:00:00Z"
    assert row["Feedback comments"] == (
        "cosine: 3 of 3<br>why: 1.5 of 2. &lt;b&gt;Good&lt;/b&gt;<br>so far"
    )
    assert dict(zip(header, eve, strict=True))["Grade"] == "1"
    assert list(header) == [
        "Identifier",
        "Full name",
        "Email address",
        "Status",
        "Grade",
        "Maximum Grade",
        "Grade can be changed",
        "Last modified (submission)",
        "Last modified (grade)",
        "Feedback comments",
    ]


def test_a_student_without_an_id_is_left_out_and_named(tmp_path):
    records = class_of_three()
    records[1]["ids"] = {"moodle": "22"}
    said = sheets.write(Grades(tmp_path), records, {})
    assert "eve" not in (tmp_path / "canvas.csv").read_text()
    assert "eve" in (tmp_path / "moodle.csv").read_text()
    assert len([s for s in said if s.startswith("eve") and "canvas" in s and "no id" in s]) == 1


def test_a_class_of_no_system_gets_no_sheet_of_it_and_an_old_one_goes(tmp_path):
    sheets.write(Grades(tmp_path), class_of_three(), {})
    assert sheets.write(Grades(tmp_path), [graded("ada", claim("a"))], {}) == []
    assert not (tmp_path / "canvas.csv").exists() and not (tmp_path / "moodle.csv").exists()


def test_while_a_written_answer_waits_for_a_reader_no_platform_gets_points(tmp_path):
    ada, eve, bob = class_of_three()
    other = graded("kim", claim("a"), ids=ada["ids"] | {"canvas": "14", "moodle": "24"}, text="so")
    everybody = [ada, bob, eve, other]
    sheets.write(Grades(tmp_path), everybody, marks("ada", 1.0, 0.5))  # of an earlier answer
    assert results(tmp_path, ada)["score"] == 4.5
    for own in ({}, marks("ada", None, None), marks("ada", 1.0, None)):
        said = sheets.write(Grades(tmp_path), everybody, own)
        canvas = {row[1]: row[5] for row in table(tmp_path / "canvas.csv")}
        assert canvas == {"ID": "01_lsa", "": "5", "11": "", "12": "1", "14": ""}
        moodle = {row[0]: (row[4], row[-1]) for row in table(tmp_path / "moodle.csv")}
        assert moodle["Participant 21"][0] == "" and moodle["Participant 22"][0] == "1"
        assert "why: 0" not in moodle["Participant 21"][1]
        assert not list((tmp_path / "gradescope").glob("ada*/results.json"))
        assert results(tmp_path, eve)["score"] == 1
        assert [line for line in said if "gets points yet for ada, kim: fill in" in line]
        rows = {row[0]: row for row in table(tmp_path / "grades.csv", "utf-8-sig")}
        assert rows["eve"][4] == "0"  # nothing was written, so nobody need read it
        assert rows["kim"][4] == ""  # and not a 0 that nobody has given
    assert rows["ada"][4] == "1"


def test_a_student_with_points_is_not_called_missing_for_another_file(tmp_path):
    lost = graded("ada", file="a.ipynb", status="unreadable", notes=["?"], ids={"canvas": "1"})
    good = graded("ada", claim("a"), file="b.ipynb", ids={"canvas": "1"})
    assert not sheets.write(Grades(tmp_path), [lost, good], {})
    assert sheets.write(Grades(tmp_path), [lost], {})


# Gradescope


def results(folder, each):
    path = folder / "gradescope" / key(each["student"], each["file"]) / "results.json"
    return json.loads(path.read_text())


def test_gradescope_gets_a_test_for_each_claim_and_line(tmp_path):
    ada, eve, bob = class_of_three()
    sheets.write(Grades(tmp_path), [ada, eve, bob], marks("ada", 1.0, 0.5, "Good"))
    found = results(tmp_path, ada)
    assert found["score"] == 4.5 and found["stdout_visibility"] == "hidden"
    assert [(t["name"], t.get("score"), t.get("max_score")) for t in found["tests"]] == [
        ("cosine.1: a", 1, 1),
        ("cosine.2: b", 2, 2),
        ("why.1: says one thing", 1, 1),
        ("why.2: says another", 0.5, 1),
        ("why: the reader says", None, None),
    ]
    assert {(t["visibility"], t["output_format"]) for t in found["tests"]} == {("visible", "text")}
    assert [t.get("status") for t in results(tmp_path, eve)["tests"]] == ["passed", "failed"]
    assert "score" not in results(tmp_path, bob) and results(tmp_path, bob)["output"] == "No JSON."


def test_nothing_of_the_instructors_leaves_with_a_sheet(tmp_path):
    sheets.write(Grades(tmp_path), class_of_three(), {})
    for path in tmp_path.rglob("*"):
        text = path.read_bytes() if path.is_file() else b""
        assert b"THE SEED" not in text and b"THE INPUTS" not in text


@given(TEXT | st.sampled_from(FORMULAS), TEXT | st.sampled_from(FORMULAS), TEXT)
def test_every_sheet_can_be_written_and_read_whatever_a_student_is_called(
    tmp_path_factory, student, full, note
):
    folder = tmp_path_factory.mktemp("grades")
    ids = {"canvas": "1", "moodle": "2", "name": full, "email": full, "sid": full}
    each = graded(student, claim("a", holds=False, message=note), ids=ids, notes=[note])
    sheets.write(Grades(folder), [each], {})
    assert len(table(folder / "grades.csv", "utf-8-sig")) == 2
    assert len(table(folder / "canvas.csv")) == 3 and len(table(folder / "moodle.csv")) == 2
    assert results(folder, each)["score"] == 0
