"""What a class did not understand: for each check how many passed, and how the others failed.

    records  →  a Check for each claim: who passed, and the outcomes of the others with their counts

One hand-in counts for each student, as in grades.csv. No student is named.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from firth.checks.claims import WAITS
from firth.grading.results.cells import sheet
from firth.grading.results.record import Grades, place
from firth.grading.results.standing import GRADED, best

COLUMNS = ["check", "claim", "result", "mistake", "question", "students", "of"]
QUOTED = " — in your line"  # what follows is a line of one student's
NOT_WRITTEN = ("blank", "missing")


@dataclass(frozen=True)
class Outcome:
    """One way in which a claim came out: its status, and the mistake and the question if known."""

    result: str  # passed, follows, waits, or the status of the claim
    mistake: str = ""
    question: str = ""


@dataclass(frozen=True)
class Check:
    """One claim about one function, and how many students had which outcome, most first."""

    name: str  # as in --explain: cosine.2
    claim: str  # of a question with forms, in the words of the most frequent one
    outcomes: dict[Outcome, int]

    @property
    def students(self) -> int:
        return sum(self.outcomes.values())

    @property
    def passed(self) -> int:
        return self.outcomes.get(Outcome("passed"), 0)

    @property
    def not_written(self) -> int:
        return sum(n for each, n in self.outcomes.items() if each.result in NOT_WRITTEN)


def outcome_of(claim: dict) -> Outcome:
    """How a claim of a record came out, without anything that only one student has written."""
    if claim["holds"]:
        return Outcome("passed")
    if claim.get("follows"):
        return Outcome("follows", "", claim["message"])
    if claim["message"] == WAITS:
        return Outcome("waits", "", WAITS)
    if claim["status"] != "fails":
        return Outcome(claim["status"], "", claim["message"].partition(QUOTED)[0])
    return Outcome("fails", claim.get("mistake", ""), claim["message"])


def class_table(records: Iterable[dict]) -> list[Check]:
    """The checks of a class in the order of the exercise, over the hand-ins that count."""
    graded = [record for record in records if record["status"] in GRADED]
    claims: dict[str, Counter[str]] = {}  # of a question with forms, each has its own words
    outcomes: dict[str, Counter[Outcome]] = {}
    for record, *_ in best(graded, {}, lambda record: record["student"]).values():
        for answer in record["answers"]:
            for n, claim in enumerate(answer["claims"], start=1):
                name = f"{answer['name']}.{n}"
                claims.setdefault(name, Counter())[claim["claim"]] += 1
                outcomes.setdefault(name, Counter())[outcome_of(claim)] += 1
    return [
        Check(name, claims[name].most_common(1)[0][0], dict(counts.most_common()))
        for name, counts in outcomes.items()
    ]


def rows(checks: Iterable[Check]) -> list[list]:
    """checks.csv: a row for each outcome of each check; those who passed first."""
    found = [COLUMNS]
    for check in checks:
        passed = {Outcome("passed"): check.passed}
        others = {each: n for each, n in check.outcomes.items() if each.result != "passed"}
        for each, n in (passed | others).items():
            asked = [each.result, each.mistake, each.question]
            found.append([check.name, check.claim, *asked, n, check.students])
    return found


def write(grades: Grades, checks: Iterable[Check]) -> None:
    place(grades.folder / "checks.csv", sheet(rows(checks), excel=True))
