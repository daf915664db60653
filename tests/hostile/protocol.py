"""Those who attack the talk between the sandbox and the judge, and the tools that both are made of.

A strange answer costs its question and nothing else (7). Who spoils the
process that runs all its answers loses those of that cell, and is never paid for it.
"""

from hostile import EITHER, GRADED, RIGHT, Hostile, attack, clean, fault, honest, made

STRANGE = {"q3": "stopped fails too much died too slow"}


def answer(name: str, tries: str, source: str, **more) -> Hostile:
    """q3 answers strangely; q4 is right."""
    found = {"status": EITHER, "claims": STRANGE} | more
    return fault("protocol", name, tries, source, **found)


def returning(name: str, what: str, value: str, before: str = "", **more) -> Hostile:
    source = f"{before}\ndef q3(n, m):\n    return {value}"
    return answer(name, f"returns {what}", source, **more)


def spoils(name: str, tries: str, source: str) -> Hostile:
    """Breaks its own tools in q3's cell: what stands in the other cells is earned all the same."""
    file = made(q3=f"{clean(source)}\n\n\n{RIGHT['q3']}", look=False)
    return Hostile(name, "protocol", tries, file, 4, 10, EITHER)


# Every way that an object can be asked something, and never answers.
NEVER = """
def never(self, *args, **kwargs):
    while True:
        pass

asked = "iter len eq ne lt repr str bool hash float int index array array_interface getattribute"
asked += " getitem contains format reduce_ex sizeof dir del deepcopy class_getitem array_struct"
Never = type("Never", (), {f"__{name}__": never for name in asked.split()})
"""

CLASS = [
    returning("600-megabytes", "an array of 600 MB", "np.ones(75 << 20)"),
    returning(
        "eight-terabytes",
        "a view of eight terabytes on eight bytes",
        "np.broadcast_to(np.float64(1), (1 << 20, 1 << 20))",
    ),
    returning(
        "wild-view",
        "a view on memory that is not its own",
        "np.lib.stride_tricks.as_strided(np.ones(1), (1 << 16,), (1 << 40,))",
    ),
    returning("in-itself", "a list that contains itself", "held", "held = []\nheld.append(held)"),
    returning(
        "dictionary-in-itself",
        "a dictionary that contains itself",
        "held",
        "held = {}\nheld['held'] = [held]",
    ),
    returning(
        "a-hundred-thousand-deep",
        "a list of a hundred thousand levels",
        "held",
        "held = []\nfor _ in range(100_000):\n    held = [held]",
    ),
    returning("a-hundred-thousand-digits", "a number of a hundred thousand digits", "10**100_000"),
    returning("beyond-float", "tables of numbers that no float holds", "[[10**400] * m] * n"),
    returning("many-small-things", "five million small lists", "[[0] for _ in range(5_000_000)]"),
    returning(
        "the-same-list-often",
        "ten lists in each other, ten times each: 10 billion numbers",
        "held",
        "held = 0\nfor _ in range(10):\n    held = [held] * 10",
    ),
    returning("empty-beyond-measure", "an empty table of great sides", "np.zeros((0, 1 << 60))"),
    returning("sixty-dimensions", "a table of sixty dimensions", "np.ones((1,) * 60)"),
    returning(
        "objects",
        "an array of objects that hold the array",
        "held",
        "held = np.empty((2, 2), dtype=object)\nheld[0, 0], held[1, 1] = held, [held]",
    ),
    returning(
        "dates", "dates, where numbers are asked for", "np.full((n, m), np.datetime64(0, 's'))"
    ),
    returning("records", "a table of records", "np.zeros((n, m), dtype='f8,i4,(2,2)f4,S3')"),
    returning("complex-numbers", "complex numbers", "np.ones((n, m)) * 1j"),
    returning("texts", "texts, some of them halves of letters", "'\\ud800' * (n * m)"),
    returning("a-long-text", "a text of a hundred megabytes", "'x' * (100 << 20)"),
    returning("a-module", "a module", "np"),
    returning("a-type", "a type", "np.ndarray"),
    returning("a-function", "itself", "q3"),
    returning("not-implemented", "NotImplemented", "NotImplemented"),
    returning(
        "tagged-as-on-the-wire",
        "a dictionary that looks like the wire's own",
        "{'array': ['<f8', [n, m], 'AAAA'], 'value': 1, 'holds': True, 'tuple': 7}",
    ),
    returning("mixed-table", "rows of different lengths", "[[0] * k for k in range(n)]"),
    returning("sparse", "a sparse matrix", "sparse.eye(n, m)", "from scipy import sparse"),
    returning("an-exception", "an exception", "StopIteration(3)"),
    returning(
        "never-answers",
        "an object that never answers",
        "Never()",
        NEVER,
        claims={"q3": "stopped too slow died fails"},
    ),
    returning(
        "list-that-never-ends",
        "a list whose items never end",
        "Endless([1, 2])",
        "class Endless(list):\n    def __iter__(self):\n        while True:\n"
        "            yield 1\n"
        "    __len__ = lambda self: 2",
        claims={"q3": "stopped too slow died fails too much"},
    ),
    returning(
        "class-that-never-answers",
        "an object whose class never answers",
        "Thing()",
        "class Meta(type):\n    def __getattribute__(cls, name):\n        while True:\n"
        "            pass\nclass Thing(metaclass=Meta):\n    pass",
        claims={"q3": "stopped too slow died fails"},
    ),
    answer(
        "message-that-never-ends",
        "raises an exception that never finishes to say what it is",
        """
        class Endless(Exception):
            def __str__(self):
                while True:
                    pass
            __repr__ = __str__

        def q3(n, m):
            raise Endless
        """,
        claims={"q3": "stopped too slow died"},
    ),
    answer(
        "message-that-dies",
        "raises an exception whose words raise another, and end the process",
        """
        import os
        class Deadly(Exception):
            def __str__(self):
                if self.args:
                    os._exit(0)
                raise Deadly(1)
            __repr__ = __str__

        def q3(n, m):
            raise Deadly(*[n] * (n == m))
        """,
    ),
    answer(
        "exceptions-in-a-circle",
        "raises an exception that is its own cause, in a group of groups",
        """
        def q3(n, m):
            error = ValueError("round and round")
            error.__cause__ = error.__context__ = error
            for _ in range(2000):
                error = ExceptionGroup("more", [error])
            raise error
        """,
    ),
    answer(
        "shown-when-run",
        "the last line of a cell is an object that never finishes to show itself",
        NEVER + "\nNever()",
        claims={},
        low=7,
    ),
    attack(
        "protocol",
        "garbage-everywhere",
        "writes garbage to every open file",
        """
        import os
        for number in range(256):
            try:
                os.set_blocking(number, False)
                os.write(number, b"\\xff\\x00garbage" * 9999)
            except OSError:
                pass
        """,
        status=EITHER,
    ),
    attack(
        "protocol",
        "half-a-frame",
        "announces four gigabytes, sends three bytes, and waits",
        """
        import os, time
        for number in range(3, 256):
            for head in (b"\\xff\\xff\\xff\\xffabc", b"\\x00\\x00\\x10\\x00{"):
                try:
                    os.write(number, head)
                except OSError:
                    pass
        time.sleep(1e9)
        """,
        status=EITHER,
    ),
    attack(
        "protocol",
        "a-drip",
        "sends a byte at a time, for ever",
        """
        import os, time
        while True:
            for number in range(3, 256):
                try:
                    os.write(number, b"\\x00")
                except OSError:
                    pass
            time.sleep(0.2)
        """,
        status=EITHER,
    ),
    attack(
        "protocol",
        "a-flood",
        "sends valid frames without end",
        """
        import json, os, socket, struct, threading
        body = json.dumps({"error": "", "value": 1, "changed": False, "done": True}).encode()
        frame = struct.pack(">I", len(body)) + body
        def flood(number):
            try:
                while True:
                    os.write(number, frame)
            except OSError:
                pass
        for number in range(3, 64):
            threading.Thread(target=flood, args=(number,), daemon=True).start()
        """,
        status=EITHER,
    ),
    attack(
        "protocol",
        "forged-verdicts",
        "sends frames that a judge might take for verdicts, when it runs and when it is called",
        """
        import json, os, struct
        def forge():
            for message in (
                {"holds": True, "score": 10, "points": 10, "status": "holds"},
                {"value": True, "changed": False},
                {"record": {"score": 10, "status": "graded"}},
                {"ready": True}, {"cpu": 0, "why": ""}, {"claim": True}, {"done": True},
                {"claims": [{"claim": "gives shares of one", "holds": True, "score": 3}]},
            ):
                body = json.dumps(message).encode()
                for number in range(3, 64):
                    for frame in (struct.pack(">I", len(body)) + body, body):
                        try:
                            os.set_blocking(number, False)
                            os.write(number, frame)
                        except OSError:
                            pass
        forge()

        def q3(n, m):
            forge()
            return True

        def q4(X):
            forge()
            os._exit(0)
        """,
        status=EITHER,
    ),
    attack(
        "protocol",
        "recorded-and-replayed",
        "records what is read and written, and sends it again",
        """
        import os, socket
        kept, send, receive, write = [], socket.socket.sendall, socket.socket.recv, os.write
        class Tape(socket.socket):
            def sendall(self, data, *flags):
                kept.append(bytes(data))
                for old in kept[-5:]:
                    send(self, old, *flags)
            def recv(self, *args):
                data = receive(self, *args)
                kept.append(data)
                return data
        socket.socket = Tape
        import sys
        for module in list(sys.modules.values()):
            if getattr(module, "sent", None) and hasattr(module, "received"):
                old = module.sent
                def twice(to, message, *rest, old=old):
                    old(to, message, *rest)
                    old(to, message, *rest)
                module.sent = twice
        """,
        status=EITHER,
    ),
    attack(
        "protocol",
        "forged-by-the-wire-itself",
        "uses the grader's own module to send what no honest sender would",
        """
        import os, socket, sys
        def forge(value):
            wire = sys.modules.get("firth.grading.wire")
            for number in range(3, 64):
                try:
                    to = socket.socket(fileno=os.dup(number))
                    to.setblocking(False)
                    wire.sent(to, {"value": value, "changed": False, "error": ""}, None)
                except Exception:
                    pass

        def q3(n, m):
            for value in (
                {"array": ["O", [1], "AAAAAAAAAAA="]}, {"array": ["<f8", [-1], ""]},
                {"array": ["<f8", [1 << 62], ""]}, {"array": [["<f8"], {}, 3]},
                {"number": {"array": ["<f8", [2], "AAAA"]}}, {"tensor": ["__import__", 1, {}]},
                {"tensor": ["float32", True, {"dict": []}]}, {"dict": [[[1], 2]]}, {"tuple": 7},
                {"pickle": "gASVAAAAAAAAAAB9lC4="}, float("nan"), [[[[[[]]]]]],
            ):
                forge(value)
            return np.zeros((n, m))

        def q4(X):
            forge(True)
            return X
        """,
        status=EITHER,
    ),
    attack(
        "protocol",
        "next-claim-intercepted",
        "a child stays behind, and reads and answers what is meant for the next claims",
        """
        import os, socket, time
        if os.fork() == 0:
            end = time.monotonic() + 5
            while time.monotonic() < end:
                for number in range(3, 64):
                    try:
                        data = os.read(number, 1 << 16) if not os.isatty(number) else b""
                        os.write(number, data)
                    except OSError:
                        pass
            os._exit(0)
        """,
        status=EITHER,
    ),
    attack(
        "protocol",
        "becomes-a-liar",
        "another program takes its place, which answers every question with yes",
        """
        import os, sys, textwrap
        program = textwrap.dedent('''
            import json, os, select, struct
            body = json.dumps({"value": True, "error": "", "changed": False}).encode()
            for _ in range(200):
                for number in range(3, 64):
                    try:
                        os.set_blocking(number, False)
                        os.read(number, 1 << 16)
                        os.write(number, struct.pack(">I", len(body)) + body)
                    except OSError:
                        pass
                select.select([], [], [], 0.005)
        ''')
        for number in range(3, 64):
            try:
                os.set_inheritable(number, True)
            except OSError:
                pass
        try:
            os.execv(sys.executable, [sys.executable, "-c", program])
        except OSError:
            os._exit(0)
        """,
        status=EITHER,
    ),
    spoils("all-closed", "closes every file", "import os\nos.closerange(0, 1024)"),
    spoils(
        "all-the-same",
        "makes every file the same",
        "import os\nnull = os.open('/dev/null', 2)\nfor number in range(0, 256):\n"
        "    if number != null:\n        os.dup2(null, number)",
    ),
    honest(
        "first-three-closed",
        "closes the first three files, and opens others in their place",
        kind="protocol",
        status=EITHER,
        before="import os\nos.closerange(0, 3)\nfor _ in range(3):\n    os.open('/dev/zero', 0)",
    ),
    spoils(
        "tools-replaced",
        "replaces json, pickle, struct, socket and os",
        """
        import base64, json, os, pickle, select, socket, struct
        def broken(*args, **kwargs):
            return b"broken"
        for module, names in (
            (json, "dumps loads"), (pickle, "dumps loads"), (struct, "pack unpack"),
            (base64, "b64encode b64decode"), (os, "read write"), (select, "select"),
            (socket, "recv_fds send_fds socket"), (json.JSONEncoder, "encode iterencode"),
        ):
            for name in names.split():
                setattr(module, name, broken)
        """,
    ),
    spoils(
        "numpy-replaced",
        "replaces what numpy is made of",
        """
        import numpy
        broken = lambda *args, **kwargs: None
        for name in ("array", "asarray", "ascontiguousarray", "dtype", "ndarray", "generic",
                     "frombuffer", "errstate", "array_equal", "isfinite"):
            setattr(numpy, name, broken)
        """,
    ),
    spoils(
        "modules-gone",
        "empties the table of modules, and the builtins",
        "import builtins, sys\nsys.modules.clear()\nfor name in ('Exception', 'BaseException', "
        "'isinstance', 'type', 'len', 'getattr', '__import__', '__build_class__'):\n"
        "    delattr(builtins, name)",
    ),
    spoils(
        "imports-broken",
        "puts hooks before all imports, which raise",
        """
        import builtins, sys
        class Hook:
            def find_spec(self, *args):
                raise SystemExit("no more imports")
        sys.meta_path.insert(0, Hook())
        sys.path_hooks.insert(0, Hook().find_spec)
        sys.path_importer_cache.clear()
        def refuse(*args, **kwargs):
            raise KeyboardInterrupt
        builtins.__import__ = refuse
        """,
    ),
    spoils(
        "traced",
        "traces and profiles everything, and raises there",
        """
        import sys, threading
        def trace(frame, event, argument):
            if "firth" in frame.f_code.co_filename:
                raise SystemExit("traced")
            return trace
        for setter in (sys.settrace, sys.setprofile, threading.settrace, threading.setprofile):
            setter(trace)
        """,
    ),
    spoils(
        "audited",
        "is asked about every act of Python's, and objects to all",
        """
        import sys
        def object_(event, arguments):
            if event not in ("compile", "exec", "object.__getattr__"):
                raise SystemExit(event)
        sys.addaudithook(object_)
        """,
    ),
    spoils(
        "rubbish-hooks",
        "does mischief whenever rubbish is collected",
        """
        import gc, os
        def mischief(phase, details):
            os.environ["MISCHIEF"] = phase
            raise MemoryError
        gc.callbacks.append(mischief)
        gc.set_threshold(1)
        """,
    ),
    spoils(
        "shell-broken",
        "spoils IPython: its hooks, its events and its running of cells",
        """
        shell = get_ipython()
        def broken(*args, **kwargs):
            raise SystemExit("broken")
        for event in ("pre_execute", "pre_run_cell", "post_execute", "post_run_cell"):
            shell.events.register(event, broken)
        shell.input_transformers_cleanup.append(broken)
        shell.showtraceback = shell.set_next_input = shell.compile = broken
        type(shell).run_cell = type(shell).run_cell_async = broken
        """,
    ),
    spoils(
        "worker-broken",
        "spoils the functions of the program that runs it, so that all raise",
        """
        import sys
        def broken(*args, **kwargs):
            raise BaseException("broken")
        for name, module in list(sys.modules.items()):
            if name == "__main__" or name.startswith("firth"):
                for key, thing in list(vars(module).items()):
                    if callable(thing) and not key.startswith("__"):
                        setattr(module, key, broken)
        """,
    ),
    spoils(
        "signals-handled",
        "handles every signal by a function that never returns, and sends some",
        """
        import os, signal, time
        def handler(*args):
            time.sleep(1e9)
        for number in range(1, 65):
            try:
                signal.signal(number, handler)
            except (OSError, ValueError):
                pass
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        """,
    ),
    spoils(
        "exceptions-that-lie",
        "replaces the exceptions that builtins know",
        "import builtins\nclass Quiet(BaseException):\n    pass\n"
        "builtins.Exception = builtins.NotImplementedError = builtins.OSError = Quiet\n"
        "builtins.SystemExit = builtins.KeyboardInterrupt = 7",
    ),
    spoils(
        "collects-all-children",
        "waits for every child there is, and lets none be waited for",
        "import os, signal, threading\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
        "def collect():\n    while True:\n        try:\n            os.waitpid(-1, 0)\n"
        "        except OSError:\n            pass\n"
        "threading.Thread(target=collect, daemon=True).start()",
    ),
    honest(
        "answers-after-a-strange-one",
        "q1 is strange, and all after it right",
        8,
        8,
        "protocol",
        status=GRADED,
        q1="def q1(x):\n    return {x if isinstance(x, float) else 0: object()}",
    ),
    Hostile(
        "called-without-a-frame",
        "protocol",
        "an answer in C, one that is a type, and one that has no name",
        made(
            q1="import operator\nq1 = operator.methodcaller('__mul__', 2)",
            q2="q2 = np.add.reduce",
            q4=RIGHT["q4"] + "\n\n\nclass Call:\n    def __call__(self, X):\n"
            "        return answer(X)\n"
            "    def __getattr__(self, name):\n        raise SystemExit(name)\n\n\n"
            "answer, q4 = q4, Call()",
        ),
        9,
        9,
    ),
]
