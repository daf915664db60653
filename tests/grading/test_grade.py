"""One submission, one record: the claims judge there as they do in the notebook, and fairly."""

import json
import os
from itertools import product

import pytest
from answers import EXERCISES, SOLUTIONS, functions
from notebooks import COURSE
from parts import by_day

from firth.checks import questions
from firth.checks.claims import Exercise
from firth.grading.results.record import SHAPE, fits
from firth.grading.run import grade
from firth.grading.run.grade import graded
from firth.grading.run.plan import Plan
from firth.grading.run.questions import NoQuestions, asked
from firth.grading.supervisor import sandbox
from firth.grading.supervisor.playing import played
from firth.grading.supervisor.remote import Remote
from firth.grading.supervisor.warm import Warm

SEED = b"a secret of the tests"
TIMES = ("seconds", "cpu_seconds", "graded_at")
CHECKS = """
from firth.checks.claims import Exercise
import numpy as np

def asked(name, right):
    made = Exercise(name, "00_tests", 1, 1, ("Look.", "Think.", "Write."), right)
    made.agrees("is right for one number", "Which?", lambda rng: [(rng.normal(),)])
    made.agrees("is right for many", "?", lambda rng: [(rng.normal(size=4),)], points=2)
    return made

double = asked("double", lambda x: 2 * np.asarray(x))
half = asked("half", lambda x: np.asarray(x) / 2)
minus = asked("minus", lambda x: -np.asarray(x))
"""
RIGHT = {
    "double": "def double(x):\n    return 2 * x",
    "half": "def half(x):\n    return x / 2",
    "minus": "def minus(x):\n    return -x",
}
BLANK = 'def {}(x):\n    raise NotImplementedError("write me")'


def plan(**changes):
    return Plan(**{"exercise": "00_tests", "seed": SEED, "checks": {"t.py": CHECKS}} | changes)


def handed_in(*cells):
    made = [{"cell_type": "code", "source": cell, "metadata": {}, "outputs": []} for cell in cells]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()


def result(*cells, **changes):
    record = graded(handed_in(*cells), plan(**changes), "ada", "ada.ipynb")
    assert fits(record, SHAPE)
    return record


def points(record):
    return {answer["name"]: answer["score"] for answer in record["answers"]}


def without_times(record):
    return {key: value for key, value in record.items() if key not in TIMES}


@pytest.fixture(scope="module", autouse=True)
def no_house_is_left():
    yield
    grade.closed()


# One claim, two judges


def everything():
    """The right answer and the known mistakes of every exercise, each as a cell that names it."""
    for name, exercise in EXERCISES.items():
        yield exercise, exercise.right, f"questions()[{name!r}].right"
        for n, (mistake, _) in enumerate(exercise.mistakes):
            yield exercise, mistake, f"questions()[{name!r}].mistakes[{n}][0]"


ALL = list(everything())
SANDBOXES = ("bubblewrap", "sandlock")


def judged_by_day(sandbox, number):
    """In one sandbox each right answer and three mistakes by day; in the other every twentieth."""
    exercise, _, where = ALL[number]
    last = len(exercise.mistakes) - 1
    three = [f".mistakes[{n}][0]" for n in (0, last // 2, last)]
    if sandbox != SANDBOXES[0]:
        return number % 20 == 0
    return where.endswith((".right", *three))


@pytest.fixture(scope="module")
def playing():
    """The play of all answers in a sandbox, started when it is first asked for."""
    started = {}

    def play(name):
        if not sandbox.installed(name):
            pytest.skip(f"{name} is not installed: it does not judge here")
        if name not in started:
            cells = ["from firth.checks import questions"]
            cells += [f"answer_{n} = {where}" for n, (_, _, where) in enumerate(ALL)]
            warm = Warm(name, ["firth.lsa.counts", "firth.lsa.lsa"])
            started[name] = warm, played(warm, cells, [], 20.0, 1024)
        return started[name][1]

    yield play
    for warm, play in started.values():
        play.leave()
        warm.closed()


@pytest.mark.parametrize(
    "name, number",
    by_day(product(SANDBOXES, range(len(ALL))), judged_by_day),
    ids=[f"{name}-{where}" for name in SANDBOXES for _, _, where in ALL],
)
def test_an_answer_is_judged_in_the_sandbox_as_in_the_notebook(playing, name, number):
    exercise, function, _ = ALL[number]
    play = playing(name)
    here = exercise.judge(function, seed=7)
    for index, verdict in enumerate(here):
        copy = play.copy()
        there = exercise.verdict(index, Remote(f"answer_{number}", copy, 7, 20.0, ""), 7)
        play.end(copy)
        assert (there.holds, there.points) == (verdict.holds, verdict.points)
        # An error's own words and an answer's shape stay in the sandbox; all else is said alike.
        told = CLOSED if verdict.message.startswith("It has the shape") else verdict.message
        # A claim on memory has a longer text there: what runs out is said first.
        ran_out = there.message.startswith(("MemoryError ", "It took longer"))
        assert there.message == told or ran_out or ": " in verdict.message


CLOSED = "It has not the shape that is asked for: how many rows and columns should it be?"
RETURNS = {
    "nothing": "None",
    "a set": "{1, 2}",
    "words": "'many'",
    "a ragged table": "[[1], [2, 3]]",
    "objects": "np.array([None])",
    "a whole number": "7",
    "nan": "float('nan')",
    "a list": "[1.0, 2.0]",
    "an iterator": "iter([1])",
    "a number no float can hold": "10**400",
}


@pytest.mark.parametrize("value", RETURNS.values(), ids=RETURNS)
def test_whatever_is_returned_is_answered_alike(value):
    source = f"import numpy as np\ndef double(x):\n    return {value}"
    names = {}
    exec(source, names)
    (double, *_) = asked("00_tests", {"t.py": CHECKS}).answers
    here = double.judge(names["double"], plan().inputs(handed_in(source)))
    there = result(source)["answers"][0]["claims"]
    for one, other in zip(here, there, strict=True):
        message = CLOSED if one.message.startswith("It has the shape") else one.message
        assert (other["holds"], other["message"]) == (one.holds, message)


@pytest.mark.parametrize("path", SOLUTIONS, ids=lambda path: path.stem)
def test_the_solution_earns_everything_and_the_blank_nothing(path):
    one = Plan(path.stem, SEED)
    full = graded(path.read_bytes(), one)
    blank = graded((COURSE / "exercises" / path.name).read_bytes(), one)
    assert full["score"] == full["points"] == sum(EXERCISES[n].points for n in functions(path)) > 0
    assert blank["score"] == 0 and {a["status"] for a in blank["answers"]} == {"blank"}
    assert {a["status"] for a in full["answers"]} == {"defined"}
    assert full["status"] == blank["status"] == "graded" and not full["notes"]
    words = (q for q in questions().values() if not isinstance(q, Exercise))
    written = [q.name for q in words if q.chapter == path.stem]
    assert [w["name"] for w in full["written"]] == written and all(
        w["text"] for w in full["written"]
    )
    assert not any(w["text"] for w in blank["written"])
    assert [a["name"] for a in full["answers"]] == list(functions(path))


# What a submission is worth


def test_what_is_earned_elsewhere_stays():
    record = result(RIGHT["double"], "def half(x):\n    return x", RIGHT["minus"])
    assert points(record) == {"double": 3, "half": 0, "minus": 3}


@pytest.mark.parametrize(
    "trouble, status",
    [
        ("while True: pass", "too slow"),
        ("import time\ntime.sleep(1e9)", "too slow"),
        ("import os\nos._exit(0)", "died"),
        ("import os\nos.kill(os.getpid(), 9)", "died"),
        ("import ctypes\nctypes.string_at(0)", "died"),
        ("x = bytearray(10**11)", "error"),
        ("raise ValueError('x')", "error"),
        ("def f(:", "error"),
        ("import sys\nsys.exit(0)", "error"),
        ("1/0", "error"),
        ("!exit 1", "ran"),
        ("%%bash\nexit 1", "error"),
        ("%no_such_magic", "ran"),
        ("await __import__('asyncio').sleep(0)", "ran"),
        ("input()", "error"),
        ("import warnings\nwarnings.warn('x')", "ran"),
    ],
)
def test_a_cell_in_trouble_costs_nothing_else(trouble, status):
    record = result(RIGHT["double"], trouble, RIGHT["half"], timeout=1.5)
    assert points(record) == {"double": 3, "half": 3, "minus": 0}
    assert [cell["status"] for cell in record["cells"]][1] == status
    assert record["status"] == ("graded" if status in ("ran", "error") else "partly graded")
    assert bool(record["notes"]) == (record["status"] == "partly graded")


@pytest.mark.parametrize(
    "body, status",
    [
        ("while True: pass", "too slow"),
        ("import os; os._exit(0)", "died"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSTOP)", "too slow"),
        ("return __import__('numpy').ones(2 * 10**6)", "too much"),
        ("raise RuntimeError(str(x))", "stopped"),
        ("raise KeyboardInterrupt", "stopped"),
        ("return y", "stopped"),
    ],
)
def test_an_answer_in_trouble_costs_nothing_else(body, status):
    record = result(*RIGHT.values(), f"def half(x):\n    {body}", timeout=1.0)
    assert points(record) == {"double": 3, "half": 0, "minus": 3}
    assert {claim["status"] for claim in record["answers"][1]["claims"]} == {status}


def test_what_a_learners_code_says_is_for_the_instructor():
    record = result("def double(x):\n    raise ValueError(f'secret {x}')")
    for claim in record["answers"][0]["claims"]:
        line = "raise ValueError(f'secret {x}')"
        assert claim["message"] == f"ValueError — in your line `{line}`"
        assert claim["detail"].startswith("ValueError: secret ")


def test_an_error_with_a_made_up_name_does_not_speak():
    record = result("def double(x):\n    raise type(f'E{x}', (Exception,), {})(x)")
    assert record["answers"][0]["claims"][0]["message"].startswith("an error of your own — in")


def test_a_missing_answer_is_reported_as_missing():
    record = result(RIGHT["double"], "halve = 3\nminus = 5")
    assert [answer["status"] for answer in record["answers"]] == ["defined", "missing", "missing"]
    assert "renamed or deleted" in record["answers"][1]["claims"][1]["message"]


@pytest.mark.parametrize(
    "cells",
    [
        [RIGHT["half"], BLANK.format("half")],
        [BLANK.format("half"), RIGHT["half"]],
        ["def half(x):\n    return 0", RIGHT["half"]],
        ["from fractions import Fraction\n" + RIGHT["half"] + "\nhalf(1)\n"],
        ["half = lambda x: x / two", "two = np.float64(2)", "import numpy as np"],
        ["half = np.vectorize(lambda x: x / 2)", "import numpy as np"],
        ["class Tools:\n    def half(self, x): return x / 2\nhalf = Tools().half"],
        ["from functools import partial\nhalf = partial(lambda y, x: x / y, 2)"],
        ["list = sum = print = None", RIGHT["half"]],
        ["import numpy\nnumpy.seterr(all='raise')", RIGHT["half"]],
        ["%%time\n" + RIGHT["half"]],
        ["%reset -f", RIGHT["half"]],
        ["import builtins\nbuiltins.abs = None", RIGHT["half"]],
        ["import sys\nsys.stdout.close()", RIGHT["half"]],
        ["def half(x):\n    print('x' * 10**6)\n    return x / 2"],
        ["def half(x):\n    return (x / 2).tolist() if hasattr(x, 'tolist') else x / 2"],
    ],
    ids=lambda cells: cells[0][:30].replace("\n", " "),
)
def test_an_honest_answer_is_graded_on_what_it_does(cells):
    assert points(result(*cells))["half"] == 3


def test_state_left_by_one_call_takes_no_point_from_the_next():
    once = (
        "calls = []\ndef half(x):\n    calls.append(x)\n    return x / 2 if len(calls) == 1 else 0"
    )
    assert points(result(once))["half"] == 3


def test_a_cell_that_spoils_the_program_is_left_out_and_the_rest_played_again():
    record = result("kept = 2", "import os\nos._exit(3)", "def double(x):\n    return kept * x")
    assert points(record)["double"] == 3
    assert record["notes"] == ["Cell 2 ended the whole program: it was left out."]


def test_many_slow_cells_do_not_take_all_day():
    record = result(*["while True: pass"] * 20, RIGHT["double"], timeout=2.0)
    assert record["seconds"] < 25 and record["status"] == "partly graded"


COSINE = "def cosine(x, y):\n    {}"
FAR = "    closeness = [{}(vectors[i], row) if n != i else -9 for n, row in enumerate(vectors)]\n"
NEIGHBOURS = (
    f"import numpy as np\ndef neighbours(vectors, i, n):\n{FAR}"
    "    return np.argsort(-np.array(closeness), kind='stable')[:n]"
)


@pytest.mark.parametrize(
    "body", ["return -(x @ y)", "raise NotImplementedError('write me')", "return 1 / 0"]
)
@pytest.mark.parametrize("by", ["cosine", "helper"])
def test_who_fails_because_of_an_earlier_answer_is_told_so_and_gets_no_points(body, by):
    cells = [COSINE.format(body), NEIGHBOURS.format(by)]
    cells += ["def helper(x, y):\n    return cosine(x, y)"]
    record = graded(handed_in(*cells), Plan("01_lsa", SEED))
    answers = {answer["name"]: answer for answer in record["answers"]}
    assert answers["neighbours"]["status"] == "defined"
    failed = [claim for claim in answers["neighbours"]["claims"] if not claim["holds"]]
    assert len(failed) >= 3
    for claim in failed:
        assert claim["message"] == "With a right `cosine` this would hold: mend that first."
        assert claim["follows"] == ["cosine"]
    assert not any("follows" in claim for claim in answers["cosine"]["claims"])
    missing = 4 - answers["neighbours"]["score"]
    assert missing and record["remarks"] == [f"With a right cosine, {missing} points more."]


def test_a_wrong_answer_is_not_excused_by_another():
    cells = [
        COSINE.format("return 1"),
        NEIGHBOURS.format("cosine").replace("-np.array", "np.array"),
    ]
    record = graded(handed_in(*cells), Plan("01_lsa", SEED))
    claims = [claim for answer in record["answers"] for claim in answer["claims"]]
    assert not any("follows" in claim for claim in claims) and not record["remarks"]


@pytest.mark.parametrize(
    "cell",
    [
        "from firth.checks import check, questions",
        "from firth.checks.lsa.cosine import similarity_function as cosine",
        "import firth.checks.lsa.counts",
        "def f():\n    import firth.checks as c\n    return c.questions()",
    ],
)
def test_who_borrows_a_right_answer_is_pointed_out_to_the_instructor_alone(cell):
    record = result(RIGHT["double"], cell)
    assert record["remarks"] == ["Look at cell 2: does it take a right answer from firth.checks?"]
    assert not record["notes"]
    assert not result("from firth.checks import check, hint, scores, try_it")["remarks"]


@pytest.mark.parametrize(
    "cells",
    [
        ["%matplotlib inline\nimport numpy as np", "def half(x): return np.asarray(x) / 2"],
        ["%no_such_magic\nimport numpy as np", "def half(x): return np.asarray(x) / 2"],
        ["%matplotlib widget\nk = 2", "def half(x): return x / k"],
        [
            "from google.colab import drive, files\ndrive.mount('/d')\nk = 2",
            "def half(x): return x / k",
        ],
        ["import google.colab\nk = 2", "def half(x): return x / k"],
        ["from __future__ import annotations", "def half(x: Vector) -> Vector:\n    return x / 2"],
        [RIGHT["half"], "for word, half in [('a', 1)]: pass"],
        [RIGHT["half"], "half = half(3.0)"],
        ["def half(x): return show(x)", RIGHT["half"], "def show(x): return x"],
        ["def half(x): return 0\nshow()", RIGHT["half"], "def show(): pass"],
        [RIGHT["half"] + "\nx = [0] * 10**11"],
    ],
    ids=lambda cells: cells[0][:30].replace("\n", " "),
)
def test_what_works_where_it_was_written_costs_nothing_here(cells):
    assert points(result(*cells))["half"] == 3


PATCH = """
import sys
frame = sys._getframe()
while frame is not None:
    if "answering" in frame.f_globals:
        worker = frame.f_globals
    frame = frame.f_back
"""


def test_a_lie_that_takes_long_to_read_is_not_read():
    lie = "{'value': {'dict': [[i * (2**61 - 1), 0] for i in range(1, 20_001)]}}"
    record = result(RIGHT["half"], f"{PATCH}\nworker['called'] = lambda *_: {lie}")
    assert record["seconds"] < 10 and points(record)["half"] == 3
    assert record["cells"][1]["status"] == "unsound"


def test_a_student_cannot_speak_for_the_sandbox():
    record = result(
        RIGHT["half"],
        f"{PATCH}\nworker['cell'] = lambda *_: {{'no wall': 'ask the dean'}}",
        "x = 1",
    )
    assert record["status"] == "partly graded" and "dean" not in json.dumps(record["notes"])


def test_a_chain_of_missing_names_does_not_take_all_day():
    chain = [f"import time; time.sleep(0.2); v{i} = v{i + 1}" for i in range(30)]
    record = result(RIGHT["half"], *chain, "v30 = 1", timeout=0.5)
    assert record["seconds"] < 15 and points(record)["half"] == 3


# The same, again and again


@pytest.mark.parametrize(
    "luck",
    [
        "np.random.rand()",
        "np.random.default_rng().random()",
        "np.random.RandomState().rand()",
        "random.random()",
        "random.SystemRandom().random()",
        "os.urandom(1)[0] / 256",
        "hash('x') % 256 / 256",
        "secrets.randbelow(256) / 256",
        "uuid.uuid4().bytes[0] / 256",
    ],
)
def test_chance_repeats_itself(luck):
    cells = [
        "import os, random, secrets, uuid\nimport numpy as np",
        f"def double(x):\n    return 2 * x + (0 if {luck} < 0.5 else 1)",
        f"def half(x):\n    return x / 2 + (0 if {luck} < 0.5 else 1)",
    ]
    first, second = (without_times(result(*cells)) for _ in range(2))
    grade.closed()
    assert first == second == without_times(result(*cells))


def test_another_seed_another_submission_other_inputs():
    one, two = plan(), plan(seed=b"another secret")
    data, other = handed_in("x"), handed_in("y")
    assert len({p.inputs(d) for p in (one, two) for d in (data, other)}) == 4
    assert one.inputs(data) == plan().inputs(data)


def test_a_record_does_not_hold_the_seed():
    text = json.dumps(result(RIGHT["double"]))
    assert SEED.decode() not in text and str(plan().inputs(handed_in(RIGHT["double"]))) not in text


def test_the_inputs_are_not_those_of_the_notebook():
    seen = {}
    exercise = EXERCISES["cosine"]
    exercise.judge(lambda x, y: seen.setdefault("here", x) * 0, seed=1957)
    remembered = (
        "import numpy as np\ndef cosine(x, y):\n"
        f"    seen = {seen['here'].tolist()}\n"
        "    return float(len(x) == len(seen) and np.allclose(x, seen)) + np.nan"
    )
    record = graded(handed_in(remembered), Plan("01_lsa", SEED))
    assert points(record)["cosine"] == 0


# Private checks, tensors


def test_private_checks_add_claims_for_this_run_alone():
    more = (
        "from firth.checks.lsa.cosine import cosine\nimport numpy as np\n"
        "cosine.agrees('holds for long arrows', 'How long?',"
        " lambda rng: [(np.full(2, 1e150), np.full(2, 1e150))], points=4)\n"
    )
    before = len(EXERCISES["cosine"].claims)
    with_more = asked("01_lsa", {"more.py": more})
    assert [a.points for a in with_more.answers if a.name == "cosine"] == [7]
    assert len(EXERCISES["cosine"].claims) == before
    assert [a.points for a in asked("01_lsa").answers if a.name == "cosine"] == [3]


def test_private_checks_that_do_not_run_are_the_instructors_to_mend():
    with pytest.raises(NoQuestions, match=r"broken.py do not run \(ZeroDivisionError"):
        asked("01_lsa", {"broken.py": "1/0"})


def test_an_unknown_exercise_is_answered_with_those_there_are():
    with pytest.raises(NoQuestions, match="the exercises are 01_lsa"):
        asked("99_nothing")


TORCH = """
import torch
from firth.checks.claims import Exercise

def right(Q):
    return (Q / Q.shape[-1] ** 0.5).numpy()

def queries(rng):
    return [(torch.from_numpy(rng.normal(size=(3, 4))),)]

scaled = Exercise("scaled", "00_torch", 1, 1, ("", "", ""), right)
scaled.agrees("divides by √d", "By what?", queries)
"""


def test_an_answer_may_take_and_return_tensors():
    one = plan(exercise="00_torch", checks={"t.py": TORCH}, modules=("torch",))
    cells = (
        "import torch",
        "def scaled(Q):\n    assert isinstance(Q, torch.Tensor)\n"
        "    return (Q / Q.shape[-1] ** 0.5).numpy()",
    )
    record = graded(handed_in(*cells), one)
    assert record["score"] == record["points"] == 1
    assert record["versions"]["torch"]


def test_a_house_that_was_killed_is_built_again():
    result(RIGHT["double"])
    (house,) = grade.houses.values()
    house.process.kill()
    house.process.wait()
    assert points(result(RIGHT["double"]))["double"] == 3


def test_nothing_is_left_on_the_disk(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    for name in ("none", *filter(sandbox.installed, ["bubblewrap", "sandlock"])):
        result(
            "open('x', 'w').write('x')\nimport os\nos.mkdir('d')\nos.chmod('d', 0)", sandbox=name
        )
    grade.closed()
    assert not os.listdir(tmp_path)
