"""Code that a page shows with `source(…)` is short: at most 12 lines, and one line of checks.

Counted are the lines of what `source` prints: decorators, signature, comments and code, but no
docstring and no empty line. Of a class each method is counted for itself, and the lines outside of
its methods as one more part. A line of checks is a line of

    an `if` that ends in `raise`, with its condition, its message and what prepares them
    a `raise` anywhere else, and an `assert`
    a call of a function whose name begins with `check`
    a call of a named function whose result nobody uses: only its errors can have been wanted
"""

import ast
import builtins
import importlib
import json
import re
import textwrap
from functools import cache, reduce

import pytest
from chapter_pages import PAGES

from firth.display import source

LINES, CHECKS, LOOP_LINES = 12, 1, 25
# The one training loop of a chapter that may have 25 lines.
LOOPS = {"bert": "bert.fine_tuning.tuned"}
# What is longer today, as (lines, lines of checks). An entry can only shrink and go.
EXCEPTIONS = {
    "bert": {
        "bert.bert.BERT.embedded": (11, 7),
        "bert.pretraining.masked": (11, 2),
        "bert.minilm.pooled": (11, 2),
    },
    "linear_attention": {
        "linear_attention.linear_attention.causal_chunks": (13, 2),
        "linear_attention.fmmformer.FMM.__init__": (10, 5),
        "linear_attention.fmmformer.FMM.forward": (9, 4),
    },
}

FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef
DEFINITION = FUNCTION | ast.ClassDef


def page_name(path):
    """The name by which a page is listed above: lsa, and lsa_deeper for the deeper page."""
    return path.stem.partition("_")[2]


def code_of(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


def lines_of(node):
    first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
    return set(range(first, node.end_lineno + 1))


def parts_of(text):
    """For each function of a text, and for each class without its methods: lines, and checks."""
    text = textwrap.dedent(text)
    tree, written = ast.parse(text), text.splitlines()
    full = {n for n, line in enumerate(written, start=1) if line.strip()}

    def walked(node, name, lines):
        has_docstring = ast.get_docstring(node) is not None
        lines -= lines_of(node.body[0]) if has_docstring else set()
        if not isinstance(node, FUNCTION):
            for inner in (n for n in node.body if isinstance(n, DEFINITION)):
                # The comments right above a definition are its own.
                own = lines_of(inner)
                while min(own) - 1 in lines and written[min(own) - 2].lstrip().startswith("#"):
                    own.add(min(own) - 1)
                yield from walked(inner, f"{name}.{inner.name}".lstrip("."), own & full)
                lines -= own
        if lines or isinstance(node, FUNCTION):
            yield name, (len(lines), len(check_lines(node) & lines))

    return dict(walked(tree, "", full))


def check_lines(node):
    """The lines that only look whether an input or a result is one that may be."""
    local = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and type(n.ctx) is ast.Store}
    local |= {n.arg for n in ast.walk(node) if isinstance(n, ast.arg)}
    found = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.If) and isinstance(inner.body[-1], ast.Raise):
            found |= set(range(inner.lineno, inner.body[-1].end_lineno + 1))
        elif isinstance(inner, ast.Raise | ast.Assert):
            found |= lines_of(inner)
        elif isinstance(inner, ast.Call):
            name = getattr(inner.func, "id", getattr(inner.func, "attr", ""))
            found |= lines_of(inner) if name.startswith("check") else set()
        elif isinstance(inner, ast.Expr) and isinstance(inner.value, ast.Call):
            name = getattr(inner.value.func, "id", None)
            unused = name and name not in local and not hasattr(builtins, name)
            found |= lines_of(inner) if unused else set()
    return found


def shown_by(cells):
    """What a notebook's code cells show with `source(…)`, found by their imports alone."""
    known, found = {}, []
    for cell in cells:
        tree = ast.parse(re.sub(r"(?m)^(\s*)[%!].*", r"\1pass", cell))
        for node in ast.walk(tree):
            for alias in getattr(node, "names", []) if hasattr(node, "module") else []:
                known[alias.asname or alias.name] = imported(node.module, alias.name)
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and resolved(node.func, known) is source:
                found.append(resolved(node.args[0], known))
                assert found[-1], f"{ast.unparse(node)}: name what is shown, and import it"
    return found


def resolved(node, known):
    """What a name such as `lsa.svd` means to a notebook with these imports, or nothing."""
    name, *rest = ast.unparse(node).split(".")
    if not all(part.isidentifier() for part in (name, *rest)):
        return None
    return reduce(lambda thing, part: getattr(thing, part, None), rest, known.get(name))


def imported(module, name):
    if not module.startswith("firth"):
        return None
    inside = importlib.import_module(module)
    return getattr(inside, name, None) or importlib.import_module(f"{module}.{name}")


@cache
def shown_on(path):
    """The parts of all that a chapter shows, by names such as `lsa.counts.windows`."""
    found = {}
    for thing in shown_by(code_of(path)):
        outer = f"{thing.__module__}.{thing.__qualname__}".rpartition(".")[0]
        for name, counted in parts_of(source(thing).text).items():
            found[f"{outer}.{name}".removeprefix("firth.")] = counted
    return found


def too_long(parts, loop=None):
    return {
        name: (lines, checks)
        for name, (lines, checks) in parts.items()
        if lines > (LOOP_LINES if name == loop else LINES) or checks > CHECKS
    }


def complaints(found, listed):
    """What to do about each part that is too long, or is listed as if it still were."""
    told = {}
    for name in found.keys() | listed.keys():
        new, old = found.get(name), listed.get(name)
        if old is None:
            told[name] = f"{new[0]} lines, {new[1]} of checks: let a helper beside it do the rest"
        elif new is None:
            told[name] = "it is short now: take it out of EXCEPTIONS"
        elif new[0] > old[0] or new[1] > old[1]:
            told[name] = f"it has grown from {old} to {new}: an exception can only shrink"
        elif new != old:
            told[name] = f"it has shrunk: write {new} into EXCEPTIONS"
    return told


@pytest.mark.parametrize("path", PAGES, ids=page_name)
def test_code_that_a_page_shows_is_short(path):
    assert "source(" not in "".join(code_of(path)) or shown_on(path)
    found = too_long(shown_on(path), LOOPS.get(page_name(path)))
    assert not complaints(found, EXCEPTIONS.get(page_name(path), {}))


def test_exceptions_and_training_loops_are_of_pages_that_there_are():
    assert LOOPS.keys() | EXCEPTIONS.keys() <= {page_name(path) for path in PAGES}


@pytest.mark.parametrize("chapter", sorted(LOOPS))
def test_a_training_loop_is_shown_and_is_one_and_needs_the_room(chapter):
    [path] = [path for path in PAGES if page_name(path) == chapter]
    [thing] = [
        thing
        for thing in shown_by(code_of(path))
        if f"{thing.__module__}.{thing.__qualname__}" == f"firth.{LOOPS[chapter]}"
    ]
    tree = ast.parse(textwrap.dedent(source(thing).text))
    assert [node for node in ast.walk(tree) if isinstance(node, ast.For | ast.While)]
    assert shown_on(path)[LOOPS[chapter]][0] > LINES, "it is short: take it out of LOOPS"


# How lines are counted, shown with functions that nobody uses

COUNTED = {
    "a docstring and empty lines are not counted, comments are": (
        '''
        def f(x):
            """One line.

            Another line.
            """
            # why

            return x
        ''',
        {"f": (3, 0)},
    ),
    "each line of a signature and each decorator is counted": (
        """
        @cache
        def f(
            x: int,
            y: int,
        ) -> int:
            return x
        """,
        {"f": (6, 0)},
    ),
    "a function inside a function is part of it": (
        """
        def f(x):
            def g(y):
                return y
            return g
        """,
        {"f": (4, 0)},
    ),
    "a method is counted for itself, and what is left of its class too": (
        '''
        @dataclass
        class C:
            """A thing."""

            d: int

            # Its size.
            @property
            def n(self):
                """A number."""
                return 1

            def f(self):
                if self.d:
                    raise ValueError
                return 2
        ''',
        {"C": (3, 0), "C.n": (4, 0), "C.f": (4, 2)},
    ),
    "a method alone is shown with the margin of its class": (
        """
            def f(self):
                return 2
        """,
        {"f": (2, 0)},
    ),
    "an if that ends in raise is a check, with all that its message takes": (
        """
        def f(x):
            if (
                x < 0
            ):
                least = 0
                raise ValueError(
                    f"{x} is below {least}"
                )
            elif x:
                return 0
            return x
        """,
        {"f": (11, 7)},
    ),
    "an if that does something else is none": (
        """
        def f(x):
            if x is None:
                return 0
            return x
        """,
        {"f": (4, 0)},
    ),
    "assert, and raise in another place": (
        """
        def f(x):
            assert x > 0, (
                "too small"
            )
            try:
                return int(x)
            except TypeError:
                raise ValueError("no number") from None
        """,
        {"f": (8, 4)},
    ),
    "a call of a function that is called after its checking": (
        """
        def f(x, k):
            x = checked_ids(x)
            shapes.check_size(k)
            return x + k
        """,
        {"f": (4, 2)},
    ),
    "a call whose result nobody uses, and no call that changes something": (
        """
        def f(x, say):
            agreement(x, x)
            say("…")
            print(x)
            x.sort()
            with progress("…") as tell:
                tell("…")
            return x
        """,
        {"f": (8, 1)},
    ),
}


@pytest.mark.parametrize("what", COUNTED)
def test_lines_and_checks_are_counted_as_they_are_meant(what):
    text, counted = COUNTED[what]
    assert parts_of(text.strip("\n")) == counted


def function_of(lines, checks=0):
    check = ["    assert x"] * checks
    return "\n".join(["def f(x):", *check, *["    x = x"] * (lines - 1 - checks)])


@pytest.mark.parametrize(
    "lines, checks, loop, passes",
    [
        (12, 1, None, True),
        (13, 0, None, False),
        (12, 2, None, False),
        (25, 1, "f", True),
        (26, 0, "f", False),
        (25, 2, "f", False),
        (25, 0, "g", False),
    ],
)
def test_the_limits_are_met_at_their_edges(lines, checks, loop, passes):
    parts = parts_of(function_of(lines, checks))
    assert parts == {"f": (lines, checks)}
    assert (too_long(parts, loop) == {}) is passes


@pytest.mark.parametrize(
    "found, listed, told",
    [
        ({}, {}, None),
        ({"f": (14, 0)}, {"f": (14, 0)}, None),
        ({"f": (14, 0)}, {}, "helper"),
        ({}, {"f": (14, 0)}, "take it out"),
        ({"f": (13, 0)}, {"f": (14, 0)}, r"write \(13, 0\)"),
        ({"f": (14, 2)}, {"f": (14, 3)}, r"write \(14, 2\)"),
        ({"f": (15, 0)}, {"f": (14, 0)}, "only shrink"),
        ({"f": (13, 4)}, {"f": (14, 3)}, "only shrink"),
    ],
)
def test_exceptions_can_only_shrink(found, listed, told):
    said = complaints(found, listed)
    assert re.search(told, said["f"]) if told else not said


@pytest.mark.parametrize(
    "cells",
    [
        ["%pip list\nfrom firth.display import source, table", "from firth.lsa import counts",
         "source(counts.windows)"],
        ["import numpy as np\nfrom firth import display", "from firth.lsa.counts import windows",
         "1 + 1\ndisplay.source(windows)"],
        ["from firth.display import source as code\nfrom firth.lsa import counts",
         "if True:\n    show(code(counts.windows))"],
    ],
)  # fmt: skip
def test_what_a_page_shows_is_found_through_its_imports(cells):
    [shown] = shown_by(cells)
    assert (shown.__module__, shown.__qualname__) == ("firth.lsa.counts", "windows")


@pytest.mark.parametrize("shown", ["things[0]", "windows", "made()"])
def test_what_cannot_be_found_by_its_name_is_refused(shown):
    with pytest.raises(AssertionError, match="name what is shown"):
        shown_by(["from firth.display import source", f"things = []\nsource({shown})"])


def test_a_source_of_something_else_is_no_code_on_a_page():
    assert shown_by(["from inspect import source", "source(x)"]) == []
