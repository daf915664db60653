"""Later deadlines of single students, in extensions.csv: what the column of notes says of them.

    student, until, reason      →  “Late, extended until 2026-11-20 (illness).”

No platform's export holds the deadline. Canvas says in the name of a file that it is late, and
Gradescope when it was handed in, so that this can be compared with `until`; elsewhere the note says
that there is no time to compare.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, time

from firth.grading.results.cells import harmless, sheet
from firth.grading.results.record import Grades, place
from firth.grading.results.teacher_tables import Names, rows_of

COLUMNS = ("student", "until", "reason")
UNTIMED = "{}; its time is not in the export, so it could not be compared."


@dataclass(frozen=True)
class Extension:
    """The later deadline of one student."""

    until: datetime  # with a time zone
    written: str  # as the teacher wrote it
    reason: str

    def __str__(self) -> str:
        reason = f" ({self.reason})" if self.reason else ""
        return f"extended until {self.written}{reason}"


def moment(text: str) -> datetime:
    """A date or a time as a teacher writes it, of a date its end; without a zone it is local time.

    >>> moment("2026-11-20").strftime("%d.%m. %H:%M"), moment("2026-11-20 12:00+00:00").isoformat()
    ('20.11. 23:59', '2026-11-20T12:00:00+00:00')
    """
    text = text.strip()
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(f"“{harmless(text)[:30]}” is no date such as 2026-11-20") from None
    if len(text) <= len("2026-11-20"):
        found = datetime.combine(found, time.max)
    return found if found.tzinfo else found.astimezone()


def extensions(grades: Grades, names: Names) -> tuple[dict[str, Extension], list[str]]:
    """The extensions by student, and a sentence for each wrong line; begins a table if need be."""
    path = grades.extensions
    if not path.exists():
        place(path, sheet([list(COLUMNS)], excel=True))
    try:
        rows = rows_of(path.read_bytes(), COLUMNS)
    except ValueError as problem:
        return {}, [f"{path} {problem}: nobody's deadline was extended."]
    found: dict[str, Extension] = {}
    said = []
    for n, row in enumerate(rows, start=2):
        try:
            student = names.student(row["student"])
        except ValueError as problem:
            name = harmless(row["student"])[:60]
            said.append(f"{path}, row {n}: the student “{name}” {problem}.")
            continue
        try:
            until = moment(row["until"])
        except ValueError as problem:
            said.append(f"{path}, row {n}: {problem}.")
            continue
        if student in found:
            said.append(f"{path}, row {n}: {harmless(student)} has a row already: remove one.")
            continue
        found[student] = Extension(until, row["until"].strip(), row["reason"].strip())
    return found, said


def is_late(record: dict) -> bool:
    """Whether Canvas says in the name of the file that it came after the deadline."""
    name = record["file"].rpartition("/")[2]
    named = "_LATE_" in name or name.startswith("LATE_anon_")
    return named and bool(record.get("ids"))


def lateness(record: dict, extension: Extension | None) -> str:
    """What the notes say about the time of a hand-in: a sentence, or nothing."""
    if extension is None:
        return "Handed in late." if is_late(record) else ""
    words = f"Late, {extension}" if is_late(record) else f"E{str(extension)[1:]}"
    try:
        handed_in = moment((record.get("ids") or {})["time"])
    except (KeyError, ValueError):
        return UNTIMED.format(words)
    when = f"handed in at {handed_in:%Y-%m-%d %H:%M %Z}"
    return f"{words}; {when}, {'in time' if handed_in <= extension.until else 'after that'}."


def extended(records: Iterable[dict], found: Mapping[str, Extension]) -> list[dict]:
    """Copies of the records with what is to be said of their time, under `late`."""
    return [r | {"late": lateness(r, found.get(r["student"]))} for r in records]
