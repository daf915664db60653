"""Who of a released roster has handed in: which forms are whose, who is missing, what is odd.

roster(forms.csv)   whatever a student may be called  →  the id whose forms are theirs
forms(roster, …)    each student who has handed in    →  that id
called(…)           sentences about the two, for the instructor
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from firth.checks.variants import spelled
from firth.grading.inbox.notebook import notebook
from firth.grading.inbox.packed import Unreadable
from firth.grading.inbox.submissions import Submission
from firth.grading.release.handouts import Refused, owner, owners
from firth.grading.results.cells import harmless
from firth.grading.run.doubts import called_by
from firth.grading.run.settings import Misused

NOBODY = (
    "{}: nobody in it is called as a hand-in is, such as {}. Give the table of this class, or say"
    " with --student where in a file's name the student stands."
)
WITHDRAWN = (
    "{0} has no hand-in any more: {1} was given again without {2}. The record is kept, and counts"
    " again as soon as the file is there."
)
AGAIN = "{} were graded in forms of their own before, and now without: give the same --forms again."


@dataclass
class Roll:
    """What is found out about a class by its roster."""

    slips: list[str] = field(default_factory=list)  # of the instructor's: said in any case
    said: list[str] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)  # ids of those who have handed in nothing


def roster(table: Path) -> dict[str, str]:
    """From whatever a student of a released roster is called to the id whose forms are theirs."""
    try:
        return owners(table)
    except Refused as problem:
        raise Misused(str(problem)) from None


def members(known: dict[str, str], student: str, ids: dict) -> list[str]:
    """The roster's ids of those who have handed something in: one, or those of a whole group."""
    group = [owner(known, "", one) for one in ids.get("submitters") or []]
    return list(dict.fromkeys(filter(None, group or [owner(known, student, ids)])))


def forms(known: dict[str, str], found: Iterable[Submission]) -> dict[str, str]:
    """For each student of a released roster who has handed something in, that id."""
    return {item.student: whose for item in found if (whose := form_of(known, item))}


def form_of(known: dict[str, str], item: Submission) -> str:
    """Whose forms a submission has: of a group, those of the member whom its notebook names."""
    group = members(known, item.student, item.ids)
    if len(group) > 1:
        with suppress(Unreadable):  # its record will say why
            named = known.get(spelled(called_by(notebook(item.data()).code) or ""), "")
            return named if named in group else group[0]
    return group[0] if group else ""


def without_hand_in(gone: Iterable[dict], records: Iterable[dict]) -> list[str]:
    """A sentence for each student who has nothing left after some records were withdrawn."""
    left = {record["student"] for record in records if not record.get("withdrawn")}
    return [
        WITHDRAWN.format(harmless(record["student"]), record["given"], harmless(record["file"]))
        for record in gone
        if record["student"] not in left
    ]


def called(
    table: Path | None, found: list[Submission], before: list[dict], now: list[dict]
) -> Roll:
    """The roll of a class: its roster beside what was found, and its records before and now."""
    if table is None:
        others = sum(bool(record.get("variant")) for record in before)
        return Roll(slips=[AGAIN.format(others)] if others else [])
    known = roster(table)
    theirs = {item.student for item in found if members(known, item.student, item.ids)}
    if not theirs:
        return Roll(slips=[NOBODY.format(table, harmless(found[0].student))])
    lost = sorted({item.student for item in found} - theirs)
    slips = [f"{student} is not in {table}: the first forms count." for student in lost]
    varying = any(record.get("variant") for record in now)  # else all forms are the first
    there = (members(known, record["student"], record.get("ids") or {}) for record in now)
    absent = sorted(set(known.values()).difference(*there))
    said = [f"{harmless(student)} has handed in nothing." for student in absent]
    return Roll(slips if varying else [], said if varying else slips + said, absent)
