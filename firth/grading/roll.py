"""Who of a released roster has handed in: which forms are whose, who is missing, what is odd.

roster(forms.csv)   whatever a student may be called  →  the id whose forms are theirs
forms(roster, …)    each student who has handed in    →  that id
called(…)           sentences about the two, for the instructor
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from firth.grading.handouts import Refused, owner, owners
from firth.grading.settings import Misused
from firth.grading.sheets import harmless
from firth.grading.submissions import Submission

NOBODY = (
    "{}: nobody in it is called as a hand-in is, such as {}. Give the table of this class, or say"
    " with --student where in a file's name the student stands."
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


def forms(known: dict[str, str], found: Iterable[Submission]) -> dict[str, str]:
    """For each student of a released roster who has handed something in, that id."""
    pairs = ((item.student, owner(known, item.student, item.ids)) for item in found)
    return {student: whose for student, whose in pairs if whose}


def called(
    table: Path | None, found: list[Submission], before: list[dict], now: list[dict]
) -> Roll:
    """The roll of a class: its roster beside what was found, and its records before and now."""
    if table is None:
        others = sum(bool(record.get("variant")) for record in before)
        return Roll(slips=[AGAIN.format(others)] if others else [])
    known = roster(table)
    theirs = forms(known, found)
    if not theirs:
        return Roll(slips=[NOBODY.format(table, harmless(found[0].student))])
    lost = sorted({item.student for item in found} - set(theirs))
    slips = [f"{student} is not in {table}: the first forms count." for student in lost]
    varying = any(record.get("variant") for record in now)  # else all forms are the first
    there = {owner(known, record["student"], record.get("ids") or {}) for record in now}
    absent = sorted(set(known.values()) - there)
    said = [f"{harmless(student)} has handed in nothing." for student in absent]
    return Roll(slips if varying else [], said if varying else slips + said, absent)
