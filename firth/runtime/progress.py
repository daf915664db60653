"""A line that tells how far something has come, and that no notebook keeps.

    someone watches a live notebook   a display that is updated in place, and empty in the end
    a notebook is being executed      the terminal below it: the outputs stay as they are
    a terminal                        one line, rewritten; a log gets its first state only

Downloads and long training runs take a time that differs from run to run, and a stored output
must not. A kernel is told with every cell whether someone is there who could be asked something
(`allow_stdin`): browsers say yes, and the tools that execute and compare notebooks say no.
"""

import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress(first: str) -> Iterator[Callable[[str], None]]:
    """Say `first`, then whatever is said by the function that is handed over, then nothing.

    >>> with progress("Counting …") as say:
    ...     say("Counting … 50%")
    """
    display = watched_display()
    if display is not None:
        handle = display({"text/plain": first}, raw=True, display_id=True)
        try:
            yield lambda line: handle.update({"text/plain": line}, raw=True)
        finally:
            handle.update({"text/plain": ""}, raw=True)
        return
    terminal = terminal_below()
    rewritten = terminal.isatty()
    terminal.write(first if rewritten else first + "\n")
    terminal.flush()

    def say(line: str) -> None:
        if rewritten:
            terminal.write(f"\r\x1b[K{line}")
            terminal.flush()

    try:
        yield say
    finally:
        say("")
        if terminal is not sys.stderr:
            terminal.close()


def kernel():
    """The notebook kernel that this runs in, or None."""
    interactive = sys.modules.get("IPython")
    return interactive and getattr(interactive.get_ipython(), "kernel", None)


def watched_display() -> Callable | None:
    """IPython's `display` where someone is watching the notebook, else None."""
    if not getattr(kernel(), "_allow_stdin", False):
        return None
    from IPython.display import display

    return display


def terminal_below() -> io.TextIOBase:
    """Standard error; in a kernel, the stream that the notebook has put itself before."""
    if kernel() is None:
        return sys.stderr
    descriptor = getattr(sys.stderr, "_original_stdstream_copy", None)
    return (
        io.StringIO()
        if descriptor is None
        else os.fdopen(os.dup(descriptor), "w", encoding="utf-8")
    )
