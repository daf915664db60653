"""The folder of a class for the time of one run: locked, or a copy that is thrown away."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from firth.grading.results.record import Grades

ENDINGS = (".csv", ".json")  # of what a run reads beside records and seed


@contextmanager
def locked(folder: Path) -> Iterator[Grades]:
    """The folder itself, which no other grader may use in the meantime."""
    grades = Grades(folder)
    with grades.lock():
        yield grades


@contextmanager
def copied(folder: Path) -> Iterator[Grades]:
    """A copy of all that a run reads there; whatever is written to it is gone afterwards."""
    with TemporaryDirectory(prefix="firth-dry-run-") as place:
        own = Grades(folder)
        if own.records.is_dir():
            shutil.copytree(own.records, Grades(place).records)
        tables = [path for path in folder.glob("*") if path.suffix in ENDINGS]
        for path in (*tables, *([own.seed] if own.seed.exists() else [])):
            shutil.copy2(path, Path(place) / path.name)
        yield Grades(place)
