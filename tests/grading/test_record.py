"""Records: whole or not at all, one a submission, nowhere but in their folder."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from notebooks import COURSE

from firth.grading.results.record import FolderError, Grades, fingerprint, fits, key, place

TEXT = st.text(st.characters(codec=None), max_size=80)  # half characters included
RECORD = {
    "format": 1,
    "exercise": "01_lsa",
    "student": "ada",
    "file": "ada.ipynb",
    "sha256": "00",
    "status": "graded",
    "notes": [],
    "score": 1,
    "points": 2,
    "answers": [],
    "written": [],
    "cells": [],
}


def record(**changes):
    return RECORD | changes


@given(TEXT, TEXT)
def test_a_key_is_a_safe_file_name_whatever_the_names(student, name):
    safe = key(student, name)
    assert len(safe.encode()) < 100
    assert not set(safe) & set('/\\:*?"<>|\0\n ') and not safe.startswith((".", "-"))
    assert safe.isprintable() and safe == key(student, name)


@pytest.mark.parametrize(
    "student",
    [
        "../../etc/passwd",
        "/etc/passwd",
        "..",
        ".",
        "",
        "a\0b",
        "x" * 4000,
        "é" * 4000,
        "CON",
        "nul.",
        "\ud800",
        "C:\\x",
        "\u202eada",
        "-rf",
        "🦉",
        "阿达",
    ],
)
def test_nothing_is_written_outside_the_folder(tmp_path, student):
    grades = Grades(tmp_path / "a" / "b" / "grades")
    path = grades.write(record(student=student))
    assert path.resolve().parent == (grades.folder / "records").resolve()
    assert [p for p in tmp_path.rglob("*") if p.is_file()] == [path]
    assert grades.read()[0]["student"] == student
    windows = {"con", "nul", "aux", "prn"}
    assert path.name.partition(".")[0].lower() not in windows


def test_names_that_a_file_system_may_confuse_get_different_keys():
    names = ["Ada", "ada", "ADA", "é", "e\u0301", "a/b", "a-b", "a b"]
    assert len({key(name, "x").casefold() for name in names}) == len(names)
    assert key("a", "bc") != key("ab", "c") and key('a", "b', "c") != key("a", 'b", "c')


@given(st.lists(st.tuples(TEXT, TEXT, TEXT), unique_by=lambda t: t[:2], max_size=5))
def test_what_is_read_is_what_was_written_by_student_and_file(tmp_path_factory, names):
    grades = Grades(tmp_path_factory.mktemp("grades"))
    written = [record(student=a, file=b, extra={"x": c}) for a, b, c in names]
    for each in written:
        grades.write(each)
    assert grades.read(pytest.fail) == sorted(written, key=lambda r: (r["student"], r["file"]))


def test_writing_again_replaces(tmp_path):
    grades = Grades(tmp_path)
    grades.write(record(score=1))
    grades.write(record(score=2))
    assert [each["score"] for each in grades.read()] == [2]


@pytest.mark.parametrize(
    "data, why",
    [
        (b"", "damaged"),
        (b'{"format": 1, "exerc', "damaged"),
        (b"\xff\xfe\x00", "damaged"),
        (b"[" * 100_000, "damaged"),
        (b"[1]", "no record"),
        (b'{"format": true}', "no record"),
        (b'{"format": 2}', "another version"),
        (b'{"format": 1}', "lacks"),
        (json.dumps(RECORD | {"score": float("nan")}).encode(), "lacks"),
        (json.dumps(RECORD | {"score": 10**400}).encode(), "lacks"),
        (json.dumps(RECORD | {"answers": [{"name": "x"}]}).encode(), "lacks"),
        (json.dumps(RECORD).encode(), "name of another"),
    ],
)
def test_a_damaged_or_foreign_file_is_named_in_one_sentence_and_left_out(tmp_path, data, why):
    grades, said = Grades(tmp_path), []
    grades.write(record())
    (grades.records / "other.json").write_bytes(data)
    (grades.records / "notes.txt").write_text("mine")
    assert grades.read(said.append) == [record()]
    assert len(said) == 1 and why in said[0] and "other.json" in said[0]


def test_a_folder_in_the_place_of_a_record_is_named_as_well(tmp_path):
    grades, said = Grades(tmp_path), []
    (grades.records / "x.json").mkdir(parents=True)
    assert grades.read(said.append) == [] and "cannot be read" in said[0]


def test_done_means_graded_in_the_same_way(tmp_path):
    grades = Grades(tmp_path)
    same = {"sha256": "00", "exercise": "01_lsa", "seed": "5"}
    assert not grades.done("ada", "ada.ipynb", **same)
    grades.write(record(seed="5"))
    assert grades.done("ada", "ada.ipynb", **same)
    for name in same:
        assert not grades.done("ada", "ada.ipynb", **same | {name: "6"})
    assert not grades.done("eve", "ada.ipynb", **same)
    for status in ("not graded", "withheld"):
        grades.write(record(seed="5", status=status))
        assert not grades.done("ada", "ada.ipynb", **same)
    grades.path("ada", "ada.ipynb").write_bytes(b"{")
    assert not grades.done("ada", "ada.ipynb", **same)


def test_a_fingerprint_is_short_and_tells_apart():
    assert len(fingerprint(b"a")) == 12 and fingerprint(b"a") != fingerprint(b"b")


def test_a_true_is_no_number_and_more_than_asked_does_no_harm():
    assert (
        not fits(True, float) and fits({"a": 1, "b": 2}, {"a": int}) and not fits([1, "a"], [int])
    )


def program(code, *arguments):
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=COURSE,
    )


WRITES_FOR_EVER = """
import sys
from firth.grading.results.record import Grades
grades = Grades(sys.argv[1])
with grades.lock():
    n = 0
    print("begun", flush=True)
    while True:
        n += 1
        grades.write(%r | {"score": n, "detail": "x" * 3_000_000})
"""


def test_a_writer_killed_in_the_middle_leaves_a_whole_record_and_a_free_folder(tmp_path):
    grades = Grades(tmp_path)
    for wait in (0.02, 0.05, 0.08, 0.11, 0.14):
        grades.write(record(score=0))
        with program(WRITES_FOR_EVER % RECORD, tmp_path) as writer:
            writer.stdout.readline()
            time.sleep(wait)
            os.kill(writer.pid, signal.SIGKILL)
        assert [each["student"] for each in grades.read(pytest.fail)] == ["ada"]
    with grades.lock():
        left = [path.name for path in tmp_path.rglob("*") if path.is_file()]
    assert sorted(left) == sorted(["lock", grades.path("ada", "ada.ipynb").name])


HOLDS = """
import os, sys, time
from firth.grading.results.record import Grades
with Grades(sys.argv[1]).lock():
    if sys.argv[2] == "child" and os.fork():
        os._exit(0)
    print("held", flush=True)
    time.sleep(20)
"""


def test_a_second_grader_is_told_who_is_at_work(tmp_path):
    with program(HOLDS, tmp_path, "self") as holder:
        holder.stdout.readline()
        try:
            with (
                pytest.raises(FolderError, match=f"process {holder.pid}.* --out"),
                Grades(tmp_path).lock(),
            ):
                pytest.fail("two at once")
        finally:
            holder.kill()
    with Grades(tmp_path).lock():
        assert (tmp_path / "lock").read_text() == str(os.getpid())


def test_a_child_that_outlives_the_grader_does_not_keep_the_lock(tmp_path):
    with program(HOLDS, tmp_path, "child") as holder:
        holder.stdout.readline()
        holder.wait()
        with Grades(tmp_path).lock():
            pass
        holder.stdout.close()


def test_a_folder_that_cannot_be_used_is_named_in_a_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(FolderError, match="choose another"), Grades(tmp_path / "file").lock():
        pytest.fail("a file is no folder")
    with pytest.raises(FolderError, match="cannot be written"):
        Grades(tmp_path / "file").write(record())


def test_a_write_that_fails_leaves_the_old_file_and_no_other(tmp_path, monkeypatch):
    path = place(tmp_path / "a.csv", "old")
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left")))
    with pytest.raises(FolderError, match="No space left"):
        place(path, "new", durable=True)
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


def test_a_link_in_the_place_of_a_file_is_replaced_and_not_followed(tmp_path):
    (tmp_path / "mine").write_text("mine")
    (tmp_path / "a.csv").symlink_to(tmp_path / "mine")
    place(tmp_path / "a.csv", "new")
    assert (tmp_path / "mine").read_text() == "mine" and (tmp_path / "a.csv").read_text() == "new"
