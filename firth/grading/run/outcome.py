"""How far a class is, while it is graded, and how it went, in the end: a line each.

All that a command says goes through `say`, because a student's words and file names are among it.
"""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from firth.grading.results.cells import harmless
from firth.runtime.progress import progress

FAILURES = ("unreadable", "refused", "not graded", "withheld")
LIVELY = 5  # seconds between two looks at the clock while nothing comes back
WORRYING = 60  # seconds of that after which a log gets a line as well
NAMED = 4  # files that are named in a line


def say(*lines: object, error: bool = False) -> None:
    """Prints lines, in which a control character of a student's is shown instead of obeyed."""
    text = "\n".join(harmless(str(line)) for line in lines)
    print(text, file=sys.stderr if error else sys.stdout, flush=error)


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
def told(total: int, outcome: Outcome, quiet: bool) -> Iterator[Callable[..., None]]:
    """One line that tells how far it is: rewritten on a terminal, every tenth in a log.

    The caller may name the files that are under way. They are named again if nothing comes
    back, or if the command is interrupted.
    """
    start = last = warned = time.monotonic()
    before = tenth = 0
    waiting: list[str] = []

    def names() -> str:
        more = f" and {len(waiting) - NAMED} more" if len(waiting) > NAMED else ""
        return harmless(", ".join(waiting[:NAMED])) + more

    def line(silent: float) -> str:
        seconds = time.monotonic() - start
        count = outcome.new + outcome.kept + outcome.again
        words = [f"Grading: {count} of {total}"]
        if outcome.new and seconds > 1:
            rate = outcome.new / seconds
            words += [f"{rate:.1f} a second", f"about {(total - count) / rate:.0f} s left"]
        if silent > 2 * LIVELY:
            words.append(f"nothing has come back for {silent:.0f} s; under way: {names()}")
        return " · ".join(words)

    def tell(under_way: Iterable[str] | None = None) -> None:
        nonlocal last, warned, before, tenth
        waiting[:] = waiting if under_way is None else under_way
        count, now = outcome.new + outcome.kept + outcome.again, time.monotonic()
        if count != before:
            last, before = now, count
        if terminal:
            rewrite(line(now - last))
        elif quiet or not total:
            return
        elif count * 10 // total > tenth or now - max(last, warned) > WORRYING:
            tenth, warned = count * 10 // total, now
            say(line(now - last), error=True)

    terminal = not quiet and sys.stderr.isatty()
    try:
        if terminal:
            with progress(line(0.0)) as rewrite:
                yield tell
        else:
            yield tell
    except KeyboardInterrupt:
        if waiting:
            say(f"Under way when it was interrupted: {names()}.", error=True)
        raise
