"""Print what each page asks of its reader, in numbers: `make prose`.

    python tools/prose.py                                  all chapters and deeper pages
    python tools/prose.py --details chapters/01_lsa.ipynb  and the places, to look at

Nothing here judges a sentence: a place is worth a look. Limits hold for the pages that
tools/prose_words.toml lists as rewritten; what such a page breaks is printed below its numbers.
"""

import argparse
from pathlib import Path

from chapter_pages import PAGES, is_deeper
from notebooks import COURSE
from prose_counts import WORDS, Counts, count, length

LONG = 30  # words: a longer sentence needs a good reason
HEAD = "words|( )|mean|max|private|slides|cells|lines|True|tables|pics|widgets|bare".split("|")
LISTS = ("private", "slides", "printed", "cells", "tables", "bare", "missing")
NAMES = {
    "words": "words of prose",
    "parentheses": "of the words in parentheses",
    "private": "private words",
    "slides": "mentions of slides",
    "printed": "printed True or False",
    "cells": "visible code cells",
    "lines": "visible lines of code",
    "tables": "tables",
    "seen": "pictures and widgets",
    "bare": "sections without a picture or widget",
    "missing": "missing terms",
}


def kind(path: Path) -> str:
    """Which limits are a page's: those of a chapter, or of the deeper page below one.

    >>> kind(Path("chapters/06_bert_deeper.ipynb"))
    'deeper'
    """
    return "deeper" if is_deeper(path) else "chapter"


def rewritten() -> list[Path]:
    """The pages whose limits a test holds."""
    return [(COURSE / page).resolve() for page in WORDS["rewritten"]]


def values(counts: Counts) -> dict[str, float]:
    """A number for each name of a limit."""
    listed = {name: len(getattr(counts, name)) for name in LISTS}
    seen = len(counts.pictures) + len(counts.widgets)
    return listed | {
        "words": counts.words,
        "parentheses": counts.share,
        "lines": counts.lines,
        "seen": seen,
    }


def broken(path: Path, counts: Counts) -> list[str]:
    """The limits that a page breaks, each in a line."""
    found = values(counts)
    return [
        f"{shown(name, found[name])} {NAMES[name]}: {shown(name, low)} to {shown(name, high)}"
        for name, (low, high) in WORDS["limits"][kind(path)].items()
        if not low <= found[name] <= high
    ]


def shown(name: str, value: float) -> str:
    """A number as it is printed; the share in parentheses as a percentage.

    >>> shown("parentheses", 0.031), shown("words", 4500)
    ('3.1 %', '4,500')
    """
    return f"{value * 100:.1f} %" if name == "parentheses" else f"{value:,}"


def row(counts: Counts) -> list[str]:
    """The numbers of a page, in the order of the head."""
    lengths, found = counts.lengths, values(counts)
    mean = f"{sum(lengths) / max(len(lengths), 1):.1f}"
    numbers = [found["words"], f"{counts.share:.1%}", mean, max(lengths, default=0)]
    numbers += [found[name] for name in ("private", "slides", "cells", "lines", "printed")]
    numbers += [found["tables"], len(counts.pictures), len(counts.widgets), found["bare"]]
    return [str(number) for number in numbers]


def line(name: str, numbers: list[str]) -> str:
    return f"{name:24}" + "".join(
        f"{text:>{max(len(head), 4) + 2}}" for head, text in zip(HEAD, numbers, strict=True)
    )


def details(counts: Counts) -> list[str]:
    """The places to look at, a line each."""
    long = [(n, text) for n, text in counts.sentences if length(text) > LONG]
    lines = [f"cell {n}: private: … {text} … → {instead}" for n, text, instead in counts.private]
    for name, places in (
        ("slides", counts.slides),
        ("parentheses", counts.parentheses),
        ("long sentence", sorted(long, key=lambda place: -length(place[1]))),
        ("printed", counts.printed),
        ("table", counts.tables),
        ("no picture or widget", counts.bare),
    ):
        lines += [f"cell {n}: {name}: {' '.join(text.split())[:160]}" for n, text in places]
    sizes = [(n, len(code.splitlines()), code.partition("\n")[0]) for n, code in counts.cells]
    lines += [f"cell {n}: {size} lines of code: {first[:100]}" for n, size, first in sizes]
    return lines


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--details", action="store_true", help="list the places")
    parser.add_argument("pages", nargs="*", type=Path, help="notebooks or Markdown files")
    given = parser.parse_args(arguments)
    pages = given.pages or PAGES
    print(line("page", HEAD) + "  missing terms")
    for path in pages:
        counts = count(path)
        print(line(path.stem, row(counts)) + f"  {', '.join(counts.missing)}".rstrip())
        for limit in broken(path, counts) if path.resolve() in rewritten() else []:
            print(f"    beyond its limits: {limit}")
        for place in details(counts) if given.details else []:
            print(f"    {place}")


if __name__ == "__main__":
    main()
