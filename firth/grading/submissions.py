"""Files, folders and export archives → the submissions of a class, each with its student.

    Canvas      lovelaceada_12345_67890_01_lsa.ipynb, lovelaceada_LATE_12345_67890_01_lsa-1.ipynb,
                anon_x7Kq2_67890_01_lsa.ipynb: user or anonymous id, file id (it grows), file name
    Moodle      Ada Lovelace_12345_assignsubmission_file_/01_lsa.ipynb, and that without folders:
                full name and participant number ("Participant" where marking is anonymous)
    Gradescope  assignment_1_export/submission_4567/01_lsa.ipynb, with submission_metadata.yml
    nbgrader    submitted/ada/01_lsa/01_lsa.ipynb
    otherwise   ada/anything.ipynb or ada.ipynb: the first part of the path in which files differ

An archive counts as a folder, also inside a folder or an export. Nothing is written to disk: what
is found is listed first, and `data()` reads one file at a time. A file that could lead elsewhere (a
link, a pipe, a path with `..`) becomes a submission that says why it was refused.
"""

import os
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from firth.grading.packed import SIZE, Unreadable, is_notebook, opened, unpacked
from firth.grading.places import ARCHIVE, Found, file, files, irregular, printable, steps_of
from firth.grading.students import Owner, paths_of, people, plain_owner, system_owner

SEVERAL = 20  # notebooks that one student may hand in beside each other


METADATA = "submission_metadata.yml"


class NothingFound(Exception):
    """There is no notebook in what was given; the sentence says where was looked."""


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


def given(paths: list[Path]) -> list[tuple[str, list[Found]]]:
    """What is found at each path; files given one by one are as if in the folder above them all."""
    roots, singles = [], []
    for path in map(Path, paths):
        if path.is_dir():
            roots.append((printable(path.resolve().name), list(files(path, ()))))
        elif not os.path.lexists(path):
            raise NothingFound(
                f"There is no file or folder {printable(str(path))}: check its name."
            )
        elif ARCHIVE.fullmatch(path.name) and not path.is_symlink():
            found = list(file(path, ()))
            here = (printable(path.name),)
            roots.append((here[0], [f if f.parts else replace(f, parts=here) for f in found]))
        else:
            singles.append(Path(os.path.abspath(path)))
    if singles:
        above = Path(os.path.commonpath([path.parent for path in singles]))
        each = ((path, tuple(map(printable, path.relative_to(above).parts))) for path in singles)
        roots.append(
            (printable(above.name), [f for path, parts in each for f in file(path, parts)])
        )
    return roots


def metadata(found: list[Found]) -> dict:
    """Gradescope's metadata, wherever they are among the files; as if absent if unreadable."""
    known: dict = {}
    for each in found:
        if each.parts[-1] == METADATA:
            here = Submission("", "", each.path, each.member, each.refused, route=each.route)
            try:
                known |= people(here.data().decode("utf-8", "replace"))
            except Unreadable:
                continue
    return known


def submissions(
    paths: list[Path], rule: str | None = None, exercise: str | None = None
) -> list[Submission]:
    """The submissions of a class in the order of their students.

    `rule` is a regular expression with a group `student`, searched in the path below what was
    given. Of several notebooks of one student those named after the exercise count.
    """
    pattern = checked(rule)
    theirs: dict[tuple[str, str], list[tuple[Owner, Found]]] = {}
    for root, found in given(paths):
        known = metadata(found)
        wanted = [f for f in found if is_wanted(f)]
        system = {f: system_owner((root, *f.parts), known) for f in found}
        alike = paths_of([f.parts for f in wanted if system[f] is None])
        for each in wanted + [f for f in found if system[f] and not is_wanted(f)]:
            owner = system[each] or plain_owner(each.parts, alike, root, exercise)
            if pattern and (match := pattern.search("/".join(each.parts))) and match["student"]:
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
    return sorted(distinct(counted), key=lambda s: (s.student.casefold(), s.student, s.name))


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


def is_wanted(found: Found) -> bool:
    """Whether a file is a notebook, or an archive or folder that could not be looked into."""
    last = found.parts[-1]
    shut = found.refused and (ARCHIVE.fullmatch(last) or "." not in last)
    return bool(shut) or is_notebook(last)


def chosen(files: list[tuple[Owner, Found]], exercise: str | None) -> list[Submission]:
    """What counts of the files of one student."""
    kept = [(owner, found) for owner, found in files if is_wanted(found)]
    if not kept:
        others = ", ".join(sorted(found.parts[-1] for _, found in files)[:3])
        refused = f"No notebook was handed in, only {others}: ask for the .ipynb file."
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
