"""How many seconds each file of tests takes: measured by `pytest --times`, stored, and read again.

`make times` runs day and night and stores both. The longest files start first because of what is
stored here, `make quick` chooses by it, and CONTRIBUTING shows the twenty slowest files.
"""

import json
from collections import defaultdict
from pathlib import Path

import pytest

COURSE = Path(__file__).parent.parent
RECORD = Path(__file__).with_suffix(".json")


def stored() -> dict[str, dict[str, float]]:
    """The seconds of each file by day and at night, of those files that are still there."""
    record = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    return {file: seconds for file, seconds in record.items() if (COURSE / file).exists()}


def seconds_of(time: str) -> dict[str, float]:
    """The seconds of each file, by `day` or at `night`."""
    return {file: seconds.get(time, 0.0) for file, seconds in stored().items()}


def file_of(nodeid: str) -> str:
    """The file of a test.

    >>> file_of("tests/test_lsa.py::test_signs[1]")
    'tests/test_lsa.py'
    """
    return nodeid.partition("::")[0]


class Recorder:
    """A plugin that adds up what the tests of each file take, their fixtures included."""

    def __init__(self, config):
        some = [name for name in config.args if "::" in name]
        if some or config.getoption("keyword") or config.getoption("part") != "1/1":
            raise pytest.UsageError("--times measures whole files: leave out ::, -k and --part.")
        self.time = "night" if config.getoption("night") else "day"
        self.all = config.args == config.getini("testpaths")
        self.seconds = defaultdict(float)

    def pytest_runtest_logreport(self, report):
        self.seconds[file_of(report.nodeid)] += report.duration

    def pytest_sessionfinish(self, exitstatus):
        if exitstatus not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
            return  # not all has run
        record = stored()
        for seconds in record.values() if self.all else ():
            seconds.pop(self.time, None)  # it may have moved from day to night
        for file, seconds in self.seconds.items():
            record.setdefault(file, {})[self.time] = round(seconds, 1)
        text = json.dumps({file: record[file] for file in sorted(record) if record[file]}, indent=1)
        RECORD.write_text(text + "\n", encoding="utf-8")


def add_options(parser) -> None:
    """Add `--times` to pytest's options."""
    parser.addoption("--times", action="store_true", help=f"store seconds by file in {RECORD.name}")


def configured(config) -> None:
    """Measure, if that is asked for; with several workers, where their reports arrive."""
    if config.getoption("times") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Recorder(config))
