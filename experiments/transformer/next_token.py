"""Store what SmolLM2 thinks comes next after some thirty prompts, for the page.

    python -m experiments.transformer.next_token

Of each prompt the 200 highest scores are kept: how far each is below the highest, in hundredths.
The other 48,952 tokens come in groups of neighbours in rank, and all of a group are said to score
alike: so high that together they have as much probability as in truth. So a page of 100 kB can
soften and cut the whole of a distribution, and knows how much of it lies where.
"""

import argparse
import json
from itertools import pairwise

import numpy as np

from firth.runtime.progress import progress
from firth.store.results import DATA
from firth.transformer import smollm

FILE = DATA / "transformer/next_token.json"
KEPT = 200
GROUPS = 40
PROMPTS = {
    "facts": [
        "The capital of France is",
        "The capital of Australia is",
        "Water boils at a temperature of",
        "The author of Pride and Prejudice is",
        "In 1969, the first man walked on the",
        "The largest planet of the solar system is",
        "A language model is a",
    ],
    "grammar": [
        "The keys to the cabinet",
        "The key to the cabinets",
        "She has never",
        "Yesterday I",
        "One mouse, two",
        "The children who played in the garden",
    ],
    "open ends": [
        "I want to buy a",
        "I want to buy an",
        "Once upon a time, there was a",
        "My favourite colour is",
        "He went to the bank to",
        "She sat down by the bank of the river and",
        "The meaning of life is",
    ],
    "people": [
        "The nurse told the doctor that",
        "The doctor told the nurse that",
        "The engineer said that",
        "The secretary said that",
    ],
    "patterns": [
        "hot: cold\nbig: small\nfast:",
        "France: Paris\nItaly: Rome\nSpain:",
        "cat → cats\nchild → children\nmouse →",
        "A great film: good\nWhat a waste of time: bad\nI laughed all evening:",
        "1, 2, 4, 8, 16, ",
        "7 + 5 =",
        "7 + 5 = ",
    ],
    "citations": [
        "To be, or not to be, that is the",
        "First Law: A robot may not injure a human being or, through",
        "You shall know a word by the",
    ],
}


def edges() -> list[int]:
    """The ranks at which groups begin: each group is a little larger than the one before."""
    return np.rint(np.geomspace(KEPT, smollm.SHAPE.n, GROUPS + 1)).astype(int).tolist()


def row(kind: str, prompt: str) -> dict:
    """The likeliest tokens, and how far each and each group of others is below the likeliest."""
    tokens, scores = smollm.next_tokens(prompt)
    order = np.argsort(-scores, kind="stable")
    p = np.exp(scores[order] - scores.max())
    means = [p[start:stop].mean() for start, stop in pairwise(edges())]
    below = np.rint(-100 * np.log([*p[:KEPT], *means])).astype(int)
    shown = [tokens[i] for i in order[:KEPT]]
    return {"kind": kind, "prompt": prompt, "tokens": shown, "below": below.tolist()}


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    pairs = [(kind, prompt) for kind, prompts in PROMPTS.items() for prompt in prompts]
    rows = []
    with progress("Asking SmolLM2 …") as say:
        for kind, prompt in pairs:
            say(f"Asking SmolLM2 … {len(rows)} of {len(pairs)}")
            rows.append(row(kind, prompt))
    counts = [1] * KEPT + np.diff(edges()).tolist()
    stored = {"counts": counts, "rows": rows}
    text = json.dumps(stored, ensure_ascii=False, separators=(",", ":"))
    FILE.write_text(text.replace('{"kind"', '\n{"kind"') + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
