"""Written answers, wherever near their place a student has put them."""

import ast
import re

from firth.grading.inbox.replay import tree_of

# Nowhere more than a few blanks: where any number may stand, a pattern takes its time.
MARKER = re.compile(
    r"\*\*\s{0,9}your answer\s{0,9}:?\s{0,9}\*\*\s{0,9}\(?\s{0,9}`(\w+)`\s{0,9}\)?", re.IGNORECASE
)
RUBRIC = re.compile(r"""\brubric\(\s{0,9}["'](\w+)["']\s{0,9}\)""")
RELEASED = re.compile(
    r"(?m)^[ \t]{0,9}[*_]{0,3}write your answer here\.?[*_]{0,3}[ \t]*$", re.IGNORECASE
)
HEADING = re.compile(r"\s*#{1,2}\s")  # smaller headings are the student's own


def answers(cells: list[tuple[str, str]]) -> dict[str, str]:
    """The written answers by question, wherever near its place a student has put one.

    A zone runs from the cell that shows the rubric, or from the marker, to the next large heading
    or code. Prose in a code cell is text. The last zone with words counts, one with a marker first.
    """
    zones: list[tuple[str, list[str], list[bool]]] = []  # question, texts, whether marked
    active = False
    for kind, source in cells:
        shown = RUBRIC.search(source) if kind == "code" else None
        pieces = MARKER.split(source)  # text, question, text, question, text …
        if shown:
            zones.append((shown[1], [], [False]))
            active = True
        elif len(pieces) == 1 and source.strip():
            active = active and (is_prose(source) if kind == "code" else not HEADING.match(source))
        if active and not shown and not (len(pieces) > 1 and HEADING.match(source)):
            zones[-1][1].append(pieces[0])
        for name, text in zip(pieces[1::2], pieces[2::2], strict=True):
            if not active or zones[-1][0] != name or zones[-1][2][0]:
                zones.append((name, [], [False]))
            zones[-1][2][0] = active = True
            zones[-1][1].append(text)
    found = dict.fromkeys((name for name, _, _ in zones), "")
    for name, texts, _ in sorted(zones, key=lambda zone: zone[2][0]):  # a later one replaces
        words = "\n\n".join(filter(None, (RELEASED.sub("", text).strip() for text in texts)))
        found[name] = words or found[name]
    return found


def is_prose(source: str) -> bool:
    """Whether a code cell holds no code: only words, a comment or a text in quotes."""
    tree = tree_of(source)[1]
    if tree is None:
        return True
    return all(isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant) for s in tree.body)
