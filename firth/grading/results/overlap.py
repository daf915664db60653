"""The overlap report of a class: what was handed in, compared, and written beside the grades."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from firth.grading.inbox.notebook import Unreadable, notebook
from firth.grading.results.compared import NoTool, Overlaps, definitions, overlap
from firth.grading.results.overlap_page import write
from firth.grading.results.record import Grades

__all__ = ["NoTool", "report"]

COURSE = Path(__file__).resolve().parents[3]
GUESSED = (
    "exercises/{}.ipynb was not found, so what more than half of the class have, word for word,"
    " was taken for what was released."
)


def released(exercise: str, notebooks: dict[str, list[str]]) -> tuple[list[str], list[str]]:
    """The code cells that the students were given, and a sentence if they had to be guessed."""
    path = COURSE / "exercises" / f"{exercise}.ipynb"
    if path.is_file():
        return notebook(path.read_bytes()).code, []
    owners = Counter(
        text for cells in notebooks.values() for text in {text for _, text, _ in definitions(cells)}
    )
    common = [text for text, count in owners.items() if count > max(2, len(notebooks) / 2)]
    return common, [GUESSED.format(exercise)]


def report(grades: Grades, submissions: Iterable, exercise: str, quiet: bool = False) -> list[str]:
    """Writes overlap.csv and overlap.html, and says in a sentence what they hold.

    A student's notebooks count as one; what cannot be read has its record, and nothing to compare.
    """
    notebooks: dict[str, list[str]] = {}
    for submission in submissions:
        try:
            cells = notebook(submission.data()).code
        except Unreadable:
            continue
        notebooks.setdefault(submission.student, []).extend(cells)
    blank, said = released(exercise, notebooks)
    found: Overlaps = overlap(notebooks, blank, quiet=quiet)
    _, page = write(grades, found, exercise)
    n = len(found.pairs)
    pairs = f"{n or 'no'} pair{'s' * (n != 1)} of {found.compared} worth a look"
    return [*said, f"Overlap: {pairs}; {page} says what that means."]
