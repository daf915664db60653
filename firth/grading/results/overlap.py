"""The overlap report of a class: what was handed in, compared, and written beside the grades."""

from collections import Counter
from collections.abc import Iterable

from firth.grading.inbox.notebook import Unreadable, notebook
from firth.grading.inbox.released import cells_of
from firth.grading.results.cells import harmless
from firth.grading.results.compared import NoTool, Overlaps, definitions, overlap
from firth.grading.results.overlap_page import write
from firth.grading.results.record import Grades

__all__ = ["NoTool", "report"]

GUESSED = (
    "exercises/{}.ipynb was not found, so what more than half of the class have, word for word,"
    " was taken for what was released."
)


SOLUTION = "the published solution"
SILENT = (
    "{}: there are points and no functions that could be compared. Open the notebook: is the code"
    " in a text that is run, or somewhere else?"
)


def released(exercise: str, notebooks: dict[str, list[str]]) -> tuple[list[str], list[str]]:
    """The code cells that the students were given, and a sentence if they had to be guessed."""
    given = cells_of("exercises", exercise)
    if given is not None:
        return [*given], []
    owners = Counter(
        text for cells in notebooks.values() for text in {text for _, text, _ in definitions(cells)}
    )
    common = [text for text, count in owners.items() if count > max(2, len(notebooks) / 2)]
    return common, [GUESSED.format(exercise)]


def report(
    grades: Grades,
    submissions: Iterable,
    exercise: str,
    quiet: bool = False,
    records: Iterable[dict] = (),
) -> list[str]:
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
    solution = cells_of("solutions", exercise)
    others = {SOLUTION: solution} if solution else {}
    found: Overlaps = overlap(notebooks, blank, quiet=quiet, references=others)
    paid = {record["student"] for record in records if record["score"] > 0}
    silent = [harmless(who) for who, code in found.code.items() if not code and who in paid]
    said += [SILENT.format(who) for who in silent]
    _, page = write(grades, found, exercise, silent)
    n = len(found.pairs)
    pairs = f"{n or 'no'} pair{'s' * (n != 1)} of {found.compared} worth a look"
    return [*said, f"Overlap: {pairs}; {page} says what that means."]
