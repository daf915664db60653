"""Write exercises/ from solutions/: the same notebooks, with the answers taken out.

An answer stands between two marks: in code `# BEGIN SOLUTION` and `# END SOLUTION`, in text
`<!-- BEGIN SOLUTION -->` and `<!-- END SOLUTION -->`. The blank notebook is executed like any
other, so that its page shows what will be asked of each answer.
"""

import argparse
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from canonical import canonical, parsed
from first_cell import with_setup
from notebooks import COURSE, Failure, refreshed, run, shown, write

CODE = re.compile(r"^( *)# BEGIN SOLUTION\n.*?^ *# END SOLUTION$", re.DOTALL | re.MULTILINE)
TEXT = re.compile(r"<!-- BEGIN SOLUTION -->.*?<!-- END SOLUTION -->", re.DOTALL)
MARK = re.compile(r"(BEGIN|END) SOLUTION")


class Unmarked(ValueError):
    """A solution whose marks do not pair up: what is taken out would not be the answer."""


def blanked(source: str, code: bool = True) -> str:
    r"""A cell's source with a blank in the place of each answer.

    >>> print(blanked("def f(n):\n    # BEGIN SOLUTION\n    return n + 1\n    # END SOLUTION"))
    def f(n):
        raise NotImplementedError("write me")
    >>> blanked("<!-- BEGIN SOLUTION -->Because.<!-- END SOLUTION -->", code=False)
    '*Write your answer here.*'
    """
    if code:
        source = CODE.sub(r'\1raise NotImplementedError("write me")', source)
    else:
        source = TEXT.sub("*Write your answer here.*", source)
    if MARK.search(source):
        raise Unmarked(f"BEGIN SOLUTION and END SOLUTION do not pair up in:\n{source}")
    return source


def exercise(solution: Path) -> str:
    """The blank notebook, not yet executed, in canonical form."""
    notebook = with_setup(parsed(solution.read_text(encoding="utf-8")))
    notebook["metadata"] = {}
    for cell in notebook["cells"]:
        code = cell["cell_type"] == "code"
        cell["source"] = blanked(cell["source"], code)
        if code:
            cell.update(outputs=[], execution_count=None)
    return canonical(json.dumps(notebook))


def sources(text: str) -> list[tuple[str, str, dict]]:
    """What of a notebook is written by hand: all but ids and outputs."""
    cells = parsed(text)["cells"]
    return [(cell["cell_type"], cell["source"], cell["metadata"]) for cell in cells]


def is_derived(solution: Path, path: Path) -> bool:
    """Whether an exercise is what its solution says it is."""
    return path.exists() and sources(path.read_text(encoding="utf-8")) == sources(
        exercise(solution)
    )


def derive(solution: Path, path: Path, executed: Callable[[Path], str] = refreshed) -> None:
    """Writes the exercise, executed from end to end; all of it, or nothing.

    Unless `executed` runs every notebook, an exercise keeps its outputs while its code is the same.
    """
    path.parent.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        draft = Path(folder) / path.name
        old = path.read_text(encoding="utf-8") if path.exists() else None
        blank = exercise(solution)
        write(draft, with_outputs(blank, old) if old else blank)
        write(path, executed(draft))


def with_outputs(blank: str, old: str) -> str:
    """The blank notebook with the outputs, widgets and proof of its old version."""
    notebook, ran = parsed(blank), parsed(old)
    notebook["metadata"] = ran["metadata"]
    both = ([c for c in book["cells"] if c["cell_type"] == "code"] for book in (notebook, ran))
    for cell, before in zip(*both, strict=False):
        cell.update(outputs=before["outputs"], execution_count=before["execution_count"])
    return json.dumps(notebook)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("solution", nargs="*", type=Path, help="default: all that have changed")
    parser.add_argument("--check", action="store_true", help="write nothing, say which are stale")
    parser.add_argument("--all", action="store_true", help="also those that have not changed")
    arguments = parser.parse_args()
    problems = []
    for solution in arguments.solution or sorted((COURSE / "solutions").glob("*.ipynb")):
        path = solution.parent.parent / "exercises" / solution.name
        try:
            if is_derived(solution, path) and not arguments.all:
                continue
            if arguments.check:
                problems.append(f"{shown(path)} is not its solution's blank: run make exercises.")
            else:
                derive(solution, path, run if arguments.all else refreshed)
        except (Failure, Unmarked) as problem:
            problems.append(f"{shown(solution)}: {problem}")
    left = set() if arguments.solution else orphans(COURSE)
    problems += [f"{shown(path)} has no solution: remove it or write one." for path in left]
    sys.exit("\n\n".join(problems) or 0)


def orphans(root: Path) -> set[Path]:
    """Exercises that no solution stands behind."""
    kept = {path.name for path in (root / "solutions").glob("*.ipynb")}
    return {path for path in (root / "exercises").glob("*.ipynb") if path.name not in kept}


if __name__ == "__main__":
    main()
