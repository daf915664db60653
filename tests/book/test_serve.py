"""What `make serve` does after a change: it builds the page again, and says so."""

import gzip
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from queue import Empty, Queue
from threading import Thread

import pytest
from canonical import CLASS, canonical
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output, writes
from tree import small_book

from tests.book.test_interrupted import running

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Processes are read from /proc.")
MODEL = "0" * 32


def notebook_with_a_widget():
    """A page as it is stored: the HTML without a script, and the traits of its widget."""
    html = f'<div class="firth-widget" data-model="{MODEL}"><p>a table</p></div>'
    output = new_output("execute_result", {"text/html": html}, execution_count=1)
    code = new_code_cell("LsaWindow()", outputs=[output], execution_count=1)
    notebook = new_notebook(cells=[new_markdown_cell("# A window"), code])
    notebook.metadata.firth = {
        "widgets": {MODEL: {CLASS: "firth.widgets.lsa.context_window.LsaWindow"}}
    }
    return canonical(writes(notebook))


class Serving:
    """`tools/serve.py` at work, and what it has said."""

    def __init__(self, course):
        usual = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
        command = [sys.executable, course / "tools" / "serve.py", "--port", "0"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command, stdout=pipe, stderr=pipe, text=True, env=usual, start_new_session=True
        )
        self.lines = Queue()
        self.reading = Thread(target=self.read, daemon=True)
        self.reading.start()
        self.address = re.search(r"http://[\d.:]+/", self.until("The book stands"))[0]

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put("The end.")

    def until(self, words, seconds=90):
        """All that is said up to the next line with these words."""
        said, end = "", time.monotonic() + seconds
        while words not in said.rpartition("\n")[2]:
            assert not said.endswith("The end."), said + self.process.stderr.read()
            try:
                said += "\n" + self.lines.get(timeout=max(0, end - time.monotonic())).strip()
            except Empty:
                raise AssertionError(f"Never said {words!r}, but:{said}") from None
        return said

    def get(self, page):
        with urllib.request.urlopen(self.address + page) as answer:
            return answer.read().decode()


PACKED = {"Accept-Encoding": "gzip"}


@pytest.fixture
def small(tmp_path):
    """A book of which one page has a widget."""
    book = small_book(tmp_path, ["index", "counts", "networks", "window"])
    (book / "window.md").unlink()
    (book / "window.ipynb").write_text(notebook_with_a_widget())
    return book


@pytest.fixture
def serving(small):
    started = Serving(small)
    yield started
    if list(running(started.process.pid)):
        os.killpg(started.process.pid, signal.SIGKILL)
    started.process.wait()
    started.reading.join()
    started.process.stdout.close()
    started.process.stderr.close()


def test_a_change_is_built_and_told_an_error_is_shown_and_ctrl_c_is_one_line(serving, small):
    page, newest = small / "counts.md", serving.get("_newest")
    request = urllib.request.Request(serving.address + "counts.html", headers=PACKED)
    with urllib.request.urlopen(request, timeout=5) as answer:
        assert b"About counts" in gzip.decompress(answer.read())
    assert newest in serving.get("_newest") and "_newest" in serving.get("counts.html")

    page.write_text("# About counts\n\nAnother sentence.\n")
    said = serving.until("Built again")
    assert "Changed: counts.md." in said and re.search(r"building them: \d+ s\.", said)
    assert said.endswith("Built again: counts, index.")
    assert "Another sentence." in serving.get("counts.html")
    end = time.monotonic() + 10  # the pages hear of it a moment after the line was printed
    while serving.get("_newest") == newest and time.monotonic() < end:
        time.sleep(0.1)
    assert float(serving.get("_newest")) > float(newest)

    page.write_text("# About counts\n\n![](site/lab.png)\n")
    assert "picture without a description" in serving.until("Still watching")
    page.write_text("# About counts\n\nMended.\n")
    serving.until("Built again")
    assert "Mended." in serving.get("counts.html")

    sheet, script = (small / "firth" / "widgets" / name for name in ("widgets.css", "controls.js"))
    for file, text in ((sheet, "/* another colour */"), (script, "// another control")):
        before = (small / "window.ipynb").read_bytes()
        file.write_text(file.read_text() + text + "\n")
        said = serving.until("Built again")
        assert f"Changed: firth/widgets/{file.name}." in said
        assert said.endswith("Built again: index, window.")
        assert text in serving.get("window.html")
        assert (small / "window.ipynb").read_bytes() == before

    os.killpg(serving.process.pid, signal.SIGINT)
    assert serving.process.wait(20) == 0
    assert serving.until("Ended.").strip() == "Ended."
    assert serving.process.stderr.read() == ""
    assert not list(running(serving.process.pid))


def test_ctrl_c_in_the_middle_of_another_build_says_that_the_book_is_not_complete(serving, small):
    (small / "counts.md").write_text("# About counts\n\nAnother sentence.\n")
    serving.until("Changed")
    time.sleep(0.5)
    os.killpg(serving.process.pid, signal.SIGINT)
    assert serving.process.wait(20) == -signal.SIGINT
    [line] = serving.process.stderr.read().splitlines()
    assert line.startswith("Interrupted.")
