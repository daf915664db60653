"""An answer in another process, as the claims see it: inputs go there, plain data comes back.

    Remote("cosine", copy, …)(x, y)  →  an array of numbers, or Stopped("It took longer …")

The claims run here, the student's code there. What comes back is read as numbers, or it is a
sentence; nothing of it is run, formatted into a page unescaped, or believed.
"""

import builtins
import re
import time

from firth.checks import questions
from firth.checks.answers import (
    MIXED,
    NO_RETURN,
    NO_TABLE,
    NOT_WRITTEN,
    OTHER_KIND,
    Answer,
    Stopped,
    plain,
)
from firth.grading import wire
from firth.grading.supervisor.session import Copy

KINDS = {name for name, kind in vars(builtins).items() if isinstance(kind, type)}
KNOWN_ERRORS = KINDS | {"AxisError", "LinAlgError"}
KNOWN_KINDS = KINDS | {"DataFrame", "Series", "Tensor", "csr_array", "csr_matrix", "function"}
KNOWN_KINDS |= {"generator", "list_iterator", "module", "ndarray"}
WRONG_KIND = (OTHER_KIND, MIXED, NO_TABLE)
STRANGE = "It returned something that is no array, list or number."


class Remote(Answer):
    """An answer in another process: inputs go there as plain data, and plain data comes back."""

    open = False

    def __init__(
        self,
        name: str,
        copy: Copy,
        seed: int,
        patience: float,
        source: str,
        mend: dict[str, str] | None = None,
        memory: int = Answer.memory,
    ):
        self.name, self.channel, self.source = name, copy.channel, source
        self.patience, self.deadline = patience, time.monotonic() + patience
        self.changed, self.status, self.heard, self.memory = False, "", "", memory
        # This goes with the first call: chance starts anew, and other answers may be made right.
        self.first = {"seed": seed, **({"mend": mend} if mend else {})}

    def __call__(self, *inputs):
        order = {"call": self.name, "inputs": wire.encoded(inputs), **self.first}
        self.first = {}
        try:
            wire.sent(self.channel, order, self.deadline)
            reply = wire.received(self.channel, self.deadline)
            if "value" in reply:
                self.changed = reply.get("changed") is True
                return plain(wire.numbers(reply["value"]))
        except wire.Late:
            slow = f"It took longer than {self.patience:g} s: is there a loop that does not end?"
            raise self.stopped("too slow", slow) from None
        except wire.Ended:
            died = "The program ended in the middle: does it quit, crash, or take all the memory?"
            raise self.stopped("died", died) from None
        except (wire.NotPlain, RecursionError):
            raise self.stopped("stopped", "What it returned cannot be read as numbers.") from None
        raise self.reason(reply)

    def stopped(self, status: str, sentence: str, heard: str = "") -> Stopped:
        self.status, self.heard = status, heard
        return Stopped(sentence, heard)

    def reason(self, reply: dict) -> Stopped:
        """Why there is no value, in words that hold nothing the student's code has computed."""
        if "missing" in reply:
            lost = f"No function in this notebook is called {self.name}: was it renamed or deleted?"
            return self.stopped("missing", lost)
        if "too much" in reply:
            return self.stopped("too much", "It returned far too much: how large is it to be?")
        heard, error, line = (
            str(reply.get(key, ""))[:2_000] for key in ("stopped", "error", "line")
        )
        if heard.startswith(NOT_WRITTEN):
            return self.stopped("blank", waiting(heard), heard)
        if not error:
            return self.stopped("stopped", returned(heard), heard)
        kind = error if error in KNOWN_ERRORS else "an error of your own"
        theirs = f" — in your line `{line}`" if line and line in self.source else ""
        return self.stopped("stopped", f"{kind}{theirs}", heard)


def waiting(heard: str) -> str:
    """That an answer is not written, and for which other one it waits, if it is one of ours.

    >>> waiting("not written yet: it calls cosine, which is blank")
    'not written yet: it calls cosine, which is blank'
    >>> waiting("not written yet: it calls x3_14, which is blank")
    'not written yet'
    """
    calls = re.fullmatch(rf"{NOT_WRITTEN}: it calls (\w+), which is blank", heard)
    return heard if calls and calls[1] in questions() else NOT_WRITTEN


def returned(heard: str) -> str:
    """What is wrong with a value, if it is of a kind that everybody knows.

    >>> returned("It returned a set: can you return an array, list or number?")
    'It returned a set: can you return an array, list or number?'
    >>> returned("It returned a X3_14: can you return an array, list or number?")
    'It returned something that is no array, list or number.'
    """
    kinds = (template.format(kind) for template in WRONG_KIND for kind in KNOWN_KINDS)
    return heard if heard == NO_RETURN or heard in kinds else STRANGE
