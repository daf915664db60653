"""A notebook alone, as a reader has it: in an empty environment, in Colab's, in Binder's memory."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import venv
import zipfile
from pathlib import Path

import nbformat
import notebooks
import pytest
from address import files
from first_cell import imports_torch, setup_source
from notebooks import COURSE
from tree import copy_of_course

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="Memory is read from /proc."),
]
CHAPTERS = sorted((COURSE / "chapters").glob("*.ipynb"))
BINDER = 2 * 2**30
BARE = ["ipykernel", "nbclient"]
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
TORCH = "torch==2.13.0"  # Colab has one; the registry's newest brings several gigabytes


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """What GitHub serves as main.zip, made of the files as they are now."""
    copy = copy_of_course(tmp_path_factory.mktemp("copy"))
    git = ["git", "-C", copy, "-c", "user.name=test", "-c", "user.email=test@localhost"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "A copy"], check=True)
    packed = tmp_path_factory.mktemp("archive") / "main.zip"
    subprocess.run([*git, "archive", "--prefix=course-main/", "-o", packed, "HEAD"], check=True)
    return packed


@pytest.fixture(scope="module")
def wheel(archive):
    run = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", archive.parent, archive]
    subprocess.run(run, check=True)
    [built] = archive.parent.glob("*.whl")
    return built


def environment_with(folder, packages):
    venv.create(folder, with_pip=True)
    pip(folder, "install", "-q", "--disable-pip-version-check", *packages)
    return folder


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    return environment_with(tmp_path_factory.mktemp("bare"), BARE)


@pytest.fixture(scope="module")
def colab(tmp_path_factory):
    return environment_with(tmp_path_factory.mktemp("colab"), COLAB)


def pip(folder, *arguments):
    run = [folder / "bin" / "python", "-m", "pip", *arguments]
    return subprocess.run(run, check=True, capture_output=True, text=True).stdout


def environment(folder, **more):
    """The reader's: nothing of the course is on the path."""
    clean = {
        k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "FIRTH_", "JUPYTER"))
    }
    return clean | {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}"} | more


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


def executes(notebook, folder, alone, limit=BINDER, **more):
    """Run one notebook alone in an empty folder; returns its peak memory."""
    alone.mkdir()
    cache = alone.parent / "cache"
    cache.mkdir()
    copy = shutil.copy(notebook, alone)
    run = [folder / "bin" / "jupyter-execute", "--timeout=600", copy]
    released = (COURSE / "models").as_uri()  # in place of the course's own address
    variables = environment(folder, FIRTH_CACHE=str(cache), FIRTH_RELEASE=released, **more)
    log, most = alone.parent / "log", 0
    with log.open("w") as file:
        process = subprocess.Popen(run, cwd=alone, env=variables, stdout=file, stderr=file)
        while process.poll() is None:
            most = max(most, peak(process))
            if most > limit:
                process.terminate()
            time.sleep(0.05)
    assert most <= limit, f"{notebook.name} needed {most / 2**30:.2f} GB of memory"
    assert process.returncode == 0, log.read_text()
    return most


def test_the_archive_that_the_first_cell_installs_is_small_and_holds_the_package_alone(archive):
    assert archive.stat().st_size < 3_000_000
    names = {name.split("/")[1] for name in zipfile.ZipFile(archive).namelist()} - {""}
    assert names == {"firth", "pyproject.toml", "README.md", "LICENSE"}


def test_the_wheel_holds_what_the_package_reads(wheel):
    packed = set(zipfile.ZipFile(wheel).namelist())
    tracked = {p.relative_to(COURSE).as_posix() for p in files(COURSE / "firth")}
    assert {name for name in tracked if "__pycache__" not in name} <= packed


def test_in_colab_the_first_cell_is_quick_and_leaves_what_is_there_alone(colab, wheel, tmp_path):
    def installed():
        lines = pip(colab, "list", "--format=freeze").split()
        return dict(line.split("==") for line in lines)

    def size():
        return sum(path.stat().st_size for path in colab.rglob("*") if path.is_file())

    before, bytes_before, begin = installed(), size(), time.monotonic()
    script = tmp_path / "first_cell.ipy"
    script.write_text(setup_source())
    run = [colab / "bin" / "ipython", script]
    variables = environment(colab, FIRTH_SOURCE=str(wheel))
    subprocess.run(run, env=variables, cwd=tmp_path, check=True, capture_output=True)
    seconds, after = time.monotonic() - begin, installed()
    assert "firth" in after and before.items() <= after.items()
    assert seconds < 30
    assert size() - bytes_before < 30_000_000


def test_where_the_course_is_there_the_first_cell_installs_nothing(tmp_path):
    script = tmp_path / "first_cell.ipy"
    script.write_text(re.sub("%pip.*", "raise SystemExit('it installs')", setup_source()))
    run = [sys.executable, "-m", "IPython", script]
    done = subprocess.run(run, env=notebooks.environment(), cwd=tmp_path, capture_output=True)
    assert done.returncode == 0 and not done.stdout and not done.stderr


def test_a_notebook_that_needs_too_much_memory_is_stopped(tmp_path):
    greedy = tmp_path / "greedy.ipynb"
    source = "import time\nheld = b'1' * 400_000_000\ndel held\ntime.sleep(1)"
    cells = [nbformat.v4.new_code_cell(source)]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), greedy)
    with pytest.raises(AssertionError, match=r"greedy.ipynb needed 0\.\d+ GB"):
        executes(greedy, Path(sys.prefix), tmp_path / "alone", limit=350_000_000)


def provided(folder, notebook):
    """The environment, with PyTorch if the notebook cannot do without."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    if imports_torch("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"):
        pip(folder, "install", "-q", "--disable-pip-version-check", TORCH)
    return folder


@pytest.mark.parametrize("notebook", CHAPTERS, ids=lambda path: path.stem)
def test_a_notebook_alone_runs_in_an_empty_environment_and_2_gb(notebook, bare, wheel, tmp_path):
    executes(notebook, provided(bare, notebook), tmp_path / "alone", FIRTH_SOURCE=str(wheel))


@pytest.mark.parametrize("notebook", CHAPTERS, ids=lambda path: path.stem)
def test_a_notebook_alone_runs_with_colabs_versions(notebook, colab, wheel, tmp_path):
    executes(notebook, provided(colab, notebook), tmp_path / "alone", FIRTH_SOURCE=str(wheel))


def test_the_grader_needs_no_clone(bare, wheel, tmp_path):
    pip(bare, "install", "-q", "--disable-pip-version-check", str(wheel))
    (tmp_path / "submissions").mkdir()
    for path in (COURSE / "solutions").glob("*.ipynb"):
        shutil.copy(path, tmp_path / "submissions")
        grade = [bare / "bin" / "firth", "grade", path.stem, tmp_path / "submissions" / path.name]
        out = tmp_path / path.stem
        variables = environment(bare)
        done = subprocess.run(
            [*grade, "--out", out], env=variables, cwd=tmp_path, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        [record] = [json.loads(file.read_text()) for file in (out / "records").glob("*.json")]
        assert record["score"] == record["points"] > 0
