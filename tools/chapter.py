"""Begin a new chapter: `make chapter NAME=mamba` writes its page, its deeper page and its packages.

The pages have the shape that CONTRIBUTING.md describes, with a note in each place that says what
belongs there. The chapter is listed in the table of contents and as a rewritten one, so that the
tests say what is still missing.
"""

import argparse
import json
import re
import sys
import tomllib
from pathlib import Path

from canonical import canonical
from chapter_pages import DEEPER, chapters_among
from first_cell import with_setup

COURSE = Path(__file__).parent.parent
OPENING = """\
# {number} · {title}: which question does this chapter answer?

*Say the question. Give the reader something to try in the first 600 pixels.*

**What you will be able to do.** *Two or three sentences.*

**What you need.** *What a reader must know, and how large the download is.* It takes 60 minutes."""
SECTIONS = (
    "What is the difficulty?",
    "What is the idea?",
    "How is it computed?",
    "What does it find in real text?",
    "What can it not do?",
)
SECTION = """\
## {question}

*One idea, a picture or a widget beside it, the equation and a line that reads it aloud, an example
for paper, the code, and one experiment.*

**What we know now.** *Two or three sentences, and the question that comes next.*"""
CLOSE = """\
## With the library

*The same result with the tools that people use at work, and both results side by side.*

## Since then

*What the field does today, with at least three sources from 2024 or later.*

## What to remember

- *Five to eight sentences, and then the quiz.*

Now do [Exercise {number}](../exercises/{stem}.ipynb).

More experiments stand on the [deeper page]({stem}{deeper}.ipynb)."""
MORE = """\
# {number} · {title}, deeper: what else is worth knowing?

[Chapter {number}]({stem}.ipynb) asks one question. This page has what does not serve it.

## What did the chapter leave out?

*A section for each question, which can be read alone.*"""
PACKAGES = {
    "firth/{name}/__init__.py": '"""Chapter {number}, {name}: say what the package holds."""\n',
    "firth/widgets/{name}/__init__.py": '"""The widgets of chapter {number}."""\n',
    "firth/checks/{name}/__init__.py": '"""The questions of exercise {number}."""\n',
}


def notebook(*texts: str) -> str:
    """A notebook of text cells, with one of imports after the first; it has not been run."""
    opening, *others = [{"cell_type": "markdown", "metadata": {}, "source": text} for text in texts]
    imports = {"cell_type": "code", "metadata": {"tags": ["hide-input"]}, "outputs": []}
    imports |= {"source": "import numpy as np", "execution_count": None}
    whole = {"cells": [opening, imports, *others], "metadata": {}, "nbformat": 4}
    return canonical(json.dumps(with_setup(whole | {"nbformat_minor": 5})))


def files(name: str, number: int) -> dict[str, str]:
    """The new files of a chapter and what stands in them, by their names in the course.

    >>> list(files("mamba", 8))[:2]
    ['chapters/08_mamba.ipynb', 'chapters/08_mamba_deeper.ipynb']
    """
    words = {"name": name, "number": number, "stem": f"{number:02}_{name}", "deeper": DEEPER}
    words["title"] = name.replace("_", " ").capitalize()
    sections = [SECTION.format(question=question) for question in SECTIONS]
    texts = [OPENING.format(**words), *sections, CLOSE.format(**words)]
    return {
        f"chapters/{words['stem']}.ipynb": notebook(*texts),
        f"chapters/{words['stem']}{DEEPER}.ipynb": notebook(MORE.format(**words)),
        **{path.format(**words): text.format(**words) for path, text in PACKAGES.items()},
    }


def listed(toc: str, stem: str) -> str:
    """A table of contents with the chapter and its deeper page after the last chapter.

    >>> print(listed("  - file: chapters/07_a\\n  - file: exercises/07_a", "08_b"))
      - file: chapters/07_a
      - file: chapters/08_b
        sections:
          - file: chapters/08_b_deeper
      - file: exercises/07_a
    """
    *_, last = re.finditer(
        r"(?m)^( *)- file: chapters/\d+_\w+\n(?: +sections:\n *- file: .*\n)?", toc
    )
    entry = "{0}- file: chapters/{1}\n{0}  sections:\n{0}    - file: chapters/{1}{2}\n"
    return toc[: last.end()] + entry.format(last[1], stem, DEEPER) + toc[last.end() :]


def with_limits(words: str, stem: str) -> str:
    """The settings of `make prose` with the chapter as a rewritten one that needs no terms yet."""
    pages = [*tomllib.loads(words)["rewritten"]]
    pages += [f"chapters/{stem}.ipynb", f"chapters/{stem}{DEEPER}.ipynb"]
    lines = "".join(f'  "{page}",\n' for page in pages)
    words = re.sub(r"(?ms)^rewritten = \[.*?\]\n", f"rewritten = [\n{lines}]\n", words)
    *_, last = tomllib.loads(words)["terms"]
    terms = re.search(rf"(?ms)^{last} = \[.*?\]\n", words)
    name = stem.partition("_")[2]
    return words[: terms.end()] + f"{name} = []\n" + words[terms.end() :]


def refusal(name: str, root: Path) -> str:
    """What is wrong with a name, or nothing."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or name.endswith(DEEPER):
        return f"{name!r} is no name for a chapter: write one noun, such as mamba."
    if (root / "firth" / name).exists():
        return f"firth/{name} is there already: choose another noun."
    return ""


def main(arguments: list[str] | None = None, root: Path = COURSE) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("name", help="the noun of the chapter, such as mamba")
    name = parser.parse_args(arguments).name
    if problem := refusal(name, root):
        sys.exit(problem)
    chapters = chapters_among(sorted((root / "chapters").glob("*.ipynb")))
    number = len(chapters) + 1
    changed = {
        path: change((root / path).read_text(encoding="utf-8"), f"{number:02}_{name}")
        for path, change in (("_toc.yml", listed), ("tools/prose_words.toml", with_limits))
    }
    for path, text in (files(name, number) | changed).items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
        print(f"written: {path}")
    tests = "tests/book/test_shape.py tests/book/test_layout.py tests/tools/test_prose.py"
    print(f"Run make notebooks. What is missing: {sys.executable} -m pytest {tests}")


if __name__ == "__main__":
    main()
