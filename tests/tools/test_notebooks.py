"""Notebooks as exact artefacts: two runs give the same bytes, and a change is never missed."""

import json
import os
import re
import subprocess
import sys

import first_cell
import nbformat
import notebooks
import pytest
from canonical import CLASS, STATE, VIEW, canonical, joined, live, proven, sealed, widgets
from chapter_pages import CHAPTERS
from first_cell import needed, setup_source
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from notebooks import COURSE, is_canonical, refreshed, shown
from parts import by_day

from conftest import older_machine

EVERY = sorted(path for folder in notebooks.FOLDERS for path in (COURSE / folder).glob("*.ipynb"))
CELLS = [
    "import ipywidgets\nfrom firth.display import table\nfrom firth.plots import panels, picture\n"
    "from firth.widgets.lsa.context_window import LsaWindow",
    "figure, axes = panels()\nline = axes.plot([1, 2, 4])\n"
    "picture(figure, 'A line that rises faster and faster.')",
    "table([['a', 1.25]], ['word', 'score'], 'Scores')",
    "never_shown = LsaWindow(['a b'], ['a'], ['b'])\nLsaWindow(['hot tea'], ['tea'], ['hot'], m=2)",
    "print('one')\nprint('two')",
    "print(sorted({'b', 'a'}), {'x': 0.5})",
]


def written(path, cells):
    cells = [new_markdown_cell("# A small notebook"), *map(new_code_cell, cells)]
    nbformat.write(new_notebook(cells=cells), path)
    return path


def tool(*arguments):
    run = [sys.executable, COURSE / "tools" / "notebooks.py", *arguments]
    return subprocess.run(run, capture_output=True, text=True)


def executed(path):
    done = tool(path)
    assert done.returncode == 0, done.stderr
    return path


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    return executed(written(tmp_path_factory.mktemp("small") / "small.ipynb", CELLS)).read_text()


def code(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


def models(text):
    return widgets(json.loads(text))


# What is committed


@pytest.mark.parametrize("path", EVERY, ids=shown)
def test_a_committed_notebook_is_executed_and_canonical(path):
    assert is_canonical(path), "run make notebooks"


@pytest.mark.parametrize("path", EVERY, ids=shown)
def test_the_first_cell_installs_the_course_where_it_is_missing(path):
    sources = ["".join(cell["source"]) for cell in code(path)]
    first = code(path)[0]
    assert sources[0] == setup_source(needed(sources))
    assert first["metadata"]["tags"] == ["remove-cell"] and not first["outputs"]


@pytest.mark.parametrize("path", CHAPTERS, ids=shown)
def test_a_quiz_opens_with_its_source_hidden_and_its_first_line_holds_no_answer(path):
    quizzes = [c for c in code(path) if re.search(r"\w*Quiz\(", "".join(c["source"]))]
    assert quizzes
    for cell in quizzes:
        assert cell["metadata"]["jupyter"] == {"source_hidden": True}
        assert cell["metadata"]["cellView"] == "form"
        assert cell["source"][0] == "# @title A question\n"


# Writing


@pytest.mark.parametrize("seed", ["1", "2"])
def test_a_second_run_in_another_process_gives_the_same_bytes(seed, small, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONHASHSEED", seed)
    again = tmp_path / "again.ipynb"
    again.write_text(small)
    assert executed(again).read_text() == small


def test_canonical_form_is_reached_in_one_step(small):
    assert canonical(small) == small


def test_a_new_run_in_an_editor_leaves_no_trace(small):
    notebook = json.loads(small)
    for n, cell in enumerate(notebook["cells"]):
        cell["id"] = f"editor-{n}"
        cell["metadata"]["execution"] = {"iopub.execute_input": "2026-01-01T00:00:00Z"}
        if cell["cell_type"] == "code":
            cell["execution_count"] += 40
    notebook["metadata"]["language_info"]["version"] = "3.14.1"
    text = json.dumps(notebook)
    for n, model in enumerate(models(small)):
        text = text.replace(model, f"{n:032x}")
    assert text.count("0" * 31) and canonical(text) == small


def in_jupyter(text, esm="export default {}"):
    """The small notebook as JupyterLab saves it after a run: with views and state of its own."""
    notebook, states = json.loads(text), {}
    for model, traits in notebook["metadata"]["firth"].pop("widgets").items():
        jupyter = {"_model_module": "anywidget", "layout": "IPY_MODEL_" + "1" * 32, "_esm": esm}
        states[model] = {"model_name": "AnyModel", "state": traits | jupyter}
    states["1" * 32] = {"model_name": "LayoutModel", "state": {"_view_name": "LayoutView"}}
    notebook["metadata"]["widgets"] = {STATE: {"state": states}}
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            if "firth-widget" in str(output):
                output["data"][VIEW] = {"model_id": "2" * 32}
    return json.dumps(notebook)


def test_a_widget_keeps_its_own_traits_and_one_that_is_not_shown_is_dropped(small):
    [window] = models(small).values()
    assert window[CLASS] == "firth.widgets.lsa.context_window.LsaWindow" and window["m"] == 2
    assert {*window} == {CLASS, "sentences", "rows", "columns", "m", "centre", "reading"}


@pytest.mark.parametrize("esm", ["export default {}", "export default { render() {} }"])
def test_no_change_of_a_script_touches_a_notebook(esm, small):
    saved = in_jupyter(small, esm)
    assert VIEW in saved and live(json.loads(saved)) == models(small)
    assert canonical(saved) == small


def test_a_notebook_holds_nothing_that_jupyter_would_restore_without_a_kernel(small):
    for text in (small, *(path.read_text(encoding="utf-8") for path in EVERY)):
        assert VIEW not in text and "widgets" not in json.loads(text)["metadata"]


def test_a_model_named_in_html_gets_the_same_new_id_as_the_model_itself(small):
    [name] = models(small)
    text = canonical(small.replace(name, "f" * 32))
    assert re.search(r'data-model=\\"(\w{32})', text)[1] in models(text)


# A run, and what needs none


def prose(cells):
    cells[0]["source"] = "# Another title\n\nMore words."
    cells.insert(3, new_markdown_cell("A new paragraph."))


def edited(cells):
    cells[-1]["source"] += "  # sorted"


def moved(cells):
    cells[-1], cells[-2] = cells[-2], cells[-1]


def added(cells):
    cells.append(new_code_cell("7"))


def removed(cells):
    del cells[-1]


def exchanged(cells):  # the outputs stay where they were
    cells[-1]["source"], cells[-2]["source"] = cells[-2]["source"], cells[-1]["source"]


def another_output(cells):
    cells[-1]["outputs"][0]["text"] = "['a']\n"


def with_cells(text, change):
    """A notebook as an editor saves it after a change."""
    notebook = nbformat.reads(text, 4)
    change(notebook.cells)
    return nbformat.writes(notebook)


def without_a_run(path):
    raise AssertionError(f"{path.name} was run")


@pytest.fixture
def changed(small, tmp_path, monkeypatch):
    """A file of the small notebook with a change in its cells; it cannot be run."""

    def write(change):
        path = tmp_path / "changed.ipynb"
        path.write_text(with_cells(small, change), encoding="utf-8")
        return path

    monkeypatch.setattr(notebooks, "run", without_a_run)
    return write


def test_prose_needs_no_run_and_gives_the_bytes_of_one(changed, capsys):
    path = changed(prose)
    assert not is_canonical(path)
    text = refreshed(path)
    assert "was not run" in capsys.readouterr().out
    assert "A new paragraph." in text
    assert executed(path).read_text(encoding="utf-8") == text and is_canonical(path)


@pytest.mark.parametrize("change", [edited, moved, added, removed, exchanged, another_output])
def test_a_change_of_the_code_or_of_an_output_demands_a_run(change, changed):
    path = changed(change)
    assert not is_canonical(path)
    path.write_text(canonical(path.read_text(encoding="utf-8")), encoding="utf-8")
    assert not is_canonical(path)  # whatever an editor or a merge has made of it
    with pytest.raises(AssertionError, match="was run"):
        refreshed(path)


def test_a_widget_of_another_run_demands_a_run(small):
    [model] = models(small)
    assert not proven(small.replace('"m": 2', '"m": 3')) and proven(small)
    assert not proven(small.replace(model, "f" * 32))


def test_only_a_run_proves_a_notebook(small):
    notebook = json.loads(small)
    del notebook["metadata"]["firth"]["ran"]
    assert not proven(canonical(json.dumps(notebook)))
    assert sealed(json.dumps(notebook)) == small


@pytest.mark.parametrize("options", [["--all"], []], ids=["all", "by name"])
def test_the_tool_runs_what_it_is_told_to_run(options, small, tmp_path):
    path = tmp_path / "small.ipynb"
    path.write_text(small)
    done = tool(*options, path)
    assert done.returncode == 0 and "cells," in done.stdout and "not run" not in done.stdout


def test_an_edited_cell_makes_the_notebook_stale(small, tmp_path):
    path = tmp_path / "edited.ipynb"
    path.write_text(small)
    assert is_canonical(path)
    path.write_text(small.replace("print('one')", "print('1')"))
    assert not is_canonical(path)


def test_pieces_of_one_stream_are_joined_and_what_is_between_them_keeps_them_apart():
    def said(name, text):
        return {"output_type": "stream", "name": name, "text": text}

    pieces = [said("stdout", "a"), said("stdout", "b"), said("stderr", "!"), said("stdout", "c")]
    assert joined(pieces) == [said("stdout", "ab"), said("stderr", "!"), said("stdout", "c")]


def test_a_function_reads_a_file_also_through_a_function_of_a_neighbouring_module(
    monkeypatch, tmp_path
):
    monkeypatch.setattr(first_cell, "ROOT", tmp_path)
    (tmp_path / "firth").mkdir()
    (tmp_path / "firth" / "files.py").write_text('def shelf():\n    return fetch("books")\n')
    uses = "from .files import shelf\n\n\ndef text():\n    return shelf()\n"
    (tmp_path / "firth" / "texts.py").write_text(uses)
    found = first_cell.readers(["firth.files", "firth.texts"], {"books"})
    assert found == {"firth.files.shelf", "firth.texts.text"}


def test_a_notebook_that_was_never_run_is_stale(tmp_path):
    assert not is_canonical(written(tmp_path / "new.ipynb", ["1 + 1"]))


def test_check_names_the_stale_notebook_and_changes_nothing(tmp_path):
    path = written(tmp_path / "new.ipynb", ["1 + 1"])
    before = path.read_bytes()
    check = tool("--check", path)
    assert check.returncode == 1 and "new.ipynb is not canonical" in check.stderr
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ("no_such_name", "NameError: name 'no_such_name' is not defined"),
        ("import warnings\nwarnings.warn('old')", "writes to stderr.*UserWarning: old"),
        ("import os\nos._exit(1)", "died"),
    ],
)
def test_a_cell_that_fails_is_named_and_the_file_stays_as_it_was(cell, reason, tmp_path):
    path = written(tmp_path / "broken.ipynb", ["1 + 1", cell])
    before = path.read_bytes()
    failure = tool(path)
    assert failure.returncode == 1
    assert re.search(rf"(?s)broken.ipynb, cell 4 failed.*{reason}", failure.stderr)
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]


def test_an_expected_error_is_stored_without_the_paths_of_this_machine(tmp_path):
    path = written(tmp_path / "error.ipynb", ["# NBVAL_RAISES_EXCEPTION\n1 / 0"])
    notebook = json.loads(path.read_text())
    notebook["cells"][1]["metadata"]["tags"] = ["raises-exception"]
    path.write_text(json.dumps(notebook))
    [output] = code(executed(path))[1]["outputs"]
    assert output["traceback"] == ["ZeroDivisionError: division by zero"]


# Comparing: nbval, as conftest.py has it, on a notebook that has been tampered with


def nbval(text, folder):
    path = folder / "notebook.ipynb"
    path.write_text(text)
    paths = [str(COURSE / name) for name in ("", "tools", "tests")]
    run = [sys.executable, "-m", "pytest", str(path), "-c", "pyproject.toml", "--rootdir", "."]
    run += ["-p", "conftest", "-p", "no:cacheprovider", "--nbval", "--nbval-current-env", "-q"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(paths)}
    # Not one of the workers that the tests around it may run in.
    environment = {k: v for k, v in environment.items() if not k.startswith("PYTEST_XDIST")}
    done = subprocess.run([*run, "--color=no"], cwd=COURSE, env=environment, capture_output=True)
    return done.returncode, done.stdout.decode()


def without_output(text, cell):
    notebook = json.loads(text)
    notebook["cells"][cell]["outputs"] = []
    return json.dumps(notebook)


def bent(text, pixels):
    """The notebook with one point of the picture's line moved downwards."""
    notebook = json.loads(text)
    html = notebook["cells"][3]["outputs"][0]["data"]["text/html"]
    [n] = [n for n, line in enumerate(html) if "--firth-blue" in line]
    html[n] = re.sub(
        r"(L [\d.]+ )([\d.]+)", lambda m: f"{m[1]}{float(m[2]) + pixels}", html[n], count=1
    )
    return json.dumps(notebook)


def test_an_honest_notebook_passes(small, tmp_path):
    returncode, report = nbval(small, tmp_path)
    assert returncode == 0, report
    assert "8 passed" in report  # seven cells and the widgets


@pytest.mark.night
def test_a_picture_that_differs_by_half_a_pixel_passes(small, tmp_path):
    returncode, report = nbval(bent(small, 0.5), tmp_path)
    assert returncode == 0, report


TAMPERED = {
    "a number in a table": lambda text: text.replace(">1.25<", ">1.26<"),
    "a number in print": lambda text: text.replace("{'x': 0.5}\\n", "{'x': 0.51}\\n"),
    "a point of a picture": lambda text: bent(text, 3),
    "a letter of a picture": lambda text: text.replace(">3.0</text>", ">3.1</text>"),
    "a colour of a picture": lambda text: text.replace("blue, #0072b2", "blue, #0082b2"),
    "an alt text": lambda text: text.replace('=\\"A line that rises', '=\\"A line that falls'),
    "a missing table": lambda text: without_output(text, 4),
    "a missing picture": lambda text: without_output(text, 3),
    "a missing print": lambda text: without_output(text, 6),
    "a widget's number": lambda text: text.replace('"m": 2', '"m": 3'),
}


BY_DAY = ("a number in print", "a point of a picture")


@pytest.mark.parametrize("change", by_day(TAMPERED, BY_DAY.__contains__))
def test_a_change_is_caught(change, small, tmp_path):
    tampered = TAMPERED[change](small)
    assert json.loads(tampered) != json.loads(small)
    returncode, report = nbval(tampered, tmp_path)
    assert returncode == 1 and "1 failed" in report, report


def test_the_kernel_of_a_comparison_is_an_older_machine_with_one_thread():
    look = (
        "import os, numpy as np; from sklearn import show_versions; from threadpoolctl import *; "
    )
    look += "print([(i['num_threads'], i.get('architecture')) for i in threadpool_info()]); "
    look += "core = getattr(np, '_core', None) or np.core; "
    look += "print(core._multiarray_umath.__cpu_features__.get('X86_V4'))"
    run = [sys.executable, "-W", "error::ImportWarning", "-c", look]
    done = subprocess.run(run, env=os.environ | older_machine(), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    libraries, wide = done.stdout.splitlines()
    assert not re.search(r"\((?!1,)", libraries), "more than one thread"
    assert "SkylakeX" not in libraries and wide in ("False", "None")
