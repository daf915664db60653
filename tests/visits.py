"""Fixtures for tests of the built book: its pages, the address of a server, and a reader's visits.

The book is built once a session and served compressed from a sub-path. A visit notes every
complaint of the browser and lets nothing out of the site.
"""

import os
import re
import threading
import time

import book
import pytest
from notebooks import COURSE
from serve import server

UNDER = "/some/course/"


@pytest.fixture(scope="session")
def pages(tmp_path_factory):
    """The folder of the built pages, the same for all workers of a session."""
    shared = tmp_path_factory.getbasetemp()
    if os.environ.get("PYTEST_XDIST_WORKER"):
        shared = shared.parent
    target, lock, done = shared / "book", shared / "book.lock", shared / "book.done"
    try:
        lock.touch(exist_ok=False)
    except FileExistsError:
        for _ in range(3000):
            if done.exists():
                break
            time.sleep(0.1)
        if done.read_text() != "built":
            pytest.fail(f"Another worker could not build the book: {done.read_text()}")
        return target / "_build" / "html"
    try:
        built = book.build(COURSE, target)
    except SystemExit as stop:
        done.write_text(str(stop))
        pytest.fail(str(stop))
    done.write_text("built")
    return built


@pytest.fixture(scope="session")
def site(pages):
    """The address of the book, served from a sub-path."""
    with server(pages, under=UNDER) as serving:
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{serving.server_port}{UNDER}"
        serving.shutdown()


class Visit:
    """One reader's window, which notes every complaint and lets nothing out."""

    def __init__(self, chromium, site, scheme="light", width=1280, motion="reduce"):
        self.site, self.complaints, self.weight = site, [], 0
        self.context = chromium.new_context(
            viewport={"width": width, "height": 800}, color_scheme=scheme, reduced_motion=motion
        )
        self.page = self.context.new_page()
        self.context.route("**/*", self.guard)
        self.page.on("console", self.hear)
        self.page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        self.page.on("response", self.weigh)

    def guard(self, route):
        if route.request.url.startswith((self.site, "data:", "blob:")):
            return route.continue_()
        self.complaints.append(f"asks for {route.request.url}")
        route.abort()

    def hear(self, message):
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.type}: {message.text}")

    def weigh(self, response):
        if response.status >= 400:
            self.complaints.append(f"{response.status} {response.url}")
        if not re.search(r"\.(png|jpe?g|svg|gif)(\?|$)", response.url):
            self.weight += int(response.headers.get("content-length", 0))

    def open(self, name):
        self.page.goto(f"{self.site}{name}.html")
        return self.page

    def scroll(self):
        """Read to the end, slowly enough that all that waits for a reader appears."""
        self.page.evaluate(
            """async () => {
              const pause = (ms) => new Promise((go) => setTimeout(go, ms));
              for (let y = 0; y < document.body.scrollHeight; y += 400) {
                scrollTo(0, y);
                await pause(20);
              }
              const left = () => document.querySelector(".math:not([data-typeset='done'])")
                || document.querySelector(".firth-widget[data-model]:not([data-state])")
                || document.querySelector("[data-state='loading']");
              for (let i = 0; i < 300 && left(); i++) await pause(50);
              scrollTo(0, 0);
            }"""
        )


@pytest.fixture
def visit(chromium, site):
    opened = []

    def start(scheme="light", width=1280, motion="reduce"):
        opened.append(Visit(chromium, site, scheme, width, motion))
        return opened[-1]

    yield start
    for one in opened:
        one.context.close()
