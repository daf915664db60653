"""Tables that a teacher fills in: read however a spreadsheet has saved them, never written over.

rows_of(bytes, columns)     →  a dict for each row, by column
points_of("1/2")            →  0.5
Names(records, roster)      →  the student whom a name in such a table stands for
"""

import csv
import io
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from firth.checks.variants import spelled
from firth.grading.results.cells import harmless, uncell


def rows_of(data: bytes, columns: Iterable[str]) -> list[dict[str, str]]:
    """The rows of a table by column, without empty ones; ValueError if it lacks one of `columns`.

    >>> rows_of(b"student;points\\r\\nada;1,5\\r\\n;", ["student"])
    [{'student': 'ada', 'points': '1,5'}]
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = data.decode("utf-16", "replace")
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("cp1252", "replace")  # Excel on Windows, asked for plain CSV
    head = text.partition("\n")[0]
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=head.count))
    try:
        header, *body = [row for row in rows] or [[]]
    except csv.Error as problem:
        raise ValueError(f"is no table ({problem})") from None
    header += [""] * (max(map(len, body), default=0) - len(header))
    header = [uncell(name) or f"column {n}" for n, name in enumerate(header, start=1)]
    if not {*columns} <= set(header) or len(set(header)) < len(header):
        wanted = ", ".join(columns)
        raise ValueError(f"should have the columns {wanted}, each once")
    filled = [row + [""] * (len(header) - len(row)) for row in body]
    return [dict(zip(header, map(uncell, row), strict=False)) for row in filled if any(row)]


def points_of(text: str, most: float | int = 1) -> float | None:
    """Points from 0 to `most`, or None if nothing is filled in; half is 0.5, 0,5 or 1/2."""
    if not (text := text.strip().replace(",", ".")):
        return None
    if not re.fullmatch(r"[\d./+-]{1,12}", text):
        raise ValueError("is no number")
    try:
        points = float(Fraction(text))
    except (ValueError, ZeroDivisionError):
        raise ValueError("is no number") from None
    if not 0 <= points <= most:
        raise ValueError(f"is not between 0 and {most:g}")
    return points


@dataclass(frozen=True)
class Names:
    """What the students of a class may be called in a table that a teacher fills in."""

    students: Mapping[str, str]  # from the spelling of a name to the student, as in grades.csv
    shared: frozenset[str] = frozenset()  # spellings that stand for several students

    @classmethod
    def of(
        cls, records: Iterable[dict], roster: Mapping[str, str], absent: Iterable[str] = ()
    ) -> "Names":
        """The names of those who have a row in grades.csv: as it stands there, or in forms.csv.

        `roster` leads from each spelling to the id; a record's `owner` is the id of its student.
        """
        found: dict[str, set[str]] = {}
        rows = {harmless(record["student"]): record["student"] for record in records}
        ids = {record["owner"]: record["student"] for record in records if record.get("owner")}
        ids |= {student: student for student in absent if student not in ids}
        for name, id_ in {**roster, **{id_: id_ for id_ in ids}}.items():
            if id_ in ids:
                found.setdefault(spelled(name), set()).add(ids[id_])
        # A name in grades.csv means that row, also if another student of the roster has it.
        certain = {spelled(name): {student} for name, student in rows.items()}
        found |= certain
        students = {name: min(who) for name, who in found.items() if len(who) == 1}
        return cls(students, frozenset(found.keys() - students.keys()))

    def student(self, name: str) -> str:
        """The student of this name, as in grades.csv; ValueError if there is none, or several."""
        name = spelled(name)
        if name in self.shared:
            raise ValueError("stands for several students")
        if name not in self.students:
            raise ValueError("is nobody in grades.csv or forms.csv")
        return self.students[name]
