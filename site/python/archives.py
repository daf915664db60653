"""The registry archives of which Python in the page is made, by checksum, in the cache.

    parts.toml: package · version · SHA-256  →  the archive in the cache, or one sentence

The reader's own npm and pip bring them, as they bring the course's data. Nothing of them lies in
the repository.
"""

import os
import tomllib
from pathlib import Path

from firth.store import cache
from firth.store.package_archives import downloaded

HERE = Path(__file__).parent
TABLE = HERE / "parts.toml"
ROOT = HERE.parent.parent


def table(kind: str) -> dict:
    """The rows of parts.toml of one kind by their names: "archive", or "data".

    >>> table("archive")["pyodide"]["version"]
    '0.27.7'
    """
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))[kind]


def archive(name: str) -> Path:
    """The checked archive of that name; a `StoreError` says why it could not be had."""
    row = table("archive")[name]
    target = cache.folder() / "page" / f"{name}-{row['version']}.{row['kind']}"
    if not cache.intact(target, row):
        with cache.workplace(3 * row["bytes"]) as folder:
            cache.place(downloaded("Python for the pages", row, folder), target)
    return target


def allow_npm_of_the_tests() -> None:
    """Lets npm be found where the environment of the tests has the only one."""
    own = str(ROOT / ".venv-test" / "bin")
    if own not in os.environ["PATH"].split(os.pathsep):
        os.environ["PATH"] += os.pathsep + own
