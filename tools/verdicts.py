"""Print all verdicts and questions of one chapter's exercises, one line of JSON for each question.

python -P tools/verdicts.py TREE CHAPTER SEEDS

TREE is any state of this repository, so the script assumes little about where modules stand. The
questions are those that `firth.checks.questions()` finds. Learners' wrong answers are those in the
dictionaries called WRONG of the modules named `learners`, or in a folder of that name, below
`tests/`. An answer is identified by its question, its form and its position, never by a name of a
module or function. For each question the output contains its texts, the forms that some students
have, and for each form:

    about     the hints, the passages of the notebook, and the claims in their order
    inputs    for each claim and seed a digest of the inputs that were drawn
    answers   right · mistake 1, 2, … · learner 1, 2, …   →  for each claim and seed the verdict

`-P` keeps the folder of this script off the search path, where TREE has a `tools` of its own.
"""

import hashlib
import importlib
import json
import random
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

TRAITS = ("chapter", "number", "label", "difficulty", "minutes", "points", "rubric", "hints")
OF_A_FORM = ("hints", "points", "label", "endless", "stumbles", "passages")
STUDENTS = tuple(f"student {n}" for n in range(20))  # whose forms of the questions are noted
QUOTED_LINE = re.compile(r"in your line `.*?`(?= |$)")
ADDRESS = re.compile(r"\b0x[0-9a-f]+\b")


def root_of(path: Path) -> Path:
    """The folder from which Python imports this file: the nearest one above that is no package."""
    folder = path.parent
    while (folder / "__init__.py").exists():
        folder = folder.parent
    return folder


def learners(tree: Path) -> list[Path]:
    """The files with the wrong answers of learners."""
    files = sorted((tree / "tests").rglob("*.py"))
    return [file for file in files if "learners" in file.relative_to(tree).with_suffix("").parts]


def use(tree: Path) -> None:
    """Makes this process import the modules of one tree, with the paths that its tests have."""
    settings = tomllib.loads((tree / "pyproject.toml").read_text(encoding="utf-8"))
    paths = [tree / path for path in settings["tool"]["pytest"]["ini_options"]["pythonpath"]]
    sys.path[:0] = map(str, dict.fromkeys([tree, *paths, *map(root_of, learners(tree))]))


def wrong_answers(tree: Path) -> dict[str, list[tuple]]:
    """For each question the wrong answers of learners, each with words of what it is asked."""
    found: dict[str, list[tuple]] = {}
    for path in learners(tree):
        parts = path.relative_to(root_of(path)).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        for question, answers in getattr(importlib.import_module(name), "WRONG", {}).items():
            if found.setdefault(question, answers) is not answers:
                raise ValueError(f"two modules have wrong answers to {question}: {name} is one")
    return found


def flat(value: Any) -> str:
    """An input as text from which all of its bits could be read, or a digest of them.

    >>> flat([1, ("a", True)])
    "list[1, tuple['a', True]]"
    """
    if isinstance(value, np.ndarray):
        bits = hashlib.sha256(value.tobytes()).hexdigest()
        return f"{value.dtype}{value.shape}{bits}"
    if isinstance(value, list | tuple):
        return f"{type(value).__name__}[{', '.join(map(flat, value))}]"
    if isinstance(value, dict):
        return f"dict[{', '.join(f'{flat(key)}: {flat(item)}' for key, item in value.items())}]"
    if value is None or isinstance(value, int | float | str | np.generic):
        return repr(value)
    raise TypeError(f"an input is a {type(value).__name__}: say here how to write it down")


def seeded(seed: int) -> None:
    """Starts the random numbers of an answer that draws some, so that it draws the same ones."""
    random.seed(seed)
    np.random.seed(seed)


def inputs(form: Any, index: int, seed: int) -> str:
    """A digest of the inputs with which one claim calls the right answer."""
    calls: list[str] = []

    def listening(*given):
        calls.append(flat(given))
        return form.right(*given)

    form.verdict(index, listening, seed)
    return f"{len(calls)} calls, {hashlib.sha256('; '.join(calls).encode()).hexdigest()[:16]}"


def said(verdict: Any) -> str:
    """A verdict as one text, without a quoted line of source and without an address in memory.

    >>> from types import SimpleNamespace
    >>> said(SimpleNamespace(holds=False, points=0, message="No — in your line `x y` Why?"))
    'asks: No — in your line `…` Why?'
    """
    if verdict.holds:
        return f"holds, {verdict.points}"
    text = ADDRESS.sub("0x…", QUOTED_LINE.sub("in your line `…`", verdict.message))
    return f"asks: {text}" + f", {verdict.points}" * bool(verdict.points)


def answers(form: Any, wrong: list[tuple]) -> Iterator[tuple[str, str, Callable]]:
    """Every answer to a form of a question: which it is, the words that belong to it, itself."""
    yield "right", "", form.right
    for n, (mistake, question, *_) in enumerate(form.mistakes, start=1):
        yield f"mistake {n}", question, mistake
    for n, (answer, words, *_) in enumerate(wrong, start=1):
        yield f"learner {n}", words, answer


def of_form(form: Any, wrong: list[tuple], seeds: range) -> dict:
    """All that one form of a question says, draws and answers.

    All answers are judged under one seed before the next seed comes, as in a class that is graded:
    what the judge keeps for a seed is then used.
    """
    claims = {f"claim {n}": claim for n, claim in enumerate(form.claims, start=1)}
    drawn: dict[str, dict] = {name: {} for name in claims}
    told: dict[str, dict] = {
        which: {"words": words, "verdicts": {name: {} for name in claims}}
        for which, words, _ in answers(form, wrong)
    }
    for seed in seeds:
        for index, name in enumerate(claims):
            drawn[name][f"seed {seed}"] = inputs(form, index, seed)
        for which, _, answer in answers(form, wrong):
            seeded(seed)
            found = form.judge(answer, seed)
            for claim, verdict in zip(told[which]["verdicts"].values(), found, strict=True):
                claim[f"seed {seed}"] = said(verdict)
    return {
        "about": {trait: getattr(form, trait) for trait in OF_A_FORM},
        "claims": {
            name: {"sentence": claim.sentence, "question": claim.question, "points": claim.points}
            for name, claim in claims.items()
        },
        "inputs": drawn,
        "answers": told,
    }


def of_question(question: Any, wrong: list[tuple], seeds: range) -> dict:
    """All that is compared of a question; one that is answered in words has no forms."""
    variants = importlib.import_module("firth.checks.variants")
    about = {trait: getattr(question, trait) for trait in TRAITS if hasattr(question, trait)}
    forms = (question, *question.forms) if hasattr(question, "judge") else ()
    of_forms = {form.form or "its only form": of_form(form, wrong, seeds) for form in forms}
    students = {s: variants.variant_of(question, s).form for s in STUDENTS} if forms else {}
    return {"about": about, "students": students, "forms": of_forms}


def main(tree: Path, chapter: str, seeds: int) -> None:
    use(tree)
    checks = importlib.import_module("firth.checks")
    if not Path(checks.__file__).is_relative_to(tree):
        raise ImportError(f"{checks.__file__} was imported, which is not below {tree}")
    wrong = wrong_answers(tree)
    for name, question in checks.questions().items():
        if question.chapter == chapter:
            found = of_question(question, wrong.get(name, []), range(seeds))
            print(json.dumps({name: found}, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), sys.argv[2], int(sys.argv[3]))
