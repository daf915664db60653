"""Execute notebooks and write them so that two runs give the same bytes: `make notebooks`.

Each notebook runs alone, from its own folder, in a fresh kernel of this environment. One in which
only prose has changed since its last run is not run again: `canonical.py` says how that is known.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from canonical import canonical, parsed, proven, sealed
from first_cell import with_setup
from jupyter_client import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbval.kernel import CURRENT_ENV_KERNEL_NAME, NbvalKernelspecManager

COURSE = Path(__file__).parent.parent
FOLDERS = ("chapters", "solutions", "exercises")


def is_canonical(path: Path) -> bool:
    """Whether a notebook is stored as executed from top to bottom and in canonical form."""
    text = path.read_text(encoding="utf-8")
    return text == canonical(text) and proven(text)


def installs_its_needs(text: str) -> bool:
    """Whether the first cell of a notebook installs what the other cells need."""
    return with_setup(parsed(text)) == parsed(text)


def refreshed(path: Path) -> str:
    """The notebook's canonical text: with the outputs it has while they are proven, else run."""
    text = canonical(path.read_text(encoding="utf-8"))
    if not (proven(text) and installs_its_needs(text)):
        return run(path)
    print(f"{shown(path)}: its code is as it was, so it was not run.")
    return text


def environment() -> dict[str, str]:
    """A kernel's environment: this copy of the course comes before an installed one."""
    paths = [str(COURSE), os.environ.get("PYTHONPATH", "")]
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}


def run(path: Path, seconds: int = 600) -> str:
    """The notebook's canonical text after a fresh run; the file itself stays as it is."""
    notebook = with_setup(parsed(path.read_text(encoding="utf-8")))
    notebook["metadata"] = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell.update(execution_count=None, outputs=[])
    notebook = parsed(canonical(json.dumps(notebook)))
    cells, begin, place = notebook["cells"], time.monotonic(), [0]

    def tell(cell, cell_index):
        place[0] = cell_index
        if sys.stdout.isatty():
            taken = f"{time.monotonic() - begin:.0f} s"
            print(f"\r{shown(path)}: cell {cell_index + 1} of {len(cells)}, {taken}", end="")

    client = NotebookClient(
        notebook,
        timeout=seconds,
        record_timing=False,
        km=AsyncKernelManager(  # this environment's, whatever kernels the machine has besides
            kernel_name=CURRENT_ENV_KERNEL_NAME, kernel_spec_manager=NbvalKernelspecManager()
        ),
        resources={"metadata": {"path": str(path.parent)}},
        on_cell_start=tell,
    )
    try:
        # What the kernel says on its own account is not the notebook's; a cell's warnings are.
        client.execute(env=environment(), stderr=subprocess.DEVNULL)
    except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        reason = getattr(error, "traceback", error)
        raise Failure(path, place[0], cells[place[0]]["source"], reason) from error
    for n, cell in enumerate(cells):
        for output in cell.get("outputs", []):
            if output.get("name") == "stderr":  # a warning, which another version words anew
                raise Failure(path, n, cell["source"], "It writes to stderr: " + output["text"])
    print(f"\r{shown(path)}: {len(cells)} cells, {time.monotonic() - begin:.0f} s    ")
    return sealed(json.dumps(notebook))


class Failure(Exception):
    """A notebook that does not run: which, where and why."""

    def __init__(self, path: Path, n: int, source: str, reason: object):
        lines = "\n".join("    " + line for line in source.splitlines())
        reason = re.sub(r"\x1b\[[\d;]*m", "", str(reason)).strip()
        super().__init__(
            f"{shown(path)}, cell {n + 1} failed; the notebook is left as it was.\n"
            f"{lines}\n{reason}"
        )


def shown(path: Path) -> str:
    path = path.resolve()
    return str(path.relative_to(COURSE) if path.is_relative_to(COURSE) else path)


def write(path: Path, text: str) -> None:
    """All of the file or nothing: an interrupted run leaves the old one whole."""
    with tempfile.NamedTemporaryFile(
        "w", dir=path.parent, delete=False, encoding="utf-8", newline="\n"
    ) as file:
        file.write(text)
    os.chmod(file.name, path.stat().st_mode if path.exists() else 0o644)
    os.replace(file.name, path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("notebook", nargs="*", type=Path, help="to run; default: what has changed")
    parser.add_argument("--all", action="store_true", help="run every notebook, changed or not")
    parser.add_argument("--check", action="store_true", help="run nothing, say which are stale")
    arguments = parser.parse_args()
    every = sorted(path for folder in FOLDERS for path in (COURSE / folder).glob("*.ipynb"))
    stale = [
        path
        for path in arguments.notebook or every
        if arguments.all
        or not (is_canonical(path) and installs_its_needs(path.read_text(encoding="utf-8")))
    ]
    if arguments.check:
        sys.exit("\n".join(f"{shown(p)} is not canonical: run make notebooks." for p in stale) or 0)
    failures = []
    execute = run if arguments.all or arguments.notebook else refreshed
    for path in arguments.notebook or stale:
        try:
            write(path, execute(path))
        except Failure as failure:
            failures.append(str(failure))
    sys.exit("\n\n".join(failures) or 0)


if __name__ == "__main__":
    main()
