"""Whether a folder holds a solution: the marks around it, its code or its words.

A function counts as found where a body comes to the same statements, whatever its name, spacing and
comments. One of a single statement (`return q @ U / s`) may stand in the package, which teaches it,
but in no notebook. Words count wherever a paragraph of the answer stands.
"""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

MARK = re.compile(r"\b(BEGIN|END) " + "SOLUTION")  # in two pieces, or this file would be found
WORDS = re.compile(r"<!-- BEGIN " + "SOLUTION" + r" -->(.*?)<!-- END " + "SOLUTION -->", re.DOTALL)
MAGIC = re.compile(r"^( *)[%!].*$", re.MULTILINE)
SHORT = 60  # letters: a shorter paragraph may be anyone's


def squeezed(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def bodies(code: str) -> Iterator[tuple[str, int]]:
    """What each function does, in the spelling of the parser, and in how many statements."""
    try:
        tree = ast.parse(MAGIC.sub(r"\1pass", code))
    except (SyntaxError, ValueError):
        return
    for node in functions(tree):
        yield done(node), len(statements(node))


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def statements(node: ast.FunctionDef) -> list[ast.stmt]:
    """A function's body without its docstring."""
    return node.body[1:] if ast.get_docstring(node) is not None else node.body


def done(node: ast.FunctionDef) -> str:
    return "\n".join(map(ast.unparse, statements(node)))


def cells(text: str) -> tuple[list[str], list[str]]:
    """A notebook's code, and all its words: sources and outputs."""
    found = json.loads(text).get("cells", [])
    sources = [("".join(cell["source"]), cell["cell_type"]) for cell in found]
    shown = [json.dumps(cell.get("outputs", []), ensure_ascii=False) for cell in found]
    return [s for s, kind in sources if kind == "code"], [*(s for s, _ in sources), *shown]


def secrets(solutions: Path) -> tuple[dict[str, tuple[str, int]], dict[str, str]]:
    """What must not be found: functions between marks, and paragraphs of written answers."""
    code: dict[str, tuple[str, int]] = {}
    words: dict[str, str] = {}
    for path in sorted(solutions.glob("*.ipynb")):
        sources, texts = cells(path.read_text("utf-8"))
        for source in sources:
            lines = source.splitlines()
            for node in functions(ast.parse(MAGIC.sub(r"\1pass", source))):
                if any(map(MARK.search, lines[node.lineno : node.end_lineno])):  # others are given
                    code[done(node)] = (f"{path.name}, {node.name}", len(statements(node)))
        for answer in (match for text in texts for match in WORDS.findall(text)):
            for paragraph in filter(None, map(squeezed, answer.split("\n\n"))):
                if len(paragraph) >= SHORT:
                    words[paragraph] = f"{path.name}, “{paragraph[:30]}…”"
    return code, words


def leaks(tree: Path, solutions: Path) -> list[str]:
    """A line for each file that holds a solution, and which."""
    code, words = secrets(solutions)
    found = []
    for path in sorted(file for file in tree.rglob("*") if file.is_file()):
        try:
            text = path.read_bytes().decode()
        except UnicodeDecodeError:
            continue
        notebook = path.suffix == ".ipynb"
        sources, texts = cells(text) if notebook else ([text], [text])
        told = {"a mark of a solution"} if MARK.search(text) else set()
        if notebook or path.suffix == ".py":
            for body, _ in (each for source in sources for each in bodies(source)):
                name, length = code.get(body, ("", 0))
                if length > 1 or (length and notebook):
                    told.add(name)
        whole = squeezed("\n".join(texts))
        told |= {name for paragraph, name in words.items() if paragraph in whole}
        found += [f"{path.relative_to(tree)}: {what}" for what in sorted(told)]
    return found
