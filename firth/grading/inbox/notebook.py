"""Any bytes that were handed in → what a student wrote, or a sentence that says what is wrong.

    notebook(bytes)        →  code, text, written answers, notes
    replayed(code, names)  →  the cells to run; a released blank never replaces an answer

The bytes come from whoever wishes us well or ill. They are only ever read: nothing is run, nothing
is imported on their word, and the one exception that leaves this module is Unreadable.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from firth.grading.inbox.packed import SIZE, Unreadable, is_notebook, opened, unpacked
from firth.grading.inbox.written import answers

NESTS = 2_000_000  # lists and dictionaries in it: each takes thirty times its bytes of memory


CELLS = 5_000


SOURCE = 1_000_000  # characters of all cells; the exercises have 20,000


AGAIN = "Open the notebook in Jupyter or Colab, save it, and hand in the file that ends in .ipynb."


BEGINNING = 10_000  # characters: enough to see what a file is


CONFLICT = ("\n<<<<<<< ", "\n=======\n", "\n>>>>>>> ")


BYTES = {0xDC00 + b: bytes([b]).decode("cp1252", "replace") for b in range(128, 256)}


@dataclass(frozen=True)
class Notebook:
    """What a student wrote, in the order of the cells."""

    code: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    written: dict[str, str] = field(default_factory=dict)  # question → answer, "" if left blank
    notes: list[str] = field(default_factory=list)  # sentences safe for everybody


def notebook(data: bytes) -> Notebook:
    """The notebook in a file, however it was saved, sent or packed.

    >>> notebook(b'{"cells": [{"cell_type": "code", "source": ["x = 1"]}]}').code
    ['x = 1']
    >>> notebook(b'{"cells": [{"cell')
    Traceback (most recent call last):
    firth.grading.inbox.packed.Unreadable: The file breaks off in the middle: it was not saved or
    uploaded whole. Open the notebook in Jupyter or Colab, save it, and hand in the file that ends
    in .ipynb.
    """
    try:
        notes: list[str] = []
        data = sized(data)
        if data.startswith(b"PK\3\4"):
            data = only_notebook(data)
            notes.append("The notebook was handed in as a zip archive; it was unpacked.")
        cells = list(contents(parsed(decoded(data, notes)), notes))
        if sum(len(source) for _, source in cells) > SOURCE:
            raise Unreadable(
                f"The cells hold more than {SOURCE:,} characters: keep data out of the cells, and "
                "hand the notebook in again."
            )
        code = [source for kind, source in cells if kind == "code"]
        text = [source for kind, source in cells if kind != "code"]
        return Notebook(code, text, answers(cells), list(dict.fromkeys(notes))[:20])
    except (RecursionError, MemoryError):
        raise Unreadable(
            f"The file is too large or too deeply nested to be read. {AGAIN}"
        ) from None


def sized(data: bytes) -> bytes:
    """The bytes, if there are any and not too many."""
    if len(data) > SIZE:
        raise Unreadable(
            f"The file is larger than {SIZE >> 20} MB: clear the outputs of the cells that print "
            "or draw the most, save the notebook, and hand it in again."
        )
    if not data.strip(b"\0 \t\r\n\xef\xbb\xbf\xff\xfe"):
        raise Unreadable(f"The file is empty. {AGAIN}")
    return data


def only_notebook(data: bytes) -> bytes:
    """The one notebook of an archive."""
    archive = opened(data)
    found = [entry for entry in archive.infolist() if is_notebook(entry.filename)]
    if len(found) != 1:
        count = f"{len(found)} notebooks" if found else "no notebook"
        raise Unreadable(f"The zip archive holds {count}: hand in one notebook, not packed.")
    return sized(unpacked(archive, found[0]))


def decoded(data: bytes, notes: list[str]) -> str:
    """The text of a file in the encodings that editors of six decades leave behind."""
    encoding = json.detect_encoding(data)  # by its mark, or by where the zeros are
    if not encoding.startswith("utf-8"):
        notes.append(f"The file is in the encoding {encoding.upper()}; it was read all the same.")
        return data.decode(encoding, "replace")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        text = data.decode(encoding, "surrogateescape")
    if (repaired := text.translate(BYTES)) != text:
        notes.append("Some letters of the file are not in UTF-8; they were read as Windows-1252.")
        return repaired
    return text


def parsed(text: str) -> dict:
    """The file as nested lists and dictionaries. Of a key that is there twice the last counts."""
    text = text.strip("\ufeff\0 \t\r\n")
    if text.count("[") + text.count("{") > NESTS:
        raise Unreadable(f"The file holds too many lists: clear the outputs. {AGAIN}")
    try:
        found = json.loads(text, strict=False)
    except ValueError as error:
        raise Unreadable(f"{suspicion(text, error)} {AGAIN}") from None
    if isinstance(found, dict) and any(
        isinstance(found.get(k), list) for k in ("cells", "worksheets")
    ):
        return found
    raise Unreadable(f"The file is no notebook: it has no cells. {AGAIN}")


def conflicting(text: str) -> bool:
    """Whether the marks of a conflict stand in it, in their order; in one pass, however often."""
    at, lines = 0, f"\n{text}"
    for mark in CONFLICT:
        if (at := lines.find(mark, at)) < 0:
            return False
    return True


def suspicion(text: str, error: ValueError) -> str:
    """What a file seems to be whose text is no JSON."""
    start = text[:1000].lower()
    if start.startswith("version https://git-lfs"):
        return "The file is a pointer of Git LFS, which stands for a notebook kept elsewhere."
    if start.startswith("<") and not start.startswith("<<<<<<<"):
        return "The file is a web page, not the notebook itself."
    if start.startswith("%pdf"):
        return "The file is a PDF, not the notebook itself."
    if conflicting(text):
        return "The file has marks of a Git conflict (<<<<<<<, =======, >>>>>>>) to be resolved."
    if not start.startswith(("{", "[")):
        if re.search(r"(?m)^[ \t]*(import|from|def|class|#|print)\b", text[:BEGINNING]):
            return "The file is a Python script that is named like a notebook."
        return "The file is no notebook."
    if "Unterminated" in str(error) or getattr(error, "pos", 0) >= len(text) - 1:
        return "The file breaks off in the middle: it was not saved or uploaded whole."
    return "The file is damaged: its text is not that of a notebook."


def contents(found: dict, notes: list[str]) -> Iterator[tuple[str, str]]:
    """The kind and the source of each cell that can be read; "text" is whatever is not code."""
    cells = found.get("cells")
    if not isinstance(cells, list):  # formats 2 and 3 put sheets between notebook and cells
        sheets = [sheet for sheet in found["worksheets"] if isinstance(sheet, dict)]
        lists = [sheet["cells"] for sheet in sheets if isinstance(sheet.get("cells"), list)]
        cells = [cell for each in lists for cell in each]
        notes.append("The file is in the old notebook format 3; it was read all the same.")
    if len(cells) > CELLS:
        raise Unreadable(f"The notebook has more than {CELLS:,} cells. {AGAIN}")
    if (language := foreign(found.get("metadata"))) is not None:
        notes.append(f"The notebook says that it is in {language}; it was read as Python.")
    for number, cell in enumerate(cells, start=1):
        kind = cell.get("cell_type") if isinstance(cell, dict) else None
        source = joined(cell.get("source", cell.get("input"))) if isinstance(cell, dict) else None
        if kind not in ("code", "markdown", "raw", "heading", "html") or source is None:
            notes.append(
                f"Cell {number} of the notebook, text included, is damaged; it was skipped."
            )
            continue
        yield "code" if kind == "code" else "text", clean(source)


def foreign(metadata: object) -> str | None:
    """The language that a notebook names, if that is not Python; never more of it than a word."""
    named = []
    for key, entry in (
        ("language_info", "name"),
        ("kernelspec", "language"),
        ("kernelspec", "name"),
    ):
        about = metadata.get(key) if isinstance(metadata, dict) else None
        named.append(about.get(entry) if isinstance(about, dict) else None)
    known = {"ir": "R", "irkernel": "R"}
    language = next((name for name in named[:2] if isinstance(name, str) and name), None)
    if language is None and isinstance(named[2], str):
        julia = "Julia" if named[2].startswith("julia") else None
        language = known.get(named[2], julia)
    if language is None or "python" in language.lower():
        return None
    return (
        language
        if re.fullmatch(r"[A-Za-z][\w+#-]{0,15}", language, re.ASCII)
        else "another language"
    )


def joined(source: object) -> str | None:
    """A source as one text: editors store it whole or in lines; None if it is neither."""
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        return "".join(source)
    return source if isinstance(source, str) else None


def clean(source: str) -> str:
    """A source with lines ended as in Unix, and nothing that cannot be written as UTF-8.

    >>> clean("a\\r\\nb\\0 \\ud800")
    'a\\nb �'
    """
    source = source.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    return source.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
