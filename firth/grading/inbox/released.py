"""The code of the notebooks of this clone: what students were given, and the published solution."""

from functools import cache
from pathlib import Path

from firth.grading.inbox.notebook import notebook

COURSE = Path(__file__).resolve().parents[3]


@cache
def cells_of(folder: str, exercise: str) -> tuple[str, ...] | None:
    """The code cells of a notebook in `exercises` or `solutions`; None if it is not there.

    A course that was installed without being cloned has neither.
    """
    path = COURSE / folder / f"{exercise}.ipynb"
    return tuple(notebook(path.read_bytes()).code) if path.is_file() else None
