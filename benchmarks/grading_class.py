"""A class of 1,000 on a local dask cluster, where a worker is killed, and then the command itself.

    two workers → a third graded: kill -9 one → two thirds: kill -9 the command → the command again

`python -m benchmarks.grading_class EXERCISE FOLDER [OPTION…]` grades FOLDER/submissions and writes
what became of them to FOLDER/became.json: whether each submission has one record in the end, and
how many of the records that were there when the command was killed have changed since.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from distributed import LocalCluster


def records(out: Path) -> dict[Path, str]:
    """The records that are there, as they are."""
    return {path: path.read_text(encoding="utf-8") for path in (out / "records").glob("*.json")}


def reaches(out: Path, count: int, command: subprocess.Popen, patience: float = 300) -> int:
    """Waits until so many are recorded, while the command runs; how many there are then."""
    end = time.monotonic() + patience
    while (there := sum(1 for _ in (out / "records").glob("*.json"))) < count:
        if command.poll() is not None or time.monotonic() > end:
            raise RuntimeError(f"{there} of {count} were recorded when it ended: {command.args}")
        time.sleep(0.02)
    return there


def told(exercise: str, folder: Path, options: list[str]) -> dict:
    """What became of a class through both kills."""
    out, n = folder / "grades", sum(1 for _ in (folder / "submissions").glob("*.ipynb"))
    begin = time.perf_counter()
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        run = [sys.executable, "-m", "firth", "grade", exercise, folder / "submissions"]
        run += ["--out", out, "--scheduler", cluster.scheduler_address, "--quiet", *options]
        first = subprocess.Popen(run)
        victim = cluster.workers[0].process.pid
        worker_after = reaches(out, n // 3, first)
        os.kill(victim, signal.SIGKILL)
        command_after = reaches(out, 2 * n // 3, first)
        first.kill()
        first.wait()
        before = records(out)
        again = subprocess.run(run)
    seconds = time.perf_counter() - begin
    after = records(out)
    graded = Counter(json.loads(text)["file"] for text in after.values())
    status = Counter(json.loads(text)["status"] for text in after.values())
    return {
        "seconds": seconds,
        "worker killed after": worker_after,
        "command killed after": command_after,
        "exit status": again.returncode,
        "records": len(after),
        "submissions": len(graded),
        "twice": sum(count > 1 for count in graded.values()),
        "changed": sum(after.get(path) != text for path, text in before.items()),
        "status": dict(status),
    }


if __name__ == "__main__":
    place = Path(sys.argv[2])
    became = told(sys.argv[1], place, sys.argv[3:])
    (place / "became.json").write_text(json.dumps(became), encoding="utf-8")
