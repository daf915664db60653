"""Writes Python for the exercises into the built site, in a folder that is named by its content.

    _static/python/parts.json          the folder's name, and the bytes of what Python loads
    _static/python/<digest>/           the scripts of the page, Python, NumPy, firth, the data

A browser may keep an old file beside a new one only if both have the same address. Here a change
of any file gives all of them a new address.
"""

import gzip
import hashlib
import json
import os
import shutil
from functools import cache
from pathlib import Path

from .archives import HERE, ROOT
from .exercise_files import exercise_files, exercises
from .shared_files import place_in_cache

SCRIPTS = HERE / "page"
EDITOR = ROOT / "site" / "_static" / "vendor" / "codemirror" / "codemirror.js"
COMPRESSED = (".js", ".mjs", ".css", ".json", ".txt")  # by the host, on the way
IN_THE_BAR = ("pyodide.asm.wasm.gz", "python_stdlib.zip", "libraries.zip", "firth.zip")


@cache
def contents() -> dict[str, bytes]:
    """The name and content of each file of the folder."""
    paths = [*place_in_cache().iterdir(), *SCRIPTS.iterdir(), EDITOR]
    return {path.name: path.read_bytes() for path in sorted(paths)} | exercise_files()


def on_the_wire(name: str, content: bytes) -> int:
    """The bytes that a host sends for a file."""
    return len(gzip.compress(content, 6) if name.endswith(COMPRESSED) else content)


def own() -> dict[str, str]:
    """For each exercise, the name of the archive with its data."""
    return {notebook.stem: f"{notebook.stem}.zip" for notebook in exercises()}


def megabytes() -> dict[str, str]:
    """For each exercise, what a browser loads for it, as "9.8 MB"; empty without Python."""
    if not place_in_cache().is_dir():
        return {}
    sizes = {
        name: on_the_wire(name, content)
        for name, content in contents().items()
        if not name.endswith(".txt")  # the licences
    }
    shared = sum(size for name, size in sizes.items() if name not in own().values())
    return {name: f"{(shared + sizes[file]) / 1e6:.1f} MB" for name, file in own().items()}


def publish(static: Path) -> None:
    """Write the folder and parts.json into the static files of a built site, parts.json last."""
    digest = hashlib.sha256()
    for name, content in contents().items():
        digest.update(name.encode() + b"\0" + hashlib.sha256(content).digest())
    target, folder = static / "python", digest.hexdigest()[:12]
    for old in target.glob("*"):
        if old.is_dir() and old.name != folder:
            shutil.rmtree(old)
    (target / folder).mkdir(parents=True, exist_ok=True)
    for name, content in contents().items():
        (target / folder / name).write_bytes(content)
    sizes = {name: len(contents()[name]) for name in (*IN_THE_BAR, *own().values())}
    part = target / "parts.json.part"
    part.write_text(json.dumps({"folder": folder, "bytes": sizes}), encoding="utf-8")
    os.replace(part, target / "parts.json")
