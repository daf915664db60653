"""A folder of checked files: each is there whole and as recorded, or it is not there.

    a fresh file  →  beside the cache, on its disk  →  checked  →  moved to its place in one step

Whatever stops this on the way (a closed laptop, a full disk, a second process that does the same)
leaves the cache as it was. The folder is FIRTH_CACHE, or the platform's own for caches.
"""

import errno
import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

DAY = 86_400  # seconds


class StoreError(RuntimeError):
    """A file could not be had; the message says what to do."""


def folder() -> Path:
    """The folder that keeps what was fetched: FIRTH_CACHE, or the platform's cache folder."""
    if chosen := os.environ.get("FIRTH_CACHE"):
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData/Local")) / "firth/Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library/Caches/firth"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "firth"


def intact(path: Path, record: dict) -> bool:
    """Whether the file is there with the recorded size and SHA-256."""
    if not path.is_file() or path.stat().st_size != record["bytes"]:
        return False
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest() == record["sha256"]


def place(fresh: Path, target: Path) -> None:
    """Move a finished file to its place in one step: whoever looks sees all of it or nothing."""
    target.parent.mkdir(parents=True, exist_ok=True)
    os.replace(fresh, target)


@contextmanager
def workplace(needed: int) -> Iterator[Path]:
    """A folder on the cache's own disk that is gone afterwards, whatever happens."""
    shelf = folder()
    try:
        shelf.mkdir(parents=True, exist_ok=True)
        for left in shelf.glob(".incoming-*"):  # by a process that was killed
            if time.time() - left.stat().st_mtime > DAY:
                shutil.rmtree(left, ignore_errors=True)
        if shutil.disk_usage(shelf).free < needed:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        with tempfile.TemporaryDirectory(prefix=".incoming-", dir=shelf) as inside:
            yield Path(inside)
    except OSError as problem:
        if problem.errno == errno.ENOSPC:
            wrong = f"The disk of {shelf} has no room for {needed / 1e6:.0f} MB"
            remedy = "free some space or set FIRTH_CACHE to a folder on another disk"
        else:
            wrong = f"The cache folder {shelf} cannot be used ({problem.strerror})"
            remedy = "set FIRTH_CACHE to a folder that you may write to"
        raise StoreError(f"{wrong}: {remedy}.") from None
