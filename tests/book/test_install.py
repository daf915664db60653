"""Running a chapter as a reader does: by README's commands, alone, in Colab, in 2 GB of memory.

Each chapter runs twice, because there are two ways to fail: with the newest versions of everything,
in the environment that README's commands make, and with the versions of Colab, where its first cell
brings what is missing. What else a notebook on its own can lack shows in two of them. Files that
chapters fetch are fetched once. By day a first cell runs with Colab's versions; the rest at night.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import venv
import zipfile
from pathlib import Path
from urllib.request import urlopen

import lock
import nbformat
import notebooks
import pytest
from address import address, files
from chapter_pages import CHAPTERS, PAGES
from first_cell import needed, setup_source
from notebooks import COURSE
from readme import blocks
from tree import copy_of_course

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Memory is read from /proc.")
BINDER = 2 * 2**30
COLAB = [
    "ipykernel==6.17.1",
    "ipython==7.34.0",
    "ipywidgets==7.7.1",
    "matplotlib==3.10.0",
    "nbclient",
    "numba==0.60.0",
    "numpy==2.0.2",
    "scikit-learn==1.6.1",
    "scipy==1.15.3",
]
TORCH = "torch==2.13.0"  # the registry's newest brings several gigabytes
SYSTEM = ("bash", "git", "sh", "uname")  # and Python: no npm, no compiler


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    """The course under git, made of the files as they are now."""
    copy = copy_of_course(tmp_path_factory.mktemp("copy"))
    git = ["git", "-C", copy, "-c", "user.name=test", "-c", "user.email=test@localhost"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "A copy"], check=True)
    return copy


@pytest.fixture(scope="module")
def archive(repository, tmp_path_factory):
    """What GitHub serves as main.zip."""
    packed = tmp_path_factory.mktemp("archive") / "main.zip"
    run = ["git", "-C", repository, "archive", "--prefix=course-main/", "-o", packed, "HEAD"]
    subprocess.run(run, check=True)
    return packed


@pytest.fixture(scope="module")
def wheel(archive):
    run = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", archive.parent, archive]
    subprocess.run(run, check=True)
    [built] = archive.parent.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def machine(repository, tmp_path_factory):
    """A reader's machine: the variables of an environment in which little is installed.

    Nothing of the course is on the path. The course's address leads to `repository`, PyTorch is
    the version of the tests, and what chapters fetch goes to a cache that is empty at first.
    """
    folder = tmp_path_factory.mktemp("machine")
    for name in ("bin", "cache"):
        (folder / name).mkdir()
    for name in SYSTEM:
        (folder / "bin" / name).symlink_to(shutil.which(name))
    python = folder / "bin" / "python3"
    python.write_text(f'#!/bin/sh\nexec {sys._base_executable} "$@"\n')
    python.chmod(0o755)
    (folder / "constraint.txt").write_text(TORCH)
    ours = ("PYTHON", "FIRTH_", "JUPYTER", "VIRTUAL_ENV")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return clean | {
        "PATH": str(folder / "bin"),
        "FIRTH_CACHE": str(folder / "cache"),
        "FIRTH_RELEASE": (COURSE / "models").as_uri(),  # in place of the course's own address
        "PIP_CONSTRAINT": str(folder / "constraint.txt"),
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"url.{repository}.insteadOf",
        "GIT_CONFIG_VALUE_0": address(),
    }


def given(commands, folder, machine):
    """Give commands to a shell, as they stand in README, and stop where one fails."""
    run = ["bash", "-e", "-c", commands]
    done = subprocess.run(run, cwd=folder, env=machine, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def clone(machine, tmp_path_factory):
    """A clone of the course with an environment, as README's commands make both."""
    folder = tmp_path_factory.mktemp("clone")
    given(blocks()["clone"], folder, machine)
    return folder / "course"


@pytest.fixture(scope="module")
def alone(machine, tmp_path_factory):
    """An environment for a notebook on its own, as README's commands make it."""
    folder = tmp_path_factory.mktemp("alone")
    given(blocks()["alone"], folder, machine)
    return folder / "notebooks"


@pytest.fixture(scope="module")
def colab(tmp_path_factory):
    folder = tmp_path_factory.mktemp("colab")
    venv.create(folder, with_pip=True)
    pip(folder, "install", "-q", "--disable-pip-version-check", *COLAB)
    return folder


def pip(folder, *arguments):
    run = [folder / "bin" / "python", "-m", "pip", *arguments]
    return subprocess.run(run, check=True, capture_output=True, text=True).stdout


def active(folder, machine):
    """The machine with an environment activated."""
    return machine | {"PATH": f"{folder / 'bin'}{os.pathsep}{machine['PATH']}"}


def peak(process):
    """The most memory that a process and its children have held, as the kernel noted it.

    A limit on address space or data counts what libraries reserve for their threads and never
    touch, so it would stop notebooks that Binder runs. Binder counts resident memory; its highest
    mark stays readable while a process lives, so nothing hides between two looks.
    """
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/status"):
        try:
            fields = dict(
                line.split(":\t", 1) for line in stat.read_text().splitlines() if ":\t" in line
            )
        except OSError:  # it has just ended
            continue
        parents[int(fields["Pid"])] = int(fields["PPid"]), fields.get("VmHWM", "0 kB")
    family, grown = {process.pid}, True
    while grown:
        grown = {pid for pid, (parent, _) in parents.items() if parent in family} - family
        family |= grown
    return sum(int(parents[pid][1].split()[0]) * 1024 for pid in family if pid in parents)


def executes(notebook, folder, variables, log, limit=BINDER):
    """Run one notebook where it lies, in an environment and in so much memory."""
    run = [folder / "bin" / "jupyter-execute", "--timeout=600", notebook]
    most = 0
    with log.open("w") as file:
        process = subprocess.Popen(run, env=variables, stdout=file, stderr=file)
        while process.poll() is None:
            most = max(most, peak(process))
            if most > limit:
                process.terminate()
            time.sleep(0.05)
    assert most <= limit, f"{notebook.name} needed {most / 2**30:.2f} GB of memory"
    assert process.returncode == 0, log.read_text()


def executes_alone(notebook, folder, machine, wheel, place):
    """Run a copy of a notebook in an empty folder, where its first cell finds `wheel`."""
    (place / "empty").mkdir()
    copy = Path(shutil.copy(notebook, place / "empty"))
    executes(copy, folder, active(folder, machine) | {"FIRTH_SOURCE": str(wheel)}, place / "log")


def installed(folder):
    """The packages of an environment, with their versions."""
    lines = pip(folder, "list", "--format=freeze").split()
    return dict(line.split("==") for line in lines)


def test_the_archive_that_the_first_cell_installs_is_small_and_holds_the_package_alone(archive):
    assert archive.stat().st_size < 3_400_000
    names = {name.split("/")[1] for name in zipfile.ZipFile(archive).namelist()} - {""}
    assert names == {"firth", "pyproject.toml", "README.md", "LICENSE"}


def test_the_wheel_holds_what_the_package_reads(wheel):
    packed = set(zipfile.ZipFile(wheel).namelist())
    tracked = {p.relative_to(COURSE).as_posix() for p in files(COURSE / "firth")}
    assert {name for name in tracked if "__pycache__" not in name} <= packed


def test_in_colab_the_first_cell_is_quick_and_leaves_what_is_there_alone(
    colab, machine, wheel, tmp_path
):
    def size():
        return sum(path.stat().st_size for path in colab.rglob("*") if path.is_file())

    before, bytes_before, begin = installed(colab), size(), time.monotonic()
    script = tmp_path / "first_cell.ipy"
    script.write_text(setup_source())
    variables = active(colab, machine) | {"FIRTH_SOURCE": str(wheel)}
    run = [colab / "bin" / "ipython", script]
    subprocess.run(run, env=variables, cwd=tmp_path, check=True, capture_output=True)
    seconds, after = time.monotonic() - begin, installed(colab)
    assert "firth" in after and before.items() <= after.items()
    assert seconds < 30
    assert size() - bytes_before < 30_000_000


def test_a_notebook_that_needs_too_much_memory_is_stopped(tmp_path):
    greedy = tmp_path / "greedy.ipynb"
    source = "import time\nheld = b'1' * 400_000_000\ndel held\ntime.sleep(1)"
    cells = [nbformat.v4.new_code_cell(source)]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), greedy)
    with pytest.raises(AssertionError, match=r"greedy.ipynb needed 0\.\d+ GB"):
        folder, variables = Path(sys.prefix), notebooks.environment()
        executes(greedy, folder, variables, tmp_path / "log", limit=350_000_000)


# A clone


@pytest.mark.night
def test_the_commands_of_readme_start_a_jupyterlab_that_shows_the_chapters(
    clone, machine, tmp_path
):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = {
        "ServerApp": {"port": port, "open_browser": False, "allow_root": True},
        "IdentityProvider": {"token": ""},
    }
    (tmp_path / "jupyter_server_config.json").write_text(json.dumps(settings))
    run = ["bash", "-e", "-c", ". .venv/bin/activate\n" + blocks()["start"]]
    variables = machine | {"JUPYTER_CONFIG_DIR": str(tmp_path)}
    with (tmp_path / "log").open("w") as log:
        lab = subprocess.Popen(
            run, cwd=clone, env=variables, stdout=log, stderr=log, start_new_session=True
        )
    try:
        end = time.monotonic() + 60
        while True:
            try:
                with urlopen(f"http://127.0.0.1:{port}/api/contents/chapters") as answer:
                    listed = json.load(answer)["content"]
                break
            except OSError:
                assert lab.poll() is None and time.monotonic() < end, log.name
                time.sleep(0.2)
        with urlopen(f"http://127.0.0.1:{port}/lab") as answer:
            page = answer.read().decode()
    finally:
        os.killpg(lab.pid, signal.SIGKILL)
        lab.wait()
    assert "JupyterLab" in page and "@jupyter-widgets" in page and "anywidget" in page
    assert {path.name for path in PAGES} <= {file["name"] for file in listed}


@pytest.mark.night
@pytest.mark.parametrize("notebook", PAGES, ids=lambda path: path.stem)
def test_a_chapter_of_the_clone_runs_after_the_commands_of_readme_in_2_gb(
    notebook, clone, machine, tmp_path
):
    here, before = clone / "chapters" / notebook.name, installed(clone / ".venv")
    executes(here, clone / ".venv", active(clone / ".venv", machine), tmp_path / "log")
    assert installed(clone / ".venv") == before, "its first cell found something missing"


# A notebook on its own


@pytest.mark.night
def test_a_chapter_without_pytorch_and_then_one_with_it_bring_what_they_need(
    alone, machine, wheel, tmp_path
):
    first, second = [path for path in CHAPTERS if path.stem[:2] in ("01", "03")]
    assert not {"firth", "torch"} & installed(alone).keys()
    for notebook, there in ((first, {"firth"}), (second, {"firth", "torch"})):
        (tmp_path / notebook.stem).mkdir()
        executes_alone(notebook, alone, machine, wheel, tmp_path / notebook.stem)
        assert {"firth", "torch"} & installed(alone).keys() == there


def missing(notebook):
    """What a notebook's first cell brings, besides the course."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    return needed("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")


@pytest.mark.night
@pytest.mark.parametrize("notebook", PAGES, ids=lambda path: path.stem)
def test_a_notebook_alone_runs_with_colabs_versions(notebook, colab, machine, wheel, tmp_path):
    executes_alone(notebook, colab, machine, wheel, tmp_path)
    assert {"firth", *missing(notebook)} <= installed(colab).keys()


@pytest.mark.night
def test_the_grader_needs_no_clone(alone, machine, wheel, tmp_path):
    pip(alone, "install", "-q", "--disable-pip-version-check", str(wheel))
    (tmp_path / "submissions").mkdir()
    teacher = machine | {"PATH": os.environ["PATH"]}  # where the sandbox is
    for path in (COURSE / "solutions").glob("*.ipynb"):
        shutil.copy(path, tmp_path / "submissions")
        grade = [alone / "bin" / "firth", "grade", path.stem, tmp_path / "submissions" / path.name]
        out, variables = tmp_path / path.stem, active(alone, teacher)
        done = subprocess.run(
            [*grade, "--out", out], env=variables, cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        [record] = [json.loads(file.read_text()) for file in (out / "records").glob("*.json")]
        assert record["score"] == record["points"] > 0


def test_a_lock_says_for_which_system_a_package_is(monkeypatch):
    frozen = subprocess.CompletedProcess(
        [], 0, stdout="numpy==2.4.0\nsandlock==0.8\ntorch==2.13+cpu\n"
    )
    monkeypatch.setattr(lock.subprocess, "run", lambda *command, **options: frozen)
    text = lock.lock(["numpy>=2", "sandlock>=0.8; sys_platform == 'linux'", "torch"])
    assert text == "numpy==2.4.0\nsandlock==0.8; sys_platform == 'linux'\ntorch==2.13\n"
