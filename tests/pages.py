"""What a chapter's page shows, as a reader finds it among the outputs of its cells."""

import json
import re
from functools import cache
from pathlib import Path

CHAPTERS = Path(__file__).parent.parent / "chapters"


@cache
def page(chapter: str) -> str:
    """All that the cells of a chapter printed or showed, as plain text with single blanks."""
    cells = json.loads((CHAPTERS / f"{chapter}.ipynb").read_text(encoding="utf-8"))["cells"]
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    texts = [o.get("text") or o.get("data", {}).get("text/plain", "") for o in outputs]
    return re.sub(r"\s+", " ", " ".join("".join(text) for text in texts))


@cache
def drawn(chapter: str) -> str:
    """The numbers behind a chapter's pictures, as text with single blanks."""
    cells = json.loads((CHAPTERS / f"{chapter}.ipynb").read_text(encoding="utf-8"))["cells"]
    outputs = [output.get("data", {}) for cell in cells for output in cell.get("outputs", [])]
    pictures = ["".join(data["text/html"]) for data in outputs if "text/html" in data]
    tables = [html.partition("<details>")[2] for html in pictures if "firth-picture" in html]
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", " ".join(tables)))


def shows(chapter, *lines):
    missing = [line for line in lines if line not in page(chapter)]
    assert not missing, missing
