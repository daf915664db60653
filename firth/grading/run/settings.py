"""What a run depends on besides the submissions: secret seed, private checks, modules."""

import secrets
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

from firth.grading.inbox.packed import Unreadable
from firth.grading.inbox.submissions import Submission
from firth.grading.results.record import place
from firth.grading.supervisor.loading import SAMPLE
from firth.grading.supervisor.sandbox import readable


class Misused(ValueError):
    """The command was given something that it cannot use; the message says what to do."""


def seed(chosen: Path | None, own: Path) -> bytes:
    """The secret that all inputs are drawn from: the instructor's, or one made for this folder."""
    if chosen is None:
        if not own.exists():
            place(own, secrets.token_hex(32), durable=True)  # readable by its owner alone
            own.chmod(0o600)
        chosen = own
    try:
        found = chosen.read_bytes().strip()
    except OSError as problem:
        raise Misused(f"The seed in {chosen} cannot be read ({problem.strerror}).") from None
    if len(found) < 8:
        raise Misused(f"The seed in {chosen} is too short to be secret: give at least 8 bytes.")
    return found


def private(folder: Path | None) -> dict[str, str]:
    """The sources of an instructor's own checks."""
    if folder is None:
        return {}
    if not folder.is_dir():
        raise Misused(f"--checks wants a folder, and {folder} is none.")
    try:
        found = {path.name: path.read_text("utf-8") for path in sorted(folder.glob("*.py"))}
    except (OSError, UnicodeError) as problem:
        raise Misused(f"The checks in {folder} cannot be read ({problem}).") from None
    if not found:
        raise Misused(f"There are no checks in {folder}: it should hold files that end in .py.")
    return found


def unseen(paths: Iterable[Path]) -> None:
    """Makes sure that the class lies outside what a sandbox shows to each of its members."""
    for path in paths:
        for shown in readable():
            if path.resolve().is_relative_to(Path(shown).resolve()):
                raise Misused(
                    f"{path} lies inside {shown}, which students' code can read: move it."
                )


def sample(found: list[Submission]) -> Iterator[bytes]:
    """The bytes of the first submissions, as far as they can be had."""
    for submission in islice(found, SAMPLE):
        with suppress(Unreadable, OSError):  # its record will say why
            yield submission.data()
