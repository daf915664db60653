"""Marking: what a reader fills in is counted, and never lost."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firth.checks import questions
from firth.checks.claims import Written
from firth.grading.results.cells import sheet
from firth.grading.results.marking import CHANGED, NO_TEXT, code, marked
from firth.grading.results.record import Grades, key
from firth.grading.results.standing import standing
from firth.grading.results.teacher_tables import rows_of
from tests.grading.test_record import record

RUBRICS = {"why": ("says one thing", "says another"), "how": ("=says a formula",)}


def hands_in(student, why="because", how="so", **changes):
    written = [
        {"name": "why", "points": 2, "text": why},
        {"name": "how", "points": 1, "text": how},
    ]
    return record(student=student, file=f"{student}.ipynb", written=written, **changes)


def rows(grades):
    return rows_of(grades.marking.read_bytes(), ["code", "question"])


def fill(grades, student, question, save=lambda data: data, **entries):
    """What a reader does: opens the sheet, fills in a row, saves it."""
    table = rows(grades)
    for row in table:
        if (row["student"], row["question"]) == (student, question):
            for name, value in entries.items():
                whole = next((n for n in row if n.startswith(name.replace("_", " "))), name)
                row[whole] = value
    header = list(dict.fromkeys(name for row in table for name in row))
    body = [[row.get(name, "") for name in header] for row in table]
    grades.marking.write_bytes(save(sheet([header, *body], excel=True)))


def mark(grades, records, student, question="why"):
    marks, said = marked(grades, records, RUBRICS)
    return marks[key(student, f"{student}.ipynb")][question], said


def test_a_fresh_sheet_has_a_row_for_each_answer_and_tells_no_name_first(tmp_path):
    grades, class_ = Grades(tmp_path), [hands_in("ada"), hands_in("eve")]
    marks, said = marked(grades, class_, RUBRICS)
    assert not said and len(rows(grades)) == 4
    names = list(rows(grades)[0])
    assert names[:3] == ["code", "question", "answer"] and names[-2:] == ["student", "file"]
    assert names[3:6] == ["why 1: says one thing", "why 2: says another", "how 1: =says a formula"]
    assert [row["question"] for row in rows(grades)] == ["why", "why", "how", "how"]
    hidden = [
        {n: v for n, v in row.items() if n not in ("student", "file")} for row in rows(grades)
    ]
    assert not any("ada" in str(row) or "eve" in str(row) for row in hidden)
    assert not any(mark.complete for own in marks.values() for mark in own.values())


def test_the_rubrics_of_the_course_fit():
    rubrics = {n: q.rubric for n, q in questions().items() if isinstance(q, Written)}
    assert rubrics["explain_lsa"]


def test_a_code_is_no_number_and_no_date_to_a_spreadsheet():
    codes = {code(hands_in(f"student {n}")) for n in range(200)}
    assert len(codes) == 200 and all(c.isalpha() and not set(c) & set("aeiou") for c in codes)


def test_marks_count_and_a_second_run_changes_nothing(tmp_path):
    grades, class_ = Grades(tmp_path), [hands_in("ada", score=1), hands_in("eve")]
    marked(grades, class_, RUBRICS)
    fill(grades, "ada", "why", why_1="1", why_2="0,5", comment="=well said")
    given, said = mark(grades, class_, "ada")
    assert given.points == 1.5 and given.complete and given.comment == "=well said" and not said
    before = grades.marking.read_bytes()
    marks, _ = marked(grades, class_, RUBRICS)
    assert grades.marking.read_bytes() == before
    assert standing(class_[0], marks) == (2.5, 5, 1.5, True)
    assert standing(class_[1], marks) == (1, 5, "", True)


def test_half_filled_in_is_not_complete_and_counts_so_far(tmp_path):
    grades, class_ = Grades(tmp_path), [hands_in("ada")]
    marked(grades, class_, RUBRICS)
    fill(grades, "ada", "why", why_1="1")
    given, _ = mark(grades, class_, "ada")
    assert given.points == 1 and not given.complete


@pytest.mark.parametrize(
    "entry, wrong",
    [
        ("2", "not between"),
        ("-0.1", "not between"),
        *((entry, "no number") for entry in ("x", "1e-3", "nan", "1/0", "=1", "½", "1/2/3")),
    ],
)
def test_an_entry_that_is_no_mark_is_named_with_row_and_column_and_kept(tmp_path, entry, wrong):
    grades, class_ = Grades(tmp_path), [hands_in("ada"), hands_in("eve")]
    marked(grades, class_, RUBRICS)
    fill(grades, "ada", "why", why_1=entry, why_2="1")
    row = 2 + [(r["student"], r["question"]) for r in rows(grades)].index(("ada", "why"))
    given, said = mark(grades, class_, "ada")
    assert len(said) == 1 and f"row {row}, column “why 1: says one thing”: “{entry}”" in said[0]
    assert wrong in said[0] and given.points == 1 and not given.complete
    assert entry in [r["why 1: says one thing"] for r in rows(grades)]


@pytest.mark.parametrize(
    "entry, points", [("0", 0), ("1", 1), (" 1/2 ", 0.5), (".25", 0.25), ("1.0", 1)]
)
def test_a_mark_may_be_a_fraction(tmp_path, entry, points):
    grades, class_ = Grades(tmp_path), [hands_in("ada")]
    marked(grades, class_, RUBRICS)
    fill(grades, "ada", "how", how_1=entry)
    assert mark(grades, class_, "ada", "how")[0].points == points


def test_a_mark_in_the_column_of_another_question_is_named(tmp_path):
    grades, class_ = Grades(tmp_path), [hands_in("ada")]
    marked(grades, class_, RUBRICS)
    fill(grades, "ada", "why", how_1="1")
    assert "belongs to another question than why" in mark(grades, class_, "ada")[1][0]


def test_an_answer_that_changed_keeps_its_marks_and_gets_a_note_until_the_reader_clears_it(
    tmp_path,
):
    grades = Grades(tmp_path)
    marked(grades, [hands_in("ada"), hands_in("eve")], RUBRICS)
    fill(grades, "ada", "why", why_1="1", why_2="1")
    class_ = [hands_in("ada", "because of it"), hands_in("eve", "new too")]
    for _ in range(2):
        given, _ = mark(grades, class_, "ada")
        assert given.points == 2 and given.note == CHANGED
    assert "because of it" in [row["answer"] for row in rows(grades)]
    assert mark(grades, class_, "eve")[0].note == ""  # nobody had marked it
    fill(grades, "ada", "why", note="")
    assert mark(grades, class_, "ada")[0].note == ""


def test_rows_and_columns_of_the_readers_own_stay_where_they_were(tmp_path):
    grades, class_ = Grades(tmp_path), [hands_in("ada"), hands_in("eve")]
    marked(grades, class_, RUBRICS)
    fill(grades, "eve", "how", how_1="1", who_marks="Grace")
    table = rows(grades)[::-1]
    header = [*table[0], "", ""]
    body = [[row.get(name, "") for name in header[:-2]] + ["", "beside"] for row in table]
    grades.marking.write_bytes(sheet([header, *body, [], ["my own line"]]))
    marked(grades, [*class_, hands_in("bob")], RUBRICS)
    after = rows(grades)
    assert [row["code"] for row in after[:4]] == [row["code"] for row in table]
    assert "my own line" in after[4]["code"] and len(after) == 7
    assert {row["who_marks"] for row in after} == {"Grace", ""}
    assert "beside" in after[0].values()


def test_the_marks_of_a_student_who_is_gone_are_kept_and_count_again(tmp_path):
    grades, class_ = Grades(tmp_path), [hands_in("ada"), hands_in("eve")]
    marked(grades, class_, RUBRICS)
    fill(grades, "ada", "why", why_1="1", why_2="1")
    marks, _ = marked(grades, class_[1:], RUBRICS)
    assert key("ada", "ada.ipynb") not in marks
    assert mark(grades, class_, "ada")[0].points == 2


def test_marks_stay_when_the_words_of_a_rubric_change(tmp_path):
    grades, class_ = Grades(tmp_path), [hands_in("ada")]
    marked(grades, class_, RUBRICS)
    fill(grades, "ada", "why", why_1="1", why_2="0.5")
    marks, said = marked(grades, class_, {"why": ("says one thing well", "says another")})
    own = marks[key("ada", "ada.ipynb")]
    assert own["why"].lines == (("says one thing well", 1), ("says another", 0.5)) and not said
    assert "how" not in own and "how 1: =says a formula" in rows(grades)[0]


def test_an_empty_answer_needs_no_reader_but_may_have_one(tmp_path):
    grades, class_ = Grades(tmp_path), [hands_in("ada", why=" \n", how="")]
    given, _ = mark(grades, class_, "ada")
    assert given.complete and given.points == 0
    assert rows(grades)[0]["answer"] == NO_TEXT
    fill(grades, "ada", "why", why_1="1", why_2="0")
    assert mark(grades, class_, "ada")[0].points == 1


def test_who_was_not_graded_is_not_marked_either(tmp_path):
    grades = Grades(tmp_path)
    assert marked(grades, [hands_in("ada", status="unreadable")], RUBRICS) == ({}, [])
    assert not grades.marking.exists()


@pytest.mark.parametrize(
    "save",
    [
        lambda data: data.decode("utf-8-sig").encode("utf-16"),
        lambda data: data.decode("utf-8-sig").encode("cp1252"),
        lambda data: data.replace(b"\r\n", b"\n"),
        lambda data: saved(data, ";"),
        lambda data: saved(data, "\t"),
    ],
)
def test_the_sheet_is_read_however_a_spreadsheet_saves_it(tmp_path, save):
    grades, class_ = Grades(tmp_path), [hands_in("ada", "a, b; c\td\n“e” é")]
    marked(grades, class_, RUBRICS)
    fill(grades, "ada", "why", save, why_1="1", why_2="1", comment="très bien")
    given, said = mark(grades, class_, "ada")
    assert given.points == 2 and given.comment == "très bien" and not said


def saved(data, delimiter):
    text = io.StringIO(newline="")
    table = csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""))
    csv.writer(text, delimiter=delimiter).writerows(table)
    return text.getvalue().encode()


@pytest.mark.parametrize(
    "data", [b"PK\x03\x04 a workbook", b"code;question\n" + b"x" * 200_000, b"a,b\n1,2\n"]
)
def test_a_sheet_that_cannot_be_read_is_left_as_it_is(tmp_path, data):
    grades = Grades(tmp_path)
    grades.marking.write_bytes(data)
    marks, said = marked(grades, [hands_in("ada")], RUBRICS)
    assert marks == {} and len(said) == 1 and "marking.csv" in said[0]
    assert grades.marking.read_bytes() == data


def test_a_row_given_twice_is_named_and_counts_once(tmp_path):
    grades, class_ = Grades(tmp_path), [hands_in("ada")]
    marked(grades, class_, RUBRICS)
    data = grades.marking.read_bytes()
    grades.marking.write_bytes(data + data.split(b"\r\n")[1] + b"\r\n")
    _, said = marked(grades, class_, RUBRICS)
    assert "row 4, repeats row 2" in said[0] and len(rows(grades)) == 3


def test_a_long_answer_fits_into_a_cell(tmp_path):
    grades = Grades(tmp_path)
    marked(grades, [hands_in("ada", "x" * 2_000_000)], RUBRICS)
    assert max(len(value) for row in rows(grades) for value in row.values()) < 32_767


HOSTILE = st.text(st.characters(codec=None), max_size=40) | st.sampled_from(
    ["=cmd|' /C calc'!A0", "+1+1", "\t=1", '"\n"', "a\r\nb,c", "\u202e=1", "'=1", "<script>"]
)


@given(HOSTILE, HOSTILE, HOSTILE)
def test_no_answer_and_no_comment_breaks_the_sheet(tmp_path_factory, student, why, comment):
    grades = Grades(tmp_path_factory.mktemp("grades"))
    class_ = [hands_in(student, why), hands_in("someone else")]
    marked(grades, class_, RUBRICS)
    fill(grades, "someone else", "why", why_1="1", why_2="0", comment=comment)
    before, _ = mark(grades, class_, "someone else")
    after, said = mark(grades, class_, "someone else")
    assert before == after and after.points == 1 and not said and len(rows(grades)) == 4
