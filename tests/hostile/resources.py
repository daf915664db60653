"""Those who take more than their share: of time, memory, disk, processes, or of the screen.

A cell that does so is skipped and the others are run again, so that all but q3 is earned; so it is
when the answer does it.
"""

from hostile import EITHER, PARTLY, RIGHT, Hostile, cells, data, fault, honest, made, notebook
from hostile import cell as cell_of

CELL = {"status": PARTLY, "cell": "processes too slow died memory"}
CALL = {"status": EITHER, "claims": {"q3": "too slow died too much stopped"}}


def cell(name: str, tries: str, source: str, **more) -> Hostile:
    """A cell that goes too far, before it comes to define q3."""
    return fault("resource", name, tries, source, **{**CELL, **more})


def call(name: str, tries: str, source: str, **more) -> Hostile:
    """An answer that goes too far when it is called."""
    return fault("resource", name, tries, source, **{**CALL, **more})


CLASS = [
    cell("endless-loop", "a cell that never ends", "while True:\n    pass", cell="too slow"),
    cell("sleeping", "a cell that sleeps", "import time\ntime.sleep(1e9)", cell="too slow"),
    cell(
        "deaf-to-signals",
        "ignores every signal, and every exception, and sleeps",
        """
        import signal, time
        for number in range(1, 65):
            try:
                signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError):
                pass
        while True:
            try:
                time.sleep(1e6)
            except BaseException:
                pass
        """,
        cell="too slow",
    ),
    cell(
        "busy-in-c",
        "one long step that no signal handler of Python interrupts",
        "import re\nre.match(r'(a+)+$', 'a' * 64 + 'b')",
        cell="too slow",
    ),
    cell(
        "memory",
        "allocates without end",
        "held = []\nwhile True:\n    held.append(bytearray(1 << 24))",
        status=EITHER,
        cell="memory died error",
    ),
    cell(
        "memory-at-once",
        "asks for more than there is",
        "held = np.ones(1 << 40)",
        status=EITHER,
        cell="error memory died",
    ),
    cell(
        "memory-shared",
        "memory that no process owns: shared maps, shared memory, files in memory",
        """
        import mmap, os
        held, block = [], bytes(1 << 24)
        while True:
            file = os.memfd_create("held")
            for _ in range(16):
                os.write(file, block)
            shared = mmap.mmap(-1, 1 << 28)
            shared[:] = bytes(1 << 28)
            held.append((file, shared))
        """,
        status=EITHER,
        cell="memory died error",
    ),
    cell(
        "memory-of-children",
        "sixty children, each within its limit",
        """
        import os, time
        for _ in range(60):
            if os.fork() == 0:
                held = bytearray(b"x") * (200 << 20)
                time.sleep(1e9)
                os._exit(0)
        time.sleep(1e9)
        """,
        cell="memory disk processes died error too slow",
        status=EITHER,
    ),
    cell(
        "memory-on-disk",
        "fills every place that may be a disk in memory",
        """
        import os
        block = bytes(1 << 24)
        for place in (os.getcwd(), "/dev/shm", "/tmp", "/run", "/var/tmp", "/dev"):
            try:
                for n in range(200):
                    with open(f"{place}/left-by-a-submission-{n}", "wb") as file:
                        for _ in range(8):
                            file.write(block)
            except OSError as error:
                last = error
        raise last
        """,
        status=EITHER,
        cell="memory disk processes died error too slow",
    ),
    call(
        "memory-in-a-call",
        "allocates without end when called",
        """
        def q3(n, m):
            held = []
            while True:
                held.append(np.ones(1 << 21))
        """,
    ),
    cell(
        "threads",
        "twenty thousand threads",
        """
        import threading, time
        for _ in range(20_000):
            threading.Thread(target=time.sleep, args=(1e9,), daemon=True).start()
        """,
        status=EITHER,
        cell="error died memory disk processes too slow",
    ),
    cell(
        "fork-bomb",
        "every child has two children",
        "import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass",
    ),
    cell(
        "many-files",
        "as many files, folders and links as there is room for",
        """
        import os
        for n in range(10_000_000):
            os.mkdir(f"left-by-a-submission-{n}")
        """,
        status=EITHER,
        cell="error died memory disk processes too slow",
    ),
    cell(
        "open-files",
        "opens files and sockets until there are no more",
        """
        import os, socket
        held = []
        while True:
            held.append((os.open("/dev/null", 0), socket.socketpair()))
        """,
        status=EITHER,
        cell="error died memory disk processes too slow",
        low=7,
    ),
    cell(
        "twenty-gigabytes",
        "a file of twenty gigabytes where it stands",
        """
        with open("left-by-a-submission", "wb") as file:
            for _ in range(20 << 10):
                file.write(bytes(1 << 20))
        """,
        status=EITHER,
        cell="error died memory disk",
    ),
    cell(
        "sparse-terabyte",
        "a file of a terabyte with nothing in it, mapped into memory",
        """
        with open("left-by-a-submission", "wb") as file:
            file.truncate(1 << 40)
        held = np.memmap("left-by-a-submission", mode="r+", shape=(1 << 40,))
        """,
        status=EITHER,
        cell="error died memory disk",
    ),
    Hostile(
        "prints-a-gigabyte",
        "resource",
        "prints a gigabyte in a cell",
        made(before="for _ in range(1000):\n    print('x' * (1 << 20))"),
        10,
        10,
    ),
    cell(
        "prints-for-ever",
        "prints without end, through Python and past it",
        """
        import os
        while True:
            print("x" * 65536)
            os.write(1, b"y" * 65536)
            os.write(2, b"z" * 65536)
        """,
        cell="too slow died memory error",
        status=EITHER,
    ),
    call(
        "prints-when-called",
        "prints without end when called",
        "def q3(n, m):\n    while True:\n        print('x' * 65536, flush=True)",
    ),
    cell(
        "shows-a-gigabyte",
        "shows an object whose picture and text are a gigabyte",
        """
        class Big:
            def _repr_html_(self):
                return "<b>" * (300 << 20)
            def __repr__(self):
                return "x" * (1 << 30)
        display(Big())
        raise SystemError("shown")
        """,
        status=EITHER,
        cell="error died memory disk processes too slow",
    ),
    honest(
        "ten-million-warnings",
        "warns without shame",
        kind="resource",
        status=EITHER,
        before="""
        import sys, warnings
        warnings.simplefilter("always")
        for n in range(20_000):
            warnings.warn(f"warning {n}", stacklevel=1)
        for n in range(100_000):
            sys.stderr.write("warning\\n" * 100)
        """,
    ),
    cell(
        "deep-in-c",
        "lifts the limit of recursion and runs off the stack",
        """
        import sys
        sys.setrecursionlimit(1 << 30)
        class Deep:
            def __getattr__(self, name):
                return getattr(self, name + "x")
        def down(n):
            return repr(np.array([n], dtype=object)) + down(n + 1)
        nested = []
        for _ in range(3_000_000):
            nested = [nested]
        hash(tuple(map(repr, [nested])))
        down(0)
        """,
        status=EITHER,
        cell="died error too slow memory",
    ),
    call(
        "recursion-when-called",
        "calls itself for ever",
        "def q3(n, m):\n    return q3(n + 1, m)",
        claims={"q3": "stopped died too slow"},
    ),
    call(
        "endless-when-called",
        "never returns",
        "def q3(n, m):\n    while True:\n        pass",
        claims={"q3": "too slow"},
        status=PARTLY,
    ),
    call(
        "sleeps-when-called",
        "sleeps when called, and takes no exception for an answer",
        """
        import time
        def q3(n, m):
            while True:
                try:
                    time.sleep(1e6)
                except BaseException:
                    continue
        """,
        claims={"q3": "too slow"},
        status=PARTLY,
    ),
    call(
        "great-power",
        "one step of arithmetic that takes a year",
        "def q3(n, m):\n    return 7 ** (10 ** 10)",
    ),
    honest(
        "exit-handlers-sleep",
        "leaves handlers that sleep when it ends",
        kind="resource",
        status=EITHER,
        after="""
        import atexit, threading, time, weakref
        atexit.register(time.sleep, 1e9)
        threading._register_atexit(time.sleep, 1e9)
        class Stays:
            def __del__(self):
                import time
                time.sleep(1e9)
        stays = Stays()
        threading.Thread(target=time.sleep, args=(1e9,)).start()
        """,
    ),
    honest(
        "children-stay",
        "leaves children that sleep, away from the session, their parent gone",
        kind="resource",
        status=EITHER,
        after="""
        import os, signal, subprocess, sys, time
        for _ in range(3):
            if os.fork() == 0:
                os.setsid()
                signal.signal(signal.SIGHUP, signal.SIG_IGN)
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                if os.fork() == 0:
                    for number in range(256):
                        try:
                            os.close(number)
                        except OSError:
                            pass
                    time.sleep(1e9)
                os._exit(0)
        try:
            subprocess.Popen(["sleep", "987654"], start_new_session=True)
        except OSError:
            pass
        """,
    ),
    honest(
        "busy-threads-stay",
        "leaves threads that compute for ever",
        kind="resource",
        status=EITHER,
        low=4,  # they share its time
        after="""
        import threading
        def busy():
            while True:
                pass
        for _ in range(4):
            threading.Thread(target=busy, daemon=True).start()
        """,
    ),
    Hostile(
        "three-endless-cells",
        "resource",
        "three cells that never end, between right answers",
        made(
            before="while True:\n    pass",
            q2=RIGHT["q2"] + "\nimport itertools\nfor _ in itertools.count():\n    pass",
            q4="import time\ntime.sleep(1e9)\n\n\n" + RIGHT["q4"],
            look=False,
        ),
        5,
        10,
        PARTLY,
        cell="too slow",
    ),
    Hostile(
        "never-quite-too-slow",
        "resource",
        "twenty cells, each of which ends just before it has taken too long",
        data(notebook([*cells(look=False), *[cell_of("import time\ntime.sleep(2)")] * 20])),
        4,  # they stand below the answers: what was earned above them stays
        10,
    ),
    call(
        "message-of-a-gigabyte",
        "raises an exception with a message of a gigabyte",
        "def q3(n, m):\n    raise ValueError('x' * (600 << 20))",
    ),
    call(
        "endless-generator",
        "returns a generator that never ends",
        "import itertools\ndef q3(n, m):\n    return itertools.count()",
        status=EITHER,
        claims={"q3": "stopped fails too much"},
    ),
    honest(
        "limits-changed",
        "asks for more of everything, and makes itself unimportant",
        kind="resource",
        status=EITHER,
        before="""
        import os, resource
        for name in dir(resource):
            if name.startswith("RLIMIT_"):
                try:
                    limit = resource.getrlimit(getattr(resource, name))[1]
                    resource.setrlimit(getattr(resource, name), (limit, limit))
                    resource.setrlimit(getattr(resource, name), (-1, -1))
                except (OSError, ValueError):
                    pass
        try:
            os.nice(-20)
        except OSError:
            os.nice(5)
        """,
    ),
    fault(
        "resource",
        "limits-lowered",
        "takes from itself the right to open files, to write them, and to start processes",
        """
        import resource
        for name in ("RLIMIT_NOFILE", "RLIMIT_FSIZE", "RLIMIT_NPROC", "RLIMIT_STACK"):
            resource.setrlimit(getattr(resource, name), (0, 0))
        """,
        low=4,  # what its own cell breaks may cost the cell after it as well
    ),
]
