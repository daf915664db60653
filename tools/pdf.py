"""The whole book as one file, _build/course.pdf: each page printed by a browser, with an outline.

    python tools/pdf.py                     build, print, join
    python tools/pdf.py --output book.pdf   elsewhere

What is printed is the site: formulas typeset, widgets in their first state. A link from page to
page leads to the place inside the file, and to the published site where nothing of it was printed.
No date is kept, so that the same book gives the same pages.
"""

import argparse
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urldefrag

import yaml
from book import ROOT, build
from pypdf import PdfReader, PdfWriter
from pypdf.generic import (
    ArrayObject,
    DictionaryObject,
    FloatObject,
    NameObject,
    TextStringObject,
)
from serve import server

sys.path += [str(ROOT / "tests"), str(ROOT / "site")]
from browser import browser
from course import pages_address, repository

# Chromium notes in a file where a place stands only if the page itself links to that place.
READY = """async () => {
  await Promise.all([window.typesetAll?.(), window.mountAll?.()]);
  await document.fonts.ready;
  const links = document.createElement("nav");
  links.hidden = true;
  for (const { id } of document.querySelectorAll("[id]")) {
    const link = document.createElement("a");
    link.href = `#${encodeURIComponent(id)}`;
    links.append(link);
  }
  document.body.append(links);
}"""


def contents(root: Path = ROOT) -> list[str]:
    """The pages of the book in reading order.

    >>> contents()[0]
    'index'
    """
    toc = yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))
    parts = toc.get("parts", [toc])
    pages = [page for part in parts for page in part.get("chapters", [])]
    return [toc["root"], *(file for page in pages for file in with_sections(page))]


def with_sections(page: dict) -> Iterator[str]:
    """A page of the table of contents and the pages below it, in reading order.

    >>> list(with_sections({"file": "a", "sections": [{"file": "b"}]}))
    ['a', 'b']
    """
    yield page["file"]
    for section in page.get("sections", []):
        yield from with_sections(section)


def links(pages) -> list[DictionaryObject]:
    """Every link that is drawn on these pages of a PDF."""
    notes = [note.get_object() for page in pages for note in page.get("/Annots", [])]
    return [note for note in notes if note["/Subtype"] == "/Link"]


def with_addresses(printed: PdfReader, address: str) -> PdfReader:
    """The same pages, on which a link within the page says the page's address like any other.

    Joined, all pages share one list of names, in which the same name on two pages would be one.
    """
    for link in links(printed.pages):
        if name := link.pop("/Dest", None):
            uri = TextStringObject(f"{address}#{name.removeprefix('/')}")
            link[NameObject("/A")] = DictionaryObject(
                {NameObject("/S"): NameObject("/URI"), NameObject("/URI"): uri}
            )
    printed.root_object.pop("/Dests", None)
    return printed


def place(page, left: float, top: float) -> ArrayObject:
    """A place in a PDF, as a link names it: a page, and where on it; the magnification stays."""
    where = (FloatObject(number) for number in (left, top, 0))
    return ArrayObject([page.indirect_reference, NameObject("/XYZ"), *where])


def lead_inside(book: PdfWriter, places: dict[str, ArrayObject], local: str) -> None:
    """Let each link to the local server lead to its place in the book, else to the published page.

    A place that is not on paper, such as one in a closed fold, is reached at the top of its page.
    """
    published = pages_address(repository(ROOT))
    for link in links(book.pages):
        uri = link.get("/A", {}).get("/URI", "")
        if not uri.startswith(local):
            continue
        inside = places.get(unquote(uri)) or places.get(urldefrag(uri).url)
        if inside:
            del link[NameObject("/A")]
            link[NameObject("/Dest")] = inside
        else:
            link["/A"][NameObject("/URI")] = TextStringObject(published + uri.removeprefix(local))


def printed(pages: Path, names: list[str], into: Path, chromium) -> Path:
    """Print each page in turn and join them, each under its own title in the outline."""
    book, scratch, places = PdfWriter(), into.with_suffix(".page.pdf"), {}
    serving = server(pages)
    threading.Thread(target=serving.serve_forever, daemon=True).start()
    local = f"http://127.0.0.1:{serving.server_port}/"
    try:
        page = chromium.new_page(color_scheme="light")
        for name in names:
            address = f"{local}{name}.html"
            page.goto(address)
            page.evaluate(READY)
            title = page.title().rsplit(" — ", 1)[0]
            page.pdf(
                path=scratch,
                prefer_css_page_size=True,
                print_background=True,
                tagged=True,
                outline=True,
            )
            begin, part = len(book.pages), PdfReader(scratch)
            found = {
                key: (begin + part.get_destination_page_number(at), at.left, at.top)
                for key, at in part.named_destinations.items()
            }
            book.append(with_addresses(part, address), outline_item=title, import_outline=True)
            places[address] = place(book.pages[begin], 0, book.pages[begin].mediabox.top)
            for key, (n, *at) in found.items():
                places[unquote(f"{address}#{key.removeprefix('/')}")] = place(book.pages[n], *at)
            print(f"printed {title}", flush=True)
    finally:
        serving.shutdown()
        serving.server_close()
        scratch.unlink(missing_ok=True)
    lead_inside(book, places, local)
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
