"""An answer in another process, as the claims see it: inputs go there, plain data comes back.

    Remote("cosine", copy, …)(x, y)  →  an array of numbers, or Stopped("It took longer …")

The claims run here, the student's code there. What comes back is read as numbers, or it is a
sentence; nothing of it is run, formatted into a page unescaped, or believed.
"""

import builtins
import time

from firth.checks.answers import NOT_WRITTEN, Answer, Stopped, plain
from firth.grading import wire
from firth.grading.session import Copy

KNOWN_ERRORS = {name for name, kind in vars(builtins).items() if isinstance(kind, type)} | {
    "AxisError",
    "LinAlgError",
}


class Remote(Answer):
    """An answer in another process: inputs go there as plain data, and plain data comes back."""

    def __init__(self, name: str, copy: Copy, seed: int, patience: float, source: str):
        self.name, self.channel, self.source = name, copy.channel, source
        self.patience, self.deadline = patience, time.monotonic() + patience
        self.changed, self.status, self.heard = False, "", ""
        self.first = {"seed": seed}  # goes with the first call: chance starts anew

    def __call__(self, *inputs):
        order = {"call": self.name, "inputs": wire.encoded(inputs), **self.first}
        self.first = {}
        try:
            wire.sent(self.channel, order)
            reply = wire.received(self.channel, self.deadline)
            if "value" in reply:
                self.changed = reply.get("changed") is True
                return plain(wire.decoded(reply["value"]))
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
            return self.stopped("blank", heard[:200])
        if not error:
            return self.stopped("stopped", heard[:200], heard)
        kind = error if error in KNOWN_ERRORS else "an error of your own"
        theirs = f" — in your line `{line}`" if line and line in self.source else ""
        return self.stopped("stopped", f"{kind}{theirs}", heard)
