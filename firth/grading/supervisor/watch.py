"""A look, every tenth of a second, at all that a submission holds: limits of one do not add up.

    memory of the household − memory of the empty house  ≤  what a submission may have, and a fifth
    the same for its processes, and for the disk where the sandbox has no limit of its own

The watch stands outside the sandbox and reads what the system says of the processes inside.
"""

import os
import resource
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from threading import Event, Thread

from firth.grading.limits import DISK, FILES, MB, PROCESSES

PAUSE = 0.1  # seconds between two looks
GUARDS = 4  # processes of the sandbox's own, around those of a submission


def household(parent: int) -> Iterator[int]:
    """A process and all that descend from it; whoever ends in the meantime has no children."""
    found = [parent]
    for process in found:  # grows on the way: a family may be deeper than Python can call
        yield process
        with suppress(OSError):
            for thread in os.listdir(f"/proc/{process}/task"):
                with suppress(OSError):
                    listed = Path(f"/proc/{process}/task/{thread}/children").read_text()
                    found += map(int, listed.split())


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


def too_large(folder: str, processes: Iterable[int] = ()) -> bool:
    """Whether more is written in a folder than a submission may write.

    What has no name any more, but is still open in one of the processes, takes room as well.

    >>> too_large("/no such folder")
    False
    """
    size = files = 0
    with suppress(OSError):  # it has been emptied in the meantime
        for _, folders, names, here in os.fwalk(folder):  # step by step: no path is too long
            for name in names:
                with suppress(OSError):
                    size += os.stat(name, dir_fd=here, follow_symlinks=False).st_blocks * 512
            files += len(names) + len(folders)
            if size > DISK * MB or files > FILES:
                return True
    return size + unnamed(folder, processes) > DISK * MB


def unnamed(folder: str, processes: Iterable[int]) -> int:
    """Bytes of the files that are open in some processes and in no folder of this disk."""
    found: dict[int, int] = {}
    with suppress(OSError):
        disk = os.stat(folder).st_dev
        for process in processes:
            with suppress(OSError):  # it has ended in the meantime
                for opened in os.listdir(f"/proc/{process}/fd"):
                    with suppress(OSError):
                        status = os.stat(f"/proc/{process}/fd/{opened}")
                        if status.st_nlink == 0 and status.st_dev == disk:
                            found[status.st_ino] = status.st_blocks * 512
    return sum(found.values())


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
        processes, empty = self.empty
        most = processes + PROCESSES + GUARDS
        inside = list(islice(household(self.house), most + 1))  # those who fork faster never end
        if len(inside) > most:
            return "processes"
        at_most = sum(resident(process)[0] for process in inside) - empty
        if at_most > self.memory and self.held(inside) > self.memory:
            return "memory"
        return "disk" if self.folder and too_large(self.folder, inside) else ""

    def held(self, inside: list[int]) -> int:
        """Bytes that these processes hold together, beside what the empty house does."""
        return sum(map(proportional, inside)) - self.empty[1]

    def run(self) -> None:
        while not self.over.wait(PAUSE):
            if self.memory and (why := self.look()):
                self.enough(why)
