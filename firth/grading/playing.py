"""The cells of a submission, one after another, as Jupyter would run them, come what may.

a cell that raises            is over; the next one runs
a cell that hangs, crashes,   is left out, and all the others are played again without it,
or eats the memory            because what it held is lost or spoilt
a cell that misses a name     has another try at the end: somebody moved the imports down
"""

from dataclasses import dataclass, field

from firth.grading import wire
from firth.grading.remote import KNOWN_ERRORS
from firth.grading.replay import replayed
from firth.grading.session import Copy, Lost, Session
from firth.grading.warm import Warm

RESTARTS = 12  # so often is a submission played again; what has not run by then is left out
BRIEF = 1.0  # seconds for a cell in a submission that has been too slow three times
CPU = 600  # seconds of the processor, for each process of a submission
WHY = {
    "too slow": "took longer than {0:g} s",
    "died": "ended the whole program",
    "memory": "took more memory than {1} MB",
    "disk": "wrote more than it may",
    "processes": "started more processes than it may",
    "skipped": "was not run, because too many others had failed",
}


def spoiling(error: str, says: str) -> str:
    """What a cell that raised has used up, so that nothing after it could run; or nothing."""
    if error == "MemoryError":
        return "memory"
    full = error == "OSError" and ("[Errno 28]" in says or "[Errno 27]" in says)
    return "disk" if full or (error == "RuntimeError" and "new thread" in says) else ""


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
    common: Copy | None = None

    def play(self) -> None:
        """Plays until nothing hangs or crashes any more."""
        while (stop := self.round()) is not None:
            number, status = stop
            self.outcome[number] = (status, "", "")
            self.left_out.add(number)
            self.leave()
            self.restarts += 1
            if self.restarts >= RESTARTS:
                for rest in range(len(self.sources)):
                    if rest not in self.outcome and self.sources[rest] is not None:
                        self.outcome[rest] = ("skipped", "", "")
                        self.left_out.add(rest)

    def round(self) -> tuple[int, str] | None:
        """Plays all cells but those left out; the one that stopped it and how, or None."""
        self.session = Session(self.warm, self.memory, CPU)
        order = [n for n, source in enumerate(self.sources) if source is not None]
        waiting: list[int] = []
        for number in [n for n in order if n not in self.left_out]:
            if (stop := self.cell(number)) is not None:
                return number, stop
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
        try:
            error, says = self.session.cell(self.sources[number], number, patience)
        except wire.Late:
            return "too slow"
        except wire.Ended:
            return self.leave() or "died"
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
        for _ in range(2):
            if self.session is None or self.session.lost:
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
