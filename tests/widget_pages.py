"""A page with widgets that load files, as the book serves it, and what the page asks for."""

import contextlib
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import page_widgets
from notebooks import COURSE
from serve import server

UNDER = "/some/course/"
LETTERS = """() => [...document.querySelectorAll(".firth-view *")]
  .filter((e) => e.getClientRects().length && !e.closest(".heard"))
  .filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
  .map((e) => {
    const drawing = e.ownerSVGElement;
    const scale = drawing ? drawing.clientWidth / drawing.viewBox.baseVal.width : 1;
    return parseFloat(getComputedStyle(e).fontSize) * scale;
  })"""  # the sizes of all letters that a reader sees, in pixels


@contextlib.contextmanager
def served(root: Path, *views) -> Iterator[str]:
    """The address of a page with these widgets, served from a sub-path; the widgets are closed."""
    (root / "_static").symlink_to(COURSE / "site/_static")
    models = {}
    for view in views:
        kind = f"{type(view).__module__}.{type(view).__name__}"
        looks = {"_anywidget_id": kind, "_esm": view._esm, "_css": str(view._css)}
        models[view.model_id] = view.state() | looks
    text = json.dumps(models).replace("<", "\\u003c")
    places = "".join(view._repr_mimebundle_()[0]["text/html"] for view in views)
    (root / "chapters").mkdir()
    (root / "chapters/page.html").write_text(
        '<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width">'
        '<meta charset="utf-8"><link rel="icon" href="data:,"><title>Page</title>'
        '<link rel="stylesheet" href="../_static/course.css"></head>'
        f"<body>{places}{page_widgets.ELEMENT.format(text)}"
        '<script src="../_static/widgets.js?v=1" defer></script></body></html>',
        encoding="utf-8",
    )
    for view in views:
        view.close()
    with server(root, under=UNDER) as serving:
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{serving.server_port}{UNDER}chapters/page.html"
        serving.shutdown()


@contextlib.contextmanager
def opener(chromium, address: str, folder: str) -> Iterator:
    """A function that opens the page; it gives the page and a list that grows.

    The list has the addresses with `folder` that the page asks for, and the errors of its scripts.
    """
    contexts = []

    def opened(width=1280, motion="reduce"):
        size = {"width": width, "height": 800}
        contexts.append(chromium.new_context(viewport=size, reduced_motion=motion))
        page, asked = contexts[-1].new_page(), []
        page.on("pageerror", lambda error: asked.append(f"error: {error}"))
        page.on("request", lambda r: asked.append(r.url) if folder in r.url else None)
        page.goto(address)
        page.wait_for_function("window.mountAll")
        page.evaluate("mountAll()")
        page.locator(".firth-view").last.wait_for()
        return page, asked

    yield opened
    for context in contexts:
        context.close()
