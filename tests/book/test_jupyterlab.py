"""A chapter's widgets and quizzes in a real JupyterLab and a real Notebook, driven in a browser."""

import json
import re
import subprocess
import sys
import time

import nbformat
import notebooks
import pytest

pytestmark = [pytest.mark.night, pytest.mark.filterwarnings("ignore::ResourceWarning")]

UNTOUCHED = "untouched.ipynb"
NAMES = {"lab/tree": "lab.ipynb", "notebooks": "notebook.ipynb"}  # by where each program opens it
SOURCES = [
    "from firth.widgets.attention.self_attention_steps import AttentionGravity\nAttentionGravity()",
    "from firth.widgets.lsa.low_rank import LsaRank\nLsaRank()",
    'from firth.widgets.lsa.context_window import LsaWindow\nLsaWindow(["a tea"], ["a"], ["tea"])',
    """\
# @title A question
from firth.widgets.quiz import Quiz

Quiz("colour", "Which?", {"red": "Blood is.", "blue": "The sea is."}, right="blue")""",
    """\
# @title A question
from firth.widgets.quiz import NumberQuiz

NumberQuiz("four", "2 + 2?", 4, "Yes, it is.", {5: "Too large."}, otherwise="Count again.")""",
]
# What the notebook would take for commands: delete, copy, cut, paste, undo, a new cell above or
# below, Markdown, a heading, the next cell, run, edit, leave.
KEYS = [*"ddcxvzabm1", "ArrowDown", "ArrowUp", "ArrowRight", "ArrowLeft", "Enter", " ", "Escape"]
FOCUSABLE = "input, select, button, [tabindex]"
CELLS = """() => jupyterapp.shell.currentWidget.content.model.sharedModel.cells.map(
  (cell) => [cell.id, cell.cell_type, cell.source])"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """The address of a server of JupyterLab and Notebook, with an executed notebook for each."""
    home, folder = tmp_path_factory.mktemp("jupyter"), tmp_path_factory.mktemp("notebooks")
    cells = [nbformat.v4.new_code_cell(source) for source in SOURCES]
    files = [folder / name for name in (*NAMES.values(), UNTOUCHED)]
    for file in files:
        nbformat.write(nbformat.v4.new_notebook(cells=cells), file)
    command = [sys.executable, notebooks.COURSE / "tools" / "notebooks.py", *files]
    subprocess.run(command, check=True, capture_output=True)
    news = home / "settings" / "@jupyterlab" / "apputils-extension"
    news.mkdir(parents=True)
    quiet = {"fetchNews": "false", "checkForUpdates": False}
    (news / "notification.jupyterlab-settings").write_text(json.dumps(quiet))
    variables = notebooks.environment() | {
        "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
        "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
    }
    # Only in a notebook that is trusted would JupyterLab look for the models of stored views.
    trust = [sys.executable, "-m", "jupyter", "trust", *files]
    subprocess.run(trust, env=variables, check=True, capture_output=True)
    options = ["--no-browser", "--allow-root", "--port=0", "--IdentityProvider.token="]
    options += [f"--{app}.expose_app_in_browser=True" for app in ("LabApp", "JupyterNotebookApp")]
    options += [f"--ServerApp.root_dir={folder}"]
    with (home / "log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", *options], env=variables, stdout=log, stderr=log
        )
    try:
        yield address(process, home)
    finally:
        process.terminate()
        process.wait(30)


def address(process, home):
    """Where a server that has just been started answers."""
    for _ in range(600):
        assert process.poll() is None, (home / "log").read_text()
        for file in (home / "runtime").glob("jpserver-*.json"):
            try:
                return json.loads(file.read_text())["url"]
            except ValueError:  # it is being written
                pass
        time.sleep(0.1)
    raise AssertionError((home / "log").read_text())


@pytest.fixture(scope="module", params=NAMES)
def page(request, chromium, server):
    """The notebook in one of the two programs, open and not run since."""
    page = chromium.new_page(viewport={"width": 1280, "height": 4000})
    page.add_init_script("localStorage.setItem('firth.quiz.colour', '1')")  # an earlier visit
    page.goto(f"{server}{request.param}/{NAMES[request.param]}")
    page.wait_for_selector(f".jp-Notebook .jp-Cell >> nth={len(SOURCES) - 1}")
    kernel = "jupyterapp.shell.currentWidget?.sessionContext.session?.kernel?.status"
    page.wait_for_function(f"window.jupyterapp && {kernel} === 'idle'")
    yield page
    page.close()


@pytest.fixture(scope="module")
def views(page):
    """The views of the widgets, once all cells have run."""
    page.evaluate("void jupyterapp.commands.execute('notebook:run-all-cells')")
    page.wait_for_function(f"document.querySelectorAll('.firth-view').length === {len(SOURCES)}")
    return page.locator(".firth-view")


def shows_fallbacks(page):
    """Whether each widget's first state stands in the page, and no word of a view that failed."""
    page.wait_for_selector(f".firth-widget >> nth={len(SOURCES) - 1}")
    page.wait_for_timeout(2000)  # for a widget manager that would restore what it finds
    assert page.locator(".firth-view, .jupyter-widgets").count() == 0
    assert all(place.is_visible() for place in page.locator(".firth-widget").all())
    text = " ".join(page.locator(".jp-OutputArea-output").all_inner_texts())
    assert "rebuilt from 2 of their 9 patterns" in text and "2 + 2?" in text
    assert not re.search("(?i)error|loading|not found", text)


def test_what_was_run_before_is_shown_by_its_fallback_until_it_is_run_again(page):
    shows_fallbacks(page)


def test_without_a_kernel_every_widget_shows_its_fallback(chromium, server):
    page = chromium.new_page(viewport={"width": 1280, "height": 4000})
    page.goto(f"{server}lab/workspaces/new")  # no tab of an earlier test
    page.wait_for_function("window.jupyterapp && jupyterapp.shell.currentWidget")
    page.evaluate(
        """(path) => {
          const kernelPreference = { shouldStart: false, canStart: false };
          jupyterapp.commands.execute("docmanager:open", { path, kernelPreference });
        }""",
        UNTOUCHED,
    )
    shows_fallbacks(page)
    assert page.evaluate("jupyterapp.shell.currentWidget.sessionContext.session === null")
    page.close()


def test_a_quiz_is_opened_with_its_source_hidden(page):
    text = " ".join(page.locator(".jp-Cell-inputWrapper").all_inner_texts())
    assert "LsaRank()" in text and text.count("# @title A question") == 2
    for told in ("right", "The sea is", "Yes, it is", "Count again", "otherwise"):
        assert told not in text


def test_an_answer_of_an_earlier_visit_is_still_the_option_that_was_chosen(views):
    assert views.locator("label:has(input:checked)").inner_text() == "blue"
    assert "The sea is." in views.nth(3).inner_text()


def test_keys_pressed_in_a_widget_stay_there(page, views):
    cells = page.evaluate(CELLS)
    controls = views.locator(FOCUSABLE).all()
    kinds = {control.evaluate("e => e.type || e.tagName") for control in controls}
    assert {"range", "number", "radio", "submit", "button", "select-one", "g"} <= kinds
    for control in controls:
        if not control.is_enabled() or not control.is_visible():
            continue
        control.focus()
        for key in KEYS:
            page.keyboard.press(key)
            assert page.evaluate("!!document.activeElement.closest('.firth-view')"), (control, key)
        assert page.evaluate(CELLS) == cells, control


@pytest.mark.parametrize("kind", ["input[type=range]", "select"])
def test_arrow_keys_move_sliders_and_selects(page, views, kind):
    control = views.locator(kind).first
    control.focus()
    before = control.input_value()
    page.keyboard.press("ArrowDown" if kind == "select" else "ArrowRight")
    if control.input_value() == before:  # it stood at its end
        page.keyboard.press("ArrowUp" if kind == "select" else "ArrowLeft")
    assert control.input_value() != before


def test_a_combination_with_ctrl_still_reaches_the_notebook(page, views):
    views.locator("input[type=range]").first.focus()
    page.evaluate("jupyterapp.shell.currentWidget.context.model.dirty = true")
    page.keyboard.press("Control+s")
    page.wait_for_function("!jupyterapp.shell.currentWidget.context.model.dirty")
