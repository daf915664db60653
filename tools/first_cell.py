"""The first code cell of every notebook, which installs the course where it is missing."""

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parent.parent


def setup_source(torch: bool = False, root: Path = ROOT) -> str:
    """The cell's text; `torch` is for a notebook that needs PyTorch as well."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    archive = project["urls"]["Repository"] + "/archive/refs/heads/main.zip"
    return f"""\
import importlib.util
import os

if importlib.util.find_spec("firth") is None:  # in Colab, or wherever the notebook is alone
    firth_source = os.environ.get(
        "FIRTH_SOURCE", "{archive}"
    )
    %pip install -q "{{firth_source}}"{" torch" if torch else ""}"""


def imports_torch(sources: Iterable[str]) -> bool:
    """Whether a notebook cannot do without PyTorch: an import inside a `try` is no such need.

    >>> imports_torch(["import numpy\\nimport torch"]), imports_torch(["try:\\n  import torch"])
    (True, False)
    """
    return any(re.search(r"^(?:import|from) torch\b", s, re.MULTILINE) for s in sources)


def with_setup(notebook: dict) -> dict:
    """The notebook with the course's setup as its first code cell."""
    cells = notebook["cells"]
    code = (cell["source"] for cell in cells if cell["cell_type"] == "code")
    setup = setup_source(torch=imports_torch(code))
    for cell in cells:
        if cell["cell_type"] == "code" and "FIRTH_SOURCE" in cell["source"]:
            if cell["source"] != setup:
                cell.update(source=setup, execution_count=None)
            return notebook
    blank = {"cell_type": "code", "execution_count": None, "outputs": [], "source": setup}
    after_title = int(bool(cells) and cells[0]["cell_type"] == "markdown")
    cells.insert(after_title, {**blank, "metadata": {"tags": ["remove-cell"]}})
    return notebook
