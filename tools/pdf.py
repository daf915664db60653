"""The whole book as one file, _build/course.pdf: each page printed by a browser, with an outline.

    python tools/pdf.py                     build, print, join
    python tools/pdf.py --output book.pdf   elsewhere

What is printed is the site: formulas typeset, widgets in their first state. No date is kept, so
that the same book gives the same pages.
"""

import argparse
import sys
import threading
from pathlib import Path

import yaml
from book import ROOT, build
from pypdf import PdfReader, PdfWriter
from serve import server

sys.path.append(str(ROOT / "tests"))
from browser import browser

READY = """async () => {
  await Promise.all([window.typesetAll?.(), window.mountAll?.()]);
  await document.fonts.ready;
}"""


def contents(root: Path = ROOT) -> list[str]:
    """The pages of the book in reading order.

    >>> contents()[0]
    'index'
    """
    toc = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    parts = toc.get("parts", [toc])
    return [toc["root"], *(c["file"] for part in parts for c in part.get("chapters", []))]


def printed(pages: Path, names: list[str], into: Path, chromium) -> Path:
    """Print each page in turn and join them, each under its own title in the outline."""
    book, scratch = PdfWriter(), into.with_suffix(".page.pdf")
    serving = server(pages)
    threading.Thread(target=serving.serve_forever, daemon=True).start()
    try:
        page = chromium.new_page(color_scheme="light")
        for name in names:
            page.goto(f"http://127.0.0.1:{serving.server_port}/{name}.html")
            page.evaluate(READY)
            title = page.title().rsplit(" — ", 1)[0]
            page.pdf(
                path=scratch,
                prefer_css_page_size=True,
                print_background=True,
                tagged=True,
                outline=True,
            )
            book.append(PdfReader(scratch), outline_item=title, import_outline=True)
            print(f"printed {title}", flush=True)
    finally:
        serving.shutdown()
        serving.server_close()
        scratch.unlink(missing_ok=True)
    book.metadata = {"/Title": "The Company Words Keep"}
    into.parent.mkdir(parents=True, exist_ok=True)
    book.write(into)
    return into


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--output", type=Path, default=ROOT / "_build" / "course.pdf")
    into = parser.parse_args(arguments).output
    with browser() as chromium:
        made = printed(build(), contents(), into, chromium)
    print(f"{made}: {len(PdfReader(made).pages)} pages.")


if __name__ == "__main__":
    main()
