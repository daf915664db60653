"""The site's own files: what is vendored, drawn and shipped is what it is said to be."""

import doctest
import importlib
import json
import re
import subprocess
import sys
import tomllib

import drawings
import page_widgets
import pdf
import pytest
import serve
import vendor
import yaml
from chapter_pages import CHAPTERS, PAGES, chapter_of, is_deeper
from notebooks import COURSE

STATIC = COURSE / "site" / "_static"


@pytest.mark.parametrize("name", sorted(path.stem for path in (COURSE / "site").glob("*.py")))
def test_the_examples_in_the_code_of_the_site_hold(name):
    """Pytest would collect them under the name of the folder, which is also Python's own `site`."""
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_vendored_files_are_the_locked_ones_and_light():
    assert vendor.complaints() == []


def test_a_changed_vendored_file_is_noticed(tmp_path):
    (tmp_path / "font.woff2").write_bytes(b"other")
    lock = [
        {"package": "p", "version": "1", "files": {"font.woff2": "0" * 64, "gone.js": "0" * 64}}
    ]
    (tmp_path / "lock.json").write_text(json.dumps(lock))
    (tmp_path / "stray.js").write_text("")
    assert vendor.complaints(tmp_path) == [
        "gone.js is missing",
        "stray.js is not in the lock",
        "font.woff2 is not the locked file",
    ]


def test_the_lock_pins_versions_and_names_no_address():
    lock = json.loads(vendor.LOCK.read_text(encoding="utf-8"))
    bundled = {"codemirror": vendor.editor_version()}  # a digest of what goes into it
    pinned = {p[0]: p[1] for p in vendor.PACKAGES} | bundled
    assert {p["package"]: p["version"] for p in lock} == pinned
    assert "://" not in vendor.LOCK.read_text(encoding="utf-8")
    assert all(any(name.endswith("/LICENSE") for name in p["files"]) for p in lock)


def test_every_font_that_the_stylesheet_names_is_vendored():
    named = re.findall(r'url\("(vendor/[^"]+)"\)', (STATIC / "course.css").read_text("utf-8"))
    assert named and all((STATIC / name).is_file() for name in named)


def test_the_mark_is_the_drawn_one():
    for name in ("logo.svg", "favicon.svg"):
        assert (STATIC / name).read_text(encoding="utf-8") == drawings.svg()


def test_the_widget_host_is_at_most_four_kilobytes():
    import gzip

    assert len(gzip.compress((STATIC / "widgets.js").read_bytes())) <= 4096


@pytest.mark.parametrize("page", CHAPTERS, ids=lambda path: path.stem)
def test_a_page_has_the_scripts_and_the_stylesheet_that_stand_in_the_repository(page):
    text = page_widgets.element(page).partition(">")[2].removesuffix("</script>")
    models = json.loads(text)
    for state in models.values():
        for name, value in state.items():
            if isinstance(value, dict) and "firth-same" in value:
                model, where = value["firth-same"]
                state[name] = models[model][where]
        module, _, kind = state["_anywidget_id"].rpartition(".")
        widget = getattr(importlib.import_module(module), kind)
        assert state["_esm"] == widget._esm and state["_css"] == str(widget._css)
        assert {*widget.own()} == {*state} - {"_esm", "_css", "_anywidget_id"}
    assert len(models) > 5


def test_a_page_follows_each_file_of_its_widgets():
    names = {path.name for path in page_widgets.files(CHAPTERS[0])}
    assert {"widgets.css", "quiz.js", "low_rank.js", "controls.js", "tensor.js"} <= names
    assert page_widgets.files(COURSE / "index.md") == set()


def test_the_table_of_contents_lists_every_page():
    folders = ("chapters/*.ipynb", "exercises/*.ipynb", "reference/*.md")
    written = {
        path.relative_to(COURSE).with_suffix("").as_posix()
        for pattern in folders
        for path in COURSE.glob(pattern)
    }
    root, *listed = pdf.contents()
    assert root == "index" and sorted(listed) == sorted(written)


def test_a_deeper_page_stands_under_its_chapter_and_nothing_else_stands_under_a_page():
    toc = yaml.safe_load((COURSE / "_toc.yml").read_text(encoding="utf-8"))
    below = {
        section["file"]: page["file"]
        for part in toc["parts"]
        for page in part["chapters"]
        for section in page.get("sections", [])
    }
    deeper = [path for path in PAGES if is_deeper(path)]
    assert below == {f"chapters/{p.stem}": f"chapters/{chapter_of(p).stem}" for p in deeper}


def test_the_citation_and_the_package_tell_the_same():
    citation = yaml.safe_load((COURSE / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((COURSE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert citation["version"] == project["version"]
    assert citation["repository-code"] == project["urls"]["Repository"]
    assert citation["url"] == project["urls"]["Homepage"]
    assert citation["authors"] == project["authors"]
    assert citation["keywords"] == project["keywords"]
    assert project["license"] in citation["license"]


@pytest.mark.parametrize("tool", ["vendor", "drawings", "book", "serve", "pdf"])
def test_a_tool_says_what_it_is_for(tool):
    command = [sys.executable, str(COURSE / "tools" / f"{tool}.py"), "--help"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "usage:" in said and len(said.splitlines()) > 5


def test_a_taken_port_is_replaced_by_a_free_one(tmp_path):
    with serve.server(tmp_path) as first, serve.server(tmp_path, first.server_port) as second:
        assert second.server_port != first.server_port


def test_serve_says_how_long_is_left_and_passes_a_failure_on(capsys):
    def fails():
        raise SystemExit("mend it")

    with pytest.raises(SystemExit, match="mend it"):
        serve.patiently(fails, "Building the book", 20)
    serve.patiently(lambda: None, "Building the book", 20)
    assert "Building the book" in capsys.readouterr().out
