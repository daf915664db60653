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
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version

from firth.checks.claims import Exercise, Verdict
from firth.checks.variants import forms_of, variant_of
from firth.grading import wire
from firth.grading.loading import ALWAYS
from firth.grading.notebook import Unreadable, notebook
from firth.grading.plan import Plan
from firth.grading.playing import WHY, Played, played
from firth.grading.questions import asked
from firth.grading.record import FORMAT
from firth.grading.remote import Remote
from firth.grading.replay import repeated
from firth.grading.session import Copy, Lost, working
from firth.grading.warm import Warm

IMPATIENCE = 2.0  # seconds for the claims about an answer that has been too slow once
LIBRARIES = ("firth", "numpy", "scipy", "torch")
SETTLED = {"holds", "blank", "missing"}  # asked again, the claim would come out the same
INTACT = {"fails", "stopped", "too much"}  # after which a copy can be asked the next thing
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
    whose = plan.forms.get(student, "")
    return {
        "format": FORMAT,
        "exercise": plan.exercise,
        "student": student,
        "file": name,
        "sha256": hashlib.sha256(data).hexdigest() if data else "",
        "status": "graded",
        "notes": [],
        "score": 0,
        "points": sum(answer.points for answer in questions.answers),
        "answers": [],
        "written": [],
        "cells": [],
        "variant": forms_of(questions.answers, whose) if whose else {},
        **plan.fingerprints,
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
    answers = [
        variant_of(answer, student) if plan.forms else answer for answer in questions.answers
    ]
    record["notes"] += [*handed_in.notes, *repeated(handed_in.code, questions.names)]
    record["written"] = [
        {"name": w.name, "points": w.points, "text": handed_in.written.get(w.name, "")}
        for w in questions.written
    ]
    house = warm(plan)
    record["sandbox"] = house.kind
    play = played(house, handed_in.code, questions.names, plan.timeout, plan.memory)
    try:
        record["cells"] = play.cells
        seed = plan.inputs(data)
        source = "\n".join(handed_in.code)
        for answer in answers:
            record["answers"].append(judged(play, answer, seed, source, plan.timeout))
    finally:
        play.leave()
        record["cpu_seconds"] = play.cpu
    record["notes"] += play.notes
    trouble = {"died", *WHY}
    claims = [claim for answer in record["answers"] for claim in answer["claims"]]
    if trouble & {item["status"] for item in [*play.cells, *claims]}:
        record["status"] = "partly graded"


def judged(play: Played, answer: Exercise, seed: int, source: str, timeout: float) -> dict:
    """What came of one answer, claim by claim; each has a copy of the player to itself."""
    claims: list[dict] = []
    for index, claim in enumerate(answer.claims):
        if claims and claims[0]["status"] == "missing":  # it will not be there for the next one
            claims.append(claims[0] | {"claim": claim.sentence, "points": claim.points})
            continue
        slow = any(earlier["status"] == "too slow" for earlier in claims)
        patience = min(timeout, IMPATIENCE) if slow else timeout
        verdict, status, detail = heard(play, answer, index, seed, source, patience)
        claims.append(
            {
                "claim": claim.sentence,
                "holds": verdict.holds,
                "score": verdict.points,
                "points": claim.points,
                "message": verdict.message,
                "status": status,
                "detail": detail,
            }
        )
    status = "defined"
    if all(claim["status"] == "missing" for claim in claims):
        status = "missing"
    elif all(claim["status"] == "blank" for claim in claims):
        status = "blank"
    score, points = (sum(claim[key] for claim in claims) for key in ("score", "points"))
    return {
        "name": answer.name, "score": score, "points": points, "status": status, "claims": claims,
    }  # fmt: skip


def heard(
    play: Played, answer: Exercise, index: int, seed: int, source: str, patience: float
) -> tuple[Verdict, str, str]:
    """The verdict on one claim, its status, and what only the instructor is to read.

    A copy of the player costs more than most claims, so claims share one. A claim that does not
    hold there is asked again of a copy of its own: nothing that an earlier call has left behind,
    on purpose or not, takes a point away.
    """
    claim = answer.claims[index]
    fails = Verdict(claim.sentence, False, claim.question, 0)

    def tried(copy: Copy) -> tuple[Verdict, str, str]:
        remote = Remote(answer.name, copy, seed % 2**32, patience, source)
        try:
            verdict = answer.verdict(index, remote, seed)
        except Exception as error:  # a claim that cannot cope with what came back does not hold
            return fails, "fails", f"{type(error).__name__}: {error}"
        return verdict, remote.status or ("holds" if verdict.holds else "fails"), remote.heard

    try:
        copy = play.shared()
        found = tried(copy)
        if found[1] in SETTLED:
            return found
        if found[1] not in INTACT:
            play.end(copy)
        if found[1] == "too slow":
            return found
        copy = play.copy()
        found = tried(copy)
        play.end(copy)
        return found
    except Lost as reason:
        return fails, "died", str(reason)
