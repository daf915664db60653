"""Whose each file of a class is, by how the class as a whole lies in its folder or archive.

    what was given, or an export in it     submissions.zip, assignment_1_export/
      └ a folder that is the class's       submitted/, 01_lsa/, in class.zip also class/
          └ what bears the owner's name    ada/, mallory.zip, turingalan_1006_9006_01_lsa.ipynb
              └ what the student put there, which never says whose it is

Students decide what is inside their own submissions and nothing beside them. So the outermost step
that can be a student's decides. The names that platforms give count at the top of an export alone,
and an archive that a student packed is never searched for a name. What may be a whole class and not
one student's is refused aloud.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from firth.grading.inbox.packed import is_notebook
from firth.grading.inbox.places import ARCHIVE, EMPTY, Found, file, files, printable
from firth.grading.inbox.students import CANVAS, MOODLE, Owner, plain_owner, stem, system_owner

CLASS = "It looks like the export of a whole class: give it to the command by itself."
ALONE = "It is the only folder here, and holds several: if it is the class, give it by itself."
FRAME = re.compile(r"submitted|\d\d_\w+")  # folders of nbgrader and of an exercise: nobody's
EXPORT = re.compile(r"(?P<of>.*)(submissions|export)\W*(?:\d+\W*)?(\.zip)?", re.IGNORECASE)


class NothingFound(Exception):
    """There is no notebook in what was given; the sentence says where was looked."""


def is_export(name: str) -> bool:
    """Whether this is the name of a platform's export and cannot be that of a student's file.

    >>> is_export("cs_submissions (1).zip"), is_export("malloryeve_55_66_submissions.zip")
    (True, False)
    """
    return bool(EXPORT.fullmatch(name)) and not (MOODLE.fullmatch(name) or CANVAS.fullmatch(name))


def is_bare(name: str) -> bool:
    """Whether an export's name holds nobody's name, so that several may lie beside each other."""
    found = EXPORT.fullmatch(name)
    return found is not None and re.fullmatch(r"|assignment_\d+_", found["of"]) is not None


def is_wanted(found: Found) -> bool:
    """Whether a file is a notebook, or an archive or folder that could not be looked into."""
    last = found.parts[-1]
    shut = found.refused and found.refused != EMPTY and (ARCHIVE.fullmatch(last) or "." not in last)
    return bool(shut) or is_notebook(last)


@dataclass(frozen=True)
class Layout:
    """The files of a class in one place, and how many steps of their paths lead to that place."""

    root: str
    found: tuple[Found, ...]
    start: int = 0

    def tops(self, depth: int) -> dict[str, list[Found]]:
        """What stands at one depth, by name, but for loose files that nobody hands in."""
        groups: dict[str, list[Found]] = {}
        for each in self.found:
            inside = len(each.parts) > depth + 1
            if inside or (len(each.parts) == depth + 1 and self.is_handed_in(each)):
                groups.setdefault(each.parts[depth], []).append(each)
        return groups

    def is_handed_in(self, loose: Found) -> bool:
        named = len(loose.parts) == self.start + 1 and system_owner(loose.parts[-1], {})
        return bool(named) or is_wanted(loose) or loose.refused == EMPTY

    def exports(self) -> Iterator["Layout"]:
        """The exports that this place consists of; the place itself if there is anything else."""
        tops = self.tops(self.start)
        if tops and all(self.opens(name, tops[name], len(tops) == 1) for name in tops):
            for name, found in tops.items():
                yield from Layout(name, tuple(found), self.start + 1).exports()
        else:
            yield self

    def opens(self, name: str, found: list[Found], alone: bool) -> bool:
        """Whether this is an export: by its name, and it lies where no student can put a file."""
        if not EXPORT.fullmatch(name) or MOODLE.fullmatch(name) or not (alone or is_bare(name)):
            return False
        if CANVAS.fullmatch(name):  # a student's file of that name
            return False
        below = [("/".join(each.parts[self.start + 1 :]), each.member) for each in found]
        if ARCHIVE.fullmatch(name):  # on the disk itself
            return all(path and path == member for path, member in below)
        return all(path for path, _ in below)

    @cached_property
    def depth(self) -> int:
        """How many steps lead to what bears the owners' names."""
        depth, tops = self.start, self.tops(self.start)
        if any(system_owner(name, {}) for name in tops):
            return depth
        while len(tops) == 1:
            ((name, found),) = tops.items()
            loose = any(len(each.parts) == depth + 1 for each in found)
            if ARCHIVE.fullmatch(name) or loose or not self.is_frame(name):
                break
            depth += 1
            tops = self.tops(depth)
        return depth

    def is_frame(self, name: str) -> bool:
        """Whether a folder that is alone in its place is that of a class, and not of a student."""
        return bool(FRAME.fullmatch(name) or is_export(name)) or name == stem(self.root)

    @cached_property
    def handed_in(self) -> list[Found]:
        """All files that are somebody's."""
        found, tops = [], self.tops(self.depth)
        for name, group in tops.items():
            if refused := self.doubt(name, group, len(tops) == 1):
                top = group[0].parts[: self.depth + 1]
                group = [replace(group[0], parts=top, refused=refused)]
            found += group
        return found

    def doubt(self, name: str, group: list[Found], alone: bool) -> str:
        """Why what stands here may be a whole class instead of one student's, or nothing."""
        export = EXPORT.fullmatch(name) is not None
        if alone and export and CANVAS.fullmatch(name) and ARCHIVE.fullmatch(name):
            return CLASS  # or the first hand-in of a class, by a student who has called it so
        below = export and self.depth > self.start  # put there by its owner
        if system_owner(name, {}) or below:
            return ""
        within = {each.parts[self.depth + 1] for each in group if each.parts[self.depth + 1 :]}
        if len({owner.key for step in within if (owner := system_owner(step, {}))}) > 1:
            return CLASS
        deeper = [each for each in group if is_wanted(each) and len(each.parts) > self.depth + 2]
        several = len({each.parts[self.depth + 1] for each in deeper}) > 1
        return ALONE if alone and several and not ARCHIVE.fullmatch(name) else ""

    def told(self, found: Found, deep: bool = False) -> tuple[str, ...]:
        """The steps of a path that are not the student's; if `deep`, also folders below them."""
        steps = found.parts[: self.depth + 1]
        if deep:
            for step in found.parts[self.depth + 1 :]:
                if ARCHIVE.fullmatch(steps[-1]):
                    break
                steps += (step,)
        return steps

    def owner(self, found: Found, known: dict, exercise: str | None) -> Owner:
        """Whose a file is; `known` are the submitters that Gradescope lists."""
        opened = EXPORT.fullmatch(self.root) and not MOODLE.fullmatch(self.root)
        whole = None if opened else system_owner(self.root, known)
        if owner := whole or system_owner(found.parts[self.start], known):
            return owner
        own = self.told(found, deep=True)[self.depth :]
        above = found.parts[self.start : self.depth]
        return plain_owner([*own, *reversed(above), self.root], exercise)


def given(paths: list[Path]) -> list[tuple[str, list[Found]]]:
    """What is found at each path; what is given one by one is as if in the folder above them all.

    An archive is opened if it is all that was given, or if it is called as platforms call their
    exports and so is every file beside it: among others it is what one student has handed in.
    """
    roots, singles = [], []
    mixed = {
        path.parent for path in map(Path, paths) if not (path.is_dir() or is_export(path.name))
    }
    for path in map(Path, paths):
        if path.is_dir() and (len(paths) == 1 or is_export(path.resolve().name)):
            roots.append((printable(path.resolve().name), list(files(path, ()))))
        elif not os.path.lexists(path):
            raise NothingFound(
                f"There is no file or folder {printable(str(path))}: check its name."
            )
        elif (
            ARCHIVE.fullmatch(path.name)
            and not path.is_symlink()
            and (
                len(paths) == 1
                or (is_export(path.name) and Path(os.path.abspath(path)).parent not in mixed)
            )
        ):
            found = list(file(path, ()))
            here = (printable(path.name),)
            roots.append((here[0], [f if f.parts else replace(f, parts=here) for f in found]))
        else:
            singles.append(Path(os.path.abspath(path)))
    if singles:
        above = Path(os.path.commonpath([path.parent for path in singles]))
        each = ((path, tuple(map(printable, path.relative_to(above).parts))) for path in singles)
        listed = ((files if path.is_dir() else file)(path, parts) for path, parts in each)
        roots.append((printable(above.name), [found for some in listed for found in some]))
    return roots


def layouts(paths: list[Path]) -> list[Layout]:
    """All that was given, each export by itself."""
    return [one for root, found in given(paths) for one in Layout(root, tuple(found)).exports()]
