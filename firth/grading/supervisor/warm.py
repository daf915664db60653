"""A house that is kept warm from one submission to the next, seen from outside its sandbox.

Warm(sandbox, modules)   starts it;  open → a submission is inside;  close → nobody is
working()                the best sandbox that works on this machine, tried out once
"""

import json
import shutil
import socket
import subprocess
from contextlib import suppress

from firth.grading import wire
from firth.grading.supervisor import sandbox
from firth.grading.supervisor.watch import Watch, household

REPLY = 10.0  # seconds for what runs nothing of a student's
START = 120.0  # seconds for a house to load what it needs, and for a submission to move in
SPARE = 1.2  # of one's memory for all together: a process that eats it meets its own limit first


class Warm:
    """A house with its door open to one submission after another."""

    def __init__(self, kind: str, modules: list[str]):
        self.kind = kind
        self.number = 0  # of the submission inside
        self.watch: Watch | None = None
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self.process, self.folder = sandbox.started(kind, theirs, modules)
        try:
            self.heard(START)
        except wire.Ended:
            said = self.closed()
            raise sandbox.NoSandbox(f"{kind} does not work here: {said or 'it ended'}") from None
        self.watch = Watch(self.process.pid, self.folder, self.enough)
        self.watch.start()

    def enough(self, why: str) -> None:
        """Ends the submission that is inside, from another thread: it takes too much."""
        order = {"enough": why, "number": self.number}
        with suppress(OSError):  # the house has ended: whoever talks to it will notice
            self.control.send(json.dumps(order).encode())

    def held(self) -> int:
        """Bytes of memory that the submission inside holds."""
        return self.watch.held(list(household(self.process.pid)))

    def heard(self, patience: float) -> dict:
        """What the house says next; it says it soon, or it is not to be relied on."""
        self.control.settimeout(patience)
        try:
            return json.loads(self.control.recv(1 << 16))
        except (OSError, ValueError):
            raise wire.Ended("the house has ended") from None

    def open(self, memory: int, seconds: int) -> socket.socket:
        """A submission's place in the house, as a socket to talk with its player."""
        ours, theirs = socket.socketpair()
        order = {"open": {"memory": memory, "seconds": seconds}}
        with theirs:
            try:
                socket.send_fds(self.control, [json.dumps(order).encode()], [theirs.fileno()])
            except OSError:
                raise wire.Ended("the house has ended") from None
        self.number += 1
        self.watch.memory = int(SPARE * memory) << 20
        return ours

    def close(self) -> tuple[float, str]:
        """Nobody is left inside; returns the CPU seconds used, and why it was ended if it was."""
        self.watch.memory = 0
        try:
            self.control.send(b'{"close": true}')
        except OSError:
            raise wire.Ended("the house has ended") from None
        said = self.heard(REPLY)
        return said["cpu"], said["why"]

    def closed(self) -> str:
        """Ends the house; returns the last line that it said."""
        if self.watch is not None:
            self.watch.over.set()
            self.watch.join()
        self.control.close()
        try:
            self.process.wait(REPLY)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        said = self.process.stderr.read(1 << 16).decode("utf-8", "replace").strip()
        self.process.stderr.close()
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)
        return said.splitlines()[-1] if said else ""
