"""Cells as a notebook runs them, for Python in the page: this module runs in the reader's browser.

    run(code, name, say)  →  each output as say(kind, text), then "done" or "error"

A kind is "text", "html" or "error". All cells share one namespace. Of a long output only the
beginning is said, because the page has to show it.
"""

import ast
import builtins
import ctypes
import importlib
import io
import linecache
import os
import sys
import traceback
from contextlib import redirect_stderr, redirect_stdout
from types import CodeType, TracebackType

LONGEST_TEXT = 100_000  # characters of what one cell prints, and of one value
LONGEST_HTML = 2_000_000  # characters of a table or picture
ELSEWHERE = "Run this cell in Colab, in Binder or on your own computer."
NO_INPUT = "input() cannot ask you in this page. Write the value into the code."
NO_NETWORK = f"Python in this page has no network and starts no other programs. {ELSEWHERE}"
NO_MAGICS = f"Lines that begin with % or ! are commands of Jupyter, not of Python. {ELSEWHERE}"
NO_MEMORY = "This cell needs more memory than the page has. Take smaller arrays."
NO_MODULE = "There is no {} in this page, only NumPy, Python's own modules and those of the course."
CUT = "\n… The output is longer. The page shows its first {:,} characters.\n"
TOO_LARGE = ("array is too big", "Maximum allowed dimension exceeded")  # NumPy's own words
NETWORK_MODULES = {"http", "socket", "ssl", "subprocess", "urllib"}

# NumPy's modules find this library's symbol when they are loaded, and the reader's first cell need
# not wait for them.
ctypes.CDLL(os.path.join(os.path.dirname(__file__), "backtrace.so"), ctypes.RTLD_GLOBAL)
importlib.import_module("numpy")

space = vars(sys.modules["__main__"])


class Printed(io.TextIOBase):
    """A stream that says what is printed, line by line, up to its limit."""

    def __init__(self, say):
        self.say, self.left, self.waiting = say, LONGEST_TEXT, ""

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if self.left >= 0:
            self.waiting += text[: self.left]
            self.left -= len(text)
            if self.left < 0:
                self.waiting += CUT.format(LONGEST_TEXT)
            if "\n" in text or self.left < 0:
                self.flush()
        return len(text)

    def flush(self) -> None:
        if self.waiting:
            self.say("text", self.waiting)
            self.waiting = ""


def cut(text: str) -> str:
    """A text, or its beginning and a line that says so."""
    long = len(text) > LONGEST_TEXT
    return text[:LONGEST_TEXT] + CUT.format(LONGEST_TEXT) if long else text


def shown(value: object) -> tuple[str, str]:
    """A value as the page shows it: its HTML if it has some, else its text."""
    html = value._repr_html_() if hasattr(type(value), "_repr_html_") else None
    if html is not None and len(html) <= LONGEST_HTML:
        return "html", html
    return "text", cut(repr(value))


def compiled(code: str, file: str) -> tuple[CodeType, CodeType | None]:
    """The statements of a cell, and its last expression, unless a semicolon silences it."""
    tree = ast.parse(code, file)
    valued = tree.body and isinstance(tree.body[-1], ast.Expr) and not code.rstrip().endswith(";")
    last = tree.body.pop() if valued else None
    value = compile(ast.Expression(last.value), file, "eval") if last else None
    return compile(tree, file, "exec"), value


def of_the_cell(trace: TracebackType | None, file: str) -> TracebackType | None:
    """A traceback from the first line of the cell on."""
    while trace and trace.tb_frame.f_code.co_filename != file:
        trace = trace.tb_next
    return trace


def explained(error: BaseException, file: str) -> str:
    """One sentence about what a page cannot do, and a traceback for everything else."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    names = {str(frame.f_globals.get("__name__")).split(".")[0] for frame in frames}
    if isinstance(error, ModuleNotFoundError) and error.name:
        return f"{NO_MODULE.format(error.name.split('.')[0])} {ELSEWHERE}"
    if isinstance(error, SyntaxError) and (error.text or "").lstrip().startswith(("%", "!")):
        return NO_MAGICS
    if isinstance(error, MemoryError) or str(error).startswith(TOO_LARGE):
        return NO_MEMORY
    if isinstance(error, OSError) and names & NETWORK_MODULES:
        return NO_NETWORK
    if isinstance(error, EOFError) and str(error) == NO_INPUT:
        return NO_INPUT
    trace = of_the_cell(error.__traceback__, file)
    return cut("".join(traceback.format_exception(type(error), error, trace)).rstrip())


def ask(prompt: object = "") -> str:
    """Stands in for `input`, which a page cannot wait for."""
    raise EOFError(NO_INPUT)


def run(code: str, name: str, say) -> str:
    """Run a cell, say what it prints and shows, and return "done" or "error"."""
    file = f"<{name}>"
    linecache.cache[file] = (len(code), None, code.splitlines(True), file)  # for tracebacks
    printed = Printed(say)

    def display(*values: object) -> None:
        printed.flush()
        for value in values:
            say(*shown(value))

    builtins.input, space["display"] = ask, display
    with redirect_stdout(printed), redirect_stderr(printed):
        try:
            statements, last = compiled(code, file)
            exec(statements, space)
            value = eval(last, space) if last else None
            if value is not None:
                display(value)
        except BaseException as error:  # also SystemExit: Python itself goes on
            printed.flush()
            say("error", explained(error, file))
            return "error"
        finally:
            printed.flush()
    return "done"
