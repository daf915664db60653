"""What a class did not understand: every claim, how often it failed, and with which mistake."""

import csv
import re

from firth.checks import questions
from firth.grading.results.class_page import BAR, page
from firth.grading.results.class_table import Outcome, class_table
from firth.grading.results.publish import publish
from firth.grading.results.record import Grades
from tests.grading.test_command import class_of_three, grade, records
from tests.grading.test_sheets import claim, graded

__all__ = ["class_of_three"]
NO_Y = "You divide by the length of x."
ADDED = "1e-12 added or 1e-10 added or 1e-09 added or another"


def failed(question, mistake="", status="fails", **more):
    return claim("b", 2, False, question) | {"status": status, "mistake": mistake} | more


def a_class():
    """Ten students: 4 pass, 3 share a mistake, and one each stops, waits and has nothing."""
    outcomes = [claim("b", 2)] * 4 + [failed(NO_Y, "no y")] * 3
    outcomes += [failed("ValueError — in your line `x = MINE`", status="stopped")]
    outcomes += [failed("With a right `f` this would hold.", follows=["f"])]
    outcomes += [failed("", status="blank")]
    found = [graded(f"s{n}", claim("a"), each) for n, each in enumerate(outcomes)]
    # One who has handed in twice counts once, and one whose file is no notebook not at all.
    found += [graded("s0", claim("a"), failed("?"), file="earlier.ipynb")]
    return [*found, graded("s10", status="unreadable", notes=["?"])]


def test_each_check_has_its_numbers():
    first, second = class_table(a_class())
    assert (first.name, first.passed, first.students) == ("cosine.1", 10, 10)
    assert (second.name, second.claim, second.passed, second.not_written) == ("cosine.2", "b", 4, 1)
    assert second.outcomes == {
        Outcome("passed"): 4,
        Outcome("fails", "no y", NO_Y): 3,
        Outcome("stopped", "", "ValueError"): 1,
        Outcome("follows", "", "With a right `f` this would hold."): 1,
        Outcome("blank"): 1,
    }


def test_the_forms_of_a_question_are_one_check():
    forms = ["base 2", "base 10", "base 10"]
    (check,) = class_table([graded(f"s{n}", claim(form)) for n, form in enumerate(forms)])
    assert (check.claim, check.passed, check.students) == ("base 10", 3, 3)


def test_the_sheet_and_the_page_say_the_same_and_name_no_student(tmp_path):
    publish(Grades(tmp_path), a_class(), {})
    with (tmp_path / "checks.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    (mine,) = [row for row in rows if row["mistake"] == "no y"]
    shown = mine["check"], mine["students"], mine["of"], mine["question"]
    assert shown == ("cosine.2", "3", "10", NO_Y)
    assert sum(int(row["students"]) for row in rows if row["check"] == "cosine.2") == 10
    text = (tmp_path / "checks.html").read_text()
    assert "What 10 students can do" in text and "4 of 10 passed" in text
    assert f'<span class="count">3</span> (no y): {NO_Y}' in text
    for shown in (text, (tmp_path / "checks.csv").read_text()):
        assert not re.search(r"\bs\d\b|MINE", shown)
    assert "<script" not in text and "default-src 'none'" in text


def test_the_bars_are_as_long_as_the_shares_of_the_class():
    text = page(class_table(a_class()), "01_lsa")
    bars = re.findall(r'<rect class="(\w+)" x="[\d.]+" y="66" width="([\d.]+)"', text)
    widths = {kind: float(width) for kind, width in bars}
    assert widths == {"passed": 0.4 * BAR, "failed": 0.5 * BAR, "blank": 0.1 * BAR}
    assert 'aria-label="A bar for each check. cosine.1: 10 of 10 passed; cosine.2: 4 of 10' in text


def test_words_of_a_question_are_text_on_the_page():
    text = page(class_table([graded("ada", failed("<img src=x>", "<b>"))]), "01_lsa")
    assert "<img" not in text and "&lt;img src=x&gt;" in text and "<b>" not in text


def test_a_mistake_is_known_by_its_question_and_several_that_share_one_are_named_together():
    cosine = questions()["cosine"]
    named = dict(zip(cosine.mistake_names, cosine.mistakes, strict=True))
    assert cosine.mistakes_asked(named["dot product"][1]) == "dot product"
    assert cosine.mistakes_asked(named["1e-12 added"][1]) == ADDED
    softmax = questions()["softmax"]
    assert all(softmax.mistakes_asked(question) for _, question in softmax.mistakes)


def test_a_record_keeps_the_name_of_the_mistake(class_of_three):
    root = class_of_three
    checks = (root / "checks" / "mine.py").read_text()
    square = 'double.mistakes = [(lambda x: x * x, "Is 3 doubled 9?")]\n'
    checks = checks.replace("double.agrees", square + "double.agrees", 1)
    (root / "checks" / "mine.py").write_text(checks)
    grade(root, "--quiet")
    found = records(root)["Zoë 🌟"]["answers"][0]["claims"]
    mistakes = [(each["message"], each["mistake"]) for each in found]
    assert mistakes == [("Is 3 doubled 9?", "mistake 1"), ("", "")]
