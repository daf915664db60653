"""A build that Ctrl-C ends anywhere: one sentence, nothing left running, and a whole book next."""

import importlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import book
import pytest
from parts import by_day
from tree import small_book

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Processes are read from /proc.")
PAGES = ("index", "counts", "networks", "attention")
DOCTREES, HTML = "_build/.doctrees", "_build/html"
TERMINAL, SCRIPT = os.killpg, os.kill  # Ctrl-C reaches all that runs; `kill -INT` the script alone
MOMENTS = {
    "while it imports": ("serve", "tools/__pycache__/book.*.pyc", TERMINAL),
    "while pages are read": ("book", f"{DOCTREES}/counts.doctree", SCRIPT),
    "once all are read": ("serve", f"{DOCTREES}/environment.pickle", TERMINAL),
    "while pages are written": ("serve", f"{HTML}/attention.html", SCRIPT),
    "before the search index": ("book", f"{HTML}/objects.inv", TERMINAL),
}


@pytest.fixture
def small(tmp_path):
    return small_book(tmp_path, PAGES)


def started(course, name):
    """A script of the book at work, in a session of its own."""
    run, pipe = [sys.executable, course / "tools" / f"{name}.py"], subprocess.PIPE
    usual = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    return subprocess.Popen(
        run, stdout=pipe, stderr=pipe, text=True, env=usual, start_new_session=True
    )


def built(course):
    """What the next build says, and the pages that its search index knows."""
    process = started(course, "book")
    said = "".join(process.communicate(timeout=120))
    index = (course / HTML / "searchindex.js").read_text(encoding="utf-8")
    return process.returncode, said, json.loads(re.search(r'"docnames": ?(\[.*?\])', index)[1])


def running(session):
    """The processes of a session that have not ended."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, *numbers = stat.read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        if int(numbers[2]) == session and state != "Z":
            yield (stat.parent / "cmdline").read_text().split("\0")


@pytest.mark.parametrize("moment", by_day(MOMENTS, "while pages are written".__eq__))
def test_an_interrupted_build_says_so_in_one_line_and_the_next_one_is_whole(moment, small):
    name, sign, interrupt = MOMENTS[moment]
    process, end = started(small, name), time.monotonic() + 60
    try:
        while not list(small.glob(sign)) and process.poll() is None and time.monotonic() < end:
            time.sleep(0.001)
        assert process.poll() is None and list(small.glob(sign)), "It was not seen at work."
        interrupt(process.pid, signal.SIGINT)
        said, complaint = process.communicate(timeout=20)
        assert not list(running(process.pid))
    finally:
        if list(running(process.pid)):
            os.killpg(process.pid, signal.SIGKILL)
    assert "Traceback" not in said + complaint
    [line] = complaint.splitlines()
    assert line.startswith("Interrupted.")
    assert process.returncode == -signal.SIGINT
    returncode, said, docnames = built(small)
    assert returncode == 0, said
    assert sorted(docnames) == sorted(PAGES)
    assert not list(small.glob("_build/**/*.part"))


@pytest.mark.night
def test_what_stops_a_build_is_said_again_until_it_is_mended(small):
    page = small / "counts.md"
    page.write_text("# About counts\n\n![](site/lab.png)\n")
    for _ in range(2):
        returncode, said, _ = built(small)
        assert returncode == 1 and "picture without a description" in said
    page.write_text("# About counts\n\nThis page is about counts.\n")
    assert built(small)[0] == 0


def extension():
    """The book's own Sphinx extension, which writes files beside the pages."""
    return importlib.import_module("course")


@pytest.mark.parametrize("module", [book, extension()], ids=["tools", "site"])
def test_a_file_beside_the_pages_is_written_whole_or_not_at_all(module, tmp_path, monkeypatch):
    def half(path, text, encoding):
        path.write_bytes(text[:3].encode())
        raise KeyboardInterrupt

    page = tmp_path / "page.html"
    module.write(page, "The old page.")
    monkeypatch.setattr(Path, "write_text", half)
    with pytest.raises(KeyboardInterrupt):
        module.write(page, "The new page.")
    assert page.read_text() == "The old page."
