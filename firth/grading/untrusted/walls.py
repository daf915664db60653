"""The walls around one submission, put up by its own process before it reads a line of it.

    house → guard → player → whatever the player starts

The guard runs nothing of the student's. It waits until its leash is let go or the player has ended;
then nobody of its household is left. The player runs the cells; what it starts is shut in with it.
"""

import ctypes
import os
import resource
import select
import signal
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from socket import socket

from firth.grading.limits import DISK, FILES, MB, PROCESSES
from firth.grading.untrusted import calls

LIBC = ctypes.CDLL(None, use_errno=True)
NAMESPACES = 0x20000 | 0x4000000 | 0x8000000 | 0x10000000 | 0x20000000  # mount uts ipc user pid
NOSUID, NODEV, READ_ONLY = 2, 4, 1  # flags of mount(2)
DIE_WITH_PARENT, SET_DUMPABLE, DROP_BOUND, SUBREAPER, NO_NEW_PRIVILEGES = 1, 4, 24, 36, 38
CAPABILITIES = 0x20080522  # version 3 of capset(2)
NOBODY = 65_534
CHANCE = ("/dev/urandom", "/dev/zero")  # devices that libraries open


class NoWall(RuntimeError):
    """A wall could not be put up; nothing of the student's was run."""


def succeeded(result: int, what: str) -> None:
    if result != 0:
        raise NoWall(f"{what}: {os.strerror(ctypes.get_errno())}")


def prctl(option: int, argument: int = 0) -> int:
    return LIBC.prctl(option, ctypes.c_ulong(argument), 0, 0, 0)


def mount(place: str, options: str, flags: int = NOSUID | NODEV) -> None:
    """An empty file system in memory, over whatever was there."""
    target, data = place.encode(), options.encode()
    succeeded(LIBC.mount(b"tmpfs", target, b"tmpfs", ctypes.c_ulong(flags), data), f"mount {place}")


def without_powers() -> None:
    """No capability now, and none to be had: not by a program that has them either."""
    prctl(NO_NEW_PRIVILEGES, 1)
    number = 0
    while prctl(DROP_BOUND, number) == 0:
        number += 1
    header = (ctypes.c_uint32 * 2)(CAPABILITIES, 0)
    succeeded(LIBC.capset(header, (ctypes.c_uint32 * 6)()), "capset")


def limited(memory: int, seconds: int) -> None:
    """What one process may take; `memory` in MB, beside what it holds already."""
    held = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    for what, most in (
        (resource.RLIMIT_AS, held + memory * MB),
        (resource.RLIMIT_FSIZE, (DISK - 1) * MB),  # no file fills the disk: what follows has room
        (resource.RLIMIT_NOFILE, 256),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_STACK, 16 * MB),
        (resource.RLIMIT_CPU, seconds),
    ):
        hard = resource.getrlimit(what)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (most, most))


def nobody(readable: Iterable[str]) -> None:
    """Root stops being it, if others may read what is needed here.

    The kernel's limit on processes does not hold for root; where root must stay (a Python in
    root's own folder), the watch outside counts them alone.
    """
    folders = filter(os.path.isdir, readable)
    if os.getuid() == 0 and all(os.stat(folder).st_mode & 0o5 == 0o5 for folder in folders):
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        prctl(SET_DUMPABLE, 1)  # else /proc/self stays root's


@dataclass(frozen=True)
class Room:
    """Where a submission is played. This kind has no walls, only limits: it runs as you do."""

    folder: str  # to write in
    readable: tuple[str, ...]  # what may be read

    def apart(self) -> None:
        """Done before the guard is born."""

    def around(self) -> None:
        """Done in the guard."""
        prctl(SUBREAPER, 1)  # who loses its parent comes to the guard
        os.nice(10)  # whoever watches goes first

    def inside(self) -> None:
        """Done in the player."""

    def alone(self) -> None:
        """Kills all children, and those that come when their parents die, until none is left."""
        while True:
            for listed in Path("/proc/self/task").glob("*/children"):
                for child in listed.read_text().split():
                    os.kill(int(child), signal.SIGKILL)
            try:
                os.waitpid(-1, 0)
            except ChildProcessError:
                return

    def guarded(
        self, leash: int, channel: socket, limits: tuple[int, int], play: Callable[[socket], None]
    ) -> None:
        """Puts up the walls, plays inside them, and returns when nobody in there is left."""
        self.apart()
        if (guard := os.fork()) != 0:
            channel.close()
            os.waitpid(guard, 0)
            return
        os.setsid()  # it outlives its house for a moment: the leash ends, and it kills the others
        self.around()
        if (player := os.fork()) == 0:
            prctl(DIE_WITH_PARENT, signal.SIGKILL)
            os.close(leash)
            limited(*limits)
            self.inside()
            calls.forbid()
            os.chdir(self.folder)
            play(channel)
            os._exit(0)
        channel.close()
        with open(os.pidfd_open(player)) as ended:
            select.select([leash, ended], [], [])
        os.kill(player, signal.SIGKILL)
        os.waitpid(player, 0)
        self.alone()
        os._exit(0)


class Namespaces(Room):
    """Inside bubblewrap: users, processes, mounts and IPC of its own; its /tmp is its own."""

    def apart(self) -> None:
        user, group = os.getuid(), os.getgid()
        succeeded(LIBC.unshare(NAMESPACES), "unshare")
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")

    def around(self) -> None:
        os.nice(10)
        hidden = any(path.startswith("/tmp/") for path in self.readable)  # Python may live there
        for place in (self.folder, "/dev/shm", *(() if hidden else ("/tmp",))):
            mount(place, f"size={DISK}m,nr_inodes={FILES},mode=700")
        resource.setrlimit(resource.RLIMIT_NPROC, (PROCESSES, PROCESSES))

    def inside(self) -> None:
        # A nested namespace may not mount a /proc of its own: the old one is covered.
        mount("/proc", "size=4k,mode=555", NOSUID | NODEV | READ_ONLY)
        without_powers()

    def alone(self) -> None:
        """The guard is the first process of its namespace: nobody in there outlives it."""


class Landlock(Room):
    """Inside sandlock: one folder to write in, and no signal to anyone outside."""

    def around(self) -> None:
        super().around()
        house = os.getppid()
        self.inside()
        try:
            os.kill(house, 0)
        except PermissionError:
            return  # as it must be: a signal to everyone reaches the household alone
        raise NoWall("landlock: signals reach beyond the sandbox")

    def inside(self) -> None:
        from sandlock import Sandbox, confine  # only where it is the chosen sandbox

        readable, writable = [*self.readable, *CHANCE], [self.folder, "/dev/null"]
        confine(Sandbox(fs_readable=readable, fs_writable=writable))
        without_powers()

    def alone(self) -> None:
        """Kills everyone that a signal reaches, at one stroke: nobody can fork away from it."""
        while True:
            try:
                os.kill(-1, signal.SIGKILL)
                os.waitpid(-1, 0)
                while os.waitpid(-1, os.WNOHANG)[0]:  # all who have ended, before the next stroke
                    pass
            except (ChildProcessError, ProcessLookupError):
                return


ROOMS = {"bubblewrap": Namespaces, "sandlock": Landlock, "none": Room}
