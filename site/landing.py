"""The parts of the first page that are computed when the book is built.

The sentence that says what the course is stands once, as the first paragraph of README.md.
The hours are sums of minutes (`course_facts.py`). The model on the first page is the widget of a
chapter: its traits, script and stylesheet go into one file, which is loaded when a reader asks for
it.
"""

import html
import json
import math
import re
from pathlib import Path

import arc
import page_widgets
import yaml
from course_facts import chapters, hours, minutes, repository, said, sentence
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from firth.widgets import scripts

CHAPTER = "chapters/05_transformer"  # whose widget writes on the first page
TO_TRANSFORMERS = ("03_rnn", "04_attention", "05_transformer")  # what they need is read first
WRITER = "firth.widgets.transformer.austen_gpt.TransformerAusten"
CHOSEN = {"tau": 0.5, "seed": 5}  # at a low temperature nearly all of its words are spelled
COLAB = "https://colab.research.google.com/github"
MODEL = "austen_gpt.json"  # its file among the static files of the built book
# What it writes first, up to a full stop.
BEGINNING = "started to prevent that he was determined to her attentions of the party."
GUESSES = {  # the answer to each guess
    "A drink": "Yes, a hot drink: it is poured into cups and one blows on it, and these words "
    "around zorf told you so.",
    "An instrument": "Nobody pours an instrument into cups: the words around zorf fit a hot "
    "drink, although you have never seen the word.",
    "An animal": "Nobody pours an animal into cups: the words around zorf fit a hot drink, "
    "although you have never seen the word.",
}


def model(root: Path) -> dict:
    """The widget that writes: the traits that its chapter stores, its script and its stylesheet."""
    stored = page_widgets.stored(root / f"{CHAPTER}.ipynb").values()
    traits = next((t for t in stored if t["_anywidget_id"] == WRITER), None)
    if not traits:
        raise ValueError(f"{CHAPTER} no longer shows {WRITER}, which the first page loads.")
    files = {
        "_esm": scripts.esm(page_widgets.script(traits)),
        "_css": scripts.SHEET.read_text("utf-8"),
    }
    return traits | CHOSEN | files


def model_file(root: Path) -> str:
    """The text of the file that the first page loads."""
    return json.dumps(model(root), ensure_ascii=False)


def numbers(weights: dict) -> int:
    """How many numbers the weights are."""
    return sum(math.prod(part["shape"]) for part in weights.values())


def hours_to_transformers(root: Path) -> int:
    """The hours of reading from a reader's first recurrent network to transformers."""
    times = minutes(root)
    return round(sum(times[name][0] for name in TO_TRANSFORMERS) / 60)


def first_screen(root: Path) -> str:
    """What stands under the title: the sentence, the facts, three doors and the model."""
    what, how = re.fullmatch(r"(.*?\.) (.*)", sentence(root)).groups()
    reading, exercises = hours(root)
    first, (minutes_of_first, _) = next(iter(minutes(root).items()))
    to_transformers = f"chapters 3 to 5, {hours_to_transformers(root)} hours"
    owner_and_name = repository(root).removeprefix("https://github.com/")
    colab = f"{COLAB}/{owner_and_name}/blob/main/chapters/{first}.ipynb"
    facts = (
        "Free and open, no account to read and try",
        f"{reading} hours of reading, {exercises} hours of exercises",
        f'NumPy and PyTorch, on a laptop or <a href="{colab}">in Colab</a>',
        "For students from the second year on, and for programmers",
        "You need some Python and matrices, and derivatives from chapter 2 on",
    )
    doors = [
        (f"chapters/{first}", "Start with chapter 1", said(minutes_of_first)),
        (f"chapters/{TO_TRANSFORMERS[0]}", "Only transformers", to_transformers),
    ]
    if (root / "reference" / "instructors.md").exists():  # students' repositories have none
        doors.append(("reference/instructors", "Teach with it", "14 weeks, automatic grading"))
    listed = "".join(f"<li>{fact}</li>" for fact in facts)
    linked = "".join(
        f'<a href="{page}.html">{name} <small>{note}</small></a>' for page, name, note in doors
    )
    return f"""<div class="first-screen">
<div class="first-what">
<p class="first-sentence">{html.escape(what)}</p>
<p>{html.escape(how)}</p>
<ul class="first-facts">{listed}</ul>
<p class="first-doors">{linked}</p>
</div>
{writer(root)}
</div>"""


def writer(root: Path) -> str:
    """The place of the model that writes, before its file is loaded."""
    widget = model(root)
    million = numbers(widget["weights"]) / 1e6
    size = len(model_file(root)) / 1e6
    return f"""<figure class="first-model">
<div class="firth-widget" data-later="_static/{MODEL}">
<p class="first-text"><b>{html.escape(widget["prompt"])}</b>{html.escape(BEGINNING)} …</p>
<p class="first-about">The words are English, and the sentence makes no sense. A small transformer
wrote it letter by letter: it has {million:.1f} million parameters and has read two novels of Jane
Austen. It runs here, in your browser.</p>
<p><button type="button" class="first-write">Let it write on</button>
<small>loads {size:.1f} MB</small></p>
<noscript><p>The model needs JavaScript.</p></noscript>
<p class="first-status" role="status"></p>
</div>
<figcaption><a href="{CHAPTER}.html">You build this in chapter 5</a>. The same code also runs
SmolLM2, a published model with 135 million parameters.</figcaption>
</figure>"""


def guess(root: Path) -> str:
    """A sentence with an unknown word, three buttons to guess it, and room for the answer."""
    buttons = "".join(
        f'<button type="button" aria-pressed="false" data-answer="{answer}">{name}</button>'
        for name, answer in GUESSES.items()
    )
    return f"""<div class="first-guess">
<p><q>She poured the zorf into two cups and blew on hers.</q> You have never seen the word
<i>zorf</i>. What is it?</p>
<p class="first-guesses" role="group" aria-label="What is a zorf?">{buttons}</p>
<p role="status"></p>
<noscript><p>{GUESSES["A drink"]}</p></noscript>
</div>"""


def cards(root: Path) -> str:
    """The seven chapters with how long reading and the exercise take."""
    times = {
        name: f"{said(reading)} to read"
        + (f"<br>{said(exercise)} for the exercise" if exercise else "")
        for name, (reading, exercise) in minutes(root).items()
    }
    return arc.arc(times)


def citation(root: Path) -> str:
    """How to cite the course, as CITATION.cff has it."""
    cited = yaml.safe_load((root / "CITATION.cff").read_text(encoding="utf-8"))
    named = ", ".join(
        one.get("name") or f"{one['given-names']} {one['family-names']}" for one in cited["authors"]
    )
    told = f"{html.escape(named)}. <cite>{html.escape(cited['title'])}</cite>"
    return f"<p><strong>To cite it:</strong> {told}, version {cited['version']}. {cited['url']}</p>"


class Part(SphinxDirective):
    """A directive that puts one computed part into a page."""

    make = staticmethod(first_screen)

    def run(self) -> list[nodes.Node]:
        root = Path(self.env.srcdir)
        notebooks = (
            root / f / f"{n}.ipynb" for n in chapters(root) for f in ("chapters", "exercises")
        )
        for path in (root / "README.md", root / "CITATION.cff", root / "_toc.yml", *notebooks):
            self.env.note_dependency(str(path))
        return [nodes.raw("", self.make(root), format="html")]


DIRECTIVES = {
    name: type(name, (Part,), {"make": staticmethod(make)})
    for name, make in (
        ("first-screen", first_screen),
        ("guess", guess),
        ("cards", cards),
        ("citation", citation),
    )
}
