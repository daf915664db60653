"""The warm house: loads what answers need once, and opens its door to one submission at a time.

    {"open": …} and a socket  →  walls, a guard, a player that talks through the socket
    {"close": true}           →  nobody is left in there;  {"cpu": seconds, "why": "" or "memory" …}

While a submission is inside, the house looks every tenth of a second at how much memory and disk
its processes hold together: limits of single processes do not add up.
"""

import json
import os
import resource
import select
import shutil
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

from firth.grading import walls
from firth.grading.wire import sent

PAUSE = 0.1  # seconds between two looks
PATIENCE = 5.0  # seconds for the guard to leave; then it is killed, and with it all the others


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


def resident(process: int) -> int:
    """Bytes that a process holds, what it shares with others included; 0 if it has ended."""
    try:
        pages = Path(f"/proc/{process}/statm").read_text().split()[1]
    except (OSError, IndexError):
        return 0
    return int(pages) * resource.getpagesize()


def proportional(process: int) -> int:
    """Bytes that a process holds, a fair part of what is shared; 0 if it has ended."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) << 10 for line in lines if line.startswith("Pss:"))


def too_large(folder: str) -> bool:
    """Whether a folder holds more than a submission may write; false where it has its own disk."""
    size = files = 0
    for place, folders, names in os.walk(folder):
        for name in names:
            try:
                size += os.lstat(os.path.join(place, name)).st_blocks * 512
            except OSError:
                continue
        files += len(names) + len(folders)
        if size > walls.DISK * walls.MB or files > walls.FILES:
            return True
    return False


def emptied(folder: str) -> None:
    """Removes a folder, however a student has locked or nested it."""
    try:
        shutil.rmtree(folder)
    except (OSError, RecursionError):
        for command in (["chmod", "-R", "u+rwX", folder], ["rm", "-rf", folder]):
            subprocess.run(command, stderr=subprocess.DEVNULL)


class House:
    """Holds the door: at most one submission is inside."""

    def __init__(self, control: socket.socket, sandbox: str, folder: str, readable: list):
        self.control, self.sandbox = control, sandbox
        self.folder, self.readable = folder, tuple(readable)
        self.number = 0
        self.process: int | None = None
        self.leash: int | None = None
        self.why, self.place, self.memory = "", folder, 0

    def open(self, order: dict, channel: socket.socket, play: Callable) -> None:
        """Forks the guard of a submission; `play` runs in the player, with the channel."""
        self.close()
        self.number += 1
        self.why, self.memory = "", order["memory"] * walls.MB
        if self.sandbox != "bubblewrap":  # there the folder is new for each
            self.place = f"{self.folder}/{self.number}"
            os.mkdir(self.place, 0o700)
        leash, self.leash = os.pipe()
        self.process = os.fork()
        if self.process != 0:
            os.close(leash)
            channel.close()
            return
        os.close(self.leash)
        self.control.close()
        try:
            room = walls.ROOMS[self.sandbox](self.place, self.readable)
            room.guarded(leash, channel, (order["memory"], order["seconds"]), play)
        except BaseException as error:
            sent(channel, {"no wall": f"{type(error).__name__}: {error}"})
        os._exit(0)

    def let_go(self) -> None:
        """Lets go of the leash: the guard sees to it that nobody is left in there."""
        if self.leash is not None:
            os.close(self.leash)
            self.leash = None

    def close(self) -> float:
        """Lets go of the leash, waits until nobody is left, and returns the CPU time they took."""
        if self.process is None:
            return 0.0
        self.let_go()
        with open(os.pidfd_open(self.process)) as ended:
            if not select.select([ended], [], [], PATIENCE)[0]:
                os.kill(self.process, signal.SIGKILL)
        used = os.wait4(self.process, 0)[2]
        self.process = None
        if self.place != self.folder:
            emptied(self.place)
        return used.ru_utime + used.ru_stime

    def look(self) -> None:
        """Ends a submission whose processes hold too much together."""
        inside = list(household(self.process))
        if sum(map(resident, inside)) > self.memory and (
            sum(map(proportional, inside)) > self.memory
        ):
            self.why = "memory"
        elif too_large(self.place):
            self.why = "disk"
        if self.why:
            self.let_go()

    def serve(self, play: Callable) -> None:
        """Keeps the door until whoever opened the house has gone."""
        while True:
            waiting = PAUSE if self.process and not self.why else None
            if not select.select([self.control], [], [], waiting)[0]:
                self.look()
                continue
            text, (*doors,), _, _ = socket.recv_fds(self.control, 1 << 16, 1)
            if not text:
                self.close()
                return
            order = json.loads(text)
            if "open" in order:
                self.open(order["open"], socket.socket(fileno=doors[0]), play)
            else:
                cpu = self.close()
                self.control.send(json.dumps({"cpu": cpu, "why": self.why}).encode())
