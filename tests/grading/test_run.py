"""Each submission has one record in the end: through dying workers, killed commands, repetition."""

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from grading_fakes import Handed, Orders, grade, ungraded
from notebooks import COURSE

from firth.grading.results.record import FolderError, Grades
from firth.grading.run.class_run import class_graded
from firth.grading.run.executors import Lost, Unreachable, alike, alone, cluster, pool

PATHS = os.pathsep.join(map(str, (COURSE, COURSE / "tests", COURSE / "tools")))
SAME = {"exercise": "01_lsa", "seed": "5eed"}


def run(folder, submissions, factory=None, width=4, seconds=0.0, **options):
    grades = Grades(folder / "grades")
    with grades.lock():
        plan = Orders(str(folder), seconds)
        factory = factory or partial(pool, 2)
        options = {"same": lambda student: SAME, "quiet": True} | options
        return class_graded(submissions, grade, plan, ungraded, grades, factory, width, **options)


def records(folder):
    """All records by student; more than one of a student would be an error."""
    files = list((folder / "grades" / "records").glob("*.json"))  # a killed one leaves parts, too
    found = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    assert len({record["student"] for record in found}) == len(found)
    return {record["student"]: record for record in found}


def attempts(folder):
    file = folder / "attempts"
    return [line.split()[0] for line in file.read_text().splitlines()] if file.exists() else []


def ended(pid):
    """Whether a process has ended, be it that nobody has asked for its status yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def until(condition, seconds=20):
    limit = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < limit, "it never came about"
        time.sleep(0.02)


class Recorder(Executor):
    """Runs at once, and notes how many were under way at the same time."""

    def __init__(self):
        self.threads = ThreadPoolExecutor(16)
        self.under_way = self.most = 0

    def submit(self, function, *arguments):
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        future = self.threads.submit(function, *arguments)
        future.add_done_callback(self.done)
        return future

    def done(self, future):
        self.under_way -= 1

    def shutdown(self, wait=True, **_):
        self.threads.shutdown(wait)


def test_a_class_of_a_thousand_has_a_thousand_records_soon(tmp_path):
    start = time.monotonic()
    outcome = run(tmp_path, [Handed(f"s{n}") for n in range(1000)])
    assert len(records(tmp_path)) == outcome.new == 1000 and outcome.complete
    assert sorted(attempts(tmp_path)) == sorted(f"s{n}" for n in range(1000))
    assert time.monotonic() - start < 20


def test_no_more_than_asked_for_are_read_and_under_way_at_once(tmp_path):
    recorder, submissions = Recorder(), [Handed(f"s{n}") for n in range(60)]
    read = []

    def watched(*arguments):
        read.append(sum(len(s.reads) for s in submissions))
        return Recorder.submit(recorder, *arguments)

    recorder.submit = watched
    run(tmp_path, submissions, lambda: recorder, width=5, seconds=0.002)
    assert 2 <= recorder.most <= 5
    ends = range(1, 61)  # the n-th is read when it is sent, not before
    assert read == list(ends)


def test_whoever_kills_a_worker_thrice_is_given_up_and_the_others_lose_nothing(tmp_path):
    submissions = [Handed(f"s{n}") for n in range(30)]
    submissions[3].text = submissions[4].text = submissions[29].text = "dies"
    outcome = run(tmp_path, submissions)
    found = records(tmp_path)
    assert len(found) == 30
    assert {s for s, r in found.items() if r["status"] != "graded"} == {"s3", "s4", "s29"}
    assert sorted(outcome.failed["not graded"]) == ["s29.ipynb", "s3.ipynb", "s4.ipynb"]
    assert "died 3 times" in found["s3"]["notes"][0]
    assert all(attempts(tmp_path).count(student) <= 3 for student in ("s3", "s4", "s29"))


def test_a_worker_that_is_killed_from_outside_costs_nobody_a_record(tmp_path):
    submissions = [Handed(f"s{n}", "dies once" if n % 7 == 2 else "right") for n in range(30)]
    outcome = run(tmp_path, submissions)
    assert outcome.complete and outcome.new == 30
    assert {r["status"] for r in records(tmp_path).values()} == {"graded"}


def test_an_empty_file_is_graded_once_like_any_other(tmp_path):
    for new in (1, 0):
        assert run(tmp_path, [Handed("s0", "")]).new == new


@pytest.mark.parametrize(
    "text, words",
    [
        ("raises", "ValueError: s1 is too much"),
        ("no record", "NoneType instead of a record"),
        ("vanished", "could not be read"),
    ],
)
def test_a_grader_that_fails_says_so_and_is_asked_again_the_next_time(tmp_path, text, words):
    submissions = [Handed("s0"), Handed("s1", text), Handed("s2")]
    outcome = run(tmp_path, submissions)
    assert words in records(tmp_path)["s1"]["notes"][0]
    assert outcome.failed == {"not graded": ["s1.ipynb"]} and not outcome.complete
    submissions[1].text = "right"
    outcome = run(tmp_path, submissions)
    assert (outcome.new, outcome.kept, outcome.complete) == (1, 2, True)


def test_what_is_refused_never_runs_and_has_a_record(tmp_path):
    submissions = [Handed("s0", refused="It is larger than 20 MB."), Handed("s1", "unreadable")]
    for new in (2, 0):  # the second time as well, so that a script hears of it again
        outcome = run(tmp_path, submissions)
        assert outcome.new == new
        assert outcome.failed == {"refused": ["s0.ipynb"], "unreadable": ["s1.ipynb"]}
    assert not submissions[0].reads and attempts(tmp_path) == ["s1"]
    assert records(tmp_path)["s0"]["notes"] == ["It is larger than 20 MB."]


def test_a_repeated_command_has_nothing_to_do_and_says_so(tmp_path):
    submissions = [Handed(f"s{n}", ids={"id": "7"}) for n in range(5)]
    run(tmp_path, submissions)
    outcome = run(tmp_path, submissions)
    assert all(record["ids"] == {"id": "7"} for record in records(tmp_path).values())
    assert str(outcome) == "Nothing to do: all 5 were graded before."
    assert len(attempts(tmp_path)) == 5


def test_a_changed_file_another_seed_and_an_order_to_regrade_are_graded_again(tmp_path):
    submissions = [Handed(f"s{n}") for n in range(4)]
    run(tmp_path, submissions)
    submissions[2].text = "right at last"
    assert run(tmp_path, submissions).new == 1
    assert run(tmp_path, submissions, same=lambda student: SAME | {"seed": "other"}).new == 4
    assert run(tmp_path, submissions, regrade=True).new == 4
    assert len(records(tmp_path)) == 4


def test_one_file_that_is_found_twice_is_graded_once(tmp_path):
    submissions = [Handed("ada", "the first"), Handed("bob"), Handed("ada", "the second")]
    for _ in range(2):
        outcome = run(tmp_path, submissions)
        assert outcome.again == 1 and "twice under one name: 1" in str(outcome)
    assert sorted(attempts(tmp_path)) == ["ada", "bob"]


def test_two_commands_do_not_write_into_one_folder(tmp_path):
    code = (
        "import sys; from firth.grading.results.record import Grades\n"
        f"with Grades({str(tmp_path / 'grades')!r}).lock(): print('in', flush=True);"
        " sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout.readline() == b"in\n"
        with pytest.raises(FolderError, match="at work in"):
            run(tmp_path, [Handed("s0")])
        other.kill()
    assert run(tmp_path, [Handed("s0")]).new == 1  # a lock does not outlive its process


COMMAND = """
from functools import partial
from grading_fakes import Handed, Orders, grade, ungraded
from pathlib import Path
from tests.grading.test_run import run
if __name__ == "__main__":
    submissions = [Handed(f"s{{n}}") for n in range(40)]
    try:
        run(Path({folder!r}), submissions, seconds={seconds})
    except KeyboardInterrupt:
        raise SystemExit(130)
"""


@pytest.fixture
def command(tmp_path):
    """A class that is graded by another process, at work on its second handful."""
    script = tmp_path / "command.py"
    script.write_text(COMMAND.format(folder=str(tmp_path), seconds=0.1))
    environment = os.environ | {"PYTHONPATH": PATHS}
    with subprocess.Popen([sys.executable, script], env=environment) as process:
        until(lambda: len(attempts(tmp_path)) > 8)
        yield process
        process.kill()


def workers(folder):
    return {int(line.split()[1]) for line in (folder / "attempts").read_text().splitlines()}


@pytest.mark.skipif(sys.platform != "linux", reason="Only Linux ends a child with its parent.")
def test_a_killed_command_leaves_nothing_running_and_goes_on_when_repeated(tmp_path, command):
    command.kill()
    command.wait()
    until(lambda: all(map(ended, workers(tmp_path))), seconds=3)
    before = records(tmp_path)
    assert 0 < len(before) < 40
    outcome = run(tmp_path, [Handed(f"s{n}") for n in range(40)])
    assert (outcome.new, outcome.kept) == (40 - len(before), len(before))
    after = records(tmp_path)
    assert len(after) == 40 and all(after[student] == before[student] for student in before)


def test_an_interrupted_command_ends_at_once_and_goes_on_when_repeated(tmp_path, command):
    command.send_signal(signal.SIGINT)
    assert command.wait(3) == 130
    until(lambda: all(map(ended, workers(tmp_path))), seconds=3)
    before = records(tmp_path)
    assert 0 < len(before) < 40
    assert {record["status"] for record in before.values()} == {"graded"}
    assert run(tmp_path, [Handed(f"s{n}") for n in range(40)]).kept == len(before)
    assert len(records(tmp_path)) == 40


def test_ctrl_c_at_the_terminal_does_not_reach_what_is_being_graded(tmp_path):
    run(tmp_path, [Handed("s0")], lambda: pool(1))
    with pool(1) as executor:
        assert executor.submit(os.getsid, 0).result() != os.getsid(0)


def test_a_log_gets_a_line_every_tenth_and_a_quiet_one_none(tmp_path, capsys):
    run(tmp_path, [Handed(f"s{n}") for n in range(50)], quiet=False)
    lines = capsys.readouterr().err.splitlines()
    assert 5 <= len(lines) <= 10 and lines[-1].startswith("Grading: 50 of 50")
    run(tmp_path, [Handed(f"t{n}") for n in range(5)])
    assert not capsys.readouterr().err


def test_on_a_terminal_one_line_is_rewritten(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    run(tmp_path, [Handed(f"s{n}") for n in range(5)], quiet=False)
    written = capsys.readouterr().err
    assert "\n" not in written and "\r\x1b[KGrading: 5 of 5" in written


# A cluster

distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def workers_of_a_cluster():
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        dashboard_address=None,
        silence_logs="CRITICAL",  # workers are killed here
    ) as found:
        yield found


def test_a_cluster_with_a_worker_killed_in_the_middle_leaves_no_one_out(
    tmp_path, workers_of_a_cluster
):
    submissions = [Handed(f"s{n}", "dies once" if n == 30 else "right") for n in range(100)]
    submissions[60].text = "dies"
    with cluster(workers_of_a_cluster.scheduler_address) as (factory, width):
        assert width == 4
        outcome = run(tmp_path, submissions, factory, width, seconds=0.005)
    found = records(tmp_path)
    assert len(found) == outcome.new == 100
    failed = {s: r["notes"] for s, r in found.items() if r["status"] != "graded"}
    assert failed.keys() == {"s60"}, failed
    assert "died, each time" in failed["s60"][0]
    assert attempts(tmp_path).count("s30") == 2


def test_who_waited_on_a_worker_of_a_cluster_beside_one_that_kills_it_is_not_blamed(
    tmp_path, workers_of_a_cluster
):
    submissions = [Handed("s0", "dies"), *(Handed(f"s{n}") for n in range(1, 4))]
    with cluster(workers_of_a_cluster.scheduler_address) as (factory, width):
        run(tmp_path, submissions, factory, width, seconds=0.3)
    found = records(tmp_path)
    assert len(found) == 4
    failed = {s: r["notes"] for s, r in found.items() if r["status"] != "graded"}
    assert failed.keys() == {"s0"}, failed


class KilledWorker(Exception):
    """What a cluster says of everything that was on a worker when it died."""


def test_what_a_cluster_gave_up_is_tried_once_more_alone(tmp_path):
    sent = []

    class Unlucky(Recorder):
        def submit(self, function, data, plan, student, name):
            before = [other for other, _ in sent]
            sent.append((student, self.under_way))
            if student == "s2" or (student == "s1" and student not in before):
                future = Future()
                future.set_exception(KilledWorker("4 workers died"))
                return future
            return super().submit(function, data, plan, student, name)

    outcome = run(tmp_path, [Handed(f"s{n}") for n in range(6)], Unlucky)
    assert outcome.failed == {"not graded": ["s2.ipynb"]} and len(records(tmp_path)) == 6
    assert sent[-2:] == [("s1", 0), ("s2", 0)] or sent[-2:] == [("s2", 0), ("s1", 0)]


def test_a_process_of_a_cluster_grades_one_at_a_time_however_many_threads_it_has():
    def touched(n):
        inside.append(n)
        time.sleep(0.01)
        inside.remove(n)
        return len(inside)

    inside = []
    with ThreadPoolExecutor(4) as threads:
        assert set(threads.map(partial(alone, touched), range(12))) == {0}


def test_a_cluster_does_not_answer_from_memory(tmp_path, workers_of_a_cluster):
    with cluster(workers_of_a_cluster.scheduler_address) as (factory, width):
        for n in (1, 2):
            run(tmp_path, [Handed("s0")], factory, width, regrade=True)
            assert len(attempts(tmp_path)) == n


def test_a_machine_of_a_cluster_without_the_course_is_named():
    class Client:
        def __init__(self, **found):
            self.found = found

        def run(self, *_, **__):
            return self.found

        def run_on_scheduler(self, function, name):
            return function(name)

    alike(Client())
    missing = ModuleNotFoundError("firth")
    for there, words in (("0.0.7", "has firth 0.0.7"), (missing, "does not have firth")):
        with pytest.raises(Unreachable, match=f"far {words}: install firth"):
            alike(Client(far=there))


@pytest.mark.night
def test_a_scheduler_that_is_not_there_is_named_within_ten_seconds():
    for address in ("tcp://127.0.0.1:9", "nowhere", "http://127.0.0.1:1"):
        start = time.monotonic()
        with pytest.raises(Unreachable, match=f"No dask scheduler answers at {address}"):
            with cluster(address):
                pass
        assert time.monotonic() - start < 10.5


def test_a_cluster_that_goes_away_ends_the_command_with_a_sentence(tmp_path):
    gone = Future()
    gone.cancel()
    gone.set_running_or_notify_cancel()  # as the client of a lost scheduler leaves them

    class Gone(Executor):
        def submit(self, *_):
            return gone

    with pytest.raises(Lost, match="went away"):
        run(tmp_path, [Handed("s0"), Handed("s1")], Gone)
    assert not (tmp_path / "grades" / "records").exists()
