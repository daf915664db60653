"""Build the book into _build/html, with every warning an error.

    python tools/book.py            build what has changed
    python tools/book.py --all      build everything again
    python tools/book.py --links    follow every link out of the book instead of building it

Jupyter Book 2 reads neither _config.yml nor _toc.yml, builds nothing and is content; so the first
page is looked for.

A file beside the pages, `_build/complete`, says that the last build came to its end. Where it is
missing, what stands there may be half a book, and the next build begins with an empty folder.
"""

import interrupt

if __name__ == "__main__":  # first of all: the other imports can be interrupted as well
    interrupt.quietly()

import argparse
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path += [str(ROOT), str(ROOT / "site")]
JUPYTER_BOOK = "from jupyter_book.cli.main import main; main()"  # of this very Python
COMPLETE = "complete"


def build(source: Path = ROOT, target: Path = ROOT, *options: str) -> Path:
    """The folder of the built pages; one sentence and no folder if anything is wrong."""
    begin(target / "_build")
    if any((source / "exercises").glob("*.ipynb")):
        bring_python()
    command = [sys.executable, "-c", JUPYTER_BOOK, "build", "-W", "-n", "--keep-going"]
    command += ["--path-output", str(target), *options, str(source)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as child:
        try:
            said = "".join(child.communicate()).splitlines()
        finally:
            child.kill()  # does nothing to one that has ended
            child.wait()
    pages = target / "_build" / "html"
    if child.returncode:
        told = [line for line in said if "WARNING" in line or "ERROR" in line] or said[-15:]
        sys.exit(
            "\n".join([*dict.fromkeys(told), "The book was not built: mend what stands above."])
        )
    if "linkcheck" not in options and not (pages / "index.html").exists():
        sys.exit("The build ended without index.html: install jupyter-book below 2.")
    write(pages.parent / COMPLETE, "The last build came to its end.\n")
    return pages


@cache
def bring_python() -> None:
    """Bring what Python in the pages is made of into the cache; where CI is set, it must come."""
    from python import archives, shared_files

    from firth.store.cache import StoreError

    archives.allow_npm_of_the_tests()
    try:
        shared_files.bring()
    except StoreError as missing:
        left_out = f"Python in the exercises' pages is left out: {missing}"
        if os.environ.get("CI"):
            sys.exit(f"{left_out} Where CI is set, it must be there.")
        print(left_out, flush=True)


def begin(folder: Path) -> None:
    """Clear what an interrupted build has left, and take away the mark of a complete book."""
    if not (folder / COMPLETE).exists():
        for part in ("html", ".doctrees", "jupyter_execute"):
            if (folder / part).exists():
                shutil.rmtree(folder / part)
    (folder / COMPLETE).unlink(missing_ok=True)


def write(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    part = path.with_name(path.name + ".part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, path)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--all", action="store_true", help="build every page, changed or not")
    parser.add_argument("--links", action="store_true", help="follow every link out of the book")
    chosen = parser.parse_args(arguments)
    options = ["--all"] if chosen.all else []
    options += ["--builder", "linkcheck"] if chosen.links else []
    pages = build(ROOT, ROOT, *options)
    print("Every link leads somewhere." if chosen.links else f"Built: {pages / 'index.html'}")


if __name__ == "__main__":
    main()
