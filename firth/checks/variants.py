"""Which form of a question a student has, where a question has several.

form = forms[ SHA-256(question, student) mod len(forms) ]

It follows from the two names alone, on every machine and in every release, for as long as the
question keeps its forms and their order: add or remove one between terms, not within one. Space
around the student's id and capitals do not count, nor how a file system spells an accent.

To let a question vary, build it in a function of what varies, and give the first what it makes:

    def asked(log, ...):
        ppmi = Exercise(..., form="base 2", passages=("to **base 2**", f"log 3 = {log(3):.2f}"))
        ppmi.agrees(...)
        return ppmi

    ppmi = asked(np.log, ...)
    ppmi.forms = (asked(np.log2, ...), asked(np.log10, ...))

Right answer, mistakes, hints and claims come from that one function, so that each form has them
all. `passages` are the places of the exercise notebook that differ, in the same order in each form,
with the numbers worked out by the right answer. The notebook itself is written in the first form.
Each of its passages stands there exactly once: if one is missing or twice, the notebook is not
handed out and a test fails. All forms take the same number of points.
"""

import hashlib
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from firth.checks.claims import Exercise


class Unmatched(ValueError):
    """A notebook that does not say what a question's first form says, exactly once."""


def spelled(student: Any) -> str:
    """A student's id as everyone spells it: from a roster, a file name, a notebook.

    >>> spelled(" Ada@Example.org") == spelled("ada@example.org")
    True
    """
    if not isinstance(student, str):
        raise TypeError(f'A student\'s id is text, in quotes, as in "ada"; this is {student!r}.')
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", student).casefold().strip())


def variant_of(exercise: Exercise, student: str) -> Exercise:
    """The form of a question that a student has; for nobody, "", the first.

    >>> from firth.checks.lsa.ppmi import ppmi
    >>> [variant_of(ppmi, student).form for student in ("", "ada", "sofja")]
    ['natural logarithm', 'base 10', 'base 2']
    """
    forms = (exercise, *exercise.forms)
    name = spelled(student)
    if not name:
        return exercise
    drawn = hashlib.sha256(f"{exercise.name}\0{name}".encode()).digest()
    return forms[int.from_bytes(drawn, "big") % len(forms)]


def forms_of(exercises: Iterable[Exercise], student: str) -> dict[str, str]:
    """For each question that has several forms, the name of a student's."""
    return {item.name: variant_of(item, student).form for item in exercises if item.forms}


def printed(array: np.ndarray) -> str:
    """An array as it stands in the example of a function that returns it.

    >>> printed(np.array([[1 / 3, 0.0], [0.0, 1.0]]).round(2))
    'array([[0.33, 0.  ],\\n           [0.  , 1.  ]])'
    """
    with np.printoptions(precision=8, suppress=False):
        return repr(array).replace("\n", "\n    ")


def in_form(sources: Sequence[str], exercises: Iterable[Exercise], student: str) -> list[str]:
    """The cells of an exercise notebook, with every question in the form that a student has."""
    sources = list(sources)
    for exercise in exercises:
        theirs = variant_of(exercise, student)
        for passage, other in zip(exercise.passages, theirs.passages, strict=True):
            times = sum(source.count(passage) for source in sources)
            if times != 1:
                raise Unmatched(
                    f"The question {exercise.name} says {passage!r}, and its notebook says so"
                    f" {times} times instead of once: make the two agree."
                )
            sources = [source.replace(passage, other) for source in sources]
    return sources
