"""The overlap of a class as a sheet and as a page, for the instructor's eyes.

Students' code stands on the page as text: escaped, its unseen characters shown, on a page that
forbids its own browser to load or run anything.
"""

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from firth.grading.results.cells import harmless, sheet
from firth.grading.results.compared import NOISE, Overlaps, Pair
from firth.grading.results.inert import document, named, said
from firth.grading.results.record import Grades, place

SHOWN = 50  # pairs side by side; the sheet has them all
HEADER = ["student", "other student", "overlap %", "characters in common", "only these two %"]
MORE_STYLE = """
main { max-width: 76rem; }
p, ul { max-width: 42rem; }
table { border-collapse: collapse; font: 1rem/1.4 var(--sans); margin: 0 0 1.2rem; }
caption { text-align: left; color: var(--soft); padding-bottom: 0.4rem; }
th, td { text-align: left; padding: 0.3rem 1.2rem 0.3rem 0; border-bottom: 1px solid var(--line); }
td.number, th.number { text-align: right; font-variant-numeric: lining-nums tabular-nums; }
.wide { overflow-x: auto; }
summary { font: 600 1rem/1.5 var(--sans); cursor: pointer; padding: 0.4rem 0; }
.both { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; }
.both h3 { font: 600 1rem/1.3 var(--sans); margin: 0 0 0.4rem; }
.both > div { min-width: 0; }
pre { background: var(--surface); padding: 0.8rem; margin: 0; overflow-x: auto;
  font: 0.85rem/1.5 var(--mono); font-variant-ligatures: none; }
mark { background: none; color: inherit; border-bottom: 2px solid var(--word); }
@media (max-width: 575px) { .both { grid-template-columns: 1fr; } }
"""
MEANS = f"""
<h2>What a number means</h2>
<p>copydetect has read the functions that each student wrote, without what was released. Names,
comments, spaces and texts count by their kind, not by what they say, so renaming and moving
comments hide nothing. <b>Overlap</b> is how much of the shorter code stands in runs of at least
{NOISE} characters that the other has as well. <b>Only these two</b> is how many of these runs no
third student has.</p>
<ul>
<li>A high number says that two texts are alike, not why. Both may have the same source: a book, an
assistant, the published solution, a tutorial that they attended together. Read the pair, and then
ask.</li>
<li>A short function has few ways to be written. Where a line is the textbook&#x27;s, everybody has
it: compare a number with the median of your class, and look at what <i>only these two</i> have. An
odd detail that two share, a mistake most of all, says more than a hundred usual lines.</li>
<li>A low number proves nothing either: who rewrites a copy line by line is not found, nor is who
copied from somebody outside this class.</li>
</ul>"""


def percent(share: float) -> str:
    return f"{100 * share:.0f}"


def row(pair: Pair) -> list:
    shares = int(percent(pair.overlap)), pair.shared, int(percent(pair.alone))
    return [pair.one, pair.other, *shares]


def listing(code: str, runs: list[tuple[int, int]]) -> str:
    """A code with its runs marked.

    >>> listing("a < b", [(2, 3)])
    '<pre>a <mark>&lt;</mark> b</pre>'
    """
    parts, at = [], 0
    for start, end in runs:
        parts += [
            escape(harmless(code[at:start])),
            f"<mark>{escape(harmless(code[start:end]))}</mark>",
        ]
        at = end
    return f"<pre>{''.join(parts)}{escape(harmless(code[at:]))}</pre>"


def side_by_side(pair: Pair, number: int, code: Mapping[str, str]) -> str:
    halves = "".join(
        f"<div><h3>{named(student)}</h3>{listing(code[student], runs)}</div>"
        for student, runs in zip((pair.one, pair.other), pair.runs, strict=True)
    )
    title = f"{number}. {named(pair.one)} and {named(pair.other)}: {percent(pair.overlap)} %"
    return f'<details><summary>{title}</summary><div class="both">{halves}</div></details>'


def page(found: Overlaps, exercise: str, paid: Sequence[str] = ()) -> str:
    """The pairs worth a look, what their numbers mean, and their code side by side.

    `paid` are students who have points and no code that could be compared.
    """
    n, shown = len(found.pairs), found.pairs[:SHOWN]
    title = "No pair stands out" if not n else f"{n} pair{'s' * (n > 1)} worth a look"
    rows = "".join(
        f"<tr><td>{named(p.one)}</td><td>{named(p.other)}</td>"
        + "".join(f'<td class="number">{value}</td>' for value in row(p)[2:])
        + "</tr>"
        for p in shown
    )
    heads = "".join(
        f'<th scope="col"{f" class={chr(34)}number{chr(34)}" if i > 1 else ""}>{head}</th>'
        for i, head in enumerate(HEADER)
    )
    caption = f"From {percent(found.threshold)} % on, most alike first"
    more = f"<p>And {n - SHOWN} more in overlap.csv.</p>" if n > SHOWN else ""
    table = (
        f'<div class="wide"><table><caption>{caption}</caption><thead><tr>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>{more}"
    )
    code = found.code | found.references
    details = "".join(side_by_side(pair, i, code) for i, pair in enumerate(shown, start=1))
    silent = sum(not text for text in found.code.values())
    left = f" {silent} wrote no function of their own." if silent else ""
    compared = f"{len(found.code) - silent} students with each other"
    compared += "".join(f", and each with {said(name)}" for name in found.references)
    if paid:
        left += f" Of them, these have points: {', '.join(map(named, paid))}."
    main = f"""\
<header>
<p class="course">The Company Words Keep · {said(exercise)} · for the instructor</p>
<h1>{title}</h1>
<p>{found.compared} pairs were compared: {compared}. Half of the pairs of students have an overlap
of {percent(found.median)} % or less: that is usual here.{left}</p>
</header>
<section>{table if n else ""}{MEANS}</section>
{f"<section><h2>Side by side</h2>{details}</section>" if n else ""}"""
    return document(f"{said(exercise)}: {title}", main, MORE_STYLE)


def write(grades: Grades, found: Overlaps, exercise: str, paid: Sequence[str] = ()) -> list[Path]:
    """overlap.csv and overlap.html in the folder of the grades."""
    median = int(percent(found.median))
    rows = [[*row(pair), median] for pair in found.pairs]
    return [
        place(grades.folder / "overlap.csv", sheet([[*HEADER, "median of the class %"], *rows])),
        place(grades.folder / "overlap.html", page(found, exercise, paid)),
    ]
