"""What a run has changed: for each student the points before, the points now, and why.

    the standings of the last run + those of this one  →  changes.csv, and a table to print

The standings stand in standings.json, with what decided about them: the hand-ins, the checks, the
forms, the corrections and the marks. What differs there is the reason of a change.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from firth.grading.results.cells import harmless, sheet
from firth.grading.results.record import Grades, fingerprint, key, place
from firth.grading.results.standing import GRADED, WITHDRAWN, best, standing

COLUMNS = ["student", "old points", "new points", "why"]
REASONS = {  # what of a standing differs → why the points do
    "files": "new hand-in",
    "seed": "other seed",
    "private": "new check",
    "claims": "new check",
    "forms": "other forms",
    "overrides": "override",
    "marks": "marked by a reader",
}
AGAIN = "graded again"
GONE = "its record was removed"
SHOWN = 12  # rows of the table that are printed; changes.csv has all


@dataclass(frozen=True)
class Change:
    """One row of changes.csv; points are text, and a status where there are none."""

    student: str
    old: str
    new: str
    why: str


def standings(records: Iterable[dict], marks: dict) -> dict[str, dict]:
    """For each student what grades.csv says, and all that decided about it."""
    found = {}
    for student, theirs in best(records, marks, lambda record: record["student"]).items():
        record = theirs[0]
        graded = record["status"] in GRADED
        claims = [[c["claim"], c["points"]] for a in record["answers"] for c in a["claims"]]
        own = marks.get(key(student, record["file"]), {})
        found[student] = {
            "points": f"{standing(record, marks).points}" if graded else record["status"],
            "files": sorted(r["sha256"] for r in theirs if r["status"] != WITHDRAWN),
            "seed": record.get("seed", ""),
            "private": record.get("checks", ""),
            "claims": fingerprint(json.dumps(claims).encode()) if claims else "",
            "forms": record.get("variant") or {},
            "overrides": {check: c.points for check, c in record.get("corrections", {}).items()},
            "marks": {n: m.points for n, m in own.items() if m.points and not m.correction},
        }
    return found


def before(grades: Grades) -> dict[str, dict]:
    """The standings of the last run that came to its end, or none."""
    try:
        found = json.loads(grades.standings.read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def changes(old: Mapping[str, dict], new: Mapping[str, dict]) -> list[Change]:
    """What differs between two runs: changed points first, then students who are new."""
    found = []
    for student in [*old, *(name for name in new if name not in old)]:
        was, now = old.get(student, {}), new.get(student, {})
        if was.get("points") != now.get("points"):
            why = reason(was, now)
            found.append(Change(student, was.get("points", ""), now.get("points", ""), why))
    return found


def reason(was: Mapping, now: Mapping) -> str:
    """Why the points of a student differ from those of the last run."""
    if not was:
        return REASONS["files"]
    if not now:
        return GONE
    if now["points"] == WITHDRAWN:
        return WITHDRAWN
    differs = {
        why: None
        for what, why in REASONS.items()
        # A hand-in that could not be graded has no claims.
        if was.get(what) != now[what] and (what != "claims" or (was.get(what) and now[what]))
    }
    return ", ".join(differs) or AGAIN


def write(grades: Grades, found: Iterable[Change], now: Mapping[str, dict]) -> None:
    """Writes changes.csv, and then the standings that the next run will be compared with."""
    rows = [[each.student, each.old, each.new, each.why] for each in found]
    place(grades.changes, sheet([COLUMNS, *rows], excel=True))
    place(grades.standings, json.dumps(now, indent=1))


def table(found: list[Change], most: int = SHOWN) -> list[str]:
    """The changes as lines of text in columns, at most so many of them; [] if there are none.

    >>> print("\\n".join(table([Change("ada", "28", "30", "override")])))
    student  old points  new points  why
    ada              28          30  override
    """
    if not found:
        return []
    rows = [
        (harmless(each.student).replace("\n", " "), each.old, each.new, each.why)
        for each in found[:most]
    ]
    wide = [max(map(len, column)) for column in zip(COLUMNS, *rows, strict=True)]
    lines = []
    for student, old, new, why in [tuple(COLUMNS), *rows]:
        old, new = (f"{old:>{wide[1]}}", f"{new:>{wide[2]}}")
        lines.append(f"{student:<{wide[0]}}  {old}  {new}  {why}")
    more = len(found) - most
    return [*lines, *([f"… and {more} more, in changes.csv."] if more > 0 else [])]
