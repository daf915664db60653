"""Train translators with context vectors of several sizes, with attention and without.

    python -m experiments.attention.context_size

    size d of the context vector    32, 64, 128: five seeds      256: three seeds
    learning rate                   of RATES, for each size and kind, chosen on validation numbers

A network with attention and one without have the same parameters, numbers and steps. All learn from
numbers of 1 to 6 pairs. The learning rate of a size and a kind is the one with the smallest loss on
validation numbers, after half of the steps and with a seed that the comparison does not use. Then
each network translates held-out numbers of 1 to 12 pairs. Two networks without attention are also
trained four times as long.

Every run, also those that choose a learning rate, stands in firth/data/attention/context_size.json.
A stored run is not repeated, so the script may be stopped and started again.
"""

import argparse
import json
import re
import time

import torch
from torch import nn

from experiments.attention.telephone_numbers import asked, parts
from experiments.conditions import conditions
from firth.attention import seq2seq
from firth.attention.seq2seq import Translator
from firth.attention.telephone_numbers import (
    ENGLISH,
    GERMAN,
    english_words,
    german_words,
    random_numbers,
)
from firth.store.results import DATA, stored_result

FILE = DATA / "attention/context_size.json"
SEEDS = {32: 5, 64: 5, 128: 5, 256: 3}  # context size → runs
KINDS = ("dot", "none")
RATES = (2e-3, 5e-3, 1e-2, 2e-2, 4e-2)
TRIAL_SEED = 100  # of the runs that choose a learning rate
STEPS, LONGER = 1500, 4
LONG = ((64, "none", 0), (128, "none", 0))  # runs with LONGER × STEPS steps
SETTINGS = {"e": 32, "numbers": 100_000, "steps": STEPS, "trial steps": STEPS // 2, "batch": 128}
SETTINGS |= {"clip": 1.0, "asked": 500, "learned pairs": [1, 6], "rates": RATES}
SETTINGS |= {"validation": "2,000 held-out numbers of 3 to 6 pairs", "longer": LONGER}


def train(d: int, kind: str, seed: int, rate: float, steps: int) -> tuple[Translator, list[float]]:
    """A trained network and the loss of each of its steps."""
    torch.manual_seed(seed)
    net = Translator(SETTINGS["e"], d, None if kind == "none" else kind)
    numbers = random_numbers(range(1, 7), SETTINGS["numbers"], seed)
    return net, seq2seq.train_translator(
        net, numbers, steps, SETTINGS["batch"], rate, SETTINGS["clip"]
    )


@torch.no_grad()
def validation_loss(net: Translator) -> float:
    """The mean loss of a network per German word, on numbers that no comparison asks about."""
    numbers = random_numbers(range(3, 7), 2000, 77, held_out=True)
    X = seq2seq.padded_batch([english_words(number) for number in numbers], ENGLISH)
    after = seq2seq.padded_batch(
        [german_words(number) for number in numbers], GERMAN, seq2seq.NOTHING
    )
    before = nn.functional.pad(after.clamp(min=0), (1, 0))
    ends = (after >= 0).sum(dim=1, keepdim=True)
    after = nn.functional.pad(after, (0, 1), value=seq2seq.NOTHING).scatter(1, ends, 0)
    scores = net(X, before)[0]
    return nn.functional.cross_entropy(scores.mT, after, ignore_index=seq2seq.NOTHING).item()


def run(part: str, d: int, kind: str, seed: int, rate: float, steps: int) -> dict:
    """The row that is stored for one network: its settings, losses and accuracies by length."""
    began = time.process_time()
    net, losses = train(d, kind, seed, rate, steps)
    row = {"part": part, "d": d, "kind": kind, "seed": seed, "rate": rate, "steps": steps}
    row["parameters"] = sum(p.numel() for p in net.parameters())
    row["seconds"] = round(time.process_time() - began, 1)
    row["validation loss"] = round(validation_loss(net), 5)
    row["losses"] = [round(sum(losses) / len(losses), 4) for losses in parts(losses, 50)]
    if part != "rate":
        row["lengths"] = [asked(net, pairs) for pairs in range(1, 13)]
    return row


def stored_rows() -> list[dict]:
    """The rows that are stored, if they were made with these settings."""
    old = stored_result("attention/context_size", {"rows": []})
    same = old.get("settings") == json.loads(json.dumps(SETTINGS))
    return old["rows"] if same else []


def chosen_rate(d: int, kind: str) -> float:
    """The learning rate with the smallest validation loss of a size and a kind."""
    tried = [r for r in stored_rows() if (r["part"], r["d"], r["kind"]) == ("rate", d, kind)]
    return min(tried, key=lambda row: row["validation loss"])["rate"]


def wanted() -> list[tuple]:
    """Part, size, kind and seed of each run and its rate, if it is given, in the order of work."""
    rows = []
    for d in (64, 128, 32, 256):
        rows += [("rate", d, kind, TRIAL_SEED, rate) for kind in KINDS for rate in RATES]
        rows += [("comparison", d, kind, seed, None) for seed in range(SEEDS[d]) for kind in KINDS]
    return rows + [("longer", *run, None) for run in LONG]


def store(rows: list[dict]) -> None:
    """Write all rows, with the machine and the settings."""
    about = conditions() | {
        "command": "python -m experiments.attention.context_size",
        "settings": SETTINGS,
    }
    text = json.dumps(about | {"rows": rows}, ensure_ascii=False, indent=1)
    text = re.sub(r"\n {5,}|\n {4}(?![{ ])|\n {3}(?=[\]}])", " ", text)
    FILE.write_text(text + "\n", encoding="utf-8")


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    torch.set_num_threads(1)
    steps = {"rate": STEPS // 2, "comparison": STEPS, "longer": LONGER * STEPS}
    for part, d, kind, seed, rate in wanted():
        done = {
            (r["part"], r["d"], r["kind"], r["seed"], r["rate"] if part == "rate" else None)
            for r in stored_rows()
        }
        if (part, d, kind, seed, rate) in done:
            continue
        row = run(part, d, kind, seed, rate or chosen_rate(d, kind), steps[part])
        store([*stored_rows(), row])
        shares = " ".join(f"{at['numbers']:.2f}" for at in row.get("lengths", []))
        loss = f"loss {row['validation loss']:.4f}"
        print(part, d, kind, seed, row["rate"], f"{row['seconds']} s", loss, shares, flush=True)


if __name__ == "__main__":
    main()
