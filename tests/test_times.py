"""The seconds of each file of tests: measured whole, kept apart by day and night, and shown."""

import json
from types import SimpleNamespace

import pytest
import slowest
import times

OPTIONS = {"keyword": "", "part": "1/1", "night": False}


@pytest.fixture
def record(tmp_path, monkeypatch):
    """An empty record, in which files of tests that are there may stand."""
    monkeypatch.setattr(times, "COURSE", tmp_path)
    monkeypatch.setattr(times, "RECORD", tmp_path / "times.json")
    for name in ("test_a.py", "test_b.py"):
        (tmp_path / name).write_text("")
    return tmp_path / "times.json"


def run(reports, exitstatus=0, arguments=(), **options):
    """What is stored after a run in which these tests took so many seconds."""
    config = SimpleNamespace(
        getoption=(OPTIONS | options).get, args=arguments, getini={"testpaths": ["tests"]}.get
    )
    recorder = times.Recorder(config)
    for nodeid, seconds in reports:
        recorder.pytest_runtest_logreport(SimpleNamespace(nodeid=nodeid, duration=seconds))
    recorder.pytest_sessionfinish(exitstatus)
    return times.stored()


def test_what_the_tests_of_a_file_take_is_added_up_by_day_and_by_night(record):
    run([("test_a.py::test_1", 1.0), ("test_a.py::test_2[x]", 2.5), ("test_b.py::test_1", 1.0)])
    stored = run([("test_a.py::test_3", 9.0)], night=True)
    assert stored == {"test_a.py": {"day": 3.5, "night": 9.0}, "test_b.py": {"day": 1.0}}
    assert json.loads(record.read_text()) == stored


def test_a_file_that_is_measured_again_has_its_new_seconds_and_one_that_is_gone_has_none(record):
    run([("test_a.py::test_1", 1.0), ("test_b.py::test_1", 1.0)])
    (record.parent / "test_a.py").unlink()
    assert run([("test_b.py::test_1", 2.0)]) == {"test_b.py": {"day": 2.0}}


def test_a_file_that_moves_to_the_night_leaves_the_day_when_all_tests_are_measured(record):
    run([("test_a.py::test_1", 50.0), ("test_b.py::test_1", 1.0)])
    run([("test_a.py::test_1", 50.0)], night=True)
    assert run([("test_b.py::test_1", 2.0)])["test_a.py"] == {"day": 50.0, "night": 50.0}
    stored = run([("test_b.py::test_1", 2.0)], arguments=["tests"])
    assert stored == {"test_a.py": {"night": 50.0}, "test_b.py": {"day": 2.0}}


def test_a_run_that_was_interrupted_stores_nothing(record):
    assert run([("test_a.py::test_1", 1.0)], exitstatus=2) == {}


@pytest.mark.parametrize(
    "wish", [{"keyword": "x"}, {"part": "1/4"}, {"arguments": ["test_a.py::test_1"]}]
)
def test_a_part_of_a_file_is_not_measured(record, wish):
    with pytest.raises(pytest.UsageError, match="whole files"):
        run([], **wish)


def test_contributing_shows_what_was_measured():
    text = slowest.PAGE.read_text(encoding="utf-8")
    assert slowest.page(text) == text, "run python tools/slowest.py"


def test_a_page_without_the_two_marks_is_refused():
    with pytest.raises(SystemExit, match="needs the lines"):
        slowest.page("# A page")
