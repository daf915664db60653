"""The sheets that come of records: for the instructor, and for Canvas, Moodle and Gradescope.

    total  =  points of the answers  +  points that readers gave for written answers

A student who could not be graded has no number anywhere, only a status: a zero would be a verdict.
Text of a student reaches a spreadsheet as text: no formula, nothing unseen.
"""

import json
from collections.abc import Iterable
from pathlib import Path

from firth.grading.results.cells import harmless, sheet, total
from firth.grading.results.platforms import canvas, gradescope, moodle
from firth.grading.results.record import Grades, key, place
from firth.grading.results.standing import GRADED, best, standing

ABSENT = "nothing handed in"


def notes(record: dict, others: list[dict], marks: dict) -> str:
    own = marks.get(key(record["student"], record["file"]), {})
    name = record["file"].rpartition("/")[2]  # as Canvas names what came late
    late = record.get("ids") and ("_LATE_" in name or name.startswith("LATE_anon_"))
    said = (
        ["Handed in late."] * bool(late)
        + record["notes"]
        + record.get("remarks", [])
        + [f"{name}: {mark.note}" for name, mark in own.items() if mark.note]
    )
    said += [f"Also handed in, with no more points: {other['file']}." for other in others]
    return "\n".join(said)


def overview(records: list[dict], marks: dict, absent: Iterable[str] = ()) -> list[list]:
    """grades.csv: a row for each student, a column for each answer; last who handed in nothing."""
    names = list(dict.fromkeys(a["name"] for r in records for a in r["answers"]))
    header = ["student", "score", "points", *names, "written", "total", "of", "status", "notes"]
    rows = [[*header, "file"]]
    for student, (record, *others) in best(records, marks, lambda r: r["student"]).items():
        scores = {answer["name"]: total([answer["score"]]) for answer in record["answers"]}
        sum_, of, read, due = standing(record, marks)
        if record["status"] in GRADED:
            row = [total([record["score"]]), total([record["points"]])]
            row += [scores.get(name, "") for name in names]
            row += [read, sum_, of, record["status"] + (", reader due" if due else "")]
        else:
            row = ["", "", *("" for _ in names), "", "", "", record["status"]]
        rows.append([student, *row, notes(record, others, marks), record["file"]])
    blank = [""] * (len(rows[0]) - 4)
    return rows + [[student, *blank, ABSENT, "", ""] for student in absent]


def write(
    grades: Grades,
    records: list[dict],
    marks: dict,
    assignment: str = "",
    since: str = "",
    absent: Iterable[str] = (),
) -> list[str]:
    """Writes every sheet; gives a sentence for each student whom a sheet leaves out.

    `assignment` is the column's title in Canvas, say “Exercise 1 (48213)”; `since`, when the last
    mark was given, in UTC; `absent`, who has handed in nothing.
    """
    place(grades.folder / "grades.csv", sheet(overview(records, marks, absent), excel=True))
    for record in records:
        path = grades.gradescope / key(record["student"], record["file"]) / "results.json"
        place(path, json.dumps(gradescope(record, marks), indent=1))
    said = []
    graded = [record for record in records if record["status"] in GRADED]
    assignment = assignment or (records[0]["exercise"] if records else "")
    systems = (
        ("canvas", "canvas", lambda groups: canvas(groups, marks, assignment)),
        ("moodle", "moodle", lambda groups: moodle(groups, marks, since)),
    )
    for system, id_, table in systems:
        path = grades.folder / f"{system}.csv"
        of = lambda r, id_=id_: str((r.get("ids") or {}).get(id_) or "")  # noqa: E731
        groups = best(filter(of, graded), marks, of)
        if groups:
            place(path, sheet(table(groups)))
        elif path.exists():
            path.unlink()  # of an earlier run: its points are not those of the records
        if any(of(record) for record in records):
            said += [left_out(path, record, of(record)) for record in records]
    return [sentence for sentence in said if sentence]


def left_out(path: Path, record: dict, id_: str) -> str:
    who = f"{harmless(record['student'])} ({harmless(record['file'])})"
    if not id_:
        return f"{who} is not in {path}: the name of the file tells no id of {path.stem.title()}."
    if record["status"] not in GRADED:
        return f"{who} is not in {path}: {record['status']}, so there is no score to hand over."
    return ""
