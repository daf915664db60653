"""What stands around a class while it is graded, and is nobody's business: the canaries.

Files, memory, sockets and an environment, each with a secret of its own. Who calls is written down;
what was there before must be there afterwards, and nothing else.
"""

import ctypes
import hashlib
import os
import secrets
import shutil
import socket
import sys
import sysconfig
import tempfile
import threading
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import firth
from hostile import LEFT, Hostile

CHECKS = Path(__file__).with_name("checks")
EVERYBODYS = ("/", "/tmp", "/var/tmp", "/dev/shm", "/dev", "/run", "/mnt", "/usr", "/etc", "/opt")
REMOVE = 0  # of shmctl(2)
CREATE = 0o1000  # of shmget(2)


@dataclass
class World:
    folder: Path
    sandbox: str
    visits: list[str] = field(default_factory=list)
    secrets: dict[str, str] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)  # what @WORD@ stands for
    doors: list[socket.socket] = field(default_factory=list)
    digests: dict[str, str] = field(default_factory=dict)  # of the submissions that are files

    def canary(self, name: str) -> str:
        return self.secrets.setdefault(name, f"canary-{name}-{secrets.token_hex(16)}")

    def place(self, name: str) -> Path:
        return self.folder / name

    def filled(self, content: bytes) -> bytes:
        for word, meaning in self.words.items():
            content = content.replace(f"@{word}@".encode(), meaning.encode())
        return content

    def built(self, suite: list[Hostile]) -> "World":
        """All files, services and submissions, in place."""
        self.shared = Path(tempfile.mkdtemp(prefix="hostile-"))
        self.memory = Path(tempfile.mkdtemp(prefix="hostile-", dir="/dev/shm"))
        for name, place in (
            ("home", self.place("home")),
            ("shared", self.shared),
            ("memory", self.memory),
        ):
            place.mkdir(exist_ok=True)
            place.chmod(0o755)  # open to everyone: the sandbox shall be the wall
            (place / "notes.txt").write_text(self.canary(name))
        self.folder.chmod(0o755)
        self.place("temporary").mkdir()
        shutil.copytree(CHECKS, self.place("checks"), ignore=shutil.ignore_patterns("__pycache__"))
        for path in self.place("checks").glob("*.py"):
            text = path.read_text(encoding="utf-8")
            path.write_text(text.replace("canary-checks-0000", self.canary("checks")), "utf-8")
        self.place("seed").write_text(self.canary("seed"))
        self.words = {
            "HOME": str(self.place("home")),
            "SUBMISSIONS": str(self.place("class")),
            "CHECKS": str(self.place("checks")),
            "OUT": str(self.place("grades")),
            "SEEDFILE": str(self.place("seed")),
            "SHARED": str(self.shared),
            "MEMORY": str(self.memory),
            "NEIGHBOUR": self.canary("neighbour"),
        }
        self.services()
        self.place("class").mkdir()
        for one in suite:
            path = self.place("class") / os.fsdecode(one.written)
            if isinstance(one.file, bytes):
                path.write_bytes(self.filled(one.file))
            else:
                one.file(path)
            inside = path / "q.ipynb" if path.is_dir() else path
            if not path.is_symlink() and inside.is_file():
                self.digests[one.name] = hashlib.sha256(inside.read_bytes()).hexdigest()
        return self

    def services(self) -> None:
        """Sockets of every kind that answer whoever comes with their secret; shared memory."""
        for name, kind, address in (
            ("tcp", socket.SOCK_STREAM, ("127.0.0.1", 0)),
            ("udp", socket.SOCK_DGRAM, ("127.0.0.1", 0)),
            ("socket", socket.SOCK_STREAM, str(self.shared / "door")),
            ("abstract", socket.SOCK_STREAM, f"\0hostile-{secrets.token_hex(8)}"),
        ):
            door = socket.socket(socket.AF_INET if name in ("tcp", "udp") else socket.AF_UNIX, kind)
            door.bind(address)
            self.doors.append(door)
            bound = door.getsockname()
            if name in ("tcp", "udp"):
                self.words[name.upper()] = str(bound[1])
            else:
                self.words[name.upper()] = os.fsdecode(bound).removeprefix("\0")
            threading.Thread(target=self.serve, args=(name, door), daemon=True).start()
        key = secrets.randbits(30)
        libc = ctypes.CDLL(None)
        libc.shmat.restype, libc.shmat.argtypes = (
            ctypes.c_void_p,
            (ctypes.c_int, *[ctypes.c_void_p] * 2),
        )
        self.segment = libc.shmget(key, 4096, CREATE | 0o666)
        secret = self.canary("segment").encode()
        ctypes.memmove(libc.shmat(self.segment, None, 0), secret, len(secret))
        self.words |= {"SHMKEY": str(key), "SEGMENT": str(self.segment)}

    def serve(self, name: str, door: socket.socket) -> None:
        secret = self.canary(name).encode()
        try:
            if door.type == socket.SOCK_STREAM:
                door.listen()
            while True:
                if door.type == socket.SOCK_STREAM:
                    visitor, _ = door.accept()
                    with visitor:
                        visitor.sendall(secret)
                else:
                    _, address = door.recvfrom(99)
                    door.sendto(secret, address)
                self.visits.append(name)
        except OSError:
            return

    def environment(self) -> dict[str, str]:
        home = {"HOME": str(self.place("home")), "FIRTH_HOSTILE": self.canary("environment")}
        path = os.pathsep.join([str(Path(firth.__file__).parents[1])])
        home["TMPDIR"] = str(self.place("temporary"))
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        return kept | home | {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}

    def snapshot(self) -> dict[str, str]:
        """What must be afterwards as it was before."""
        guarded = (self.place("home"), self.place("class"), self.place("checks"), self.shared)
        roots = (*guarded, self.memory, self.place("seed"), Path(firth.__file__).parent)
        return {
            os.fsdecode(path): state(path)
            for root in roots
            for path in (root, *sorted(root.rglob("*")))
            if "__pycache__" not in path.parts
        }

    def left(self) -> list[str]:
        """What submissions have left behind wherever everybody may write, and grown folders."""
        packages = [sys.prefix, *sysconfig.get_paths().values(), str(Path(np.__file__).parent)]
        places = {*EVERYBODYS, *packages, os.getcwd(), str(Path.home()), str(self.folder)}
        found = [path for place in places for path in Path(place).glob(f"{LEFT}*")]
        return sorted(map(str, [*found, *self.place("temporary").iterdir()]))

    def end(self) -> None:
        for door in self.doors:
            door.shutdown(socket.SHUT_RDWR) if door.type == socket.SOCK_STREAM else None
            door.close()
        ctypes.CDLL(None).shmctl(self.segment, REMOVE, None)
        for place in (self.shared, self.memory):
            shutil.rmtree(place, ignore_errors=True)


def state(path: Path) -> str:
    """What a file is and holds, in a word."""
    status = path.lstat()
    if path.is_file() and not path.is_symlink():
        return hashlib.sha256(path.read_bytes()).hexdigest()
    return f"{status.st_mode:o} {os.readlink(path) if path.is_symlink() else ''}"
