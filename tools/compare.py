"""Prove that a change of the code's structure changes no verdict, no question and no page.

python tools/compare.py --base REV [--chapter lsa] [--only verdicts] [--seeds 10] [--jobs 1]

Compared are this working tree and the commit REV, in two parts.

1. The verdicts. `tools/verdicts.py` runs in both trees and judges the right answer, every known
   mistake and every learner's wrong answer to every form of every question, under each seed. Every
   difference is listed: question, form, answer, claim and seeds, the old text and the new one.
2. The notebooks. Each difference is shown source, imports and paths, widget code, or something
   else (`tools/changes.py`). A summary counts the kinds, and those of the last kind are listed.

The exit status is 1 if a verdict differs or a notebook differs in something else. What a commit
gave is kept in the cache, so each chapter of each commit is judged once; that of a working tree
with uncommitted changes is not kept.
"""

import argparse
import gzip
import hashlib
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from importlib.metadata import version
from pathlib import Path

from changes import KINDS, OTHER, changes
from notebooks import COURSE, FOLDERS

from firth.store import cache

COLLECTOR = Path(__file__).with_name("verdicts.py")
LIBRARIES = ("numpy", "scipy")
THREADS = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMBA")}
WIDTH = 300  # characters of each side of a difference that are printed


def git(root: Path, *arguments: object) -> str:
    command = ["git", "-C", str(root), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def cut(value: object) -> str:
    """A value as one line of at most WIDTH characters.

    >>> len(cut("a" * 5000)) < 350, cut("one\\ntwo"), cut(None)
    (True, 'one⏎two', '(nothing)')
    """
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = "(nothing)" if value is None else text.replace("\n", "⏎")
    return text if len(text) <= WIDTH else f"{text[:WIDTH]}… ({len(text)} characters)"


def around(*pair: object) -> tuple[str, str]:
    """Two values as one line each, from a little before the first character that differs.

    >>> around("twenty characters, a" * 5 + "old", "twenty characters, a" * 5 + "new")[1]
    '… twenty characters, atwenty characters, anew'
    """
    texts = [v if isinstance(v, str | None) else json.dumps(v, ensure_ascii=False) for v in pair]
    if None in texts:
        return cut(texts[0]), cut(texts[1])
    unequal = (n for n, letters in enumerate(zip(*texts, strict=False)) if len(set(letters)) == 2)
    start = max(0, next(unequal, min(map(len, texts))) - 40)
    return tuple("… " * bool(start) + cut(text[start:]) for text in texts)


# The verdicts


class Tree:
    """One state of the course: a folder, and the commit it shows if it shows one."""

    def __init__(self, folder: Path | None, commit: str, repository: Path):
        self.folder, self.commit, self.repository = folder, commit, repository

    def shelf(self) -> Path:
        """Where its verdicts are kept; another collector or NumPy makes another place."""
        made_by = [platform.python_version(), *map(version, LIBRARIES)]
        digest = hashlib.sha256("\0".join(made_by).encode() + COLLECTOR.read_bytes()).hexdigest()
        return cache.folder() / "verdicts" / f"{self.commit[:12]}-{digest[:8]}"

    def kept(self, chapter: str, seeds: int) -> Path | None:
        return self.shelf() / f"{chapter}-{seeds}-seeds.jsonl.gz" if self.commit else None

    def missing(self, chapter: str, seeds: int) -> bool:
        path = self.kept(chapter, seeds)
        return path is None or not path.exists()

    def collected(self, chapter: str, seeds: int) -> str:
        """The verdicts of a chapter, a line of JSON for each question."""
        path = self.kept(chapter, seeds)
        if path and path.exists():
            return gzip.decompress(path.read_bytes()).decode()
        lines = []
        command = [sys.executable, "-P", COLLECTOR, self.folder, chapter, str(seeds)]
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | THREADS
        with subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        ) as child:
            for line in child.stdout:
                lines.append(line)
                (name,) = json.loads(line)
                print(f"{self.commit[:7] or 'here'}, {chapter}: {name}", file=sys.stderr)
        if child.returncode:
            raise SystemExit(f"The verdicts of {chapter} could not be collected: see above.")
        text = "".join(lines)
        if path:
            packed = gzip.compress(text.encode(), mtime=0)
            with cache.workplace(len(packed)) as folder:
                (folder / "fresh").write_bytes(packed)
                cache.place(folder / "fresh", path)
        return text


def differences(old: object, new: object, path: tuple = ()) -> Iterator[tuple]:
    """Each place in which two nested dictionaries differ, with what stands there.

    >>> list(differences({"a": 1, "b": {"c": 2}}, {"a": 1, "b": {"c": 3}, "d": 4}))
    [(('b', 'c'), 2, 3), (('d',), None, 4)]
    >>> list(differences({"a": 1, "b": 2}, {"b": 2, "a": 1}))
    [(('order',), ['a', 'b'], ['b', 'a'])]
    """
    if not (isinstance(old, dict) and isinstance(new, dict)):
        if old != new:
            yield path, old, new
        return
    both = [[key for key in side if key in old and key in new] for side in (old, new)]
    if both[0] != both[1]:
        yield (*path, "order"), *both
    for key in old | new:
        yield from differences(old.get(key), new.get(key), (*path, key))


def listed(old: str, new: str) -> list[str]:
    """A line for each difference of two texts of verdicts, only one for several seeds."""
    if old == new:
        return []
    sides: list[dict] = [{}, {}]
    for side, text in zip(sides, (old, new), strict=True):
        for line in text.splitlines():
            side |= json.loads(line)
    found: dict[str, list[str]] = {}
    for path, *pair in differences(*sides):
        of_seed = path[-1].startswith("seed ")
        place = " · ".join(path[:-1] if of_seed else path)
        seeds = found.setdefault(json.dumps([place, *pair]), [])
        seeds += [path[-1].removeprefix("seed ")] if of_seed else []
    lines = []
    for key, seeds in found.items():
        place, before, after = json.loads(key)
        under = f" · seeds {', '.join(seeds)}" if seeds else ""
        lines.append("{}\n    {}\n  → {}".format(place + under, *around(before, after)))
    return lines or ["the same values are written in another way"]


def compared_verdicts(
    base: Tree, here: Tree, chapters: list[str], seeds: int, jobs: int
) -> list[str]:
    """The differences of the verdicts of these chapters, a line each."""
    with ExitStack() as stack:
        if any(base.missing(chapter, seeds) for chapter in chapters):
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            base.folder = Path(folder).resolve() / "base"
            git(base.repository, "worktree", "add", "--detach", base.folder, base.commit)
            stack.callback(git, base.repository, "worktree", "remove", "--force", base.folder)
        pieces = [(tree, chapter) for chapter in chapters for tree in (base, here)]
        with ThreadPoolExecutor(jobs) as pool:
            texts = list(pool.map(lambda piece: piece[0].collected(piece[1], seeds), pieces))
    return [line for pair in zip(texts[::2], texts[1::2], strict=True) for line in listed(*pair)]


# The notebooks


def compared_notebooks(base: Tree, here: Tree, chapters: list[str]) -> list[str]:
    """The differences that are neither shown source nor paths nor widget code; prints a summary."""
    tops = git(base.repository, "ls-tree", "-d", "--name-only", base.commit).split()
    folders = {*tops, *(path.name for path in here.folder.iterdir() if path.is_dir())}
    names = git(base.repository, "ls-tree", "-r", "--name-only", base.commit, *FOLDERS).split()
    lines = []
    for chapter in chapters:
        for folder in FOLDERS:
            name = f"{folder}/{chapter}.ipynb"
            if name not in names or not (here.folder / name).exists():
                lines.append(f"{name} exists on one side only")
                continue
            old = json.loads(git(base.repository, "show", f"{base.commit}:{name}"))
            new = json.loads((here.folder / name).read_text(encoding="utf-8"))
            found = list(changes(old, new, folders))
            count = Counter(change.kind for change in found)
            print(f"{name:<36}", *(f"{kind}: {count[kind]:<3}" for kind in KINDS))
            for change in found:
                if change.kind == OTHER:
                    a, b = around(change.old, change.new)
                    lines.append(f"{name}, {change.place}\n    {a}\n  → {b}")
    return lines


def chapters_of(base: Tree, here: Tree, asked: list[str]) -> list[str]:
    """The chapters of both trees as their notebooks are called, or those that are asked for."""
    names = git(base.repository, "ls-tree", "--name-only", base.commit, "solutions/").split()
    stems = {Path(name).stem for name in names}
    stems |= {path.stem for path in (here.folder / "solutions").glob("*.ipynb")}
    found = [stem for stem in sorted(stems) if not asked or stem.partition("_")[2] in asked]
    if len(found) < len(asked):
        raise SystemExit(
            f"There are the chapters {', '.join(s.partition('_')[2] for s in sorted(stems))}."
        )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--base", required=True, metavar="REV", help="the commit to compare with")
    parser.add_argument("--chapter", action="append", default=[], help="lsa, word2vec, …; or all")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--jobs", type=int, default=1, help="chapters judged at the same time")
    parser.add_argument("--only", choices=("verdicts", "notebooks"), help="default: both parts")
    options = parser.parse_args()
    commit = git(COURSE, "rev-parse", "--verify", f"{options.base}^{{commit}}").strip()
    clean = not git(COURSE, "status", "--porcelain").strip()
    base = Tree(None, commit, COURSE)
    here = Tree(COURSE, git(COURSE, "rev-parse", "HEAD").strip() if clean else "", COURSE)
    chapters = chapters_of(base, here, options.chapter)
    verdicts: list[str] = []
    notebooks: list[str] = []
    if options.only != "notebooks":
        verdicts = compared_verdicts(base, here, chapters, options.seeds, options.jobs)
    if options.only != "verdicts":
        notebooks = compared_notebooks(base, here, chapters)
    print(*verdicts, *notebooks, sep="\n")
    times = os.times()
    cpu = times.children_user + times.children_system
    print(
        f"{len(verdicts)} differences of verdicts and questions, {len(notebooks)} of notebooks in"
        f" something else; the judging took {cpu:.0f} CPU seconds."
    )
    sys.exit(bool(verdicts or notebooks))


if __name__ == "__main__":
    main()
