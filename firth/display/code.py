"""The package's own source on a page: a page that shows `source(f)` cannot drift from the code."""

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType


class Source:
    """The text of a function or module, as highlighted Markdown and as plain text."""

    def __init__(self, thing: Callable | ModuleType):
        module = inspect.getmodule(thing)
        path = Path(inspect.getsourcefile(module))
        folders = module.__name__.count(".") + (path.name == "__init__.py")
        self.file = path.relative_to(path.parents[folders]).as_posix()
        self.text = inspect.getsource(thing)

    def _repr_markdown_(self) -> str:
        # A fence must be longer than any that a docstring holds.
        ticks = "`" * max(3, 1 + max(map(len, re.findall("`+", self.text)), default=0))
        return f"*From* `{self.file}`*:*\n\n{ticks}python\n{self.text.rstrip()}\n{ticks}\n"

    def __repr__(self) -> str:
        return f"# From {self.file}:\n{self.text.rstrip()}"


def source(thing: Callable | ModuleType) -> Source:
    """Read the code you are taught: the very lines that run, docstring and all.

    >>> print(repr(source(source)).splitlines()[0])
    # From firth/display/code.py:
    """
    return Source(thing)
