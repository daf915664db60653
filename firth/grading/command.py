"""The command `firth grade`: a folder of submissions in, a folder of grades out.

    find the submissions → grade those that have no record → sheets, feedback, marking

Exit status: 0 if all could be graded, 1 if some could not or something looks like a mistake, 2 if
the command was used wrongly, 3 if it has a fault of its own, 130 if it was interrupted. What is
found wrong is said on standard error, in a sentence each.
"""

import argparse
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from firth.checks.variants import spelled
from firth.grading.inbox.packed import Unreadable
from firth.grading.inbox.submissions import NothingFound, submissions
from firth.grading.results import overlap
from firth.grading.results.changes import table
from firth.grading.results.folder import copied, locked
from firth.grading.results.publish import publish
from firth.grading.results.record import FolderError, Grades
from firth.grading.run.class_run import class_graded, withdraw_missing
from firth.grading.run.executors import Lost, Unreachable, cluster, pool
from firth.grading.run.explain import explained, submission_of
from firth.grading.run.grade import closed, graded, ungraded
from firth.grading.run.outcome import say
from firth.grading.run.plan import Plan
from firth.grading.run.questions import NoQuestions, asked, tried
from firth.grading.run.roll import Roll, called, forms, roster, without_hand_in
from firth.grading.run.settings import Misused, private, sample, seed, unseen
from firth.grading.supervisor.loading import common
from firth.grading.supervisor.sandbox import NoSandbox
from firth.grading.supervisor.session import working

PURPOSE = "Grade a class: run each submission in a sandbox, judge its answers, write the grades."
EXPLAIN = "show why a claim failed, with its inputs: a student or a file, and for example cosine.2"
SAID = 12  # sentences about the class that are printed; all of them stand in grades.csv
PARTLY = "The sheets in {} have what was graded so far."
UNCHANGED = "No points have changed since the last run."
WRONG = (
    Unreadable,
    FolderError,
    NoQuestions,
    NoSandbox,
    NothingFound,
    Unreachable,
    Lost,
    overlap.NoTool,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    parser.epilog = (
        "Submissions are notebooks, folders of them, or the zip that Canvas, Moodle or Gradescope"
        " exports.\nGive the same command again to go on after an interruption: what has a record"
        " is not graded twice.\n\n  firth grade 01_lsa submissions/ --out grades/\n"
        "  firth grade --explain ada cosine.2 --out grades/\n\n"
        "In the folder of results you fill in marking.csv (written answers), overrides.csv (points"
        " set by hand)\nand extensions.csv (later deadlines), and give the same command again."
        " changes.csv says what a run changed,\nchecks.html what the class did not understand.\n\n"
        "Exit status:\n  0    all were graded\n"
        "  1    somebody was not, or something looks like a mistake; a sentence says what\n"
        "  2    the command was used wrongly, or a private check fails on its own right answer\n"
        "  3    the program has a fault\n  130  it was interrupted"
    )
    add("exercise", nargs="?", help="for example 01_lsa")
    add("submissions", nargs="*", type=Path, help="notebooks, folders, zips")
    add("--out", type=Path, default=Path("grades"), metavar="DIR", help="default: grades")
    add("--explain", nargs=2, metavar=("SUBMISSION", "CLAIM"), help=EXPLAIN)
    add("--seed-file", type=Path, metavar="F", help="the secret seed; default: DIR/seed, made once")
    add("--checks", type=Path, metavar="DIR", help="a folder of private checks")
    add("--forms", type=Path, metavar="CSV", help="who has which form: from firth release")
    add("--student", metavar="PATTERN", help="finds the student: '(?P<student>[^_]+)_.*'")
    add(
        "--timeout",
        type=float,
        default=10.0,
        metavar="S",
        help="for a cell or a claim; default: 10",
    )
    add("--memory", type=int, default=1024, metavar="MB", help="of a submission; default: 1024")
    add("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="default: all cores")
    add("--scheduler", metavar="URL", help="grade on a dask cluster, tcp://host:8786")
    add("--title", default="", help="the assignment's name in Canvas: 'Exercise 1 (48213)'")
    add("--overlap", action="store_true", help="also report how alike the answers are")
    add("--dry-run", action="store_true", help="print what would change, and write nothing")
    add("--regrade", action="store_true", help="grade again what has a record")
    add("--quiet", action="store_true", help="print only what is wrong")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--sandbox", choices=["bubblewrap", "sandlock"], help="default: what works")
    which.add_argument(
        "--run-without-a-sandbox",
        dest="sandbox",
        action="store_const",
        const="none",
        help="students' code may then do all that you may do on this machine",
    )


def main(arguments: argparse.Namespace) -> int:
    try:
        return explain(arguments) if arguments.explain else grade(arguments)
    except (*WRONG, Misused) as problem:
        say(problem, error=True)
        return 2
    finally:
        closed()


def grade(given: argparse.Namespace) -> int:
    """Grades a class and writes all that comes of it."""
    if given.exercise is None or not given.submissions:
        raise Misused("Say what to grade: firth grade 01_lsa submissions/ --out grades/")
    if given.timeout <= 0 or given.memory < 64 or given.jobs < 1:
        raise Misused("--timeout wants seconds above 0, --memory at least 64 MB, --jobs at least 1")
    secret = given.checks, given.seed_file, given.forms
    unseen(path for path in (*given.submissions, given.out, *secret) if path is not None)
    questions = asked(given.exercise, private(given.checks))
    tried(questions)
    known = roster(given.forms) if given.forms else {}
    try:
        found = submissions(given.submissions, given.student, given.exercise)
    except ValueError as problem:
        raise Misused(str(problem)) from None
    with (copied if given.dry_run else locked)(given.out) as grades:
        before = grades.read()
        if others := {r["exercise"] for r in before if r["exercise"] != given.exercise}:
            raise Misused(f"{given.out} holds grades of {', '.join(others)}: choose another --out.")
        plan = Plan(
            exercise=given.exercise,
            seed=seed(given.seed_file, grades.seed),
            timeout=given.timeout,
            memory=given.memory,
            checks=private(given.checks),
            sandbox=given.sandbox or "" if given.scheduler else working(given.sandbox),
            forms=forms(known, found),
            known=known or {spelled(item.student): item.student for item in found},
            released=bool(given.forms),
            modules=common(sample(found)),
        )
        rubrics = {question.name: question.rubric for question in questions.written}
        try:
            with executor(given) as (factory, width):
                outcome = class_graded(
                    found, graded, plan, ungraded, grades, factory, width, plan.same,
                    given.regrade, given.quiet,
                )  # fmt: skip
        except KeyboardInterrupt:  # what has been graded is handed over all the same
            if not given.dry_run:
                publish(grades, grades.read(), rubrics, given.title, known)
                say(PARTLY.format(given.out), error=True)
            raise
        roots = map(os.path.realpath, given.submissions)
        gone = withdraw_missing(grades, grades.read(), found, roots)
        records = grades.read()
        roll = called(given.forms, found, before, records)
        roll.slips += without_hand_in(gone, records)
        published = publish(grades, records, rubrics, given.title, known, roll.absent)
        roll.slips += published.slips
        said = [f"{item.name}: {item.note}" for item in found if item.note]
        said += roll.said + published.said
        if given.overlap:
            said += overlap.report(grades, found, given.exercise, given.quiet, records)
        place = str(grades.folder)
    told(said, roll, outcome, published.changes, given, place)
    return 0 if outcome.complete and not roll.slips else 1


@contextmanager
def executor(given: argparse.Namespace) -> Iterator[tuple]:
    """Where it is graded, and how many submissions are under way at a time."""
    if given.scheduler:
        with cluster(given.scheduler) as found:
            yield found
    else:
        yield partial(pool, given.jobs), 2 * given.jobs


def told(
    said: list[str], roll: Roll, outcome, changed: list, given: argparse.Namespace, place: str
) -> None:
    """Prints what happened: failures always, the rest unless it is to be quiet."""

    def renamed(lines: list[str]) -> list[str]:
        return [line.replace(place, str(given.out)) for line in lines]  # of a dry run

    lists = {f"{status}: ": names for status, names in outcome.failed.items()}
    for start, lines in [*lists.items(), ("", [*roll.slips, *outcome.doubtful])]:
        for line in renamed(lines[:SAID]):
            say(f"{start}{line}", error=True)
        if len(lines) > SAID:
            say(f"{start}and {len(lines) - SAID} more; see grades.csv", error=True)
    if given.quiet:
        return
    more = [f"… and {len(said) - SAID} more lines like these; see grades.csv."]
    if said:
        say(*renamed(said[:SAID]), *(more if len(said) > SAID else []))
    say(*(table(changed, len(changed) if given.dry_run else SAID) or [UNCHANGED]))
    end = f"This was a dry run: nothing in {given.out} has changed."
    say(f"{outcome} {end if given.dry_run else f'Grades and feedback are in {given.out}.'}")


def explain(given: argparse.Namespace) -> int:
    """Shows an instructor one claim about one submission, with all that went in and came out."""
    who, what = given.explain
    answer, _, number = what.rpartition(".")
    if not re.fullmatch(r"\d+", number):
        raise Misused(f"{what!r} names no claim: say for example cosine.2, the second of cosine.")
    grades = Grades(given.out)
    records = [r for r in grades.read() if who in (r["student"], r["file"], Path(r["file"]).name)]
    path = Path(who)
    if not records and path.is_file():
        records = [r for r in grades.read() if Path(r["path"]).resolve() == path.resolve()]
    if len(records) != 1:
        names = ", ".join(r["file"] for r in records) or "none"
        raise Misused(f"{who!r} should name one record of {given.out}; it names {names}.")
    (record,) = records
    plan = Plan(
        exercise=record["exercise"],
        seed=seed(given.seed_file, grades.seed),
        timeout=given.timeout,
        memory=given.memory,
        checks=private(given.checks),
        sandbox=working(given.sandbox),
        forms=forms(roster(given.forms), [submission_of(record)]) if given.forms else {},
    )
    if record["status"] == "withheld":
        raise Misused(f"{who} was not graded. {record['notes'][0]}")
    if record["variant"] and not plan.forms:
        raise Misused(f"{who} has a form of their own: give the same --forms as then.")
    for name, value in plan.fingerprints.items():
        if record[name] != value:
            raise Misused(f"{who} was graded with another {name}: give the same --{name} as then.")
    say(explained(record, plan, answer, int(number)))
    return 0
