"""Train translators of telephone numbers, with attention and without; store every run.

    python -m experiments.attention.telephone_numbers

Five seeds with the dot product and five without attention: the same parameters, the same numbers,
the same steps; and a run each of the two other scores. All learn from numbers of 1–6 pairs and are
asked held-out ones of 1–12. Of every length: the share of numbers that is right, that of words in
their place, what is wrong with the others, and how the decoder's look moves from word to word.

A run that is stored is not repeated, so the script may be stopped and started again.
"""

import argparse
import json
import re
import time
from collections import Counter

import torch

from experiments.conditions import conditions
from firth.attention import explanation, seq2seq, telephone_numbers
from firth.attention.seq2seq import RUNS, Translator
from firth.attention.telephone_numbers import (
    english_words,
    german_words,
    kind_of_error,
    random_numbers,
)
from firth.store.results import stored_result

SEEDS = 5
LEARNED, ASKED = range(1, 7), range(1, 13)  # pairs
SETTINGS = {"e": 32, "d": 64, "numbers": 100_000, "steps": 1200, "batch": 128, "rate": 5e-3}
SETTINGS |= {"clip": 1.0, "asked": 500, "learned pairs": [1, 6]}
FAULTS = ("stops early", "leaves out", "adds", "others")


def wanted() -> list[tuple[str, int]]:
    """Each run's kind and seed, those first that are compared."""
    first = [(kind, seed) for seed in range(SEEDS) for kind in ("dot", "none")]
    return [*first, ("general", 0), ("additive", 0)]


def trained(kind: str, seed: int) -> tuple[Translator, list[float]]:
    """The network of one run, and its losses."""
    torch.manual_seed(seed)
    s = SETTINGS
    net = Translator(s["e"], s["d"], None if kind == "none" else kind)
    numbers = random_numbers(LEARNED, s["numbers"], seed)
    return net, seq2seq.train_translator(net, numbers, s["steps"], s["batch"], s["rate"], s["clip"])


def asked(net: Translator, pairs: int) -> dict:
    """What a network makes of held-out numbers of one length."""
    numbers = random_numbers(pairs, SETTINGS["asked"], 1000 + pairs, held_out=True)
    said, looks = seq2seq.translate(net, [english_words(number) for number in numbers])
    right = [german_words(number) for number in numbers]
    both = list(zip(said, right, strict=True))
    in_place = sum(a == b for pair in both for a, b in zip(*pair, strict=False))
    faults = Counter(kind_of_error(*pair) for pair in both)
    row = {
        "pairs": pairs,
        "numbers": faults["none"] / len(both),
        "words": in_place / sum(map(len, right)),
        "said": sum(map(len, said)) / sum(map(len, right)),
        "pairs before a fault": sum(map(begun, said, numbers)) / len(both),
        "faults": {name: faults[name] for name in FAULTS},
    }
    return {k: round(v, 4) if isinstance(v, float) else v for k, v in row.items()} | (
        {} if net.score is None else {"moves": moves(looks)}
    )


def begun(said: list[str], number: str) -> int:
    """How many pairs are right before the first that is not.

    >>> begun("zwei und vierzig elf".split(), "421211")
    1
    """
    at = 0
    for n, pair in enumerate(telephone_numbers.digit_pairs(number)):
        words = german_words(pair)
        if said[at : at + len(words)] != words:
            return n
        at += len(words)
    return n + 1


def moves(looks: list[torch.Tensor]) -> dict:
    """How far the word most looked at is from the one before, over all steps: from −3 to +4."""
    steps = torch.cat([A.argmax(dim=1).diff() for A in looks if len(A) > 1])
    counts = Counter(steps.clamp(-3, 4).tolist())
    return {str(k): counts[k] for k in range(-3, 5)}


def run(kind: str, seed: int) -> tuple[dict, Translator]:
    """One network, trained and asked."""
    began = time.process_time()
    net, losses = trained(kind, seed)
    row = {
        "kind": kind,
        "seed": seed,
        "parameters": sum(p.numel() for p in net.parameters()),
        "seconds": round(time.process_time() - began, 1),
        "losses": [round(sum(part) / len(part), 4) for part in parts(losses, 50)],
        "lengths": [asked(net, pairs) for pairs in ASKED],
    }
    return row, net


def parts(x: list, n: int) -> list[list]:
    return [x[i : i + n] for i in range(0, len(x), n)]


def explained(net: Translator) -> dict:
    """Attention beside what matters, and what is said if the decoder looks elsewhere."""
    numbers = [
        n for n in random_numbers(5, 300, 3000, held_out=True) if "oh" not in english_words(n)
    ][:100]
    said = explanation.effects(net, numbers)
    of = {
        "units": set(telephone_numbers.EINER) | {"ein"},
        "und": {"und"},
        "teens": set(telephone_numbers.ZEHN),
        "tens": set(telephone_numbers.ZEHNER),
    }
    kinds = {k: [row for row in said if row.word in words] for k, words in of.items()}
    return {
        "numbers": len(numbers),
        "all": explanation.rank_agreement(said),
        "kinds": {k: explanation.rank_agreement(rows) for k, rows in kinds.items() if rows},
        "moved": explanation.share_unchanged(net, numbers),
    }


def rows() -> list[dict]:
    """What is stored: runs with these settings, and those of other scripts ("transformer")."""
    old = stored_result("attention/accuracy_by_length", {"rows": []})
    ours = {kind for kind, _ in wanted()}
    same = old.get("settings") == SETTINGS
    return [row for row in old["rows"] if same or row["kind"] not in ours]


def store(row: dict) -> None:
    """Write a run beside those that are stored."""
    about = conditions() | {
        "command": "python -m experiments.attention.telephone_numbers",
        "settings": SETTINGS,
    }
    text = json.dumps(about | {"rows": [*rows(), row]}, ensure_ascii=False, indent=1)
    text = re.sub(
        r"\n {5,}|\n {4}(?![{ ])|\n {3}(?=[\]}])", " ", text
    )  # a line for each thing of a run
    RUNS.write_text(text + "\n", encoding="utf-8")


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    torch.set_num_threads(1)
    for kind, seed in wanted():
        if (kind, seed) in {(row["kind"], row["seed"]) for row in rows()}:
            continue
        row, net = run(kind, seed)
        if kind == "dot":
            row |= {"explained": explained(net)}
        store(row)
        shares = " ".join(f"{at['numbers']:.2f}" for at in row["lengths"])
        print(f"{kind}, seed {seed}: {shares} after {row['seconds']:.0f} s", flush=True)


if __name__ == "__main__":
    main()
