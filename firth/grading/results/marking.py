"""Written answers, marked by people in a spreadsheet; what they filled in is never lost.

    records + marking.csv  →  marks, and marking.csv again, with the new rows below

One row is one answer of one student, under a code: hide the last two columns, student and file,
and marking is anonymous. One column is one line of a rubric: 0, 1 or a fraction between. Rows stay
where the reader left them, columns of the reader's own as well, and an answer that changed after
it was marked keeps its marks and gets a note.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from firth.grading.results.cells import harmless, sheet, total
from firth.grading.results.record import Grades, fingerprint, key, place
from firth.grading.results.standing import GRADED
from firth.grading.results.teacher_tables import points_of, rows_of

FRONT, BACK = ["code", "question", "answer"], ["comment", "note", "version", "student", "file"]
CHANGED = "The answer has changed since it was marked: look again, then empty this cell."
NO_TEXT = "(nothing written)"
LONGEST = 30_000  # characters; beyond 32,767 a spreadsheet breaks a cell in two
CONSONANTS = str.maketrans("0123456789abcdef", "bcdfghjklmnpqrst")  # 12e45678 is a number to Excel

Rubrics = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Correction:
    """The points that a teacher has set for a check, and the reason that the student reads."""

    points: float | int
    reason: str


@dataclass(frozen=True)
class Mark:
    """What a reader gave for each line of a rubric, None where nothing is filled in yet."""

    lines: tuple[tuple[str, float | None], ...]
    comment: str = ""
    note: str = ""
    correction: Correction | None = None  # replaces what the lines add up to

    @property
    def points(self) -> float | int:
        if self.correction:
            return self.correction.points
        return total(given for _, given in self.lines if given)

    @property
    def complete(self) -> bool:
        return bool(self.correction) or all(given is not None for _, given in self.lines)

    @property
    def begun(self) -> bool:
        """Whether somebody has given points, so that there is a number to show."""
        return bool(self.correction) or any(given is not None for _, given in self.lines)


Marks = dict[str, dict[str, Mark]]  # by the record's key, then by the question's name


def code(record: dict) -> str:
    """The name of a student's answers that does not tell whose they are."""
    whole = key(record["student"], record["file"]).encode()
    return fingerprint(whole)[:10].translate(CONSONANTS)


def columns(question: str, rubric: tuple[str, ...]) -> list[str]:
    return [f"{question} {n}: {line}" for n, line in enumerate(rubric, start=1)]


def renamed(row: dict[str, str], names: list[str]) -> dict[str, str]:
    """The row under the present words of the rubric: a line is known by its question and number."""
    now = {name.partition(":")[0]: name for name in names}
    fresh = {}
    for old, value in row.items():
        name = now.get(old.partition(":")[0], old) if ":" in old else old
        fresh[name] = value or fresh.get(name, "")
    return fresh


def refreshed(row: dict[str, str], record: dict, question: str, names: list[str]) -> dict[str, str]:
    """The row with the answer as it now stands, and a note if that is not what was marked."""
    text = next((w["text"] for w in record["written"] if w["name"] == question), "").strip()
    shown = harmless(text)
    shown = (
        shown if len(shown) <= LONGEST else f"{shown[:LONGEST]} … (cut here; all is in the file)"
    )
    version = fingerprint(text.encode(errors="backslashreplace")).translate(CONSONANTS)
    touched = any(row.get(name, "").strip() for name in [*names, "comment"])
    changed = touched and row.get("version", version) != version
    return row | {
        "code": code(record),
        "question": question,
        "answer": shown or NO_TEXT,
        "note": CHANGED if changed else row.get("note", ""),
        "version": version,
        "student": harmless(record["student"]),
        "file": harmless(record["file"]),
    }


def marked(grades: Grades, records: list[dict], rubrics: Rubrics) -> tuple[Marks, list[str]]:
    """The readers' marks, and a sentence for each entry that is none; the sheet is kept up.

    A file that cannot be read is left as it is, and so is every entry, right or wrong.
    """
    rows, said = [], []
    before = grades.marking.read_bytes() if grades.marking.exists() else b""
    try:
        rows = rows_of(before, ("code", "question")) if before.strip() else []
    except ValueError as problem:
        return {}, [f"{grades.marking} {problem}: mend it, or move it away to begin a new one."]
    names = [name for question, rubric in rubrics.items() for name in columns(question, rubric)]
    rows = [renamed(row, names) for row in rows]
    wanted = {
        (code(record), question): record
        for question in rubrics
        for record in sorted(records, key=code)
        if record["status"] in GRADED
    }
    marks: Marks = {}
    seen: dict[tuple[str, str], int] = {}
    have = {(row["code"], row["question"]) for row in rows}
    rows += [{"code": c, "question": q} for c, q in wanted if (c, q) not in have]
    for n, row in enumerate(rows):
        where = row["code"], row["question"]
        if (record := wanted.get(where)) is None:
            continue  # of a submission that is gone: kept, not counted
        if where in seen:
            said.append(f"{grades.marking}, row {n + 2}, repeats row {seen[where]}: remove one.")
            continue
        seen[where] = n + 2
        question = row["question"]
        own = columns(question, rubrics[question])
        rows[n] = row = refreshed(row, record, question, own)
        lines = []
        for name in names:
            try:
                points = points_of(row.get(name, ""))
                if name not in own and points is not None:
                    raise ValueError(f"belongs to another question than {question}")
            except ValueError as problem:
                points = None
                entry = harmless(row[name].strip())[:40]
                said.append(
                    f"{grades.marking}, row {n + 2}, column “{name}”: “{entry}” {problem}; write 0,"
                    " 1 or a fraction between, in a column of the question."
                )
            lines += [(name.partition(": ")[2], points)] if name in own else []
        if row["answer"] == NO_TEXT and all(points is None for _, points in lines):
            lines = [(line, 0.0) for line, _ in lines]  # nobody need mark an empty answer
        mark = Mark(tuple(lines), row.get("comment", "").strip(), row["note"].strip())
        marks.setdefault(key(record["student"], record["file"]), {})[question] = mark
    own = [name for row in rows for name in row]
    header = list(dict.fromkeys([*FRONT, *names, *BACK, *own]))
    table = [header, *([row.get(name, "") for name in header] for row in rows)]
    if rows and (fresh := sheet(table, excel=True)) != before:
        place(grades.marking, fresh, durable=True)
    return marks, said
