"""Time two programs fairly: in turns, in one process, on the same data.

    ratio = median(peer's seconds) / median(our seconds)

A machine is faster in one minute than in the next, and no absolute time means much. But if all
programs take turns, each of them meets every mood of the machine, and their ratio stays.
Seconds are of CPU time, so that other programs' turns are not counted.
"""

import argparse
import ctypes
import hashlib
import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import median

import numpy as np


@dataclass
class Row:
    """One claim: how many times as fast as the peer, where the goal is that many times."""

    what: str
    peer: str
    goal: float
    ours_seconds: list[float]
    peer_seconds: list[float]
    agreement: str  # what was compared of the two answers, and how near they are
    inputs: str = ""  # the hash of the data that both were given

    @property
    def ratio(self) -> float:
        return median(self.peer_seconds) / median(self.ours_seconds)

    @property
    def holds(self) -> bool:
        return self.ratio >= self.goal

    def as_json(self) -> dict:
        return asdict(self) | {"ratio": round(self.ratio, 2), "holds": self.holds}


def interleaved(programs: dict[str, Callable], repeats: int) -> dict[str, list[float]]:
    """Every program's seconds in each of the rounds; a first round warms up and is not counted.

    >>> seconds = interleaved({"sum": lambda: sum(range(9)), "nothing": lambda: None}, repeats=3)
    >>> [len(rounds) for rounds in seconds.values()]
    [3, 3]
    """
    seconds = {name: [] for name in programs}
    for turn in range(repeats + 1):
        for name, program in programs.items():
            start = time.process_time()
            program()
            if turn:
                seconds[name].append(round(time.process_time() - start, 6))
    return seconds


def keep_memory() -> None:
    """Freed memory stays with the process: a large array does not ask the system for pages anew.

    Asking may cost more than what is computed, differs from one machine to the next, and hits all
    programs alike. Where the C library is not GNU's, nothing happens.
    """
    adjust = getattr(ctypes.CDLL(None), "mallopt", None)
    if adjust:
        for setting, value in ((-1, 2**31 - 1), (-2, 2**28), (-3, 2**30)):  # trim, pad, map
            adjust(setting, value)


def fingerprint(*arrays: np.ndarray) -> str:
    """The SHA-256 of the arrays' bytes: two runs on the same data show the same one."""
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def main(rows: Callable[[], list[Row]]) -> None:
    """Print a benchmark's rows: as JSON for the runner, as lines for a reader."""
    parser = argparse.ArgumentParser(description=sys.modules["__main__"].__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="one line, for python -m benchmarks")
    if parser.parse_args().json:
        print(json.dumps([row.as_json() for row in rows()]))
        return
    for row in rows():
        print(f"{row.what}: {row.ratio:.2f} × {row.peer} (goal {row.goal}); {row.agreement}")
