"""What differs between two versions of a notebook, and of which kind each difference is.

SOURCE   the source of a function that the page shows with `source(…)`
PATHS    an import, the module before the dot of a name, or the path of a file or module
WIDGETS  the JavaScript and CSS of a widget
OTHER    anything else: code, prose, numbers, pictures, what a widget holds

Cells are matched by their text without imports and paths, because a cell's id follows from its
text. Ids and execution counts are not compared: `make notebooks` derives them from the cells.
"""

import io
import json
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Any

from canonical import STATE

SOURCE, PATHS, WIDGETS, OTHER = "shown source", "imports and paths", "widget code", "other"
KINDS = (SOURCE, PATHS, WIDGETS, OTHER)
IMPORT = re.compile(r"^[ \t]*(?:from +([\w.]+) +)?import +(\([^)]*\)|.*)\n?", re.MULTILINE)
SCRIPTS = ("_esm", "_css")
BETWEEN = (tokenize.NL, tokenize.ENCODING, tokenize.ENDMARKER)


@dataclass(frozen=True)
class Change:
    """One difference: its kind, its place in the notebook, and what stands there or None."""

    kind: str
    place: str
    old: Any
    new: Any


def modules(notebook: dict) -> set[str]:
    """The names under which a notebook imports modules or functions of the course.

    >>> source = "import numpy as np\\nfrom firth import lsa as l, rnn"
    >>> sorted(modules({"cells": [{"cell_type": "code", "source": source}]}))
    ['l', 'rnn']
    """
    text = "\n".join(text_of(c["source"]) for c in notebook["cells"] if c["cell_type"] == "code")
    found = set()
    for package, names in IMPORT.findall(text):
        if package.partition(".")[0] == "firth":
            found |= {name.split()[-1] for name in names.strip("()\n ").split(",") if name.strip()}
    return found


def text_of(value: Any) -> str:
    """A value of a notebook as text; a list of lines is joined."""
    if isinstance(value, list) and all(isinstance(line, str) for line in value):
        return "".join(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


class Plain:
    """Makes texts equal that differ in imports and paths only."""

    def __init__(self, old: dict, new: dict, folders: set[str]):
        names = "|".join(map(re.escape, sorted(modules(old) | modules(new)))) or "(?!)"
        tops = "|".join(map(re.escape, sorted(folders))) or "(?!)"
        self.module = re.compile(rf"(?<![\w.])(?:{names})\.(?=[^\W\d])")
        self.path = re.compile(rf"(?<![\w.])(?:{tops})(?:[/.][\w-]+)+/?")

    def text(self, value: Any) -> str:
        """A text without its paths.

        >>> Plain({"cells": []}, {"cells": []}, {"firth"}).text("See `firth/data/a.json`.")
        'See `PATH`.'
        """
        return self.path.sub("PATH", text_of(value))

    def code(self, value: Any) -> tuple[str, ...]:
        """The tokens of a cell without imports, modules and paths; where lines break is free."""
        text = self.text(self.module.sub("MODULE.", IMPORT.sub("", text_of(value))))
        try:
            read = list(tokenize.generate_tokens(io.StringIO(text).readline))
        except (tokenize.TokenError, SyntaxError):  # a line for IPython, such as %pip
            return tuple(text.splitlines())
        tokens = [token.string for token in read if token.type not in BETWEEN]
        followed = zip(tokens, [*tokens[1:], ""], strict=False)
        return tuple(one for one, after in followed if one != "," or after not in (")", "]", "}"))

    def cell(self, cell: dict) -> tuple[str, ...]:
        plain = self.code if cell["cell_type"] == "code" else lambda value: (self.text(value),)
        return (cell["cell_type"], *plain(cell["source"]))


def changes(old: dict, new: dict, folders: set[str]) -> Iterator[Change]:
    """All differences of two notebooks; a path begins with one of these folders."""
    plain = Plain(old, new, folders)
    befores, afters = old["cells"], new["cells"]
    keys = [[plain.cell(cell) for cell in cells] for cells in (befores, afters)]
    for _, a, b, c, d in SequenceMatcher(None, *keys, autojunk=False).get_opcodes():
        for n, pair in enumerate(zip_longest(befores[a:b], afters[c:d])):
            yield from of_cells(*pair, f"cell {max(a, c) + n + 1}", plain)
    yield from of_widgets(*map(widgets, (old, new)), plain)
    kept = [
        {key: value for key, value in book["metadata"].items() if key != "widgets"}
        for book in (old, new)
    ]
    if kept[0] != kept[1]:
        yield Change(OTHER, "metadata", *kept)


def of_cells(old: dict | None, new: dict | None, place: str, plain: Plain) -> Iterator[Change]:
    """The differences of two cells that stand in the same place; None where there is none."""
    if old is None or new is None:
        yield Change(OTHER, place, *(cell and text_of(cell["source"]) for cell in (old, new)))
        return
    if text_of(old["source"]) != text_of(new["source"]):
        kind = PATHS if plain.cell(old) == plain.cell(new) else OTHER
        yield Change(
            kind, f"{place}, {new['cell_type']}", *map(text_of, (old["source"], new["source"]))
        )
    if old["metadata"] != new["metadata"] or old.get("attachments") != new.get("attachments"):
        yield Change(OTHER, f"{place}, metadata", old["metadata"], new["metadata"])
    shows = all("source(" in text_of(cell["source"]) for cell in (old, new))
    pairs = zip_longest(old.get("outputs", []), new.get("outputs", []))
    for n, (before, after) in enumerate(pairs, start=1):
        yield from of_outputs(before, after, f"{place}, output {n}", shows, plain)


def parts(output: dict | None) -> dict[str, Any]:
    """The pieces of an output: one for each kind of data, and the rest of its description."""
    if output is None:
        return {}
    rest = {key: value for key, value in output.items() if key not in ("data", "execution_count")}
    return rest | output.get("data", {})


def of_outputs(
    old: dict | None, new: dict | None, place: str, shows: bool, plain: Plain
) -> Iterator[Change]:
    """The differences of two outputs; `shows` is whether the cell shows some source."""
    befores, afters = parts(old), parts(new)
    listing = shows and "text/markdown" in befores and "text/markdown" in afters
    for key in befores | afters:
        before, after = befores.get(key), afters.get(key)
        if before != after:
            same = key in befores and key in afters and plain.text(before) == plain.text(after)
            code = listing and key in ("text/markdown", "text/plain")
            kind = PATHS if same else SOURCE if code else OTHER
            stands = [None if value is None else text_of(value) for value in (before, after)]
            yield Change(kind, f"{place}, {key}", *stands)


def widgets(notebook: dict) -> dict[str, dict]:
    """The models of a notebook's widgets, numbered in the order in which a reader meets them."""
    return notebook["metadata"].get("widgets", {}).get(STATE, {}).get("state", {})


def of_widgets(old: dict, new: dict, plain: Plain) -> Iterator[Change]:
    """The differences of the widgets' models, trait by trait."""
    for n, model in enumerate(old | new, start=1):
        if model not in old or model not in new:
            yield Change(OTHER, f"widget {n}", old.get(model), new.get(model))
            continue
        states = [side[model]["state"] for side in (old, new)]
        rests = [{**side[model], "state": None} for side in (old, new)]
        if rests[0] != rests[1]:
            yield Change(OTHER, f"widget {n}", *rests)
        for trait in states[0] | states[1]:
            before, after = (state.get(trait) for state in states)
            if before != after:
                same = plain.text(before) == plain.text(after)
                if trait == "_anywidget_id":  # the module and the name of the widget's class
                    same = str(before).rpartition(".")[2] == str(after).rpartition(".")[2]
                kind = WIDGETS if trait in SCRIPTS else PATHS if same else OTHER
                yield Change(kind, f"widget {n}, {trait}", before, after)
