"""What the first page says of the course: the sentence of README.md, and how long chapters take.

The hours are the minutes that chapters and exercises name themselves, added up.
"""

import json
import re
import tomllib
from pathlib import Path

import arc
import yaml

SPELLED = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3}
DURATION = re.compile(r"\b(\d+|an?|one|two|three)\s+(minutes?|hours?)\b")
TASK = re.compile(r"^\*Difficulty \d of 3 · (\d+) minutes", re.MULTILINE)


def repository(root: Path) -> str:
    """The one address of the course, as pyproject.toml states it."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project["urls"]["Repository"].rstrip("/")


def sentence(root: str | Path) -> str:
    """What the course is, in the words of the first paragraph of README.md."""
    blocks = Path(root, "README.md").read_text(encoding="utf-8").split("\n\n")
    return next(" ".join(block.split()) for block in blocks if not block.startswith("#"))


def subject(root: str | Path) -> str:
    """What the course is about: the first sentence of README.md from its colon to its full stop."""
    return re.search(r": (.*?)\.", sentence(root))[1]


def prose(notebook: Path) -> str:
    """The text cells of a notebook, one after the other."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return "\n\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")


def reading_minutes(text: str) -> int:
    """The minutes that a chapter takes: the first duration that its opening names.

    >>> reading_minutes("Reading takes about two hours.\\n## One\\nRunning takes a minute.")
    120
    """
    named = DURATION.search(text.split("\n## ")[0])
    if not named:
        raise ValueError("The opening of a chapter names no duration: say how long reading takes.")
    count, unit = named.groups()
    number = SPELLED.get(count) or int(count)
    return number * (60 if unit.startswith("hour") else 1)


def exercise_minutes(text: str) -> int:
    """The minutes that the tasks of an exercise name, added up.

    >>> exercise_minutes("*Difficulty 1 of 3 · 5 minutes*\\n*Difficulty 2 of 3 · 20 minutes*")
    25
    """
    return sum(map(int, TASK.findall(text)))


def said(minutes: int) -> str:
    """A duration in words: minutes below two hours, then hours to the half.

    >>> said(50), said(120), said(140)
    ('50 minutes', '2 hours', '2½ hours')
    """
    if minutes < 110:
        return f"{minutes} minutes"
    halves = round(minutes / 30)
    return f"{halves // 2}{'½' * (halves % 2)} hours"


def chapters(root: Path) -> list[str]:
    """The names of the chapters without their deeper pages, as the table of contents has them."""
    toc = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    files = [page["file"] for part in toc["parts"] for page in part["chapters"]]
    names = [file.removeprefix("chapters/") for file in files if file.startswith("chapters/")]
    return [name for name in names if name in arc.CARDS]


def minutes(root: Path) -> dict[str, tuple[int, int]]:
    """For each chapter the minutes of reading and of its exercise, 0 where there is none."""
    found = {}
    for name in chapters(root):
        exercise = root / "exercises" / f"{name}.ipynb"
        found[name] = (
            reading_minutes(prose(root / "chapters" / f"{name}.ipynb")),
            exercise_minutes(prose(exercise)) if exercise.exists() else 0,
        )
    return found


def hours(root: Path) -> tuple[int, int]:
    """The hours of reading and of exercises in the whole course, to the nearest hour."""
    return tuple(round(sum(column) / 60) for column in zip(*minutes(root).values(), strict=True))
