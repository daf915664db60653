"""How much of two students' code is the same, counted by copydetect.

    overlap(A, B) = characters in runs that both have / characters of the one who wrote less

copydetect (winnowing, as in MOSS) reads code by its kinds: a name counts as a name and a text as a
text, comments and spaces not at all, so that renaming hides nothing. A run is at least NOISE
characters of that. What is here stands around it: which code goes in, and what is usual in a class.

In go the functions that a student wrote, the answers and whatever helps them, without what was
released. The tool's own page is not used: it trusts the names of files.
"""

import ast
import io
import re
import statistics
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import combinations, islice

from firth.runtime.progress import progress

MOST = 500  # cells of a notebook
NOISE = 25  # characters once every name is one letter: about one long line
LEAST = 100  # characters in common that are worth a look
THRESHOLD = 0.4
LONGEST = 30_000  # characters of a student's code; an exercise takes a tenth of that
INSTALL = "The overlap report needs copydetect: pip install copydetect, then run it again."


class NoTool(RuntimeError):
    """copydetect is not installed; the message says how to install it."""


@dataclass(frozen=True)
class Pair:
    """Two students and what their code has in common."""

    one: str
    other: str
    overlap: float  # 0 to 1
    shared: int  # characters, as copydetect counts them
    alone: float  # 0 to 1: how many of the runs in common no third student has
    runs: tuple[list[tuple[int, int]], list[tuple[int, int]]]  # where they stand in each code


@dataclass(frozen=True)
class Overlaps:
    """The pairs of a class that are worth a look, most alike first, and what is usual in it."""

    pairs: list[Pair]
    code: dict[str, str]  # by student: what was compared
    median: float  # of all pairs
    compared: int  # pairs
    threshold: float
    references: dict[str, str] = field(default_factory=dict)  # by name: what is no student's


def definitions(cells: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """Name, text and shape of what these cells define: functions, classes and named lambdas."""
    for cell in islice(cells, MOST):
        # A line for IPython becomes one for Python, so that the rest of its cell can be read.
        source = re.sub(r"(?m)^([ \t]*)[%!?].*$", r"\1pass", re.sub("\r\n?", "\n", cell[:LONGEST]))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of a stranger's "\d"
                statements = [*standing_there(ast.parse(source))]
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            if name := re.search(r"(?m)^def +(\w+)", source):  # what cannot run can be copied
                yield name[1], source, source
            continue
        lines = source.split("\n")
        for node in statements:
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                    name, first = node.name, min(n.lineno for n in [node, *node.decorator_list])
                    done = node.body[ast.get_docstring(node, clean=False) is not None :]
                    does = ast.Module([*done, *node.decorator_list], [])
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda()):
                    first, does = node.lineno, node
                case _:
                    continue
            text = "\n".join(lines[first - 1 : node.end_lineno])
            try:
                yield name, text, ast.dump(does)
            except RecursionError:  # 1 + 1 + 1 + …, a thousand times
                yield name, text, text


def standing_there(tree: ast.Module) -> Iterator[ast.stmt]:
    """The statements of a cell that stand in no function, also those below an if, a loop or a try.

    >>> [type(node).__name__ for node in standing_there(ast.parse("if 1:\\n  def f(): pass"))]
    ['If', 'FunctionDef']
    """
    waiting: list[ast.AST] = [*tree.body]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.stmt):
            yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.expr):
            waiting += ast.iter_child_nodes(node)


def written(cells: Iterable[str], blank: Iterable[str]) -> str:
    """The functions of a notebook that are not those of the blank one, each under its name.

    >>> blank = ["def f(x):\\n    raise NotImplementedError", "def given(x):\\n    return x"]
    >>> print(written(["import os", "def f(x):\\n    return 2 * x", blank[1]], blank))
    # f
    def f(x):
        return 2 * x
    """
    released = {shape for _, _, shape in definitions(blank)}
    last = {name: text for name, text, shape in definitions(cells) if shape not in released}
    return "\n\n".join(f"# {name}\n{text}" for name, text in last.items())[:LONGEST]


def overlap(
    notebooks: Mapping[str, Iterable[str]],
    blank: Iterable[str],
    threshold: float = THRESHOLD,
    quiet: bool = True,
    references: Mapping[str, Iterable[str]] | None = None,
) -> Overlaps:
    """All pairs of a class compared: each student's code cells, and those of the released notebook.

    Each student is compared with the references as well (the published solution, last year's
    class), and these not with each other; what is usual in the class is counted without them.
    """
    try:
        from copydetect import CodeFingerprint, compare_files
    except ImportError:
        raise NoTool(INSTALL) from None

    def fingerprint(code: str, known: list):
        # A window of 1 keeps every run: the same numbers each time, and code is short here.
        return CodeFingerprint(
            "answers.py", NOISE, 1, boilerplate=known, language="python", fp=io.StringIO(code)
        )

    blank = list(blank)
    known = list(fingerprint(written(blank, []), []).hashes)
    code = {student: written(cells, blank) for student, cells in notebooks.items()}
    others = {name: written(cells, blank) for name, cells in (references or {}).items()}
    prints = {name: fingerprint(text, known) for name, text in (code | others).items() if text}
    couples = [pair for pair in combinations(prints, 2) if not {*pair} <= others.keys()]
    owners = Counter(run for found in prints.values() for run in found.hashes)
    pairs, all_overlaps = [], []
    with told(len(couples), quiet) as tell:
        for n, (one, other) in enumerate(couples, start=1):
            shared, ratios, runs = compare_files(prints[one], prints[other])
            alike = min(1.0, float(max(ratios)))
            all_overlaps += [alike] * (other not in others)
            tell(n)
            if alike < threshold or shared < LEAST:
                continue
            both = prints[one].hashes & prints[other].hashes
            alone = sum(owners[run] == 2 for run in both) / len(both)
            places = tuple(map(merged, runs, ((code | others)[one], (code | others)[other])))
            pairs.append(Pair(one, other, alike, int(shared), alone, places))
    pairs.sort(key=lambda pair: (-pair.overlap, -pair.alone, -pair.shared, pair.one, pair.other))
    median = statistics.median(all_overlaps) if all_overlaps else 0.0
    return Overlaps(pairs, code, median, len(couples), threshold, others)


def merged(runs: Iterable, code: str) -> list[tuple[int, int]]:
    """Runs as starts and ends in a code, in order, none within another.

    >>> merged([[0, 2, 9], [3, 5, 99]], "0123456789")
    [(0, 5), (9, 10)]
    """
    result: list[tuple[int, int]] = []
    for start, end in sorted(zip(*([int(n) for n in side] for side in runs), strict=True)):
        start, end = max(start, 0), min(end, len(code))
        if result and start <= result[-1][1]:
            result[-1] = (result[-1][0], max(end, result[-1][1]))
        elif start < end:
            result.append((start, end))
    return result


@contextmanager
def told(total: int, quiet: bool) -> Iterator[Callable[[int], None]]:
    """A line for whoever waits, now and then."""
    if quiet:
        yield lambda count: None
        return
    with progress(f"Comparing {total} pairs …") as say:
        yield lambda count: count % 500 or say(f"Comparing pairs: {count} of {total}")
