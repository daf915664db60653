"""The house's own rules: where things stand, who may import whom, what every chapter has."""

import ast
import json
import re
from functools import cache
from graphlib import TopologicalSorter

import pytest
from address import files, text_of
from notebooks import COURSE, FOLDERS, shown

PACKAGE = COURSE / "firth"
CHAPTERS = sorted((COURSE / "chapters").glob("*.ipynb"))
NOTEBOOKS = sorted(path for folder in FOLDERS for path in (COURSE / folder).glob("*.ipynb"))
PYTHON = [path for path in files(COURSE) if path.suffix == ".py"]
# What stands on the chapters.
SURFACE = ("__main__", "checks", "display", "grading", "plots", "widgets")
VERBS = ["See it", "Say it", "By hand", "Read it", "Break it", "Use it", "Check yourself"]


def noun(path):
    """What a chapter is called everywhere: `01_lsa.ipynb` is lsa."""
    return path.stem.partition("_")[2]


def module_name(path):
    parts = path.relative_to(COURSE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def chapter_of(name):
    """The chapter whose noun a name begins with, as `lsa_counts` does, or nothing."""
    return next((noun(path) for path in CHAPTERS if name.startswith(f"{noun(path)}_")), "")


MODULES = {module_name(path): path for path in PYTHON if path.is_relative_to(PACKAGE)}
ORDER = {f"firth.{noun(path)}": n for n, path in enumerate(CHAPTERS, start=1)}


def imported(path, deferred=True):
    """The modules that a file imports; those inside functions only if `deferred`."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    package = module_name(path).split(".")[: None if path.name == "__init__.py" else -1]
    for node in ast.walk(tree) if deferred else tree.body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*start, *([node.module] if node.module else [])])
            for alias in node.names:
                whole = f"{base}.{alias.name}"
                yield whole if whole in MODULES else base


def reached(name, deferred=False):
    """All that importing a module of the package brings along."""
    found, waiting = set(), [name]
    while waiting:
        for other in imported(MODULES[waiting.pop()], deferred):
            if other not in found:
                found.add(other)
                waiting += [other] if other in MODULES else []
    return found


def is_surface(name):
    return name.split(".")[1:2] and name.split(".")[1] in SURFACE


def cells(path, kind):
    found = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in found if cell["cell_type"] == kind]


def sources(path, kind):
    return ["".join(cell["source"]) for cell in cells(path, kind)]


def pages(path):
    """The HTML that a notebook's cells have left."""
    for cell in cells(path, "code"):
        for output in cell["outputs"]:
            yield "".join(output.get("data", {}).get("text/html", ""))


# Imports


def test_no_two_modules_import_each_other():
    graph = {name: set(imported(path)) & set(MODULES) - {name} for name, path in MODULES.items()}
    # A package and its parts are one thing: `firth.checks.lsa_counts` runs `firth.checks` first.
    TopologicalSorter(graph).prepare()


@pytest.mark.parametrize("name", sorted(name for name in MODULES if not is_surface(name)))
def test_a_module_neither_draws_nor_shows_nor_judges(name):
    brought = {other for other in imported(MODULES[name]) if other in MODULES}
    assert not [other for other in brought if is_surface(other)], "it draws, shows or judges"


@pytest.mark.parametrize("name", sorted(name for name in ORDER if name in MODULES))
def test_a_chapter_needs_no_later_one(name):
    assert not [
        other for other in reached(name, deferred=True) if ORDER.get(other, 0) > ORDER[name]
    ]


def test_only_plots_imports_matplotlib():
    drawing = {
        name for name, path in MODULES.items() if any("matplotlib" in m for m in imported(path))
    }
    assert {name.partition("firth.plots")[0] for name in drawing} == {""}


@pytest.mark.parametrize("name", sorted(MODULES))
def test_importing_a_numpy_module_never_brings_torch(name):
    direct = {module.partition(".")[0] for module in imported(MODULES[name], deferred=False)}
    brought = {module.partition(".")[0] for module in reached(name)}
    assert "torch" in direct or "torch" not in brought


# Files


@pytest.mark.parametrize(
    "path", [p for p in PYTHON if "tests" not in p.parts], ids=lambda p: str(p.relative_to(COURSE))
)
def test_a_module_opens_with_its_one_job_and_is_read_in_one_sitting(path):
    text = path.read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(text)), "it has no docstring"
    # A question stands in one file, with all that is claimed of it and every known mistake.
    about_a_question = path.parent == PACKAGE / "checks" and chapter_of(path.stem)
    assert len(text.splitlines()) <= (400 if about_a_question else 250)
    assert "util" not in path.stem, "a module is named by what it holds"


@pytest.mark.parametrize("path", CHAPTERS, ids=noun)
def test_a_chapter_is_complete(path):
    name = noun(path)
    parts = [
        f"firth/{name}.py",
        f"solutions/{path.name}",
        f"exercises/{path.name}",
        f"tests/test_{name}.py",
    ]
    assert not [part for part in parts if not (COURSE / part).exists()]
    assert list((PACKAGE / "widgets").glob(f"{name}_*.py")), "it has no widget"
    assert list((PACKAGE / "checks").glob(f"{name}_*.py")), "it has no exercise"


def test_every_widget_is_a_pair():
    pairs = {path.stem for path in (PACKAGE / "widgets").glob("*_*.*") if not path.stem[0] == "_"}
    for stem in pairs:
        folder = PACKAGE / "widgets"
        assert (folder / f"{stem}.py").exists() and (folder / f"{stem}.js").exists(), stem


def test_there_is_a_chapter_and_no_exercise_without_one():
    names = {path.name for path in CHAPTERS}
    assert names
    for folder in ("solutions", "exercises"):
        assert {path.name for path in (COURSE / folder).glob("*.ipynb")} <= names


# In pieces, or this file would be the first to name them.
REGISTRIES = ["py" + "pi.org", "python" + "hosted.org", "npm" + "js.org", "anaconda" + ".org"]
MACHINE = re.compile(r"(?<![\w.:/-])/(?:work|root|home|Users)/\w|/tmp/\w")


@pytest.mark.parametrize("path", files(COURSE), ids=lambda path: str(path.relative_to(COURSE)))
def test_no_file_names_a_registry_or_a_path_of_somebodys_machine(path):
    text = text_of(path) or ""
    found = [name for name in REGISTRIES if name in text] + MACHINE.findall(text)
    assert not found


# Notebooks


@pytest.mark.parametrize("path", CHAPTERS, ids=noun)
def test_a_chapter_goes_through_its_seven_verbs_in_order(path):
    headings = re.findall(r"^#+ +(.*)$", "\n".join(sources(path, "markdown")), re.MULTILINE)
    verbs = [verb for heading in headings for verb in VERBS if heading.startswith(verb)]
    assert list(dict.fromkeys(verbs)) == VERBS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=shown)
def test_a_code_cell_fits_on_a_screen(path):
    for source in sources(path, "code"):
        lines = [line for line in source.splitlines() if not line.endswith(" SOLUTION")]  # marks
        assert len(lines) <= 15, source


@pytest.mark.parametrize("path", CHAPTERS, ids=noun)
def test_a_chapter_defines_nothing_that_the_package_has(path):
    # The grader is no reader's tool: what it calls a row is its own affair. Nor can a chapter use
    # what a later one brings.
    later = {name for name, first in brought().items() if first > path.stem[:2]}
    shared = [MODULES[name] for name in MODULES.keys() - later if "grading" not in name]
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in shared]
    package = {n.name for tree in trees for n in tree.body if isinstance(n, DEFINITION)}
    code = "\n".join(sources(path, "code"))
    own = set(re.findall(r"^(?:def|class) (\w+)", code, re.MULTILINE))
    assert not own & package


@cache
def brought():
    """The chapter whose page, or else whose exercise, is the first that needs a module."""
    first = {}
    for path in sorted(NOTEBOOKS, key=lambda path: path.stem):
        code = "\n".join(sources(path, "code"))
        direct = {
            f"{base}.{name}" if f"{base}.{name}" in MODULES else base
            for base, names in re.findall(r"^from (firth[\w.]*) import (.+)$", code, re.MULTILINE)
            for name in names.split(", ")
        }
        checks = {name for name in MODULES if name.startswith(f"firth.checks.{noun(path)}_")}
        for name in direct | checks:
            for other in {name, *reached(name, deferred=True)}:
                first.setdefault(other, path.stem[:2])
    return first


DEFINITION = ast.FunctionDef | ast.ClassDef


@pytest.mark.parametrize("path", NOTEBOOKS, ids=shown)
def test_every_picture_is_described_and_no_two_on_a_page_alike(path):
    outputs = [output for cell in cells(path, "code") for output in cell["outputs"]]
    bitmaps = [kind for o in outputs for kind in o.get("data", {}) if kind.startswith("image/")]
    assert not bitmaps, "draw it with firth.plots.picture"
    html = "\n".join(pages(path))
    pictures = re.findall(r'<figure class="firth-picture"[^>]*>\s*<svg[^>]*>', html)
    names = [re.search(r'aria-label="([^"]{20,})"', picture) for picture in pictures]
    assert all(names) and len({name[1] for name in names}) == len(names)
    bare = [
        svg for svg in re.findall("<svg[^>]*>", html) if not re.search("aria-(label|hidden)", svg)
    ]
    assert not bare


@pytest.mark.parametrize("path", NOTEBOOKS, ids=shown)
def test_the_letters_of_every_picture_can_be_read_on_a_phone(path):
    for picture in re.findall(
        r'(?s)<figure class="firth-picture".*?</svg>', "\n".join(pages(path))
    ):
        width = float(re.search(r'viewBox="0 0 ([\d.]+)', picture)[1])
        sizes = map(float, re.findall(r"<text[^>]*font-size: ([\d.]+)px", picture))
        assert min(sizes, default=99) * 328 / width >= 11, picture[:200]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=shown)
def test_a_notebook_leaves_nothing_that_another_run_would_change(path):
    outputs = json.dumps([cell["outputs"] for cell in cells(path, "code")])
    assert not re.search(r" at 0x[0-9a-f]{6,}|ipykernel_\d", outputs)
