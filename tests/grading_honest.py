"""Sixty honest hand-ins, made from the seven solutions, and the points that each was once given.

    python tests/grading_honest.py    grades them with the package at hand and writes the points

For each chapter eight students: right, right in three other styles, in a strange order, half done,
half wrong and blank. Four more have written chapter 1 in ways of their own.
"""

import ast
import json
from collections.abc import Callable
from pathlib import Path

from answers import EXERCISES, SOLUTIONS, definitions
from grading_hands import HANDS

from firth.grading.run.grade import closed, graded
from firth.grading.run.plan import Plan

POINTS = Path(__file__).with_name("grading_points.json")
BLANK = 'raise NotImplementedError("write me")'
LISTS = """
def given_back(value):
    if isinstance(value, (list, tuple)):
        return [given_back(item) for item in value]
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value
"""
FLOAT32 = """
def given_back(value):
    if isinstance(value, (list, tuple)):
        return tuple(given_back(item) for item in value)
    return np.asarray(value, dtype=np.float32) if isinstance(value, (np.ndarray, float)) else value
"""
LOOPS = """
def product(A, B):
    A, B = np.asarray(A), np.asarray(B)
    if A.ndim == 1 and B.ndim == 1:
        return sum((a * b for a, b in zip(A, B)), 0.0)
    if B.ndim == 1:
        return np.array([product(row, B) for row in A])
    if A.ndim == 1:
        return product(A[None], B)[0]
    if A.ndim > 2 or B.ndim > 2:
        return np.einsum("...ij,...jk->...ik", A, B)
    table = np.zeros((len(A), B.shape[1]))
    for k in range(len(B)):
        table += np.outer(A[:, k], B[k])
    return table
"""


class FixedPlan(Plan):
    """A plan whose inputs do not depend on the bytes, so that a solution's prose may change."""

    def inputs(self, data: bytes) -> int:
        return 1957


class Renamed(ast.NodeTransformer):
    """The same code with other names for some of its functions."""

    def __init__(self, names: set[str]):
        self.names = names

    def visit_Name(self, node):
        return ast.Name(f"my_{node.id}", node.ctx) if node.id in self.names else node

    def visit_FunctionDef(self, node):
        node = self.generic_visit(node)
        node.name = f"my_{node.name}" if node.name in self.names else node.name
        return node


class InLoops(ast.NodeTransformer):
    """The same code with each product of matrices spelt out."""

    def visit_BinOp(self, node):
        node = self.generic_visit(node)
        if not isinstance(node.op, ast.MatMult):
            return node
        return ast.Call(ast.Name("product", ast.Load()), [node.left, node.right], [])


def cells(chapter: str) -> tuple[str, dict[str, str]]:
    """A solution's imports, and its functions by name."""
    nodes = definitions(next(path for path in SOLUTIONS if path.stem == chapter))
    functions = {n.name: ast.unparse(n) for n in nodes if isinstance(n, ast.FunctionDef)}
    imports = [ast.unparse(n) for n in nodes if not isinstance(n, ast.FunctionDef)]
    return "\n".join(imports), functions


def changed(source: str, change: ast.NodeTransformer) -> str:
    return ast.unparse(ast.fix_missing_locations(change.visit(ast.parse(source))))


def blank(source: str) -> str:
    (function,) = ast.parse(source).body
    function.body = ast.parse(BLANK).body
    return ast.unparse(function)


def wrapped(given_back: str) -> Callable:
    """A style in which each answer is a short function around one's own."""

    def style(imports: str, functions: dict[str, str], names: list[str]) -> list[str]:
        own = [changed(source, Renamed(set(names))) for source in functions.values()]
        answers = [f"def {n}(*inputs):\n    return given_back(my_{n}(*inputs))" for n in names]
        return [imports, given_back, *own, *answers]

    return style


def half(replace: Callable) -> Callable:
    """A style in which every other answer is replaced by something."""

    def style(imports: str, functions: dict[str, str], names: list[str]) -> list[str]:
        others = {name: replace(name, functions[name]) for name in names[::2]}
        return [imports, *(functions | others).values()]

    return style


def mistaken(name: str, source: str) -> str:
    return f"from firth.checks import questions\n{name} = questions()[{name!r}].mistakes[0][0]"


def strange(imports: str, functions: dict[str, str], names: list[str]) -> list[str]:
    """The last function first, each run under a magic, and the imports at the very end."""
    timed = [f"%%time\n{source}" for source in reversed(functions.values())]
    released = [blank(functions[name]) for name in names]  # as it came, below the answers
    return ["%matplotlib inline", *timed, *released, imports]


STYLES: dict[str, Callable] = {
    "right": lambda imports, functions, names: [imports, *functions.values()],
    "lists": wrapped(LISTS),
    "float32": wrapped(FLOAT32),
    "loops": lambda imports, functions, names: [
        *(imports, LOOPS),
        *(changed(source, InLoops()) for source in functions.values()),
    ],
    "strange order": strange,
    "half done": half(lambda name, source: blank(source)),
    "half wrong": half(mistaken),
    "blank": lambda imports, functions, names: [
        imports,
        *(blank(source) if name in names else source for name, source in functions.items()),
    ],
}


def hand_ins() -> dict[str, list[str]]:
    """The code cells of all sixty, by chapter and style."""
    found = {}
    for path in SOLUTIONS:
        imports, functions = cells(path.stem)
        names = [name for name, exercise in EXERCISES.items() if exercise.chapter == path.stem]
        for style, made in STYLES.items():
            found[f"{path.stem} {style}"] = made(imports, functions, names)
    first = SOLUTIONS[0].stem
    imports, _ = cells(first)
    return found | {f"{first} {hand}": [imports, source] for hand, source in HANDS.items()}


def points(name: str, sources: list[str]) -> dict[str, float]:
    """What a hand-in gets for each answer."""
    code = [{"cell_type": "code", "source": source, "metadata": {}} for source in sources]
    data = json.dumps({"cells": code, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()
    plan = FixedPlan(name.split()[0], b"sixty honest students", timeout=30.0)
    return {a["name"]: a["score"] for a in graded(data, plan, name, name)["answers"]}


if __name__ == "__main__":
    given = {name: points(name, sources) for name, sources in hand_ins().items()}
    closed()
    lines = [f" {json.dumps(name)}: {json.dumps(scores)}" for name, scores in given.items()]
    POINTS.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
