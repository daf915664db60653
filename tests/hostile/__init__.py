"""A class of hostile, broken and honest submissions, and the score that each of them earns.

q1(x) doubles, q2(x) sums, q3(n, m) is a table of i − j, q4(X) is the softmax of rows; the points
are 1 + 1, 1 + 1, 1 + 2 and 1 + 2. An *attack* answers q1 and q2 (4 points) and tries to get more.
A *fault* spoils q3, by default, and keeps what it earned elsewhere (7). The *honest* earn all 10.

Everything here is text, to be run by the grader in its sandbox and nowhere else: importing these
modules runs none of it.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent

LEFT = "left-by-a-submission"  # the beginning of every name that a submission tries to leave behind
CANARY = r"canary-[a-z]+-[0-9a-f]{32}"  # what no submission may see
COMPUTED = r"LEAK\d|7777"  # what an answer computed and wants to put before a student's eyes

GRADED = frozenset({"graded"})
PARTLY = frozenset({"partly graded"})
EITHER = GRADED | PARTLY
TURNED_AWAY = frozenset({"unreadable", "refused"})

SETUP = "import numpy as np"
RIGHT = {
    "q1": "def q1(x):\n    return 2 * x",
    "q2": "def q2(x):\n    return np.sum(x)",
    "q3": "def q3(n, m):\n    return np.arange(n)[:, None] - np.arange(m)",
    "q4": (
        "def q4(X):\n"
        "    E = np.exp(X - X.max(axis=1, keepdims=True))\n"
        "    return E / E.sum(axis=1, keepdims=True)"
    ),
}
BLANK = {
    name: source.partition("\n")[0] + '\n    raise NotImplementedError("write me")'
    for name, source in RIGHT.items()
}
WRONG = "def q3(n, m):\n    return np.ones((n, m))\n\n\ndef q4(X):\n    return np.ones_like(X)"
# Beside an answer, what a released notebook holds there: an example to look at.
LOOK = {
    "q1": "print(q1(21))",
    "q2": "q2(np.array([1.0, 2.0, 3.0]))",
    "q3": "q3(2, 3)",
    "q4": "q4(np.array([[0.0, 1.0], [2.0, 3.0]]))",
}


@dataclass(frozen=True)
class Hostile:
    """One file handed in, what it tries, and what a correct grader makes of it."""

    name: str
    kind: str
    tries: str
    file: bytes | Callable[[Path], None]  # its bytes, or what puts it at a path
    low: int
    high: int
    status: frozenset[str] = EITHER
    answers: dict[str, str] = field(default_factory=dict)  # name: status
    claims: dict[str, str] = field(default_factory=dict)  # name: statuses of which one must occur
    cell: str = ""  # statuses of cells of which one must occur
    flaky: bool = False  # answers differently at every call, whatever is seeded
    filename: str | bytes = ""
    seconds: float = 39  # all cells together may take ten times the three of one; then it ends

    @property
    def written(self) -> str | bytes:
        return self.filename or f"{self.name}.ipynb"


def clean(source: str) -> str:
    return dedent(source).strip("\n")


def cell(source: str, kind: str = "code", **more) -> dict:
    """A cell as Jupyter writes it."""
    code = {"execution_count": None, "outputs": []} if kind == "code" else {}
    lines = clean(source).splitlines(keepends=True)
    return {"cell_type": kind, "metadata": {}, "source": lines} | code | more


def notebook(cells: list, **more) -> dict:
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 4}
    return whole | more


def data(book: dict) -> bytes:
    return json.dumps(book, indent=1, ensure_ascii=False).encode()


def cells(before: str = "", after: str = "", look: bool = True, **answers: str) -> list[dict]:
    """The cells of a finished notebook, with other answers where they are given ("" for none)."""
    found = [cell("# Exercise 0", "markdown"), cell(SETUP)]
    found += [cell(before)] if before else []
    for name, right in RIGHT.items():
        source = answers.get(name, right)
        found += [cell(f"## {name}", "markdown")]
        found += [cell(source)] if source else []
        found += [cell(LOOK[name])] if look else []
    return found + ([cell(after)] if after else [])


def made(before: str = "", after: str = "", look: bool = True, **answers: str) -> bytes:
    return data(notebook(cells(before, after, look, **answers)))


def attack(kind: str, name: str, tries: str, source: str, high: int = 4, **more) -> Hostile:
    """Answers q1 and q2, then runs `source`, in which q3 and q4 are whatever it wants them to be.

    They are wrong, should it forget to say.
    """
    # The examples are left out: what an attack does when called it shall do before the judge.
    file = made(q3=WRONG, q4=source, look=False)
    return Hostile(name, kind, tries, file, 4, high, **more)


def fault(kind: str, name: str, tries: str, source: str, low: int = 7, **more) -> Hostile:
    """All right, but what stands in the place of q3."""
    return Hostile(name, kind, tries, made(q3=clean(source), look=False), low, 7, **more)


def honest(name: str, tries: str, low: int = 10, high: int = 10, kind: str = "fault", **parts):
    """A notebook that deserves its points, however it goes about it."""
    named = {
        k: parts.pop(k) for k in ("status", "answers", "claims", "cell", "flaky") if k in parts
    }
    return Hostile(name, kind, tries, made(**parts), low, high, **{"status": GRADED} | named)


def suite() -> list[Hostile]:
    """The whole class, kind by kind."""
    from hostile import cheats, deaths, environment, faults, files, protocol, resources, structure

    modules = (cheats, resources, deaths, structure, faults, files, environment, protocol)
    found = [one for module in modules for one in module.CLASS]
    names = [one.name for one in found]
    assert len(set(names)) == len(names), sorted(n for n in names if names.count(n) > 1)
    return found
