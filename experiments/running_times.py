"""How long each notebook runs and how much memory it takes, stored in running_times.json.

    python -m experiments.running_times          all of them
    python -m experiments.running_times 06 07    those of these chapters; the others stay as stored

Each notebook runs three times in a process of its own, with data already fetched; every repeat is
stored. Memory is the largest resident set of that process.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path

from experiments.conditions import conditions

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


def row(notebook: Path) -> dict:
    """A notebook's repeats, one after the other."""
    name, script, repeats = f"{notebook.parent.name}/{notebook.stem}", cells(notebook), []
    for n in range(REPEATS):
        repeats.append(measured(script))
        print(f"{name}: run {n + 1} of {REPEATS}", repeats[-1], flush=True)
    return {"notebook": name, "code": sha256(script.encode()).hexdigest(), "repeats": repeats}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("chapters", nargs="*", help="numbers as in the names: 06 07")
    chosen = tuple(parser.parse_args().chapters)
    stored = json.loads(FILE.read_text(encoding="utf-8")) if chosen else {"rows": []}
    known = {row["notebook"]: row for row in stored["rows"]}
    for folder in ("chapters", "solutions"):
        for notebook in sorted((ROOT / folder).glob("*.ipynb")):
            if notebook.name.startswith(chosen or notebook.name):
                made = row(notebook)
                known[made["notebook"]] = made
    rows = [known[name] for name in sorted(known)]
    stored = conditions() | {"command": "python -m experiments.running_times", "rows": rows}
    FILE.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
