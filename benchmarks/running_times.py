"""How long each notebook runs and how much memory it takes, stored in running_times.json.

python -m benchmarks.running_times

Each notebook runs three times in a process of its own, with data already fetched; every repeat is
stored. Memory is the largest resident set of that process.
"""

import json
import os
import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path

from benchmarks.__main__ import conditions

ROOT = Path(__file__).parent.parent
FILE = Path(__file__).parent / "running_times.json"
REPEATS = 3


def cells(notebook: Path) -> str:
    """The notebook's code as one script, in its order, without what only a notebook understands."""
    sources = (
        "".join(cell["source"])
        for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]
        if cell["cell_type"] == "code" and "%pip" not in "".join(cell["source"])
    )
    return "\n".join(sources)


def measured(script: str) -> dict:
    """Seconds and megabytes of one run."""
    run = [sys.executable, "-c", script]
    begin = time.perf_counter()
    with subprocess.Popen(run, cwd=ROOT, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"A notebook's code failed as a script ({process.returncode}).")
    seconds = time.perf_counter() - begin
    return {"seconds": round(seconds, 1), "megabytes": round(usage.ru_maxrss / 1024)}


def main() -> None:
    rows = []
    for folder in ("chapters", "solutions"):
        for notebook in sorted((ROOT / folder).glob("*.ipynb")):
            script = cells(notebook)
            repeats = []
            for n in range(REPEATS):
                repeats.append(measured(script))
                print(
                    f"{folder}/{notebook.stem}: run {n + 1} of {REPEATS}", repeats[-1], flush=True
                )
            rows.append(
                {
                    "notebook": f"{folder}/{notebook.stem}",
                    "code": sha256(script.encode()).hexdigest(),
                    "repeats": repeats,
                }
            )
    stored = conditions() | {"command": "python -m benchmarks.running_times", "rows": rows}
    FILE.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
