"""One submission in a house, seen from outside: cells are sent in, and copies asked for.

    a cell   runs in the player, and changes what the next one finds
    a copy   of the player, after the last cell, is there to call answers in

What comes back is plain data or nothing; whoever does not keep to that has ended.
"""

import socket
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec

from firth.grading import wire
from firth.grading.supervisor import sandbox
from firth.grading.supervisor.warm import REPLY, START, Warm


class Doubled(Exception):
    """A cell has been answered twice: there are two programs now, and `number` made them two."""

    def __init__(self, number: object):
        super().__init__("there are two programs")
        self.number = number


class Lost(Exception):
    """The player of a submission no longer does what it is told: what it held is lost."""


@dataclass(frozen=True)
class Copy:
    """A copy of the player: a socket to send calls to, and the number to end it by."""

    channel: socket.socket
    number: int


class Session:
    """A submission in the house: first its cells, then its answers, claim by claim."""

    def __init__(self, warm: Warm, memory: int, seconds: int):
        self.warm = warm
        self.channel = warm.open(memory, seconds)
        self.lost = False
        try:  # walls may take seconds on a busy machine, and no student's patience pays for them
            reply = wire.received(self.channel, time.monotonic() + START)
        except wire.Late:
            raise wire.Ended("nobody moves in") from None
        if "no wall" in reply:
            raise sandbox.NoSandbox(f"{warm.kind} does not work here: {reply['no wall']}")

    def cell(
        self, source: str, seed: int, patience: float, names: Sequence[str] = ()
    ) -> tuple[str, str]:
        """Runs a cell; returns the kind of error that ended it, or nothing, and what it said.

        A function of one of these names is remembered, should the name be used for something else.
        """
        deadline = time.monotonic() + patience
        wire.sent(self.channel, {"cell": source, "seed": seed, "names": list(names)}, deadline)
        reply = wire.received(self.channel, deadline)
        if reply.get("number") != seed:
            raise Doubled(reply.get("number"))
        error, says = reply.get("error"), reply.get("says", "")
        if not isinstance(error, str) or not isinstance(says, str):
            raise wire.Ended("it does not keep to the rules")
        return error, says[:2_000]

    def renew(self) -> None:
        """Talks to the player through a new socket: whatever a cell has started has the old one."""
        ours = self.handed("renew")
        self.channel.close()
        self.channel = ours
        try:
            self.kept("renewed")
        except Lost:
            self.lost = True
            raise

    def copy(self) -> "Copy":
        """A copy of the player, to call answers in."""
        ours = self.handed("copy")
        try:
            return Copy(ours, self.kept("copied"))
        except Lost:
            ours.close()
            self.lost = True
            raise

    def end(self, copy: "Copy") -> None:
        """A copy is ended, whatever it is doing."""
        copy.channel.close()
        try:
            wire.sent(self.channel, {"end": copy.number}, time.monotonic() + REPLY)
            self.kept("ended")
        except (wire.Ended, wire.Late, Lost):
            self.lost = True

    def handed(self, order: str) -> socket.socket:
        """Our end of a new pair of sockets; the player gets the other one with an order."""
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                wire.sent(self.channel, {order: True}, time.monotonic() + REPLY)
                socket.send_fds(self.channel, [b"!"], [theirs.fileno()])  # with the same timeout
            return ours
        except (OSError, wire.Ended, wire.Late):
            ours.close()
            self.lost = True
            raise Lost("the player does not answer") from None

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


@cache
def working(wanted: str | None = None) -> str:
    """The best sandbox that works on this machine, or NoSandbox with what each has said.

    >>> working("none")
    'none'
    """
    if find_spec("IPython") is None:
        raise sandbox.NoSandbox("Notebooks are run by IPython: pip install ipython first.")
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
