"""Which tests run by day, which at night, and which of them in one of several parts.

`make test` is the day: every test that is not marked `night`. `make night` is `pytest --night` and
runs the marked ones. With `--part=2/4`, either runs the second of four parts, chosen by a hash of
the test's id: the parts together are the whole, and a new test moves no other one.
"""

import re
import zlib
from collections.abc import Callable, Iterable

import pytest

NIGHT = "night: runs in `make night`, not in `make test`"


def by_day(cases: Iterable, chosen: Callable[..., bool]) -> list:
    """Parameters of a test: the chosen cases run by day, the others at night.

    A case of several parameters is a tuple, as pytest has it.

    >>> by_day(["short", "long"], lambda name: name == "short")[1].marks[0].name
    'night'
    """
    tuples = [case if isinstance(case, tuple) else (case,) for case in cases]
    return [
        pytest.param(*case, marks=[] if chosen(*case) else [pytest.mark.night]) for case in tuples
    ]


def part(nodeid: str, number: int, parts: int) -> bool:
    """Whether a test belongs to a part, counted from 1; the cells of a notebook stay together.

    >>> [part("tests/modules/lsa/test_lsa.py::test_signs", n, 4) for n in (1, 2, 3, 4)].count(True)
    1
    """
    file = nodeid.partition("::")[0]
    whole = file if file.endswith(".ipynb") else nodeid
    return zlib.crc32(whole.encode()) % parts == number - 1


def fraction(text: str) -> tuple[int, int]:
    """The number of a part, and of how many.

    >>> fraction("3/4")
    (3, 4)
    """
    match = re.fullmatch(r"(\d+)/(\d+)", text)
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise pytest.UsageError(f"{text!r} is no part: write 1/4, 2/4, 3/4 or 4/4.")
    return int(match[1]), int(match[2])


def add_options(parser) -> None:
    """Add `--night` and `--part` to pytest's options."""
    parser.addoption("--night", action="store_true", help="run the tests that are marked `night`")
    parser.addoption("--part", default="1/1", metavar="K/N", help="run the K-th of N parts only")


def told(config) -> str:
    """What of the tests runs, in one line for the report."""
    time, other = ("night", "day") if config.getoption("night") else ("day", "night")
    number, parts = fraction(config.getoption("part"))
    some = f"part {number} of {parts} of" if parts > 1 else "all of"
    return f"tests: {some} the {time}, none of the {other}"


def selected(config, items: list) -> tuple[list, list]:
    """The items that run, and the others."""
    night, share = config.getoption("night"), fraction(config.getoption("part"))
    run, left = [], []
    for item in items:
        runs = bool(item.get_closest_marker("night")) == night and part(item.nodeid, *share)
        (run if runs else left).append(item)
    return run, left
