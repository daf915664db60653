"""No regular expression that reads what a student has handed in takes the square of its length.

The patterns are found in the grader's own source, so a new one is timed from its first day on. The
inputs are found in the pattern. For each part that may repeat there is a text that leads to it,
then many characters, then an end that does not fit: a pattern that backtracks takes longest there.
"""

import ast
import importlib
import json
import re
import time
from contextlib import suppress
from itertools import count, product
from pathlib import Path
from re import _compiler, _parser

import pytest
from notebooks import COURSE

import firth.checks
import firth.grading
from firth.grading.inbox.notebook import Unreadable, notebook
from firth.grading.inbox.replay import LONG, replayed, tree_of
from firth.grading.inbox.students import people
from firth.grading.results.cells import cell
from firth.grading.results.inert import said
from firth.grading.supervisor.loading import imported

RULE = "rule"  # the instructor's own, searched in paths of which none is long
RELEASE = {"leaks.py", "pages.py"}  # these read the course's own files, before a student has them
# What a pattern is put together from, where it is used.
NAMES = {"exercise": "01_lsa", "blanks": r"(?:(?<![-_ ])[-_ ]+)?"}
METHODS = {"search", "match", "fullmatch", "findall", "finditer", "split", "sub"}
LETTERS = "a1_-./:`'\"=%!?,*# \n\t\\"
ENDS = ("", "!", "/", "x", "\n!")
LENGTH = 1_000
MOST = 8  # times as long for four times as much; the square would be 16 times
SOON = 0.005  # seconds, below which a ratio says nothing


def nodes():
    """Every piece of the grader's source, with its module."""
    for package in (firth.grading, firth.checks):
        for path in sorted(Path(package.__file__).parent.rglob("*.py")):
            if path.name not in RELEASE:
                parts = path.relative_to(COURSE).with_suffix("").parts
                module = ".".join(parts).removesuffix(".__init__")
                for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                    yield module, node


NODES = list(nodes())


def is_of_re(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "re"


def used(call: ast.Call) -> set[str]:
    """The methods that are called of a pattern; of a compiled one, wherever its name stands."""
    if call.func.attr != "compile":
        return {call.func.attr}
    assigned = (n for _, n in NODES if isinstance(n, ast.Assign) and n.value is call)
    name = next((node.targets[0].id for node in assigned), "pattern")
    found = (n for _, n in NODES if isinstance(n, ast.Attribute) and n.attr in METHODS)
    return {n.attr for n in found if name in (getattr(n.value, a, "") for a in ("id", "attr"))}


def patterns():
    """Each pattern of the grader by its place, and the way in which it is used."""
    for module, node in NODES:
        assert not (isinstance(node, ast.ImportFrom) and node.module == "re"), "write re.compile(…)"
        if not (isinstance(node, ast.Call) and is_of_re(node.func)) or node.func.attr == "escape":
            continue
        if ast.unparse(node.args[0]) == RULE:
            continue
        known = vars(importlib.import_module(module)) | NAMES
        pattern = eval(ast.unparse(node.args[0]), known)  # a name that is missing belongs in NAMES
        flags = [n.attr for n in ast.walk(node) if is_of_re(n) and n.attr.isupper()]
        compiled = re.compile(pattern, sum(getattr(re, flag) for flag in flags))
        methods = used(node)
        assert methods, f"{module}: {pattern} is used nowhere"
        for method in {m if m in ("match", "fullmatch") else "finditer" for m in methods}:
            yield f"{module.rpartition('.')[2]}:{node.lineno}:{method}", (compiled, method)


PATTERNS = dict(patterns())


def fitting(parts, flags: int) -> str:
    """A short text that these parts of a pattern match."""
    text = ""
    for kind, what in parts:
        match str(kind):
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                text += fitting(what[2], flags) * what[0]
            case "SUBPATTERN":
                text += fitting(what[3], flags)
            case "BRANCH":
                text += fitting(what[1][0], flags)
            case "LITERAL":
                text += chr(what)
            case "IN" | "ANY" | "NOT_LITERAL":
                one = _compiler.compile(_parser.SubPattern(_parser.State(), [(kind, what)]), flags)
                text += next(filter(one.fullmatch, [*LETTERS, *map(chr, range(0x3000))]))
    return text


def repeats(parts, before: str, flags: int):
    """For each part that may repeat, a text that leads to it, and one that it matches once."""
    for part in parts:
        kind, what = part
        match str(kind):
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                yield before, fitting(what[2], flags)
                inner = [what[2]]
            case "SUBPATTERN":
                inner = [what[3]]
            case "ASSERT" | "ASSERT_NOT" | "BRANCH":
                inner = what[1] if isinstance(what[1], list) else [what[1]]
            case _:
                inner = []
        for each in inner:
            yield from repeats(each, before, flags)
        before += fitting([part], flags)


def adversaries(pattern: re.Pattern):
    """Texts that take a pattern long, as beginning, middle and end: the middle is repeated."""
    text = (
        pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    )
    flags = pattern.flags & ~re.UNICODE
    found = {*repeats(_parser.parse(text, flags), "", flags)}
    starts = {"", *(before for before, _ in found)}
    middles = {*LETTERS, *starts, *(once for _, once in found)} - {""}
    return product(sorted(starts), sorted(middles), ENDS)


def seconds(read, text, times: int = 1) -> float:
    """Processor time of this thread alone, the best of several: other programs do not count."""
    best = float("inf")
    for _ in range(times):
        began = time.thread_time()
        read(text)
        best = min(best, time.thread_time() - began)
    return best


def is_slow(read, start: str, middle: str, end: str, length: int) -> bool:
    """Whether four times as much takes more than a straight line allows."""
    short, long = (f"{start}{middle * (n // len(middle))}{end}" for n in (length, 4 * length))
    if (first := seconds(read, short)) < 10 * SOON and seconds(read, long) < SOON:
        return False
    if first > 100 * SOON and seconds(read, short) > 100 * SOON:
        return True  # the long one could take minutes; the first time something may be imported
    return seconds(read, long, 3) > max(SOON, MOST * seconds(read, short, 3))


@pytest.mark.parametrize("place", PATTERNS)
def test_a_pattern_takes_no_more_than_its_input_is_longer(place):
    pattern, method = PATTERNS[place]

    def read(text):
        data = text if isinstance(pattern.pattern, str) else text.encode("latin-1")
        found = getattr(pattern, method)(data)
        return list(found) if method == "finditer" else found

    slow = [case for case in adversaries(pattern) if is_slow(read, *case, LENGTH)]
    assert not slow, (pattern.pattern, slow[:3])


def as_file(text: str) -> None:
    with suppress(Unreadable):
        notebook(text.encode())


def as_cells(text: str, kind: str) -> None:
    cell = {"cell_type": kind, "source": text}
    replayed(notebook(json.dumps({"cells": [MARKED, cell]}).encode()).code, ["cosine"])


READERS = {
    "a file": as_file,
    "a text": lambda text: as_cells(text, "markdown"),
    "code": lambda text: as_cells(f"cosine = {next(ANEW)} {text}", "code"),
    "metadata": people,
    "a page": said,
    "a sheet": cell,
    "imports": lambda text: imported(text.encode()),
}
ANEW = count()  # each cell is another one, for the grader remembers what it has parsed
MARKED = {"cell_type": "markdown", "source": "**Your answer** (`explain_lsa`)"}
WORDS = (
    "import ",
    "<<<<<<< \n",
    "**Your answer**",
    "rubric('",
    "write your answer here_",
    ":name:",
)


@pytest.mark.parametrize("reader", READERS)
def test_what_reads_a_submission_takes_no_more_time_than_it_is_longer(reader):
    cases = [(start, middle, "x") for start in ("", "a\n") for middle in (*LETTERS, *WORDS)]
    slow = [case for case in cases if is_slow(READERS[reader], *case, 10_000)]
    assert not slow, slow[:3]


@pytest.mark.parametrize("start", ["", "a\n", "%a\n", "a = !", "a?\n"])
def test_a_cell_of_magics_is_soon_read(start):
    lines = ("x = !a\n", "x = %a\n", "%a\n", ",f a\n", "/f a\n", "a?\n", *LETTERS)
    tree_of("%a")  # imports what reads magics
    for line in lines:
        assert seconds(tree_of, start + line * ((LONG - 10) // len(line))) < 2, line
