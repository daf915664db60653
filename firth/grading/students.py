"""Whose a file is, by the names that Canvas, Moodle and Gradescope give, or by its path."""

import json
import re
from collections import Counter
from dataclasses import dataclass, field

from firth.grading.places import printable

EXPORT = re.compile(r".*submissions\W*(?:\d+\W*)?\.zip", re.IGNORECASE)  # of Canvas: nobody's own


CANVAS = re.compile(
    r"(?P<student>(?!anon_|LATE_)\w+?)(_LATE)?_(?P<canvas>\d+)_(?P<file>\d+)_(?P<rest>.+)"
    r"|(LATE_)?anon_(?P<anonymous>[^\W_]+)_(?P<number>\d+)_(?P<last>.+)",
    re.DOTALL,
)


MOODLE = re.compile(r"(?P<student>.+)_(?P<moodle>\d+)_assignsubmission_file(_(?P<rest>.*))?")


GRADESCOPE = re.compile(r"submission_(?P<gradescope>\d+)(\.ipynb)?")


FIELD = re.compile(r"\s*(?:-\s+)?:(name|sid|email):(.*)")


def people(text: str) -> dict[str, list[dict[str, str]]]:
    """Who handed in what, from Gradescope's metadata: the few lines of it that are of use.

    >>> people("submission_4:\\n  :submitters:\\n  - :name: Ada\\n    :sid: '7'\\n  :score: 1.0")
    {'submission_4': [{'name': 'Ada', 'sid': '7'}]}
    """
    found: dict[str, list[dict[str, str]]] = {}
    key, inside = "", False
    for line in text.splitlines():
        if top := re.match(r"""["']?([^\s"':][^"':]*)["']?:\s*$""", line):
            key, inside = top[1], False
        elif re.match(r"  \S", line) and not line.startswith("  -"):
            inside = line.startswith("  :submitters:")
        elif inside and key and (entry := FIELD.fullmatch(line)):
            listed = found.setdefault(key, [])
            if line.lstrip().startswith("-") or not listed:
                listed.append({})
            listed[-1][entry[1]] = printable(scalar(entry[2].strip()))
    return found


def scalar(text: str) -> str:
    """A YAML scalar: plain, in single quotes, or in double ones with escapes."""
    if len(text) > 1 and text[0] == text[-1] == "'":
        return text[1:-1].replace("''", "'")
    if len(text) > 1 and text[0] == text[-1] == '"':
        try:
            return str(json.loads(re.sub(r"\\x([0-9A-Fa-f]{2})", r"\\u00\1", text)))
        except ValueError:
            return text[1:-1]
    return "" if text in ("~", "null") else text


@dataclass(frozen=True)
class Owner:
    """Whose a file is, how its system calls them, and what tells their later files from earlier."""

    student: str
    ids: dict = field(default_factory=dict)
    order: tuple[int, ...] = ()
    base: str = ""  # files of one base are attempts at the same thing
    note: str = ""

    @property
    def key(self) -> tuple[str, str]:
        kinds = ("canvas", "anonymous", "moodle", "sid", "email", "gradescope")
        return next(((k, self.ids[k]) for k in kinds if self.ids.get(k)), ("", self.student))


def system_owner(parts: tuple[str, ...], known: dict) -> Owner | None:
    """The owner of a file by the way in which Canvas, Moodle and Gradescope name things."""
    if "submitted" in parts[:-2]:  # nbgrader's, which names no more than the student
        return None
    for depth, part in enumerate(parts):  # the outermost decides: what is inside a student named
        if EXPORT.fullmatch(part):
            continue
        outermost = all(step.lower().endswith(".zip") for step in parts[1:depth])
        if match := MOODLE.fullmatch(part):
            name, number = match["student"], match["moodle"]
            blind = f" {number}" if name == "Participant" else ""
            return Owner(name + blind, {"moodle": number, "name": name})
        if outermost and "." in part and (match := CANVAS.fullmatch(part)):
            rest, number = match["rest"] or match["last"], match["file"] or match["number"]
            base, attempt = re.fullmatch(r"(.*?)(?:-(\d+))?", without_endings(rest)).groups()
            kind = "canvas" if match["canvas"] else "anonymous"
            order = (int(number), int(attempt or 0))
            return Owner(match["student"] or match[kind], {kind: match[kind]}, order, base)
        if match := GRADESCOPE.fullmatch(part):
            number, submitters = match["gradescope"], known.get(part, [])
            first = submitters[0] if submitters else {}
            ids = {"gradescope": number} | first
            if len(submitters) > 1:
                ids["submitters"] = submitters
            label = " & ".join(filter(None, (s.get("name") or s.get("sid") for s in submitters)))
            return Owner(label or part, ids, (int(number),))
    return None


def without_endings(name: str) -> str:
    """A file's name without all that looks like an ending.

    >>> without_endings("01_lsa-2.ipynb.txt"), without_endings("v1.2 (final).ipynb")
    ('01_lsa-2', 'v1.2 (final)')
    """
    parts = name.split(".")
    while len(parts) > 1 and re.fullmatch(r"\w+", parts[-1]):
        parts.pop()
    return ".".join(parts)


def stem(step: str) -> str:
    return re.sub(r"(\.ipynb(\.txt|\.json)?|\.zip)$", "", step, flags=re.IGNORECASE)


@dataclass(frozen=True)
class Paths:
    """The paths of a class: how deep they are all the same, and how often each ends the same."""

    depth: int
    ends: Counter[str]


def paths_of(everybody: list[tuple[str, ...]]) -> Paths:
    """What the paths of a class have in common, looked at once for all of them.

    >>> paths_of([("x", "ada", "a.ipynb"), ("x", "bob", "a.ipynb")])
    Paths(depth=1, ends=Counter({'a.ipynb': 2}))
    """
    depth, shortest = 0, min(map(len, everybody), default=1)
    while depth + 1 < shortest and len({other[depth] for other in everybody}) == 1:
        depth += 1
    return Paths(depth, Counter(other[-1] for other in everybody))


def plain_owner(parts, paths: Paths, root: str, exercise: str | None) -> Owner:
    """The owner by the first part of the path in which files differ and that names no exercise."""

    def named(step: str) -> str:
        text = stem(step)
        if exercise is None:
            return "" if paths.ends[step] > 1 else text
        # A run of blanks is tried from its first one only, or a long run would take its square.
        blanks = r"(?:(?<![-_ ])[-_ ]+)?"
        short = re.sub(
            rf"{blanks}{re.escape(exercise)}[-_ ]*", " ", text, flags=re.IGNORECASE
        ).strip()
        words = re.sub(r"\W+", " ", short).strip()
        copy = re.fullmatch(r"(copy( of)?)? ?\d{0,2}", words, re.IGNORECASE)
        return "" if short != text and copy else short

    if "submitted" in parts[:-2]:  # nbgrader
        return Owner(parts[parts.index("submitted") + 1])
    steps = [*parts[paths.depth :], *reversed(parts[: paths.depth]), root]
    return Owner(next(filter(None, map(named, steps)), "") or stem(parts[-1]) or "unnamed")
