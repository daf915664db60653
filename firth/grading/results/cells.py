"""A stranger's text and numbers as a spreadsheet may open them: no formula, nothing unseen."""

import csv
import io
import re
import unicodedata
from collections.abc import Iterable

FORMULA = re.compile("[=+@\t\r\uff0b\uff1d\uff20\uff0d-]")
PLAIN_NUMBER = re.compile(r"[-+]?\d+([.,]\d+)?")
UNSEEN = {"\u061c", "\u200b", "\u200e", "\u200f", "\u2060", "\ufeff"}
UNSEEN |= {chr(n) for n in (*range(0x202A, 0x202F), *range(0x2066, 0x206A))}  # turn the order round


def total(points: Iterable[float | int]) -> float | int:
    """A sum in which ten tenths are one, whole where it can be.

    >>> total([1, 0.5, 0.5]), total([0.1] * 3)
    (2, 0.3)
    """
    exact = round(float(sum(points)), 4)
    return int(exact) if exact.is_integer() else exact


def harmless(text: str) -> str:
    """A stranger's text with its unseen characters made visible, and lines ended one way.

    >>> harmless("total\\u202e01\\r\\n")
    'total⟨U+202E⟩01\\n'
    """
    if text.isprintable():  # as most are: no letter need be looked at
        return text
    return "".join(
        f"⟨U+{ord(letter):04X}⟩"
        if letter in UNSEEN
        or (letter not in "\n\t" and unicodedata.category(letter) in ("Cc", "Cs"))
        else letter
        for letter in re.sub("\r\n?|[\u2028\u2029]", "\n", text)
    )


def cell(value: object) -> object:
    """A value as a spreadsheet may open it: what looks like a formula gets an apostrophe.

    >>> cell("=1+1"), cell(" @x"), cell(-1), cell("-1.5")
    ("'=1+1", "' @x", -1, '-1.5')
    """
    if not isinstance(value, str):
        return value
    text = harmless(value)
    start = text.lstrip("' \n\u00a0\u3000")
    danger = FORMULA.match(start) or FORMULA.match(text)
    return f"'{text}" if danger and not PLAIN_NUMBER.fullmatch(text) else text


def uncell(text: str) -> str:
    """What `cell` was given, but for what it made visible."""
    return text[1:] if text.startswith("'") and cell(text[1:]) == text else text


def sheet(rows: Iterable[list], excel: bool = False) -> bytes:
    """Rows as a file of comma-separated values; `excel` asks for the mark that tells it UTF-8.

    >>> sheet([["student", "score"], ["=ada", 1]])
    b'"student","score"\\r\\n"\\'=ada",1\\r\\n'
    """
    text = io.StringIO(newline="")
    # Quoted, so that a semicolon does not end a cell where Excel takes it for a comma.
    csv.writer(text, quoting=csv.QUOTE_NONNUMERIC).writerows([map(cell, row) for row in rows])
    return text.getvalue().encode("utf-8-sig" if excel else "utf-8")
