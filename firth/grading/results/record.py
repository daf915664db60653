"""What grading leaves: one record a submission, whole or not at all, in one folder.

    record  →  a temporary name beside  →  its place, in one step

Whatever kills the grader, a file of the folder is the old one or the new one, never half. No name
of a student or a file leads out of the folder: `key` makes a safe one of both.
"""

import fcntl
import hashlib
import json
import os
import secrets
import sys
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

FORMAT = 1
NUMBER = float
CLAIM = {
    "claim": str,
    "holds": bool,
    "score": NUMBER,
    "points": NUMBER,
    "message": str,  # for the student; `detail`, beside it, is for the instructor alone
    "status": str,
}
# What every record holds, and more besides; a file that does not is no record.
SHAPE = {
    "format": int,
    "exercise": str,
    "student": str,
    "file": str,
    "sha256": str,  # of the bytes handed in; "" where the file was refused
    "status": str,  # graded, partly graded, unreadable, refused, withheld, not graded
    "notes": [str],
    "score": NUMBER,  # of the answers; what a reader gives for written ones is kept elsewhere
    "points": NUMBER,
    "answers": [{"name": str, "score": NUMBER, "points": NUMBER, "status": str, "claims": [CLAIM]}],
    "written": [{"name": str, "points": NUMBER, "text": str}],
    "cells": [{"cell": int, "status": str, "message": str}],
}
PART = ".part-"  # the temporary name of a file on its way
LONGEST = 60  # bytes of a student's name in the name of a file


class FolderError(RuntimeError):
    """The folder cannot be used; the message says what to do."""


def fingerprint(data: bytes) -> str:
    """Twelve letters and digits that tell one text from another and give neither away.

    >>> fingerprint(b"a seed")
    '8f44d509e049'
    """
    return hashlib.sha256(data).hexdigest()[:12]


def key(student: str, name: str) -> str:
    """A safe file name for what a student handed in, readable where that is possible.

    The fingerprint tells apart what a file system may not: Ada and ada, é in one piece or two.

    >>> key("ada", "lsa.ipynb"), key("../Ada", "lsa.ipynb")
    ('ada-83e38e5f0023', 'Ada-4d9b6119428d')
    """
    whole = json.dumps([student, name]).encode()  # unlike student + name, splits one way only
    letters = [
        letter if unicodedata.category(letter)[0] in "LNM" else "-"
        for letter in unicodedata.normalize("NFC", student[:LONGEST])
    ]
    readable = "".join(letters).encode()[:LONGEST].decode(errors="ignore").strip("-")
    return f"{readable or 'student'}-{fingerprint(whole)}"


def fits(value: object, shape: object) -> bool:
    """Whether plain data has this shape; what a dictionary holds besides does not matter.

    >>> fits({"cells": [{"cell": 3, "ran": True}]}, {"cells": [{"cell": int}]})
    True
    """
    if isinstance(shape, dict):
        return isinstance(value, dict) and all(
            name in value and fits(value[name], kind) for name, kind in shape.items()
        )
    if isinstance(shape, list):
        return isinstance(value, list) and all(fits(item, shape[0]) for item in value)
    if shape is NUMBER:
        return type(value) in (int, float) and abs(value) < 1e9  # nan is not
    return type(value) is shape


def place(path: Path, data: bytes | str, durable: bool = False) -> Path:
    """Writes a file in one step: whoever looks, and whoever is killed, leaves all of it or nothing.

    `durable` outlives a power cut as well, and costs milliseconds: for what cannot be made again.
    """
    data = data.encode() if isinstance(data, str) else data
    part = path.with_name(PART + secrets.token_hex(8))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with part.open("xb") as stream:
                stream.write(data)
                if durable:
                    stream.flush()
                    os.fsync(stream.fileno())
            os.replace(part, path)
        finally:
            part.unlink(missing_ok=True)
        if durable:
            folder = os.open(path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
    except OSError as problem:
        raise FolderError(
            f"{path} cannot be written ({problem.strerror}): make room for it, or choose another"
            " folder with --out."
        ) from None
    return path


def tell(sentence: str) -> None:
    print(sentence, file=sys.stderr)


class Grades:
    """The folder of a graded class, and the names of all that stands in it."""

    def __init__(self, folder: str | Path):
        self.folder = Path(folder)
        self.records = self.folder / "records"
        self.feedback = self.folder / "feedback"
        self.gradescope = self.folder / "gradescope"
        self.marking = self.folder / "marking.csv"
        self.overrides = self.folder / "overrides.csv"
        self.extensions = self.folder / "extensions.csv"
        self.changes = self.folder / "changes.csv"
        self.standings = self.folder / "standings.json"  # of the last run: changes.csv compares
        self.seed = self.folder / "seed"

    def path(self, student: str, name: str) -> Path:
        return self.records / f"{key(student, name)}.json"

    def write(self, record: dict) -> Path:
        """Keeps a record in the place of an earlier one about the same file."""
        # A half of a character pair, which UTF-8 does not know, is written as JSON would: \ud800
        text = json.dumps(record, ensure_ascii=False, indent=1).encode(errors="backslashreplace")
        return place(self.path(record["student"], record["file"]), text, durable=True)

    def one(self, path: Path) -> dict:
        """The record in a file, or a ValueError that says what is wrong with it."""
        try:
            record = json.loads(path.read_bytes())
        except OSError as problem:
            raise ValueError(f"cannot be read ({problem.strerror})") from None
        except (ValueError, RecursionError):
            raise ValueError("is damaged") from None
        if not fits(record, {"format": int}):
            raise ValueError("is no record")
        if record["format"] != FORMAT:
            raise ValueError(f"was written by another version (format {record['format']})")
        if not fits(record, SHAPE):
            raise ValueError("lacks something that a record has")
        if path.name != self.path(record["student"], record["file"]).name:
            raise ValueError("bears the name of another record")  # a copy would count twice
        return record

    def read(self, say: Callable[[str], object] = tell) -> list[dict]:
        """All records by student and file; a file that is none is named, and counts as absent."""
        found = []
        for path in sorted(self.records.glob("*.json")):
            try:
                found.append(self.one(path))
            except ValueError as problem:
                say(f"{path} {problem} and was left out: remove it and grade again.")
        return sorted(found, key=lambda record: (record["student"], record["file"]))

    def done(self, student: str, name: str, **same: object) -> bool:
        """Whether a file was graded before in the same way: `same` names what must agree.

        What the grader itself failed to grade is not done. A withheld file is not done either: it
        waits for a teacher to mend a slip, which may be in the names of others.
        """
        try:
            record = self.one(self.path(student, name))
        except ValueError:
            return False
        return record["status"] not in ("not graded", "withheld") and all(
            record.get(name) == value for name, value in same.items()
        )

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Keeps a second grader out, and clears away what a killed one left half written.

        The lock belongs to this process alone: it ends when the process does, however that comes
        about, and whatever children it leaves behind.
        """
        path = self.folder / "lock"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            stream = path.open("a+")
        except OSError as problem:
            raise FolderError(
                f"{self.folder} cannot be used ({problem.strerror}): choose another with --out."
            ) from None
        with stream:
            try:
                fcntl.lockf(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except (BlockingIOError, PermissionError):
                stream.seek(0)
                holder = f" (process {pid})" if (pid := stream.read(20).strip()) else ""
                raise FolderError(
                    f"Another grader{holder} is at work in {self.folder}: wait for it to end, or"
                    " choose another folder with --out."
                ) from None
            except OSError as problem:
                raise FolderError(
                    f"The disk of {self.folder} keeps no locks ({problem.strerror}): choose a"
                    " folder on another with --out."
                ) from None
            stream.truncate(0)
            stream.write(str(os.getpid()))
            stream.flush()
            for part in self.folder.rglob(f"{PART}*"):
                with suppress(OSError):
                    part.unlink()
            yield
