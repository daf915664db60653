"""A class through an Executor, so that each submission has exactly one record in the end.

    submissions without a record  →  at most `width` at a time  →  one file each, written here alone

A worker that is killed, a command that is killed, a command given twice: what has a record is not
graded again, what has none is. Only this process writes, each record in one step, so that there is
never anything to repair.

When a worker dies, a pool of processes fails as a whole and does not say whose fault it was. Those
that were under way are then tried one by one, and whoever is alone when its worker dies is blamed;
nobody else loses anything.
"""

import hashlib
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import suppress

from firth.grading.inbox.notebook import Unreadable
from firth.grading.results.record import Grades
from firth.grading.run.executors import Lost, opened
from firth.grading.run.outcome import LIVELY, Outcome, told

STRIKES = 3  # so often may a submission be under way when a worker dies: once in company


class Down(Exception):
    """An executor died with these aboard; `unsent` never left."""

    def __init__(self, aboard: list, unsent: list):
        self.aboard, self.unsent = aboard, unsent


def class_graded(
    submissions: Iterable,
    grade: Callable[..., dict],
    plan: object,
    ungraded: Callable[..., dict],
    grades: Grades,
    factory: Callable[[], Executor],
    width: int,
    same: Callable[[str], dict],
    regrade: bool = False,
    quiet: bool = False,
) -> Outcome:
    """Grades every submission that has no record yet, and says how it went.

    A record counts if it agrees with `same(student)`, its exercise, seed and checks, and with the
    file's bytes.
    `factory` is asked for another executor whenever one has died. The caller holds `grades.lock()`.
    """
    submissions = list(submissions)
    outcome, strikes, suspects = Outcome(), Counter(), deque()

    def settled(submission, record: dict) -> None:
        grades.write(record | whereabouts(submission, grades))
        outcome.count(record, new=True)

    def given_up(submission, sentence: str) -> None:
        settled(submission, ungraded(submission, plan, "not graded", sentence))

    def kept(submission, digest: str) -> bool:
        who = submission.student, submission.name
        if regrade or not grades.done(*who, sha256=digest, **same(submission.student)):
            return False
        record = grades.one(grades.path(*who))
        found = record | whereabouts(submission, grades)
        found.pop("withdrawn", None)  # it has been handed in again
        if found != record:
            grades.write(found)
        outcome.count(record, new=False)
        return True

    def bytes_of(submission) -> bytes | None:
        """A submission's bytes, or none and a record that says why."""
        try:
            return submission.data()
        except Unreadable as reason:
            if not kept(submission, ""):
                settled(submission, ungraded(submission, plan, "refused", str(reason)))
        except Exception as problem:
            given_up(submission, f"The file could not be read ({problem}): is it still there?")
        return None

    def unrecorded() -> Iterator[tuple]:
        """Those to be graded, each with its bytes, which nobody holds while it waits its turn."""
        seen = set()
        for submission in submissions:
            path = grades.path(submission.student, submission.name)
            if path in seen:
                outcome.again += 1
                continue
            seen.add(path)
            data = bytes_of(submission)
            # Of an empty file a record has no fingerprint.
            if data is None or kept(submission, hashlib.sha256(data).hexdigest() if data else ""):
                continue
            yield submission, data

    def suspected() -> Iterator[tuple]:
        while suspects:
            submission = suspects.popleft()
            if (data := bytes_of(submission)) is not None:
                yield submission, data

    def sent(executor: Executor, submission, data: bytes) -> Future:
        return executor.submit(grade, data, plan, submission.student, submission.name)

    fresh, ended = unrecorded(), False
    with told(len(submissions), outcome, quiet) as tell:
        while not ended:
            try:
                with opened(factory) as executor:
                    for lot, together in ((suspected(), 1), (fresh, width), (suspected(), 1)):
                        for submission, future in landed(executor, lot, together, sent, tell):
                            path = grades.path(submission.student, submission.name)
                            if beside_a_death(future) and not strikes[path]:
                                strikes[path] = 1
                                suspects.append(submission)
                            elif problem := complaint(future):
                                given_up(submission, problem)
                            else:
                                settled(submission, future.result())
                            tell()
                ended = True
            except Down as down:
                suspects.extend(down.unsent)
                for submission in down.aboard:
                    path = grades.path(submission.student, submission.name)
                    strikes[path] += 1
                    if strikes[path] < STRIKES:
                        suspects.append(submission)
                    else:
                        given_up(
                            submission,
                            f"The process that graded it died {STRIKES} times; the others were"
                            " graded without it.",
                        )
                tell()
    return outcome


def whereabouts(submission, grades: Grades) -> dict:
    """What a record keeps of a submission: what a platform calls its student, where its file is.

    A file that is given by itself still belongs to the folder or archive that it came in.
    """
    found = {key: getattr(submission, key) for key in ("ids", "member", "given")}
    found |= {"route": list(submission.route), "path": str(submission.path)}
    if not found["given"]:
        with suppress(ValueError):
            earlier = grades.one(grades.path(submission.student, submission.name))
            found["given"] = earlier.get("given", "")
    return found


def withdraw_missing(
    grades: Grades, records: Iterable[dict], submissions: Iterable, roots: Iterable[str]
) -> list[dict]:
    """Marks the records whose folder or archive was given again without their file; returns these.

    A record that is marked stays, and counts nowhere. What was never in one of `roots`, the folders
    and archives of this run, is not touched.
    """
    there = {grades.path(each.student, each.name) for each in submissions}
    roots = set(roots)
    gone = [
        record | {"withdrawn": True}
        for record in records
        if record.get("given") in roots
        and not record.get("withdrawn")
        and grades.path(record["student"], record["file"]) not in there
    ]
    for record in gone:
        grades.write(record)
    return gone


def landed(
    executor: Executor, lot: Iterator[tuple], width: int, sent: Callable, tell: Callable
) -> Iterator[tuple]:
    """Each submission of a lot with its future, as they are done; at most `width` under way."""
    flying: dict[Future, object] = {}
    while True:
        while len(flying) < width and (pair := next(lot, None)) is not None:
            try:
                flying[sent(executor, *pair)] = pair[0]
            except BrokenExecutor:
                lot = iter([])  # what has flown may still have landed well
                unsent = [pair[0]]
                break
        else:
            unsent = []
        if not flying and not unsent:
            return
        tell([each.name for each in flying.values()])
        done = wait(flying, LIVELY, FIRST_COMPLETED).done
        if unsent or any(isinstance(broken(future), BrokenExecutor) for future in done):
            done = wait(flying).done  # a broken executor ends them all
        tell()
        aboard = [flying[f] for f in done if isinstance(broken(f), BrokenExecutor)]
        for future in [f for f in done if not isinstance(broken(f), BrokenExecutor)]:
            yield flying.pop(future), future
        if aboard or unsent:
            raise Down(aboard, unsent)


def broken(future: Future) -> BaseException | None:
    """What a future ended with; one that nobody here has cancelled went down with its cluster."""
    if future.cancelled():
        raise Lost("The cluster went away: start it, and give the command again to go on.")
    return future.exception()


def beside_a_death(future: Future) -> bool:
    """Whether a cluster gave up what was on its workers when they died, to blame or not."""
    return type(broken(future)).__name__ == "KilledWorker"


def complaint(future: Future) -> str:
    """A sentence about a future that brought no record, or nothing."""
    error = broken(future)
    if error is None:
        if isinstance(future.result(), dict):
            return ""
        return f"The grader gave a {type(future.result()).__name__} instead of a record."
    if beside_a_death(future):
        return "The processes that graded it died, each time it was tried, also when alone."
    reason = (str(error).strip().splitlines() or ["no reason given"])[0]
    return f"The grader itself failed ({type(error).__name__}: {reason[:200]})."
