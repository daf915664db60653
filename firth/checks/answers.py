"""A learner's function as the claims see it: copies in, plain numbers out, or one line.

    Answer(f)(*inputs)  →  an array of numbers, or Stopped("ZeroDivisionError: … in your line …")

Nothing is asked of the object that an answer is, except to be read as numbers; and whatever the
learner's code raises becomes one line about the learner's code.
"""

import os
import sys
import sysconfig
import traceback
import warnings
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import numpy as np

# Bound once: whoever puts another function in its place changes no verdict.
from numpy import array_equal

NOT_WRITTEN = "not written yet"
NO_RETURN = "It returned None: did you forget `return`?"
# What is wrong with a value of some kind; a grader passes these on, and no others.
OTHER_KIND = "It returned a {}: can you return an array, list or number?"
MIXED = "It returned a {} that holds something other than numbers. What?"
NO_TABLE = (
    "It returned a {} that makes no table: are the rows equally long, the numbers not too large?"
)
# A line of these is not the learner's: the exception began further up.
HOUSES = (
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
    os.path.dirname(os.__file__),
    *(sysconfig.get_paths()[place] for place in ("stdlib", "platstdlib", "purelib", "platlib")),
)


class Stopped(Exception):
    """An answer that cannot be judged, and the sentence that says why.

    `heard` is all that was said, where the sentence, which reaches the learner, leaves some out:
    a grader repeats nothing that the learner's code has put together from its inputs.
    """

    def __init__(self, sentence: str, heard: str = ""):
        super().__init__(sentence)
        self.heard = heard or sentence


def copied(value: Any) -> Any:
    """A copy that shares nothing that could be changed; for plain data, and thrice deepcopy's pace.

    >>> given = [1, (2, [3])]
    >>> copied(given)[1][1].append(4)
    >>> given
    [1, (2, [3])]
    """
    kind = type(value)
    if kind in (int, float, str, bool):
        return value
    if kind is np.ndarray and value.dtype.kind in "biuf":
        # Where addresses have 32 bits, np.bincount and np.repeat refuse whole numbers of 64.
        return value.astype(np.intp if value.dtype == np.int64 else value.dtype, order="K")
    if kind is list:
        return [copied(item) for item in value]
    if kind is tuple:
        return tuple([copied(item) for item in value])
    if kind is dict:
        return {key: copied(item) for key, item in value.items()}
    return deepcopy(value)


def same_data(a: Any, b: Any) -> bool:
    """Whether two nests of lists, dictionaries and arrays hold the same numbers."""
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same_data(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(same_data, a, b))
    return array_equal(a, b)


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
    firth.checks.answers.Stopped: It returned a set: can you return an array, list or number?
    """
    kind = type(value).__name__
    if type(value) is getattr(sys.modules.get("torch"), "Tensor", None):
        value = value.detach().cpu().to(dtype=sys.modules["torch"].float64).numpy()
    if value is None:
        raise Stopped(NO_RETURN)
    if not isinstance(value, np.ndarray | np.generic | list | tuple | int | float):
        raise Stopped(OTHER_KIND.format(kind))
    if not holds_numbers(value):
        raise Stopped(MIXED.format(kind))
    try:
        return np.array(value, dtype=float, subok=False)
    except (ValueError, OverflowError):
        raise Stopped(NO_TABLE.format(kind)) from None


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

    `changed` says whether any call has written into what it was given; `open` whether the learner
    may be told about the inputs, as in a notebook, where they are no secret.
    """

    open = True
    memory = 1024  # MB that it may take where memory is limited and cannot be counted

    def __init__(self, function: Callable):
        self.function = function
        self.changed = False

    def __call__(self, *inputs):
        handed = copied(inputs)
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
