"""A notebook for each student, in that student's forms of the questions, and who has which.

roster.csv  →  handouts/ada/01_lsa.ipynb, …  and  handouts/forms.csv

The forms follow from the student's id (firth.checks.variants). Grading asks for them again by the
same id, so `forms.csv` keeps beside it what else the roster calls a student: whatever a learning
platform puts into the name of a submission leads back to the id.
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from firth.checks import questions
from firth.checks.claims import Exercise
from firth.checks.variants import Unmatched, forms_of, in_form, spelled
from firth.grading.inbox.places import printable
from firth.grading.results.cells import sheet, uncell
from firth.grading.results.record import key

# By their names in a roster, those a person would recognise first. Where a roster has several, the
# first that is filled in for everybody is the student's id.
CANVAS = ("SIS Login ID", "SIS User ID", "ID")
COLUMNS = (
    "student",
    "student id",
    "username",
    "login",
    "netid",
    "user",
    "id",
    "id number",
    "email",
)
NAMES = {"email address": "email", "e-mail": "email", "student_id": "student id"}
NAMES |= {"sid": "student id"}  # of Gradescope
FIRST = ("first name", "firstname", "given name", "forename")
LAST = ("last name", "lastname", "surname", "family name")
MORE = ("student", "full name", "name", "identifier")  # not ids, or only sometimes
NOBODY = ("points possible", "student, test")  # rows that Canvas adds to its own roster
PLAIN = re.compile(r"\w[\w.@+-]{0,63}")
FORMS = "forms.csv"


class Refused(ValueError):
    """What cannot be released as it is: the message says what is wrong and what to do."""


@dataclass(frozen=True)
class Roster:
    """Who is in a class: for each student the id, and the row that the roster has."""

    column: str
    rows: dict[str, dict[str, str]]


def text_of(path: Path) -> str:
    """A table's text, as spreadsheets save it: UTF-8 with or without a mark, or UTF-16."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise Refused(f"{path} cannot be read ({error.strerror}): which file is it?") from None
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        return data.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError:
        raise Refused(f"{path} is not UTF-8: save it once more as “CSV UTF-8”.") from None


def table_of(path: Path) -> tuple[list[str], list[tuple[int, dict[str, str]]]]:
    """The names of the columns, and each row that says anything, with its line."""
    text = text_of(path)
    first = text.partition("\n")[0]
    comma = max(",;\t", key=first.count)  # of equals the comma
    reader = csv.DictReader(io.StringIO(text), delimiter=comma, restkey="", restval="")
    columns = [name.strip() for name in reader.fieldnames or []]
    reader.fieldnames = columns
    rows = []
    for row in reader:
        row = {name: printable(row[name] or "") for name in columns if name}
        if any(row.values()) and row.get("Student", "").lower() not in NOBODY:
            rows.append((reader.line_num, row))
    return columns, rows


def id_columns(columns: Iterable[str]) -> list[str]:
    """The columns of a roster that may hold the student's id, the likeliest first.

    >>> id_columns(["Student", "ID", "SIS User ID", "SIS Login ID", "Section"])
    ['SIS Login ID', 'SIS User ID', 'ID']
    >>> id_columns(["Identifier", "Full name", "Email address", "Status"])
    ['Email address']
    """
    if "SIS Login ID" in columns or "SIS User ID" in columns:  # where `Student` is the name
        return [name for name in CANVAS if name in columns]
    known = {NAMES.get(name.lower(), name.lower()): name for name in columns}
    return [known[name] for name in COLUMNS if name in known]


def also_called(row: dict[str, str]) -> dict[str, str]:
    """What of a row says who somebody is; grades and sections are nobody's name.

    >>> also_called({"First name": "Ada", "Last name": "Lovelace", "Groups": "A"})
    {'full name': 'Ada Lovelace', 'last name first': 'Lovelace, Ada'}
    """
    known = id_columns(row)
    told = {name: row[name] for name in row if name in known or name.lower() in MORE}
    first, last = (
        next((row[name] for name in row if name.lower() in kinds), "") for kinds in (FIRST, LAST)
    )
    if first and last:  # as Moodle and Canvas put them into the name of a file
        told |= {"full name": f"{first} {last}", "last name first": f"{last}, {first}"}
    return told


def roster(path: Path, column: str | None = None) -> Roster:
    """The students of a table, one a row, each under an id of their own."""
    columns, rows = table_of(path)
    if column and column not in columns:
        raise Refused(f"{path} has no column {column!r}: it has {', '.join(columns)}.")
    candidates = [column] if column else id_columns(columns)
    if not candidates:
        raise Refused(
            f"{path} has no column that is a student's id (it has {', '.join(columns) or 'none'}):"
            " call one of them `student`, or name it with --column."
        )
    if not rows:
        raise Refused(f"{path} lists nobody: is it the right file?")
    full = [name for name in candidates if all(spelled(row[name]) for _, row in rows)]
    chosen = (full or candidates)[0]
    seen: dict[str, int] = {}
    found: dict[str, dict[str, str]] = {}
    for line, row in rows:
        student = spelled(row[chosen])
        if not student:
            raise Refused(
                f"{path}, line {line}: {chosen} is empty. Fill it in, or name another column with"
                " --column."
            )
        if student in seen:
            raise Refused(
                f"{path}: {row[chosen]!r} stands in line {seen[student]} and in line {line}. Which"
                " of the two is it?"
            )
        seen[student] = line
        found[row[chosen]] = row
    return Roster(chosen, found)


def folder(student: str) -> str:
    """The name of a student's folder: the id itself, or a safe name where that is none.

    >>> folder("ada"), folder("ada@example.org"), folder("../ada")
    ('ada', 'ada@example.org', 'ada-029fadf5ac64')
    """
    return student if PLAIN.fullmatch(student) and student[-1] != "." else key(student, "")


def exercises_of(chapter: str) -> list[Exercise]:
    """The functions to write in one exercise notebook."""
    found = questions().values()
    return [item for item in found if isinstance(item, Exercise) and item.chapter == chapter]


def handout(notebook: dict, chapter: str, student: str) -> dict:
    """The blank notebook as one student gets it: that student's texts, a name, and no outputs."""
    cells = [{**cell, "source": "".join(cell["source"])} for cell in notebook["cells"]]
    try:
        sources = in_form([cell["source"] for cell in cells], exercises_of(chapter), student)
    except Unmatched as problem:
        raise Refused(f"exercises/{chapter}.ipynb: {problem}") from None
    name = json.dumps(student, ensure_ascii=False)
    theirs = {
        "cell_type": "code",
        "id": "whose",
        "metadata": {},
        "source": f"from firth.checks import whose\n\nwhose({name})",
    }
    place = next(n for n, cell in enumerate(cells) if "from firth.checks import" in cell["source"])
    cells = [{**cell, "source": source} for cell, source in zip(cells, sources, strict=True)]
    cells.insert(place + 1, theirs)
    for cell in cells:
        cell["source"] = cell["source"].splitlines(keepends=True)
        if cell["cell_type"] == "code":  # what the first form's cells have said is not theirs
            cell.update(outputs=[], execution_count=None)
    metadata = {k: v for k, v in notebook["metadata"].items() if k not in ("firth", "widgets")}
    return {**notebook, "metadata": metadata, "cells": cells}


def handouts(blanks: Path, chapters: list[str], students: Roster, out: Path) -> Iterator[str]:
    """Writes a folder for each student, and who has which form; yields each as it is done."""
    notebooks = {c: json.loads((blanks / f"{c}.ipynb").read_text("utf-8")) for c in chapters}
    varying = [item for chapter in chapters for item in exercises_of(chapter)]
    rows = []
    for student, row in students.rows.items():
        place = out / folder(student)
        place.mkdir(parents=True)
        for chapter, blank in notebooks.items():
            text = json.dumps(handout(blank, chapter, student), indent=1, ensure_ascii=False)
            (place / f"{chapter}.ipynb").write_text(text + "\n", encoding="utf-8")
        kept = {f"roster: {name}": value for name, value in also_called(row).items()}
        rows.append({"student": student, "folder": place.name, **forms_of(varying, student)} | kept)
        yield student
    columns = list(dict.fromkeys(name for row in rows for name in row))
    table = [columns, *([row.get(name, "") for name in columns] for row in rows)]
    (out / FORMS).write_bytes(sheet(table))


def squeezed(name: str) -> str:
    return re.sub(r"[\W_]", "", spelled(name))


def owners(forms: Path) -> dict[str, str]:
    """From each spelling that a platform may use for a student, as one knows it, to the id.

    A name shared by two students belongs to neither.

    >>> squeezed("Lovelace, Ada")  # Canvas writes a name so
    'lovelaceada'
    """
    columns, rows = table_of(forms)
    rows = [{name: uncell(value) for name, value in row.items()} for _, row in rows]
    if columns[:2] != ["student", "folder"]:
        raise Refused(f"{forms} was not written by firth release: it is the {FORMS} of handouts.")
    found: dict[str, set[str]] = {}
    for row in rows:
        told = [value for name, value in row.items() if name.startswith(("folder", "roster: "))]
        told += [value.removeprefix("Participant ") for value in told]  # of Moodle, in file names
        for value in [*told, *map(squeezed, told)]:
            found.setdefault(spelled(value), set()).add(row["student"])
    certain = {name: who.pop() for name, who in found.items() if name and len(who) == 1}
    return certain | {spelled(row["student"]): row["student"] for row in rows}


def owner(known: dict[str, str], student: str, ids: dict) -> str:
    """The roster's id of who handed something in, or nothing if the roster has nobody like that.

    >>> owner({"17": "ada", "lovelaceada": "ada"}, "lovelaceada", {"canvas": "17"})
    'ada'
    """
    numbers = {"gradescope": ""}  # of the submission, and nobody's
    names = [name for name in (*(ids | numbers).values(), student) if isinstance(name, str)]
    names += [squeezed(name) for name in names if " " in name]  # Moodle drops apostrophes
    return next((known[spelled(name)] for name in names if spelled(name) in known), "")
