"""What a page asks of its reader, each count with its places: words, pictures, code and the rest.

A place is the number of a cell, counted from 1, and the text that was found there. A Markdown file
is one cell of prose. Formulas, code, tables and the targets of links are not prose. A quiz is no
widget, and what a widget shows without its script is neither a table nor a picture.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from canonical import QUIZ, SHOWN, parsed

WORDS = tomllib.loads(Path(__file__).with_name("prose_words.toml").read_text(encoding="utf-8"))
SLIDES = (
    r"\b(?:the|an?|our|these|those|two|some|each|every|of) slides?\b(?! \w+ the window)"
    r"|\bslides? of ours\b|\b(?:the|our|source) decks?\b(?! of cards)"
)
FENCE = re.compile(r"```(\w*)\n(.*?)```", re.DOTALL)
NOT_PROSE = re.compile(
    r"```.*?```|\$\$.*?\$\$|\$[^$]*\$|`[^`]*`|\]\([^)]*\)|^\|[^\n]*$", re.DOTALL | re.MULTILINE
)
FOLDED = {"remove-cell", "hide-input", "remove-input", "hide-cell"}  # tags of cells
Place = tuple[int, str]


@dataclass
class Counts:
    """The counts of one page; a list holds the places that were counted."""

    words: int = 0
    parentheses: list[Place] = field(default_factory=list)
    sentences: list[Place] = field(default_factory=list)
    private: list[tuple[int, str, str]] = field(default_factory=list)  # and what the field says
    slides: list[Place] = field(default_factory=list)
    cells: list[Place] = field(default_factory=list)  # code that a reader sees, with fences
    lines: int = 0
    printed: list[Place] = field(default_factory=list)
    tables: list[Place] = field(default_factory=list)
    pictures: list[Place] = field(default_factory=list)
    widgets: list[Place] = field(default_factory=list)
    bare: list[Place] = field(default_factory=list)  # sections without a picture or widget
    missing: list[str] = field(default_factory=list)

    @property
    def share(self) -> float:
        """The share of the words that stand in parentheses."""
        return sum(length(text) for _, text in self.parentheses) / max(self.words, 1)

    @property
    def lengths(self) -> list[int]:
        """The numbers of words of the sentences."""
        return [length(text) for _, text in self.sentences]


def length(text: str) -> int:
    return len(text.split())


def prose(markdown: str) -> str:
    """The words of a cell without formulas, code, tables and the targets of links."""
    return NOT_PROSE.sub(" ", markdown)


def sentences(text: str) -> list[str]:
    """The sentences of at least three words; headings, lists and quotations are none.

    >>> sentences("# A heading\\nA sentence ends here. Too short. So does this one: with a colon.")
    ['A sentence ends here.', 'So does this one:', 'with a colon.']
    """
    text = re.sub(r"^#.*$|^[->].*$", " ", text, flags=re.MULTILINE)
    found = (" ".join(part.split()) for part in re.split(r"(?<=[.!?:])\s+", text))
    return [sentence for sentence in found if length(sentence) > 2]


def excerpt(text: str, match: re.Match, around: int = 25) -> str:
    """What was found, with some letters on either side."""
    return " ".join(text[max(0, match.start() - around) : match.end() + around].split())


def places(pattern: str, text: str) -> list[str]:
    """The places of a text in which a pattern is found; capital letters make no difference."""
    return [excerpt(text, match) for match in re.finditer(pattern, text, re.IGNORECASE)]


def cells_of(path: Path) -> list[dict]:
    """The cells of a notebook; a Markdown file is one cell of prose."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return [{"cell_type": "markdown", "source": text}]
    return parsed(text)["cells"]


def outputs(cell: dict) -> Iterator[tuple[str, str]]:
    """The HTML and the Markdown of each output of a cell."""
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        yield data.get("text/html", ""), data.get("text/markdown", "")


def read_prose(counts: Counts, n: int, source: str) -> None:
    """Adds a cell of Markdown to a page's counts."""
    text = prose(source)
    counts.words += length(text)
    counts.parentheses += [(n, found) for found in re.findall(r"\(([^()]{12,})\)", text)]
    counts.sentences += [(n, sentence) for sentence in sentences(text)]
    counts.slides += [(n, found) for found in places(SLIDES, text)]
    for word in WORDS["private"]:
        found = places(word["pattern"], text)
        counts.private += [(n, text, word["instead"]) for text in found]
    fences = [code for _, code in FENCE.findall(source)]
    counts.cells += [(n, code) for code in fences]
    counts.lines += sum(len(code.splitlines()) for code in fences)
    rows = re.findall(r"^\|[ :|-]+\|\s*$", source, re.MULTILINE)
    counts.tables += [(n, "a table in Markdown")] * len(rows)
    figures = re.findall(r"!\[[^\]]*\]|\{figure\}.*|<(?:img|svg)\b", source)
    counts.pictures += [(n, found) for found in figures]


def read_code(counts: Counts, n: int, cell: dict) -> None:
    """Adds a cell of code and what it shows to a page's counts."""
    source = cell["source"]
    if not FOLDED & set(cell["metadata"].get("tags", [])):
        counts.cells.append((n, source))
        counts.lines += len(source.splitlines())
    for output in cell.get("outputs", []):
        text = output.get("text", "")
        counts.printed += [(n, found) for found in places(r"\b(?-i:True|False)\b", text)]
    first = source.partition("\n")[0]
    for html, markdown in outputs(cell):
        counts.lines += sum(len(code.splitlines()) for _, code in FENCE.findall(markdown))
        if SHOWN.search(html):
            counts.widgets += [] if QUIZ.search(source) else [(n, first)]
            continue
        # The numbers of a picture are folded beside it.
        seen = re.sub(r"<details>.*?</details>", "", html, flags=re.DOTALL)
        counts.tables += [(n, first)] if "<table" in seen else []
        counts.pictures += [(n, first)] if re.search("<svg|<img", seen) else []


def bare_sections(cells: list[dict], seen: set[int]) -> list[Place]:
    """The sections in which none of the cells that show something stands."""
    starts = [
        (n, heading.strip())
        for n, cell in enumerate(cells, start=1)
        if cell["cell_type"] == "markdown"
        for heading in re.findall(r"^## +(.*)$", FENCE.sub("", cell["source"]), re.MULTILINE)
    ]
    ends = [*(n for n, _ in starts), len(cells) + 1][1:]
    return [
        (n, heading)
        for (n, heading), end in zip(starts, ends, strict=True)
        if not seen & {n, *range(n, end)} and heading not in WORDS["without_picture"]
    ]


def count(path: Path) -> Counts:
    """The counts of a page."""
    counts, cells = Counts(), cells_of(path)
    for n, cell in enumerate(cells, start=1):
        if cell["cell_type"] == "markdown":
            read_prose(counts, n, cell["source"])
        elif cell["cell_type"] == "code":
            read_code(counts, n, cell)
    counts.bare = bare_sections(cells, {n for n, _ in counts.pictures + counts.widgets})
    sources = (cell["source"] for cell in cells if cell["cell_type"] == "markdown")
    text = prose("\n\n".join(sources)).lower()
    terms = WORDS["terms"].get(path.stem.partition("_")[2], [])
    counts.missing = [term for term in terms if term.lower() not in text]
    return counts
