"""A class that means no good is graded, in one sandbox by day and in the other at night.

The command runs as an instructor would run it, with secrets lying all around. Then: each submission
has what it deserves and no more, nobody is left running, nothing lies about that was not there
before, no secret is in anything that was written, and the same seed gives the same again.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path

import pytest
from hostile import CANARY, COMPUTED, GRADED, Hostile, chaperone, suite
from hostile.environment import SEARCH, TELL
from hostile.world import World

SUITE = {one.name: one for one in suite()}
TIMEOUT = 3  # seconds for a cell and for a claim
MEMORY = 512  # MB
JOBS = 3  # on two processors: most of those who hang only sleep
PATIENCE = 420  # seconds for the class: nobody in it may hang it
MOST = JOBS * MEMORY + 1_000  # MB: those under way, and the grader
TIMES = {"seconds", "cpu_seconds", "graded_at"}
QUICK = {"control", "cheat", "structure", "fault"}  # graded twice
SANDBOXES = {
    "bubblewrap": shutil.which("bwrap") is not None,
    "sandlock": find_spec("sandlock") is not None,
}
BY_DAY = next((name for name, there in SANDBOXES.items() if there), None)  # the other at night


@dataclass
class Graded:
    """What a command has left, and what it said."""

    world: World
    said: dict
    errors: str
    records: dict[str, dict]  # by the names of SUITE
    written: list[dict]
    before: dict[str, str]
    after: dict[str, str]
    left: list[str]

    @property
    def out(self) -> Path:
        return self.world.place("grades")


def shown(name: str) -> str:
    """A file's name as the grader may show it: no line breaks, no bytes that are no letters."""
    return re.sub(r"[^\w.]", "", name.encode(errors="replace").decode())


def whose(record: dict, world: World) -> str:
    """Which submission a record is about: the one of the same bytes, or of the same name."""
    for name, digest in world.digests.items():
        if record["sha256"] and digest == record["sha256"]:
            return name
    names = {shown(os.fsdecode(one.written)): name for name, one in SUITE.items()}
    file = record["file"]
    return names[shown(file if shown(file) in names else file.partition("/")[0])]


def command(world: World, out: Path, submissions: list[Path], timeout: int) -> list[str]:
    options = {
        "--out": out,
        "--checks": world.place("checks"),
        "--seed-file": world.place("seed"),
        "--sandbox": world.sandbox,
        "--timeout": timeout,
        "--memory": MEMORY,
        "--jobs": JOBS,
    }
    grade = [sys.executable, "-m", "firth", "grade", "00_hostile", *submissions, "--quiet"]
    return list(map(str, [*grade, *(word for pair in options.items() for word in pair)]))


def run(
    world: World, out: Path, submissions: list[Path], timeout: int = TIMEOUT
) -> tuple[dict, str]:
    """Grades files and folders, watched by one who counts the survivors."""
    watched = [sys.executable, chaperone.__file__, str(PATIENCE)]
    watched += command(world, out, submissions, timeout)
    done = subprocess.run(
        watched,
        capture_output=True,
        text=True,
        env=world.environment(),
        cwd=world.place("home"),
        timeout=PATIENCE + 60,
        stdin=subprocess.DEVNULL,
    )
    assert done.stdout, done.stderr
    return json.loads(done.stdout), done.stderr


def read(out: Path) -> list[dict]:
    return [json.loads(path.read_bytes()) for path in sorted((out / "records").glob("*.json"))]


@pytest.fixture(
    scope="session",
    params=[
        pytest.param(
            name,
            marks=[
                *([] if name == BY_DAY else [pytest.mark.night]),
                pytest.mark.skipif(not there, reason=f"{name.upper()} IS NOT INSTALLED HERE"),
            ],
        )
        for name, there in SANDBOXES.items()
    ],
)
def graded(request, tmp_path_factory):
    """The whole class, graded in one of the sandboxes."""
    folder = tmp_path_factory.mktemp(request.param)
    world = World(folder, request.param).built(list(SUITE.values()))
    try:
        for path in world.left():
            os.unlink(path) if os.path.isfile(path) or os.path.islink(path) else None
        assert not world.left(), "another run has left something behind: remove it"
        before = world.snapshot()
        said, errors = run(world, world.place("grades"), [world.place("class")])
        assert said["exit"] in (0, 1) and "Traceback" not in errors, errors[-2000:]
        after, left = world.snapshot(), world.left()
        written = read(world.place("grades"))
        records = {whose(record, world): record for record in written}
        cpu = sum(record["cpu_seconds"] for record in written)
        print(f"{request.param}: {said}, {cpu:.1f} s of CPU in the sandbox")
        yield Graded(world, said, errors, records, written, before, after, left)
    finally:
        world.end()


# One by one


def told(record: dict) -> str:
    """A record in a few lines, for whoever reads why a test failed."""
    lines = [f"{record['status']}, {record['score']} points, {record['seconds']} s"]
    lines += record["notes"]
    for one in record["answers"]:
        for claim in one["claims"]:
            said = f"{claim['message']} | {claim.get('detail', '')}"[:200]
            lines.append(f"{one['name']} {one['status']}: {claim['status']} {said}")
    for one in record["cells"]:
        if one["status"] != "ran":
            said = f"{one['message']} | {one.get('detail', '')}"[:200]
            lines.append(f"cell {one['cell']}: {one['status']} {said}")
    return "\n  ".join(lines)


@pytest.mark.parametrize("one", SUITE.values(), ids=SUITE)
def test_a_submission_earns_what_it_deserves(one: Hostile, graded):
    record = graded.records.get(one.name)
    assert record, "it has no record"
    report = f"{one.tries}\n  {told(record)}"
    assert one.low <= record["score"] <= one.high, report
    assert record["status"] in one.status, report
    assert record["seconds"] < one.seconds, report
    found = {answer["name"]: answer for answer in record["answers"]}
    for name, status in one.answers.items():
        assert found[name]["status"] == status, report
    for name, statuses in one.claims.items():
        claims = [claim["status"] for claim in found[name]["claims"]]
        assert any(status in statuses for status in claims), report
    if one.cell:
        assert any(c["status"] != "ran" and c["status"] in one.cell for c in record["cells"]), (
            report
        )


# All together


def test_the_command_ends_and_says_that_not_all_could_be_graded(graded):
    assert not graded.said["hung"], f"it took longer than {PATIENCE} s"
    assert graded.said["exit"] == 1, graded.errors
    assert "Traceback" not in graded.errors
    assert graded.said["most"] < MOST


def test_every_submission_has_one_record(graded):
    assert sorted(graded.records) == sorted(SUITE)
    assert len(graded.written) == len(SUITE)
    assert not [name for name, one in graded.records.items() if one["status"] == "not graded"]


def test_nobody_is_left_running(graded):
    assert graded.said["left"] == []


def test_nothing_is_changed_or_left_outside_the_output_folder(graded):
    changed = {
        path
        for path in graded.before.keys() | graded.after.keys()
        if graded.before.get(path) != graded.after.get(path)
    }
    assert not changed
    assert not graded.left


def test_no_secret_is_in_anything_that_was_written(graded):
    known = {secret: name for name, secret in graded.world.secrets.items()}
    found = {
        (str(path.relative_to(graded.out)), known.get(secret, secret))
        for path in graded.out.rglob("*")
        if path.is_file()
        for secret in re.findall(CANARY, path.read_text(encoding="utf-8", errors="replace"))
    }
    assert not found
    assert not re.search(CANARY, graded.errors)


def test_no_service_of_the_machine_was_called(graded):
    assert graded.world.visits == []


def test_no_student_is_told_what_an_answer_has_computed(graded):
    found = {}
    for name, record in graded.records.items():
        messages = [claim["message"] for one in record["answers"] for claim in one["claims"]]
        messages += [*(cell["message"] for cell in record["cells"]), *record["notes"]]
        found[name] = re.findall(f".*(?:{COMPUTED}).*", "\n".join(messages))
    for path in graded.out.glob("feedback/*.html"):
        text = path.read_text(encoding="utf-8").replace("alert('LEAK", "")
        found[path.name] = re.findall(f".{{,40}}(?:{COMPUTED}).{{,40}}", text)
    assert not {name: lines for name, lines in found.items() if lines}


class Active(HTMLParser):
    """What of a page could do something, or fetch something."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attributes):
        if tag in ("script", "iframe", "object", "embed", "form", "img", "base"):
            self.found.append(tag)
        for name, value in attributes:
            if name.startswith("on") or "javascript:" in (value or "").lower():
                self.found.append(f"{tag} {name}")


def test_no_page_holds_anything_active(graded):
    pages = list(graded.out.glob("feedback/*.html"))
    assert len(pages) >= len(SUITE) - 20
    for path in pages:
        page = Active()
        page.feed(path.read_text(encoding="utf-8"))
        assert not page.found, path.name


def test_the_same_seed_gives_the_same_again(graded, tmp_path):
    chosen = {
        name: graded.world.place("class") / os.fsdecode(one.written)
        for name, one in SUITE.items()
        if one.kind in QUICK and not one.flaky and graded.records[name]["seconds"] < 1
    }
    assert len(chosen) > len(SUITE) / 4
    run(graded.world, tmp_path / "grades", list(chosen.values()))
    records = {whose(record, graded.world): record for record in read(tmp_path / "grades")}
    assert sorted(records) == sorted(chosen)
    other = {*TIMES, "given"}  # these files were given by themselves, and not in their folder
    changed = {
        name: [key for key in record if key not in other and record[key] != before.get(key)]
        for name, record in records.items()
        for before in [graded.records[name]]
    }
    assert not {name: keys for name, keys in changed.items() if keys}


def test_with_time_to_import_torch_its_answer_is_right(graded, tmp_path):
    one = SUITE["torch-answer"]
    run(graded.world, tmp_path / "grades", [graded.world.place("class") / one.written], timeout=60)
    (record,) = read(tmp_path / "grades")
    assert record["score"] == one.high and record["status"] in GRADED, told(record)


# The suite itself


def test_no_two_submissions_are_the_same_file():
    contents = [one.file for one in SUITE.values() if isinstance(one.file, bytes)]
    assert len(set(contents)) == len(contents)
    names = [os.fsencode(one.written) for one in SUITE.values()]
    assert len(set(names)) == len(names)


@pytest.fixture
def open_world(tmp_path):
    """Secrets, and nothing around them."""
    world = World(tmp_path, "none").built([])
    yield world
    world.end()


@pytest.mark.parametrize(
    "spy, secrets",
    {
        "home-and-course": {"home", "checks", "seed"},
        "temporary-files": {"shared", "memory"},
        "loopback": {"tcp", "udp"},
        "local-sockets": {"socket", "abstract"},
        "shared-memory": {"segment"},
    }.items(),
)
def test_a_spy_would_find_what_lies_open(spy, secrets, open_world):
    sources = json.loads(open_world.filled(SUITE[spy].file))["cells"]
    source = next(text for one in sources if SEARCH.strip() in (text := "".join(one["source"])))
    names: dict = {}
    exec(source.removesuffix(TELL.rstrip("\n")), names)  # it reads, and does nothing else
    expected = {open_world.secrets[name].encode() for name in secrets}
    assert expected <= names["found"]


def test_the_chaperone_counts_who_stays():
    stays = [sys.executable, "-c", "import os, time\nif os.fork() == 0:\n    os.setsid()\n"
             "    if os.fork() == 0:\n        time.sleep(99)"]  # fmt: skip
    done = subprocess.run(
        [sys.executable, chaperone.__file__, "9", *stays], capture_output=True, text=True
    )
    assert len(json.loads(done.stdout)["left"]) == 1, done.stderr
