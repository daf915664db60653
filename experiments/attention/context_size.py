"""Train translators with context vectors of several sizes, with attention and without.

    python -m experiments.attention.context_size

    size d of the context vector    32, 64, 128: five seeds      256: three seeds
    learning rate                   of RATES, for each size and kind, chosen on validation numbers

A network with attention and one without have the same parameters, numbers and steps. All learn from
numbers of 1 to 6 pairs. A learning rate is tried for half of the steps, with a seed that the
comparison does not use. The first rate that a size tries is the best one of the nearest size, and
the neighbours of the best rate are tried until neither is better. Rates that are nearly as good as
the best are tried with a second seed, and then the mean decides. Then each network translates
held-out numbers of 1 to 12 pairs. Two networks without attention are also trained four times as
long.

Every run, also those that choose a learning rate, stands in firth/data/attention/context_size.json,
with its validation losses during the training and the share by which the best of them fell in the
last third of the steps. A run is flat if this is less than half a per cent. A stored run is not
repeated, so the script may be stopped and started again.
"""

import argparse
import json
import re
import time
from collections.abc import Callable
from functools import cache

import torch
from torch import Tensor, nn

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
KINDS = ("dot", "none")
ORDER = (  # sizes, kinds and seeds
    (64, KINDS, range(5)), (32, KINDS, range(5)), (128, KINDS, range(3)),
    (256, ("none",), range(3)), (256, ("dot",), range(3)), (128, KINDS, range(3, 5)),
)  # fmt: skip
RATES = (2e-3, 5e-3, 1e-2, 2e-2, 4e-2, 6e-2, 8e-2, 0.12, 0.16)
FIRST_RATE, CLOSE = 2e-2, 1.1  # rates with less than CLOSE times the best loss try a second seed
TRIAL_SEEDS = (100, 101)  # of the runs that try a rate
STEPS, LONGER = 1500, 4
LONG = ((64, "none", 0), (128, "none", 0))  # runs with LONGER × STEPS steps
LOOKS = 15  # validation losses during a run
SETTINGS = {"e": 32, "numbers": 100_000, "steps": STEPS, "trial steps": STEPS // 2, "batch": 128}
SETTINGS |= {"clip": 1.0, "asked": 500, "learned pairs": [1, 6], "rates": RATES}
SETTINGS |= {"validation": "2,000 held-out numbers of 3 to 6 pairs", "longer": LONGER}
Run = tuple[str, int, str, int, float]  # part, size, kind, seed, learning rate


@cache
def validation_numbers() -> tuple[Tensor, Tensor, Tensor]:
    """English words, the German words before each step, and those to predict, as indices."""
    numbers = random_numbers(range(3, 7), 2000, 77, held_out=True)
    X = seq2seq.padded_batch([english_words(number) for number in numbers], ENGLISH)
    after = seq2seq.padded_batch(
        [german_words(number) for number in numbers], GERMAN, seq2seq.NOTHING
    )
    before = nn.functional.pad(after.clamp(min=0), (1, 0))
    ends = (after >= 0).sum(dim=1, keepdim=True)
    after = nn.functional.pad(after, (0, 1), value=seq2seq.NOTHING).scatter(1, ends, 0)
    return X, before, after


@torch.no_grad()
def validation_loss(net: Translator, numbers: int = 2000) -> float:
    """The mean loss of a network per German word, on numbers that no comparison asks about."""
    X, before, after = (part[:numbers] for part in validation_numbers())
    scores = net(X, before)[0]
    return nn.functional.cross_entropy(scores.mT, after, ignore_index=seq2seq.NOTHING).item()


def with_validation(net: Translator, every: int, losses: list[float]) -> Callable:
    """The scores of a network, as a function that appends a validation loss every few steps."""
    step = 0

    def scores(X: Tensor, before: Tensor) -> Tensor:
        nonlocal step
        step += 1
        if step % every == 0:
            losses.append(validation_loss(net, 500))
        return net(X, before)[0]

    return scores


def train(
    d: int, kind: str, seed: int, rate: float, steps: int
) -> tuple[Translator, list[float], list[float]]:
    """A trained network, the loss of each of its steps, and validation losses on the way."""
    torch.manual_seed(seed)
    net = Translator(SETTINGS["e"], d, None if kind == "none" else kind)
    numbers, found = random_numbers(range(1, 7), SETTINGS["numbers"], seed), []
    guess = with_validation(net, steps // LOOKS, found)
    s = SETTINGS
    losses = seq2seq.train_translator(
        net, numbers, steps, s["batch"], rate, s["clip"], word_scores=guess
    )
    return net, losses, found


def fall_in_last_third(losses: list[float]) -> float:
    """The share by which the best of these losses fell in the last third of them.

    >>> fall_in_last_third([3.0, 2.0, 1.0])
    0.5
    """
    before = min(losses[: len(losses) - len(losses) // 3])
    return 1 - min(losses) / before


def run(part: str, d: int, kind: str, seed: int, rate: float) -> tuple[dict, Translator]:
    """The row that is stored for one network (settings, losses, accuracies), and the network."""
    began = time.process_time()
    steps = {"rate": STEPS // 2, "comparison": STEPS, "longer": LONGER * STEPS}[part]
    net, losses, found = train(d, kind, seed, rate, steps)
    row = {"part": part, "d": d, "kind": kind, "seed": seed, "rate": rate, "steps": steps}
    row["parameters"] = sum(p.numel() for p in net.parameters())
    row["seconds"] = round(time.process_time() - began, 1)
    row["validation loss"] = round(validation_loss(net), 5)
    row["losses"] = [round(sum(losses) / len(losses), 4) for losses in parts(losses, 50)]
    if part != "rate":
        row["validation losses"] = [float(f"{loss:.4g}") for loss in found]
        row["fall in the last third"] = round(fall_in_last_third(row["validation losses"]), 4)
        row["lengths"] = [asked(net, pairs) for pairs in range(1, 13)]
    return row, net


def stored_rows() -> list[dict]:
    """The rows that are stored, if they were made with these settings."""
    old = stored_result("attention/context_size", {"rows": []})
    same = old.get("settings") == json.loads(json.dumps(SETTINGS))
    return old["rows"] if same else []


def losses_by_rate(rows: list[dict], d: int, kind: str) -> dict[float, list[float]]:
    """The validation losses of each learning rate that a size and a kind have tried."""
    losses = {}
    for row in rows:
        if (row["part"], row["d"], row["kind"]) == ("rate", d, kind):
            losses.setdefault(row["rate"], []).append(row["validation loss"])
    return losses


def chosen_rate(rows: list[dict], d: int, kind: str) -> float:
    """The learning rate of a size and a kind with the most seeds, and of these the best mean."""
    losses = losses_by_rate(rows, d, kind)
    return min(losses, key=lambda rate: (-len(losses[rate]), sum(losses[rate])))


def next_trial(rows: list[dict], d: int, kind: str) -> tuple[int, float] | None:
    """The seed and the learning rate that a size and a kind try next; None if one is chosen."""
    losses = losses_by_rate(rows, d, kind)
    first, second = TRIAL_SEEDS
    if not losses:
        sizes = [row["d"] for row in rows if (row["part"], row["kind"]) == ("rate", kind)]
        near = min(sizes, key=lambda size: max(size, d) / min(size, d), default=None)
        return first, FIRST_RATE if near is None else chosen_rate(rows, near, kind)
    best = min(losses, key=lambda rate: losses[rate][0])
    at = RATES.index(best)
    for rate in RATES[max(at - 1, 0) : at + 2]:
        if rate not in losses:
            return first, rate
    close = [rate for rate, found in losses.items() if found[0] <= CLOSE * losses[best][0]]
    again = [rate for rate in close if len(losses[rate]) == 1] if len(close) > 1 else []
    return (second, again[0]) if again else None


def next_run(rows: list[dict]) -> Run | None:
    """Part, size, kind, seed and learning rate of the first run that is not stored yet."""
    done = {(row["part"], row["d"], row["kind"], row["seed"]) for row in rows}
    for d, kinds, seeds in ORDER:
        for kind in kinds:
            if trial := next_trial(rows, d, kind):
                return "rate", d, kind, *trial
        for seed in seeds:
            for kind in kinds:
                if ("comparison", d, kind, seed) not in done:
                    return "comparison", d, kind, seed, chosen_rate(rows, d, kind)
    for d, kind, seed in LONG:
        if ("longer", d, kind, seed) not in done:
            return "longer", d, kind, seed, chosen_rate(rows, d, kind)
    return None


def store(rows: list[dict]) -> None:
    """Write all rows, with the machine and the settings."""
    about = conditions() | {
        "command": "python -m experiments.attention.context_size",
        "settings": SETTINGS,
    }
    text = json.dumps(about | {"rows": rows}, ensure_ascii=False, indent=1)
    text = re.sub(r"\n {5,}|\n {4}(?![{ ])|\n {3}(?=[\]}])", " ", text)
    new = FILE.with_suffix(".new")
    new.write_text(text + "\n", encoding="utf-8")
    new.replace(FILE)


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    torch.set_num_threads(1)
    while wanted := next_run(stored_rows()):
        row, _ = run(*wanted)
        store([*stored_rows(), row])
        shares = " ".join(f"{at['numbers']:.2f}" for at in row.get("lengths", []))
        loss = f"loss {row['validation loss']:.4f}"
        print(*wanted, f"{row['seconds']} s", loss, shares, flush=True)


if __name__ == "__main__":
    main()
