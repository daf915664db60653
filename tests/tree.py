"""A copy of the course's files, for tests that change them."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from address import files
from notebooks import COURSE


def copy_of_course(root: Path) -> Path:
    """All files that git tracks or would track, as they are now, under another folder."""
    for path in files(COURSE):
        target = root / path.relative_to(COURSE)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    return root


def small_book(root: Path, pages: Sequence[str]) -> Path:
    """The course's own tools, look and widgets, with a book of a few pages of one sentence each."""
    for name in ("tools", "site", "firth/widgets"):
        shutil.copytree(COURSE / name, root / name, ignore=shutil.ignore_patterns("*.pyc"))
    for name in ("_config.yml", "pyproject.toml", "README.md"):
        shutil.copy(COURSE / name, root)
    shutil.copy(COURSE / "firth" / "__init__.py", root / "firth")
    others = "".join(f"  - file: {page}\n" for page in pages[1:])
    toc = f"format: jb-book\nroot: {pages[0]}\nchapters:\n{others}"
    (root / "_toc.yml").write_text(toc)
    for page in pages:
        (root / f"{page}.md").write_text(f"# About {page}\n\nThis page is about {page}.\n")
    return root
