"""The walls of a sandbox, felt from inside; and what is said where there is none."""

import os
import platform
import re
import subprocess
import sys
from pathlib import Path

import pytest
from notebooks import COURSE

from firth.grading.limits import FILES
from firth.grading.supervisor import sandbox
from firth.grading.supervisor.playing import played
from firth.grading.supervisor.sandbox import NoSandbox
from firth.grading.supervisor.session import working
from firth.grading.supervisor.warm import Warm
from firth.grading.untrusted import calls

SANDBOXES = ["bubblewrap", "sandlock"]
HEADERS = {
    0: Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    1: Path("/usr/include/asm-generic/unistd.h"),
}


@pytest.fixture(scope="module", params=SANDBOXES)
def house(request):
    if not sandbox.installed(request.param):
        pytest.skip(f"{request.param} is not installed: its walls are not tested")
    warm = Warm(request.param, ["numpy"])
    yield warm
    warm.closed()


def said(house, source):
    """What a cell says with its last breath."""
    play = played(house, [f"{source}\nraise Exception(repr(said))"], [], 10.0, 512)
    play.leave()
    (_, _, says) = play.outcome[0]
    return says.removeprefix("Exception: ").partition(" — in your line")[0]


def error(house, statement, before=""):
    """The kind of error that a statement meets."""
    return said(
        house,
        f"{before}\ntry:\n    {statement}\n    said = 'nothing'\n"
        "except BaseException as problem:\n    said = type(problem).__name__",
    ).strip("'")


@pytest.mark.parametrize(
    "place", ["/x", "/tmp/../x", "/usr/x", "/etc/x", "/dev/x", str(sandbox.COURSE / "x")]
)
def test_nothing_can_be_written_outside(house, place):
    assert error(house, f"open({place!r}, 'w')") in ("OSError", "PermissionError")


def test_its_own_folder_can_be_written_and_is_empty_for_the_next(house):
    for _ in range(2):
        assert said(house, "import os; said = os.listdir(); open('left', 'w').write('x')") == "[]"


@pytest.mark.parametrize(
    "place", ["/root", "/home", "/var", "/etc/passwd", "/etc/shadow", str(COURSE / "tests")]
)
def test_nothing_of_the_machine_can_be_read(house, place):
    kind = error(house, f"import os; (os.listdir if os.path.isdir({place!r}) else open)({place!r})")
    seen = said(house, f"import os\ntry: said = os.listdir({place!r})\nexcept OSError: said = []")
    python = {Path(path).relative_to(place).parts[0] for path in sandbox.readable()
              if place != path and Path(path).is_relative_to(place)}  # fmt: skip
    assert kind in ("FileNotFoundError", "PermissionError") or set(eval(seen)) <= python


def test_there_is_no_network(house):
    connect = "import socket; socket.create_connection(('127.0.0.1', {}), 1)"
    listener = subprocess.Popen(
        [sys.executable, "-c", "import socket; s = socket.create_server(('127.0.0.1', 0));"
         "print(s.getsockname()[1], flush=True); s.accept()"], stdout=subprocess.PIPE,
    )  # fmt: skip
    try:
        port = int(listener.stdout.readline())
        assert error(house, connect.format(port)) in ("ConnectionRefusedError", "PermissionError")
        assert listener.poll() is None
    finally:
        listener.kill()
        listener.wait()
        listener.stdout.close()


def test_sockets_of_others_cannot_be_reached_by_name(house, tmp_path):
    import socket

    for address in (str(tmp_path / "s"), "\0firth-test"):
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(address)
            server.listen()
            reach = f"socket.socket(socket.AF_UNIX).connect({address!r})"
            assert error(house, reach, "import socket") != "nothing"


LISTED = """
import os
try: said = [int(name) for name in os.listdir("/proc") if name.isdigit()]
except OSError: said = []
"""


def test_processes_outside_are_not_seen_or_signalled(house):
    for target in (os.getpid(), house.process.pid, os.getppid()):
        kind = error(house, f"import os; os.kill({target}, 0)")
        assert kind in ("ProcessLookupError", "PermissionError")
    seen = set(eval(said(house, LISTED)))
    assert seen.isdisjoint({os.getpid(), os.getppid(), house.process.pid, 1})


def test_limits_of_others_cannot_be_set(house):
    limit = "import os, resource; resource.prlimit({}, resource.RLIMIT_NOFILE, (0, 0))"
    for target in ("os.getppid()", os.getpid(), house.process.pid, 1):
        assert error(house, limit.format(target)) in ("PermissionError", "ProcessLookupError")
    assert (
        error(house, "resource.setrlimit(resource.RLIMIT_NOFILE, (99, 99))", "import resource")
        == "nothing"
    )


def test_the_house_itself_cannot_be_reached_into(house):
    """Its memory holds nothing that a submission, a fork of it, does not hold as well."""
    for target in (*descendants(house.process.pid), 1):
        for what in ("fd/3", "root/etc/passwd", "cwd/left"):
            kind = error(house, f"open('/proc/{target}/{what}', 'rb').read(1)")
            assert kind in ("FileNotFoundError", "PermissionError")
        kind = error(house, f"open('/proc/{target}/mem', 'r+b')")
        assert kind in ("FileNotFoundError", "PermissionError")


def test_a_signal_to_everybody_ends_only_the_submission(house):
    play = played(house, ["import os, signal\nos.kill(-1, signal.SIGKILL)", "x = 1"], [], 10.0, 512)
    play.leave()
    assert house.process.poll() is None
    assert play.outcome[1][0] == "ran"


def test_nobody_outlives_a_submission(house):
    leave = (
        "import os, time\n"
        "for _ in range(20):\n"
        "    if os.fork() == 0:\n"
        "        os.setsid()\n"
        "        if os.fork(): os._exit(0)\n"
        "        time.sleep(1000)\n"
    )
    before = descendants(house.process.pid)
    played(house, [leave], [], 10.0, 512).leave()
    assert descendants(house.process.pid) == before


def descendants(process):
    found = []
    for listed in Path(f"/proc/{process}/task").glob("*/children"):
        for child in listed.read_text().split():
            found += [int(child), *descendants(int(child))]
    return sorted(found)


def test_memory_is_counted_for_all_processes_together(house):
    many = (
        "import os, time\nimport numpy as np\n"
        "for _ in range(12):\n"
        "    if os.fork() == 0:\n"
        "        x = np.ones(12_000_000)\n"
        "        time.sleep(60)\n"
        "time.sleep(60)"
    )
    play = played(house, [many, "y = 2"], [], 20.0, 512)
    play.leave()
    assert play.outcome[0][0] == "memory" and play.outcome[1][0] == "ran"


def test_one_process_cannot_take_more_than_its_memory(house):
    piecemeal = "import numpy as np\nheld = []\nwhile True: held.append(np.ones(4_000_000))"
    play = played(house, [piecemeal, "y = 2"], [], 20.0, 512)
    play.leave()
    assert play.outcome[0][0] == "memory" and play.outcome[1][0] == "ran"


def test_who_asks_for_too_much_at_once_gets_nothing_and_keeps_the_rest(house):
    greedy = "import numpy as np\ndef f(): return 1\nx = np.ones(200_000_000)"
    play = played(house, [greedy, "y = f()"], [], 20.0, 512)
    play.leave()
    assert play.outcome[0][:2] == ("error", "MemoryError") and play.outcome[1][0] == "ran"


@pytest.mark.parametrize("house", SANDBOXES[:1], indirect=True)  # sandlock counts bytes alone
def test_there_is_room_for_so_many_files_and_no_more(house):
    assert error(house, f"for n in range({FILES}): open(str(n), 'w').close()", "") == "OSError"


@pytest.mark.parametrize(
    "family", [40, 38, 17, 31]
)  # vsock, the kernel's ciphers, packets, bluetooth
def test_there_are_no_sockets_of_rare_kinds(house, family):
    assert error(house, f"import socket; socket.socket({family}, 1)") in (
        "PermissionError",
        "OSError",
    )


@pytest.mark.parametrize(
    "write",
    [
        "kept.append(open('big', 'wb', 0)); os.unlink('big'); kept[-1].write(bytes(40 << 20))",
        "os.mkdir('d' * 200); os.chdir('d' * 200); open('x', 'wb').write(bytes(6 << 20))",
    ],
    ids=["in files without a name", "in folders beyond the longest path"],
)
def test_what_is_written_counts_wherever_it_is(house, write):
    cell = f"import os, time\nkept = []\nfor _ in range(30):\n    {write}\n    time.sleep(.1)"
    play = played(house, [cell, "y = 2"], [], 20.0, 512)
    play.leave()
    assert play.outcome[0][0] == "disk" and play.outcome[1][0] == "ran"


def test_the_number_of_processes_is_limited(house):
    fork = (
        "import os, time\nsaid = 0\n"
        "try:\n    while said < 500:\n"
        "        if os.fork() == 0:\n            time.sleep(30); os._exit(0)\n"
        "        said += 1\n"
        "except OSError: pass\n"
    )
    play = played(house, [f"{fork}\nraise Exception(said)", "y = 2"], [], 10.0, 512)
    play.leave()
    status, _, says = play.outcome[0]
    forked = int(re.search(r"\d+", says)[0]) if says else 0
    # What is left when all have been started takes no further copy: that is noticed as well.
    assert status in ("processes", "unsound") or 0 < forked < 120
    assert play.outcome[1][0] == "ran"


def test_a_file_cannot_be_larger_than_agreed(house):
    kind = error(house, "open('big', 'wb').write(bytes(65 << 20))", "import signal")
    assert kind in ("OSError", "nothing") and house.process.poll() is None
    assert error(house, "open('sparse', 'wb').truncate(1 << 40)") == "OSError"


@pytest.mark.parametrize("name", sorted(calls.FORBIDDEN))
def test_a_forbidden_call_is_refused(house, name):
    column = calls.ARCHITECTURES[platform.machine()][0]
    number = calls.FORBIDDEN[name][column]
    ask = (
        "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n"
        f"said = (libc.syscall({number}, -1, -1, -1, -1, -1, -1), ctypes.get_errno())"
    )
    assert said(house, ask) in ("(-1, 1)", "(-1, 38)")


def test_a_user_namespace_of_ones_own_cannot_be_had(house):
    column = calls.ARCHITECTURES[platform.machine()][0]
    ask = (
        "import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\n"
        f"said = (libc.syscall({calls.CLONE[column]}, {calls.NEW_USER | 17}, 0, 0, 0, 0),"
        " ctypes.get_errno())\nif said[0] == 0: os._exit(0)"
    )
    assert said(house, ask) == "(-1, 1)"


def test_threads_and_programs_still_start(house):
    run = (
        "import subprocess, threading\nheard = []\n"
        "t = threading.Thread(target=heard.append, args=(1,)); t.start(); t.join()\n"
        "said = heard, subprocess.run(['echo', 'hello'], capture_output=True).stdout"
    )
    assert said(house, run) == "([1], b'hello\\n')"


@pytest.mark.parametrize("column", HEADERS)
def test_the_numbers_of_calls_are_the_kernels(column):
    if not HEADERS[column].exists():
        pytest.skip("the kernel's headers are not installed: the numbers are not compared")
    pattern = r"#define __NR(?:3264)?_(\w+)\s+(\d+)"
    kernel = dict(re.findall(pattern, HEADERS[column].read_text()))
    mine = {
        **calls.FORBIDDEN,
        "clone": calls.CLONE,
        "clone3": calls.CLONE3,
        "prlimit64": calls.PRLIMIT,
    }
    assert {name: str(both[column]) for name, both in mine.items()}.items() <= kernel.items()


def test_without_a_sandbox_it_says_how_to_get_one(monkeypatch):
    monkeypatch.setattr(sandbox, "installed", lambda name: name == "none")
    with pytest.raises(NoSandbox, match=r"apt install bubblewrap[\s\S]*pip install sandlock"):
        sandbox.candidates()


def test_a_sandbox_that_does_not_work_gives_way_to_the_next(monkeypatch):
    working.cache_clear()
    monkeypatch.setattr(sandbox, "bubblewrap", lambda: ["false"])
    try:
        if not sandbox.installed("sandlock"):
            pytest.skip("sandlock is not installed: there is nothing to give way to")
        assert working() == "sandlock"
        with pytest.raises(NoSandbox, match="bubblewrap does not work here"):
            working("bubblewrap")
    finally:
        working.cache_clear()


def test_a_sandbox_does_not_show_the_solutions():
    shown = [Path(path).resolve() for path in sandbox.readable()]
    solutions = COURSE / "solutions"
    assert not [path for path in shown if solutions.is_relative_to(path)]
