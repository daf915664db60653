"""The rules of the repository: where files stand, what may import what, what each chapter has."""

import ast
import json
import re
from graphlib import TopologicalSorter

import prose
import pytest
from address import files, text_of
from chapter_pages import CHAPTERS, PAGES, noun
from first_cell import imports
from notebooks import COURSE, FOLDERS, shown
from prose_counts import FOLDED

PACKAGE = COURSE / "firth"
NOTEBOOKS = sorted(path for folder in FOLDERS for path in (COURSE / folder).glob("*.ipynb"))
PYTHON = [path for path in files(COURSE) if path.suffix == ".py"]
NAMES = [noun(path) for path in CHAPTERS]  # lsa, word2vec …
LEVELS = ("", "widgets", "checks", "data")  # of the package, each with a folder a chapter
# Each package and the packages that it may import; a chapter also imports earlier chapters.
MAY_IMPORT = {
    "runtime": (),
    "display": (),
    "plots": (),
    "store": ("runtime",),
    "scoreboard": ("store", "lsa"),
    "chapter": ("runtime", "store"),
    "widgets": ("runtime", "store", "display", "chapter"),
    "checks": (),
    "grading": ("runtime", "checks"),
    "__main__": ("grading",),
}
DEFINITION = ast.FunctionDef | ast.ClassDef


def module_name(path):
    parts = path.relative_to(COURSE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in PYTHON if path.is_relative_to(PACKAGE)}


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


def chapter(name):
    """The number of the chapter that a module belongs to by its path, or 0."""
    return next((NAMES.index(part) + 1 for part in name.split(".")[1:3] if part in NAMES), 0)


def package(name):
    """The package of a module by its path: "chapter", or the name of a shared one."""
    part = name.split(".")[1] if "." in name else ""
    return "chapter" if part in NAMES else part


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
    # A package and its parts are one thing: `firth.checks.lsa.counts` runs `firth.checks` first.
    TopologicalSorter(graph).prepare()


def test_every_module_belongs_to_a_package_of_which_it_is_known_what_it_imports():
    assert {package(name) for name in MODULES} - {""} == set(MAY_IMPORT)


def test_a_package_imports_only_what_it_may():
    wrong = [
        f"{name} imports {other}"
        for name, path in MODULES.items()
        for other in imported(path)
        if other in MODULES
        and package(other) not in {"", package(name), *MAY_IMPORT.get(package(name), ())}
        and other.split(".")[1] not in MAY_IMPORT.get(package(name), ())
    ]
    assert not wrong


def test_what_runs_beside_students_code_knows_nothing_else_of_the_grader():
    shared = {"firth.grading", "firth.grading.wire", "firth.grading.limits"}
    inside = {name for name in MODULES if name.startswith("firth.grading.untrusted")}
    assert "firth.grading.untrusted.worker" in inside
    known = {other for name in inside for other in imported(MODULES[name])}
    assert {name for name in known if package(name) == "grading"} <= inside | shared
    assert not [
        f"{name} imports {other}"
        for name in set(MODULES) - inside
        for other in set(imported(MODULES[name])) & inside
    ]


def test_a_chapter_needs_no_later_one():
    wrong = [
        f"{name} imports {other}"
        for name, path in MODULES.items()
        for other in imported(path)
        if chapter(name) and other in MODULES and chapter(other) > chapter(name)
    ]
    assert not wrong


def later_chapters(sources, here):
    """The modules of later chapters that the code cells of chapter `here` import."""
    found = {module for source in sources for module in imports(source)}
    return sorted(module for module in found if chapter(module) > here)


@pytest.mark.parametrize("path", PAGES, ids=shown)
def test_a_page_of_a_chapter_imports_nothing_of_a_later_one(path):
    assert later_chapters(sources(path, "code"), NAMES.index(noun(path)) + 1) == []


def test_an_import_of_a_later_chapter_is_found_on_a_page():
    cells = ["from firth.lsa import counts", "import numpy\nfrom firth.widgets.rnn import gates"]
    assert later_chapters(cells, 3) == []
    assert "firth.widgets.rnn" in later_chapters(cells, 2)


def test_a_chapters_package_says_what_it_holds_and_imports_nothing():
    for name in NAMES:
        for level in LEVELS[:3]:
            path = PACKAGE / level / name / "__init__.py"
            [docstring] = ast.parse(path.read_text(encoding="utf-8")).body
            assert isinstance(docstring.value.value, str), path


def test_only_plots_imports_matplotlib():
    drawing = {
        name for name, path in MODULES.items() if any("matplotlib" in m for m in imported(path))
    }
    assert {name.partition("firth.plots")[0] for name in drawing} == {""}


def test_importing_a_numpy_module_never_brings_torch():
    def tops(modules):
        return {module.partition(".")[0] for module in modules}

    wrong = [
        name
        for name, path in MODULES.items()
        if "torch" in tops(reached(name)) - tops(imported(path, deferred=False))
    ]
    assert not wrong


# Files


def test_a_module_opens_with_its_one_job_and_is_read_in_one_sitting():
    for path in PYTHON:
        if "tests" not in path.parts:
            text = path.read_text(encoding="utf-8")
            assert ast.get_docstring(ast.parse(text)), f"{path} has no docstring"
            # A question stands in one file, with all that is claimed of it and every mistake.
            question = path.is_relative_to(PACKAGE / "checks") and path.parent.name in NAMES
            most = 400 if question else 250
            assert len(text.splitlines()) <= most, f"{path} has more than {most} lines: part it"
            assert "util" not in path.stem, f"{path}: a module is named by what it holds"


@pytest.mark.parametrize("path", CHAPTERS, ids=noun)
def test_a_chapter_has_its_folder_at_every_level(path):
    name = noun(path)
    missing = [f"firth/{level}/{name}" for level in LEVELS if not (PACKAGE / level / name).is_dir()]
    for folder in ("experiments", "tests/modules", "tests/checks", "tests/widgets"):
        missing += [f"{folder}/{name}"] * (not (COURSE / folder / name).is_dir())
    for file in (f"solutions/{path.name}", f"exercises/{path.name}"):
        missing += [file] * (not (COURSE / file).is_file())
    assert not missing, f"make {', '.join(missing)}"


def test_every_widget_is_a_pair():
    for name in NAMES:
        folder = PACKAGE / "widgets" / name
        modules = [path for path in folder.glob("*.py") if path.stem != "__init__"]
        assert modules, f"{folder} has no widget"
        assert not [path for path in modules if not path.with_suffix(".js").exists()]


def test_there_is_a_chapter_and_no_exercise_without_one():
    names = {path.name for path in CHAPTERS}
    assert names
    for folder in ("solutions", "exercises"):
        assert {path.name for path in (COURSE / folder).glob("*.ipynb")} <= names


# In pieces, or this file would be the first to name them.
REGISTRIES = ["py" + "pi.org", "python" + "hosted.org", "npm" + "js.org", "anaconda" + ".org"]
MACHINE = re.compile(r"(?<![\w.:/-])/(?:work|root|home|Users)/\w|/tmp/\w")


def test_no_file_names_a_registry_or_a_path_of_somebodys_machine():
    for path in files(COURSE):
        text = text_of(path) or ""
        found = [name for name in REGISTRIES if name in text] + MACHINE.findall(text)
        assert not found, f"{path} names {found}"


# Notebooks


def too_long(path, rewritten):
    """The code cells of a notebook that have more lines than such a cell may have.

    Empty lines, imports and the marks of a solution are not counted. On a rewritten page 12 lines
    may be seen, and folded code, which draws or formats, may be longer. One cell of a page may show
    a training loop of 25 lines.
    """
    loops = 0
    for cell in cells(path, "code"):
        source = "".join(cell["source"])
        counted = [
            line
            for line in source.splitlines()
            if line.strip() and not re.match(r"(from|import) |.* SOLUTION$", line)
        ]
        folded = FOLDED & {*cell["metadata"].get("tags", [])}
        most = (35 if folded else 12) if rewritten else 15
        if rewritten and re.search(
            r"(?m)^for [^\n]*\n(?:    .*\n|\n)*    \w+\.backward\(\)$", source
        ):
            loops += 1
            most = 25 if loops == 1 else most
        if len(counted) > most:
            yield source


@pytest.mark.parametrize("path", NOTEBOOKS, ids=shown)
def test_a_code_cell_fits_on_a_screen(path):
    assert not [*too_long(path, path.resolve() in prose.rewritten())]


@pytest.mark.parametrize(
    ("lines", "tag", "rewritten", "fits"),
    [
        (15, "hide-input", False, True),
        (16, "hide-input", False, False),
        (12, "other", True, True),
        (13, "other", True, False),
        (35, "hide-input", True, True),
        (36, "remove-input", True, False),
    ],
)
def test_the_length_of_a_code_cell_is_met_at_its_edges(lines, tag, rewritten, fits, tmp_path):
    source = "import numpy as np\n\n" + "x = 1\n" * lines
    cell = {"cell_type": "code", "source": [source], "metadata": {"tags": [tag]}}
    path = tmp_path / "page.ipynb"
    path.write_text(json.dumps({"cells": [cell]}), encoding="utf-8")
    assert [*too_long(path, rewritten)] == [source] * (not fits)


@pytest.mark.parametrize(("lines", "loops", "fits"), [(25, 1, 1), (26, 1, 0), (25, 2, 1)])
def test_one_training_loop_of_a_page_may_have_25_lines(lines, loops, fits, tmp_path):
    source = "for step in range(9):\n" + "    x = 1\n" * (lines - 2) + "    loss.backward()"
    cell = {"cell_type": "code", "source": [source], "metadata": {}}
    path = tmp_path / "page.ipynb"
    path.write_text(json.dumps({"cells": [cell] * loops}), encoding="utf-8")
    assert len([*too_long(path, rewritten=True)]) == loops - fits


@pytest.mark.parametrize("path", PAGES, ids=shown)
def test_a_page_of_a_chapter_defines_nothing_that_the_package_has(path):
    # The grader is no reader's tool, and a chapter cannot use what a later one brings.
    here = NAMES.index(noun(path)) + 1
    known = [name for name in MODULES if chapter(name) <= here and package(name) != "grading"]
    trees = [ast.parse(MODULES[name].read_text(encoding="utf-8")) for name in known]
    there = {node.name for tree in trees for node in tree.body if isinstance(node, DEFINITION)}
    code = "\n".join(sources(path, "code"))
    own = set(re.findall(r"^(?:def|class) (\w+)", code, re.MULTILINE))
    assert not own & there


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
