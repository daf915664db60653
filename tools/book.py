"""Build the book into _build/html, with every warning an error.

    python tools/book.py            build what has changed
    python tools/book.py --all      build everything again
    python tools/book.py --links    follow every link out of the book instead of building it

Jupyter Book 2 reads neither _config.yml nor _toc.yml, builds nothing and is content; so the first
page is looked for.
"""

import argparse
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
JUPYTER_BOOK = "from jupyter_book.cli.main import main; main()"  # of this very Python


def build(source: Path = ROOT, target: Path = ROOT, *options: str) -> Path:
    """The folder of the built pages; one sentence and no folder if anything is wrong."""
    command = [sys.executable, "-c", JUPYTER_BOOK, "build", "-W", "-n", "--keep-going"]
    done = subprocess.run(
        [*command, "--path-output", str(target), *options, str(source)],
        capture_output=True,
        text=True,
    )
    pages = target / "_build" / "html"
    said = (done.stdout + done.stderr).splitlines()
    if done.returncode:
        told = [line for line in said if "WARNING" in line or "ERROR" in line] or said[-15:]
        sys.exit(
            "\n".join([*dict.fromkeys(told), "The book was not built: mend what stands above."])
        )
    if "linkcheck" not in options and not (pages / "index.html").exists():
        sys.exit("The build ended without index.html: install jupyter-book below 2.")
    return pages


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
