"""Resolve the two locks afresh: requirements/book.txt and requirements/test.txt.

python tools/lock.py

Each lock is what pip itself chooses in an empty environment, written down: `book` builds the site
from stored outputs (no SciPy, no PyTorch), `test` executes the notebooks and runs every test.
"""

import argparse
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
HEAD = "# Exact versions of what `make {command}` installs; resolved afresh by `make lock`.\n"


def asked_for() -> dict[str, list[str]]:
    """What each lock starts from: extras in pyproject.toml, for tests the package's floors too."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    book, test = (list(wanted(project, extra)) for extra in ("book", "test"))
    return {"book": book, "test": project["dependencies"] + book + test}


def wanted(project: dict, extra: str) -> Iterator[str]:
    """What an extra asks for, and what the package's other extras do that it names."""
    for requirement in project["optional-dependencies"][extra]:
        own = re.fullmatch(rf"{project['name']}\[([\w-]+)\]", requirement)
        if own:
            yield from wanted(project, own[1])
        else:
            yield requirement


def lock(requirements: list[str]) -> str:
    """The versions that pip picks for these requirements, one a line."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        pip = [f"{folder}/bin/pip", "--disable-pip-version-check"]
        subprocess.run([*pip, "install", "-q", *requirements], check=True)
        frozen = subprocess.run([*pip, "freeze"], check=True, capture_output=True, text=True)
    # Which systems a package is for, where it is said: sandlock is for Linux alone.
    systems = {re.match(r"[\w.-]+", wish)[0]: wish.partition(";")[2] for wish in requirements}
    lines = []
    for line in frozen.stdout.splitlines():
        version = line.split("+")[0]  # a local build label ("+cpu") is a file others do not have
        system = systems.get(version.partition("==")[0])
        lines.append(f"{version};{system}\n" if system else f"{version}\n")
    return "".join(lines)


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    for name, requirements in asked_for().items():
        print(f"Resolving requirements/{name}.txt …", flush=True)
        command = {"book": "serve", "test": "test"}[name]
        path = ROOT / "requirements" / f"{name}.txt"
        path.write_text(HEAD.format(command=command) + lock(requirements), encoding="utf-8")


if __name__ == "__main__":
    main()
