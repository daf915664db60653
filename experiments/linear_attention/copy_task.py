"""Train four kinds of attention to repeat random signs, and to read Jane Austen; store every run.

    python -m experiments.linear_attention.copy_task     every run that is not stored yet

All kinds start from the same weights and are given the same texts: softmax, linear (elu + 1), a
band, and FMMformer's blend of the two. Of each run: the loss on texts that were not learned from,
at equal steps, and the seconds of CPU time that training took up to there. Seeds come last, so that
a stopped run has one seed of everything; `experiments/linear_attention/copy_task.log` keeps a line
for each.
"""

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import torch

from experiments.conditions import conditions
from firth.linear_attention import copy_task
from firth.linear_attention.fmmformer import KINDS, reader
from firth.store.results import DATA, stored_result
from firth.transformer import austen_gpt

FILE = DATA / "linear_attention/copy_task.json"
LOG = Path(__file__).with_suffix(".log")
SEEDS, LOOKS = 3, 10
COPY = {"n": 32, "S": 30, "band": 8, "steps": 500, "B": 32, "rate": 2e-3}
TEXT = {"context": 128, "band": 16, "steps": 2000, "B": 8, "rate": 4e-3, "held": 3_000}


def wanted() -> list[tuple[str, str, int]]:
    """Each run's task, kind and seed."""
    return [(task, kind, seed) for seed in range(SEEDS) for task in RUNS for kind in KINDS]


def copying(kind: str, seed: int, s: dict = COPY) -> Iterator[tuple[int, float, list]]:
    """Step, and what the run is worth after it: J and the share right."""
    net = reader(copy_task.shape(s["n"], s["S"]), kind, s["band"], seed=seed)
    steps = copy_task.training(net, s["n"], s["S"], s["steps"], s["B"], s["rate"], seed)
    return looked_at(steps, s["steps"], lambda: copy_task.examined(net, s["n"], s["S"]))


def reading(kind: str, seed: int, s: dict = TEXT) -> Iterator[tuple[int, float, list]]:
    """The same on letters of two novels: J of a third."""
    learned, held, _ = austen_gpt.text()
    net = reader(replace(austen_gpt.SMALL, context=s["context"]), kind, s["band"], seed=seed)
    steps = austen_gpt.training(net, learned, s["steps"], s["B"], s["rate"], seed)
    return looked_at(steps, s["steps"], lambda: [austen_gpt.loss(net, held[: s["held"]])])


RUNS = {"copy": (copying, COPY), "text": (reading, TEXT)}


def looked_at(training: Iterator, steps: int, worth) -> Iterator[tuple[int, float, list]]:
    """Step, seconds of training so far, and what it is worth, some times along the way."""
    seconds, begin = 0.0, time.process_time()
    for i, _ in enumerate(training, start=1):
        if i % max(steps // LOOKS, 1) == 0:
            seconds += time.process_time() - begin
            yield i, round(seconds, 2), [round(x, 4) for x in worth()]
            begin = time.process_time()


def run(task: str, kind: str, seed: int) -> dict:
    """One network from its first step to its last."""
    make, settings = RUNS[task]
    about = {"task": task, "kind": kind, "seed": seed, "settings": settings}
    return about | {"curve": [[i, s, *worth] for i, s, worth in make(kind, seed)]}


def stored() -> list[dict]:
    """The runs so far, without those of other settings."""
    rows = stored_result("linear_attention/copy_task", {"rows": []})["rows"]
    return [row for row in rows if row["settings"] == RUNS[row["task"]][1]]


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    torch.set_num_threads(1)
    for task, kind, seed in wanted():
        if (task, kind, seed) in {(r["task"], r["kind"], r["seed"]) for r in stored()}:
            continue
        row = run(task, kind, seed)
        lines = ",\n".join(json.dumps(r) for r in [*stored(), row])
        about = json.dumps(
            conditions() | {"command": "python -m experiments.linear_attention.copy_task"}, indent=1
        )
        FILE.write_text(f'{about[:-2]},\n "rows": [\n{lines}\n]}}\n', encoding="utf-8")
        line = f"{task}, {kind}, seed {seed}: {row['curve'][-1]}"
        print(line, flush=True)
        with LOG.open("a", encoding="utf-8") as log:
            log.write(line + "\n")


if __name__ == "__main__":
    main()
