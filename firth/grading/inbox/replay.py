"""Which cells run: a released blank never replaces an answer.

    replayed(code, names)  →  the cells, None for one to leave out

Cells are judged by their syntax trees alone; nothing of them is run.
"""

import ast
import re
import warnings
from functools import lru_cache

TIMED = re.compile(r"\s*%%(?:time|capture)\b.*")  # magics that run their cell as Python
MAGIC = re.compile(r"(?m)^[ \t]*[%!?,;/]|=[ \t]{0,9}[%!]|\?[ \t]*$")
# IPython reads `,f a` as f("a"), and starts over for each further comma, up to 500 times.
DOUBLED = re.compile(r"(?m)^[ \t]*[,;/]{2}")
LONG, MANY = 20_000, 20  # characters of a cell, and magics in it, that are spelt in Python here
SHORT = 2_000  # characters of a cell whose tree is kept for the next submission
DEFINITION = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def tree_of(source: str) -> tuple[str, ast.Module | None]:
    """A cell as Python and its tree; the cell as it is and None if it does not parse."""
    return (short_tree if len(source) < SHORT else long_tree)(source)


def parsed(source: str) -> tuple[str, ast.Module | None]:
    """What `tree_of` returns, from the beginning."""
    python = source[timed.end() :] if (timed := TIMED.match(source)) else source
    readings = [lambda: source]
    few = len(MAGIC.findall(source)) < MANY  # IPython starts over at each
    if few and len(source) < LONG and not DOUBLED.search(source):
        readings.append(lambda: transformed(source))
    for read in readings:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                text = read()
                return text, ast.parse(python if text is source else text)
        except Exception:  # IPython's own reading may fail in any way, and so may Python's
            continue
    return source, None


short_tree = lru_cache(maxsize=500)(parsed)  # most cells of a class are those that were released
long_tree = lru_cache(maxsize=1)(parsed)  # a tree takes up to a kilobyte for each character


def transformed(source: str) -> str:
    """A cell with its magics spelt in Python, which takes IPython: most cells have none."""
    from IPython.core.inputtransformer2 import TransformerManager

    return TransformerManager().transform_cell(source)


def is_blank(statement: ast.stmt, names: list[str]) -> bool:
    """Whether this is an answer as released: a docstring and `raise NotImplementedError`."""
    if not isinstance(statement, DEFINITION) or statement.name not in names:
        return False
    body = statement.body[ast.get_docstring(statement) is not None :]
    raised = body[0].exc if len(body) == 1 and isinstance(body[0], ast.Raise) else None
    raised = raised.func if isinstance(raised, ast.Call) else raised
    return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"


def bound(statement: ast.stmt) -> set[str]:
    """The names that a statement binds where it stands, and not inside a function of its own."""
    found, waiting = set(), [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, DEFINITION):
            found.add(node.name)
        elif isinstance(node, ast.alias):
            found.add(node.asname or node.name.partition(".")[0])
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif not isinstance(node, ast.Lambda | ast.comprehension):
            waiting.extend(ast.iter_child_nodes(node))
    return found


def definitions(
    cells: list[str], names: list[str]
) -> tuple[dict[str, list[int]], dict[int, tuple]]:
    """Where each name is defined and not blank, and cells with blanks: (text, blanks, more?)."""
    full: dict[str, list[int]] = {}
    blanks: dict[int, tuple] = {}
    for number, cell in enumerate(cells):
        if not any(name in cell for name in names):
            continue
        text, tree = tree_of(cell)
        body = tree.body if tree else []
        empty = [statement for statement in body if is_blank(statement, names)]
        if empty:
            blanks[number] = (text, empty, len(empty) < len(body))
        for name in set(names).intersection(*[set().union(*map(bound, body))]):
            others = [s for s in body if s not in empty and name in bound(s)]
            if others:
                full.setdefault(name, []).append(number)
    return full, blanks


def replayed(cells: list[str], names: list[str]) -> list[str | None]:
    """The cells to run; None for one that is but a blank of what another cell answers.

    >>> replayed(["def f(): return 1", "def f(): raise NotImplementedError"], ["f"])
    ['def f(): return 1', None]
    """
    full, blanks = definitions(cells, names)
    kept: list[str | None] = list(cells)
    for number, (text, empty, more) in blanks.items():
        copies = [blank for blank in empty if blank.name in full]
        if len(copies) == len(empty) and not more:
            kept[number] = None
        elif copies:  # it stands beside other code, which runs on its old lines
            lines = text.split("\n")
            for blank in copies:
                first = min([blank.lineno, *(d.lineno for d in blank.decorator_list)])
                lines[first - 1 : blank.end_lineno] = [""] * (blank.end_lineno - first + 1)
            kept[number] = "\n".join(lines)
    return kept


def repeated(cells: list[str], names: list[str]) -> list[str]:
    """A sentence for each answer that several cells define.

    >>> repeated(["def f(): return 1", "", "f = abs"], ["f"])
    ['`f` is defined in cells 1 and 3: the last one counts.']
    """
    full, _ = definitions(cells, names)
    lists = {name: [str(number + 1) for number in full.get(name, [])] for name in names}
    return [
        f"`{name}` is defined in cells {', '.join(where[:-1])} and {where[-1]}: "
        "the last one counts."
        for name, where in lists.items()
        if len(where) > 1
    ]


def is_quick(source: str) -> bool:
    r"""Whether a cell does nothing but import and define, which takes no time.

    >>> is_quick("import numpy\ndef f(x): return x\nk = 3"), is_quick("train()")
    (True, False)
    """
    _, tree = tree_of(source)
    return tree is not None and all(map(is_harmless, tree.body))


def is_harmless(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Assign):
        return isinstance(statement.value, ast.Constant | ast.Lambda | ast.Name | ast.Attribute)
    return isinstance(statement, ast.Import | ast.ImportFrom | DEFINITION)


def called(cells: list[str], name: str) -> set[str]:
    """The names that a function of the notebook uses, and the functions that it uses.

    >>> sorted(called(["def f(x): return g(x)", "def g(x): return abs(x) + h(x)"], "f"))
    ['abs', 'g', 'h', 'x']
    """
    functions = {
        node.name: node
        for source in cells
        for node in getattr(tree_of(source)[1], "body", [])
        if isinstance(node, ast.FunctionDef)
    }
    found, waiting = set(), [name]
    while waiting:
        if (function := functions.pop(waiting.pop(), None)) is not None:
            names = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}
            found |= names
            waiting += names
    return found
