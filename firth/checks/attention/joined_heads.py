"""What a learner's `multi_head` multiplies by W_O, where this product is an error of shapes.

Heads that are stacked, added up or put below each other have too few columns for W_O. NumPy says
the same about all of them. So the function is called again with a W_O of fewer columns, which fits,
and its result is compared with that of each known mistake.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from firth.checks.answers import Stopped
from firth.checks.cases import drawn
from firth.checks.claims import WAITS, Claim, Exercise, close

# (inputs, columns of W_O for X and heads, wrong function, question)
Join = tuple[Callable, Callable, Callable, str]


def question_of_joined_heads(call: Callable, rng, joins: Sequence[Join]) -> str:
    """The question of the first known mistake that fits, or "" if none does."""
    for inputs, columns, mistake, question in joins:
        X, W_Q, W_K, W_V, W_O, heads = next(iter(drawn(inputs, rng)))
        case = X, W_Q, W_K, W_V, W_O[:, : columns(X, heads)], heads
        try:
            if close(call(*case), mistake(*case)):
                return question
        except Stopped:
            continue
    return ""


def ask_about_joined_heads(exercise: Exercise, joins: Sequence[Join]) -> None:
    """Makes the claims of the exercise ask about joined heads where a matrix product is an error.

    The last claim is about inputs that are left as they were, so it waits.
    """
    last = exercise.claims[-1]

    def asking(claim: Claim) -> Claim:
        def holds(call, rng):
            try:
                return claim.holds(call, rng)
            except Stopped as reason:
                named = "matmul" in reason.heard and question_of_joined_heads(call, rng, joins)
                if not named:
                    raise
                return WAITS if claim is last and not call.changed else named

        return replace(claim, holds=holds)

    exercise.claims[:] = map(asking, exercise.claims)
