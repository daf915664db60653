"""What an instructor's terminal shows: no student can write to the clipboard or hide a line."""

import json
import unicodedata
import zipfile

import pytest
from notebooks import COURSE

from firth.__main__ import main
from firth.grading import command
from firth.grading.release import release
from firth.grading.run.outcome import Outcome, told

# Clipboard, title, a cleared screen, in one byte and in two; a backspace; a turned line.
EVIL = "\x1b]52;c;ZXZpbA==\x07\x1b]0;title\x07\x1b[2J\x9b31m\x08\r\x7f\u202eevil\u2066"
CHECKS = """
from firth.checks.claims import Exercise

double = Exercise("double", "00_tests", 1, 1, ("Look.", "Think.", "Write."), lambda x: 2 * x)
double.agrees("is twice the number", "Twice?", lambda rng: [(rng.normal(),)], points=3)
"""
NAME = EVIL.replace("/", "")


def notebook(source):
    cell = {"cell_type": "code", "source": source, "metadata": {}, "outputs": []}
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


@pytest.fixture
def hand_ins(tmp_path):
    """Files of students who write control characters wherever they may write anything."""
    (tmp_path / "checks").mkdir()
    (tmp_path / "checks" / "mine.py").write_text(CHECKS)
    place = tmp_path / "submissions"
    place.mkdir()
    raises = f"def double(x):\n    raise ValueError({EVIL!r})  # {EVIL[:-1]}".replace("\r", "")
    (place / "eve.ipynb").write_text(notebook(raises))
    (place / f"{NAME}.ipynb").write_text(notebook("def double(x):\n    return 2 * x\n\n" * 9))
    (place / f"broken {NAME}.ipynb").write_text("{")
    with zipfile.ZipFile(place / "more.zip", "w") as archive:
        archive.writestr(f"{NAME}/a.ipynb", notebook("def double(x):\n    return 2 * x\n\n" * 9))
        people = f"submission_1:\n  :submitters:\n  - :name: {EVIL}"
        archive.writestr("submission_metadata.yml", people)
    return tmp_path


def graded(root, *more):
    words = ["grade", "00_tests", str(root / "submissions"), "--checks", str(root / "checks")]
    return main([*words, "--out", str(root / "grades"), "--jobs", "1", *more])


def dangerous(captured):
    """The control characters of what was said, but for those that rewrite a line of progress."""
    text = (captured.out + captured.err).replace("\r\x1b[K", "")
    assert text
    kinds = {f"U+{ord(letter):04X}": unicodedata.category(letter) for letter in {*text} - {*"\n\t"}}
    return [letter for letter, kind in kinds.items() if kind in ("Cc", "Cf")]


def test_grading_and_explaining_obey_no_control_character(hand_ins, capsys):
    pytest.importorskip("copydetect")
    assert graded(hand_ins, "--overlap") == 1
    assert not dangerous(capsys.readouterr())
    main(["grade", "--explain", "eve", "double.1", "--checks", str(hand_ins / "checks"),
          "--out", str(hand_ins / "grades")])  # fmt: skip
    said = capsys.readouterr()
    assert "⟨U+001B⟩" in said.out and "evil" in said.out
    assert not dangerous(said)
    main(["grade", "--explain", NAME, "double.1", "--out", str(hand_ins / "grades")])
    assert not dangerous(capsys.readouterr())


def test_a_fault_of_the_grader_obeys_no_control_character(hand_ins, capsys, monkeypatch):
    def fails(*_, **__):
        raise ValueError(EVIL)

    monkeypatch.setattr(command, "class_graded", fails)
    assert graded(hand_ins) == 3
    assert not dangerous(capsys.readouterr())


@pytest.mark.parametrize("terminal", [False, True])
def test_who_is_under_way_is_named_without_control_characters(capsys, monkeypatch, terminal):
    monkeypatch.setattr("sys.stderr.isatty", lambda: terminal)
    monkeypatch.setattr("firth.grading.run.outcome.WORRYING", -1)
    monkeypatch.setattr("firth.grading.run.outcome.LIVELY", -1)
    with pytest.raises(KeyboardInterrupt), told(9, Outcome(), quiet=False) as tell:
        tell([f"{EVIL}.ipynb", *(f"{n}.ipynb" for n in range(5))])
        raise KeyboardInterrupt
    said = capsys.readouterr()
    assert said.err.count("0.ipynb, 1.ipynb, 2.ipynb and 2 more") == 2
    assert not dangerous(said)


def test_releasing_obeys_no_control_character(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    (tmp_path / "roster.csv").write_text(f"student\nada\n{EVIL.replace(chr(13), '')}\n")
    monkeypatch.setattr(release, "leaks", lambda *_: [EVIL])
    words = ["release", "--course", str(COURSE), "--out", str(tmp_path / "out")]
    assert main([*words, "--students", str(tmp_path / "roster.csv"), "--exercise", "01_lsa"]) == 2
    assert not dangerous(capsys.readouterr())
    assert main([*words, "--students", str(tmp_path / f"{NAME}.csv")]) == 2
    assert not dangerous(capsys.readouterr())
