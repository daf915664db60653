"""What a chapter asks, as a grader sees it: the course's claims, and an instructor's own.

    asked = course(exercise) + private files

A private file is Python like those of firth/checks. It may define questions of its own for the
chapter, and it may add claims to those of the course:

    from firth.checks.lsa.cosine import cosine
    cosine.agrees("holds in a thousand dimensions", "Does a loop stop too soon?", long_arrows)

A question with forms takes the claim in each of them, or those who have another form would lose
its points:

    for form in (ppmi, *ppmi.forms):
        form.agrees("is never negative", "What is clipped at 0?", tables)

What it adds is asked in this run alone: the course's own questions stay as they are. Before
anybody is graded, each of its claims is tried on the right answer that it comes with.
"""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from types import ModuleType

from firth.checks import place, questions
from firth.checks.claims import Exercise, Written

UNEQUAL = (
    "{0} has forms: add the claim to each of them, for form in ({0}, *{0}.forms). Now they take"
    " different numbers of points."
)
TRIALS = 5  # inputs are drawn at random: a claim that fails once in three would pass one


class NoQuestions(LookupError):
    """Nothing is asked under this name, or a private file cannot be used; says what to do."""


@dataclass(frozen=True)
class Asked:
    """The questions of one exercise."""

    answers: tuple[Exercise, ...]
    written: tuple[Written, ...]
    own: tuple[tuple[Exercise, int], ...] = ()  # of private claims: the question, which claim of it

    @property
    def names(self) -> list[str]:
        return [answer.name for answer in self.answers]


def exercises() -> list[str]:
    """The exercises that there are, by the names of their notebooks."""
    return sorted({question.chapter for question in questions().values()})


def private(name: str, source: str) -> ModuleType:
    """A private file, run; an error in it is the instructor's to mend, so it is told whole."""
    module = ModuleType(f"private_checks.{name.removesuffix('.py')}")
    try:
        exec(compile(source, name, "exec"), vars(module))
    except (Exception, SystemExit) as error:
        what = f"{type(error).__name__}: {error}"
        raise NoQuestions(f"The private checks in {name} do not run ({what}).") from error
    return module


def asked(exercise: str, checks: Mapping[str, str] | None = None) -> Asked:
    """The questions of an exercise, with those of the private files, name → source."""
    return kept(exercise, tuple(sorted((checks or {}).items())))


@cache
def kept(exercise: str, checks: tuple[tuple[str, str], ...]) -> Asked:
    course = dict(questions())
    every = [form for q in course.values() if isinstance(q, Exercise) for form in (q, *q.forms)]
    before = {id(form): (list(form.claims), form.forms) for form in every}
    own: list[tuple[Exercise, int]] = []

    def copied(form: Exercise) -> Exercise:
        """This form with the claims that it has now; those of a private file are put down."""
        copy = replace(form, claims=list(form.claims))
        public = len(before[id(form)][0]) if id(form) in before else 0
        own.extend((copy, index) for index in range(public, len(copy.claims)))
        copy.forms = tuple(map(copied, form.forms))
        return copy

    try:
        modules = [private(name, source) for name, source in checks]
        items = [item for module in modules for item in vars(module).values()]
        exercises_ = [item for item in [*every, *items] if isinstance(item, Exercise)]
        # A loop over the forms of a question leaves the last of them under a name of its own.
        others = {id(form) for item in exercises_ for form in item.forms}
        found = course | {
            item.name: item
            for item in items
            if isinstance(item, Exercise | Written) and id(item) not in others
        }
        chosen = [
            copied(item) if isinstance(item, Exercise) else item
            for item in sorted(found.values(), key=place)
            if item.chapter == exercise
        ]
    finally:
        for form in every:
            form.claims[:], form.forms = before[id(form)]
    if not chosen:
        there = ", ".join(exercises())
        raise NoQuestions(f"Nothing is asked in {exercise!r}: the exercises are {there}.")
    answers = tuple(item for item in chosen if isinstance(item, Exercise))
    for answer in answers:
        if len({form.points for form in (answer, *answer.forms)}) > 1:
            raise NoQuestions(UNEQUAL.format(answer.name))
    written = tuple(item for item in chosen if isinstance(item, Written))
    return Asked(answers, written, tuple(own))


def tried(questions: Asked) -> None:
    """Makes sure that each private claim holds for the right answer that it is compared with."""
    for question, index in questions.own:
        claim = f"{question.name}.{index + 1}, “{question.claims[index].sentence}”"
        for seed in range(TRIALS):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    verdict = question.verdict(index, question.right, seed)
            except (Exception, SystemExit) as error:
                said = f"{type(error).__name__}: {error}"
                raise NoQuestions(f"The private claim {claim}, fails ({said}): mend it.") from error
            if not verdict.holds:
                raise NoQuestions(
                    f"The private claim {claim}, does not hold for its own right answer"
                    f" ({verdict.message}): mend the one or the other."
                )
