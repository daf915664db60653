"""The pages of feedback as archives that Canvas and Moodle give back to the students by themselves.

    feedback_canvas.zip   lovelaceada_1004_9004_01_lsa.ipynb, the name that Canvas gave the hand-in
    feedback_moodle.zip   Ada Lovelace_12345_assignsubmission_file/01_lsa feedback.html

Canvas looks in each name for the number of the student and then that of the file handed in, and
attaches what it finds as a comment, under the name of that file: so the page comes as a notebook of
one text cell (instructure/canvas-lms, app/models/abstract_assignment.rb,
infer_comment_context_from_filename). Moodle looks for a folder whose second part, between
underscores, is the number of a participant (moodle/moodle, mod/assign/feedback/file/
importziplib.php, is_valid_filename_for_import). Neither archive was ever tried on the platform.

Only what is final goes in: no page of a student whose written answer waits for a reader.
"""

import io
import json
import re
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from firth.grading.inbox.students import CANVAS, MOODLE, stem
from firth.grading.results.feedback import content, page
from firth.grading.results.record import Grades, key, place
from firth.grading.results.standing import GRADED, WITHDRAWN, best, standing

ONE_DAY = (1980, 1, 1, 0, 0, 0)  # of every entry, so that equal pages give equal archives


def final(records: Iterable[dict], marks: dict) -> Iterator[dict]:
    """The hand-in of each student that counts, but for those that wait for a reader."""
    there = [record for record in records if record["status"] != WITHDRAWN]
    for record, *_ in best(there, marks, lambda each: each["student"]).values():
        if record["status"] not in GRADED or not standing(record, marks).due:
            yield record


def as_notebook(record: dict, own: dict) -> str:
    """The page of a hand-in as a notebook of one text cell.

    A notebook reads its text as Markdown: in a single line of HTML nothing is a link or a formula.
    """
    _, main = content(record, own)
    line = re.sub(r"\n+", "&#10;", main.strip()).replace("$", "&#36;")
    cell = {"cell_type": "markdown", "id": "feedback", "metadata": {}, "source": [line]}
    whole = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, ensure_ascii=False, indent=1)


def canvas_name(record: dict) -> str:
    """What Canvas called the file that was handed in, as a notebook; "" if it is not from there.

    >>> canvas_name({"file": "x/ada_LATE_12_34_work.zip/01_lsa.ipynb", "ids": {"canvas": "12"}})
    'ada_LATE_12_34_work.ipynb'
    """
    ids = record.get("ids") or {}
    if not (ids.get("canvas") or ids.get("anonymous")):
        return ""
    steps = record["file"].split("/")
    return next((f"{stem(step)}.ipynb" for step in steps if CANVAS.fullmatch(step)), "")


def moodle_name(record: dict) -> str:
    """The folder of a student in Moodle's export and a name for the page in it, or ""."""
    number = (record.get("ids") or {}).get("moodle")
    steps = record["file"].split("/")
    owner = next((found for step in steps if (found := MOODLE.fullmatch(step))), None)
    if not number or owner is None:
        return ""
    folder = f"{owner['student']}_{number}_assignsubmission_file"
    return f"{folder}/{record['exercise']} feedback.html"


def archive(files: Iterable[tuple[str, str]]) -> bytes:
    """An archive of texts by name; of equal names the first."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in {name: text for name, text in reversed([*files])}.items():
            entry = zipfile.ZipInfo(name, ONE_DAY)
            entry.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(entry, text.encode(errors="backslashreplace"))
    return data.getvalue()


def write(grades: Grades, records: Iterable[dict], marks: dict) -> list[Path]:
    """Writes the archive of each platform that the class came from; an old one goes."""
    chosen = [*final(records, marks)]
    written = []
    for system, name_of, text_of in (
        ("canvas", canvas_name, as_notebook),
        ("moodle", moodle_name, page),
    ):
        path = grades.folder / f"feedback_{system}.zip"
        files = [
            (name, text_of(record, marks.get(key(record["student"], record["file"]), {})))
            for record in chosen
            if (name := name_of(record))
        ]
        if files:
            written.append(place(path, archive(files)))
        else:
            path.unlink(missing_ok=True)
    return written
