"""checks.html: one picture of what a class can do, and under it the questions that it got.

A bar for each check, as wide as the class: passed, failed, not written. No student is named, so
that the page can be shown to the class.
"""

from html import escape

from firth.grading.results.class_table import NOT_WRITTEN, Check, Outcome
from firth.grading.results.inert import document, said
from firth.grading.results.record import Grades, place

NAME, BAR, COUNT, LINE, TOP = 190, 360, 60, 26, 40  # widths and heights in the picture
SHORT = 24  # letters of a check's name
KINDS = (("passed", "passed"), ("failed", "failed"), ("blank", "not written"))
RESULTS = {
    "stopped": "stopped with an error",
    "too slow": "too slow",
    "died": "the program ended",
    "too much": "returned far too much",
    "follows": "fails because of another answer",
    "waits": "the numbers are not right, so this was not judged",
}
STYLE = """
main { max-width: 46rem; }
.wide { overflow-x: auto; }
svg { display: block; width: 100%; min-width: 34rem; height: auto; font: 14px var(--sans); }
svg text { fill: var(--ink); }
svg .number { text-anchor: end; font-variant-numeric: lining-nums tabular-nums; }
svg .passed { fill: var(--good); }
svg .failed { fill: var(--bad); }
svg .blank { fill: var(--line); }
.count { font: 600 1rem/1.3 var(--sans); font-variant-numeric: lining-nums tabular-nums; }
"""


def parts(check: Check) -> list[tuple[str, int]]:
    """How many students passed, failed and have not written the answer, by the class of a bar."""
    failed = check.students - check.passed - check.not_written
    return [("passed", check.passed), ("failed", failed), ("blank", check.not_written)]


def picture(checks: list[Check]) -> str:
    """The bars as SVG: nothing in it is active, and a screen reader hears what they show."""
    marks = []
    for n, (kind, word) in enumerate(KINDS):
        x = NAME + 120 * n
        marks.append(f'<rect class="{kind}" x="{x}" y="8" width="14" height="14"/>')
        marks.append(f'<text x="{x + 20}" y="20">{word}</text>')
    for n, check in enumerate(checks):
        y, x = TOP + LINE * n, float(NAME)
        name = check.name if len(check.name) <= SHORT else f"{check.name[: SHORT - 1]}…"
        marks.append(f'<text class="number" x="{NAME - 10}" y="{y + 15}">{escape(name)}</text>')
        for kind, count in parts(check):
            width = BAR * count / max(check.students, 1)
            if count:
                box = f'x="{x:.1f}" y="{y}" width="{width:.1f}" height="{LINE - 6}"'
                marks.append(f'<rect class="{kind}" {box}/>')
            x += width
        shown = f"{check.passed} of {check.students}"
        marks.append(f'<text x="{NAME + BAR + 8}" y="{y + 15}">{shown}</text>')
    spoken = "; ".join(f"{c.name}: {c.passed} of {c.students} passed" for c in checks)
    size = f"0 0 {NAME + BAR + COUNT + 10} {TOP + LINE * len(checks)}"
    label = escape(f"A bar for each check. {spoken}.")
    return f'<svg viewBox="{size}" role="img" aria-label="{label}">{"".join(marks)}</svg>'


def item(each: Outcome, count: int) -> str:
    """A line about one outcome: how many, in which way, and the question they got."""
    if each.result == "fails":
        way = f" ({said(each.mistake)})" if each.mistake else ""
        return f'<li><span class="count">{count}</span>{way}: {said(each.question)}</li>'
    question = f": {said(each.question)}" if each.question else ""
    return f'<li><span class="count">{count}</span> {RESULTS.get(each.result, "")}{question}</li>'


def section(check: Check) -> str:
    """The claim of one check and what the students who failed were asked, most frequent first."""
    others = {
        each: n
        for each, n in check.outcomes.items()
        if each.result != "passed" and each.result not in NOT_WRITTEN
    }
    listed = "".join(item(each, n) for each, n in others.items())
    passed = f"<span>{check.passed} of {check.students} passed</span>"
    title = f"<h2><code>{said(check.name)}</code>{passed}</h2>"
    blank = f"<p>{check.not_written} have not written it.</p>" if check.not_written else ""
    claim = f"<p>The answer {said(check.claim)}.</p>"
    return f"<section>{title}{claim}<ul>{listed}</ul>{blank}</section>"


def page(checks: list[Check], exercise: str) -> str:
    """The picture of all checks, and a section for each that was failed, the most failed first."""
    failed = [check for check in checks if dict(parts(check))["failed"]]
    failed.sort(key=lambda check: -dict(parts(check))["failed"])
    class_ = max((check.students for check in checks), default=0)
    title = f"What {class_} students can do"
    main = f"""\
<header>
<p class="course">The Company Words Keep · {said(exercise)}</p>
<h1>{title}</h1>
<p>Each bar is one check: a sentence that should be true of an answer. Below stand the checks that
were failed most often, with the questions that the students got. A name before a question is that
of the mistake to which it belongs.</p>
</header>
<section><div class="wide">{picture(checks)}</div></section>
{"".join(map(section, failed))}"""
    return document(f"{said(exercise)}: {title}", main, STYLE)


def write(grades: Grades, checks: list[Check], exercise: str) -> None:
    place(grades.folder / "checks.html", page(checks, exercise))
