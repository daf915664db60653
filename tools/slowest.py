"""Write the twenty slowest files of tests into CONTRIBUTING.md, from what was measured.

make times                  run all tests, store their seconds by file, write the table
python tools/slowest.py     write the table from what is stored
"""

import argparse
import re
import sys

from notebooks import COURSE, write

sys.path.append(str(COURSE / "tests"))
import times

PAGE = COURSE / "CONTRIBUTING.md"
MARKS = "<!-- slowest files: begin -->", "<!-- slowest files: end -->"


def table(stored: dict[str, dict[str, float]], length: int = 20) -> str:
    """The slowest files as a table, and what all files take together.

    >>> print(table({"a": {"day": 3.0}, "b": {"day": 1.5, "night": 4}, "c": {"day": 1}}, length=2))
    | file | by day, s | at night, s |
    |---|---|---|
    | `b` | 2 | 4 |
    | `a` | 3 | 0 |
    | all 3 files | 6 | 4 |
    """
    slowest = sorted(stored, key=lambda file: (-sum(stored[file].values()), file))[:length]
    rows = [(f"`{file}`", stored[file]) for file in slowest]
    whole = {
        time: sum(seconds.get(time, 0) for seconds in stored.values()) for time in ("day", "night")
    }
    rows.append((f"all {len(stored)} files", whole))
    lines = [
        f"| {name} | {row.get('day', 0):,.0f} | {row.get('night', 0):,.0f} |" for name, row in rows
    ]
    return "\n".join(["| file | by day, s | at night, s |", "|---|---|---|", *lines])


def page(text: str) -> str:
    """The page with the table between its two marks."""
    begin, end = MARKS
    new = f"{begin}\n{table(times.stored())}\n{end}"
    text, n = re.subn(f"{begin}.*?{end}", lambda _: new, text, flags=re.DOTALL)
    if n != 1:
        raise SystemExit(f"{PAGE.name} needs the lines {begin} and {end} once.")
    return text


def main() -> None:
    argparse.ArgumentParser(description=__doc__.partition("\n")[0]).parse_args()
    write(PAGE, page(PAGE.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
