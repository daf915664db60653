"""Contests: is one way of making word vectors ahead of another by more than luck?

    lead = worth of one's answers − worth of the other's, both to the same draw of questions

Methods of the scoreboard answer the same questions, and their answers are kept one by one. What
other questions would have said is imitated by drawing from these with replacement (a bootstrap):
each draw is put to both, since what is hard for one is often hard for the other, and the middle
95 % of the leads are the interval. To count as if each had been asked questions of its own would
hide most of the leads that there are.
"""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from jaxtyping import Float, Num
from numpy import ndarray as Array

from firth.lsa.similarity import spearman
from firth.store.results import DATA

from .scoreboard import PAIRS, Answers, answers, ratings, replace, summary

ANSWERS = DATA / "scoreboard/answers.json"


def kept(
    method: str, vocabulary: Sequence[str], vectors: Num[Array, "V d"], file: Path = ANSWERS
) -> dict[str, float | int]:
    """The score of a method, whose answers are put down so that others can be held against them."""
    found = answers(vocabulary, vectors)
    known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    lines = sorted((known | {method: written(found)}).items())
    inside = ",\n".join(f"{json.dumps(name)}: {json.dumps(each)}" for name, each in lines)
    replace(file, f"{{\n{inside}\n}}\n")
    return summary(found)


def written(found: Answers) -> dict[str, list]:
    """The answers as JSON keeps them: three digits, and null where a word is unknown.

    >>> written({"wordsim353": np.array([0.12345, np.nan])})
    {'wordsim353': [0.123, None]}
    """
    return {
        name: [None if np.isnan(value) else round(float(value), 3) for value in values]
        for name, values in found.items()
    }


def given(file: Path = ANSWERS) -> dict[str, Answers]:
    """What each method of the scoreboard has answered."""
    methods = json.loads(file.read_text(encoding="utf-8"))
    return {
        method: {name: np.array(values, dtype=float) for name, values in found.items()}
        for method, found in methods.items()
    }


def lead(
    ones: Sequence[Answers], others: Sequence[Answers], draws: int = 1000, seed: int = 0
) -> dict[str, tuple[float, float]]:
    """By how much `ones` would be ahead of `others` on other questions: the middle 95 %.

    As many pairs (or headlines) as there are get drawn with replacement, a bootstrap, and each draw
    is put to both, for what is hard for one is often hard for the other. Several runs of a
    method count by their mean.
    """
    if not ones or not others:
        raise ValueError("Nobody is ahead of nobody: give the answers of a run, or more, of each.")
    return {
        name: interval(worth[0] - worth[1])
        for name, worth in drawn([ones, others], draws, seed).items()
    }


def drawn(
    methods: Sequence[Sequence[Answers]], draws: int = 1000, seed: int = 0
) -> dict[str, Float[Array, "methods draws"]]:
    """For each question, the mean score of each method's runs on every draw of pairs or headlines.

    A draw is put to all methods. A pair that one of them does not know is left out.
    """
    rng, found = np.random.default_rng(seed), {}
    for name in (*PAIRS, "news"):
        sides = [np.array([run[name] for run in runs], dtype=float) for runs in methods]
        known = np.flatnonzero(np.isfinite(np.concatenate(sides)).all(axis=0))
        right, worth = np.ones(len(sides[0][0])), share
        if name in PAIRS:
            right, worth = ratings(name), spearman
        asked = [rng.choice(known, len(known)) for _ in range(draws)]
        found[name] = np.array(
            [[np.mean([worth(run[some], right[some]) for run in runs]) for some in asked]
             for runs in sides]
        )  # fmt: skip
    return found


def interval(values: Float[Array, " draws"]) -> tuple[float, float]:
    """The middle 95 % of the values."""
    low, high = np.quantile(values, [0.025, 0.975])
    return float(low), float(high)


def share(found: Float[Array, " n"], right: Float[Array, " n"]) -> float:
    """How much of it is right."""
    return float((found == right).mean())


def leads(pairs: Iterable[tuple[str, str]]) -> tuple[list[list], list[str]]:
    """Lines and header of a table of `lead`: by how much the first of each pair is ahead.

    >>> leads([("PPMI + SVD", "counts + SVD")])[0][0][2]
    '+0.073 to +0.228'
    """
    told = given()
    lines = [
        [one, other, *(f"{low:+.3f} to {high:+.3f}" for low, high in spans.values())]
        for one, other in pairs
        for spans in [lead([told[one]], [told[other]])]
    ]
    return lines, ["ahead", "of", "WordSim", "SimLex", "news"]
