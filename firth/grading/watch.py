"""A look, every tenth of a second, at all that a submission holds: limits of one do not add up.

    memory of the household − memory of the empty house  ≤  what a submission may have
    the same for its processes, and for the disk where the sandbox has no limit of its own

The watch stands outside the sandbox and reads what the system says of the processes inside.
"""

import os
import resource
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread

from firth.grading.walls import DISK, FILES, MB, PROCESSES

PAUSE = 0.1  # seconds between two looks
GUARDS = 4  # processes of the sandbox's own, around those of a submission


def household(parent: int) -> Iterator[int]:
    """A process and all that descend from it."""
    yield parent
    for listed in Path(f"/proc/{parent}/task").glob("*/children"):
        try:
            children = listed.read_text().split()
        except OSError:  # it has ended in the meantime
            continue
        for child in children:
            yield from household(int(child))


def resident(process: int) -> tuple[int, int]:
    """Bytes that a process holds, and how many of them it may share; 0 if it has ended."""
    try:
        _, held, shared, *_ = Path(f"/proc/{process}/statm").read_text().split()
    except (OSError, ValueError):
        return 0, 0
    page = resource.getpagesize()
    return int(held) * page, int(shared) * page


def proportional(process: int) -> int:
    """Bytes that a process holds, with a fair part of what it shares."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:  # it has ended, or it is not ours to look into
        held, shared = resident(process)
        return held - shared
    return sum(int(line.split()[1]) << 10 for line in lines if line.startswith("Pss:"))


def too_large(folder: str) -> bool:
    """Whether a folder holds more than a submission may write.

    >>> too_large("/no such folder")
    False
    """
    size = files = 0
    for place, folders, names in os.walk(folder):
        for name in names:
            try:
                size += os.lstat(os.path.join(place, name)).st_blocks * 512
            except OSError:
                continue
        files += len(names) + len(folders)
        if size > DISK * MB or files > FILES:
            return True
    return False


class Watch(Thread):
    """Calls `enough` with what there is too much of: memory, processes or disk."""

    def __init__(self, house: int, folder: str, enough: Callable[[str], None]):
        super().__init__(daemon=True, name="watch")
        self.house, self.folder, self.enough = house, folder, enough
        inside = list(household(house))
        self.empty = len(inside), sum(map(proportional, inside))
        self.memory = 0  # bytes that a submission may hold; 0 while nobody is inside
        self.over = Event()

    def look(self) -> str:
        """What there is too much of, or nothing."""
        processes, held = self.empty
        inside = list(household(self.house))
        if len(inside) - processes > PROCESSES + GUARDS:
            return "processes"
        if sum(resident(process)[0] for process in inside) - held > self.memory and (
            sum(map(proportional, inside)) - held > self.memory
        ):
            return "memory"
        return "disk" if self.folder and too_large(self.folder) else ""

    def run(self) -> None:
        while not self.over.wait(PAUSE):
            if self.memory and (why := self.look()):
                self.enough(why)
