"""Run every benchmark, print one table, and store it with every repeat in results.json.

    python -m benchmarks            all of them
    python -m benchmarks import     those whose name has "import" in it; prints, stores nothing

A claim that fails is marked and makes the command fail, after all have run.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

from experiments.conditions import conditions

HERE = Path(__file__).parent
SCRIPTS = sorted(HERE.glob("bench_*.py"))


def rows_of(script: Path) -> list[dict]:
    """A benchmark's rows, measured in a process of its own."""
    run = [sys.executable, "-m", f"benchmarks.{script.stem}", "--json"]
    done = subprocess.run(run, cwd=HERE.parent, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def line(row: dict) -> str:
    """A row of the printed table."""
    verdict = "yes" if row["holds"] else "NO"
    ratio = f"{row['ratio']:.1f} ×" if row["ratio"] < 100 else f"{row['ratio']:.0f} ×"
    cells = [f"{row['what']:<44}", f"{row['peer']:<26}", f"{ratio:>7}", f"≥ {row['goal']:<5g}"]
    return " │ ".join([*cells, f"{verdict:<5}", row["agreement"]])


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0], prog="python -m benchmarks"
    )
    about = "only those whose name has this in it, and store nothing: bench_lsa_svd, or lsa"
    parser.add_argument("name", nargs="?", default="", help=about)
    wanted = parser.parse_args().name
    if not any(wanted in script.stem for script in SCRIPTS):
        parser.error(
            f"no benchmark has {wanted!r} in its name: {', '.join(s.stem for s in SCRIPTS)}"
        )
    print(f"{'what':<44} │ {'peer':<26} │ {'ratio':>7} │ {'goal':<7} │ holds │ the two answers")
    rows = []
    for script in SCRIPTS:
        if wanted in script.stem:
            for row in rows_of(script):
                print(line(row), flush=True)
                rows.append(row)
    if not wanted:
        text = json.dumps(conditions() | {"rows": rows}, indent=1, ensure_ascii=False)
        (HERE / "results.json").write_text(text + "\n", encoding="utf-8")
    return 0 if rows and all(row["holds"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
