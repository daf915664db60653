"""The same class for two other graders, each as its documentation has it on one's own machine.

    otter-grader   generate → autograder.zip → otter.api.grade_submission for each notebook
    nbgrader       source/ → generate_assignment → submitted/ → autograde

`prepared` writes all that comes before, in a folder with the class in submissions/; only the last
step is measured. A claim becomes one test of one point: an exception-based test case of otter's,
a locked cell of nbgrader's.
"""

import copy
import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks import grading_claims
from benchmarks.grading_environments import activated, python
from benchmarks.grading_submissions import Assignment, code_cell, defines

CASES = """\
from otter.test_files import test_case
from benchmarks.grading_claims import holds

OK_FORMAT = False
name = {name!r}
"""
CASE = """

@test_case(points=1, name="{name}-{index}", hidden=True)
def test_{index}({name}):
    {statement}
"""
IMPORT = "from benchmarks.grading_claims import holds\n"
CONFIGURATION = """\
c = get_config()
c.CourseDirectory.course_id = "bench"
c.ClearSolutions.enforce_metadata = False  # an answer in words is cleared as well, not graded
"""


@dataclass(frozen=True)
class Peer:
    """Another grader: what comes before grading, the command that grades, the one that tells."""

    name: str
    prepared: Callable[[Assignment, Path], None]
    grades: Callable[[Assignment, Path], list]
    tells: Callable[[Assignment, Path], list]


def called(grader: str, command: list, folder: Path) -> None:
    """Runs a command of a grader's, with what it says in a file."""
    with (folder / f"{grader}-prepared.log").open("wb") as log:
        run = [python(grader), "-m", *command]
        subprocess.run(run, cwd=folder, env=activated(grader), check=True, stdout=log, stderr=log)


def for_otter(given: Assignment, folder: Path) -> None:
    """Writes an autograder: one test file an answer, one case a claim."""
    tests = folder / "tests"
    tests.mkdir()
    for name, index, statement in grading_claims.tests(given.claims):
        with (tests / f"{name}.py").open("a", encoding="utf-8") as file:
            file.write("" if index else CASES.format(name=name))
            file.write(CASE.format(name=name, index=index, statement=statement))
    zipped = ["-t", tests, "-o", folder / "autograder.zip", "--no-environment"]
    called("otter-grader", ["otter", "generate", *zipped], folder)


def part(name: str, **kind: object) -> dict:
    """What nbgrader keeps of a cell in its metadata."""
    usual = {"grade": False, "solution": False, "locked": False, "task": False}
    return {"nbgrader": usual | {"grade_id": name, "schema_version": 3} | kind}


def marked(notebook: dict, claims: dict[str, int]) -> dict:
    """A notebook with nbgrader's marks: answers may be written, a locked test a claim follows."""
    cells, statements = [], list(grading_claims.tests(claims))
    for cell in copy.deepcopy(notebook["cells"]):
        cells.append(cell)
        for name in filter(lambda name: defines(cell, name), claims):
            cell["metadata"] = part(name, solution=True)
            for index, statement in [(i, s) for n, i, s in statements if n == name]:
                test = part(f"{name}-{index}", grade=True, locked=True, points=1)
                cells.append(code_cell(f"test-{name}-{index}", IMPORT + statement, test))
    return notebook | {"cells": cells}


def for_nbgrader(given: Assignment, folder: Path) -> None:
    """Writes a course: the assignment, and what each student handed in."""
    (folder / "nbgrader_config.py").write_text(CONFIGURATION, encoding="utf-8")
    notebooks = {folder / "source": given.solved}
    for path in sorted((folder / "submissions").glob("*.ipynb")):
        notebooks[folder / "submitted" / path.stem] = json.loads(path.read_text("utf-8"))
    for place, notebook in notebooks.items():
        (place / given.exercise).mkdir(parents=True)
        text = json.dumps(marked(notebook, given.claims), ensure_ascii=False)
        (place / given.exercise / f"{given.exercise}.ipynb").write_text(text, encoding="utf-8")
    generate = ["nbgrader", "generate_assignment", given.exercise, f"--course-dir={folder}"]
    called("nbgrader", [*generate, "--create"], folder)


PEERS = [
    Peer(
        "otter-grader",
        for_otter,
        lambda given, folder: ["-m", "benchmarks.grading_otter", folder],
        lambda given, folder: ["-c", ""],  # it has told already
    ),
    Peer(
        "nbgrader",
        for_nbgrader,
        lambda given, folder: [
            *("-m", "nbgrader", "autograde", given.exercise, f"--course-dir={folder}")
        ],
        lambda given, folder: ["-m", "benchmarks.grading_nbgrader", folder, given.exercise],
    ),
]
