"""Why a claim does not hold, for an instructor: what went in, what came out, what should have.

cosine.2 of ada  →  each call of that claim, beside what the reference returns
"""

import hashlib
from pathlib import Path

import numpy as np

from firth.checks.answers import Stopped, copied, plain
from firth.checks.variants import variant_of
from firth.grading.inbox.notebook import notebook
from firth.grading.inbox.submissions import Submission
from firth.grading.run.grade import warm
from firth.grading.run.judging import chance
from firth.grading.run.plan import Plan
from firth.grading.run.questions import NoQuestions, asked
from firth.grading.supervisor.playing import played
from firth.grading.supervisor.remote import Remote

WIDE = {"precision": 6, "linewidth": 96, "threshold": 200, "suppress": True}


class Watched(Remote):
    """An answer that keeps its calls."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.calls: list[tuple[tuple, np.ndarray | Stopped]] = []

    def __call__(self, *inputs):
        kept = copied(inputs)
        try:
            value = super().__call__(*inputs)
        except Stopped as reason:
            self.calls.append((kept, reason))
            raise
        self.calls.append((kept, value))
        return value


def submission_of(record: dict) -> Submission:
    """What a record is about, where it was when it was graded."""
    return Submission(
        student=record["student"],
        name=record["file"],
        path=Path(record["path"]),
        member=record["member"],
        ids=record["ids"],
        route=tuple(record["route"]),
    )


def unchanged(record: dict) -> bytes:
    """The bytes that a record is about, if they are still the same."""
    data = submission_of(record).data()
    if hashlib.sha256(data).hexdigest() != record["sha256"]:
        raise NoQuestions(f"{record['file']} has changed since it was graded: grade it again.")
    return data


def explained(record: dict, plan: Plan, name: str, number: int) -> str:
    """One claim of one submission, judged once more before the instructor's eyes."""
    questions = asked(plan.exercise, plan.checks)
    found = {answer.name: answer for answer in questions.answers}
    if name not in found or not 1 <= number <= len(found[name].claims):
        there = ", ".join(f"{a.name}.1–{len(a.claims)}" for a in questions.answers)
        raise NoQuestions(f"There is no claim {name}.{number}; there are {there}.")
    answer = variant_of(found[name], plan.forms.get(record["student"], ""))
    data = unchanged(record)
    cells = notebook(data).code
    play = played(warm(plan), cells, questions.names, plan.timeout, plan.memory)
    try:
        seed = plan.inputs(data)
        copy = play.shared()
        source = "\n".join(cells)
        answered = Watched(name, copy, chance(seed), plan.timeout, source, None, plan.memory)
        verdict = answer.verdict(number - 1, answered, seed)
    finally:
        play.leave()
    said = "holds" if verdict.holds else f"does not hold: {verdict.message}"
    lines = [f"{name}.{number}, of {record['student']} ({record['file']})"]
    lines += [f"The claim: {verdict.claim}.", f"It {said}", ""]
    if answered.heard:
        lines += [f"What the student's code said: {answered.heard}", ""]
    for n, (inputs, value) in enumerate(answered.calls, start=1):
        lines += [f"Call {n} of {len(answered.calls)}", shown(f"{name}(", inputs, ")")]
        lines += [shown("  returned ", (value,))]
        lines += [shown("  reference ", (reference(answer, inputs),))]
    if not answered.calls:
        lines.append("It was not called: nothing of this name could be found, or its cell failed.")
    return "\n".join(lines)


def reference(answer, inputs: tuple) -> object:
    """What the reference returns, or why it cannot be asked."""
    try:
        return plain(answer.right(*copied(inputs)))
    except Exception as error:
        return f"cannot be asked this ({type(error).__name__})"


def shown(before: str, values: tuple, after: str = "") -> str:
    """Values as Python writes them, indented, and cut where they would fill the screen."""
    with np.printoptions(**WIDE):
        texts = [
            str(value) if isinstance(value, Stopped | str) else repr(value) for value in values
        ]
    text = ",\n".join(text if len(text) < 2_000 else f"{text[:2_000]} …" for text in texts)
    return f"  {before}{text}{after}".replace("\n", "\n    ")
