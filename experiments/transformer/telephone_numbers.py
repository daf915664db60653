"""Train chapter 5's translator on chapter 4's telephone numbers; store every run beside its own.

    python -m experiments.transformer.telephone_numbers

Five seeds, numbers of 1–6 pairs, asked held-out ones of 1–12: rows of kind "transformer". To tell
whether it is the length that fails or the places that were never seen, texts of three pairs are
also asked from later places on ("starts"). Two remedies are tried with one seed: training texts
that begin anywhere ("transformer, shifted"), and whose words stand at random places in order, with
gaps ("transformer, scattered": Ruoss and others, 2023). A run that is stored is not repeated.
"""

import argparse
import json
import re
import time
from collections import Counter

import torch

from experiments.attention import telephone_numbers as chapter_4
from experiments.attention.telephone_numbers import ASKED, FAULTS, LEARNED, RUNS, moves, parts
from experiments.conditions import conditions
from firth.attention.telephone_numbers import (
    english_words,
    german_words,
    kind_of_error,
    random_numbers,
)
from firth.store.results import stored_result
from firth.transformer import translator
from firth.transformer.translator import Translator

SETTINGS = {"d": 64, "heads": 4, "inner": 128, "blocks": 2, "longest": 64, "numbers": 100_000}
SETTINGS |= {"steps": 800, "batch": 64, "rate": 3e-3, "clip": 1.0, "asked": 300, "remedies": 2400}
SEEDS = 5
STARTS = (0, 1, 2, 4, 8, 12, 16, 24, 32)
SHOWN = "42179805"  # whose looks the page draws, in thousandths


def shifted(B: int, n: int, longest: int) -> torch.Tensor:
    """Texts that begin anywhere."""
    return torch.randint(longest - int(n) + 1, (B, 1)) + torch.arange(n)


def scattered(B: int, n: int, longest: int) -> torch.Tensor:
    """Words that stand anywhere, in their order."""
    return torch.rand(B, longest).topk(int(n)).indices.sort().values


KINDS = {"transformer": None, "transformer, shifted": shifted, "transformer, scattered": scattered}


def wanted() -> list[tuple[str, int]]:
    """Each run's kind and seed."""
    return [("transformer", seed) for seed in range(SEEDS)] + [(kind, 0) for kind in [*KINDS][1:]]


def trained(kind: str, seed: int) -> tuple[Translator, list[float]]:
    """The network of one run, and its losses."""
    torch.manual_seed(seed)
    s = SETTINGS
    shape = {name: s[name] for name in ("d", "heads", "inner", "blocks", "longest")}
    net, numbers = Translator(**shape), random_numbers(LEARNED, s["numbers"], seed)
    steps = s["steps"] if KINDS[kind] is None else s["remedies"]
    where = KINDS[kind]
    return net, translator.trained(net, numbers, steps, s["batch"], s["rate"], s["clip"], where)


def asked(net: Translator, pairs: int) -> dict:
    """What a network makes of held-out numbers of one length, in the form of chapter 4's rows."""
    numbers = random_numbers(pairs, SETTINGS["asked"], 1000 + pairs, held_out=True)
    said, looks = translator.translated(net, [english_words(number) for number in numbers])
    right = [german_words(number) for number in numbers]
    both, words = list(zip(said, right, strict=True)), sum(map(len, right))
    in_place = sum(a == b for pair in both for a, b in zip(*pair, strict=False))
    faults = Counter(kind_of_error(*pair) for pair in both)
    return {
        "pairs": pairs,
        "numbers": round(faults["none"] / len(both), 4),
        "words": round(in_place / words, 4),
        "said": round(sum(map(len, said)) / words, 4),
        "faults": {name: faults[name] for name in FAULTS},
        "moves": moves(looks),
    }


def run(kind: str, seed: int) -> dict:
    """One network, trained and asked."""
    began = time.process_time()
    net, losses = trained(kind, seed)
    seconds = round(time.process_time() - began, 1)
    (said,), (A,) = translator.translated(net, [english_words(SHOWN)])
    starts = {s: translator.accuracy(net, 3, SETTINGS["asked"], 1003, s)[0] for s in STARTS}
    return {
        "kind": kind,
        "seed": seed,
        "parameters": sum(p.numel() for p in net.parameters()),
        "seconds": seconds,
        "settings": SETTINGS,
        "losses": [round(sum(part) / len(part), 4) for part in parts(losses, 50)],
        "lengths": [asked(net, pairs) for pairs in ASKED],
        "starts": {str(s): round(share, 4) for s, share in starts.items()},
        "shown": {"number": SHOWN, "said": said, "A": (1000 * A).round().long().tolist()},
    }


def stored() -> dict:
    """The whole file, without those of our own runs that had other settings."""
    about = conditions() | {"command": "python -m experiments.attention.telephone_numbers"}
    about |= {"settings": chapter_4.SETTINGS, "rows": []}
    old = stored_result("attention/accuracy_by_length", about)
    rows = [r for r in old["rows"] if r["kind"] not in KINDS or r["settings"] == SETTINGS]
    return old | {"rows": rows}


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    torch.set_num_threads(1)
    for kind, seed in wanted():
        if (kind, seed) in {(row["kind"], row["seed"]) for row in stored()["rows"]}:
            continue
        row = run(kind, seed)
        known = stored()  # read again: chapter 4's runs may have come in meanwhile
        text = json.dumps(known | {"rows": [*known["rows"], row]}, ensure_ascii=False, indent=1)
        text = re.sub(r"\n {4,}|\n {3}(?=[\]}])", " ", text)  # a line for each thing of a run
        RUNS.write_text(text + "\n", encoding="utf-8")
        shares = " ".join(f"{at['numbers']:.2f}" for at in row["lengths"])
        print(
            f"{kind}, seed {seed}: {shares} after {row['seconds']:.0f} s", row["starts"], flush=True
        )


if __name__ == "__main__":
    main()
