"""What can be tested in two minutes of all that a change concerns: `make quick`.

    python tools/quick.py          choose, say why, and run
    python tools/quick.py --list   choose and say why

What changed is told by git: everything since this branch left `main`, committed or not. A file
uses another one if it imports it or names it in a string. So a test is near to a change or far
from it, counted in steps. The nearest run first, of those the shortest, and as many as fit by the
seconds that `pytest --times` has stored; what is left out is listed.
"""

import argparse
import ast
import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from statistics import median

from address import files
from notebooks import COURSE

sys.path.append(str(COURSE / "tests"))
import times

WORKERS = 2
SECONDS = 70  # of tests in each worker; linters and the start of pytest take the rest
ROOTS = ("", "tools/", "tests/", "site/")  # whence modules are imported
ALWAYS = "tests/book/test_layout.py"
TOKEN = re.compile(r"[\w-]+(?:\.[\w-]+)*")
NOTEBOOKS = ("chapters", "solutions", "exercises")
NEAR = 2  # steps from a change
FAR = 99


def told_by_git(*arguments: str) -> list[str]:
    """The lines that git prints, none where it refuses."""
    run = ["git", "-c", "core.quotePath=false", *arguments]
    return subprocess.run(run, cwd=COURSE, capture_output=True, text=True).stdout.splitlines()


def changed() -> set[str]:
    """The files that differ from where this branch left `main`, and those new to git."""
    bases = [told_by_git("merge-base", "HEAD", main) for main in ("main", "origin/main")]
    base = next((base for base in bases if base), ["HEAD"])
    since = told_by_git("diff", "--name-only", *base)
    return {*since, *told_by_git("ls-files", "--others", "--exclude-standard")}


def names(paths: set[str]) -> dict[str, set[str]]:
    """The files that a name can mean: a module's dotted names; others' names, some without suffix.

    >>> sorted(names({"tests/js.py", "firth/data/words.json"}))
    ['data/words', 'js', 'tests.js', 'words', 'words.json']
    """
    found = defaultdict(set)
    for path in paths:
        if path.endswith(".py"):
            dotted = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            for root in ROOTS:
                if path.startswith(root):
                    found[dotted[len(root) :]].add(path)
        else:
            found[Path(path).name].add(path)
            short = Path(path).with_suffix("").parts
            if path.endswith(".ipynb") or "/data/" in path:
                found[short[-1]].add(path)
                found["/".join(short[-2:])].add(path)
    return found


def code(path: str, text: str) -> list[str]:
    """The Python of a module, or of each code cell of a notebook with its magics left out."""
    if not path.endswith(".ipynb"):
        return [text] if path.endswith(".py") else []
    cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
    return [re.sub(r"(?m)^(\s*)[%!].*", r"\1pass", "".join(cell["source"])) for cell in cells]


def mentions(path: str, text: str) -> set[str]:
    """The names that a file imports or has in its strings.

    >>> sorted(mentions("firth/a.py", "from firth import b\\nopen('words.json')"))
    ['firth', 'firth.b', 'words.json']
    """
    package, found = path.split("/")[:-1], set()
    if path.endswith(".js"):
        found |= set(re.findall(r'from "[./]+(?:\w+/)*([\w.]+)"', text))
    for node in (node for source in code(path, text) for node in ast.walk(ast.parse(source))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            found |= {base, *(f"{base}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found |= {node.value} | {t for t in TOKEN.findall(node.value) if not t.isalpha()}
    return found


def users(paths: set[str]) -> dict[str, set[str]]:
    """For each file, the files that use it; who looks for modules or notebooks uses all of them."""
    known, found = names(paths), defaultdict(set)
    notebooks = {path for path in paths if path.endswith(".ipynb")}
    for path in paths:
        if not path.endswith((".py", ".js", ".ipynb")) or not (COURSE / path).exists():
            continue
        text = (COURSE / path).read_text(encoding="utf-8")
        used = {other for name in mentions(path, text) for other in known.get(name, ())}
        used |= {path.removesuffix(".py") + ".js"} & paths
        if path.endswith(".py") and "pkgutil" in text:
            used |= {other for other in paths if other.startswith(f"{Path(path).parent}/")}
        if path.endswith(".py") and "*.ipynb" in text:
            used |= notebooks
        for other in used:
            found[other].add(path)
    return found


def steps(start: set[str], users: dict[str, set[str]]) -> dict[str, tuple[int, str]]:
    """How far each file is from the change, and which changed file it is near to.

    >>> steps({"a"}, {"a": {"b"}, "b": {"c"}})["c"]
    (2, 'a')
    """
    found = {path: (0, path) for path in sorted(start)}
    waiting = list(found)
    for path in waiting:
        for user in sorted(users.get(path, set()) - found.keys()):
            found[user] = found[path][0] + 1, found[path][1]
            waiting.append(user)
    return found


def holds_tests(path: str, text: str) -> bool:
    """Whether pytest finds something to run in a file: tests, doctests or the cells of a notebook.

    >>> holds_tests("firth/lsa/lsa.py", ""), holds_tests("exercises/01_lsa.ipynb", "")
    (False, True)
    """
    name = path.rpartition("/")[2]
    if path.split("/")[0] in NOTEBOOKS:
        return name.endswith(".ipynb")
    if path.split("/")[0] in ("firth", "tools", "tests"):
        return name.endswith(".py") and (name.startswith("test_") or ">>> " in text)
    return False


def chosen(
    distance: dict[str, int], seconds: dict[str, float], left: float = WORKERS * SECONDS
) -> list[str]:
    """The files that fit: the nearest first, and of those that are as near the shortest.

    >>> chosen({"far": 2, "near": 1, "long": 1}, {"far": 30, "near": 60, "long": 90})
    ['near', 'far']
    """
    fitting = []
    for path in sorted(distance, key=lambda path: (distance[path], seconds[path], path)):
        if seconds[path] <= min(left, SECONDS):
            fitting.append(path)
            left -= seconds[path]
    return fitting


def distances(paths: set[str], near: dict[str, tuple[int, str]]) -> dict[str, int]:
    """How far from the change each file is that may run: tests in reach of it, and all doctests."""
    nightly = {path for path, seconds in times.stored().items() if "day" not in seconds}
    found = {}
    for path in paths:
        if not (COURSE / path).exists() or not path.endswith((".py", ".ipynb")):
            continue
        if holds_tests(path, (COURSE / path).read_text(encoding="utf-8")) and path not in nightly:
            far = 0 if path == ALWAYS else near.get(path, (FAR, ""))[0]
            if far <= NEAR or path.startswith(("firth/", "tools/")):
                found[path] = far
    return found


def reason(path: str, near: dict[str, tuple[int, str]]) -> str:
    """Why a file runs, in some words.

    >>> reason("tests/test_rnn.py", {"tests/test_rnn.py": (2, "firth/arrays.py")})
    'it uses firth/arrays.py by way of 1 other'
    """
    far, start = near.get(path, (FAR, ""))
    if far in (0, FAR):
        return "it changed" if far == 0 else "it always runs"
    return f"it uses {start}" + (f" by way of {far - 1} other" if far > 1 else "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--list", action="store_true", help="choose and run nothing")
    arguments = parser.parse_args()

    new = changed()
    paths = {path.relative_to(COURSE).as_posix() for path in files(COURSE)} | new
    near = steps(new, users(paths))
    distance = distances(paths, near)
    stored = times.seconds_of("day")
    seconds = {path: stored.get(path, median(stored.values() or [1.0])) for path in distance}
    run = chosen(distance, seconds)
    told = [path for path in run if distance[path] <= NEAR]
    print(
        f"{len(new)} files have changed. {sum(seconds[path] for path in run):.0f} s of tests run:"
    )
    print("\n".join(f"  {path} ({seconds[path]:.1f} s): {reason(path, near)}" for path in told))
    print(f"  and the doctests of {len(run) - len(told)} other modules")
    if left := sorted(distance.keys() - {*run}, key=seconds.get):
        print(f"Two minutes are too short for {sum(seconds[path] for path in left):.0f} s more:")
        print("\n".join(f"  {path} ({seconds[path]:.1f} s)" for path in left))
    if not arguments.list:
        pytest = [sys.executable, "-m", "pytest", "-q", "-n", str(WORKERS), "--dist", "loadfile"]
        sys.exit(subprocess.run([*pytest, "--no-loadscope-reorder", *run], cwd=COURSE).returncode)


if __name__ == "__main__":
    main()
