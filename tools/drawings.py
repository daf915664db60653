"""Draw the mark of the book: a word, and the company it keeps.

    python tools/drawings.py            write logo.svg and favicon.svg
    python tools/drawings.py --card     also photograph card.png, the social card; needs a browser
    python tools/drawings.py --lab      also photograph lab.png for the README, from the built book

The word in the middle is known by the six around it; two of them lie nearest, and are joined to it.
"""

import argparse
import math
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STATIC = ROOT / "site" / "_static"
sys.path.append(str(ROOT / "site"))

from course_facts import sentence  # noqa: E402

WORD, COMPANY = "#c2512f", "#6f9bd1"  # each readable on paper and on slate
SIZE = 64
NEAREST = (1, 4)


def mark() -> str:
    """The drawing itself, as SVG elements on a square of 64.

    >>> mark().count("<circle"), mark().count("<path")
    (7, 2)
    """
    c = SIZE / 2
    angles = [math.radians(60 * i - 90) for i in range(6)]
    places = [(c + 23 * math.cos(a), c + 23 * math.sin(a)) for a in angles]
    lines, circles = [], []
    for i, (x, y) in enumerate(places):
        radius, colour = (7, WORD) if i in NEAREST else (5, COMPANY)
        circles.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{colour}"/>')
        if i in NEAREST:
            lines.append(
                f'<path d="M{c:g} {c:g}L{x:.1f} {y:.1f}" stroke="{WORD}" stroke-width="3"/>'
            )
    circles.append(f'<circle cx="{c:g}" cy="{c:g}" r="11" fill="{WORD}"/>')
    return "\n".join(lines + circles)


def svg() -> str:
    """The mark as a file.

    >>> svg().splitlines()[0]
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64">'
    """
    size = f'viewBox="0 0 {SIZE} {SIZE}" width="{SIZE}" height="{SIZE}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n{mark()}\n</svg>\n'


def card() -> str:
    """The social card as a page of 1200 × 630, in the book's own type.

    >>> "The Company Words Keep" in card()
    True
    """
    font = (STATIC / "vendor/source-serif-4/source-serif-4-latin-wght-normal.woff2").as_uri()
    return f"""<!DOCTYPE html><meta charset="utf-8">
<style>
@font-face {{ font-family: S; src: url({font}); font-weight: 200 900 }}
body {{ margin: 0; width: 1200px; height: 630px; padding: 0 80px; box-sizing: border-box;
  display: grid; grid-template-columns: 360px 1fr; gap: 60px; align-items: center;
  background: #fdfcf9; color: #24211c; font-family: S }}
svg {{ width: 360px; height: 360px }}
h1 {{ font-size: 84px; line-height: 1.06; margin: 0; font-weight: 600 }}
p {{ font-size: 34px; line-height: 1.35; margin: 32px 0 0; color: #57524a }}
</style>
{svg()}
<div><h1>The Company Words Keep</h1>
<p>{sentence(ROOT).partition(". ")[0]}.</p></div>"""


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--card", action="store_true", help="also photograph card.png; needs a browser"
    )
    parser.add_argument(
        "--lab", action="store_true", help="also photograph lab.png; needs a browser and the book"
    )
    chosen = parser.parse_args(arguments)
    for name in ("logo.svg", "favicon.svg"):
        (STATIC / name).write_text(svg(), encoding="utf-8")
    if chosen.card:
        sys.path.append(str(ROOT / "tests"))
        from browser import browser

        page_file = STATIC / "card.html"
        page_file.write_text(card(), encoding="utf-8")
        try:
            with browser() as chromium:
                page = chromium.new_page(viewport={"width": 1200, "height": 630})
                page.goto(page_file.as_uri())
                page.evaluate("document.fonts.ready")
                page.screenshot(path=STATIC / "card.png")
        finally:
            page_file.unlink()
    if chosen.lab:
        photograph_lab()


def photograph_lab() -> None:
    """The similarity lab as a reader of chapter 1 first sees it."""
    sys.path.append(str(ROOT / "tests"))
    import threading

    from browser import browser
    from serve import server

    with server(ROOT / "_build" / "html") as serving, browser() as chromium:
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        page = chromium.new_page(viewport={"width": 1280, "height": 900}, device_scale_factor=1.5)
        page.goto(f"http://127.0.0.1:{serving.server_port}/chapters/01_lsa.html")
        lab = page.locator(".firth-widget", has_text="Another question").first
        lab.scroll_into_view_if_needed()
        page.wait_for_timeout(1000)
        lab.screenshot(path=ROOT / "site" / "lab.png")
        serving.shutdown()


if __name__ == "__main__":
    main()
