"""What `import firth.lsa.lsa` costs in a fresh process, beside importing a library for the same."""

import subprocess
import sys
from statistics import median

from benchmarks.timing import Row, main

TIMED = "import time; t = time.process_time(); import {}; print(time.process_time() - t)"


def import_seconds(module: str) -> float:
    """CPU seconds of one import, in a new interpreter."""
    run = [sys.executable, "-c", TIMED.format(module)]
    return round(float(subprocess.run(run, capture_output=True, text=True, check=True).stdout), 6)


SMALL = {"repeats": 2}  # what a test runs


def rows(repeats: int = 9) -> list[Row]:
    modules = ["firth.lsa.lsa", "sklearn.decomposition", "gensim.models"]
    seconds = {module: [] for module in modules}
    for turn in range(repeats + 1):
        for module in modules:
            cost = import_seconds(module)
            if turn:  # the first round fills the caches
                seconds[module].append(cost)
    ours = seconds["firth.lsa.lsa"]
    agreement = f"{median(ours):.2f} s of CPU time, to stay under 0.15"
    return [
        Row("import firth.lsa.lsa", peer, 3, ours, seconds[peer], agreement) for peer in modules[1:]
    ]


if __name__ == "__main__":
    main(rows)
