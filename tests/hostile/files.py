"""What is no notebook, or was one once; and files whose names are the attack."""

import io
import json
import os
import socket
import zipfile
from pathlib import Path

from hostile import (
    EITHER,
    GRADED,
    RIGHT,
    TURNED_AWAY,
    Hostile,
    cell,
    cells,
    data,
    notebook,
)

BOOK = notebook(cells())
GOOD = data(BOOK)


def file(name: str, tries: str, given, low: int = 0, high: int = 0, **more) -> Hostile:
    status = GRADED if low else TURNED_AWAY
    return Hostile(name, "file", tries, given, low, high, **{"status": status} | more)


def named(name: str, filename: str | bytes, tries: str) -> Hostile:
    return file(name, tries, data(BOOK | {"title": name}), 10, 10, filename=filename)


def zipped(*members: tuple[str, bytes], links: bool = False) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o120777 if links else 0o100644) << 16
            archive.writestr(entry, content)
    return held.getvalue()


def old_format() -> bytes:
    """The same notebook as Jupyter wrote it until 2014."""
    kinds = {"code": "input", "markdown": "source"}
    sheet = [
        {
            "cell_type": one["cell_type"],
            kinds[one["cell_type"]]: one["source"],
            "metadata": {},
            **({"language": "python", "outputs": [], "collapsed": False, "prompt_number": 1}),
        }
        for one in cells()
    ]
    whole = {"metadata": {"name": ""}, "nbformat": 3, "nbformat_minor": 0}
    return json.dumps(whole | {"worksheets": [{"cells": sheet, "metadata": {}}]}).encode()


def link(to: str):
    return lambda path: path.symlink_to(to)


def other_students_file(path: Path) -> None:
    path.symlink_to(path.parent / "all-right.ipynb")


def folder(path: Path) -> None:
    path.mkdir()
    (path / "q.ipynb").write_bytes(data(BOOK | {"title": path.name}))


def socket_file(path: Path) -> None:
    here = os.open(path.parent, os.O_RDONLY)
    with socket.socket(socket.AF_UNIX) as made_:
        made_.bind(f"/proc/self/fd/{here}/{path.name}")  # its whole name would be too long
    os.close(here)


def hundred_megabytes(path: Path) -> None:
    heavy = cell("print('x')", outputs=[{"output_type": "stream", "text": ["x" * (100 << 20)]}])
    path.write_bytes(data(notebook([*cells(), heavy])))


def bomb(path: Path) -> None:
    """A gigabyte of blanks, in a megabyte."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("notebook.ipynb", "w", force_zip64=True) as inside:
            for _ in range(1 << 10):
                inside.write(b" " * (1 << 20))


umlaut = data(notebook([*cells(), cell("# Müller", "markdown")]))

CLASS = [
    file("empty", "an empty file", b""),
    file("blanks", "nothing but blanks", b" \n\t\0\0\n" * 99),
    file("half", "the upload broke off in the middle", GOOD[: len(GOOD) // 2]),
    file("format-3", "a notebook of 2013", old_format(), 10, 10),
    file("latin-1", "an umlaut in Latin-1", umlaut.decode().encode("latin-1"), 10, 10),
    file("utf-16", "UTF-16, as some editors save", GOOD.decode().encode("utf-16"), 10, 10),
    file("utf-16-be", "UTF-16 the other way round", GOOD.decode().encode("utf-16-be"), 10, 10),
    file("bom", "UTF-8 with a mark at the beginning", b"\xef\xbb\xbf" + umlaut, 10, 10),
    file("crlf", "lines that end as in Windows", GOOD.replace(b"\n", b"\r\n"), 10, 10),
    file(
        "crlf-inside",
        "cells whose lines end as in Windows, or on old machines",
        data(
            notebook(
                [
                    one | {"source": [line.replace("\n", "\r\n") for line in one["source"]]}
                    for one in cells()
                ]
            )
        ),
        10,
        10,
    ),
    file(
        "lfs-pointer",
        "a pointer to a file that stayed at home",
        b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n",
    ),
    file("web-page", "the page of the web around the notebook", b"<!DOCTYPE html><html></html>"),
    file("program", "a program instead of a notebook", "\n\n".join(RIGHT.values()).encode()),
    file("picture", "a picture", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9),
    file("document", "a document", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n" + bytes(range(256))),
    file("a-list", "JSON, but no notebook", b"[1, 2, 3]"),
    file("only-a-number", "JSON, but a number", b"7"),
    file("no-cells-at-all", "JSON, but without cells", b'{"nbformat": 4}'),
    file("cells-is-null", "cells is null", b'{"nbformat": 4, "cells": null}'),
    file("nested-deeply", "a hundred thousand lists in each other", b"[" * 100_000),
    file(
        "nested-metadata",
        "a good notebook, metadata in a hundred thousand levels",
        GOOD.replace(b'"nbformat":', b'"x": ' + b"[" * 99_999 + b"]" * 99_999 + b', "nbformat":'),
        0,
        10,
        status=GRADED | TURNED_AWAY,
    ),
    file(
        "great-number",
        "a version of a million digits",
        GOOD.replace(b'"nbformat_minor": 4', b'"nbformat_minor": ' + b"9" * 1_000_000),
        0,
        10,
        status=GRADED | TURNED_AWAY,
    ),
    file(
        "half-letters",
        "halves of letters, which no encoding knows, in source and text",
        GOOD.replace(b"# Exercise 0", b"\\ud800").replace(b"np.sum(x)", b"np.sum(x) # \\ud83d"),
        7,
        10,
    ),
    file(
        "blank-lines",
        "a text with a million blank lines in it",
        b"text\n" + b"\n" * 1_000_000 + b"text",
    ),
    file("zipped", "the notebook in an archive", zipped(("ada/answers.ipynb", GOOD)), 10, 10),
    file("zip-of-two", "two notebooks in an archive", zipped(("a.ipynb", GOOD), ("b.ipynb", GOOD))),
    file(
        "zip-escapes",
        "an archive whose files lead out of it",
        zipped(("../../left-by-a-submission.ipynb", GOOD)),
        0,
        10,
        status=GRADED | TURNED_AWAY,
    ),
    file(
        "zip-link",
        "an archive with a link to another student's file",
        zipped(("q.ipynb", b"../all-right.ipynb"), links=True),
    ),
    file("zip-bomb", "a gigabyte in an archive of a megabyte", bomb),
    file(
        "zip-in-anothers-name",
        "more notebooks than anybody may hand in, in the folder of another student",
        zipped(*[(f"submitted/all-right/{n}.ipynb", GOOD) for n in range(21)]),
        filename="zip-in-anothers-name.zip",
    ),
    file(
        "says-to-be-another",
        "the notebook of another student, by its own word",
        data(notebook([*cells(), cell('from firth.checks import whose\nwhose("all-right")')])),
        status=frozenset({"withheld"}),
    ),
    file("zip-broken", "half an archive", zipped(("q.ipynb", GOOD))[:-40]),
    file("symlink", "a link to another student's file", other_students_file),
    file("symlink-to-device", "a link to a device that never ends", link("/dev/zero")),
    file("symlink-to-itself", "a link to itself", link("symlink-to-itself.ipynb")),
    file("symlink-to-nothing", "a link to nothing", link("no-such-file")),
    file("pipe", "a pipe that nobody writes to", lambda path: os.mkfifo(path)),
    file("socket", "a socket", socket_file),
    file("folder", "a folder called as a notebook is, with a notebook in it", folder, 10, 10),
    file(
        "hundred-megabytes",
        "a notebook with an output of a hundred megabytes",
        hundred_megabytes,
        0,
        10,
        status=GRADED | TURNED_AWAY,
    ),
    named(
        "name-of-many-tongues", "Zoë Müller 王 العربية 🦆 (1).ipynb", "accents, scripts, pictures"
    ),
    named("name-with-a-newline", "name\nscore,10\n.ipynb", "a line break in the name"),
    named("name-composed", "\u00e9tude.ipynb", "an accent in one piece"),
    named("name-decomposed", "e\u0301tude.ipynb", "the same accent in two pieces"),
    named("name-in-capitals", "ALL-RIGHT.ipynb", "another student's name in capitals"),
    named("name-of-an-option", "--help.ipynb", "an option instead of a name"),
    named("name-of-dots", "a.....ipynb", "dots"),
    named("name-of-a-formula", "=HYPERLINK(1).ipynb", "a formula for the spreadsheet"),
    named("name-of-a-page", "<img src=x onerror=alert(1)>.ipynb", "a script for the page"),
    named("name-too-long", "n" * 240 + ".ipynb", "240 letters"),
    named("name-reversed", "\u202egpj.ipynb", "a mark that turns the line round"),
    file(
        "name-of-no-letters",
        "a name in no encoding",
        data(BOOK | {"title": "no letters"}),
        0,
        10,
        filename=b"M\xfcller.ipynb",
        status=EITHER | TURNED_AWAY,
    ),
]
