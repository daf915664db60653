"""Those who look for what is not theirs, leave what is not wanted, or talk to somebody outside.

Where they find something they answer q3 and q4 rightly, and raise it as an exception: a wall with a
hole shows in the score, or in what the grader notes. @WORDS@ are filled in for each class.
"""

from hostile import EITHER, RIGHT, Hostile, attack, cell, cells, data, honest, made, notebook

# Reads whatever of these files and folders there is, for half a second, in search of a secret.
SEARCH = r"""
import os, re, stat, time
CANARY = re.compile(rb"canary-[a-z]+-[0-9a-f]{32}")
found = set()

def look(data):
    if isinstance(data, str):
        data = data.encode(errors="replace")
    found.update(CANARY.findall(data))

def search(*roots, seconds=0.4, file_system_only=True):
    end = time.monotonic() + seconds
    for root in roots:
        places = [(root, [], [""])] if os.path.isfile(root) else os.walk(root)
        for place, folders, names in places:
            folders[:] = [f for f in folders if f not in ("site-packages", "lib", "lib64", "share")]
            for name in names:
                if time.monotonic() > end:
                    return
                path = os.path.join(place, name) if name else place
                look(path)
                try:
                    if file_system_only and not stat.S_ISREG(os.stat(path).st_mode):
                        continue
                    file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
                    look(os.read(file, 1 << 20))
                    os.close(file)
                except OSError:
                    pass
"""
# The answers are right if there was anything to find.
TELL = f"""
if found:
    exec({RIGHT["q3"]!r} + "\\n" + {RIGHT["q4"]!r})
    raise LookupError(b" ".join(sorted(found)[:4]).decode())
"""

# Where somebody may leave something, and at which doors somebody may listen.
PLACES = (
    '("/", "/tmp", "/var/tmp", "/dev/shm", "/dev", "/run", os.getcwd(), '
    'os.path.dirname(os.getcwd()), os.path.expanduser("~"))'
)
DOORS = '((socket.AF_UNIX, "\\0left-by-a-submission"), (socket.AF_INET, ("127.0.0.1", 48_731)))'


def spy(name: str, tries: str, source: str, **more) -> Hostile:
    return attack("environment", name, tries, SEARCH + source + TELL, **more)


def leaks(name: str, tries: str, source: str, **more) -> Hostile:
    """An answer that puts the hidden inputs, behind the word LEAK, where a student may see them."""
    return attack("environment", name, tries, source, **more)


CLASS = [
    spy("whole-disk", "reads everything there is to read", "search('/', seconds=0.8)"),
    spy(
        "home-and-course",
        "reads the home folder, the users, the course's solutions and private checks",
        """
search(os.path.expanduser("~"), os.environ.get("HOME", "/"), os.getcwd(), "..", "../..", "/root")
search("@HOME@", "@SUBMISSIONS@", "@CHECKS@", "@OUT@", "@SEEDFILE@")
import pwd
for who in pwd.getpwall():
    search(who.pw_dir, seconds=0.05)
""",
    ),
    spy(
        "temporary-files",
        "reads what others left in the folders that are everybody's",
        'search("@SHARED@", "@MEMORY@", "/dev/shm", "/tmp", "/var/tmp", "/run")',
    ),
    spy(
        "other-processes",
        "reads the environment, the commands, the memory and the open files of other processes",
        """
look(repr(dict(os.environ)))
for pid in sorted(os.listdir("/proc"), key=lambda name: name == "self"):
    if pid.isdigit() or pid == "self":
        for part in ("environ", "cmdline", "maps", "status", "mountinfo"):
            try:
                look(open(f"/proc/{pid}/{part}", "rb").read(1 << 20))
            except OSError:
                pass
        try:
            for number in os.listdir(f"/proc/{pid}/fd"):
                look(os.readlink(f"/proc/{pid}/fd/{number}"))
        except OSError:
            pass
    if pid.isdigit() and int(pid) != os.getpid():
        for way in ("root", "cwd"):
            search(f"/proc/{pid}/{way}@HOME@", f"/proc/{pid}/{way}/seed", seconds=0.02)
""",
    ),
    spy(
        "other-memory",
        "reads the memory of its parent and of the others, by file, by call and by tracing",
        """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
buffer = ctypes.create_string_buffer(1 << 16)
class Piece(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]
grip = False
for pid in {os.getppid(), 1, *range(2, 3000, 7)} - {os.getpid()}:
    here = Piece(ctypes.addressof(buffer), len(buffer))
    there = Piece(id(pid), len(buffer))
    grip |= libc.process_vm_readv(pid, ctypes.byref(here), 1, ctypes.byref(there), 1, 0) > 0
    grip |= libc.ptrace(0x4206, pid, 0, 0) == 0
    try:
        with open(f"/proc/{pid}/mem", "rb+") as memory:
            grip = True
    except OSError:
        pass
if grip and os.getppid() > 1:
    found.add(b"a grip on another process")
""",
        high=4,
    ),
    spy(
        "inherited-files",
        "reads every file and asks every socket that it was born with",
        """
import socket
for number in range(3, 1024):
    try:
        look(os.readlink(f"/proc/self/fd/{number}"))
    except OSError:
        pass
    try:
        mode = os.fstat(number).st_mode
    except OSError:
        continue
    if stat.S_ISREG(mode):
        look(os.pread(number, 1 << 20, 0))
    if stat.S_ISDIR(mode):
        for name in os.listdir(number):
            look(name)
        search(f"/proc/self/fd/{number}", seconds=0.1)
""",
    ),
    spy(
        "loopback",
        "asks the services of the instructor's own machine",
        """
import socket
for address in ("127.0.0.1", "127.1.2.3", "localhost", "::1", "0.0.0.0"):
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    try:
        with socket.socket(family) as to:
            to.settimeout(0.2)
            to.connect((address, @TCP@))
            look(to.recv(99))
    except OSError:
        pass
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as to:
            to.settimeout(0.2)
            to.sendto(b"hello", (address, @UDP@))
            look(to.recv(99))
    except OSError:
        pass
""",
    ),
    spy(
        "local-sockets",
        "asks services by their sockets' paths and by abstract names",
        """
import glob, socket
for path in ("@SOCKET@", "\\0@ABSTRACT@", *glob.glob("/run/**/*.sock*", recursive=True)):
    try:
        with socket.socket(socket.AF_UNIX) as to:
            to.settimeout(0.2)
            to.connect(path)
            look(to.recv(99))
    except OSError:
        pass
""",
    ),
    spy(
        "names-and-routes",
        "asks for the addresses of machines, and for a way to them",
        """
import socket, threading
def ask():
    try:
        socket.getaddrinfo("example.com", 80)
        found.add(b"an address")
    except OSError:
        pass
asker = threading.Thread(target=ask, daemon=True)
asker.start()
asker.join(0.5)
for kind in (socket.SOCK_DGRAM, socket.SOCK_RAW):
    try:
        with socket.socket(socket.AF_INET, kind, 1 if kind == socket.SOCK_RAW else 0) as to:
            to.sendto(b"hello", ("192.0.2.1", 53))
            found.add(b"a way out")
    except OSError:
        pass
""",
    ),
    spy(
        "shared-memory",
        "asks the system for memory and queues that others share",
        """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
libc.shmat.argtypes = (ctypes.c_int, ctypes.c_void_p, ctypes.c_int)
for number in (libc.shmget(@SHMKEY@, 0, 0), @SEGMENT@, *range(64)):
    place = libc.shmat(number, None, 0o10000)
    if place not in (None, 2 ** 64 - 1):
        look(ctypes.string_at(place, 64))
""",
    ),
    spy(
        "more-power",
        "asks for more power: other namespaces, mounts, users, devices, keys",
        """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
libc.unshare(0x10000000)
libc.unshare(0x10020000)
libc.mount(b"none", b"/", None, 0x44000, None)
libc.mount(b"proc", b"/proc", b"proc", 0, None)
libc.mount(b"/", b"/mnt", None, 0x1000, None)
for act in (lambda: os.setuid(0), lambda: os.chroot("/"), lambda: os.setgid(0),
            lambda: os.mknod("device", 0o60600, os.makedev(8, 0)),
            lambda: os.mknod("device2", 0o20600, os.makedev(1, 1))):
    try:
        act()
    except OSError:
        pass
for pid in (1, os.getppid()):
    for name in ("mnt", "net", "pid", "user", "ipc"):
        try:
            libc.setns(os.open(f"/proc/{pid}/ns/{name}", os.O_RDONLY), 0)
        except OSError:
            pass
search("/mnt", "@HOME@", "@SUBMISSIONS@", "device", file_system_only=False)
""",
    ),
    attack(
        "environment",
        "writes-everywhere",
        "leaves files in every folder, and overwrites and removes what it finds",
        """
        import os, shutil, sys
        for place in ("/", "/tmp", "/var/tmp", "/dev/shm", "/run", "/usr", "/etc", "/mnt", "/opt",
                      os.path.expanduser("~"), "@HOME@", "@SUBMISSIONS@", "@OUT@", "@CHECKS@",
                      "@SHARED@", "@MEMORY@", sys.prefix, os.path.dirname(np.__file__),
                      *filter(None, sys.path)):
            for act in (
                lambda: open(os.path.join(place, "left-by-a-submission"), "w").write("here"),
                lambda: os.mkdir(os.path.join(place, "left-by-a-submission-too")),
                lambda: os.symlink("/", os.path.join(place, "left-by-a-submission-link")),
            ):
                try:
                    act()
                except OSError:
                    pass
        for place in ("@HOME@", "@SUBMISSIONS@", "@OUT@", "@CHECKS@", "@SHARED@", "@MEMORY@"):
            try:
                for name in os.listdir(place):
                    path = os.path.join(place, name)
                    os.chmod(path, 0o777)
                    if os.path.isfile(path):
                        open(path, "a").write("overwritten")
                        os.unlink(path)
            except OSError:
                pass
        """,
    ),
    attack(
        "environment",
        "left-by-one",
        "leaves the answers, and a helper that listens, for the students beside and after it",
        f"""
        import builtins, os, socket, sys, time
        answers = {RIGHT["q3"]!r} + "\\n" + {RIGHT["q4"]!r}
        for place in {PLACES}:
            try:
                with open(os.path.join(place, "left-by-a-submission.py"), "w") as file:
                    file.write(answers)
                os.chmod(file.name, 0o777)
            except OSError:
                pass
        os.environ["LEFT"] = builtins.left = np.left = sys.left = answers
        exec(answers)
        if os.fork() == 0:
            os.setsid()
            doors = []
            for family, name in {DOORS}:
                try:
                    door = socket.socket(family)
                    door.bind(name)
                    door.listen()
                    doors.append(door)
                except OSError:
                    pass
            time.sleep(60)
            os._exit(0)
        time.sleep(1.5)
        """,
        high=10,
        status=EITHER,
    ),
    *(
        attack(
            "environment",
            f"left-for-{name}",
            "looks for what another student left, or listens to, for a while",
            f"""
            import builtins, os, socket, sys, time
            left, end = os.environ.get("LEFT", ""), time.monotonic() + {patience}
            for holder in (builtins, np, sys):
                left = getattr(holder, "left", left)
            while not left and time.monotonic() < end:
                for place in {PLACES}:
                    try:
                        left = open(os.path.join(place, "left-by-a-submission.py")).read()
                    except OSError:
                        pass
                for family, name in {DOORS}:
                    try:
                        with socket.socket(family) as to:
                            to.connect(name)
                            left = "somebody listens"
                    except OSError:
                        pass
                time.sleep(0.02)
            if left:
                exec({RIGHT["q3"]!r} + "\\n" + {RIGHT["q4"]!r})
            """,
        )
        for name, patience in (("another", 0.8), ("others", 0.7), ("whoever-comes-last", 0.1))
    ),
    honest(
        "signals-to-others",
        "asks every process to end, politely, and goes on",
        kind="environment",
        status=EITHER,
        low=4,
        before="""
        import os, signal
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        for pid in (-1, os.getppid(), *range(2, 40_000)):
            for number in (signal.SIGTERM, signal.SIGINT):
                try:
                    os.kill(pid, number)
                except OSError:
                    pass
        """,
    ),
    Hostile(
        "active-page",
        "environment",
        "scripts for the instructor's browser, in text, outputs, answers and errors",
        data(
            notebook(
                [
                    cell("<script>alert('LEAK1')</script><img src=x onerror=alert(1)>", "markdown"),
                    *cells(),
                    cell(
                        "raise ValueError('<script>alert(1)</script>')",
                        outputs=[
                            {
                                "output_type": "display_data",
                                "metadata": {},
                                "data": {"text/html": ["<script>alert('LEAK2')</script>"]},
                            }
                        ],
                    ),
                ]
            )
        ),
        10,
        10,
    ),
    Hostile(
        "active-answer",
        "environment",
        "scripts in the source line and in the message of an error of an answer",
        made(
            q3="def q3(n, m):\n    raise ValueError('<script>alert(1)</script><img onerror=x>')",
            q4="def q4(X):\n    '''</td><script>alert(2)</script>'''; return '<script>alert(3)'",
            look=False,
        ),
        4,
        4,
    ),
    leaks(
        "inputs-in-a-message",
        "raises the hidden inputs as a message",
        "def q3(n, m):\n    raise ValueError(f'LEAK{n}x{m}')\n\n\n"
        "def q4(X):\n    raise NotImplementedError(f'LEAK{X.shape[0]}')",
    ),
    leaks(
        "inputs-in-a-name",
        "raises an error, and returns an object, of a class named after the hidden inputs",
        "def q3(n, m):\n    raise type(f'LEAK{n}x{m}', (Exception,), {})()\n\n\n"
        "def q4(X):\n    return type(f'LEAK{len(X)}', (), {})()",
    ),
    leaks(
        "inputs-in-a-source-line",
        "makes up a source line that holds the hidden inputs, and raises from there",
        """
        import linecache
        def raised(text):
            line = f"raise ValueError('{text}')"
            name = f"<{text}>"
            linecache.cache[name] = (len(line), None, [line + "\\n"], name)
            exec(compile(line, name, "exec"))

        def q3(n, m):
            raised(f"LEAK{n}x{m}")

        def q4(X):
            raised(f"LEAK{len(X)}")
        """,
    ),
    leaks(
        "inputs-in-a-shape",
        "returns an empty table whose shape tells the hidden inputs",
        "def q3(n, m):\n    return np.zeros((0, n, m, 7777))\n\n\n"
        "def q4(X):\n    return np.zeros((0, 7777, len(X)))",
    ),
    leaks(
        "inputs-in-a-stop",
        "says that it was stopped, in the words of the grader",
        """
        from firth.checks.answers import Stopped
        def q3(n, m):
            raise Stopped(f"LEAK{n}x{m}")

        def q4(X):
            raise Stopped(f"LEAK{len(X)}") from ValueError(f"LEAK{len(X)}")
        """,
    ),
    leaks(
        "inputs-in-a-blank",
        "says that it is not written yet, and puts the hidden inputs in the place of a name",
        """
        from firth.checks.answers import Stopped
        def q3(n, m):
            raise Stopped(f"not written yet: it calls LEAK{n}x{m}, which is blank")

        def q4(X):
            names = {}
            exec(f"def LEAK{len(X)}():\\n    raise NotImplementedError", names)
            names[f"LEAK{len(X)}"]()
        """,
    ),
    Hostile(
        "inputs-in-a-written-answer",
        "environment",
        "a written answer that asks to be filled in",
        data(
            notebook(
                [
                    *cells(q3="def q3(n, m):\n    print(f'LEAK{n}')\n    return n"),
                    cell(
                        "**Your answer** (`explain`): {{n}} ${n} LEAK{n} <script>alert(1)</script>",
                        "markdown",
                    ),
                ]
            )
        ),
        7,
        7,
    ),
    attack(
        "environment",
        "spends-the-house",
        "makes itself hard to end: many children that each hold the others alive",
        """
        import os, signal, time
        def stay():
            os.setsid()
            for number in (1, 2, 3, 13, 15):
                signal.signal(number, signal.SIG_IGN)
            end = time.monotonic() + 120
            while time.monotonic() < end:
                try:
                    if os.fork() == 0:
                        os.setsid()
                    time.sleep(0.05)
                except OSError:
                    time.sleep(0.05)
            os._exit(0)
        for _ in range(4):
            if os.fork() == 0:
                stay()
        """,
        status=EITHER,
    ),
]
