"""A copy of the course's files, for tests that change them."""

import shutil
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
