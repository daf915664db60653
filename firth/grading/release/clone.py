"""What students get of a clone of the course, copied and without a link to what they do not get.

What they need (`NEEDED`) is copied and nothing else is: a folder of submissions that lies about in
the clone stays there, and so does what git does not know.
"""

import fnmatch
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from firth.grading.release.handouts import Refused
from firth.grading.release.pages import makefile, page, readme, toc

NEEDED = (
    *("chapters", "exercises", "reference", "firth", "site", ".binder"),
    *("_config.yml", "_toc.yml", "index.md", "README.md", "CITATION.cff", "LICENSE*"),
    *("pyproject.toml", "Makefile", "requirements/book.txt"),
    *(
        "tools/book.py",
        "tools/first_cell.py",
        "tools/interrupt.py",
        "tools/serve.py",
        "tools/watch.py",
    ),
    *(".gitignore", ".gitattributes", ".github/workflows/pages.yml"),
)
FOR_TEACHERS = ("reference/instructors*",)


@dataclass
class Released:
    """What was written, and what was changed on the way, in sentences."""

    files: int = 0
    students: int = 0
    changes: list[str] = field(default_factory=list)


def within(name: str, patterns: Sequence[str]) -> bool:
    """Whether a path, or a folder that it lies in, is among these.

    >>> within("firth/checks/claims.py", ["firth", "*.md"]), within("grades/ada.json", ["firth"])
    (True, False)
    """
    whole = PurePosixPath(name)
    above = [str(path) for path in (whole, *whole.parents)]
    return any(fnmatch.fnmatchcase(path, pattern) for path in above for pattern in patterns)


def files(course: Path) -> tuple[list[str], list[str]]:
    """The names of the course's files, and of those that git does not know.

    A folder without git, an unpacked archive, has all of its files except what .gitignore names.
    """
    if (course / ".git").exists():
        try:
            lists = [
                subprocess.run(
                    ["git", "ls-files", "-z", *which],
                    cwd=course,
                    capture_output=True,
                    check=True,
                ).stdout.decode()
                for which in (["--cached"], ["--others", "--exclude-standard"])
            ]
        except (OSError, subprocess.CalledProcessError) as error:
            raise Refused(
                f"git cannot list the files of {course} ({error}): install git, or release from an"
                " unpacked archive of the course."
            ) from None
        tracked, others = ([name for name in text.split("\0") if name] for text in lists)
    else:
        listed = (
            (course / ".gitignore").read_text("utf-8") if (course / ".gitignore").exists() else ""
        )
        ignored = [line.strip().strip("/") for line in listed.splitlines() if line.strip()]
        tracked, others = [], []
        for place, folders, names in os.walk(course):
            folders[:] = [n for n in folders if not any(fnmatch.fnmatch(n, i) for i in ignored)]
            here = Path(place).relative_to(course)
            tracked += [(here / name).as_posix() for name in names]
    there = [n for n in tracked if (course / n).is_file() and not (course / n).is_symlink()]
    return sorted(there), sorted(others)


def chosen(course: Path, exercises: Sequence[str]) -> list[str]:
    """The exercises to release, by name: those that were asked for, or all."""
    known = sorted(path.stem for path in (course / "exercises").glob("*.ipynb"))
    names = [name.removesuffix(".ipynb") for name in exercises] or known
    for name in names:
        if name not in known:
            raise Refused(f"There is no exercise {name!r}: there is {', '.join(known)}.")
    return list(dict.fromkeys(names))


def copied(course: Path, tree: Path, exercises: Sequence[str], released: Released) -> None:
    """The files that students need, with every link to one that they do not get taken out."""
    names, unknown = files(course)
    keep = {f"exercises/{name}.ipynb" for name in exercises}
    needed = [
        name
        for name in names
        if within(name, NEEDED)
        and not within(name, FOR_TEACHERS)
        and (not within(name, ["exercises/*.ipynb"]) or name in keep)
    ]
    for name in unknown:
        if within(name, NEEDED):
            released.changes.append(f"{name} is left out: git does not know it (git add).")
    everything, given = set(names), set(needed)
    for name in needed:
        target = tree / name
        target.parent.mkdir(parents=True, exist_ok=True)
        rewrite = {"README.md": readme, "_toc.yml": toc, "Makefile": makefile}.get(name)
        if rewrite is None and within(name, ["*.md", "*/*.md", "*.ipynb"]):
            rewrite = page
        if rewrite is None:
            shutil.copy(course / name, target)
            continue
        before = (course / name).read_text("utf-8")
        after, changes = rewrite(before, name, everything, given)
        target.write_text(after, encoding="utf-8", newline="\n")
        released.changes += [f"{name}: {change}" for change in changes]
    released.files = len(needed)
