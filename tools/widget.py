"""Begin a new widget: `make widget NAME=lsa_spectrum` writes its module, its script and its states.

What is written works and passes the widgets' tests. It shows a number and its square: put your own
traits, numbers and picture in their place, in Python and JavaScript alike.
"""

import argparse
import re
import sys
from pathlib import Path

import chapter_pages

COURSE = Path(__file__).parent.parent
CHAPTERS = sorted(map(chapter_pages.noun, chapter_pages.CHAPTERS))
MODULE = '''"""Say in one line what this view shows."""

import traitlets as t

from firth.display import table
from firth.widgets.base import Widget


class {kind}(Widget):
    """Ask the question that this view answers.

    >>> {kind}(n=3).answer()
    {{'square': 9}}
    """

    n = t.Int(2, min=1, max=10).tag(sync=True, choice=True)

    def answer(self) -> dict:
        return {{"square": self.n**2}}

    def fallback(self) -> str:
        rows = [[self.n, self.answer()["square"]]]
        return table(rows, ["n", "its square"], "A number and its square")._repr_html_()
'''
SCRIPT = """\
import {{ block, live, output, range }} from "../controls.js";

export const traits = ["n"];

export function answer({{ n }}) {{
  return {{ square: n ** 2 }};
}}

export const spoken = ({{ square }}, {{ n }}) => `The square of ${{n}} is ${{square}}.`;

function render({{ model, el }}) {{
  const parts = [
    range(model, "n", "A number n", {{ min: 1, max: 10 }}),
    block("", "Its square is ", output("square"), "."),
  ];
  return live({{ model, el }}, {{ name: "{css}", parts, traits, answer, spoken }});
}}

export default {{ render }};
"""
STATES = '''"""States of {kind} that a reader may reach."""

from functools import partial

from hypothesis import strategies as st

from firth.widgets.{chapter}.{noun} import {kind}


def made(n: int) -> partial:
    return partial({kind}, n=n)


STRATEGIES = {{{kind}: st.integers(1, 10).map(made)}}
'''


def files(name: str) -> dict[str, str]:
    """The files of a new widget and what stands in them, by their names in the course.

    >>> list(files("linear_attention_state"))
    ['firth/widgets/linear_attention/state.py', 'firth/widgets/linear_attention/state.js', \
'tests/strategies/linear_attention_state.py']
    """
    chapter = max((c for c in CHAPTERS if name.startswith(f"{c}_")), key=len)
    noun = name.removeprefix(f"{chapter}_")
    words = {"chapter": chapter, "noun": noun, "kind": class_name(name)}
    words["css"] = name.replace("_", "-")
    return {
        f"firth/widgets/{chapter}/{noun}.py": MODULE.format(**words),
        f"firth/widgets/{chapter}/{noun}.js": SCRIPT.format(**words),
        f"tests/strategies/{name}.py": STATES.format(**words),
    }


def class_name(name: str) -> str:
    """The class of a widget.

    >>> class_name("lsa_spectrum")
    'LsaSpectrum'
    """
    return name.title().replace("_", "")


def refusal(name: str, root: Path) -> str:
    """What is wrong with a name, or nothing."""
    if not re.fullmatch(rf"({'|'.join(CHAPTERS)})(_[a-z][a-z0-9]*)+", name):
        begins = ", ".join(CHAPTERS)
        return f"{name!r} is no name for a widget: write chapter_noun, with one of {begins}."
    there = [file for file in files(name) if (root / file).exists()]
    return f"{there[0]} is there already: choose another name." if there else ""


def main(arguments: list[str] | None = None, root: Path = COURSE) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("name", help="chapter_noun, such as lsa_spectrum")
    name = parser.parse_args(arguments).name
    if problem := refusal(name, root):
        sys.exit(problem)
    for file, text in files(name).items():
        (root / file).write_text(text, encoding="utf-8")
        print(f"written: {file}")
    tests = "tests/widgets/test_parity.py tests/widgets/test_widgets.py"
    print(f"Verify it with: {sys.executable} -m pytest {tests} -k {class_name(name)}")


if __name__ == "__main__":
    main()
