"""The sheets that come of records: for the instructor, and for Canvas, Moodle and Gradescope.

    total  =  points of the answers  +  points that readers gave for written answers

A student who could not be graded has no number anywhere, only a status: a zero would be a verdict.
Text of a student reaches a spreadsheet as text: no formula, nothing unseen.
"""

import csv
import io
import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable
from html import escape
from pathlib import Path

from firth.grading.results.record import Grades, key, place

FORMULA = re.compile("[=+@\t\r\uff0b\uff1d\uff20\uff0d-]")
PLAIN_NUMBER = re.compile(r"[-+]?\d+([.,]\d+)?")
UNSEEN = {"\u061c", "\u200b", "\u200e", "\u200f", "\u2060", "\ufeff"}
UNSEEN |= {chr(n) for n in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))}  # turn the order round
CANVAS = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
MOODLE = ["Identifier", "Full name", "Email address", "Status", "Grade", "Maximum Grade"]
MOODLE += ["Grade can be changed", "Last modified (submission)", "Last modified (grade)"]
MOODLE += ["Feedback comments"]
GRADED = ("graded", "partly graded")
ABSENT = "nothing handed in"


def total(points: Iterable[float | int]) -> float | int:
    """A sum in which ten tenths are one, whole where it can be.

    >>> total([1, 0.5, 0.5]), total([0.1] * 3)
    (2, 0.3)
    """
    exact = round(float(sum(points)), 4)
    return int(exact) if exact.is_integer() else exact


def harmless(text: str) -> str:
    """A stranger's text with its unseen characters made visible, and lines ended one way.

    >>> harmless("total\\u202e01\\r\\n")
    'total⟨U+202E⟩01\\n'
    """
    return "".join(
        f"⟨U+{ord(letter):04X}⟩"
        if letter in UNSEEN
        or (letter not in "\n\t" and unicodedata.category(letter) in ("Cc", "Cs"))
        else letter
        for letter in re.sub("\r\n?|[\u2028\u2029]", "\n", text)
    )


def cell(value: object) -> object:
    """A value as a spreadsheet may open it: what looks like a formula gets an apostrophe.

    >>> cell("=1+1"), cell(" @x"), cell(-1), cell("-1.5")
    ("'=1+1", "' @x", -1, '-1.5')
    """
    if not isinstance(value, str):
        return value
    text = harmless(value)
    start = text.lstrip("' \n\u00a0\u3000")
    danger = FORMULA.match(start) or FORMULA.match(text)
    return f"'{text}" if danger and not PLAIN_NUMBER.fullmatch(text) else text


def uncell(text: str) -> str:
    """What `cell` was given, but for what it made visible."""
    return text[1:] if text.startswith("'") and cell(text[1:]) == text else text


def sheet(rows: Iterable[list], excel: bool = False) -> bytes:
    """Rows as a file of comma-separated values; `excel` asks for the mark that tells it UTF-8.

    >>> sheet([["student", "score"], ["=ada", 1]])
    b'"student","score"\\r\\n"\\'=ada",1\\r\\n'
    """
    text = io.StringIO(newline="")
    # Quoted, so that a semicolon does not end a cell where Excel takes it for a comma.
    csv.writer(text, quoting=csv.QUOTE_NONNUMERIC).writerows([map(cell, row) for row in rows])
    return text.getvalue().encode("utf-8-sig" if excel else "utf-8")


def standing(record: dict, marks: dict) -> tuple[float | int, float | int, float | int, bool]:
    """Points in all, points to be had, those of them from readers, and whether a reader is due."""
    own = marks.get(key(record["student"], record["file"]), {})
    unread = [question for question in record["written"] if question["name"] not in own]
    read = total(mark.points for mark in own.values())
    worth = [len(mark.lines) for mark in own.values()] + [q["points"] for q in unread]
    due = not all(mark.complete for mark in own.values())
    due = due or any(question["text"].strip() for question in unread)
    return total([record["score"], read]), total([record["points"], *worth]), read, due


def best(records: Iterable[dict], marks: dict, of: Callable[[dict], str]) -> dict[str, list[dict]]:
    """The records of each person by what names them, the one that counts first: most points."""
    groups = defaultdict(list)
    for record in records:
        groups[of(record)].append(record)

    def rank(record: dict):
        return record["status"] not in GRADED, -standing(record, marks)[0], record["file"]

    return {who: sorted(groups[who], key=rank) for who in sorted(groups)}


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


def named(record: dict) -> str:
    return (record.get("ids") or {}).get("name") or record["student"]


def canvas(groups: dict[str, list[dict]], marks: dict, assignment: str) -> list[list]:
    """canvas.csv: Canvas finds a student by ID, and the assignment by its title, best with its id.

    Canvas takes any row whose first cell holds “Points Possible” for the one that sets them.
    """
    possible = max(standing(records[0], marks)[1] for records in groups.values())
    rows = [[*CANVAS, assignment], ["    Points Possible", "", "", "", "", possible]]
    for user, (record, *_) in groups.items():
        ids = record["ids"]
        name = harmless(named(record)).replace("Points Possible", "Points-Possible")
        row = [name, user, ids.get("sid", ""), ids.get("login", ""), ids.get("section", "")]
        rows.append([*row, standing(record, marks)[0]])
    return rows


def moodle(groups: dict[str, list[dict]], marks: dict, since: str) -> list[list]:
    """moodle.csv: Moodle's worksheet; it leaves alone what was changed there after this date."""
    possible = max(standing(records[0], marks)[1] for records in groups.values())
    rows = [MOODLE]
    for user, (record, *_) in groups.items():
        lines = [f"{a['name']}: {a['score']} of {a['points']}" for a in record["answers"]]
        for name, mark in marks.get(key(record["student"], record["file"]), {}).items():
            lines.append(f"{name}: {mark.points} of {len(mark.lines)}. {mark.comment}".strip())
        comment = "<br>".join(escape(harmless(line)).replace("\n", "<br>") for line in lines)
        when = max(since, record.get("graded_at", ""))
        row = [f"Participant {user}", named(record), record["ids"].get("email", "")]
        row += ["Submitted for grading", standing(record, marks)[0], possible, "Yes", "", when]
        rows.append([*row, comment])
    return rows


def gradescope(record: dict, marks: dict) -> dict:
    """results.json of one submission: the claims, and a rubric's lines once marked."""
    tests = []
    for answer in record["answers"]:
        for n, claim in enumerate(answer["claims"], start=1):
            test = {"name": f"{answer['name']}.{n}: {claim['claim']}", "score": claim["score"]}
            test |= {"max_score": claim["points"], "output": harmless(claim["message"])}
            tests.append(test | {"status": "passed" if claim["holds"] else "failed"})
    for name, mark in marks.get(key(record["student"], record["file"]), {}).items():
        for n, (line, given) in enumerate(mark.lines, start=1):
            test = {"name": f"{name}.{n}: {line}", "score": given or 0, "max_score": 1}
            output = "A reader has not marked this yet." if given is None else ""
            tests.append(test | {"output": output})
        tests += [{"name": f"{name}: the reader says", "output": mark.comment}] * bool(mark.comment)
    result = {
        "output": harmless("\n".join(record["notes"])),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "stdout_visibility": "hidden",
        "tests": [test | {"visibility": "visible", "output_format": "text"} for test in tests],
    }
    if record["status"] in GRADED:
        result["score"] = standing(record, marks)[0]
    return result


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
