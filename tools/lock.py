"""Resolve the two locks afresh: requirements/book.txt and requirements/test.txt.

python tools/lock.py

Each lock is what pip itself chooses in an empty environment, written down: `book` builds the site
from stored outputs (no SciPy, no PyTorch), `test` executes the notebooks and runs every test.
"""

import argparse
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
HEAD = "# Exact versions of what `make {command}` installs; resolved afresh by `make lock`.\n"


def asked_for() -> dict[str, list[str]]:
    """What each lock starts from: extras in pyproject.toml, for tests the package's floors too."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    book, test = (project["optional-dependencies"][extra] for extra in ("book", "test"))
    return {"book": book, "test": project["dependencies"] + book + test}


def lock(requirements: list[str]) -> str:
    """The versions that pip picks for these requirements, one a line."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        pip = [f"{folder}/bin/pip", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", "-q", *requirements], check=True)
        frozen = subprocess.run([*pip, "freeze"], check=True, capture_output=True, text=True)
    # A local build label ("+cpu") names a file that other machines do not have.
    return "".join(line.split("+")[0] + "\n" for line in frozen.stdout.splitlines())


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    for name, requirements in asked_for().items():
        print(f"Resolving requirements/{name}.txt …", flush=True)
        command = {"book": "serve", "test": "test"}[name]
        path = ROOT / "requirements" / f"{name}.txt"
        path.write_text(HEAD.format(command=command) + lock(requirements), encoding="utf-8")


if __name__ == "__main__":
    main()
