"""How far a class is, while it is graded, and how it went, in the end: a line each."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from firth.progress import progress

FAILURES = ("unreadable", "refused", "not graded", "withheld")
LIVELY = 5  # seconds between two looks at the clock while nothing comes back
WORRYING = 60  # seconds of that after which a log gets a line as well


@dataclass
class Outcome:
    """What a command has done and found, in the words of its last line.

    >>> print(Outcome(new=2, kept=1, failed={"unreadable": ["ada.ipynb"]}))
    2 graded now, 1 already there; unreadable: 1.
    >>> print(Outcome(kept=3))
    Nothing to do: all 3 were graded before.
    """

    new: int = 0  # records written now, whatever they say
    kept: int = 0  # records of the same bytes in the same way, left as they were
    again: int = 0  # the same student's file of the same name, found twice: the first counts
    failed: dict[str, list[str]] = field(default_factory=dict)  # by status: files, new or kept
    doubtful: list[str] = field(default_factory=list)  # a sentence for each that was graded

    @property
    def complete(self) -> bool:
        """Whether every submission could be graded, and none looks like a mistake."""
        return not self.failed and not self.doubtful

    def count(self, record: dict, new: bool) -> None:
        self.new, self.kept = self.new + new, self.kept + (not new)
        name, status = record["file"], record["status"]
        self.doubtful += [f"{name}: {warning}" for warning in record.get("warnings", [])]
        if status in FAILURES:
            said = f"{name}: {record['notes'][0]}" if status == "withheld" else name
            self.failed.setdefault(status, []).append(said)

    def __str__(self) -> str:
        line = f"{self.new} graded now, {self.kept} already there"
        if not self.new:
            line = f"Nothing to do: all {self.kept} were graded before"
        counts = {status: len(self.failed.get(status, [])) for status in FAILURES}
        counts["handed in twice under one name"] = self.again
        counts["to be looked at"] = len(self.doubtful)
        return "; ".join([line, *(f"{name}: {n}" for name, n in counts.items() if n)]) + "."


@contextmanager
def told(total: int, outcome: Outcome, quiet: bool) -> Iterator[Callable[[], None]]:
    """One line that tells how far it is: rewritten on a terminal, every tenth in a log."""
    start = last = warned = time.monotonic()
    before = tenth = 0

    def line(silent: float) -> str:
        seconds = time.monotonic() - start
        count = outcome.new + outcome.kept + outcome.again
        words = [f"Grading: {count} of {total}"]
        if outcome.new and seconds > 1:
            rate = outcome.new / seconds
            words += [f"{rate:.1f} a second", f"about {(total - count) / rate:.0f} s left"]
        if silent > 2 * LIVELY:
            words.append(f"nothing has come back for {silent:.0f} s")
        return " · ".join(words)

    def tell() -> None:
        nonlocal last, warned, before, tenth
        count, now = outcome.new + outcome.kept + outcome.again, time.monotonic()
        if count != before:
            last, before = now, count
        if terminal:
            say(line(now - last))
        elif total and (count * 10 // total > tenth or now - max(last, warned) > WORRYING):
            tenth, warned = count * 10 // total, now
            print(line(now - last), file=sys.stderr, flush=True)

    terminal = not quiet and sys.stderr.isatty()
    if quiet:
        yield lambda: None
    elif terminal:
        with progress(line(0.0)) as say:
            yield tell
    else:
        yield tell
