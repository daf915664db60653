"""Answers that a notebook takes from the course's own package instead of writing them.

    from_checks(cells)            →  cells that seem to take a right answer from firth.checks
    from_package(cells, names)    →  answers that are a function of firth, or that call one

Cells are judged by their syntax trees alone; nothing of them is run. Who hides an import well
enough is not found, so this is evidence for a teacher and takes no points.
"""

import ast
from collections.abc import Iterable, Iterator

from firth import checks
from firth.grading.inbox.replay import called, tree_of

OFFERED = set(checks.__all__)  # what of the checks is meant for learners
CHECKS = "firth.checks"
COURSE = "firth"


def from_checks(cells: Iterable[str]) -> list[int]:
    """The cells that take the right answers from the course's own checks, counted from 1.

    >>> from_checks(["from firth.checks import check", "from firth.checks import questions"])
    [2]
    >>> from_checks(["import sys", "sys.modules['firth.checks'].questions()", "exec('x = 1')"])
    [2]
    """
    return [n for n, source in enumerate(cells, start=1) if borrows(tree_of(source)[1])]


def borrows(tree: ast.Module | None) -> bool:
    """Whether some code imports more of the checks than is meant for learners, or names them."""
    for node in ast.walk(tree) if tree else ():
        module = getattr(node, "module", "") or ""
        names = {alias.name for alias in getattr(node, "names", []) if isinstance(alias, ast.alias)}
        if module == CHECKS and not names <= OFFERED:
            return True
        if module == COURSE and names & {"checks", "*"}:
            return True
        if isinstance(node, ast.Import) and CHECKS in names:
            return True
        if any(name.startswith(f"{CHECKS}.") for name in [module, *names]):
            return True
        if isinstance(node, ast.Attribute) and dotted(node) == CHECKS:
            return True
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
            if is_code(node.value):
                return True
    return False


def is_code(text: str | bytes) -> bool:
    """Whether a text is the name of the checks, or code in which it stands; prose is neither."""
    text = text.decode(errors="replace") if isinstance(text, bytes) else text
    if text == CHECKS or text.startswith(f"{CHECKS}."):
        return True
    return CHECKS in text and borrows(tree_of(text)[1])


def dotted(node: ast.expr) -> str:
    """An attribute as it is written, such as firth.lsa.counts, or nothing."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def imports(cells: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each name that these cells bind to something of the course, and what that is."""
    for source in cells:
        tree = tree_of(source)[1] if COURSE in source else None
        for node in ast.walk(tree) if tree else ():
            if isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith(f"{COURSE}."):
                for alias in node.names:
                    yield alias.asname or alias.name, f"{node.module}.{alias.name}"
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    if f"{alias.name}.".startswith(f"{COURSE}."):
                        yield alias.asname or COURSE, alias.name if alias.asname else COURSE


def from_package(
    cells: list[str], names: Iterable[str], blank: Iterable[str] | None = ()
) -> list[str]:
    """A sentence for each answer that comes from the package, or that calls a function of it.

    What the blank notebook imports may be used. Where that is not known, None, every use is passed
    over, but not an answer that is itself a function of the package.

    >>> from_package(["from firth.attention import softmax"], ["softmax"])
    ['`softmax` is not written here: it comes from firth.attention.softmax.']
    >>> from_package(["import firth.rnn as r", "def step(x):\\n    return r.step(x)"], ["step"])
    ['`step` uses firth.rnn, which the exercise does not import.']
    """
    released = dict(imports(blank or ()))
    found = dict(imports(cells))
    taken = {name: whence for name, whence in found.items() if released.get(name) != whence}
    bound = assigned(cells, taken)
    said = []
    for name in names:
        if whence := bound.get(name):
            said.append(f"`{name}` is not written here: it comes from {whence}.")
            continue
        others = called(cells, name) & taken.keys() if blank is not None else set()
        used = sorted({taken[other] for other in others if not taken[other].startswith(CHECKS)})
        if used:
            said.append(f"`{name}` uses {' and '.join(used)}, which the exercise does not import.")
    return said


def assigned(cells: Iterable[str], taken: dict[str, str]) -> dict[str, str]:
    """The names that stand for something of the course: imported, or set to what was imported."""
    found = {name: whence for name, whence in taken.items() if whence != COURSE}
    for source in cells:
        for node in getattr(tree_of(source)[1], "body", []):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                found.pop(node.name, None)  # written here after all
            elif isinstance(node, ast.Assign):
                first, _, rest = dotted(node.value).partition(".")
                whence = ".".join(filter(None, [taken.get(first, ""), rest]))
                for target in node.targets:
                    if isinstance(target, ast.Name) and first in taken:
                        found[target.id] = whence
    return found
