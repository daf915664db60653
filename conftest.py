"""How the course is tested: doctests print as the book does, and notebooks are run again.

nbval runs every cell of every notebook and compares its outputs with the stored ones, to the
letter. Three things are settled here. The kernel runs as on an older processor with one thread,
while `make notebooks` uses the machine as it is: a number that depends on either fails. Pictures
may differ by a pixel, which no reader sees. And what the widgets hold is compared as well, because
it is what the static page shows.
"""

import importlib
import json
import os
import platform
import random
import zlib
from unittest import mock

import browser
import canonical
import hypothesis
import nbformat
import notebooks
import numpy as np
import parts
import pytest
import times
import torch
from likeness import alike, same
from nbclient import NotebookClient
from nbval.plugin import IPyNbCell, IPyNbFile

pytest_plugins = ["visits"]
LONG = 30  # seconds: a notebook that takes longer is run again at night


@pytest.fixture(autouse=True)
def book_arrays(doctest_namespace):
    doctest_namespace["np"] = np
    with np.printoptions(precision=2, suppress=True):
        yield


@pytest.fixture(autouse=True)
def drawing(request):
    """Whatever a test draws, it draws from a seed of its own, whichever tests ran before it."""
    text = f"{request.node.nodeid} {request.config.getoption('draw')}"
    seed = zlib.crc32(text.encode())
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


@pytest.fixture(scope="module")  # while its driver runs, nobody else can run an event loop
def chromium():
    if not browser.executable():
        if os.environ.get("CI") == "true":
            pytest.fail(f"{browser.MISSING}: on CI there has to be one.")
        pytest.skip(f"THIS IS NOT TRIED IN A BROWSER: {browser.MISSING}.")
    with browser.browser() as started:
        yield started


def pytest_addoption(parser):
    parser.addoption("--draw", default="0", help="draw other numbers: each test has other seeds")
    parts.add_options(parser)
    times.add_options(parser)


def pytest_configure(config):
    # Two tests run at once on two cores: a second thread of PyTorch's would only wait.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    config.addinivalue_line("markers", parts.NIGHT)
    times.configured(config)
    # A busy machine is no error, and the same examples are drawn in every run.
    hypothesis.settings.register_profile("unhurried", deadline=None, derandomize=True)
    hypothesis.settings.load_profile("unhurried")


def pytest_sessionstart():
    # These packages import their own modules. They are imported before any test file: if pytest
    # imported one of their modules by its path first, that module would exist twice.
    for package in ("checks", "display", "plots"):
        importlib.import_module(f"firth.{package}")


def pytest_report_header(config):
    return parts.told(config)


def pytest_collection_modifyitems(config, items):
    """The tests of the day or of the night; the longest files first, so that none ends alone."""
    long = {file for file, seconds in times.stored().items() if sum(seconds.values()) > LONG}
    for item in items:
        blank = item.nodeid.startswith("exercises/")  # by day tests/test_exercises.py runs it
        if item.path.suffix == ".ipynb" and (blank or times.file_of(item.nodeid) in long):
            item.add_marker("night")
    items[:], left = parts.selected(config, items)
    config.hook.pytest_deselected(items=left)
    seconds = times.seconds_of("night" if config.getoption("night") else "day")
    items.sort(key=lambda item: -seconds.get(times.file_of(item.nodeid), 0.0))


def older_machine() -> dict[str, str]:
    """One thread, and no instructions beyond those of 2013."""
    threads = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMBA")}
    if platform.machine() not in ("x86_64", "AMD64"):
        return threads
    core = (np._core if hasattr(np, "_core") else np.core)._multiarray_umath
    newer = [
        name
        for name in core.__cpu_dispatch__
        if core.__cpu_features__.get(name) and ("512" in name or name == "X86_V4")
    ]
    return threads | {
        "NPY_DISABLE_CPU_FEATURES": " ".join(newer),
        "OPENBLAS_CORETYPE": "Haswell",
        "MKL_ENABLE_INSTRUCTIONS": "AVX2",
        "ONEDNN_MAX_CPU_ISA": "AVX2",
        "ATEN_CPU_CAPABILITY": "avx2",
        "NUMBA_CPU_NAME": "haswell",
        "NUMBA_CPU_FEATURES": "+avx2,+fma",
    }


def kernel_of_an_older_machine(self, start=IPyNbFile.setup):
    with mock.patch.dict(os.environ, notebooks.environment() | older_machine()):
        start(self)
    self.sanitize_patterns[r'data-model="[0-9a-f]{32}"'] = "data-model"
    # nbval passes over bitmaps; here nothing that a reader sees is passed over.
    self.skip_compare = [name for name in self.skip_compare if not name.startswith("image/")]


def cells_and_then_widgets(self, collect=IPyNbFile.collect):
    self.cells = list(collect(self))
    self.live = NotebookClient(
        nbformat.v4.new_notebook()
    )  # not to run anything: it knows widgets' messages
    self.live.reset_execution_trackers()
    yield from self.cells
    yield Widgets.from_parent(self, name="Widgets")


def message_with_widgets_noted(self, *args, get=IPyNbFile.get_kernel_message, **options):
    message = get(self, *args, **options)
    if message["msg_type"] in ("comm_open", "comm_msg"):
        self.live.handle_comm_msg([], message, 0)
    return message


def compare_with_pictures_by_eye(self, test, ref, *args, compare=IPyNbCell.compare_outputs):
    """nbval's comparison, to which a picture that looks the same is the same."""
    for new, old in zip(test, ref, strict=False):
        html = [output.get("data", {}).get("text/html", "") for output in (new, old)]
        if "<svg" in html[0] and alike(*map(self.sanitize, html)):
            new["data"]["text/html"] = old["data"]["text/html"]
    return compare(self, test, ref, *args)


IPyNbFile.setup = kernel_of_an_older_machine
IPyNbFile.collect = cells_and_then_widgets
IPyNbFile.get_kernel_message = message_with_widgets_noted
IPyNbCell.compare_outputs = compare_with_pictures_by_eye


class Widgets(pytest.Item):
    """The last test of a notebook: its stored widgets are those of the run that just ended."""

    def runtest(self):
        cells, live = self.parent.cells, self.parent.live
        if any(cell.test_outputs is None for cell in cells):
            pytest.skip("Needs a run of all cells of the notebook.")
        stored = self.parent.nb
        fresh = stored.copy()
        live.set_widgets_metadata()
        fresh.metadata = live.nb.metadata
        for cell in cells:
            cell.cell.outputs = cell.test_outputs
        old = canonical.widgets(stored)
        new = canonical.widgets(json.loads(canonical.canonical(nbformat.writes(fresh))))
        changed = {
            f"{old.get(model, new.get(model))[canonical.CLASS]}: {trait}"
            for model in old | new
            for trait in old.get(model, {}) | new.get(model, {})
            if not same(old.get(model, {}).get(trait), new.get(model, {}).get(trait))
        }
        if changed:
            pytest.fail(
                f"The stored widgets are not those of a fresh run ({', '.join(sorted(changed))}): "
                "run make notebooks.",
                pytrace=False,
            )

    def reportinfo(self):
        return self.path, 0, f"{self.path.name}::Widgets"
