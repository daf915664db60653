"""The claims of an exercise as tests of another grader: the same question, in its own words.

    assert holds("cosine", 0, cosine)

The other graders run their tests where the answers run, so that this is called in the student's
own process.
"""

from collections.abc import Callable, Iterator

from benchmarks.grading_submissions import private_checks
from firth.checks import questions

SEED = 1957


def holds(name: str, index: int, answer: Callable) -> bool:
    """Whether a claim holds."""
    exercise = questions().get(name) or private_checks("00_numpy").EXERCISES.get(name)
    if exercise is None:  # only then, or each grader of a class in NumPy would load torch
        exercise = private_checks("00_torch").EXERCISES[name]
    return exercise.verdict(index, answer, SEED).holds


def tests(claims: dict[str, int]) -> Iterator[tuple[str, int, str]]:
    """Each claim's answer, number and statement."""
    for name, count in claims.items():
        for index in range(count):
            yield name, index, f"assert holds({name!r}, {index}, {name})"
