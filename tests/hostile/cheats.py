"""Those who answer two questions and want to be paid for four."""

from hostile import BLANK, GRADED, RIGHT, Hostile, attack, data, honest, made, notebook

LIAR = """
class Yes(float):
    __eq__ = __le__ = __ge__ = lambda self, other: True
    __ne__ = __lt__ = __gt__ = lambda self, other: False
    __sub__ = __rsub__ = __abs__ = __round__ = lambda self, *other: Yes(0)
    __hash__ = float.__hash__
"""


def cheat(name: str, tries: str, source: str, **more) -> Hostile:
    return attack("cheat", name, tries, source, **more)


CONTROLS = [
    honest("all-right", "all answers are right", kind="control"),
    honest(
        "neighbour",
        "all answers are right, and nobody else may see them",
        kind="control",
        before="mine = '@NEIGHBOUR@'",
    ),
    honest(
        "as-released",
        "q3 and q4 are as they were handed out",
        4,
        4,
        "control",
        answers={"q1": "defined", "q3": "blank", "q4": "blank"},
        q3=BLANK["q3"],
        q4=BLANK["q4"],
    ),
    honest("untouched", "nothing is answered", 0, 0, "control", **BLANK),
    honest(
        "naive-softmax",
        "q4 overflows for great numbers: one claim of two",
        8,
        8,
        "control",
        q4="def q4(X):\n    return np.exp(X) / np.exp(X).sum(axis=1, keepdims=True)",
    ),
    honest(
        "all-wrong",
        "every answer is wrong",
        0,
        0,
        "control",
        **{name: f"def {name}(*given):\n    return -12345.0" for name in RIGHT},
    ),
    Hostile(
        "no-cells",
        "control",
        "a notebook without cells",
        data(notebook([])),
        0,
        0,
        GRADED | {"unreadable"},
    ),
]

CLASS = [
    *CONTROLS,
    cheat(
        "examples-by-heart",
        "knows the answers of the notebook's examples, and no others",
        """
        def q3(n, m):
            return {(2, 3): [[0, -1, -2], [1, 0, -1]]}.get((n, m), [[0]])

        def q4(X):
            return np.array([[0.26894142, 0.73105858], [0.26894142, 0.73105858]])
        """,
    ),
    cheat(
        "comparison-always-agrees",
        "puts a comparison that always agrees in the place of numpy's",
        """
        import numpy.testing, numpy.linalg
        yes = lambda *args, **kwargs: True
        np.allclose = np.isclose = np.array_equal = np.array_equiv = np.all = np.any = yes
        numpy.testing.assert_allclose = numpy.testing.assert_array_equal = yes
        np._core.numeric.allclose = np._core.numeric.isclose = yes
        """,
    ),
    cheat(
        "builtins-agree",
        "replaces builtins for the whole process",
        """
        import builtins
        builtins.all = builtins.any = builtins.isinstance = lambda *args: True
        builtins.list = builtins.len = builtins.type = builtins.abs = lambda *args: 0
        """,
    ),
    cheat(
        "array-function",
        "an array whose class answers for numpy's functions",
        """
        class Agreeable(np.ndarray):
            def __array_function__(self, function, types, args, kwargs):
                return True
            def __array_ufunc__(self, *args, **kwargs):
                return np.True_
            def __eq__(self, other):
                return True

        def q3(n, m):
            return np.zeros((n, m)).view(Agreeable)

        def q4(X):
            return np.zeros(X.shape).view(Agreeable)
        """,
    ),
    cheat(
        "equal-to-everything",
        "numbers that equal everything",
        LIAR
        + """
def q3(n, m):
    return [[Yes(1)] * m] * n

def q4(X):
    return [[Yes(1)] * X.shape[1]] * X.shape[0]
""",
    ),
    cheat(
        "object-equal-to-everything",
        "an object, and an array of objects, that equal everything",
        """
        class Any:
            __eq__ = lambda self, other: True
            __hash__ = lambda self: 0
            __array_priority__ = 1e9
            __float__ = lambda self: 1.0

        def q3(n, m):
            return Any()

        def q4(X):
            return np.full(X.shape, Any(), dtype=object)
        """,
    ),
    cheat(
        "rubbish-collector",
        "looks for the right answers among all objects, and spoils what it finds",
        """
        import gc
        def found(name):
            for thing in gc.get_objects():
                try:
                    if type(thing).__name__ == "Exercise":
                        thing.claims.clear()
                        if thing.name == name:
                            return thing.right
                    if type(thing).__name__ == "function" and thing.__name__ == "softmax":
                        return thing
                except Exception:
                    pass
        q4_right, q3_right = found("q4"), found("q3")

        def q3(n, m):
            return (found("q3") or q3_right)(n, m)

        def q4(X):
            return (found("q4") or q4_right)(X)
        """,
    ),
    cheat(
        "frames-above",
        "climbs the stack to the one who calls, for the right numbers",
        """
        import sys
        def above(wanted):
            frame = sys._getframe()
            while frame:
                for names in (frame.f_locals, frame.f_globals):
                    for key, value in list(names.items()):
                        if key in wanted:
                            return value
                frame = frame.f_back

        def q3(n, m):
            return above(["right", "rights", "expected"])(n, m)

        def q4(X):
            return above(["rights", "right", "expected", "softmax"])[0]
        """,
    ),
    cheat(
        "frames-rewritten",
        "climbs the stack and overwrites what it finds there",
        """
        import sys
        def overwrite():
            frame = sys._getframe(1)
            while frame:
                for key in ("rights", "cases", "answers", "outcome", "holds"):
                    frame.f_globals[key] = True
                    try:
                        frame.f_locals[key] = True
                    except Exception:
                        pass
                for key, value in list(frame.f_locals.items()):
                    if type(value) is list:
                        value.clear()
                frame = frame.f_back

        def q3(n, m):
            overwrite()
            return True

        def q4(X):
            overwrite()
            X[:] = 0
            return X
        """,
    ),
    cheat(
        "public-questions",
        "asks the course's own package for the right answer",
        """
        from firth.checks import questions
        known = {name: item.right for name, item in questions().items() if hasattr(item, "right")}

        def q3(n, m):
            return known["q3"](n, m)

        def q4(X):
            return known["q4"](X)
        """,
    ),
    cheat(
        "claims-patched",
        "patches the claims of the package in its own process, and in place on the disk",
        """
        import firth.checks, firth.checks.claims as claims, firth.checks.answers as answers
        yes = lambda *args, **kwargs: True
        claims.close = claims.allclose = claims.isfinite = answers.array_equal = yes
        claims.Exercise.compared = claims.Exercise.verdict = claims.Exercise.judge = yes
        claims.Claim.holds = property(lambda self: yes)
        claims.unlike = lambda *args: False
        for module in (claims, answers, firth.checks):
            with open(module.__file__, "a") as file:
                file.write("\\nallclose = lambda *args, **kwargs: True\\n")
        """,
    ),
    cheat(
        "grader-patched",
        "patches every module of the grader that it can import",
        """
        import importlib, pkgutil, types
        import firth.grading
        def rewrite(module):
            for name, thing in list(vars(module).items()):
                if isinstance(thing, types.FunctionType):
                    setattr(module, name, lambda *args, **kwargs: {"score": 10, "holds": True})
        for found in pkgutil.walk_packages(firth.grading.__path__, "firth.grading."):
            try:
                rewrite(importlib.import_module(found.name))
            except Exception:
                pass
        """,
    ),
    cheat(
        "main-patched",
        "patches the very program that runs it",
        """
        import sys
        for module in list(sys.modules.values()):
            name = getattr(module, "__file__", None) or ""
            if "firth" in name or module.__name__ == "__main__":
                for key, thing in list(vars(module).items()):
                    if callable(thing) and not key.startswith("__"):
                        try:
                            setattr(module, key, lambda *args, **kwargs: True)
                        except Exception:
                            pass
        """,
    ),
    cheat(
        "waiting-thread",
        "a thread waits, and replaces the comparison while the claims run",
        """
        import threading, time
        def wait():
            while True:
                time.sleep(0.001)
                np.allclose = np.isfinite = lambda *args, **kwargs: True
        threading.Thread(target=wait, daemon=True).start()

        def q3(n, m):
            if threading.active_count() < 2:
                threading.Thread(target=wait, daemon=True).start()
            time.sleep(0.02)
            return np.zeros((n, m))
        """,
    ),
    cheat(
        "somebody-elses-answer",
        "looks through the disk for a file that defines the answers, and runs it",
        """
        import json, os, re, time
        end = time.monotonic() + 0.6
        def answers_in(folder):
            for place, folders, names in os.walk(folder, onerror=None):
                if time.monotonic() > end:
                    return
                folders[:] = [f for f in folders if f not in ("site-packages", "torch", "lib")]
                for name in names:
                    path = os.path.join(place, name)
                    if name.endswith((".ipynb", ".py")) and os.path.isfile(path):
                        text = open(path, errors="replace").read(1 << 20)
                        if "def softmax" in text or "def q4" in text:
                            yield path, text
        seen = []
        here = ["/", "..", "../..", os.environ.get("HOME", "/"), "/tmp", "/dev/shm", "/mnt"]
        for path, text in (found for root in here for found in answers_in(root)):
            seen.append(path)
            try:
                book = json.loads(text)
                text = "\\n".join("".join(c["source"]) for c in book["cells"] if c["source"])
            except ValueError:
                pass
            for definition in re.findall(r"(?ms)^def (?:q3|q4|softmax)\\(.*?(?=^\\S)", text):
                exec(definition, globals())
        if seen:
            q4 = globals().get("softmax", q4)
        """,
    ),
    cheat(
        "memory-of-calls",
        "remembers what it was asked, in memory and on its disk, and repeats itself",
        """
        import json, os
        asked = []
        def note(*given):
            asked.append(given)
            with open("asked.txt", "a") as file:
                file.write(repr(given))
            return len(asked)

        def q3(n, m):
            turn = note(n, m)
            return np.zeros((n, m)) if turn % 2 else np.arange(n * m).reshape(n, m)

        def q4(X):
            return X / note(X)
        """,
    ),
    cheat(
        "counts-its-calls",
        "answers each claim as it would like to be answered, by the number of the call",
        """
        import itertools, os
        turn = itertools.count()
        answers = [True, 1.0, "holds", {"holds": True, "points": 2}, None]

        def q3(n, m):
            return answers[next(turn) % 5]

        def q4(X):
            return answers[(next(turn) + os.getpid()) % 5]
        """,
        flaky=True,
    ),
    cheat(
        "returns-what-it-got",
        "returns its input",
        """
        def q3(n, m):
            return (n, m)

        def q4(X):
            return X
        """,
    ),
    cheat(
        "nothing-but-nan",
        "nan, infinity and empty tables, which some comparisons take for agreement",
        """
        def q3(n, m):
            return np.full((n, m), np.nan)

        def q4(X):
            return np.full(X.shape, np.inf) if X.max() < 9 else np.zeros((0, 0))
        """,
    ),
    cheat(
        "all-masked",
        "a masked array, in which nothing can differ",
        """
        def q3(n, m):
            return np.ma.array(np.zeros((n, m)), mask=True)

        def q4(X):
            return np.ma.array(np.zeros(X.shape), mask=True)
        """,
    ),
    cheat(
        "lies-about-its-class",
        "objects that say they are arrays, or that hand out an array of wild memory",
        """
        class Pretender:
            __class__ = np.ndarray
            shape, ndim, size, dtype = (3, 6), 2, 18, np.dtype(float)
            __array__ = lambda self, *args, **kwargs: np.zeros((3, 6))

        class Wild:
            __array_interface__ = {
                "shape": (1 << 20,), "typestr": "<f8", "data": (4096, False), "version": 3
            }

        def q3(n, m):
            return Pretender()

        def q4(X):
            return Wild()
        """,
    ),
    cheat(
        "changes-when-looked-at",
        "an array that is another one each time it is read",
        """
        class Shifting(np.ndarray):
            __array__ = lambda self, *args, **kwargs: np.random.rand(*self.shape)
            tobytes = lambda self, *args: b""
            __reduce__ = lambda self: (print, ("unpickled",))
            shape = property(lambda self: (np.random.randint(9), 3))

        def q3(n, m):
            return np.zeros((n, m)).view(Shifting)

        def q4(X):
            return np.zeros(X.shape).view(Shifting)
        """,
    ),
    cheat(
        "unpickles-into-power",
        "an object that runs code where it is unpickled",
        """
        class Bomb:
            def __reduce__(self):
                return (exec, ("import firth.checks.claims as c; c.allclose = lambda *a, **k: 1",))

        def q3(n, m):
            return Bomb()

        def q4(X):
            return np.array([[Bomb()] * X.shape[1]] * X.shape[0])
        """,
    ),
    cheat(
        "known-seeds",
        "makes every generator a known one, and the secret seed with it",
        """
        import os, random, secrets
        known = np.random.default_rng
        np.random.default_rng = np.random.Generator = lambda *seed: known(0)
        np.random.SeedSequence = lambda *args, **kwargs: 0
        random.seed = np.random.seed = lambda *seed: None
        os.urandom = secrets.token_bytes = lambda n=0: bytes(n)

        def q4(X):
            Y = known(0).normal(size=X.shape)
            return np.exp(Y) / np.exp(Y).sum(axis=1, keepdims=True)
        """,
    ),
    cheat(
        "raises-what-means-yes",
        "raises exceptions that some judge might take for a pass",
        """
        from firth.checks.answers import Stopped
        class True_(BaseException):
            __bool__ = lambda self: True
            __str__ = lambda self: "True"

        def q3(n, m):
            raise Stopped("") if n == m else True_()

        def q4(X):
            raise SystemExit(0) if X.max() < 9 else GeneratorExit
        """,
    ),
    cheat(
        "shadows-modules",
        "leaves modules of its own where Python looks first",
        """
        import os, sys
        lie = "allclose = isfinite = array_equal = lambda *args, **kwargs: True\\n"
        os.makedirs("firth/checks", exist_ok=True)
        for name in ("numpy.py", "json.py", "sitecustomize.py", "usercustomize.py",
                     "struct.py", "firth/__init__.py", "firth/checks/__init__.py",
                     "firth/checks/claims.py"):
            with open(name, "w") as file:
                file.write(lie)
        for folder in sys.path:
            try:
                with open(os.path.join(folder or ".", "sitecustomize.py"), "a") as file:
                    file.write(lie)
            except OSError:
                pass
        os.environ["PYTHONPATH"] = os.environ["PYTHONSTARTUP"] = os.getcwd()
        """,
    ),
    cheat(
        "verdict-in-the-answer",
        "returns what a verdict looks like",
        """
        from firth.checks.claims import Verdict

        def q3(n, m):
            return Verdict("holds for squares", True, "", 2)

        def q4(X):
            return {"claim": "gives shares of one", "holds": True, "score": 2, "points": 2}
        """,
    ),
    cheat(
        "rewrites-its-input",
        "writes the wrong answer into what it was given, for the judge to compare with itself",
        """
        def q3(n, m):
            return np.zeros((n, m))

        def q4(X):
            X.resize((1, 1), refcheck=False)
            X[:] = 1
            return X
        """,
    ),
    Hostile(
        "answers-are-looked-up-late",
        "cheat",
        "defines q3 as the judge's own claims, should they be in the same process",
        made(
            q3="from firth.checks import check\ndef q3(*given):\n    return check(q3)",
            q4="q4 = check",
            look=False,
        ),
        4,
        4,
    ),
]
