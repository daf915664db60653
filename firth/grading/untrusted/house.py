"""The warm house: loads what answers need once, and opens its door to one submission at a time.

{"open": …} and a socket       →  walls, a guard, a player that talks through the socket
{"enough": why, "number": n}   →  submission n is ended, for it takes too much of something
{"close": true}                →  nobody is left in there;  {"cpu": seconds, "why": why}
"""

import json
import os
import select
import shutil
import signal
import socket
import subprocess
from collections.abc import Callable
from contextlib import suppress

from firth.grading.untrusted import walls
from firth.grading.wire import sent

PATIENCE = 5.0  # seconds for the guard to leave; then it is left to its work


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
        self.why, self.place = "", folder

    def open(self, order: dict, channel: socket.socket, play: Callable) -> None:
        """Forks the guard of a submission; `play` runs in the player, with the channel."""
        self.close()
        self.number += 1
        self.why = ""
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
            sent(channel, {"no wall": f"{type(error).__name__}: {error}"}, None)
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

    def serve(self, play: Callable) -> None:
        """Keeps the door until whoever opened the house has gone."""
        while True:
            text, doors, _, _ = socket.recv_fds(self.control, 1 << 16, 1)
            if not text:
                self.close()
                if self.sandbox != "bubblewrap":
                    emptied(self.folder)
                    with suppress(OSError):  # in sandlock, its launcher removes the rest
                        os.rmdir(os.path.dirname(self.folder))
                return
            order = json.loads(text)
            if "open" in order:
                self.open(order["open"], socket.socket(fileno=doors[0]), play)
            elif "close" in order:
                cpu = self.close()
                self.control.send(json.dumps({"cpu": cpu, "why": self.why}).encode())
            elif order["number"] == self.number:
                self.why = order["enough"]
                self.let_go()
