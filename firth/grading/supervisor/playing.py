"""The cells of a submission, one after another, as Jupyter would run them, come what may.

a cell that raises            is over; the next one runs
a cell that hangs, crashes,   is left out, and all the others are played again without it,
or eats the memory            because what it held is lost or spoilt
a cell that misses a name     has another try at the end: somebody moved the imports down
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from firth.checks.answers import Stopped
from firth.grading import wire
from firth.grading.inbox.replay import definitions, is_quick, replayed
from firth.grading.supervisor.remote import KNOWN_ERRORS, Remote
from firth.grading.supervisor.session import Copy, Doubled, Lost, Session
from firth.grading.supervisor.warm import Warm

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
    spent: float = 0.0  # seconds, on cells, and on copies made between them
    superseded: set[int] = field(default_factory=set)  # cells whose answer a later one replaces
    common: Copy | None = None
    losses: int = 0
    doubled: set[int] = field(default_factory=set)  # the cell to blame, if it is not the last one

    def late(self, times: int = 1) -> bool:
        """Whether more than all the time there is, or a multiple of it, has been spent."""
        return self.spent > times * ALL * self.timeout

    @contextmanager
    def spending(self) -> Iterator[None]:
        """Counts the time that something takes which the student's code could draw out."""
        began = time.monotonic()
        try:
            yield
        finally:
            self.spent += time.monotonic() - began

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

    def skipped(self, number: int, source: str | None, again: bool = False) -> bool:
        """Leaves out a cell if it could take time; tells whether it did.

        One that has run before is left out only `again`: when the time is up for the last time.
        """
        if source is None or (number in self.outcome and not again) or is_quick(source):
            return False
        self.outcome[number] = ("skipped", "", "")
        self.left_out.add(number)
        return True

    def sound(self) -> bool:
        """Whether a copy of the player says again what it is told, as it will have to."""
        try:
            with self.spending():
                self.session.renew()
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
                return self.doubled.pop() if self.doubled else number, stop
            if wary and not self.late(2):
                if not self.sound():
                    return number, "unsound"
                with self.spending():
                    self.end(self.common)  # after the next cell there is another one
            if self.outcome[number][1] == "NameError" and number not in self.superseded:
                waiting.append(number)
        before = len(order)
        while waiting and len(waiting) < before and not self.late():  # for as long as it helps
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
        source = self.sources[number]
        if self.late() and self.skipped(number, source, again=self.late(3)):
            return None
        try:
            with self.spending():
                error, says = self.session.cell(source, number, patience, self.names)
        except wire.Late:
            return "too slow"
        except Doubled as answer:
            if type(answer.number) is int and 0 <= answer.number < number:
                self.doubled.add(answer.number)
            return "unsound"
        except wire.Ended:
            return self.leave() or "died"
        spoilt = spoiling(error, says)
        # Who asked for far too much at once has got nothing of it, and spoilt nothing.
        if spoilt and (spoilt != "memory" or 2 * self.warm.held() > self.memory << 20):
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
    full, _ = definitions(cells, names)
    play.superseded = {number for places in full.values() for number in places[:-1]}
    play.play()
    return play
