"""Those who end their own process, or try to end others."""

from hostile import EITHER, GRADED, PARTLY, RIGHT, Hostile, fault, honest, made

CELL = {"status": PARTLY, "cell": "died too slow memory"}


def death(name: str, tries: str, source: str, **more) -> Hostile:
    return fault("death", name, tries, source, **{**CELL, **more})


def call(name: str, tries: str, source: str, **more) -> Hostile:
    claims = {"claims": {"q3": "died too slow stopped"}, "status": EITHER}
    return fault("death", name, tries, source, **{**claims, **more})


CLASS = [
    death("os-exit", "leaves without a word", "import os\nos._exit(0)", cell="died"),
    fault("death", "sys-exit", "sys.exit in a cell", "import sys\nsys.exit(0)"),
    fault("death", "exit", "exit() in a cell", "exit()"),
    honest("exit-at-the-end", "quit() after the answers", kind="death", after="quit()"),
    honest(
        "exit-of-everything",
        "ends the shell by name, and raises what ends a thread",
        kind="death",
        status=EITHER,
        after="""
        import _thread
        get_ipython().ask_exit()
        _thread.interrupt_main()
        raise KeyboardInterrupt
        """,
    ),
    Hostile(
        "copies-asleep",
        "death",
        "all copies but the first fall asleep as they are born, and read nothing",
        made(
            before="""
            import os, time
            born = []
            def asleep():
                if len(born) > 1:
                    time.sleep(1e9)
            os.register_at_fork(before=lambda: born.append(1), after_in_child=asleep)
            """,
            q2="def q2(x):\n    return 0.0",
            look=False,
        ),
        8,
        8,
        PARTLY,
        claims={"q2": "too slow"},
    ),
    death(
        "kills-itself",
        "SIGKILL to itself",
        "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)",
        cell="died",
    ),
    death(
        "kills-everybody",
        "SIGKILL to every process that it may send one to",
        """
        import os, signal
        for pid in (-1, 0, os.getppid()):
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        os._exit(1)
        """,
        cell="died",
    ),
    death(
        "kills-by-number",
        "sends signals to every process there may be, by its number, and to their groups",
        """
        import os, signal
        def everybody(number):
            for pid in range(2, 40_000):
                if pid != os.getpid():
                    for send in (os.kill, os.killpg):
                        try:
                            send(pid, number)
                        except OSError:
                            pass
        everybody(signal.SIGSTOP)
        everybody(signal.SIGKILL)
        os._exit(1)
        """,
    ),
    death(
        "stops-itself",
        "SIGSTOP to itself",
        "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)",
        cell="too slow",
    ),
    death(
        "alarm",
        "an alarm rings that nobody hears",
        "import signal, time\nsignal.signal(signal.SIGALRM, signal.SIG_DFL)\n"
        "signal.setitimer(signal.ITIMER_REAL, 0.05)\ntime.sleep(1)",
        cell="died",
    ),
    death("abort", "os.abort", "import os\nos.abort()", cell="died"),
    death(
        "wild-pointer",
        "reads from nowhere",
        "import ctypes\nctypes.string_at(0)",
        cell="died",
    ),
    death(
        "frees-twice",
        "spoils the heap",
        """
        import ctypes
        libc = ctypes.CDLL(None)
        libc.malloc.restype, libc.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
        place = libc.malloc(64)
        for _ in range(9):
            libc.free(place)
        ctypes.memset(id(None), 255, 64)
        """,
    ),
    death(
        "becomes-another",
        "another program takes its place",
        "import os\nfor name in ('/bin/true', '/usr/bin/true'):\n"
        "    try:\n        os.execv(name, [name])\n    except OSError:\n        pass\nos._exit(0)",
        cell="died",
    ),
    death(
        "processor-time-up",
        "gives itself one second to live, and computes",
        "import resource\nresource.setrlimit(resource.RLIMIT_CPU, (1, 1))\nwhile True:\n    pass",
        cell="died too slow",
    ),
    call("os-exit-when-called", "leaves when called", "import os\ndef q3(n, m):\n    os._exit(0)"),
    call(
        "killed-when-called",
        "SIGKILL to itself and to its parent when called",
        "import os\ndef q3(n, m):\n    os.kill(os.getppid(), 9)\n    os.kill(os.getpid(), 9)",
        low=4,  # its parent holds the answers to come; they may be run again
    ),
    call(
        "stops-when-called",
        "SIGSTOP to itself when called",
        "import os\ndef q3(n, m):\n    os.kill(os.getpid(), 19)",
        claims={"q3": "too slow"},
    ),
    call(
        "wild-pointer-when-called",
        "reads from nowhere when called",
        "import ctypes\ndef q3(n, m):\n    return ctypes.string_at(0)",
        claims={"q3": "died"},
    ),
    Hostile(
        "exit-when-called",
        "death",
        "q3 exits, q4 raises KeyboardInterrupt; q1 and q2 are right",
        made(
            q3="import sys\ndef q3(n, m):\n    sys.exit('bye')",
            q4="def q4(X):\n    raise KeyboardInterrupt",
            look=False,
        ),
        4,
        4,
        claims={"q3": "stopped died", "q4": "stopped died"},
    ),
    Hostile(
        "two-of-it",
        "death",
        "forks in a cell, and both go on: two answer where one is asked",
        made(q3=f"import os\nos.fork()\n{RIGHT['q3']}", look=False),
        10,
        10,
        GRADED,
    ),
    Hostile(
        "two-of-it-and-both-insist",
        "death",
        "forks in a cell, and both say that they are the first: what is lost is its own doing",
        made(
            q3="import os\nfirst = os.getpid()\nos.fork()\nos.getpid = lambda: first\n"
            + RIGHT["q3"],
            look=False,
        ),
        0,
        10,
        flaky=True,
    ),
    Hostile(
        "child-answers",
        "death",
        "forks when called: the child returns one answer, its parent another",
        made(
            q3="import os\ndef q3(n, m):\n    if os.fork():\n        return np.zeros((n, m))\n"
            "    return np.arange(n)[:, None] - np.arange(m)",
            look=False,
        ),
        7,
        7,
    ),
    death(
        "dies-in-the-background",
        "a thread ends the process while the next cells run",
        "import os, threading, time\n"
        "threading.Timer(0.02, os._exit, (3,)).start()\ntime.sleep(0.5)",
        cell="died",
    ),
    honest(
        "dies-late",
        "a thread ends the process while it is judged",
        kind="death",
        status=EITHER,
        low=0,
        flaky=True,
        after="import os, threading\nthreading.Timer(0.03, os._exit, (3,)).start()",
    ),
    Hostile(
        "a-death-a-cell",
        "death",
        "every answer's cell dies after it has answered",
        made(**{name: f"{right}\nimport os\nos._exit(0)" for name, right in RIGHT.items()}),
        0,
        10,
        PARTLY,
        cell="died",
    ),
]
