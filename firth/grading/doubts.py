"""What a notebook says that its teacher should hear before its points are used.

    disagreement(cells, plan, …)  →  why it is not graded: it was made for somebody else
    mistaken(cells, answers, …)   →  what seems to be wrong: another exercise, renamed functions

The cells are read by their syntax trees; nothing of them is run.
"""

import ast
import re
from difflib import get_close_matches

from firth.checks import questions
from firth.checks.claims import Exercise
from firth.checks.variants import spelled
from firth.grading.places import printable
from firth.grading.plan import Plan
from firth.grading.questions import Asked
from firth.grading.replay import bound, tree_of

NAMED = 3  # functions that a sentence names
NEAR = 0.8  # of 1: how like a missing name another is that is asked about
LONGEST = 60  # characters of what a student calls something


def called_by(cells: list[str]) -> str:
    """The student whom a notebook names as its own, by its last whose(…), or nothing.

    >>> called_by(["from firth.checks import whose", "whose('ada')  # and not whose('bob')"])
    'ada'
    """
    student = ""
    for tree in (tree_of(cell)[1] for cell in cells if "whose" in cell):
        for node in ast.walk(tree) if tree else ():
            if isinstance(node, ast.Call) and name_of(node.func) == "whose" and node.args:
                first = node.args[0]
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    student = first.value
    return student


def name_of(function: ast.expr) -> str:
    return getattr(function, "id", getattr(function, "attr", ""))


def disagreement(cells: list[str], plan: Plan, asked: Asked, student: str) -> str:
    """Why a notebook is not that of the student who handed it in, or nothing."""
    named = called_by(cells)
    name, own = spelled(named), plan.forms.get(student, "")
    if not name:
        return ""
    says = f'The notebook says whose("{printable(named[:LONGEST])}")'
    if own:
        if name == spelled(own) or plan.known.get(name) == own:
            return ""
        return f'{says}, and it was handed in by {student}, who is "{own}" in the forms.'
    if any(answer.forms for answer in asked.answers):
        if plan.released:
            return f"{says}, and the forms name nobody who is called {student}."
        return f"{says}, so its questions have forms of their own: give --forms forms.csv."
    other = plan.known.get(name, student)
    if name != spelled(student) and other != student and not plan.released:
        return f"{says}, and it was handed in by {student}, beside a file of {other}."
    return ""


def mistaken(cells: list[str], answers: list[dict]) -> str:
    """What a notebook seems to be instead, where answers are missing from it, or nothing."""
    missing = [answer["name"] for answer in answers if answer["status"] == "missing"]
    # What stands in a cell that does not parse is there under its own name.
    broken = "\n".join(cell for cell in cells if "def " in cell and not tree_of(cell)[1])
    there = set(re.findall(r"\bdef[ \t]+(\w+)", broken)).intersection(missing)
    if not missing or there and len(missing) == len(answers):
        return ""
    defined = sorted({name for cell in cells for name in defines(cell)})
    if len(missing) < len(answers):
        others = [name for name in defined if name not in {answer["name"] for answer in answers}]
        near = {name: alike(name, others) for name in missing if name not in there}
        renamed = [f"`{name}` (is it `{other}`?)" for name, other in near.items() if other]
        return f"Missing: {', '.join(renamed[:NAMED])}." if renamed else ""
    found = f"It defines none of the functions of this exercise (such as `{missing[0]}`)"
    known = questions()
    theirs = [known[name] for name in defined if isinstance(known.get(name), Exercise)]
    if theirs:
        names = ", ".join(f"`{item.name}`" for item in theirs[:NAMED])
        return f"{found} but {names}: it seems to be {theirs[0].chapter}, handed in for another."
    if defined:
        names = ", ".join(f"`{name[:LONGEST]}`" for name in defined[:NAMED])
        return f"{found} but {names}: were they renamed?"
    return f"{found}: is it the right notebook?"


def alike(name: str, others: list[str]) -> str:
    """The function that may be this one under another name, or nothing.

    A notebook has functions of its own, so a name counts that has all the words of this one, or
    that differs by a letter or two.

    >>> alike("cosine", ["mean", "cosine_similarity"]), alike("ppmi", ["pmi"]), alike("ppmi", ["f"])
    ('cosine_similarity', 'pmi', '')
    >>> alike("chunk", ["in_chunks"]), alike("next_letter", ["after_one_letter"])
    ('', '')
    """
    holding = [other for other in others if f"_{name}_".lower() in f"_{other}_".lower()]
    return next(iter(holding or get_close_matches(name, others, 1, NEAR)), "")[:LONGEST]


def defines(cell: str) -> set[str]:
    """The functions that a cell defines where it stands."""
    tree = tree_of(cell)[1] if "def " in cell or "=" in cell else None
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    statements = [node for node in (tree.body if tree else []) if isinstance(node, kinds)]
    return set().union(*map(bound, statements))
