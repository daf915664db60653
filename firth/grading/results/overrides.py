"""Points that a teacher sets by hand, in overrides.csv, and that stay whatever is graded again.

    student, check, points, reason      →  records and marks with these points in them

A check is a function (cosine), one claim about it (cosine.2) or a written question (explain_lsa).
Records on disk keep what the grader found: take the line away, and its points count again. The
grader writes two columns of its own into the table, `note` and `version`, to ask for another look
when the hand-in has changed since.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from firth.grading.results.cells import harmless, sheet, total
from firth.grading.results.marking import Correction, Marks
from firth.grading.results.record import Grades, fingerprint, key, place
from firth.grading.results.standing import GRADED
from firth.grading.results.teacher_tables import Names, points_of, rows_of

COLUMNS = ("student", "check", "points", "reason")
CHANGED = "The hand-in has changed since: look again, then empty this cell."


@dataclass
class Overrides:
    """The valid lines of overrides.csv: for each student the corrections, by check."""

    of: dict[str, dict[str, Correction]] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)  # a sentence for each line that is wrong
    look: list[str] = field(default_factory=list)  # and for each hand-in that has changed


def worth(records: Iterable[dict]) -> dict[str, float | int]:
    """The points of each check of these records: of functions, claims and written questions."""
    found: dict[str, float | int] = {}
    for record in records:
        for answer in record["answers"]:
            found[answer["name"]] = answer["points"]
            for n, claim in enumerate(answer["claims"], start=1):
                found[f"{answer['name']}.{n}"] = claim["points"]
        found |= {question["name"]: question["points"] for question in record["written"]}
    return found


def version_of(records: Iterable[dict]) -> str:
    """What tells the hand-ins of a student from those that they replace."""
    return fingerprint("".join(sorted(record["sha256"] for record in records)).encode())


def overrides(grades: Grades, records: Iterable[dict], names: Names) -> Overrides:
    """Reads overrides.csv, and begins one if there is none; what a teacher wrote there stays."""
    path = grades.overrides
    if not path.exists():
        place(path, sheet([list(COLUMNS)], excel=True))
    before = path.read_bytes()
    found = Overrides()
    try:
        rows = rows_of(before, COLUMNS)
    except ValueError as problem:
        found.said.append(f"{path} {problem}: no points were corrected.")
        return found
    by_student: dict[str, list[dict]] = {}
    for record in records:
        by_student.setdefault(record["student"], []).append(record)
    first: dict[tuple[str, str], int] = {}
    for n, row in enumerate(rows, start=2):
        try:
            student, correction = read(row, by_student, names)
            check = row["check"].strip()
            if (row_before := first.setdefault((student, check), n)) != n:
                raise ValueError(f"row {row_before} sets the same points: remove one of the two")
        except ValueError as problem:
            found.said.append(f"{path}, row {n}: {problem}.")
            continue
        found.of.setdefault(student, {})[check] = correction
        version = version_of(by_student[student])
        if row.get("version", "") not in ("", version):
            row["note"] = CHANGED
        row["version"] = version
        if row.get("note"):
            found.look.append(f"{path}, row {n}, {harmless(student)}: {row['note']}")
    columns = list(dict.fromkeys([*COLUMNS, *(name for row in rows for name in row)]))
    table = [columns, *([row.get(name, "") for name in columns] for row in rows)]
    if found.of and rows_of(sheet(table), COLUMNS) != rows_of(before, COLUMNS):
        place(path, sheet(table, excel=True), durable=True)
    return found


def read(
    row: Mapping[str, str], records: Mapping[str, list[dict]], names: Names
) -> tuple[str, Correction]:
    """The student of a line and the correction; ValueError says what is wrong with the line."""
    try:
        student = names.student(row["student"])
    except ValueError as problem:
        raise ValueError(f"the student “{harmless(row['student'])[:60]}” {problem}") from None
    theirs = [record for record in records.get(student, []) if record["status"] in GRADED]
    if not theirs:
        raise ValueError(f"{harmless(student)} has no graded hand-in whose points could be set")
    checks, check = worth(theirs), row["check"].strip()
    if check not in checks:
        there = ", ".join(name for name in checks if "." not in name)
        raise ValueError(
            f"there is no check “{harmless(check)[:60]}”; there are {there}, and the claims about a"
            f" function, such as {next(name for name in checks if '.' in name)}"
            if any("." in name for name in checks)
            else f"there is no check “{harmless(check)[:60]}”; there are {there}"
        )
    try:
        points = points_of(row["points"], checks[check])
    except ValueError as problem:
        raise ValueError(f"the points “{harmless(row['points'])[:20]}” {problem}") from None
    if points is None:
        raise ValueError("the column points is empty")
    if not row["reason"].strip():
        raise ValueError("the column reason is empty, and the student reads the reason")
    return student, Correction(total([points]), row["reason"].strip())


def corrected(records: Iterable[dict], marks: Marks, found: Overrides) -> tuple[list[dict], Marks]:
    """Copies of the records and marks in which the corrected points stand, with their reasons."""
    marks = dict(marks)
    copies = []
    for record in records:
        own = found.of.get(record["student"], {}) if record["status"] in GRADED else {}
        if own:
            where = key(record["student"], record["file"])
            marks[where] = {
                name: replace(mark, correction=own.get(name))
                for name, mark in marks.get(where, {}).items()
            }
            answers = [corrected_answer(answer, own) for answer in record["answers"]]
            score = total(answer["score"] for answer in answers)
            record = record | {"answers": answers, "score": score, "corrections": own}
        copies.append(record)
    return copies, marks


def corrected_answer(answer: dict, own: Mapping[str, Correction]) -> dict:
    """An answer with the corrected points of its claims, and then its own."""
    claims = []
    for n, claim in enumerate(answer["claims"], start=1):
        if correction := own.get(f"{answer['name']}.{n}"):
            claim = claim | {"score": correction.points, "correction": correction}
        claims.append(claim)
    answer = answer | {"claims": claims}
    if any("correction" in claim for claim in claims):
        answer["score"] = total(claim["score"] for claim in claims)
    if correction := own.get(answer["name"]):
        answer |= {"score": correction.points, "correction": correction}
    return answer


def sentences(record: dict) -> list[str]:
    """A sentence for each correction of a record, for the column of notes."""
    own = record.get("corrections", {})
    return [f"{check} set to {c.points} by hand: {c.reason}" for check, c in own.items()]
