"""What Python in the page reads of this repository: modules of firth, and an exercise's data.

    modules that the exercises import, and all that these import  →  firth.zip
    the files of firth/data that one exercise opens               →  01_lsa.zip

Which modules an exercise imports is read from its notebook; which data it opens is listed in
parts.toml, and a test in the browser holds that the list is complete and has nothing more.
"""

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from .archives import HERE, ROOT, table
from .shared_files import zipped

sys.path.append(str(ROOT / "tools"))
import first_cell

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


def reached(sources: Iterable[str]) -> set[Path]:
    """The files of all modules of firth that are imported where these sources run."""
    files: set[Path] = set()
    waiting = [name for source in sources for name in first_cell.imports(source)]
    while waiting:
        module = waiting.pop()
        path = first_cell.file_of_module(module)
        if path and path not in files:
            files.add(path)
            waiting += [module.rpartition(".")[0], *first_cell.imports_of_module(module)]
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
