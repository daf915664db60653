"""What a chapter asks, as a grader sees it: the course's claims, and an instructor's own.

    asked = course(exercise) + private files

A private file is Python like those of firth/checks. It may define questions of its own for the
chapter, and it may add claims to those of the course:

    from firth.checks.lsa_cosine import cosine
    cosine.agrees("holds in a thousand dimensions", "Does a loop stop too soon?", long_arrows)

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
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        raise NoQuestions(f"The private checks in {name} do not run ({what}).") from error
    return module


def asked(exercise: str, checks: Mapping[str, str] | None = None) -> Asked:
    """The questions of an exercise, with those of the private files, name → source."""
    return kept(exercise, tuple(sorted((checks or {}).items())))


@cache
def kept(exercise: str, checks: tuple[tuple[str, str], ...]) -> Asked:
    course = dict(questions())
    exercises_ = [q for q in course.values() if isinstance(q, Exercise)]
    before = {id(q): list(q.claims) for q in exercises_}
    try:
        modules = [private(name, source) for name, source in checks]
        found = course | {
            item.name: item
            for module in modules
            for item in vars(module).values()
            if isinstance(item, Exercise | Written)
        }
        chosen = [
            replace(item, claims=list(item.claims)) if isinstance(item, Exercise) else item
            for item in sorted(found.values(), key=place)
            if item.chapter == exercise
        ]
        public = {q.name: len(before[id(q)]) for q in exercises_ if found[q.name] is q}
    finally:
        for question in exercises_:
            question.claims[:] = before[id(question)]
    if not chosen:
        there = ", ".join(exercises())
        raise NoQuestions(f"Nothing is asked in {exercise!r}: the exercises are {there}.")
    answers = tuple(item for item in chosen if isinstance(item, Exercise))
    own = tuple(
        (form, index)
        for item in answers
        for form in (item, *(() if item.name in public else item.forms))
        for index in range(public.get(item.name, 0), len(form.claims))
    )
    return Asked(answers, tuple(item for item in chosen if isinstance(item, Written)), own)


def tried(questions: Asked) -> None:
    """Makes sure that each private claim holds for the right answer that it is compared with."""
    for question, index in questions.own:
        claim = f"{question.name}.{index + 1}, “{question.claims[index].sentence}”"
        for seed in range(TRIALS):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    verdict = question.verdict(index, question.right, seed)
            except Exception as error:
                said = f"{type(error).__name__}: {error}"
                raise NoQuestions(f"The private claim {claim}, fails ({said}): mend it.") from error
            if not verdict.holds:
                raise NoQuestions(
                    f"The private claim {claim}, does not hold for its own right answer"
                    f" ({verdict.message}): mend the one or the other."
                )
