"""The course's pages as students get them: no link leads to what was left out.

Each function takes a page's text, its name, the names of all the course's files and of those that
students get; it returns the new text, and a sentence for each thing that was changed.

a link to an exercise that is not released        →  its words, without the link
a link to what is not for students at all         →  the sentence goes; a heading left bare goes too
a row of a table that begins with a solution      →  the row goes
"""

import json
import posixpath
import re
from collections.abc import Callable

LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s#]+)(#[^)\s]*)?\)")
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z\[*`])")
HEADING = re.compile(r"^(#+) .*$", re.MULTILINE)
ROW = re.compile(r"^\| *`?solutions/.*\n", re.MULTILINE)
RULE = re.compile(r"^(?=[\w$.][^=\n]*:(?!=))", re.MULTILINE)
MAKE = re.compile(r"\bmake (\w+)")
FOR_STUDENTS = """\
## Read, run, hand in

- **Read** the pages: `make serve` builds the book and opens it on localhost (with Python 3.11 or
  newer, git and make; under two minutes the first time).
- **Run** a chapter with the buttons at its top (Colab, Binder), or on your own machine:
  `pip install -e ".[run]"` in a virtual environment, then `jupyter lab`.
- **Do the exercises** in `exercises/`: write the functions, call `check(…)`; where a claim fails it
  asks you a question, and `hint(…)` helps in three steps. Save the notebook, then hand it in.
"""


def dead(link: re.Match, name: str, everything: set[str], given: set[str]) -> str:
    """The file of the course that a link leads to and that students do not get, or nothing."""
    target = posixpath.normpath(posixpath.join(posixpath.dirname(name), link[2]))
    there = any(f"{file}/".startswith(f"{target}/") for file in everything)
    given_too = any(f"{file}/".startswith(f"{target}/") for file in given)
    return target if there and not given_too else ""


def unlinked(text: str, lost: Callable[[re.Match], str], changes: list[str]) -> str:
    """The text with each lost link to an exercise as plain words, and other sentences gone."""

    def words(link):
        target = lost(link)
        if not target.startswith("exercises/"):
            return link[0]
        changes.append(f"“{link[1]}” is no longer a link, for {target} is not released.")
        return link[1]

    text = LINK.sub(words, text)
    blocks = re.split(r"(\n(?:[ \t]*\n)+|\n(?=[-*] ))", text)  # and what stands between them
    for n, block in enumerate(blocks):
        if any(map(lost, LINK.finditer(block))):
            sentences = SENTENCE.split(block)
            kept = [s for s in sentences if not any(map(lost, LINK.finditer(s)))]
            gone = [s for s in sentences if s not in kept]
            changes += [f"left out: {sentence.strip()}" for sentence in gone]
            blocks[n] = " ".join(kept)
    return bare("".join(blocks))


def bare(text: str) -> str:
    """The text without the headings that have nothing left below them.

    >>> bare("# Book\\n\\nWords.\\n\\n## Empty\\n\\n\\n## Full\\n\\nMore.\\n")
    '# Book\\n\\nWords.\\n\\n## Full\\n\\nMore.\\n'
    """
    return re.sub(r"^(#+) [^\n]*\n\s*(?=^#{1,6} |\Z)", keeps_a_part, text, flags=re.MULTILINE)


def keeps_a_part(heading: re.Match) -> str:
    """A heading stays if the next one is of a lower rank: then it has parts."""
    after = re.match(r"#+", heading.string[heading.end() :])
    return heading[0] if after and len(after[0]) > len(heading[1]) else ""


def page(text: str, name: str, everything: set[str], given: set[str]) -> tuple[str, list[str]]:
    """A page of the book, Markdown or a notebook."""
    changes: list[str] = []

    def lost(link):
        return dead(link, name, everything, given)

    def mended(source):
        rows = ROW.findall(source)
        changes.extend(f"left out: the row {row.strip()}" for row in rows)
        links = any(map(lost, LINK.finditer(source)))
        return unlinked(ROW.sub("", source), lost, changes) if links else ROW.sub("", source)

    if not name.endswith(".ipynb"):
        return mended(text), changes
    notebook = json.loads(text)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            source = "".join(cell["source"])
            cell["source"] = mended(source).splitlines(keepends=True)
    if not changes:
        return text, []
    return json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n", changes


def readme(text: str, name: str, everything: set[str], given: set[str]) -> tuple[str, list[str]]:
    """The first page of the repository: what is for students stays, and what they do is said."""
    parts = re.split(r"(?m)^(?=## )", text)
    kept = [
        part
        for part in parts
        if not any(dead(link, name, everything, given) for link in LINK.finditer(part))
        and not set(MAKE.findall(part)) - {"serve", "book"}
    ]
    gone = [part.partition("\n")[0].lstrip("# ") for part in parts if part not in kept]
    new = "".join([*kept[:-1], FOR_STUDENTS, "\n", *kept[-1:]])
    return new, [f"“{gone_part}” is left out." for gone_part in gone]


def toc(text: str, name: str, everything: set[str], given: set[str]) -> tuple[str, list[str]]:
    """The table of contents, with the pages that there are.

    >>> pages = "  - file: a\\n    sections:\\n      - file: deeper\\n  - file: b\\n"
    >>> toc(pages, "_toc.yml", set(), {"a.md", "b.md"})
    ('  - file: a\\n  - file: b\\n', ['deeper is left out.'])
    """
    kept, changes, pages = [], [], {file.rpartition(".")[0] for file in given}
    for line in text.splitlines(keepends=True):
        entry = re.match(r"\s*- file: *(\S+)", line)
        if entry and entry[1] not in pages:
            changes.append(f"{entry[1]} is left out.")
        else:
            kept.append(line)
    # A page may be left with no page below it.
    return re.sub(r"(?m)^( *)sections:\n(?!\1 *- )", "", "".join(kept)), changes


def makefile(text: str, name: str, everything: set[str], given: set[str]) -> tuple[str, list[str]]:
    """The commands that work for students: those that need neither tests nor other tools."""
    head, *rules = RULE.split(text)

    def works(rule):
        tools = re.findall(r"\btools/\w+\.py", rule)
        return "$(TEST)" not in rule and set(tools) <= given

    kept = [rule for rule in rules if works(rule)]
    names = {rule.partition(":")[0] for rule in kept}
    gone = [rule.partition(":")[0] for rule in rules if rule not in kept]
    body = re.sub(
        r"(?m)^(\.PHONY:)(.*)$",
        lambda line: " ".join([line[1], *(word for word in line[2].split() if word in names)]),
        head + "".join(kept),
    )
    return without_unused(body), [f"make {rule} is left out." for rule in gone if rule.isalpha()]


def without_unused(makefile: str) -> str:
    """A makefile without the variables that nothing in it uses.

    >>> without_unused("A := 1\\nB := $(A)\\nC := 2\\nall:\\n\\techo $(C)\\n")
    'C := 2\\nall:\\n\\techo $(C)\\n'
    """
    for line, name in re.findall(r"(?m)^((\w+) [:?]?= .*\n)", makefile):
        if name != "SHELL" and f"$({name})" not in makefile.replace(line, ""):
            return without_unused(makefile.replace(line, ""))
    return makefile
