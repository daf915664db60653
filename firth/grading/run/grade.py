"""One submission: play its cells, judge its answers claim by claim, leave a record.

    record = graded(data, plan)

The claims are those that teach (firth.checks). Their inputs are drawn from the plan's secret seed
and from the submission's own bytes: whoever learns something about them has learnt it about a
submission that is over.
"""

import hashlib
import platform
import sys
import time
from collections import Counter
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version

from firth.checks.variants import variant_of
from firth.grading import wire
from firth.grading.inbox.borrowed import from_checks, from_package
from firth.grading.inbox.notebook import Unreadable, notebook
from firth.grading.inbox.released import cells_of
from firth.grading.inbox.replay import repeated
from firth.grading.results.record import FORMAT
from firth.grading.run import doubts
from firth.grading.run.judging import Judge
from firth.grading.run.plan import Plan
from firth.grading.run.questions import asked
from firth.grading.supervisor.loading import ALWAYS
from firth.grading.supervisor.playing import WHY, played
from firth.grading.supervisor.session import Lost, working
from firth.grading.supervisor.warm import Warm

LIBRARIES = ("firth", "numpy", "scipy", "torch")
MEND = "The grader failed, not the submission: run the command again."


houses: dict[tuple, Warm] = {}  # of this process: at most one


def warm(plan: Plan) -> Warm:
    """The house of this process, started anew if it has ended or was made for something else."""
    kind = plan.sandbox or working()
    key = (kind, plan.modules)
    if key not in houses or houses[key].process.poll() is not None:
        closed()
        houses[key] = Warm(kind, [*ALWAYS, *plan.modules])
    return houses[key]


def closed() -> None:
    """Ends the house of this process, if there is one."""
    while houses:
        houses.popitem()[1].closed()


def versions() -> dict[str, str]:
    """What the verdicts may depend on."""
    found = {"python": platform.python_version()}
    for name in LIBRARIES:
        if name in sys.modules:
            try:
                found[name] = version(name)
            except PackageNotFoundError:  # a clone that is used without being installed
                found[name] = "unknown"
    return found


def blank_record(data: bytes, plan: Plan, student: str, name: str) -> dict:
    """A record of nothing yet: what a submission gets of which no line could be run."""
    questions = asked(plan.exercise, plan.checks)
    return {
        "format": FORMAT,
        "student": student,
        "file": name,
        "sha256": hashlib.sha256(data).hexdigest() if data else "",
        "status": "graded",
        "notes": [],
        "remarks": [],  # for the instructor alone
        "warnings": [],  # of the notes, those that are said aloud
        "score": 0,
        "points": sum(answer.points for answer in questions.answers),
        "answers": [],
        "written": [],
        "cells": [],
        **plan.same(student),
        "versions": versions(),
        "sandbox": plan.sandbox,
        "seconds": 0.0,
        "cpu_seconds": 0.0,
        "graded_at": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def ungraded(submission, plan: Plan, status: str, sentence: str, data: bytes = b"") -> dict:
    """The record of a submission that was not run, and the sentence that says why."""
    record = blank_record(data, plan, submission.student, submission.name)
    return record | {"status": status, "notes": [sentence], "ids": submission.ids}


def graded(data: bytes, plan: Plan, student: str = "", name: str = "") -> dict:
    """Grades one submission; whatever it does, there is a record."""
    began, used = time.monotonic(), time.thread_time()
    record = blank_record(data, plan, student, name)
    try:
        handed_in = notebook(data)
        questions = asked(plan.exercise, plan.checks)
        if reason := doubts.disagreement(handed_in.code, plan, questions, student):
            record |= {"status": "withheld", "notes": [reason]}
        else:
            with_cells(record, data, plan, student, handed_in)
    except Unreadable as reason:
        record |= {"status": "unreadable", "notes": [str(reason)]}
    except (wire.Ended, wire.Late, Lost) as problem:
        # The house itself is gone or silent: no submission can do that, but a full machine can.
        closed()
        record |= {"status": "not graded", "notes": [MEND], "detail": repr(problem)}
    record["score"] = sum(answer["score"] for answer in record["answers"])
    record["seconds"] = round(time.monotonic() - began, 3)
    record["cpu_seconds"] = round(record["cpu_seconds"] + time.thread_time() - used, 4)
    return record


def with_cells(record: dict, data: bytes, plan: Plan, student: str, handed_in) -> None:
    """Plays the cells of a notebook and judges its answers; fills in the record."""
    questions = asked(plan.exercise, plan.checks)
    whose = plan.forms.get(student, "")
    answers = [variant_of(answer, whose) for answer in questions.answers]
    record["notes"] += [*handed_in.notes, *repeated(handed_in.code, questions.names)]
    record["written"] = [
        {"name": w.name, "points": w.points, "text": handed_in.written.get(w.name, "")}
        for w in questions.written
    ]
    record["remarks"] += from_package(
        handed_in.code, questions.names, cells_of("exercises", plan.exercise)
    )
    if cells := from_checks(handed_in.code):
        where = f"cell{'s' * (len(cells) > 1)} {', '.join(map(str, cells))}"
        record["remarks"].append(f"Look at {where}: does it take a right answer from firth.checks?")
    house = warm(plan)
    record["sandbox"] = house.kind
    play = played(house, handed_in.code, questions.names, plan.timeout, plan.memory)
    try:
        record["cells"] = play.cells
        judge = Judge(play, plan.inputs(data), handed_in.code, plan.timeout)
        record["answers"] = judge.all_judged(answers)
    finally:
        play.leave()
        record["cpu_seconds"] = play.cpu
    record["notes"] += play.notes
    if doubt := doubts.mistaken(handed_in.code, record["answers"]):
        record["notes"].append(doubt)
        record["warnings"].append(doubt)
    record["remarks"] += followed(record["answers"])
    trouble = {"died", *WHY}
    claims = [claim for answer in record["answers"] for claim in answer["claims"]]
    if trouble & {item["status"] for item in [*play.cells, *claims]}:
        record["status"] = "partly graded"


def followed(answers: list[dict]) -> list[str]:
    """How many points were lost by way of other answers, and which: for the instructor."""
    lost: Counter[str] = Counter()
    for answer in answers:
        for claim in answer["claims"]:
            lost[" and ".join(claim.get("follows", []))] += claim["points"]
    return [f"With a right {by}, {n} points more." for by, n in lost.items() if by]
