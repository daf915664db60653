"""Files in an archive, unpacked in memory, checked, and never more of them than is safe."""

import io
import re
import zipfile
import zlib

SIZE = 64 << 20  # bytes of a file: with all pictures in it, an honest one has a few million

ENTRIES = 5_000


class Unreadable(Exception):
    """A file that is no notebook; the sentence says what it is, and what to do."""


def unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """The checked bytes of one file of an archive, of which no more than SIZE are unpacked."""
    if entry.flag_bits & 1:
        raise Unreadable("The file is encrypted: pack it without a password, and hand it in again.")
    if entry.file_size > SIZE:
        raise Unreadable(
            f"The file unpacks to more than {SIZE >> 20} MB: clear the notebook's outputs, "
            "and hand it in again."
        )
    try:
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise NotImplementedError  # the other kinds can ask for gigabytes to unpack a line
        with archive.open(entry) as file:
            return file.read(SIZE + 1)  # checks the CRC at the end of the file
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError):
        # RuntimeError has NotImplementedError below it.
        raise Unreadable(
            "The zip archive is damaged or packed in an unusual way: hand in the notebook itself."
        ) from None


def opened(data: bytes) -> zipfile.ZipFile:
    """An archive in memory; one of a million entries would fill it, so they are counted first."""
    try:
        if data.count(b"PK\1\2") > ENTRIES:
            raise zipfile.BadZipFile
        return zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, EOFError):
        raise Unreadable(
            "The zip archive is damaged or holds too many files: hand in the notebook itself."
        ) from None


def is_notebook(name: str) -> bool:
    """Whether a file is called as a notebook is, or as browsers save one, and is nobody's copy.

    >>> [is_notebook(name) for name in ("ada/01_lsa.ipynb.txt", "__MACOSX/ada/._01_lsa.ipynb")]
    [True, False]
    """
    parts = name.split("/")
    if any(
        (part.startswith(".") and part not in (".", "..")) or part == "__MACOSX" for part in parts
    ):
        return False
    return re.search(r"\.ipynb(\.txt|\.json)?$", name, re.IGNORECASE) is not None
