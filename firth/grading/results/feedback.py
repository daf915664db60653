"""The page a student gets back: what holds, what to ask oneself, and nothing that could act.

Whatever a student has written stands on it as inert text (see inert.py). What is the
instructor's alone (details, inputs, the seed) is not taken from the record in the first place.
"""

from html import escape
from pathlib import Path

from firth.checks.claims import WAITS
from firth.checks.messages import said_once
from firth.grading.results.cells import total
from firth.grading.results.inert import document, named, said
from firth.grading.results.marking import Correction
from firth.grading.results.record import Grades, key, place
from firth.grading.results.standing import GRADED, WITHDRAWN, standing

WORDS = {"fails": "not yet"}  # how the state of a claim is said, where its name does not do
STATES = {
    "missing": "No function of this name was found in the notebook. What will be asked of it:",
    "blank": "Not written yet. What will be asked of it:",
}
TITLES = {
    "unreadable": "This file could not be read",
    "refused": "This file was not accepted",
    "not graded": "Not graded yet",
    "withheld": "Not graded yet: whose notebook is this?",
    WITHDRAWN: "This file was withdrawn",
}
SET = "Your teacher has set this to {} points: {}"
MOST = 100  # cells in a list


def of(points: float | int, possible: float | int) -> str:
    return f"{total([points])} of {total([possible])}"


def claims(answer: dict) -> str:
    """Each claim with its sign and the sign's name in words; a question said once is not again."""
    asked = answer["status"] in STATES
    items = []
    messages = said_once([claim["message"] for claim in answer["claims"]])
    for claim, message in zip(answer["claims"], messages, strict=True):
        sign, word = ("✓", "holds") if claim["holds"] else ("✗", claim["status"])
        if asked:
            sign, word, message = "○", "asked", ""
        if message == WAITS:
            sign, word = "○", "waits"
        kind = {"✓": "holds", "✗": "fails"}.get(sign, "open")
        items.append(
            f'<li class="{kind}"><span class="sign" aria-hidden="true">{sign}</span> '
            f"<b>{escape(WORDS.get(word, word))}:</b> {said(claim['claim'])}"
            + (f'<p dir="auto">{said(message, 2000)}</p>' if message else "")
            + set_by_hand(claim.get("correction"), claim["points"])
            + "</li>"
        )
    return f"<ol>{''.join(items)}</ol>"


def set_by_hand(correction: Correction | None, possible: float | int) -> str:
    """A paragraph about points that a teacher has set, with the reason, or nothing."""
    if correction is None:
        return ""
    points = of(correction.points, possible)
    return f'<p class="comment" dir="auto">{SET.format(points, said(correction.reason, 2000))}</p>'


def answers(record: dict) -> str:
    """A part of the page for each answer."""
    return "".join(
        f"<section><h2><code>{said(answer['name'])}</code>"
        f"<span>{of(answer['score'], answer['points'])}</span></h2>"
        + set_by_hand(answer.get("correction"), answer["points"])
        + (f"<p>{STATES[answer['status']]}</p>" if answer["status"] in STATES else "")
        + claims(answer)
        + "</section>"
        for answer in record["answers"]
    )


def readers(record: dict, marks: dict) -> str:
    """The written answers, quoted, and what a reader gave them line by line."""
    parts = []
    for question in record["written"]:
        mark, text = marks.get(question["name"]), question["text"].strip()
        points = of(mark.points, len(mark.lines)) if mark and mark.complete else "not marked yet"
        part = f"<h2><code>{said(question['name'])}</code><span>{points}</span></h2>"
        part += f'<blockquote dir="auto">{said(text)}</blockquote>' if text else ""
        part += "" if text else "<p>Nothing was written.</p>"
        part += set_by_hand(mark.correction if mark else None, question["points"])
        if mark and any(given is not None for _, given in mark.lines):
            part += "<ol>"
            for line, given in mark.lines:
                points = "not marked yet" if given is None else of(given, 1)
                part += f"<li><b>{points}:</b> {escape(line)}</li>"
            part += "</ol>"
        if mark and mark.comment:
            part += f'<p class="comment" dir="auto">The reader: {said(mark.comment)}</p>'
        parts.append(f"<section>{part}</section>")
    return "".join(parts)


def cells(record: dict) -> str:
    """The cells that did not run to their end, and why."""
    odd = [cell for cell in record["cells"] if cell["status"] != "ran"]
    if not odd:
        return ""
    items = "".join(
        f"<li><b>Cell {cell['cell']}, {said(cell['status'])}"
        + (f':</b> <bdi dir="auto">{said(cell["message"], 2000)}</bdi></li>')
        for cell in odd[:MOST]
    )
    more = f"<p>And {len(odd) - MOST} more.</p>" if len(odd) > MOST else ""
    return (
        "<section><h2>Cells that did not run to their end</h2><p>Counted from the top of the"
        " notebook, code cells alone. All others ran, and what they define counts.</p>"
        f"<ul>{items}</ul>{more}</section>"
    )


def page(record: dict, marks: dict | None = None) -> str:
    """One record as a page of its own; `marks` are those of this record, by question."""
    return document(*content(record, marks))


def content(record: dict, marks: dict | None = None) -> tuple[str, str]:
    """The title of a record's page, and what stands on it."""
    marks = marks or {}
    points, possible, _, due = standing(
        record, {key(record["student"], record["file"]): marks} if marks else {}
    )
    exercise, graded = said(record["exercise"]), record["status"] in GRADED
    student, file = named(record["student"]), named(record["file"])
    title = f"{of(points, possible)} points" if graded else TITLES.get(record["status"], "?")
    listed = "".join(f'<li dir="auto">{said(note, 2000)}</li>' for note in record["notes"][:MOST])
    body = answers(record) + readers(record, marks) if graded else ""
    example = record["answers"][0]["name"] + ".1" if graded and record["answers"] else ""
    ask = f" To ask about a claim, name it: <code>{said(example)}</code>." if example else ""
    footer = "Graded by the claims of the exercise, on inputs of the grader’s own." + ask
    wait = "<p>Some written answers are not marked yet, so this may grow.</p>"
    main = f"""\
<header>
<p class="course">The Company Words Keep · {exercise}</p>
<h1>{title}</h1>
<p class="whose">{student} · {file}</p>
{wait if graded and due else ""}
{f'<ul class="notes">{listed}</ul>' if listed else ""}
</header>
{body}{cells(record)}
{f"<footer><p>{footer}</p></footer>" if graded else ""}"""
    return f"{exercise}: {title}", main


def write(grades: Grades, records: list[dict], marks: dict) -> list[Path]:
    """A page for every record, under the record's own name."""
    return [
        place(grades.feedback / f"{name}.html", page(record, marks.get(name)))
        for record in records
        for name in [key(record["student"], record["file"])]
    ]
