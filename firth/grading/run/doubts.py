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
from firth.checks.variants import forms_of, spelled
from firth.grading.inbox.places import printable
from firth.grading.inbox.replay import bound, tree_of
from firth.grading.run.plan import Plan
from firth.grading.run.questions import Asked

OTHERWISE = "so it was checked in other forms of the questions. It should say"
NAMED = 3  # functions that a sentence names
NEAR = 0.8  # of 1: how like a missing name another is that is asked about
LONGEST = 60  # characters of what a student calls something


def called_by(cells: list[str]) -> str | None:
    """The student whom a notebook names as its own, by its last whose(…), or nothing.

    It is None where the name cannot be read, because it is worked out.

    >>> called_by(["from firth.checks import whose", "whose('ada')  # and not whose('bob')"])
    'ada'
    >>> called_by(["ME = 'bob'", "whose(student=ME)"]), called_by(["whose(input())"])
    ('bob', None)
    """
    student: str | None = ""
    constants: dict[str, object] = {}
    trees = [tree for cell in cells if (tree := tree_of(cell)[1])] if names_whose(cells) else []
    for tree in trees:
        for node in sorted(filter(is_told, ast.walk(tree)), key=lambda node: node.lineno):
            if isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                value = getattr(node.value, "value", None)
                constants |= {getattr(target, "id", ""): value for target in targets}
                continue
            given = [*node.args, *(word.value for word in node.keywords)]
            if given:
                name = getattr(given[0], "value", None)
                if isinstance(given[0], ast.Name):
                    name = constants.get(given[0].id)
                student = name if isinstance(name, str) else None
    return student


def names_whose(cells: list[str]) -> bool:
    return any("whose" in cell for cell in cells)


def is_told(node: ast.AST) -> bool:
    """Whether this gives a value to a name, or a name to `whose`."""
    assigns = isinstance(node, ast.Assign | ast.AnnAssign)
    return assigns or (isinstance(node, ast.Call) and name_of(node.func) == "whose")


def name_of(function: ast.expr) -> str:
    return getattr(function, "id", getattr(function, "attr", ""))


def disagreement(cells: list[str], plan: Plan, asked: Asked, student: str) -> str:
    """Why a notebook is not that of the student who handed it in, or nothing."""
    named = called_by(cells)
    name, own = spelled(named or ""), plan.forms.get(student, "")
    if not name and named is not None:
        return ""
    says = f'The notebook says whose("{printable((named or "")[:LONGEST])}")'
    if named is None:
        says = "The notebook says whose(…) with a name that cannot be read"
    if own:
        if named is None or name == spelled(own):
            return ""
        if plan.known.get(name) != own:
            return f'{says}, and it was handed in by {student}, who is "{own}" in the forms.'
        if forms_of(asked.answers, name) != forms_of(asked.answers, own):
            return f'{says}, another name of "{own}" in the forms, {OTHERWISE} whose("{own}").'
        return ""
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
    if not missing or (there and len(missing) == len(answers)):
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
