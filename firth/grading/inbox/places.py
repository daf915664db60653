"""Folders and archives → the files in them; what could lead elsewhere says why not."""

import os
import re
import stat
import unicodedata
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from firth.grading.inbox.packed import SIZE, Unreadable, opened, unpacked

ARCHIVE = re.compile(r".*\.zip", re.IGNORECASE)


ENTRIES = 20_000  # of an export
LONGEST = 1_000  # characters of a path in an archive; no disk takes a name of more than 255


LINK = "It is a link to another place: hand in the file itself."
EMPTY = "The folder is empty: ask for the .ipynb file."
OURS = {"lock", "records"}  # in a folder that grading has written


@dataclass(frozen=True)
class Found:
    """A file before it has a student; `parts` is its path below what was given."""

    parts: tuple[str, ...]
    path: Path
    member: str | None = None
    refused: str = ""
    route: tuple[int, ...] = ()


def printable(text: str) -> str:
    """A name in one spelling (NFC), without what cannot be shown or written as UTF-8."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    shown = (c for c in text if c.isprintable() or c in "\u200c\u200d")  # these join emoji
    return unicodedata.normalize("NFC", "".join(shown)).strip()


def irregular(status: os.stat_result) -> str:
    """Why a file is not to be opened, or nothing."""
    if stat.S_ISLNK(status.st_mode):
        return LINK
    if not stat.S_ISREG(status.st_mode):
        return "It is no ordinary file: hand in the notebook itself."
    if status.st_size > SIZE:
        return f"The file is larger than {SIZE >> 20} MB: ask for it without outputs."
    return ""


def files(path: Path, parts: tuple[str, ...]) -> Iterator[Found]:
    """All files in a folder and its archives, in the order of their names."""
    waiting = [(path, parts)]
    while waiting:
        folder, parts = waiting.pop()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            refused = f"The folder cannot be opened ({error.strerror})."
            yield Found((*parts, printable(folder.name)), folder, refused=refused)
            continue
        entries = [e for e in entries if not e.name.startswith(".") and e.name != "__MACOSX"]
        if OURS <= {entry.name for entry in entries}:
            continue
        if parts and not entries:
            yield Found(parts, folder, refused=EMPTY)
        for entry in entries:
            below = (*parts, printable(entry.name))
            if entry.is_dir(follow_symlinks=False):
                waiting.append((Path(entry.path), below))
            elif entry.is_symlink() and os.path.isdir(entry.path):  # false for a link to itself
                yield Found(below, Path(entry.path), refused=LINK)
            else:
                yield from file(Path(entry.path), below)


def file(path: Path, parts: tuple[str, ...]) -> Iterator[Found]:
    """A file as it stands, or what is in it if it is an archive."""
    try:
        status = path.lstat()
        size = status.st_size * (not ARCHIVE.fullmatch(path.name))  # an export may be large
        trouble = irregular(os.stat_result((*status[:6], size, *status[7:])))
        trouble = trouble or ("" if os.access(path, os.R_OK) else "The file may not be read.")
    except OSError as error:
        trouble = f"The file cannot be read ({error.strerror})."
    if trouble or not ARCHIVE.fullmatch(path.name):
        yield Found(parts, path, refused=trouble)
        return
    try:
        with zipfile.ZipFile(path) as archive:
            if len(archive.infolist()) > ENTRIES:
                refused = f"It holds more than {ENTRIES:,} files: ask for the notebook itself."
                yield Found(parts, path, refused=refused)
                return
            yield from members(archive, path, parts, ())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        yield Found(parts, path, refused="The archive is damaged: ask for it again.")


def entry_name(entry: zipfile.ZipInfo) -> str:
    """The name of an entry; many packers write UTF-8 and do not say so."""
    name = entry.orig_filename
    if not entry.flag_bits & 0x800:
        try:
            name = name.encode("cp437").decode("utf-8")
        except UnicodeError:
            pass
    return name.replace("\\", "/")


def steps_of(entry: zipfile.ZipInfo) -> tuple[str, ...]:
    """The path of an entry, step by step; of one that is too long, the end."""
    steps = map(printable, entry_name(entry)[-LONGEST:].split("/"))
    return tuple(step for step in steps if step not in ("", "."))


def members(archive, path: Path, parts: tuple[str, ...], route: tuple[int, ...], base=None):
    """The files in an archive, and in the archives of students inside it, no deeper."""
    base = len(parts) if base is None else base
    for number, entry in enumerate(archive.infolist()):
        name, steps = entry_name(entry), steps_of(entry)
        hidden = any(s == "__MACOSX" or (s.startswith(".") and s != "..") for s in steps)
        if not steps or hidden or name.endswith("/"):
            continue
        below, refused = (*parts, *(step for step in steps if step != "..")), ""
        kind = stat.S_IFMT(entry.external_attr >> 16)
        if ".." in steps or re.match(r"/|[A-Za-z]:", name):
            refused = "Its path leads out of the archive: ask for the notebook itself."
        elif len(name) > LONGEST:
            refused = f"Its path has more than {LONGEST:,} characters: give it a short name."
        elif kind not in (0, stat.S_IFREG):
            refused = LINK
        elif entry.flag_bits & 1:
            refused = "It is encrypted: ask for it without a password."
        elif entry.file_size > SIZE:
            refused = f"It unpacks to more than {SIZE >> 20} MB: ask for it without outputs."
        here = Found(below or steps, path, "/".join(below[base:]), refused, (*route, number))
        if refused or not ARCHIVE.fullmatch(name):
            yield here
        elif route:
            yield replace(here, refused="It is an archive in an archive in an archive: unpack it.")
        else:
            try:
                with opened(unpacked(archive, entry)) as inner:
                    yield from members(inner, path, below, here.route, base)
            except Unreadable as error:
                yield replace(here, refused=str(error))
