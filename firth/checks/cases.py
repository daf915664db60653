"""The inputs that a claim draws under a seed, and what functions of ours answer to them, made once.

    drawn(inputs, rng)  →  the Cases that inputs(rng) yields, with rng moved on as if just drawn

A claim is judged under one seed for many answers: a known mistake after the other in a test, a cell
that is run again in a notebook. Its inputs, the right answers and those of the known mistakes are
the same each time, so they are kept until another seed comes. What is kept is never given away:
inputs are handed out as copies, and answers are arrays that nobody can write into.
"""

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from firth.checks.answers import copied, plain


class Cases:
    """Sets of arguments, and the answers to them of every function that was asked so far.

    >>> cases = Cases([([1, 2],), ([3, 4],)])
    >>> [case[0].pop() for case in cases], [case[0] for case in cases]
    ([2, 4], [[1, 2], [3, 4]])
    >>> list(cases.answers(sum))
    [array(3.), array(7.)]
    """

    def __init__(self, cases: Iterable[tuple]):
        self._cases = list(cases)
        self._answers: dict[tuple[Callable, int], np.ndarray] = {}

    def __len__(self) -> int:
        return len(self._cases)

    def __iter__(self) -> Iterator[tuple]:
        return map(copied, self._cases)

    def answers(self, function: Callable) -> Iterator[np.ndarray]:
        """The answers of a function of ours, each computed when it is first asked for."""
        for n, case in enumerate(self._cases):
            answer = self._answers.get((function, n))
            if answer is None:
                answer = plain(function(*copied(case)))
                answer.flags.writeable = False
                self._answers[function, n] = answer
            yield answer


class Kept:
    """The cases drawn under the present seed, by the function that drew them and its chance."""

    def __init__(self):
        self.seed: int | None = None
        self.cases: dict[tuple[Callable, str], tuple[Cases, dict]] = {}

    def only(self, seed: int) -> None:
        """Lets go of what another seed has drawn."""
        if seed != self.seed:
            self.seed, self.cases = seed, {}


kept = Kept()


def drawn(inputs: Callable, rng: np.random.Generator) -> Cases:
    """The cases of inputs(rng), whose chance goes on from where it stands after drawing them.

    `inputs` has to be the same function each time, and not one that the claim makes anew.
    """
    key = inputs, str(rng.bit_generator.state)
    found = kept.cases.get(key)
    if found is None:
        cases = Cases(inputs(rng))
        kept.cases[key] = cases, rng.bit_generator.state
        return cases
    cases, rng.bit_generator.state = found
    return cases
