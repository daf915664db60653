"""Execute notebooks and write them so that two runs give the same bytes: `make notebooks`.

Each notebook runs alone, from its own folder, in a fresh kernel of this environment. What Jupyter
leaves to chance (ids of cells and widgets, times, versions, the order of keys) is replaced by what
follows from the content; so a difference between two versions is a difference in what they say.
"""

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat
from first_cell import with_setup
from jupyter_client import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbval.kernel import CURRENT_ENV_KERNEL_NAME, NbvalKernelspecManager

COURSE = Path(__file__).parent.parent
FOLDERS = ("chapters", "solutions", "exercises")
STATE = "application/vnd.jupyter.widget-state+json"
VIEW = "application/vnd.jupyter.widget-view+json"
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
KEPT = ("tags", "mystnb")  # of a cell's metadata; the rest is the editor's
# A quiz's source holds its answer: Jupyter and Colab open the notebook with that source hidden.
QUIZ = re.compile(r"^(?:Number)?Quiz\(", re.MULTILINE)
HIDDEN = {"jupyter": {"source_hidden": True}, "cellView": "form"}
MODEL = re.compile(r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])")
SHOWN = re.compile(r'data-model="([0-9a-f]{32})"')


def parsed(text: str) -> dict:
    """A notebook's text as nested dicts, with each text whole and not cut into lines."""
    notebook = json.loads(text)
    if notebook.get("nbformat") != 4:
        raise ValueError("not a notebook of format 4: save it once with a current Jupyter.")
    return nbformat.v4.rwbase.rejoin_lines(nbformat.from_dict(notebook))


def canonical(text: str) -> str:
    """The one way to write this notebook down; applied twice, it changes nothing more."""
    notebook = parsed(text)
    cells = notebook["cells"]
    states = notebook["metadata"].get("widgets", {}).get(STATE, {}).get("state", {})
    names = [f"{c['cell_type']}-{digest(c['cell_type'] + c['source'])[:8]}" for c in cells]
    for n, cell in enumerate(cells):
        twin = names[:n].count(names[n])
        cell["id"] = names[n] + (f"-{twin + 1}" if twin else "")
        cell["metadata"] = {k: v for k, v in cell["metadata"].items() if k in KEPT and v}
        if cell["cell_type"] == "code" and QUIZ.search(cell["source"]):
            cell["metadata"] |= HIDDEN
    ran = [cell for cell in cells if cell.get("execution_count") is not None]
    for n, cell in enumerate(ran, start=1):
        cell["execution_count"] = n
        cell["outputs"] = [tidy(output, n) for output in joined(cell["outputs"])]
    models = shown_models(cells, states)
    kept = {"state": {m: states[m] for m in models}, "version_major": 2, "version_minor": 0}
    notebook["metadata"] = METADATA | ({"widgets": {STATE: kept}} if models else {})
    notebook.update(nbformat=4, nbformat_minor=5)
    notebook = nbformat.from_dict(notebook)
    nbformat.validate(notebook)
    stable = {model: digest(f"model {n}")[:32] for n, model in enumerate(models)}
    text = MODEL.sub(lambda match: stable.get(match[0], match[0]), nbformat.writes(notebook))
    # The order of keys may follow the old ids, so it is settled once the new ones stand.
    return json.dumps(json.loads(text), indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def joined(outputs: list[dict]) -> list[dict]:
    """Outputs with neighbouring pieces of one stream in one: how it was cut is chance."""
    whole: list[dict] = []
    for output in outputs:
        stream = output["output_type"] == "stream" and output["name"]
        if whole and stream and whole[-1].get("name") == stream:
            whole[-1]["text"] += output["text"]
        else:
            whole.append(output)
    return whole


def tidy(output: dict, count: int) -> dict:
    """An output without the traces of one run."""
    if output["output_type"] == "execute_result":
        output["execution_count"] = count
    elif output["output_type"] == "stream":
        output["text"] = re.sub(r"(?m)^.*\r(?=[^\n])", "", output["text"])  # a line written over
    elif output["output_type"] == "error":  # a traceback names the files of this machine
        output["traceback"] = [f"{output['ename']}: {output['evalue']}"]
    return output


def shown_models(cells: list[dict], states: dict) -> list[str]:
    """The widgets on the page and what they refer to, in the order in which a reader meets them."""
    found: list[str] = []

    def visit(model: str) -> None:
        if model in states and model not in found:
            found.append(model)
            state = json.dumps(states[model], sort_keys=True)
            for other in re.findall("IPY_MODEL_([0-9a-f]{32})", state):
                visit(other)

    for data in (o["data"] for c in cells for o in c.get("outputs", []) if "data" in o):
        visit(data.get(VIEW, {}).get("model_id", ""))
        for model in SHOWN.findall(data.get("text/html", "")):
            visit(model)
    return found


def is_canonical(path: Path) -> bool:
    """Whether a notebook is stored as executed from top to bottom and in canonical form."""
    text = path.read_text(encoding="utf-8")
    cells = [c for c in json.loads(text)["cells"] if c["cell_type"] == "code" and c["source"]]
    return all(c["execution_count"] for c in cells) and text == canonical(text)


def environment() -> dict[str, str]:
    """A kernel's environment: this copy of the course comes before an installed one."""
    paths = [str(COURSE), os.environ.get("PYTHONPATH", "")]
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}


def run(path: Path, seconds: int = 600) -> str:
    """The notebook's canonical text after a fresh run; the file itself stays as it is."""
    notebook = with_setup(parsed(path.read_text(encoding="utf-8")))
    notebook["metadata"].pop("widgets", None)
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
    return canonical(json.dumps(notebook))


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
    parser.add_argument("notebook", nargs="*", type=Path, help="default: all that have changed")
    parser.add_argument("--all", action="store_true", help="also those that have not changed")
    parser.add_argument("--check", action="store_true", help="run nothing, say which are stale")
    arguments = parser.parse_args()
    every = sorted(path for folder in FOLDERS for path in (COURSE / folder).glob("*.ipynb"))
    stale = [p for p in arguments.notebook or every if arguments.all or not is_canonical(p)]
    if arguments.check:
        sys.exit("\n".join(f"{shown(p)} is not canonical: run make notebooks." for p in stale) or 0)
    failures = []
    for path in arguments.notebook or stale:
        try:
            write(path, run(path))
        except Failure as failure:
            failures.append(str(failure))
    sys.exit("\n\n".join(failures) or 0)


if __name__ == "__main__":
    main()
