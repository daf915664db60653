"""Point the whole course at a fork: `make address URL=https://github.com/you/course`.

The repository's address stands once, as `Repository` in pyproject.toml. Everything that is derived
from it (the pages' address, launch links, the archive that a notebook's first cell installs) is
found in every text file of the course and rewritten, so that a fork never sends its readers back.
"""

import argparse
import re
import subprocess
import tomllib
from pathlib import Path

import notebooks
from canonical import canonical, proven, sealed

COURSE = Path(__file__).parent.parent
REPOSITORY = re.compile(r"https://github\.com/([\w-]+)/([\w.-]+?)(?:\.git)?/?")


def address(root: Path = COURSE) -> str:
    """Where the course is published, as pyproject.toml has it."""
    text = (root / "pyproject.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)["project"]["urls"]["Repository"]


def forms(url: str) -> list[str]:
    """Every way in which a page may spell the address, always in the same order.

    >>> forms("https://github.com/Ada/notes")[:2]
    ['github.com/Ada/notes', 'ada.github.io/notes']
    >>> forms("https://github.com/ada/ada.github.io")[1]
    'ada.github.io'
    """
    match = REPOSITORY.fullmatch(url)
    if not match:
        raise SystemExit(
            f"{url!r} is not the address of a GitHub repository: write it as "
            "https://github.com/owner/repository."
        )
    owner, name = match.groups()
    pages = f"{owner.lower()}.github.io"
    return [
        f"github.com/{owner}/{name}",
        pages if name.lower() == pages else f"{pages}/{name}",
        f"githubusercontent.com/{owner}/{name}",
        f"colab.research.google.com/github/{owner}/{name}",
        f"mybinder.org/v2/gh/{owner}/{name}",
        f"github.com%2F{owner}%2F{name}",
    ]


def files(root: Path) -> list[Path]:
    """The files of the course: those that git tracks or would track, or all in a plain copy."""
    if (root / ".git").exists():
        run = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
        listed = subprocess.run(run, cwd=root, capture_output=True, text=True, check=True).stdout
        paths = [root / name for name in listed.split("\0") if name]
    else:
        paths = root.rglob("*")
    return sorted(path for path in paths if path.is_file())


def text_of(path: Path) -> str | None:
    """A file's text, or None for a picture, a font or an archive."""
    try:
        text = path.read_bytes().decode()
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def stamp(url: str, root: Path = COURSE) -> list[Path]:
    """Write the new address wherever the old one stands; returns the files that changed."""
    new = dict(zip(forms(address(root)), forms(url), strict=True))
    old = re.compile("|".join(rf"(?<![\w-]){re.escape(form)}(?![\w-])" for form in new))
    changed = []
    for path in files(root):
        before = text_of(path)
        if before is None or not old.search(before):
            continue
        text = old.sub(lambda match: new[match[0]], before)
        if path.suffix == ".ipynb":  # a cell's id and the proof of a run follow from what it says
            text = (sealed if proven(before) else canonical)(text)
        notebooks.write(path, text)
        changed.append(path)
    return changed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("url", help="https://github.com/owner/repository")
    arguments = parser.parse_args()
    for path in stamp(arguments.url):
        print(f"stamped {path.relative_to(COURSE)}")


if __name__ == "__main__":
    main()
