"""The cells of a submission, one after another, as Jupyter would run them, come what may.

a cell that raises            is over; the next one runs
a cell that hangs, crashes,   is left out, and all the others are played again without it,
or eats the memory            because what it held is lost or spoilt
a cell that misses a name     has another try at the end: somebody moved the imports down
"""

import time
from dataclasses import dataclass, field

import numpy as np

from firth.checks.answers import Stopped
from firth.grading import wire
from firth.grading.remote import KNOWN_ERRORS, Remote
from firth.grading.replay import is_quick, replayed
from firth.grading.session import Copy, Lost, Session
from firth.grading.warm import Warm

RESTARTS = 12  # so often is a submission played again; what has not run by then is left out
BRIEF = 1.0  # seconds for a cell in a submission that has been too slow three times
ALL = 10  # times the patience with one cell is the patience with all of them together
LISTEN = 3.0  # seconds for the program to say again what it was told
ECHO = np.array([1.5, -2.0, 3.25])
CPU = 600  # seconds of the processor, for each process of a submission
WHY = {
    "too slow": "took longer than {0:g} s",
    "died": "ended the whole program",
    "memory": "took more memory than {1} MB",
    "disk": "wrote more than it may",
    "processes": "started more processes than it may",
    "unsound": "spoilt the program in which it ran",
    "skipped": "was not run, because others before it took too long or failed too often",
}


def spoiling(error: str, says: str) -> str:
    """What a cell that raised has used up, so that nothing after it could run; or nothing."""
    if error == "MemoryError":
        return "memory"
    if error == "RuntimeError" and "new thread" in says:
        return "processes"
    full = error == "OSError" and ("[Errno 28]" in says or "[Errno 27]" in says)
    return "disk" if full else ""


@dataclass
class Played:
    """A submission whose cells have run, so far as they do, and which can be asked for answers."""

    warm: Warm
    sources: list[str | None]
    names: list[str]
    timeout: float
    memory: int
    session: Session | None = None
    outcome: dict[int, tuple[str, str, str]] = field(default_factory=dict)  # status, error, says
    left_out: set[int] = field(default_factory=set)
    cpu: float = 0.0
    restarts: int = 0
    spent: float = 0.0  # seconds, on cells
    common: Copy | None = None
    losses: int = 0

    def play(self) -> None:
        """Plays until nothing hangs or crashes any more, and the program is sound."""
        wary = False
        while True:
            stop = self.round(wary)
            if stop is None and (wary or self.sound()):
                return
            self.leave()
            if stop is None:
                wary = True
                continue
            number, status = stop
            self.outcome[number] = (status, "", "")
            self.left_out.add(number)
            self.restarts += 1
            if self.restarts >= RESTARTS:
                for rest, source in enumerate(self.sources):
                    self.skipped(rest, source)

    def skipped(self, number: int, source: str | None) -> bool:
        """Leaves out a cell that has not run yet, if it could take time; tells whether it did."""
        if source is None or number in self.outcome or is_quick(source):
            return False
        self.outcome[number] = ("skipped", "", "")
        self.left_out.add(number)
        return True

    def sound(self) -> bool:
        """Whether a copy of the player says again what it is told, as it will have to."""
        try:
            self.common = self.session.copy()
            return np.array_equal(Remote("", self.common, 0, LISTEN, "")(ECHO), ECHO)
        except (Lost, Stopped):
            return False

    def round(self, wary: bool = False) -> tuple[int, str] | None:
        """Plays all cells but those left out; the one that stopped it and how, or None."""
        self.session = Session(self.warm, self.memory, CPU)
        order = [n for n, source in enumerate(self.sources) if source is not None]
        waiting: list[int] = []
        for number in [n for n in order if n not in self.left_out]:
            if (stop := self.cell(number)) is not None:
                return number, stop
            if wary and not self.sound():
                return number, "unsound"
            if wary:
                self.end(self.common)  # after the next cell there is another one
            if self.outcome[number][1] == "NameError":
                waiting.append(number)
        before = len(order)
        while waiting and len(waiting) < before:  # for as long as it helps
            before, still = len(waiting), []
            for number in waiting:
                if (stop := self.cell(number)) is not None:
                    return number, stop
                if self.outcome[number][1] == "NameError":
                    still.append(number)
            waiting = still
        return None

    def cell(self, number: int) -> str | None:
        """Runs one cell; None if the play can go on, else what stopped it."""
        slow = sum(status == "too slow" for status, _, _ in self.outcome.values())
        patience = self.timeout if slow < 3 else min(self.timeout, BRIEF)
        if self.spent > ALL * self.timeout and self.skipped(number, self.sources[number]):
            return None
        began = time.monotonic()
        try:
            error, says = self.session.cell(self.sources[number], number, patience)
        except wire.Late:
            return "too slow"
        except wire.Ended:
            return self.leave() or "died"
        finally:
            self.spent += time.monotonic() - began
        if spoilt := spoiling(error, says):
            return spoilt
        self.outcome[number] = ("error" if error else "ran", error, says)
        return None

    def leave(self) -> str:
        """Ends the session; says why it had ended before, if it had."""
        if self.common is not None:
            self.common.channel.close()
            self.common = None
        if self.session is None:
            return ""
        cpu, why = self.session.close()
        self.session = None
        self.cpu += cpu
        return why

    def copy(self) -> Copy:
        """A copy of the player as the last cell has left it, after another round if it is lost."""
        while self.losses < 2:
            if self.session is None or self.session.lost:
                self.losses += self.session is not None
                self.leave()
                if self.round() is not None:
                    break
            try:
                return self.session.copy()
            except Lost:
                continue
        raise Lost("the player is lost, and lost again")

    def shared(self) -> Copy:
        """The copy that claims share for as long as they hold."""
        if self.common is None or self.session is None or self.session.lost:
            self.common = self.copy()
        return self.common

    def end(self, copy: Copy) -> None:
        """A copy is needed no more."""
        if copy is self.common:
            self.common = None
        if self.session is not None:
            self.session.end(copy)

    @property
    def cells(self) -> list[dict]:
        """What a record says about each cell that was to run."""
        found = []
        for number, (status, error, says) in sorted(self.outcome.items()):
            kind = error if error in KNOWN_ERRORS or not error else "an error of your own"
            message = f"It ended with {kind}." if error else ""
            found.append({"cell": number + 1, "status": status, "message": message, "detail": says})
        return found

    @property
    def notes(self) -> list[str]:
        """A sentence for each cell that was left out."""
        return [
            f"Cell {number + 1} {WHY[status].format(self.timeout, self.memory)}: it was left out."
            for number, (status, _, _) in sorted(self.outcome.items())
            if status in WHY
        ]


def played(warm: Warm, cells: list[str], names: list[str], timeout: float, memory: int) -> Played:
    """A submission that has been played, and is ready to be asked."""
    play = Played(warm, replayed(cells, names), names, timeout, memory)
    play.play()
    return play
