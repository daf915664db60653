"""Python as it runs behind a notebook, without what only a reader needs, and with chance tamed.

shell()                      IPython, quiet; checks and hints do nothing here
outcome(run, source, name)   runs a cell, as Jupyter would; returns what ended it
seed(n), fresh_streams()     before each cell and each claim
"""

import __future__

import builtins
import linecache
import os
import random
import sys
from contextlib import suppress
from types import CodeType, ModuleType
from typing import Any

import numpy as np
from numpy.random import bit_generator

import firth.checks

COLAB = ("data_table", "drive", "files", "output", "userdata")
FUTURES = [getattr(__future__, name).compiler_flag for name in __future__.all_feature_names]


def fresh_streams() -> None:
    """Streams that are open, whatever an earlier cell has done to them."""
    sys.stdout = sys.__stdout__ = open(os.devnull, "w", encoding="utf-8", errors="replace")
    sys.stderr = sys.__stderr__ = sys.stdout


def seed(number: int) -> None:
    """Makes chance repeat itself, also where nobody has set a seed."""
    random.seed(number)
    np.random.seed(number % 2**32)
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(number)
    chance = random.Random(number)
    bit_generator.randbits = chance.getrandbits  # np.random.default_rng()
    os.urandom = random._urandom = chance.randbytes  # secrets, uuid, random.SystemRandom


def no_keyboard(prompt: str = "") -> str:
    raise EOFError("nobody is at the keyboard while an answer is graded")


def absent(name: str) -> ModuleType:
    """A module that is there in Colab and not here: whatever is called in it does nothing."""
    module = ModuleType(name)
    module.__path__ = []

    def part(named: str) -> Any:
        if named.startswith("__"):
            raise AttributeError(named)
        return sys.modules.get(f"{name}.{named}", lambda *_, **__: None)

    module.__getattr__ = part
    return module


def shell():
    """IPython, as it runs behind a notebook, without what only a reader needs."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    quiet = Config()
    quiet.HistoryManager.enabled = False
    quiet.InteractiveShell.ast_node_interactivity = "none"  # nobody looks at the outputs
    made = InteractiveShell.instance(config=quiet)
    made.showtraceback = made.showsyntaxerror = lambda *_, **__: None
    made.enable_gui = lambda *_: None  # %matplotlib asks for it
    magic = made.run_line_magic

    def run_line_magic(*arguments: Any, **more: Any) -> Any:
        with suppress(Exception):  # what fails here may work where the notebook was written
            return magic(*arguments, **more)

    made.run_line_magic = run_line_magic
    for name in ("google", "google.colab", *(f"google.colab.{part}" for part in COLAB)):
        sys.modules.setdefault(name, absent(name))
    builtins.input = no_keyboard
    # The learner's own checks, hints and scores: here they would only cost time.
    for name in firth.checks.__all__:
        setattr(firth.checks, name, lambda *_, **__: None)
    return made


def compiled(run: Any, source: str, name: str) -> CodeType | None:
    """A cell as code, its magics spelt in Python; None if only IPython itself can run it."""
    flags = run.compile.flags & sum(FUTURES)
    for read in (lambda: source, lambda: run.transform_cell(source)):
        try:
            code = compile(read(), name, "exec", flags, dont_inherit=True)
        except Exception:  # a magic, an `await`, or a mistake
            continue
        run.compile.flags |= code.co_flags & sum(FUTURES)  # a `from __future__` holds from now on
        return code
    return None


def outcome(run: Any, source: str, name: str) -> BaseException | None:
    """Runs a cell; returns what ended it before its end."""
    if (code := compiled(run, source, name)) is None:
        result = run.run_cell(source, store_history=False)
        return result.error_before_exec or result.error_in_exec
    # For the line that a traceback quotes.
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    try:
        exec(code, run.user_ns)
    except BaseException as error:
        return error
