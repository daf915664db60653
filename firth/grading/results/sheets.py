"""The sheets that come of records: for the instructor, and for Canvas, Moodle and Gradescope.

    total  =  points of the answers  +  points that readers gave for written answers

A student who could not be graded has no number anywhere, only a status: a zero would be a verdict.
Text of a student reaches a spreadsheet as text: no formula, nothing unseen.
"""

import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from firth.grading.results.cells import harmless, sheet, total
from firth.grading.results.extensions import lateness
from firth.grading.results.overrides import sentences
from firth.grading.results.platforms import canvas, gradescope, moodle
from firth.grading.results.record import Grades, key, place
from firth.grading.results.standing import GRADED, WITHDRAWN, best, standing

ABSENT = "nothing handed in"
ALSO = "Also handed in, with no more points"
NAMED = 5  # students whom a sentence names
DUE = (
    "A written answer waits for a reader, so no platform gets points yet for {}: fill in {}, and"
    " give the same command again."
)


def notes(record: dict, others: list[dict], marks: dict) -> str:
    """All that a teacher should know of a student, a sentence a line."""
    own = marks.get(key(record["student"], record["file"]), {})
    said = [
        record.get("late") or lateness(record, None),
        *sentences(record),
        *record["notes"],
        *record.get("remarks", []),
        *(f"{name}: {mark.note}" for name, mark in own.items() if mark.note),
    ]
    for other in others:
        gone = other["status"] == WITHDRAWN
        said.append(f"{'Withdrawn' if gone else ALSO}: {other['file']}.")
    return "\n".join(filter(None, said))


def overview(records: list[dict], marks: dict, absent: Mapping[str, str] | None = None) -> list:
    """grades.csv as rows: one for each student, a column for each answer, last who is absent."""
    names = list(dict.fromkeys(a["name"] for r in records for a in r["answers"]))
    header = ["student", "score", "points", *names, "written", "total", "of", "status", "notes"]
    rows = [[*header, "file"]]
    for student, (record, *others) in best(records, marks, lambda r: r["student"]).items():
        scores = {answer["name"]: total([answer["score"]]) for answer in record["answers"]}
        points, possible, read, due = standing(record, marks)
        if record["status"] in GRADED:
            row = [total([record["score"]]), total([record["points"]])]
            row += [scores.get(name, "") for name in names]
            row += [read, points, possible, record["status"] + (", reader due" if due else "")]
        else:
            row = ["", "", *("" for _ in names), "", "", "", record["status"]]
        rows.append([student, *row, notes(record, others, marks), record["file"]])
    blank = [""] * (len(rows[0]) - 4)
    return rows + [[who, *blank, ABSENT, note, ""] for who, note in (absent or {}).items()]


def write(
    grades: Grades,
    records: list[dict],
    marks: dict,
    assignment: str = "",
    since: str = "",
    absent: Mapping[str, str] | None = None,
) -> list[str]:
    """Writes every sheet; gives a sentence for whom a sheet leaves out, or leaves without points.

    `assignment` is the column's title in Canvas, say “Exercise 1 (48213)”; `since`, when the last
    mark was given, in UTC; `absent`, who has handed in nothing, each with a note.
    """
    place(grades.folder / "grades.csv", sheet(overview(records, marks, absent), excel=True))
    of_platforms(grades, records, marks)
    said = []
    graded = [record for record in records if record["status"] in GRADED]
    assignment = assignment or (records[0]["exercise"] if records else "")
    systems = (
        ("canvas", lambda groups: canvas(groups, marks, assignment)),
        ("moodle", lambda groups: moodle(groups, marks, since)),
    )
    for system, table in systems:
        path = grades.folder / f"{system}.csv"
        of = partial(id_of, system=system)
        groups = best(filter(of, graded), marks, of)
        if groups:
            place(path, sheet(table(groups)))
        elif path.exists():
            path.unlink()  # of an earlier run: its points are not those of the records
        if any(map(of, records)):
            there = {record["student"] for counting in groups.values() for record in counting}
            missing = [record for record in records if record["student"] not in there]
            said += [left_out(path, record, of(record)) for record in missing]
    counting = [first for first, *_ in best(graded, marks, lambda r: r["student"]).values()]
    waiting = [harmless(r["student"]) for r in counting if standing(r, marks).due]
    if waiting:
        names = ", ".join(waiting[:NAMED])
        more = f" and {len(waiting) - NAMED} more" if len(waiting) > NAMED else ""
        said.append(DUE.format(f"{names}{more}", grades.marking))
    return said


def of_platforms(grades: Grades, records: list[dict], marks: dict) -> None:
    """Writes the results.json of each hand-in, but for those that have no final points yet."""
    for record in records:
        path = grades.gradescope / key(record["student"], record["file"]) / "results.json"
        waits = record["status"] in GRADED and standing(record, marks).due
        if waits or record["status"] == WITHDRAWN:
            path.unlink(missing_ok=True)  # of an earlier run
        else:
            place(path, json.dumps(gradescope(record, marks), indent=1))


def id_of(record: dict, system: str) -> str:
    """What a platform calls the student of a record, or nothing."""
    return str((record.get("ids") or {}).get(system) or "")


def left_out(path: Path, record: dict, id_: str) -> str:
    """Why a hand-in is not in the sheet of a platform."""
    who = f"{harmless(record['student'])} ({harmless(record['file'])})"
    if not id_:
        return f"{who} is not in {path}: the name of the file tells no id of {path.stem.title()}."
    return f"{who} is not in {path}: {record['status']}, so there is no score to hand over."
