"""A class graded by `firth grade`, and the same class by otter-grader and by nbgrader.

    CPU seconds a submission, of all processes: command, sandboxes, kernels

All three are asked the same claims of the same notebooks, and take turns. Each has its own
environment with exact versions, made at the first run. nbclient grades nothing: it only runs the
cells, in a kernel a notebook, and is what any grader of that kind costs at least.

A row whose peer is a number of seconds is a promise: as many as that may be taken.
"""

import json
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.grading_cost import Cost, cost
from benchmarks.grading_environments import GRADERS, activated, python
from benchmarks.grading_peers import PEERS, Peer
from benchmarks.grading_submissions import (
    Assignment,
    assignment,
    private_assignment,
    private_checks,
    submissions,
)
from benchmarks.timing import Row, main

SEED = b"the same seed in every run of the benchmark"
KERNELS = "nbclient, which only runs it"
PROMISED = {"00_numpy": 0.1, "00_torch": 1.0}  # CPU seconds a submission
PRIVATE = ("00_numpy", "00_torch")
TWO_JOBS, CLUSTER = 30.0, 300.0  # seconds by the clock: for 200 submissions; for 1,000


@contextmanager
def handed_in(given: Assignment, n: int) -> Iterator[Path]:
    """A folder with a class in submissions/, the seed, and the private checks there are."""
    with TemporaryDirectory(prefix="bench-grading-") as place:
        folder = Path(place)
        submissions(given, n, folder / "submissions")
        (folder / "seed").write_bytes(SEED)
        if given.exercise in PRIVATE:
            (folder / "checks").mkdir()
            shutil.copy(private_checks(given.exercise).__file__, folder / "checks" / "private.py")
        yield folder


def options(folder: Path) -> list:
    """The seed of this benchmark, and its private checks."""
    checks = ["--checks", folder / "checks"] if (folder / "checks").exists() else []
    return ["--seed-file", folder / "seed", "--quiet", *checks]


def ours(given: Assignment, folder: Path, *more: object) -> Cost:
    """What `firth grade` takes for a class, on one job unless more is said."""
    shutil.rmtree(folder / "grades", ignore_errors=True)
    command = [sys.executable, "-m", "firth", "grade", given.exercise, folder / "submissions"]
    command += ["--out", folder / "grades", *options(folder), *(more or ("--jobs", 1))]
    return cost(command, folder / "firth.log")


def claims_held(folder: Path) -> dict[str, dict[str, bool]]:
    """What `firth grade` says of each claim of each submission."""
    said = {}
    for path in (folder / "grades" / "records").glob("*.json"):
        record = json.loads(path.read_text(encoding="utf-8"))
        said[Path(record["file"]).stem] = {
            f"{answer['name']}-{index}": claim["holds"]
            for answer in record["answers"]
            for index, claim in enumerate(answer["claims"])
        }
    return said


def theirs(peer: Peer, given: Assignment, folder: Path) -> tuple[Cost, dict]:
    """What another grader takes for the same class, and what it says of each claim."""
    place = folder / peer.name
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(folder / "submissions", place / "submissions")
    peer.prepared(given, place)
    variables, log = activated(peer.name), place / "log"
    spent = cost([python(peer.name), *peer.grades(given, place)], log, variables)
    cost([python(peer.name), *peer.tells(given, place)], log, variables)
    return spent, json.loads((place / f"{peer.name}.json").read_text(encoding="utf-8"))


def compared(mine: dict, other: dict) -> str:
    """On how many claims two graders agree, and where they do not."""
    asked = [(student, claim) for student, claims in mine.items() for claim in claims]
    apart = [(s, c) for s, c in asked if other.get(s, {}).get(c, False) != mine[s][c]]
    text = f"the same verdict on {len(asked) - len(apart):,} of {len(asked):,} claims"
    if not apart:
        return text
    assert len(apart) < len(asked) / 50, f"{text}: they do not grade the same thing"
    more = sum(mine[s][c] for s, c in apart)
    return f"{text}; {more} hold for firth alone, {len(apart) - more} for the other alone"


def beside_others(given: Assignment, n: int, repeats: int, goals: dict[str, float]) -> list[Row]:
    """One class, by all graders in turn."""
    mine, peers, agreement = [], {name: [] for name in goals}, {}
    agreement[KERNELS] = "the other grades nothing"
    with handed_in(given, n) as folder:
        files = b"".join(path.read_bytes() for path in sorted(folder.glob("submissions/*")))
        for turn in range(repeats):
            print(f"{given.exercise}: round {turn + 1} of {repeats}", file=sys.stderr, flush=True)
            mine.append(round(ours(given, folder).cpu / n, 6))
            held = claims_held(folder)
            assert len(held) == n, f"{len(held)} records of {n}"
            for name in goals:
                if name == KERNELS:
                    run = [sys.executable, "-m", "benchmarks.grading_kernels", folder]
                    spent = cost(run, folder / "kernels.log")
                else:
                    peer = next(peer for peer in PEERS if peer.name == name)
                    spent, said = theirs(peer, given, folder)
                    agreement[name] = compared(held, said)
                peers[name].append(round(spent.cpu / n, 6))
    inputs, what = sha256(files).hexdigest(), f"grading {given.exercise}, {n} submissions"
    rows = []
    for name, goal in goals.items():
        label = f"{name} {GRADERS[name]}" if name in GRADERS else name
        rows.append(Row(what, label, goal, mine, peers[name], agreement[name], inputs))
    return rows


def promised(row: Row, limit: float) -> Row:
    """The same seconds of ours, against what was promised."""
    said = "CPU seconds a submission, of all its processes"
    return Row(row.what, f"{limit:g} s of CPU time", 1, row.ours_seconds, [limit], said, row.inputs)


def two_jobs(given: Assignment, n: int, repeats: int) -> Row:
    """How long a class takes by the clock, with two jobs."""
    with handed_in(given, n) as folder:
        wall = [round(ours(given, folder, "--jobs", 2).wall, 3) for _ in range(repeats)]
        held = claims_held(folder)
    assert len(held) == n, f"{len(held)} records of {n}"
    what, peer = f"a class of {n}, two jobs", f"{TWO_JOBS:g} s by the clock"
    return Row(what, peer, 1, wall, [TWO_JOBS], f"{n} records")


def killed(given: Assignment, n: int, repeats: int) -> Row:
    """A class on a cluster of which a worker dies, and of which the command is then killed."""
    wall = []
    with handed_in(given, n) as folder:
        for _ in range(repeats):
            shutil.rmtree(folder / "grades", ignore_errors=True)
            run = [sys.executable, "-m", "benchmarks.grading_class", given.exercise, folder]
            cost([*run, *options(folder)], folder / "log")  # which fails if a process is left
            became = json.loads((folder / "became.json").read_text(encoding="utf-8"))
            assert became["records"] == became["submissions"] == n, became
            assert became["twice"] == became["changed"] == became["exit status"] == 0, became
            wall.append(round(became["seconds"], 3))
    said = (
        f"{n:,} records, none twice; a worker was killed after {became['worker killed after']},"
        f" the command after {became['command killed after']}"
    )
    what, peer = f"a class of {n:,}, two dask workers", f"{CLUSTER:g} s by the clock"
    return Row(what, peer, 1, wall, [CLUSTER], said)


SMALL = {"n": 4, "repeats": 2, "everything": False}  # what a test runs


def rows(n: int = 50, repeats: int = 3, everything: bool = True) -> list[Row]:
    lsa = assignment("01_lsa")
    if not everything:  # what needs no environment but this one
        return beside_others(lsa, n, repeats, {KERNELS: 1})
    measured = []
    for exercise, count, goals in (
        ("01_lsa", n, {"otter-grader": 5, "nbgrader": 5, KERNELS: 3}),
        ("00_numpy", n, {"otter-grader": 8, "nbgrader": 8, KERNELS: 5}),
        ("00_torch", 2 * n // 5, {"otter-grader": 4, "nbgrader": 4, KERNELS: 3}),
    ):
        given = private_assignment(exercise) if exercise in PRIVATE else lsa
        found = beside_others(given, count, repeats, goals)
        measured += found
        if exercise in PROMISED:
            measured.append(promised(found[0], PROMISED[exercise]))
    class_of = private_assignment("00_numpy")
    return [*measured, two_jobs(lsa, 4 * n, repeats), killed(class_of, 20 * n, repeats)]


if __name__ == "__main__":
    main(rows)
