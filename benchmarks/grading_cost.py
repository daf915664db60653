"""The CPU seconds of a command and of everything it starts, however that ends.

    counted   by a control group of its own, where one may be made (as root)
    clocked   by a clock of the kernel's that children inherit; some 8 % less, where many fork
    waited    of those that somebody waited for, which is what `time` would say

A grader that starts sandboxes, kernels and forks hides most of its cost from whoever measures one
process; and when a sandbox is torn down, nobody waits for those inside, so that `waited` misses
half. Every command of a benchmark is measured in the same way, the first of the three that works.
The measuring process adopts orphans, so that what does not end is found out. Linux alone has this.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
GROUPS = (Path("/sys/fs/cgroup/cpuacct"), Path("/sys/fs/cgroup"))  # of the old kind, of the new
MEASURING = """
import ctypes, json, os, platform, resource, signal, struct, sys, time
log, group, *command = sys.argv[1:]
libc = ctypes.CDLL(None)
libc.prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
if group:
    with open(f"{group}/cgroup.procs", "w") as members:
        members.write(str(os.getpid()))
call = {"x86_64": 298, "aarch64": 241}[platform.machine()]
inherited, without_kernel = 1 << 1, 1 << 5  # the clock runs there too, but no leave is needed
about = struct.pack("IIQQQQQ", 1, 112, 1, 0, 0, 0, inherited | without_kernel)
clock = libc.syscall(call, about.ljust(112, bytes(1)), 0, -1, -1, 0)
begin = time.perf_counter()
with open(log, "wb") as out:
    files = [(os.POSIX_SPAWN_DUP2, out.fileno(), number) for number in (1, 2)]
    first = os.posix_spawnp(command[0], command, os.environ, file_actions=files)
codes = {}
while True:
    try:
        pid, status = os.waitpid(-1, 0)
    except ChildProcessError:
        break
    codes[pid] = os.waitstatus_to_exitcode(status)
    if pid == first:
        wall = time.perf_counter() - begin
        signal.alarm(20)  # what has not ended by then was left running, and that is an error
used = resource.getrusage(resource.RUSAGE_CHILDREN)
waited = used.ru_utime + used.ru_stime
clocked = struct.unpack("Q", os.read(clock, 8))[0] / 1e9 if clock >= 0 else 0.0
print(json.dumps({"wall": wall, "waited": waited, "clocked": clocked, "code": codes[first]}))
"""


@dataclass(frozen=True)
class Cost:
    """What a command took: seconds by the clock, CPU seconds of all its processes."""

    wall: float
    cpu: float
    code: int


@contextmanager
def group() -> Iterator[Path | None]:
    """A control group for one command, or None where that is not allowed."""
    for above in GROUPS:
        made = above / f"bench-{os.getpid()}"
        if (above / "cgroup.procs").exists():
            try:
                made.mkdir(exist_ok=True)
            except OSError:
                continue
            try:
                yield made
            finally:
                with suppress(OSError):
                    made.rmdir()
            return
    yield None


def counted(made: Path) -> float:
    """The CPU seconds of all that has been in a control group."""
    if (made / "cpuacct.usage").exists():
        return int((made / "cpuacct.usage").read_text()) / 1e9
    words = (made / "cpu.stat").read_text().split()
    return int(words[words.index("usage_usec") + 1]) / 1e6


def cost(command: list, log: Path, environment: dict[str, str] | None = None) -> Cost:
    """Runs a command to its end, with what it prints in a file.

    >>> from tempfile import TemporaryDirectory
    >>> spin = "import time\\nwhile time.process_time() < 0.2: pass"
    >>> with TemporaryDirectory() as folder:
    ...     spun = cost([sys.executable, "-c", spin], Path(folder) / "log")
    >>> 0.2 <= spun.cpu < 2
    True
    """
    with group() as made:
        run = [sys.executable, "-S", "-c", MEASURING, str(log), str(made or ""), *map(str, command)]
        done = subprocess.run(run, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=environment)
        cpu = counted(made) if made else 0.0
    if done.returncode:
        raise RuntimeError(f"{command[:4]} left processes running, or was killed: see {log}")
    said = json.loads(done.stdout)
    if said["code"]:
        tail = log.read_text(encoding="utf-8", errors="replace")[-2000:]
        raise RuntimeError(f"{command[:4]} ended with {said['code']}:\n{tail}")
    return Cost(said["wall"], cpu or max(said["clocked"], said["waited"]), said["code"])
