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

import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np

# Bound once: whoever puts another function in the place of np.allclose changes no verdict.
from numpy import allclose, isfinite

from firth.checks.answers import Answer, Stopped
from firth.checks.cases import Cases, drawn, kept

WAITS = "The input is as it was; the numbers are not yet right. See the claims above."
STAGES = ("a nudge", "the method", "nearly the solution")


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


def close(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two answers are the same numbers in the same places, nan included.

    float32 is good enough: the tolerance is a millionth of the greatest number.

    >>> close(np.array([1.0, np.nan]), np.array([1.0, np.nan]))
    True
    """
    if a.shape != b.shape:
        return False
    finite = np.abs(b[isfinite(b)])
    scale = max(1.0, finite.max(initial=0.0))
    return bool(allclose(a, b, rtol=1e-5, atol=1e-6 * scale, equal_nan=True))


def unlike(answer: np.ndarray, right: np.ndarray, shapes: bool = True) -> str | bool:
    """What is wrong with an answer before one looks at its numbers; False if nothing is."""
    if answer.shape != right.shape:
        if not shapes:
            return "It has not the shape that is asked for: how many rows and columns should it be?"
        return f"It has the shape {answer.shape}; which one is asked for? (Here {right.shape}.)"
    if not isfinite(answer).all():
        return "It holds nan or infinity: where do you divide by 0, or take the log of 0?"
    return False


def whole(answer: np.ndarray, right: np.ndarray) -> np.ndarray:
    """All of an answer counts, unless an exercise says otherwise."""
    return answer


def seen(answer: np.ndarray, right: np.ndarray, view: Callable) -> np.ndarray:
    """An answer through a view, which is made for answers of the right shape.

    A view with the attribute `every_shape` sees all others as well.
    """
    fits = answer.shape == right.shape or getattr(view, "every_shape", False)
    return view(answer, right) if fits else answer


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
    number: str = ""  # of its section there
    # Pairs of a wrong function and its question; a dict of them if each has a name.
    mistakes: list[tuple[Callable, str]] | dict[str, tuple[Callable, str]] = field(
        default_factory=list
    )
    view: Callable = whole  # what of an answer matters, beside the right one
    claims: list[Claim] = field(default_factory=list)
    stumbles: dict[str, str] = field(default_factory=dict)  # words of an error: what to ask
    endless: str = "You have stopped it: for which input does your loop never end?"
    form: str = ""  # where a question has several, which one this is: see firth.checks.variants
    passages: tuple[str, ...] = ()  # what the notebook says in this form, and differently in others
    forms: tuple["Exercise", ...] = ()  # the others
    mistake_names: tuple[str, ...] = ()  # of the mistakes, in their order

    def __post_init__(self):
        if isinstance(self.mistakes, dict):
            self.mistake_names = tuple(self.mistakes)
            self.mistakes = [*self.mistakes.values()]

    def mistakes_asked(self, question: str) -> str:
        """The names of the known mistakes that get this question, or "" if it belongs to none.

        >>> square = {"squared": (lambda x: x**2, "Is 3 doubled 9?")}
        >>> double = Exercise("double", "00", 1, 1, ("", "", ""), lambda x: 2 * x, mistakes=square)
        >>> double.mistakes_asked("Is 3 doubled 9?"), double.mistakes_asked("Why?")
        ('squared', '')
        """
        names = [*self.mistake_names]
        names += [f"mistake {n + 1}" for n in range(len(names), len(self.mistakes))]
        pairs = zip(names, self.mistakes, strict=True)
        found = [name for name, (_, asked) in pairs if asked == question]
        return " or ".join([*found[:3], *(["another"] if len(found) > 3 else [])])

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
        untouched: str = "",
        points: int = 1,
    ) -> None:
        """Claims that an answer agrees with the right one on all of inputs(rng), sets of arguments.

        `view` narrows the claim to what of an answer it is about; `untouched` widens it: what was
        given stays as it was, or this is asked.
        """

        def holds(call, rng):
            outcome = self.compared(call, drawn(inputs, rng), view or self.view)
            return untouched if untouched and call.changed else outcome

        self.claims.append(Claim(sentence, question, holds, points))

    def leaves(self, sentence: str, question: str, inputs: Callable) -> None:
        """Claims that what was given stays as it was; earned only together with right numbers."""

        def holds(call, rng):
            right = self.compared(call, drawn(inputs, rng), self.view) is True
            return not call.changed and (right or WAITS)

        self.claims.append(Claim(sentence, question, holds, 1))

    def compared(self, call: Callable, cases: Cases, view: Callable) -> bool | str:
        """True, or the question of the mistake that explains all the answers, or False."""
        answers = [call(*case) for case in cases]
        rights = list(cases.answers(self.right))

        def agree(others, look):
            trios = zip(answers, others, rights, strict=True)
            return all(close(seen(a, right, look), seen(b, right, look)) for a, b, right in trios)

        if agree(rights, view):
            return True
        # What explains the whole answer explains it best; what explains the part in view will do.
        for look in [self.view] if view is self.view else [self.view, view]:
            for mistake, question in self.mistakes:
                with np.errstate(all="ignore"):
                    if agree(cases.answers(mistake), look):
                        return question
        found = (unlike(*pair, call.open) for pair in zip(answers, rights, strict=True))
        return next(filter(None, found), False)

    def verdict(self, index: int, call: Callable, seed: int) -> Verdict:
        """Judges one claim; its randomness depends on seed, exercise and claim alone."""
        kept.only(seed)
        claim = self.claims[index]
        key = (zlib.crc32(self.name.encode()), index)
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))
        try:
            outcome = claim.holds(call if isinstance(call, Answer) else Answer(call), rng)
        except Stopped as reason:
            heard = reason.heard
            fits = (question for words, question in self.stumbles.items() if words in heard)
            outcome = " ".join([str(reason), *fits])
        if outcome is True:
            return Verdict(claim.sentence, True, "", claim.points)
        return Verdict(claim.sentence, False, outcome or claim.question, 0)

    def judge(self, call: Callable, seed: int) -> list[Verdict]:
        """A verdict for each claim, in order; whoever stops a loop is asked why it did not end."""
        verdicts: list[Verdict] = []
        try:
            for index in range(len(self.claims)):
                verdicts.append(self.verdict(index, call, seed))
        except KeyboardInterrupt:
            left = self.claims[len(verdicts) :]
            verdicts += [Verdict(claim.sentence, False, self.endless, 0) for claim in left]
        return verdicts


@dataclass(frozen=True)
class Written:
    """A question answered in words: a reader marks it by the rubric, no machine does."""

    name: str
    chapter: str
    difficulty: int
    minutes: int
    rubric: tuple[str, ...]  # one point each
    number: str = ""

    @property
    def points(self) -> int:
        return len(self.rubric)

    @property
    def label(self) -> str:
        return f"difficulty {self.difficulty} of 3 · {self.minutes} minutes · {self.points} points"
