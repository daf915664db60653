"""The files that all exercises share: Python itself, NumPy and jaxtyping, trimmed and packed once.

    archives  →  pyodide.mjs · pyodide.asm.js · pyodide.asm.wasm.gz · python_stdlib.zip · …

They are kept in the cache under a digest of what they are made of, so that a build only copies
them. WebAssembly is stored compressed, because not every host compresses it on the way.
"""

import gzip
import hashlib
import io
import json
import tarfile
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from firth.store import cache

from .archives import HERE, TABLE, archive

AS_THEY_ARE = ("pyodide.mjs", "pyodide.asm.js", "python_stdlib.zip")
LICENCES = HERE / "licences"
MEMORY = 60_000_000  # bytes that packing needs on the disk

# NumPy without its tests, its compiler of Fortran, headers, stubs, and modules that only tests use.
LEFT_OUT_FOLDERS = {"tests", "f2py", "include", "distutils", "_pyinstaller", "__pycache__"}
LEFT_OUT_ENDINGS = (".pyi", ".pxd", ".h", ".a", ".rst", ".build", ".src", ".typed")
LEFT_OUT_MODULES = (
    *("_operand_flag_tests", "_rational_tests", "_struct_ufunc_tests", "_umath_tests"),
    *("_simd", "lapack_lite"),
)


def wasm_section(number: int, content: bytes) -> bytes:
    """A section of a WebAssembly module: its number, its length and its content.

    >>> wasm_section(3, bytes([1, 0])).hex()
    '03020100'
    """
    return bytes([number, len(content)]) + content


def wasm_name(name: str) -> bytes:
    """A name as WebAssembly writes it: its length, then its letters."""
    return bytes([len(name)]) + name.encode()


# NumPy's modules call backtrace(), which their own Python exports and Pyodide does not. Without it
# the first temporary array above 256 KiB ends the interpreter. This module's backtrace() returns 0,
# for "no frames known", and NumPy then makes an ordinary temporary.
BACKTRACE = b"\0asm" + bytes([1, 0, 0, 0]) + b"".join(
    wasm_section(number, content)
    for number, content in [
        (0, wasm_name("dylink.0") + bytes([1, 4, 0, 0, 0, 0])),
        (1, bytes([1, 0x60, 2, 0x7F, 0x7F, 1, 0x7F])),  # one type: two 32-bit integers to one
        (3, bytes([1, 0])),  # one function, of that type
        (7, bytes([1]) + wasm_name("backtrace") + bytes([0, 0])),  # it is exported
        (10, bytes([1, 4, 0, 0x41, 0, 0x0B])),  # its body: the constant 0
    ]
)  # fmt: skip


def needed(path: str) -> bool:
    """Whether a page needs this file of NumPy.

    >>> needed("numpy/linalg/_linalg.py"), needed("numpy/linalg/tests/test_linalg.py")
    (True, False)
    """
    *folders, name = path.split("/")
    return not (
        LEFT_OUT_FOLDERS.intersection(folders)
        or name.endswith(LEFT_OUT_ENDINGS)
        or name.startswith(LEFT_OUT_MODULES)
    )


def numpy_files() -> Iterator[tuple[str, bytes]]:
    """The path and content of each file of NumPy that a page needs, and NumPy's licence."""
    with tarfile.open(archive("numpy")) as outer:
        (packed,) = (m for m in outer.getmembers() if m.name.endswith(".tar.gz"))
        content = outer.extractfile(packed).read()
    with tarfile.open(fileobj=io.BytesIO(content)) as inner:
        for member in inner.getmembers():
            path = member.name.partition("site-packages/")[2]
            if member.isfile() and path.startswith("numpy/") and needed(path):
                yield path, inner.extractfile(member).read()
            elif member.name == "info/licenses/LICENSE.txt":
                yield "numpy/LICENSE.txt", inner.extractfile(member).read()


def wheel_files(name: str) -> Iterator[tuple[str, bytes]]:
    """The path and content of each module and licence of a wheel, and its name and version."""
    with zipfile.ZipFile(archive(name)) as wheel:
        for path in wheel.namelist():
            if path.endswith(".py") or "LICENSE" in path or path.endswith("/METADATA"):
                yield path, wheel.read(path)


def zipped(files: Iterable[tuple[str, bytes]]) -> bytes:
    """A zip archive of these files, the same bytes each time.

    >>> zipped([("a", b"1")]) == zipped([("a", b"1")])
    True
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as target:
        for path, content in sorted(files):
            entry = zipfile.ZipInfo(path)  # dated 1980
            entry.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(entry, content, compresslevel=9)
    return buffer.getvalue()


def packed() -> Iterator[tuple[str, bytes]]:
    """The name and content of each file that all exercises share."""
    with tarfile.open(archive("pyodide")) as source:
        for name in AS_THEY_ARE:
            yield name, source.extractfile(f"package/{name}").read()
        wasm = source.extractfile("package/pyodide.asm.wasm").read()
        yield "pyodide.asm.wasm.gz", gzip.compress(wasm, 9, mtime=0)
        lock = json.load(source.extractfile("package/pyodide-lock.json"))
        yield "pyodide-lock.json", json.dumps(lock | {"packages": {}}).encode()
    libraries = [*numpy_files(), *wheel_files("jaxtyping"), *wheel_files("wadler_lindig")]
    yield "libraries.zip", zipped([*libraries, ("backtrace.so", BACKTRACE)])
    yield from ((path.name, path.read_bytes()) for path in LICENCES.iterdir())


def place_in_cache() -> Path:
    """Where the cache keeps these files; the digest is of all that decides what is in them."""
    sources = [TABLE, Path(__file__), *sorted(LICENCES.iterdir())]
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:16]
    return cache.folder() / "page" / f"shared-{digest}"


def bring() -> None:
    """Fetch and pack the shared files, unless the cache has them; a `StoreError` says what failed.

    Two processes at once each pack them, and the files of the second are thrown away.
    """
    target = place_in_cache()
    if target.is_dir():
        return
    with cache.workplace(MEMORY) as folder:
        fresh = folder / "shared"
        fresh.mkdir()
        for name, content in packed():
            (fresh / name).write_bytes(content)
        try:
            cache.place(fresh, target)
        except OSError:
            if not target.is_dir():
                raise
