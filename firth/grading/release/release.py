"""A repository for students: the course without its solutions, and a notebook for each of them.

a clone of the course  →  student-repository/  chapters, exercises, package, book; no solutions
a roster               →  …-handouts/          each student's notebook, for the instructor to send

What students need is copied (clone); what links to something left out is rewritten, and said
(pages). Then all of it is searched for the solutions' marks, functions and words (leaks); if any is
found, nothing is released.

This keeps solutions from being met by accident. It does not keep them secret: the course is public,
and `firth.checks`, which every student has, judges an answer beside the right one. Who copies that
passes any claim, whatever the inputs. What a grade can rest on besides is what the clone does not
hold: checks of your own (`firth grade --checks`), forms that differ, answers in words, a talk.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from firth.grading.release.clone import NEEDED, Released, chosen, copied, within
from firth.grading.release.handouts import FORMS, Refused, Roster, handouts, roster
from firth.grading.release.leaks import leaks
from firth.grading.results.cells import harmless
from firth.grading.run.outcome import say as said
from firth.runtime.progress import progress

CLONE = ("_toc.yml", "pyproject.toml", "firth", "exercises", "solutions")


def stamped(course: Path, tree: Path, url: str) -> None:
    """Every address in the tree points at the students' repository, by the course's own tool."""
    script = "import sys, pathlib, address; address.stamp(sys.argv[1], pathlib.Path(sys.argv[2]))"
    done = subprocess.run(
        [sys.executable, "-c", script, url, str(tree)],
        env=os.environ | {"PYTHONPATH": str(course / "tools")},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        said = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        hint = ": install nbformat, nbclient and nbval." if "ModuleNotFound" in said else "."
        raise Refused(f"--url {url}: {said.rstrip('.')}{hint}")


def replaceable(place: Path, force: bool, marks: Sequence[str]) -> None:
    """Refuses to write over what is not an earlier release, or not without --force."""
    if place.is_file():
        raise Refused(f"{place} is a file: name a folder.")
    if not place.exists() or not any(place.iterdir()):
        return
    if not force:
        raise Refused(f"{place} is not empty: name another folder, or add --force to renew it.")
    if not all((place / mark).exists() for mark in marks) or (place / "solutions").exists():
        raise Refused(f"{place} is not an earlier release: --force renews those only.")


def kept(old: Path, draft: Path) -> None:
    """What an instructor has added to the last release (.git above all) goes into the next."""
    for path in old.iterdir() if old.exists() else ():
        if not (draft / path.name).exists() and not within(path.name, NEEDED):
            if path.is_dir() and not path.is_symlink():
                shutil.copytree(path, draft / path.name, symlinks=True)
            else:
                shutil.copy2(path, draft / path.name, follow_symlinks=False)


def moved(draft: Path, place: Path) -> None:
    """The draft in its place; if that cannot be, what was there before."""
    old = draft.with_name(draft.name + "-old")
    if place.exists():
        os.replace(place, old)
    try:
        os.replace(draft, place)
    except BaseException:
        if old.exists():
            os.replace(old, place)
        raise


def release(
    course: Path,
    out: Path,
    exercises: Sequence[str] = (),
    students: Path | Roster | None = None,
    handouts_to: Path | None = None,
    column: str | None = None,
    url: str | None = None,
    force: bool = False,
    say: Callable[[str], None] = lambda line: None,
) -> Released:
    """Writes the students' repository, and the handouts if there is a roster: all or nothing."""
    course, out = course.resolve(), out.resolve()
    beside = (handouts_to or out.with_name(out.name + "-handouts")).resolve()
    missing = [name for name in CLONE if not (course / name).exists()]
    if missing:
        raise Refused(
            f"{course} is not a clone of the course (it has no {missing[0]}): clone it, and name it"
            " with --course."
        )
    if course.is_relative_to(out) or any(out.is_relative_to(course / name) for name in NEEDED):
        raise Refused(f"{out} belongs to the course: name a folder of its own with --out.")
    if beside.is_relative_to(out) or out.is_relative_to(beside):
        raise Refused(f"{beside} is for the instructor: name a folder outside {out}.")
    names, released = chosen(course, exercises), Released()
    listed = roster(students, column) if isinstance(students, Path) else students
    replaceable(out, force, ["_toc.yml", "firth"])
    if listed:
        replaceable(beside, force, [FORMS])
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=f".{out.name}-") as workshop:
        tree, sheets = Path(workshop) / "tree", Path(workshop) / "handouts"
        say("Copying the course without its solutions …")
        copied(course, tree, names, released)
        if url:
            stamped(course, tree, url)
        if listed:
            for n, student in enumerate(handouts(tree / "exercises", names, listed, sheets), 1):
                say(f"Writing notebooks: {n} of {len(listed.rows)}, {harmless(student)}")
            released.students = len(listed.rows)
        say("Looking for solutions in what was written …")
        found = leaks(Path(workshop), course / "solutions")
        if found:
            raise Refused("Nothing is released, for a solution is in it:\n" + "\n".join(found))
        kept(out, tree)
        moved(tree, out)
        if listed:
            moved(sheets, beside)
    return released


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", type=Path, required=True, help="the folder to write")
    parser.add_argument("--course", type=Path, default=Path(), help="a clone; default: here")
    parser.add_argument("--exercise", nargs="+", default=[], metavar="NAME", help="default: all")
    parser.add_argument("--students", type=Path, metavar="CSV", help="a roster: a notebook each")
    parser.add_argument("--column", help="the roster's column with the student's id")
    parser.add_argument("--handouts", type=Path, help="where those go; default: OUT-handouts")
    parser.add_argument("--url", help="where the students' repository will be published")
    parser.add_argument("--force", action="store_true", help="renew an earlier release")


def main(arguments: argparse.Namespace) -> int:
    """The command `firth release`: its exit status, 0 or 2."""
    a = arguments
    try:
        with progress("Reading the course …") as say:
            released = release(
                a.course, a.out, a.exercise, a.students, a.handouts, a.column, a.url, a.force, say
            )
    except Refused as problem:
        said(problem, error=True)
        return 2
    said(f"{a.out}: {released.files} files, no solutions.", *(f"  {c}" for c in released.changes))
    if released.students:
        place = a.handouts or a.out.with_name(a.out.name + "-handouts")
        said(f"{place}: notebooks for {released.students} students; {FORMS} says who has which.")
    return 0
