"""Each shared folder has a short README, and the picture of firth shows what imports what."""

import ast
import re
from pathlib import Path

import pytest
from address import files
from chapter_pages import CHAPTERS, noun
from notebooks import COURSE

FILES = [path.relative_to(COURSE) for path in files(COURSE)]
PACKAGES = {path.parts[1] for path in FILES if path.parts[0] == "firth" and len(path.parts) > 2}
SHARED = sorted(f"firth/{name}" for name in PACKAGES - set(map(noun, CHAPTERS)))
TOP = ["firth", "experiments", "benchmarks", "tools", "site", "tests"]


def readme(folder):
    return (COURSE / folder / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("folder", [*TOP, *SHARED])
def test_a_shared_folder_says_in_a_few_lines_what_belongs_there(folder):
    text = readme(folder)
    assert text.startswith(f"# {folder}\n\n")
    assert len(text.splitlines()) <= (60 if folder == "firth" else 12)
    paths = re.findall(r"`([\w.]+/[\w./]*)`", text)
    assert not [path for path in paths if not (COURSE / path).exists()]


def test_the_picture_of_firth_shows_every_package_and_the_direction_of_every_import():
    rows = pictured(readme("firth").split("```")[1])
    order = rows_of(rows)
    assert order.keys() == PACKAGES | {"__main__"}
    assert not against(rows, imports())


def pictured(picture):
    """The lines of a picture that name packages: of each the row it stands in, and its text."""
    lines, row = [], 0
    for line in picture.splitlines():
        inside = re.search(r"\|(.*\w.*)\|", line)
        row += line.strip() == "v"
        lines += [(row, inside[1].strip())] if inside else []
    return lines


def rows_of(lines):
    return {name: row for row, text in lines for name in re.findall(r"\w+", text)}


def against(lines, edges):
    """The imports that point neither downwards nor along `>`, as pairs of packages."""
    rows = rows_of(lines)
    chains = [chain.split(" > ") for _, text in lines for chain in re.split(r"\s{2,}", text)]
    along = {(a, b) for chain in chains for n, a in enumerate(chain) for b in chain[n + 1 :]}
    return sorted((a, b) for a, b in edges if rows[a] >= rows[b] and (a, b) not in along)


def imports():
    """Which package of firth imports which other one, anywhere in one of its modules."""
    edges = set()
    for path in FILES:
        if path.parts[0] == "firth" and path.suffix == ".py":
            tree = ast.parse((COURSE / path).read_text(encoding="utf-8"))
            edges |= {(path.parts[1].removesuffix(".py"), other) for other in imported(tree, path)}
    return {(a, b) for a, b in edges if a != b and b in PACKAGES}


def imported(tree, path):
    """The packages of firth that a module of this path imports."""
    for node in ast.walk(tree):
        names = [alias.name for alias in getattr(node, "names", []) if hasattr(alias, "asname")]
        if isinstance(node, ast.ImportFrom):
            above = path.parent.parts[: len(path.parent.parts) - node.level + 1] * bool(node.level)
            names = [".".join([*above, *filter(None, [node.module]), name]) for name in names]
        yield from (name.split(".")[1] for name in names if name.startswith("firth."))


PICTURE = """
  +------------+
  |  a    b    |
  +------------+
        |
        v
  |  c > d > e |
"""


@pytest.mark.parametrize("edge", [("a", "c"), ("b", "e"), ("c", "d"), ("c", "e")])
def test_an_import_downwards_or_along_the_arrow_agrees_with_the_picture(edge):
    assert not against(pictured(PICTURE), {edge})


@pytest.mark.parametrize("edge", [("c", "a"), ("a", "b"), ("b", "a"), ("e", "c"), ("d", "c")])
def test_an_import_upwards_or_sideways_or_against_the_arrow_does_not(edge):
    assert against(pictured(PICTURE), {edge}) == [edge]


@pytest.mark.parametrize(
    "line, packages",
    [
        ("import firth.lsa.counts as c", ["lsa"]),
        ("from firth.lsa import counts", ["lsa"]),
        ("from firth import store, plots", ["store", "plots"]),
        ("from ..store import cache", ["store"]),
        ("from .paired_bootstrap import x", ["scoreboard"]),
        ("def f():\n    from firth.rnn import rnn", ["rnn"]),
        ("import numpy as np\nfrom firthful.x import y", []),
    ],
)
def test_imports_are_found_however_they_are_written(line, packages):
    path = Path("firth/scoreboard/scoreboard.py")
    assert list(imported(ast.parse(line), path)) == packages
