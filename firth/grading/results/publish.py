"""All that a teacher gets of a class, made from its records: sheets, feedback, marking, changes.

records + marking.csv + overrides.csv + extensions.csv  →  the files, and what to say of them
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from firth.grading.results import (
    changes,
    class_page,
    class_table,
    feedback,
    feedback_zip,
    marking,
    sheets,
)
from firth.grading.results.changes import Change
from firth.grading.results.extensions import extended, extensions
from firth.grading.results.overrides import corrected, overrides
from firth.grading.results.record import Grades
from firth.grading.results.standing import with_status
from firth.grading.results.teacher_tables import Names

ABSENT = "In the roster, and no hand-in was found."


@dataclass
class Published:
    """What an instructor should know of the files that were written."""

    slips: list[str] = field(default_factory=list)  # sentences about wrong entries in tables
    said: list[str] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)


def publish(
    grades: Grades,
    records: Iterable[dict],
    rubrics: marking.Rubrics,
    title: str = "",
    roster: Mapping[str, str] | None = None,
    absent: Iterable[str] = (),
) -> Published:
    """Writes everything that comes of records; `roster` leads from names to the ids of students.

    `title` is the assignment's name in Canvas; `absent` are ids of the roster without a hand-in.
    """
    records, absent = with_status(records), list(absent)
    marks, said = marking.marked(grades, records, rubrics)
    names = Names.of(records, roster or {}, absent)
    over = overrides(grades, records, names)
    records, marks = corrected(records, marks, over)
    later, wrong = extensions(grades, names)
    records = extended(records, later)
    missing = {
        student: f"{ABSENT} E{str(later[student])[1:]}." if student in later else ABSENT
        for student in absent
    }
    said += sheets.write(grades, records, marks, title, marked_at(grades), missing)
    feedback.write(grades, records, marks)
    feedback_zip.write(grades, records, marks)
    if checks := class_table.class_table(records):
        class_table.write(grades, checks)
        class_page.write(grades, checks, records[0]["exercise"])
    now = changes.standings(records, marks)
    found = changes.changes(changes.before(grades), now)
    changes.write(grades, found, now)
    return Published([*over.said, *wrong], [*over.look, *said], found)


def marked_at(grades: Grades) -> str:
    """When the last mark was given, in UTC, or nothing."""
    if not grades.marking.exists():
        return ""
    time = datetime.fromtimestamp(grades.marking.stat().st_mtime, UTC)
    return time.isoformat(timespec="seconds")
