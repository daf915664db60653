"""A class, made up from a seed: notebooks handed in with right, wrong and missing answers.

    submissions(assignment("01_lsa"), n=50, folder)  →  50 files

Each of the answers is right, slips (one operator swapped), or is left as it was released; one in
three of the students also prints from inside their functions. A student in fifteen leaves a cell
that does not parse. Nobody cheats: what a grader makes of that is no question of speed.
"""

import ast
import copy
import importlib
import inspect
import json
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import numpy as np

from firth.checks import questions
from firth.checks.claims import Exercise

ROOT = Path(__file__).parent.parent
SWAPPED = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.MatMult: ast.Mult,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.NotEq: ast.Eq,
}
UNPARSED = "print('the nearest words:', nearest_words('star'\n"


def code_cell(name: str, code: str, metadata: dict | None = None) -> dict:
    """A cell that has not run."""
    empty = {"cell_type": "code", "execution_count": None, "outputs": []}
    return empty | {"id": name, "metadata": metadata or {}, "source": code}


@dataclass(frozen=True)
class Assignment:
    """An exercise: the notebook with answers, the one without, and how many claims of each."""

    exercise: str
    solved: dict
    blank: dict
    claims: dict[str, int]


def assignment(exercise: str) -> Assignment:
    """A chapter's exercise, as the course has it."""
    solved, blank = (
        json.loads((ROOT / folder / f"{exercise}.ipynb").read_text(encoding="utf-8"))
        for folder in ("solutions", "exercises")
    )
    asked = [q for q in questions().values() if isinstance(q, Exercise) and q.chapter == exercise]
    claims = {q.name: len(q.claims) for q in asked}
    return Assignment(exercise, solved, blank, dict(sorted(claims.items())))


def private_assignment(exercise: str) -> Assignment:
    """An exercise of private checks, `00_numpy` or `00_torch`: its answers are the notebook's."""
    asked = private_checks(exercise)
    imports = ["import numpy as np"] + ["import torch"] * (exercise == "00_torch")
    cell = code_cell("imports", "\n".join(imports))
    solved, blank = [cell], [cell]
    for answer in asked.ANSWERS:
        code, name = inspect.getsource(answer), answer.__name__
        opening = code.partition("\n")[0]
        solved.append(code_cell(name, code))
        blank.append(code_cell(name, f'{opening}\n    raise NotImplementedError("write me")'))
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    frame = {"metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    claims = {name: len(exercise.claims) for name, exercise in asked.EXERCISES.items()}
    return Assignment(exercise, frame | {"cells": solved}, frame | {"cells": blank}, claims)


def private_checks(exercise: str) -> ModuleType:
    """The module of private checks, not before it is wanted: one of them takes torch along."""
    return importlib.import_module(f"benchmarks.grading_{exercise.partition('_')[2]}")


def source(cell: dict) -> str:
    """What stands in a cell; the format keeps a text or a list of lines."""
    return "".join(cell["source"])


def defines(cell: dict, name: str) -> bool:
    return cell["cell_type"] == "code" and source(cell).startswith(f"def {name}(")


def slipped(code: str, rng: np.random.Generator) -> str:
    """The same function with one operator swapped for another, if it has any.

    >>> print(slipped("def f(x):\\n    return x + 1", np.random.default_rng(0)))
    def f(x):
        return x - 1
    """
    tree = ast.parse(code)
    swaps = []
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and type(node.op) in SWAPPED:
            swaps.append(lambda node=node: setattr(node, "op", SWAPPED[type(node.op)]()))
        elif isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPPED:
            swaps.append(lambda node=node: node.ops.__setitem__(0, SWAPPED[type(node.ops[0])]()))
    if swaps:
        swaps[rng.integers(len(swaps))]()
    return ast.unparse(tree)


def talking(code: str) -> str:
    """The same function, which also says that it runs: what one prints to find a mistake.

    >>> print(talking("def f(x):\\n    return x"))
    def f(x):
        print('here', x)
        return x
    """
    tree = ast.parse(code)
    function = tree.body[0]
    first = function.args.args[0].arg
    documented = ast.get_docstring(function) is not None
    function.body[documented:documented] = ast.parse(f"print('here', {first})").body
    return ast.unparse(tree)


def handed_in(given: Assignment, rng: np.random.Generator) -> dict:
    """One student's notebook."""
    notebook, empty = copy.deepcopy(given.solved), given.blank["cells"]
    able, talks = rng.choice([1.0, 0.8, 0.4], p=[0.4, 0.4, 0.2]), rng.random() < 1 / 3
    for name in given.claims:
        cell = next(cell for cell in notebook["cells"] if defines(cell, name))
        if rng.random() > able:
            if rng.random() < 0.4:
                cell["source"] = next(source(cell) for cell in empty if defines(cell, name))
                continue
            cell["source"] = slipped(source(cell), rng)
        if talks:
            cell["source"] = talking(source(cell))
    if rng.random() < 1 / 15:
        notebook["cells"].append(code_cell("mine", UNPARSED))
    return notebook


def submissions(given: Assignment, n: int, folder: Path, seed: int = 0) -> list[Path]:
    """n notebooks in a folder; the i-th is the same whatever n is."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for i in range(n):
        notebook = handed_in(given, np.random.default_rng([seed, i]))
        paths.append(folder / f"student-{i:04d}.ipynb")
        paths[-1].write_text(json.dumps(notebook, ensure_ascii=False), encoding="utf-8")
    return paths
