"""The functions that a notebook defines, taken out of it without running the rest."""

import ast
import json
from pathlib import Path
from types import CodeType

import pytest
from notebooks import COURSE

from firth.checks import questions
from firth.checks.claims import Exercise

EXERCISES = {name: q for name, q in questions().items() if isinstance(q, Exercise)}
FORMS = [form for exercise in EXERCISES.values() for form in (exercise, *exercise.forms)]
every_form = pytest.mark.parametrize(
    "form", FORMS, ids=[f"{form.name}: {form.form}" if form.form else form.name for form in FORMS]
)
SOLUTIONS = sorted((COURSE / "solutions").glob("*.ipynb"))


def code(path: Path) -> list[str]:
    """The sources of a notebook's code cells, without the first, which installs the course."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"][1:]


def definitions(path: Path) -> list[ast.stmt]:
    """Its imports and functions."""
    kinds = ast.Import | ast.ImportFrom | ast.FunctionDef
    return [node for cell in code(path) for node in ast.parse(cell).body if isinstance(node, kinds)]


def compiled(nodes: list[ast.stmt]) -> CodeType:
    """These statements as code that can be run."""
    tree = ast.fix_missing_locations(ast.Module(nodes, type_ignores=[]))
    return compile(tree, "<answers>", "exec")


def defined(nodes: list[ast.stmt]) -> dict:
    """What these statements define, when run."""
    names: dict = {}
    exec(compiled(nodes), names)
    return names


def functions(path: Path) -> dict:
    """The answers of a notebook by name."""
    names = defined(definitions(path))
    return {name: names[name] for name, ex in EXERCISES.items() if ex.chapter == path.stem}


RIGHT = {name: function for path in SOLUTIONS for name, function in functions(path).items()}


def right(name: str):
    """The exercise's own answer, as the claims know it."""
    return EXERCISES[name].right


def holds(name: str, answer, seed: int = 1957) -> list[bool]:
    """Which claims of the exercise hold for an answer."""
    return [verdict.holds for verdict in EXERCISES[name].judge(answer, seed)]
