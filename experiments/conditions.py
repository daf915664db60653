"""The machine and the versions of libraries with which something was measured."""

import importlib.metadata
import os
import platform
import re
from pathlib import Path

LIBRARIES = ["numpy", "scipy", "scikit-learn", "gensim", "torch", "nbclient", "distributed"]


def processor() -> str:
    """The processor's name, as far as the system tells it."""
    try:
        named = re.search(r"model name\s*:\s*(.+)", Path("/proc/cpuinfo").read_text())
    except OSError:
        named = None
    return named[1] if named else platform.processor() or platform.machine()


def conditions() -> dict:
    """The machine, the versions and the command: what a reader needs to compare another run."""
    return {
        "machine": {
            "processor": processor(),
            "cores": os.cpu_count(),
            "system": platform.system(),
            "threads used": 1,
        },
        "versions": {"python": platform.python_version()}
        | {library: importlib.metadata.version(library) for library in LIBRARIES},
        "command": "python -m benchmarks",
    }
