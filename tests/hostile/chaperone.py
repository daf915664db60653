"""Runs a command, and says who was still there when it had ended.

    python chaperone.py PATIENCE COMMAND…   →   one line of JSON

Whoever loses its parent comes to this process, however it has hidden: no descendant is overlooked.
"""

import ctypes
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

SUBREAPER = 36  # of prctl(2)
GRACE = 3.0  # seconds in which those who are told to end may do so


def children(parent: int) -> list[int]:
    found = []
    with suppress(OSError):  # it has ended, or a thread of it has, while one looks
        for task in os.listdir(f"/proc/{parent}/task"):
            with suppress(OSError):
                listed = Path(f"/proc/{parent}/task/{task}/children").read_text()
                found += map(int, listed.split())
    return found


def household(parent: int) -> list[int]:
    return [one for child in children(parent) for one in (child, *household(child))]


def command_of(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().replace(b"\0", b" ").decode()[:200]
    except OSError:
        return ""


def fair_share(process: int) -> int:
    """KB that a process holds, with its part of what it shares: copies of a fork share most."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:  # it has ended, or is about to
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


def reaped() -> None:
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def main(patience: float, command: list[str]) -> dict:
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    start = time.monotonic()
    said = {"hung": False, "most": 0}  # MB that all held together, when they held the most
    with subprocess.Popen(command, stdout=sys.stderr) as process:
        while process.poll() is None and not said["hung"]:
            said["most"] = max(said["most"], sum(map(fair_share, household(os.getpid()))) >> 10)
            said["hung"] = time.monotonic() > start + patience
            time.sleep(0.2)
        process.kill()
        said["exit"] = process.wait()
    said["seconds"] = round(time.monotonic() - start, 1)
    end = time.monotonic() + GRACE
    while (left := household(os.getpid())) and time.monotonic() < end:
        reaped()
        time.sleep(0.05)
    said["left"] = [f"{one}: {command_of(one)}" for one in left]
    for one in left:
        os.kill(one, signal.SIGKILL)
    time.sleep(0.1 if left else 0)
    reaped()
    return said


if __name__ == "__main__":
    print(json.dumps(main(float(sys.argv[1]), sys.argv[2:])))
