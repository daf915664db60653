"""Write reference/timings.md from what benchmarks/ measured and stored.

python tools/timings.py
"""

import argparse
import json
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "reference" / "timings.md"
OPENING = """# Running times

Two questions: how long does a notebook run, and is the code that you read here fast enough to be
used? Both are measured by scripts of the course, on one machine, and stored with every repeat;
`make bench` measures again on yours. A time says little about another machine. A ratio of two,
measured in turns in one process, says more: of the two middle times, and in brackets the least and
the greatest of the turns.
"""


def stored(path: str) -> dict:
    return json.loads((ROOT / path).read_text(encoding="utf-8"))


def table(header: list[str], rows: list[list]) -> str:
    """A Markdown table.

    >>> print(table(["a", "b"], [[1, 2]]))
    | a | b |
    |---|---|
    | 1 | 2 |
    """
    lines = ["| " + " | ".join(map(str, line)) + " |" for line in (header, *rows)]
    return "\n".join([lines[0], "|---" * len(header) + "|", *lines[1:]])


def machine(measured: dict) -> str:
    """One sentence on where and with what something was measured."""
    where, versions = measured["machine"], measured["versions"]
    libraries = ", ".join(f"{name} {version}" for name, version in versions.items())
    return (
        f"Measured on {where['cores']} cores ({where['processor']}, {where['system']}) "
        f"with {libraries}, by `{measured['command']}`."
    )


def spread(values: list[float]) -> str:
    """The middle of several measurements, and how far they lie apart.

    >>> spread([12.0, 10.0, 11.25]), spread([1100, 1077, 1077])
    ('11.25 (10–12)', '1077 (1077–1100)')
    """
    return f"{median(values):.4g} ({min(values):.4g}–{max(values):.4g})"


def ratio(row: dict) -> str:
    """How many times as fast, and between which two turns; a fixed peer has only one.

    >>> ratio({"ratio": 2.0, "ours_seconds": [1.0, 2.0], "peer_seconds": [3.0, 3.0]})
    '2 (1.5–3)'
    """
    turns = [
        peer / ours for ours, peer in zip(row["ours_seconds"], row["peer_seconds"], strict=False)
    ]
    found = f"{row['ratio']:.3g}"
    return f"{found} ({min(turns):.3g}–{max(turns):.3g})" if len(turns) > 1 else found


def page() -> str:
    times, speeds = stored("experiments/running_times.json"), stored("benchmarks/results.json")
    notebooks = [
        [
            f"`{row['notebook']}`",
            spread([run["seconds"] for run in row["repeats"]]),
            spread([run["megabytes"] for run in row["repeats"]]),
        ]
        for row in times["rows"]
    ]
    claims = [
        [row["what"], row["peer"], ratio(row), f"{row['goal']:g}", row["agreement"]]
        for row in speeds["rows"]
    ]
    return "\n".join(
        [
            OPENING,
            "## Notebooks\n",
            table(["notebook", "seconds", "memory, MB"], notebooks),
            "\nThe middle of three runs, and the range; data had been fetched before. "
            "Binder gives 2,048 MB.",
            f"\n{machine(times)}\n",
            "## Beside what you would use instead\n",
            table(["what", "instead of", "times as fast", "goal", "the two answers"], claims),
            "\nFor skip-gram the correlation with WordSim-353 may be at most 0.02 below gensim's. "
            "For CBOW no such bound is kept, and it is lower here.",
            f"\n{machine(speeds)}\n",
        ]
    )


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    PAGE.write_text(page(), encoding="utf-8")
