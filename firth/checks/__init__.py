"""Check an answer, ask for a hint: what an exercise notebook needs, and nothing heavy.

check(f)      which claims about f hold, and a question for each that does not
hint("f")     a nudge; asked again, the method; asked a third time, nearly the solution
try_it(f, x)  f(x), or one line that says what is still to be written
rubric("q")   what a reader will look for in a written answer
scores(f, g)  the points so far
whose("ada")  from here on, the questions in the forms that this student has
"""

import importlib
import pkgutil
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from html import escape
from typing import Any

from firth.checks.answers import NOT_WRITTEN, complaint, theirs
from firth.checks.claims import STAGES, WAITS, Exercise, Verdict, Written
from firth.checks.messages import said_once
from firth.checks.variants import forms_of, spelled, variant_of

__all__ = ["check", "hint", "rubric", "scores", "try_it", "whose"]

# Public and fixed, so that a notebook gives the same page twice; a grader brings its own, secret.
SEED = 1957
asked: Counter[str] = Counter()  # hints given so far
owner = {"student": ""}  # whose forms of the questions are asked; nobody's are the first ones
KINDS = {Exercise: "exercise", Written: "written question"}


@cache
def questions() -> dict[str, Exercise | Written]:
    """Every exercise and written question by name, from the modules of all chapters."""
    found: dict[str, Exercise | Written] = {}
    for module in pkgutil.walk_packages(__path__, f"{__name__}."):
        for item in vars(importlib.import_module(module.name)).values():
            if isinstance(item, Exercise | Written):
                if found.setdefault(item.name, item) is not item:
                    raise ValueError(f"two exercises are called {item.name!r}: rename one")
    return dict(sorted(found.items(), key=lambda pair: place(pair[1])))


def place(question: Exercise | Written) -> tuple[str, list[int]]:
    """Where a question stands in the course; one without a number comes before those that have."""
    return question.chapter, [int(part) for part in question.number.split(".") if part]


def named(name: str, kind: type) -> Exercise | Written:
    """The exercise or written question of this name, or an error that says which are meant."""
    known = {key: item for key, item in questions().items() if isinstance(item, kind)}
    if name not in known:
        near = get_close_matches(name, known, 1)
        meant = f"did you mean {near[0]!r}?" if near else f"there is {', '.join(known)}."
        raise LookupError(f"No {KINDS[kind]} is called {name!r}: {meant}")
    return known[name]


@dataclass(frozen=True)
class Note:
    """A few lines for the learner, in a box on the page and plain elsewhere."""

    text: str

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return (
            '<div class="firth-note" style="white-space: pre-wrap; border-left: 3px solid;'
            f' padding-left: 0.75em">{escape(self.text)}</div>'
        )


@dataclass(frozen=True)
class Report:
    """What holds of an answer and what does not yet; reads as a list to act on."""

    exercise: Exercise
    verdicts: list[Verdict]

    @property
    def points(self) -> int:
        return sum(verdict.points for verdict in self.verdicts)

    @property
    def written(self) -> bool:
        return any(verdict.message != NOT_WRITTEN for verdict in self.verdicts)

    @property
    def title(self) -> str:
        if not self.written:
            return f"{self.exercise.name}: {NOT_WRITTEN}. What will be asked of it:"
        return f"{self.exercise.name}: {self.points} of {self.exercise.points} points"

    @property
    def footer(self) -> str:
        name, done = self.exercise.name, self.points == self.exercise.points
        return "" if done else f'Stuck? hint("{name}") gives a nudge, and more if asked again.'

    def lines(self) -> list[tuple[str, str, str, str]]:
        """Sign, its name in words, the claim, and what to ask; the sign never stands alone.

        Claims in a row that fail for one reason have their question once, after the last of them.
        """
        if not self.written:
            return [("○", "asked", verdict.claim, "") for verdict in self.verdicts]
        rows = []
        messages = said_once([verdict.message for verdict in self.verdicts])
        for v, message in zip(self.verdicts, messages, strict=True):
            sign = ("✓", "holds") if v.holds else ("✗", "not yet")
            rows.append((*(("○", "waits") if v.message == WAITS else sign), v.claim, message))
        return rows

    def __repr__(self) -> str:
        text = [self.title]
        for sign, word, claim, message in self.lines():
            text.append(f"  {sign} {word + ':':<9}{claim}")
            text += [f"    → {message}"] if message else []
        return "\n".join([*text, self.footer] if self.footer else text)

    def _repr_html_(self) -> str:
        items = "".join(
            f'<li><span aria-hidden="true">{sign}</span> <b>{word}:</b> {escape(claim)}'
            + (f"<br>→ <em>{escape(message)}</em>" if message else "")
            + "</li>"
            for sign, word, claim, message in self.lines()
        )
        footer = f"<p>{escape(self.footer)}</p>" if self.footer else ""
        return (
            f'<div class="firth-report"><p><strong>{escape(self.title)}</strong></p>'
            f'<ul style="list-style: none; padding-left: 0.5em">{items}</ul>{footer}</div>'
        )


def check(answer: Any, *others: Any, seed: int = SEED) -> Report:
    """Tries the claims about the exercise that the function is named after.

    >>> def cosine(x, y):
    ...     return x @ y
    >>> check(cosine)
    cosine: 1 of 3 points
      ✗ not yet: is x · y divided by both lengths
      ✗ not yet: is 1 for the same direction, 0 for a right angle, −1 for the opposite direction
        → That is the dot product. By what must you divide it, so that the lengths do not matter?
      ✓ holds:   is 0 where a vector is all zeros
    Stuck? hint("cosine") gives a nudge, and more if asked again.
    """
    if others:
        raise TypeError("check takes one function at a time: check(f), then check(g)")
    name = getattr(answer, "__name__", None)
    if not callable(answer) or name is None:
        raise TypeError(
            "check wants the function itself, not its result: check(f), not check(f(x))"
        )
    exercise = variant_of(named(name, Exercise), owner["student"])
    return Report(exercise, exercise.judge(answer, seed))


def hint(exercise: str | Callable, stage: int | None = None) -> Note:
    """The next hint about an exercise, or the one asked for by number.

    >>> hint("cosine", 1)
    Hint 1 of 3 for cosine, a nudge:
    A longer vector has a larger dot product. How can you take the lengths out?
    """
    name = exercise if isinstance(exercise, str) else exercise.__name__
    if isinstance(questions().get(name), Written):
        raise LookupError(f'{name} has no hints: rubric("{name}") says what a reader looks for.')
    hints = variant_of(named(name, Exercise), owner["student"]).hints
    if stage is None:
        asked[name] = stage = min(asked[name] + 1, len(hints))
    if not 1 <= stage <= len(hints):
        raise ValueError(f"There are {len(hints)} hints for {name}: ask for 1 to {len(hints)}.")
    return Note(
        f"Hint {stage} of {len(hints)} for {name}, {STAGES[stage - 1]}:\n{hints[stage - 1]}"
    )


def whose(student: Any) -> Note:
    """Asks, from here on, the questions in the forms that this student has, and names them."""
    if not spelled(student):
        raise ValueError('Whose notebook is it? Write your student id in quotes: whose("ada").')
    owner["student"] = student
    exercises = [item for item in questions().values() if isinstance(item, Exercise)]
    forms = forms_of(exercises, student).items()
    lines = [f"  {name}: {form}" for name, form in forms]
    return Note("\n".join([f"The questions that differ, as {student} has them:", *lines]))


def try_it(function: Callable, *inputs: Any) -> Any:
    """What the function gives, or one line that says which function is still to be written.

    >>> def cosine(x, y):
    ...     raise NotImplementedError("write me")
    >>> try_it(lambda: cosine([1, 0], [0, 1]))
    Write cosine first, then run this cell again.
    """
    try:
        return function(*inputs)
    except NotImplementedError as error:
        blank = theirs(error)
        name = blank.name if blank else "the answer above"
        return Note(f"Write {name} first, then run this cell again.")
    except Exception as error:
        return Note(f"{complaint(error)}\nIs there a check above that does not hold yet?")


def rubric(name: str) -> Note:
    """What a reader looks for in a written answer, a point each; no machine marks it."""
    written = named(name, Written)
    points = "\n".join(f"☐ {line}" for line in written.rubric)
    return Note(f"{name}: a reader gives one point for each of\n{points}")


def scores(*answers: Callable) -> Note:
    """The points of several answers, and their sum.

    >>> def cosine(x, y):
    ...     return 0.0
    >>> scores(cosine)
    cosine   0 of 3
    together 0 of 3
    """
    reports = {r.exercise.name: r for r in map(check, answers)}  # given twice, it counts once
    rows = [(name, r.points, r.exercise.points) for name, r in reports.items()]
    rows.append(("together", sum(row[1] for row in rows), sum(row[2] for row in rows)))
    width = max(len(name) for name, _, _ in rows)
    return Note("\n".join(f"{name:<{width}} {mine} of {all_}" for name, mine, all_ in rows))
