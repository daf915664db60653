"""The browser of the site's tests, its PDF and its social card: found once, started the same way.

Looked for, in this order: $FIRTH_BROWSER, chromium and chrome on the path, Playwright's own.
"""

import contextlib
import os
import shutil
from functools import cache
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
QUIET = [  # a browser that speaks to nobody of its own accord
    "--headless=new",
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
MISSING = "no browser was found: install chromium, or run `playwright install chromium`"


@cache
def executable() -> str | None:
    """The path of a browser, or None where the machine has none."""
    if named := os.environ.get("FIRTH_BROWSER"):
        return named
    for name in NAMES:
        if found := shutil.which(name):
            return found
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    return own if Path(own).exists() else None


@contextlib.contextmanager
def browser():
    """A started browser; it is closed whatever happens."""
    if not (path := executable()):
        raise SystemExit(f"{MISSING}.")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=QUIET)
        try:
            yield chromium
        finally:
            chromium.close()
