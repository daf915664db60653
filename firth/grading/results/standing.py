"""What a student has: points of the answers, points that readers gave, and which file counts.

points  =  points of the answers  +  points that readers gave for written answers
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import NamedTuple

from firth.grading.results.cells import total
from firth.grading.results.record import key

GRADED = ("graded", "partly graded")
WITHDRAWN = "withdrawn"  # the same folder or archive was given again without this hand-in
GONE = (
    "The folder or archive in which this file was handed in was graded again without it. Its record"
    " is kept, and counts again as soon as the file is there."
)


def with_status(records: Iterable[dict]) -> list[dict]:
    """The records, of which those that are marked as withdrawn have this as their status."""
    gone = {"status": WITHDRAWN, "notes": [GONE]}
    return [record | gone if record.get("withdrawn") else record for record in records]


class Standing(NamedTuple):
    """The points of one hand-in."""

    points: float | int  # in all, so far
    possible: float | int
    read: float | int | str  # of them, for written answers; "" where nobody has marked one yet
    due: bool  # whether a written answer waits for a reader


def standing(record: dict, marks: dict) -> Standing:
    """The points of a record, with the marks that its written answers have."""
    own = marks.get(key(record["student"], record["file"]), {})
    unread = [question for question in record["written"] if question["name"] not in own]
    worth = [len(mark.lines) for mark in own.values()] + [q["points"] for q in unread]
    due = not all(mark.complete for mark in own.values())
    due = due or any(question["text"].strip() for question in unread)
    read = total(mark.points for mark in own.values())
    points, possible = total([record["score"], read]), total([record["points"], *worth])
    shown = "" if due and not any(mark.begun for mark in own.values()) else read
    return Standing(points, possible, shown, due)


def best(records: Iterable[dict], marks: dict, of: Callable[[dict], str]) -> dict[str, list[dict]]:
    """The records of each person by what names them, the one that counts first: most points."""
    groups = defaultdict(list)
    for record in records:
        groups[of(record)].append(record)

    def rank(record: dict):
        return record["status"] not in GRADED, -standing(record, marks).points, record["file"]

    return {who: sorted(groups[who], key=rank) for who in sorted(groups)}
