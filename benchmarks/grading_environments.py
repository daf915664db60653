"""Other graders, each in an environment of its own with exact versions, made once and kept.

    environment("otter-grader")  →  the folder, in the cache of the course

Beside the grader stand the course package and, in the versions of this environment, the libraries
that a submission works with: a ratio then compares graders, not two releases of NumPy.
"""

import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

from firth.store import cache

ROOT = Path(__file__).parent.parent
GRADERS = {"otter-grader": "7.0.0", "nbgrader": "0.9.6"}
SHARED = ("numpy", "scipy", "torch", "ipykernel", "nbclient")


def requirements(grader: str) -> list[str]:
    """What is installed for a grader; of a local build (`2.13.0+cpu`) the release alone is said."""
    shared = (f"{name}=={version(name).partition('+')[0]}" for name in SHARED)
    return [f"{grader}=={GRADERS[grader]}", *shared]


def python(grader: str) -> Path:
    """The interpreter of a grader's environment."""
    return environment(grader) / "bin" / "python"


def activated(grader: str) -> dict[str, str]:
    """The variables under which its commands find each other: nbgrader calls some by name."""
    found = environment(grader) / "bin"
    return os.environ | {"PATH": f"{found}{os.pathsep}{os.environ['PATH']}"}


def environment(grader: str) -> Path:
    """The grader's environment; made when it is not there or holds other versions."""
    folder, wanted = cache.folder() / f"bench-{grader}", requirements(grader)
    ready, log = folder / "ready", folder.with_suffix(".log")
    if ready.is_file() and ready.read_text(encoding="utf-8").split() == wanted:
        return folder
    print(f"Making {folder}, once: a minute or three.", file=sys.stderr)
    folder.parent.mkdir(parents=True, exist_ok=True)
    install = [folder / "bin" / "python", "-m", "pip", "install", "--disable-pip-version-check"]
    with log.open("wb") as out:
        for command in (
            [sys.executable, "-m", "venv", "--clear", folder],
            [*install, *wanted, "-e", ROOT],
        ):
            done = subprocess.run(command, stdout=out, stderr=subprocess.STDOUT)
            if done.returncode:
                raise SystemExit(f"The environment of {grader} could not be made: see {log}.")
    ready.write_text("\n".join(wanted) + "\n", encoding="utf-8")
    return folder
