"""Files, folders and export archives → the submissions of a class, each with its student.

    Canvas      lovelaceada_12345_67890_01_lsa.ipynb, lovelaceada_LATE_12345_67890_01_lsa-1.ipynb,
                anon_x7Kq2_67890_01_lsa.ipynb: user or anonymous id, file id (it grows), file name
    Moodle      Ada Lovelace_12345_assignsubmission_file_/01_lsa.ipynb, and that without folders:
                full name and participant number ("Participant" where marking is anonymous)
    Gradescope  assignment_1_export/submission_4567/01_lsa.ipynb, with submission_metadata.yml
    nbgrader    submitted/ada/01_lsa/01_lsa.ipynb
    otherwise   ada/anything.ipynb or ada.ipynb: the first part of the path in which files differ

What a student named or packed never says whose it is: see firth.grading.inbox.layout. Nothing is
written to disk: what is found is listed first, and `data()` reads one file at a time. A file that
could lead elsewhere (a link, a pipe, a path with `..`) becomes a submission that says why it was
refused.
"""

import os
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from firth.grading.inbox.layout import Layout, NothingFound, is_wanted, layouts
from firth.grading.inbox.packed import SIZE, Unreadable, opened, unpacked
from firth.grading.inbox.places import ARCHIVE, EMPTY, Found, irregular, printable, steps_of
from firth.grading.inbox.students import Owner, people, stem

SEVERAL = 20  # notebooks that one student may hand in beside each other
METADATA = "submission_metadata.yml"  # of Gradescope
TWINS = (
    "Its name looks like one of Canvas', with a number that another student's has as well: say with"
    " --student where in a name the student stands."
)


class Refused(Unreadable):
    """A submission that was found, but whose bytes cannot be had."""


@dataclass(frozen=True)
class Submission:
    """One file handed in by one student; `name` is its own in the class."""

    student: str
    name: str
    path: Path
    member: str | None  # its path inside the archive at `path`
    refused: str = ""
    ids: dict = field(default_factory=dict)  # what the system it comes from calls it
    note: str = ""  # for the instructor
    route: tuple[int, ...] = ()  # its place in the archive, and in the archive there
    given: str = ""  # the folder or archive that the command was given; "" for a single file

    def data(self) -> bytes:
        """The bytes, checked; raises Refused with a sentence."""
        if self.refused:
            raise Refused(self.refused)
        if not self.route:
            return file_bytes(self.path)
        try:
            status = os.stat(self.path)
            archive = kept_open(self.path, status.st_mtime_ns, status.st_size, os.getpid())
            entry = archive.infolist()[self.route[0]]
            for place in self.route[1:]:
                archive = opened(unpacked(archive, entry))
                entry = archive.infolist()[place]
            if not (self.member or "").endswith("/".join(steps_of(entry))):
                raise IndexError
            return unpacked(archive, entry)
        except Unreadable as error:
            raise Refused(str(error)) from None
        except (OSError, IndexError, zipfile.BadZipFile, ValueError, NotImplementedError):
            raise Refused("The archive changed or went away: run the command again.") from None


@lru_cache(maxsize=2)
def kept_open(path: Path, changed: int, size: int, process: int) -> zipfile.ZipFile:
    """An export between two of its submissions: to list a thousand entries takes a while."""
    return zipfile.ZipFile(path)


def file_bytes(path: Path) -> bytes:
    """The bytes of an ordinary file, not of a link, and without waiting at a pipe."""
    try:
        handle = os.open(
            path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        )
        with open(handle, "rb") as file:
            if trouble := irregular(os.fstat(handle)):
                raise Refused(trouble)
            data = file.read(SIZE + 1)
    except OSError as error:
        raise Refused(f"The file cannot be read ({error.strerror}).") from None
    if len(data) > SIZE:
        raise Refused(f"The file is larger than {SIZE >> 20} MB: ask for it without outputs.")
    return data


def metadata(layout: Layout) -> dict:
    """Gradescope's metadata, which lie beside the folders of students; {} if there are none."""
    for each in layout.found:
        if each.parts[layout.start :] == (METADATA,):
            here = Submission("", "", each.path, each.member, each.refused, route=each.route)
            try:
                return people(here.data().decode("utf-8", "replace"))
            except Unreadable:
                continue
    return {}


def submissions(
    paths: list[Path], rule: str | None = None, exercise: str | None = None
) -> list[Submission]:
    """The submissions of a class in the order of their students.

    `rule` is a regular expression with a group `student`, searched in the path below what was
    given. Of several notebooks of one student those named after the exercise count.
    """
    pattern = checked(rule)
    laid = layouts(paths)
    theirs: dict[tuple[str, str], list[tuple[Owner, Found]]] = {}
    pairs = [(layout, each) for layout in laid for each in layout.handed_in]
    # Where the rule finds nobody in the names that students bear, it looks into their folders.
    deep = not any(pattern and pattern.search("/".join(at.told(each))) for at, each in pairs)
    for layout in laid:
        known = metadata(layout)
        owned = [(layout.owner(each, known, exercise), each) for each in layout.handed_in]
        twins = not_of_canvas({each.parts[layout.start]: owner for owner, each in owned})
        for owner, each in owned:
            if owner.ids.get("canvas") in twins:
                owner = Owner(stem(each.parts[layout.start]))
                each = each if pattern else replace(each, refused=TWINS)
            searched = "/".join(layout.told(each, deep))
            if pattern and (match := pattern.search(searched)) and match["student"]:
                owner = replace(owner, student=match["student"])
            elif pattern:
                owner = replace(owner, note="The rule finds no student in the name of this file.")
            owner = replace(owner, student=printable(owner.student)[:100] or "unnamed")
            theirs.setdefault(owner.key, []).append((owner, each))
    counted = [one for files in theirs.values() for one in chosen(files, exercise)]
    if not counted:
        looked = ", ".join(printable(str(path)) for path in paths) or "no path"
        raise NothingFound(
            f"No notebook was found in {looked}: give .ipynb files, a folder or a zip."
        )
    roots = [Path(path) for path in paths if is_collection(Path(path))]
    return sorted(
        (replace(each, given=given_in(each.path, roots)) for each in distinct(counted)),
        key=lambda s: (s.student.casefold(), s.student, s.name),
    )


def is_collection(path: Path) -> bool:
    """Whether a path is that of a folder or an archive, which may hold many hand-ins."""
    return path.is_dir() or ARCHIVE.fullmatch(path.name) is not None


def given_in(path: Path, roots: list[Path]) -> str:
    """The folder or archive, of those that were given, in which a file was found, or nothing."""
    whole = Path(os.path.abspath(path))  # as it was found: a link of a student's is not followed
    inside = (root for root in roots if whole.is_relative_to(os.path.abspath(root)))
    return next(map(os.path.realpath, inside), "")


def not_of_canvas(owners: dict[str, Owner]) -> set[str]:
    """The numbers that only look like Canvas' own, as the year does in `ada_2024_11_01_lsa.ipynb`.

    Two names have the same one, or it is the only one and two files differ in nothing else.
    """
    files: dict[str, list[tuple]] = {}
    for owner in owners.values():
        if number := owner.ids.get("canvas"):
            files.setdefault(number, []).append((owner.student, owner.base, owner.order[1]))
    alone = len(files) == 1
    return {
        number
        for number, told in files.items()
        if len({student for student, _, _ in told}) > 1 or (alone and len({*told}) < len(told))
    }


def checked(rule: str | None) -> re.Pattern | None:
    try:
        pattern = re.compile(rule) if rule is not None else None
    except re.error as error:
        raise ValueError(f"The rule {rule!r} is no regular expression: {error}.") from None
    if pattern and "student" not in pattern.groupindex:
        raise ValueError(
            f"The rule {rule!r} has no group (?P<student>…): put one where the name is."
        )
    return pattern


def chosen(files: list[tuple[Owner, Found]], exercise: str | None) -> list[Submission]:
    """What counts of the files of one student."""
    kept = [(owner, found) for owner, found in files if is_wanted(found)]
    if not kept:
        others = ", ".join(sorted(f.parts[-1] for _, f in files if f.refused != EMPTY)[:3])
        refused = f"No notebook was handed in, only {others}: ask for the .ipynb file."
        refused = refused if others else EMPTY
        return [made(files[0][0], replace(files[0][1], refused=refused))]
    if len(kept) > 1 and exercise:
        fold = exercise.casefold()
        kept = [(o, f) for o, f in kept if fold in "/".join(f.parts).casefold()] or kept
    latest: dict = {}
    for owner, _ in kept:
        latest[owner.base] = max(latest.get(owner.base, ()), owner.order)
    kept = [(owner, found) for owner, found in kept if owner.order == latest[owner.base]]
    if len(kept) > SEVERAL:
        refused = f"There are {len(kept)} notebooks of this student: ask for one."
        if len({found.path for _, found in kept}) == 1:
            refused += " If the archive is that of a whole class, give it to the command alone."
        return [made(kept[0][0], replace(kept[0][1], refused=refused))]
    note = f"{len(kept)} files of {kept[0][0].student} count, for nothing says which is the latest."
    return [made(owner, found, note if len(kept) > 1 else "") for owner, found in kept]


def made(owner: Owner, found: Found, note: str = "") -> Submission:
    return Submission(
        owner.student,
        "/".join(found.parts),
        found.path,
        found.member,
        found.refused,
        owner.ids,
        " ".join(filter(None, (owner.note, note))),
        found.route,
    )


def distinct(counted: list[Submission]) -> Iterator[Submission]:
    """The same with a name for each file that no other has, and a label for each known student."""
    keys: dict[str, set] = {}
    for each in counted:
        keys.setdefault(each.student, set()).add(Owner(each.student, each.ids).key)
    taken: set[str] = set()
    for each in sorted(counted, key=lambda s: (s.name, str(s.path), s.route)):
        kind, number = Owner(each.student, each.ids).key
        name, count = each.name, 1
        while name in taken:
            count += 1
            name = f"{each.name} ({count})"
        taken.add(name)
        shared = len(keys[each.student]) > 1 and kind
        yield replace(
            each, name=name, student=f"{each.student} ({number})" if shared else each.student
        )
