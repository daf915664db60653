"""The outer wall: what a house sees of this machine, and how it is started.

    bubblewrap   a tree of its own, without network, with read-only Python and nothing else
    sandlock     Landlock and seccomp: no root, no namespaces; for machines that forbid those
    none         no wall at all; only for whoever asks for it by name

In all three a house is one command, whose standard input is the socket it listens to.
"""

import json
import os
import shutil
import site
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from socket import socket

import firth

COURSE = Path(firth.__file__).resolve().parent
STUDENT = "/student"  # the only folder to write in; in bubblewrap a new one for each
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64")
DETAILS = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime")
DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/proc")
NO_SANDBOX = """\
No sandbox works on this machine, and students' code should not run without one. Install one (both
are for Linux; elsewhere, use WSL, a container or a virtual machine):
  bubblewrap   apt install bubblewrap (or your system's package of this name)
  sandlock     pip install sandlock (Linux 6.7 or newer)
and run the command again."""


class NoSandbox(RuntimeError):
    """No sandbox, or none that works here; the message says what to do."""


def readable() -> list[str]:
    """What a house may read: the system's programs, this Python and its packages, this package."""
    pythons = [sys.prefix, sys.base_prefix]
    if site.ENABLE_USER_SITE and os.path.isdir(site.getusersitepackages()):
        pythons.append(site.getusersitepackages())
    found: list[str] = []
    for place in [*SYSTEM, *DETAILS, *map(os.path.realpath, pythons), str(COURSE)]:
        inside = any(Path(place).is_relative_to(other) for other in found)
        if os.path.exists(place) and not inside:
            found.append(place)
    return found


def installed(sandbox: str) -> bool:
    """Whether this machine has a sandbox of this name."""
    if sandbox == "bubblewrap":
        return shutil.which("bwrap") is not None
    return sandbox == "none" or find_spec("sandlock") is not None


def candidates(wanted: str | None = None) -> list[str]:
    """The sandboxes to try, best first, or NoSandbox.

    >>> candidates("none")
    ['none']
    """
    names = [wanted] if wanted else ["bubblewrap", "sandlock"]
    if found := [name for name in names if installed(name)]:
        return found
    raise NoSandbox(NO_SANDBOX if wanted is None else f"{wanted} is not installed. {NO_SANDBOX}")


def environment(folder: str, packages: str | Path) -> dict[str, str]:
    """All that a submission learns about the machine."""
    threads = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "LOGNAME": "student",
        "USER": "student",
        "HOME": folder,
        "TMPDIR": folder,
        "IPYTHONDIR": f"{folder}/.ipython",
        "MPLCONFIGDIR": f"{folder}/.matplotlib",
        "MPLBACKEND": "Agg",
        "JOBLIB_MULTIPROCESSING": "0",  # its processes look for each other in /proc
        "PIP_NO_INDEX": "1",  # no network: say so at once
        "PYTHONPATH": str(packages),
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        **dict.fromkeys(threads, "1"),
    }


def bubblewrap() -> list[str]:
    """The wall as a command, to be followed by what runs inside."""
    root = os.getuid() == 0
    # Root needs no user namespace, and becomes nobody inside, or maps itself into a new one.
    powers = ("CAP_SETUID", "CAP_SETGID", "CAP_SETFCAP")
    who = ["--cap-drop", "ALL", *(word for power in powers for word in ("--cap-add", power))]
    if not root:
        who = ["--unshare-user", "--uid", "1000", "--gid", "1000", "--cap-drop", "ALL"]
    wall = ["bwrap", "--die-with-parent", "--new-session", *who]
    wall += [f"--unshare-{name}" for name in ("ipc", "pid", "net", "uts", "cgroup-try")]
    wall += ["--hostname", "sandbox", "--proc", "/proc", "--dev", "/dev"]
    wall += ["--perms", "1777", "--tmpfs", "/tmp", "--perms", "1777", "--tmpfs", STUDENT]
    for place in readable():
        if os.path.islink(place):
            wall += ["--symlink", os.readlink(place), place]
            continue
        for folder in reversed(Path(place).parents[:-1]):
            wall += ["--dir", str(folder)]  # with leave to pass, which bubblewrap's own lack
        wall += ["--ro-bind", place, place]
    # One submission after another lives in this tree: none of them may leave anything in it.
    wall += [flag for place in ("/tmp", "/dev", "/") for flag in ("--remount-ro", place)]
    return [*wall, "--chdir", "/", "--"]


def started(sandbox: str, control: socket, modules: list[str]) -> tuple[subprocess.Popen, str]:
    """A house behind its wall, and the folder outside that it writes in, if there is one."""
    paths, folder, outside = readable(), STUDENT, ""
    if sandbox != "bubblewrap":
        outside = tempfile.mkdtemp(prefix="firth-grade-")
        folder = f"{outside}/home"
        os.mkdir(folder)
    order = {"sandbox": sandbox, "folder": folder, "readable": paths, "modules": modules}
    house = [sys.executable, "-m", "firth.grading.untrusted.worker", json.dumps(order)]
    if sandbox == "bubblewrap":
        house = bubblewrap() + house
    elif sandbox == "sandlock":
        # Python finds a package by listing the folder above it, which is nobody's business.
        packages = f"{outside}/packages"
        os.mkdir(packages)
        os.symlink(COURSE, f"{packages}/{COURSE.name}")
        paths.append(packages)
        wall = {"fs_readable": [*paths, *DEVICES], "fs_writable": [folder, "/dev/null"]}
        house = [sys.executable, "-m", __name__, outside, json.dumps(wall), *house]
    process = subprocess.Popen(
        house,
        stdin=control,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=environment(folder, f"{outside}/packages" if sandbox == "sandlock" else COURSE.parent),
        cwd="/",
    )
    return process, outside


def main() -> None:
    """Runs a command inside sandlock; it ends when the grader does, which closes its socket."""
    from sandlock import Sandbox

    _, outside, wall, *command = sys.argv
    status = Sandbox(**json.loads(wall)).run_interactive(command)
    shutil.rmtree(outside, ignore_errors=True)
    sys.exit(status)


if __name__ == "__main__":
    main()
