"""A claim is a sentence that should be true of an answer, and a question for when it is not.

    holds(call, rng)  →  True, or a question that fits the mistake, or False

call   the learner's function; or a proxy, where the function lives in another process
rng    fresh random inputs: whoever returns the numbers of the examples is found out

The same claims teach and grade: in the notebook `call` is the function itself and the seed is
public; a grader hands in a proxy and a secret seed. A claim therefore sees plain data only, never
source or names, and it asks nothing of the object that an answer is, except to be read as numbers.

A mistake that learners make is kept as what it is, a wrong function: an answer that agrees with it
on every input gets the question that belongs to it.
"""

import os
import sysconfig
import traceback
import warnings
import zlib
from collections.abc import Callable, Iterable
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import numpy as np

NOT_WRITTEN = "not written yet"
STAGES = ("a nudge", "the method", "nearly the solution")
# A line of these is not the learner's: the exception began further up.
HOUSES = (
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
    os.path.dirname(os.__file__),
    *(sysconfig.get_paths()[place] for place in ("stdlib", "platstdlib", "purelib", "platlib")),
)


class Stopped(Exception):
    """An answer that cannot be judged, and the sentence that says why.

    A proxy raises it as well (too slow, died): the sentence reaches the learner as it stands. For a
    blank answer it raises NotImplementedError, as the blank itself does.
    """


@dataclass(frozen=True)
class Verdict:
    """What came of one claim: whether it holds, what to ask if not, and the points earned."""

    claim: str
    holds: bool
    message: str
    points: int


@dataclass(frozen=True)
class Claim:
    """One sentence about an answer, how to find out, and the question to ask by default."""

    sentence: str
    question: str
    holds: Callable[[Callable, np.random.Generator], bool | str]
    points: int


def same_data(a: Any, b: Any) -> bool:
    """Whether two nests of lists, dictionaries and arrays hold the same numbers."""
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same_data(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(same_data, a, b))
    return np.array_equal(a, b)


def holds_numbers(value: Any, depth: int = 8) -> bool:
    """Whether this is a number, or an array, list or tuple of them, found out by kinds alone."""
    if isinstance(value, np.ndarray | np.generic):
        return value.dtype.kind in "biuf"
    if isinstance(value, list | tuple):
        return depth > 0 and all(holds_numbers(item, depth - 1) for item in value)
    return type(value) in (bool, int, float)


def plain(value: Any) -> np.ndarray:
    """An answer as an array of numbers; nothing of the object itself is trusted or kept.

    >>> plain([[1, 2], [3, 4]])
    array([[1., 2.],
           [3., 4.]])
    >>> plain({1, 2})
    Traceback (most recent call last):
    firth.checks.claims.Stopped: It returned a set: can you return an array, list or number instead?
    """
    kind = type(value).__name__
    if value is None:
        raise Stopped("It returned None: did you forget `return`?")
    if not isinstance(value, np.ndarray | np.generic | list | tuple | int | float):
        raise Stopped(f"It returned a {kind}: can you return an array, list or number instead?")
    if not holds_numbers(value):
        raise Stopped(f"It returned a {kind} that holds something other than numbers. What?")
    try:
        return np.array(value, dtype=float, subok=False)
    except (ValueError, OverflowError):
        raise Stopped(
            f"It returned a {kind} that makes no table: are the rows equally long, the numbers not"
            " too large?"
        ) from None


def theirs(error: BaseException) -> traceback.FrameSummary | None:
    """The innermost line of the learner's own on the way to an exception."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if f.line and not f.filename.startswith(HOUSES)]
    return own[-1] if own else None


def complaint(error: BaseException) -> str:
    """An exception as one line: its kind, its message, and the learner's line that raised it."""
    message = (str(error).strip().splitlines() or [""])[0]
    text = f"{type(error).__name__}: {message[:200]}" if message else type(error).__name__
    frame = theirs(error)
    return f"{text} — in your line `{frame.line}`" if frame else text


def blank(error: NotImplementedError, name: str) -> str:
    """Says that an answer is not written yet, or which other answer it waits for."""
    frame = theirs(error)
    if frame is None or frame.name == name:
        return NOT_WRITTEN
    return f"{NOT_WRITTEN}: it calls {frame.name}, which is blank"


class Answer:
    """A learner's function as the claims see it: copies go in, plain numbers come out.

    `changed` says whether any call has written into what it was given.
    """

    def __init__(self, function: Callable):
        self.function = function
        self.changed = False

    def __call__(self, *inputs):
        handed = deepcopy(inputs)
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                value = self.function(*handed)
        except Stopped:
            raise
        except NotImplementedError as error:
            name = getattr(self.function, "__name__", "")
            raise Stopped(blank(error, name)) from error
        except (Exception, SystemExit) as error:  # the learner's code may raise anything
            raise Stopped(complaint(error)) from error
        self.changed |= not same_data(inputs, handed)
        return plain(value)


def close(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two answers are the same numbers in the same places, nan included.

    float32 is good enough: the tolerance is a millionth of the greatest number.

    >>> close(np.array([1.0, np.nan]), np.array([1.0, np.nan]))
    True
    """
    if a.shape != b.shape:
        return False
    finite = np.abs(b[np.isfinite(b)])
    scale = max(1.0, finite.max(initial=0.0))
    return np.allclose(a, b, rtol=1e-5, atol=1e-6 * scale, equal_nan=True)


def unlike(answer: np.ndarray, right: np.ndarray) -> str | bool:
    """What is wrong with an answer before one looks at its numbers; False if nothing is."""
    if answer.shape != right.shape:
        return f"It has the shape {answer.shape}; which one is asked for? (Here {right.shape}.)"
    if not np.isfinite(answer).all():
        return "It holds nan or infinity: where do you divide by 0, or take the log of 0?"
    return False


def whole(answer: np.ndarray, right: np.ndarray) -> np.ndarray:
    """All of an answer counts, unless an exercise says otherwise."""
    return answer


def seen(answer: np.ndarray, right: np.ndarray, view: Callable) -> np.ndarray:
    """An answer through a view, which is made for answers of the right shape."""
    return view(answer, right) if answer.shape == right.shape else answer


@dataclass
class Exercise:
    """One function to write: what is claimed of it, its right answer, and the known mistakes.

    >>> double = Exercise("double", "00", 1, 1, ("Add.", "x + x", "return x + x"), lambda x: 2 * x)
    >>> double.mistakes = [(lambda x: x**2, "Is 3 doubled 9?")]
    >>> double.agrees("gives 2x", "What is 2 · 3?", lambda rng: [(rng.normal(),)])
    >>> double.judge(lambda x: x**2, seed=0)
    [Verdict(claim='gives 2x', holds=False, message='Is 3 doubled 9?', points=0)]
    """

    name: str
    chapter: str  # the notebook it stands in, as in solutions/01_lsa.ipynb
    difficulty: int  # 1 to 3
    minutes: int
    hints: tuple[str, str, str]  # one for each of STAGES
    right: Callable
    mistakes: list[tuple[Callable, str]] = field(default_factory=list)
    view: Callable = whole  # what of an answer matters, beside the right one
    claims: list[Claim] = field(default_factory=list)

    @property
    def points(self) -> int:
        return sum(claim.points for claim in self.claims)

    @property
    def label(self) -> str:
        return f"difficulty {self.difficulty} of 3 · {self.minutes} minutes · {self.points} points"

    def agrees(
        self,
        sentence: str,
        question: str,
        inputs: Callable[[np.random.Generator], Iterable[tuple]],
        view: Callable | None = None,
        untouched: bool = False,
        points: int = 1,
    ) -> None:
        """Claims that an answer agrees with the right one on all of inputs(rng), sets of arguments.

        `view` narrows the claim to what of an answer it is about; `untouched` widens it: what was
        given stays as it was.
        """

        def holds(call, rng):
            outcome = self.compared(call, list(inputs(rng)), view or self.view)
            return not call.changed if untouched and outcome is True else outcome

        self.claims.append(Claim(sentence, question, holds, points))

    def compared(self, call: Callable, cases: list[tuple], view: Callable) -> bool | str:
        """True, or the question of the mistake that explains all the answers, or False."""
        answers = [call(*case) for case in cases]
        rights = [plain(self.right(*deepcopy(case))) for case in cases]

        def agree(others, look):
            trios = zip(answers, others, rights, strict=True)
            return all(close(seen(a, right, look), seen(b, right, look)) for a, b, right in trios)

        if agree(rights, view):
            return True
        # What explains the whole answer explains it best; what explains the part in view will do.
        for look in [self.view] if view is self.view else [self.view, view]:
            for mistake, question in self.mistakes:
                with np.errstate(all="ignore"):
                    if agree((plain(mistake(*deepcopy(case))) for case in cases), look):
                        return question
        return next(filter(None, map(unlike, answers, rights)), False)

    def verdict(self, index: int, call: Callable, seed: int) -> Verdict:
        """Judges one claim; its randomness depends on seed, exercise and claim alone."""
        claim = self.claims[index]
        key = (zlib.crc32(self.name.encode()), index)
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))
        try:
            outcome = claim.holds(Answer(call), rng)
        except Stopped as reason:
            outcome = str(reason)
        if outcome is True:
            return Verdict(claim.sentence, True, "", claim.points)
        return Verdict(claim.sentence, False, outcome or claim.question, 0)

    def judge(self, call: Callable, seed: int) -> list[Verdict]:
        """A verdict for each claim, in order."""
        return [self.verdict(index, call, seed) for index in range(len(self.claims))]


@dataclass(frozen=True)
class Written:
    """A question answered in words: a reader marks it by the rubric, no machine does."""

    name: str
    chapter: str
    difficulty: int
    minutes: int
    rubric: tuple[str, ...]  # one point each

    @property
    def points(self) -> int:
        return len(self.rubric)

    @property
    def label(self) -> str:
        return f"difficulty {self.difficulty} of 3 · {self.minutes} minutes · {self.points} points"
