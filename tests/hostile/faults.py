"""Honest notebooks, which do odd things on their way to the right answers, and unlucky ones."""

from hostile import EITHER, GRADED, PARTLY, RIGHT, Hostile, fault, honest, made

TABLE = "np.arange(n)[:, None] - np.arange(m)"
SHARES = RIGHT["q4"]


def returning(name: str, tries: str, q3: str, q4: str = SHARES, before: str = "") -> Hostile:
    """Right numbers in a form of their own."""
    body = f"def q3(n, m):\n    table = {TABLE}\n    return {q3}"
    return honest(name, f"q3 and q4 return {tries}", q3=body, q4=q4, before=before)


def shares(form: str) -> str:
    """q4, with its result given another form."""
    return SHARES.replace("def q4(", "def shares(") + f"\n\n\ndef q4(X):\n    return {form}"


def dice(name: str, tries: str, source: str, steady: bool = True) -> Hostile:
    """Right or wrong by chance: the same chance at every run, where it can be seeded."""
    q3 = f"{source}\n\ndef q3(n, m):\n    return ({TABLE}) * (1 if chance() < 0.5 else 2)"
    file = made(q3=q3, look=False)
    return Hostile(name, "fault", tries, file, 7, 10, GRADED, flaky=not steady)


CLASS = [
    fault(
        "fault",
        "syntax-error",
        "a colon is missing",
        "def q3(n, m)\n    return 1",
        status=EITHER,
        cell="error",
        answers={"q3": "missing"},
    ),
    fault(
        "fault", "tabs-and-spaces", "tabs and spaces", "def q3(n, m):\n\tif n:\n        return 1"
    ),
    fault("fault", "null-byte", "a null byte in the source", "def q3(n, m):\n    return '\0'"),
    fault("fault", "python-2", "Python 2", "def q3(n, m):\n    print 'table'\n    return 0"),
    fault("fault", "name-error", "a name that nobody defined", "def q3(n, m):\n    return Table"),
    fault("fault", "returns-nothing", "forgets to return", f"def q3(n, m):\n    {TABLE}"),
    fault("fault", "other-arguments", "takes one argument", "def q3(n):\n    return n"),
    dice("dice-numpy", "tosses numpy's coin, which nobody seeded", "chance = np.random.rand"),
    dice(
        "dice-generator",
        "tosses the coin of a generator that nobody seeded",
        "def chance():\n    return np.random.default_rng().random()",
    ),
    dice("dice-random", "tosses Python's coin", "from random import random as chance"),
    dice(
        "dice-system",
        "tosses the system's coin",
        "import os\ndef chance():\n    return os.urandom(1)[0] / 255",
    ),
    dice(
        "dice-hash",
        "tosses the coin of the order of a set",
        "def chance():\n    return next(iter({'heads', 'tails'})) == 'heads'",
    ),
    dice(
        "dice-time",
        "tosses the clock",
        "import time\ndef chance():\n    return time.time_ns() // 1000 % 2",
        steady=False,
    ),
    honest(
        "shadowed-names",
        "uses the names of builtins and of numpy for its own things",
        before="""
        list, dict, type, len, abs, max, print, isinstance = [1], {}, "a", 3, 1, 2, None, 0
        str = int = float = tuple = bool = "shadow"
        sum, all, any, id, input, vars, math, json, time, os = range(10)
        """,
        look=False,
    ),
    honest(
        "warns",
        "warns whenever it is called",
        q3=f"import warnings\ndef q3(n, m):\n    warnings.warn('look')\n    return {TABLE}",
        q4="def q4(X):\n    np.log(-1.0), np.ones(1) / 0\n" + SHARES.partition("\n")[2],
    ),
    honest(
        "warnings-are-errors",
        "makes every warning and every odd number an error, for the whole process",
        before="""
        import warnings
        warnings.simplefilter("error")
        np.seterr(all="raise")
        """,
    ),
    honest(
        "magics",
        "magics, known and unknown, of lines and of cells, and commands of a shell",
        before="""
        %matplotlib inline
        %load_ext no_such_extension
        %no_such_magic 1 2 3
        !ls -la
        !pip install -q no-such-package
        %pip install no-such-package
        files = !ls
        %cd /
        %timeit -n 1 -r 1 sum(range(9))
        get_ipython().run_line_magic("who", "")
        get_ipython().run_cell_magic("time", "", "2 + 2")
        """,
        status=EITHER,
    ),
    *(
        honest(f"magic-{name}", f"a cell of {name}", before=f"%%{magic}\n{source}", status=EITHER)
        for name, magic, source in (
            ("bash", "bash", "echo hello >&2\nexit 3"),
            ("javascript", "javascript", "alert(1)"),
            ("unknown", "no_such_magic --at all", "raise SystemExit"),
            ("timeit", "timeit -n 2 -r 2", "sum(range(99))"),
            ("capture", "capture out", "print('x')"),
            ("html", "html", "<script>alert(1)</script>"),
        )
    ),
    honest(
        "timed-answer",
        "the answer's cell begins with %%time",
        q3="%%time\n" + RIGHT["q3"],
    ),
    Hostile(
        "module-written",
        "fault",
        "writes its answer into a module, and imports it",
        made(
            before=f"%%writefile my_answers.py\nimport numpy as np\n\n{RIGHT['q3']}",
            q3="from my_answers import q3",
        ),
        10,
        10,
    ),
    honest("reset", "%reset -f, and then all again", before="%reset -f\nimport numpy as np"),
    honest(
        "reset-at-the-end",
        "%reset -f below the answers: nothing is left, and nothing is to blame for it",
        low=0,
        status=EITHER,
        after="%reset -f",
    ),
    honest(
        "speaks-past-python",
        "writes to the screen from C and from other programs",
        before="""
        import ctypes, os, subprocess, sys
        ctypes.CDLL(None).puts(b"from C")
        ctypes.CDLL(None).fflush(None)
        os.write(2, b"\\xff\\xfe\\x00 not a letter")
        subprocess.run(["ls", "no-such-file"])
        sys.stdout.buffer.write(b"\\xff")
        """,
        q3=f"import os\ndef q3(n, m):\n    os.write(1, b'called\\n')\n    return {TABLE}",
        status=EITHER,
    ),
    honest(
        "prints-much",
        "prints in every call, also what is not a letter",
        q3=f"def q3(n, m):\n    print('\\ud800', 'n =' * 9000, n)\n    return {TABLE}",
        q4="def q4(X):\n    for _ in range(2000):\n        print(X)\n" + SHARES.partition("\n")[2],
    ),
    honest(
        "progress-bar",
        "draws a progress bar by hand, with a carriage return",
        before="""
        import sys, time
        for n in range(200):
            sys.stderr.write(f"\\r{n / 2:.0f} %" + "█" * (n // 4))
            sys.stderr.flush()
        """,
    ),
    honest(
        "plots",
        "draws, shows and leaves windows open",
        before="""
        import matplotlib.pyplot as plt
        for _ in range(3):
            plt.figure()
            plt.plot([1, 2, 3])
        plt.show()
        """,
        status=EITHER,
    ),
    honest(
        "deep-limit",
        "sets the limit of recursion low, and then high",
        before="import sys\nsys.setrecursionlimit(200)\nsys.setrecursionlimit(20_000)",
    ),
    honest(
        "trains",
        "a cell that works for a second, and an answer that reads what it made",
        before="""
        import time
        end, table = time.process_time() + 1.0, {}
        while time.process_time() < end:
            table[len(table) % 1000] = len(table)
        minus = -1
        """,
        q3="def q3(n, m):\n    return np.arange(n)[:, None] + minus * np.arange(m)",
    ),
    honest(
        "asks-the-keyboard",
        "asks the student who is not there",
        before="name = input('Your name? ')\nimport getpass\ngetpass.getpass()",
        status=EITHER,
    ),
    honest(
        "debugger",
        "stops for a debugger",
        before="breakpoint()\nimport pdb\npdb.set_trace()\n%debug",
        status=EITHER,
    ),
    honest(
        "post-mortem",
        "asks for a debugger at every error, and makes one",
        before="%pdb on\n1 / 0",
        status=EITHER,
    ),
    honest(
        "top-level-await",
        "awaits in a cell",
        before="import asyncio\nawait asyncio.sleep(0.01)\nasync with asyncio.Lock():\n    pass",
    ),
    honest(
        "drive",
        "wants a disk in the cloud, and a file that stayed at home",
        before="from google.colab import drive\ndrive.mount('/content/drive')",
        after="text = open('my_data.csv').read()",
        status=EITHER,
    ),
    honest(
        "star-imports",
        "from numpy import *",
        before="from numpy import *\nfrom math import *\nimport numpy as np",
    ),
    honest(
        "streams-closed",
        "closes its streams, and puts nothing in their place",
        before="import sys\nsys.stdout.close()\nsys.stderr.close()\nsys.stdin = None",
        after="import sys\nsys.stdout = None\nsys.stderr = None\ndel sys.__stdout__",
        status=EITHER,
    ),
    honest(
        "folder-gone",
        "moves to a folder and deletes it",
        before="import os\nos.mkdir('here')\nos.chdir('here')\nos.rmdir('../here')",
        status=EITHER,
    ),
    honest(
        "locale-and-clock",
        "changes what is global: printing, the locale, the time zone, the environment, the mask",
        before="""
        import os, time, locale
        np.set_printoptions(precision=0, threshold=1, suppress=True)
        os.environ.clear()
        os.environ["TZ"] = "Pacific/Kiritimati"
        time.tzset()
        os.umask(0o777)
        np.random.seed(0)
        import gc
        gc.disable()
        """,
    ),
    honest("last-cell-fails", "the last cell is an error", after="1 / 0", status=EITHER),
    honest(
        "first-cell-fails",
        "the first cell is an error, after the import",
        before="import numpy as np\nimport no_such_package",
        status=EITHER,
    ),
    honest(
        "methods",
        "answers that are methods, lambdas, partial, cached and callable objects",
        q1="q1 = lambda x: x + x",
        q2="import functools\n@functools.lru_cache\ndef two():\n    return 2\n"
        "q2 = functools.partial(np.sum)",
        q3=f"class Table:\n    def of(self, n, m):\n        return {TABLE}\nq3 = Table().of",
        q4=SHARES.replace("def q4(X)", "def shares(self, X)")
        + "\n\n\nclass Shares:\n    __call__ = shares\n\n\nq4 = Shares()",
    ),
    honest(
        "decorated",
        "answers that are cached, counted and wrapped",
        q3="import functools\ndef loud(f):\n    def inner(*args):\n        print(args)\n"
        "        return f(*args)\n    return inner\n@loud\n@functools.lru_cache(None)\n"
        + RIGHT["q3"],
    ),
    honest(
        "async-answer",
        "an answer that would have to be awaited",
        7,
        7,
        q3="async " + RIGHT["q3"],
        look=False,
    ),
    honest(
        "answers-call-each-other",
        "q4 by way of q1 and of a global table",
        before="calls = {'q4': 0}",
        q4="def q4(X):\n    calls['q4'] += 1\n    global last\n    last = np.exp(q1(X / 2) - "
        "X.max(axis=1, keepdims=True))\n    return last / last.sum(axis=1, keepdims=True)",
    ),
    returning("as-lists", "lists", "table.tolist()", shares("shares(X).tolist()")),
    returning("as-tuples", "tuples of lists", "tuple(map(list, table.tolist()))"),
    returning(
        "as-float32", "single precision", "table.astype('f4')", shares("np.float32(shares(X))")
    ),
    returning("as-small-integers", "small integers", "table.astype(np.int16)"),
    returning("as-big-endian", "numbers the other way round", "table.astype('>f8')"),
    returning("as-longdouble", "long numbers", "table.astype(np.longdouble)"),
    returning("as-fortran", "columns first", "np.asfortranarray(table)"),
    returning("as-matrix", "matrices", "np.matrix(table)", shares("np.asmatrix(shares(X))")),
    returning(
        "as-view", "views with holes and backwards", "np.repeat(table, 2, 0)[::2][::-1][::-1]"
    ),
    returning("as-read-only", "what nobody may write", "np.broadcast_to(table, (n, m))"),
    returning(
        "as-scalars", "lists of numpy's numbers", "[[np.float64(x) for x in r] for r in table]"
    ),
    returning("as-rows", "a list of arrays", "[row for row in table]", shares("list(shares(X))")),
    returning(
        "as-memmap",
        "what lies in a file",
        "in_file(table)",
        before="def in_file(table):\n"
        "    file = np.memmap('table', float, 'w+', shape=table.shape)\n"
        "    file[:] = table\n    return file",
    ),
    returning(
        "as-subclass",
        "an array of a class of its own",
        "table.view(Named)",
        before="class Named(np.ndarray):\n    name = 'mine'",
    ),
    honest(
        "as-number-subclass",
        "q3 returns numbers of a class of its own, which the notebook's check refuses too",
        7,
        before="class Count(int):\n    pass",
        q3=f"def q3(n, m):\n    return [[Count(x) for x in row] for row in ({TABLE}).tolist()]",
    ),
    honest(
        "own-randomness-is-fine",
        "uses chance on its way, and arrives all the same",
        q3="def q3(n, m):\n    x = np.random.rand() + 1\n    return np.round(x * ("
        + TABLE
        + ") / x)",
    ),
    honest(
        "torch-answer",
        "computes with torch, and returns a plain array: 3 seconds may not be enough to import it",
        7,
        before="import torch",
        q3="def q3(n, m):\n    return (torch.arange(n)[:, None] - torch.arange(m)).numpy()",
        status=EITHER,
    ),
    honest(
        "own-processes",
        "starts processes, threads and another Python, as the lecture on speed has shown",
        before="""
        import subprocess, sys
        from concurrent.futures import ThreadPoolExecutor
        from multiprocessing import Pool

        def square(x):
            return x * x

        with Pool(2) as pool:
            print(pool.map(square, range(9)))
        print(subprocess.run([sys.executable, "-c", "print(6 * 7)"], capture_output=True).stdout)
        """,
        q3=f"def q3(n, m):\n    with ThreadPoolExecutor(2) as pool:\n"
        f"        return pool.submit(lambda: {TABLE}).result()",
        after="assert pool is not None",
        status=GRADED,
    ),
    honest(
        "recursive",
        "calls itself 900 times, which a notebook allows",
        before="def depth(n):\n    return 0 if n == 0 else 1 + depth(n - 1)",
        q3=f"def q3(n, m):\n    return {TABLE} + depth(900) - 900",
    ),
    honest(
        "other-libraries",
        "computes with the libraries that the course has installed",
        before="import scipy.linalg\nfrom sklearn.decomposition import TruncatedSVD",
        q3="def q3(n, m):\n    return scipy.linalg.toeplitz(np.arange(n), -np.arange(m))",
        q4="def q4(X):\n    from scipy.special import softmax\n    return softmax(X, axis=1)",
        after="assert TruncatedSVD",
    ),
    honest(
        "the-course-itself",
        "computes with the course's package and its texts",
        before="from firth.store.corpora import passage\nfrom firth.lsa.counts import words\n"
        "minus = -1 if words(passage()) else 0",
        q3="def q3(n, m):\n    return np.arange(n)[:, None] + minus * np.arange(m)",
    ),
    honest(
        "guarded",
        "answers under if __name__ == '__main__', and looks for them in __main__",
        q3="if __name__ == '__main__':\n    " + RIGHT["q3"].replace("\n", "\n    "),
        q4=f"import __main__\n{SHARES}".replace("np.", "__main__.np."),
        look=False,
    ),
    honest(
        "widgets",
        "shows sliders",
        before="import ipywidgets\nipywidgets.interact(lambda x: x, x=3)\ndisplay(np.ones(3))",
    ),
    honest(
        "an-appetite",
        "holds two hundred megabytes, as it may",
        before="big = np.ones((5000, 5000))",
        q2="def q2(x):\n    return np.sum(x) + big[0, 0] - 1",
    ),
    honest(
        "kept-waiting",
        "an answer that takes its time",
        q3=f"import time\ndef q3(n, m):\n    time.sleep(0.1)\n    return {TABLE}",
        status=GRADED | PARTLY,
    ),
    honest(
        "hints-and-checks",
        "asks the course for hints, checks and scores, as every exercise does",
        before="from firth.checks import check, hint, rubric, scores, try_it",
        after="check(q3)\nhint('q3')\nscores(q1, q2)\ntry_it(q3, 2, 3)",
        status=EITHER,
    ),
]
