"""A question in several forms: each is judged as its own, and a student always has the same one."""

import doctest
import json
import re
import subprocess
import sys
from itertools import product

import numpy as np
import pytest
from answers import EXERCISES, FORMS, defined, definitions
from notebooks import COURSE, canonical
from parts import by_day

from firth.checks import check, hint, owner, questions, scores, whose
from firth.checks.claims import Exercise
from firth.checks.variants import Unmatched, forms_of, in_form, printed, spelled, variant_of
from firth.grading.release.handouts import handout

VARYING = {name: exercise for name, exercise in EXERCISES.items() if exercise.forms}
VARIED = [form for form in FORMS if form.name in VARYING]
NAMES = [f"{form.name}: {form.form}" for form in VARIED]
every_form = pytest.mark.parametrize("form", VARIED, ids=NAMES)
IDS = [f"student{n}@example.org" for n in range(10_000)]


def messages(form, answer, seed):
    return [verdict.message for verdict in form.judge(answer, seed) if not verdict.holds]


def siblings(form):
    return [other for other in VARIED if other.name == form.name and other is not form]


def who_has(*forms):
    """Somebody who has these forms of their questions."""
    for student in IDS:
        if all(variant_of(EXERCISES[f.name], student).form == f.form for f in forms):
            return student
    raise AssertionError(f"nobody has {forms}")


def blank(chapter):
    return json.loads((COURSE / "exercises" / f"{chapter}.ipynb").read_text(encoding="utf-8"))


@pytest.fixture
def nobody(monkeypatch):
    """What a fresh kernel knows of whose notebook it is, before and after."""
    monkeypatch.setitem(owner, "student", "")


# --- each form is a question of its own ------------------------------------------------------


def test_some_question_varies_and_each_form_has_its_name():
    assert VARYING and len(set(NAMES)) == len(NAMES)
    assert all(form.form and form.passages and not f.forms for form in VARIED for f in form.forms)


@every_form
def test_the_right_answer_of_another_form_fails_and_is_asked_which_one_is_wanted(form):
    questions_here = {question for _, question in form.mistakes}
    for seed in range(5):
        for other in siblings(form):
            said = messages(form, other.right, seed)
            assert questions_here & set(said), said


@every_form
def test_the_forms_of_a_question_weigh_the_same(form):
    first = EXERCISES[form.name]
    for trait in ("name", "chapter", "difficulty", "minutes", "points", "label"):
        assert getattr(form, trait) == getattr(first, trait)
    assert [claim.points for claim in form.claims] == [claim.points for claim in first.claims]
    assert len(form.passages) == len(first.passages) and len(form.hints) == 3


@pytest.mark.parametrize("form", [f for f in VARIED if f.name == "ppmi"], ids=lambda f: f.form)
def test_what_a_wrong_logarithm_makes_of_everything_is_worked_out(form):
    C, told = np.array([[1, 3], [2, 0]]), 0
    for mistake, question in form.mistakes:
        if "Everything is too" in question:
            told += 1
            with np.errstate(all="ignore"):
                ratio = mistake(C)[0, 1] / form.right(C)[0, 1]
            stated = float(re.search(r"(\d\.\d\d):", question)[1])
            assert ("large" in question) == (ratio > 1)
            assert round(ratio, 2) == stated or round(1 / ratio, 2) == stated
    assert told == 2


# --- the notebook says what is asked ---------------------------------------------------------


@every_form
def test_a_passage_stands_in_the_notebook_once(form):
    first = EXERCISES[form.name]
    for folder in ("exercises", "solutions"):
        path = COURSE / folder / f"{form.chapter}.ipynb"
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        sources = ["".join(cell["source"]) for cell in cells]
        for passage in first.passages:
            assert sum(source.count(passage) for source in sources) == 1, passage
        new = in_form(sources, [first], who_has(form))
        for passage, theirs in zip(first.passages, form.passages, strict=True):
            assert any(theirs in source for source in new)
            assert theirs == passage or not any(passage in source for source in new)
        assert (new == sources) == (form is first)


def test_without_a_name_the_notebook_stays_as_it_is():
    for chapter in {exercise.chapter for exercise in EXERCISES.values()}:
        sources = ["".join(cell["source"]) for cell in blank(chapter)["cells"]]
        theirs = [exercise for exercise in EXERCISES.values() if exercise.chapter == chapter]
        assert in_form(sources, theirs, "") == sources


def test_a_passage_that_is_missing_or_twice_is_an_error():
    (first, *_), student = VARIED, IDS[0]
    passages = list(first.passages)
    assert in_form(passages, [first], student)
    with pytest.raises(Unmatched, match=r"0 times instead of once"):
        in_form(passages[1:], [first], student)
    with pytest.raises(Unmatched, match=r"2 times instead of once"):
        in_form([*passages, passages[0]], [first], student)


def handed_out(chapter, student, tmp_path):
    """The exercise notebook of a student, as a file."""
    notebook = handout(blank(chapter), chapter, student)
    path = tmp_path / f"{chapter}.ipynb"
    path.write_text(canonical(json.dumps(notebook)), encoding="utf-8")
    return path


def varying(chapter):
    return [exercise for exercise in VARYING.values() if exercise.chapter == chapter]


@every_form
def test_the_examples_of_a_form_come_out(form, tmp_path):
    student, chapter = who_has(form), form.chapter
    promised = defined(definitions(handed_out(chapter, student, tmp_path)))
    mine = [variant_of(item, student) for item in EXERCISES.values() if item.chapter == chapter]
    names = promised | {item.name: item.right for item in mine}
    for item in mine:
        docstring = promised[item.name].__doc__
        example = doctest.DocTestParser().get_doctest(docstring, dict(names), item.name, None, 0)
        with np.printoptions(precision=8, suppress=False):
            result = doctest.DocTestRunner(verbose=False).run(example, out=lambda text: None)
        assert result.attempted and not result.failed, (item.name, docstring)


# One student has the first forms of all questions of a chapter, another one the last forms.
RUNS = [
    (chapter, n)
    for chapter in sorted({exercise.chapter for exercise in VARYING.values()})
    for n in range(max(len(exercise.forms) for exercise in varying(chapter)) + 1)
]


def forms_in(chapter, n):
    """The n-th form of each question of a chapter that varies, the last one where it has fewer."""
    choices = ((exercise, *exercise.forms) for exercise in varying(chapter))
    return [choice[min(n, len(choice) - 1)] for choice in choices]


def runs_by_day(chapter, n):
    """Where two questions of a chapter vary at once, neither in its first form."""
    return n == 1 and len(varying(chapter)) > 1


def test_every_form_stands_in_some_notebook_that_runs():
    assert {id(f) for run in RUNS for f in forms_in(*run)} == set(map(id, VARIED))


@pytest.mark.parametrize("chapter, n", by_day(RUNS, runs_by_day))
def test_a_notebook_with_forms_runs_and_asks_for_them(chapter, n, tmp_path):
    forms = forms_in(chapter, n)
    student = who_has(*forms)
    path = handed_out(chapter, student, tmp_path)
    tool = [sys.executable, COURSE / "tools" / "notebooks.py", path]
    done = subprocess.run(tool, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    ran = json.loads(path.read_text(encoding="utf-8"))
    said = "\n".join(
        "".join(output.get("data", {}).get("text/plain", ""))
        for cell in ran["cells"]
        for output in cell.get("outputs", [])
    )
    assert f"The questions that differ, as {student} has them:" in said
    for form in forms:
        assert f"  {form.name}: {form.form}" in said
        assert f"○ asked:   {form.claims[0].sentence}" in said


def test_an_array_is_printed_as_an_example_shows_it():
    with np.printoptions(precision=1):
        assert printed(np.array([0.25, 1.0])) == "array([0.25, 1.  ])"


# --- who has which ---------------------------------------------------------------------------


def question(name, forms):
    others = tuple(Exercise(name, "00", 1, 1, ("", "", ""), abs, form=str(n)) for n in range(forms))
    others[0].forms = others[1:]
    return others[0]


@pytest.mark.parametrize("forms", [2, 3, 4, 7])
@pytest.mark.parametrize("ids", [IDS, [str(n) for n in range(10_000)]], ids=["mail", "number"])
def test_the_forms_are_spread_evenly(forms, ids):
    drawn = [int(variant_of(question("even", forms), student).form) for student in ids]
    counts, expected = np.bincount(drawn, minlength=forms), len(ids) / forms
    square = ((counts - expected) ** 2 / expected).sum()
    assert square < {2: 10.83, 3: 13.82, 4: 16.27, 7: 22.46}[forms]  # one in a thousand


def test_one_question_says_nothing_about_another():
    first, second = question("first", 3), question("second", 3)
    table = np.zeros((3, 3))
    for student in IDS:
        table[int(variant_of(first, student).form), int(variant_of(second, student).form)] += 1
    expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0) / table.sum()
    assert ((table - expected) ** 2 / expected).sum() < 18.47


def test_a_student_has_the_same_form_for_ever():
    students = ("ada", "emmy@example.org", "007", "Åsa Ångström", "李")
    three, four = question("ppmi", 3), question("cooccurrence", 4)
    assert [variant_of(three, s).form for s in students] == PINNED_OF_THREE
    assert [variant_of(four, s).form for s in students] == PINNED_OF_FOUR


PINNED_OF_THREE = ["2", "0", "0", "2", "2"]
PINNED_OF_FOUR = ["0", "3", "3", "1", "3"]


def test_an_id_is_the_same_however_it_is_spelled():
    composed, in_pieces = "\u00c5sa", "A\u030asa"
    assert composed != in_pieces and spelled(composed) == spelled(in_pieces)
    assert spelled(" Ada ") == spelled("ADA") == "ada"
    for a, b in product(("STRASSE",), ("straße",)):
        assert spelled(a) == spelled(b)


@pytest.mark.parametrize("wrong", [7, None, b"ada", ["ada"]])
def test_an_id_that_is_not_text_is_asked_for_in_quotes(wrong, nobody):
    with pytest.raises(TypeError, match="in quotes"):
        whose(wrong)
    assert owner["student"] == ""


def test_an_empty_id_is_nobodys(nobody):
    with pytest.raises(ValueError, match="Whose notebook"):
        whose("  ")
    assert all(variant_of(form, "") is form for form in VARYING.values())


def test_the_record_names_the_forms():
    student = who_has(VARYING["ppmi"].forms[0])
    named = forms_of(EXERCISES.values(), student)
    assert named["ppmi"] == "base 2" and set(named) == set(VARYING)


# --- in the notebook -------------------------------------------------------------------------


@every_form
def test_check_and_hint_and_scores_ask_the_form_of_whoever_is_named(form, nobody):
    def answer(*inputs):
        return form.right(*inputs)

    answer.__name__ = form.name
    student = who_has(form)
    assert f"  {form.name}: {form.form}" in repr(whose(student))
    full = f"{form.points} of {form.points} points"
    assert repr(check(answer)).startswith(f"{form.name}: {full}")
    assert form.hints[1] in repr(hint(form.name, 2))
    assert repr(scores(answer)).endswith(f"{form.points} of {form.points}")
    for other in siblings(form):
        whose(who_has(other))
        assert full not in repr(check(answer))


def test_without_a_name_the_first_form_is_asked(nobody):
    for form in VARYING.values():
        assert form.hints[2] in repr(hint(form.name, 3))
    assert set(map(id, VARYING.values())) <= set(map(id, questions().values()))
