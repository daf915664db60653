"""Build the book again whenever one of its files has changed, and say which pages that took.

Times of change are compared twice a second: that needs no other package and works on every disk.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

WATCHED = (
    *("_config.yml", "_toc.yml", "pyproject.toml", "*.md", "reference/**/*"),
    *("chapters/*.ipynb", "exercises/*.ipynb"),
    *("site/**/*", "firth/widgets/**/*.js", "firth/widgets/**/*.css", "firth/widgets/scripts.py"),
)
PAUSE = 0.5  # seconds
ALWAYS = ("404.html", "search.html")  # written in every build


def times(folder: Path, patterns: Iterable[str]) -> dict[Path, int]:
    """When each file was written last, in nanoseconds."""
    found = {}
    for path in {path for pattern in patterns for path in folder.glob(pattern)}:
        try:
            if path.is_file() and path.suffix != ".pyc":
                found[path] = path.stat().st_mtime_ns
        except FileNotFoundError:  # an editor has just put another file in its place
            continue
    return found


def different(old: dict[Path, int], new: dict[Path, int], folder: Path) -> list[str]:
    """The names of the files that were written, added or removed.

    >>> different({Path("a/x.md"): 1, Path("a/y.md"): 1}, {Path("a/x.md"): 2}, Path("a"))
    ['x.md', 'y.md']
    """
    paths = [path for path in old | new if old.get(path) != new.get(path)]
    return sorted(path.relative_to(folder).as_posix() for path in paths)


def changes(root: Path, known: dict[Path, int]) -> Iterator[list[str]]:
    """The names of the changed files each time that some have changed, once all are written."""
    while True:
        time.sleep(PAUSE)
        now = times(root, WATCHED)
        if now != known:
            while (later := times(root, WATCHED)) != now:
                now = later
                time.sleep(PAUSE)
            names, known = different(known, now, root), now
            if names:
                yield names


def listed(names: list[str], most: int = 5) -> str:
    """A few names, and how many there are besides.

    >>> listed(["a", "b", "c"], most=2)
    'a, b and 1 more'
    """
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest} more" if rest > 0 else "")


def watch(
    root: Path, pages: Path, known: dict[Path, int], build: Callable[[], None]
) -> Iterator[list[str]]:
    """Builds again after each change and yields the pages written; a build that fails is told."""
    for names in changes(root, known):
        print(f"Changed: {listed(names)}.", flush=True)
        before = times(pages, ["**/*.html"])
        try:
            build()
        except SystemExit as stop:
            print(f"{stop}\nStill watching.", flush=True)
            continue
        written = different(before, times(pages, ["**/*.html"]), pages)
        written = [name.removesuffix(".html") for name in written if name not in ALWAYS]
        print(f"Built again: {listed(written) or 'what the pages use'}.", flush=True)
        yield written
