"""The side that is not trusted: a warm house, and in it one submission at a time.

    house    has loaded what answers need; opens its door to one submission after another
    player   runs the cells of a submission, one after another, as Jupyter would
    copy     a fork of the player after the last cell: calls answers, sends back plain data

Nothing secret ever enters these processes: no right answer, no seed of the inputs, no other
student's file. And whatever they say is doubted by those who listen.
"""

import gc
import importlib
import json
import os
import re
import signal
import socket
import sys
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import firth.checks
from firth.checks.answers import Answer, Stopped, complaint, theirs
from firth.grading import limits, wire
from firth.grading.untrusted import walls
from firth.grading.untrusted.house import House
from firth.grading.untrusted.shell import fresh_streams, outcome, seed, shell


def silence() -> None:
    """Whatever is printed goes nowhere: at the level of Python, of C, and of child processes."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)
    os.close(nowhere)


written: dict[str, Any] = {}  # the answers, as they were when last they were functions


def cell(run: Any, order: dict) -> dict:
    """Runs one cell and says what came of it."""
    seed(order["seed"])
    fresh_streams()
    error = outcome(run, order["cell"], f"<cell {order['seed'] + 1}>")
    for name in order["names"]:
        if callable(run.user_ns.get(name)):
            written[name] = run.user_ns[name]
    if error is None:
        return {"error": ""}
    # Some folders' names are made up by chance: the same cell is to say the same again.
    says = re.sub(r"(?<!\S)\S*firth-grade-\w+", "", complaint(error))
    return {"error": type(error).__name__, "says": says}


def echo(value: Any) -> Any:
    """What whoever listens calls first, to hear whether the cells have left this program sound."""
    return value


def called(names: dict, answers: dict[str, Answer], order: dict) -> dict:
    """Calls an answer and says what it returned: plain data, or why there is none."""
    name = order["call"]
    function = names.get(name) if name else echo
    if not callable(function):
        return {"missing": True}
    answer = answers.setdefault(name, Answer(function))
    try:
        value = answer(*wire.decoded(order["inputs"]))
        return {"value": wire.encoded(value), "changed": answer.changed}
    except Stopped as reason:
        cause = reason.__cause__
        if cause is None:
            return {"stopped": str(reason)}
        frame = theirs(cause)
        about = {"error": type(cause).__name__, "line": frame.line if frame else ""}
        return {"stopped": str(reason), **about}
    except BaseException as error:  # raised by the student on purpose: KeyboardInterrupt and such
        return {"stopped": complaint(error), "error": type(error).__name__, "line": ""}


def mended(wanted: dict[str, str]) -> dict[str, Any]:
    """The course's own right answers, by name and form: to see what a later answer does with them.

    They are no secret in here; every student has them in the package.
    """
    asked = firth.checks.questions()
    return {
        name: next(one.right for one in (asked[name], *asked[name].forms) if one.form == form)
        for name, form in wanted.items()
    }


def alone(own: int) -> None:
    """Ends a fork that the student's code has made of the process `own`: one answers, not two."""
    if os.getpid() != own:
        os._exit(0)


def answering(channel: socket.socket, names: dict) -> None:
    """Answers calls until whoever asks has heard enough; a new claim has chance anew."""
    own = os.getpid()
    answers: dict[str, Answer] = {}
    while True:
        order = wire.received(channel)
        if "mend" in order:
            names.update(mended(order["mend"]))
        if "seed" in order:
            seed(order["seed"])
            fresh_streams()
            answers.clear()
        reply = called(names, answers, order)
        alone(own)
        try:
            wire.sent(channel, reply, None, limits.ANSWER)
        except wire.NotPlain:
            wire.sent(channel, {"too much": True}, None)


def copied(run: Any, channel: socket.socket) -> int:
    """Forks a copy of the player that answers calls; returns its number."""
    _, (door,), _, _ = socket.recv_fds(channel, 1, 1)
    with socket.socket(fileno=door) as asked:
        copy = os.fork()
        if copy == 0:
            walls.prctl(walls.DIE_WITH_PARENT, signal.SIGKILL)
            channel.close()
            for name, function in written.items():
                if not callable(run.user_ns.get(name)):  # for word, cosine in pairs: …
                    run.user_ns[name] = function
            answering(asked, run.user_ns)
    return copy


def ended(copy: int) -> int:
    """Ends a copy, whatever it is doing."""
    try:
        os.kill(copy, signal.SIGKILL)
        os.waitpid(copy, 0)
    except (ProcessLookupError, ChildProcessError):  # the student's code has collected it itself
        pass
    return copy


def player(run: Any, channel: socket.socket) -> None:
    """Runs cells, and makes and ends copies of itself."""
    own = os.getpid()
    while True:
        order = wire.received(channel)
        if "cell" in order:
            reply = {"number": order["seed"], **cell(run, order)}
            alone(own)
            wire.sent(channel, reply, None)
        elif "renew" in order:
            _, (door,), _, _ = socket.recv_fds(channel, 1, 1)
            channel.close()
            channel = socket.socket(fileno=door)
            wire.sent(channel, {"renewed": 0}, None)
        elif "copy" in order:
            wire.sent(channel, {"copied": copied(run, channel)}, None)
        else:
            wire.sent(channel, {"ended": ended(order["end"])}, None)


def settled(home: str) -> None:
    """Makes a folder the student's own: of settings, of temporary files, and of modules."""
    os.environ.update(HOME=home, TMPDIR=home, MPLCONFIGDIR=f"{home}/.matplotlib")
    sys.path.insert(0, home)


def play(run: Any, channel: socket.socket) -> None:
    """The player until its end, whoever brings it about."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    settled(os.getcwd())
    try:
        wire.sent(channel, {"moved in": True}, None)
        player(run, channel)
    except wire.Ended:
        os._exit(0)
    except BaseException:
        os._exit(1)  # nothing of the student's is to run at a regular exit


def main() -> None:
    order = SimpleNamespace(**json.loads(sys.argv[1]))
    control = socket.socket(fileno=os.dup(0))
    if order.sandbox == "bubblewrap":
        walls.nobody(order.readable)
    for module in order.modules:
        with suppress(BaseException):  # one that is not installed, or not sound, is done without
            importlib.import_module(module)
    run = shell()
    gc.collect()
    gc.freeze()  # what all submissions share is not touched again, so that it stays shared
    silence()
    control.send(json.dumps({"ready": True}).encode())
    House(control, order.sandbox, order.folder, order.readable).serve(lambda door: play(run, door))


if __name__ == "__main__":
    main()
