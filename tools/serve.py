"""Build the book if anything has changed, serve it on this machine, and build what changes later.

python tools/serve.py                 the whole of it
python tools/serve.py --port 9000     ask for a port; a taken one is replaced by a free one
python tools/serve.py --no-build      serve what stands, and build nothing

A page that is open in a browser loads itself anew when the book has been built again.
"""

import interrupt

if __name__ == "__main__":  # first of all: the other imports can be interrupted as well
    interrupt.quietly()

import argparse
import contextlib
import functools
import gzip
import http.server
import itertools
import json
import socket
import sys
import threading
import time
from pathlib import Path

from book import COMPLETE, ROOT, build, write
from watch import WATCHED, times, watch

PAGES = ROOT / "_build" / "html"
TIMES = ROOT / "_build" / "seconds.json"
NEWEST = "/_newest"  # the address at which stands when the pages were built
RELOADS = f"""<script>
  setInterval(async () => {{
    const newest = await (await fetch("{NEWEST}").catch(() => null))?.text();
    if (newest && newest !== (window.newest ??= newest)) location.reload();
  }}, 1000);
</script></body>"""
TEXT = {".html", ".js", ".css", ".svg", ".json", ".xml", ".txt", ".ipynb", ".inv"}


class Server(http.server.ThreadingHTTPServer):
    """A server that, while somebody builds the pages again, also tells when that was."""

    newest = ""


class Handler(http.server.SimpleHTTPRequestHandler):
    """Files as a publisher sends them: compressed, under any folder, wrong addresses answered."""

    extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | {
        ".ipynb": "application/json",
        ".woff2": "font/woff2",
    }

    def __init__(self, *args, under: str = "/", **kwargs):
        self.under = under
        super().__init__(*args, **kwargs)

    def do_GET(self, body: bool = True):
        if self.server.newest and self.path == NEWEST:
            return self.answer(200, "text/plain", self.server.newest.encode(), body)
        inside = self.path.startswith(self.under)
        path = Path(self.translate_path("/" + self.path[len(self.under) :] if inside else "/:"))
        if path.is_dir():
            path = path / "index.html"
        found = inside and path.is_file()
        if not found:
            path = Path(self.directory) / "404.html"
        content = path.read_bytes() if path.is_file() else b""  # a build may be under way
        if self.server.newest and path.suffix == ".html":
            content = content.replace(b"</body>", RELOADS.encode())
        packed = path.suffix in TEXT and "gzip" in self.headers.get("Accept-Encoding", "")
        kind = self.guess_type(str(path))
        self.answer(200 if found else 404, kind, content, body, packed)

    def answer(self, status: int, kind: str, content: bytes, body: bool, packed: bool = False):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        if packed:
            content = gzip.compress(content, 6)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-cache")
        with contextlib.suppress(ConnectionError):  # the reader has gone on to another page
            self.end_headers()
            if body:
                self.wfile.write(content)

    def do_HEAD(self):
        self.do_GET(body=False)

    def log_message(self, *ignored):
        pass


def server(pages: Path, port: int = 0, under: str = "/") -> Server:
    """A server of a folder on this machine alone; a taken port is replaced by a free one."""
    handler = functools.partial(Handler, directory=str(pages), under=under)
    with socket.socket() as probe:
        taken = port and probe.connect_ex(("127.0.0.1", port)) == 0
    return Server(("127.0.0.1", 0 if taken else port), handler)


def patiently(work, doing: str, usual: float) -> None:
    """Run something slow and say, on one line, what it is and how long is left."""
    began, done = time.monotonic(), threading.Event()
    shown = sys.stdout.isatty()

    def tell():
        for turn in itertools.count():
            if done.wait(0.2 if shown else 5):
                return
            if shown or turn == 0:
                left = usual - (time.monotonic() - began)
                when = f"about {left:.0f} s left" if left > 0 else "nearly done"
                print(f"\r{doing}: {when}   ", end="" if shown else "\n", flush=True)

    telling = threading.Thread(target=tell, daemon=True)
    telling.start()
    try:
        work()  # here and not in the thread: an interruption finds it, and ends what it started
    finally:
        done.set()
        telling.join()
    print(f"\r{doing}: {time.monotonic() - began:.0f} s.          ", flush=True)


def built() -> None:
    """Bring the pages up to date, and note how long it took for the next time."""
    kind = "again" if (PAGES.parent / COMPLETE).exists() else "first"
    seconds = json.loads(TIMES.read_text()) if TIMES.exists() else {}
    began = time.monotonic()
    patiently(
        lambda: build(ROOT, ROOT),
        "Building the book" if kind == "first" else "Looking for changes and building them",
        seconds.get(kind, 20 if kind == "first" else 5),
    )
    write(TIMES, json.dumps(seconds | {kind: round(time.monotonic() - began, 1)}))


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--port", type=int, default=8000, help="the port to try first (8000)")
    parser.add_argument("--no-build", action="store_true", help="serve what stands")
    chosen = parser.parse_args(arguments)
    known = times(ROOT, WATCHED)
    if not chosen.no_build:
        built()
    elif not (PAGES.parent / COMPLETE).exists():
        sys.exit("There is no complete book yet: leave out --no-build.")
    with server(PAGES, chosen.port) as serving:
        if not chosen.no_build:
            serving.newest = str(time.time())
        print(
            f"The book stands at http://127.0.0.1:{serving.server_port}/ — Ctrl+C ends it.",
            flush=True,
        )
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        try:
            if chosen.no_build:
                threading.Event().wait()
            for _ in watch(ROOT, PAGES, known, built):
                serving.newest = str(time.time())
        except KeyboardInterrupt:
            if not (PAGES.parent / COMPLETE).exists():  # in the middle of a build
                raise
            print("\nEnded.")
        finally:
            serving.shutdown()


if __name__ == "__main__":
    main()
