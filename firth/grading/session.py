"""The trusted side of a submission: cells are sent in, calls go out, plain data comes back.

    Warm      a house that is kept from one submission to the next
    Session   one submission in it: its cells, and its answers as functions that one can call
    Remote    an answer as the claims see it (firth.checks.answers.Answer); the call runs elsewhere

The claims run here, the student's code there. What comes back is read as numbers, or it is a
sentence; nothing of it is run, formatted into a page unescaped, or believed.
"""

import builtins
import json
import shutil
import socket
import subprocess
import time
from dataclasses import dataclass
from functools import cache

from firth.checks.answers import NOT_WRITTEN, Answer, Stopped, plain
from firth.grading import sandbox, wire

START = 120.0  # seconds for a house to load what it needs
REPLY = 10.0  # seconds for the house itself, which runs nothing of a student's
KNOWN_ERRORS = {name for name, kind in vars(builtins).items() if isinstance(kind, type)} | {
    "AxisError",
    "LinAlgError",
}


class Lost(Exception):
    """The player of a submission no longer does what it is told: what it held is lost."""


class Warm:
    """A house with its door open to one submission after another."""

    def __init__(self, kind: str, modules: list[str]):
        self.kind = kind
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self.process, self.folder = sandbox.started(kind, theirs, modules)
        try:
            self.heard(START)
        except wire.Ended:
            said = self.closed()
            raise sandbox.NoSandbox(f"{kind} does not work here: {said or 'it ended'}") from None

    def heard(self, patience: float) -> dict:
        """What the house says next; it says it soon, or it is not to be relied on."""
        self.control.settimeout(patience)
        try:
            return json.loads(self.control.recv(1 << 16))
        except (OSError, ValueError):
            raise wire.Ended("the house has ended") from None

    def open(self, memory: int, seconds: int) -> socket.socket:
        """A submission's place in the house, as a socket to talk with its player."""
        ours, theirs = socket.socketpair()
        order = {"open": {"memory": memory, "seconds": seconds}}
        with theirs:
            try:
                socket.send_fds(self.control, [json.dumps(order).encode()], [theirs.fileno()])
            except OSError:
                raise wire.Ended("the house has ended") from None
        return ours

    def close(self) -> tuple[float, str]:
        """Nobody is left inside; returns the CPU seconds used, and why it was ended if it was."""
        try:
            self.control.send(b'{"close": true}')
        except OSError:
            raise wire.Ended("the house has ended") from None
        said = self.heard(REPLY)
        return said["cpu"], said["why"]

    def closed(self) -> str:
        """Ends the house; returns the last line that it said."""
        self.control.close()
        try:
            self.process.wait(REPLY)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        said = self.process.stderr.read(1 << 16).decode("utf-8", "replace").strip()
        self.process.stderr.close()
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)
        return said.splitlines()[-1] if said else ""


@cache
def working(wanted: str | None = None) -> str:
    """The best sandbox that works on this machine, or NoSandbox with what each has said.

    >>> working("none")
    'none'
    """
    complaints = []
    for kind in sandbox.candidates(wanted):
        try:
            house = Warm(kind, [])
        except sandbox.NoSandbox as problem:
            complaints.append(str(problem))
            continue
        try:
            session = Session(house, 256, 60)
            session.cell("", 0, REPLY)
            session.close()
            return kind
        except (sandbox.NoSandbox, wire.Ended, wire.Late) as problem:
            complaints.append(f"{kind} does not work here: {problem}")
        finally:
            house.closed()
    raise sandbox.NoSandbox("\n".join([*complaints, sandbox.NO_SANDBOX]))


class Session:
    """A submission in the house: first its cells, then its answers, claim by claim."""

    def __init__(self, warm: Warm, memory: int, seconds: int):
        self.warm = warm
        self.channel = warm.open(memory, seconds)
        self.lost = False

    def asked(self, order: dict, patience: float) -> dict:
        """What the player replies to an order, or wire.Late, or wire.Ended."""
        wire.sent(self.channel, order)
        reply = wire.received(self.channel, time.monotonic() + patience)
        if "no wall" in reply:
            raise sandbox.NoSandbox(f"{self.warm.kind} does not work here: {reply['no wall']}")
        return reply

    def cell(self, source: str, seed: int, patience: float) -> tuple[str, str]:
        """Runs a cell; returns the kind of error that ended it, or nothing, and what it said."""
        reply = self.asked({"cell": source, "seed": seed}, patience)
        error, says = reply.get("error"), reply.get("says", "")
        if not isinstance(error, str) or not isinstance(says, str):
            raise wire.Ended("it does not keep to the rules")
        return error, says[:2_000]

    def copy(self) -> "Copy":
        """A copy of the player, to call answers in."""
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                wire.sent(self.channel, {"copy": True})
                socket.send_fds(self.channel, [b"!"], [theirs.fileno()])
            return Copy(ours, self.kept("copied"))
        except (OSError, wire.Ended, Lost):
            ours.close()
            self.lost = True
            raise Lost("the player does not answer") from None

    def end(self, copy: "Copy") -> None:
        """A copy is ended, whatever it is doing."""
        copy.channel.close()
        try:
            wire.sent(self.channel, {"end": copy.number})
            self.kept("ended")
        except (wire.Ended, Lost):
            self.lost = True

    def kept(self, word: str) -> int:
        """Hears that an order was carried out, or knows that the player is lost."""
        try:
            number = wire.received(self.channel, time.monotonic() + REPLY).get(word)
        except (wire.Late, wire.Ended):
            number = None
        if type(number) is not int:
            raise Lost("the player does not answer")
        return number

    def close(self) -> tuple[float, str]:
        """Ends the player and all that it has started, as Warm.close does."""
        self.channel.close()
        return self.warm.close()


@dataclass(frozen=True)
class Copy:
    """A copy of the player: a socket to send calls to, and the number to end it by."""

    channel: socket.socket
    number: int


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
