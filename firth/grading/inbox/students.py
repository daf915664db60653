"""Whose a file is, by one step of its path: as Canvas, Moodle and Gradescope name it, or plainly.

In each of these names the platform's own part comes first, and the first match counts: what follows
is the name that the student gave the file, and may imitate anything.
"""

import json
import re
from dataclasses import dataclass, field

from firth.grading.inbox.places import printable

CANVAS = re.compile(
    r"(?P<student>(?!anon_|LATE_)\w+?)(_LATE)?_(?P<canvas>[0-9]{1,20})_(?P<file>[0-9]{1,20})_"
    r"(?P<rest>.+)"
    r"|(LATE_)?anon_(?P<anonymous>[^\W_]+)_(?P<number>[0-9]{1,20})_(?P<last>.+)",
    re.DOTALL,
)


MOODLE = re.compile(  # which writes a space for each underscore of a name
    r"(?P<student>[^_]+)_(?P<moodle>[0-9]{1,20})_assignsubmission_[a-z]+(_.*)?"
)


GRADESCOPE = re.compile(r"submission_(?P<gradescope>[0-9]{1,20})(\.ipynb)?")


# As Gradescope indents them: a long name goes on in a line that is indented further, and may hold
# whatever its owner likes.
FIELD = re.compile(r"  (?:- |  ):(name|sid|email):(.*)")
CREATED = re.compile(r"  :created_at: (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)[.\d]* (Z|[+-]\d\d:\d\d)")


def people(text: str) -> dict[str, list[dict[str, str]]]:
    """Who handed in what, from Gradescope's metadata: the few lines of it that are of use.

    The first of those who handed something in together has its `time`, too.

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
            if (time := CREATED.fullmatch(line)) and found.get(key):
                found[key][0]["time"] = f"{time[1]}{time[2]}"
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


def system_owner(part: str, known: dict) -> Owner | None:
    """The owner of a file or folder by the way in which Canvas, Moodle and Gradescope name it."""
    if match := MOODLE.fullmatch(part):
        name, number = match["student"], match["moodle"]
        blind = f" {number}" if name == "Participant" else ""
        return Owner(name + blind, {"moodle": number, "name": name})
    if "." in part and (match := CANVAS.fullmatch(part)):
        rest, number = match["rest"] or match["last"], match["file"] or match["number"]
        base, attempt = re.fullmatch(r"(.*?)(?:-([0-9]{1,9}))?", without_endings(rest)).groups()
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


def plain_owner(steps: list[str], exercise: str | None) -> Owner:
    """The owner by the first of these steps that names more than the exercise.

    >>> plain_owner(["01_lsa (1).ipynb", "ada"], "01_lsa").student
    'ada'
    """

    def named(step: str) -> str:
        text = stem(step)
        if exercise is None:
            return text
        # A run of blanks is tried from its first one only, or a long run would take its square.
        blanks = r"(?:(?<![-_ ])[-_ ]+)?"
        short = re.sub(
            rf"{blanks}{re.escape(exercise)}[-_ ]*", " ", text, flags=re.IGNORECASE
        ).strip()
        words = re.sub(r"\W+", " ", short).strip()
        copy = re.fullmatch(r"(copy( of)?)? ?\d{0,2}", words, re.IGNORECASE)
        return "" if short != text and copy else short

    return Owner(next(filter(None, map(named, steps)), "") or stem(steps[0]) or "unnamed")
