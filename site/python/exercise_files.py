"""What Python in the page reads of this repository: modules of firth, and an exercise's data.

    modules that the exercises import, and all that these import  →  firth.zip
    the files of firth/data that one exercise opens               →  01_lsa.zip

Which modules an exercise imports is read from its notebook; which data it opens is listed in
parts.toml, and a test in the browser holds that the list is complete and has nothing more.
"""

import ast
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from .archives import HERE, ROOT, table
from .shared_files import zipped

FIRTH = ROOT / "firth"


def exercises() -> list[Path]:
    """The notebooks of the exercises, in their order."""
    return sorted((ROOT / "exercises").glob("*.ipynb"))


def code_cells(notebook: Path) -> Iterator[str]:
    """The source of each code cell that the page of a notebook shows."""
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        hidden = "remove-cell" in cell["metadata"].get("tags", [])
        if cell["cell_type"] == "code" and not hidden:
            yield "".join(cell["source"])


def imported(source: str, package: str = "") -> Iterator[str]:
    """The modules of firth that may be meant by the imports of a source that run at once.

    >>> sorted(imported("import numpy\\nfrom firth.store import corpora"))
    ['firth.store', 'firth.store.corpora']
    >>> list(imported("from . import cache", "firth.store"))
    ['firth.store', 'firth.store.cache']
    """
    for node in ast.parse(source).body:
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) + 1 - node.level]
            base = ".".join([*(above if node.level else []), *filter(None, [node.module])])
            names = [base, *(f"{base}.{alias.name}" for alias in node.names)]
        else:
            names = []
        yield from (name for name in names if name.split(".")[0] == "firth")


def file_of(module: str) -> Path | None:
    """The file of a module of firth, None where a name is not that of a module."""
    path = ROOT.joinpath(*module.split("."))
    found = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return found if found.is_file() else None


def reached(sources: Iterable[str]) -> set[Path]:
    """The files of all modules of firth that are imported where these sources run."""
    files: set[Path] = set()
    waiting = [name for source in sources for name in imported(source)]
    while waiting:
        module = waiting.pop()
        waiting += [module.rpartition(".")[0]] if "." in module else []
        path = file_of(module)
        if path is None or path in files:
            continue
        files.add(path)
        package = module if path.name == "__init__.py" else module.rpartition(".")[0]
        waiting += imported(path.read_text(encoding="utf-8"), package)
    return files


def modules() -> list[tuple[str, bytes]]:
    """The path and content of each module of firth in the page, and of the module of its cells."""
    cells = [source for notebook in exercises() for source in code_cells(notebook)]
    files = reached(cells) | {*(FIRTH / "checks").rglob("*.py")}
    found = [(path.relative_to(ROOT).as_posix(), path.read_bytes()) for path in files]
    return [*found, ("page_cells.py", (HERE / "page_cells.py").read_bytes())]


def data(exercise: str) -> list[tuple[str, bytes]]:
    """The path and content of each file of firth/data that an exercise opens."""
    paths = [FIRTH / "data" / name for name in table("data").get(exercise, [])]
    return [(path.relative_to(ROOT).as_posix(), path.read_bytes()) for path in paths]


def exercise_files() -> dict[str, bytes]:
    """The name and content of each archive: firth.zip, and one for each exercise."""
    return {"firth.zip": zipped(modules())} | {
        f"{notebook.stem}.zip": zipped(data(notebook.stem)) for notebook in exercises()
    }
