"""A teacher's slip, or a student's, is said aloud: nobody loses points by it without a word."""

import csv
import json
import zipfile

import pytest
from answers import EXERCISES, SOLUTIONS, code
from notebooks import COURSE

from firth.__main__ import main
from firth.checks.variants import forms_of
from firth.grading.release.handouts import handouts, owner, owners, roster
from firth.grading.run.doubts import called_by, mistaken
from firth.grading.run.questions import NoQuestions, asked, tried
from tests.grading.test_command import (
    CHECKS,
    RIGHT,
    class_of_three,
    grade,
    notebook,
    records,
    rows,
)

__all__ = ["class_of_three"]
WHOSE = "from firth.checks import whose\nwhose({!r})"
THEIRS = """
from firth.checks import questions
from firth.checks.variants import variant_of
ppmi = variant_of(questions()["ppmi"], {!r}).right
"""
(PPMI,) = [answer for answer in asked("01_lsa").answers if answer.name == "ppmi"]
MOODLE = ("First name,Last name,ID number,Email address,Groups",)


def released(root, *lines):
    """The table of forms that firth release writes for a roster."""
    (root / "roster.csv").write_text("\n".join(lines), encoding="utf-8")
    (root / "out").mkdir(exist_ok=True)
    folders = root / "out"
    for old in folders.glob("*/"):
        old.rmdir() if old.is_dir() else old.unlink()
    for _ in handouts(COURSE / "exercises", [], roster(root / "roster.csv"), folders):
        pass
    return folders / "forms.csv"


def class_of(root, **cells):
    """A folder with a notebook for each student."""
    (root / "submissions").mkdir(exist_ok=True)
    for student, sources in cells.items():
        (root / "submissions" / f"{student}.ipynb").write_text(notebook(*sources))
    return root


def theirs(student, says=None):
    """The cells of somebody who has answered one question in a form of their own."""
    return [WHOSE.format(says or student), THEIRS.format(student)]


def graded(root, *more):
    words = ["grade", "01_lsa", str(root / "submissions"), "--out", str(root / "grades")]
    return main([*words, "--jobs", "1", "--quiet", *map(str, more)])


def found(root):
    return {r["student"]: (r["status"], r["score"]) for r in records(root).values()}


def test_forms_that_were_forgotten_are_asked_for_and_nobody_is_graded_in_others(tmp_path, capsys):
    root = class_of(tmp_path, ada=theirs("ada"), bob=theirs("bob")[1:])
    table = released(root, "student", "ada", "bob")
    assert graded(root) == 1
    said = capsys.readouterr().err
    assert 'withheld: ada.ipynb: The notebook says whose("ada")' in said and "--forms" in said
    assert found(root)["ada"] == ("withheld", 0) and found(root)["bob"][0] == "graded"
    row = rows(root)["ada"]
    assert (row["score"], row["total"], row["status"]) == ("", "", "withheld")
    assert "give --forms" in row["notes"]
    (page,) = (root / "grades" / "feedback").glob("ada-*")
    assert "whose notebook is this?" in page.read_text("utf-8")
    (result,) = (root / "grades" / "gradescope").glob("ada-*/results.json")
    assert "score" not in json.loads(result.read_text("utf-8"))
    # Mended, and given again; then forgotten again.
    assert graded(root, "--forms", table) == 0
    assert found(root)["ada"] == ("graded", PPMI.points)
    assert not capsys.readouterr().err
    assert graded(root) == 1
    said = capsys.readouterr().err
    assert "2 were graded in forms of their own before" in said
    assert found(root)["ada"][0] == "withheld"


def test_whoever_says_to_be_another_is_withheld_and_nobody_else(tmp_path, capsys):
    people = {"ada": theirs("ada"), "alan": theirs("emmy"), "emmy": theirs("emmy", "Emmy ")}
    people |= {"eve": theirs("ada"), "bob": theirs("bob")[1:]}
    root = class_of(tmp_path, **people)
    table = released(root, "student", "ada", "alan", "emmy", "bob")
    assert graded(root, "--forms", table) == 1
    right = ("graded", PPMI.points)
    assert found(root) == {
        "ada": right, "emmy": right, "bob": right, "alan": ("withheld", 0), "eve": ("withheld", 0)
    }  # fmt: skip
    said = capsys.readouterr().err
    assert 'says whose("emmy"), and it was handed in by alan' in said
    assert 'says whose("ada"), and the forms name nobody who is called eve' in said
    explain = ["grade", "--explain", "alan", "ppmi.1", "--out", str(root / "grades")]
    assert main([*explain, "--forms", str(table)]) == 2
    assert "handed in by alan" in capsys.readouterr().err
    (root / "submissions" / "alan.ipynb").write_text(notebook(*theirs("alan")))
    (root / "submissions" / "eve.ipynb").unlink()
    for record in (root / "grades" / "records").glob("eve-*"):
        record.unlink()
    assert graded(root, "--forms", table) == 0


def test_a_name_that_is_another_students_is_withheld_where_no_question_has_forms(
    class_of_three, capsys
):
    root = class_of_three
    (root / "submissions" / "broken.ipynb").write_text(notebook(RIGHT, WHOSE.format("ada")))
    (root / "submissions" / "Zoë 🌟.ipynb").write_text(notebook(RIGHT, WHOSE.format("zoe")))
    assert grade(root, "--quiet") == 1
    assert found(root) == {"ada": ("graded", 4), "Zoë 🌟": ("graded", 4), "broken": ("withheld", 0)}
    assert "beside a file of ada" in capsys.readouterr().err


def test_a_withheld_notebook_stands_on_no_sheet_of_a_platform(tmp_path, capsys):
    with zipfile.ZipFile(tmp_path / "submissions.zip", "w") as export:
        for name, cells in (("ada_1_5", theirs("ada")), ("turing_2_6", theirs("ada"))):
            export.writestr(f"{name}_01_lsa.ipynb", notebook(*cells))
    table = released(tmp_path, "Student,ID,SIS Login ID", "Ada,1,ada", "Alan,2,alan")
    words = ["grade", "01_lsa", str(tmp_path / "submissions.zip"), "--forms", str(table)]
    assert main([*words, "--out", str(tmp_path / "grades")]) == 1
    text = (tmp_path / "grades" / "canvas.csv").read_text("utf-8")
    assert '"ada"' in text and "turing" not in text
    assert "turing_2_6_01_lsa.ipynb) is not in" in capsys.readouterr().out


# A roster


def test_a_roster_that_matches_nobody_is_said(tmp_path, capsys):
    root = class_of(tmp_path, ada=theirs("ada")[1:])
    table = released(root, "student", "s1", "s2")
    assert graded(root, "--forms", table) == 1
    assert "nobody in it is called as a hand-in is, such as ada" in capsys.readouterr().err
    assert set(rows(root)) == {"ada"}


def test_who_has_handed_in_nothing_has_a_row_and_a_line(tmp_path, capsys):
    root = class_of(tmp_path, ada=theirs("ada"))
    table = released(root, "student", "ada", "=bob")
    assert graded(root, "--forms", table) == 0
    words = ["grade", "01_lsa", str(root / "submissions"), "--out", str(root / "grades")]
    assert main([*words, "--forms", str(table)]) == 0
    assert "=bob has handed in nothing." in capsys.readouterr().out
    row = rows(root)["'=bob"]
    assert row.pop("status") == "nothing handed in" and row.pop("student")
    assert row.pop("notes") == "In the roster, and no hand-in was found."
    assert not any(row.values())


@pytest.mark.parametrize("number", ["", "7"])
def test_the_participants_of_moodle_are_known_by_their_names(tmp_path, number):
    table = released(
        tmp_path, *MOODLE, f"Ada,Love'lace,{number},ada@example.org,", "Al,King,8,a@b.c,"
    )
    known = owners(table)
    who = number or "ada@example.org"
    assert owner(known, "x", {"moodle": "12345", "name": "Ada Lovelace"}) == who
    assert owner(known, "lovelaceada", {"canvas": "12345"}) == who
    assert owner(known, "Ada", {}) == owner(known, "somebody", {"gradescope": "8"}) == ""


def test_no_cell_of_the_table_of_forms_is_a_formula(tmp_path):
    evil = "=cmd|'/C calc'!A0"
    table = released(tmp_path, "student,name,email", f"=1+1,{evil},ada@example.org", "bob,-x,")
    with table.open(encoding="utf-8", newline="") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert f"'{evil}" in cells and not [cell for cell in cells if cell.startswith(tuple("=-+@"))]
    known = owners(table)
    assert owner(known, evil, {}) == owner(known, "=1+1", {}) == "=1+1"


# The wrong notebook


def test_the_notebook_of_another_exercise_is_named(tmp_path, capsys):
    root = class_of(tmp_path, ada=code(COURSE / "exercises" / "01_lsa.ipynb"))
    words = ["grade", "02_word2vec", str(root / "submissions"), "--out", str(root / "grades")]
    for _ in range(2):  # also where it has its record
        assert main([*words, "--quiet"]) == 1
        said = capsys.readouterr().err
        assert "ada.ipynb: It defines none of the functions" in said and "01_lsa" in said
    assert "it seems to be 01_lsa" in rows(root)["ada"]["notes"]


def test_functions_that_were_renamed_are_asked_about(class_of_three, capsys):
    root = class_of_three
    for name in ("broken", "ada"):
        (root / "submissions" / f"{name}.ipynb").write_text(
            notebook(RIGHT.replace("double", "twice"))
        )
    (root / "submissions" / "Zoë 🌟.ipynb").write_text(
        notebook("def double(x):\n    raise NotImplementedError")
    )
    assert grade(root, "--quiet") == 1
    said = capsys.readouterr().err
    assert (
        said.count("such as `double`) but `twice`: were they renamed?") == 2 and "Zoë" not in said
    )


@pytest.mark.parametrize(
    "cells, missing, said",
    [
        (["def cosine_similarity(x, y): ..."], ["cosine"], "`cosine` (is it `cosine_similarity`?)"),
        (["def helper(x): ..."], ["cosine"], ""),
        (["x = 1"], [], ""),
        (["x = 1"], ["cosine", "ppmi"], "is it the right notebook?"),
        (["def f(:"], ["cosine", "ppmi"], "is it the right notebook?"),
        (["def softmax(x): ..."], ["cosine", "ppmi"], "04_attention"),
    ],
)
def test_what_is_missing_is_said_where_it_looks_like_a_mistake(cells, missing, said):
    answers = [
        {"name": name, "status": "missing" if name in missing else "defined"}
        for name in ("cosine", "ppmi")
    ]
    sentence = mistaken(cells, answers)
    assert said in sentence and bool(sentence) == bool(said)


# Private checks

SLIPS = {
    "an error": ("lambda rng: [(rng.integer(3),)]", "AttributeError"),
    "another answer": ("lambda rng: [(None,)]", "TypeError"),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_private_check_that_fails_on_its_own_answer_stops_the_run(class_of_three, capsys, slip):
    inputs, error = SLIPS[slip]
    root = class_of_three
    more = f'\ndouble.agrees("is right", "Is it?", {inputs})\n'
    (root / "checks" / "mine.py").write_text(CHECKS + more)
    assert grade(root, "--quiet") == 2
    said = capsys.readouterr().err
    assert "double.3, “is right”" in said and error in said and "Traceback" not in said
    assert not list((root / "grades").glob("records/*"))


def test_each_claim_of_an_instructor_is_tried_and_no_other(monkeypatch):
    first = "from firth.checks.lsa.cosine import cosine\nfrom firth.checks.claims import Claim\n"
    claim = "cosine.claims.append(Claim({!r}, 'Why?', {}, 1))\n"
    tried(asked("01_lsa", {"a.py": first + claim.format("holds", "lambda call, rng: True")}))
    with pytest.raises(NoQuestions, match=r"cosine.4, “never”.*own right answer \(Why\?\)"):
        tried(asked("01_lsa", {"a.py": first + claim.format("never", "lambda call, rng: False")}))
    questions = asked("01_lsa", {"a.py": first + claim.format("holds", "lambda call, rng: 1")})
    assert [(question.name, index) for question, index in questions.own] == [("cosine", 3)]
    assert not asked("01_lsa").own


def test_the_forms_of_a_private_question_are_tried_as_well():
    text = CHECKS + "\nother = Exercise('double', '00_tests', 1, 1, ('', '', ''), lambda x: x)\n"
    text += "other.agrees('odd', 'Odd?', lambda rng: [(1 / 0,)], points=4)\n"
    text += "double.forms = (other,)\n"
    with pytest.raises(NoQuestions, match="ZeroDivisionError"):
        tried(asked("00_tests", {"a.py": text}))


def test_the_help_tells_the_exit_statuses(capsys):
    with pytest.raises(SystemExit):
        main(["grade", "--help"])
    said = capsys.readouterr().out
    assert all(f"\n  {status:<4}" in said for status in (0, 1, 2, 3, 130))


# Private checks and forms

MINE = """
from firth.checks.lsa.ppmi import ppmi
def tables(rng):
    return [(rng.integers(1, 9, (3, 3)).astype(float),)]
"""
EACH = "for form in (ppmi, *ppmi.forms):\n    form.agrees('is mine', 'Is it?', tables)\n"


def ppmi_of(checks):
    questions = asked("01_lsa", {"a.py": MINE + checks})
    return questions, next(answer for answer in questions.answers if answer.name == "ppmi")


def test_a_private_claim_of_one_form_alone_is_refused():
    with pytest.raises(NoQuestions, match=r"ppmi has forms: .*for form in \(ppmi, \*ppmi.forms\)"):
        ppmi_of("ppmi.agrees('is mine', 'Is it?', tables)\n")


def test_a_private_claim_reaches_every_form_is_tried_on_each_and_taken_back():
    public = [len(form.claims) for form in (PPMI, *PPMI.forms)]
    questions, found = ppmi_of(EACH)
    assert found.form == PPMI.form and len(found.forms) == len(PPMI.forms) == 2
    assert {form.points for form in (found, *found.forms)} == {PPMI.points + 1}
    assert [question.form for question, _ in questions.own] == [
        form.form for form in (PPMI, *PPMI.forms)
    ]
    tried(questions)
    again = asked("01_lsa", {"a.py": "x = 1"})
    (ppmi,) = [answer for answer in again.answers if answer.name == "ppmi"]
    assert [len(form.claims) for form in (ppmi, *ppmi.forms)] == public and not again.own


def test_a_private_claim_that_fails_in_another_form_stops_the_run():
    odd = "form.agrees('odd', 'Odd?', tables if form is ppmi else lambda rng: [(1 / 0,)])"
    with pytest.raises(NoQuestions, match="ZeroDivisionError"):
        tried(ppmi_of(f"for form in (ppmi, *ppmi.forms):\n    {odd}\n")[0])


@pytest.mark.parametrize(
    "end", ["import sys; sys.exit()", "double.agrees('a', 'A?', lambda rng: exit())"]
)
def test_private_checks_that_end_the_process_are_a_sentence(class_of_three, capsys, end):
    (class_of_three / "checks" / "mine.py").write_text(f"{CHECKS}\n{end}\n")
    assert grade(class_of_three, "--quiet") == 2
    assert "SystemExit" in capsys.readouterr().err


# Functions that the course's own notebooks define


@pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem)
def test_no_function_of_the_release_is_taken_for_an_answer_that_was_left_out(path):
    cells = code(path) + code(COURSE / "exercises" / path.name)
    names = [name for name, question in EXERCISES.items() if question.chapter == path.stem]
    for missing in names:
        answers = [{"name": n, "status": "missing" if n == missing else "defined"} for n in names]
        left = [cell for cell in cells if f"def {missing}(" not in cell]
        assert not mistaken(left, answers)


def test_an_answer_in_a_cell_that_does_not_parse_is_not_asked_about():
    cells = ["def cosine(x, y):\n    return x @", "def cosine_similarity(x, y): ..."]
    names = {"cosine": "missing", "ppmi": "defined"}
    assert not mistaken(cells, [{"name": n, "status": s} for n, s in names.items()])
    assert not mistaken(cells, [{"name": n, "status": "missing"} for n in names])


# Ways to say whose

SAID = {
    "keyword": ["whose(student='ada')"],
    "variable": ["ME = 'ada'", "whose(ME)"],
    "annotated": ["me: str = 'ada'\nwhose(me)"],
    "worked out": ["whose(str('ada'))"],
    "formatted": ["name = 'ada'\nwhose(f'{name}')"],
}


@pytest.mark.parametrize("way", SAID)
def test_forgotten_forms_are_asked_for_in_whatever_way_a_notebook_says_whose(tmp_path, capsys, way):
    cells = ["from firth.checks import whose", *SAID[way], THEIRS.format("ada")]
    root = class_of(tmp_path, ada=cells)
    assert graded(root) == 1
    assert "give --forms" in capsys.readouterr().err and found(root)["ada"][0] == "withheld"
    assert graded(root, "--forms", released(root, "student", "ada")) == 0
    assert found(root)["ada"] == ("graded", PPMI.points)


@pytest.mark.parametrize(
    "cells, name",
    [
        (["ME = 'ada'", "ME = 'bob'\nwhose(ME)"], "bob"),
        (["ME = 'ada'\nwhose(ME)\nME = 'bob'"], "ada"),
        (["ME = 'ada'", "ME = input()", "whose(ME)"], None),
        (["whose(ME)"], None),
        (["whose(**{'student': 'ada'})"], None),
        (["whose(*['ada'])"], None),
        (["whose('a'.upper())"], None),
        (["whose(x.value)"], None),
        (["whose()", "whose = 3", "x[0] = a.b = c, d = 1, 2"], ""),
    ],
)
def test_the_name_that_a_notebook_says_is_read_or_known_to_be_unread(cells, name):
    assert called_by(cells) == name


def test_somebody_who_is_not_in_the_roster_is_a_slip_where_questions_have_forms(tmp_path, capsys):
    root = class_of(tmp_path, ada=theirs("ada"), eve=theirs("eve")[1:])
    table = released(root, "student", "ada")
    for _ in range(2):  # also where it has its record
        assert graded(root, "--forms", table) == 1
        assert f"eve is not in {table}: the first forms count." in capsys.readouterr().err


def test_somebody_who_is_not_in_the_roster_is_no_slip_where_no_question_has_forms(
    class_of_three, capsys
):
    root = class_of_three
    (root / "submissions" / "broken.ipynb").unlink()
    table = released(root, "student", "ada")
    assert grade(root, "--forms", str(table)) == 0
    assert f"Zoë 🌟 is not in {table}" in capsys.readouterr().out


# Groups of Gradescope, folders of firth release, other names

GROUP = """submission_1:
  :submitters:
  - :name: Ada
    :sid: {}
    :email: ada@x.org
  - :name: Bob
    :sid: bob
"""


def grouped(root, *cells, first="ada"):
    """An export in which two have handed in together, and nobody else has."""
    export = root / "submissions" / "assignment_1_export"
    (export / "submission_1").mkdir(parents=True, exist_ok=True)
    (export / "submission_1" / "01_lsa.ipynb").write_text(notebook(*cells))
    (export / "submission_metadata.yml").write_text(GROUP.format(first))
    return root


@pytest.mark.parametrize("member", ["ada", "bob"])
def test_a_group_is_graded_in_the_forms_of_the_member_it_names(tmp_path, capsys, member):
    root = grouped(tmp_path, *theirs(member))
    table = released(root, "student", "ada", "bob", "eve")
    for _ in range(2):
        assert graded(root, "--forms", table) == 0
        (record,) = records(root).values()
        assert (record["owner"], record["score"]) == (member, PPMI.points)
        absent = [name for name, row in rows(root).items() if row["status"].startswith("nothing")]
        assert absent == ["eve"]
    explain = ["grade", "--explain", record["student"], "ppmi.1", "--out", str(root / "grades")]
    assert main([*explain, "--forms", str(table)]) == 0
    assert "It holds" in capsys.readouterr().out


def test_a_group_that_names_nobody_of_it_is_withheld(tmp_path, capsys):
    root = grouped(tmp_path, *theirs("eve"))
    table = released(root, "student", "ada", "bob", "eve")
    assert graded(root, "--forms", table) == 1
    assert 'says whose("eve"), and it was handed in by Ada & Bob' in capsys.readouterr().err


def test_a_group_is_known_by_any_member_of_the_roster(tmp_path):
    root = grouped(tmp_path, THEIRS.format("bob"), first="'9'")
    assert graded(root, "--forms", released(root, "student", "bob")) == 0
    assert found(root) == {"Ada & Bob": ("graded", PPMI.points)}


def test_the_folders_of_a_release_are_known_as_their_students(tmp_path):
    table = released(tmp_path, "student", "O'Brien", "ada")
    with table.open(encoding="utf-8", newline="") as file:
        folders = {row["student"]: row["folder"] for row in csv.DictReader(file)}
    assert folders["O'Brien"] != "O'Brien"
    known = owners(table)
    assert {owner(known, name, {}) for name in folders.values()} == {"O'Brien", "ada"}


def test_another_name_of_a_student_counts_where_its_forms_are_the_same(tmp_path, capsys):
    varying = [answer for answer in asked("01_lsa").answers if answer.forms]
    emails = [f"ada{n}@x.org" for n in range(60)]
    like = next(e for e in emails if forms_of(varying, e) == forms_of(varying, "ada"))
    unlike = next(e for e in emails if forms_of(varying, e) != forms_of(varying, "ada"))
    for email, status in ((like, 0), (unlike, 1)):
        root = class_of(tmp_path, ada=theirs("ada", email))
        assert graded(root, "--forms", released(root, "student,email", f"ada,{email}")) == status
        assert found(root)["ada"][0] == ("withheld" if status else "graded")
    assert f'whose("{unlike}"), another name of "ada" in the forms' in capsys.readouterr().err
